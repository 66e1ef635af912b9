//! Paints the state. It never changes the state or requests anything.
//!
//! What it remembers between frames (scroll offsets, and where it painted what can be clicked) is in its own [`Memo`],
//! which `update` never reads.

mod appearance;
mod area;
pub mod chrome;
pub mod images;
pub mod indexer;
pub mod list;
pub mod memo;
mod menu;
pub mod overlay;
#[cfg(feature = "images")]
mod picture;
pub mod status;
mod title;
pub mod token;
pub mod wallet;
pub mod widgets;

use ratatui::buffer::Buffer;

use crate::app::{State, Tab};

pub use appearance::Appearance;
pub use memo::Memo;
pub use title::window_title;

/// Paints the whole screen. Returns the position of the terminal's cursor while text is being edited.
pub fn draw(buf: &mut Buffer, state: &State, appearance: &Appearance, memo: &mut Memo) -> Option<(u16, u16)> {
    memo.begin();
    let area = buf.area;
    let content = chrome::paint(buf, area, state, appearance, memo);
    match (&state.token, state.tab) {
        (Some(token), _) => token::paint(buf, content, state, token, appearance, memo),
        (None, Tab::List(tag)) => list::paint(buf, content, state, state.list(tag), appearance, memo),
        (None, Tab::Wallet) => wallet::paint(buf, content, state, appearance, memo),
        (None, Tab::Indexer) => indexer::paint(buf, content, state, appearance, memo),
        (None, Tab::Status) => status::paint(buf, content, state, appearance),
    }
    match &state.overlay {
        Some(overlay) => overlay::paint(buf, area, state, overlay, appearance, memo),
        None => memo.forget_picture(),
    }
    if let Some(open) = &state.menu {
        menu::paint(buf, area, state, open, appearance, memo);
    }
    chrome::top(buf, area, state, appearance);
    appearance.glyphs.apply(buf);
    memo.cursor()
}
