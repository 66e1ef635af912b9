//! A service that sends a faulty coin list after a good one: the known list stays, with the reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use satscope::client::{ErrorKind, Limits};
use satscope::model::Tag;

use super::request_cases::REQUEST_CASES;
use super::stage::{Observed, Stage, squeezed};
use crate::client::server::{Server, Step, response};

/// A list of this many coins.
fn coins(count: u32, has_prices: bool) -> String {
    let coins = (1..=count).map(|n| {
        let price = if has_prices { format!("{}.5", 1_000 + n) } else { String::from("null") };
        format!(
            r#"{{"id":{n},"name":"Coin {n}","symbol":"C{n}","cmc_rank":{n},"quote":{{"USD":{{"price":{price}}}}}}}"#
        )
    });
    format!(r#"{{"status":{{"error_code":0}},"data":[{}]}}"#, coins.collect::<Vec<_>>().join(","))
}

/// Loads 200 coins, refreshes while the service sends this list, and waits for the service to recover.
async fn keeps_known_list(faulty: String, kind: ErrorKind, reason: &str) {
    let is_faulty = Arc::new(AtomicBool::new(false));
    let of = Arc::clone(&is_faulty);
    let server = Server::start(move |_, _| {
        let body = if of.load(SeqCst) { faulty.clone() } else { coins(200, true) };
        vec![Step::Send(response("200 OK", "Content-Type: application/json\r\n", body.as_bytes()))]
    })
    .await;
    let mut stage = Stage::open(&REQUEST_CASES[0], &server.url, Limits::default()).await;
    stage.until("the list", |stage| stage.screen.state.list(Tag::All).loaded() == 200).await;

    is_faulty.store(true, SeqCst);
    stage.refresh().await;
    let Observed::Failed(error) = stage.outcome().await else { panic!("{kind:?}: accepted\n{}", stage.text()) };
    assert_eq!(error.kind, kind);
    let screen = squeezed(&stage.text());
    assert_eq!(stage.screen.state.list(Tag::All).loaded(), 200, "{kind:?}");
    assert!(screen.contains("1,001.50"), "{kind:?}: no old price\n{}", stage.text());
    assert!(screen.contains(reason) && screen.contains("retrying"), "{kind:?}: no reason\n{}", stage.text());

    is_faulty.store(false, SeqCst);
    stage.again().await;
    assert!(matches!(stage.outcome().await, Observed::Arrived { items: 200, .. }), "{:?}", stage.observed);
    assert!(!squeezed(&stage.text()).contains(reason), "{kind:?}\n{}", stage.text());
}

#[tokio::test]
async fn list_without_prices_keeps_known_prices() {
    keeps_known_list(coins(200, false), ErrorKind::NoPrices, "Nopricesreturned").await;
}

#[tokio::test]
async fn list_that_is_suddenly_short_keeps_known_coins() {
    let kind = ErrorKind::TooFewCoins { found: 40, known: 200 };
    keeps_known_list(coins(40, true), kind, "Only40of200coins").await;
}
