//! The operations of the interface as values: what can be asked, and what comes back.

use serde::{Deserialize, Serialize};

use crate::model::{
    Activity, Balance, Brc20Token, Chart, Coin, Content, Currency, Holder, Inscription, InscriptionRef,
    InscriptionStat, MarketPair, MarketSeries, Page, Period, Point, Post, PostOrder, Sat, SatNumber, Tag, Text,
    market_pair, text,
};

/// One operation with its parameters. Equal requests have equal answers, so this is also the key of what is kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Request {
    /// `/coins`: coins of a tag. `start` counts from 1 here, whatever the service counts from.
    Coins {
        /// Which list.
        tag: Tag,
        /// Place of the first coin, from 1.
        start: u32,
        /// Coins on the page.
        limit: u32,
        /// Currency of the money.
        convert: Currency,
    },
    /// `/content`: posts on a token.
    Posts {
        /// The token's symbol.
        symbol: Text,
        /// Top or latest.
        order: PostOrder,
    },
    /// `/exchanges`: market pairs of a token.
    MarketPairs {
        /// The token's symbol.
        symbol: Text,
        /// The token's slug where known: it tells the coins apart that share a symbol.
        slug: Option<Text>,
        /// Currency of the money.
        convert: Currency,
    },
    /// `/chart`: a token's chart.
    Chart {
        /// The token's slug.
        slug: Text,
        /// How far back.
        period: Period,
        /// Currency of the money.
        convert: Currency,
    },
    /// `/market/data`: series of several tokens in one request.
    MarketData {
        /// Symbols, in the order in which they are asked for.
        symbols: Vec<Text>,
        /// Currency of the money.
        convert: Currency,
        /// Points a series.
        count: u32,
        /// Step between points, such as `5m` or `1h`.
        interval: Text,
    },
    /// `/coins/stats`: tokens of a category, each with a 7-day chart.
    CategoryStats {
        /// Which category.
        tag: Tag,
        /// Currency of the money.
        convert: Currency,
    },
    /// `/ordinals/brc-20/tokens`: BRC-20 tokens.
    Brc20Tokens {
        /// Prefix of the ticker.
        ticker: Option<Text>,
        /// Items to skip.
        offset: u64,
        /// Items wanted; over 60 it takes several HTTP requests.
        limit: u32,
    },
    /// `/ordinals/brc-20/tokens/{ticker}`: one of them.
    Brc20Token {
        /// The ticker.
        ticker: Text,
    },
    /// `/ordinals/brc-20/tokens/{ticker}/holders`: who holds it.
    Brc20Holders {
        /// The ticker.
        ticker: Text,
        /// Items to skip.
        offset: u64,
        /// Items wanted.
        limit: u32,
    },
    /// `/ordinals/brc-20/balances/{address}`: what an address holds.
    Brc20Balances {
        /// The address; indexers do not check it.
        address: Text,
        /// Items to skip.
        offset: u64,
        /// Items wanted.
        limit: u32,
    },
    /// `/ordinals/brc-20/activity`: deploys, mints and transfers.
    Brc20Activity {
        /// The ticker, if only one token's events are wanted. Sent in lower case: indexers compare it exactly.
        ticker: Option<Text>,
        /// The block, if only one block's events are wanted. 0 is ignored by Hiro's API.
        block_height: Option<u64>,
        /// Items to skip.
        offset: u64,
        /// Items wanted.
        limit: u32,
    },
    /// `/ordinals/sats/{ordinal}`: a sat.
    Sat {
        /// The sat.
        number: SatNumber,
    },
    /// `/ordinals/sats/{ordinal}/inscriptions`: what is inscribed on it.
    SatInscriptions {
        /// The sat.
        number: SatNumber,
        /// Items to skip.
        offset: u64,
        /// Items wanted.
        limit: u32,
    },
    /// One inscription.
    Inscription {
        /// Which.
        inscription: InscriptionRef,
    },
    /// The content of an inscription, for short texts.
    InscriptionContent {
        /// Its id.
        id: Text,
    },
    /// Inscriptions, the newest first.
    Inscriptions {
        /// Only those at this address.
        address: Option<Text>,
        /// Items to skip.
        offset: u64,
        /// Items wanted.
        limit: u32,
    },
    /// Inscriptions per block, the newest first.
    InscriptionStats {
        /// First block.
        from_block: Option<u64>,
        /// Last block.
        to_block: Option<u64>,
    },
}

/// The two groups of the interface, each with a base URL of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Coins, posts, pairs and charts.
    Market,
    /// BRC-20, sats and inscriptions.
    Indexer,
}

impl Request {
    /// The group that answers it.
    pub fn group(&self) -> Group {
        match self {
            Request::Coins { .. }
            | Request::Posts { .. }
            | Request::MarketPairs { .. }
            | Request::Chart { .. }
            | Request::MarketData { .. }
            | Request::CategoryStats { .. } => Group::Market,
            _ => Group::Indexer,
        }
    }

    /// The currency that it asks for money in, where money is in its answer.
    pub fn convert(&self) -> Option<&Currency> {
        match self {
            Request::Coins { convert, .. }
            | Request::MarketPairs { convert, .. }
            | Request::Chart { convert, .. }
            | Request::MarketData { convert, .. }
            | Request::CategoryStats { convert, .. } => Some(convert),
            _ => None,
        }
    }

    /// The same request for money in another currency; an equal one where no money is in its answer.
    pub fn in_currency(&self, currency: &Currency) -> Request {
        let mut request = self.clone();
        match &mut request {
            Request::Coins { convert, .. }
            | Request::MarketPairs { convert, .. }
            | Request::Chart { convert, .. }
            | Request::MarketData { convert, .. }
            | Request::CategoryStats { convert, .. } => *convert = currency.clone(),
            _ => {}
        }
        request
    }

    /// Whether it is the same request for money in another currency.
    pub fn is_in_other_currency(&self, other: &Request) -> bool {
        use Request::{CategoryStats, Chart, Coins, MarketData, MarketPairs};
        let is_like = match (self, other) {
            (
                Coins { tag, start, limit, convert: _ },
                Coins { tag: other_tag, start: other_start, limit: other_limit, convert: _ },
            ) => (tag, start, limit) == (other_tag, other_start, other_limit),
            (
                MarketPairs { symbol, slug, convert: _ },
                MarketPairs { symbol: other_symbol, slug: other_slug, convert: _ },
            ) => (symbol, slug) == (other_symbol, other_slug),
            (Chart { slug, period, convert: _ }, Chart { slug: other_slug, period: other_period, convert: _ }) => {
                (slug, period) == (other_slug, other_period)
            }
            (
                MarketData { symbols, convert: _, count, interval },
                MarketData { symbols: other_symbols, convert: _, count: other_count, interval: other_interval },
            ) => (count, interval, symbols) == (other_count, other_interval, other_symbols),
            (CategoryStats { tag, convert: _ }, CategoryStats { tag: other_tag, convert: _ }) => tag == other_tag,
            _ => false,
        };
        is_like && self.convert() != other.convert()
    }

    /// Short description for the Status tab, errors and the log: `Coin list 1–200`, `ordi 7D chart`.
    /// Safe to print, whatever names it contains.
    pub fn describe(&self) -> String {
        text::clean(&self.description()).into_owned()
    }

    fn description(&self) -> String {
        let range = |offset: u64, limit: u32| {
            format!("{}–{}", offset.saturating_add(1), offset.saturating_add(u64::from(limit)))
        };
        match self {
            Request::Coins { tag, start, limit, .. } => {
                let range = range(u64::from(start.saturating_sub(1)), *limit);
                match tag {
                    Tag::All => format!("Coin list {range}"),
                    tag => format!("{} coins {range}", tag.title()),
                }
            }
            Request::Posts { symbol, order: PostOrder::Top } => format!("Top posts about {symbol}"),
            Request::Posts { symbol, order: PostOrder::Latest } => format!("Latest posts about {symbol}"),
            Request::MarketPairs { symbol, .. } => format!("Markets of {symbol}"),
            Request::Chart { slug, period, .. } => format!("{slug} {} chart", period.as_str()),
            Request::MarketData { symbols, convert, interval, .. } => match symbols.as_slice() {
                [one] => format!("Price history of {one} ({convert}, {interval})"),
                [first, rest @ ..] => {
                    format!("Price history of {first} + {} more ({convert}, {interval})", rest.len())
                }
                [] => format!("Price history ({convert}, {interval})"),
            },
            Request::CategoryStats { tag, .. } => format!("7-day charts ({})", tag.title()),
            Request::Brc20Tokens { ticker: Some(prefix), offset, limit } => {
                format!("BRC-20 tokens {prefix}… {}", range(*offset, *limit))
            }
            Request::Brc20Tokens { ticker: None, offset, limit } => {
                format!("BRC-20 tokens {}", range(*offset, *limit))
            }
            Request::Brc20Token { ticker } => format!("BRC-20 token {ticker}"),
            Request::Brc20Holders { ticker, offset, limit } => {
                format!("Holders of {ticker} {}", range(*offset, *limit))
            }
            Request::Brc20Balances { address, offset, limit } => {
                format!("BRC-20 balances of {address} {}", range(*offset, *limit))
            }
            Request::Brc20Activity { ticker, block_height, offset, limit } => {
                let token = ticker.as_ref().map(|ticker| format!(" of {ticker}")).unwrap_or_default();
                let range = range(*offset, *limit);
                match block_height {
                    Some(height) => format!("BRC-20 activity{token} in block {height} ({range})"),
                    None => format!("BRC-20 activity{token} {range}"),
                }
            }
            Request::Sat { number } => format!("Sat {number}"),
            Request::SatInscriptions { number, offset, limit } => {
                format!("Inscriptions on sat {number} ({})", range(*offset, *limit))
            }
            Request::Inscription { inscription: InscriptionRef::Id(id) } => format!("Inscription {id}"),
            Request::Inscription { inscription: InscriptionRef::Number(number) } => {
                format!("Inscription {number}")
            }
            Request::InscriptionContent { id } => format!("Content of inscription {id}"),
            Request::Inscriptions { address: Some(address), offset, limit } => {
                format!("Inscriptions of {address} {}", range(*offset, *limit))
            }
            Request::Inscriptions { address: None, offset, limit } => {
                format!("Inscriptions {}", range(*offset, *limit))
            }
            Request::InscriptionStats { .. } => String::from("Inscription statistics"),
        }
    }
}

/// What an operation answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// A page of coins, or those of a category.
    Coins(Page<Coin>),
    /// Posts.
    Posts(Page<Post>),
    /// Market pairs.
    #[serde(with = "market_pair::with_currency")]
    MarketPairs(Page<MarketPair>),
    /// A chart.
    Chart(Chart),
    /// Series of several tokens.
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
}

impl Answer {
    /// Whether it is a list without rows, or a chart or series without a price. A single thing is never empty.
    pub fn is_empty(&self) -> bool {
        let no_price = |points: &[Point]| points.iter().all(|point| point.price.is_none());
        match self {
            Answer::Coins(page) => page.items.is_empty(),
            Answer::Posts(page) => page.items.is_empty(),
            Answer::MarketPairs(page) => page.items.is_empty(),
            Answer::Chart(chart) => no_price(&chart.points),
            Answer::Market(series) => series.iter().all(|series| no_price(&series.points)),
            Answer::Brc20Tokens(page) => page.items.is_empty(),
            Answer::Holders(page) => page.items.is_empty(),
            Answer::Balances(page) => page.items.is_empty(),
            Answer::Activity(page) => page.items.is_empty(),
            Answer::Inscriptions(page) => page.items.is_empty(),
            Answer::InscriptionStats(page) => page.items.is_empty(),
            Answer::Brc20Token(_) | Answer::Sat(_) | Answer::Inscription(_) | Answer::InscriptionContent(_) => false,
        }
    }
}

/// Something in an answer that could not be read, in a sentence with its JSON path.
pub type Warning = String;
