//! The answers of the indexer group, field by field as Hiro's Ordinals API v4.0.0 writes them: which numbers are
//! strings, which fields are `null`, and which are absent.

use serde::Serialize;
use utoipa::ToSchema;

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Paged<T> {
    /// Items a page, as asked for.
    #[schema(minimum = 1, maximum = 60)]
    pub(crate) limit: usize,
    /// Items before this page, as asked for.
    pub(crate) offset: u64,
    /// Items of the whole list. BRC-20 lists say 0 on a page past their end.
    pub(crate) total: u64,
    /// The items.
    pub(crate) results: Vec<T>,
}

/// Where the indexer stands.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApiStatus {
    /// Name and version.
    pub(crate) server_version: String,
    /// Always `ready`.
    pub(crate) status: &'static str,
    /// The newest block.
    pub(crate) block_height: u64,
    /// The highest inscription number.
    pub(crate) max_inscription_number: i64,
    /// The lowest one; cursed inscriptions count downwards from -1.
    pub(crate) max_cursed_inscription_number: i64,
}

/// A BRC-20 token. Amounts have as many fractional digits as the token has decimals.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Token {
    /// The deploy inscription.
    pub(crate) id: String,
    /// Its number.
    pub(crate) number: i64,
    /// Block of the deploy.
    pub(crate) block_height: u64,
    /// Transaction of the deploy.
    pub(crate) tx_id: String,
    /// Who deployed it.
    pub(crate) address: String,
    /// In lower case.
    pub(crate) ticker: &'static str,
    /// Largest supply.
    pub(crate) max_supply: String,
    /// Largest amount of one mint; `null` where there is no limit.
    #[schema(required)]
    pub(crate) mint_limit: Option<String>,
    /// 0 to 18.
    pub(crate) decimals: u8,
    /// When it was deployed, milliseconds.
    pub(crate) deploy_timestamp: i64,
    /// Minted so far.
    pub(crate) minted_supply: String,
    /// Events so far.
    pub(crate) tx_count: u64,
    /// Only its deployer mints.
    pub(crate) self_mint: bool,
}

/// A token and its supply.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenDetails {
    /// The token.
    pub(crate) token: Token,
    /// Its supply.
    pub(crate) supply: TokenSupply,
}

/// What exists of a token.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenSupply {
    /// Largest supply.
    pub(crate) max_supply: String,
    /// Minted so far.
    pub(crate) minted_supply: String,
    /// Addresses that hold some.
    pub(crate) holders: u64,
}

/// An address that holds a token, or once did.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenHolder {
    /// Who.
    pub(crate) address: String,
    /// All they hold.
    pub(crate) overall_balance: String,
}

/// What an address holds of a token.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TokenBalance {
    /// The token.
    pub(crate) ticker: &'static str,
    /// Free to be inscribed.
    pub(crate) available_balance: String,
    /// Inscribed and not sent yet.
    pub(crate) transferrable_balance: String,
    /// Both.
    pub(crate) overall_balance: String,
}

/// An event of a token. One of `deploy`, `mint`, `transfer` and `transfer_send` is there, the one that `operation`
/// names.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct TokenActivity {
    /// `deploy`, `mint`, `transfer` or `transfer_send`.
    pub(crate) operation: &'static str,
    /// The token.
    pub(crate) ticker: &'static str,
    /// The inscription that did it.
    pub(crate) inscription_id: String,
    /// In which block.
    pub(crate) block_height: u64,
    /// Its hash.
    pub(crate) block_hash: String,
    /// In which transaction.
    pub(crate) tx_id: String,
    /// `txid:vout:offset`.
    pub(crate) location: String,
    /// Who received it, or else who did it.
    pub(crate) address: String,
    /// When, milliseconds.
    pub(crate) timestamp: i64,
    /// Of a deploy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) deploy: Option<Deploy>,
    /// Of a mint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) mint: Option<Mint>,
    /// Of a transfer that is inscribed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) transfer: Option<Transfer>,
    /// Of a transfer that is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) transfer_send: Option<TransferSend>,
}

/// What a deploy sets.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Deploy {
    /// Largest supply.
    pub(crate) max_supply: String,
    /// Largest amount of one mint.
    #[schema(required)]
    pub(crate) mint_limit: Option<String>,
    /// 0 to 18.
    pub(crate) decimals: u8,
}

/// What a mint makes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Mint {
    /// How much.
    #[schema(required)]
    pub(crate) amount: Option<String>,
}

/// What is inscribed for a transfer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Transfer {
    /// How much.
    pub(crate) amount: String,
    /// Whose it is.
    pub(crate) from_address: String,
}

/// What is sent.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TransferSend {
    /// How much.
    pub(crate) amount: String,
    /// From whom.
    pub(crate) from_address: String,
    /// To whom.
    pub(crate) to_address: String,
}

/// A satoshi by ordinal theory.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Satoshi {
    /// The block that mines it.
    pub(crate) coinbase_height: u32,
    /// Conjunctions of halving and difficulty adjustment before it.
    pub(crate) cycle: u32,
    /// `height.offset`.
    pub(crate) decimal: String,
    /// `cycle°epoch offset′period offset″block offset‴`.
    pub(crate) degree: String,
    /// The latest inscription on it; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) inscription_id: Option<String>,
    /// Halvings before it.
    pub(crate) epoch: u32,
    /// 1 to 11 letters.
    pub(crate) name: String,
    /// Its place in its block's subsidy.
    pub(crate) offset: u64,
    /// Share of all sats before it, with `%`.
    pub(crate) percentile: String,
    /// Difficulty adjustments before it.
    pub(crate) period: u32,
    /// `common`, `uncommon`, `rare`, `epic`, `legendary` or `mythic`.
    pub(crate) rarity: String,
}

/// An inscription.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Inscription {
    /// `txid` + `i` + index.
    pub(crate) id: String,
    /// Negative for a cursed one.
    pub(crate) number: i64,
    /// Where it is; `null` where no address can be named.
    #[schema(required)]
    pub(crate) address: Option<String>,
    /// Where it was inscribed.
    #[schema(required)]
    pub(crate) genesis_address: Option<String>,
    /// Block that brought it.
    pub(crate) genesis_block_height: u64,
    /// Its hash.
    pub(crate) genesis_block_hash: String,
    /// Transaction that brought it.
    pub(crate) genesis_tx_id: String,
    /// Its fee in sats.
    pub(crate) genesis_fee: String,
    /// When, milliseconds.
    pub(crate) genesis_timestamp: i64,
    /// Transaction that brought it to where it is.
    pub(crate) tx_id: String,
    /// `txid:vout:offset`.
    pub(crate) location: String,
    /// `txid:vout`.
    pub(crate) output: String,
    /// Value of that output in sats.
    #[schema(required)]
    pub(crate) value: Option<String>,
    /// Offset in that output in sats.
    #[schema(required)]
    pub(crate) offset: Option<String>,
    /// The sat that carries it.
    pub(crate) sat_ordinal: String,
    /// Its rarity.
    pub(crate) sat_rarity: String,
    /// The block that mined it.
    pub(crate) sat_coinbase_height: u32,
    /// Without parameters.
    pub(crate) mime_type: &'static str,
    /// With parameters.
    pub(crate) content_type: &'static str,
    /// Bytes.
    pub(crate) content_length: usize,
    /// When it came to where it is, milliseconds.
    pub(crate) timestamp: i64,
    /// Why it is cursed.
    #[schema(required)]
    pub(crate) curse_type: Option<&'static str>,
    /// It refers to other inscriptions.
    pub(crate) recursive: bool,
    /// To which.
    #[schema(required)]
    pub(crate) recursion_refs: Option<Vec<String>>,
    /// Its parent.
    #[schema(required)]
    pub(crate) parent: Option<String>,
    /// Any JSON.
    pub(crate) metadata: Option<serde_json::Value>,
}

/// Where an inscription is or was.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Location {
    /// In which block it came there.
    pub(crate) block_height: u64,
    /// Its hash.
    pub(crate) block_hash: String,
    /// The address.
    #[schema(required)]
    pub(crate) address: Option<String>,
    /// The transaction.
    pub(crate) tx_id: String,
    /// `txid:vout:offset`.
    pub(crate) location: String,
    /// `txid:vout`.
    pub(crate) output: String,
    /// Value of that output in sats.
    #[schema(required)]
    pub(crate) value: Option<String>,
    /// Offset in that output in sats.
    #[schema(required)]
    pub(crate) offset: Option<String>,
    /// When, milliseconds.
    pub(crate) timestamp: i64,
}

/// An inscription that moved in a block.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct InscriptionTransfer {
    /// Its id.
    pub(crate) id: String,
    /// Its number.
    pub(crate) number: i64,
    /// Where it was.
    pub(crate) from: Location,
    /// Where it went.
    pub(crate) to: Location,
}

/// Inscriptions per block, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Statistics {
    /// The blocks.
    pub(crate) results: Vec<BlockStatistics>,
}

/// How many inscriptions a block brought.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BlockStatistics {
    /// The block.
    pub(crate) block_height: String,
    /// Its hash.
    pub(crate) block_hash: String,
    /// In it.
    pub(crate) inscription_count: String,
    /// Up to it.
    pub(crate) inscription_count_accum: String,
    /// When it was found, milliseconds.
    pub(crate) timestamp: i64,
}
