//! Inscriptions per block.

use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{Digits, Millis};
use crate::model::InscriptionStat;

/// Inscriptions per block, newest first.
#[derive(Serialize, ToSchema)]
#[schema(as = Statistics)]
pub(in crate::service) struct StatisticsJson<'a> {
    /// The blocks.
    results: Vec<BlockStatistics<'a>>,
}

/// Inscriptions of one block.
#[derive(Serialize, ToSchema)]
struct BlockStatistics<'a> {
    /// Height of the block.
    #[schema(required, value_type = Option<String>)]
    block_height: Option<Digits>,
    /// Hash of the block.
    #[schema(required)]
    block_hash: Option<&'a str>,
    /// Inscriptions in this block.
    #[schema(required, value_type = Option<String>)]
    inscription_count: Option<Digits>,
    /// Inscriptions up to this block.
    #[schema(required, value_type = Option<String>)]
    inscription_count_accum: Option<Digits>,
    /// Time of the block, in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    timestamp: Option<Millis>,
}

impl<'a> From<&'a Vec<InscriptionStat>> for StatisticsJson<'a> {
    fn from(blocks: &'a Vec<InscriptionStat>) -> StatisticsJson<'a> {
        let block = |block: &'a InscriptionStat| BlockStatistics {
            block_height: block.block_height.map(Digits),
            block_hash: block.block_hash.as_deref(),
            inscription_count: block.inscriptions.map(Digits),
            inscription_count_accum: block.inscriptions_total.map(Digits),
            timestamp: block.time.map(Millis),
        };
        StatisticsJson { results: blocks.iter().map(block).collect() }
    }
}
