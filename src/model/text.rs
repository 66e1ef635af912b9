//! Cleans untrusted text when it is decoded.
//!
//! A post, a name or a ticker may contain escape sequences, characters that reverse the direction of writing, or
//! hundreds of marks stacked on one letter. The output of [`clean`] contains none of these, so it is safe for the
//! screen, the clipboard, the window title, tables and the log.
//!
//! Removed are control characters (C0, DEL, C1), bidirectional controls, zero-width and other invisible characters,
//! tags, interlinear annotations, noncharacters, and more than [`MAX_MARKS`] marks on one letter. The invisible
//! characters include the joiner of emoji sequences, variation selectors and skin tones, since terminals disagree on
//! their width: a family becomes its members. Any white space becomes a space. [`clean`] and [`clean_lines`] are
//! idempotent. They don't shorten words; the view wraps and cuts them.

mod class;
mod html;
mod ticker;

use std::borrow::Cow;

use class::{Class, class};

pub use class::MAX_MARKS;
pub use html::{decode_html_entities, has_html_entities, has_html_tags, html_to_text};
pub use ticker::{escape_ticker, unescape_ticker};

/// A string that stores up to 24 bytes without an allocation.
pub type Text = compact_str::CompactString;

/// Cleans text to one line: runs of white space become one space, and those at the ends are removed.
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_plain_line(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut marks = MAX_MARKS; // a mark at the start has no letter to sit on
    for c in text.chars() {
        match class(c) {
            Class::Drop => {}
            Class::Space | Class::Newline => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                    marks = MAX_MARKS;
                }
            }
            Class::Mark => push_mark(&mut out, c, &mut marks),
            Class::Plain => {
                out.push(c);
                marks = 0;
            }
        }
    }
    out.truncate(out.trim_end_matches(' ').len());
    Cow::Owned(out)
}

/// Cleans text and keeps its lines: `\r\n`, `\r`, U+0085, U+2028 and U+2029 become `\n`, several empty lines become
/// one, and trailing spaces and empty lines at both ends are removed.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    if is_plain(text) && !text.ends_with(' ') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut marks = MAX_MARKS;
    let mut breaks = 0_usize; // line breaks since the last visible character
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let class = class(c);
        if c == '\r' && chars.peek() == Some(&'\n') {
            continue;
        }
        match class {
            Class::Drop => {}
            Class::Newline => {
                out.truncate(out.trim_end_matches(' ').len());
                marks = MAX_MARKS;
                breaks += 1;
                if breaks <= 2 && !out.is_empty() {
                    out.push('\n');
                }
            }
            Class::Space => {
                out.push(' ');
                marks = MAX_MARKS;
            }
            Class::Mark => push_mark(&mut out, c, &mut marks),
            Class::Plain => {
                out.push(c);
                marks = 0;
                breaks = 0;
            }
        }
    }
    out.truncate(out.trim_end_matches([' ', '\n']).len());
    Cow::Owned(out)
}

/// Splits a string into harmless pieces, each with the next character that [`clean`] would remove or change, if any.
pub fn split_hidden(text: &str) -> impl Iterator<Item = (&str, Option<char>)> {
    let mut marks = MAX_MARKS;
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let hidden = text.char_indices().find(|&(_, c)| {
            let class = class(c);
            let is_visible = match class {
                Class::Plain => true,
                Class::Space => c == ' ',
                Class::Mark => marks < MAX_MARKS,
                Class::Newline | Class::Drop => false,
            };
            marks = match class {
                Class::Plain => 0,
                Class::Mark => marks.saturating_add(1),
                _ => MAX_MARKS,
            };
            !is_visible
        });
        let Some((at, c)) = hidden else { return Some((text, None)) };
        let (piece, behind) = text.split_at_checked(at)?;
        rest = behind.get(c.len_utf8()..);
        Some((piece, Some(c)))
    })
}

/// Cuts to at most `max` characters, of which the last is `…` if anything was cut off.
pub fn cut(text: Cow<'_, str>, max: usize) -> Cow<'_, str> {
    if text.len() <= max {
        return text;
    }
    let mut ends = text.char_indices().map(|(at, _)| at);
    let Some(keep) = ends.nth(max.saturating_sub(1)) else { return text };
    if ends.next().is_none() {
        return text;
    }
    let mut short = text.get(..keep).unwrap_or_default().trim_end().to_owned();
    short.push('…');
    Cow::Owned(short)
}

/// Cuts to at most `max` characters by replacing the middle with `…`: IDs may differ only at their end.
pub fn cut_middle(text: Cow<'_, str>, max: usize) -> Cow<'_, str> {
    let count = text.chars().count();
    if count <= max {
        return text;
    }
    let tail = max.saturating_sub(1) / 2;
    let head = max.saturating_sub(1) - tail;
    let mut short: String = text.chars().take(head).collect();
    short.push('…');
    short.extend(text.chars().skip(count - tail));
    Cow::Owned(short)
}

/// Text without the full stop at its end, so that a sentence can continue after it; an ellipsis stays.
pub fn without_full_stop(text: &str) -> &str {
    match text.trim_end().strip_suffix('.') {
        Some(rest) if !rest.ends_with('.') => rest.trim_end(),
        _ => text,
    }
}

/// Removes the thousands separators of an integer such as `5,000,000,000`; returns any other text unchanged.
pub fn ungrouped(number: &str) -> Cow<'_, str> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let mut groups = digits.split(',');
    let is_group = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && is_group(first));
    if digits.contains(',') && is_first && groups.all(|group| group.len() == 3 && is_group(group)) {
        Cow::Owned(number.replace(',', ""))
    } else {
        Cow::Borrowed(number)
    }
}

/// Whether the text is already clean: printable ASCII with single spaces inside.
fn is_plain_line(text: &str) -> bool {
    let mut after_space = true;
    for byte in text.bytes() {
        if !matches!(byte, b' '..=b'~') || after_space && byte == b' ' {
            return false;
        }
        after_space = byte == b' ';
    }
    !after_space || text.is_empty()
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~'))
}

fn push_mark(out: &mut String, c: char, marks: &mut usize) {
    if *marks < MAX_MARKS {
        *marks += 1;
        out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::class::is_invisible;
    use super::*;
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation as _;
    use unicode_width::{UnicodeWidthChar, UnicodeWidthStr as _};

    #[test]
    fn escape_sequences_and_controls_are_removed() {
        assert_eq!(clean("\u{1b}]0;owned\u{7}\u{1b}[31mred"), "]0;owned[31mred");
        assert_eq!(clean("a\u{9b}31mb\u{7f}c"), "a31mbc");
        assert_eq!(clean("price\u{202e}gnp.exe"), "pricegnp.exe");
        assert_eq!(clean("or\u{200b}d\u{ad}i\u{feff}\u{e0041}"), "ordi");
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        for text in ["ORDI", "Bitcoin (BTC)", "比特币", "🔥", "żółć", "нефть", "עִבְרִית", "ไทยล้าน"]
        {
            assert_eq!(clean(text), text);
        }
        assert_eq!(clean("❤\u{fe0f} 👨\u{200d}👩\u{200d}👧"), "❤ 👨👩👧");
    }

    #[test]
    fn clean_makes_one_line_and_clean_lines_keeps_lines() {
        assert_eq!(clean("  a\t\r\n b\u{3000}c\u{a0} "), "a b c");
        assert_eq!(clean_lines("a  b \r\n\r\n\r\n\n c\u{2028}d\r\u{2800}\n"), "a  b\n\n c\nd");
        assert_eq!(clean_lines("\n\n  x"), "  x");
        assert_eq!(clean_lines("a\rb\r\nc "), "a\nb\nc");
        assert_eq!(clean_lines("a  b "), "a  b");
        for spaced in ["a  b", " a b", "a b ", " a  b "] {
            assert_eq!(clean(spaced), "a b", "{spaced:?}");
        }
        assert_eq!((clean(""), clean(" ")), ("".into(), "".into()));
    }

    #[test]
    fn marks_per_letter_are_limited() {
        let stacked = format!("\u{301}z{}y\u{301}", "\u{489}".repeat(200));
        assert_eq!(clean(&stacked), format!("z{}y\u{301}", "\u{489}".repeat(MAX_MARKS)));
    }

    #[test]
    fn cut_counts_characters() {
        assert_eq!(cut("ordinals".into(), 8), "ordinals");
        assert_eq!(cut("ordinals".into(), 5), "ordi…");
        assert_eq!(cut("比特币比特币".into(), 6), "比特币比特币");
        assert_eq!(cut("比特币比特币".into(), 4), "比特币…");
        assert_eq!(cut("abc".into(), 0), "…");
    }

    #[test]
    fn cut_middle_keeps_beginning_and_end() {
        for (text, max, expected) in [
            ("ordinals", 8, "ordinals"),
            ("ordinals", 6, "ord…ls"),
            ("ordinals", 5, "or…ls"),
            ("比特币比特币", 4, "比特…币"),
            ("abc", 1, "…"),
            ("abc", 0, "…"),
        ] {
            assert_eq!(cut_middle(text.into(), max), expected, "{text} {max}");
        }
    }

    pub(super) fn hostile() -> impl Strategy<Value = String> {
        let unusual = prop::sample::select(
            "\u{0}\u{1b}\n\r\t \u{a0}\u{85}\u{301}\u{489}\u{200d}\u{202e}\u{2028}\u{2800}\u{fe0f}\u{feff}\u{3164}\u{1160}\\u{}0a🔥"
                .chars()
                .collect::<Vec<_>>(),
        );
        prop::collection::vec(prop_oneof![unusual, any::<char>()], 0..24).prop_map(|chars| chars.into_iter().collect())
    }

    proptest! {
        #[test]
        fn clean_text_is_harmless_and_cleaning_is_idempotent(text in hostile()) {
            let line = clean(&text).into_owned();
            prop_assert!(line.chars().all(|c| !c.is_control() && !is_invisible(c)));
            prop_assert_eq!(clean(&line), line.as_str());
            let lines = clean_lines(&text).into_owned();
            prop_assert!(lines.chars().all(|c| c == '\n' || !c.is_control() && !is_invisible(c)));
            prop_assert_eq!(clean_lines(&lines), lines.as_str());
        }

        /// Terminals sum the widths of characters, the view sums the widths of graphemes: both must be equal.
        #[test]
        fn graphemes_are_as_wide_as_their_characters(text in hostile()) {
            for letter in clean(&text).graphemes(true) {
                let characters: usize = letter.chars().filter_map(UnicodeWidthChar::width).sum();
                prop_assert_eq!(letter.width(), characters, "{:?}", letter);
            }
        }
    }
}
