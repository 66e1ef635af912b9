//! The newest block and fees over mempool.space or a server with the Esplora API.

use satscope::client::{Answer, Request};
use satscope::model::ChainState;
use satscope::model::ProviderName::Mempool;

use super::Live;
use super::fake::{Fake, FakeResponse, html, json};

fn hash(height: &str) -> String {
    format!("{height:0>64}")
}

fn text(body: String) -> FakeResponse {
    FakeResponse { headers: vec![("content-type", String::from("text/plain"))], ..json(200, body) }
}

/// A server; an Esplora server has other fee estimates.
fn mempool(is_esplora: bool) -> Fake {
    Fake::start(move |request| match request.path.as_str() {
        "/blocks/tip/height" => text(String::from("923106\n")),
        path if path.starts_with("/block-height/") => text(hash(path.rsplit('/').next().unwrap())),
        "/v1/fees/recommended" if !is_esplora => {
            json(200, r#"{"fastestFee":4,"halfHourFee":3,"hourFee":1,"economyFee":1,"minimumFee":1}"#)
        }
        "/fee-estimates" if is_esplora => json(200, r#"{"1":4.5,"2":4.1,"3":3.2,"6":1.01,"144":1}"#),
        _ => json(404, ""),
    })
}

async fn chain(live: &Live) -> ChainState {
    match live.get(&Request::ChainState).await.unwrap().answer {
        Some(Answer::ChainState(state)) => state,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn block_height_and_fees_come_from_mempool_or_esplora() {
    for (is_esplora, fastest, hour) in [(false, 4.0, 1.0), (true, 4.5, 1.01)] {
        let fake = mempool(is_esplora);
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

#[tokio::test]
async fn odd_heights_are_errors() {
    for response in
        [text(String::from("-1")), text(String::from("99999999")), html(200), json(200, "{}"), json(429, "")]
    {
        let fake = mempool(false);
        fake.respond_with(response.clone());
        let live = Live::over(&[(Mempool, &fake)]);
        let error = live.get(&Request::ChainState).await.unwrap_err();
        assert!(error.to_string().contains("mempool.space"), "{response:?}: {error}");
    }
}
