//! The newest block seen so far, and whether the chain was reorganised.

use std::time::Duration;

use parking_lot::Mutex;

use crate::model::{Text, UtcTime};
use crate::service::providers::source::ChainTip;

/// Blocks by which a height may differ from the expected one before a second response has to confirm it.
const MAX_JUMP: u64 = 10;

/// Minimum average time per block over many blocks. The usual average is ten minutes.
const MIN_BLOCK_TIME: Duration = Duration::from_mins(2);

/// A position in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockStamp {
    /// Block height.
    pub(super) height: u64,
    /// Number of reorganisations seen so far.
    pub(super) reorgs: u64,
}

/// The newest block seen so far.
#[derive(Debug, Default)]
pub(super) struct Blocks(Mutex<Seen>);

/// The state of the chain.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) height: u64,
    /// When the last recorded height was fetched.
    recorded_at: Option<UtcTime>,
    /// Whether a second height was near the first one.
    is_confirmed: bool,
    /// A height that is too far ahead, until a second response confirms it.
    unconfirmed: Option<u64>,
    /// The last height, if it is far below the newest one: the newest one was wrong, or this server is behind.
    lower: Option<u64>,
    /// Height and hash of the newest block with a known hash, to detect reorganisations.
    pub(super) anchor: Option<(u64, Text)>,
    pub(super) reorgs: u64,
    /// When the last one was noticed.
    pub(super) reorganised_at: Option<UtcTime>,
}

/// The newest block, and the orphaned block hash if there was a reorganisation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NewTip {
    pub(super) tip: ChainTip,
    pub(super) orphaned: Option<Text>,
}

impl Blocks {
    /// A copy of the state.
    pub(super) fn seen(&self) -> Seen {
        self.0.lock().clone()
    }

    /// When the last reorganisation was noticed.
    pub(super) fn reorganised_at(&self) -> Option<UtcTime> {
        self.seen().reorganised_at
    }

    /// Whether a height can be the newest block's: it is at most a few blocks ahead of the height expected by now, or
    /// confirmed by a second response.
    pub(super) fn is_plausible(&self, height: u64, now: UtcTime) -> bool {
        let mut seen = self.0.lock();
        let Some(recorded_at) = seen.recorded_at else { return true };
        let expected = now.since(recorded_at).as_secs() / MIN_BLOCK_TIME.as_secs();
        let is_expected = height <= seen.height.saturating_add(expected).saturating_add(MAX_JUMP);
        let before = seen.unconfirmed.take();
        if is_expected || before.is_some_and(|before| before.abs_diff(height) <= MAX_JUMP) {
            return true;
        }
        seen.unconfirmed = Some(height);
        false
    }

    /// Whether a height is so far below the newest one that that one may be wrong.
    pub(super) fn is_far_below(&self, height: u64) -> bool {
        height.saturating_add(MAX_JUMP) < self.seen().height
    }

    /// Records a tip that was fetched at this time. Returns whether it reveals a new reorganisation, or that the newest
    /// height was wrong: a lower one follows the first response, or comes twice in a row.
    pub(super) fn record(&self, NewTip { tip, orphaned }: &NewTip, at: UtcTime) -> bool {
        let mut seen = self.0.lock();
        let is_lower = tip.height.saturating_add(MAX_JUMP) < seen.height;
        let is_new = seen.recorded_at.is_some_and(|before| before < at);
        let is_repeated = is_new && seen.lower.is_some_and(|lower| lower.abs_diff(tip.height) <= MAX_JUMP);
        let was_wrong = is_lower && (!seen.is_confirmed || is_repeated);
        if was_wrong {
            seen.height = 0;
        } else {
            seen.is_confirmed |= is_new;
        }
        if is_new {
            seen.lower = Some(tip.height).filter(|_| is_lower && !was_wrong);
        }
        seen.recorded_at = seen.recorded_at.max(Some(at));
        let is_reorg =
            was_wrong || orphaned.is_some() && seen.anchor.as_ref().map(|(_, hash)| hash) == orphaned.as_ref();
        if is_reorg {
            seen.reorgs += 1;
            seen.reorganised_at = Some(at);
            seen.anchor = None;
        }
        seen.height = seen.height.max(tip.height);
        if let Some(hash) = &tip.hash
            && seen.anchor.as_ref().is_none_or(|(height, _)| *height < tip.height)
        {
            seen.anchor = Some((tip.height, hash.clone()));
        }
        is_reorg
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_height_wins_after_the_first_response_or_if_it_is_repeated() {
        for (heights, expected) in [
            (&[100, 101][..], 101),
            (&[1_900, 100], 100),
            (&[1_900, 1_900, 100], 1_900),
            (&[1_900, 1_900, 100, 101], 101),
            (&[100, 101, 1_900, 1_900, 102, 102], 102),
            // One server is behind.
            (&[100, 100, 80, 100, 80, 101, 80], 101),
            (&[1_900, 1_900, 100, 800, 101], 1_900),
            // A few blocks less: the server is behind.
            (&[100, 100, 95, 95, 95], 100),
        ] {
            let blocks = Blocks::default();
            for (minutes, height) in (0..).zip(heights) {
                let at = UtcTime::from_secs(1_793_491_200).plus(Duration::from_mins(minutes));
                blocks.is_plausible(*height, at);
                let new = NewTip { tip: ChainTip { height: *height, hash: None }, orphaned: None };
                blocks.record(&new, at);
                // The response is also used from the cache.
                blocks.record(&new, at);
            }
            assert_eq!(blocks.seen().height, expected, "{heights:?}");
        }
    }
}
