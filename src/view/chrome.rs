//! What stands around every screen: the header's first line, the footer, and how a line is divided.
//!
//! ```text
//!  satscope   1 All  2 BRC-20  3 Bitcoin ecosystem  4 Wallet  5 Indexer  6 Status            DEMO ●  USD  14:03 UTC
//!  (the screen's own summary line)
//!  (content)
//!  ↵ open  / search  s sort  …                                                                       row 4 of 1,204
//! ```
//!
//! Where there are few rows, the summary goes first, then the footer, then the header.

mod footer;
mod header;
pub(super) mod health;
pub(super) mod pieces;
pub(super) mod prompt;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Look, Memo};
use crate::app::State;

/// From this height on, screens have a summary line.
const SUMMARY_FROM: u16 = 6;

/// From this height on, there is a footer.
const FOOTER_FROM: u16 = 5;

/// From this height on, there is a header.
const HEADER_FROM: u16 = 2;

/// Paints the header's first line and the footer. Returns what is left: the screen's summary line and its content, to
/// be parted by [`split`].
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, look: &Look, memo: &mut Memo) -> Rect {
    let mut body = area;
    if area.height >= HEADER_FROM {
        header::paint(buf, Rect { height: 1, ..area }, state, look, memo);
        body = super::below(body, 1);
    }
    let foot = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    if area.height >= FOOTER_FROM {
        footer::paint(buf, foot, state, look);
        body.height = body.height.saturating_sub(1);
    }
    body
}

/// Paints what is on top of everything else over the foot of the screen: a short message, or what can follow the first
/// key of a sequence.
pub(super) fn top(buf: &mut Buffer, area: Rect, state: &State, look: &Look) {
    match state.pending {
        Some(first) => footer::pending(buf, area, state, first, look),
        None => footer::toast(buf, area, state, look),
    }
}

/// Parts the body that [`paint`] left into the screen's summary line and its content. The summary is empty where there
/// are few rows, unless it `must` be seen (a line is being edited in it).
pub(super) fn split(body: Rect, must: bool) -> (Rect, Rect) {
    let rows = u16::from((must || body.height + 2 >= SUMMARY_FROM) && body.height > 0);
    (Rect { height: rows, ..body }, super::below(body, rows))
}
