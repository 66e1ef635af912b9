//! Shared test support: a scripted source for the fetch task, a scripted server on loopback, screens, and the program
//! in a terminal.

pub(crate) mod fake;
pub(crate) mod hostile;
pub(crate) mod indexer;
pub(crate) mod inputs;
pub(crate) mod program;
pub(crate) mod screen;
pub(crate) mod server;
pub(crate) mod session;

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use satscope::client::Request;
use satscope::clock::Clock;
use satscope::fetch::{self, Event, Freshness, Handle, Settings, Source};
use satscope::model::{PostOrder, Text};
use satscope::service::{self, Options, Running};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A loopback address for a server that stops and restarts, one for each `test`. No other process listens there, so its
/// port stays free meanwhile. Systems with a single loopback address use any free port.
pub(crate) fn own_address(test: u8) -> SocketAddr {
    let host = if cfg!(target_os = "linux") {
        let [.., high, low] = std::process::id().to_be_bytes();
        Ipv4Addr::new(127, 128 | test, high, low.clamp(1, 254))
    } else {
        Ipv4Addr::LOCALHOST
    };
    SocketAddr::from((host, 0))
}

/// Starts a service at the address of one that has stopped. A program that another test is starting right now may hold
/// the old socket until it runs.
pub(crate) fn start_again(options: impl Fn() -> Options) -> Running {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        match service::start(options()) {
            Err(service::Error::AddressInUse(_)) if Instant::now() < deadline => std::thread::yield_now(),
            started => return started.unwrap(),
        }
    }
}

/// Starts the fetch task on the current runtime.
pub(crate) fn spawn_fetch(
    source: impl Source,
    clock: Clock,
    settings: Settings,
    events: mpsc::Sender<Event>,
) -> (Handle, JoinHandle<()>) {
    let (handle, inbox) = fetch::channel();
    (handle, tokio::spawn(fetch::run(source, clock, settings, events, inbox)))
}

/// The same freshness for all operations, regardless of the servers' max-age.
pub(crate) fn fresh_for(span: Duration) -> Freshness {
    Freshness {
        coins: span,
        posts: span,
        market_pairs: span,
        chart: span,
        min_market_data: span,
        indexer: span,
        sat: span,
        min: span,
        max: span,
    }
}

/// An indexer request that differs by ticker.
pub(crate) fn token(ticker: &str) -> Request {
    Request::Brc20Token { ticker: Text::from(ticker) }
}

/// A market request that differs by symbol.
pub(crate) fn posts(symbol: &str) -> Request {
    Request::Posts { symbol: Text::from(symbol), slug: None, order: PostOrder::Top }
}

/// The response of an indexer to [`token`].
pub(crate) fn token_body(ticker: &str) -> String {
    let supply = r#""max_supply":"21000000.00","minted_supply":"20000000.00""#;
    format!(
        r#"{{"token":{{"id":"{id}i0","number":7,"block_height":779832,"tx_id":"{id}","address":"bc1qdeployer","ticker":"{ticker}",{supply},"mint_limit":"1000.00","decimals":2,"deploy_timestamp":1678248991000,"tx_count":3,"self_mint":false}},"supply":{{{supply},"holders":2}}}}"#,
        id = "ab".repeat(32),
    )
}
