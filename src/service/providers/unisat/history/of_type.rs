//! Events of a token in a block, by type.

use std::sync::Arc;

use super::kinds::{KINDS, kinds};
use super::pages::{DUPLICATE_TYPES, read_rest};
use super::state::{End, Events, History, OfType};
use crate::model::{Activity, Operation, Text};
use crate::service::backend::indexer::ActivityQuery;
use crate::service::providers::unisat::rows::{self, Rows};
use crate::service::providers::unisat::server::{EventsError, ROWS};
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

/// Fetches a token's events in a block by type. `may_have_transfers`: whether the block may have completed transfers.
pub(super) async fn ticker_events(
    history: &History,
    ticker: &Text,
    height: u64,
    query: &ActivityQuery,
    may_have_transfers: bool,
) -> SourceResult<Events> {
    let mut all = Vec::new();
    let mut end = End::Whole;
    for kind in kinds(query) {
        let key = (height, ticker.clone(), kind);
        let events = match history.by_type.get(&key) {
            Some(known) => known,
            None => fetch_type(history, key, may_have_transfers).await?,
        };
        all.extend(events.list.iter().cloned());
        if events.end != End::Whole {
            end = events.end;
        }
    }
    Ok(Events { list: Arc::new(all), end, nameless: 0 })
}

/// Fetches the events of a type. While the server's type of completed transfers is unknown, both are requested.
async fn fetch_type(history: &History, key: OfType, may_have_transfers: bool) -> SourceResult<Events> {
    let (first, other) = history.types(key.2, &key.1);
    let mut outcome = fetch_list(history, &key, first).await;
    let may_be_other = match &outcome {
        Ok((_, rows)) => *rows == 0 && may_have_transfers,
        Err(EventsError { error, has_ticker }) => *has_ticker || is_unsupported(error),
    };
    if let Some(other) = other.filter(|_| may_be_other) {
        outcome = match (outcome, fetch_list(history, &key, other).await) {
            // An empty list says more than an error about the type, and less than another error.
            (Ok(empty), Err(EventsError { error, has_ticker })) if has_ticker || is_unsupported(&error) => Ok(empty),
            (Err(failed), Ok((_, 0))) if !is_unsupported(&failed.error) => Err(failed),
            (_, other) => other,
        };
    }
    let (events, _) = outcome.map_err(|failed| failed.error)?;
    if events.end != End::Short && history.is_indexed(key.0) {
        history.by_type.insert(key, events.clone());
    }
    Ok(events)
}

/// Whether the server doesn't know the requested type.
fn is_unsupported(error: &SourceError) -> bool {
    matches!(error.class, ErrorClass::Rejected | ErrorClass::Unsupported)
}

/// Fetches the events of a requested type, and the number of rows that the server sent.
async fn fetch_list(
    history: &History,
    (height, ticker, kind): &OfType,
    requested: &str,
) -> Result<(Events, usize), EventsError> {
    let page = |start: usize| {
        let what = format!("history?type={requested}&height={height}&start={start}&limit={ROWS}");
        async move { history.server.ticker_events(ticker, &what).await }
    };
    let response = page(0).await?;
    rows::check_height(&response, *height)?;
    let rows = Rows::read(&response, Some(*height), DUPLICATE_TYPES)?;
    history.note_block(&response, &rows, *height);
    let (rows, end) = read_rest(rows, *height, page).await?;
    history.note_transfer_type_of(ticker, &rows);
    let mut events = rows.events(&response, Some(ticker))?;
    // The server may ignore a type that it doesn't know.
    let is_of_kind = |event: &Activity| {
        matches!(event.operation, Operation::Other(_)) || KINDS.contains(&(event.operation.as_str(), *kind))
    };
    events.retain(is_of_kind);
    Ok((Events { list: Arc::new(events), end, nameless: 0 }, rows.len))
}
