//! The parts around every screen: the first line of the header, the footer, and the division of the screen.
//!
//! ```text
//!  satscope   1 All  2 BRC-20  3 Bitcoin ecosystem  4 Wallet  5 Indexer  6 Status            DEMO ●  USD  14:03 UTC
//!  (the screen's own summary line)
//!  (content)
//!  ↵ open  / search  s sort  …                                                                       row 4 of 1,204
//! ```
//!
//! On small terminals, the summary is dropped first, then the footer, then the header.

pub(super) mod exchange_rate;
mod footer;
pub(super) mod header;
pub(super) mod health;
pub(super) mod pieces;
pub(super) mod prompt;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::appearance::Appearance;
use super::area::below;
use super::view_state::ViewState;
use crate::app::State;

/// Minimum height of a terminal with a summary line.
const SUMMARY_FROM: u16 = 6;

/// Minimum height of a terminal with a footer.
const FOOTER_FROM: u16 = 5;

/// Minimum height of a terminal with a header.
const HEADER_FROM: u16 = 2;

/// Paints the first line of the header and the footer. Returns the remaining area, which [`split`] divides into the
/// screen's summary line and its content.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    appearance: &Appearance,
    view_state: &mut ViewState,
) -> Rect {
    let mut body = area;
    if area.height >= HEADER_FROM {
        header::paint(buf, Rect { height: 1, ..area }, state, appearance, view_state);
        body = below(body, 1);
    }
    let foot = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    if area.height >= FOOTER_FROM {
        footer::paint(buf, foot, state, appearance);
        body.height = body.height.saturating_sub(1);
        if state.offers_live() {
            body.height = body.height.saturating_sub(1);
            footer::offer(buf, Rect { y: body.bottom(), height: 1, ..area }, state, appearance);
        }
    }
    body
}

/// Paints over the bottom of the screen: a toast, or the keys that can follow the first key of a sequence.
pub(super) fn top(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance) {
    match state.pending {
        Some(first) => footer::pending(buf, area, state, first, appearance),
        None => footer::toast(buf, area, state, appearance),
    }
}

/// Divides the area that [`paint`] returned into the screen's summary line and its content. The summary is empty on
/// small terminals, unless it is needed (`must`) because text is being edited in it.
pub(super) fn split(body: Rect, must: bool) -> (Rect, Rect) {
    let rows = u16::from((must || body.height + 2 >= SUMMARY_FROM) && body.height > 0);
    (Rect { height: rows, ..body }, below(body, rows))
}
