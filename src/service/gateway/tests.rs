//! The gateway with scripted providers and tokio's clock paused.

mod activity;
mod block_stream;
mod blocks;
mod budgets;
mod caching;
mod chart_prices;
mod classes;
mod coins_without_price;
mod hours;
mod isolated_failures;
mod jumped_prices;
mod kept_lists;
mod later_pages;
mod list_pages;
mod list_providers;
mod lists;
mod manual_refresh;
mod monthly_limits;
mod names;
mod other_service;
mod partial_lists;
mod pauses;
mod posts;
mod queue;
mod sat_pages;
mod saved_prices;
mod short_pages;
mod sources;
mod stale_prices;
mod streams;
mod suspension;
mod symbol_lookups;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::*;
use crate::client::ErrorKind;
use crate::client::config::Secret;
use crate::model::{Chart, Coin, CoinId, Currency, Page, Period, Point, Tag, Text, UtcTime};
use crate::service::backend::market::{CoinsQuery, MarketProvider as _};
use crate::service::call::manually;
use crate::service::operation::Operation;
use crate::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::{ChartPrices, CoinSlice, MarketSource};
use crate::service::upstream::error::SourceResult;
use crate::service::upstream::{Response, Server, Upstream};

/// 2026-11-01T00:00:00Z, the start of a month.
const START: UtcTime = UtcTime::from_secs(1_793_491_200);

/// Requests that the servers received: provider, path, time.
type Log = Arc<Mutex<Vec<(ProviderName, String, Duration)>>>;

type Respond = dyn Fn(&str) -> Result<Response, ErrorKind> + Send + Sync;

/// The server of one provider.
struct Scripted {
    name: ProviderName,
    response: Arc<Respond>,
    latency: Arc<Mutex<Duration>>,
    in_flight: AtomicUsize,
    log: Log,
    began: Instant,
}

#[async_trait]
impl Server for Scripted {
    async fn get(&self, path: &str) -> Result<Response, ErrorKind> {
        assert_eq!(self.in_flight.fetch_add(1, SeqCst), 0, "one request at a time");
        let _in_flight = InFlight(&self.in_flight);
        self.log.lock().push((self.name, path.to_owned(), self.began.elapsed()));
        let latency = *self.latency.lock();
        tokio::time::sleep(latency).await;
        (self.response)(path)
    }
}

/// A request that was sent. It also ends if nobody waits for it.
struct InFlight<'a>(&'a AtomicUsize);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

/// A source that sends requests and ignores the responses.
struct Plain(Upstream);

#[async_trait]
impl MarketSource for Plain {
    async fn coins(&self, tag: Tag, offset: usize, _: usize) -> SourceResult<CoinSlice> {
        self.0.get(tag.as_str()).await?;
        let coin = Coin::new(CoinId("coin".into()), "Coin".into(), "COIN".into());
        Ok(CoinSlice { offset, coins: vec![coin], is_end: true, total: None })
    }

    async fn chart(&self, coin: &CoinRef, _: Period) -> SourceResult<ChartPrices> {
        self.0.get(&coin.slug).await?;
        Ok(vec![Point { time: self.0.now(), price: Some(1.0), volume: None, market_cap: None }].into())
    }
}

/// The clocks of a machine that can be suspended.
#[derive(Clone)]
struct Machine {
    began: Instant,
    /// In milliseconds.
    suspended: Arc<AtomicU64>,
}

impl Machine {
    fn new() -> Machine {
        Machine { began: Instant::now(), suspended: Arc::default() }
    }

    /// The wall clock, which also advances while the machine is suspended.
    fn time(&self) -> TimeSource {
        let Machine { began, suspended } = self.clone();
        TimeSource::from_fn(move || START.plus(began.elapsed() + Duration::from_millis(suspended.load(SeqCst))))
    }

    /// Suspends and resumes the machine.
    fn suspend(&self, time: Duration) {
        self.suspended.fetch_add(u64::try_from(time.as_millis()).unwrap(), SeqCst);
    }
}

/// A gateway over scripted servers.
struct World {
    gateway: Gateway,
    machine: Machine,
    log: Log,
    began: Instant,
    overrides: HashMap<ProviderName, Arc<Mutex<Option<Arc<Respond>>>>>,
    latencies: HashMap<ProviderName, Arc<Mutex<Duration>>>,
}

impl World {
    fn new() -> World {
        World::with(LiveSettings::default())
    }

    fn with(settings: LiveSettings) -> World {
        World::build(settings, false)
    }

    fn build(settings: LiveSettings, with_details: bool) -> World {
        let machine = Machine::new();
        let (began, time) = (machine.began, machine.time());
        let shared = Shared::new(UsageTracker::new(settings.store.clone()), time.clone(), settings.start_gap);
        let mut settings = settings;
        if settings.limits.total == LiveSettings::default().limits.total {
            // Tests wait as long as the rate limits require.
            settings.limits.total = Duration::from_hours(1);
        }
        // They have no scripted responses, unless a test enables them.
        for name in [ProviderName::Binance, ProviderName::Okx, ProviderName::DefiLlama, ProviderName::CoinPaprika] {
            settings.providers.entry(name).or_default().enabled.get_or_insert(false);
        }
        // No socket without a fake one.
        let mempool = settings.providers.entry(ProviderName::Mempool).or_default();
        mempool.base_url = Some(String::from("http://mempool.test/api"));
        settings.order.entry(Operation::Details).and_modify(|order| order.retain(|_| with_details));
        let mut providers = providers::all(|name| settings.provider(name), &shared);
        let log = Log::default();
        let (mut overrides, mut latencies) = (HashMap::new(), HashMap::new());
        for provider in &providers {
            let instead = Arc::new(Mutex::new(None::<Arc<Respond>>));
            overrides.insert(provider.name, Arc::clone(&instead));
            let name = provider.name;
            let response = Arc::new(move |path: &str| {
                let instead = instead.lock().clone();
                instead.map_or_else(|| Ok(default_response(name, path)), |respond| respond(path))
            });
            let latency = Arc::new(Mutex::new(Duration::from_millis(200)));
            latencies.insert(name, Arc::clone(&latency));
            for upstream in provider.upstreams() {
                let server = Scripted {
                    name,
                    response: Arc::clone(&response) as Arc<Respond>,
                    latency: Arc::clone(&latency),
                    in_flight: AtomicUsize::new(0),
                    log: Arc::clone(&log),
                    began,
                };
                let _ = upstream.clone().with_server(Arc::new(server));
            }
        }
        let decodes = settings.limits.depth > 0;
        for provider in providers.iter_mut().filter(|_| !decodes) {
            provider.market = Arc::new(Plain(provider.upstream.clone().unwrap()));
        }
        let gateway = Gateway::with_providers(providers, settings, time);
        let names = (0..30).map(|n| format!("coin-{n}"));
        for name in names.chain(["first", "second", "third", "other", "nothing"].map(String::from)) {
            let text = Text::from(name.as_str());
            let mut coin = CoinRef::new(CoinId(text.clone()), text.clone(), text.clone(), text.clone());
            coin.ids.set(ProviderName::CoinGecko, Some(text));
            gateway.identity().insert(coin);
        }
        World { gateway, machine, log, began, overrides, latencies }
    }

    /// With a CoinGecko key and sources that decode nothing, so that a simulated month takes seconds.
    fn without_decoding() -> World {
        let mut settings = LiveSettings::default();
        settings.limits.depth = 0;
        let key = Some(Secret(String::from("CG-0123456789")));
        settings.providers.entry(ProviderName::CoinGecko).or_default().api_key = key;
        World::with(settings)
    }

    /// Sets the response to every request to a provider; `None` restores the default.
    fn respond_with(&self, name: ProviderName, response: impl Into<Option<Response>>) {
        let response = response.into();
        let respond = response.map(|response| Arc::new(move |_: &str| Ok(response.clone())) as Arc<Respond>);
        *self.overrides[&name].lock() = respond;
    }

    /// Sets the responses of a provider by path and query.
    fn respond(
        &self,
        name: ProviderName,
        respond: impl Fn(&str) -> Result<Response, ErrorKind> + Send + Sync + 'static,
    ) {
        *self.overrides[&name].lock() = Some(Arc::new(respond));
    }

    /// Sets how long a provider takes for a response.
    fn set_latency(&self, name: ProviderName, latency: Duration) {
        *self.latencies[&name].lock() = latency;
    }

    /// Paths of the requests to a provider.
    fn paths(&self, name: ProviderName) -> Vec<String> {
        let log = self.log.lock();
        log.iter().filter(|(of, ..)| *of == name).map(|(_, path, _)| path.clone()).collect()
    }

    /// Times of the requests to a provider.
    fn request_times(&self, name: ProviderName) -> Vec<Duration> {
        let log = self.log.lock();
        log.iter().filter(|(of, ..)| *of == name).map(|(.., time)| *time).collect()
    }

    fn request_count(&self, name: ProviderName) -> usize {
        self.request_times(name).len()
    }

    async fn coins(&self, tag: Tag) -> ProviderResult<Page<Coin>> {
        self.gateway.coins(CoinsQuery { tag, offset: 0, limit: 200, convert: Currency::usd() }).await
    }

    async fn chart(&self, slug: &str) -> ProviderResult<Chart> {
        self.gateway.chart(slug, Period::Week, &Currency::usd()).await
    }

    /// Advances the clock.
    async fn advance(&self, time: Duration) {
        tokio::time::sleep(time).await;
        self.settle().await;
    }

    /// Runs all tasks that don't wait for the clock.
    async fn settle(&self) {
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
}

/// A response with this JSON text.
fn json(body: impl Into<String>) -> Response {
    Response::of(200, &[("content-type", "application/json")], body.into())
}

/// The number after `name=` in a path.
fn number(path: &str, name: &str) -> usize {
    let value = path.split(&format!("{name}=")).nth(1).and_then(|rest| rest.split('&').next());
    value.unwrap_or_default().parse().unwrap()
}

/// CoinGecko's tickers with these prices in US dollars, each on another exchange.
fn tickers(prices: &[f64]) -> Response {
    let ticker = |price: &f64| {
        format!(
            r#"{{"base":"ORDI","target":"USDT","market":{{"name":"Exchange {price}"}},"last":{price},"coin_id":"ordinals",
            "converted_last":{{"usd":{price}}},"converted_volume":{{"usd":1000}}}}"#
        )
    };
    let tickers: Vec<String> = prices.iter().map(ticker).collect();
    json(format!(r#"{{"name":"ORDI","tickers":[{}]}}"#, tickers.join(",")))
}

/// The normal response of a provider.
fn default_response(name: ProviderName, path: &str) -> Response {
    match name {
        ProviderName::CoinGecko if path.contains("market_chart") => {
            json(r#"{"prices":[[1793487600000,8.41],[1793491200000,8.42]],"market_caps":[],"total_volumes":[]}"#)
        }
        ProviderName::CoinGecko => json(
            r#"[{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":8.41,"market_cap":176610000,
            "market_cap_rank":301,"sparkline_in_7d":{"price":[7.6,8.41]}}]"#,
        ),
        ProviderName::CoinMarketCap if path.contains("tag=brc-20") => json(
            r#"{"data":[{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordi","cmc_rank":301,
            "quote":[{"symbol":"USD","price":8.41,"market_cap":176610000}]}],
            "status":{"error_code":0,"error_message":null}}"#,
        ),
        ProviderName::CoinMarketCap => json(
            r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","cmc_rank":1,
            "quote":[{"symbol":"USD","price":61234.1,"market_cap":1210000000000}]}],
            "status":{"error_code":0,"error_message":null}}"#,
        ),
        ProviderName::UniSat if path.starts_with("/v1/indexer/brc20/status") => json(token_list(100)),
        ProviderName::UniSat => json(r#"{"code":0,"msg":"ok","data":{"start":0,"total":0,"detail":[]}}"#),
        ProviderName::Mempool if path == "/blocks/tip/height" => json("100"),
        ProviderName::Mempool if path.starts_with("/block-height/") => json(hash_of(path, 'a')),
        ProviderName::Mempool => json(r#"{"fastestFee":3,"halfHourFee":2,"hourFee":1}"#),
        other => panic!("no scripted response of {other}"),
    }
}

/// The hash of the block in a path, in a chain of this name.
fn hash_of(path: &str, chain: char) -> String {
    let height = path.rsplit('/').next().unwrap_or_default();
    format!("{}{height:0>60}", chain.to_string().repeat(4))
}

/// UniSat's list with one token, at a height.
fn token_list(height: u64) -> String {
    format!(
        r#"{{"code":0,"msg":"ok","data":{{"height":{height},"start":0,"total":1,"detail":[{{"ticker":"ordi","max":"21000000",
        "minted":"21000000","historyCount":5,"holdersCount":3,"deployHeight":779832,"deployBlocktime":1678248991}}]}}}}"#
    )
}

fn minutes(count: u64) -> Duration {
    Duration::from_secs(60 * count)
}
