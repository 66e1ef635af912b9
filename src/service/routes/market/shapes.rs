//! What the answers of the market group look like. One shape for all: the envelope `{data, status}`, snake_case, and
//! money in a map by currency, `"quote": {"USD": {…}}`, which holds the one currency that was asked for (a sparkline
//! stands beside it). Unknown is `null`; changes are in percent; times are RFC 3339 in UTC.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::model::UtcTime;

/// What stands around every answer.
#[derive(Serialize, ToSchema)]
pub(super) struct Envelope<T> {
    /// The answer.
    pub(super) data: T,
    pub(super) status: Status,
}

/// How the request went.
#[derive(Serialize, ToSchema)]
pub(super) struct Status {
    /// The tick of the simulated market that the answer shows.
    #[schema(value_type = String, format = DateTime)]
    pub(super) timestamp: UtcTime,
    /// 0: no error.
    pub(super) error_code: u16,
    /// `null`: no error.
    #[schema(required)]
    pub(super) error_message: Option<&'static str>,
    /// Milliseconds; always 0, so that equal answers are equal bytes.
    pub(super) elapsed: u32,
    /// Always 0.
    pub(super) credit_count: u32,
    /// Length of the whole list, of which the answer may be a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(super) total_count: Option<usize>,
}

/// A map with the one currency that was asked for.
pub(super) struct ByCurrency<T>(pub(super) &'static str, pub(super) T);

impl<T: Serialize> Serialize for ByCurrency<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0, &self.1)])
    }
}

/// A map by symbol, in the order that was asked in. Symbols are not unique, so each holds a list.
pub(super) struct BySymbol<'a, T>(pub(super) Vec<(&'a str, Vec<T>)>);

impl<T: Serialize> Serialize for BySymbol<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(symbol, list)| (symbol, list)))
    }
}

/// A coin of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = Coin)]
pub(super) struct CoinItem<'a> {
    /// Identity.
    pub(super) id: u32,
    pub(super) name: &'a str,
    /// Not unique.
    pub(super) symbol: &'a str,
    /// Unique; what `/chart` asks by.
    pub(super) slug: &'a str,
    /// Place by market capitalisation, from 1; `null` where the circulating supply is unknown.
    #[schema(required)]
    pub(super) cmc_rank: Option<u32>,
    pub(super) num_market_pairs: usize,
    /// Coins in circulation.
    #[schema(required)]
    pub(super) circulating_supply: Option<f64>,
    /// Coins that exist.
    #[schema(required)]
    pub(super) total_supply: Option<f64>,
    /// Coins that can ever exist; `null` where there is no bound or it is unknown.
    #[schema(required)]
    pub(super) max_supply: Option<f64>,
    #[schema(value_type = String, format = DateTime)]
    pub(super) date_added: UtcTime,
    #[schema(value_type = String, format = DateTime)]
    pub(super) last_updated: UtcTime,
    /// Slugs of categories.
    #[schema(value_type = Vec<String>)]
    pub(super) tags: &'a [&'static str],
    /// Web sites and social links by kind.
    pub(super) urls: Urls,
    /// Where the token lives; empty for a coin of its own chain.
    pub(super) contract_address: Vec<ContractItem>,
    /// Money by currency.
    #[schema(value_type = std::collections::HashMap<String, CoinQuote>)]
    pub(super) quote: ByCurrency<CoinQuote>,
    /// Prices over seven days in the currency of `quote`, oldest first, evenly spaced, the last one now.
    pub(super) sparkline_7d: Vec<f64>,
}

/// The money of a coin.
#[derive(Serialize, ToSchema)]
pub(super) struct CoinQuote {
    pub(super) price: f64,
    pub(super) volume_24h: f64,
    /// Percent, measured from the first point of a one-hour chart.
    #[schema(required)]
    pub(super) percent_change_1h: Option<f64>,
    /// Percent, measured from the first point of the chart `1D`.
    #[schema(required)]
    pub(super) percent_change_24h: Option<f64>,
    /// Percent, measured from the first point of the chart `7D`.
    #[schema(required)]
    pub(super) percent_change_7d: Option<f64>,
    /// Price times circulating supply.
    #[schema(required)]
    pub(super) market_cap: Option<f64>,
    /// Highest point of the chart `1D`.
    pub(super) high_24h: f64,
    /// Lowest point of the chart `1D`.
    pub(super) low_24h: f64,
    /// All-time high.
    pub(super) ath: f64,
    /// All-time low.
    pub(super) atl: f64,
    #[schema(value_type = String, format = DateTime)]
    pub(super) last_updated: UtcTime,
}

/// Links by kind; each list may be empty.
#[derive(Default, Serialize, ToSchema)]
pub(super) struct Urls {
    pub(super) website: Vec<String>,
    pub(super) twitter: Vec<String>,
    pub(super) chat: Vec<String>,
    pub(super) explorer: Vec<String>,
    pub(super) technical_doc: Vec<String>,
    pub(super) source_code: Vec<String>,
}

/// A contract, or a BRC-20's deploy inscription.
#[derive(Serialize, ToSchema)]
#[schema(as = Contract)]
pub(super) struct ContractItem {
    pub(super) contract_address: String,
    pub(super) platform: Platform,
}

/// A chain.
#[derive(Serialize, ToSchema)]
pub(super) struct Platform {
    #[schema(value_type = String)]
    pub(super) name: Cow<'static, str>,
}

/// Posts.
#[derive(Serialize, ToSchema)]
pub(super) struct Posts<'a> {
    pub(super) list: Vec<PostItem<'a>>,
}

/// A post.
#[derive(Serialize, ToSchema)]
#[schema(as = Post)]
pub(super) struct PostItem<'a> {
    /// Identity: digits.
    pub(super) post_id: String,
    pub(super) owner: Owner,
    /// With its line breaks.
    pub(super) text_content: String,
    pub(super) like_count: u64,
    pub(super) comment_count: u64,
    pub(super) repost_count: u64,
    #[schema(value_type = String, format = DateTime)]
    pub(super) post_time: UtcTime,
    /// Where it can be read.
    pub(super) url: String,
    /// What it speaks of.
    pub(super) currencies: Vec<CoinRef<'a>>,
    /// Two letters of ISO 639-1.
    pub(super) language_code: &'static str,
}

/// Who wrote a post.
#[derive(Serialize, ToSchema)]
pub(super) struct Owner {
    pub(super) nickname: &'static str,
}

/// A coin by its names.
#[derive(Serialize, ToSchema)]
pub(super) struct CoinRef<'a> {
    pub(super) id: u32,
    pub(super) name: &'a str,
    pub(super) symbol: &'a str,
    pub(super) slug: &'a str,
}

/// A coin with its market pairs.
#[derive(Serialize, ToSchema)]
pub(super) struct CoinPairs<'a> {
    #[serde(flatten)]
    pub(super) coin: CoinRef<'a>,
    pub(super) num_market_pairs: usize,
    /// The most traded first. Their volumes sum to the coin's.
    pub(super) market_pairs: Vec<PairItem<'a>>,
}

/// A market pair.
#[derive(Serialize, ToSchema)]
#[schema(as = MarketPair)]
pub(super) struct PairItem<'a> {
    pub(super) market_id: u64,
    pub(super) exchange: Exchange,
    /// `BASE/QUOTE`.
    pub(super) market_pair: String,
    /// `spot` or `derivatives`.
    pub(super) category: &'static str,
    pub(super) market_pair_base: PairSide<'a>,
    pub(super) market_pair_quote: PairSide<'a>,
    /// 1 where the price is far from all others.
    pub(super) outlier_detected: u8,
    /// Share of the coin's volume, percent.
    pub(super) volume_percentage: f64,
    /// Money by currency, and under `exchange_reported` in the pair's own units.
    pub(super) quote: PairQuotes,
}

/// An exchange.
#[derive(Serialize, ToSchema)]
pub(super) struct Exchange {
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) slug: String,
}

/// One side of a market pair.
#[derive(Serialize, ToSchema)]
pub(super) struct PairSide<'a> {
    pub(super) currency_symbol: &'a str,
    /// `cryptocurrency` or `fiat`.
    pub(super) currency_type: &'static str,
}

/// The money of a market pair.
#[derive(Serialize, ToSchema)]
pub(super) struct PairQuotes {
    pub(super) exchange_reported: ReportedQuote,
    #[serde(flatten)]
    #[schema(value_type = std::collections::HashMap<String, PairQuote>)]
    pub(super) by_currency: ByCurrency<PairQuote>,
}

/// What the exchange reports, in the pair's own units.
#[derive(Serialize, ToSchema)]
pub(super) struct ReportedQuote {
    /// In units of the quote.
    pub(super) price: f64,
    pub(super) volume_24h_base: f64,
    pub(super) volume_24h_quote: f64,
    #[schema(value_type = String, format = DateTime)]
    pub(super) last_updated: UtcTime,
}

/// The money of a market pair in one currency.
#[derive(Serialize, ToSchema)]
pub(super) struct PairQuote {
    pub(super) price: f64,
    pub(super) volume_24h: f64,
    /// Money that moves the price up by 2 %; `null` for derivatives.
    #[schema(required)]
    pub(super) depth_positive_two: Option<f64>,
    /// Money that moves the price down by 2 %; `null` for derivatives.
    #[schema(required)]
    pub(super) depth_negative_two: Option<f64>,
    #[schema(value_type = String, format = DateTime)]
    pub(super) last_updated: UtcTime,
}

/// A coin's series.
#[derive(Serialize, ToSchema)]
pub(super) struct Series<'a> {
    #[serde(flatten)]
    pub(super) coin: CoinRef<'a>,
    /// Oldest first; the last one is now, with the list's price.
    pub(super) quotes: Vec<SeriesPoint>,
}

/// One moment of a series.
#[derive(Serialize, ToSchema)]
pub(super) struct SeriesPoint {
    #[schema(value_type = String, format = DateTime)]
    pub(super) timestamp: UtcTime,
    /// Money by currency.
    #[schema(value_type = std::collections::HashMap<String, SeriesQuote>)]
    pub(super) quote: ByCurrency<SeriesQuote>,
}

/// The money of one moment.
#[derive(Serialize, ToSchema)]
pub(super) struct SeriesQuote {
    pub(super) price: f64,
    /// Traded in the 24 h before.
    pub(super) volume_24h: f64,
    /// Price times circulating supply.
    #[schema(required)]
    pub(super) market_cap: Option<f64>,
}
