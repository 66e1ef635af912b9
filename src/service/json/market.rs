//! Responses of the market group: the envelope `{data, status}`, snake_case, and prices in a map by currency, `"quote":
//! {"USD": {…}}`, with the requested currency (the sparkline is next to it). Unknown values are `null`, changes are in
//! percent, times are RFC 3339 in UTC.

mod coin;
mod pair;
mod parts;
mod post;
mod series;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

pub(in crate::service) use coin::CoinJson;
pub(in crate::service) use pair::CoinPairsJson;
pub(in crate::service) use post::Posts;
pub(in crate::service) use series::{ChartJson, SeriesJson};

use crate::model::UtcTime;
use crate::service::provider_response::ProviderResponse;

/// The envelope of every response.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Envelope<T> {
    /// The data.
    data: T,
    status: Status,
    /// The provider of the data, if any; several are separated by `, `.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    provider: Option<String>,
}

/// Status of the request.
#[derive(Serialize, ToSchema)]
struct Status {
    /// When the data was fetched.
    #[schema(value_type = String, format = DateTime)]
    timestamp: UtcTime,
    /// 0: no error.
    error_code: u16,
    /// `null`: no error.
    #[schema(required)]
    error_message: Option<&'static str>,
    /// Milliseconds; always 0, so that equal data give equal bytes.
    elapsed: u32,
    /// Always 0.
    credit_count: u32,
    /// Length of the whole list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_count: Option<u64>,
}

impl<T> Envelope<T> {
    /// Wraps the data of a response.
    pub(in crate::service) fn new<A>(response: &ProviderResponse<A>, data: T, total_count: Option<u64>) -> Envelope<T> {
        let status = Status {
            timestamp: response.at,
            error_code: 0,
            error_message: None,
            elapsed: 0,
            credit_count: 0,
            total_count,
        };
        Envelope { data, status, provider: response.provider_names() }
    }
}

/// A map by symbol, in the order of the request. Symbols are not unique, so each holds a list.
pub(in crate::service) struct BySymbol<'a, T>(Vec<(&'a str, Vec<T>)>);

impl<'a, T> BySymbol<'a, T> {
    /// Groups items by their symbols.
    pub(in crate::service) fn group(items: impl Iterator<Item = (&'a str, T)>) -> BySymbol<'a, T> {
        let mut groups: Vec<(&str, Vec<T>)> = Vec::new();
        for (symbol, item) in items {
            // Coins that share a symbol may spell it in different cases.
            match groups.iter_mut().find(|(known, _)| known.to_lowercase() == symbol.to_lowercase()) {
                Some((_, group)) => group.push(item),
                None => groups.push((symbol, vec![item])),
            }
        }
        BySymbol(groups)
    }
}

impl<T: Serialize> Serialize for BySymbol<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(symbol, list)| (symbol, list)))
    }
}
