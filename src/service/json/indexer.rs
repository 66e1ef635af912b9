//! The responses of the indexer group, in the format of Hiro's Ordinals API v4.0.0: which numbers are strings, which
//! fields are `null`, and which are absent. Amounts are exact decimal strings without trailing zeros.
//!
//! Two differences: inscriptions have `charms`, as in newer versions, and an unknown address or ticker is `null`, not `""`.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::model::{
    Activity, Amount, Balance, Brc20Token, Holder, Inscription, InscriptionStat, Operation, Page, Sat, Text, UtcTime,
};
use crate::service::providers::{IndexerStatus, InscriptionLocation, InscriptionTransfer, PageQuery};

/// One page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = Paged)]
pub(in crate::service) struct PagedJson<T> {
    /// Maximum items, as requested.
    #[schema(minimum = 1, maximum = 60)]
    limit: usize,
    /// Items before this page, as requested.
    offset: u64,
    /// Items of the whole list; `null` where the provider doesn't know. BRC-20 lists say 0 on a page past their end.
    #[schema(required)]
    total: Option<u64>,
    /// The items.
    results: Vec<T>,
}

impl<T> PagedJson<T> {
    /// A page of a list.
    pub(in crate::service) fn new<'a, M>(query: PageQuery, page: &'a Page<M>) -> PagedJson<T>
    where
        T: From<&'a M>,
    {
        PagedJson {
            limit: query.limit,
            offset: query.offset,
            total: page.total,
            results: page.items.iter().map(T::from).collect(),
        }
    }

    /// A page of a BRC-20 list: its total is 0 where the page is empty, as in Hiro's API, which reads it from the first
    /// row.
    pub(in crate::service) fn brc20<'a, M>(query: PageQuery, page: &'a Page<M>) -> PagedJson<T>
    where
        T: From<&'a M>,
    {
        let mut paged = PagedJson::new(query, page);
        if paged.results.is_empty() {
            paged.total = Some(0);
        }
        paged
    }
}

/// A time in milliseconds since the epoch.
struct Millis(UtcTime);

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0.millis())
    }
}

/// A number written as a string.
struct Digits(u64);

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// The newest indexed block.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiStatus)]
pub(in crate::service) struct StatusJson {
    /// Name and version.
    server_version: &'static str,
    /// Always `ready`.
    status: &'static str,
    /// Height of the newest block.
    block_height: u64,
    /// Highest inscription number.
    max_inscription_number: i64,
    /// Lowest inscription number; cursed inscriptions count down from -1.
    max_cursed_inscription_number: i64,
}

impl From<&IndexerStatus> for StatusJson {
    fn from(status: &IndexerStatus) -> StatusJson {
        StatusJson {
            server_version: "ordinals-api v4.0.0 (satscope)",
            status: "ready",
            block_height: status.block_height,
            max_inscription_number: status.max_inscription_number,
            max_cursed_inscription_number: status.max_cursed_inscription_number,
        }
    }
}

/// A BRC-20 token.
#[derive(Serialize, ToSchema)]
#[schema(as = Token)]
pub(in crate::service) struct TokenJson<'a> {
    /// Deploy inscription.
    #[schema(required)]
    id: Option<&'a str>,
    /// Its number.
    #[schema(required)]
    number: Option<i64>,
    /// Block of the deploy.
    #[schema(required)]
    block_height: Option<u64>,
    /// Transaction of the deploy.
    #[schema(required)]
    tx_id: Option<&'a str>,
    /// Deployer.
    #[schema(required)]
    address: Option<&'a str>,
    /// In lower case.
    ticker: &'a str,
    /// Max supply.
    #[schema(required, value_type = Option<String>)]
    max_supply: Option<Amount>,
    /// Largest amount of one mint; `null` where there is no limit.
    #[schema(required, value_type = Option<String>)]
    mint_limit: Option<Amount>,
    /// 0 to 18.
    #[schema(required)]
    decimals: Option<u8>,
    /// Time of the deploy, in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    deploy_timestamp: Option<Millis>,
    /// Minted so far.
    #[schema(required, value_type = Option<String>)]
    minted_supply: Option<Amount>,
    /// Number of events.
    #[schema(required)]
    tx_count: Option<u64>,
    /// Only its deployer mints.
    #[schema(required)]
    self_mint: Option<bool>,
}

impl<'a> From<&'a Brc20Token> for TokenJson<'a> {
    fn from(token: &'a Brc20Token) -> TokenJson<'a> {
        TokenJson {
            id: token.inscription_id.as_deref(),
            number: token.inscription_number,
            block_height: token.block_height,
            tx_id: token.tx_id.as_deref(),
            address: token.deployer.as_deref(),
            ticker: &token.ticker,
            max_supply: token.max_supply,
            mint_limit: token.mint_limit,
            decimals: token.decimals,
            deploy_timestamp: token.deployed_at.map(Millis),
            minted_supply: token.minted_supply,
            tx_count: token.tx_count,
            self_mint: token.self_mint,
        }
    }
}

/// A token and its supply.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenDetails)]
pub(in crate::service) struct TokenDetailsJson<'a> {
    /// The token.
    token: TokenJson<'a>,
    /// Its supply.
    supply: TokenSupply,
}

/// The supply of a token.
#[derive(Serialize, ToSchema)]
struct TokenSupply {
    /// Max supply.
    #[schema(required, value_type = Option<String>)]
    max_supply: Option<Amount>,
    /// Minted so far.
    #[schema(required, value_type = Option<String>)]
    minted_supply: Option<Amount>,
    /// Number of holders.
    #[schema(required)]
    holders: Option<u64>,
}

impl<'a> From<&'a Brc20Token> for TokenDetailsJson<'a> {
    fn from(token: &'a Brc20Token) -> TokenDetailsJson<'a> {
        let supply =
            TokenSupply { max_supply: token.max_supply, minted_supply: token.minted_supply, holders: token.holders };
        TokenDetailsJson { token: TokenJson::from(token), supply }
    }
}

/// An address that holds a token, or once did.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenHolder)]
pub(in crate::service) struct HolderJson<'a> {
    /// The holder; `null` for burnt supply.
    #[schema(required)]
    address: Option<&'a str>,
    /// Whole balance.
    #[schema(required, value_type = Option<String>)]
    overall_balance: Option<Amount>,
}

impl<'a> From<&'a Holder> for HolderJson<'a> {
    fn from(holder: &'a Holder) -> HolderJson<'a> {
        HolderJson { address: holder.address.as_deref(), overall_balance: holder.balance }
    }
}

/// The balance of an address in one token.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenBalance)]
pub(in crate::service) struct BalanceJson<'a> {
    /// The token; `null` if the provider doesn't name it.
    #[schema(required)]
    ticker: Option<&'a str>,
    /// Free to be inscribed.
    #[schema(required, value_type = Option<String>)]
    available_balance: Option<Amount>,
    /// Inscribed for a transfer and not sent yet.
    #[schema(required, value_type = Option<String>)]
    transferrable_balance: Option<Amount>,
    /// Both.
    #[schema(required, value_type = Option<String>)]
    overall_balance: Option<Amount>,
}

impl<'a> From<&'a Balance> for BalanceJson<'a> {
    fn from(balance: &'a Balance) -> BalanceJson<'a> {
        BalanceJson {
            ticker: balance.ticker.as_deref(),
            available_balance: balance.available,
            transferrable_balance: balance.transferable,
            overall_balance: balance.overall,
        }
    }
}

/// An event of a token. Of `deploy`, `mint`, `transfer` and `transfer_send`, the one that `operation` names is present.
#[derive(Serialize, ToSchema)]
#[schema(as = TokenActivity)]
pub(in crate::service) struct ActivityJson<'a> {
    /// `deploy`, `mint`, `transfer` or `transfer_send`.
    operation: &'a str,
    /// The token.
    ticker: &'a str,
    /// The inscription of the event.
    #[schema(required)]
    inscription_id: Option<&'a str>,
    /// Height of the block.
    #[schema(required)]
    block_height: Option<u64>,
    /// Hash of the block.
    #[schema(required)]
    block_hash: Option<&'a str>,
    /// The transaction.
    #[schema(required)]
    tx_id: Option<&'a str>,
    /// `txid:vout:offset`.
    #[schema(required)]
    location: Option<&'a str>,
    /// The receiver; where there is none, the address that acted.
    #[schema(required)]
    address: Option<&'a str>,
    /// Time of the block, in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    timestamp: Option<Millis>,
    /// Of a deploy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    deploy: Option<Deploy>,
    /// Of a mint.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    mint: Option<Mint>,
    /// Of an inscribed transfer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    transfer: Option<Transfer<'a>>,
    /// Of a sent transfer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    transfer_send: Option<TransferSend<'a>>,
}

/// The terms of a deploy.
#[derive(Serialize, ToSchema)]
struct Deploy {
    /// Max supply.
    #[schema(required, value_type = Option<String>)]
    max_supply: Option<Amount>,
    /// Largest amount of one mint.
    #[schema(required, value_type = Option<String>)]
    mint_limit: Option<Amount>,
    /// 0 to 18.
    #[schema(required)]
    decimals: Option<u8>,
}

/// A mint.
#[derive(Serialize, ToSchema)]
struct Mint {
    #[schema(required, value_type = Option<String>)]
    amount: Option<Amount>,
}

/// An inscribed transfer.
#[derive(Serialize, ToSchema)]
struct Transfer<'a> {
    #[schema(required, value_type = Option<String>)]
    amount: Option<Amount>,
    /// Owner of the amount.
    #[schema(required)]
    from_address: Option<&'a str>,
}

/// A sent transfer.
#[derive(Serialize, ToSchema)]
struct TransferSend<'a> {
    #[schema(required, value_type = Option<String>)]
    amount: Option<Amount>,
    /// Sender.
    #[schema(required)]
    from_address: Option<&'a str>,
    /// Receiver.
    #[schema(required)]
    to_address: Option<&'a str>,
}

impl<'a> From<&'a Activity> for ActivityJson<'a> {
    fn from(event: &'a Activity) -> ActivityJson<'a> {
        let is = |operation| event.operation == operation;
        let (amount, from_address) = (event.amount, event.from.as_deref());
        ActivityJson {
            operation: event.operation.as_str(),
            ticker: &event.ticker,
            inscription_id: event.inscription_id.as_deref(),
            block_height: event.block_height,
            block_hash: event.block_hash.as_deref(),
            tx_id: event.tx_id.as_deref(),
            location: event.location.as_deref(),
            address: event.address.as_deref(),
            timestamp: event.time.map(Millis),
            deploy: is(Operation::Deploy).then_some(Deploy {
                max_supply: event.max_supply,
                mint_limit: event.mint_limit,
                decimals: event.decimals,
            }),
            mint: is(Operation::Mint).then_some(Mint { amount }),
            transfer: is(Operation::Transfer).then_some(Transfer { amount, from_address }),
            transfer_send: is(Operation::TransferSend).then_some(TransferSend {
                amount,
                from_address,
                to_address: event.to.as_deref(),
            }),
        }
    }
}

/// A sat by ordinal theory.
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
    /// Latest inscription on it; absent where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    inscription_id: Option<&'a str>,
    /// Halvings before it.
    epoch: u64,
    /// 1 to 11 letters.
    name: &'a str,
    /// Its place in the subsidy of its block.
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

/// An inscription.
#[derive(Serialize, ToSchema)]
#[schema(as = Inscription)]
pub(in crate::service) struct InscriptionJson<'a> {
    /// `txid` + `i` + index.
    id: &'a str,
    /// Negative for a cursed one.
    #[schema(required)]
    number: Option<i64>,
    /// Owner; `null` where the output has no address.
    #[schema(required)]
    address: Option<&'a str>,
    /// Where it was inscribed.
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
    /// Transaction that brought it to where it is.
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
    /// The sat that carries it.
    #[schema(required, value_type = Option<String>)]
    sat_ordinal: Option<Digits>,
    /// Rarity of the sat.
    #[schema(required)]
    sat_rarity: Option<&'a str>,
    /// Block that mined the sat.
    #[schema(required)]
    sat_coinbase_height: Option<u32>,
    /// Without parameters.
    #[schema(required)]
    mime_type: Option<&'a str>,
    /// With parameters.
    #[schema(required)]
    content_type: Option<&'a str>,
    /// Bytes.
    #[schema(required)]
    content_length: Option<u64>,
    /// When it came to where it is, in milliseconds.
    #[schema(required, value_type = Option<i64>)]
    timestamp: Option<Millis>,
    /// Why it is cursed.
    #[schema(required)]
    curse_type: Option<&'a str>,
    /// It refers to other inscriptions.
    #[schema(required)]
    recursive: Option<bool>,
    /// Its first parent.
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

/// Where an inscription is or was.
#[derive(Serialize, ToSchema)]
#[schema(as = Location)]
pub(in crate::service) struct LocationJson<'a> {
    /// Height of the block that brought it there.
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

/// An inscription that moved in a block.
#[derive(Serialize, ToSchema)]
#[schema(as = InscriptionTransfer)]
pub(in crate::service) struct TransferJson<'a> {
    /// Its id.
    id: &'a str,
    /// Its number.
    number: i64,
    /// Where it was.
    from: LocationJson<'a>,
    /// Where it went.
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

/// Inscriptions per block, the newest block first.
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
    /// Inscribed in it.
    #[schema(required, value_type = Option<String>)]
    inscription_count: Option<Digits>,
    /// Inscribed up to it.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unknown_address_and_ticker_are_null() {
        let holder = Holder { address: None, balance: Some(Amount::UNIT) };
        let holder = serde_json::to_value(HolderJson::from(&holder)).unwrap();
        assert_eq!(holder, json!({"address": null, "overall_balance": "1"}));
        let balance = Balance { ticker: None, available: None, transferable: None, overall: Some(Amount::UNIT) };
        let balance = serde_json::to_value(BalanceJson::from(&balance)).unwrap();
        assert_eq!((&balance["ticker"], &balance["overall_balance"]), (&json!(null), &json!("1")));
    }
}
