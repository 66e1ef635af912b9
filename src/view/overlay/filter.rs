//! The line of a filter, and what it means.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::frame::{Choice, frame};
use crate::app::State;
use crate::app::filter::parse;
use crate::format::Count;
use crate::model::Tag;
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// Maximum columns of the content.
const COLUMNS: u16 = 72;

/// Columns of the examples if there is room for their meanings.
const EXAMPLE: u16 = 28;

const EXAMPLES: [(&str, &str); 6] = [
    ("24h > 5 and cap < 1b", "columns: price 1h 24h 7d volume cap rank"),
    ("volume >= 10m", "thousand, million, billion: k, m, b (t: trillion)"),
    ("gainers", "24h > 0; also losers"),
    ("brc-20 and not losers", "coins with a BRC-20 token"),
    ("tag defi", "a tag that contains this"),
    ("rank < 50 or (7d > 20)", "and binds tighter than or"),
];

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    choice: Choice<'_>,
    tag: Tag,
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let theme = &appearance.theme;
    let rows = u16::try_from(EXAMPLES.len()).unwrap_or(u16::MAX).saturating_add(3);
    let inner = frame(buf, area, COLUMNS, rows, "Filter", appearance);
    let field = choice.line(buf, inner, appearance, view_state);
    let typed = choice.input.value();
    let (list, note) = (state.list(tag), text::line(inner, 1));
    match parse(typed) {
        _ if typed.trim().is_empty() => {
            text::put(buf, note, "all coins", theme.dim);
        }
        Ok(filter) => {
            let words =
                format!("{} of {} loaded coins", Count(list.count(&filter) as u64), Count(list.loaded() as u64));
            text::put(buf, note, &words, theme.text);
        }
        Err(error) => {
            let at = u16::try_from(error.column).unwrap_or(u16::MAX);
            let mark = text::shifted(text::line(Rect { y: field.y + 1, ..field }, 0), at);
            let words = error.to_string();
            // The mark points at the place, if the sentence has room after it.
            let pointed = format!("▴ {words}");
            match text::width(&pointed) <= mark.width {
                true => text::put(buf, Rect { height: 1, ..mark }, &pointed, theme.warn),
                false => text::put(buf, note, &words, theme.warn),
            };
        }
    }
    let rest = below(inner, if inner.height < rows { 2 } else { 3 });
    for (row, (example, meaning)) in (0..rest.height).zip(EXAMPLES) {
        let place = text::line(rest, row);
        let columns = EXAMPLE.min(place.width);
        text::put(buf, Rect { width: columns.saturating_sub(1), ..place }, example, theme.dim);
        text::put(buf, text::shifted(place, columns), meaning, theme.dim);
    }
}
