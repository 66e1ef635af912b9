//! Tolerant readers of values, with warnings.
//!
//! Absent and `null` values are silently `None`, as are their substitutes (`""`, `"-"`, `"N/A"`). A value that can't be
//! read is `None`, with a warning that contains its path.

mod figure;
mod mark;
mod moment;
mod number;
mod scale;
mod texts;
mod url;
mod zone;

use std::borrow::Cow;

use super::tape::{Document, Kind, SyntaxError, Value};
use super::warning::{DecodeWarning, Subject};
use crate::client::config::TextForm;
use crate::model::{Text, UtcTime, text};

pub(super) use figure::{contains_scale, names_money};
pub(super) use mark::Mark;
pub(super) use moment::Zone;
pub(super) use scale::power_of_word;
pub(super) use url::is_url;

/// Maximum warnings per response; the rest is only counted.
pub(super) const MAX_WARNINGS: usize = 50;

/// State of decoding a response: the document (for paths) and the warnings so far.
#[derive(Debug)]
pub(super) struct Context<'d> {
    document: &'d Document<'d>,
    warnings: Vec<DecodeWarning>,
    more: usize,
    form: TextForm,
    /// Rows of the list in the body.
    rows: usize,
    /// The list has more rows than the body.
    has_more: bool,
    /// The body has pairs of several coins that may be the requested one.
    pub(super) has_several_coins: bool,
    commas: DecimalCommas,
    /// Whether a formatted number contained its scale: `5M`.
    has_scaled_numbers: bool,
    /// The zone of times that don't state theirs.
    zone: Zone,
    /// The time zone of a time that could not be read because its offsets are not known.
    unknown_zone: Option<Text>,
    /// The first time that could not be read, as warnings show it.
    unreadable_time: Option<String>,
}

/// What is known about the decimal separator of formatted numbers.
#[derive(Clone, Copy, Debug, Default)]
struct DecimalCommas {
    /// A number has a decimal comma.
    is_found: bool,
    /// A number was read whose point may separate thousands: `2.345`.
    has_read_points: bool,
}

impl<'d> Context<'d> {
    /// Creates a context without warnings.
    pub(super) fn new(document: &'d Document<'d>) -> Context<'d> {
        Context {
            document,
            warnings: Vec::new(),
            more: 0,
            form: TextForm::Clean,
            rows: 0,
            has_more: false,
            has_several_coins: false,
            commas: DecimalCommas::default(),
            has_scaled_numbers: false,
            zone: Zone::UTC,
            unknown_zone: None,
            unreadable_time: None,
        }
    }

    /// Expects numbers with decimal commas, so that `2.345` is ambiguous.
    pub(super) fn with_decimal_commas(self) -> Context<'d> {
        Context { commas: DecimalCommas { is_found: true, has_read_points: false }, ..self }
    }

    /// Whether numbers like `2.345` were read before one with a decimal comma.
    pub(super) fn has_ambiguous_points(&self) -> bool {
        self.commas.is_found && self.commas.has_read_points
    }

    /// Sets the form of text.
    pub(super) fn with_text(self, form: TextForm) -> Context<'d> {
        Context { form, ..self }
    }

    /// Returns all warnings; the last one contains the number of omitted ones.
    pub(super) fn into_warnings(mut self) -> Vec<DecodeWarning> {
        if self.more > 0 {
            self.warnings.push(DecodeWarning::of_field(format!("and {} more", self.more)));
        }
        self.warnings
    }

    /// Adds a warning about the response.
    pub(super) fn warn(&mut self, sentence: impl FnOnce() -> String) {
        self.add_warning(Subject::Response, sentence);
    }

    /// Adds a warning about prices in another currency, or values that are skipped because of theirs.
    pub(super) fn warn_of_currency(&mut self, sentence: impl FnOnce() -> String) {
        self.add_warning(Subject::Currency, sentence);
    }

    /// Adds a warning about a field or an item, which starts with its path.
    fn warn_of_field(&mut self, sentence: impl FnOnce() -> String) {
        self.add_warning(Subject::Field, sentence);
    }

    fn add_warning(&mut self, subject: Subject, sentence: impl FnOnce() -> String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(DecodeWarning { sentence: sentence(), subject });
        } else {
            self.more += 1;
        }
    }

    /// Whether a value is the whole response.
    pub(super) fn is_root(&self, value: Value<'_>) -> bool {
        self.document.root().span().is_some_and(|root| value.span() == Some(root))
    }

    /// Number of rows in the body.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the list has more rows than the body, according to the service.
    pub(super) fn has_more(&self) -> bool {
        self.has_more
    }

    /// Records that the list has more rows than the body.
    pub(super) fn note_more(&mut self) {
        self.has_more = true;
    }

    /// Counts a row of the list.
    pub(super) fn count_row(&mut self) {
        self.rows += 1;
    }

    /// Warns that a value is not of the expected kind, such as `a number`.
    pub(super) fn unreadable(&mut self, value: Value<'_>, expected: &str) {
        let document = self.document;
        self.warn_of_field(|| format!("{}: found {}, expected {expected}", document.path(value), found(value)));
    }

    /// Warns about a value, usually an item, as a whole.
    pub(super) fn warn_at(&mut self, value: Value<'_>, sentence: impl FnOnce() -> String) {
        let document = self.document;
        self.warn_of_field(|| format!("{}: {}", document.path(value), sentence()));
    }

    /// Warns that an item is invalid JSON.
    pub(super) fn invalid_json(&mut self, value: Value<'_>, error: SyntaxError) {
        let document = self.document;
        self.warn_of_field(|| format!("{}: invalid JSON, {}", document.path(value), error.describe()));
    }

    /// Reads a non-negative integer: JSON or a string, even as `212.0` or `2.12e2`.
    pub(super) fn u64(&mut self, value: Option<Value<'_>>) -> Option<u64> {
        self.integer(value, "a whole number of at least 0")
            .and_then(|(value, number)| self.checked(value, u64::try_from(number).ok(), "a whole number of at least 0"))
    }

    /// Reads an integer.
    pub(super) fn i64(&mut self, value: Option<Value<'_>>) -> Option<i64> {
        self.integer(value, "a whole number")
            .and_then(|(value, number)| self.checked(value, i64::try_from(number).ok(), "a whole number"))
    }

    /// Reads a boolean: `true`, 1, `"true"`, `"1"`, `"yes"` and their opposites.
    pub(super) fn bool(&mut self, value: Option<Value<'_>>) -> Option<bool> {
        let value = value?;
        let word = match value.kind() {
            Kind::True => return Some(true),
            Kind::False => return Some(false),
            Kind::Null => return None,
            Kind::Number => Cow::Borrowed(value.raw()),
            _ => value.str().unwrap_or_default(),
        };
        let read = match word.trim().to_ascii_lowercase().as_str() {
            "1" | "true" | "yes" | "1.0" => Some(true),
            "0" | "false" | "no" | "0.0" => Some(false),
            "" if value.str().is_some() => return None,
            _ => None,
        };
        self.checked(value, read, "true or false")
    }

    /// Reads a time: ISO 8601 (default UTC, or the zone set), RFC 2822, or a Unix time (number or string) in seconds,
    /// milliseconds, microseconds or nanoseconds, detected by magnitude: below 10^11 seconds (until the year 5138), below 10^14
    /// milliseconds. Eight digits are a date (`20261119`), 12, 14 or 17 a date and time (`20261119080000`). .NET ticks are
    /// also read. Numbers before 1990 are not times. 0 and zero dates mean "never" and are silently `None`.
    pub(super) fn time(&mut self, value: Option<Value<'_>>) -> Option<UtcTime> {
        let value = value?;
        let read = match value.number() {
            Some(digits) => match digits.parse::<f64>() {
                Ok(0.0) => return None,
                Ok(number) => self.local(digits, moment::of_digits).or_else(|| moment::of_number(number)),
                Err(_) if moment::is_never(digits) => return None,
                Err(_) => self.local(digits, moment::of_words),
            },
            None => match (value.kind(), value.str()) {
                (Kind::Null, _) => return None,
                (_, Some(words)) if is_nothing(&words) || moment::is_never(&words) => return None,
                (_, Some(words)) => self.local(&words, moment::of_words),
                _ => None,
            },
        };
        if read.is_none() && self.unreadable_time.is_none() {
            self.unreadable_time = Some(found(value));
        }
        let expected = if matches!(self.zone, Zone::Unknown(_)) { "a time in a known zone" } else { "a time" };
        self.checked(value, read, expected)
    }

    fn integer<'a>(&mut self, value: Option<Value<'a>>, expected: &str) -> Option<(Value<'a>, i128)> {
        let value = value?;
        let (kind, words) = (value.kind(), value.str());
        if kind == Kind::Null || words.as_deref().is_some_and(is_nothing) {
            return None;
        }
        let number = match value.number() {
            Some(digits) => digits.parse::<i128>().ok().or_else(|| exact_whole(digits)),
            None => words.and_then(|words| whole(figure::count(&words)?)),
        };
        self.checked(value, number, expected).map(|number| (value, number))
    }

    fn checked<T>(&mut self, value: Value<'_>, read: Option<T>, expected: &str) -> Option<T> {
        if read.is_none() {
            self.unreadable(value, expected);
        }
        read
    }
}

/// A short description of a value, safe to print.
pub(super) fn found(value: Value<'_>) -> String {
    let quoted = |text: &str| text::cut(text::clean(text), 40).into_owned();
    match value.kind() {
        Kind::Object | Kind::RawObject => "an object".to_owned(),
        Kind::Array | Kind::RawArray => "an array".to_owned(),
        Kind::Word if value.raw().is_empty() => "nothing".to_owned(),
        Kind::String | Kind::EscapedString => format!("\"{}\"", quoted(&value.str().unwrap_or_default())),
        _ => quoted(value.raw()),
    }
}

fn is_nothing(words: &str) -> bool {
    let words = words.trim();
    words.is_empty()
        || ["-", "—", "null", "none", "n/a", "na", "undefined"]
            .iter()
            .any(|nothing| words.eq_ignore_ascii_case(nothing))
}

/// Whether a number that was parsed as 0 is really 0: all digits before the exponent are 0.
fn is_zero(words: &str) -> bool {
    !words.bytes().take_while(|b| !matches!(b, b'e' | b'E')).any(|b| (b'1'..=b'9').contains(&b))
}

/// Whether a JSON number has neither a fraction nor an exponent.
fn is_whole(digits: &str) -> bool {
    digits.bytes().all(|digit| digit.is_ascii_digit() || digit == b'-')
}

/// Integers from 2^53 up are not exact as floats.
const INEXACT: f64 = 9_007_199_254_740_992.0;

fn whole(number: f64) -> Option<i128> {
    (number.fract() == 0.0 && number.abs() < INEXACT).then_some(number as i128)
}

/// Parses an integer with a point or exponent, such as `212.0`, `2.12e2` or `0E-8`, without a float.
fn exact_whole(digits: &str) -> Option<i128> {
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    if exponent.parse::<i32>().is_ok() && mantissa.parse::<f64>().is_ok() && is_zero(mantissa) {
        return Some(0);
    }
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: usize = exponent.parse().ok().filter(|exponent| *exponent <= 36)?;
    let decimals = fraction.trim_end_matches('0');
    let zeros = exponent.checked_sub(decimals.len())?;
    format!("{whole}{decimals}{}", "0".repeat(zeros)).parse().ok()
}

#[cfg(test)]
mod tests;
