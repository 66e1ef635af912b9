//! Paints the state. It never changes the state or requests anything.
//!
//! What it remembers between frames (scroll offsets, and where it painted what can be clicked) is in its own [`Memo`],
//! which `update` never reads.

mod area;
pub mod chrome;
pub mod images;
pub mod indexer;
pub mod list;
mod look;
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

pub use look::Look;
pub use memo::Memo;
pub use title::window_title;

/// Paints the whole screen. Returns the position of the terminal's cursor while text is being edited.
pub fn draw(buf: &mut Buffer, state: &State, look: &Look, memo: &mut Memo) -> Option<(u16, u16)> {
    memo.begin();
    let area = buf.area;
    let content = chrome::paint(buf, area, state, look, memo);
    match (&state.token, state.tab) {
        (Some(token), _) => token::paint(buf, content, state, token, look, memo),
        (None, Tab::List(tag)) => list::paint(buf, content, state, state.list(tag), look, memo),
        (None, Tab::Wallet) => wallet::paint(buf, content, state, look, memo),
        (None, Tab::Indexer) => indexer::paint(buf, content, state, look, memo),
        (None, Tab::Status) => status::paint(buf, content, state, look),
    }
    match &state.overlay {
        Some(overlay) => overlay::paint(buf, area, state, overlay, look, memo),
        None => memo.forget_picture(),
    }
    if let Some(open) = &state.menu {
        menu::paint(buf, area, state, open, look, memo);
    }
    chrome::top(buf, area, state, look);
    look.glyphs.apply(buf);
    memo.cursor()
}
