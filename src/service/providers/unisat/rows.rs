//! UniSat's rows of events, before the client's decoder reads them.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::upstream::Response;
use super::super::{SourceError, SourceResult};
use crate::client::{Answer, Request};
use crate::model::{Activity, Operation, Text};

/// A page of events as it came.
pub(super) struct Rows {
    /// The rows that count, as JSON.
    kept: Vec<String>,
    /// Rows of the page, with those that don't count.
    pub(super) len: usize,
    /// Rows of the whole list.
    pub(super) total: Option<u64>,
    /// Whether each row names its ticker.
    pub(super) have_tickers: bool,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    data: Data<'a>,
}

#[derive(Deserialize)]
struct Data<'a> {
    #[serde(borrow)]
    detail: Vec<&'a RawValue>,
    total: Option<u64>,
}

/// What decides about a row.
#[derive(Deserialize)]
struct Row {
    #[serde(rename = "type")]
    kind: Option<String>,
    ticker: Option<String>,
    height: Option<u64>,
}

impl Rows {
    /// The rows of a response, all of which must be of the block that was asked for, without those of some kinds.
    pub(super) fn read(response: &Response, height: Option<u64>, without: &[&str]) -> SourceResult<Rows> {
        let Envelope { data } =
            serde_json::from_slice(response.body()).map_err(|_| SourceError::changed("no list of events"))?;
        let (len, total) = (data.detail.len(), data.total);
        let mut rows = Rows { kept: Vec::new(), len, total, have_tickers: true };
        for raw in data.detail {
            // A row that can't be read is reported by the decoder.
            let row: Option<Row> = serde_json::from_str(raw.get()).ok();
            if let (Some(asked), Some(other)) = (height, row.as_ref().and_then(|row| row.height))
                && asked != other
            {
                return Err(SourceError::changed(format!("block {other} in place of {asked}")));
            }
            let Row { kind, ticker, .. } = row.unwrap_or(Row { kind: None, ticker: None, height: None });
            rows.have_tickers &= ticker.is_some_and(|ticker| !ticker.is_empty());
            if !kind.is_some_and(|kind| without.contains(&kind.as_str())) {
                rows.kept.push(raw.get().to_owned());
            }
        }
        Ok(rows)
    }

    /// Adds the rows of the next page.
    pub(super) fn append(&mut self, mut next: Rows) {
        self.kept.append(&mut next.kept);
        self.len += next.len;
        self.total = next.total.or(self.total);
        self.have_tickers &= next.have_tickers;
    }

    /// Whether the list goes on behind them.
    pub(super) fn has_more(&self) -> bool {
        self.total.is_some_and(|total| (self.len as u64) < total)
    }

    /// The valid events. Those of rows without a ticker are of the one that was asked for.
    pub(super) fn events(&self, response: &Response, ticker: Option<&Text>) -> SourceResult<Vec<Activity>> {
        if self.kept.is_empty() {
            return Ok(Vec::new());
        }
        let body = format!(r#"{{"code":0,"msg":"OK","data":{{"detail":[{}]}}}}"#, self.kept.join(","));
        let request =
            Request::Brc20Activity { ticker: ticker.cloned(), block_height: None, offset: 0, limit: u32::MAX };
        match response.with_body(body).answer(&request)? {
            Answer::Activity(mut events) => {
                events.items.iter_mut().for_each(complete);
                Ok(events.items)
            }
            _ => Err(SourceError::changed("no events")),
        }
    }
}

/// Says whose event it is: of a transfer the receiver, otherwise who inscribed it.
fn complete(event: &mut Activity) {
    let own = event.to.clone().or_else(|| event.from.clone());
    if event.operation == Operation::Transfer {
        // Nothing was sent yet.
        event.from = own.clone();
        event.to = None;
    }
    event.address = event.address.take().or(own);
}

#[derive(Deserialize)]
struct Of {
    data: Height,
}

#[derive(Deserialize)]
struct Height {
    height: Option<u64>,
}

/// The height of the newest block that a response knows.
pub(super) fn height(response: &Response) -> Option<u64> {
    serde_json::from_slice::<Of>(response.body()).ok()?.data.height
}

/// The response must be about the requested block, if it names one.
pub(super) fn check_height(response: &Response, asked: u64) -> SourceResult<()> {
    match height(response) {
        Some(other) if other != asked => Err(SourceError::changed(format!("block {other} in place of {asked}"))),
        _ => Ok(()),
    }
}
