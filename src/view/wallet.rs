//! The wallet tab: the holdings, and the watched coins, each with a chart over the chosen period.

mod addresses;
mod chart;
mod columns;
mod holding_rows;
mod holdings;
mod recent_changes;
mod rows;
mod span;
mod totals;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::appearance::Appearance;
use super::area::{below, inner};
use super::chrome::health::{self, Health, Missing, Part};
use super::chrome::{self, exchange_rate};
use super::paint_context::PaintContext;
use super::view_state::{TableScreen, ViewState};
use super::widgets::table::Layout;
use super::widgets::{PanelTitle, Placeholder, Table, text};
use crate::app::panel::cells::WatchedCell;
use crate::app::screen::wallet::order::Order;
use crate::app::screen::wallet::value_chart::chart_rows;
use crate::app::{ClickTarget, Command, Remote, State, Tab};
use crate::client::Group;
use crate::keymap::Context;
use crate::model::{MarketSeries, Period, Tag};
use crate::user_data::UnreadablePart;

/// Minimum columns of the title next to a problem.
const TITLE: u16 = 18;

/// Rows of the watched coins that stay visible below many holdings: an empty one, the title, the heading and two coins.
const MIN_WATCHED: u16 = 5;

/// Minimum rows of a screen without holdings that shows how to add some, and of one with a blank row below that.
const MIN_HINT: u16 = 6;
const MIN_SPACED: u16 = 14;

/// Rows of the reason of a failure: an empty one, the reason, and the time of the retry.
const REASON: u16 = 3;

/// Minimum columns of the changes beside the origin of the exchange rate.
const MIN_CHANGES: u16 = 30;

/// Minimum rows of a screen with a line about changes.
const MIN_RECENT_CHANGES: u16 = 8;

/// Minimum rows of a screen with a second line of totals.
const MIN_SECOND_LINE: u16 = 12;

/// Paints the tab: the totals in the first row of `body` and the holdings below, if there are any; then the watched
/// coins.
pub(super) fn paint(buf: &mut Buffer, body: Rect, context: PaintContext<'_>, view_state: &mut ViewState) {
    let PaintContext { state, appearance } = context;
    let (line, content) = chrome::split(body, false);
    if state.wallet.held_lines() == 0 {
        // The hint is where the holdings would be.
        let hint_rows = match content.height {
            _ if state.watched.is_empty() => 0,
            MIN_SPACED.. => 2,
            MIN_HINT.. => 1,
            _ => 0,
        };
        if hint_rows > 0 {
            let place = inner(line);
            text::put(buf, place, &how_to_start("No holdings", place.width, state, appearance), appearance.theme.dim);
        }
        let watched = below(body, hint_rows);
        let (line, content) = chrome::split(watched, false);
        return paint_watched(buf, line, content, context, view_state);
    }
    let second = (content.height >= MIN_SECOND_LINE).then(|| text::line(content, 0));
    let totals = totals::paint(buf, line, second, state, appearance);
    let rows = chart_rows((content.width, content.height), state.wallet.held_lines(), state.wallet.rows().len());
    let content = match content.height {
        MIN_RECENT_CHANGES.. => below(content, paint_below_totals(buf, content, &totals, state, appearance)),
        _ => content,
    };
    if rows > 0 {
        // Below the watched coins, or below the last holding.
        let above = Rect { height: content.height.saturating_sub(rows), ..content };
        let above = if state.watched.is_empty() {
            holdings::height_of(holdings::lines(above, 0, state), state)
        } else {
            u16::MAX
        };
        let above = above.min(content.height.saturating_sub(rows));
        chart::paint(buf, Rect { height: rows, ..below(content, above) }, state, appearance, view_state);
    }
    let content = Rect { height: content.height.saturating_sub(rows), ..content };
    let spare = content.height.saturating_sub(MIN_WATCHED).max(content.height / 2);
    // The watched coins have a blank row, a title and a heading.
    let watched = u16::try_from(state.wallet.rows().len()).unwrap_or(u16::MAX);
    let others = if state.watched.is_empty() { 0 } else { watched.saturating_add(3) };
    let lines = holdings::lines(content, others, state);
    let held = if state.watched.is_empty() {
        content.height
    } else if lines > 1 {
        holdings::height_of(lines, state)
    } else {
        holdings::height(state).min(spare)
    };
    holdings::paint(buf, Rect { height: held, ..content }, lines, context, view_state);
    // The heading is more important than the blank row.
    let rest = below(content, held + u16::from(content.height >= held.saturating_add(MIN_WATCHED)));
    if !state.watched.is_empty() && !rest.is_empty() {
        paint_watched(buf, Rect { height: 1, ..rest }, below(rest, 1), context, view_state);
    }
}

/// Paints the changes and the origin of the exchange rate beside the totals in the second line, or in the line below
/// them. Returns the number of lines used in `content`.
fn paint_below_totals(
    buf: &mut Buffer,
    content: Rect,
    totals: &totals::Painted,
    state: &State,
    appearance: &Appearance,
) -> u16 {
    let totals::Painted { has_rate, below: used, reserved } = *totals;
    let line = text::line(content, 0);
    let beside = text::shifted(line, used);
    if reserved == 0 || inner(text::shifted(line, reserved)).width >= MIN_CHANGES {
        let is_painted = paint_changes(buf, beside, has_rate, state, appearance);
        return u16::from(is_painted || reserved > 0);
    }
    1 + u16::from(paint_changes(buf, text::line(content, 1), has_rate, state, appearance))
}

/// Paints the changes since the user last looked, and on the right the origin of the exchange rate, unless it is in the
/// line above. Returns `false` without either.
fn paint_changes(buf: &mut Buffer, line: Rect, has_rate: bool, state: &State, appearance: &Appearance) -> bool {
    let theme = &appearance.theme;
    let rate = exchange_rate::origin(state).filter(|_| !has_rate).unwrap_or_default();
    let place = inner(line);
    // The changes need room for the first of them.
    let room = place.width.checked_sub(text::width(&rate) + 2).filter(|room| *room >= MIN_CHANGES || rate.is_empty());
    let changes = Rect { width: line.width - place.width + room.unwrap_or(place.width), ..line };
    let has_changes = recent_changes::paint(buf, changes, state, appearance);
    let is_rate_shown = !rate.is_empty() && (!has_changes || room.is_some());
    if is_rate_shown {
        if has_changes {
            text::put_right(buf, place, &rate, theme.dim)
        } else {
            text::put(buf, place, &rate, theme.dim)
        };
    }
    has_changes || is_rate_shown
}

/// Why holdings are missing, or how to add some, within the width if possible: `No holdings · press a to add a lot, A
/// for an address`.
fn how_to_start(what: &str, columns: u16, state: &State, appearance: &Appearance) -> String {
    if let Some(reason) = state.user.current().unreadable_about(UnreadablePart::is_holdings).next() {
        return reason.to_owned();
    }
    if let Some(database) = state.store_log.unread() {
        return format!("Can't read holdings from {database}");
    }
    let key = |command| state.keys().name(command, Context::Wallet, appearance.glyphs);
    let (lot, address) = (key(Command::AddLot), key(Command::AddAddress));
    let [long, short] = match (lot, address) {
        (Some(lot), Some(address)) => [
            format!("{what} · press {lot} to add a lot, {address} for an address"),
            format!("{what} · {lot} add lot, {address} address"),
        ],
        (Some(lot), None) => [format!("{what} · press {lot} to add a lot"), format!("{what} · {lot} add lot")],
        (None, Some(key)) => [format!("{what} · press {key} to add an address"), format!("{what} · {key} add address")],
        (None, None) => [what.to_owned(), what.to_owned()],
    };
    if text::width(&long) <= columns { long } else { short }
}

/// Paints the watched coins: the title in `line`, the coins in `content`.
fn paint_watched(buf: &mut Buffer, line: Rect, content: Rect, context: PaintContext<'_>, view_state: &mut ViewState) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let remote_of = |row| state.wallet.remote(row, &state.responses, &state.convert);
    // If there are several responses, the title is about the one of the selected row.
    let own_row = state.wallet.selected();
    let Some(remote) = remote_of(own_row) else {
        title(buf, line, context, &Health::default(), view_state);
        let sentence = how_to_fill(state, appearance);
        return Placeholder::empty(&sentence).theme(theme).render(content, buf);
    };
    title(buf, line, context, &watched_health(remote, state), view_state);

    let (len, above) = (state.wallet.rows().len(), state.wallet.held_lines());
    let selected = state.wallet.cursor.index().checked_sub(above);
    let head_rows = u16::from(content.height > 2);
    let rest = below(content, head_rows);
    let missing = remote.value.is_none().then_some(remote);
    // The reason of a failure is shown below any number of rows.
    let has_failed = missing.is_some_and(|remote| remote.failure().is_some());
    let reason = REASON + u16::from(state.has_live(Group::Market));
    let reason = if has_failed { reason.min(rest.height / 2) } else { 0 };
    let place = Rect { height: rest.height - reason, ..rest };
    let shape = rows::Shape::new(place, len);
    let period = state.wallet.period();
    let columns = rows::columns(content.width, &state.convert, period, !state.comparison.coins().is_empty());
    let layout = rows::layout(&columns, content.width, period);
    let newest = state.newest_update_near(None);
    let table = Table::new(&columns, len, |index, cells| {
        let Some(row) = state.wallet.rows().get(index) else { return };
        let remote = remote_of(Some(row)).unwrap_or(remote);
        rows::paint(cells, row, remote, context);
        let series = row.series.and_then(|index| remote.value?.get(index));
        if remote.is_stale(state.now) || state.has_old_price(row, series, newest) {
            health::fade(cells.buf, cells.area);
        }
    });
    let order = state.wallet.holdings().order().0.of_watchlist();
    let sort = rows::sort_mark(order);
    let table =
        table.head(head_rows > 0).sort(sort).layout(&layout).row_height(shape.painted, shape.height - shape.painted);
    // Without a selection, the first coins are shown.
    let mut table_state =
        view_state.table(TableScreen::Wallet, None, len, selected.or(Some(0)), place.height / shape.height);
    table_state.selected = selected;
    let visible = table_state.visible(len, usize::from(place.height / shape.height));
    let shown = u16::try_from(visible.len()).unwrap_or(u16::MAX) * shape.height;
    let area = Rect { height: head_rows + shown, ..content };
    table.scrollbar().selection(theme.selection).theme(theme).render(area, buf, &mut table_state);
    if head_rows > 0 {
        let line = text::line(content, 0);
        let gap = columns::comparison_gap(&layout, line, state);
        columns::show_hidden_sort(buf, line, &layout, order.by, sort, gap, theme);
        heading_targets(line, &layout, view_state);
    }
    for (slot, index) in (0..).zip(visible) {
        let (row, area) = (above + index, Rect { y: place.y + slot * shape.height, height: shape.height, ..place });
        view_state.row(area, (None, row), state.wallet.lines().get(row));
    }
    notes(buf, below(rest, shown), state, missing, appearance);
}

/// How to add holdings and coins to an empty wallet: `Empty wallet · press a to add a lot, A for an address · 1, then f to
/// watch a coin`.
fn how_to_fill(state: &State, appearance: &Appearance) -> String {
    let keys = state.keys();
    let list = keys.name(Command::Go(Tab::List(Tag::All)), Context::Wallet, appearance.glyphs);
    let watch = keys.name(Command::ToggleWatch, Context::List, appearance.glyphs);
    let watch = list.zip(watch).map(|(list, watch)| format!("{list}, then {watch} to watch a coin"));
    let hints = std::iter::once(how_to_start("Empty wallet", u16::MAX, state, appearance)).chain(watch);
    hints.collect::<Vec<_>>().join(" · ")
}

/// The health of the charts of the watched coins, with the time that they cover; or with their currency, if it is not
/// the current one.
fn watched_health(remote: Remote<'_, Vec<MarketSeries>>, state: &State) -> Health {
    let health = Health::of(remote, state);
    // Without charts, the rows show loading, and the line below them shows why loading failed.
    let Some(series) = remote.value else { return health.without_text() };
    if let Some(other) = series.iter().find(|series| series.convert != state.convert) {
        return health.in_currency(other.convert.as_str());
    }
    let charted = series.iter().find(|series| series.points.len() > 1);
    match charted.and_then(|charted| span::note(state.wallet.period(), &charted.points)) {
        Some(note) if !health.is_bad => health.after(Part::note(note)),
        _ => health,
    }
}

/// Makes the headings of the watched coins clickable.
fn heading_targets(line: Rect, layout: &Layout, view_state: &mut ViewState) {
    for placed in layout.columns() {
        let sorted = WatchedCell::ALL.get(placed.index).and_then(|cell| rows::order_of(*cell));
        let by = Order::ALL.iter().position(|order| Some(*order) == sorted);
        if let (Some(by), Some(cell)) = (by, layout.cell(line, placed.index)) {
            view_state.target(cell, ClickTarget::Heading(None, by));
        }
    }
}

/// Paints the title with the periods and the health of the charts.
fn title(buf: &mut Buffer, area: Rect, context: PaintContext<'_>, health: &Health, view_state: &mut ViewState) {
    let PaintContext { state, appearance } = context;
    let area = inner(area);
    if area.is_empty() {
        return;
    }
    let (text, style) = (health.text(), health.style(&appearance.theme));
    let chosen = Period::ALL.iter().position(|period| *period == state.wallet.period());
    let periods = Period::ALL.map(Period::as_str);
    // The holdings above have no title of their own.
    let has_selection = state.wallet.held_lines() == 0 || state.wallet.selected().is_some();
    let title = PanelTitle::new("Watchlist").choices(&periods, chosen).focused(has_selection).theme(&appearance.theme);
    if !health.is_bad {
        let title = title.right(&text, style);
        view_state.periods(text::line(area, 0), &title, &Period::ALL);
        return title.render(area, buf);
    }
    // A problem takes precedence over the other periods.
    let status = health.fitted(area.width.saturating_sub(TITLE));
    let room = Rect { width: area.width.saturating_sub(text::width(&status)), ..area };
    text::put(buf, text::shifted(area, room.width), &status, style);
    let room = Rect { width: room.width.saturating_sub(2), ..room };
    view_state.periods(text::line(room, 0), &title, &Period::ALL);
    title.render(room, buf);
}

/// Paints notes below the last row: why there is no data, and which symbols several coins share.
fn notes(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    missing: Option<Remote<'_, Vec<MarketSeries>>>,
    appearance: &Appearance,
) {
    if area.is_empty() {
        return;
    }
    if let Some(remote) = missing {
        let below = below(area, u16::from(area.height > health::MIN_REASON));
        if remote.failure().is_some() {
            let missing = Missing::new(remote, "the watched coins", state, &appearance.theme).of(Group::Market);
            missing.paint(buf, below);
        }
        return;
    }
    let mut explained: Vec<&str> = Vec::new();
    for row in state.wallet.rows() {
        let Some(count) = row.ambiguous else { continue };
        let symbol = row.watched.symbol.as_str();
        if explained.contains(&symbol) {
            continue;
        }
        explained.push(symbol);
        let line = text::shifted(text::line(area, u16::try_from(explained.len()).unwrap_or(u16::MAX)), 1);
        if line.is_empty() {
            return;
        }
        let key = state.keys().name(Command::ToggleWatch, Context::List, appearance.glyphs);
        let hint = key.map_or_else(String::new, |key| format!(" · press {key} on yours in a list"));
        let words = format!("{count} coins use {symbol}{hint}");
        text::put(buf, line, &words, appearance.theme.warn);
    }
}
