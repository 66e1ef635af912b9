//! A list of coins over more than one page. How many coins a service puts on a page is not known beforehand, so pages
//! are asked for until enough have come, one is empty, or one brings nothing new. A total that the service names ends
//! nothing: some mean the page by it.

use std::collections::HashSet;

use crate::client::{Answer, Client, Error, ErrorKind, Limits, Reply, Request};
use crate::model::{Coin, CoinId, Currency, Page, Tag};

/// Which coins to fetch.
#[derive(Clone, Debug)]
pub(super) struct CoinQuery {
    pub(super) tag: Tag,
    /// From 1.
    pub(super) start: u32,
    pub(super) limit: u32,
    pub(super) convert: Currency,
    /// The most that one request asks for.
    pub(super) page: u32,
}

/// Fetches them, within limits for all pages together; the reply is the first page's, with all coins and all warnings in
/// it.
pub(super) async fn get(client: &Client, query: &CoinQuery, limits: &Limits) -> Result<Reply, Error> {
    let mut list = Gathered { query, coins: Vec::new(), seen: HashSet::new(), received: 0, total: None };
    let mut whole = client.get(&list.next(), None).await?;
    let mut more = list.take(&mut whole);
    while more {
        let next = format!("--start {}", list.next_start());
        if let Some(cut) = limits.end_of_list(list.coins.len() as u64, whole.bytes, next) {
            whole.warnings.push(cut);
            break;
        }
        match client.get(&list.next(), None).await {
            Ok(mut reply) => {
                more = list.take(&mut reply);
                whole.bytes = whole.bytes.saturating_add(reply.bytes);
                whole.latency += reply.latency;
                whole.fetched_at = reply.fetched_at;
                whole.simulated |= reply.simulated;
                whole.warn_too(reply.warnings);
            }
            Err(error) if is_past_the_end(&error) => {
                whole.warnings.push(format!("{error}; treated as the end of the list"));
                more = false;
            }
            Err(error) => return Err(error),
        }
    }
    whole.answer = Some(Answer::Coins(Page { items: list.coins, total: list.total }));
    Ok(whole)
}

/// What has come so far.
struct Gathered<'a> {
    query: &'a CoinQuery,
    coins: Vec<Coin>,
    seen: HashSet<CoinId>,
    /// Rows of all pages, including duplicates and unreadable ones.
    received: u32,
    total: Option<u64>,
}

impl Gathered<'_> {
    fn missing(&self) -> u32 {
        self.query.limit.saturating_sub(u32::try_from(self.coins.len()).unwrap_or(u32::MAX))
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

    /// Takes the coins out of a reply; whether there may be more of those that are wanted.
    fn take(&mut self, reply: &mut Reply) -> bool {
        let Some(Answer::Coins(page)) = reply.answer.take() else { return false };
        let rows = reply.rows.max(page.items.len());
        self.received = self.received.saturating_add(u32::try_from(rows).unwrap_or(u32::MAX));
        self.total = page.total.or(self.total);
        // What one page has twice stays: no move in the ranking explains it, and a warning tells of it.
        let new: Vec<Coin> = page.items.into_iter().filter(|coin| !self.seen.contains(&coin.id)).collect();
        let missing = usize::try_from(self.missing()).unwrap_or(usize::MAX);
        let has_news = !new.is_empty();
        for coin in new.into_iter().take(missing) {
            self.seen.insert(coin.id.clone());
            self.coins.push(coin);
        }
        self.missing() > 0 && has_news
    }
}

/// A service may refuse a start that lies behind its last coin instead of answering with an empty page.
fn is_past_the_end(error: &Error) -> bool {
    matches!(&error.kind, ErrorKind::NotFound { .. } | ErrorKind::Status { status: 400 | 416 | 422, .. })
}
