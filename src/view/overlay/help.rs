//! The help: the keys of the screen or dialog, and a legend.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::frame::{Frame, scrollbar};
use crate::app::overlay::layout;
use crate::keymap::Context;
use crate::keymap::help::{self, COLUMN, GAP, Line};
use crate::view::appearance::Appearance;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    (place, scroll): (Context, usize),
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let columns =
        help::columns(state.keys(), place, layout::max_columns(area.width), |command| state.has_command(command));
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let count = u16::try_from(columns.len()).unwrap_or(1).max(1);
    let wide = count * (COLUMN + GAP) - GAP;
    let inner =
        Frame::new("Keys", wide, u16::try_from(rows).unwrap_or(u16::MAX)).paint(buf, area, appearance, view_state);
    let scroll = scroll.min(rows.saturating_sub(usize::from(inner.height)));
    let width = inner.width.saturating_sub((count - 1) * GAP) / count;
    for (index, column) in (0_u16..).zip(&columns) {
        let place = Rect { width, ..text::shifted(inner, index * (width + GAP)) };
        for (row, line) in (0..place.height).zip(column.iter().skip(scroll)) {
            paint_line(buf, text::line(place, row), line, appearance);
        }
    }
    scrollbar(buf, inner, scroll, rows, appearance);
}

fn paint_line(buf: &mut Buffer, area: Rect, line: &Line, appearance: &Appearance) {
    let theme = &appearance.theme;
    let after_keys = text::shifted(area, help::keys_width(area.width));
    match line {
        Line::Blank => {}
        Line::Title(title) => {
            text::put(buf, area, title, theme.title);
        }
        Line::More(words) => {
            text::put(buf, after_keys, words, theme.text);
        }
        Line::Legend(sign, words) => {
            text::put(buf, area, sign, theme.strong);
            text::put(buf, after_keys, words, theme.text);
        }
        Line::Keys(keys, words) => {
            // A long key needs the gap for its `…`.
            let gap = u16::from(!keys.is_open);
            let place = Rect { width: help::keys_width(area.width).saturating_sub(gap), ..area };
            text::put(buf, place, &help::names(keys, appearance.glyphs), theme.key);
            text::put(buf, after_keys, words, theme.text);
        }
    }
}
