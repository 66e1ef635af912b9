//! The line with the changes since the user last looked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::columns::amount;
use crate::app::State;
use crate::app::wallet::recent_changes::RecentChange;
use crate::format::{Arrow, Clock, Day};
use crate::view::appearance::Appearance;
use crate::view::area::inner;
use crate::view::widgets::text;

/// Paints as much of the line as fits. Returns `false` if there are no changes.
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance) -> bool {
    let theme = &appearance.theme;
    let changes = state.recent_changes();
    let Some(seen) = state.seen.earlier.as_ref().filter(|_| !changes.is_empty()) else { return false };
    let zone = &state.preferences.zone;
    let (then, now) = (zone.at(seen.at), zone.at(state.now));
    let since = if then.date() == now.date() { Clock(then).to_string() } else { Day(then).to_string() };
    let mut parts: Vec<(String, Style)> = vec![(format!("since {since}:"), theme.dim)];
    let hides = state.wallet.hides_amounts;
    let size = |change| if hides { String::new() } else { format!("{} ", amount(change)) };
    for (index, item) in changes.iter().enumerate() {
        let gap = if index + 1 < changes.len() { "," } else { "" };
        parts.push(match item {
            RecentChange::Moved(symbol, change) => {
                let arrow = Arrow(Some(*change)).to_string().replace(' ', "");
                (format!("{symbol} {arrow}{gap}"), theme.change(Some(*change)))
            }
            RecentChange::Fired(title) => (format!("{title} fired{gap}"), theme.warn),
            RecentChange::Received(ticker, change) => (format!("received {}{ticker}{gap}", size(change)), theme.text),
            RecentChange::Sent(ticker, change) => (format!("sent {}{ticker}{gap}", size(change)), theme.text),
        });
    }
    let mut rest = inner(area);
    let count = parts.len();
    for (index, (words, style)) in parts.into_iter().enumerate() {
        // Room for the number of changes that don't fit.
        let more = format!("and {} more", count - index);
        let needed = text::width(&words) + if index + 1 < count { text::width(&more) + 1 } else { 0 };
        if index > 0 && needed > rest.width {
            text::put(buf, rest, &more, theme.dim);
            break;
        }
        let used = text::put(buf, rest, &words, style);
        rest = text::shifted(rest, used + 1);
    }
    true
}
