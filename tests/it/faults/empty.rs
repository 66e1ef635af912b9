//! Services that sometimes respond without rows: known rows stay, and nothing stays empty.

use std::time::Duration;

use futures_util::future::join_all;
use satscope::client::{ErrorKind, Limits};

use super::request_cases::{self, REQUEST_CASES, RequestCase};
use super::stage::{Observed, Stage, squeezed};
use crate::client::server::{Server, Step, response};

/// Responses without rows, in the forms that services use.
const BODIES: [&str; 5] = [
    r#"{"status":{"error_code":0},"data":null}"#,
    r#"{"data":[]}"#,
    "[]",
    r#"{"limit":60,"offset":0,"total":0,"results":[]}"#,
    r#"{"status":{"error_code":0},"data":{}}"#,
];

/// Maximum freshness of an empty response.
const HOLDS: Duration = Duration::from_mins(5);

/// Whether a response of the case can be empty.
fn is_list(case: &RequestCase) -> bool {
    !matches!(case.name, "token" | "sat" | "inscription")
}

async fn open<'a>(case: &'a RequestCase, body: &'static str) -> (Stage<'a>, Server) {
    let server = Server::answering("200 OK", "Content-Type: application/json\r\n", body).await;
    (Stage::open(case, &server.url, Limits::default()).await, server)
}

/// Waits until the panel has its rows again.
async fn recover(stage: &mut Stage<'_>, version: u32) {
    stage.switch(false, version);
    stage.wait(HOLDS);
    while !matches!(stage.outcome().await, Observed::Arrived { items: 1.., .. }) {
        stage.wait(HOLDS);
    }
    stage.until("all well", Stage::is_well).await;
    let (panel, shown) = (stage.panel(), squeezed(&stage.shows(version)));
    assert!(panel.contains(&shown), "{shown} is not shown:\n{}", stage.text());
}

async fn one(case: &RequestCase, body: &'static str) {
    let what = format!("{}, {body}", case.name);
    let (mut stage, _server) = open(case, body).await;
    stage.until("outcome", |stage| !stage.observed.is_empty()).await;
    assert!(!matches!(stage.observed[0], Observed::Arrived { items: 1.., .. }), "{what}: {:?}", stage.observed);
    recover(&mut stage, 3).await;

    // Once: the rows stay, and the screen shows why they are stale.
    stage.switch(true, 3);
    stage.refresh().await;
    let outcome = stage.outcome().await;
    if case.name == "balances" && body.contains("\"total\":0") {
        // The indexer states that the address is empty.
        assert!(matches!(outcome, Observed::Arrived { items: 0, .. }), "{what}: {outcome:?}");
        return recover(&mut stage, 4).await;
    }
    let Observed::Failed(error) = outcome else { panic!("{what}: {outcome:?}\n{}", stage.text()) };
    let (panel, shown) = (stage.panel(), squeezed(&stage.shows(3)));
    assert!(panel.contains(&shown), "{what}: {shown} is gone:\n{}", stage.text());
    // Several panels share one line for errors.
    let screen = squeezed(&stage.text());
    assert!(screen.contains("retrying"), "{what}: no next try:\n{}", stage.text());
    let is_empty = matches!(error.kind, ErrorKind::NoRows);
    assert!(!is_empty || screen.contains("Emptyresponse"), "{what}: no reason:\n{}", stage.text());
    recover(&mut stage, 4).await;
    if !is_empty {
        return; // It is not taken for a response at all.
    }

    // Repeatedly: after two minutes it is accepted, and later the rows return.
    stage.switch(true, 4);
    stage.refresh().await;
    let (mut count, mut waited) = (0, Duration::ZERO);
    while let Observed::Failed(error) = stage.outcome().await {
        assert_eq!(error.kind, ErrorKind::NoRows, "{what}");
        assert!(stage.panel().contains(&squeezed(&stage.shows(4))), "{what}:\n{}", stage.text());
        count += 1;
        waited += stage.again().await;
    }
    assert!(count >= 2 && waited >= Duration::from_mins(2), "{what}: {count} failures over {waited:?}");
    assert!(request_cases::wanted(case, &stage.screen.state).is_some(), "{what}: no demand");
    recover(&mut stage, 5).await;
}

#[tokio::test]
async fn empty_responses_keep_rows_and_recover() {
    let cases = REQUEST_CASES.iter().filter(|case| is_list(case));
    // Boxed: each future holds a whole screen, and the array of them would not fit on the stack.
    join_all(cases.flat_map(|case| BODIES.map(|body| Box::pin(one(case, body))))).await;
}

#[tokio::test]
async fn empty_further_page_is_requested_again() {
    let empty = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let of = std::sync::Arc::clone(&empty);
    let server = Server::start(move |head, _| {
        let target = head.split(' ').nth(1).unwrap_or_default();
        let start = target.split("start=").nth(1).and_then(|rest| rest.split('&').next()).unwrap_or("1");
        let start: u32 = start.parse().unwrap();
        let is_empty = start > 1 && of.load(std::sync::atomic::Ordering::SeqCst);
        let coins = (start..start + if start > 200 || is_empty { 0 } else { 100 }).map(|n| {
            format!(
                r#"{{"id":{n},"name":"Coin {n}","symbol":"C{n}","cmc_rank":{n},"quote":{{"USD":{{"price":{n}}}}}}}"#
            )
        });
        let body = format!(r#"{{"status":{{"error_code":0}},"data":[{}]}}"#, coins.collect::<Vec<_>>().join(","));
        vec![Step::Send(response("200 OK", "Content-Type: application/json\r\n", body.as_bytes()))]
    })
    .await;
    let mut stage = Stage::open(&REQUEST_CASES[0], &server.url, Limits::default()).await;
    stage.until("first page", |stage| stage.screen.state.list(satscope::model::Tag::All).loaded() == 100).await;
    stage.screen.keys("<end>");
    stage.wait(Duration::ZERO);
    stage.until("empty page", |stage| stage.observed.len() == 2).await;
    assert!(stage.text().contains("Coin 100"), "{}", stage.text());
    empty.store(false, std::sync::atomic::Ordering::SeqCst);
    stage.wait(HOLDS);
    stage.until("second page", |stage| stage.screen.state.list(satscope::model::Tag::All).loaded() == 200).await;
}
