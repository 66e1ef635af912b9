//! A price between a low and a high: `60.12k ──●───── 62.91k`.

use compact_str::{CompactString, format_compact};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::text;
use crate::format::{ABSENT, PriceFormat, ShortPrice};
use crate::theme::Theme;

/// Columns of each label of an aligned bar: the maximum of a positive [`ShortPrice`].
const LABEL: u16 = ShortPrice::WIDTH - 1;

/// Columns of wide labels of an aligned bar, with the minimum columns of the bar between them: for most exact prices,
/// and for small prices without a subscript.
const WIDE_LABELS: [(u16, u16); 2] = [(9, 8), (8, 7)];

/// Maximum columns of a bar between two exact labels.
const MAX_BAR: u16 = 16;

/// A line from a low to a high price, with a dot at the current price; a dim `—` without low and high.
///
/// The labels have the digits of prices, or fewer if there is no room; the bar shrinks before the numbers do. For bars
/// in several rows, see [`RangeBar::aligned`].
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, style::Stylize, text::Line, widgets::Widget};
/// use satscope::view::widgets::RangeBar;
///
/// let mut buf = Buffer::empty(Rect::new(0, 0, 20, 1));
/// RangeBar::new(Some(0.9996), Some(1.0002), Some(1.0009)).render(buf.area, &mut buf);
/// let bar = vec!["0.9996 ".into(), "──".dim(), "●".bold(), "───".dim(), " 1.0009".into()];
/// assert_eq!(buf, Buffer::with_lines([Line::from(bar)]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RangeBar<'a> {
    range: Option<(f64, f64)>,
    price: Option<f64>,
    aligned: bool,
    is_short: bool,
    has_bar: bool,
    format: PriceFormat,
    theme: &'a Theme,
}

impl<'a> RangeBar<'a> {
    /// The range of a price.
    pub fn new(low: Option<f64>, price: Option<f64>, high: Option<f64>) -> RangeBar<'a> {
        let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
        let range = finite(low).zip(finite(high)).filter(|(low, high)| low <= high);
        let (aligned, is_short, has_bar) = (false, false, true);
        RangeBar {
            range,
            price: finite(price),
            aligned,
            is_short,
            has_bar,
            format: PriceFormat::default(),
            theme: Theme::ANSI,
        }
    }

    /// Gives the labels a fixed width and the bar the rest, so that bars in several rows align. Labels that don't fit have
    /// fewer digits. Drops them if fewer than three columns are left for the bar.
    pub fn aligned(self) -> RangeBar<'a> {
        RangeBar { aligned: true, ..self }
    }

    /// Gives the labels fewer digits even if the exact ones fit, to match another range that is shown with it.
    #[must_use]
    pub fn short(self) -> RangeBar<'a> {
        RangeBar { is_short: true, ..self }
    }

    /// Shows only the labels.
    #[must_use]
    pub fn without_bar(self) -> RangeBar<'a> {
        RangeBar { has_bar: false, ..self }
    }

    /// Whether there is a range whose short labels, at least, fit into this width.
    pub fn has_labels(&self, width: u16) -> bool {
        self.range.is_some() && width > 2 * LABEL
    }

    /// Whether the exact labels, if any, fit into this width.
    pub fn fits(&self, width: u16) -> bool {
        self.range.is_none_or(|(low, high)| {
            let [from, to] = self.exact_labels(low, high);
            text::width(&from) + text::width(&to) < width
        })
    }

    /// The format of exact labels; the default is for dollars.
    pub fn format(self, format: PriceFormat) -> RangeBar<'a> {
        RangeBar { format, ..self }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> RangeBar<'a> {
        RangeBar { theme, ..self }
    }

    fn paint_aligned(&self, buf: &mut Buffer, area: Rect, (low, high): (f64, f64)) {
        let bar = |label: u16| area.width.saturating_sub(2 * (label + 1));
        let wide = WIDE_LABELS.into_iter().find(|(label, min)| bar(*label) >= *min);
        let label = wide.map_or(LABEL, |(label, _)| label);
        let inner = bar(label);
        if inner < 3 {
            return self.bar(buf, area, (low, high));
        }
        let fits = |labels: &[CompactString; 2]| labels.iter().all(|text| text::width(text) <= label);
        let exact = Some(self.exact_labels(low, high)).filter(fits);
        let plain = || plain_labels(low, high).filter(fits);
        let [from, to] = exact.or_else(plain).unwrap_or_else(|| outer_labels(low, high));
        text::number(buf, Rect { width: label, ..area }, &from, self.theme.dim);
        self.bar(buf, Rect { width: inner, ..text::shifted(area, label + 1) }, (low, high));
        text::put(buf, text::shifted(area, label + 2 + inner), &to, self.theme.dim);
    }

    fn paint_alone(&self, buf: &mut Buffer, area: Rect, (low, high): (f64, f64)) {
        let exact = Some(self.exact_labels(low, high)).filter(|labels| !self.is_short && differ(labels, low, high));
        let plain = plain_labels(low, high).filter(|labels| differ(labels, low, high));
        let short = Some(outer_labels(low, high)).filter(|labels| differ(labels, low, high));
        for [from, to] in exact.iter().chain(&plain).chain(&short) {
            match area.width.checked_sub(text::width(from) + text::width(to)) {
                Some(rest @ 5..) if self.has_bar => {
                    let inner = (rest - 2).min(MAX_BAR);
                    let used = text::put(buf, area, from, self.theme.text);
                    self.bar(buf, Rect { width: inner, ..text::shifted(area, used + 1) }, (low, high));
                    text::put(buf, text::shifted(area, used + inner + 2), to, self.theme.text);
                    return;
                }
                Some(rest @ 1..) => {
                    let between = if rest < 3 { "–" } else { " – " };
                    text::put(buf, area, &format_compact!("{from}{between}{to}"), self.theme.text);
                    return;
                }
                _ => {}
            }
        }
        self.paint_aligned(buf, area, (low, high));
    }

    fn exact_labels(&self, low: f64, high: f64) -> [CompactString; 2] {
        [low, high].map(|price| format_compact!("{}", self.format.price(Some(price))))
    }

    fn bar(&self, buf: &mut Buffer, area: Rect, (low, high): (f64, f64)) {
        // Price and range may be from different times: a price outside the range is shown at its end.
        let dot = self.price.map(|price| {
            let share = if high > low { (price / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) } else { 0.5 };
            (share.clamp(0.0, 1.0) * f64::from(area.width.saturating_sub(1))).round() as u16
        });
        for column in 0..area.width {
            let (symbol, style) =
                if dot == Some(column) { ("●", self.theme.strong) } else { ("─", self.theme.dim) };
            text::put(buf, Rect { width: 1, ..text::shifted(area, column) }, symbol, style);
        }
    }
}

impl Widget for RangeBar<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        match self.range {
            Some(range) if self.aligned => self.paint_aligned(buf, area, range),
            Some(range) => self.paint_alone(buf, area, range),
            None => {
                text::put_centred(buf, area, ABSENT, self.theme.dim);
            }
        }
    }
}

/// Short labels of which the first is not above the price, and the last not below it.
fn outer_labels(low: f64, high: f64) -> [CompactString; 2] {
    let [low, high] = [ShortPrice(Some(low)).rounded_down(), ShortPrice(Some(high)).rounded_up()];
    [low, high].map(|price| format_compact!("{price}"))
}

/// The labels like [`outer_labels`], but with subscripts only where exact prices have them. `None` if a label still has
/// one: in [`outer_labels`], both have one.
fn plain_labels(low: f64, high: f64) -> Option<[CompactString; 2]> {
    let [low, high] = [ShortPrice(Some(low)).rounded_down(), ShortPrice(Some(high)).rounded_up()];
    let labels = [low, high].map(|price| format_compact!("{price:#}"));
    let has_subscript = |label: &CompactString| label.contains(|digit: char| ('₀'..='₉').contains(&digit));
    (!labels.iter().any(has_subscript)).then_some(labels)
}

/// Whether different prices have different labels.
fn differ([from, to]: &[CompactString; 2], low: f64, high: f64) -> bool {
    from != to || low == high
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Modifier;

    fn shown(width: u16, low: f64, price: f64, high: f64) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        RangeBar::new(Some(low), Some(price), Some(high)).aligned().render(area, &mut buf);
        buf.content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn aligned_bars_have_labels_of_one_width() {
        for (width, low, price, high, text) in [
            (24, 60_123.45, 61_234.1, 62_901.1, " 60.12k ───●──── 62.91k "),
            (28, 60_123.45, 61_234.1, 62_901.1, "60,123.45 ───●──── 62,901.10"),
            (28, 8.2, 8.2, 8.91, "     8.20 ●─────── 8.91     "),
            (28, 1.2e8, 1.2e8, 1.3e8, "   120.0M ●─────── 130.0M   "),
            (24, 8.2, 8.2, 8.91, "   8.20 ●─────── 8.91   "),
            (24, 8.2, 9.5, 8.91, "   8.20 ───────● 8.91   "),
            (24, 7.34e-7, 7.34e-7, 7.34e-7, "0.0₆734 ────●─── 0.0₆734"),
            (24, 1.69e-5, 1.71e-5, 1.83e-5, "0.0₄169 ─●────── 0.0₄183"),
            (25, 0.000_474_3, 0.000_499_1, 0.000_506_2, "0.000474 ─────●─ 0.000507"),
            (24, 0.000_474_3, 0.000_499_1, 0.000_506_2, "0.0₃474 ─────●── 0.0₃507"),
            (25, 0.000_95, 0.000_95, 0.001_05, "0.000950 ●────── 0.00105 "),
            (25, 0.000_094, 0.000_094, 0.000_105, " 0.0₄940 ●────── 0.0₃105 "),
            (25, 4_109.0, 4_276.34, 4_292.0, "4,109.00 ─────●─ 4,292.00"),
            (24, 13.26, 13.26, 14.06, "  13.26 ●─────── 14.06  "),
            (24, 0.001_234, 0.001_234, 0.001_341, "0.00123 ●─────── 0.00135"),
            (24, 0.9996, 1.0, 1.0003, " 0.9996 ────●─── 1.0003 "),
            (24, 71_080.0, 71_081.0, 71_082.0, " 71.08k ────●─── 71.09k "),
            (8, 8.2, 8.5, 8.91, "───●────"),
            (1, 8.2, 8.5, 8.91, "●"),
            (24, 2.0, 1.5, 1.0, "           —            "),
            (24, f64::NAN, 1.5, 1.0, "           —            "),
        ] {
            assert_eq!(shown(width, low, price, high), text);
        }
    }

    #[test]
    fn single_bar_shrinks_before_its_labels() {
        let (stable, coin) = ((0.9996, 1.0002, 1.0009), (60_123.45, 61_234.5, 62_901.1));
        for (width, (low, price, high), text) in [
            (20, stable, "0.9996 ──●─── 1.0009"),
            (16, stable, "0.9996 – 1.0009 "),
            (14, stable, "0.9996–1.0009 "),
            (12, stable, "0.9996–1.001"),
            (11, stable, "─────●─────"),
            (24, coin, "60,123.45 ─●── 62,901.10"),
            (20, coin, "60,123.45–62,901.10 "),
            (17, coin, "60.12k ─●─ 62.91k"),
            (16, coin, "60.12k – 62.91k "),
            (14, coin, "60.12k–62.91k "),
            (8, coin, "───●────"),
        ] {
            let area = Rect::new(0, 0, width, 1);
            let mut buf = Buffer::empty(area);
            RangeBar::new(Some(low), Some(price), Some(high)).render(area, &mut buf);
            assert_eq!(buf.content.iter().map(|cell| cell.symbol()).collect::<String>(), text);
        }
    }

    #[test]
    fn range_without_bar_can_be_short() {
        let range = RangeBar::new(Some(828.48), None, Some(11_020.0)).without_bar();
        assert!(range.has_labels(15) && !range.has_labels(14) && range.fits(16) && !range.fits(15));
        assert!(!RangeBar::new(None, None, Some(1.0)).has_labels(20));
        for (range, width, text) in [
            (range, 20, "828.48 – 11,020.00  "),
            (range, 16, "828.48–11,020.00"),
            (range, 15, "828.4 – 11.02k "),
            (range.short(), 20, "828.4 – 11.02k      "),
        ] {
            let area = Rect::new(0, 0, width, 1);
            let mut buf = Buffer::empty(area);
            range.render(area, &mut buf);
            assert_eq!(buf.content.iter().map(|cell| cell.symbol()).collect::<String>(), text);
        }
    }

    #[test]
    fn dot_is_bold_and_the_rest_dim() {
        let area = Rect::new(0, 0, 3, 1);
        let mut buf = Buffer::empty(area);
        RangeBar::new(Some(1.0), Some(1.0), Some(2.0)).aligned().render(area, &mut buf);
        let modifiers: Vec<_> = buf.content.iter().map(|cell| cell.modifier).collect();
        assert_eq!(modifiers, [Modifier::BOLD, Modifier::DIM, Modifier::DIM]);
    }

    #[test]
    fn any_area_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 5000, 1), Rect::new(9, 9, 2, 2)] {
            let range = RangeBar::new(Some(1.0), Some(1e30), Some(2.0));
            range.render(area, &mut buf);
            range.aligned().render(area, &mut buf);
        }
    }
}
