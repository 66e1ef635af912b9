//! The price axis of a chart: linear, logarithmic, or the change in percent.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::raster::Scale;
use super::ticks::PriceTicks;
use crate::format::{ABSENT, MINUS, PriceFormat, Signed};
use crate::model::{Text, change_pct};
use crate::theme::Theme;
use crate::view::widgets::text;

/// A logarithmic axis has round numbers of each power of ten if the highest price is this many times the lowest;
/// otherwise it has the numbers of a linear axis.
const LOG_FROM: f64 = 6.0;

/// How many labels a finer step may have beyond the maximum, before every second one is dropped.
const MAX_FINER: u16 = 8;

/// The labels of the price axis.
pub(super) struct Prices {
    labels: Vec<(f64, Text)>,
    ticks: PriceTicks,
    /// The opening price, if labels are changes from it in percent.
    open: Option<f64>,
    /// Whether marked prices are shown as changes, too.
    hides_prices: bool,
    /// The format of marked prices.
    format: PriceFormat,
}

impl Prices {
    /// Maximum columns of a label.
    pub(super) const MAX_LABEL: u16 = 12;

    /// Labels for a chart of this height, of which `rows` are the rows of its plot.
    pub(super) fn new(scale: &Scale, height: u16, rows: u16, format: PriceFormat) -> Prices {
        Prices::fitting(scale, height, rows, |max| {
            let ticks = PriceTicks::new(scale.low, scale.high, max);
            let labels = if scale.is_log && scale.high / scale.low >= LOG_FROM {
                log_labels(scale, usize::from(max), rows)
            } else {
                ticks.iter().map(|price| (price, ticks.label(price))).collect()
            };
            Prices { labels, ticks, open: None, hides_prices: false, format }
        })
    }

    /// About one label per three rows. If there were fewer than two, there may be one more, or every second label of a
    /// finer step, with a blank row between all labels. `of` returns at most this many labels.
    fn fitting(scale: &Scale, height: u16, rows: u16, of: impl Fn(u16) -> Prices) -> Prices {
        let max = (height / 3).clamp(2, 12);
        let few = of(max);
        if few.labels.len() > 1 {
            return few;
        }
        let row = |price: f64| scale.cell_row(price, rows);
        let is_readable = |labels: &[(f64, Text)]| are_apart(scale, rows, labels.iter().map(|(price, _)| *price));
        let more = of(max + 1);
        let few = if is_readable(&more.labels) { more } else { few };
        if few.labels.len() > 1 {
            return few;
        }
        let finer = (max + 1..=max + MAX_FINER).map(&of).find(|prices| prices.labels.len() > 2);
        let Some(finer) = finer else { return few };
        let halves = [0, 1].map(|first| finer.labels.iter().skip(first).step_by(2).cloned().collect::<Vec<_>>());
        let fitting = halves.into_iter().filter(|labels| labels.len() > 1 && is_readable(labels));
        // With as many labels, prefer those with the roundest price, such as the zero of changes.
        let roundest = few.labels.first().map(|(price, _)| row(*price));
        let has_roundest = |labels: &[(f64, Text)]| labels.iter().any(|(price, _)| Some(row(*price)) == roundest);
        match fitting.max_by_key(|labels| (labels.len(), has_roundest(labels))) {
            Some(labels) => Prices { labels, ..finer },
            None => few,
        }
    }

    /// Labels and marks with the change from `open` in percent, so that no price can be read; none without a positive
    /// opening price.
    pub(super) fn hidden(scale: &Scale, height: u16, rows: u16, open: f64) -> Prices {
        let prices = Prices::percent(scale, height, rows, open, PriceFormat::default());
        let labels = if open > 0.0 { prices.labels } else { Vec::new() };
        Prices { labels, hides_prices: true, ..prices }
    }

    /// Labels with the change from `open` in percent.
    pub(super) fn percent(scale: &Scale, height: u16, rows: u16, open: f64, format: PriceFormat) -> Prices {
        let change = |price: f64| (price / open - 1.0) * 100.0;
        Prices::fitting(scale, height, rows, |max| {
            let prices = PriceTicks::new(scale.low, scale.high, max);
            let changes = PriceTicks::new(change(scale.low), change(scale.high), max);
            let labels = changes.iter().map(|change| (open * (1.0 + change / 100.0), change_label(&changes, change)));
            Prices { labels: labels.collect(), ticks: prices, open: Some(open), hides_prices: false, format }
        })
    }

    /// Labels of a scale of changes in percent.
    pub(super) fn changes(scale: &Scale, height: u16, rows: u16) -> Prices {
        Prices::fitting(scale, height, rows, |max| {
            let ticks = PriceTicks::new(scale.low, scale.high, max);
            let labels = ticks.iter().map(|change| (change, change_label(&ticks, change))).collect();
            Prices { labels, ticks, open: None, hides_prices: false, format: PriceFormat::default() }
        })
    }

    /// Formats a price that is marked in the chart, with the digits of prices and at least as many as the axis.
    pub(super) fn mark(&self, price: f64) -> Text {
        if self.hides_prices { self.axis_label(price) } else { self.ticks.mark(price, self.format) }
    }

    /// Formats a price as a label of the axis: as a change in percent if the others are.
    pub(super) fn axis_label(&self, price: f64) -> Text {
        match self.open {
            Some(open) if open > 0.0 => compact_str::format_compact!("{}", Signed(change_pct(open, price))),
            Some(_) => Text::const_new(ABSENT),
            None => self.ticks.level(price, self.format),
        }
    }

    /// The row of the opening price, if labels are changes from it: its 0% stays visible.
    pub(super) fn zero_row(&self, plot: Rect, scale: &Scale) -> Option<u16> {
        self.open.filter(|open| *open > 0.0).map(|open| scale.cell_row(open, plot.height))
    }

    /// Columns of the widest label, including a space before it.
    pub(super) fn width(&self) -> u16 {
        self.labels.iter().map(|(_, label)| text::width(label)).max().unwrap_or(0).min(Self::MAX_LABEL) + 1
    }

    /// Paints the price axis along `area`, with labels at the rows of the plot.
    pub(super) fn paint(&self, buf: &mut Buffer, area: Rect, plot: Rect, scale: &Scale, theme: &Theme) {
        let Some(inner) = area.width.checked_sub(1) else { return };
        let axis = text::shifted(area, inner);
        for row in 0..area.height {
            text::put(buf, text::line(axis, row), "│", theme.chart_axis);
        }
        for (price, label) in &self.labels {
            let row = scale.cell_row(*price, plot.height);
            text::number(buf, text::line(Rect { width: inner, ..area }, row), label, theme.chart_axis);
            text::put(buf, text::line(axis, row), "┤", theme.chart_axis);
        }
    }
}

/// `+20%`, `−5%`, `0%`.
fn change_label(ticks: &PriceTicks, change: f64) -> Text {
    let label = ticks.label(change);
    let is_zero = !label.contains(|digit: char| matches!(digit, '1'..='9'));
    let sign = if is_zero || label.starts_with(MINUS) { "" } else { "+" };
    compact_str::format_compact!("{sign}{label}%")
}

/// Whether there is a blank row between all neighbouring prices, in a plot with this many rows.
fn are_apart(scale: &Scale, rows: u16, prices: impl Iterator<Item = f64>) -> bool {
    let rows: Vec<u16> = prices.map(|price| scale.cell_row(price, rows)).collect();
    rows.windows(2).all(|pair| matches!(pair, [below, above] if below.abs_diff(*above) > 1))
}

/// At most `max` round prices: 1, 2, 3, 5 and 7 times powers of ten if these have blank rows between them; otherwise 1, 2
/// and 5 times, or 1 and 3 times, or only the powers of ten, or only some of those.
fn log_labels(scale: &Scale, max: usize, rows: u16) -> Vec<(f64, Text)> {
    let powers = scale.low.log10().floor() as i32..=scale.high.log10().floor() as i32;
    let within = |price: &f64| *price >= scale.low && *price <= scale.high;
    let prices = |factors: &[f64], every: i32| -> Vec<f64> {
        let powers = powers.clone().filter(|power| power.rem_euclid(every) == 0);
        let of = |power: i32| factors.iter().map(move |factor| factor * 10_f64.powi(power));
        powers.flat_map(of).filter(within).collect()
    };
    let most = Some(prices(&[1.0, 2.0, 3.0, 5.0, 7.0], 1)).filter(|most| most.len() <= max);
    let most = most.filter(|most| are_apart(scale, rows, most.iter().copied()));
    let choices = [(&[1.0, 2.0, 5.0][..], 1), (&[1.0, 3.0], 1), (&[1.0], 1), (&[1.0], 2), (&[1.0], 5), (&[1.0], 20)];
    let choices = choices.into_iter().map(|(factors, every)| prices(factors, every));
    let mut fitting = most.into_iter().chain(choices).filter(|prices| prices.len() <= max);
    let fitting = fitting.find(|prices| !prices.is_empty()).unwrap_or_default();
    fitting.into_iter().map(|price| (price, PriceTicks::single(price))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_axis_has_more_labels_if_there_are_blank_rows_between_them() {
        for (low, high, height, rows, labels) in [
            (0.00041, 0.0046, 24, 24, vec!["0.0005", "0.0007", "0.001", "0.002", "0.003"]),
            (1.0, 10.0, 18, 18, vec!["1", "2", "3", "5", "7", "10"]),
            // 7 would be next to 10.
            (1.0, 10.0, 18, 10, vec!["1", "2", "5", "10"]),
            // More than eight labels.
            (1.0, 100.0, 24, 24, vec!["1", "2", "5", "10", "20", "50", "100"]),
        ] {
            let prices = Prices::new(&Scale::new(low, high).log(), height, rows, PriceFormat::default());
            let shown: Vec<&str> = prices.labels.iter().map(|(_, label)| label.as_str()).collect();
            assert_eq!(shown, labels, "{low} to {high} in {rows} rows");
        }
    }
}
