//! Query strings of Hiro's API. Lists are repeated keys.

use std::fmt::Write as _;

use crate::service::backend::indexer::{InscriptionOrder, InscriptionsQuery, PageQuery};
use crate::service::providers::url::segment;

/// Builds a path with a query string.
pub(super) struct Query {
    path: String,
    has_query: bool,
}

impl Query {
    /// A path without a query.
    pub(super) fn new(path: String) -> Query {
        Query { path, has_query: false }
    }

    /// Adds a parameter if it has a value.
    pub(super) fn one(mut self, name: &str, value: Option<impl ToString>) -> Query {
        if let Some(value) = value {
            let separator = if self.has_query { '&' } else { '?' };
            // Writing to a string can't fail.
            let _ = write!(self.path, "{separator}{name}={}", segment(&value.to_string()));
            self.has_query = true;
        }
        self
    }

    /// Adds a parameter for each value.
    pub(super) fn all(self, name: &str, values: &[impl ToString]) -> Query {
        values.iter().fold(self, |query, value| query.one(name, Some(value.to_string())))
    }

    /// Adds offset and limit.
    pub(super) fn page(self, page: PageQuery) -> Query {
        self.one("offset", Some(page.offset)).one("limit", Some(page.limit))
    }

    /// Adds filters and order of an inscription list.
    pub(super) fn inscriptions(self, query: &InscriptionsQuery) -> Query {
        let all = InscriptionsQuery::default();
        let InscriptionsQuery { heights, timestamps, sats, sat_heights, number_range, .. } = query;
        let from = |value: u64, default: u64| (value != default).then_some(value);
        let from_signed = |value: i64, default: i64| (value != default).then_some(value);
        let order = match query.order {
            InscriptionOrder::GenesisBlockHeight => None,
            InscriptionOrder::Number => Some("number"),
            InscriptionOrder::Ordinal => Some("ordinal"),
            InscriptionOrder::Rarity => Some("rarity"),
        };
        self.one("genesis_block", query.block_hash.as_ref())
            .one("from_genesis_block_height", from(*heights.start(), *all.heights.start()))
            .one("to_genesis_block_height", from(*heights.end(), *all.heights.end()))
            .one("from_genesis_timestamp", from_signed(*timestamps.start(), *all.timestamps.start()))
            .one("to_genesis_timestamp", from_signed(*timestamps.end(), *all.timestamps.end()))
            .one("from_sat_ordinal", from(*sats.start(), *all.sats.start()))
            .one("to_sat_ordinal", from(*sats.end(), *all.sats.end()))
            .one("from_sat_coinbase_height", from(*sat_heights.start(), *all.sat_heights.start()))
            .one("to_sat_coinbase_height", from(*sat_heights.end(), *all.sat_heights.end()))
            .one("from_number", from_signed(*number_range.start(), *all.number_range.start()))
            .one("to_number", from_signed(*number_range.end(), *all.number_range.end()))
            .all("id", &query.ids)
            .all("number", &query.numbers)
            .one("output", query.output.as_ref())
            .all("address", &query.addresses)
            .all("genesis_address", &query.genesis_addresses)
            .all("mime_type", &query.mime_types)
            .all("rarity", &query.rarities)
            .one("recursive", query.recursive)
            .one("cursed", query.cursed)
            .one("order_by", order)
            .one("order", query.ascending.then_some("asc"))
    }

    /// The path with its query.
    pub(super) fn into_path(self) -> String {
        self.path
    }
}
