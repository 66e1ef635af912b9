//! The answers of the market group. All have one shape: the envelope `{data, status}`, snake_case, and money in a map
//! by currency, `"quote": {"USD": {…}}`, which holds the requested currency (a sparkline stands beside it). Unknown is
//! `null`; changes are in percent; times are RFC 3339 in UTC.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::model::{
    Chart, Coin, CoinId, Contract, Currency, Link, MarketPair, MarketSeries, Point, Post, Text, UtcTime,
};
use crate::service::providers::{Answer, CoinPairs, ProviderName};

/// The envelope of every answer.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Envelope<T> {
    /// The answer.
    data: T,
    status: Status,
    /// The provider of the data, where they come from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    provider: Option<&'static str>,
}

/// How the request went.
#[derive(Serialize, ToSchema)]
struct Status {
    /// The time that the data are of.
    #[schema(value_type = String, format = DateTime)]
    timestamp: UtcTime,
    /// 0: no error.
    error_code: u16,
    /// `null`: no error.
    #[schema(required)]
    error_message: Option<&'static str>,
    /// Milliseconds; always 0, so that equal answers are equal bytes.
    elapsed: u32,
    /// Always 0.
    credit_count: u32,
    /// Length of the whole list, of which the answer may be a page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    total_count: Option<u64>,
}

impl<T> Envelope<T> {
    /// The envelope of an answer, whose data become `data`.
    pub(in crate::service) fn new<A>(answer: &Answer<A>, data: T, total_count: Option<u64>) -> Envelope<T> {
        let status = Status {
            timestamp: answer.at,
            error_code: 0,
            error_message: None,
            elapsed: 0,
            credit_count: 0,
            total_count,
        };
        Envelope { data, status, provider: answer.provider.map(ProviderName::as_str) }
    }
}

/// A map with the requested currency.
struct ByCurrency<'a, T>(&'a Currency, T);

impl<T: Serialize> Serialize for ByCurrency<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0.as_str(), &self.1)])
    }
}

/// A map by symbol, in the order of the request. Symbols are not unique, so each holds a list.
pub(in crate::service) struct BySymbol<'a, T>(Vec<(&'a str, Vec<T>)>);

impl<'a, T> BySymbol<'a, T> {
    /// Groups items by their symbols.
    pub(in crate::service) fn group(items: impl Iterator<Item = (&'a str, T)>) -> BySymbol<'a, T> {
        let mut groups: Vec<(&str, Vec<T>)> = Vec::new();
        for (symbol, item) in items {
            // Coins that share a symbol may spell it in different cases.
            match groups.iter_mut().find(|(known, _)| known.to_lowercase() == symbol.to_lowercase()) {
                Some((_, group)) => group.push(item),
                None => groups.push((symbol, vec![item])),
            }
        }
        BySymbol(groups)
    }
}

impl<T: Serialize> Serialize for BySymbol<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(symbol, list)| (symbol, list)))
    }
}

/// An identity: a number where it is one, otherwise a text.
struct Id<'a>(&'a str);

impl Serialize for Id<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<u32>() {
            Ok(number) if number.to_string() == self.0 => serializer.serialize_u32(number),
            _ => serializer.serialize_str(self.0),
        }
    }
}

impl<'a> From<&'a CoinId> for Id<'a> {
    fn from(id: &'a CoinId) -> Id<'a> {
        Id(&id.0)
    }
}

/// A coin of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = Coin)]
pub(in crate::service) struct CoinJson<'a> {
    /// Identity; a number or a text.
    #[schema(value_type = u32)]
    id: Id<'a>,
    name: &'a str,
    /// Not unique.
    symbol: &'a str,
    /// Unique; what `/chart` asks by.
    #[schema(required)]
    slug: Option<&'a str>,
    /// Rank by market cap, from 1; `null` where the circulating supply is unknown.
    #[schema(required)]
    cmc_rank: Option<u32>,
    /// Coins in circulation.
    #[schema(required)]
    circulating_supply: Option<f64>,
    /// Coins that exist.
    #[schema(required)]
    total_supply: Option<f64>,
    /// Coins that can ever exist; `null` where there is no bound or it is unknown.
    #[schema(required)]
    max_supply: Option<f64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_updated: Option<UtcTime>,
    /// Category slugs.
    #[schema(value_type = Vec<String>)]
    tags: &'a [Text],
    /// Websites and social links by kind.
    #[schema(value_type = std::collections::HashMap<String, Vec<String>>)]
    urls: Urls<'a>,
    /// Where the token lives; empty for a coin of its own chain.
    contract_address: Vec<ContractJson<'a>>,
    /// Money by currency.
    #[schema(value_type = std::collections::HashMap<String, CoinQuote>)]
    quote: ByCurrency<'a, CoinQuote>,
    /// Prices over seven days in the currency of `quote`, oldest first, evenly spaced, the last one now.
    sparkline_7d: &'a [f64],
}

/// The money of a coin.
#[derive(Serialize, ToSchema)]
struct CoinQuote {
    #[schema(required)]
    price: Option<f64>,
    #[schema(required)]
    volume_24h: Option<f64>,
    /// Percent, from the first point of a one-hour chart.
    #[schema(required)]
    percent_change_1h: Option<f64>,
    /// Percent, from the first point of the `1D` chart.
    #[schema(required)]
    percent_change_24h: Option<f64>,
    /// Percent, from the first point of the `7D` chart.
    #[schema(required)]
    percent_change_7d: Option<f64>,
    /// Price times circulating supply.
    #[schema(required)]
    market_cap: Option<f64>,
    /// Highest point of the `1D` chart.
    #[schema(required)]
    high_24h: Option<f64>,
    /// Lowest point of the `1D` chart.
    #[schema(required)]
    low_24h: Option<f64>,
    /// All-time high.
    #[schema(required)]
    ath: Option<f64>,
    /// All-time low.
    #[schema(required)]
    atl: Option<f64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_updated: Option<UtcTime>,
}

impl<'a> From<&'a Coin> for CoinJson<'a> {
    fn from(coin: &'a Coin) -> CoinJson<'a> {
        let quote = CoinQuote {
            price: coin.price,
            volume_24h: coin.volume_24h,
            percent_change_1h: coin.change_1h_pct,
            percent_change_24h: coin.change_24h_pct,
            percent_change_7d: coin.change_7d_pct,
            market_cap: coin.market_cap,
            high_24h: coin.high_24h,
            low_24h: coin.low_24h,
            ath: coin.all_time_high,
            atl: coin.all_time_low,
            last_updated: coin.updated_at,
        };
        CoinJson {
            id: Id::from(&coin.id),
            name: &coin.name,
            symbol: &coin.symbol,
            slug: coin.slug.as_deref(),
            cmc_rank: coin.rank,
            circulating_supply: coin.circulating_supply,
            total_supply: coin.total_supply,
            max_supply: coin.max_supply,
            last_updated: coin.updated_at,
            tags: &coin.tags,
            urls: Urls(&coin.links),
            contract_address: coin.contracts.iter().map(ContractJson::from).collect(),
            quote: ByCurrency(&coin.convert, quote),
            sparkline_7d: &coin.sparkline_7d,
        }
    }
}

/// The kinds of links that are always present; other kinds follow them.
const LINK_KINDS: [&str; 6] = ["website", "twitter", "chat", "explorer", "technical_doc", "source_code"];

/// Links by kind; each list may be empty.
struct Urls<'a>(&'a [Link]);

impl Serialize for Urls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut kinds = Vec::from(LINK_KINDS);
        for link in self.0 {
            if !kinds.contains(&link.kind.as_str()) {
                kinds.push(&link.kind);
            }
        }
        let of_kind = |kind| self.0.iter().filter(move |link| link.kind == kind).map(|link| link.url.as_str());
        serializer.collect_map(kinds.into_iter().map(|kind| (kind, of_kind(kind).collect::<Vec<_>>())))
    }
}

/// A contract, or the deploy inscription of a BRC-20 token.
#[derive(Serialize, ToSchema)]
#[schema(as = Contract)]
struct ContractJson<'a> {
    contract_address: &'a str,
    #[schema(required)]
    platform: Option<Platform<'a>>,
}

/// A chain.
#[derive(Serialize, ToSchema)]
struct Platform<'a> {
    name: &'a str,
}

impl<'a> From<&'a Contract> for ContractJson<'a> {
    fn from(contract: &'a Contract) -> ContractJson<'a> {
        let platform = contract.platform.as_deref().map(|name| Platform { name });
        ContractJson { contract_address: &contract.address, platform }
    }
}

/// Posts.
#[derive(Serialize, ToSchema)]
pub(in crate::service) struct Posts<'a> {
    list: Vec<PostJson<'a>>,
}

impl<'a> From<&'a Vec<Post>> for Posts<'a> {
    fn from(posts: &'a Vec<Post>) -> Posts<'a> {
        Posts { list: posts.iter().map(PostJson::from).collect() }
    }
}

/// A post.
#[derive(Serialize, ToSchema)]
#[schema(as = Post)]
struct PostJson<'a> {
    /// Identity.
    post_id: &'a str,
    owner: Owner<'a>,
    /// Where it was posted, such as `Bluesky`.
    #[schema(required)]
    network: Option<&'a str>,
    /// With its line breaks.
    text_content: &'a str,
    #[schema(required)]
    like_count: Option<u64>,
    #[schema(required)]
    comment_count: Option<u64>,
    #[schema(required)]
    repost_count: Option<u64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    post_time: Option<UtcTime>,
    /// Where it can be read.
    #[schema(required)]
    url: Option<&'a str>,
    /// The coins that it mentions.
    currencies: Vec<Mention<'a>>,
    /// Two letters of ISO 639-1.
    #[schema(required)]
    language_code: Option<&'a str>,
    /// Its author, or the network, asks to hide it until somebody wants to see it.
    #[schema(required)]
    sensitive: Option<bool>,
}

/// Who wrote a post.
#[derive(Serialize, ToSchema)]
struct Owner<'a> {
    #[schema(required)]
    nickname: Option<&'a str>,
}

/// A coin that a post mentions.
#[derive(Serialize, ToSchema)]
struct Mention<'a> {
    symbol: &'a str,
}

impl<'a> From<&'a Post> for PostJson<'a> {
    fn from(post: &'a Post) -> PostJson<'a> {
        PostJson {
            post_id: &post.id,
            owner: Owner { nickname: post.author.as_deref() },
            network: post.network.as_deref(),
            text_content: &post.text,
            like_count: post.likes,
            comment_count: post.comments,
            repost_count: post.reposts,
            post_time: post.posted_at,
            url: post.url.as_deref(),
            currencies: post.symbols.iter().map(|symbol| Mention { symbol }).collect(),
            language_code: post.language.as_deref(),
            sensitive: post.sensitive,
        }
    }
}

/// A coin with its market pairs.
#[derive(Serialize, ToSchema)]
#[schema(as = CoinPairs)]
pub(in crate::service) struct CoinPairsJson<'a> {
    /// Identity; a number or a text.
    #[schema(value_type = u32)]
    id: Id<'a>,
    name: &'a str,
    symbol: &'a str,
    #[schema(required)]
    slug: Option<&'a str>,
    num_market_pairs: usize,
    /// The largest volume first.
    market_pairs: Vec<PairJson<'a>>,
}

impl<'a> From<&'a CoinPairs> for CoinPairsJson<'a> {
    fn from(coin: &'a CoinPairs) -> CoinPairsJson<'a> {
        CoinPairsJson {
            id: Id::from(&coin.id),
            name: &coin.name,
            symbol: &coin.symbol,
            slug: coin.slug.as_deref(),
            num_market_pairs: coin.pairs.len(),
            market_pairs: coin.pairs.iter().map(PairJson::from).collect(),
        }
    }
}

/// A market pair.
#[derive(Serialize, ToSchema)]
#[schema(as = MarketPair)]
struct PairJson<'a> {
    exchange: Exchange<'a>,
    /// `BASE/QUOTE`.
    market_pair: &'a str,
    /// `spot`, `derivatives`, ….
    #[schema(required)]
    category: Option<&'a str>,
    market_pair_base: PairSide<'a>,
    market_pair_quote: PairSide<'a>,
    /// 1 where the price is an outlier.
    #[schema(required)]
    outlier_detected: Option<u8>,
    /// Share of the coin's volume, in percent.
    #[schema(required)]
    volume_percentage: Option<f64>,
    /// Money by currency.
    #[schema(value_type = std::collections::HashMap<String, PairQuote>)]
    quote: ByCurrency<'a, PairQuote>,
}

/// An exchange.
#[derive(Serialize, ToSchema)]
struct Exchange<'a> {
    #[schema(required)]
    name: Option<&'a str>,
}

/// One side of a market pair.
#[derive(Serialize, ToSchema)]
struct PairSide<'a> {
    #[schema(required)]
    currency_symbol: Option<&'a str>,
}

/// The money of a market pair in one currency.
#[derive(Serialize, ToSchema)]
struct PairQuote {
    #[schema(required)]
    price: Option<f64>,
    #[schema(required)]
    volume_24h: Option<f64>,
    /// Money that moves the price up by 2 %; `null` for derivatives.
    #[schema(required)]
    depth_positive_two: Option<f64>,
    /// Money that moves the price down by 2 %; `null` for derivatives.
    #[schema(required)]
    depth_negative_two: Option<f64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_updated: Option<UtcTime>,
}

impl<'a> From<&'a MarketPair> for PairJson<'a> {
    fn from(pair: &'a MarketPair) -> PairJson<'a> {
        let quote = PairQuote {
            price: pair.price,
            volume_24h: pair.volume_24h,
            depth_positive_two: pair.depth_plus_2pct,
            depth_negative_two: pair.depth_minus_2pct,
            last_updated: pair.updated_at,
        };
        PairJson {
            exchange: Exchange { name: pair.exchange.as_deref() },
            market_pair: &pair.pair,
            category: pair.category.as_deref(),
            market_pair_base: PairSide { currency_symbol: pair.base.as_deref() },
            market_pair_quote: PairSide { currency_symbol: pair.quote.as_deref() },
            outlier_detected: pair.outlier.map(u8::from),
            volume_percentage: pair.volume_share_pct,
            quote: ByCurrency(&pair.convert, quote),
        }
    }
}

/// A coin's chart.
#[derive(Serialize, ToSchema)]
#[schema(as = Chart)]
pub(in crate::service) struct ChartJson<'a> {
    slug: &'a str,
    /// Oldest first; the last one is now, with the list's price.
    quotes: Vec<PointJson<'a>>,
}

impl<'a> From<&'a Chart> for ChartJson<'a> {
    fn from(chart: &'a Chart) -> ChartJson<'a> {
        ChartJson { slug: &chart.slug, quotes: points(&chart.points, &chart.convert) }
    }
}

/// A coin's series.
#[derive(Serialize, ToSchema)]
#[schema(as = Series)]
pub(in crate::service) struct SeriesJson<'a> {
    /// Identity; a number or a text.
    #[schema(required, value_type = Option<u32>)]
    id: Option<Id<'a>>,
    #[schema(required)]
    name: Option<&'a str>,
    symbol: &'a str,
    #[schema(required)]
    slug: Option<&'a str>,
    /// Oldest first; the last one is now, with the list's price.
    quotes: Vec<PointJson<'a>>,
}

impl<'a> From<&'a MarketSeries> for SeriesJson<'a> {
    fn from(series: &'a MarketSeries) -> SeriesJson<'a> {
        SeriesJson {
            id: series.id.as_deref().map(Id),
            name: series.name.as_deref(),
            symbol: &series.symbol,
            slug: series.slug.as_deref(),
            quotes: points(&series.points, &series.convert),
        }
    }
}

/// One moment of a series.
#[derive(Serialize, ToSchema)]
#[schema(as = SeriesPoint)]
struct PointJson<'a> {
    #[schema(value_type = String, format = DateTime)]
    timestamp: UtcTime,
    /// Money by currency.
    #[schema(value_type = std::collections::HashMap<String, PointQuote>)]
    quote: ByCurrency<'a, PointQuote>,
}

/// The money of one moment.
#[derive(Serialize, ToSchema)]
struct PointQuote {
    #[schema(required)]
    price: Option<f64>,
    /// Traded in the 24 h before.
    #[schema(required)]
    volume_24h: Option<f64>,
    /// Price times circulating supply.
    #[schema(required)]
    market_cap: Option<f64>,
}

fn points<'a>(points: &[Point], convert: &'a Currency) -> Vec<PointJson<'a>> {
    let json = |point: &Point| PointJson {
        timestamp: point.time,
        quote: ByCurrency(
            convert,
            PointQuote { price: point.price, volume_24h: point.volume, market_cap: point.market_cap },
        ),
    };
    points.iter().map(json).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::Text;

    #[test]
    fn unknown_exchange_is_null() {
        let pair = MarketPair {
            exchange: None,
            pair: Text::from("ORDI/USDT"),
            base: None,
            quote: None,
            category: None,
            price: Some(8.41),
            volume_24h: None,
            volume_share_pct: None,
            depth_plus_2pct: None,
            depth_minus_2pct: None,
            outlier: None,
            updated_at: None,
            convert: Currency::usd(),
        };
        let pair = serde_json::to_value(PairJson::from(&pair)).unwrap();
        assert_eq!(pair["exchange"], json!({"name": null}));
    }
}
