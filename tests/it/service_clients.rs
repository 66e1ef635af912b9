//! The service beside slow, greedy and silent clients, over raw sockets: no client delays or harms another.

mod limits;
mod operations;
mod sharing;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use parking_lot::{Condvar, Mutex};
use satscope::model::{Chart, Coin, CoinId, Currency, Page, Period, Source, UtcTime, VolumeSpan};
use satscope::service::backend::extensions::{ExtensionProvider, PriceStream};
use satscope::service::backend::market::{CoinsQuery, MarketProvider};
use satscope::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};
use satscope::service::{self, Limits, Options, Providers, Running, TimeSource};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::support::server::TEST_TIMEOUT;

/// 2026-11-19T08:00:00Z.
const NOW: i64 = 1_795_075_200;

/// Simulated data with a stopped clock, as `satscope serve` offers it.
fn standalone(limits: Limits) -> Running {
    start(Options { limits, ..options() })
}

fn options() -> Options {
    Options { time: TimeSource::fixed(UtcTime::from_secs(NOW)), worker_threads: 2, ..Options::default().standalone() }
}

fn start(options: Options) -> Running {
    service::start(options).unwrap()
}

/// Waits for a state of the service.
async fn until(what: &str, state: impl Fn() -> bool) {
    let reached = async {
        while !state() {
            tokio::task::yield_now().await;
        }
    };
    timeout(TEST_TIMEOUT, reached).await.unwrap_or_else(|_| panic!("{what}"));
}

/// A connection that sends and reads bytes.
pub(crate) struct Raw(TcpStream);

/// A response.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) status: u16,
    head: String,
    body: Vec<u8>,
}

impl Got {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

impl Raw {
    pub(crate) async fn open(address: SocketAddr) -> Raw {
        Raw::try_open(address).await.unwrap()
    }

    /// `None` if nothing listens there.
    pub(crate) async fn try_open(address: SocketAddr) -> Option<Raw> {
        timeout(TEST_TIMEOUT, TcpStream::connect(address)).await.unwrap().ok().map(Raw)
    }

    async fn send(&mut self, bytes: &str) {
        self.0.write_all(bytes.as_bytes()).await.unwrap();
    }

    pub(crate) async fn ask(&mut self, path: &str) {
        self.send(&format!("GET {path} HTTP/1.1\r\nhost: satscope\r\n\r\n")).await;
    }

    /// Reads one response; `None` if the connection ends before it does.
    pub(crate) async fn response(&mut self) -> Option<Got> {
        timeout(TEST_TIMEOUT, self.read()).await.expect("a response or the end of the connection")
    }

    /// Asks for a stream, and returns its status.
    async fn begin(&mut self, path: &str) -> u16 {
        self.ask(path).await;
        timeout(TEST_TIMEOUT, self.read_head()).await.expect("the start of a response").unwrap().status
    }

    async fn read_head(&mut self) -> Option<Got> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await.ok()?);
        }
        let head = String::from_utf8(head).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Some(Got { status, head, body: Vec::new() })
    }

    async fn read(&mut self) -> Option<Got> {
        let mut got = self.read_head().await?;
        let length = got.header("content-length").map_or(0, |length| length.parse().unwrap());
        got.body = vec![0; length];
        self.0.read_exact(&mut got.body).await.ok()?;
        Some(got)
    }

    async fn get(&mut self, path: &str) -> Got {
        self.ask(path).await;
        self.response().await.unwrap()
    }

    /// Waits until the service closes the connection, and returns the bytes sent before.
    async fn end(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        // A reset is an end too.
        let _ = timeout(TEST_TIMEOUT, self.0.read_to_end(&mut rest)).await.expect("the end of the connection");
        rest
    }
}

/// A market whose charts block their thread until [`Blocking::release`], and which notes the lists that it builds.
#[derive(Default)]
struct Blocking {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    is_released: bool,
    charts: usize,
    /// The limits of the requested lists.
    lists: Vec<usize>,
}

impl Blocking {
    fn release(&self) {
        self.state.lock().is_released = true;
        self.changed.notify_all();
    }

    fn charts(&self) -> usize {
        self.state.lock().charts
    }

    fn lists(&self) -> Vec<usize> {
        self.state.lock().lists.clone()
    }

    fn wait(&self) {
        let mut state = self.state.lock();
        let waited = self.changed.wait_while_for(&mut state, |state| !state.is_released, TEST_TIMEOUT);
        assert!(!waited.timed_out(), "nobody released the blocked thread");
    }

    /// The simulated service with this market.
    fn providers(self: &Arc<Blocking>) -> Providers {
        let demo = Providers::demo(1, TimeSource::fixed(UtcTime::from_secs(NOW)));
        Providers { market: Arc::clone(self) as _, ..demo }
    }
}

#[async_trait]
impl MarketProvider for Blocking {
    async fn coins(&self, query: CoinsQuery) -> ProviderResult<Page<Coin>> {
        self.state.lock().lists.push(query.limit);
        Ok(response(Page { items: Vec::new(), total: Some(0) }))
    }

    async fn chart(&self, slug: &str, period: Period, convert: &Currency) -> ProviderResult<Chart> {
        self.state.lock().charts += 1;
        self.wait();
        Ok(response(Chart {
            slug: slug.into(),
            period,
            convert: convert.clone(),
            points: Vec::new(),
            volume_span: VolumeSpan::Day,
            candles: None,
        }))
    }
}

/// The simulated service with streams that never send a price.
fn with_streams() -> Providers {
    let demo = Providers::demo(1, TimeSource::fixed(UtcTime::from_secs(NOW)));
    Providers { extensions: Arc::new(Silent), ..demo }
}

/// Live prices that never come.
struct Silent;

#[async_trait]
impl ExtensionProvider for Silent {
    async fn prices(&self, _: &[CoinId], _: &Currency) -> Result<Option<PriceStream>, ProviderError> {
        Ok(Some(futures_util::stream::pending().boxed()))
    }

    async fn sources(&self) -> Vec<Source> {
        Vec::new()
    }
}

fn response<T>(data: T) -> ProviderResponse<T> {
    ProviderResponse::new(data, UtcTime::from_secs(NOW), Duration::from_secs(10))
}
