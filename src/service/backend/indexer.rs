//! The indexer group: BRC-20, inscriptions, sats.

use std::ops::RangeInclusive;

use async_trait::async_trait;

use crate::model::{
    Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, InscriptionStat, Page, Sat, SatNumber, Text,
    UtcTime,
};
use crate::service::provider_response::{ProviderError, ProviderResult};

/// A source of BRC-20, inscription and sat data. By default, every operation returns [`ProviderError::Unsupported`].
#[async_trait]
pub trait IndexerProvider: Send + Sync {
    /// Changes whenever a response of the group may have changed; `None` if unknown. Used as the group's `ETag`, so it
    /// must be cheap to compute.
    fn version(&self) -> Option<String> {
        None
    }

    /// The newest indexed block.
    async fn status(&self) -> ProviderResult<IndexerStatus> {
        Err(ProviderError::unsupported())
    }

    /// BRC-20 tokens.
    async fn tokens(&self, _query: &TokensQuery, _page: PageQuery) -> ProviderResult<Page<Brc20Token>> {
        Err(ProviderError::unsupported())
    }

    /// One BRC-20 token by its ticker (case-insensitive).
    async fn token(&self, _ticker: &str) -> ProviderResult<Brc20Token> {
        Err(ProviderError::unsupported())
    }

    /// Holders of a token, largest balance first.
    async fn holders(&self, _ticker: &str, _page: PageQuery) -> ProviderResult<Page<Holder>> {
        Err(ProviderError::unsupported())
    }

    /// BRC-20 balances of an address. An unknown address has none.
    async fn balances(&self, _query: &BalancesQuery, _page: PageQuery) -> ProviderResult<Page<Balance>> {
        Err(ProviderError::unsupported())
    }

    /// BRC-20 events, newest first.
    async fn activity(&self, _query: &ActivityQuery, _page: PageQuery) -> ProviderResult<Page<Activity>> {
        Err(ProviderError::unsupported())
    }

    /// A sat with the latest inscription on it.
    async fn sat(&self, _number: SatNumber) -> ProviderResult<Sat> {
        Err(ProviderError::unsupported())
    }

    /// Inscriptions on a sat, highest number first.
    async fn sat_inscriptions(&self, _number: SatNumber, _page: PageQuery) -> ProviderResult<Page<Inscription>> {
        Err(ProviderError::unsupported())
    }

    /// Inscriptions that match all filters.
    async fn inscriptions(&self, _query: &InscriptionsQuery, _page: PageQuery) -> ProviderResult<Page<Inscription>> {
        Err(ProviderError::unsupported())
    }

    /// One inscription.
    async fn inscription(&self, _inscription: &InscriptionRef) -> ProviderResult<Inscription> {
        Err(ProviderError::unsupported())
    }

    /// The content of an inscription.
    async fn content(&self, _inscription: &InscriptionRef) -> ProviderResult<Content> {
        Err(ProviderError::unsupported())
    }

    /// Locations of an inscription, newest first.
    async fn locations(
        &self,
        _inscription: &InscriptionRef,
        _page: PageQuery,
    ) -> ProviderResult<Page<InscriptionLocation>> {
        Err(ProviderError::unsupported())
    }

    /// Inscriptions that moved in a block, newest inscription first.
    async fn transfers(&self, _block: &BlockRef, _page: PageQuery) -> ProviderResult<Page<InscriptionTransfer>> {
        Err(ProviderError::unsupported())
    }

    /// Inscriptions per block between two heights (inclusive), newest block first.
    async fn inscription_stats(&self, _from: Option<u64>, _to: Option<u64>) -> ProviderResult<Vec<InscriptionStat>> {
        Err(ProviderError::unsupported())
    }
}

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageQuery {
    /// Items before the page.
    pub offset: u64,
    /// Maximum items on the page.
    pub limit: usize,
}

impl PageQuery {
    /// Number of items on the page if the list has this total; the maximum if the total is unknown.
    pub(in crate::service) fn expected_items(self, total: Option<u64>) -> usize {
        let rest = total.map(|total| usize::try_from(total.saturating_sub(self.offset)).unwrap_or(usize::MAX));
        rest.map_or(self.limit, |rest| self.limit.min(rest))
    }
}

/// The newest indexed block and the range of inscription numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexerStatus {
    /// Height of the newest block.
    pub block_height: u64,
    /// Highest inscription number.
    pub max_inscription_number: i64,
    /// Lowest inscription number; cursed inscriptions count down from -1.
    pub max_cursed_inscription_number: i64,
}

/// The order of a token list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TokenOrder {
    /// Newest deploy first.
    #[default]
    Index,
    /// Most events first.
    TxCount,
}

/// Filters and order of a token list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TokensQuery {
    /// Ticker prefixes (case-insensitive), one of which must match; `%` matches any text, `_` any character. Empty: all
    /// tokens.
    pub tickers: Vec<String>,
    /// Order.
    pub order: TokenOrder,
}

/// Filters of a balance list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct BalancesQuery {
    /// The address; it may be invalid.
    pub address: String,
    /// Ticker prefixes as in [`TokensQuery`].
    pub tickers: Vec<String>,
    /// Balances after this block; `None`: after the newest.
    pub block_height: Option<u64>,
}

/// Filters of an activity list. An empty list means no filter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ActivityQuery {
    /// Tickers, matched exactly.
    pub tickers: Vec<String>,
    /// In this block.
    pub block_height: Option<u64>,
    /// `deploy`, `mint`, `transfer`, `transfer_send`.
    pub operations: Vec<String>,
    /// From or to this address.
    pub address: Option<String>,
}

/// The order of an inscription list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InscriptionOrder {
    /// By block.
    #[default]
    GenesisBlockHeight,
    /// By number; cursed inscriptions are below zero.
    Number,
    /// By sat.
    Ordinal,
    /// By rarity of the sat, mythic above common.
    Rarity,
}

/// Filters and order of an inscription list. An empty list means no filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InscriptionsQuery {
    /// Ids or numbers.
    pub ids: Vec<String>,
    /// Numbers.
    pub numbers: Vec<i64>,
    /// Hash of the genesis block.
    pub block_hash: Option<String>,
    /// Heights of the genesis block.
    pub heights: RangeInclusive<u64>,
    /// Genesis times, in milliseconds since the epoch.
    pub timestamps: RangeInclusive<i64>,
    /// Sats.
    pub sats: RangeInclusive<u64>,
    /// Heights of the blocks that mined the sats.
    pub sat_heights: RangeInclusive<u64>,
    /// Numbers.
    pub number_range: RangeInclusive<i64>,
    /// Output, `txid:vout`.
    pub output: Option<String>,
    /// Owners.
    pub addresses: Vec<String>,
    /// Genesis addresses.
    pub genesis_addresses: Vec<String>,
    /// MIME types without parameters.
    pub mime_types: Vec<String>,
    /// Rarities of the sats.
    pub rarities: Vec<String>,
    /// Whether it refers to other inscriptions.
    pub recursive: Option<bool>,
    /// Whether it is cursed.
    pub cursed: Option<bool>,
    /// Order.
    pub order: InscriptionOrder,
    /// Lowest first.
    pub ascending: bool,
}

impl Default for InscriptionsQuery {
    fn default() -> Self {
        InscriptionsQuery {
            ids: Vec::new(),
            numbers: Vec::new(),
            block_hash: None,
            heights: 0..=u64::MAX,
            timestamps: i64::MIN..=i64::MAX,
            sats: 0..=u64::MAX,
            sat_heights: 0..=u64::MAX,
            number_range: i64::MIN..=i64::MAX,
            output: None,
            addresses: Vec::new(),
            genesis_addresses: Vec::new(),
            mime_types: Vec::new(),
            rarities: Vec::new(),
            recursive: None,
            cursed: None,
            order: InscriptionOrder::default(),
            ascending: false,
        }
    }
}

/// A block, by height or hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlockRef {
    /// The height of the block.
    Height(u64),
    /// The hash of the block, in lower case.
    Hash(String),
}

/// The content of an inscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// MIME type with parameters.
    pub content_type: Text,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// Location of an inscription. Values and offsets are in sats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InscriptionLocation {
    /// Block of the transaction.
    pub block_height: u64,
    /// Hash of the block.
    pub block_hash: Option<Text>,
    /// Owner; `None` if the output has no address.
    pub address: Option<Text>,
    /// Transaction.
    pub tx_id: Text,
    /// Output index of the transaction.
    pub vout: u32,
    /// Value of the output.
    pub value: Option<u64>,
    /// Offset in the output.
    pub offset: Option<u64>,
    /// Time of the block.
    pub time: UtcTime,
}

/// A transfer of an inscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InscriptionTransfer {
    /// Id of the inscription.
    pub id: Text,
    /// Number of the inscription.
    pub number: i64,
    /// Location before.
    pub from: InscriptionLocation,
    /// Location after.
    pub to: InscriptionLocation,
}
