//! The currency dialog.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::frame::{Choice, Frame, scrollbar};
use crate::app::ClickTarget;
use crate::app::overlay::currencies;
use crate::view::area::below;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::Placeholder;
use crate::view::widgets::text;

/// Maximum columns of the content.
const COLUMNS: u16 = 44;

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    choice: Choice<'_>,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let choices = currencies(choice.input.value());
    // The height doesn't depend on the typed text, so that the dialog doesn't jump while typing.
    let rows = u16::try_from(currencies("").len()).unwrap_or(u16::MAX).saturating_add(1);
    let inner = Frame::new("Currency", COLUMNS, rows).paint(buf, area, appearance, view_state);
    let field = choice.line(buf, inner, appearance, view_state);
    if choice.input.value().is_empty() {
        text::put(buf, text::shifted(field, 1), "type a code or name", theme.dim);
    }

    let list = below(inner, 1);
    if choices.is_empty() {
        return Placeholder::empty("A code has 3 to 10 letters or digits").theme(theme).render(list, buf);
    }
    let rows = view_state.table(TableScreen::Overlay, None, choices.len(), Some(choice.selected), list.height);
    for (row, (index, currency)) in (0..list.height).zip(choices.iter().enumerate().skip(rows.offset)) {
        let place = text::line(list, row);
        let code = text::put(buf, place, currency.as_str(), theme.strong).max(4) + 2;
        text::put(buf, text::shifted(place, code), currency.name().unwrap_or("if supported"), theme.text);
        let right = if *currency == state.convert { "current" } else { currency.sign().unwrap_or("") };
        text::put_right(buf, text::shifted(place, 26), right, theme.dim);
        if rows.selected == Some(index) {
            theme.selection.paint(buf, place);
        }
        view_state.target(place, ClickTarget::Choice(index));
    }
    scrollbar(buf, list, rows.offset, choices.len(), appearance);
}
