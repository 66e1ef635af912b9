//! The newest events.

use std::time::Duration;

use tokio::time::Instant;

use super::filter::matching;
use super::of_block::block;
use super::state::{Events, History};
use crate::format::words::in_sentence;
use crate::model::{Activity, Page};
use crate::service::backend::indexer::{ActivityQuery, PageQuery};
use crate::service::providers::page_of::page_of;
use crate::service::providers::unisat::rows;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// How many blocks are searched for the newest events, and the maximum time. Without tickers in the rows, a block takes a
/// request per type.
const BLOCKS: u64 = 6;
const BLOCKS_BY_TYPE: u64 = 2;
const SEARCH: Duration = Duration::from_secs(7);

/// The newest events, from the newest blocks.
pub(super) async fn newest(history: &History, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
    let started = Instant::now();
    let response = history.server.list("/v1/indexer/brc20/bestheight").await?;
    history.server.note_height(&response);
    let Some(tip) = rows::height(&response) else { return Err(SourceError::unexpected_format("no height")) };
    let wanted = usize::try_from(page.offset).unwrap_or(usize::MAX).saturating_add(page.limit);
    let mut found: Vec<Activity> = Vec::new();
    let (mut searched, mut has_failed) = (0, false);
    for height in (tip.saturating_sub(BLOCKS - 1)..=tip).rev() {
        let is_timed_out = started.elapsed() >= SEARCH;
        let is_by_type = history.lacks_tickers() || history.server.has_separate_path(&query.tickers);
        let is_enough = searched >= BLOCKS_BY_TYPE && is_by_type;
        if found.len() >= wanted || is_timed_out || is_enough {
            break;
        }
        match block(history, height, query).await {
            Ok(Events { list, .. }) => {
                found.extend(matching(query, list.iter().cloned()));
            }
            Err(error) if found.is_empty() || error.class == ErrorClass::Cancelled => return Err(error),
            Err(error) => {
                let (first, reason) = (height + 1, in_sentence(&error.reason));
                let sentence = format!("Events before block {first} not loaded: {reason}");
                history.warnings().note(sentence);
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
