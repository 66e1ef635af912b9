//! Formatted numbers.

use std::borrow::Cow;

/// Parses a formatted number: `1,234.5`, `1 234.5`, `-3.8%`, `$8.41`, `−$8.41`, `8.41 USD`, `176.6M`. A single comma
/// may be a decimal point, so `1,234` is rejected.
pub(super) fn number(words: &str) -> Option<f64> {
    read(words, false)
}

/// Parses a formatted integer, such as `1,204`.
pub(super) fn count(words: &str) -> Option<f64> {
    read(words, true)
}

fn read(words: &str, is_count: bool) -> Option<f64> {
    let (minus, words) = unsigned(words.trim());
    let words = without_currency(words);
    let (minus_behind, words) = if minus { (false, words) } else { unsigned(words) };
    let end = words.rfind(|c: char| c.is_ascii_digit() || c == '.')? + 1;
    let (figure, unit) = words.split_at_checked(end)?;
    // Rust would accept "inf", "nan" and a second sign.
    let figure =
        ungrouped(figure, is_count).filter(|figure| figure.starts_with(|c: char| c.is_ascii_digit() || c == '.'))?;
    let power = match unit.trim_start() {
        "" | "%" => 0,
        "K" | "k" => 3,
        "M" | "m" => 6,
        "B" | "b" => 9,
        "T" | "t" => 12,
        sign if sign.strip_prefix(CURRENCY_SIGNS) == Some("") => 0,
        code if (3..=5).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_uppercase()) => 0,
        _ => return None,
    };
    let number: f64 = if power == 0 { figure.parse() } else { format!("{figure}e{power}").parse() }.ok()?;
    Some(if minus || minus_behind { -number } else { number })
}

/// Currency signs before or after a number.
const CURRENCY_SIGNS: [char; 7] = ['$', '€', '£', '¥', '₿', '₩', '₹'];

/// Strips a currency prefix: `$`, `US$` or `USD `.
fn without_currency(words: &str) -> &str {
    let rest = words.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let code = words.len() - rest.len();
    match rest.strip_prefix(CURRENCY_SIGNS) {
        Some(rest) if code <= 3 => rest.trim_start(),
        None if code == 3 && rest.starts_with(' ') => rest.trim_start(),
        _ => words,
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
