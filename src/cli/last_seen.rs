//! What the dashboard saw last, for commands while no provider of live data can be reached.

use crate::app::store::CachedResponse;
use crate::client::{Reply, Request, ResponseData};
use crate::config::Settings;
use crate::format::Age;
use crate::model::{Page, UtcTime};
use crate::snapshot::Snapshot;

/// The dashboard's last live response to a request, with a warning that names its age and why it is not new; `None` if
/// there is none, or the data are not live.
pub(super) fn find(request: &Request, settings: &Settings, reason: &str) -> Option<Reply> {
    if !settings.is_live(request.group()) {
        return None;
    }
    let now = UtcTime::now();
    // Abridged responses lack fields.
    let cached = Snapshot::new(settings).rest(now).into_iter().filter(|cached| !cached.abridged);
    let mut fitting = cached.filter_map(|cached| Some((answer(&cached, request)?, cached.receipt)));
    let (answer, receipt) = fitting.next()?;
    if fitting.next().is_some() {
        // Coins that share a symbol.
        return None;
    }
    let updated_at = receipt.updated_at();
    let age = match Age(now.since(updated_at)).to_string() {
        age if age == "now" => String::from("less than 1 m"),
        age => age,
    };
    Some(Reply {
        answer: Some(answer),
        url: receipt.url,
        status: receipt.status,
        bytes: receipt.bytes,
        latency: receipt.latency,
        fetched_at: updated_at,
        validator: None,
        max_age: None,
        simulated: receipt.simulated,
        provider: receipt.provider,
        rate: receipt.rate.map(|rate| *rate),
        age: receipt.age,
        warnings: vec![format!("cached {age} ago by the dashboard: {reason}")],
        notice: None,
        refresh_error: None,
        not_refreshed: None,
        rows: receipt.rows,
    })
}

/// The part of a cached response that answers a request.
fn answer(cached: &CachedResponse, wanted: &Request) -> Option<ResponseData> {
    match (&cached.request, wanted, &*cached.answer) {
        (
            Request::Coins { tag, start, convert, .. },
            Request::Coins { tag: wanted_tag, start: first, limit, convert: wanted_convert },
            ResponseData::Coins(page),
        ) => {
            let skipped = usize::try_from(first.checked_sub(*start)?).ok()?;
            let rest = page.items.get(skipped..).filter(|rest| !rest.is_empty())?;
            let items = rest.iter().take(usize::try_from(*limit).unwrap_or(usize::MAX)).cloned().collect();
            let is_same = (tag, convert) == (wanted_tag, wanted_convert);
            is_same.then_some(ResponseData::Coins(Page { items, total: page.total }))
        }
        (known, wanted, answer) => is_same(known, wanted).then(|| answer.clone()),
    }
}

/// Whether a response to `known` answers `wanted`. Commands know symbols and slugs as they were typed.
fn is_same(known: &Request, wanted: &Request) -> bool {
    match (known, wanted) {
        (Request::Posts { symbol: a, order, .. }, Request::Posts { symbol: b, slug: None, order: wanted }) => {
            a.eq_ignore_ascii_case(b) && order == wanted
        }
        (
            Request::MarketPairs { symbol: a, convert, .. },
            Request::MarketPairs { symbol: b, slug: None, convert: wanted },
        ) => a.eq_ignore_ascii_case(b) && convert == wanted,
        (
            Request::Chart { slug: a, period, convert },
            Request::Chart { slug: b, period: wanted, convert: wanted_convert },
        ) => a.eq_ignore_ascii_case(b) && (period, convert) == (wanted, wanted_convert),
        (known, wanted) => known == wanted,
    }
}
