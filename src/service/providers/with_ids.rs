//! Omits rows of coins without an id, which can't be distinguished from others with their name.

use serde::Deserialize;

use super::lenient::{self, Bounded, RawRow, Rows};
use crate::service::upstream::Response;
use crate::service::upstream::warnings::Warnings;

/// A list of coins without the rows that have no `id`, which count as a warning, and the number of all rows. Another
/// response is left unchanged: the decoder reports the error.
pub(super) fn coins_with_ids(response: Response, warnings: &Warnings) -> (Response, usize) {
    let Bounded(rows) = response.json::<Rows>().unwrap_or_default();
    let count = rows.len();
    let named: Vec<&RawRow> = rows.iter().filter(|row| !has_no_id(row)).collect();
    warnings.record(count - named.len(), "coin", None);
    let response = if named.len() == count { response } else { response.with_body(list_of(&named)) };
    (response, count)
}

fn has_no_id(row: &RawRow) -> bool {
    #[derive(Deserialize)]
    struct Row {
        #[serde(default, deserialize_with = "lenient::message")]
        id: Option<String>,
    }
    serde_json::from_str::<Row>(row.get()).is_ok_and(|row| row.id.is_none_or(|id| id.is_empty()))
}

/// A JSON list of these rows.
pub(super) fn list_of(rows: &[&RawRow]) -> String {
    let rows: Vec<&str> = rows.iter().map(|row| row.get()).collect();
    format!("[{}]", rows.join(","))
}
