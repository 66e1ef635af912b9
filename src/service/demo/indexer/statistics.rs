//! Inscriptions per block.

use super::Moment;
use super::answer::{BlockStatistics, Statistics};

/// Blocks that the statistics reach back; a shorter sight keeps an unpaged answer small.
const BLOCKS: u64 = 528;

impl Moment<'_> {
    /// The blocks from one height to another (both included), newest first, as far back as the statistics reach.
    pub(crate) fn statistics(&self, from: Option<u64>, to: Option<u64>) -> Statistics {
        let oldest = (self.tip + 1 - BLOCKS).max(from.unwrap_or(0));
        let newest = self.tip.min(to.unwrap_or(self.tip));
        let block = |height: u64| {
            let inscriptions = &self.world.inscriptions;
            BlockStatistics {
                block_height: height.to_string(),
                block_hash: self.world.chain.hash(height),
                inscription_count: (inscriptions.before(height + 1) - inscriptions.before(height)).to_string(),
                inscription_count_accum: inscriptions.accumulated(height).to_string(),
                timestamp: self.world.chain.time(height).millis(),
            }
        };
        Statistics { results: (oldest..=newest).rev().map(block).collect() }
    }

    /// Changes with every block and every inscription: the newest block's hash and how many inscriptions there are.
    pub(crate) fn statistics_version(&self) -> String {
        format!("{}:{}", self.world.chain.hash(self.tip), self.world.inscriptions.accumulated(self.tip))
    }
}
