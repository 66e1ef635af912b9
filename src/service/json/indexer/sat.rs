//! Sats.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::Sat;

/// A sat with its properties.
#[derive(Serialize, ToSchema)]
#[schema(as = Satoshi)]
pub(in crate::service) struct SatJson<'a> {
    /// Block that mines it.
    coinbase_height: u64,
    /// Conjunctions of halving and difficulty adjustment before it.
    cycle: u64,
    /// `height.offset`.
    decimal: &'a str,
    /// `cycle°epoch offset′period offset″block offset‴`.
    degree: &'a str,
    /// Latest inscription on it; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    inscription_id: Option<&'a str>,
    /// Halvings before it.
    epoch: u64,
    /// 1 to 11 letters.
    name: &'a str,
    /// Offset in the subsidy of its block.
    offset: u64,
    /// Share of all sats before it, with `%`.
    percentile: &'a str,
    /// Difficulty adjustments before it.
    period: u64,
    /// `common`, `uncommon`, `rare`, `epic`, `legendary` or `mythic`.
    rarity: &'a str,
}

impl<'a> From<&'a Sat> for SatJson<'a> {
    fn from(sat: &'a Sat) -> SatJson<'a> {
        SatJson {
            coinbase_height: sat.block_height,
            cycle: sat.cycle,
            decimal: &sat.decimal,
            degree: &sat.degree,
            inscription_id: sat.inscription_id.as_deref(),
            epoch: sat.epoch,
            name: &sat.name,
            offset: sat.offset,
            percentile: &sat.percentile,
            period: sat.period,
            rarity: &sat.rarity,
        }
    }
}
