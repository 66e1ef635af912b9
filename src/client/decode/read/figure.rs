//! Formatted numbers.

use std::borrow::Cow;

use super::mark::Mark;
use super::scale::power_of_word;

/// A formatted number.
#[derive(Debug)]
pub(super) struct Figure {
    pub(super) number: f64,
    /// Whether a suffix or a word multiplied it: `5M`.
    pub(super) is_scaled: bool,
    pub(super) unit: Unit,
}

/// The unit of a formatted number.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unit {
    None,
    Percent,
    Money(Mark),
}

/// Parses a formatted number: `1,234.5`, `1 234.5`, `-3.8%`, `$8.41`, `−$8.41`, `8.41 USD`, `176.6M`, `176.6 million USD`.
/// A single comma may be a decimal point, so `1,234` is rejected.
pub(super) fn number(words: &str) -> Option<Figure> {
    read(words, false)
}

/// Parses a formatted integer, such as `1,204`.
pub(super) fn count(words: &str) -> Option<f64> {
    read(words, true).filter(|figure| figure.unit == Unit::None).map(|figure| figure.number)
}

/// Whether a number contains its scale: `5M`, `$5 million`.
pub(in crate::client::decode) fn contains_scale(words: &str) -> bool {
    number(words).is_some_and(|figure| figure.is_scaled)
}

/// Whether words are an amount of money whose currency can't be a coin: `$8.41`, `2.26B USD`.
pub(in crate::client::decode) fn names_money(words: &str) -> bool {
    number(words).is_some_and(|figure| matches!(figure.unit, Unit::Money(mark) if !mark.may_be_coin()))
}

/// Whether the comma of a number that [`number`] rejects is a decimal comma (`8,41`, `71.432,05`), or its points separate
/// thousands (`1.412.000`).
pub(super) fn has_decimal_comma(words: &str) -> bool {
    let Some(digits) = digits_of(words) else { return false };
    let is_grouped = |whole: &str| {
        let mut groups = whole.split('.');
        let first = groups.next().unwrap_or_default();
        (1..=3).contains(&first.len()) && groups.all(|group| group.len() == 3)
    };
    match digits.rsplit_once(',') {
        Some((whole, _)) if whole.contains(',') => false,
        Some((whole, decimals)) if whole.contains('.') => is_grouped(whole) && !decimals.contains('.'),
        Some((whole, decimals)) => (decimals.len() != 3 || whole == "0") && !decimals.contains('.'),
        None => digits.matches('.').count() > 1 && is_grouped(digits),
    }
}

/// Whether the point of a number may separate thousands: `2.345`.
pub(super) fn may_be_thousands(words: &str) -> bool {
    let parts = digits_of(words).and_then(|digits| digits.split_once('.'));
    parts.is_some_and(|(whole, decimals)| {
        (1..=3).contains(&whole.len())
            && !whole.starts_with('0')
            && decimals.len() == 3
            && [whole, decimals].iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()))
    })
}

/// The part from the first digit to the last one, if it has only digits, points and commas.
fn digits_of(words: &str) -> Option<&str> {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = words.get(words.find(is_digit)?..=words.rfind(is_digit)?)?;
    digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).then_some(digits)
}

fn read(words: &str, is_count: bool) -> Option<Figure> {
    let (minus, words) = unsigned(words.trim());
    let (before, words) = split_currency(words);
    let (minus_behind, words) = if minus { (false, words) } else { unsigned(words) };
    let end = words.rfind(|c: char| c.is_ascii_digit() || c == '.')? + 1;
    let (figure, unit) = words.split_at_checked(end)?;
    // Rust would accept "inf", "nan" and a second sign.
    let figure =
        ungrouped(figure, is_count).filter(|figure| figure.starts_with(|c: char| c.is_ascii_digit() || c == '.'))?;
    let unit = unit.trim_start();
    let (power, unit) = split_power(unit);
    let after = after(unit)?;
    let unit = match (before, after) {
        (before, Unit::None) => before.map_or(Unit::None, Unit::Money),
        (None, after) => after,
        (before, Unit::Money(after)) => Mark::joined(before, Some(after))?.map_or(Unit::None, Unit::Money),
        (Some(_), Unit::Percent) => return None,
    };
    if power != 0 && unit == Unit::Percent {
        return None;
    }
    let number: f64 = if power == 0 { figure.parse() } else { format!("{figure}e{power}").parse() }.ok()?;
    Some(Figure { number: if minus || minus_behind { -number } else { number }, is_scaled: power != 0, unit })
}

/// Currency signs before or after a number.
const CURRENCY_SIGNS: [char; 7] = ['$', '€', '£', '¥', '₿', '₩', '₹'];

/// Splits off the currency before a number: `$`, `US$` or `USD `.
fn split_currency(words: &str) -> (Option<Mark>, &str) {
    let rest = words.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let letters = words.strip_suffix(rest).unwrap_or_default();
    let mut chars = rest.chars();
    let (mark, rest) = match chars.next() {
        Some(sign) if CURRENCY_SIGNS.contains(&sign) => (Mark::of_sign(letters, sign), chars.as_str()),
        Some(' ') if letters.len() == 3 => (Mark::of_code(letters), rest),
        _ => (None, words),
    };
    if mark.is_some() { (mark, rest.trim_start()) } else { (None, words) }
}

/// Splits off a power of ten after a number: `M`, `million USD`. Several capital letters may be a currency code, such as
/// `MLN`.
fn split_power(unit: &str) -> (i32, &str) {
    let (word, rest) = unit.split_once(' ').unwrap_or((unit, ""));
    let may_be_code = word.len() > 2 && word.bytes().all(|b| b.is_ascii_uppercase());
    match power_of_word(word).filter(|_| !may_be_code) {
        Some(power) => (power, rest.trim_start()),
        None => (0, unit),
    }
}

/// The unit after a number; `None` if it is unknown.
fn after(unit: &str) -> Option<Unit> {
    let is_code = |unit: &str| (3..=5).contains(&unit.len()) && unit.bytes().all(|b| b.is_ascii_uppercase());
    let mut chars = unit.chars();
    match chars.next() {
        None => Some(Unit::None),
        Some('%') if unit.len() == 1 => Some(Unit::Percent),
        Some(sign) if CURRENCY_SIGNS.contains(&sign) && chars.as_str().is_empty() => {
            Mark::of_sign("", sign).map(Unit::Money)
        }
        Some(_) if is_code(unit) => Mark::of_code(unit).map(Unit::Money),
        Some(_) => None,
    }
}

/// Splits off the sign; true for a minus.
fn unsigned(words: &str) -> (bool, &str) {
    match words.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest.trim_start()),
        None => (false, words.strip_prefix('+').map_or(words, str::trim_start)),
    }
}

/// Removes the separators of groups of three digits: a comma, a space, an apostrophe or `_`. A separator after the
/// point (`71.432,05`) or after a single zero (`0,123`) is ambiguous and rejected. So is a single comma, except in
/// integers.
fn ungrouped(figure: &str, is_count: bool) -> Option<Cow<'_, str>> {
    const SEPARATORS: [char; 6] = [',', ' ', '\u{a0}', '\u{202f}', '\'', '_'];
    let Some(separator) = figure.chars().find(|c| SEPARATORS.contains(c)) else { return Some(figure.into()) };
    let (whole, decimals) = figure.split_once('.').unwrap_or((figure, ""));
    let mut groups = whole.split(separator);
    let digits = |group: &str| group.bytes().all(|b| b.is_ascii_digit());
    let leads = |first: &str| (1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0');
    let grouped = !decimals.contains(separator)
        && groups.next().is_some_and(leads)
        && groups.all(|group| group.len() == 3 && digits(group));
    let is_unclear = !is_count && separator == ',' && decimals.is_empty() && figure.matches(',').count() == 1;
    (grouped && !is_unclear).then(|| figure.replace(separator, "").into())
}
