//! The dialog that adds an address or edits its label: a line and its meaning.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui_input::Input;

use super::frame::{Choice, Frame};
use crate::model::Text;
use crate::view::area::below;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Maximum columns of the content: the longest address with a label.
const COLUMNS: u16 = 84;

/// Rows of the content; more on a narrow screen, where its lines are wrapped.
const ROWS: u16 = 5;
const NARROW_ROWS: u16 = 7;

/// Minimum screen columns at which no line is wrapped.
const WIDE: u16 = 72;

/// The typed address.
pub(super) struct AddressForm<'a> {
    /// The text field.
    pub(super) input: &'a Input,
    /// The address whose label is edited; `None` for a new one.
    pub(super) edited: Option<&'a Text>,
}

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    form: &AddressForm<'_>,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let AddressForm { input, edited } = *form;
    let theme = &appearance.theme;
    let rows = if area.width < WIDE { NARROW_ROWS } else { ROWS };
    let title = if edited.is_some() { "Edit label" } else { "Add address" };
    let inner = Frame::new(title, COLUMNS, rows).paint(buf, area, appearance, view_state);
    Choice { input, selected: 0 }.line(buf, inner, appearance, view_state);
    let rest = below(inner, if inner.height < rows { 1 } else { 2 });
    let typed = input.value();
    if edited.is_none() && typed.trim().is_empty() {
        let used = text::paragraph(buf, rest, "Paste a Bitcoin address, then type a label", theme.text);
        text::paragraph(buf, below(rest, used), "Its BTC and BRC-20 balances count in the wallet", theme.dim);
        return;
    }
    match state.read_address(typed, edited) {
        Err(error) => {
            text::paragraph(buf, rest, &error.to_string(), theme.warn);
        }
        Ok((entry, kind)) => {
            let label = entry.label.map(|label| format!("“{label}” · ")).unwrap_or_default();
            let used = text::paragraph(buf, rest, &format!("{label}{kind} address"), theme.strong);
            text::paragraph(buf, below(rest, used), &entry.address, theme.dim);
        }
    }
}
