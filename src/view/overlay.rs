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

use super::appearance::Appearance;
use super::view_state::ViewState;
use crate::app::overlay::layout;
use crate::app::{Overlay, State};

/// Paints the open dialog.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    overlay: &Overlay,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    view_state.cover();
    // Header and footer, which has the hints for the dialog, stay visible if there is room.
    let whole = area;
    let spare = u16::from(area.height >= layout::MIN_CHROME_ROWS);
    let area = Rect { y: area.y + spare, height: area.height - 2 * spare, ..area };
    match overlay {
        Overlay::Help { scroll, place, .. } => help::paint(buf, area, state, (*place, *scroll), appearance, view_state),
        Overlay::Compare => compare::paint(buf, area, state, appearance, view_state),
        Overlay::Post { id, scroll } => post::paint(buf, area, state, (id, *scroll), appearance, view_state),
        Overlay::Image { id, title } => image::paint(buf, area, state, (id, title), appearance, view_state),
        Overlay::Links { title, links, selected, .. } => {
            links::paint(buf, area, title, links, *selected, appearance, view_state)
        }
        Overlay::Sources { selected, operation, .. } => {
            sources::paint(buf, area, state, selected.as_deref(), operation.as_deref(), appearance, view_state);
        }
        Overlay::Columns { tag, rows, selected } => {
            let placed = state.placed_columns(state.list(*tag));
            columns::paint(buf, area, *tag, (rows, *selected), &placed, appearance, view_state);
        }
        Overlay::Alerts(dialog) => alerts::paint(buf, area, state, dialog, appearance, view_state),
        Overlay::AddressNotice { .. } => address_notice::paint(buf, area, state, appearance, view_state),
        Overlay::Address { input, edited } => {
            let choice = Choice { input, selected: 0 };
            let edited = edited.as_ref().map(|entry| &entry.address);
            address::paint(buf, area, state, choice, edited, appearance, view_state);
        }
        Overlay::Currency { input, selected } => {
            let choice = Choice { input, selected: *selected };
            currency::paint(buf, area, state, choice, appearance, view_state);
        }
        Overlay::Lot { input, selected, edited, is_removed, read } => {
            let choice = Choice { input, selected: *selected };
            let title = if edited.is_some() && !is_removed { "Edit lot" } else { "Add lot" };
            let line = (title, edited.as_deref(), read.as_deref());
            lot::paint(buf, area, state, choice, line, appearance, view_state);
        }
        Overlay::Note { input, before, here } => {
            let choice = Choice { input, selected: 0 };
            note::paint(buf, area, state, choice, (before, here), appearance, view_state);
        }
        Overlay::Filter { input, tag, suggestions } => {
            let filter = filter::Typed { input, tag: *tag, suggestions };
            filter::paint(buf, area, state, &filter, appearance, view_state);
        }
        Overlay::Palette(open, below) => {
            if let Some(below) = below {
                self::paint(buf, whole, state, below, appearance, view_state);
                view_state.cover();
            }
            palette::paint(buf, area, state, open, appearance, view_state);
        }
    }
}
