//! What the dashboard saw last, for commands while no provider of live data can be reached.

use crate::app::responses::CachedResponse;
use crate::client::{Reply, Request, ResponseData};
use crate::config::Settings;
use crate::format::Age;
use crate::model::{Page, Text, UtcTime};
use crate::snapshot::Snapshot;

/// The dashboard's last live response to a request, with a warning that names its age and why it is not new; `None` if
/// there is none, or the data is not live.
pub(super) fn find(request: &Request, settings: &Settings, reason: &str) -> Option<Reply> {
    if !settings.is_live(request.group()) {
        return None;
    }
    let now = UtcTime::now();
    // Abridged responses lack fields.
    let cached = Snapshot::new(settings).rest(now).into_iter().filter(|cached| !cached.abridged);
    let cached: Vec<CachedResponse> = cached.collect();
    let coins = CachedCoins::of(&cached);
    let found = |cached: &CachedResponse| Some((matching_part(cached, request, &coins)?, cached.receipt.clone()));
    let (response, receipt) = cached.iter().find_map(found)?;
    let updated_at = receipt.updated_at();
    let age = match Age(now.since(updated_at)) {
        age if age.is_now() => String::from("<1 m"),
        age => age.to_string(),
    };
    Some(Reply {
        response: Some(response),
        url: receipt.url,
        status: receipt.status,
        bytes: receipt.bytes,
        latency: receipt.latency,
        fetched_at: updated_at,
        validator: None,
        max_age: None,
        is_own: false,
        simulated: receipt.simulated,
        provider: receipt.provider,
        rate: receipt.rate.map(|rate| *rate),
        age: receipt.age,
        warnings: vec![format!("cached {age} ago by the dashboard: {reason}")],
        notice: None,
        refresh_error: None,
        not_refreshed: None,
        rows: receipt.rows,
        has_more: false,
        warns_of_more_rows: false,
        has_several_coins: false,
    })
}

/// The slugs of the coins in the cached lists.
struct CachedCoins<'a>(Vec<(&'a Text, &'a Text)>);

impl<'a> CachedCoins<'a> {
    fn of(cached: &'a [CachedResponse]) -> CachedCoins<'a> {
        let pages = cached.iter().filter_map(|cached| match &*cached.response {
            ResponseData::Coins(page) => Some(&page.items),
            _ => None,
        });
        CachedCoins(pages.flatten().filter_map(|coin| Some((&coin.symbol, coin.slug.as_ref()?))).collect())
    }

    /// Whether the coin with this slug is the only one with this symbol.
    fn is_only(&self, symbol: &str, slug: &str) -> bool {
        let mut same = self.0.iter().filter(|(other, _)| other.eq_ignore_ascii_case(symbol)).peekable();
        same.peek().is_some() && same.all(|(_, other)| **other == *slug)
    }
}

/// The part of a cached response that answers a request: all rows of it, or none.
fn matching_part(cached: &CachedResponse, wanted: &Request, coins: &CachedCoins<'_>) -> Option<ResponseData> {
    match (&cached.request, wanted, &*cached.response) {
        (
            Request::Coins { tag, start, convert, .. },
            Request::Coins { tag: wanted_tag, start: first, limit, convert: wanted_convert },
            ResponseData::Coins(page),
        ) => {
            let skipped = usize::try_from(first.checked_sub(*start)?).ok()?;
            let limit = usize::try_from(*limit).unwrap_or(usize::MAX);
            let rest = page.items.get(skipped..).filter(|rest| !rest.is_empty())?;
            let is_last = page.total == Some(u64::from(*start) - 1 + page.items.len() as u64);
            let is_whole = rest.len() >= limit || is_last;
            let is_same = (tag, convert) == (wanted_tag, wanted_convert);
            let items = rest.iter().take(limit).cloned().collect();
            (is_same && is_whole).then_some(ResponseData::Coins(Page { items, total: page.total }))
        }
        (known, wanted, response) => is_same(known, wanted, coins).then(|| response.clone()),
    }
}

/// Whether a response to `known` answers `wanted`. Commands know a coin by its symbol or slug, as typed.
fn is_same(known: &Request, wanted: &Request, coins: &CachedCoins<'_>) -> bool {
    // A symbol stands for several coins, of which the dashboard may have shown any.
    let is_coin = |symbol: &Text, slug: &Option<Text>, typed: &Text| {
        slug.as_ref()
            .is_some_and(|slug| slug == typed || (symbol.eq_ignore_ascii_case(typed) && coins.is_only(symbol, slug)))
    };
    match (known, wanted) {
        (known, wanted) if known == wanted => true,
        (Request::Posts { symbol, slug, order }, Request::Posts { symbol: typed, slug: None, order: wanted }) => {
            order == wanted && is_coin(symbol, slug, typed)
        }
        (
            Request::MarketPairs { symbol, slug, convert },
            Request::MarketPairs { symbol: typed, slug: None, convert: wanted },
        ) => convert == wanted && is_coin(symbol, slug, typed),
        _ => false,
    }
}
