//! The newest block, fees and balances over mempool.space or a server with the Esplora API.

use std::time::Duration;

use satscope::client::{Request, ResponseData};
use satscope::model::ProviderName::Mempool;
use satscope::model::{BitcoinBalance, ChainState, UtcTime};

use super::fake::{Fake, FakeResponse, html, json};
use super::{Live, configure, indexer_fakes, world};
use crate::cli::server::Shell;

fn hash(height: &str) -> String {
    format!("{height:0>64}")
}

fn text(body: String) -> FakeResponse {
    text_of(200, &body)
}

fn text_of(status: u16, body: &str) -> FakeResponse {
    FakeResponse { headers: vec![("content-type", String::from("text/plain"))], ..json(status, body) }
}

/// A server with fee rates at this path.
fn mempool(fees: &'static str) -> Fake {
    Fake::start(move |request| match request.path.as_str() {
        "/blocks/tip/height" => text(String::from("923106\n")),
        path if path.starts_with("/block-height/") => text(hash(path.rsplit('/').next().unwrap())),
        path if path != fees => json(404, ""),
        PRECISE => {
            json(200, r#"{"fastestFee":1.034,"halfHourFee":0.5,"hourFee":0.2,"economyFee":0.2,"minimumFee":0.1}"#)
        }
        RECOMMENDED => json(200, r#"{"fastestFee":4,"halfHourFee":3,"hourFee":1,"economyFee":1,"minimumFee":1}"#),
        _ => json(200, r#"{"1":4.5,"2":4.1,"3":3.2,"6":1.01,"144":1}"#),
    })
}

const PRECISE: &str = "/v1/fees/precise";
const RECOMMENDED: &str = "/v1/fees/recommended";
const ESTIMATES: &str = "/fee-estimates";

async fn chain(live: &Live) -> ChainState {
    match live.get(&Request::ChainState).await.unwrap().response {
        Some(ResponseData::ChainState(state)) => state,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn block_height_and_fees_come_from_mempool_or_esplora() {
    for (path, fastest, hour) in [(PRECISE, 1.034, 0.2), (RECOMMENDED, 4.0, 1.0), (ESTIMATES, 4.5, 1.01)] {
        let fake = mempool(path);
        let live = Live::over(&[(Mempool, &fake)]);
        let state = chain(&live).await;
        let fees = state.fees.unwrap();
        assert_eq!((state.height, fees.fastest, fees.hour), (923_106, Some(fastest), Some(hour)));
        let before = fake.requests().len();
        chain(&live).await;
        assert_eq!(fake.requests().len(), before, "answered from the cache");
    }
}

#[tokio::test]
async fn height_is_useful_without_fees() {
    let fake = Fake::start(|request| match request.path.as_str() {
        "/blocks/tip/height" => text(String::from("923106")),
        _ => json(503, ""),
    });
    let live = Live::over(&[(Mempool, &fake)]);
    let state = chain(&live).await;
    assert_eq!((state.height, state.fees), (923_106, None));
}

const COLD: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";

/// The address as mempool.space describes it: sums of received and of spent outputs, in blocks and in waiting
/// transactions.
fn address(name: &str, chain: (u64, u64), mempool: (u64, u64)) -> String {
    let stats = |(funded, spent)| {
        format!(
            r#"{{"funded_txo_count":2,"funded_txo_sum":{funded},"spent_txo_count":1,"spent_txo_sum":{spent},"tx_count":3}}"#
        )
    };
    let (chain, mempool) = (stats(chain), stats(mempool));
    format!(r#"{{"address":"{name}","chain_stats":{chain},"mempool_stats":{mempool}}}"#)
}

#[tokio::test]
async fn bitcoin_balance_comes_from_mempool() {
    let fake = Fake::start(|request| match request.path.as_str() {
        "/blocks/tip/height" => text(String::from("923106")),
        path if path == format!("/address/{COLD}") => json(200, address(COLD, (500, 120), (7, 50))),
        _ => json(404, ""),
    });
    let live = Live::over(&[(Mempool, &fake)]);
    let request = Request::BitcoinBalance { address: COLD.into() };
    let expected = BitcoinBalance { address: COLD.into(), confirmed: 380, unconfirmed: -43 };
    assert_eq!(live.get(&request).await.unwrap().response, Some(ResponseData::BitcoinBalance(expected)));
    let sent = || fake.requests().iter().filter(|request| request.path.starts_with("/address/")).count();
    live.get(&request).await.unwrap();
    assert_eq!(sent(), 1, "answered from the cache");
    let (status, _, body) = live.raw("/x/address/bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg9").await;
    assert!(status == 404 && body.to_string().contains("checksum"), "{status} {body}");
    assert_eq!(sent(), 1, "what is no address is sent to nobody");
}

const HOT: &str = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";

/// A server that has the balance of any address but this one, which gets this response.
fn failing_for(failing: &'static str, response: FakeResponse) -> Fake {
    Fake::start(move |request| match request.path.as_str() {
        "/blocks/tip/height" => text(String::from("923106")),
        path => match path.strip_prefix("/address/") {
            Some(name) if name == failing => response.clone(),
            Some(name) => json(200, address(name, (500, 120), (0, 0))),
            None => json(200, r#"{"fastestFee":4,"halfHourFee":3,"hourFee":1}"#),
        },
    })
}

fn balance(address: &str) -> Request {
    Request::BitcoinBalance { address: address.into() }
}

#[tokio::test]
async fn failing_address_does_not_affect_others() {
    for (response, reason) in [
        (json(413, r#"{"error":"history too long"}"#), "413"),
        (text_of(400, "Too many history entries"), "Too many history entries"),
        (json(400, ""), "400"),
        (json(404, ""), "BTC balance not found (404)"),
        (json(500, r#"{"error":"Failed to get address"}"#), "500"),
        (html(504), "504"),
        (json(200, address(HOT, (500, 120), (0, 0))), "another address"),
        (json(200, "{}"), "mempool.space"),
    ] {
        let fake = failing_for(COLD, response);
        let live = Live::over(&[(Mempool, &fake)]);
        for _ in 0..2 {
            let error = live.get(&balance(COLD)).await.unwrap_err();
            assert!(error.to_string().contains(reason), "{reason}: {error}");
            assert!(!error.lacks_bitcoin_balances(false), "{reason}: {error:?}");
            live.get(&balance(HOT)).await.unwrap();
        }
        assert!(chain(&live).await.fees.is_some(), "{reason}");
        let asked = fake.paths().iter().filter(|path| path.ends_with(COLD)).count();
        assert_eq!(asked, 1, "{reason}: not again at once");
    }
}

#[test]
fn command_requests_all_addresses_and_names_the_failing_one() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko_at(UtcTime::now().secs()));
    let unisat = indexer_fakes::UniSat::default().start();
    for response in [
        text_of(400, "Too many history entries"),
        text_of(405, "Address lookups cannot be used with bitcoind as backend."),
    ] {
        let status = response.status;
        let mempool = failing_for(COLD, response);
        let shell = Shell::new();
        let providers = [("coinmarketcap", &cmc), ("coingecko", &gecko), ("unisat", &unisat), ("mempool", &mempool)];
        configure(shell.home.path(), &providers);
        let addresses = [(COLD, "cold"), (HOT, "hot"), (indexer_fakes::HOLDER, "last")];
        for (address, label) in addresses {
            shell.run(&format!("wallet address add {address} --label {label}"));
        }
        let run = shell.run("--live wallet");
        assert_eq!(run.status, 1, "{status}: {}", run.stderr);
        assert!(run.stderr.contains("skipped the BTC balance of cold: "), "{status}: {}", run.stderr);
        assert!(run.stderr.contains(&format!("({status})")), "{status}: {}", run.stderr);
        assert!(!run.stderr.contains("skipped the BTC balance of last"), "{status}: {}", run.stderr);
        for (address, label) in addresses {
            let asked = mempool.paths().iter().filter(|path| path.ends_with(address)).count();
            assert_eq!(asked, 1, "{status}: {label}");
        }
        let whole = run.json();
        let wallet = &whole["data"];
        let unvalued = wallet["unvalued"].as_array().unwrap();
        assert!(unvalued.iter().any(|name| name == "BTC"), "{status}: {wallet}");
        let balances = [0, 1, 2].map(|at: usize| wallet["addresses"][at]["btc"].as_str());
        assert_eq!(balances, [None, Some("0.0000038"), Some("0.0000038")], "{status}");
        let again = shell.run("--live wallet").json();
        assert_eq!(again["data"]["addresses"][1]["btc"], "0.0000038", "{status}: nothing is paused");
    }
}

#[tokio::test]
async fn slow_address_delays_neither_other_addresses_nor_the_height() {
    let response = FakeResponse { delay: Duration::from_secs(8), ..json(504, "") };
    let fake = failing_for(COLD, response);
    let live = Live::over(&[(Mempool, &fake)]);
    let (slow, hot) = (balance(COLD), balance(HOT));
    let others = async {
        while !fake.paths().iter().any(|path| path.ends_with(COLD)) {
            tokio::task::yield_now().await;
        }
        live.get(&hot).await.unwrap();
        assert!(chain(&live).await.fees.is_some());
    };
    tokio::select! {
        biased;
        response = live.get(&slow) => panic!("they waited for it: {response:?}"),
        () = others => {}
    }
}

#[tokio::test]
async fn impossible_bitcoin_balances_are_errors() {
    for body in [
        address("bc1pother", (500, 120), (0, 0)),
        address(COLD, (120, 500), (0, 0)),
        address(COLD, (2_100_000_000_000_001, 0), (0, 0)),
        address(COLD, (0, 0), (u64::MAX, 0)),
        String::from("{}"),
    ] {
        let fake = mempool(PRECISE);
        fake.respond_with(json(200, body.clone()));
        let live = Live::over(&[(Mempool, &fake)]);
        let error = live.get(&Request::BitcoinBalance { address: COLD.into() }).await.unwrap_err();
        assert!(error.to_string().contains("mempool.space"), "{body}: {error}");
    }
}

#[tokio::test]
async fn invalid_block_height_is_an_error() {
    for response in
        [text(String::from("-1")), text(String::from("99999999")), html(200), json(200, "{}"), json(429, "")]
    {
        let fake = mempool(PRECISE);
        fake.respond_with(response.clone());
        let live = Live::over(&[(Mempool, &fake)]);
        let error = live.get(&Request::ChainState).await.unwrap_err();
        assert!(error.to_string().contains("mempool.space"), "{response:?}: {error}");
    }
}
