//! Which characters are visible, and what cleaning does with the others.

use unicode_width::UnicodeWidthChar;

/// Maximum marks on one letter: Vietnamese needs two, Hebrew with points and cantillation up to four.
pub const MAX_MARKS: usize = 4;

/// What cleaning does with a character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// It is removed.
    Drop,
    /// It becomes a space.
    Space,
    /// It ends a line.
    Newline,
    /// It is a mark on the letter before it.
    Mark,
    /// It stays.
    Plain,
}

/// The class of a character.
pub(super) fn class(c: char) -> Class {
    match c {
        ' '..='~' => {
            if c == ' ' {
                Class::Space
            } else {
                Class::Plain
            }
        }
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => Class::Newline,
        '\u{2800}' => Class::Space, // the empty braille pattern
        _ if c.is_whitespace() => Class::Space,
        _ if c.is_control() || is_invisible(c) => Class::Drop,
        _ if c.width() == Some(0) => Class::Mark,
        _ => Class::Plain,
    }
}

/// Format characters and fillers, which are invisible (Unicode: `Default_Ignorable_Code_Point`, the rest of category
/// `Cf` that no script needs, and noncharacters).
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' // zero-width space, joiners, direction marks
        | '\u{202a}'..='\u{202e}' // bidi embeddings and overrides
        | '\u{2060}'..='\u{206f}' // word joiner, invisible operators, bidi isolates
        | '\u{3164}' | '\u{ffa0}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fe00}'..='\u{fe0f}' // variation selectors
        | '\u{feff}'
        | '\u{fff0}'..='\u{fffb}' // interlinear annotation
        | '\u{fffe}' | '\u{ffff}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1f3fb}'..='\u{1f3ff}' // skin tones: seen as part of the letter before, or as a letter of two columns
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' // tags, more variation selectors
    ) || u32::from(c) & 0xfffe == 0xfffe
}
