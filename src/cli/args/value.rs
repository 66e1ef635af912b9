//! Parsers of option values. Errors state what is expected; clap adds the option and the value.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::time::{Duration, TryFromFloatSecsError};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::app::screen::list::{CoinColumn, SortColumn};
use crate::config;
use crate::format::{MINUS, with_separators};
use crate::model::address::contains_extended_key;
use crate::model::{ChartStyle, Currency, Period, PostOrder, ProviderName, Tag, Text, text};
use crate::portfolio::CostMethod;
use crate::service::operation::Operation;
use crate::user_data::LotKind;

/// Why the value of an option is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ValueError {
    /// Not an expected value.
    #[error("not {0}")]
    Unexpected(&'static str),
    /// Not a whole number in a range.
    #[error("not a whole number from {} to {}", grouped(.from), grouped(.to))]
    NotWhole {
        /// The smallest valid number.
        from: u64,
        /// The largest valid number.
        to: u64,
    },
    /// A number outside a range.
    #[error("not between {0}")]
    OutOfRange(&'static str),
    /// An invalid number of seconds.
    #[error(transparent)]
    Duration(#[from] TryFromFloatSecsError),
    /// An empty name.
    #[error("must not be empty")]
    Empty,
    /// A name with more bytes than this.
    #[error("longer than {0} bytes")]
    TooLong(usize),
    /// A symbol with a comma.
    #[error("a symbol can't contain a comma; separate symbols with spaces")]
    Comma,
    /// An extended key where a coin or a ticker is expected. It may be secret, so it must not be sent to a service.
    #[error("an extended key, which is never sent to a service")]
    ExtendedKey,
}

/// A number with thousands separators.
fn grouped(number: &u64) -> String {
    with_separators(&number.to_string())
}

/// Parses one of the names of some values in any case. Completions and errors list the names.
fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let find = move |typed: String| values.iter().copied().find(|value| name(*value).eq_ignore_ascii_case(&typed));
    PossibleValuesParser::new(values.iter().map(|value| name(*value)))
        .try_map(move |typed| find(typed).ok_or("unknown name"))
}

pub(super) fn tag() -> impl TypedValueParser<Value = Tag> {
    one_of(&Tag::ALL, Tag::as_str)
}

/// Parses a column of coins by its name in the configuration.
pub(super) fn sort_column() -> impl TypedValueParser<Value = SortColumn> {
    one_of(&SortColumn::ALL, |column| CoinColumn::of_sort(column).map_or(column.title(), CoinColumn::as_str))
}

pub(super) fn post_order() -> impl TypedValueParser<Value = PostOrder> {
    one_of(&[PostOrder::Top, PostOrder::Latest], PostOrder::as_str)
}

pub(super) fn lot_kind() -> impl TypedValueParser<Value = LotKind> {
    one_of(&LotKind::ALL, LotKind::as_str)
}

pub(super) fn cost_method() -> impl TypedValueParser<Value = CostMethod> {
    one_of(&CostMethod::ALL, CostMethod::as_str)
}

pub(super) fn period() -> impl TypedValueParser<Value = Period> {
    one_of(&Period::ALL, Period::as_str)
}

pub(super) fn chart_style() -> impl TypedValueParser<Value = ChartStyle> {
    one_of(&ChartStyle::ALL, ChartStyle::as_str)
}

pub(super) fn lot_id(text: &str) -> Result<i64, ValueError> {
    text.parse().ok().filter(|id| *id > 0).ok_or(ValueError::Unexpected("the ID of a lot, such as 3"))
}

/// Parses the ID of a lot, or a range of IDs.
pub(super) fn lot_ids(text: &str) -> Result<RangeInclusive<i64>, ValueError> {
    ids(text).ok_or(ValueError::Unexpected("a lot ID or a range such as 3-8"))
}

/// Parses the ID of an alert, or a range of IDs.
pub(super) fn alert_ids(text: &str) -> Result<RangeInclusive<i64>, ValueError> {
    ids(text).ok_or(ValueError::Unexpected("an alert ID or a range such as 3-8"))
}

/// Parses an ID or a range of IDs, all above 0.
fn ids(text: &str) -> Option<RangeInclusive<i64>> {
    let id = |text: &str| text.parse().ok().filter(|id| *id > 0);
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (id(first)?, id(last)?);
    (first <= last).then_some(first..=last)
}

pub(super) fn alert_id(text: &str) -> Result<i64, ValueError> {
    text.parse().ok().filter(|id| *id > 0).ok_or(ValueError::Unexpected("the ID of an alert, such as 3"))
}

pub(super) fn currency(text: &str) -> Result<Currency, ValueError> {
    if text.eq_ignore_ascii_case("SATS") {
        return Err(ValueError::Unexpected("a currency code (the currency is SAT; SATS is a token)"));
    }
    // A mistyped code would never have a rate.
    Currency::parse(text).filter(Currency::exists).ok_or(ValueError::Unexpected("a currency code such as EUR"))
}

/// Parses the name of a real provider.
pub(super) fn provider() -> impl TypedValueParser<Value = ProviderName> {
    let names = ProviderName::ALL.into_iter().filter(|name| *name != ProviderName::Demo).map(ProviderName::as_str);
    PossibleValuesParser::new(names).try_map(|name| ProviderName::parse(&name).ok_or("unknown provider"))
}

/// Parses the name of an operation.
pub(super) fn operation() -> impl TypedValueParser<Value = Operation> {
    let value = |operation: Operation| PossibleValue::new(operation.as_str()).help(operation.title());
    PossibleValuesParser::new(Operation::ALL.map(value))
        .try_map(|name| Operation::parse(&name).ok_or("unknown operation"))
}

pub(super) fn interval(text: &str) -> Result<Text, ValueError> {
    config::interval(text).ok_or(ValueError::Unexpected("an interval such as 5m, 1h or 1d"))
}

/// Maximum position of a row. Services use signed numbers of 32 bits.
const MAX_POSITION: u32 = i32::MAX.cast_unsigned();

/// Parses the position of a row, counting from 1.
pub(super) fn position(text: &str) -> Result<u32, ValueError> {
    let position = text.parse().ok().filter(|position| (1..=MAX_POSITION).contains(position));
    position.ok_or(ValueError::NotWhole { from: 1, to: MAX_POSITION.into() })
}

/// Parses a number of rows to skip.
pub(super) fn offset(text: &str) -> Result<u64, ValueError> {
    at_most(MAX_POSITION.into(), text)
}

/// Parses a count of at least 1.
pub(super) fn count(text: &str) -> Result<u32, ValueError> {
    text.parse().ok().filter(|count| *count > 0).ok_or(ValueError::NotWhole { from: 1, to: u32::MAX.into() })
}

/// Parses a number of points of at least 1. The maximum depends on the service.
pub(super) fn points(text: &str) -> Result<u32, ValueError> {
    text.parse().ok().filter(|count| *count > 0).ok_or(ValueError::Unexpected("a whole number from 1 to 10,000"))
}

/// Parses a block height of at least 1; indexers treat 0 as unset.
pub(super) fn height(text: &str) -> Result<u64, ValueError> {
    block(text).ok().filter(|height| *height > 0).ok_or(ValueError::Unexpected("a whole number of at least 1"))
}

/// Parses a block height, with or without thousands separators.
pub(super) fn block(text: &str) -> Result<u64, ValueError> {
    unsigned(&text::ungrouped(text))
}

pub(super) fn unsigned(text: &str) -> Result<u64, ValueError> {
    text.parse().map_err(|_| ValueError::Unexpected("a whole number of at least 0"))
}

/// Parses a limit of at least 1: to set no limit, omit the option; 0 could be read as "allow none".
pub(super) fn limit(text: &str) -> Result<NonZeroU32, ValueError> {
    text.parse().map_err(|_| ValueError::NotWhole { from: 1, to: u32::MAX.into() })
}

/// Maximum delay of a response in milliseconds: an hour.
const MAX_DELAY: u64 = 3_600_000;

pub(super) fn delay(text: &str) -> Result<u64, ValueError> {
    at_most(MAX_DELAY, text)
}

/// Maximum `max-age` of a response in seconds: a year, which caches treat as forever.
const MAX_AGE: u64 = 31_536_000;

pub(super) fn max_age(text: &str) -> Result<u64, ValueError> {
    at_most(MAX_AGE, text)
}

fn at_most(max: u64, text: &str) -> Result<u64, ValueError> {
    text.parse().ok().filter(|number| *number <= max).ok_or(ValueError::NotWhole { from: 0, to: max })
}

pub(super) fn seconds(text: &str) -> Result<f64, ValueError> {
    text.parse().map_err(|_| ValueError::Unexpected("a number of seconds"))
}

/// Units of a duration in seconds.
const UNITS: [(char, f64); 4] = [('s', 1.0), ('m', 60.0), ('h', 3_600.0), ('d', 86_400.0)];

/// Parses a duration from a second to a year: `90` seconds, `30m`, `1h`.
pub(super) fn duration(text: &str) -> Result<Duration, ValueError> {
    let with_unit = UNITS.into_iter().find_map(|(name, unit)| Some((text.strip_suffix(name)?, unit)));
    let (number, unit) = with_unit.unwrap_or((text, 1.0));
    let number: f64 =
        number.parse().map_err(|_| ValueError::Unexpected("a duration such as 90 (seconds), 30m or 1h"))?;
    let seconds = number * unit;
    if (1.0..=31_536_000.0).contains(&seconds) {
        Ok(Duration::try_from_secs_f64(seconds)?)
    } else {
        Err(ValueError::OutOfRange("1s and 365d"))
    }
}

/// Parses an address with a port. `localhost` is 127.0.0.1, without a lookup.
pub(super) fn listen(text: &str) -> Result<SocketAddr, ValueError> {
    let local = text.strip_prefix("localhost:").map(|port| format!("{}:{port}", Ipv4Addr::LOCALHOST));
    local
        .as_deref()
        .unwrap_or(text)
        .parse()
        .map_err(|_| ValueError::Unexpected("an address with a port, such as 127.0.0.1:8787 or [::1]:0"))
}

pub(super) fn share(text: &str) -> Result<f64, ValueError> {
    let share: f64 = text.parse().map_err(|_| ValueError::Unexpected("a number"))?;
    if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(ValueError::OutOfRange("0 and 1")) }
}

/// Maximum length of a name. A longer one is a paste mistake.
const MAX_WORD_BYTES: usize = 256;

pub(super) fn word(text: &str) -> Result<Text, ValueError> {
    if text.is_empty() {
        return Err(ValueError::Empty);
    }
    if text.len() > MAX_WORD_BYTES {
        return Err(ValueError::TooLong(MAX_WORD_BYTES));
    }
    Ok(Text::from(text))
}

/// Parses a slug, a symbol or a ticker.
pub(super) fn name(text: &str) -> Result<Text, ValueError> {
    if contains_extended_key(text) { Err(ValueError::ExtendedKey) } else { word(text) }
}

/// A word of a note. A negative percentage has its hyphen again, which parsing the command line replaces.
pub(super) fn note(text: &str) -> Result<String, ValueError> {
    Ok(match text.strip_prefix(MINUS).filter(|number| number.ends_with('%')) {
        Some(number) => format!("-{number}"),
        None => text.to_owned(),
    })
}

/// Parses the name of an environment variable.
pub(super) fn variable(text: &str) -> Result<String, ValueError> {
    if text.is_empty() { Err(ValueError::Empty) } else { Ok(text.to_owned()) }
}

pub(super) fn symbol(text: &str) -> Result<Text, ValueError> {
    if text.contains(',') {
        return Err(ValueError::Comma);
    }
    name(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listening_address_has_a_port_and_may_be_localhost() {
        for (text, address) in [
            ("127.0.0.1:8787", Some("127.0.0.1:8787")),
            ("localhost:0", Some("127.0.0.1:0")),
            ("[::1]:80", Some("[::1]:80")),
            ("localhost", None),
            ("localhost:http", None),
            ("example.com:80", None),
        ] {
            assert_eq!(listen(text).ok().map(|address| address.to_string()).as_deref(), address, "{text}");
        }
    }

    #[test]
    fn duration_is_in_seconds_or_has_a_unit() {
        for (text, seconds) in [("90", 90), ("2s", 2), ("1.5m", 90), ("1h", 3_600), ("7d", 604_800)] {
            assert_eq!(duration(text).ok(), Some(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "h", "1 h", "nan", "infd", "0", "-1h", "366d"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
