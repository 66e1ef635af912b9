//! Server-sent events with a size limit, and the stream of live prices.
//! <https://html.spec.whatwg.org/multipage/server-sent-events.html>

use std::time::Duration;

use reqwest::Response;
use tokio::time::timeout;

use super::fault;
use super::sats::sats;
use crate::client::decode::MAX_PROVIDER;
use crate::client::error::{Error, ErrorKind};
use crate::model::{LivePrice, PriceUpdate, Text, text};

/// Maximum size of an event in bytes.
const MAX_EVENT_BYTES: usize = 256 * 1024;

/// Maximum prices of an event. The rest is ignored.
const MAX_EVENT_PRICES: usize = 1_000;

/// Maximum length of the reason why there are no prices.
const MAX_FAILURE: usize = 300;

/// A stream that sends nothing for this long is dead. Our service sends a comment every 15 seconds.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(45);

/// Bounds of a server's requested pause before a reconnect.
const RETRY_RANGE: std::ops::RangeInclusive<Duration> = Duration::from_secs(1)..=Duration::from_mins(5);

/// A stream of live prices.
pub struct PriceEvents {
    response: Response,
    parser: Parser,
    what: String,
    origin: String,
    /// Whether the prices, which are in bitcoin, are returned in sats.
    in_sats: bool,
}

impl PriceEvents {
    pub(super) fn new(response: Response, what: String, origin: String, in_sats: bool) -> PriceEvents {
        PriceEvents { response, parser: Parser::default(), what, origin, in_sats }
    }

    /// The pause before a reconnect requested by the server.
    pub fn retry(&self) -> Option<Duration> {
        self.parser.retry
    }

    /// The next prices; `None` if the server has ended the stream. Other events and unreadable prices are skipped. Safe
    /// to cancel.
    ///
    /// # Errors
    /// The stream is cut off, silent for too long, or has an event that is too large.
    pub async fn next(&mut self) -> Option<Result<PriceUpdate, Error>> {
        loop {
            while let Some(event) = self.parser.next_event() {
                match event {
                    Ok(event) if event.name == "prices" => match read(&event.data) {
                        Some(mut update) => {
                            if self.in_sats {
                                update.prices.iter_mut().for_each(|price| price.price = sats(price.price));
                            }
                            return Some(Ok(update));
                        }
                        None => tracing::debug!("unreadable event of live prices"),
                    },
                    Ok(_) => {}
                    Err(kind) => return Some(Err(self.error(kind))),
                }
            }
            match timeout(SILENCE_TIMEOUT, self.response.chunk()).await {
                Ok(Ok(Some(bytes))) => self.parser.push(&bytes),
                Ok(Ok(None)) => return None,
                Ok(Err(error)) => return Some(Err(self.error(fault::kind(&error)))),
                Err(_) => return Some(Err(self.error(ErrorKind::TimeoutTotal(SILENCE_TIMEOUT)))),
            }
        }
    }

    fn error(&self, kind: ErrorKind) -> Error {
        Error { what: self.what.clone(), origin: self.origin.clone(), kind }
    }
}

impl std::fmt::Debug for PriceEvents {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PriceEvents").field("origin", &self.origin).finish_non_exhaustive()
    }
}

/// Reads the prices of an event; unreadable ones are skipped.
fn read(data: &str) -> Option<PriceUpdate> {
    let event: serde_json::Value = serde_json::from_str(data).ok()?;
    let provider = text::cut(text::clean(event.get("provider")?.as_str()?), MAX_PROVIDER);
    let is_valid = |price: &LivePrice| price.price.is_finite() && price.price > 0.0 && price.age >= 0.0;
    let prices = event.get("prices")?.as_array()?.iter().take(MAX_EVENT_PRICES);
    let prices = prices.filter_map(|price| serde_json::from_value(price.clone()).ok()).filter(is_valid).collect();
    let failure = event.get("failure").and_then(|reason| reason.as_str());
    let failure = failure.map(|reason| Text::from(text::cut(text::clean(reason), MAX_FAILURE)));
    Some(PriceUpdate { provider: Text::from(provider), prices, failure: failure.filter(|reason| !reason.is_empty()) })
}

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Event {
    name: String,
    data: String,
}

/// Splits a byte stream into events.
#[derive(Debug, Default)]
struct Parser {
    bytes: Vec<u8>,
    /// How many of the bytes are read. They are removed when more arrive, not line by line, which would move the rest
    /// each time.
    read: usize,
    /// The event that is not complete yet.
    event: Event,
    /// Whether the last line ended with CR; an LF that follows belongs to it.
    ended_with_cr: bool,
    retry: Option<Duration>,
}

impl Parser {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.read);
        self.read = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete event with data.
    fn next_event(&mut self) -> Option<Result<Event, ErrorKind>> {
        let too_large = || Some(Err(ErrorKind::TooLarge(MAX_EVENT_BYTES as u64)));
        loop {
            if std::mem::take(&mut self.ended_with_cr) {
                match self.bytes.get(self.read) {
                    Some(b'\n') => self.read += 1,
                    Some(_) => {}
                    None => {
                        self.ended_with_cr = true;
                        return None;
                    }
                }
            }
            let rest = self.bytes.get(self.read..).unwrap_or_default();
            let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else {
                return if rest.len() > MAX_EVENT_BYTES { too_large() } else { None };
            };
            self.ended_with_cr = rest.get(end) == Some(&b'\r');
            let line = String::from_utf8_lossy(rest.get(..end).unwrap_or_default());
            self.read += end + 1;
            if line.is_empty() {
                let mut event = std::mem::take(&mut self.event);
                if event.data.pop().is_some() {
                    return Some(Ok(event));
                }
                continue;
            }
            let (field, value) = line.split_once(':').unwrap_or((&line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "event" => self.event.name = value.to_owned(),
                "data" => {
                    self.event.data.push_str(value);
                    self.event.data.push('\n');
                }
                "retry" => {
                    let millis = value.parse().ok().map(Duration::from_millis);
                    self.retry =
                        millis.map(|pause| pause.clamp(*RETRY_RANGE.start(), *RETRY_RANGE.end())).or(self.retry);
                }
                _ => {}
            }
            if self.event.data.len() + self.event.name.len() > MAX_EVENT_BYTES {
                return too_large();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let mut parser = Parser::default();
        let mut events = Vec::new();
        for chunk in chunks {
            parser.push(chunk);
            while let Some(event) = parser.next_event() {
                let Event { name, data } = event.unwrap();
                events.push((name, data));
            }
        }
        events
    }

    #[test]
    fn events_are_split_by_blank_lines() {
        let text =
            b"retry: 5000\n\n: comment\n\nevent: prices\ndata: {\ndata:}\nid: 7\n\ndata\n\nevent: lost\n\ndata: cut";
        let expected = [("prices", "{\n}"), ("", "")].map(|(name, data)| (name.to_owned(), data.to_owned()));
        assert_eq!(events(&[text]), expected);
        let crlf = String::from_utf8_lossy(text).replace('\n', "\r\n");
        let cr = crlf.replace('\n', "");
        for text in [&crlf, &cr] {
            for size in [1, 2, 3, 1_000] {
                let chunks: Vec<&[u8]> = text.as_bytes().chunks(size).collect();
                let expected: Vec<_> = expected.clone().into();
                assert_eq!(events(&chunks), expected, "{size}");
            }
        }
    }

    #[tokio::test]
    async fn prices_in_bitcoin_are_returned_in_sats() {
        let text = "event: prices\ndata: {\"provider\": \"x\", \"prices\": [{\"id\": \"1\", \"price\": 0.00020345, \"age\": 0}]}\n\n";
        for (in_sats, expected) in [(false, 0.000_203_45), (true, 20_345.0)] {
            let response = Response::from(axum::http::Response::new(text));
            let mut events = PriceEvents::new(response, String::new(), String::new(), in_sats);
            let prices = events.next().await.unwrap().unwrap().prices;
            assert_eq!(prices.iter().map(|price| price.price).collect::<Vec<_>>(), [expected]);
        }
    }

    #[test]
    fn pause_before_a_reconnect_is_limited() {
        let mut parser = Parser::default();
        for (line, pause) in [("retry: 0", 1), ("retry: 2000", 2), ("retry: 99999999999", 300), ("retry: x", 300)] {
            parser.push(format!("{line}\n").as_bytes());
            assert!(parser.next_event().is_none());
            assert_eq!(parser.retry, Some(Duration::from_secs(pause)), "{line}");
        }
    }

    #[test]
    fn large_event_is_an_error() {
        let mut parser = Parser::default();
        parser.push(&vec![b'x'; MAX_EVENT_BYTES + 1]);
        assert!(matches!(parser.next_event(), Some(Err(ErrorKind::TooLarge(_)))));
        let mut parser = Parser::default();
        let line = format!("data: {}\n", "x".repeat(1_000));
        let mut is_too_large = false;
        for _ in 0..MAX_EVENT_BYTES / 1_000 + 1 {
            parser.push(line.as_bytes());
            is_too_large |= matches!(parser.next_event(), Some(Err(ErrorKind::TooLarge(_))));
        }
        assert!(is_too_large);
    }

    #[test]
    fn read_bytes_are_removed() {
        let mut parser = Parser::default();
        for _ in 0..100 {
            parser.push(b"data: 1\n\ndata: 2\n\nda");
            parser.push(b"ta: 3\n\n");
            for data in ["1\n", "2\n", "3\n"] {
                assert_eq!(parser.next_event().unwrap().unwrap().data, data.trim_end());
            }
            assert!(parser.next_event().is_none());
            assert!(parser.bytes.len() < 50, "{}", parser.bytes.len());
        }
    }

    #[test]
    fn reason_for_missing_prices_is_cleaned_and_cut() {
        let long = "x".repeat(1_000);
        for (failure, expected) in [
            ("\"Binance: server error (503)\"", Some("Binance: server error (503)")),
            ("\"no\\u001b[31m network\"", Some("no[31m network")),
            ("\"\"", None),
            ("null", None),
            ("7", None),
        ] {
            let update = read(&format!(r#"{{"provider":"binance","prices":[],"failure":{failure}}}"#)).unwrap();
            assert_eq!((update.failure.as_deref(), update.prices.len()), (expected, 0), "{failure}");
        }
        let update = read(&format!(r#"{{"provider":"binance","prices":[],"failure":"{long}"}}"#)).unwrap();
        assert!(update.failure.unwrap().chars().count() <= MAX_FAILURE);
    }

    #[test]
    fn bad_prices_are_skipped() {
        let data = r#"{"provider":"bin\u001b[31mance","prices":[
            {"id":"1","price":60000.5,"age":0.25},
            {"id":"2","price":0,"age":0},
            {"id":"3","price":-1,"age":0},
            {"id":"4","price":"5","age":0},
            {"id":"5","price":1},
            {"id":6,"price":1,"age":0},
            {"id":"7","price":1,"age":-3},
            null
        ],"more":true}"#;
        let update = read(data).unwrap();
        assert_eq!(update.prices.len(), 1);
        assert_eq!(update.prices[0].price, 60_000.5);
        assert!(!update.provider.contains('\u{1b}'), "{}", update.provider);
        for bad in ["", "[]", "{}", r#"{"provider":7,"prices":[]}"#, r#"{"provider":"x"}"#, &"[".repeat(100_000)] {
            assert_eq!(read(bad), None, "{bad:.40}");
        }
        let many: Vec<String> = (0..2_000).map(|n| format!(r#"{{"id":"{n}","price":1,"age":0}}"#)).collect();
        let update = read(&format!(r#"{{"provider":"x","prices":[{}]}}"#, many.join(","))).unwrap();
        assert_eq!(update.prices.len(), MAX_EVENT_PRICES);
    }
}
