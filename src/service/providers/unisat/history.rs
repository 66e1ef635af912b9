//! BRC-20 activity from UniSat.
//!
//! The API lists the events of a block, or the events of one token and type in a block. The newest events of a token
//! are found by searching backwards from the newest block.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::rows;
use super::rows::Rows;
use super::server::{ROWS, Server, path_name};
use crate::model::{Activity, Page, Text};
use crate::service::backend::indexer::{ActivityQuery, PageQuery};
use crate::service::providers::page_of::page_of;
use crate::service::providers::url::segment;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// Our operations and UniSat's event types, each of which needs a separate request.
const KINDS: [(&str, &str); 4] = [
    ("deploy", "inscribe-deploy"),
    ("mint", "inscribe-mint"),
    ("transfer", "inscribe-transfer"),
    ("transfer_send", "send"),
];

/// Each transfer is listed as `send` and `receive`; this one is ignored.
const DUPLICATE_TYPES: &[&str] = &["receive"];

/// Maximum pages of a block's events.
const PAGES: usize = 6;

/// If a block has more pages, the events of one token are fetched by type.
const SMALL_BLOCK_PAGES: u64 = 4;

/// How many blocks are searched for the newest events, and the maximum time. Without tickers in the rows, a block takes a
/// request per type.
const BLOCKS: u64 = 6;
const BLOCKS_BY_TYPE: u64 = 2;
const SEARCH: Duration = Duration::from_secs(7);

/// Maximum cached blocks, and events of one token and type in a block.
const MAX_CACHED_BLOCKS: usize = 12;
const MAX_CACHED_TYPES: usize = 400;

/// A block, a ticker and UniSat's type of events.
type OfType = (u64, Text, &'static str);

/// Fetches events, with a cache of complete blocks. A block changes only by a chain reorganisation.
pub(super) struct History {
    server: Arc<Server>,
    blocks: Mutex<BTreeMap<u64, Arc<Vec<Activity>>>>,
    by_type: Mutex<BTreeMap<OfType, Arc<Vec<Activity>>>>,
    /// Whether the rows of the last block had no tickers.
    lacks_tickers: AtomicBool,
}

impl History {
    pub(super) fn new(server: Arc<Server>) -> History {
        History { server, blocks: Mutex::default(), by_type: Mutex::default(), lacks_tickers: AtomicBool::new(false) }
    }

    /// Clears the cache after a chain reorganisation.
    pub(super) fn clear(&self) {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.by_type.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn lacks_tickers(&self) -> bool {
        self.lacks_tickers.load(Ordering::Relaxed)
    }

    /// Whether a block is not newer than the newest known one, so that its events are complete.
    fn is_indexed(&self, height: u64) -> bool {
        height <= self.server.height().unwrap_or(0)
    }

    fn of_type(&self, key: &OfType) -> Option<Arc<Vec<Activity>>> {
        self.by_type.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn insert_type(&self, key: OfType, events: &Arc<Vec<Activity>>) {
        let mut by_type = self.by_type.lock().unwrap_or_else(PoisonError::into_inner);
        by_type.insert(key, Arc::clone(events));
        while by_type.len() > MAX_CACHED_TYPES {
            by_type.pop_first();
        }
    }

    fn get(&self, height: u64) -> Option<Arc<Vec<Activity>>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).get(&height).cloned()
    }

    fn insert(&self, height: u64, events: &Arc<Vec<Activity>>) {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.insert(height, Arc::clone(events));
        while blocks.len() > MAX_CACHED_BLOCKS {
            blocks.pop_first();
        }
    }
}

/// Events that match all filters, newest first.
pub(super) async fn activity(
    history: &History,
    query: &ActivityQuery,
    page: PageQuery,
) -> SourceResult<Page<Activity>> {
    match (&query.address, query.block_height) {
        (Some(address), height) => of_address(history, address, height, query, page).await,
        (None, Some(height)) => {
            let Block { events, is_whole } = block(history, height, query).await?;
            let events = events.iter().filter(|event| matches(query, event)).cloned().collect();
            let part = page_of(newest_first(events), page);
            Ok(Page { total: part.total.filter(|_| is_whole), ..part })
        }
        (None, None) => newest(history, query, page).await,
    }
}

/// Events of a block.
struct Block {
    events: Arc<Vec<Activity>>,
    /// Whether all matching events are included.
    is_whole: bool,
}

/// Fetches at least the matching events of a block.
async fn block(history: &History, height: u64, query: &ActivityQuery) -> SourceResult<Block> {
    if let Some(events) = history.get(height) {
        return Ok(Block { events, is_whole: true });
    }
    let ticker = match query.tickers.as_slice() {
        [ticker] => Some(Text::from(ticker.as_str())),
        _ => None,
    };
    if let Some(ticker) = ticker.as_ref().filter(|_| history.lacks_tickers() && history.is_indexed(height)) {
        let events = ticker_events(history, ticker, height, query).await?;
        return Ok(Block { events: Arc::new(events), is_whole: true });
    }
    let page = |start: usize| format!("/v1/indexer/brc20/history-by-height/{height}?start={start}&limit={ROWS}");
    let response = history.server.list(&page(0)).await?;
    rows::check_height(&response, height)?;
    let mut rows = Rows::read(&response, Some(height), DUPLICATE_TYPES)?;
    history.lacks_tickers.store(!rows.have_tickers && !rows.has_ticker, Ordering::Relaxed);
    let is_large = rows.total.is_some_and(|total| total > SMALL_BLOCK_PAGES * ROWS as u64);
    match &ticker {
        Some(ticker) if !rows.have_tickers || is_large => {
            let events = ticker_events(history, ticker, height, query).await?;
            return Ok(Block { events: Arc::new(events), is_whole: true });
        }
        None if !rows.have_tickers => {
            let reason = "UniSat lists the events of a block by ticker only; choose a ticker";
            return Err(SourceError::unsupported_because(reason));
        }
        _ => {}
    }
    while rows.has_more() && rows.len < PAGES * ROWS {
        let next = Rows::read(&history.server.list(&page(rows.len)).await?, Some(height), DUPLICATE_TYPES)?;
        if next.len == 0 {
            break;
        }
        rows.append(next);
    }
    let events = Arc::new(rows.events(&response, None)?);
    let is_whole = !rows.has_more();
    if is_whole && history.is_indexed(height) {
        history.insert(height, &events);
    }
    Ok(Block { events, is_whole })
}

/// Fetches a token's events in a block by type.
async fn ticker_events(
    history: &History,
    ticker: &Text,
    height: u64,
    query: &ActivityQuery,
) -> SourceResult<Vec<Activity>> {
    let name = path_name(ticker);
    let mut events = Vec::new();
    for (operation, kind) in KINDS {
        if !query.operations.is_empty() && !query.operations.iter().any(|wanted| wanted == operation) {
            continue;
        }
        let key = (height, ticker.clone(), kind);
        if let Some(known) = history.of_type(&key) {
            events.extend(known.iter().cloned());
            continue;
        }
        let (mut found, mut len) = (Vec::new(), 0);
        let is_whole = loop {
            let path = format!("/v1/indexer/brc20/{name}/history?type={kind}&height={height}&start={len}&limit={ROWS}");
            let response = history.server.ticker_list(ticker, &path).await?;
            let rows = Rows::read(&response, Some(height), DUPLICATE_TYPES)?;
            found.extend(rows.events(&response, Some(ticker))?);
            len += rows.len;
            if rows.len == 0 || rows.total.is_none_or(|total| len as u64 >= total) {
                break true;
            }
            if len >= PAGES * ROWS {
                break false;
            }
        };
        let found = Arc::new(found);
        if is_whole && history.is_indexed(height) {
            history.insert_type(key, &found);
        }
        events.extend(found.iter().cloned());
    }
    Ok(events)
}

/// The newest events, from the newest blocks.
async fn newest(history: &History, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
    let started = Instant::now();
    let response = history.server.list("/v1/indexer/brc20/bestheight").await?;
    history.server.note_height(&response);
    let Some(tip) = rows::height(&response) else { return Err(SourceError::unexpected_format("no height")) };
    let wanted = usize::try_from(page.offset).unwrap_or(usize::MAX).saturating_add(page.limit);
    let mut found: Vec<Activity> = Vec::new();
    let mut searched = 0;
    for height in (tip.saturating_sub(BLOCKS - 1)..=tip).rev() {
        let is_timed_out = started.elapsed() >= SEARCH;
        let is_enough = searched >= BLOCKS_BY_TYPE && history.lacks_tickers();
        if found.len() >= wanted || is_timed_out || is_enough {
            break;
        }
        match block(history, height, query).await {
            Ok(Block { events, .. }) => {
                let events = events.iter().filter(|event| matches(query, event)).cloned().collect();
                found.extend(newest_first(events));
            }
            // Return the events found so far.
            Err(_) if !found.is_empty() => break,
            Err(error) => return Err(error),
        }
        searched += 1;
    }
    if searched == 0 {
        return Err(SourceError::too_slow(SEARCH));
    }
    if found.is_empty()
        && let Some(load) = Load::current()
    {
        let blocks = if searched == 1 { String::from("block") } else { format!("{searched} blocks") };
        load.warn(&format!("No events in the newest {blocks}; choose a block height, or set indexer_url"));
    }
    Ok(Page { total: None, ..page_of(found, page) })
}

/// Events of an address from one page of its history.
async fn of_address(
    history: &History,
    address: &str,
    height: Option<u64>,
    query: &ActivityQuery,
    page: PageQuery,
) -> SourceResult<Page<Activity>> {
    let base = format!("/v1/indexer/address/{}/brc20", segment(address));
    let response = history.server.list(&format!("{base}/history?start=0&limit={ROWS}")).await?;
    let rows = Rows::read(&response, None, &[])?;
    let mut has_more = rows.has_more();
    let events = match query.tickers.as_slice() {
        _ if rows.have_tickers => rows.events(&response, None)?,
        [ticker] => {
            let (name, ticker) = (path_name(ticker), Text::from(ticker.as_str()));
            let mut events = Vec::new();
            has_more = false;
            for kind in KINDS.map(|(_, kind)| kind).into_iter().chain(["receive"]) {
                let path = format!("{base}/{name}/history?type={kind}&start=0&limit={ROWS}");
                let response = history.server.ticker_list(&ticker, &path).await?;
                let rows = Rows::read(&response, None, &[])?;
                events.extend(rows.events(&response, Some(&ticker))?);
                has_more |= rows.has_more();
            }
            events
        }
        _ => {
            return Err(SourceError::unsupported_because(
                "UniSat lists the events of an address by ticker; choose one",
            ));
        }
    };
    let events = events.into_iter();
    let events = events.filter(|event| matches(query, event) && height.is_none_or(|at| event.block_height == Some(at)));
    let part = page_of(newest_first(events.collect()), page);
    Ok(Page { total: part.total.filter(|_| !has_more), ..part })
}

/// Whether an event matches the tickers and operations.
fn matches(query: &ActivityQuery, event: &Activity) -> bool {
    let ticker = event.ticker.to_lowercase();
    (query.tickers.is_empty() || query.tickers.iter().any(|wanted| wanted.to_lowercase() == ticker.as_str()))
        && (query.operations.is_empty() || query.operations.iter().any(|wanted| wanted == event.operation.as_str()))
}

/// Sorts by block, newest first; within a block, keeps the order of the response.
fn newest_first(mut events: Vec<Activity>) -> Vec<Activity> {
    events.sort_by_key(|event| std::cmp::Reverse(event.block_height));
    events
}
