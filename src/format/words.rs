//! Measures, cuts and wraps text by its display width.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::amount::Count;
use crate::model::{ProviderName, Text, address};

/// The display width of `text` in columns.
pub fn width(text: &str) -> u16 {
    let columns = if is_simple(text) { text.chars().count() } else { text.graphemes(true).map(columns).sum() };
    u16::try_from(columns).unwrap_or(u16::MAX)
}

/// The longest prefix of `text` that fits into `columns`, leaving room for `…` if anything is cut off.
pub fn fit(text: &str, columns: u16) -> &str {
    let max = usize::from(columns);
    // Fast path for the common case.
    if text.len() <= max && text.is_ascii() {
        return text;
    }
    if is_simple(text) {
        return match text.char_indices().nth(max) {
            Some(_) => {
                text.char_indices().nth(max.saturating_sub(1)).and_then(|(end, _)| text.get(..end)).unwrap_or("")
            }
            None => text,
        };
    }
    let (mut used, mut end_with_ellipsis) = (0, 0);
    for (at, grapheme) in text.grapheme_indices(true) {
        if used < max {
            end_with_ellipsis = at;
        }
        used += self::columns(grapheme);
        if used > max {
            return text.get(..end_with_ellipsis).unwrap_or("");
        }
    }
    text
}

/// The text in at most `columns` columns, with `…` if it was truncated.
pub fn shortened(text: &str, columns: u16) -> Cow<'_, str> {
    match fit(text, columns) {
        head if head.len() == text.len() => Cow::Borrowed(text),
        _ if columns == 0 => Cow::Borrowed(""),
        head => Cow::Owned(format!("{head}…")),
    }
}

/// Joins names with a conjunction, as in a sentence: `A`, `A and B`, `A, B and C`.
pub fn join_words(names: &[impl AsRef<str>], conjunction: &str) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    match names.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} {conjunction} {last}", most.join(", ")),
        _ => names.concat(),
    }
}

/// The first `max` names, and the number of others: `SATS, RATS and 3 more`.
pub fn first_names(names: &[Text], max: usize) -> String {
    let shown = names.iter().take(max).map(Text::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(max) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A number of things: `1 lot`, `1,204 lots`.
pub fn counted(number: usize, word: &str) -> String {
    format!("{} {word}{}", Count(number as u64), if number == 1 { "" } else { "s" })
}

/// A sentence embedded in another one: without the initial capital, unless the first word is a name.
pub fn in_sentence(sentence: &str) -> String {
    let mut chars = sentence.chars();
    let first_word = sentence.split(' ').next().unwrap_or_default();
    let is_name = first_word.ends_with(':')
        || first_word.chars().skip(1).any(char::is_uppercase)
        || ProviderName::ALL.iter().any(|provider| provider.title() == first_word);
    match chars.next() {
        Some(first) if !is_name => first.to_lowercase().chain(chars).collect(),
        _ => sentence.to_owned(),
    }
}

/// The words with a capital first letter, unless the first word is an address or an extended key.
pub fn capitalised(words: &str) -> String {
    let is_address = |word: &str| address::is_similar(word) || address::is_extended_key(word);
    let is_address = words.split(' ').next().is_some_and(is_address);
    let mut chars = words.chars();
    match chars.next().filter(|_| !is_address) {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => words.to_owned(),
    }
}

/// Separates the parts of a line.
const PARTS: &str = " · ";

/// Separates the clauses of a sentence.
const CLAUSES: &str = "; ";

/// As many parts of `text` (separated by ` · ` or `; `) as fit into `columns`, starting with the first, which should be
/// the most important one; empty if not even that one fits.
pub fn parts(text: &str, columns: u16) -> &str {
    let mut head = text;
    while width(head) > columns {
        let Some(end) = [PARTS, CLAUSES].iter().filter_map(|between| head.rfind(between)).max() else { return "" };
        head = head.get(..end).unwrap_or("");
    }
    head
}

/// Shortens a string like [`parts`] whose last part is a sentence. The sentence is cut to as many clauses as fit, or
/// else to as many words, followed by `…`, if enough of them fit to be useful.
pub fn brief(text: &str, columns: u16) -> Cow<'_, str> {
    /// Minimum columns of a useful part of a sentence.
    const MIN_USEFUL: u16 = 12;
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let head = parts(text, columns.saturating_sub(1));
    let rest = text.get(head.len()..).unwrap_or("");
    if rest.starts_with(CLAUSES) {
        return Cow::Owned(format!("{head}…"));
    }
    let before = text.rfind(PARTS).map_or(0, |at| at + PARTS.len());
    let words = fit(text, columns).rsplit_once(' ').map_or("", |(words, _)| words);
    match words.get(before..) {
        Some(sentence) if width(sentence) >= MIN_USEFUL => Cow::Owned(format!("{words}…")),
        _ => Cow::Borrowed(parts(text, columns)),
    }
}

/// Shortens a line of text that continues after it, such that `…` fits after it. If the line is too long, its last word
/// is dropped; of a word that takes much of the line, such as a URL, only the end, unless it is a number: part of a
/// number would be another number.
pub fn cut_off(line: &str, columns: u16) -> &str {
    let line = line.trim_end();
    if width(line) < columns {
        return line;
    }
    let (words, last) = line.rsplit_once(' ').unwrap_or(("", line));
    let words = words.trim_end();
    let is_number =
        last.trim_start_matches(|char: char| !char.is_alphanumeric()).starts_with(|c: char| c.is_ascii_digit());
    if width(words) >= columns / 3 * 2 || (is_number && !words.is_empty()) {
        return words;
    }
    // With `…` the line is too wide, so `fit` leaves room for it.
    let whole = format!("{line}…");
    line.get(..fit(&whole, columns).len()).unwrap_or(line)
}

/// Wraps `text` into lines of at most `columns`: at spaces except in times such as `10 s`, between wide characters (CJK has no spaces), and inside
/// words that are too long. A character wider than `columns` gets its own line.
pub fn wrap(text: &str, columns: u16) -> Wrap<'_> {
    Wrap { rest: text, columns: usize::from(columns.max(1)) }
}

/// See [`wrap`].
#[derive(Clone, Debug)]
pub struct Wrap<'a> {
    rest: &'a str,
    columns: usize,
}

impl<'a> Iterator for Wrap<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.rest.is_empty() {
            return None;
        }
        let (mut used, mut after_wide) = (0, false);
        let mut place = None; // where the line may end, and where the next one then begins
        for (at, grapheme) in self.rest.grapheme_indices(true) {
            let after = at + grapheme.len();
            if matches!(grapheme, "\n" | "\r\n" | "\r") {
                return Some(self.cut(at, after));
            }
            let columns = columns(grapheme);
            let space = grapheme.chars().all(char::is_whitespace);
            if at > 0 {
                if space && !self.is_in_quantity(at, after) {
                    place = Some((at, after));
                } else if !space && (columns > 1 || after_wide) {
                    place = Some((at, at));
                }
            }
            if used + columns > self.columns && at > 0 {
                let (end, next) = place.unwrap_or((at, at));
                return Some(self.cut(end, next));
            }
            used += columns;
            after_wide = columns > 1;
        }
        Some(self.cut(self.rest.len(), self.rest.len()))
    }
}

impl<'a> Wrap<'a> {
    /// Whether the blank from `at` to `after` is between a number and the unit of a time: `10 s`.
    fn is_in_quantity(&self, at: usize, after: usize) -> bool {
        const UNITS: [&str; 6] = ["ms", "s", "m", "h", "d", "y"];
        let before = self.rest.get(..at).unwrap_or_default();
        let unit = self.rest.get(after..).unwrap_or_default();
        let end = unit.find(|char: char| !char.is_alphanumeric()).unwrap_or(unit.len());
        before.ends_with(|char: char| char.is_ascii_digit())
            && unit.get(..end).is_some_and(|unit| UNITS.contains(&unit))
    }

    /// Takes the line up to `end`; the next one starts at `next`.
    fn cut(&mut self, end: usize, next: usize) -> &'a str {
        let line = self.rest.get(..end).unwrap_or("");
        self.rest = self.rest.get(next..).unwrap_or("");
        line.trim_end()
    }
}

/// The width of a grapheme; 0 for control characters, which must not reach the screen.
pub(crate) fn columns(grapheme: &str) -> usize {
    if grapheme.chars().next().is_none_or(char::is_control) { 0 } else { grapheme.width() }
}

/// Whether each character of `text` is one column wide and none combines with its neighbour, as in most text.
pub(crate) fn is_simple(text: &str) -> bool {
    text.chars().all(|char| match char {
        ' '..='~' => true,
        '\u{a1}'..='\u{2ff}' => char != '\u{ad}',
        '—' | '–' | '…' | '−' | '₀'..='₉' | '←'..='⇿' | '─'..='◿' | '★' | '⠀'..='⣿' => true,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_capitalised_unless_it_is_an_address() {
        for (words, expected) in [
            ("not a number: x", "Not a number: x"),
            (
                "bc1qksg7frjh8gethecjhkmzncl3jvzyjp7y6ghwuw is unknown",
                "bc1qksg7frjh8gethecjhkmzncl3jvzyjp7y6ghwuw is unknown",
            ),
            ("", ""),
        ] {
            assert_eq!(capitalised(words), expected);
        }
    }

    #[test]
    fn names_are_joined_as_in_a_sentence() {
        for (names, joined) in [(&["a", "b", "c"][..], "a, b or c"), (&["a", "b"], "a or b"), (&["a"], "a"), (&[], "")]
        {
            assert_eq!(join_words(names, "or"), joined);
        }
    }

    #[test]
    fn embedded_sentence_is_in_lower_case_except_for_names() {
        assert_eq!(in_sentence("Server error (500)"), "server error (500)");
        assert_eq!(in_sentence("Can't reach HOST"), "can't reach HOST");
        for name in [
            "TLS error from HOST",
            "Binance: no such pair",
            "CoinGecko refused",
            "Binance doesn't list ORDI",
            "404",
            "",
        ] {
            assert_eq!(in_sentence(name), name);
        }
    }

    #[test]
    fn continued_line_ends_with_a_whole_word() {
        for (line, columns, shown) in [
            ("the host name", 20, "the host name…"),
            ("the host name ", 14, "the host name…"),
            ("the host name", 13, "the host…"),
            ("see https://a.example/b", 23, "see https://a.example/…"),
            ("链上观察链上观察", 16, "链上观察链上观…"),
            ("", 0, "…"),
            ("ORDI is 11.50", 13, "ORDI is…"),
            ("up (−11.50", 9, "up…"),
        ] {
            assert_eq!(format!("{}…", cut_off(line, columns)), shown, "{line} {columns}");
        }
    }

    proptest! {
        #[test]
        fn fit_returns_the_longest_prefix(text in "[a▲…é日]{0,8}", columns in 0..10_u16) {
            let head = fit(&text, columns);
            prop_assert!(text.starts_with(head));
            if width(&text) <= columns {
                prop_assert_eq!(head, &text);
            } else {
                let next = text.chars().nth(head.chars().count()).map_or(0, |char| width(char.encode_utf8(&mut [0; 4])));
                prop_assert!(width(head) < columns.max(1) && width(head) + next >= columns, "{head}");
            }
        }
    }

    #[test]
    fn last_parts_are_dropped_first() {
        let text = "12 m old · retrying in 30 s · timed out; check the URL";
        for (columns, shown) in [
            (99, text),
            (53, "12 m old · retrying in 30 s · timed out"),
            (38, "12 m old · retrying in 30 s"),
            (27, "12 m old · retrying in 30 s"),
            (26, "12 m old"),
            (7, ""),
        ] {
            assert_eq!(parts(text, columns), shown, "{columns}");
        }
    }

    #[test]
    fn sentence_is_shortened_by_clauses_then_by_words() {
        let text = "12 m old · retrying in 30 s · Connection refused by api.example; check the URL";
        for (columns, shown) in [
            (99, text),
            (77, "12 m old · retrying in 30 s · Connection refused by api.example…"),
            (64, "12 m old · retrying in 30 s · Connection refused by api.example…"),
            (63, "12 m old · retrying in 30 s · Connection refused by…"),
            (54, "12 m old · retrying in 30 s · Connection refused by…"),
            (50, "12 m old · retrying in 30 s · Connection refused…"),
            (46, "12 m old · retrying in 30 s"),
            (27, "12 m old · retrying in 30 s"),
            (26, "12 m old"),
            (7, ""),
        ] {
            assert_eq!(brief(text, columns), shown, "{columns}");
        }
    }

    #[test]
    fn text_wraps_at_spaces_and_wide_characters() {
        for (text, columns, lines) in [
            ("$ORDI holding the range", 10, vec!["$ORDI", "holding", "the range"]),
            ("one\n\ntwo\n", 10, vec!["one", "", "two"]),
            ("日本語のテキスト", 6, vec!["日本語", "のテキ", "スト"]),
            ("see 日本語", 6, vec!["see 日", "本語"]),
            ("https://a.example/long", 8, vec!["https://", "a.exampl", "e/long"]),
            ("exactly ten", 7, vec!["exactly", "ten"]),
            ("retrying in 10 s", 14, vec!["retrying in", "10 s"]),
            ("2 days", 3, vec!["2", "day", "s"]),
            ("10 s", 3, vec!["10", "s"]),
            ("日本", 1, vec!["日", "本"]),
            ("", 5, vec![]),
        ] {
            assert_eq!(wrap(text, columns).collect::<Vec<_>>(), lines, "{text} {columns}");
        }
    }
}
