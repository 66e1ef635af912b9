//! A histogram: a bar per count, oldest on the left, with a time axis if the times are known.
//!
//! ```text
//!  412┤    █
//!     │▂ ▅ █ ▁
//!    0└─────┴──────
//!           14:00
//!      block 840,000      block 840,003
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::text;
use crate::format::{Clock, Count, Day};
use crate::model::{UtcTime, Zone};
use crate::theme::Theme;

/// The lower eighths of a cell.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The zone of labels unless one is set.
const UTC: &Zone = {
    static UTC: Zone = Zone::UTC;
    &UTC
};

/// Maximum columns of a bar.
const MAX_BAR: usize = 4;

/// Seconds between labels of the time axis: minutes, hours, days.
const STEPS: [i64; 14] = [
    600, 1_200, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000, 7_776_000, 31_536_000,
];

/// Bars with the largest count and zero on the left. Below them are round times, then the labels of the first and the
/// last bar. If there are more counts than columns, each column shows the largest of several counts.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, widgets::Widget};
/// use satscope::view::widgets::Histogram;
///
/// let mut buf = Buffer::empty(Rect::new(0, 0, 10, 4));
/// Histogram::new(&[4, 8, 0, 1]).ends(["first", ""]).render(buf.area, &mut buf);
/// let text: Vec<String> = buf.content.chunks(10).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
/// assert_eq!(text, ["8┤  █     ", " │█ █   ▂ ", "0└────────", "  first   "]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Histogram<'a> {
    counts: &'a [u64],
    times: &'a [Option<UtcTime>],
    ends: [&'a str; 2],
    zone: &'a Zone,
    theme: &'a Theme,
}

impl<'a> Histogram<'a> {
    /// Bars of counts, oldest first.
    pub fn new(counts: &'a [u64]) -> Histogram<'a> {
        Histogram { counts, times: &[], ends: [""; 2], zone: UTC, theme: Theme::ANSI }
    }

    /// The time of each count.
    pub fn times(self, times: &'a [Option<UtcTime>]) -> Histogram<'a> {
        Histogram { times, ..self }
    }

    /// The labels of the first and the last bar.
    pub fn ends(self, ends: [&'a str; 2]) -> Histogram<'a> {
        Histogram { ends, ..self }
    }

    /// The time zone of the labels; UTC by default.
    pub fn zone(self, zone: &'a Zone) -> Histogram<'a> {
        Histogram { zone, ..self }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> Histogram<'a> {
        Histogram { theme, ..self }
    }
}

impl Widget for Histogram<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let Histogram { counts, times, ends: [first, last], zone, theme } = self;
        let area = area.intersection(buf.area);
        let max = counts.iter().copied().max().unwrap_or(0);
        let label = Count(max).to_string();
        let left = text::width(&label) + 1;
        if area.height < 3 || area.width < left + 2 {
            return text::number(buf, text::line(area, 0), &label, theme.text);
        }
        let has_times = u16::from(area.height > 3 && times.iter().any(Option::is_some));
        let plot = Rect { height: area.height - 2 - has_times, ..text::shifted(area, left) };
        for row in 0..plot.height {
            let axis = if row == 0 { "┤" } else { "│" };
            text::put(buf, text::shifted(text::line(area, row), left - 1), axis, theme.dim);
        }
        let labels = Rect { width: left - 1, ..area };
        text::number(buf, text::line(labels, 0), &label, theme.dim);
        let foot = text::line(area, plot.height);
        text::number(buf, Rect { width: left - 1, ..foot }, "0", theme.dim);
        let group = counts.len().div_ceil(usize::from(plot.width).max(1)).max(1);
        let bars = group_maxima(counts, group);
        let pitch = (usize::from(plot.width) / bars.len().max(1)).clamp(1, MAX_BAR + 1);
        let thickness = if pitch > 1 { pitch - 1 } else { 1 };
        let width = u16::try_from(bars.len() * pitch).unwrap_or(u16::MAX).min(plot.width);
        let line: String = std::iter::once('└').chain(std::iter::repeat_n('─', usize::from(width))).collect();
        text::put(buf, text::shifted(foot, left - 1), &line, theme.dim);
        for (index, count) in bars.iter().enumerate() {
            let Ok(x) = u16::try_from(index * pitch) else { break };
            let cell = Rect { width: u16::try_from(thickness).unwrap_or(1), ..text::shifted(plot, x) };
            bar(buf, cell.intersection(plot), share(*count, max), theme);
        }
        if has_times > 0 {
            let axis = Rect { width, ..text::shifted(foot, left) };
            let line = text::shifted(text::line(area, plot.height + 1), left);
            let firsts: Vec<_> = times.chunks(group).map(|chunk| chunk.first().copied().flatten()).collect();
            for (bar, label) in time_labels(&firsts, pitch, line.width, zone) {
                let x = u16::try_from(bar * pitch).unwrap_or(u16::MAX);
                text::put(buf, Rect { width: 1, ..text::shifted(axis, x) }, "┴", theme.dim);
                text::put(buf, text::shifted(line, x), &label, theme.dim);
            }
        }
        let below = Rect { width: plot.width, ..text::shifted(text::line(area, plot.height + 1 + has_times), left) };
        let used = text::put(buf, below, first, theme.dim);
        if used.saturating_add(text::width(last)).saturating_add(2) <= below.width {
            text::put_right(buf, below, last, theme.dim);
        }
    }
}

/// Paints a bar with a share of the height, in eighths of a cell; a small but nonzero share has at least one.
fn bar(buf: &mut Buffer, area: Rect, share: f64, theme: &Theme) {
    let exact = share * f64::from(area.height) * 8.0;
    let eighths = if exact > 0.0 { (exact.round() as u16).max(1) } else { 0 };
    for row in 0..area.height {
        let below = (area.height - 1 - row).saturating_mul(8);
        let filled = usize::from(eighths.saturating_sub(below).min(8));
        let symbol = EIGHTHS.get(filled).copied().unwrap_or(" ");
        for column in 0..area.width {
            text::put(buf, Rect { width: 1, ..text::shifted(text::line(area, row), column) }, symbol, theme.text);
        }
    }
}

fn share(count: u64, max: u64) -> f64 {
    if max == 0 { 0.0 } else { count as f64 / max as f64 }
}

/// The labels of the time axis, each with the index of its bar: as close as possible with two columns between them,
/// ending before `columns`.
fn time_labels(times: &[Option<UtcTime>], pitch: usize, columns: u16, zone: &Zone) -> Vec<(usize, String)> {
    let at_step = |step: i64| {
        let mut before = None;
        let mut labels = Vec::new();
        for (bar, time) in times.iter().enumerate() {
            let Some(round) = time.map(|time| zone.wall_secs(time).div_euclid(step)) else { continue };
            if before.is_some_and(|before| before < round) {
                // The rounded local time of day.
                let moment = Zone::UTC.at(UtcTime::from_secs(round * step));
                let is_day = (round * step).rem_euclid(86_400) == 0;
                labels.push((bar, if is_day { Day(moment).to_string() } else { Clock(moment).to_string() }));
            }
            before = Some(round);
        }
        labels
    };
    let fits = |labels: &Vec<(usize, String)>| {
        labels.windows(2).all(|pair| match pair {
            [(a, label), (b, _)] => a * pitch + usize::from(text::width(label)) + 2 <= b * pitch,
            _ => true,
        })
    };
    let mut labels = STEPS.into_iter().map(at_step).find(fits).unwrap_or_default();
    labels.retain(|(bar, label)| bar * pitch + usize::from(text::width(label)) <= usize::from(columns));
    labels
}

/// The largest count of each group of neighbours.
fn group_maxima(counts: &[u64], group: usize) -> Vec<u64> {
    counts.chunks(group).map(|chunk| chunk.iter().copied().max().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: u16, height: u16, counts: &[u64]) -> String {
        timed(width, height, counts, &[])
    }

    fn timed(width: u16, height: u16, counts: &[u64], times: &[Option<UtcTime>]) -> String {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        Histogram::new(counts).times(times).ends(["1", "9"]).render(area, &mut buf);
        let rows = buf.content.chunks(usize::from(width));
        let rows: Vec<String> = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
        rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn bar_is_as_high_as_its_count() {
        // With gaps if there is room; a small but nonzero count is visible.
        assert_eq!(shown(10, 4, &[4, 8, 0, 1]), "8┤  █\n │█ █   ▂\n0└────────\n  1      9");
        assert_eq!(shown(6, 4, &[4, 8, 0, 1]), "8┤ █\n │██ ▂\n0└────\n  1  9");
    }

    #[test]
    fn round_times_are_below_their_bars() {
        let counts = [4; 24];
        // A block every ten minutes, starting at 21:05.
        let times: Vec<_> = (0..24).map(|n| Some(UtcTime::from_secs(1_795_122_300 + 600 * n))).collect();
        let text = timed(60, 6, &counts, &times);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[3..],
            [
                "0└────────────┴───────────┴───────────┴───────────",
                "              22:00       23:00       20 Nov",
                "  1                                                        9",
            ],
            "{text}"
        );
        let without = timed(60, 6, &counts, &[None; 24]);
        assert!(!without.contains('┴'), "{without}");
    }

    #[test]
    fn largest_count_shows_in_few_columns() {
        let counts: Vec<u64> = (0..1000).map(|n| if n == 500 { 99 } else { 1 }).collect();
        let text = shown(20, 5, &counts);
        assert!(text.starts_with("99┤") && text.contains('█'), "{text}");
        for width in 0..40 {
            for height in 1..6 {
                for counts in [&[][..], &[0], &[u64::MAX, 1], &counts] {
                    if width > 0 {
                        shown(width, height, counts);
                    }
                }
            }
        }
    }
}
