//! The dialog with the text of a note in a chart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

use super::frame::{Choice, Frame};
use crate::format::Moment;
use crate::user_data::Note;
use crate::view::area::below;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Maximum columns of the content.
const COLUMNS: u16 = 84;

/// Rows of the content.
const ROWS: u16 = 4;

/// The typed note.
pub(super) struct NoteForm<'a> {
    /// The text field.
    pub(super) input: &'a Input,
    /// The note before the edit; without text for a new one.
    pub(super) before: &'a Note,
    /// The notes at the same point of the chart.
    pub(super) here: &'a [Note],
}

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    form: &NoteForm<'_>,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let NoteForm { input, before, here } = *form;
    let theme = &appearance.theme;
    let is_new = before.text.is_empty();
    let inner = Frame::new(if is_new { "Add note" } else { "Edit note" }, COLUMNS, ROWS)
        .paint(buf, area, appearance, view_state);
    Choice { input, selected: 0 }.line(buf, inner, appearance, view_state);
    let rest = below(inner, if inner.height < ROWS { 1 } else { 2 });
    let symbol = state.token.as_ref().map_or("", |token| token.symbol.as_str());
    let place = here.iter().position(|note| note.is_at(before)).filter(|_| here.len() > 1);
    let place = place.map_or_else(String::new, |place| format!(" · note {} of {}", place + 1, here.len()));
    let moment = format!("{symbol} · {}{place}", Moment(state.preferences.zone.at(before.time)));
    let used = text::paragraph(buf, rest, &moment, theme.text);
    let hint = if is_new { "Marked in the chart" } else { "Delete the text to remove the note" };
    text::paragraph(buf, below(rest, used), hint, theme.dim);
}
