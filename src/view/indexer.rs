//! The indexer tab: BRC-20 tokens on the left; the selected token or the current lookup on the right.

mod activity;
mod amounts;
mod balances;
mod bitcoin_balance;
mod crumbs;
mod details;
mod facts;
mod holders;
mod inscriptions;
mod listing;
mod panel_context;
mod prices;
mod stats;
mod token_chart;
mod tokens;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use panel_context::PanelContext;

use super::area::{below, inner, share, with_margins};
use super::chrome::pieces::{self, Piece};
use super::chrome::{self, health, prompt};
use super::paint_context::PaintContext;
use super::view_state::ViewState;
use super::widgets::text;
use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::screen::IndexerScreen;
use crate::app::{ClickTarget, Command};
use crate::keymap::Context;

/// Paints the tab: its subject in the first row of `body`, the panels below.
pub(super) fn paint(buf: &mut Buffer, body: Rect, context: PaintContext<'_>, view_state: &mut ViewState) {
    let PaintContext { state, appearance } = context;
    let screen = &state.indexer;
    let explained = health::explained::ExplainedFailures::default();
    let (prices, hides_amounts) = (state.token_prices(), state.hides_indexer_amounts());
    let context = PanelContext { state, screen, appearance, prices, hides_amounts, explained };
    let (line, content) = chrome::split(body, screen.filtering);
    headline(buf, line, &context, view_state);
    let has_chart_below = !IndexerScreen::has_room_for_two(state.size.0)
        && screen.has_room_below_details(state.size)
        && context.token_coin().is_some();
    let mut places = places(with_margins(content), screen, state.size, has_chart_below);
    // The tokens are painted last, since the right side has more room to explain failures.
    places.rotate_left(1);
    for (panel, area) in places {
        view_state.target(area, ClickTarget::Panel(panel));
        match panel {
            Panel::Tokens => tokens::paint(buf, area, &context, view_state),
            Panel::Details => details::paint(buf, area, &context),
            Panel::Holders => holders::paint(buf, area, &context, view_state),
            Panel::Activity => activity::paint(buf, area, &context, view_state),
            Panel::Balances => balances::paint(buf, area, &context, view_state),
            Panel::Inscriptions => inscriptions::paint(buf, area, &context, view_state),
            _ => match screen.subject() {
                Some(Subject::Stats) => stats::paint(buf, area, &context),
                _ => facts::paint(buf, area, &context),
            },
        }
    }
}

/// The areas of the panels.
fn places(content: Rect, screen: &IndexerScreen, size: (u16, u16), has_chart_below: bool) -> Vec<(Panel, Rect)> {
    // If no token is known, only the tokens panel is shown, and its explanation has the full width.
    if !screen.is_split(size) || screen.panels().is_empty() {
        return vec![(screen.focus, content)];
    }
    let left = IndexerScreen::left_columns(size.0);
    let tokens = Rect { width: left, ..content };
    let right =
        Rect { x: content.x.saturating_add(left + 2), width: content.width.saturating_sub(left + 2), ..content };
    let mut places = vec![(Panel::Tokens, tokens)];
    match screen.panels() {
        [] => {}
        [only] => places.push((*only, right)),
        [above, rest @ ..] => {
            let rows = match above {
                Panel::Details if has_chart_below => details::ROWS + token_chart::ROWS,
                Panel::Details => details::ROWS.min(right.height / 2),
                Panel::Facts => facts::ROWS.min(share(right.height, 3, 5)),
                _ => right.height / 2,
            };
            let (top, bottom) = (Rect { height: rows, ..right }, below(right, rows));
            places.push((*above, top));
            match rest {
                [a, b] if IndexerScreen::has_room_for_two(size.0) => {
                    let width = share(bottom.width, 2, 5).max(48);
                    places.push((*a, Rect { width, ..bottom }));
                    let beside = width + 2;
                    places.push((
                        *b,
                        Rect { x: bottom.x.saturating_add(beside), width: bottom.width - beside, ..bottom },
                    ));
                }
                [a, b] => places.push((screen.shown_of(*a, *b), bottom)),
                [only] => places.push((*only, bottom)),
                _ => {}
            }
        }
    }
    places
}

/// Minimum columns for the problem of a panel beside the balance of an address.
const MIN_PROBLEM: u16 = 30;

/// The filter while it is edited, or the subject of the tab.
fn headline(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let theme = &context.appearance.theme;
    let inner = inner(area);
    if inner.is_empty() {
        return;
    }
    let tokens = context.screen.token_list(&context.state.responses);
    if context.screen.filtering {
        let used = text::put(buf, inner, "filter by prefix: ", theme.dim);
        prompt::paint(buf, text::shifted(inner, used), &context.screen.filter, theme.strong, view_state);
        return;
    }
    // The line has the full width, so problems of the panels are explained here.
    let problem = context.explained.screen_health(context.state);
    let bitcoin = bitcoin_balance::piece(context);
    // A balance stays if a short form of the problem fits beside it.
    let beside = bitcoin.as_ref().map_or(0, |piece| crumbs::SHORT_ADDRESS + piece.width() + 2 * crumbs::GAP);
    let beside = inner.width.saturating_sub(beside);
    let room = if beside < MIN_PROBLEM { inner.width } else { beside };
    let status = problem.as_ref().map(|(problem, _)| problem.fit(room)).unwrap_or_default();
    if let Some((_, failure)) = &problem {
        context.explained.add_summary(&status, failure);
    }
    let status = status.text;
    text::put_right(buf, inner, &status, theme.warn);
    let taken = if status.is_empty() { 0 } else { text::width(&status) + 3 };
    let inner = Rect { width: inner.width.saturating_sub(taken), ..inner };
    // The title of the tokens has their number.
    let mut left = vec![Piece::new("BRC-20 tokens", theme.dim)];
    if left.first().is_some_and(|first| first.width() > inner.width) && !status.is_empty() {
        return;
    }
    let filter = context.screen.filter.value().trim();
    if !filter.is_empty() {
        left.push(Piece::new("prefix: ", theme.dim).and(filter.to_owned(), theme.accent));
    }
    if !context.screen.trail.is_empty() {
        let trail: Vec<&Subject> = context.screen.trail.iter().map(|visit| &visit.subject).collect();
        return crumbs::paint(buf, inner, left, &trail, bitcoin, theme);
    }
    if tokens.is_loaded() && tokens.len() > 1 {
        left.push(Piece::new(tokens::order(context.screen.sort, &tokens), theme.dim));
    }
    if filter.is_empty() {
        let key = context.state.keys().name(Command::Lookup, Context::Indexer, context.appearance.glyphs);
        let what = " look up address, ticker, block, sat or inscription";
        left.extend(key.map(|key| Piece::new(key, theme.key).and(what, theme.dim)));
    }
    pieces::paint(buf, inner, &left, 3);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::find::lookup::Subject;

    #[test]
    fn panels_stay_on_the_screen_at_any_size() {
        let sizes = [0, 1, 3, 9, 26, 40, 80, 160, 300, 5_957, 6_000, 21_846, 32_768, u16::MAX];
        for (width, height) in sizes.into_iter().flat_map(|width| sizes.map(|height| (width, height))) {
            let content = Rect { x: 0, y: 0, width, height };
            for subject in [Subject::Token("ordi".into()), Subject::Address("a".into()), Subject::Stats] {
                let mut screen = IndexerScreen::default();
                screen.visit(subject);
                for has_chart_below in [false, screen.has_room_below_details((width, height))] {
                    for (panel, area) in places(content, &screen, (width, height), has_chart_below) {
                        assert_eq!(area.intersection(content).area(), area.area(), "{panel:?} {area} on {content}");
                    }
                }
            }
        }
    }
}
