//! Escapes tickers for display, and back, since requests must contain them exactly.

use std::borrow::Cow;
use std::fmt::Write;

use super::class::{Class, MAX_MARKS, class};

/// Escapes a ticker for display without losing information: every character that [`super::clean`] would remove or
/// change becomes `\u{202e}` or the like. Tickers are arbitrary bytes that someone paid to inscribe, and a request must
/// contain them exactly, so [`unescape_ticker`] restores them. Nearly all tickers stay unchanged.
pub fn escape_ticker(raw: &str) -> Cow<'_, str> {
    if raw.bytes().all(|b| b.is_ascii_alphanumeric()) {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let mut marks = MAX_MARKS;
    for (at, c) in raw.char_indices() {
        let rest = raw.get(at..).unwrap_or_default();
        let harmless = match class(c) {
            Class::Drop | Class::Newline => false,
            // A space is visible only between two visible characters.
            Class::Space => c == ' ' && !out.is_empty() && !out.ends_with(' ') && rest.len() > 1,
            Class::Mark => marks < MAX_MARKS,
            Class::Plain => c != '\\' || !rest.starts_with("\\u{"),
        };
        if harmless {
            marks = match class(c) {
                Class::Mark => marks + 1,
                Class::Space => MAX_MARKS,
                _ => 0,
            };
            out.push(c);
        } else {
            marks = 0;
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
    }
    if out == raw { Cow::Borrowed(raw) } else { Cow::Owned(out) }
}

/// Reverses [`escape_ticker`], for a request.
pub fn unescape_ticker(shown: &str) -> Cow<'_, str> {
    if !shown.contains("\\u{") {
        return Cow::Borrowed(shown);
    }
    let mut out = String::with_capacity(shown.len());
    let mut rest = shown;
    while let Some((before, after)) = rest.split_once("\\u{") {
        out.push_str(before);
        let code = after.split_once('}').and_then(|(hex, tail)| {
            let legal = (1..=6).contains(&hex.len()) && hex.bytes().all(|b| b.is_ascii_hexdigit());
            let c = char::from_u32(u32::from_str_radix(hex, 16).ok()?)?;
            legal.then_some((c, tail))
        });
        match code {
            Some((c, tail)) => {
                out.push(c);
                rest = tail;
            }
            None => {
                out.push_str("\\u{");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::text::clean;
    use crate::model::text::tests::hostile;

    #[test]
    fn only_unsafe_characters_of_tickers_are_escaped() {
        for ticker in ["ordi", "🔥", "a/b?", "#&%+", "$OG$", "a b", "\\u4", "𝛑"] {
            assert_eq!(escape_ticker(ticker), ticker);
        }
        assert_eq!(escape_ticker("a\u{301}bc"), "a\u{301}bc");
        assert_eq!(escape_ticker("\u{301}abc"), "\\u{301}abc");
        assert_eq!(escape_ticker("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(escape_ticker(" x  "), "\\u{20}x \\u{20}");
        assert_eq!(escape_ticker("\\u{41}"), "\\u{5c}u{41}");
        for no_code in ["\\u{}", "\\u{+41}", "\\u{0000041}", "\\u{110000}"] {
            assert_eq!(unescape_ticker(no_code), no_code);
        }
        assert_eq!(unescape_ticker("\\u{41}\\u{01f525}"), "A🔥");
        assert_eq!(unescape_ticker("\\u{zz}\\u{d800}\\u{"), "\\u{zz}\\u{d800}\\u{");
    }

    proptest! {
        #[test]
        fn escaped_ticker_round_trips(raw in hostile()) {
            let shown = escape_ticker(&raw).into_owned();
            prop_assert_eq!(unescape_ticker(&shown), raw.as_str());
            prop_assert_eq!(clean(&shown), shown.as_str());
        }
    }
}
