//! What a request returns.

use serde::{Deserialize, Serialize};

use crate::model::{
    Activity, Balance, BitcoinBalance, Brc20Token, ChainState, Chart, Coin, Content, HistoricalRate, Holder,
    IndexedName, Inscription, InscriptionStat, MarketPair, MarketSeries, Page, Picture, Point, Post, Sat, Source,
    market_pair,
};

/// The response to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ResponseData {
    /// A page of coins, or the coins of a category.
    Coins(Page<Coin>),
    /// Posts.
    Posts(Page<Post>),
    /// Market pairs.
    #[serde(with = "market_pair::with_currency")]
    MarketPairs(Page<MarketPair>),
    /// A chart.
    Chart(Chart),
    /// Price history of several coins.
    Market(Vec<MarketSeries>),
    /// BRC-20 tokens.
    Brc20Tokens(Page<Brc20Token>),
    /// One BRC-20 token.
    Brc20Token(Box<Brc20Token>),
    /// Holders of a BRC-20 token.
    Holders(Page<Holder>),
    /// Balances of an address.
    Balances(Page<Balance>),
    /// BRC-20 activity.
    Activity(Page<Activity>),
    /// A sat.
    Sat(Box<Sat>),
    /// Inscriptions: on a sat, at an address, or all.
    Inscriptions(Page<Inscription>),
    /// One inscription.
    Inscription(Box<Inscription>),
    /// The content of an inscription.
    InscriptionContent(Box<Content>),
    /// Inscriptions per block.
    InscriptionStats(Page<InscriptionStat>),
    /// The newest block and fee rates.
    ChainState(ChainState),
    /// The bitcoin balance of an address.
    BitcoinBalance(BitcoinBalance),
    /// The providers of live data.
    Sources(Vec<Source>),
    /// The names of all coins.
    CoinNames(Vec<IndexedName>),
    /// Exchange rates of past days.
    HistoricalRates(Vec<HistoricalRate>),
    /// An image.
    Picture(Box<Picture>),
}

impl ResponseData {
    /// Whether it has no information: no rows, and no statement that there are none, unlike the balances of an
    /// address do with a total of 0.
    pub fn is_empty(&self) -> bool {
        let states_none = matches!(self, ResponseData::Balances(page) if page.total == Some(0));
        !self.has_rows() && !states_none
    }

    /// Whether it is a list with rows, a chart or series with prices, or a single item.
    pub fn has_rows(&self) -> bool {
        let has_price = |points: &[Point]| points.iter().any(|point| point.price.is_some());
        match self {
            ResponseData::Coins(page) => !page.items.is_empty(),
            ResponseData::Posts(page) => !page.items.is_empty(),
            ResponseData::MarketPairs(page) => !page.items.is_empty(),
            ResponseData::Chart(chart) => has_price(&chart.points),
            ResponseData::Market(series) => series.iter().any(|series| has_price(&series.points)),
            ResponseData::Brc20Tokens(page) => !page.items.is_empty(),
            ResponseData::Holders(page) => !page.items.is_empty(),
            ResponseData::Balances(page) => !page.items.is_empty(),
            ResponseData::Activity(page) => !page.items.is_empty(),
            ResponseData::Inscriptions(page) => !page.items.is_empty(),
            ResponseData::InscriptionStats(page) => !page.items.is_empty(),
            ResponseData::Sources(sources) => !sources.is_empty(),
            ResponseData::CoinNames(names) => !names.is_empty(),
            ResponseData::HistoricalRates(rates) => !rates.is_empty(),
            ResponseData::Brc20Token(_)
            | ResponseData::Sat(_)
            | ResponseData::Inscription(_)
            | ResponseData::InscriptionContent(_)
            | ResponseData::ChainState(_)
            | ResponseData::Picture(_)
            | ResponseData::BitcoinBalance(_) => true,
        }
    }
}
