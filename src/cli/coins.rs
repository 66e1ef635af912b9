//! Fetches a list of coins over several pages. The page size of a service is unknown, so pages are requested until
//! there are enough coins, or a page is empty or contains nothing new. The service's total is used only for a warning,
//! because some services send the page length.

use std::collections::HashSet;

use crate::client::transport::{LIST_CHANGED, ends_early};
use crate::client::{Client, Error, ErrorKind, Limits, Reply, Request, ResponseData, Warning};
use crate::format::Count;
use crate::format::words::counted;
use crate::model::page::is_short;
use crate::model::{Coin, CoinId, Currency, Page, Tag, provider};

/// A query for coins.
#[derive(Clone, Debug)]
pub(super) struct CoinQuery {
    pub(super) tag: Tag,
    /// Position of the first coin, from 1.
    pub(super) start: u32,
    pub(super) limit: u32,
    pub(super) convert: Currency,
    /// Maximum coins per request.
    pub(super) page: u32,
}

/// Fetches all pages within the limits. Returns the first page's reply with all coins and warnings.
pub(super) async fn get(client: &Client, query: &CoinQuery, limits: &Limits) -> Result<Reply, Error> {
    get_until(client, query, limits, |_| false).await
}

/// Fetches pages within the limits until `is_enough` accepts their coins, like [`get`]. If a later page comes from
/// another provider, all pages are requested again: it has replaced the first provider, and ranks coins differently.
pub(super) async fn get_until(
    client: &Client,
    query: &CoinQuery,
    limits: &Limits,
    is_enough: impl Fn(&[Coin]) -> bool,
) -> Result<Reply, Error> {
    let mut providers = Providers::One;
    loop {
        match pages(client, query, limits, &is_enough, providers).await? {
            Some(whole) => return Ok(whole),
            None => providers = Providers::Any,
        }
    }
}

/// Whose pages make up a list.
#[derive(Clone, Copy, PartialEq)]
enum Providers {
    /// Only pages of the first page's provider.
    One,
    /// Pages of any provider.
    Any,
}

/// The pages; `None` if one is not of the expected provider.
async fn pages(
    client: &Client,
    query: &CoinQuery,
    limits: &Limits,
    is_enough: &impl Fn(&[Coin]) -> bool,
    providers: Providers,
) -> Result<Option<Reply>, Error> {
    let mut list = CollectedCoins {
        query,
        coins: Vec::new(),
        seen: HashSet::new(),
        received: 0,
        total: None,
        totals: None,
        repeated_coins: 0,
        was_full: false,
        is_repeated: false,
        is_empty: false,
    };
    let mut whole = client.get(&list.next(), None).await?;
    let mut more = list.take(&mut whole);
    whole.warnings.extend(list.ignored_start());
    while more && !is_enough(&list.coins) {
        let next = format!("--start {}", list.next_start());
        if let Some(cut) = limits.truncation_warning(list.coins.len() as u64, whole.bytes, next) {
            whole.warnings.push(cut);
            break;
        }
        match client.get(&list.next(), None).await {
            Ok(reply) if providers == Providers::One && first_provider(&reply) != first_provider(&whole) => {
                return Ok(None);
            }
            Ok(mut reply) => {
                more = list.take(&mut reply);
                whole.bytes = whole.bytes.saturating_add(reply.bytes);
                whole.latency += reply.latency;
                whole.fetched_at = reply.fetched_at;
                whole.simulated |= reply.simulated;
                whole.add_warnings(reply.warnings);
            }
            Err(error) if is_past_the_end(&error) => {
                whole.warnings.push(format!("{error}; treated as the end of the list"));
                more = false;
            }
            Err(error) => return Err(error),
        }
    }
    let early_end = list.early_end().filter(|_| whole.provider.is_none());
    let change = || list.change().filter(|_| !more);
    whole.add_warnings(early_end.or_else(change).or_else(|| list.repetition()).into_iter().collect());
    whole.response = Some(ResponseData::Coins(Page { items: list.coins, total: list.total }));
    Ok(Some(whole))
}

/// The provider of the rows; others only add values.
fn first_provider(reply: &Reply) -> Option<&str> {
    reply.provider.as_deref().map(provider::first)
}

/// The pages so far.
struct CollectedCoins<'a> {
    query: &'a CoinQuery,
    coins: Vec<Coin>,
    seen: HashSet<CoinId>,
    /// Rows of all pages, including duplicates and unreadable ones.
    received: u32,
    total: Option<u64>,
    /// The smallest and the largest total that a page reported.
    totals: Option<(u64, u64)>,
    /// Number of coins already on earlier pages.
    repeated_coins: u32,
    /// Whether the last page with new coins was full, as far as that is known.
    was_full: bool,
    /// Whether the last page had only coins of earlier pages.
    is_repeated: bool,
    /// Whether the last page had no rows.
    is_empty: bool,
}

impl CollectedCoins<'_> {
    fn missing(&self) -> u32 {
        self.query.limit.saturating_sub(u32::try_from(self.coins.len()).unwrap_or(u32::MAX))
    }

    /// The warning about the first page of all coins in place of a later one.
    fn ignored_start(&self) -> Option<Warning> {
        let first = self.coins.first()?;
        let is_ignored = self.query.tag == Tag::All && self.query.start > 1 && first.rank == Some(1);
        let start = Count(u64::from(self.query.start));
        is_ignored.then(|| format!("List starts at rank 1 instead of {start}: the service ignores start"))
    }

    fn next_start(&self) -> u32 {
        self.query.start.saturating_add(self.received)
    }

    fn next(&self) -> Request {
        Request::Coins {
            tag: self.query.tag,
            start: self.next_start(),
            limit: self.missing().min(self.query.page),
            convert: self.query.convert.clone(),
        }
    }

    /// Adds the coins of a reply; returns whether more are needed and may exist.
    fn take(&mut self, reply: &mut Reply) -> bool {
        let Some(ResponseData::Coins(page)) = reply.response.take() else { return false };
        let rows = reply.rows.max(page.items.len());
        self.received = self.received.saturating_add(u32::try_from(rows).unwrap_or(u32::MAX));
        self.total = page.total.or(self.total);
        if let Some(total) = page.total {
            let (least, most) = self.totals.unwrap_or((total, total));
            self.totals = Some((least.min(total), most.max(total)));
        }
        let read = page.items.len();
        // Duplicates on one page are kept, since rank changes don't explain them, and there is a warning.
        let new: Vec<Coin> = page.items.into_iter().filter(|coin| !self.seen.contains(&coin.id)).collect();
        self.repeated_coins = self.repeated_coins.saturating_add(u32::try_from(read - new.len()).unwrap_or(u32::MAX));
        let missing = usize::try_from(self.missing()).unwrap_or(usize::MAX);
        let has_news = !new.is_empty();
        self.is_repeated = rows > 0 && !has_news;
        self.is_empty = rows == 0;
        if has_news {
            self.was_full = !is_short(rows, self.missing().min(self.query.page));
        }
        for coin in new.into_iter().take(missing) {
            self.seen.insert(coin.id.clone());
            self.coins.push(coin);
        }
        self.missing() > 0 && has_news
    }

    /// The warning about a list that ends before its reported length.
    fn early_end(&self) -> Option<Warning> {
        let loaded = u64::from(self.next_start().saturating_sub(1));
        let total = self.total.filter(|total| self.is_empty && self.received > 0 && *total > loaded)?;
        Some(ends_early(loaded, total))
    }

    /// A warning that coins may be missing: the list's total changed, or coins appeared on two pages, and fewer were
    /// received than the list has within the limit.
    fn change(&self) -> Option<Warning> {
        let (least, most) = self.totals?;
        let before = u64::from(self.query.start.saturating_sub(1));
        let possible = most.saturating_sub(before).min(u64::from(self.query.limit));
        let different = u64::from(self.received.saturating_sub(self.repeated_coins));
        let has_changed = least < most || self.repeated_coins > 0 && !self.is_repeated;
        (has_changed && different < possible).then(|| String::from(LIST_CHANGED))
    }

    /// The warning about a service that sends the same coins again, although the list continues.
    fn repetition(&self) -> Option<Warning> {
        let count = self.coins.len();
        let continues = self.total.map_or(self.was_full, |total| total > count as u64);
        (self.is_repeated && continues)
            .then(|| format!("The service repeats its first {}; the list may be incomplete", first_coins(count)))
    }
}

/// The words after "its first": `coin`, `100 coins`.
fn first_coins(count: usize) -> String {
    if count == 1 { String::from("coin") } else { counted(count, "coin") }
}

/// Whether the error means that the start is beyond the last coin, which some services reject.
fn is_past_the_end(error: &Error) -> bool {
    matches!(
        &error.kind,
        ErrorKind::NotFound { .. } | ErrorKind::Empty | ErrorKind::Status { status: 400 | 416 | 422, .. }
    )
}
