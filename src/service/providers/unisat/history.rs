//! What happened to BRC-20 tokens, by UniSat.
//!
//! It lists the events of one block, or those of one kind of one token in one block. The newest events of a token are
//! found by going back from the newest block.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::super::url::segment;
use super::super::{ActivityQuery, PageQuery, SourceError, SourceResult};
use super::rows::{self, Rows};
use super::{ROWS, UniSat, part_of, path_name};
use crate::model::{Activity, Page, Text};

/// The kinds of events, each of which is asked for by itself.
const KINDS: [(&str, &str); 4] = [
    ("deploy", "inscribe-deploy"),
    ("mint", "inscribe-mint"),
    ("transfer", "inscribe-transfer"),
    ("transfer_send", "send"),
];

/// A transfer has two sides, `send` and `receive`, which say the same.
const OTHER_SIDE: &[&str] = &["receive"];

/// The most pages of one block's events.
const PAGES: usize = 6;

/// Where a block has more pages than this, the events of one token are asked for by kind.
const FEW_PAGES: u64 = 4;

/// How many blocks are searched for a token's newest events, and for how long at most.
const BLOCKS: u64 = 6;
const SEARCH: Duration = Duration::from_secs(7);

/// Blocks that are kept.
const KEPT: usize = 12;

/// Whole blocks that were fetched. What is in a block changes only when another block replaces it.
#[derive(Default)]
pub(super) struct History {
    blocks: Mutex<BTreeMap<u64, Arc<Vec<Activity>>>>,
}

impl History {
    /// Blocks were replaced.
    pub(super) fn forget(&self) {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn get(&self, height: u64) -> Option<Arc<Vec<Activity>>> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner).get(&height).cloned()
    }

    fn keep(&self, height: u64, events: &Arc<Vec<Activity>>) {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.insert(height, Arc::clone(events));
        while blocks.len() > KEPT {
            blocks.pop_first();
        }
    }
}

/// Events that match all conditions, the newest first.
pub(super) async fn activity(source: &UniSat, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
    match (&query.address, query.block_height) {
        (Some(address), height) => of_address(source, address, height, query, page).await,
        (None, Some(height)) => {
            let Block { events, is_whole } = block(source, height, query).await?;
            let events = events.iter().filter(|event| matches(query, event)).cloned().collect();
            let part = part_of(newest_first(events), page);
            Ok(Page { total: part.total.filter(|_| is_whole), ..part })
        }
        (None, None) => newest(source, query, page).await,
    }
}

/// The events of a block, or as many as matter.
struct Block {
    events: Arc<Vec<Activity>>,
    /// Whether none are missing that match.
    is_whole: bool,
}

/// At least the events of a block that match.
async fn block(source: &UniSat, height: u64, query: &ActivityQuery) -> SourceResult<Block> {
    if let Some(events) = source.history.get(height) {
        return Ok(Block { events, is_whole: true });
    }
    let ticker = match query.tickers.as_slice() {
        [ticker] => Some(Text::from(ticker.as_str())),
        _ => None,
    };
    let page = |start: usize| format!("/v1/indexer/brc20/history-by-height/{height}?start={start}&limit={ROWS}");
    let response = source.upstream.get(&page(0)).await?;
    rows::check_height(&response, height)?;
    let mut rows = Rows::read(&response, Some(height), OTHER_SIDE)?;
    let is_large = rows.total.is_some_and(|total| total > FEW_PAGES * ROWS as u64);
    match &ticker {
        Some(ticker) if !rows.have_tickers || is_large => {
            let events = of_ticker(source, ticker, height, query).await?;
            return Ok(Block { events: Arc::new(events), is_whole: true });
        }
        None if !rows.have_tickers => {
            let reason = "UniSat lists the events of a block by ticker only; choose a ticker";
            return Err(SourceError::unsupported_because(reason));
        }
        _ => {}
    }
    while rows.has_more() && rows.len < PAGES * ROWS {
        let next = Rows::read(&source.upstream.get(&page(rows.len)).await?, Some(height), OTHER_SIDE)?;
        if next.len == 0 {
            break;
        }
        rows.append(next);
    }
    let events = Arc::new(rows.events(&response, None)?);
    let is_whole = !rows.has_more();
    if is_whole && height <= source.height.load(Ordering::Relaxed) {
        source.history.keep(height, &events);
    }
    Ok(Block { events, is_whole })
}

/// A token's events in a block, kind by kind.
async fn of_ticker(source: &UniSat, ticker: &Text, height: u64, query: &ActivityQuery) -> SourceResult<Vec<Activity>> {
    let name = path_name(ticker);
    let mut events = Vec::new();
    for (operation, kind) in KINDS {
        if !query.operations.is_empty() && !query.operations.iter().any(|asked| asked == operation) {
            continue;
        }
        let mut len = 0;
        loop {
            let path = format!("/v1/indexer/brc20/{name}/history?type={kind}&height={height}&start={len}&limit={ROWS}");
            let response = source.upstream.get(&path).await?;
            let rows = Rows::read(&response, Some(height), OTHER_SIDE)?;
            events.extend(rows.events(&response, Some(ticker))?);
            len += rows.len;
            if rows.len == 0 || rows.total.is_none_or(|total| len as u64 >= total) || len >= PAGES * ROWS {
                break;
            }
        }
    }
    Ok(events)
}

/// The newest events, from the newest blocks.
async fn newest(source: &UniSat, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
    let started = Instant::now();
    let response = source.upstream.get("/v1/indexer/brc20/bestheight").await?;
    source.see_height(&response);
    let Some(tip) = rows::height(&response) else { return Err(SourceError::changed("no height")) };
    let wanted = usize::try_from(page.offset).unwrap_or(usize::MAX).saturating_add(page.limit);
    let mut found: Vec<Activity> = Vec::new();
    for height in (tip.saturating_sub(BLOCKS - 1)..=tip).rev() {
        let is_late = started.elapsed() >= SEARCH;
        if found.len() >= wanted || is_late {
            break;
        }
        match block(source, height, query).await {
            Ok(Block { events, .. }) => {
                let events = events.iter().filter(|event| matches(query, event)).cloned().collect();
                found.extend(newest_first(events));
            }
            // What is there is shown.
            Err(_) if !found.is_empty() => break,
            Err(error) => return Err(error),
        }
    }
    if found.is_empty() {
        let reason = "No events in the newest blocks; choose a block height, or set indexer_url to your own indexer";
        return Err(SourceError::unsupported_because(reason));
    }
    Ok(Page { total: None, ..part_of(found, page) })
}

/// The events of an address, as far as one page of its history goes.
async fn of_address(
    source: &UniSat,
    address: &str,
    height: Option<u64>,
    query: &ActivityQuery,
    page: PageQuery,
) -> SourceResult<Page<Activity>> {
    let place = format!("/v1/indexer/address/{}/brc20", segment(address));
    let response = source.upstream.get(&format!("{place}/history?start=0&limit={ROWS}")).await?;
    let rows = Rows::read(&response, None, &[])?;
    let mut has_more = rows.has_more();
    let events = match query.tickers.as_slice() {
        _ if rows.have_tickers => rows.events(&response, None)?,
        [ticker] => {
            let (name, ticker) = (path_name(ticker), Text::from(ticker.as_str()));
            let mut events = Vec::new();
            has_more = false;
            for kind in KINDS.map(|(_, kind)| kind).into_iter().chain(["receive"]) {
                let path = format!("{place}/{name}/history?type={kind}&start=0&limit={ROWS}");
                let response = source.upstream.get(&path).await?;
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
    let part = part_of(newest_first(events.collect()), page);
    Ok(Page { total: part.total.filter(|_| !has_more), ..part })
}

/// Whether an event has one of the tickers and one of the kinds.
fn matches(query: &ActivityQuery, event: &Activity) -> bool {
    let ticker = event.ticker.to_lowercase();
    (query.tickers.is_empty() || query.tickers.iter().any(|asked| asked.to_lowercase() == ticker.as_str()))
        && (query.operations.is_empty() || query.operations.iter().any(|asked| asked == event.operation.as_str()))
}

/// Newer blocks first; within a block, the order of the answer.
fn newest_first(mut events: Vec<Activity>) -> Vec<Activity> {
    events.sort_by_key(|event| std::cmp::Reverse(event.block_height));
    events
}
