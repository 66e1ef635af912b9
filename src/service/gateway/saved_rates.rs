//! The last exchange rates, in the cache directory: one request a day is enough, even for commands, which end soon.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::cache_file;
use crate::model::{Currency, ProviderName, Text, UtcTime};
use crate::service::providers::source::Rates;

/// The file of the rates of the first provider that answers, or of one that has a currency which the first one lacks.
fn file(only: Option<ProviderName>) -> String {
    only.map_or_else(|| String::from("exchange-rates.json"), |name| format!("exchange-rates-{name}.json"))
}

/// Version of its format. Other versions are ignored.
const VERSION: u32 = 1;

/// Maximum age of the rates. Older ones are requested again before they are used.
const MAX_AGE: Duration = Duration::from_hours(24);

/// Maximum bytes of the file.
const MAX_BYTES: u64 = 64 * 1024;

#[derive(Serialize, Deserialize)]
struct Contents {
    version: u32,
    provider: Text,
    /// The server, as a checksum of the URL.
    server: u32,
    /// When they were fetched.
    at: UtcTime,
    day: Option<Date>,
    per_dollar: BTreeMap<Text, f64>,
}

/// Rates, with their provider and when they were fetched.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SavedRates {
    pub(super) provider: ProviderName,
    /// The server, as a checksum of the URL.
    pub(super) server: u32,
    pub(super) at: UtcTime,
    pub(super) rates: Rates,
}

/// Reads the rates; `None` if there are none, or if they are too old.
pub(super) fn read(directory: &Path, only: Option<ProviderName>, now: UtcTime) -> Option<SavedRates> {
    read_any(directory, only).filter(|saved| saved.at <= now && now.since(saved.at) < MAX_AGE)
}

/// Reads the rates, even if they are too old.
fn read_any(directory: &Path, only: Option<ProviderName>) -> Option<SavedRates> {
    let bytes = cache_file::read(directory, &file(only), MAX_BYTES)?;
    let Contents { version, provider, server, at, day, per_dollar } = serde_json::from_slice(&bytes).ok()?;
    let provider = ProviderName::parse(&provider).filter(|_| version == VERSION)?;
    let is_rate = |rate: &f64| rate.is_finite() && *rate > 0.0;
    let rates = per_dollar.into_iter().filter(|(_, rate)| is_rate(rate));
    let per_dollar = rates.filter_map(|(code, rate)| Some((Currency::parse(&code)?, rate))).collect();
    Some(SavedRates { provider, server, at, rates: Rates { per_dollar, day } })
}

/// Replaces the file atomically. Rounded rates don't replace more precise ones of the same day.
pub(super) fn write(
    directory: &Path,
    only: Option<ProviderName>,
    saved: &SavedRates,
    is_rounded: impl Fn(f64) -> bool,
) -> io::Result<()> {
    let SavedRates { provider, server, at, rates: Rates { per_dollar, day } } = saved;
    let before = read_any(directory, only).filter(|before| {
        (before.provider, before.server, before.rates.day) == (*provider, *server, *day) && day.is_some()
    });
    let precise = |code: &Currency| {
        let rate = before.as_ref()?.rates.per_dollar.get(code).copied();
        rate.filter(|rate| !is_rounded(*rate))
    };
    let most_precise = |code: &Currency, rate: f64| if is_rounded(rate) { precise(code).unwrap_or(rate) } else { rate };
    let per_dollar =
        per_dollar.iter().map(|(code, rate)| (Text::from(code.as_str()), most_precise(code, *rate))).collect();
    let provider = Text::const_new(provider.as_str());
    let contents = Contents { version: VERSION, provider, server: *server, at: *at, day: *day, per_dollar };
    cache_file::replace(directory, &file(only), &serde_json::to_vec(&contents)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_kept_for_a_day() {
        let directory = tempfile::tempdir().unwrap();
        let cache = directory.path().join("cache");
        let at = UtcTime::from_secs(1_795_248_000);
        assert_eq!(read(&cache, None, at), None);
        let rates = |rate| Rates {
            per_dollar: [(Currency::parse("EUR").unwrap(), rate)].into(),
            day: Some(jiff::civil::date(2026, 11, 20)),
        };
        let saved = |rate| SavedRates { provider: ProviderName::Ecb, server: 7, at, rates: rates(rate) };
        let write = |only, saved: &SavedRates| write(&cache, only, saved, |_| false).unwrap();
        write(None, &saved(0.5));
        write(None, &saved(0.8731));
        assert_eq!(read(&cache, None, at), Some(saved(0.8731)));
        let only = Some(ProviderName::Ecb);
        assert_eq!(read(&cache, only, at), None);
        write(only, &saved(0.6));
        assert_eq!((read(&cache, only, at), read(&cache, None, at)), (Some(saved(0.6)), Some(saved(0.8731))));
        assert_eq!(read(&cache, None, at.plus(MAX_AGE / 2)), Some(saved(0.8731)));
        assert_eq!(read(&cache, None, at.plus(MAX_AGE)), None);
        assert_eq!(read(&cache, None, at.minus(Duration::from_secs(1))), None, "the clock was wrong");
        for text in ["", "{", "[]", r#"{"version":1,"provider":"ecb"}"#, "\u{0}"] {
            cache_file::replace(&cache, &file(None), text.as_bytes()).unwrap();
            assert_eq!(read(&cache, None, at), None, "{text}");
        }
    }

    #[test]
    fn rounded_rates_leave_precise_ones_of_the_same_day() {
        let directory = tempfile::tempdir().unwrap();
        let at = UtcTime::from_secs(1_795_248_000);
        let saved = |server, day, rates: [f64; 2]| SavedRates {
            provider: ProviderName::Frankfurter,
            server,
            at,
            rates: Rates {
                per_dollar: ["XAU", "XPT"].map(|code| Currency::parse(code).unwrap()).into_iter().zip(rates).collect(),
                day,
            },
        };
        let day = |day| Some(jiff::civil::date(2026, 11, day));
        let (precise, rounded) = (0.000_245_023, 0.00025);
        let is_rounded = |rate| rate == rounded;
        for (server, of, expected) in [
            (7, day(20), [precise, 0.0006]),
            (7, day(21), [rounded, 0.0006]),
            (8, day(20), [rounded, 0.0006]),
            (7, None, [rounded, 0.0006]),
        ] {
            write(directory.path(), None, &saved(7, day(20), [precise, 0.0005]), is_rounded).unwrap();
            write(directory.path(), None, &saved(server, of, [rounded, 0.0006]), is_rounded).unwrap();
            assert_eq!(read(directory.path(), None, at), Some(saved(server, of, expected)));
        }
    }
}
