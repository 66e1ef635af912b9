//! Preprocesses UniSat's event rows for the client's decoder.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::client::{Request, ResponseData};
use crate::model::{Activity, Balance, Operation, Text};
use crate::service::providers::lenient::{Bounded, or_default, or_none};
use crate::service::upstream::Response;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::warnings::Warnings;

/// UniSat's types of a completed transfer. Its documentation has `transfer` in the history of a token or block, and
/// `send` and `receive` in the history of an address; other servers have these two everywhere.
pub(super) const TRANSFER_TYPES: [&str; 2] = [SEND, TRANSFER];
pub(super) const SEND: &str = "send";
pub(super) const TRANSFER: &str = "transfer";

/// Rows of an event list.
pub(super) struct Rows {
    /// The relevant rows.
    kept: Vec<Row>,
    /// Number of rows that the server sent, ignored ones included.
    pub(super) len: usize,
    /// Number of rows of the whole list.
    pub(super) total: Option<u64>,
    /// Number of valid rows with a ticker.
    named: usize,
    /// Number of valid rows without one.
    nameless: usize,
    /// The type of the first transfer in [`TRANSFER_TYPES`].
    pub(super) transfer_type: Option<&'static str>,
}

/// A row as JSON.
#[derive(PartialEq)]
struct Row {
    json: String,
    /// Whether it is readable and has no ticker.
    is_nameless: bool,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    data: Data<'a>,
}

#[derive(Deserialize)]
struct Data<'a> {
    /// `null` in a block without events.
    #[serde(borrow, deserialize_with = "or_default")]
    detail: Bounded<&'a RawValue>,
    #[serde(default, deserialize_with = "or_none")]
    total: Option<u64>,
}

/// The fields that decide whether a row is relevant.
#[derive(Deserialize)]
struct Fields<'a> {
    #[serde(borrow, default = "valid")]
    valid: &'a RawValue,
    #[serde(rename = "type", default, deserialize_with = "or_none")]
    kind: Option<String>,
    #[serde(default, deserialize_with = "or_none")]
    ticker: Option<String>,
    #[serde(default, deserialize_with = "or_none")]
    height: Option<u64>,
}

fn valid() -> &'static RawValue {
    RawValue::TRUE
}

impl Rows {
    /// Reads the rows of a response, checks that all are of the requested block, and removes rows of the types
    /// `without`.
    pub(super) fn read(response: &Response, height: Option<u64>, without: &[&str]) -> SourceResult<Rows> {
        let Envelope { data } = serde_json::from_slice(response.body())
            .map_err(|_| SourceError::unexpected_format("expected a list of events"))?;
        let (len, total) = (data.detail.len(), data.total);
        let mut rows = Rows { kept: Vec::new(), len, total, named: 0, nameless: 0, transfer_type: None };
        for raw in data.detail.0 {
            // The decoder reports unreadable rows.
            let Ok(Fields { valid, kind, ticker, height: own }) = serde_json::from_str(raw.get()) else {
                rows.kept.push(Row { json: raw.get().to_owned(), is_nameless: false });
                continue;
            };
            let transfer_type = || TRANSFER_TYPES.into_iter().find(|known| kind.as_deref() == Some(known));
            rows.transfer_type = rows.transfer_type.or_else(transfer_type);
            match valid.get() {
                "true" => {}
                // Invalid, so it has no effect. Many rows are.
                "false" => continue,
                _ => {
                    // It may be invalid. The decoder reports it as unreadable.
                    rows.kept.push(Row { json: String::from("null"), is_nameless: false });
                    continue;
                }
            }
            if let (Some(requested), Some(other)) = (height, own)
                && requested != other
            {
                return Err(SourceError::unexpected_format(format!("block {other} instead of {requested}")));
            }
            let is_nameless = ticker.is_none_or(|ticker| ticker.is_empty());
            rows.named += usize::from(!is_nameless);
            rows.nameless += usize::from(is_nameless);
            if !kind.is_some_and(|kind| without.contains(&kind.as_str())) {
                rows.kept.push(Row { json: raw.get().to_owned(), is_nameless });
            }
        }
        Ok(rows)
    }

    /// Appends the rows of the next page.
    pub(super) fn append(&mut self, mut next: Rows) {
        self.kept.append(&mut next.kept);
        self.len += next.len;
        self.total = next.total.or(self.total);
        self.named += next.named;
        self.nameless += next.nameless;
        self.transfer_type = self.transfer_type.or(next.transfer_type);
    }

    /// Whether another page repeats the first one: the server ignores `start`.
    pub(super) fn are_repeated_by(&self, page: &Rows) -> bool {
        !page.kept.is_empty() && self.kept.starts_with(&page.kept)
    }

    /// Whether the list may have more rows. Without a total, only an empty page is its end.
    pub(super) fn may_have_more(&self) -> bool {
        self.len > 0 && self.total.is_none_or(|total| (self.len as u64) < total)
    }

    /// Whether every valid row has a ticker.
    pub(super) fn have_tickers(&self) -> bool {
        self.nameless == 0
    }

    /// Whether there are valid rows, and none has a ticker.
    pub(super) fn lack_tickers(&self) -> bool {
        self.nameless > 0 && self.named == 0
    }

    /// Removes the rows without a ticker, and returns their number.
    pub(super) fn remove_nameless(&mut self) -> usize {
        let before = self.kept.len();
        self.kept.retain(|row| !row.is_nameless);
        before - self.kept.len()
    }

    /// Decodes the events. Rows without a ticker get the requested one.
    pub(super) fn events(&self, response: &Response, ticker: Option<&Text>) -> SourceResult<Vec<Activity>> {
        if self.kept.is_empty() {
            return Ok(Vec::new());
        }
        let rows: Vec<&str> = self.kept.iter().map(|row| row.json.as_str()).collect();
        let body = format!(r#"{{"code":0,"msg":"OK","data":{{"detail":[{}]}}}}"#, rows.join(","));
        let request =
            Request::Brc20Activity { ticker: ticker.cloned(), block_height: None, offset: 0, limit: u32::MAX };
        match response.with_body(body).decode_data(&request)? {
            ResponseData::Activity(mut events) => {
                events.items.iter_mut().for_each(complete);
                Ok(events.items)
            }
            _ => Err(SourceError::unexpected_format("no events")),
        }
    }
}

/// Sets the address of an event: the receiver of a transfer, or the sender if it has none, otherwise the inscriber.
fn complete(event: &mut Activity) {
    let own = event.to.clone().or_else(|| event.from.clone());
    if event.operation == Operation::Transfer {
        // A transfer inscription has no receiver yet.
        event.from = own.clone();
        event.to = None;
    }
    event.address = event.address.take().or(own);
}

/// Removes the available and the transferable part of balances that are not their sum or exceed them, with a warning.
pub(super) fn remove_wrong_parts(balances: &mut [Balance], warnings: &Warnings) {
    let is_wrong = |balance: &&mut Balance| {
        balance.overall.is_some_and(|overall| match balance.available.zip(balance.transferable) {
            Some((available, transferable)) => available.checked_add(transferable) != Some(overall),
            None => balance.available.max(balance.transferable).is_some_and(|part| part > overall),
        })
    };
    let mut wrong: Vec<Text> = Vec::new();
    for balance in balances.iter_mut().filter(is_wrong) {
        (balance.available, balance.transferable) = (None, None);
        wrong.extend(balance.ticker.clone());
    }
    match wrong.as_slice() {
        [] => {}
        [ticker] => warnings.note(format!("Skipped invalid fields of the {ticker} balance")),
        [ticker, ..] => {
            warnings.note(format!("Skipped invalid fields of {} balances, such as {ticker}", wrong.len()));
        }
    }
}

#[derive(Deserialize)]
struct HeightEnvelope {
    data: Height,
}

#[derive(Deserialize)]
struct Height {
    #[serde(default, deserialize_with = "or_none")]
    height: Option<u64>,
}

/// The block height in a response.
pub(super) fn height(response: &Response) -> Option<u64> {
    serde_json::from_slice::<HeightEnvelope>(response.body()).ok()?.data.height
}

/// Checks that the indexer knows the requested block, if the response contains a height: of the request, or of the
/// newest block.
pub(super) fn check_height(response: &Response, requested: u64) -> SourceResult<()> {
    match height(response) {
        Some(newest) if newest < requested => {
            let reason = format!("Block {requested} is not indexed yet (newest: {newest})");
            Err(SourceError::new(ErrorClass::Empty, reason))
        }
        _ => Ok(()),
    }
}
