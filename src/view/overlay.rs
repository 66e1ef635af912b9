//! Dialogs: a panel with a thin border in the middle of the screen.

mod address;
mod address_notice;
mod alerts;
mod coins;
mod columns;
mod compare;
mod currency;
mod filter;
mod frame;
mod help;
mod image;
mod links;
mod lot;
mod note;
mod palette;
mod post;
mod sources;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use frame::Choice;

use super::paint_context::PaintContext;
use super::view_state::ViewState;
use crate::app::Overlay;
use crate::app::overlay::layout;

/// Paints the open dialog.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    overlay: &Overlay,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    view_state.cover();
    // Header and footer, which has the hints for the dialog, stay visible if there is room.
    let whole = area;
    let spare = u16::from(area.height >= layout::MIN_CHROME_ROWS);
    let area = Rect { y: area.y + spare, height: area.height - 2 * spare, ..area };
    match overlay {
        Overlay::Help { scroll, place, .. } => help::paint(buf, area, context, (*place, *scroll), view_state),
        Overlay::Compare => compare::paint(buf, area, context, view_state),
        Overlay::Post { id, scroll } => post::paint(buf, area, context, (id, *scroll), view_state),
        Overlay::Image { id, title } => image::paint(buf, area, context, (id, title), view_state),
        Overlay::Links { title, links, selected, .. } => {
            let list = links::LinkList { title, links, selected: *selected };
            links::paint(buf, area, &list, appearance, view_state);
        }
        Overlay::Sources { selected, operation, .. } => {
            let list = sources::ProviderList { selected: selected.as_deref(), operation: operation.as_deref() };
            sources::paint(buf, area, context, &list, view_state);
        }
        Overlay::Columns { tag, rows, selected } => {
            let placed = state.placed_columns(state.list(*tag));
            let list = columns::ColumnList { tag: *tag, rows, selected: *selected, placed: &placed };
            columns::paint(buf, area, &list, appearance, view_state);
        }
        Overlay::Alerts(dialog) => alerts::paint(buf, area, context, dialog, view_state),
        Overlay::AddressNotice { .. } => address_notice::paint(buf, area, context, view_state),
        Overlay::Address { input, edited } => {
            let form = address::AddressForm { input, edited: edited.as_ref().map(|entry| &entry.address) };
            address::paint(buf, area, context, &form, view_state);
        }
        Overlay::Currency { input, selected } => {
            let choice = Choice { input, selected: *selected };
            currency::paint(buf, area, context, choice, view_state);
        }
        Overlay::Lot { input, selected, edited, is_removed, read } => {
            let choice = Choice { input, selected: *selected };
            let title = if edited.is_some() && !is_removed { "Edit lot" } else { "Add lot" };
            let form = lot::LotForm { title, choice, edited: edited.as_deref(), read: read.as_deref() };
            lot::paint(buf, area, context, &form, view_state);
        }
        Overlay::Note { input, before, here } => {
            note::paint(buf, area, context, &note::NoteForm { input, before, here }, view_state);
        }
        Overlay::Filter { input, tag, suggestions } => {
            let filter = filter::Typed { input, tag: *tag, suggestions };
            filter::paint(buf, area, context, &filter, view_state);
        }
        Overlay::Palette(open, below) => {
            if let Some(below) = below {
                self::paint(buf, whole, context, below, view_state);
                view_state.cover();
            }
            palette::paint(buf, area, context, open, view_state);
        }
    }
}
