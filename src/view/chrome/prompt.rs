//! A text field that is being edited.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use tui_input::Input;

use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Paints the text in the first row of `area`; a longer text is scrolled so that its cursor is visible, with `…` at the
/// start, since a part of a number would be another number. Records the position of the terminal's cursor. Returns the
/// columns used, including the cursor.
pub(in crate::view) fn paint(
    buf: &mut Buffer,
    area: Rect,
    input: &Input,
    style: Style,
    view_state: &mut ViewState,
) -> u16 {
    if area.is_empty() {
        return 0;
    }
    let scroll = input.visual_scroll(usize::from(area.width - 1));
    let shown = skip(input.value(), scroll);
    let used = text::put(buf, area, shown, style);
    if scroll > 0 && area.width > 1 {
        text::put(buf, Rect { width: 1, ..area }, text::ELLIPSIS, style);
    }
    let at = input.visual_cursor().saturating_sub(scroll).min(usize::from(area.width - 1));
    let at = u16::try_from(at).unwrap_or(0);
    view_state.edit_at(area.x.saturating_add(at), area.y);
    used.max(at + 1)
}

/// The text without its first `columns`.
fn skip(text: &str, columns: usize) -> &str {
    let mut rest = text;
    let mut left = columns;
    while left > 0 {
        let Some(first) = rest.chars().next() else { break };
        left = left.saturating_sub(usize::from(text::width(rest.get(..first.len_utf8()).unwrap_or(""))).max(1));
        rest = rest.get(first.len_utf8()..).unwrap_or("");
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_cut_off_at_the_start_has_an_ellipsis() {
        for (typed, columns, shown) in [
            ("buy 0.412 btc", 14, "buy 0.412 btc "),
            ("buy 0.412 btc", 10, "….412 btc "),
            ("日本語 btc", 8, "…  btc  "),
        ] {
            let area = Rect::new(0, 0, columns, 1);
            let mut buf = Buffer::empty(area);
            let input = Input::new(typed.to_owned());
            paint(&mut buf, area, &input, Style::new(), &mut ViewState::default());
            let row: String = buf.content.iter().map(|cell| cell.symbol()).collect();
            assert_eq!(row, shown, "{typed} in {columns} columns");
        }
    }
}
