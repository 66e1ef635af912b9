//! CoinMarketCap: the list of all coins, categories, links and contracts without a key; price history with a free key.
//!
//! Lists are requested without the key, to save its credits for price history. With a base URL set by the user, all
//! requests carry the key: keyed and keyless requests have different URLs, and there is only one.

mod credits;
mod errors;
mod lists;
mod lookup;
mod parts;
mod rows;
mod short_pages;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use serde::Deserialize;
use tokio::time::Instant;

use self::credits::{KEY_INFO, reported_usage};
use self::errors::api_error;
use self::rows::with_own_ids;
use self::short_pages::ShortPages;
use super::coin_ref::CoinRef;
use super::defaults::ProviderDefaults;
use super::expect::decode;
use super::info::{CoinIds, Probe, ProviderInfo};
use super::lenient::{self, Rows, readable_rows};
use super::source::{ChartPrices, CoinLookup, CoinSlice, FoundCoins, Keyed, MarketSource, Provider};
use super::url::segment;
use crate::client::Request;
use crate::model::{Coin, CoinName, Currency, MarketSeries, Page, Period, Point, ProviderName, Tag, Text, interval};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Coins per request for links and contracts.
const DETAILS: usize = 100;

/// Names per request, and maximum requests for the list of names.
const NAMES: usize = 5_000;
const NAME_PAGES: usize = 6;

/// Points of price history per credit.
const POINTS_PER_CREDIT: usize = 100;

/// Supported intervals of price history.
const STEPS: [&str; 15] =
    ["5m", "10m", "15m", "30m", "45m", "1h", "2h", "3h", "4h", "6h", "12h", "1d", "2d", "3d", "7d"];

/// Maximum symbols per lookup: they cost one credit per 100.
const MAX_SYMBOLS: usize = 50;

/// How often [`KEY_INFO`] is requested while price history is requested.
const KEY_INFO_INTERVAL: Duration = Duration::from_hours(1);

/// What needs a key.
const KEYED_OPERATIONS: [Operation; 2] = [Operation::Chart, Operation::Series];

struct CoinMarketCap {
    upstream: Upstream,
    /// The upstream with the API key, which may be the same.
    keyed: Option<Upstream>,
    /// Category ids of tags that the listings endpoint doesn't know.
    categories: Mutex<HashMap<Tag, String>>,
    /// The pages of lists that have fewer coins than requested.
    short_pages: ShortPages,
    /// When the used credits were last requested.
    credits_requested_at: Mutex<Option<Instant>>,
}

/// Without a key: limited by IP address; no published limit.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    coin_ids: Some(CoinIds::Numbers),
    defines_coin_ids: true,
    keyed: ProviderDefaults {
        per_minute: Some(50),
        per_month: Some(15_000),
        ..ProviderDefaults::at("https://pro-api.coinmarketcap.com", 1_500)
    },
    sends_key_only_if_needed: true,
    benefit: Some("A free key adds charts that other providers lack (set providers.coinmarketcap.api_key)"),
    probe: Some(Probe {
        fact: "listings accept tag=brc-20",
        path: "/v3/cryptocurrency/listings/latest?start=1&limit=5&convert=USD&tag=brc-20",
        holds: |response| Probe::rows(response, "/data") > 0,
    }),
    ..ProviderInfo::new(
        ProviderName::CoinMarketCap,
        provider,
        ProviderDefaults::at("https://pro-api.coinmarketcap.com/public-api", 1_500),
    )
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("X-CMC_PRO_API_KEY", key.to_owned()), budget, api_error);
    // `None` if there is no key, or if all requests carry it.
    let separate = settings.keyed.as_ref().map(|keyed| {
        let budget = upstream.budget().sibling(keyed);
        Upstream::new(ResolvedSettings::clone(keyed), |key| ("X-CMC_PRO_API_KEY", key.to_owned()), budget, api_error)
            .with_usage_reader(reported_usage)
    });
    let shared = upstream.has_key().then(|| upstream.clone().with_usage_reader(reported_usage));
    let source = Arc::new(CoinMarketCap {
        upstream: upstream.clone(),
        keyed: separate.clone().or(shared.clone()),
        categories: Mutex::default(),
        short_pages: ShortPages::default(),
        credits_requested_at: Mutex::default(),
    });
    let mut operations = vec![Operation::Coins, Operation::Tagged, Operation::Details];
    if shared.is_some() {
        operations.extend(KEYED_OPERATIONS);
    }
    let provider = Provider::new(settings, upstream)
        .tested_by(
            "/v3/cryptocurrency/listings/latest?start=1&limit=1&convert=USD&sort=market_cap&sort_dir=desc&tag=all",
        )
        .with_market(source, &operations)
        .with_coin_ids(ProviderName::CoinMarketCap);
    match separate {
        Some(upstream) => provider.with_keyed(Keyed {
            upstream,
            operations: KEYED_OPERATIONS.to_vec(),
            // Costs no credits.
            test_path: Cow::Borrowed(KEY_INFO),
        }),
        None => provider,
    }
}

#[async_trait]
impl MarketSource for CoinMarketCap {
    async fn coins(&self, tag: Tag, offset: usize, limit: usize) -> SourceResult<CoinSlice> {
        self.list(tag, offset, limit).await
    }

    async fn find(&self, lookup: &CoinLookup) -> SourceResult<FoundCoins> {
        match lookup {
            CoinLookup::Slug(slug) => {
                Ok(self.quotes(&format!("slug={}", segment(slug))).await?.unwrap_or_default().into())
            }
            CoinLookup::Symbols(symbols) => self.coins_of_symbols(symbols).await,
        }
    }

    fn max_symbols(&self) -> usize {
        MAX_SYMBOLS
    }

    async fn coins_by_id(&self, ids: &[Text]) -> SourceResult<Vec<Coin>> {
        let ids = valid_ids(ids.iter().map(Text::as_str));
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        match self.latest_quotes(&format!("id={}", ids.join(","))).await? {
            Some(response) => Ok(self.coins_in(&with_own_ids(response, self.upstream.warnings()), Tag::All)?.0),
            // All ids are unknown.
            None => Ok(Vec::new()),
        }
    }

    async fn names(&self) -> SourceResult<Vec<CoinName>> {
        #[derive(Deserialize)]
        struct Map {
            data: Rows,
        }
        #[derive(Deserialize)]
        struct Named {
            #[serde(deserialize_with = "lenient::count")]
            id: u64,
            name: Text,
            symbol: Text,
            slug: Text,
            #[serde(default, deserialize_with = "lenient::optional_count")]
            rank: Option<u32>,
        }
        let mut names: Vec<CoinName> = Vec::new();
        for page in 0..NAME_PAGES {
            let start = page * NAMES + 1;
            let path =
                format!("/v1/cryptocurrency/map?listing_status=active&start={start}&limit={NAMES}&sort=cmc_rank");
            let Map { data } = self.upstream.get(&path).await?.json()?;
            let is_last = data.len() < NAMES;
            let named: Vec<Named> = readable_rows(&data, "name", self.upstream.warnings())?;
            if named.first().zip(names.first()).is_some_and(|(new, first)| first.id == *new.id.to_string()) {
                break; // a repeated page
            }
            names.extend(named.into_iter().map(|Named { id, name, symbol, slug, rank }| CoinName {
                id: Text::from(id.to_string()),
                name,
                symbol,
                slug,
                rank,
            }));
            if is_last {
                break;
            }
        }
        Ok(names)
    }

    async fn details(&self, coins: &[CoinRef]) -> SourceResult<Vec<Coin>> {
        let ids = valid_ids(coins.iter().filter_map(id));
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let path = format!("/v2/cryptocurrency/info?id={}&skip_invalid=true", ids.join(","));
        let response = with_own_ids(self.upstream.get(&path).await?, self.upstream.warnings());
        self.coins_in(&response, Tag::All).map(|(coins, _)| coins)
    }

    fn max_details(&self) -> usize {
        DETAILS
    }

    async fn chart(&self, coin: &CoinRef, period: Period) -> SourceResult<ChartPrices> {
        let (step, count) = match period {
            Period::Day => ("5m", 288),
            Period::Week => ("1h", 168),
            Period::Month => ("6h", 120),
            // Beyond a month, only daily prices are available.
            Period::Quarter => ("1d", 90),
            Period::Year | Period::AllTime => ("1d", 365),
        };
        let points = self.history(std::slice::from_ref(coin), count, step).await?.pop().unwrap_or_default();
        if points.is_empty() {
            Err(SourceError::not_found(format!("CoinMarketCap has no price history of {}", coin.name)))
        } else {
            Ok(points.into())
        }
    }

    async fn series(&self, coins: &[CoinRef], count: usize, step: Duration) -> SourceResult<Vec<ChartPrices>> {
        let is_step = |name: &&&str| interval::length(name) == Some(step);
        let step = STEPS
            .iter()
            .find(is_step)
            .ok_or_else(|| SourceError::not_found("CoinMarketCap doesn't support this interval"))?;
        Ok(self.history(coins, count, step).await?.into_iter().map(ChartPrices::from).collect())
    }
}

impl CoinMarketCap {
    /// Corrects the count of used credits now and then: other programs may use the key, too. Nothing waits for it.
    fn refresh_used_credits(&self, keyed: &Upstream) {
        let mut requested_at = self.credits_requested_at.lock();
        if requested_at.is_none_or(|requested_at| requested_at.elapsed() >= KEY_INFO_INTERVAL) {
            *requested_at = Some(Instant::now());
            let keyed = keyed.clone();
            tokio::spawn(async move {
                if let Err(error) = keyed.get_with_cost(KEY_INFO, 0).await {
                    tracing::info!(%error, "used credits not known");
                }
            });
        }
    }

    /// Fetches the last `count` prices of each coin.
    async fn history(&self, coins: &[CoinRef], count: usize, step: &str) -> SourceResult<Vec<Vec<Point>>> {
        let keyed = self.keyed.as_ref().ok_or_else(SourceError::unsupported)?;
        let ids = valid_ids(coins.iter().filter_map(id));
        if ids.is_empty() {
            return Err(SourceError::not_found("CoinMarketCap lists none of these coins"));
        }
        let path = format!(
            "/v3/cryptocurrency/quotes/historical?id={}&convert=USD&count={count}&interval={step}&skip_invalid=true",
            ids.join(",")
        );
        let cost = (ids.len() * count).div_ceil(POINTS_PER_CREDIT) as u64;
        let response = with_own_ids(keyed.get_with_cost(&path, cost).await?, keyed.warnings());
        self.refresh_used_credits(keyed);
        let symbols = coins.iter().map(|coin| coin.symbol.clone()).collect();
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let request = Request::MarketData { symbols, convert: Currency::usd(), count, interval: Text::from(step) };
        let series = decode!(response, request, Market)?;
        let of = |coin: &CoinRef| {
            let is_it = |series: &&MarketSeries| series.id.is_some() && series.id.as_deref() == id(coin);
            // A single series may lack its id.
            let only = || series.first().filter(|only| coins.len() == 1 && only.id.is_none());
            series.iter().find(is_it).or_else(only).map(|series| series.points.clone()).unwrap_or_default()
        };
        Ok(coins.iter().map(of).collect())
    }

    /// The coins of a response. One without an id can't be distinguished from others with its name.
    fn coins_in(&self, response: &Response, tag: Tag) -> SourceResult<(Vec<Coin>, Option<u64>)> {
        let request = Request::Coins { tag, start: 1, limit: u32::MAX, convert: Currency::usd() };
        let Page { mut items, total } = decode!(response, request, Coins)?;
        let before = items.len();
        items.retain(|coin| is_number(&coin.id.0));
        self.upstream.warnings().record(before - items.len(), "coin", None);
        Ok((items, total))
    }
}

fn id(coin: &CoinRef) -> Option<&str> {
    coin.native_id(ProviderName::CoinMarketCap).map(Text::as_str)
}

/// Drops invalid ids, since one of them fails the whole request.
fn valid_ids<'a>(ids: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    ids.filter(|id| is_number(id)).collect()
}

fn is_number(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit())
}
