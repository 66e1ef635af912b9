//! The newest block seen so far, and whether the chain was reorganised.

use std::sync::{Mutex, PoisonError};

use crate::model::{Text, UtcTime};
use crate::service::providers::source::ChainTip;

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

    /// Records a tip that is known now. Returns whether it reveals a new reorganisation.
    pub(super) fn record(&self, NewTip { tip, orphaned }: &NewTip, now: UtcTime) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_reorg = orphaned.is_some() && seen.anchor.as_ref().map(|(_, hash)| hash) == orphaned.as_ref();
        if is_reorg {
            seen.reorgs += 1;
            seen.reorganised_at = Some(now);
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
