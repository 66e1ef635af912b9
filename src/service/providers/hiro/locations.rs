//! Locations and transfers of inscriptions in Hiro's format.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::model::{Page, Text, UtcTime};
use crate::service::backend::indexer::{InscriptionLocation, InscriptionTransfer};
use crate::service::providers::lenient::{self, Rows, readable_rows};
use crate::service::upstream::Response;
use crate::service::upstream::error::SourceResult;
use crate::service::upstream::warnings::Warnings;

#[derive(Deserialize)]
struct List {
    #[serde(default, deserialize_with = "lenient::or_none")]
    total: Option<u64>,
    #[serde(deserialize_with = "lenient::or_default")]
    results: Rows,
}

#[derive(Deserialize)]
struct Location {
    block_height: u64,
    block_hash: Option<Text>,
    address: Option<Text>,
    tx_id: Text,
    #[serde(rename = "output", deserialize_with = "vout")]
    vout: u32,
    #[serde(default, deserialize_with = "lenient::code")]
    value: Option<i64>,
    #[serde(default, deserialize_with = "lenient::code")]
    offset: Option<i64>,
    /// Milliseconds.
    timestamp: i64,
}

#[derive(Deserialize)]
struct Transfer {
    id: Text,
    number: i64,
    from: Location,
    to: Location,
}

/// Reads the locations of an inscription.
pub(super) fn of_inscription(response: &Response, warnings: &Warnings) -> SourceResult<Page<InscriptionLocation>> {
    let List { total, results } = response.json()?;
    let items = readable_rows(&results, "location", warnings)?.into_iter().map(Location::into_model).collect();
    Ok(Page { items, total })
}

/// Reads the inscription transfers of a block.
pub(super) fn of_block(response: &Response, warnings: &Warnings) -> SourceResult<Page<InscriptionTransfer>> {
    let List { total, results } = response.json()?;
    let transfer = |Transfer { id, number, from, to }: Transfer| InscriptionTransfer {
        id,
        number,
        from: from.into_model(),
        to: to.into_model(),
    };
    let items = readable_rows(&results, "transfer", warnings)?.into_iter().map(transfer).collect();
    Ok(Page { items, total })
}

/// The index in an output, `txid:vout`.
fn vout<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let output = Text::deserialize(deserializer)?;
    let index = output.rsplit(':').next().and_then(|index| index.parse().ok());
    index.ok_or_else(|| D::Error::custom("no output"))
}

impl Location {
    fn into_model(self) -> InscriptionLocation {
        let number = |number: Option<i64>| u64::try_from(number?).ok();
        InscriptionLocation {
            block_height: self.block_height,
            block_hash: self.block_hash,
            address: self.address,
            vout: self.vout,
            tx_id: self.tx_id,
            value: number(self.value),
            offset: number(self.offset),
            time: UtcTime::from_millis(self.timestamp),
        }
    }
}
