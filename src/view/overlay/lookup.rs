//! The lookup dialog: a text field, and the possible meanings of its text.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::frame::{Choice, frame};
use crate::app::lookup::candidates;
use crate::app::{State, Target};
use crate::view::area::below;
use crate::view::look::Look;
use crate::view::memo::Memo;
use crate::view::widgets::panel::Placeholder;
use crate::view::widgets::text;

/// Maximum columns of the content; an inscription id has 66 characters.
const COLUMNS: u16 = 76;

/// Columns of the examples if there is room for their meanings.
const EXAMPLE: u16 = 24;

/// Examples of everything that can be looked up.
const EXAMPLES: [(&str, &str); 7] = [
    ("ordi", "a BRC-20 token by its ticker"),
    ("bc1q…", "an address: its balances"),
    ("840000", "a block, or the sat of that number"),
    ("0.1  99.9%  nvtdijuwxlp", "a sat by its decimal, percentile or name"),
    ("0°1′1″0‴", "a sat by its degree"),
    ("b61b…735i0  #348020", "an inscription by its id or number"),
    ("sat 7  token 1000", "prefix to disambiguate"),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, choice: Choice<'_>, look: &Look, memo: &mut Memo) {
    let theme = &look.theme;
    let rows = u16::try_from(EXAMPLES.len()).unwrap_or(u16::MAX).saturating_add(2);
    let inner = frame(buf, area, COLUMNS, rows, "Look up", look);
    choice.line(buf, inner, look, memo);

    let typed = choice.input.value();
    if typed.trim().is_empty() {
        // Leave an empty line only if all examples fit.
        let list = below(inner, if inner.height < rows { 1 } else { 2 });
        for (row, (example, meaning)) in (0..list.height).zip(EXAMPLES) {
            let place = text::line(list, row);
            let columns = (EXAMPLE + 1).min(place.width / 3);
            text::put(buf, Rect { width: columns.saturating_sub(1), ..place }, example, theme.text);
            text::put(buf, text::shifted(place, columns), meaning, theme.dim);
        }
        return;
    }
    let list = below(inner, if inner.height > 4 { 2 } else { 1 });
    let candidates = candidates(typed, state.indexer.token().as_ref());
    if candidates.is_empty() {
        let sentence = "Not recognised";
        return Placeholder::empty(sentence).theme(theme).render(list, buf);
    }
    let first = choice.selected.saturating_sub(usize::from(list.height.saturating_sub(1)));
    for (row, (index, subject)) in (0..list.height).zip(candidates.iter().enumerate().skip(first)) {
        let place = text::line(list, row);
        text::put(buf, place, &subject.describe(), theme.text);
        if index == choice.selected {
            theme.selection.paint(buf, place);
        }
        memo.target(place, Target::Choice(index));
    }
}
