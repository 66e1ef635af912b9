//! Which events match a query, and their order.

use crate::model::Activity;
use crate::service::backend::indexer::ActivityQuery;

/// The events that match the tickers and operations, by block, newest first. Within a block, they keep their order.
pub(super) fn matching(query: &ActivityQuery, events: impl IntoIterator<Item = Activity>) -> Vec<Activity> {
    let mut events: Vec<Activity> = events.into_iter().filter(|event| matches(query, event)).collect();
    events.sort_by_key(|event| std::cmp::Reverse(event.block_height));
    events
}

fn matches(query: &ActivityQuery, event: &Activity) -> bool {
    let ticker = event.ticker.to_lowercase();
    (query.tickers.is_empty() || query.tickers.iter().any(|wanted| wanted.to_lowercase() == ticker.as_str()))
        && (query.operations.is_empty() || query.operations.iter().any(|wanted| wanted == event.operation.as_str()))
}
