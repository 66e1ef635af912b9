//! The dialog with the line of a filter and its meaning.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use tui_input::Input;

use super::frame::{Choice, Frame, examples, scrollbar};
use crate::app::ClickTarget;
use crate::app::coins::filter::{Field, TagCompletion, completed_tag, parse};
use crate::format::Count;
use crate::format::words::{capitalised, counted};
use crate::model::{Tag, address};
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::text;

/// Maximum columns of the content.
const COLUMNS: u16 = 72;

/// Maximum visible tags.
const TAGS: usize = 12;

/// The column where the meanings of the examples start, and the numbers of coins with a tag.
const EXAMPLE: u16 = 28;

/// Examples of filters with their meanings, after [`FIRST`].
const EXAMPLES: [(&str, &str); 6] = [
    ("volume >= 10m", "k, m, b, t: thousand to trillion"),
    ("gainers", "24h change of +0.1% or more (or: losers)"),
    ("brc-20 and not losers", "coins with a BRC-20 token"),
    ("watched", "coins on your watchlist"),
    ("tag defi", "tags containing this text"),
    ("rank < 50 or (7d > 20)", "`and` is applied before `or`"),
];

/// The first example, whose meaning lists the columns.
const FIRST: &str = "24h > 5 and cap < 1b";

/// The typed filter.
pub(super) struct Typed<'a> {
    /// The text field of the dialog.
    pub(super) input: &'a Input,
    /// The list.
    pub(super) tag: Tag,
    /// The strings that complete it with a tag.
    pub(super) suggestions: &'a [TagCompletion],
}

pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    typed: &Typed<'_>,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let lines = if typed.suggestions.is_empty() { 1 + EXAMPLES.len() } else { TAGS };
    let rows = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(3);
    let inner = Frame::new("Filter", COLUMNS, rows).paint(buf, area, appearance, view_state);
    let Typed { input, tag, suggestions } = *typed;
    let field = Choice { input, selected: 0 }.line(buf, inner, appearance, view_state);
    let typed = input.value();
    let (list, note) = (state.list(tag), text::line(inner, 1));
    let mut used = 1;
    match parse(typed, &state.convert) {
        _ if typed.trim().is_empty() => {
            text::put(buf, note, "all coins", theme.dim);
        }
        Ok(filter) => {
            let words =
                format!("{} of {} loaded coins", Count(list.count(&filter) as u64), Count(list.loaded() as u64));
            text::put(buf, note, &words, theme.text);
        }
        // One of the tags below can follow.
        Err(error) if !suggestions.is_empty() && error.missing.is_some() => {}
        Err(error) => {
            let at = u16::try_from(error.column).unwrap_or(u16::MAX);
            let mark = text::shifted(text::line(Rect { y: field.y + 1, ..field }, 0), at);
            // A missing end is not an error yet.
            let (words, style) = match error.missing {
                Some(missing) => (format!("Expected {missing}"), theme.dim),
                None => (capitalised(&address::redact_extended_keys(&error.to_string())), theme.warn),
            };
            // The mark points at the error, if the sentence fits after it.
            let pointed = format!("▴ {words}");
            used = if text::width(&pointed) <= mark.width {
                text::put(buf, Rect { height: 1, ..mark }, &pointed, style);
                1
            } else {
                text::paragraph(buf, below(inner, 1), &words, style)
            };
        }
    }
    let rest = below(inner, if inner.height < rows { 2 } else { 3 }.max(used.saturating_add(1)));
    if !suggestions.is_empty() {
        return tags(buf, rest, (typed, suggestions), appearance, view_state);
    }
    let columns = format!("columns: {}", Field::names().join(" "));
    let all: Vec<(&str, &str)> = [(FIRST, columns.as_str())].into_iter().chain(EXAMPLES).collect();
    examples(buf, rest, EXAMPLE, &all, appearance);
}

/// Paints the tags that complete the typed text, each with its number of coins.
fn tags(
    buf: &mut Buffer,
    area: Rect,
    (typed, completions): (&str, &[TagCompletion]),
    appearance: &Appearance,
    view_state: &mut ViewState,
) {
    let theme = &appearance.theme;
    let selected = completions.iter().position(|tag| tag.line == typed);
    let rows = view_state.table(TableScreen::Overlay, None, completions.len(), selected, area.height);
    for (row, (index, completion)) in (0..area.height).zip(completions.iter().enumerate().skip(rows.offset)) {
        let (place, tag) = (text::line(area, row), completed_tag(&completion.line));
        let coins = counted(completion.coins, "coin");
        // The number stays whole: the tag makes room for it.
        let column = EXAMPLE.min(place.width.saturating_sub(text::width(&coins)));
        text::put(buf, Rect { width: column.saturating_sub(1), ..place }, tag, theme.text);
        text::put(buf, text::shifted(place, column), &coins, theme.dim);
        if selected == Some(index) {
            theme.selection.paint(buf, place);
        }
        view_state.target(place, ClickTarget::Choice(index));
    }
    scrollbar(buf, area, rows.offset, completions.len(), appearance);
}
