//! ASCII fallback for terminals without Unicode: rewrites every cell of a finished frame and every character of a
//! printed table.

use std::borrow::Cow;

use ratatui::buffer::{Buffer, CellDiffOption};
use unicode_width::UnicodeWidthChar as _;

/// The characters that the terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Glyphs {
    /// Everything: braille charts, arrows, block bars.
    #[default]
    Unicode,
    /// ASCII only.
    Ascii,
}

impl Glyphs {
    /// Chooses from the environment: `term` is `TERM`, `lang` is the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is
    /// set.
    ///
    /// Returns ASCII for terminals whose fonts lack braille (the Linux console, real VTs, `dumb`) and for a locale that
    /// is set but not UTF-8. Without any locale, as in a container or under a service manager, returns Unicode, since
    /// terminals support UTF-8 today.
    pub fn detect(term: Option<&str>, lang: Option<&str>) -> Glyphs {
        let term = term.unwrap_or("");
        if matches!(term, "dumb" | "linux" | "cons25") || term.starts_with("vt1") || term.starts_with("vt2") {
            return Glyphs::Ascii;
        }
        match lang.map(str::to_ascii_lowercase) {
            Some(lang) if !lang.is_empty() && !lang.contains("utf-8") && !lang.contains("utf8") => Glyphs::Ascii,
            _ => Glyphs::Unicode,
        }
    }

    /// The signs for a post's likes, comments and reposts; words in ASCII, which has no similar characters.
    pub fn reactions(self) -> [&'static str; 3] {
        match self {
            Glyphs::Unicode => ["♥", "↩", "⇄"],
            Glyphs::Ascii => ["likes", "comments", "reposts"],
        }
    }

    /// Converts a finished frame. For [`Glyphs::Ascii`], every cell gets its nearest ASCII character, or `?` if there
    /// is none. Widths stay the same, so that nothing moves.
    pub fn apply(self, buf: &mut Buffer) {
        if self == Glyphs::Unicode {
            return;
        }
        rewrite_rows(buf);
        for cell in &mut buf.content {
            if !cell.symbol().is_ascii() {
                let char = cell.symbol().chars().next().map_or(' ', ascii);
                // A forced width belongs to the replaced symbol.
                cell.set_char(char).set_diff_option(CellDiffOption::None);
            }
        }
    }

    /// Converts printed lines like [`Glyphs::apply`] converts a frame: no line becomes wider, and none ends with
    /// spaces.
    pub fn lines(self, text: &str) -> Cow<'_, str> {
        if self == Glyphs::Unicode || text.is_ascii() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let mut chars: Vec<char> = line.chars().collect();
            rewrite_tiny_prices(&mut chars);
            rewrite_sort_marks(&mut chars);
            rewrite_comparisons(&mut chars);
            rewrite_ellipses(&mut chars);
            for char in chars {
                if char.is_ascii() {
                    out.truncate(if char == '\n' { out.trim_end_matches(' ').len() } else { out.len() });
                    out.push(char);
                } else if let Some(columns @ 1..) = char.width() {
                    out.push(ascii(char));
                    out.extend(std::iter::repeat_n(' ', columns - 1));
                }
            }
        }
        Cow::Owned(out)
    }
}

/// The nearest ASCII character.
fn ascii(char: char) -> char {
    match char {
        '▲' | '↑' => '+',
        '▼' | '↓' | '−' | '–' | '—' | '─' | '━' | '╌' => '-',
        '▁' | '▂' | '▃' | '▏' | '▎' | '▍' | '░' | '·' | '┄' | '∙' => '.',
        '▀' | '▄' | '▅' | '▌' | '▋' | '▒' => '=',
        '▆' | '▇' | '█' | '▊' | '▉' | '▓' | '▰' => '#',
        '▴' => '^',
        '▾' => 'v',
        '▸' => '>',
        '•' => '*',
        '●' => 'o',
        '◔' | '◐' => '!',
        '◌' => '?',
        '⊘' => '/',
        '▣' => '#',
        '○' | '▱' => '.',
        '◀' | '←' | '‹' | '↩' => '<',
        '▶' | '→' | '›' | '❯' => '>',
        '│' | '┆' | '▐' | '▕' | '╷' | '╵' | '‖' => '|',
        // The bodies of candles.
        '┃' | '╻' | '╹' | '╽' | '╿' => '0',
        '┤' | '├' | '└' | '┘' | '┌' | '┐' | '┬' | '┴' | '┼' => '+',
        // Currency signs: their letters.
        '€' => 'E',
        '£' => 'L',
        '¥' => 'Y',
        '₩' => 'W',
        '₹' => 'R',
        '₿' => 'B',
        '★' | '♥' | '✦' | '◆' | '◈' => '*',
        '☆' => '.',
        '…' => '~',
        '×' => 'x',
        '±' | '≈' => '~',
        '⇄' => '=',
        '↵' => '^',
        '✓' => 'v',
        '✗' => 'x',
        '≥' => '>',
        '≤' => '<',
        '‘' | '’' | '′' | '‴' => '\'',
        '“' | '”' | '″' => '"',
        '°' => 'o',
        '₀'..='₉' => char::from_digit(u32::from(char) - u32::from('₀'), 10).unwrap_or('?'),
        // A chart's faint area.
        '⠂' | '⠐' => '.',
        '\u{2800}'..='\u{28ff}' => braille(char),
        '\u{a0}' | '\u{2000}'..='\u{200a}' => ' ',
        _ => '?',
    }
}

/// Replaces a braille cell according to the rows in which it has dots.
fn braille(char: char) -> char {
    /// The dots of the four rows, from the top.
    const ROWS: [u32; 4] = [0x09, 0x12, 0x24, 0xc0];
    /// Indexed by the rows that have a dot; the top row is the highest bit.
    const SHAPES: [char; 16] = [' ', '_', '.', '.', '-', '|', ':', ':', '\'', '|', '|', '|', '"', '|', '|', '#'];
    let dots = u32::from(char) & 0xff;
    let rows = ROWS.iter().fold(0, |rows, row| rows << 1 | usize::from(dots & row != 0));
    SHAPES.get(rows).copied().unwrap_or('?')
}

/// Applies [`rewrite_tiny_prices`], [`rewrite_sort_marks`], [`rewrite_comparisons`] and [`rewrite_ellipses`] to every
/// row.
fn rewrite_rows(buf: &mut Buffer) {
    let width = usize::from(buf.area.width).max(1);
    for row in buf.content.chunks_mut(width) {
        let mut line: Vec<char> = row.iter().map(|cell| cell.symbol().chars().next().unwrap_or(' ')).collect();
        let has_tiny = rewrite_tiny_prices(&mut line);
        let has_marks = rewrite_sort_marks(&mut line);
        let has_comparisons = rewrite_comparisons(&mut line);
        if !rewrite_ellipses(&mut line) && !has_tiny && !has_marks && !has_comparisons {
            continue;
        }
        for (cell, char) in row.iter_mut().zip(line) {
            if char.is_ascii() && !cell.symbol().starts_with(char) {
                cell.set_char(char);
            }
        }
    }
}

/// Replaces the mark of a sorted column next to its title with `+` or `-`, since a `v` would be read as a letter of the
/// title. Returns whether there was any.
fn rewrite_sort_marks(line: &mut [char]) -> bool {
    let mut has_marks = false;
    let mut before = ' ';
    for char in line {
        let sign = match *char {
            '▴' => Some('+'),
            '▾' => Some('-'),
            _ => None,
        };
        let is_title = before.is_alphanumeric() || matches!(before, '#' | '%' | ')');
        before = *char;
        if let Some(sign) = sign.filter(|_| is_title) {
            *char = sign;
            has_marks = true;
        }
    }
    has_marks
}

/// Replaces each `≥` and `≤` before a blank with `>=` and `<=`, over the blank. Returns whether there was any.
fn rewrite_comparisons(line: &mut [char]) -> bool {
    let mut has_signs = false;
    for at in 0..line.len() {
        let sign = match line.get(at) {
            Some('≥') => '>',
            Some('≤') => '<',
            _ => continue,
        };
        if line.get(at + 1) == Some(&' ') {
            line.iter_mut().skip(at).zip([sign, '=']).for_each(|(to, char)| *to = char);
            has_signs = true;
        }
    }
    has_signs
}

/// Replaces each `…` with `...` in the same columns: over the blanks after it, over two characters of the text before it,
/// or over the blanks before it. With room for only one column, writes `~`. Returns whether there was any.
fn rewrite_ellipses(line: &mut [char]) -> bool {
    if !line.contains(&ELLIPSIS) {
        return false;
    }
    let escapes = in_escapes(line);
    for at in 0..line.len() {
        if line.get(at) != Some(&ELLIPSIS) {
            continue;
        }
        let before = |by: usize| at.checked_sub(by).and_then(|at| line.get(at)).copied();
        let after = |by: usize| line.get(at + by).copied();
        let is_blank = |char: Option<char>| char == Some(' ');
        // The dots must not touch the next word.
        let is_end = |char: Option<char>| matches!(char, None | Some(' ' | '\n'));
        let is_text = |by: usize| at.checked_sub(by).and_then(|at| escapes.get(at)) == Some(&false);
        let is_word = |by: usize| is_text(by) && before(by).is_some_and(|char| char.is_ascii_graphic());
        // After a number, the blank is more likely the gap between two columns.
        let follows_word = |by: usize| {
            let is_letter = is_text(by + 1) && before(by + 1).is_some_and(|char| char.is_ascii_alphabetic());
            is_blank(before(by)) && is_letter && !is_number_before(line, at.saturating_sub(by))
        };
        let is_cut = is_word(1) && (is_word(2) || follows_word(2) && is_end(after(1)));
        let has_blanks_before = || is_blank(before(1)) && is_blank(before(2)) && is_end(before(3));
        let (start, dots) = if is_blank(after(1)) && is_blank(after(2)) && is_end(after(3)) {
            (at, "...")
        } else if is_cut && !is_number_before(line, at) || has_blanks_before() {
            (at - 2, "...")
        } else {
            (at, "~")
        };
        line.iter_mut().skip(start).zip(dots.chars()).for_each(|(to, dot)| *to = dot);
    }
    true
}

/// Whether a number ends before `at`; it must not be shortened, since a part of it would be another number.
fn is_number_before(line: &[char], at: usize) -> bool {
    let word = line.iter().take(at).rev().take_while(|char| **char != ' ');
    let mut number = word.skip_while(|char| "kMBT".contains(**char));
    number.clone().any(|char| char.is_ascii_digit()) && !number.any(|char| char.is_alphabetic())
}

const ELLIPSIS: char = '…';

/// Which characters belong to escape sequences, which printed tables contain for colours.
fn in_escapes(line: &[char]) -> Vec<bool> {
    let mut inside = false;
    let flag = |c: &char| {
        let was = inside;
        inside = *c == '\x1b' || inside && !c.is_ascii_alphabetic();
        was || inside
    };
    line.iter().map(flag).collect()
}

/// Rewrites `0.0₆734`, which would be another number without subscripts, as `7.34e-7` in the same columns. Returns
/// whether there was any.
fn rewrite_tiny_prices(line: &mut [char]) -> bool {
    if !line.iter().copied().any(is_subscript) {
        return false;
    }
    let mut at = 0;
    while at < line.len() {
        if line.get(at).copied().is_some_and(is_subscript) {
            at = rewrite_tiny_price(line, at);
        }
        at += 1;
    }
    true
}

fn is_subscript(char: char) -> bool {
    ('₀'..='₉').contains(&char)
}

/// Rewrites the number whose first subscript is at `first`; returns the index of its last character.
fn rewrite_tiny_price(line: &mut [char], first: usize) -> usize {
    let tail = line.get(first..).unwrap_or_default();
    let subscripts = tail.iter().take_while(|&&c| is_subscript(c)).count();
    let zeros = tail.iter().take(subscripts).fold(0_usize, |n, &c| {
        let digit = (u32::from(c) - u32::from('₀')) as usize;
        n.saturating_mul(10).saturating_add(digit)
    });
    let digits: String = tail.iter().skip(subscripts).take_while(|c| c.is_ascii_digit()).collect();
    let end = first + subscripts + digits.len();
    // A price has `0.0` before the subscript; anything else is a name that merely looks like one.
    let Some(start) = first.checked_sub(3) else { return end.saturating_sub(1) };
    if digits.is_empty() || line.get(start..first) != Some(&['0', '.', '0']) {
        return end.saturating_sub(1);
    }
    let room = end - start;
    let exponent = zeros.saturating_add(1).to_string();
    let (lead, rest) = digits.split_at(1);
    let rest: String = rest.chars().take(room.saturating_sub(exponent.len() + 4)).collect();
    let point = if rest.is_empty() { "" } else { "." };
    let text = format!("{lead}{point}{rest}e-{exponent}");
    for (cell, char) in line.iter_mut().skip(start).take(room).zip(format!("{text:>room$}").chars()) {
        *cell = char;
    }
    end.saturating_sub(1)
}

#[cfg(test)]
mod tests;
