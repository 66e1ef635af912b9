//! Hostile text in every input: it harms neither the screen, the clipboard, the outputs, the log nor a spreadsheet.

mod links;
mod outputs;
mod screens;

use proptest::prelude::*;
use satscope::model::text;

use crate::support::hostile::{PAYLOADS, assert_harmless};

/// Pieces of payloads in any order, among any characters.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(PAYLOADS.to_vec()).prop_map(str::to_owned),
        "\\PC{0,8}",
        any::<Vec<char>>().prop_map(|chars| chars.into_iter().collect()),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Uses the tests' own list of harmful characters.
    #[test]
    fn cleaned_text_is_harmless_and_idempotent(text in texts()) {
        for (lines, cleaned) in [(false, text::clean(&text)), (true, text::clean_lines(&text))] {
            assert_harmless(&cleaned, lines, "cleaned");
            let again = if lines { text::clean_lines(&cleaned) } else { text::clean(&cleaned) };
            prop_assert_eq!(&again, &cleaned);
            prop_assert!(cleaned.len() <= text.len());
            for line in cleaned.lines() {
                let columns = usize::from(satscope::view::widgets::text::width(line));
                prop_assert!(columns <= 2 * line.chars().count(), "{:?}", line);
            }
        }
        assert_harmless(&text::escape_ticker(&text), false, "a ticker");
    }
}
