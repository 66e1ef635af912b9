//! The exchanges' protocols for price streams. Prices are in USDT.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::model::{DayRange, ProviderName, UtcTime, text};
use crate::service::providers::coin_ref::{CoinRef, Listing};
use crate::service::upstream::error::{ErrorClass, SourceError};

/// An exchange that streams prices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service::gateway) enum Exchange {
    /// Binance's market-data host.
    Binance,
    /// OKX.
    Okx,
}

/// The meaning of a message.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::service::gateway) enum Reading {
    /// The last price of a symbol, its time, if it is readable, and its range in 24 hours.
    Price { symbol: String, price: f64, time: Option<UtcTime>, range: Option<DayRange> },
    /// A response to one of our requests, or another message that can be ignored.
    Control,
    /// The exchange is about to close the socket.
    Closing,
    /// The exchange rejects our requests.
    Failed(SourceError),
    /// Not of the protocol.
    Unreadable,
}

impl Exchange {
    /// The exchange of a provider.
    pub(in crate::service::gateway) fn of(name: ProviderName) -> Option<Exchange> {
        match name {
            ProviderName::Binance => Some(Exchange::Binance),
            ProviderName::Okx => Some(Exchange::Okx),
            _ => None,
        }
    }

    /// The provider.
    pub(in crate::service::gateway) fn name(self) -> ProviderName {
        match self {
            Exchange::Binance => ProviderName::Binance,
            Exchange::Okx => ProviderName::Okx,
        }
    }

    /// The symbol that trades several times a second.
    pub(in crate::service::gateway) fn busiest_symbol(self) -> &'static str {
        match self {
            Exchange::Binance => "BTCUSDT",
            Exchange::Okx => "BTC-USDT",
        }
    }

    /// The coin's listing, if its symbol can't be mistaken for another part of a message.
    pub(in crate::service::gateway) fn listing(self, coin: &CoinRef) -> Option<&Listing> {
        let is_plain = |symbol: &str| {
            !symbol.is_empty() && symbol.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        coin.listing(self.name())
            .filter(|listing| is_plain(&listing.symbol) && listing.factor.is_finite() && listing.factor > 0.0)
    }

    /// The URL of a socket that is subscribed to these symbols, if [`Exchange::subscribes_by_url`].
    pub(in crate::service::gateway) fn url(self, base: &str, symbols: &[&str]) -> String {
        let base = base.trim_end_matches('/');
        match self {
            Exchange::Binance => {
                let base = base.strip_suffix("/stream").unwrap_or(base);
                let streams: Vec<String> = symbols.iter().map(|symbol| mini_ticker(symbol)).collect();
                format!("{base}/stream?streams={}", streams.join("/"))
            }
            Exchange::Okx => base.to_owned(),
        }
    }

    /// Whether the first symbols are subscribed to with the URL.
    pub(in crate::service::gateway) fn subscribes_by_url(self) -> bool {
        self == Exchange::Binance
    }

    /// Maximum symbols in the URL or in a message: Binance limits the length of both.
    pub(in crate::service::gateway) fn max_symbols(self) -> usize {
        match self {
            Exchange::Binance => 150,
            Exchange::Okx => usize::MAX,
        }
    }

    /// Minimum time between two messages that subscribe or unsubscribe. Binance allows 5 messages a second, OKX 480
    /// such requests an hour.
    pub(in crate::service::gateway) fn min_gap(self) -> Duration {
        match self {
            Exchange::Binance => Duration::from_millis(500),
            Exchange::Okx => Duration::from_secs(8),
        }
    }

    /// A message that subscribes to symbols, or unsubscribes.
    pub(in crate::service::gateway) fn request(self, subscribe: bool, symbols: &[&str], number: u64) -> String {
        match self {
            Exchange::Binance => {
                let method = if subscribe { "SUBSCRIBE" } else { "UNSUBSCRIBE" };
                let params: Vec<String> = symbols.iter().map(|symbol| mini_ticker(symbol)).collect();
                json!({ "method": method, "params": params, "id": number }).to_string()
            }
            Exchange::Okx => {
                let op = if subscribe { "subscribe" } else { "unsubscribe" };
                let args: Vec<Value> =
                    symbols.iter().map(|symbol| json!({ "channel": "tickers", "instId": symbol })).collect();
                json!({ "op": op, "args": args }).to_string()
            }
        }
    }

    /// The text message that replaces a ping, if the exchange has one.
    pub(in crate::service::gateway) fn ping(self) -> Option<&'static str> {
        (self == Exchange::Okx).then_some("ping")
    }

    /// Reads a message.
    pub(in crate::service::gateway) fn read(self, text: &str) -> Reading {
        if text == "pong" {
            return Reading::Control;
        }
        let Ok(Value::Object(message)) = serde_json::from_str(text) else { return Reading::Unreadable };
        match self {
            Exchange::Binance => {
                let data = message.get("data").and_then(Value::as_object).unwrap_or(&message);
                match data.get("e").and_then(Value::as_str) {
                    Some("24hrMiniTicker") => price_of(data, ["s", "c", "E", "l", "h"]),
                    Some("serverShutdown") => Reading::Closing,
                    Some(_) => Reading::Control,
                    None if message.contains_key("result") => Reading::Control,
                    None => match message.get("error").unwrap_or(&Value::Null).get("msg").or(message.get("msg")) {
                        Some(reason) => Reading::Failed(rejected(reason)),
                        None => Reading::Unreadable,
                    },
                }
            }
            Exchange::Okx => match message.get("event").and_then(Value::as_str) {
                Some("error") => match message.get("code").and_then(Value::as_str) {
                    // Too many requests.
                    Some("60014") => Reading::Failed(SourceError::new(ErrorClass::RateLimited(None), "Rate-limited")),
                    // An unknown symbol; the others are subscribed to.
                    Some("60018") => Reading::Control,
                    _ => Reading::Failed(rejected(message.get("msg").unwrap_or(&Value::Null))),
                },
                Some("notice") => Reading::Closing,
                Some(_) => Reading::Control,
                None => match message.get("data").and_then(Value::as_array).and_then(|rows| rows.last()) {
                    Some(Value::Object(row)) => price_of(row, ["instId", "last", "ts", "low24h", "high24h"]),
                    _ => Reading::Unreadable,
                },
            },
        }
    }
}

fn mini_ticker(symbol: &str) -> String {
    format!("{}@miniTicker", symbol.to_ascii_lowercase())
}

/// Reads the price of a ticker whose symbol, price, time, low and high have these names.
fn price_of(ticker: &Map<String, Value>, [symbol, price, time, low, high]: [&str; 5]) -> Reading {
    let number = |name: &str| {
        let value = ticker.get(name)?;
        value.as_f64().or_else(|| value.as_str()?.parse().ok())
    };
    let millis = ticker.get(time).and_then(|time| time.as_i64().or_else(|| time.as_str()?.parse().ok()));
    let time = millis.map(UtcTime::from_millis);
    match (
        ticker.get(symbol).and_then(Value::as_str),
        number(price).filter(|price: &f64| price.is_finite() && *price > 0.0),
    ) {
        (Some(symbol), Some(price)) => {
            let range = DayRange::of(price, number(low), number(high));
            Reading::Price { symbol: symbol.to_ascii_uppercase(), price, time, range }
        }
        _ => Reading::Unreadable,
    }
}

fn rejected(reason: &Value) -> SourceError {
    let reason = reason.as_str().unwrap_or_default();
    let reason = text::cut(text::clean(reason), 120).into_owned();
    SourceError::new(ErrorClass::UnexpectedFormat, format!("Subscription rejected ({reason})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::gateway::LiveSettings;
    use crate::service::operation::Operation;
    use crate::service::providers;
    use crate::service::time_source::TimeSource;
    use crate::service::upstream::budget::Shared;
    use crate::service::upstream::usage::UsageTracker;

    /// Otherwise, the gateway would not use it, without an error.
    #[test]
    fn every_provider_of_live_prices_has_a_protocol_and_listings() {
        let settings = LiveSettings::default();
        let usage = UsageTracker::new(settings.store.clone());
        let shared = Shared::new(usage, TimeSource::fixed(UtcTime::from_secs(0)), settings.start_gap);
        let all = providers::all(|name| settings.provider(name), &shared);
        let streaming = all.iter().filter(|provider| provider.operations.contains(&Operation::Ticker));
        let names: Vec<ProviderName> = streaming.map(|provider| provider.name).collect();
        assert!(!names.is_empty());
        for name in names {
            assert_eq!(Exchange::of(name).map(Exchange::name), Some(name));
            assert!(providers::with_listings().any(|exchange| exchange == name), "{name}");
        }
    }

    #[test]
    fn binance_messages_are_read() {
        let read = |text: &str| Exchange::Binance.read(text);
        let time = Some(UtcTime::from_millis(1_795_075_261_000));
        let range = Some(DayRange { low: 8.196, high: 8.912 });
        let price = Reading::Price { symbol: String::from("ORDIUSDT"), price: 8.411, time, range };
        let data = r#"{"e":"24hrMiniTicker","E":1795075261000,"s":"ORDIUSDT","c":"8.411","o":"8.742","h":"8.912","l":"8.196"}"#;
        assert_eq!(read(&format!(r#"{{"stream":"ordiusdt@miniTicker","data":{data}}}"#)), price);
        assert_eq!(read(data), price, "without the wrapper of combined streams");
        assert_eq!(read(&data.replace(r#""8.411""#, "8.411")), price, "a number");
        let timeless = Reading::Price { symbol: String::from("ORDIUSDT"), price: 8.411, time: None, range: None };
        assert_eq!(read(r#"{"e":"24hrMiniTicker","E":null,"s":"ORDIUSDT","c":"8.411"}"#), timeless);
        assert_eq!(read(r#"{"result":null,"id":1}"#), Reading::Control);
        assert_eq!(read(r#"{"e":"serverShutdown","E":1795075261000}"#), Reading::Closing);
        assert!(matches!(read(r#"{"error":{"code":2,"msg":"Invalid request"},"id":1}"#), Reading::Failed(_)));
        for bad in [
            "",
            "[]",
            "nonsense",
            "{}",
            r#"{"data":{"e":"24hrMiniTicker","s":"ORDIUSDT","c":"NaN"}}"#,
            r#"{"data":{"e":"24hrMiniTicker","s":"ORDIUSDT","c":"-1"}}"#,
            r#"{"data":{"e":"24hrMiniTicker","s":"ORDIUSDT","c":"1e999"}}"#,
            r#"{"data":{"e":"24hrMiniTicker","s":7,"c":"1"}}"#,
            &"[".repeat(100_000),
        ] {
            assert_eq!(read(bad), Reading::Unreadable, "{bad:.80}");
        }
    }

    #[test]
    fn okx_messages_are_read() {
        let read = |text: &str| Exchange::Okx.read(text);
        let price = r#"{"arg":{"channel":"tickers","instId":"SATS-USDT"},"data":[{"instId":"SATS-USDT","last":"0.00000012","ts":"1","high24h":"0.00000013","low24h":"0.00000011"}]}"#;
        let (symbol, time) = (String::from("SATS-USDT"), Some(UtcTime::from_millis(1)));
        let range = Some(DayRange { low: 0.000_000_11, high: 0.000_000_13 });
        assert_eq!(read(price), Reading::Price { symbol, price: 0.000_000_12, time, range });
        assert_eq!(read("pong"), Reading::Control);
        assert_eq!(read(r#"{"event":"subscribe","arg":{"channel":"tickers","instId":"BTC-USDT"}}"#), Reading::Control);
        assert_eq!(read(r#"{"event":"error","code":"60018","msg":"doesn't exist"}"#), Reading::Control);
        assert_eq!(read(r#"{"event":"notice","code":"64008","msg":"upgrade"}"#), Reading::Closing);
        assert!(matches!(
            read(r#"{"event":"error","code":"60014","msg":"Requests too frequent"}"#),
            Reading::Failed(SourceError { class: ErrorClass::RateLimited(None), .. })
        ));
        for failed in [r#"{"event":"error","code":"60012","msg":"Illegal request"}"#, r#"{"event":"error"}"#] {
            assert!(matches!(read(failed), Reading::Failed(SourceError { class: ErrorClass::UnexpectedFormat, .. })));
        }
        assert_eq!(read(r#"{"data":[]}"#), Reading::Unreadable);
    }

    #[test]
    fn binance_url_contains_the_first_symbols() {
        let url = "wss://example.com/stream?streams=ordiusdt@miniTicker/1000satsusdt@miniTicker";
        for base in ["wss://example.com", "wss://example.com/", "wss://example.com/stream"] {
            assert_eq!(Exchange::Binance.url(base, &["ORDIUSDT", "1000SATSUSDT"]), url);
        }
    }
}
