//! The frame of dialogs: border, title, scrollbar and text field.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

use crate::app::overlay::layout;
use crate::view::appearance::Appearance;
use crate::view::area::clear;
use crate::view::chrome::prompt;
use crate::view::view_state::ViewState;
use crate::view::widgets::{table, text};

/// If fewer columns than this remain beside a dialog, they are cleared too, since they would be unreadable.
const MIN_BESIDE: u16 = 24;

/// The typed text, and the index of the selected choice.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    /// The text.
    pub(super) input: &'a Input,
    /// The index.
    pub(super) selected: usize,
}

impl Choice<'_> {
    /// Paints the text field in the first row of the content. Returns the area of its text.
    pub(super) fn line(
        self,
        buf: &mut Buffer,
        content: Rect,
        appearance: &Appearance,
        view_state: &mut ViewState,
    ) -> Rect {
        let line = text::line(content, 0);
        let used = text::put(buf, line, "› ", appearance.theme.accent);
        let field = text::shifted(line, used);
        prompt::paint(buf, field, self.input, appearance.theme.text, view_state);
        field
    }
}

/// The frame of a dialog.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a> {
    title: &'a str,
    columns: u16,
    rows: u16,
}

impl<'a> Frame<'a> {
    /// A frame for content of at most this size.
    pub(super) fn new(title: &'a str, columns: u16, rows: u16) -> Frame<'a> {
        Frame { title, columns, rows }
    }

    /// Clears the middle of `area` and paints a border with the title. Returns the area of the content.
    pub(super) fn paint(
        self,
        buf: &mut Buffer,
        area: Rect,
        appearance: &Appearance,
        view_state: &mut ViewState,
    ) -> Rect {
        let Frame { title, columns, rows } = self;
        let theme = &appearance.theme;
        let (width, height) = layout::outer((area.width, area.height), (columns, rows));
        let at = Rect { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
        let band = if area.width - width < MIN_BESIDE { Rect { x: area.x, width: area.width, ..at } } else { at };
        clear_covered_words(buf, band);
        clear(buf, band);
        view_state.dialog(at);
        // Small terminals have no border.
        if !layout::has_border((width, height)) {
            return at;
        }
        for y in at.top()..at.bottom() {
            let (left, middle, right) = match y {
                _ if y == at.top() => ("┌", "─", "┐"),
                _ if y + 1 == at.bottom() => ("└", "─", "┘"),
                _ => ("│", " ", "│"),
            };
            for x in at.left()..at.right() {
                let symbol = match x {
                    _ if x == at.left() => left,
                    _ if x + 1 == at.right() => right,
                    _ => middle,
                };
                // Don't style the inside, since its text would inherit the style.
                if symbol != " "
                    && let Some(cell) = buf.cell_mut((x, y))
                {
                    cell.set_symbol(symbol).set_style(theme.dim);
                }
            }
        }
        let head = Rect { width: width - 4, ..text::shifted(at, 2) };
        // As many of its parts as fit.
        let title =
            Some(text::parts(title, head.width.saturating_sub(2))).filter(|parts| !parts.is_empty()).unwrap_or(title);
        let head = Rect { width: head.width.min(text::width(title).saturating_add(2)), ..head };
        clear(buf, Rect { height: 1, ..head });
        text::put(buf, Rect { width: head.width - 2, ..text::shifted(head, 1) }, title, theme.title_focused);
        Rect { x: at.x + 2, y: at.y + 1, width: width - 4, height: height - 2 }
    }
}

/// Paints examples with their meanings: at this column if there is room for all, or else each after its example if it
/// fits.
pub(super) fn examples(buf: &mut Buffer, area: Rect, column: u16, examples: &[(&str, &str)], appearance: &Appearance) {
    let theme = &appearance.theme;
    let is_aligned = examples.iter().all(|(_, meaning)| text::width(meaning) + column <= area.width);
    for (row, (example, meaning)) in (0..area.height).zip(examples) {
        let place = text::line(area, row);
        let used = text::put(buf, place, example, theme.text);
        let beside = text::shifted(place, if is_aligned { column } else { used + 2 });
        if text::width(meaning) <= beside.width {
            text::put(buf, beside, meaning, theme.dim);
        }
    }
}

/// Clears the rest of words and short phrases that `area` partly covers: a truncated number would be a different number,
/// and half of a name a different name.
fn clear_covered_words(buf: &mut Buffer, area: Rect) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let (first, last) = (area.left(), area.right() - 1);
    for y in area.top()..area.bottom() {
        let left = covered_part(buf, y, (first..=last).take(2), (buf.area.left()..first).rev());
        clear(buf, Rect { x: first - left, y, width: left, height: 1 });
        let right = covered_part(buf, y, (first..=last).rev().take(2), area.right()..buf.area.right());
        clear(buf, Rect { x: area.right(), y, width: right, height: 1 });
    }
}

/// The number of columns next to an edge that hold the rest of a word or phrase hidden behind it. `behind` are the
/// columns behind the edge, `beside` those in front of it, both starting at the edge.
fn covered_part(buf: &Buffer, y: u16, behind: impl Iterator<Item = u16>, beside: impl Iterator<Item = u16>) -> u16 {
    // Lines may be partly covered, words may not.
    let is_line = |symbol: &str| symbol.starts_with(|c| matches!(c, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}'));
    let is_text = |x: u16| {
        let symbol = buf.cell((x, y)).map_or("", |cell| cell.symbol());
        // The mark of a watched coin isn't part of the name.
        !symbol.trim().is_empty() && !is_line(symbol) && symbol != "★"
    };
    let behind: Vec<bool> = behind.map(is_text).collect();
    let beside: Vec<bool> = beside.map(is_text).collect();
    let cut = behind.first() == Some(&true);
    let word = beside.iter().take_while(|is_text| cut && **is_text).count();
    // The words of a phrase have one blank between them.
    let is_gap = |pair: &[bool]| pair == [false, false];
    let continues = cut || behind.get(1) == Some(&true) && beside.first() == Some(&true);
    let phrase = beside.windows(2).position(is_gap).unwrap_or(beside.len());
    let part = if continues && phrase < usize::from(MIN_BESIDE) { phrase.max(word) } else { word };
    u16::try_from(part).unwrap_or(u16::MAX)
}

/// Paints a scrollbar on the right border of content that is longer than its area.
pub(super) fn scrollbar(buf: &mut Buffer, content: Rect, offset: usize, len: usize, appearance: &Appearance) {
    let column = Rect { x: content.right().saturating_add(1), width: 1, ..content };
    table::scrollbar(buf, column, offset, len, &appearance.theme);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row whose columns 30 to 39 a dialog covers.
    fn covered(text: &str) -> String {
        let area = Rect::new(0, 0, 70, 1);
        let mut buf = Buffer::empty(area);
        text::put(&mut buf, area, text, ratatui::style::Style::new());
        let dialog = Rect::new(30, 0, 10, 1);
        clear_covered_words(&mut buf, dialog);
        clear(&mut buf, dialog);
        buf.content.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()
    }

    #[test]
    fn rest_of_a_covered_word_or_phrase_is_cleared() {
        let at = |column: usize, text: &str| format!("{:column$}{text}", "");
        for (text, shown) in [
            (at(20, "PEPE   0.0₄165"), at(20, "PEPE")),
            (at(20, "22  Internet Computer"), at(20, "22")),
            (at(21, "Internet Computer"), String::new()),
            (at(20, "22 ★ Internet Computer"), at(20, "22 ★")),
            (at(22, "Bitcoin   8.41"), at(22, "Bitcoin")),
            (at(23, "Bitcoin"), at(23, "Bitcoin")),
            (at(35, "updated now · next in 10 s   6.7B"), at(64, "6.7B")),
            (at(38, "▲ 1.2%  4.3B"), at(46, "4.3B")),
            (at(39, "a  4.3B"), at(42, "4.3B")),
            (at(28, "⠤⠒⠉⠉"), at(28, "⠤⠒")),
        ] {
            assert_eq!(covered(&text), shown, "{text}");
        }
        let sentence = "One two three four five six seven eight nine ten eleven twelve, etc.";
        assert_eq!(covered(sentence), format!("One two three four five six{}", at(13, "nine ten eleven twelve, etc.")));
    }
}
