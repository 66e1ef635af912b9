//! BRC-20 activity from UniSat.
//!
//! The API lists the events of a block, or the events of one token and type in a block. The newest events of a token
//! are found by searching backwards from the newest block.

mod kinds;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use tokio::time::Instant;

use self::kinds::{KINDS, kinds};
use super::rows;
use super::rows::{Rows, SEND, TRANSFER};
use super::server::{ROWS, SIX_BYTES, Server, path_name};
use crate::format::words::{counted, in_sentence};
use crate::model::{Activity, Operation, Page, Text};
use crate::service::backend::indexer::{ActivityQuery, PageQuery};
use crate::service::providers::page_of::page_of;
use crate::service::providers::url::segment;
use crate::service::upstream::Response;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::warnings::Warnings;

/// Each transfer is listed as `send` and `receive`; this one is ignored.
const DUPLICATE_TYPES: &[&str] = &["receive"];

/// Maximum events of a block, or of one token and type in it, and maximum requests for them.
const MAX_EVENTS: usize = 6 * ROWS;
const MAX_REQUESTS: usize = 20;

/// If a block has more pages, the events of one token are fetched by type.
const SMALL_BLOCK_PAGES: u64 = 4;

/// How many blocks are searched for the newest events, and the maximum time. Without tickers in the rows, a block takes a
/// request per type.
const BLOCKS: u64 = 6;
const BLOCKS_BY_TYPE: u64 = 2;
const SEARCH: Duration = Duration::from_secs(7);

/// Maximum cached blocks, and events of one token and type in a block.
const MAX_CACHED_BLOCKS: u64 = 12;
const MAX_CACHED_TYPES: u64 = 400;

/// A block, a ticker and UniSat's type of events.
type OfType = (u64, Text, &'static str);

/// Fetches events, with a cache of indexed blocks. A block changes only by a chain reorganisation.
pub(super) struct History {
    server: Arc<Server>,
    blocks: Cache<u64, Events>,
    by_type: Cache<OfType, Events>,
    /// Whether the rows of the last block had no tickers.
    lacks_tickers: AtomicBool,
    /// The server's type of a completed transfer in blocks and of tokens; `None` if no transfer was seen.
    sent: Mutex<Option<&'static str>>,
}

impl History {
    pub(super) fn new(server: Arc<Server>) -> History {
        // A block that has just been requested is needed for its other pages, although there may be newer ones.
        let blocks = Cache::builder().max_capacity(MAX_CACHED_BLOCKS).eviction_policy(EvictionPolicy::lru()).build();
        let by_type = Cache::builder().max_capacity(MAX_CACHED_TYPES).eviction_policy(EvictionPolicy::lru()).build();
        History { server, blocks, by_type, lacks_tickers: AtomicBool::new(false), sent: Mutex::default() }
    }

    /// Clears the cache after a chain reorganisation.
    pub(super) fn clear(&self) {
        self.blocks.invalidate_all();
        self.by_type.invalidate_all();
    }

    fn lacks_tickers(&self) -> bool {
        self.lacks_tickers.load(Ordering::Relaxed)
    }

    /// Whether a block is not newer than the newest known one, so that its events are complete.
    fn is_indexed(&self, height: u64) -> bool {
        height <= self.server.height().unwrap_or(0)
    }

    /// Records the type of the transfers in a list.
    fn note_sent(&self, rows: &Rows) {
        if rows.sent.is_some() {
            *self.sent.lock().unwrap_or_else(PoisonError::into_inner) = rows.sent;
        }
    }

    /// Records what a list of a block's events says about the newest block. Only an indexed block has events; the height
    /// of a response may be that of the request.
    fn note_block(&self, response: &Response, rows: &Rows, height: u64) {
        let later = rows::height(response).filter(|newest| *newest > height);
        if let Some(indexed) = later.or((rows.len > 0).then_some(height)) {
            self.server.note_indexed(indexed);
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
            let Events { list, end, .. } = block(history, height, query).await?;
            let events = list.iter().filter(|event| matches(query, event)).cloned().collect();
            let part = page_of(newest_first(events), page);
            Ok(Page { total: part.total.filter(|_| end == End::Whole), ..part })
        }
        (None, None) => newest(history, query, page).await,
    }
}

/// Where a list ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// It has all rows.
    Whole,
    /// It has too many rows to read them all.
    Cut,
    /// It has fewer rows than its total.
    Short,
}

/// Events of a block, or of one token and type in it.
#[derive(Clone)]
struct Events {
    list: Arc<Vec<Activity>>,
    end: End,
    /// Number of events without a ticker that were left out.
    nameless: usize,
}

impl Events {
    /// Warns about missing events.
    fn warn(&self, warnings: &Warnings, height: u64) {
        if self.nameless > 0 {
            warnings.note(skipped(self.nameless));
        }
        if self.end != End::Whole {
            warnings.note(format!("Only some of the events in block {height} loaded"));
        }
    }
}

/// Fetches at least the matching events of a block.
async fn block(history: &History, height: u64, query: &ActivityQuery) -> SourceResult<Events> {
    let events = match history.blocks.get(&height) {
        Some(known) => known,
        None => fetch_block(history, height, query).await?,
    };
    events.warn(history.server.upstream.warnings(), height);
    Ok(events)
}

async fn fetch_block(history: &History, height: u64, query: &ActivityQuery) -> SourceResult<Events> {
    let ticker = match query.tickers.as_slice() {
        [ticker] => Some(Text::from(ticker.as_str())),
        _ => None,
    };
    let is_by_type = |ticker: &&Text| {
        history.lacks_tickers() && history.is_indexed(height)
            // The list of the block may lack it.
            || history.server.uses_separate_path(ticker)
            || kinds(query).all(|kind| history.by_type.contains_key(&(height, Text::clone(ticker), kind)))
    };
    if let Some(ticker) = ticker.as_ref().filter(is_by_type) {
        return ticker_events(history, ticker, height, query, true).await;
    }
    let page = |start: usize| {
        let path = format!("/v1/indexer/brc20/history-by-height/{height}?start={start}&limit={ROWS}");
        async move { history.server.list(&path).await }
    };
    let response = page(0).await?;
    rows::check_height(&response, height)?;
    let rows = Rows::read(&response, Some(height), DUPLICATE_TYPES)?;
    history.note_block(&response, &rows, height);
    history.note_sent(&rows);
    history.lacks_tickers.store(rows.lack_tickers(), Ordering::Relaxed);
    let is_large = rows.total.is_some_and(|total| total > SMALL_BLOCK_PAGES * ROWS as u64);
    match &ticker {
        Some(ticker) if !rows.have_tickers() || is_large => {
            let may_have_sends = rows.sent.is_some() || rows.may_have_more() || ticker.len() == SIX_BYTES;
            return ticker_events(history, ticker, height, query, may_have_sends).await;
        }
        None if rows.lack_tickers() => {
            let reason = "UniSat lists the events of a block by ticker only; choose a ticker";
            return Err(SourceError::unsupported_because(reason));
        }
        _ => {}
    }
    let (mut rows, end) = read_rest(rows, height, page).await?;
    history.note_sent(&rows);
    let nameless = rows.remove_nameless();
    let events = Events { list: Arc::new(rows.events(&response, None)?), end, nameless };
    if end != End::Short && history.is_indexed(height) {
        history.blocks.insert(height, events.clone());
    }
    Ok(events)
}

/// Reads the rest of a list of a block's events, of which `rows` are those of the first page.
async fn read_rest<F>(mut rows: Rows, height: u64, page: impl Fn(usize) -> F) -> SourceResult<(Rows, End)>
where
    F: Future<Output = SourceResult<Response>>,
{
    let mut requests = 1;
    while rows.may_have_more() {
        if rows.len >= MAX_EVENTS || requests >= MAX_REQUESTS {
            return Ok((rows, End::Cut));
        }
        let next = Rows::read(&page(rows.len).await?, Some(height), DUPLICATE_TYPES)?;
        requests += 1;
        if next.len == 0 || rows.are_repeated_by(&next) {
            break;
        }
        rows.append(next);
    }
    let end = if rows.total.is_none_or(|total| rows.len as u64 >= total) { End::Whole } else { End::Short };
    Ok((rows, end))
}

impl History {
    /// The type to request for the events of `kind`, and another one if that has none.
    fn types(&self, kind: &'static str, ticker: &str) -> (&'static str, Option<&'static str>) {
        match *self.sent.lock().unwrap_or_else(PoisonError::into_inner) {
            _ if kind != SEND => (kind, None),
            // Their separate path has another list of types, without `send`.
            _ if ticker.len() == SIX_BYTES => (TRANSFER, Some(SEND)),
            Some(known) => (known, None),
            None => (SEND, Some(TRANSFER)),
        }
    }
}

/// Fetches a token's events in a block by type. `may_have_sends`: whether the block may have completed transfers.
async fn ticker_events(
    history: &History,
    ticker: &Text,
    height: u64,
    query: &ActivityQuery,
    may_have_sends: bool,
) -> SourceResult<Events> {
    let mut all = Vec::new();
    let mut end = End::Whole;
    for kind in kinds(query) {
        let key = (height, ticker.clone(), kind);
        let events = match history.by_type.get(&key) {
            Some(known) => known,
            None => fetch_type(history, key, may_have_sends).await?,
        };
        all.extend(events.list.iter().cloned());
        if events.end != End::Whole {
            end = events.end;
        }
    }
    Ok(Events { list: Arc::new(all), end, nameless: 0 })
}

/// Fetches the events of a type. While the server's type of completed transfers is unknown, both are requested.
async fn fetch_type(history: &History, key: OfType, may_have_sends: bool) -> SourceResult<Events> {
    let (first, other) = history.types(key.2, &key.1);
    let mut outcome = fetch_list(history, &key, first).await;
    let is_without_rows = match &outcome {
        Ok((_, rows)) => *rows == 0 && may_have_sends,
        Err(error) => is_unsupported(error) || error.class == ErrorClass::Failing,
    };
    if let Some(other) = other.filter(|_| is_without_rows) {
        outcome = match (outcome, fetch_list(history, &key, other).await) {
            // An empty list says more than an error about the type, and less than another error.
            (Ok(empty), Err(error)) if is_unsupported(&error) => Ok(empty),
            (Err(error), Ok((_, 0))) if !is_unsupported(&error) => Err(error),
            (_, other) => other,
        };
    }
    let (events, _) = outcome?;
    if events.end != End::Short && history.is_indexed(key.0) {
        history.by_type.insert(key, events.clone());
    }
    Ok(events)
}

/// Whether the server may not know the requested type.
fn is_unsupported(error: &SourceError) -> bool {
    matches!(error.class, ErrorClass::Rejected | ErrorClass::Unsupported)
}

/// Fetches the events of a requested type, and the number of rows that the server sent.
async fn fetch_list(
    history: &History,
    (height, ticker, kind): &OfType,
    requested: &str,
) -> SourceResult<(Events, usize)> {
    let page = |start: usize| {
        let what = format!("history?type={requested}&height={height}&start={start}&limit={ROWS}");
        async move { history.server.ticker_events(ticker, &what).await }
    };
    let response = page(0).await?;
    rows::check_height(&response, *height)?;
    let rows = Rows::read(&response, Some(*height), DUPLICATE_TYPES)?;
    history.note_block(&response, &rows, *height);
    let (rows, end) = read_rest(rows, *height, page).await?;
    if ticker.len() != SIX_BYTES {
        history.note_sent(&rows);
    }
    let mut events = rows.events(&response, Some(ticker))?;
    // The server may ignore a type that it doesn't know.
    let is_of_kind = |event: &Activity| {
        matches!(event.operation, Operation::Other(_)) || KINDS.contains(&(event.operation.as_str(), *kind))
    };
    events.retain(is_of_kind);
    Ok((Events { list: Arc::new(events), end, nameless: 0 }, rows.len))
}

/// The newest events, from the newest blocks.
async fn newest(history: &History, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
    let started = Instant::now();
    let response = history.server.list("/v1/indexer/brc20/bestheight").await?;
    history.server.note_height(&response);
    let Some(tip) = rows::height(&response) else { return Err(SourceError::unexpected_format("no height")) };
    let wanted = usize::try_from(page.offset).unwrap_or(usize::MAX).saturating_add(page.limit);
    let mut found: Vec<Activity> = Vec::new();
    let (mut searched, mut has_failed) = (0, false);
    for height in (tip.saturating_sub(BLOCKS - 1)..=tip).rev() {
        let is_timed_out = started.elapsed() >= SEARCH;
        let is_by_type =
            history.lacks_tickers() || query.tickers.iter().any(|ticker| history.server.uses_separate_path(ticker));
        let is_enough = searched >= BLOCKS_BY_TYPE && is_by_type;
        if found.len() >= wanted || is_timed_out || is_enough {
            break;
        }
        match block(history, height, query).await {
            Ok(Events { list, .. }) => {
                let events = list.iter().filter(|event| matches(query, event)).cloned().collect();
                found.extend(newest_first(events));
            }
            Err(error) if found.is_empty() || error.class == ErrorClass::Cancelled => return Err(error),
            Err(error) => {
                let (first, reason) = (height + 1, in_sentence(&error.reason));
                let sentence = format!("Events before block {first} not loaded: {reason}");
                history.server.upstream.warnings().note(sentence);
                if let Some(load) = Load::current() {
                    load.note_partial(wanted.saturating_sub(found.len()), Some(error));
                }
                has_failed = true;
                break;
            }
        }
        searched += 1;
    }
    if searched == 0 {
        return Err(SourceError::too_slow(SEARCH));
    }
    if found.len() < wanted
        && !has_failed
        && let Some(load) = Load::current()
    {
        let blocks = if searched == 1 { String::from("block") } else { format!("{searched} blocks") };
        let found = if found.is_empty() { "No events in" } else { "Only events in" };
        load.warn(&format!("{found} the newest {blocks}; choose a block height, or set indexer_url"));
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
    let mut rows = Rows::read(&response, None, &[])?;
    let mut may_have_more = rows.may_have_more();
    let events = match query.tickers.as_slice() {
        _ if rows.have_tickers() => rows.events(&response, None)?,
        [ticker] => {
            let (name, ticker) = (path_name(ticker), Text::from(ticker.as_str()));
            let mut events = Vec::new();
            may_have_more = false;
            for kind in KINDS.map(|(_, kind)| kind).into_iter().chain(["receive"]) {
                let path = format!("{base}/{name}/history?type={kind}&start=0&limit={ROWS}");
                let response = history.server.address_events(&ticker, &path).await?;
                let rows = Rows::read(&response, None, &[])?;
                events.extend(rows.events(&response, Some(&ticker))?);
                may_have_more |= rows.may_have_more();
            }
            remove_repeated_sends(&mut events);
            events
        }
        _ if rows.lack_tickers() => {
            return Err(SourceError::unsupported_because(
                "UniSat lists the events of an address by ticker; choose one",
            ));
        }
        _ => {
            let nameless = rows.remove_nameless();
            history.server.upstream.warnings().note(skipped(nameless));
            rows.events(&response, None)?
        }
    };
    let events = events.into_iter();
    let events = events.filter(|event| matches(query, event) && height.is_none_or(|at| event.block_height == Some(at)));
    let part = page_of(newest_first(events.collect()), page);
    if may_have_more
        && part.items.len() < page.limit
        && let Some(load) = Load::current()
    {
        load.warn("Only the newest events of the address; set indexer_url for the others");
    }
    Ok(Page { total: part.total.filter(|_| !may_have_more), ..part })
}

/// Removes the second side of a transfer within an address.
fn remove_repeated_sends(events: &mut Vec<Activity>) {
    let mut seen: HashSet<(Text, Text)> = HashSet::new();
    events.retain(|event| match (&event.operation, &event.tx_id, &event.inscription_id) {
        (Operation::TransferSend, Some(tx), Some(inscription)) => seen.insert((tx.clone(), inscription.clone())),
        _ => true,
    });
}

/// The warning about events that were left out.
fn skipped(nameless: usize) -> String {
    format!("Skipped {} without a ticker", counted(nameless, "event"))
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
