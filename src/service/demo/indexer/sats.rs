//! Maps inscriptions to sats by a permutation, so that each is computed from the other.

use super::random::hash;

/// Upper bound of inscribed sats, mined before the first inscription (block 767,430).
const END: u64 = 1_920_000_000_000_000;

/// Coprime to [`END`] (odd, not a multiple of 3 or 5), so that multiplication by it is a permutation.
const FACTOR: u64 = 1_234_567_890_123_457;

/// The mapping between inscriptions and sats of a world.
#[derive(Clone, Copy, Debug)]
pub(super) struct InscribedSats {
    shift: u64,
    inverse: u64,
}

impl InscribedSats {
    /// Creates the mapping of a world.
    pub(super) fn new(seed: u64) -> InscribedSats {
        InscribedSats { shift: hash(seed, 0x5A7) % END, inverse: inverse(FACTOR, END) }
    }

    /// The sat of the inscription at `index`.
    pub(super) fn sat(&self, index: u64) -> u64 {
        (times(index % END, FACTOR) + self.shift) % END
    }

    /// The index of the inscription on this sat.
    pub(super) fn index(&self, sat: u64) -> Option<u64> {
        (sat < END).then(|| times((sat + END - self.shift) % END, self.inverse))
    }
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(END)) as u64
}

/// The modular inverse of `a`, by the extended Euclidean algorithm; `a` and `m` are coprime.
fn inverse(a: u64, m: u64) -> u64 {
    let (mut old, mut rest) = (i128::from(a), i128::from(m));
    let (mut old_factor, mut factor) = (1i128, 0i128);
    while rest != 0 {
        let quotient = old / rest;
        (old, rest) = (rest, old - quotient * rest);
        (old_factor, factor) = (factor, old_factor - quotient * factor);
    }
    old_factor.rem_euclid(i128::from(m)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inscription_is_found_by_its_sat() {
        for seed in 0..5 {
            let sats = InscribedSats::new(seed);
            for index in (0..10_000).chain([4_000_000_000]) {
                let sat = sats.sat(index);
                assert!(sat < END);
                assert_eq!(sats.index(sat), Some(index));
            }
            assert_eq!(sats.index(END), None);
            assert_eq!(sats.index(u64::MAX), None);
        }
    }
}
