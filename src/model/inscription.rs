//! Inscriptions, and their number per block.

use serde::{Deserialize, Serialize};

use super::sat::SatNumber;
use super::text;
use super::text::Text;
use super::time::UtcTime;

/// One inscription. Values, offsets and fees are in sats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inscription {
    /// `txid` + `i` + index.
    pub id: Text,
    /// Number; negative for a cursed one.
    pub number: Option<i64>,
    /// The current address.
    pub address: Option<Text>,
    /// The address it was inscribed to.
    pub genesis_address: Option<Text>,
    /// The block it was inscribed in.
    pub genesis_block_height: Option<u64>,
    /// When it was inscribed.
    pub genesis_time: Option<UtcTime>,
    /// Fee of the inscribing transaction in sats.
    pub genesis_fee: Option<u64>,
    /// The transaction of its current output.
    pub tx_id: Option<Text>,
    /// `txid:vout:offset`.
    pub location: Option<Text>,
    /// `txid:vout`.
    pub output: Option<Text>,
    /// Value of that output in sats.
    pub value: Option<u64>,
    /// Offset in that output in sats.
    pub offset: Option<u64>,
    /// The sat that carries it.
    pub sat: Option<SatNumber>,
    /// The rarity of the sat, from the indexer or computed.
    pub rarity: Option<Text>,
    /// MIME type, with parameters.
    pub content_type: Option<Text>,
    /// Content length in bytes.
    pub content_length: Option<u64>,
    /// Why it is cursed.
    pub curse_type: Option<Text>,
    /// Whether it is recursive: refers to other inscriptions.
    pub recursive: Option<bool>,
    /// Ids of its parents.
    pub parents: Vec<Text>,
    /// Charms of the inscription and its sat, such as `cursed` or `nineball`.
    pub charms: Vec<Text>,
    /// When it was transferred to its current location.
    pub time: Option<UtcTime>,
}

impl Inscription {
    /// An inscription with only a known id.
    pub fn new(id: Text) -> Inscription {
        Inscription {
            id,
            number: None,
            address: None,
            genesis_address: None,
            genesis_block_height: None,
            genesis_time: None,
            genesis_fee: None,
            tx_id: None,
            location: None,
            output: None,
            value: None,
            offset: None,
            sat: None,
            rarity: None,
            content_type: None,
            content_length: None,
            curse_type: None,
            recursive: None,
            parents: Vec::new(),
            charms: Vec::new(),
            time: None,
        }
    }
}

/// The number of inscriptions of a block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InscriptionStat {
    /// The block.
    pub block_height: Option<u64>,
    /// Block hash.
    pub block_hash: Option<Text>,
    /// Inscriptions in this block.
    pub inscriptions: Option<u64>,
    /// Inscriptions up to and including this block.
    pub inscriptions_total: Option<u64>,
    /// The time of the block.
    pub time: Option<UtcTime>,
}

/// The content of an inscription, if it is a short text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// The text, cleaned of control and invisible characters, with its line breaks.
    pub text: String,
}

/// A reference to an inscription.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum InscriptionRef {
    /// `txid` + `i` + index.
    Id(Text),
    /// The number of the inscription; negative for a cursed one.
    Number(i64),
}

impl InscriptionRef {
    /// Parses an id (64 hex digits, `i`, index) in any case, or a number (negative for a cursed inscription), even in
    /// the forms of the screen: `#348020`, `348,020`. `None` if it is neither.
    pub fn parse(text: &str) -> Option<InscriptionRef> {
        let number = text::ungrouped(text.strip_prefix('#').unwrap_or(text));
        if number.starts_with(|c: char| c == '-' || c.is_ascii_digit())
            && let Ok(number) = number.parse()
        {
            return Some(InscriptionRef::Number(number));
        }
        let (_, index) = id_parts(text)?;
        index.parse::<u32>().is_ok().then(|| InscriptionRef::Id(Text::from(text.to_ascii_lowercase())))
    }
}

/// Whether a text is the id of an inscription: a transaction id, `i` and an index, in any case.
pub fn is_inscription_id(text: &str) -> bool {
    id_parts(text).is_some()
}

/// The transaction and the index of an id.
fn id_parts(text: &str) -> Option<(&str, &str)> {
    let (transaction, rest) = text.split_at_checked(64)?;
    let index = rest.strip_prefix(['i', 'I']).filter(|index| !index.is_empty())?;
    let is_id = transaction.bytes().all(|byte| byte.is_ascii_hexdigit()) && index.bytes().all(|b| b.is_ascii_digit());
    is_id.then_some((transaction, index))
}
