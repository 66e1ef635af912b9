//! Inscriptions, their locations and transfers.

use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{Digits, Millis};
use crate::model::{Inscription, Text};
use crate::service::backend::indexer::{InscriptionLocation, InscriptionTransfer};

/// An inscription.
#[derive(Serialize, ToSchema)]
#[schema(as = Inscription)]
pub(in crate::service) struct InscriptionJson<'a> {
    /// `txid` + `i` + index.
    id: &'a str,
    /// Number; negative if cursed.
    #[schema(required)]
    number: Option<i64>,
    /// Owner; `null` if the output has no address.
    #[schema(required)]
    address: Option<&'a str>,
    /// Genesis address.
    #[schema(required)]
    genesis_address: Option<&'a str>,
    /// Height of the genesis block.
    #[schema(required)]
    genesis_block_height: Option<u64>,
    /// Genesis transaction.
    #[schema(required)]
    genesis_tx_id: Option<&'a str>,
    /// Fee of the genesis transaction, in sats.
    #[schema(required, value_type = Option<String>)]
    genesis_fee: Option<Digits>,
    /// Time of the genesis block, in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    genesis_timestamp: Option<Millis>,
    /// Transaction of the last move.
    #[schema(required)]
    tx_id: Option<&'a str>,
    /// `txid:vout:offset`.
    #[schema(required)]
    location: Option<&'a str>,
    /// `txid:vout`.
    #[schema(required)]
    output: Option<&'a str>,
    /// Value of that output, in sats.
    #[schema(required, value_type = Option<String>)]
    value: Option<Digits>,
    /// Offset in that output, in sats.
    #[schema(required, value_type = Option<String>)]
    offset: Option<Digits>,
    /// The sat of the inscription.
    #[schema(required, value_type = Option<String>)]
    sat_ordinal: Option<Digits>,
    /// Rarity of the sat.
    #[schema(required)]
    sat_rarity: Option<&'a str>,
    /// Block that mined the sat.
    #[schema(required)]
    sat_coinbase_height: Option<u32>,
    /// MIME type without parameters.
    #[schema(required)]
    mime_type: Option<&'a str>,
    /// MIME type with parameters.
    #[schema(required)]
    content_type: Option<&'a str>,
    /// Content length in bytes.
    #[schema(required)]
    content_length: Option<u64>,
    /// Time of the last move in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    timestamp: Option<Millis>,
    /// Curse type.
    #[schema(required)]
    curse_type: Option<&'a str>,
    /// Whether it refers to other inscriptions.
    #[schema(required)]
    recursive: Option<bool>,
    /// The first parent.
    #[schema(required)]
    parent: Option<&'a str>,
    /// All its parents.
    parent_refs: Vec<&'a str>,
    /// Charms by ordinal theory, such as `cursed` or `palindrome`.
    #[schema(value_type = Vec<String>)]
    charms: &'a [Text],
}

impl<'a> From<&'a Inscription> for InscriptionJson<'a> {
    fn from(inscription: &'a Inscription) -> InscriptionJson<'a> {
        let content_type = inscription.content_type.as_deref();
        let mime_type = content_type.and_then(|kind| kind.split(';').next());
        InscriptionJson {
            id: &inscription.id,
            number: inscription.number,
            address: inscription.address.as_deref(),
            genesis_address: inscription.genesis_address.as_deref(),
            genesis_block_height: inscription.genesis_block_height,
            genesis_tx_id: inscription.id.split_once('i').map(|(tx_id, _)| tx_id),
            genesis_fee: inscription.genesis_fee.map(Digits),
            genesis_timestamp: inscription.genesis_time.map(Millis),
            tx_id: inscription.tx_id.as_deref(),
            location: inscription.location.as_deref(),
            output: inscription.output.as_deref(),
            value: inscription.value.map(Digits),
            offset: inscription.offset.map(Digits),
            sat_ordinal: inscription.sat.map(|sat| Digits(sat.get())),
            sat_rarity: inscription.rarity.as_deref(),
            sat_coinbase_height: inscription.sat.map(|sat| ordinals::Sat::from(sat).height().n()),
            mime_type: mime_type.map(str::trim_end),
            content_type,
            content_length: inscription.content_length,
            timestamp: inscription.time.map(Millis),
            curse_type: inscription.curse_type.as_deref(),
            recursive: inscription.recursive,
            parent: inscription.parents.first().map(|parent| parent.as_str()),
            parent_refs: inscription.parents.iter().map(|parent| parent.as_str()).collect(),
            charms: &inscription.charms,
        }
    }
}

/// Location of an inscription.
#[derive(Serialize, ToSchema)]
#[schema(as = Location)]
pub(in crate::service) struct LocationJson<'a> {
    /// Height of the block of the move.
    block_height: u64,
    /// Hash of the block.
    #[schema(required)]
    block_hash: Option<&'a str>,
    /// The address.
    #[schema(required)]
    address: Option<&'a str>,
    /// The transaction.
    tx_id: &'a str,
    /// `txid:vout:offset`.
    #[schema(required)]
    location: Option<String>,
    /// `txid:vout`.
    output: String,
    /// Value of that output, in sats.
    #[schema(required, value_type = Option<String>)]
    value: Option<Digits>,
    /// Offset in that output, in sats.
    #[schema(required, value_type = Option<String>)]
    offset: Option<Digits>,
    /// Time of the block, in milliseconds.
    #[schema(value_type = i64)]
    timestamp: Millis,
}

impl<'a> From<&'a InscriptionLocation> for LocationJson<'a> {
    fn from(location: &'a InscriptionLocation) -> LocationJson<'a> {
        let output = format!("{}:{}", location.tx_id, location.vout);
        LocationJson {
            block_height: location.block_height,
            block_hash: location.block_hash.as_deref(),
            address: location.address.as_deref(),
            tx_id: &location.tx_id,
            location: location.offset.map(|offset| format!("{output}:{offset}")),
            output,
            value: location.value.map(Digits),
            offset: location.offset.map(Digits),
            timestamp: Millis(location.time),
        }
    }
}

/// A transfer of an inscription in a block.
#[derive(Serialize, ToSchema)]
#[schema(as = InscriptionTransfer)]
pub(in crate::service) struct TransferJson<'a> {
    /// The inscription.
    id: &'a str,
    /// Number of the inscription.
    number: i64,
    /// Location before.
    from: LocationJson<'a>,
    /// Location after.
    to: LocationJson<'a>,
}

impl<'a> From<&'a InscriptionTransfer> for TransferJson<'a> {
    fn from(transfer: &'a InscriptionTransfer) -> TransferJson<'a> {
        TransferJson {
            id: &transfer.id,
            number: transfer.number,
            from: LocationJson::from(&transfer.from),
            to: LocationJson::from(&transfer.to),
        }
    }
}
