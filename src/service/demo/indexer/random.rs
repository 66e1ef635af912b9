//! Deterministic random numbers: an invertible 64-bit mix, and a generator based on it (SplitMix64).

pub(super) use crate::service::demo::noise::mix;

/// The inverse of [`mix`].
pub(super) const fn unmix(x: u64) -> u64 {
    let x = (x ^ (x >> 31) ^ (x >> 62)).wrapping_mul(0x3196_42b2_d24d_8ec3);
    let x = (x ^ (x >> 27) ^ (x >> 54)).wrapping_mul(0x96de_1b17_3f11_9089);
    x ^ (x >> 30) ^ (x >> 60)
}

/// Hashes two numbers.
pub(super) const fn hash(a: u64, b: u64) -> u64 {
    mix(mix(a.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ b.wrapping_mul(0xd1b5_4a32_d192_ed03))
}

/// A seeded random number generator.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Creates a generator from a seed.
    pub(super) const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A random 64-bit number.
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A random number below `end`, or 0 if `end` is 0.
    pub(super) const fn below(&mut self, end: u64) -> u64 {
        ((self.next() as u128 * end as u128) >> 64) as u64
    }

    /// A random number from `first` to `last` (inclusive); `first` if they are in the wrong order.
    pub(super) const fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below((last + 1).saturating_sub(first))
    }

    /// True with a probability of `permille` in a thousand.
    pub(super) const fn chance(&mut self, permille: u64) -> bool {
        self.below(1000) < permille
    }

    /// Moves `count` random items to the front (all if there are fewer).
    pub(super) fn choose<T>(&mut self, items: &mut [T], count: usize) {
        let len = items.len();
        for at in 0..count.min(len) {
            let other = at + self.below((len - at) as u64) as usize;
            items.swap(at, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmix_undoes_mix() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let x = random.next();
            assert_eq!(unmix(mix(x)), x);
        }
        assert_eq!((unmix(mix(0)), unmix(mix(u64::MAX))), (0, u64::MAX));
    }

    #[test]
    fn numbers_stay_in_their_range() {
        let mut random = Random::new(2);
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| (3..=5).contains(&random.between(3, 5))));
        let mut items = [0, 1, 2, 3, 4];
        random.choose(&mut items, 9);
        items.sort_unstable();
        assert_eq!(items, [0, 1, 2, 3, 4]);
    }
}
