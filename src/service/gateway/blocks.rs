//! The newest block seen so far, and whether the chain was reorganised.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

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
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// When the last reorganisation was noticed.
    pub(super) fn reorganised_at(&self) -> Option<UtcTime> {
        self.seen().reorganised_at
    }

    /// Whether a height can be that of the newest block: it is at most a few blocks ahead of the height expected by now,
    /// or confirmed by a second response.
    pub(super) fn is_plausible(&self, height: u64, now: UtcTime) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Records a tip that was fetched at this time. Returns whether it reveals a new reorganisation, or that the first
    /// height was wrong.
    pub(super) fn record(&self, NewTip { tip, orphaned }: &NewTip, at: UtcTime) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let was_wrong = !seen.is_confirmed && tip.height.saturating_add(MAX_JUMP) < seen.height;
        if was_wrong {
            seen.height = 0;
        } else if seen.recorded_at.is_some_and(|before| before < at) {
            seen.is_confirmed = true;
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
