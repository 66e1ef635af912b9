//! Inscriptions per block, as a chart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Scene;
use crate::app::state::Panel;
use crate::format::Count;
use crate::model::Point;
use crate::view::below;
use crate::view::chrome::health::{self, Health};
use crate::view::widgets::chart::{self, Chart};
use crate::view::widgets::panel::{Placeholder, Title};
use crate::view::widgets::text;

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>) {
    let Scene { state, screen, look } = scene;
    let theme = &look.theme;
    let Some(request) = screen.facts_request() else { return };
    let remote = state.store.inscription_stats(&request);
    let health = Health::of(remote, state.now);
    let focused = scene.is_focused(Panel::Facts);
    let title = Title { name: "Inscriptions per block", focused, ..Title::default() };
    let place = health::titled(buf, area, title, &health, remote.value.is_some(), theme);
    let Some(page) = remote.value else {
        return health::missing(buf, place, remote, "statistics", state.now, theme);
    };
    let mut points: Vec<Point> = page
        .items
        .iter()
        .filter_map(|stat| {
            let price = stat.inscriptions.map(|count| count as f64);
            Some(Point { time: stat.time?, price, volume: None, market_cap: None })
        })
        .collect();
    points.sort_by_key(|point| point.time);
    if points.is_empty() {
        return Placeholder::Empty("the indexer has no statistics").paint(buf, place, theme);
    }
    let sum: u64 = page.items.iter().filter_map(|stat| stat.inscriptions).sum();
    let all = page.items.iter().filter_map(|stat| stat.inscriptions_total).max();
    let mut words = format!("{} in {} blocks", Count(sum), Count(page.items.len() as u64));
    if let Some(all) = all {
        words.push_str(&format!(", {} in all", Count(all)));
    }
    text::put(buf, text::shifted(text::line(place, 0), 1), &words, theme.dim);
    chart::paint(buf, below(place, 1), &Chart { points: &points, cursor: None, volume: false, counts: true }, theme);
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
}
