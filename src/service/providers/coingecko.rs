//! CoinGecko: lists with 7-day sparklines, charts, market pairs. Works without a key or with a free Demo key.
//!
//! Its terms require a visible "Powered by CoinGecko" and forbid redistributing the data.

mod lists;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use super::coin_ref::CoinRef;
use super::defaults::ProviderDefaults;
use super::expect::decode;
use super::info::{CoinIds, Probe, ProviderInfo};
use super::lenient::{self, Bounded, Rows, readable_rows};
use super::own_pairs::own_pairs;
use super::source::{ChartPrices, CoinLookup, CoinSlice, FoundCoins, MarketSource, Provider};
use super::url::segment;
use super::with_ids::{coins_with_ids, list_of};
use crate::client::Request;
use crate::model::{Coin, CoinName, Currency, MarketPair, Page, Period, ProviderName, Tag, Text, UtcTime};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::reported_usage::ReportedUsage;
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Lists and coins by id. Without the second parameter, wrapped and staked tokens are left out everywhere. They have no
/// rank.
const MARKETS: &str = "/coins/markets?vs_currency=usd&include_rehypothecated=true";

/// Maximum coins per page.
const PAGE: usize = 250;

/// Maximum symbols per request with `include_tokens=all`.
const MAX_SYMBOLS: usize = 50;

/// Market pairs per page.
const TICKERS: usize = 100;

struct CoinGecko {
    upstream: Upstream,
    /// How many coins per page of each list the server sends at most, in the order of [`Tag::ALL`].
    page_sizes: [AtomicUsize; Tag::ALL.len()],
}

/// Without a key: "about 10 to 30 a minute", and no scheduled polling.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    coin_ids: Some(CoinIds::Words),
    keyed: ProviderDefaults {
        per_minute: Some(100),
        per_month: Some(10_000),
        ..ProviderDefaults::at("https://api.coingecko.com/api/v3", 1_000)
    },
    redistribution: Some("no redistribution; show \"Powered by CoinGecko\" wherever its data is shown"),
    benefit: Some("A free Demo key raises the request limit (set providers.coingecko.api_key)"),
    probe: Some(Probe {
        fact: "market lists have a total header",
        path: "/coins/markets?vs_currency=usd&category=brc-20&per_page=5&page=1",
        holds: |response| response.header("total").is_some(),
    }),
    ..ProviderInfo::new(
        ProviderName::CoinGecko,
        provider,
        ProviderDefaults {
            per_minute: Some(10),
            fresh_at_least: Duration::from_mins(10),
            ..ProviderDefaults::at("https://api.coingecko.com/api/v3", 6_000)
        },
    )
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let header = key_header(settings.base_url.as_deref().unwrap_or_default());
    let upstream = Upstream::new(settings.clone(), |key| (header, key.to_owned()), budget, api_error)
        .with_usage_reader(reported_usage);
    let source =
        Arc::new(CoinGecko { upstream: upstream.clone(), page_sizes: Tag::ALL.map(|_| AtomicUsize::new(PAGE)) });
    Provider::new(settings, upstream)
        .tested_by("/coins/markets?vs_currency=usd&ids=bitcoin&order=market_cap_desc&per_page=1&page=1")
        .with_market(source, &[Operation::Coins, Operation::Tagged, Operation::Pairs, Operation::Chart])
        .with_coin_ids(ProviderName::CoinGecko)
}

/// Only responses with status 200 count against the month.
fn reported_usage(response: &Response, _now: UtcTime) -> ReportedUsage {
    ReportedUsage { cost: (response.status() != 200).then_some(0), ..ReportedUsage::default() }
}

/// The header of the API key: paid plans have their own host and header.
fn key_header(base_url: &str) -> &'static str {
    if base_url.contains("://pro-api.") { "x-cg-pro-api-key" } else { "x-cg-demo-api-key" }
}

#[async_trait]
impl MarketSource for CoinGecko {
    async fn coins(&self, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        self.list(tag, offset, limit).await
    }

    async fn find(&self, lookup: &CoinLookup) -> SourceResult<FoundCoins> {
        match lookup {
            CoinLookup::Slug(id) => Ok(self.lookup(&format!("ids={}", segment(id))).await?.coins.into()),
            CoinLookup::Symbols(symbols) => self.coins_of_symbols(symbols).await,
        }
    }

    fn max_symbols(&self) -> usize {
        MAX_SYMBOLS
    }

    async fn coins_by_id(&self, ids: &[Text]) -> SourceResult<Vec<Coin>> {
        let ids: Vec<String> = ids.iter().map(|id| segment(id).to_string()).collect();
        let path = format!(
            "{MARKETS}&ids={}&order=market_cap_desc&per_page={PAGE}&page=1\
             &sparkline=true&price_change_percentage=1h,24h,7d&precision=full",
            ids.join(",")
        );
        Ok(self.markets(&path, Tag::All).await?.coins)
    }

    async fn names(&self) -> SourceResult<Vec<CoinName>> {
        #[derive(Deserialize)]
        struct Named {
            id: Text,
            symbol: Text,
            name: Text,
        }
        let rows: Rows = self.upstream.get("/coins/list").await?.json()?;
        let named: Vec<Named> = readable_rows(&rows, "name", self.upstream.warnings())?;
        let name = |Named { id, symbol, name }: Named| {
            let symbol = Text::from(symbol.to_uppercase());
            CoinName { slug: id.clone(), id, name, symbol, rank: None }
        };
        Ok(named.into_iter().map(name).collect())
    }

    async fn market_pairs(&self, coin: &CoinRef) -> SourceResult<Page<MarketPair>> {
        let id = id(coin)?;
        let path = format!("/coins/{}/tickers?page=1&order=volume_desc&depth=true&dex_pair_format=symbol", segment(id));
        let response = self.upstream.get(&path).await?;
        // An empty list would mean that the coin has no market pairs.
        if response.first_byte() != Some(b'{') {
            return Err(SourceError::unexpected_format("expected an object with market pairs"));
        }
        let Tickers { tickers: Bounded(rows) } = response.json().unwrap_or_default();
        let count = rows.len();
        let own = own_pairs(&rows, id, &coin.symbol, self.upstream.warnings())?;
        let response = if own.len() == count {
            response
        } else {
            response.with_body(format!(r#"{{"tickers":{}}}"#, list_of(&own)))
        };
        let request = Request::MarketPairs { symbol: coin.symbol.clone(), slug: None, convert: Currency::usd() };
        let mut page = decode!(response, request, MarketPairs)?;
        if !page.items.is_empty() && page.items.iter().all(|pair| pair.price.is_none()) {
            return Err(SourceError::empty("list of prices"));
        }
        let is_whole = count.max(page.items.len()) < TICKERS;
        page.total = is_whole.then_some(page.items.len() as u64);
        if let Some(load) = Load::current().filter(|_| !is_whole) {
            load.warn(&format!("Only the {TICKERS} largest market pairs"));
        }
        Ok(page)
    }

    async fn chart(&self, coin: &CoinRef, period: Period) -> SourceResult<ChartPrices> {
        let path =
            format!("/coins/{}/market_chart?vs_currency=usd&days={}&precision=full", segment(id(coin)?), period.days());
        let response = self.upstream.get(&path).await?;
        let request = Request::Chart { slug: coin.slug.clone(), period, convert: Currency::usd() };
        let mut chart = decode!(response, request, Chart)?;
        for point in &mut chart.points {
            remove_zero(&mut point.market_cap);
        }
        Ok(chart.points.into())
    }
}

impl CoinGecko {
    /// The coins of these symbols, at most a page of them: coins of rarer symbols may be missing.
    async fn coins_of_symbols(&self, symbols: &[Text]) -> SourceResult<FoundCoins> {
        let names: Vec<String> = symbols.iter().map(|symbol| segment(&symbol.to_lowercase()).to_string()).collect();
        let Markets { coins, rows } = self.lookup(&format!("symbols={}&include_tokens=all", names.join(","))).await?;
        Ok(FoundCoins { coins, is_partial: rows >= PAGE && symbols.len() > 1 })
    }

    /// The coins of a filter, largest first.
    async fn lookup(&self, filter: &str) -> SourceResult<Markets> {
        let path = format!("{MARKETS}&{filter}&order=market_cap_desc&per_page={PAGE}&page=1");
        self.markets(&path, Tag::All).await
    }

    async fn markets(&self, path: &str, tag: Tag) -> SourceResult<Markets> {
        let response = self.upstream.get(path).await?;
        self.markets_in(response, tag)
    }

    fn markets_in(&self, response: Response, tag: Tag) -> SourceResult<Markets> {
        // Errors are objects, even with status 200.
        if response.first_byte() != Some(b'[') {
            return Err(SourceError::unexpected_format("expected a list of coins"));
        }
        let (response, count) = coins_with_ids(response, self.upstream.warnings());
        let request = Request::Coins { tag, start: 1, limit: u32::MAX, convert: Currency::usd() };
        let mut coins = decode!(response, request, Coins)?.items;
        for coin in &mut coins {
            complete(coin, tag);
        }
        Ok(Markets { rows: count.max(coins.len()), coins })
    }
}

#[derive(Default, Deserialize)]
struct Tickers {
    #[serde(default, deserialize_with = "lenient::or_default")]
    tickers: Rows,
}

/// The readable coins of a page, and the number of its rows.
struct Markets {
    coins: Vec<Coin>,
    rows: usize,
}

fn id(coin: &CoinRef) -> SourceResult<&Text> {
    let id = coin.native_id(ProviderName::CoinGecko);
    id.ok_or_else(|| SourceError::not_found(format!("CoinGecko doesn't list {}", coin.name)))
}

/// Adds the tag of the list, and removes zeros that mean "unknown".
fn complete(coin: &mut Coin, tag: Tag) {
    for value in [&mut coin.market_cap, &mut coin.circulating_supply, &mut coin.total_supply] {
        remove_zero(value);
    }
    if tag != Tag::All && coin.tags.is_empty() {
        coin.tags = Arc::new([Text::from(tag.as_str())]);
    }
}

/// Removes a 0, which means "unknown".
fn remove_zero(value: &mut Option<f64>) {
    *value = value.filter(|value| *value != 0.0);
}

/// Errors have four shapes, some with status 200.
#[derive(Deserialize)]
struct ErrorBody {
    status: Option<Status>,
    error: Option<Nested>,
}

#[derive(Deserialize)]
struct Status {
    #[serde(default, deserialize_with = "lenient::code")]
    error_code: Option<i64>,
    #[serde(default, deserialize_with = "lenient::message")]
    error_message: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Nested {
    Text(String),
    Object { status: Option<Status> },
}

fn api_error(response: &Response) -> Option<SourceError> {
    if response.first_byte() != Some(b'{') {
        return None;
    }
    let ErrorBody { status, error } = serde_json::from_slice(response.body()).ok()?;
    let (status, text) = match error {
        Some(Nested::Object { status: inner }) => (inner.or(status), None),
        Some(Nested::Text(text)) => (status, Some(text)),
        None => (status, None),
    };
    // 0 means success.
    let code = status.as_ref().and_then(|status| status.error_code).filter(|code| *code != 0);
    let message = status.and_then(|status| status.error_message).or(text);
    let reason = || message.clone().unwrap_or_else(|| format!("error {}", code.unwrap_or_default()));
    let class = match code {
        Some(429) => ErrorClass::RateLimited(response.retry_after()),
        // The requested history is longer than the plan allows.
        Some(10012) => ErrorClass::Rejected,
        Some(10002 | 10005) => ErrorClass::Forbidden,
        // The monthly quota of a key is used up. The month may end on any day, and an upgrade raises the limit, so the
        // key is tried again each day.
        Some(10006) => ErrorClass::DailyQuota,
        Some(10010 | 10011) => ErrorClass::InvalidKey,
        Some(1020) => ErrorClass::Blocked,
        Some(code) if (400..600).contains(&code) => {
            let status = u16::try_from(code).unwrap_or(500);
            return Some(SourceError::by_status(status, message, response.retry_after(), false));
        }
        Some(_) => ErrorClass::UnexpectedFormat,
        // Text without a code: the HTTP status decides, except for status 200, which is an error, too.
        None if message.is_some() && (200..300).contains(&response.status()) => ErrorClass::UnexpectedFormat,
        None => return None,
    };
    Some(SourceError::new(class, reason()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_of_a_paid_plan_has_its_own_header() {
        assert_eq!(key_header("https://api.coingecko.com/api/v3"), "x-cg-demo-api-key");
        assert_eq!(key_header("https://pro-api.coingecko.com/api/v3"), "x-cg-pro-api-key");
    }
}
