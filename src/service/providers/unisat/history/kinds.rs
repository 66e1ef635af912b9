//! The types of events at UniSat.

use crate::service::backend::indexer::ActivityQuery;
use crate::service::providers::unisat::rows::SEND;

/// Our operations and UniSat's event types, each of which needs a separate request. Servers differ in the type of a
/// completed transfer ([`TRANSFER_TYPES`](crate::service::providers::unisat::rows::TRANSFER_TYPES)).
pub(super) const KINDS: [(&str, &str); 4] = [
    ("deploy", "inscribe-deploy"),
    ("mint", "inscribe-mint"),
    ("transfer", "inscribe-transfer"),
    ("transfer_send", SEND),
];

/// UniSat's types of the wanted events.
pub(super) fn kinds(query: &ActivityQuery) -> impl Iterator<Item = &'static str> {
    let is_wanted = |operation: &str| query.operations.is_empty() || query.operations.iter().any(|it| it == operation);
    KINDS.into_iter().filter(move |(operation, _)| is_wanted(operation)).map(|(_, kind)| kind)
}
