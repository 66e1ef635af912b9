//! A small trend as a thin line in braille: two moments a cell, four levels a row.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// The dots of a cell's left and right half when they are filled from below up to a level of 0 to 4.
const LEFT: [u32; 5] = [0x00, 0x40, 0x44, 0x46, 0x47];
const RIGHT: [u32; 5] = [0x00, 0x80, 0xa0, 0xb0, 0xb8];

/// The braille cell without dots.
const BLANK: u32 = 0x2800;

/// The least that a line's height stands for, as a part of its values: what moves less, as a stablecoin does, looks as
/// flat as it is.
const LEAST_SPAN: f64 = 0.005;

/// Paints evenly spaced values, oldest first, as a line over the whole of `area`, from the lowest to the highest or over
/// half a percent of them, whichever is more. A value that is not finite is a gap; fewer than two values paint nothing.
pub fn paint(buf: &mut Buffer, area: Rect, values: &[f64], style: Style) {
    paint_with(buf, area, values.len(), |index| values.get(index).copied(), style);
}

/// [`paint`], over values that are read by their index.
pub fn paint_with(buf: &mut Buffer, area: Rect, len: usize, value: impl Fn(usize) -> Option<f64>, style: Style) {
    if len < 2 || area.is_empty() {
        return;
    }
    let columns = usize::from(area.width) * 2;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    // A list has fifty trends a frame, none of them wide.
    let (mut few, mut many) = ([None; 64], Vec::new());
    let means = match few.get_mut(..columns) {
        Some(few) => few,
        None => {
            many.resize(columns, None);
            many.as_mut_slice()
        }
    };
    for (column, to) in means.iter_mut().enumerate() {
        *to = mean(len, &value, column, columns);
        low = to.map_or(low, |mean| low.min(mean));
        high = to.map_or(high, |mean| high.max(mean));
    }
    let dots = u32::from(area.height) * 4;
    // Halved, for the span of two extreme numbers is no number.
    let middle = low / 2.0 + high / 2.0;
    let (own, least) = (high / 2.0 - low / 2.0, middle.abs() * LEAST_SPAN / 2.0);
    let span = own.max(least);
    let bottom = middle / 2.0 - span / 2.0;
    // The cast below cuts off; adding a half makes it round, without a call of the mathematics library. Of what hardly
    // moves the middle must not lie between two levels, or it would show as steps.
    let half = if own < least { 0.0 } else { 0.5 };
    let level = |value: f64| -> u32 {
        if span <= 0.0 {
            return dots / 2;
        }
        let share = (value / 2.0 - bottom) / span;
        1 + ((share * f64::from(dots - 1) + half) as u32).min(dots - 1)
    };
    let mut before = None;
    for cell in 0..area.width {
        let [left, right] = [0, 1].map(|half| {
            let here = means.get(usize::from(cell) * 2 + half).copied().flatten().map(level);
            let span = here.map(|here| joined(before, here));
            before = here;
            span
        });
        for row in 0..area.height {
            let below = u32::from(area.height - 1 - row) * 4;
            let pattern = part(&LEFT, left, below) | part(&RIGHT, right, below);
            put(buf, area, (cell, row), pattern, style);
        }
    }
}

/// The levels, from the lowest to the highest, that the line takes in a half column where it is at `here`: from one
/// beyond the level before it, so that a steep line stays thin.
fn joined(before: Option<u32>, here: u32) -> (u32, u32) {
    match before {
        Some(before) if before < here => (before + 1, here),
        Some(before) if before > here => (here, before - 1),
        _ => (here, here),
    }
}

/// The dots of half a cell, above level `below` of the line, that lie in a span of levels.
fn part(half: &[u32; 5], span: Option<(u32, u32)>, below: u32) -> u32 {
    let Some((low, high)) = span else { return 0 };
    let up_to = |level: u32| half.get(level.saturating_sub(below).min(4) as usize).copied().unwrap_or(0);
    up_to(high) & !up_to(low - 1)
}

fn put(buf: &mut Buffer, area: Rect, (column, row): (u16, u16), pattern: u32, style: Style) {
    let place = (area.x.saturating_add(column), area.y.saturating_add(row));
    if let Some(to) = buf.cell_mut(place) {
        to.set_char(if pattern == 0 { ' ' } else { char::from_u32(BLANK | pattern).unwrap_or(' ') });
        to.set_style(style);
    }
}

/// Fills each half column of `area` from below up to its level: 0 to four times the height.
pub(super) fn fill(buf: &mut Buffer, area: Rect, level: impl Fn(usize) -> u32, style: Style) {
    for cell in 0..area.width {
        let [left, right] = [0, 1].map(|half| Some((1, level(usize::from(cell) * 2 + half))));
        for row in 0..area.height {
            let below = u32::from(area.height - 1 - row) * 4;
            put(buf, area, (cell, row), part(&LEFT, left, below) | part(&RIGHT, right, below), style);
        }
    }
}

/// The mean of what falls into `column`; the nearest value before it where there are fewer values than columns.
fn mean(len: usize, value: &impl Fn(usize) -> Option<f64>, column: usize, columns: usize) -> Option<f64> {
    let from = column * len / columns;
    let to = ((column + 1) * len / columns).clamp(from + 1, len.max(from + 1));
    let (mut sum, mut count) = (0.0, 0.0);
    for value in (from..to).filter_map(value).filter(|value| value.is_finite()) {
        count += 1.0;
        // A running mean, so that large values do not add up to infinity.
        sum += (value - sum) / count;
    }
    (count > 0.0).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    fn shown(width: u16, height: u16, values: &[f64]) -> String {
        let area = Rect::new(0, 0, width, height);
        let mut buf = Buffer::empty(area);
        paint(&mut buf, area, values, Style::new().fg(Color::Green));
        let rows = buf.content.chunks(usize::from(width.max(1)));
        rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>()).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn trends() {
        let gap = f64::NAN;
        for (values, shape) in [
            (vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "⣀⠤⠒⠉"),
            (vec![8.0, 1.0, 8.0, 1.0, 8.0, 1.0, 8.0, 1.0], "⢱⢷⢷⢷"),
            (vec![1.0, 8.0], "⣀⣀⠏⠉"),
            (vec![1.0, 1.0, gap, gap, 8.0, 8.0, 8.0, gap], "⣀ ⠉⠁"),
            (vec![gap; 9], "    "),
            (vec![7.0], "    "),
            (vec![], "    "),
            (vec![f64::MIN, f64::MAX], "⣀⣀⠏⠉"),
            (vec![1e-300, 2e-300], "⣀⣀⠏⠉"),
        ] {
            assert_eq!(shown(4, 1, &values), shape, "{values:?}");
        }
    }

    #[test]
    fn stablecoin_is_a_flat_line() {
        let flat = |values: &[f64]| {
            let line = shown(4, 1, values);
            let first = line.chars().next().unwrap();
            assert!(first != ' ' && line.chars().all(|cell| cell == first), "{values:?}: {line}");
        };
        flat(&[5.0; 8]);
        flat(&[0.0; 8]);
        flat(&[-3.0; 8]);
        flat(&[f64::MAX; 8]);
        flat(&[1.0, 1.0002, 0.9999, 1.0003, 0.9998, 1.0, 1.0001, 1.0]);
        // Half a percent is the whole height.
        assert_eq!(shown(4, 1, &[0.9975, 0.9975, 1.0, 1.0, 1.0, 1.0, 1.0025, 1.0025]), "⣀⠤⠤⠒");
    }

    #[test]
    fn two_rows_have_eight_levels() {
        assert_eq!(shown(2, 2, &[1.0, 3.0, 6.0, 8.0]), " ⡜\n⡰⠁");
    }

    #[test]
    fn many_values_keep_the_shape() {
        let values: Vec<f64> = (0..10_000).map(f64::from).collect();
        assert_eq!(shown(4, 1, &values), "⣀⠤⠒⠉");
    }

    #[test]
    fn any_rectangle_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 5000, 1), Rect::new(9, 9, 2, 2)] {
            paint(&mut buf, area, &[1.0, 2.0, 3.0], Style::new());
        }
    }

    #[test]
    fn the_style_is_the_callers() {
        let area = Rect::new(0, 0, 2, 1);
        let mut buf = Buffer::empty(area);
        paint(&mut buf, area, &[1.0, 2.0], Style::new().fg(Color::Red));
        assert!(buf.content.iter().all(|cell| cell.fg == Color::Red));
    }
}
