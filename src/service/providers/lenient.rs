//! Tolerant parsing: rows of a list one by one, and the codes and messages of errors.

mod bounded;

use serde::de::{DeserializeOwned, Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

pub(super) use self::bounded::{Bounded, BoundedMap, count_rows};
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::warnings::Warnings;

/// A row that is read later, so that one unreadable row, or a number that is too large, doesn't hide the others.
pub(super) type RawRow = Box<RawValue>;

/// Rows that are read later.
pub(super) type Rows = Bounded<RawRow>;

/// The readable rows. The others are reported as `what`, in the singular.
pub(super) fn readable<T: DeserializeOwned>(rows: &[RawRow], what: &str, warnings: &Warnings) -> Vec<T> {
    let read: Vec<T> = rows.iter().filter_map(|row| serde_json::from_str(row.get()).ok()).collect();
    warnings.record(rows.len() - read.len(), what, None);
    read
}

/// A response with at most this many rows, none of them readable, isn't mistaken for a change of the provider's format.
const MAX_UNREADABLE: usize = 2;

/// The readable rows, like [`readable`].
///
/// # Errors
/// There are rows, but none is readable ([`none_readable`]).
pub(super) fn readable_rows<T: DeserializeOwned>(
    rows: &[RawRow],
    what: &str,
    warnings: &Warnings,
) -> SourceResult<Vec<T>> {
    let read = readable(rows, what, warnings);
    if read.is_empty() && !rows.is_empty() { Err(none_readable(rows.len(), what)) } else { Ok(read) }
}

/// The error when none of `rows` rows is readable: with many rows, the provider has changed its format. With a few,
/// only one item may be wrong.
pub(super) fn none_readable(rows: usize, what: &str) -> SourceError {
    match rows {
        ..=MAX_UNREADABLE => SourceError::new(ErrorClass::Empty, format!("No readable {what} in the response")),
        _ => SourceError::unexpected_format(format!("no readable {what}")),
    }
}

/// A whole number, which may be text; `None` for anything else.
pub(super) fn code<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Code {
        Number(i64),
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match Code::deserialize(deserializer)? {
        Code::Number(number) => Some(number),
        Code::Text(text) => text.trim().parse().ok(),
        Code::Other(_) => None,
    })
}

/// A whole number of at least 0, which may be text; `None` for anything else.
pub(super) fn optional_count<'de, T: TryFrom<i64>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Ok(code(deserializer)?.filter(|number| *number >= 0).and_then(|number| T::try_from(number).ok()))
}

/// A whole number of at least 0, which may be text.
pub(super) fn count<'de, T: TryFrom<i64>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    optional_count(deserializer)?.ok_or_else(|| D::Error::custom("expected a whole number"))
}

/// A finite number, which may be text; `None` for `null`.
pub(super) fn optional_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let raw = RawRow::deserialize(deserializer)?;
    let number = raw.get().trim_matches('"').trim().parse().ok().filter(|number: &f64| number.is_finite());
    match number {
        None if raw.get() != "null" => Err(D::Error::custom("expected a number")),
        number => Ok(number),
    }
}

/// A finite number, which may be text.
pub(super) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    optional_number(deserializer)?.ok_or_else(|| D::Error::custom("expected a number"))
}

/// The code and the message of an error, as several exchanges send them.
#[derive(Deserialize)]
pub(super) struct CodedError {
    #[serde(default, deserialize_with = "code")]
    pub(super) code: Option<i64>,
    #[serde(default, deserialize_with = "message")]
    pub(super) msg: Option<String>,
}

/// A string; `None` for anything else.
pub(super) fn message<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Message {
        Text(String),
        Other(IgnoredAny),
    }
    Ok(match Message::deserialize(deserializer)? {
        Message::Text(text) => Some(text),
        Message::Other(_) => None,
    })
}

/// A value; `None` for an unreadable one, such as a number that is too large.
pub(super) fn or_none<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = RawRow::deserialize(deserializer)?;
    Ok(serde_json::from_str(value.get()).ok())
}

/// A value, or its default instead of `null`, which servers written in Go send for an empty list.
pub(super) fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::upstream::error::ErrorClass;

    #[test]
    fn unreadable_rows_are_skipped_and_reported() {
        let rows: Vec<RawRow> = serde_json::from_str(r#"[1.5, "x", 1e400, null, {}, -2]"#).unwrap();
        let warnings = Warnings::default();
        assert_eq!(readable::<f64>(&rows, "rate", &warnings), [1.5, -2.0]);
        assert_eq!(warnings.sentence().unwrap(), "Skipped 4 unreadable rates");
        assert_eq!(readable_rows::<f64>(&rows, "rate", &warnings).unwrap(), [1.5, -2.0]);
        assert!(readable_rows::<f64>(&[], "rate", &warnings).unwrap().is_empty());
        assert_eq!(readable_rows::<u8>(&rows, "rate", &warnings).unwrap_err().class, ErrorClass::UnexpectedFormat);
    }

    #[test]
    fn numbers_may_be_strings() {
        #[derive(Deserialize)]
        struct Numbers {
            #[serde(default, deserialize_with = "optional_count")]
            optional_count: Option<u32>,
            #[serde(default, deserialize_with = "optional_number")]
            optional_number: Option<f64>,
            #[serde(deserialize_with = "count")]
            count: u64,
            #[serde(deserialize_with = "number")]
            number: f64,
        }
        let read = |optional_count: &str, optional_number: &str, count: &str, number: &str| {
            let text = format!(
                r#"{{"optional_count":{optional_count},"optional_number":{optional_number},"count":{count},"number":{number}}}"#
            );
            let Numbers { optional_count, optional_number, count, number } = serde_json::from_str(&text).ok()?;
            Some((optional_count, optional_number, count, number))
        };
        assert_eq!(read("7", "8.5", "1", "-2"), Some((Some(7), Some(8.5), 1, -2.0)));
        assert_eq!(read("\"7\"", "\"8.5\"", "\"1\"", "\"-2\""), Some((Some(7), Some(8.5), 1, -2.0)));
        assert_eq!(read("-7", "null", "1", "-2"), Some((None, None, 1, -2.0)));
        for count in ["5000000000", "null", "{}", "\"x\""] {
            assert_eq!(read(count, "0", "1", "0"), Some((None, Some(0.0), 1, 0.0)), "{count}");
        }
        for number in ["1e400", "\"NaN\"", "[8.5]", "\"\""] {
            assert_eq!((read("1", number, "1", "1"), read("1", "1", "1", number)), (None, None), "{number}");
        }
        for count in ["null", "-1", "1.5", "{}"] {
            assert_eq!(read("1", "1", count, "1"), None, "{count}");
        }
    }

    #[test]
    fn codes_and_messages_have_any_type() {
        #[derive(Debug, Deserialize, PartialEq)]
        struct Fault {
            #[serde(default, deserialize_with = "code")]
            code: Option<i64>,
            #[serde(default, deserialize_with = "message")]
            msg: Option<String>,
        }
        let fault = |text: &str| {
            let Fault { code, msg } = serde_json::from_str(text).unwrap();
            (code, msg)
        };
        assert_eq!(fault(r#"{"code":-2003,"msg":"x"}"#), (Some(-2003), Some(String::from("x"))));
        assert_eq!(fault(r#"{"code":" 429 ","msg":{"en":"x"}}"#), (Some(429), None));
        assert_eq!(fault(r#"{"code":null,"msg":7}"#), (None, None));
        assert_eq!(fault("{}"), (None, None));
    }
}
