//! Paints the state. It never changes the state or requests anything.
//!
//! Its own state between frames (scroll offsets, clickable areas) is in [`ViewState`]. `update` never reads it: the
//! event loop finds the targets of clicks in it and reports its scroll limits as
//! [`Message::ScrollLimits`](crate::app::Message::ScrollLimits).

mod annotations;
mod appearance;
mod area;
pub mod block_histogram;
pub mod chrome;
pub mod images;
pub mod indexer;
pub mod list;
mod menu;
pub mod overlay;
mod paint_context;
#[cfg(feature = "images")]
mod picture;
pub mod status;
mod title;
pub mod token;
pub mod view_state;
pub mod wallet;
pub mod widgets;

use ratatui::buffer::Buffer;

use crate::app::{State, Tab};

use paint_context::PaintContext;

pub use appearance::Appearance;
pub use title::window_title;
pub use view_state::ViewState;

/// Paints the whole screen. Returns the position of the terminal's cursor while text is being edited.
pub fn draw(
    buf: &mut Buffer,
    state: &State,
    appearance: &Appearance,
    view_state: &mut ViewState,
) -> Option<(u16, u16)> {
    view_state.begin(state);
    let area = buf.area;
    let context = PaintContext { state, appearance };
    let content = chrome::paint(buf, area, state, appearance, view_state);
    match (&state.token, state.tab) {
        (Some(token), _) => token::paint(buf, content, context, token, view_state),
        (None, Tab::List(tag)) => list::paint(buf, content, context, state.list(tag), view_state),
        (None, Tab::Wallet) => wallet::paint(buf, content, context, view_state),
        (None, Tab::Indexer) => indexer::paint(buf, content, context, view_state),
        (None, Tab::Status) => status::paint(buf, content, context),
    }
    match &state.overlay {
        Some(overlay) => overlay::paint(buf, area, context, overlay, view_state),
        None => view_state.forget_picture(),
    }
    if let Some(open) = &state.menu {
        menu::paint(buf, area, open, appearance, view_state);
    }
    view_state.end(state);
    chrome::top(buf, area, state, appearance);
    appearance.glyphs.apply(buf);
    view_state.cursor()
}
