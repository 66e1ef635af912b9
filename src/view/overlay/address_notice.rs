//! The dialog before the first address is sent to a public provider.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::frame::Frame;
use crate::app::overlay::layout;
use crate::format::words;
use crate::keymap::{Command, Context};
use crate::model::ProviderName;
use crate::view::area::below;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Maximum width of the content.
const COLUMNS: u16 = 64;

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: PaintContext<'_>, view_state: &mut ViewState) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let names: Vec<&str> = state.unconfirmed_address_receivers().into_iter().map(ProviderName::title).collect();
    let key = |command, word: &str| {
        Some(format!("{} {word}", state.keys().name(command, Context::Confirm, appearance.glyphs)?))
    };
    let keys: Vec<String> =
        [key(Command::Open, "look up"), key(Command::Back, "cancel")].into_iter().flatten().collect();
    let paragraphs = [
        (format!("Addresses that you look up are sent to {}.", words::join_words(&names, "or")), theme.text),
        (String::from("To use your own indexer, set source.indexer_url."), theme.dim),
        (keys.join("  "), theme.accent),
    ];
    let width = COLUMNS.min(layout::max_columns(area.width));
    let lines = |words: &str| u16::try_from(words::wrap(words, width).count()).unwrap_or(u16::MAX);
    let rows: u16 = paragraphs.iter().map(|(words, _)| lines(words)).sum();
    // A blank line before the keys, if there is room.
    let inner =
        Frame::new("Look up an address", width, rows.saturating_add(1)).paint(buf, area, appearance, view_state);
    let is_roomy = inner.height > rows;
    let mut used = 0;
    for (at, (words, style)) in paragraphs.iter().enumerate() {
        used += u16::from(is_roomy && at + 1 == paragraphs.len());
        used += text::paragraph(buf, below(inner, used), words, *style);
    }
}
