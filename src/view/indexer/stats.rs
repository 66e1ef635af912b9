//! Inscriptions per block, as a histogram.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::panel_context::PanelContext;
use crate::app::panel::Panel;
use crate::view::area::below;
use crate::view::block_histogram::BlockHistogram;
use crate::view::chrome::health;
use crate::view::widgets::{PanelTitle, Placeholder, text};

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
    let PanelContext { state, screen, appearance, .. } = context;
    let theme = &appearance.theme;
    let Some(request) = screen.facts_request() else { return };
    let remote = state.responses.inscription_stats(&request);
    let health = context.explained.health(remote, state);
    let focused = context.is_focused(Panel::Facts);
    let title = PanelTitle::new("Inscriptions per block").focused(focused).theme(theme);
    let place = health::title_with_health(buf, area, title, &health, remote.value.is_some(), theme);
    let Some(page) = remote.value else {
        return context.missing(buf, place, remote, "statistics");
    };
    let Some(blocks) = BlockHistogram::new(&page.items) else {
        return Placeholder::empty("No statistics").theme(theme).render(place, buf);
    };
    let line = text::shifted(text::line(place, 0), 1);
    text::put(buf, line, text::parts(&blocks.summary, line.width), theme.dim);
    let bars = blocks.bars().zone(&state.preferences.zone).theme(theme);
    bars.render(text::shifted(below(place, 2), 1), buf);
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
}
