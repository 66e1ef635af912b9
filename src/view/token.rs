//! The token view: a headline, then the panels chart, about, posts and markets.

mod about;
mod chart;
mod headline;
mod markets;
mod panel_context;
mod posts;
mod unresolved;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use panel_context::PanelContext;

use super::area::{below, share, split_right, with_margins};
use super::chrome::{self, health::explained::ExplainedFailures};
use super::paint_context::PaintContext;
use super::view_state::ViewState;
use crate::app::ClickTarget;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::{OpenCoin, PanelLayout, about_columns};

/// Paints the view: the headline in the first row of `body`, the panels below.
pub(super) fn paint(
    buf: &mut Buffer,
    body: Rect,
    context: PaintContext<'_>,
    token: &TokenScreen,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    // Each of these searches the lists, so the panels share them.
    let coin = state.open_coin();
    let source = token.id.as_ref().and_then(|id| state.source_of(id));
    let context = PanelContext {
        state,
        token,
        coin: coin.map(OpenCoin::coin),
        last_copy: coin.and_then(OpenCoin::last),
        source,
        page: state.page_of_source(token, source).map(|request| state.responses.get(&request)),
        appearance,
        explained: ExplainedFailures::default(),
    };
    let (line, content) = chrome::split(body, false);
    headline::paint(buf, line, &context);
    for (panel, area) in places(with_margins(content), token, state.size) {
        view_state.target(area, ClickTarget::Panel(panel));
        match panel {
            Panel::Chart => chart::paint(buf, area, &context, view_state),
            Panel::About => about::paint(buf, area, &context),
            Panel::Posts => posts::paint(buf, area, &context, view_state),
            _ => markets::paint(buf, area, &context, view_state),
        }
    }
}

/// The areas of the panels.
fn places(content: Rect, token: &TokenScreen, size: (u16, u16)) -> Vec<(Panel, Rect)> {
    let top_rows = share(content.height, 11, 20).max(content.height.min(9));
    let top = Rect { height: top_rows.min(content.height), ..content };
    let bottom = below(content, top.height);
    match token.panel_layout(size) {
        PanelLayout::Single => vec![(token.focus, content)],
        PanelLayout::Stack => vec![(Panel::Chart, top), (token.below(), bottom)],
        PanelLayout::Grid => {
            let (chart, about) = split_right(top, about_columns(content.width.saturating_add(2)));
            // Markets get more room, since numbers must not be cut, while posts wrap.
            let (posts, markets) = split_right(bottom, (content.width / 2).clamp(38, 78));
            vec![(Panel::Chart, chart), (Panel::About, about), (Panel::Posts, posts), (Panel::Markets, markets)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::screen::token::PANELS;
    use crate::model::{Coin, CoinId, Period};

    #[test]
    fn panels_stay_on_the_screen_at_any_size() {
        let sizes = [0, 1, 3, 9, 26, 40, 80, 160, 300, 5_957, 6_000, 21_846, 32_768, u16::MAX];
        for (width, height) in sizes.into_iter().flat_map(|width| sizes.map(|height| (width, height))) {
            let content = Rect { x: 0, y: 0, width, height };
            for focus in PANELS {
                let mut token =
                    TokenScreen::from_coin(&Coin::new(CoinId("x".into()), "x".into(), "X".into()), Period::Week);
                token.focus = focus;
                for (panel, area) in places(content, &token, (width, height)) {
                    assert_eq!(area.intersection(content).area(), area.area(), "{panel:?} {area} on {content}");
                }
            }
        }
    }
}
