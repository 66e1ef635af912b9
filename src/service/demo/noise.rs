//! Deterministic noise: hashes, and smooth noise over time.

use std::ops::RangeInclusive;

/// The finaliser of SplitMix64: a permutation of all 64-bit numbers.
pub(crate) const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Hashes two numbers.
pub(crate) const fn hash(a: u64, b: u64) -> u64 {
    mix(a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x2545_f491_4f6c_dd1d))
}

/// Converts a hash to a number from 0 (inclusive) to 1 (exclusive).
pub(crate) fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

/// Converts a hash to a number from -1 to 1.
pub(crate) fn signed(hash: u64) -> f64 {
    unit(hash) * 2.0 - 1.0
}

/// Converts a hash to an index below `len`; 0 if `len` is 0.
pub(crate) fn index(hash: u64, len: usize) -> usize {
    ((unit(hash) * len as f64) as usize).min(len.saturating_sub(1))
}

/// Picks one of `items`, or the default if there are none.
pub(crate) fn pick<T: Copy + Default>(hash: u64, items: &[T]) -> T {
    items.get(index(hash, items.len())).copied().unwrap_or_default()
}

/// Value noise: hashed numbers from -1 to 1 at the multiples of `period` seconds, interpolated smoothly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Octave {
    key: u64,
    period: i64,
    /// Phase, so that different noises don't have their extremes at the same time.
    phase: i64,
    /// The last cell: its start and both values. Series visit cells in order, so most steps need neither a hash nor a
    /// division.
    begin: i64,
    from: f64,
    to: f64,
    inverse: f64,
}

impl Octave {
    /// Creates noise with this key and period in seconds (at least 1).
    pub(crate) fn new(key: u64, period: i64) -> Octave {
        let period = period.max(1);
        let phase = (unit(hash(key, 0)) * period as f64) as i64;
        let mut octave = Octave { key, period, phase, begin: 0, from: 0.0, to: 0.0, inverse: 1.0 / period as f64 };
        octave.enter(0);
        octave
    }

    /// The value from -1 to 1, smooth in `secs`.
    pub(crate) fn at(&mut self, secs: i64) -> f64 {
        let secs = secs.saturating_add(self.phase);
        if !(0..self.period).contains(&secs.saturating_sub(self.begin)) {
            self.enter(secs.div_euclid(self.period));
        }
        let x = secs.saturating_sub(self.begin) as f64 * self.inverse;
        self.from + (self.to - self.from) * x * x * (3.0 - 2.0 * x)
    }

    fn enter(&mut self, cell: i64) {
        self.begin = cell.saturating_mul(self.period);
        self.from = signed(hash(self.key, cell as u64));
        self.to = signed(hash(self.key, cell.wrapping_add(1) as u64));
    }
}

/// A sum of octaves, each slower and wider than the previous one: a random walk in closed form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<const N: usize> {
    layers: [Layer; N],
}

/// An octave of a walk.
#[derive(Clone, Copy, Debug)]
struct Layer {
    octave: Octave,
    /// Maximum deviation of this octave from zero.
    width: f64,
    /// Maximum deviation of the faster octaves together.
    faster: f64,
}

impl<const N: usize> Walk<N> {
    /// Creates octaves with these periods in seconds. `daily` is the approximate daily volatility; like a random walk,
    /// it scales with the square root of time.
    pub(crate) fn new(key: u64, periods: &[i64; N], daily: f64) -> Walk<N> {
        let mut faster = 0.0;
        let layers = periods.map(|period| {
            let width = width(period, daily);
            let layer = Layer { octave: Octave::new(hash(key, period as u64), period), width, faster };
            faster += width;
            layer
        });
        Walk { layers }
    }

    /// The value at a time.
    pub(crate) fn at(&mut self, secs: i64) -> f64 {
        self.layers.iter_mut().map(|layer| layer.octave.at(secs) * layer.width).sum()
    }

    /// `base` plus the value at a time, or nothing if that is certainly within `range`, even if something up to `slack`
    /// is added. The widest octaves are computed first, and for most times of a long span, one or two are enough.
    pub(crate) fn outside(&mut self, range: &RangeInclusive<f64>, secs: i64, base: f64, slack: f64) -> Option<f64> {
        let mut value = base;
        for layer in self.layers.iter_mut().rev() {
            value += layer.octave.at(secs) * layer.width;
            let rest = layer.faster + slack;
            if value - rest >= *range.start() && value + rest <= *range.end() {
                return None;
            }
        }
        Some(value)
    }
}

/// Maximum deviation of a walk with these octaves from zero.
pub(crate) fn reach(periods: &[i64], daily: f64) -> f64 {
    periods.iter().map(|&period| width(period, daily)).sum()
}

fn width(period: i64, daily: f64) -> f64 {
    daily * (period as f64 / 86_400.0).sqrt()
}

/// Rounds to significant digits; 0 and non-finite values are unchanged.
pub(crate) fn significant(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let shift = digits - 1 - value.abs().log10().floor() as i32;
    // Dividing by an exact power of ten gives the shortest decimal; multiplying by 0.001 doesn't.
    if shift >= 0 {
        let scale = 10f64.powi(shift);
        (value * scale).round() / scale
    } else {
        let scale = 10f64.powi(-shift);
        (value / scale).round() * scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walk_depends_only_on_time() {
        let periods = [20, 320, 5_120, 81_920];
        let mut forward = Walk::new(7, &periods, 0.04);
        let values: Vec<f64> = (-500..500).map(|i| forward.at(i * 37)).collect();
        let mut backward = Walk::new(7, &periods, 0.04);
        let mut again: Vec<f64> = (-500..500).rev().map(|i| backward.at(i * 37)).collect();
        again.reverse();
        assert_eq!(values, again);
        assert!(values.iter().all(|v| v.abs() <= reach(&periods, 0.04)));
    }

    #[test]
    fn walk_finds_all_values_outside_of_a_range() {
        let periods = [20, 320, 5_120, 81_920];
        let mut walk = Walk::new(7, &periods, 0.04);
        let times = || (-500..500).map(|i| i * 37);
        let values: Vec<f64> = times().map(|secs| 1.0 + walk.at(secs)).collect();
        let range = 0.999..=1.001;
        for (secs, value) in times().zip(values) {
            match walk.outside(&range, secs, 1.0, 0.0) {
                Some(found) => assert!((found - value).abs() < 1e-12),
                None => assert!(range.contains(&value)),
            }
        }
        assert!(times().any(|secs| walk.outside(&range, secs, 1.0, 0.0).is_none()));
        assert_eq!(times().find(|&secs| walk.outside(&range, secs, 1.0, 1.0).is_none()), None);
    }

    #[test]
    fn walk_is_smooth() {
        let mut walk = Walk::new(3, &[20, 320], 0.04);
        let step = (0..4_000).map(|s| (walk.at(s + 1) - walk.at(s)).abs()).fold(0.0, f64::max);
        assert!(step < reach(&[20, 320], 0.04) / 4.0, "{step}");
    }

    #[test]
    fn values_are_rounded_to_significant_digits() {
        assert_eq!(significant(61_234.123_456, 7), 61_234.12);
        assert_eq!(significant(7.345_678_9e-8, 4), 7.346e-8);
        assert_eq!(significant(1_234_567_890_123.0, 4), 1_235_000_000_000.0);
        assert_eq!(significant(-0.5, 3), -0.5);
        assert_eq!(significant(0.0, 3), 0.0);
    }

    #[test]
    fn index_is_within_bounds() {
        for seed in 0..1_000 {
            assert!(index(hash(seed, 1), 7) < 7);
        }
        assert_eq!(index(5, 0), 0);
        assert_eq!(pick::<u8>(5, &[]), 0);
    }
}
