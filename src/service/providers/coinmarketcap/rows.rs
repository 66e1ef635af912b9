//! The rows of responses: how many there are, and which have the wrong ids.

use serde::Deserialize;

use crate::service::providers::lenient::{self, BoundedMap, RawRow, count_rows};
use crate::service::upstream::Response;
use crate::service::upstream::warnings::Warnings;

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
    let rows = if data.get().starts_with('[') { data } else { category().or_else(first)?.coins };
    count_rows(rows.get().as_bytes())
}

/// The number of coins in a category, as reported in a response with some of them.
pub(super) fn category_length(response: &Response) -> Option<u64> {
    #[derive(Deserialize)]
    struct Data {
        data: RawRow,
    }
    #[derive(Deserialize)]
    struct Category {
        #[serde(deserialize_with = "lenient::optional_count")]
        num_tokens: Option<u64>,
    }
    let Data { data } = response.json().ok()?;
    let own = serde_json::from_str::<Category>(data.get()).ok();
    let first = || serde_json::from_str::<BoundedMap<Category>>(data.get()).ok()?.0.into_values().next();
    own.or_else(first)?.num_tokens
}

/// A response without the coins in a map by id whose own id is another one, which count as a warning. Other responses are
/// left unchanged.
pub(super) fn with_own_ids(response: Response, warnings: &Warnings) -> Response {
    #[derive(Deserialize)]
    struct ById {
        data: BoundedMap<RawRow>,
    }
    #[derive(Deserialize)]
    struct Row {
        #[serde(deserialize_with = "lenient::count")]
        id: u64,
    }
    let Ok(ById { data: BoundedMap(rows) }) = response.json() else { return response };
    if !rows.keys().all(|key| key.bytes().all(|byte| byte.is_ascii_digit())) {
        return response;
    }
    let (mut kept, mut wrong) = (Vec::new(), Vec::new());
    for (key, row) in &rows {
        match serde_json::from_str(row.get()) {
            Ok(Row { id }) if key.parse() != Ok(id) => wrong.push(format!("{id} instead of {key}")),
            _ => kept.push(format!(r#""{key}":{}"#, row.get())),
        }
    }
    match wrong.as_slice() {
        [] => return response,
        [only] => warnings.note(format!("Skipped coin {only}")),
        [first, ..] => warnings.note(format!("Skipped {} coins with wrong IDs, such as {first}", wrong.len())),
    }
    response.with_body(format!(r#"{{"data":{{{}}}}}"#, kept.join(",")))
}
