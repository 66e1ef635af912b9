//! The operations of the interface, as requests.

mod description;

use std::mem::discriminant;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::model::source::Operation;
use crate::model::{CoinId, Currency, InscriptionRef, Period, PostOrder, SatNumber, Tag, Text};

/// An operation with its parameters, also used as cache key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Request {
    /// `/coins`: coins of a tag. `start` is 1-based, regardless of the service's first index.
    Coins {
        /// The tag; [`Tag::All`] for the list of all coins.
        tag: Tag,
        /// Position of the first coin, from 1.
        start: u32,
        /// Maximum coins on the page.
        limit: u32,
        /// Currency of all prices.
        convert: Currency,
    },
    /// `/content`: posts about a coin.
    Posts {
        /// The coin's symbol.
        symbol: Text,
        /// The coin's slug, if known, to distinguish coins that share a symbol.
        slug: Option<Text>,
        /// Top or latest.
        order: PostOrder,
    },
    /// `/exchanges`: market pairs of a coin.
    MarketPairs {
        /// The coin's symbol.
        symbol: Text,
        /// The coin's slug, if known, to distinguish coins that share a symbol.
        slug: Option<Text>,
        /// Currency of all prices.
        convert: Currency,
    },
    /// `/chart`: a coin's chart.
    Chart {
        /// The coin's slug.
        slug: Text,
        /// The period.
        period: Period,
        /// Currency of all prices.
        convert: Currency,
    },
    /// `/market/data`: price history of several coins.
    MarketData {
        /// Symbols, in the order of the request.
        symbols: Vec<Text>,
        /// Currency of all prices.
        convert: Currency,
        /// Maximum points per series.
        count: u32,
        /// Step between points, such as `5m` or `1h`.
        interval: Text,
    },
    /// `/coins/stats`: coins of a category with 7-day charts.
    CategoryStats {
        /// The category.
        tag: Tag,
        /// Currency of all prices.
        convert: Currency,
    },
    /// `/ordinals/brc-20/tokens`: BRC-20 tokens.
    Brc20Tokens {
        /// Prefix of the ticker.
        ticker: Option<Text>,
        /// Items to skip.
        offset: u64,
        /// Maximum items; more than 60 take several HTTP requests.
        limit: u32,
    },
    /// `/ordinals/brc-20/tokens/{ticker}`: a BRC-20 token.
    Brc20Token {
        /// The ticker.
        ticker: Text,
    },
    /// `/ordinals/brc-20/tokens/{ticker}/holders`: holders of a token.
    Brc20Holders {
        /// The ticker.
        ticker: Text,
        /// Items to skip.
        offset: u64,
        /// Maximum items.
        limit: u32,
    },
    /// `/ordinals/brc-20/balances/{address}`: balances of an address.
    Brc20Balances {
        /// The address; indexers don't validate it.
        address: Text,
        /// Items to skip.
        offset: u64,
        /// Maximum items.
        limit: u32,
    },
    /// `/ordinals/brc-20/activity`: deploys, mints and transfers.
    Brc20Activity {
        /// Only events of this ticker. Sent in lower case, since indexers compare it exactly.
        ticker: Option<Text>,
        /// Only events of this block. Hiro's API ignores 0.
        block_height: Option<u64>,
        /// Items to skip.
        offset: u64,
        /// Maximum items.
        limit: u32,
    },
    /// `/ordinals/sats/{ordinal}`: a sat.
    Sat {
        /// The sat.
        number: SatNumber,
    },
    /// `/ordinals/sats/{ordinal}/inscriptions`: inscriptions on a sat.
    SatInscriptions {
        /// The sat.
        number: SatNumber,
        /// Items to skip.
        offset: u64,
        /// Maximum items.
        limit: u32,
    },
    /// One inscription.
    Inscription {
        /// The inscription's id or number.
        inscription: InscriptionRef,
    },
    /// The content of an inscription, if it is a short text.
    InscriptionContent {
        /// The inscription's id.
        id: Text,
    },
    /// Inscriptions, newest first.
    Inscriptions {
        /// Only inscriptions of this address.
        address: Option<Text>,
        /// Items to skip.
        offset: u64,
        /// Maximum items.
        limit: u32,
    },
    /// `/x/sources`, of our own service only: the providers of live data and their state.
    Sources,
    /// Inscriptions per block, newest first.
    InscriptionStats {
        /// First block.
        from_block: Option<u64>,
        /// Last block.
        to_block: Option<u64>,
    },
    /// `/x/chain`, an extension of our own service: the newest block and fee rates.
    ChainState,
    /// `/x/address/{address}`, an extension of our own service: the bitcoin balance of an address.
    BitcoinBalance {
        /// The address, in its canonical form.
        address: Text,
    },
    /// `/coins?ids=`, an extension of our own service: coins by id. Other services may ignore the ids; their coins are
    /// left out of the response.
    CoinsById {
        /// The ids.
        ids: Vec<CoinId>,
        /// Currency of all prices.
        convert: Currency,
    },
    /// `/x/names`, an extension of our own service: the names of all coins.
    CoinNames,
    /// `/x/rates`, an extension of our own service: exchange rates of past days.
    HistoricalRates {
        /// The days, at most [`crate::model::historical_rate::MAX_DAYS`].
        days: Vec<Date>,
        /// The currencies that are converted, at most [`crate::model::historical_rate::MAX_CURRENCIES`].
        from: Vec<Currency>,
        /// The currency of the rates.
        to: Currency,
    },
    /// The content of an inscription, if it is an image.
    InscriptionImage {
        /// The id of the inscription.
        id: Text,
    },
}

/// The two groups of the interface, each with its own base URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Coins, posts, pairs and charts, and the newest block.
    Market,
    /// BRC-20, sats and inscriptions.
    Indexer,
}

impl Request {
    /// The meaning of a 404 for a looked-up item that may not exist: `Token not found`.
    pub fn not_found(&self) -> Option<&'static str> {
        match self {
            Request::Brc20Token { .. }
            | Request::Brc20Holders { .. }
            | Request::Brc20Activity { ticker: Some(_), .. } => Some("Token not found"),
            Request::Brc20Activity { ticker: None, .. } => Some("Block not found"),
            Request::Brc20Balances { .. } | Request::Inscriptions { address: Some(_), .. } => Some("Address not found"),
            Request::Sat { .. } | Request::SatInscriptions { .. } => Some("Sat not found"),
            Request::Inscription { .. } | Request::InscriptionContent { .. } => Some("Inscription not found"),
            Request::InscriptionImage { .. } => Some("The indexer doesn't have the content of this inscription"),
            Request::Sources => Some("This service doesn't report its providers"),
            Request::Coins { .. }
            | Request::Posts { .. }
            | Request::MarketPairs { .. }
            | Request::Chart { .. }
            | Request::MarketData { .. }
            | Request::CategoryStats { .. }
            | Request::Brc20Tokens { .. }
            | Request::Inscriptions { address: None, .. }
            | Request::InscriptionStats { .. }
            | Request::ChainState
            | Request::BitcoinBalance { .. }
            | Request::CoinsById { .. }
            | Request::CoinNames
            | Request::HistoricalRates { .. } => None,
        }
    }

    /// The group that the operation belongs to.
    pub fn group(&self) -> Group {
        match self {
            Request::Coins { .. }
            | Request::Posts { .. }
            | Request::MarketPairs { .. }
            | Request::Chart { .. }
            | Request::MarketData { .. }
            | Request::CategoryStats { .. }
            | Request::ChainState
            | Request::CoinsById { .. }
            | Request::CoinNames
            | Request::HistoricalRates { .. }
            | Request::Sources => Group::Market,
            Request::Brc20Tokens { .. }
            | Request::Brc20Token { .. }
            | Request::Brc20Holders { .. }
            | Request::Brc20Balances { .. }
            | Request::Brc20Activity { .. }
            | Request::Sat { .. }
            | Request::SatInscriptions { .. }
            | Request::Inscription { .. }
            | Request::InscriptionContent { .. }
            | Request::InscriptionImage { .. }
            | Request::Inscriptions { .. }
            | Request::InscriptionStats { .. }
            | Request::BitcoinBalance { .. } => Group::Indexer,
        }
    }

    /// The operation that a request with an address belongs to; `None` for requests without one. The user is told
    /// before an address is sent to a provider: no wildcard, so that the compiler reports a new request.
    pub fn address_operation(&self) -> Option<Operation> {
        match self {
            Request::Brc20Balances { .. } => Some(Operation::Brc20),
            Request::Inscriptions { address: Some(_), .. } => Some(Operation::Inscriptions),
            Request::BitcoinBalance { .. } => Some(Operation::BitcoinBalance),
            Request::Coins { .. }
            | Request::Posts { .. }
            | Request::MarketPairs { .. }
            | Request::Chart { .. }
            | Request::MarketData { .. }
            | Request::CategoryStats { .. }
            | Request::Brc20Tokens { .. }
            | Request::Brc20Token { .. }
            | Request::Brc20Holders { .. }
            | Request::Brc20Activity { .. }
            | Request::Sat { .. }
            | Request::SatInscriptions { .. }
            | Request::Inscription { .. }
            | Request::InscriptionContent { .. }
            | Request::InscriptionImage { .. }
            | Request::Inscriptions { address: None, .. }
            | Request::InscriptionStats { .. }
            | Request::Sources
            | Request::ChainState
            | Request::CoinsById { .. }
            | Request::CoinNames
            | Request::HistoricalRates { .. } => None,
        }
    }

    /// Whether the request is for one of the coins of a symbol, if the service can select it.
    pub(crate) fn selects_by_slug(&self) -> bool {
        matches!(self, Request::Posts { slug: Some(_), .. } | Request::MarketPairs { slug: Some(_), .. })
    }

    /// The requested currency, if the response contains prices.
    pub fn convert(&self) -> Option<&Currency> {
        match self {
            Request::Coins { convert, .. }
            | Request::MarketPairs { convert, .. }
            | Request::Chart { convert, .. }
            | Request::MarketData { convert, .. }
            | Request::CoinsById { convert, .. }
            | Request::CategoryStats { convert, .. } => Some(convert),
            _ => None,
        }
    }

    /// The request in another currency; unchanged if the response contains no prices.
    pub fn in_currency(&self, currency: &Currency) -> Request {
        let mut request = self.clone();
        match &mut request {
            Request::Coins { convert, .. }
            | Request::MarketPairs { convert, .. }
            | Request::Chart { convert, .. }
            | Request::MarketData { convert, .. }
            | Request::CoinsById { convert, .. }
            | Request::CategoryStats { convert, .. } => *convert = currency.clone(),
            _ => {}
        }
        request
    }

    /// Whether two requests are for pages of the same list of coins.
    pub fn is_of_same_list(&self, other: &Request) -> bool {
        use Request::Coins;
        match (self, other) {
            (
                Coins { tag, start: _, limit, convert },
                Coins { tag: other_tag, start: _, limit: other_limit, convert: other_convert },
            ) => (tag, limit, convert) == (other_tag, other_limit, other_convert),
            _ => false,
        }
    }

    /// Whether two requests differ only in the currency.
    pub fn is_in_other_currency(&self, other: &Request) -> bool {
        match (self.convert(), other.convert()) {
            // Most requests differ in kind, which is found without a copy.
            (Some(own), Some(convert)) if discriminant(self) == discriminant(other) => {
                own != convert && self.in_currency(convert) == *other
            }
            _ => false,
        }
    }
}

/// A problem with part of a response, with its JSON path.
pub type Warning = String;
