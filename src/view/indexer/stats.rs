//! Inscriptions per block, as a histogram.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::panel_context::PanelContext;
use crate::app::panel::Panel;
use crate::format::Count;
use crate::model::{InscriptionStat, UtcTime};
use crate::view::area::below;
use crate::view::chrome::health;
use crate::view::widgets::{Histogram, PanelTitle, Placeholder, text};

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
    let mut blocks: Vec<&InscriptionStat> = page.items.iter().collect();
    blocks.sort_by_key(|block| block.block_height);
    let counts: Vec<u64> = blocks.iter().map(|block| block.inscriptions.unwrap_or(0)).collect();
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
        return Placeholder::empty("No statistics").theme(theme).render(place, buf);
    };
    let sum: u64 = page.items.iter().filter_map(|stat| stat.inscriptions).sum();
    let all = page.items.iter().filter_map(|stat| stat.inscriptions_total).max();
    let mut words = format!("{} in {} blocks", Count(sum), Count(page.items.len() as u64));
    if let Some(all) = all {
        words.push_str(&format!(" · {} in total", Count(all)));
    }
    let line = text::shifted(text::line(place, 0), 1);
    text::put(buf, line, text::parts(&words, line.width), theme.dim);
    let times: Vec<Option<UtcTime>> = blocks.iter().map(|block| block.time).collect();
    let ends = [first, last]
        .map(|block| block.block_height.map(|height| format!("block {}", Count(height))).unwrap_or_default());
    let ends = ends.each_ref().map(String::as_str);
    let bars = Histogram::new(&counts).times(&times).ends(ends).zone(&state.preferences.zone).theme(theme);
    bars.render(text::shifted(below(place, 2), 1), buf);
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
}
