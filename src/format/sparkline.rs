//! A thin line of braille dots through a series of values, on the screen and in printed tables: two values per
//! character, four levels per row.

/// The dots of the left and right half of a character, filled from the bottom up to a level of 0 to 4.
const LEFT: [u32; 5] = [0x00, 0x40, 0x44, 0x46, 0x47];
const RIGHT: [u32; 5] = [0x00, 0x80, 0xa0, 0xb0, 0xb8];

/// The braille character without dots.
const BLANK: u32 = 0x2800;

/// Minimum range of values that fills the height, relative to their size, so that a stablecoin looks flat.
const MIN_RANGE: f64 = 0.005;

/// A line through evenly spaced values.
#[derive(Clone, Debug, PartialEq)]
pub struct BrailleLine {
    /// For each half column, the lowest and the highest level of the line, counted from 1; `None` is a gap.
    levels: Vec<Option<(u32, u32)>>,
    /// Rows of characters.
    height: usize,
}

impl BrailleLine {
    /// A line of `width` by `height` characters through values, oldest first. Its vertical range spans the values, but
    /// at least half a percent of them. A value that is not finite is a gap; fewer than two values give no line.
    pub fn new(values: &[f64], width: usize, height: usize) -> BrailleLine {
        let halves = if values.len() < 2 || height == 0 { 0 } else { width * 2 };
        let means: Vec<Option<f64>> = (0..halves).map(|half| mean(values, half, halves)).collect();
        let scale = Scale::new(means.iter().flatten().copied(), height * 4);
        let mut before = None;
        let levels = means.into_iter().map(|value| {
            let here = value.map(|value| scale.level(value));
            let span = here.map(|here| connected(before, here));
            before = here;
            span
        });
        BrailleLine { levels: levels.collect(), height }
    }

    /// Bars: each half column is filled up to its level, from 0 to four times the height.
    pub fn filled(levels: impl IntoIterator<Item = u32>, height: usize) -> BrailleLine {
        BrailleLine { levels: levels.into_iter().map(|level| Some((1, level))).collect(), height }
    }

    /// The character in a column and row, counted from 0 at the upper left; a space if it has no dots.
    pub fn char_at(&self, column: usize, row: usize) -> char {
        let Some(below) = self.height.checked_sub(row + 1) else { return ' ' };
        let below = u32::try_from(below * 4).unwrap_or(u32::MAX);
        let half = |at: usize| self.levels.get(at).copied().flatten();
        let dots = part(&LEFT, half(column * 2), below) | part(&RIGHT, half(column * 2 + 1), below);
        if dots == 0 { ' ' } else { char::from_u32(BLANK | dots).unwrap_or(' ') }
    }

    /// The characters of a row.
    pub fn row(&self, row: usize) -> String {
        (0..self.levels.len().div_ceil(2)).map(|column| self.char_at(column, row)).collect()
    }
}

/// Maps values to levels.
struct Scale {
    bottom: f64,
    span: f64,
    top_level: f64,
    rounding: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, levels: usize) -> Scale {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        // Halved, since the difference of two extreme numbers would overflow.
        let middle = low / 2.0 + high / 2.0;
        let (own, least) = (high / 2.0 - low / 2.0, middle.abs() * MIN_RANGE / 2.0);
        let span = own.max(least);
        // The middle of a flat series must not be between two levels, or the line would have steps.
        let rounding = if own < least { 0.0 } else { 0.5 };
        Scale { bottom: middle / 2.0 - span / 2.0, span, top_level: levels as f64 - 1.0, rounding }
    }

    /// The level of a value, counted from 1.
    fn level(&self, value: f64) -> u32 {
        if self.span <= 0.0 {
            return ((self.top_level + 1.0) / 2.0) as u32;
        }
        let share = (value / 2.0 - self.bottom) / self.span;
        1 + (share * self.top_level + self.rounding).min(self.top_level) as u32
    }
}

/// The levels of the line in a half column. A steep line starts one level beyond the previous one, so that it stays
/// thin.
fn connected(before: Option<u32>, here: u32) -> (u32, u32) {
    match before {
        Some(before) if before < here => (before + 1, here),
        Some(before) if before > here => (here, before - 1),
        _ => (here, here),
    }
}

/// The dots of half a character above level `below`, for the levels in `span`.
fn part(half: &[u32; 5], span: Option<(u32, u32)>, below: u32) -> u32 {
    let Some((low, high)) = span else { return 0 };
    let up_to = |level: u32| half.get(level.saturating_sub(below).min(4) as usize).copied().unwrap_or(0);
    up_to(high) & !up_to(low.saturating_sub(1))
}

/// The mean of the values in a column; if there are fewer values than columns, the last value before it.
fn mean(values: &[f64], column: usize, columns: usize) -> Option<f64> {
    let from = column * values.len() / columns;
    let to = ((column + 1) * values.len() / columns).max(from + 1);
    let (mut mean, mut count) = (0.0, 0.0);
    for value in values.get(from..to)?.iter().filter(|value| value.is_finite()) {
        count += 1.0;
        // A running mean, so that the sum of large values doesn't overflow.
        mean += (value - mean) / count;
    }
    (count > 0.0).then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: usize, height: usize, values: &[f64]) -> String {
        let line = BrailleLine::new(values, width, height);
        (0..height).map(|row| line.row(row)).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn line_follows_the_values() {
        let gap = f64::NAN;
        for (values, shape) in [
            (vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "⣀⠤⠒⠉"),
            (vec![8.0, 1.0, 8.0, 1.0, 8.0, 1.0, 8.0, 1.0], "⢱⢷⢷⢷"),
            (vec![1.0, 8.0], "⣀⣀⠏⠉"),
            (vec![1.0, 1.0, gap, gap, 8.0, 8.0, 8.0, gap], "⣀ ⠉⠁"),
            (vec![gap; 9], "    "),
            (vec![7.0], ""),
            (vec![], ""),
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
        assert_eq!(
            shown(4, 1, &[0.9975, 0.9975, 1.0, 1.0, 1.0, 1.0, 1.0025, 1.0025]),
            "⣀⠤⠤⠒",
            "a range of 0.5% fills the height"
        );
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
    fn bars_are_filled_from_the_bottom() {
        let bars = BrailleLine::filled([0, 1, 2, 3, 4, 5], 1);
        assert_eq!(bars.row(0), "⢀⣴⣿");
    }

    proptest::proptest! {
        #[test]
        fn sparkline_stays_within_its_size(
            values in proptest::collection::vec(proptest::num::f64::ANY, 0..40),
            (width, height) in (0..9_usize, 0..4_usize),
        ) {
            let line = BrailleLine::new(&values, width, height);
            for row in 0..height + 1 {
                proptest::prop_assert!(line.row(row).chars().count() <= width);
                proptest::prop_assert!(row < height || line.row(row).trim().is_empty());
            }
        }
    }
}
