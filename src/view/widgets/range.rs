//! Where a price stands between the low and the high of a day: `60.1k ──●───── 62.9k`.

use compact_str::{CompactString, format_compact};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::text;
use crate::format::{Price, ShortPrice};
use crate::theme::Theme;

/// A price and the range it moved in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The lowest price.
    pub low: Option<f64>,
    /// The price now.
    pub price: Option<f64>,
    /// The highest price.
    pub high: Option<f64>,
}

/// The columns of each label: the most that a positive [`ShortPrice`] takes.
const LABEL: u16 = ShortPrice::WIDTH - 1;

/// Paints the range into the first row of `area`: labels of a fixed width, so that bars of several rows stand under
/// each other, and the bar in what is left; the bar alone where fewer than three columns would be left for it. Without
/// a low and a high that make a range it paints a single dim `—`.
pub fn paint(buf: &mut Buffer, area: Rect, range: Range, theme: &Theme) {
    let bounds = range.low.zip(range.high).filter(|(low, high)| low <= high);
    let Some((low, high)) = bounds else {
        text::put_centred(buf, area, crate::format::ABSENT, theme.dim);
        return;
    };
    let inner = area.width.saturating_sub(2 * (LABEL + 1));
    if inner < 3 {
        return bar(buf, area, low, high, range.price, theme);
    }
    let [mut from, mut to] = [low, high].map(|price| format_compact!("{}", ShortPrice(Some(price))));
    // Ends that read the same say nothing: what hardly moved is told in the digits of a price, where those have room.
    if from == to && low < high {
        let exact = [low, high].map(|price| format_compact!("{}", Price(Some(price))));
        if exact.iter().all(|end| text::width(end) <= LABEL) {
            [from, to] = exact;
        }
    }
    text::number(buf, Rect { width: LABEL, ..area }, &from, theme.dim);
    bar(buf, Rect { x: area.x.saturating_add(LABEL + 1), width: inner, ..area }, low, high, range.price, theme);
    text::put(buf, text::shifted(area, LABEL + 2 + inner), &to, theme.dim);
}

/// Paints the range with labels as wide as they are, in the digits of a price, or in fewer where those have no room: for
/// a place where no other range stands above or below. The numbers say more than the place between them, so they go
/// before the bar.
pub fn paint_alone(buf: &mut Buffer, area: Rect, range: Range, theme: &Theme) {
    let (Some(from), Some(to)) = (range.low, range.high) else { return paint(buf, area, range, theme) };
    let exact = [from, to].map(|price| format_compact!("{}", Price(Some(price))));
    let short = [from, to].map(|price| format_compact!("{}", ShortPrice(Some(price))));
    // Ends that read the same say nothing.
    let says = |[low, high]: &[CompactString; 2]| low != high || from == to;
    for [low, high] in [exact, short].iter().filter(|ends| says(ends)) {
        let labels = text::width(low) + text::width(high);
        match area.width.checked_sub(labels) {
            Some(rest @ 5..) => {
                let inner = (rest - 2).min(16);
                let used = text::put(buf, area, low, theme.text);
                bar(buf, Rect { width: inner, ..text::shifted(area, used + 1) }, from, to, range.price, theme);
                text::put(buf, text::shifted(area, used + inner + 2), high, theme.text);
                return;
            }
            Some(rest @ 1..) => {
                let between = if rest < 3 { "…" } else { " … " };
                text::put(buf, area, &format_compact!("{low}{between}{high}"), theme.text);
                return;
            }
            _ => {}
        }
    }
    paint(buf, area, range, theme);
}

fn bar(buf: &mut Buffer, area: Rect, low: f64, high: f64, price: Option<f64>, theme: &Theme) {
    // The list and its day's range may come from different moments: outside of the range means at its end.
    let dot = price.map(|price| {
        let share = if high > low { (price / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) } else { 0.5 };
        (share.clamp(0.0, 1.0) * f64::from(area.width.saturating_sub(1))).round() as u16
    });
    for column in 0..area.width {
        let (symbol, style) = if dot == Some(column) { ('●', theme.strong) } else { ('─', theme.dim) };
        if let Some(cell) = buf.cell_mut((area.x.saturating_add(column), area.y)) {
            cell.set_char(symbol).set_style(style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Modifier;

    fn shown(width: u16, low: f64, price: f64, high: f64) -> String {
        let area = Rect::new(0, 0, width, 1);
        let mut buf = Buffer::empty(area);
        paint(&mut buf, area, Range { low: low.into(), price: price.into(), high: high.into() }, &Theme::ansi());
        buf.content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn ranges() {
        for (width, low, price, high, text) in [
            (24, 60_100.0, 61_234.1, 62_900.0, "  60.1k ───●──── 62.9k  "),
            (24, 8.2, 8.2, 8.91, "   8.20 ●─────── 8.91   "),
            (24, 8.2, 9.5, 8.91, "   8.20 ───────● 8.91   "),
            (24, 7.34e-7, 7.34e-7, 7.34e-7, " 0.0₆73 ────●─── 0.0₆73 "),
            (24, 0.9996, 1.0, 1.0003, " 0.9996 ────●─── 1.0003 "),
            (24, 71_080.0, 71_081.0, 71_082.0, "  71.1k ────●─── 71.1k  "),
            (8, 8.2, 8.5, 8.91, "───●────"),
            (1, 8.2, 8.5, 8.91, "●"),
            (24, 2.0, 1.5, 1.0, "           —            "),
            (24, f64::NAN, 1.5, 1.0, "           —            "),
        ] {
            assert_eq!(shown(width, low, price, high), text);
        }
    }

    #[test]
    fn a_range_that_stands_alone_keeps_its_numbers_before_its_bar() {
        let (stable, coin) = ((0.9996, 1.0002, 1.0009), (60_123.45, 61_234.5, 62_901.1));
        for (width, (low, price, high), text) in [
            (20, stable, "0.9996 ──●─── 1.0009"),
            (16, stable, "0.9996 … 1.0009 "),
            (14, stable, "0.9996…1.0009 "),
            (12, stable, "─────●──────"),
            (24, coin, "60,123.45 ─●── 62,901.10"),
            (20, coin, "60,123.45…62,901.10 "),
            (16, coin, "60.1k ─●── 62.9k"),
            (14, coin, "60.1k … 62.9k "),
            (8, coin, "───●────"),
        ] {
            let area = Rect::new(0, 0, width, 1);
            let mut buf = Buffer::empty(area);
            let range = Range { low: low.into(), price: price.into(), high: high.into() };
            paint_alone(&mut buf, area, range, &Theme::ansi());
            assert_eq!(buf.content.iter().map(|cell| cell.symbol()).collect::<String>(), text);
        }
    }

    #[test]
    fn the_price_is_strong_and_the_rest_dim() {
        let area = Rect::new(0, 0, 3, 1);
        let mut buf = Buffer::empty(area);
        paint(&mut buf, area, Range { low: 1.0.into(), price: 1.0.into(), high: 2.0.into() }, &Theme::ansi());
        let modifiers: Vec<_> = buf.content.iter().map(|cell| cell.modifier).collect();
        assert_eq!(modifiers, [Modifier::BOLD, Modifier::DIM, Modifier::DIM]);
    }

    #[test]
    fn any_rectangle_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 5000, 1), Rect::new(9, 9, 2, 2)] {
            let range = Range { low: 1.0.into(), price: (1e30).into(), high: 2.0.into() };
            paint(&mut buf, area, range, &Theme::ansi());
            paint_alone(&mut buf, area, range, &Theme::ansi());
        }
    }
}
