//! The token view.

pub(super) mod chart;
pub(super) mod commands;
pub(super) mod markets;

use crate::app::coins::named_coin::NamedCoin;
use crate::app::effect::Effect;
use crate::app::find::recent::{self, Recent};
use crate::app::menu::MenuChoice;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::OpenCoin;
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::{Group, Request};
use crate::keymap::Command;
use crate::model::{Coin, CoinId, Period, Text};
use crate::user_data::Watched;

use super::copy::items::Items;
use super::copy::token::add_token;
use super::painted::find_row;
use super::screen::{Position, Screen};
use super::sort;
use super::toast::toast;

/// Opens a token view over the tab.
pub(super) fn open(state: &mut State, mut token: TokenScreen) {
    state.token_choices.apply_to(&mut token);
    // Its prices are what the user looks for.
    state.panel_scroll.reset(Panel::Markets);
    state.comparison.abandon();
    state.posts.move_read_down();
    token.sync(&state.responses, &state.convert, &state.posts);
    recent::visit(&mut state.recent, Recent::Coin(token.named_coin()));
    state.token = Some(token);
    state.keep_open_coin();
}

/// Opens the view of a coin whose names are known.
pub(super) fn open_named(state: &mut State, named: &NamedCoin, period: Period) {
    let id = named.coin.id.clone().map(CoinId);
    let opened = match id.as_ref().and_then(|id| state.coin(id)) {
        Some(coin) => TokenScreen::from_coin(coin, period),
        None => TokenScreen::from_named(named, period),
    };
    open(state, opened);
}

/// Opens the view of a coin, with its name if that is known.
pub(super) fn open_watched(state: &mut State, coin: Watched, period: Period) {
    let name = state.known_coins().find(|known| coin.is_coin(known)).map(|known| known.name.clone());
    let name = name.unwrap_or_else(|| coin.symbol.clone());
    open_named(state, &NamedCoin { coin, name, rank: None }, period);
}

/// Opens the next or previous coin of the list or wallet below the view and selects it there. The view keeps its focus,
/// its orders and the columns of its markets.
fn open_neighbour(state: &mut State, command: Command) {
    let by = if command == Command::NextCoin { 1 } else { -1 };
    let Some(opened) = state.tab_screen().neighbour(state, by) else {
        let more = by > 0 && state.tab_screen().next_request(state).is_some();
        let words = match command {
            _ if more => "Loading more coins…",
            Command::NextCoin => "This is the last coin",
            _ => "This is the first coin",
        };
        return toast(state, words);
    };
    let (kept, scroll) = (state.token.take(), state.panel_scroll.clone());
    open(state, opened);
    state.panel_scroll = scroll;
    if let (Some(kept), Some(token)) = (kept, &mut state.token) {
        token.focus = kept.focus;
        token.order = kept.order;
        token.market_sort = kept.market_sort;
        token.sync(&state.responses, &state.convert, &state.posts);
    }
}

/// The token view.
pub(super) struct TokenView;

impl Screen for TokenView {
    fn groups(&self) -> &'static [Group] {
        &[Group::Market]
    }

    fn live_ids(&self, state: &State) -> Vec<CoinId> {
        state.token.iter().filter_map(|token| token.id.clone()).collect()
    }

    fn shows_prices(&self) -> bool {
        true
    }

    fn requests(&self, state: &State) -> Vec<Request> {
        let Some(token) = &state.token else { return Vec::new() };
        let mut requests = Vec::new();
        let shown = |panel| token.shows(panel, state.size);
        if shown(Panel::Chart) {
            requests.extend(token.chart_request(&state.convert));
            requests.extend(state.limit_rates_request(&token.named_coin().coin));
        }
        if shown(Panel::Posts) {
            requests.push(token.posts_request());
        }
        if shown(Panel::Markets) {
            requests.push(token.markets_request(&state.convert));
        }
        // The price in the headline comes from the list.
        requests.extend(state.page_of(token));
        if token.has_only_symbol() && state.requests_names() {
            requests.push(Request::CoinNames);
        }
        // The next coin may be on a page that is not loaded yet.
        requests.extend(state.tab_screen().next_request(state));
        requests
    }

    fn run(&self, state: &mut State, command: Command, _: &mut Vec<Effect>) {
        match command {
            Command::NextCoin | Command::PreviousCoin => open_neighbour(state, command),
            _ => commands::run(state, command),
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        let most = about_lines(state);
        let State { token: Some(token), responses, convert, posts, .. } = state else { return };
        match token.focus {
            Panel::Posts => {
                if let Some(page) = responses.posts(&token.posts_request()).value {
                    let mut cursor = std::mem::take(&mut token.posts);
                    let left = cursor.key().cloned();
                    cursor.step(step, token.post_count(), |row| token.post(&page.items, row));
                    // A post counts as read when the selection leaves it, unless it is folded.
                    let post = left.filter(|id| cursor.key() != Some(id));
                    let post = post.and_then(|id| page.items.iter().find(|post| post.id == id));
                    if let Some(post) = post.filter(|post| !token.is_folded(post)) {
                        posts.mark_read(&post.id);
                    }
                    token.posts = cursor;
                }
            }
            Panel::Markets => {
                if let Some(page) = responses.market_pairs(&token.markets_request(convert)).value {
                    let mut cursor = std::mem::take(&mut token.markets);
                    cursor.step(step, token.market_count(), |row| token.market(&page.items, row));
                    token.markets = cursor;
                }
            }
            Panel::About => token.about_scroll = token.about_scroll.step(step, most),
            _ => match step {
                // The chart's cursor only moves left and right, so up, down and the wheel move it by several.
                Step::By(by) => chart::move_cursor(state, by.signum() * chart::CURSOR_STEP),
                Step::First => chart::move_cursor_to_end(state, false),
                Step::Last => chart::move_cursor_to_end(state, true),
            },
        }
    }

    fn forget_missing(&self, state: &mut State) {
        if let Some(token) = &mut state.token {
            token.posts.forget_missing();
            token.markets.forget_missing();
        }
    }

    fn row(&self, state: &State) -> Option<usize> {
        let token = state.token.as_ref()?;
        match token.focus {
            Panel::Posts => Some(token.posts.index()),
            Panel::Markets => Some(token.markets.index()),
            _ => None,
        }
    }

    fn find_row(&self, state: &State, panel: Option<Panel>, painted: (usize, Option<&Text>)) -> Option<usize> {
        let token = state.token.as_ref()?;
        match panel? {
            Panel::Posts => {
                let page = state.responses.posts(&token.posts_request()).value?;
                find_row(painted, token.post_count(), |row| token.post(&page.items, row))
            }
            Panel::Markets => {
                let page = state.responses.market_pairs(&token.markets_request(&state.convert)).value?;
                find_row(painted, token.market_count(), |row| token.market(&page.items, row))
            }
            _ => None,
        }
    }

    fn position(&self, state: &State) -> Option<Position> {
        let token = state.token.as_ref().filter(|token| token.focus == Panel::Markets)?;
        let page = state.responses.market_pairs(&token.markets_request(&state.convert)).value?;
        let len = page.total.unwrap_or(0).max(page.items.len() as u64);
        Some(Position { row: token.markets.index(), len, has_more: false })
    }

    fn coin<'a>(&self, state: &'a State) -> Option<&'a Coin> {
        state.open_coin().map(OpenCoin::coin)
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        add_token(state, items);
    }

    fn sort_choices(&self, _state: &State) -> Vec<MenuChoice> {
        sort::of_markets()
    }

    fn has_period(&self) -> bool {
        true
    }

    /// Whether the focused panel has rows, or the points of a chart.
    fn has_rows(&self, state: &State) -> bool {
        let Some(token) = &state.token else { return false };
        match token.focus {
            Panel::Markets => token.market_count() > 0,
            Panel::Posts => token.post_count() > 0,
            Panel::Chart => {
                let chart = token.chart(&state.responses, &state.convert);
                chart.is_some_and(|chart| chart.all_points.iter().any(|point| point.price.is_some()))
            }
            _ => true,
        }
    }

    fn can_open(&self, state: &State) -> bool {
        match &state.token {
            Some(token) if token.focus == Panel::Posts => self.has_rows(state),
            token => token.as_ref().is_some_and(|token| !token.zoom && TokenScreen::can_zoom(state.size)),
        }
    }

    fn open_label(&self, state: &State) -> Option<&'static str> {
        Some(if state.token.as_ref()?.focus == Panel::Posts { "read" } else { "zoom" })
    }

    fn back_label(&self, state: &State) -> Option<&'static str> {
        let token = state.token.as_ref()?;
        let shows_chart = token.shows(Panel::Chart, state.size);
        Some(if token.chart_cursor.is_some() && shows_chart {
            "hide cursor"
        } else if token.chart_window.is_some() && shows_chart {
            "whole period"
        } else if token.is_zoomed(state.size) {
            "all panels"
        } else {
            "back"
        })
    }

    /// Whether a command belongs to the focused panel. The keys of the other panels are in the help.
    fn offers(&self, state: &State, command: Command) -> bool {
        let Some(token) = &state.token else { return false };
        match command {
            Command::PreviousPeriod | Command::ChartStyle => token.focus == Panel::Chart,
            Command::Left => token.focus == Panel::Chart && self.has_rows(state),
            Command::TogglePostOrder | Command::FilterPosts => token.focus == Panel::Posts,
            Command::SortMenu | Command::NextSortColumn => token.focus == Panel::Markets && self.has_rows(state),
            _ => true,
        }
    }

    fn watched(&self, state: &State) -> Option<Watched> {
        let token = state.token.as_ref()?;
        let id = token.id.as_ref().map(|id| id.0.clone());
        Some(Watched { symbol: token.symbol.clone(), slug: token.slug.clone(), id })
    }

    fn focus(&self, state: &mut State, panel: Panel) {
        if let Some(token) = &mut state.token {
            token.focus = panel;
        }
    }

    fn has_focus(&self, state: &State, panel: Panel) -> bool {
        has_focus(state, panel)
    }

    fn select(&self, state: &mut State, row: usize) {
        if let State { token: Some(token), responses, convert, .. } = state
            && token.focus == Panel::Markets
            && let Some(page) = responses.market_pairs(&token.markets_request(convert)).value
        {
            let mut cursor = std::mem::take(&mut token.markets);
            cursor.select(row, token.market_count(), |row| token.market(&page.items, row));
            token.markets = cursor;
        } else if let Some(here) = self.row(state) {
            self.step(state, Step::By(row as isize - here as isize));
        }
    }
}

/// Whether a panel has the focus.
fn has_focus(state: &State, panel: Panel) -> bool {
    state.token.as_ref().is_some_and(|token| token.focus == panel)
}

/// Maximum lines of the About panel, with [`MIN_TEXT_COLUMNS`] columns of text.
fn about_lines(state: &State) -> usize {
    let coin = state.open_coin().map(OpenCoin::coin);
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
