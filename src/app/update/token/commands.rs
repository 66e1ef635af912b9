//! Runs the commands of the open token view.

use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::PANELS;
use crate::app::state::State;
use crate::app::update::{note, posts, sort};
use crate::keymap::Command;
use crate::model::PostOrder;

use super::{chart, markets};

/// Runs a command that isn't the same on all screens.
pub(super) fn run(state: &mut State, command: Command) {
    match command {
        Command::SortMenu => sort::open_menu(state),
        Command::FilterPosts => posts::open_filter(state),
        Command::Note => note::open(state),
        Command::ScrollMarketsLeft => markets::scroll(state, -1),
        Command::ScrollMarketsRight => markets::scroll(state, 1),
        Command::Left => move_sideways(state, -1),
        Command::Right => move_sideways(state, 1),
        Command::ChartStyle
        | Command::ChartAxis
        | Command::ToggleAverages
        | Command::ToggleBollinger
        | Command::ToggleRsi
        | Command::ToggleMacd => {
            chart::change_chart(&mut state.chart, command);
            change(state, |token| token.focus = Panel::Chart);
        }
        Command::NarrowerCandles | Command::WiderCandles => chart::change_candles(state, command),
        Command::ZoomIn | Command::ZoomOut => chart::zoom(state, command),
        Command::PreviousDay | Command::NextDay => chart::move_by_a_day(state, command == Command::NextDay),
        Command::NextPeriod => change(state, |token| token.set_period(token.period.step(1))),
        Command::PreviousPeriod => change(state, |token| token.set_period(token.period.step(-1))),
        Command::NextPanel => change(state, |token| focus(token, 1)),
        Command::PreviousPanel => change(state, |token| focus(token, PANELS.len() - 1)),
        Command::TogglePostOrder => change(state, toggle_post_order),
        Command::NextSortColumn => change(state, markets::sort_by_next),
        Command::ReverseSort => change(state, |token| token.sort_markets(token.market_sort.reversed())),
        Command::Zoom => toggle_zoom(state),
        Command::Open => open_focused(state),
        Command::Back => back(state),
        _ => {}
    }
}

/// Changes the view, and updates what depends on the change.
fn change(state: &mut State, change: impl FnOnce(&mut TokenScreen)) {
    if let Some(token) = &mut state.token {
        change(token);
        token.sync(&state.responses, &state.convert, &state.posts);
    }
}

/// Moves the cursor of the chart, scrolls the markets, or shows the other order of posts.
fn move_sideways(state: &mut State, by: isize) {
    match state.token.as_ref().map(|token| token.focus) {
        Some(Panel::Chart) => chart::move_cursor(state, by),
        Some(Panel::Markets) => markets::scroll(state, by),
        Some(Panel::Posts) => change(state, toggle_post_order),
        _ => {}
    }
}

fn toggle_post_order(token: &mut TokenScreen) {
    let other = match token.order {
        PostOrder::Top => PostOrder::Latest,
        PostOrder::Latest => PostOrder::Top,
    };
    set_post_order(token, other);
}

fn set_post_order(token: &mut TokenScreen, order: PostOrder) {
    if token.order != order {
        token.order = order;
        token.posts.reset();
    }
    token.focus = Panel::Posts;
}

/// Shows the posts in a clicked order.
pub(in crate::app::update) fn show_posts(state: &mut State, order: PostOrder) {
    change(state, |token| set_post_order(token, order));
}

fn focus(token: &mut TokenScreen, by: usize) {
    let here = PANELS.iter().position(|panel| *panel == token.focus).unwrap_or(0);
    if let Some(&panel) = PANELS.get((here + by) % PANELS.len()) {
        token.focus = panel;
    }
}

fn toggle_zoom(state: &mut State) {
    let size = state.size;
    change(state, |token| token.zoom ^= TokenScreen::can_zoom(size));
}

/// Opens the selected post, or zooms the focused panel.
fn open_focused(state: &mut State) {
    let State { token: Some(token), posts, overlay, .. } = state else { return };
    if token.focus != Panel::Posts {
        return toggle_zoom(state);
    }
    if let Some(id) = token.selected_post().cloned() {
        token.unfolded.insert(id.clone());
        posts.mark_read(&id);
        *overlay = Some(Overlay::Post { id, scroll: 0 });
        change(state, |_| {});
    }
}

/// Hides the cursor of the chart, shows its whole period, shows all panels, or closes the view.
fn back(state: &mut State) {
    let (size, Some(token)) = (state.size, &state.token) else { return };
    let shows_chart = token.shows(Panel::Chart, size);
    if token.chart_cursor.is_some() && shows_chart {
        change(state, |token| token.chart_cursor = None);
    } else if token.chart_window.is_some() && shows_chart {
        change(state, |token| token.chart_window = None);
    } else if token.is_zoomed(size) {
        change(state, |token| token.zoom = false);
    } else {
        state.token = None;
    }
}
