//! Deterministic noise: hashes, and smooth noise over time.

use std::ops::RangeBounds;

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
    octaves: [(Octave, f64); N],
}

impl<const N: usize> Walk<N> {
    /// Creates octaves with these periods in seconds. `daily` is the approximate daily volatility; like a random walk,
    /// it scales with the square root of time.
    pub(crate) fn new(key: u64, periods: &[i64; N], daily: f64) -> Walk<N> {
        Walk { octaves: periods.map(|period| (Octave::new(hash(key, period as u64), period), width(period, daily))) }
    }

    /// The value at a time.
    pub(crate) fn at(&mut self, secs: i64) -> f64 {
        self.octaves.iter_mut().map(|(octave, width)| octave.at(secs) * *width).sum()
    }

    /// The part of the value at a time that comes from the octaves with these indexes.
    pub(crate) fn part(&mut self, octaves: impl RangeBounds<usize>, secs: i64) -> f64 {
        let octaves = (octaves.start_bound().cloned(), octaves.end_bound().cloned());
        let octaves = self.octaves.get_mut(octaves).unwrap_or_default();
        octaves.iter_mut().map(|(octave, width)| octave.at(secs) * *width).sum()
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
        let parts = |secs| backward.part(..2, secs) + backward.part(2.., secs);
        let sums: Vec<f64> = (-500..500).map(|i| i * 37).map(parts).collect();
        assert!(sums.iter().zip(&values).all(|(sum, value)| (sum - value).abs() < 1e-12));
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
