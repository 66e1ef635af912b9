//! Inscriptions per block.

use super::Moment;
use crate::model::{InscriptionStat, Text};

/// Maximum blocks of a response, which isn't paginated.
const BLOCKS: u64 = 528;

impl Moment<'_> {
    /// Blocks between two heights (inclusive), newest first, at most [`BLOCKS`] before the tip.
    pub(crate) fn inscription_stats(&self, from: Option<u64>, to: Option<u64>) -> Vec<InscriptionStat> {
        let oldest = (self.tip + 1 - BLOCKS).max(from.unwrap_or(0));
        let newest = self.tip.min(to.unwrap_or(self.tip));
        let block = |height: u64| {
            let inscriptions = self.world.inscriptions();
            InscriptionStat {
                block_height: Some(height),
                block_hash: Some(Text::from(self.world.chain.hash(height))),
                inscriptions: Some(inscriptions.before(height + 1) - inscriptions.before(height)),
                inscriptions_total: Some(inscriptions.accumulated(height)),
                time: Some(self.world.chain.time(height)),
            }
        };
        (oldest..=newest).rev().map(block).collect()
    }
}
