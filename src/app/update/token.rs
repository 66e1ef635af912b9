//! Runs the commands of the token view.

use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::{MarketColumn, PANELS};
use crate::app::state::State;
use crate::keymap::{Command, Tab};
use crate::model::chart;
use crate::model::{Chart, Period, PostOrder};

use super::selection;
use super::toast::toast;

/// Opens a token view over the tab.
pub(super) fn open(state: &mut State, mut token: TokenScreen) {
    if let Some(panel) = state.zoomed {
        token.zoom = true;
        token.focus = panel;
    }
    token.sync(&state.store, &state.convert);
    state.token = Some(token);
}

/// Whether a token's chart has the focus.
pub(super) fn has_chart_focus(state: &State) -> bool {
    state.token.as_ref().is_some_and(|token| token.focus == Panel::Chart)
}

/// Opens the next or previous coin of the list or wallet below the view and selects it there. The view keeps its focus
/// and its orders.
fn open_neighbour(state: &mut State, command: Command) {
    let by = if command == Command::NextCoin { 1 } else { -1 };
    let Some(opened) = neighbour(state, by) else {
        let more =
            by > 0 && matches!(state.tab, Tab::List(tag) if state.list(tag).next_request(&state.convert).is_some());
        let words = match command {
            _ if more => "Loading more coins…",
            Command::NextCoin => "This is the last coin",
            _ => "This is the first coin",
        };
        return toast(state, String::from(words), false);
    };
    let kept = state.token.take();
    open(state, opened);
    if let (Some(kept), Some(token)) = (kept, &mut state.token) {
        token.focus = kept.focus;
        token.order = kept.order;
        token.market_sort = kept.market_sort;
    }
}

/// Selects the coin `by` rows further and creates its view; `None` if there is none.
fn neighbour(state: &mut State, by: isize) -> Option<TokenScreen> {
    match state.tab {
        Tab::List(tag) => {
            let period = state.period;
            let list = state.list_mut(tag);
            let here = list.cursor.index();
            list.step(by);
            list.selected().filter(|_| list.cursor.index() != here).map(|coin| TokenScreen::from_coin(coin, period))
        }
        Tab::Wallet => {
            let (here, before) = (state.wallet.cursor.index(), state.wallet.cursor.clone());
            let mut last = here;
            loop {
                state.wallet.step(by);
                let row = state.wallet.cursor.index();
                if row == last {
                    state.wallet.cursor = before;
                    return None;
                }
                // Skip symbols without data.
                if let Some(token) = selection::wallet_token(state) {
                    return Some(token);
                }
                last = row;
            }
        }
        Tab::Indexer | Tab::Status => None,
    }
}

pub(super) fn run(state: &mut State, command: Command) {
    if matches!(command, Command::NextCoin | Command::PreviousCoin) {
        open_neighbour(state, command);
    }
    let State { token: Some(token), store, convert, .. } = state else { return };
    match command {
        Command::Back if token.chart_cursor.is_some() => token.chart_cursor = None,
        Command::Back if token.zoom => token.zoom = false,
        Command::Back => state.token = None,
        Command::NextPanel => focus(token, 1),
        Command::PreviousPanel => focus(token, PANELS.len() - 1),
        Command::Zoom => token.zoom = !token.zoom,
        Command::NextPeriod => change_period(token, 1),
        Command::PreviousPeriod => change_period(token, -1),
        Command::TogglePostOrder => {
            token.order = match token.order {
                PostOrder::Top => PostOrder::Latest,
                PostOrder::Latest => PostOrder::Top,
            };
            token.posts.reset();
            token.focus = Panel::Posts;
        }
        Command::Left | Command::Right if token.focus == Panel::Chart => {
            let chart = token.chart_request(convert).and_then(|request| store.chart(&request).value);
            if let Some(chart) = chart {
                move_cursor(token, chart, if command == Command::Left { -1 } else { 1 }, state.size.0);
            }
        }
        Command::First | Command::Last if token.focus == Panel::Chart => {
            let chart = token.chart_request(convert).and_then(|request| store.chart(&request).value);
            let points = chart.map_or(&[][..], |chart| &chart.points);
            let end = if command == Command::First { points.first() } else { points.last() };
            token.chart_cursor = end.map(|point| point.time);
        }
        Command::Left | Command::Right if token.focus == Panel::Posts => {
            return run(state, Command::TogglePostOrder);
        }
        Command::NextSortColumn => sort_by_next(token),
        Command::ReverseSort => token.sort_markets(token.market_sort.0, !token.market_sort.1),
        Command::Open => match token.focus {
            Panel::Posts => {
                if let Some(id) = token.posts.key().cloned() {
                    token.unfolded.insert(id.clone());
                    state.overlay = Some(Overlay::Post { id, scroll: 0 });
                }
            }
            _ => token.zoom = !token.zoom,
        },
        _ => {}
    }
    if let Some(token) = &mut state.token {
        token.sync(&state.store, &state.convert);
    }
}

/// Moves the selection of the focused panel, or scrolls it.
pub(super) fn step(state: &mut State, by: isize) {
    let most = about_lines(state);
    let State { token: Some(token), store, convert, .. } = state else { return };
    match token.focus {
        Panel::Posts => {
            if let Some(page) = store.posts(&token.posts_request()).value {
                token.posts.step(by, page.items.len(), |i| page.items.get(i));
            }
        }
        Panel::Markets => {
            if let Some(page) = store.market_pairs(&token.markets_request(convert)).value {
                let mut cursor = std::mem::take(&mut token.markets);
                cursor.step(by, token.market_count(), |row| token.market(&page.items, row));
                token.markets = cursor;
            }
        }
        Panel::About => token.about_scroll = token.about_scroll.step(by, most),
        _ => {
            // The chart's cursor only moves left and right, so up and down move it by ten columns.
            let chart = token.chart_request(convert).and_then(|request| store.chart(&request).value);
            if let Some(chart) = chart {
                move_cursor(token, chart, by.clamp(-1, 1).saturating_mul(10), state.size.0);
            }
        }
    }
}

/// Maximum lines of the About panel, with [`MIN_TEXT_COLUMNS`] columns of text.
fn about_lines(state: &State) -> usize {
    let coin = state.token.as_ref().and_then(|token| state.coin(token.id.as_ref()?));
    let lines = |text: &str| text.len() / MIN_TEXT_COLUMNS + 1;
    coin.map_or(0, |coin| {
        let links = coin.links.iter().map(|link| lines(&link.url));
        let contracts = coin.contracts.iter().map(|contract| lines(&contract.address) + 1);
        // Tags are wrapped after hyphens, so two lines may be needed for each MIN_TEXT_COLUMNS characters.
        let tags = coin.tags.iter().map(|tag| 2 * tag.len() / MIN_TEXT_COLUMNS + 1);
        OTHER_FACTS + links.chain(contracts).chain(tags).sum::<usize>()
    })
}

/// Minimum columns of text in a panel.
const MIN_TEXT_COLUMNS: usize = 16;

/// Lines of facts other than links, contracts and tags.
const OTHER_FACTS: usize = 12;

fn focus(token: &mut TokenScreen, by: usize) {
    let here = PANELS.iter().position(|panel| *panel == token.focus).unwrap_or(0);
    if let Some(&panel) = PANELS.get((here + by) % PANELS.len()) {
        token.focus = panel;
    }
}

fn change_period(token: &mut TokenScreen, by: isize) {
    let here = Period::ALL.iter().position(|period| *period == token.period).unwrap_or(0);
    // Stop at both ends.
    if let Some(&period) = Period::ALL.get(here.saturating_add_signed(by)) {
        token.period = period;
    }
}

fn sort_by_next(token: &mut TokenScreen) {
    let here = MarketColumn::ALL.iter().position(|column| *column == token.market_sort.0).unwrap_or(0);
    if let Some(&column) = MarketColumn::ALL.get((here + 1) % MarketColumn::ALL.len()) {
        token.sort_markets(column, column.begins_descending());
    }
}

/// Moves the chart's cursor by columns: as many points as a column of the screen contains, at least one.
fn move_cursor(token: &mut TokenScreen, chart: &Chart, columns: isize, width: u16) {
    let Some(last) = chart.points.len().checked_sub(1) else { return };
    let stride = isize::try_from(chart.points.len() / usize::from(width.max(1))).unwrap_or(0).max(1);
    let here = match token.chart_cursor.and_then(|time| chart::nearest(&chart.points, time)) {
        Some(index) => index.saturating_add_signed(columns * stride).min(last),
        None => last,
    };
    token.chart_cursor = chart.points.get(here).map(|point| point.time);
}
