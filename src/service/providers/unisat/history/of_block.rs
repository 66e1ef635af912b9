//! Events of a block.

use std::sync::Arc;

use super::kinds::kinds;
use super::of_type::ticker_events;
use super::pages::{DUPLICATE_TYPES, read_rest};
use super::state::{End, Events, History};
use crate::model::Text;
use crate::service::backend::indexer::ActivityQuery;
use crate::service::providers::unisat::rows::{self, Rows};
use crate::service::providers::unisat::server::{ROWS, SIX_BYTES};
use crate::service::upstream::error::{SourceError, SourceResult};

/// If a block has more pages, the events of one token are fetched by type.
const SMALL_BLOCK_PAGES: u64 = 4;

/// Fetches at least the matching events of a block.
pub(super) async fn block(history: &History, height: u64, query: &ActivityQuery) -> SourceResult<Events> {
    let ticker = match query.tickers.as_slice() {
        [ticker] => Some(Text::from(ticker.as_str())),
        _ => None,
    };
    let events = match ticker {
        // The list of the block lacks it.
        Some(ticker) if history.server.is_at_separate_path(&ticker).await? => {
            ticker_events(history, &ticker, height, query, true).await?
        }
        ticker => match history.blocks.get(&height) {
            Some(known) => known,
            None => fetch_block(history, height, query, ticker.as_ref()).await?,
        },
    };
    events.warn(history.warnings(), height);
    Ok(events)
}

async fn fetch_block(
    history: &History,
    height: u64,
    query: &ActivityQuery,
    ticker: Option<&Text>,
) -> SourceResult<Events> {
    let is_by_type = |ticker: &&Text| {
        history.lacks_tickers() && history.is_indexed(height)
            || kinds(query).all(|kind| history.by_type.contains_key(&(height, Text::clone(ticker), kind)))
    };
    if let Some(ticker) = ticker.filter(is_by_type) {
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
    history.note_transfer_type_in_block(&rows);
    history.note_tickers(&rows);
    let is_large = rows.total.is_some_and(|total| total > SMALL_BLOCK_PAGES * ROWS as u64);
    match ticker {
        Some(ticker) if !rows.have_tickers() || is_large => {
            let may_have_transfers = rows.transfer_type.is_some() || rows.may_have_more() || ticker.len() == SIX_BYTES;
            return ticker_events(history, ticker, height, query, may_have_transfers).await;
        }
        None if rows.lack_tickers() => {
            let reason = "UniSat lists the events of a block by ticker only; choose a ticker";
            return Err(SourceError::unsupported_because(reason));
        }
        _ => {}
    }
    let (mut rows, end) = read_rest(rows, height, page).await?;
    history.note_transfer_type_in_block(&rows);
    let nameless = rows.remove_nameless();
    let events = Events { list: Arc::new(rows.events(&response, None)?), end, nameless };
    if end != End::Short && history.is_indexed(height) {
        history.blocks.insert(height, events.clone());
    }
    Ok(events)
}
