//! Counts the rows of responses.

use serde::Deserialize;

use crate::service::providers::lenient::{BoundedMap, RawRow, count_rows};
use crate::service::upstream::Response;

/// The number of coins in a response, unreadable ones included: a list, or the coins of a category, which is in a map.
pub(super) fn row_count(response: &Response) -> Option<usize> {
    #[derive(Deserialize)]
    struct Data {
        data: RawRow,
    }
    #[derive(Deserialize)]
    struct Category {
        coins: RawRow,
    }
    let Data { data } = response.json().ok()?;
    let category = || serde_json::from_str::<Category>(data.get()).ok();
    let first = || serde_json::from_str::<BoundedMap<Category>>(data.get()).ok()?.0.into_values().next();
    let rows = match data.get().starts_with('[') {
        true => data,
        false => category().or_else(first)?.coins,
    };
    count_rows(rows.get().as_bytes())
}
