//! CoinGecko: lists with the prices of seven days, charts, market pairs. Without a key, or with a free Demo key.
//!
//! Its terms ask for a visible "Powered by CoinGecko" and forbid to redistribute its data.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::source::{CoinLookup, CoinSlice, MarketSource, Provider};
use super::upstream::{Response, Upstream};
use super::url::segment;
use super::{CoinRef, ProviderName, Resolved, SourceError, SourceResult};
use crate::client::{Answer, Request};
use crate::model::{Coin, Currency, MarketPair, Page, Period, Point, Tag, Text};
use crate::service::gateway::{ErrorClass, Gate, Operation};

/// The most coins of one page.
const PAGE: usize = 250;

/// Market pairs of one page.
const TICKERS: usize = 100;

/// The category of each list. Those of the website's addresses; its own list of categories has them, too.
fn category(tag: Tag) -> Option<&'static str> {
    match tag {
        Tag::All => None,
        Tag::Brc20 => Some("brc-20"),
        Tag::BitcoinEcosystem => Some("bitcoin-ecosystem"),
    }
}

struct CoinGecko {
    upstream: Upstream,
}

/// The provider.
pub(super) fn provider(settings: &Resolved, gate: Gate) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("x-cg-demo-api-key", key.to_owned()), gate, fault);
    let source = Arc::new(CoinGecko { upstream: upstream.clone() });
    Provider::new(settings, upstream)
        .with_market(source, &[Operation::Coins, Operation::Tagged, Operation::Pairs, Operation::Chart])
        .with_ids_of(ProviderName::CoinGecko)
}

#[async_trait]
impl MarketSource for CoinGecko {
    async fn coins(&self, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        let per_page = limit.clamp(1, PAGE);
        let page = offset / per_page + 1;
        let category = category(tag).map(|id| format!("&category={id}")).unwrap_or_default();
        let path = format!(
            "/coins/markets?vs_currency=usd{category}&order=market_cap_desc&per_page={per_page}&page={page}\
             &sparkline=true&price_change_percentage=1h,24h,7d&precision=full"
        );
        let coins = self.markets(&path, tag).await?;
        Ok(CoinSlice { offset: (page - 1) * per_page, is_end: coins.len() < per_page, coins, total: None })
    }

    async fn find(&self, lookup: &CoinLookup) -> SourceResult<Vec<Coin>> {
        let filter = match lookup {
            CoinLookup::Slug(id) => format!("ids={}", segment(id)),
            CoinLookup::Symbol(symbol) => format!("symbols={}&include_tokens=all", segment(&symbol.to_lowercase())),
        };
        let path = format!("/coins/markets?vs_currency=usd&{filter}&order=market_cap_desc&per_page={PAGE}&page=1");
        self.markets(&path, Tag::All).await
    }

    async fn market_pairs(&self, coin: &CoinRef) -> SourceResult<Page<MarketPair>> {
        let id = id(coin)?;
        let path = format!("/coins/{}/tickers?page=1&order=volume_desc&depth=true&dex_pair_format=symbol", segment(id));
        let response = self.upstream.get(&path).await?;
        let request = Request::MarketPairs { symbol: coin.symbol.clone(), slug: None, convert: Currency::usd() };
        let Answer::MarketPairs(mut page) = response.answer(&request)? else { return Ok(Page::default()) };
        if page.items.len() < TICKERS {
            page.total = Some(page.items.len() as u64);
        }
        Ok(page)
    }

    async fn chart(&self, coin: &CoinRef, period: Period) -> SourceResult<Vec<Point>> {
        let path =
            format!("/coins/{}/market_chart?vs_currency=usd&days={}&precision=full", segment(id(coin)?), period.days());
        let response = self.upstream.get(&path).await?;
        let request = Request::Chart { slug: coin.slug.clone(), period, convert: Currency::usd() };
        let Answer::Chart(mut chart) = response.answer(&request)? else { return Ok(Vec::new()) };
        for point in &mut chart.points {
            remove_zero(&mut point.market_cap);
        }
        Ok(chart.points)
    }
}

impl CoinGecko {
    async fn markets(&self, path: &str, tag: Tag) -> SourceResult<Vec<Coin>> {
        let response = self.upstream.get(path).await?;
        // An error is an object, whatever its status says.
        if response.first_byte() != Some(b'[') {
            return Err(SourceError::changed("no list of coins"));
        }
        let request = Request::Coins { tag, start: 1, limit: u32::MAX, convert: Currency::usd() };
        let mut coins = match response.answer(&request)? {
            Answer::Coins(page) => page.items,
            _ => Vec::new(),
        };
        for coin in &mut coins {
            complete(coin, tag);
        }
        Ok(coins)
    }
}

fn id(coin: &CoinRef) -> SourceResult<&Text> {
    coin.coingecko.as_ref().ok_or_else(|| SourceError::not_found(format!("CoinGecko doesn't list {}", coin.name)))
}

/// Fills in what its rows leave out, and takes out what they say without meaning it.
fn complete(coin: &mut Coin, tag: Tag) {
    for figure in [&mut coin.market_cap, &mut coin.circulating_supply, &mut coin.total_supply] {
        remove_zero(figure);
    }
    if tag != Tag::All && coin.tags.is_empty() {
        coin.tags = vec![Text::from(tag.as_str())];
    }
}

/// Removes a 0, which means that the supply is unknown.
fn remove_zero(figure: &mut Option<f64>) {
    *figure = figure.filter(|figure| *figure != 0.0);
}

/// Its errors have four shapes, and some come with status 200.
#[derive(Deserialize)]
struct Fault {
    status: Option<Status>,
    error: Option<Nested>,
}

#[derive(Deserialize)]
struct Status {
    error_code: Option<i64>,
    error_message: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Nested {
    Text(String),
    Object { status: Option<Status> },
}

fn fault(response: &Response) -> Option<SourceError> {
    if response.first_byte() != Some(b'{') {
        return None;
    }
    let Fault { status, error } = serde_json::from_slice(response.body()).ok()?;
    let (status, text) = match error {
        Some(Nested::Object { status: inner }) => (inner.or(status), None),
        Some(Nested::Text(text)) => (status, Some(text)),
        None => (status, None),
    };
    let code = status.as_ref().and_then(|status| status.error_code);
    let message = status.and_then(|status| status.error_message).or(text);
    let said = || message.clone().unwrap_or_else(|| format!("error {}", code.unwrap_or_default()));
    let class = match code {
        Some(429) => ErrorClass::Wait(response.retry_after()),
        // A longer history than the plan has.
        Some(10012) => ErrorClass::Rejected,
        Some(10005 | 10006) => ErrorClass::OperationOff,
        Some(10002) => ErrorClass::OperationOff,
        Some(10010 | 10011) => ErrorClass::KeyOff,
        Some(1020) => ErrorClass::OffForTheDay,
        Some(code) if (400..600).contains(&code) => {
            let status = u16::try_from(code).unwrap_or(500);
            return Some(SourceError::by_status(status, message, response.retry_after(), false));
        }
        Some(_) => ErrorClass::Changed,
        // A text alone is what its status means; with status 200 it is an error all the same.
        None if message.is_some() && (200..300).contains(&response.status()) => ErrorClass::Changed,
        None => return None,
    };
    Some(SourceError::new(class, said()))
}
