//! Firings, and the periods that were not checked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::alerts::text as words;
use crate::app::alerts::past::PastAlert;
use crate::app::overlay::AlertsDialog;
use crate::app::{ClickTarget, State};
use crate::format::{Clock, TimeRange};
use crate::keymap::{Command, Context};
use crate::user_data::Alert;
use crate::user_data::alert::Target as Subject;
use crate::view::appearance::Appearance;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::text;

/// The title of firings that were found later and of unchecked periods.
const AWAY: &str = "While you were away";

/// The rows that firings and unchecked periods need, with the titles and a blank line above.
pub(super) fn rows(past: &[PastAlert]) -> u16 {
    let titles = past.chunk_by(|a, b| a.was_away == b.was_away).count();
    let rows = if past.is_empty() { 0 } else { past.len() + titles + 1 };
    u16::try_from(rows).unwrap_or(u16::MAX)
}

/// Paints the firings while the user was away, then the other ones.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    dialog: &AlertsDialog,
    past: &[PastAlert],
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let (theme, before) = (&appearance.theme, dialog.listed(&state.alerts.tracked).len());
    // A title, or the index of a row.
    let mut lines: Vec<Result<usize, &str>> = Vec::new();
    for (index, row) in past.iter().enumerate() {
        let above = index.checked_sub(1).and_then(|above| past.get(above));
        if above.is_none_or(|above| above.was_away != row.was_away) {
            lines.push(Err(section(row)));
        }
        lines.push(Ok(index));
    }
    let selected = past.iter().position(|row| dialog.past == Some(row.key));
    if area.height == 1 && selected.is_none() {
        // There is only room for the count.
        if let Some(first) = past.first() {
            let same = past.iter().filter(|row| row.was_away == first.was_away).count();
            text::put(buf, area, &format!("{} · {same}", section(first)), theme.title);
        }
        return;
    }
    let line = lines.iter().position(|line| selected.is_some_and(|index| *line == Ok(index))).unwrap_or(0);
    let height = usize::from(area.height);
    let is_last = line + 1 == lines.len();
    // The last line counts the hidden rows, if there is room for both.
    let shown = if is_last || height < 2 { height } else { height - 1 };
    let hidden = (line + 1).saturating_sub(shown);
    let below = lines.iter().skip(hidden + height.saturating_sub(1)).filter(|line| line.is_ok()).count();
    let has_more = height >= 2 && lines.len() > hidden + height;
    for (row, line) in (0..area.height).zip(lines.into_iter().skip(hidden)) {
        let place = text::line(area, row);
        if has_more && row + 1 == area.height {
            text::put(buf, place, &format!("  {below} more"), theme.dim);
            break;
        }
        let index = match line {
            Ok(index) => index,
            Err(title) => {
                text::put(buf, place, title, theme.title);
                continue;
            }
        };
        let Some(past) = past.get(index) else { continue };
        let style = if !past.was_away {
            theme.text
        } else if past.is_unchecked() {
            theme.dim
        } else {
            theme.warn
        };
        let used = text::put(buf, place, &format!("  {}  ", moment(past, state)), theme.dim);
        let room = text::shifted(place, used);
        let is_private = state.wallet.hides_amounts && !past.is_unchecked();
        let private = state.alerts.text_without_amounts(past.alert()).filter(|_| is_private);
        let words = private.as_ref().unwrap_or(&past.text);
        // Cut between words: a truncated number would be a different number.
        text::paragraph(buf, Rect { height: 1, ..room }, words, style);
        let used = text::width(words).min(room.width);
        // A typed line has other choices.
        if dialog.line.is_none() {
            view_state.target(place, ClickTarget::Choice(before + index));
        }
        if selected == Some(index) {
            let hint = state.alert(past.alert()).and_then(|alert| opens(alert, past, state, appearance));
            if let Some(hint) = hint.filter(|hint| used + 2 + text::width(hint) <= room.width) {
                text::put_right(buf, room, &hint, theme.dim);
            }
            theme.selection.paint(buf, place);
        }
    }
}

/// The title above a firing or unchecked period.
fn section(past: &PastAlert) -> &'static str {
    if past.was_away { AWAY } else { "Fired" }
}

/// The effect of Enter on a firing or unchecked period: `↵ ORDI at 11:52`. `None` if it has none.
fn opens(alert: &Alert, past: &PastAlert, state: &State, appearance: &Appearance) -> Option<String> {
    let Subject::Coin(_) = alert.rule.target else { return None };
    let key = state.keys().name(Command::Open, Context::Alerts, appearance.glyphs)?;
    let at = Clock(state.preferences.zone.at(past.opens_at()));
    Some(format!("{key} {} at {at}", words::subject(&alert.rule)))
}

/// The time of a firing or unchecked period, with the day if it did not start today.
fn moment(past: &PastAlert, state: &State) -> String {
    let zone = &state.preferences.zone;
    let from = past.from.map(|from| zone.at(from));
    TimeRange { from, until: zone.at(past.until), now: zone.at(state.now) }.to_string()
}
