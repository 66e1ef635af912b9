//! The totals of the holdings, in one or two lines.

mod parts;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::State;
use crate::theme::Theme;
use crate::view::appearance::Appearance;
use crate::view::area::inner;
use crate::view::chrome::exchange_rate;
use crate::view::chrome::health::Health;
use crate::view::widgets::text;
use parts::{GAP, Part, Totals, Word, columns};

/// Columns reserved for the age of the prices beside the totals, if these need a second line: `updated 30 m ago`.
const AGE: u16 = 18;

/// Where [`paint`] left off.
pub(super) struct Painted {
    /// Whether it painted the origin of the exchange rate.
    pub(super) has_rate: bool,
    /// The columns used in the second line.
    pub(super) below: u16,
    /// The columns reserved in the second line.
    pub(super) reserved: u16,
}

/// Paints the totals in the line `area`, warnings last, with the age of the prices on the right. If the line is too
/// short for the longest forms of all parts, the last parts are painted in the line `second`, if there is one; otherwise
/// parts are shortened or dropped, warnings last.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    second: Option<Rect>,
    state: &State,
    appearance: &Appearance,
) -> Painted {
    let theme = &appearance.theme;
    let parts = Totals::new(area.width, state, appearance).parts();
    let rate = exchange_rate::origin(state);
    let line = inner(area);
    let rate_columns = rate.as_ref().map_or(0, |words| text::width(words) + 2);
    let Fit { is_split, fits_rate } = Fit::of(&parts, rate_columns, line.width, second.is_some());
    let health = state.holdings_remote().map(|remote| Health::of(remote, state));
    let problem = health.as_ref().filter(|health| health.is_bad);
    let first = problem.map_or(line, |problem| paint_problem(buf, line, &parts, problem, theme));
    let second = second.map(inner).filter(|_| is_split || problem.is_some());
    let above = count_above(&parts, first.width, if problem.is_some() { 0 } else { AGE });
    let lines = Lines { first, second };
    let PaintedParts { mut rest, used_below } = paint_parts(buf, &parts, lines, is_split.then_some(above));
    let rate = rate.filter(|words| fits_rate && used_below.is_none() && text::width(words) <= rest.width);
    if let Some(words) = &rate {
        let used = text::put(buf, rest, words, theme.dim) + 2;
        rest = text::shifted(rest, used);
    }
    if let Some(health) = health.as_ref().filter(|health| !health.is_bad) {
        text::put_right(buf, rest, &health.fitted(rest.width), theme.dim);
    }
    let below = used_below.unwrap_or(0);
    let reserved: u16 = parts.iter().skip(above).map(Part::reserved).sum();
    // A second line stays even if nothing is in it.
    Painted { has_rate: rate.is_some(), below, reserved: if is_split { reserved.max(1) } else { below } }
}

/// What fits in the first line.
struct Fit {
    /// Whether the longest forms of all parts need two lines, and there are two.
    is_split: bool,
    /// Whether the origin of the exchange rate fits behind all parts.
    fits_rate: bool,
}

impl Fit {
    /// Fits the parts and the origin of the exchange rate, of `rate` columns, into a line of `width` columns.
    fn of(parts: &[Part], rate: u16, width: u16, has_second: bool) -> Fit {
        let whole: u16 = parts.iter().map(Part::reserved).sum();
        let with_rate = whole + rate;
        let is_split = has_second && with_rate + AGE > width;
        Fit { is_split, fits_rate: !is_split && with_rate <= width + 2 }
    }
}

/// How many parts are in the first line of two, beside `taken` columns.
fn count_above(parts: &[Part], width: u16, mut taken: u16) -> usize {
    let fits_above = |part: &&Part| {
        taken += part.reserved();
        taken <= width + 2
    };
    parts.iter().take_while(fits_above).count().max(1)
}

/// The lines for the parts.
struct Lines {
    first: Rect,
    /// The second line, if there is one.
    second: Option<Rect>,
}

/// Where [`paint_parts`] left off.
struct PaintedParts {
    /// The rest of the first line.
    rest: Rect,
    /// The columns used in the second line, if there are parts in it.
    used_below: Option<u16>,
}

/// Paints a failure on the right. It overrides the details of the totals, but not the names of missing parts: without
/// room for both, it is not painted. Returns the rest of the line.
fn paint_problem(buf: &mut Buffer, line: Rect, parts: &[Part], problem: &Health, theme: &Theme) -> Rect {
    let warning = parts.iter().find(|part| part.is_warning);
    let essential = parts.first().into_iter().chain(warning);
    let essential: u16 = essential.filter_map(|part| part.forms.last()).map(|form| columns(form)).sum();
    let room = line.width.saturating_sub(essential);
    let words = problem.fitted(room);
    if text::width(&words) > room {
        return line;
    }
    text::put_right(buf, line, &words, problem.style(theme));
    Rect { width: line.width - text::width(&words), ..line }
}

/// Paints the parts in the first line, and from a part on in the second, if there is one: from this index or, without it,
/// from the first one whose longest form doesn't fit.
fn paint_parts(buf: &mut Buffer, parts: &[Part], lines: Lines, split_at: Option<usize>) -> PaintedParts {
    let Lines { first, mut second } = lines;
    let fits = |form: &[Word], room: u16| columns(form) <= room + 2;
    let (mut rest, mut rest_of_first, mut used_below) = (first, None, 0);
    let mut drops_details = false;
    for (index, part) in parts.iter().enumerate() {
        let is_long = match split_at {
            Some(split_at) => index >= split_at,
            None => !part.forms.first().is_some_and(|form| fits(form, rest.width)),
        };
        if is_long
            && index > 0
            && let Some(line) = second.take()
        {
            rest_of_first = Some(rest);
            rest = line;
        }
        // Later warnings may be in the second line.
        let later = parts.get(index + 1..).filter(|_| second.is_none()).unwrap_or_default();
        let form = part.fitted(later, rest.width).filter(|_| !(part.is_detail && drops_details));
        let Some(form) = form.or(part.forms.last().filter(|_| index == 0).map(Vec::as_slice)) else {
            drops_details |= !part.is_warning;
            continue;
        };
        for word in form {
            let used = text::put(buf, rest, &word.text, word.style) + GAP;
            rest = text::shifted(rest, used);
            used_below += if rest_of_first.is_some() { used } else { 0 };
        }
    }
    PaintedParts { rest: rest_of_first.unwrap_or(rest), used_below: rest_of_first.map(|_| used_below) }
}
