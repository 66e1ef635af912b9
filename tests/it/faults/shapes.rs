//! A service that changes its shape while the program runs: another dialect is read, nonsense keeps the old data.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

use futures_util::future::join_all;
use satscope::client::Limits;

use super::request_cases::{REQUEST_CASES, RequestCase};
use super::responses;
use super::stage::{Observed, Stage, squeezed};
use crate::client::server::{Server, Step, response};

/// How a version of the data is sent: plainly, in another dialect, or not at all.
fn body(target: &str, version: u32) -> String {
    let plain = responses::body(target, version);
    match version % 3 {
        1 => plain,
        2 => {
            let whole: serde_json::Value = serde_json::from_str(&plain).unwrap();
            match whole.get("data") {
                Some(data) => data.to_string(),
                None => serde_json::json!({"status": {"error_code": "0", "error_message": "SUCCESS"}, "data": whole})
                    .to_string(),
            }
        }
        _ => String::from(r#"{"we have":["moved","on"]}"#),
    }
}

#[tokio::test]
async fn changed_response_shape_keeps_old_data() {
    join_all(REQUEST_CASES.iter().map(changes)).await;
}

async fn changes(case: &RequestCase) {
    let version = Arc::new(AtomicU32::new(1));
    let of = Arc::clone(&version);
    let server = Server::start(move |head, _| {
        let body = self::body(head.split(' ').nth(1).unwrap_or_default(), of.load(SeqCst));
        vec![Step::Send(response("200 OK", "Content-Type: application/json\r\n", body.as_bytes()))]
    })
    .await;
    let mut stage = Stage::open(case, &server.url, Limits::default()).await;
    stage.until("the first response", |stage| !stage.observed.is_empty()).await;
    let mut known = 1;
    for next in 2..=8 {
        version.store(next, SeqCst);
        stage.again().await;
        let observed = stage.outcome().await;
        match (next % 3, &observed) {
            (0, Observed::Failed(_)) => {}
            (1 | 2, Observed::Arrived { .. }) => known = next,
            _ => panic!("{}, version {next}: {observed:?}\n{}", case.name, stage.text()),
        }
        let (panel, shown) = (stage.panel(), squeezed(&stage.shows(known)));
        assert!(panel.contains(&shown), "{}, version {next}: no {shown}\n{}", case.name, stage.text());
    }
}
