//! The simulated blockchain: heights, times and hashes, each computed from the other.
//!
//! Each block has a slot of ten minutes, and block 840,000 has its real time (the halving of 2024-04-20), so that
//! heights are plausible for the date. A block is found in the first six minutes of its slot.

use super::random::{hash, mix, unmix};
use crate::model::UtcTime;

/// Last block of the fixed history. Later events follow the clock.
pub(super) const HISTORY_END: u64 = 965_000;

/// Blocks per week, the period of the events after the history (with new ids).
pub(super) const CYCLE: u64 = 1_008;

/// Last block of the chain (in 2045), which bounds the work of a request.
const LAST: u64 = HISTORY_END + 1_000 * CYCLE;

const ANCHOR_HEIGHT: u64 = 840_000;
const ANCHOR_SECS: i64 = 1_713_571_767;
const SLOT_SECS: i64 = 600;
/// Before the anchor, blocks were slightly faster; this matches the times of 2023.
const EARLY_SLOT_SECS: i64 = 587;
const JITTER_SECS: u64 = 360;

/// The simulated blocks of one seed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    key: u64,
}

impl Chain {
    /// Creates the chain of a world.
    pub(crate) const fn new(seed: u64) -> Chain {
        Chain { key: hash(seed, 0xB10C) }
    }

    /// The newest block at a time, at least a week of blocks after the history, even if the clock is earlier (its
    /// newest blocks are then in the future).
    pub(crate) fn tip(&self, now: UtcTime) -> u64 {
        let slots = (now.secs() - ANCHOR_SECS).div_euclid(SLOT_SECS);
        let slot = ANCHOR_HEIGHT.saturating_add_signed(slots).min(LAST);
        let found = if self.time(slot) <= now { slot } else { slot.saturating_sub(1) };
        found.max(HISTORY_END + CYCLE)
    }

    /// The time of a block in seconds. Increases with the height.
    pub(super) fn time(&self, height: u64) -> UtcTime {
        let after = i64::try_from(height).unwrap_or(i64::MAX).saturating_sub_unsigned(ANCHOR_HEIGHT);
        let slot = if after < 0 { EARLY_SLOT_SECS } else { SLOT_SECS };
        let jitter = (hash(self.key, height) % JITTER_SECS) as i64;
        UtcTime::from_secs(after.saturating_mul(slot).saturating_add(ANCHOR_SECS + jitter))
    }

    /// The hash of a block, with a realistic number of leading zeros.
    pub(super) fn hash(&self, height: u64) -> String {
        let tail = mix(height ^ self.key);
        let (a, b) = (mix(tail ^ self.key), mix(tail.wrapping_add(1)));
        format!("{:019}{:013x}{b:016x}{tail:016x}", 0, a >> 12)
    }

    /// The height of the block with this hash.
    pub(super) fn height_of(&self, block_hash: &str) -> Option<u64> {
        let tail = block_hash.get(48..64)?;
        let height = unmix(u64::from_str_radix(tail, 16).ok()?) ^ self.key;
        (height <= LAST && self.hash(height).eq_ignore_ascii_case(block_hash)).then_some(height)
    }
}

/// The fee rate of the fastest transactions after a block, in sat/vB: a few, different after each block.
pub(crate) fn fastest_fee(height: u64) -> u32 {
    2 + (height % 7) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UtcTime = UtcTime::from_secs(1_795_156_911);

    #[test]
    fn blocks_are_about_ten_minutes_apart() {
        let chain = Chain::new(1);
        let tip = chain.tip(NOW);
        assert!(chain.time(tip) <= NOW && NOW < chain.time(tip + 1));
        assert!(chain.tip(NOW.plus(std::time::Duration::from_secs(36_000))).abs_diff(tip + 60) <= 1);
        for height in 839_000..841_000 {
            assert!(chain.time(height) < chain.time(height + 1), "{height}");
        }
    }

    #[test]
    fn tip_is_bounded() {
        let chain = Chain::new(1);
        assert_eq!(chain.tip(UtcTime::from_millis(0)), HISTORY_END + CYCLE);
        assert_eq!(chain.tip(UtcTime::from_millis(i64::MIN)), HISTORY_END + CYCLE);
        assert_eq!(chain.tip(UtcTime::from_millis(i64::MAX)), LAST);
    }

    #[test]
    fn block_is_found_by_its_hash() {
        let chain = Chain::new(9);
        for height in [0, 779_832, 965_001, LAST] {
            let block_hash = chain.hash(height);
            assert_eq!(block_hash.len(), 64);
            assert!(block_hash.starts_with("00000000"));
            assert_eq!(chain.height_of(&block_hash), Some(height));
            assert_eq!(Chain::new(8).height_of(&block_hash), None);
        }
        assert_eq!(chain.height_of("00"), None);
        assert_eq!(chain.height_of(&"é".repeat(40)), None);
    }
}
