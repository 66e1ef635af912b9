//! Which sat carries which inscription: a permutation, so that each is found from the other without a table.

use super::random::hash;

/// All carriers lie below this sat, which was mined before the first inscription (block 767,430).
const END: u64 = 1_920_000_000_000_000;

/// Coprime to [`END`] (odd, and no multiple of 3 or 5), so that multiplication by it permutes.
const FACTOR: u64 = 1_234_567_890_123_457;

/// The carriers of one world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carriers {
    shift: u64,
    inverse: u64,
}

impl Carriers {
    /// The carriers of a world.
    pub(super) fn new(seed: u64) -> Carriers {
        Carriers { shift: hash(seed, 0x5A7) % END, inverse: inverse(FACTOR, END) }
    }

    /// The sat that carries the inscription at `index`.
    pub(super) fn sat(&self, index: u64) -> u64 {
        (times(index % END, FACTOR) + self.shift) % END
    }

    /// The index of the inscription that this sat would carry.
    pub(super) fn index(&self, sat: u64) -> Option<u64> {
        (sat < END).then(|| times((sat + END - self.shift) % END, self.inverse))
    }
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(END)) as u64
}

/// The number whose product with `a` leaves 1 modulo `m`, by Euclid's algorithm; `a` and `m` are coprime.
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
    fn a_sat_leads_back_to_its_inscription() {
        for seed in 0..5 {
            let carriers = Carriers::new(seed);
            for index in (0..10_000).chain([4_000_000_000]) {
                let sat = carriers.sat(index);
                assert!(sat < END);
                assert_eq!(carriers.index(sat), Some(index));
            }
            assert_eq!(carriers.index(END), None);
            assert_eq!(carriers.index(u64::MAX), None);
        }
    }
}
