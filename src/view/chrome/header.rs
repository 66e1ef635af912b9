//! The first line of the header: the tabs, and the source of the data.

mod block;
mod left;
mod right;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pieces::{self, Piece};
use crate::app::State;
use crate::format::Count;
use crate::theme::Theme;
use crate::view::appearance::Appearance;
use crate::view::area::inner;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;
use left::{Left, LeftPart};
use right::{Right, RightPart};

pub(in crate::view) use block::fee;

/// Maximum columns of a source's name.
const MAX_SOURCE: u16 = 32;

/// Columns of a shortened name if there is little room: enough to recognise the source.
const MIN_SOURCE: u16 = 10;

/// Minimum width of the source on a very narrow screen or beside the mark of paused updates: `DEMO …`.
const SHORTEST_SOURCE: u16 = 6;

/// The variants to try until one fits, each with the minimum columns of the source's name. The name is shortened before
/// the tabs lose their titles, but dropped late: users must know where the prices come from.
const VARIANTS: [(Left, Right, u16); 18] = [
    (Left::NameAndTabs, Right::Fees, MAX_SOURCE),
    (Left::NameAndTabs, Right::Height, MAX_SOURCE),
    (Left::NameAndTabs, Right::Full, MAX_SOURCE),
    (Left::Tabs, Right::Full, MAX_SOURCE),
    (Left::Tabs, Right::Tight, MAX_SOURCE),
    (Left::ShortTabs, Right::Tight, MAX_SOURCE),
    (Left::ShortTabs, Right::Tight, MIN_SOURCE),
    (Left::ShortTabs, Right::NoClock, MIN_SOURCE),
    (Left::Numbers, Right::Full, MAX_SOURCE),
    (Left::Numbers, Right::Tight, MIN_SOURCE),
    (Left::Numbers, Right::NoClock, MIN_SOURCE),
    (Left::Active, Right::Tight, MIN_SOURCE),
    (Left::Active, Right::NoClock, MIN_SOURCE),
    (Left::Active, Right::NoClock, SHORTEST_SOURCE),
    (Left::Active, Right::Source, SHORTEST_SOURCE),
    (Left::Active, Right::NoSource, 0),
    (Left::Active, Right::Sign, 0),
    (Left::Active, Right::Nothing, 0),
];

/// Paints the header, and makes its tabs clickable.
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance, view_state: &mut ViewState) {
    let theme = &appearance.theme;
    let inner = inner(area);
    let left_part = LeftPart::new(state, appearance.glyphs);
    let right_part = RightPart::new(state, theme);
    let from_width = right_part.source_width().min(MAX_SOURCE);
    let room = |left, right| {
        let others = right_part.width(right, 0);
        inner.width.checked_sub(left_part.width(left) + 2 + others)
    };
    let fits = |&(left, right, least): &(Left, Right, u16)| {
        room(left, right).is_some_and(|room| from_width.min(least) <= room)
    };
    let (left, right, _) = VARIANTS.into_iter().find(fits).unwrap_or((Left::Active, Right::Nothing, 0));
    let (right, paused) = match paused(state, theme) {
        // The tabs don't move: other pieces on the right are dropped to make room for a larger count.
        Some(forms) => {
            let room = inner.width.saturating_sub(left_part.width(left) + 2);
            let others = |kind: Right, least: u16| right_part.width(kind, from_width.min(least)) + kind.gap();
            let fits = |&(kind, mark, least): &(Right, u16, u16)| kind >= right && others(kind, least) + mark <= room;
            let found = WHILE_PAUSED.into_iter().find(fits);
            let (kind, least) = found.map_or((Right::Nothing, 0), |(kind, _, least)| (kind, least));
            let form = forms.into_iter().find(|form| others(kind, least) + form.width() <= room);
            (kind, form)
        }
        None => (right, None),
    };
    view_state.has_fees = right == Right::Fees && right_part.has_fee();
    let taken_by_pause = paused.as_ref().map_or(0, |form| form.width() + right.gap());
    let room = room(left, right).unwrap_or(0).saturating_sub(taken_by_pause);
    let mut shown = right_part.of(right, room.min(MAX_SOURCE));
    shown.splice(0..0, paused);
    let taken = pieces::width(&shown, right.gap());
    pieces::paint(buf, text::shifted(inner, inner.width.saturating_sub(taken)), &shown, right.gap());
    left_part.paint(buf, Rect { width: inner.width.saturating_sub(taken), ..inner }, left, theme, view_state);
}

/// The variants of the right part to try while updates are paused, each with the minimum columns of the mark and of the
/// source's name.
const WHILE_PAUSED: [(Right, u16, u16); 11] = [
    (Right::Fees, COUNTED_MARK, MAX_SOURCE),
    (Right::Height, COUNTED_MARK, MAX_SOURCE),
    (Right::Full, COUNTED_MARK, MAX_SOURCE),
    (Right::Tight, COUNTED_MARK, MIN_SOURCE),
    (Right::NoClock, COUNTED_MARK, MIN_SOURCE),
    (Right::NoClock, SHORT_MARK, MIN_SOURCE),
    (Right::NoClock, SHORT_MARK, SHORTEST_SOURCE),
    (Right::Source, COUNTED_MARK, MIN_SOURCE),
    (Right::Source, SHORT_MARK, MIN_SOURCE),
    (Right::NoSource, SHORT_MARK, 0),
    (Right::Sign, SHORT_MARK, 0),
];

/// Columns of `paused 12`.
const COUNTED_MARK: u16 = 9;

/// Columns of `‖ 12`.
const SHORT_MARK: u16 = 4;

/// The paused mark with the number of waiting responses, longest form first; `None` if updates are not paused.
fn paused<'a>(state: &State, theme: &Theme) -> Option<Vec<Piece<'a>>> {
    let count = state.paused.as_ref()?.count();
    let forms = match count {
        0 => vec![String::from("paused"), String::from("‖")],
        _ => {
            let count = Count(count as u64);
            let long = format!("paused · {count} waiting");
            vec![
                long,
                format!("paused · {count} new"),
                format!("‖ {count} new"),
                format!("‖ {count}"),
                String::from("‖"),
            ]
        }
    };
    Some(forms.into_iter().map(|form| Piece::new(form, theme.warn)).collect())
}
