//! Inscriptions per block, as shown in the dashboard and by `inscription-stats --format plot`.

use super::widgets::Histogram;
use crate::format::Count;
use crate::model::{InscriptionStat, UtcTime};

/// The blocks whose number of inscriptions is known, oldest first: an unknown number is not 0.
#[derive(Clone, Debug)]
pub struct BlockHistogram {
    /// The sum of these blocks, and the total up to the newest block: `1,204 in 24 blocks · 71,017,333 in total`.
    pub summary: String,
    counts: Vec<u64>,
    times: Vec<Option<UtcTime>>,
    /// The labels of the first and the last block.
    ends: [String; 2],
}

impl BlockHistogram {
    /// The histogram of these blocks; `None` if the number of inscriptions is known for none of them.
    pub fn new(stats: &[InscriptionStat]) -> Option<BlockHistogram> {
        let mut blocks: Vec<(&InscriptionStat, u64)> =
            stats.iter().filter_map(|block| Some((block, block.inscriptions?))).collect();
        blocks.sort_by_key(|(block, _)| block.block_height);
        let (first, last) = (blocks.first()?, blocks.last()?);
        let ends = [first, last]
            .map(|(block, _)| block.block_height.map(|height| format!("block {}", Count(height))).unwrap_or_default());
        let counts: Vec<u64> = blocks.iter().map(|(_, count)| *count).collect();
        // Saturates, since a service may send any number.
        let sum = counts.iter().copied().fold(0, u64::saturating_add);
        let total = stats.iter().filter_map(|block| block.inscriptions_total).max();
        let total = total.map(|total| format!(" · {} in total", Count(total))).unwrap_or_default();
        let summary = format!("{} in {} blocks{total}", Count(sum), Count(blocks.len() as u64));
        let times = blocks.iter().map(|(block, _)| block.time).collect();
        Some(BlockHistogram { summary, counts, times, ends })
    }

    /// The bars.
    pub fn bars(&self) -> Histogram<'_> {
        Histogram::new(&self.counts).times(&self.times).ends(self.ends.each_ref().map(String::as_str))
    }
}
