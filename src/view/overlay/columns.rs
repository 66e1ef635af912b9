//! The dialog that chooses and orders the columns of a list: `● price`, `○ 24h low`.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::frame::{Frame, scrollbar};
use crate::app::ClickTarget;
use crate::app::screen::list::{CoinColumn, PlacedColumns};
use crate::model::Tag;
use crate::view::appearance::Appearance;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::text;

/// Width of the content.
const COLUMNS: u16 = 44;

/// Marks a column that is shown only on a wider screen.
const NO_ROOM: &str = "doesn't fit";

/// The columns of a list of coins.
pub(super) struct ColumnList<'a> {
    /// The list.
    pub(super) tag: Tag,
    /// All columns in their order, and whether each is chosen.
    pub(super) rows: &'a [(CoinColumn, bool)],
    /// The index of the selected column.
    pub(super) selected: usize,
    /// The columns that the list shows.
    pub(super) placed: &'a PlacedColumns,
}

/// Paints the dialog.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    list: &ColumnList<'_>,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let theme = &appearance.theme;
    let ColumnList { tag, rows, selected, placed } = *list;
    let height = u16::try_from(rows.len()).unwrap_or(u16::MAX);
    let inner =
        Frame::new(&format!("Columns · {}", tag.title()), COLUMNS, height).paint(buf, area, appearance, view_state);
    let table = view_state.table(TableScreen::Overlay, None, rows.len(), Some(selected), inner.height);
    for (line, index) in (0..).zip(table.visible(rows.len(), usize::from(inner.height))) {
        let Some((column, is_shown)) = rows.get(index) else { break };
        let place = text::line(inner, line);
        let (mark, mark_style, style) =
            if *is_shown { ("● ", theme.gain, theme.text) } else { ("○ ", theme.dim, theme.dim) };
        let used = text::put(buf, place, mark, mark_style);
        let used = used + text::put(buf, text::shifted(place, used), column.spec().title, style);
        if *is_shown && !placed.shows(*column) {
            text::put(buf, text::shifted(place, used + 2), NO_ROOM, theme.dim);
        }
        if index == selected {
            theme.selection.paint(buf, place);
        }
        view_state.target(place, ClickTarget::Choice(index));
    }
    scrollbar(buf, inner, table.offset, rows.len(), appearance);
}
