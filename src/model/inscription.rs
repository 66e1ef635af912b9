//! Inscriptions, and how many a block brought.

use serde::Serialize;

use super::{SatNumber, Text, UtcTime};

/// One inscription. Values, offsets and fees are in sats.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inscription {
    /// `txid` + `i` + index.
    pub id: Text,
    /// Number; negative for a cursed one.
    pub number: Option<i64>,
    /// Where it is now.
    pub address: Option<Text>,
    /// Where it was inscribed.
    pub genesis_address: Option<Text>,
    /// In which block it was inscribed.
    pub genesis_block_height: Option<u64>,
    /// When it was inscribed.
    pub genesis_time: Option<UtcTime>,
    /// Fee of the inscribing transaction, sats.
    pub genesis_fee: Option<u64>,
    /// The transaction that holds it now.
    pub tx_id: Option<Text>,
    /// `txid:vout:offset`.
    pub location: Option<Text>,
    /// `txid:vout`.
    pub output: Option<Text>,
    /// Value of that output, sats.
    pub value: Option<u64>,
    /// Offset in that output, sats.
    pub offset: Option<u64>,
    /// The sat that carries it.
    pub sat: Option<SatNumber>,
    /// Its rarity, as the indexer says.
    pub rarity: Option<Text>,
    /// MIME type, with parameters.
    pub content_type: Option<Text>,
    /// Bytes.
    pub content_length: Option<u64>,
    /// Why it is cursed.
    pub curse_type: Option<Text>,
    /// It refers to other inscriptions.
    pub recursive: Option<bool>,
    /// Ids of its parents.
    pub parents: Vec<Text>,
    /// When it came to where it is.
    pub time: Option<UtcTime>,
}

/// Inscriptions of one block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InscriptionStat {
    /// The block.
    pub block_height: Option<u64>,
    /// Its hash.
    pub block_hash: Option<Text>,
    /// Inscribed in it.
    pub inscriptions: Option<u64>,
    /// Inscribed up to it.
    pub inscriptions_total: Option<u64>,
    /// When it was found.
    pub time: Option<UtcTime>,
}
