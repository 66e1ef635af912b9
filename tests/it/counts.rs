//! Requests of a start, counted by the server: demand, fetch task and client together. `tests/counts` counts the costs
//! of frames, and the tests of the event loop count those of events.

use std::collections::BTreeSet;

use satscope::app::{Message, Preferences, State, Tab, demand, update};
use satscope::client::{Client, ClientConfig};
use satscope::clock::Clock;
use satscope::fetch::{Demand, Settings};
use satscope::model::{Tag, UtcTime};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::support::server::{Response, Server, TEST_TIMEOUT};

/// Pages of coins without trends, so that these are requested separately.
fn coins() -> String {
    let coin =
        |id: u32| format!(r#"{{"id":{id},"name":"Coin {id}","symbol":"C{id}","slug":"coin-{id}","price":{id}.5}}"#);
    let coins: Vec<String> = (1..=100).map(coin).collect();
    format!(r#"{{"status":{{"total_count":100}},"data":[{}]}}"#, coins.join(","))
}

/// Starts on a tab and waits for all its data; returns the requests and the number of connections.
async fn start(tab: Tab) -> (Vec<String>, usize, usize) {
    let server = Server::start().await;
    server.answers("/coins", Response::json(coins()));
    server.answers("/market/data", Response::json(r#"{"data":{"C1":[{"id":1,"symbol":"C1","quotes":[]}]}}"#));
    server.answers("/ordinals", Response::json(r#"{"limit":60,"offset":0,"total":0,"results":[]}"#));
    let (sender, mut events) = mpsc::channel(8);
    let client = Client::new(ClientConfig::at(&server.url())).expect("a client");
    let (handle, _task) = crate::support::spawn_fetch(client, Clock::System, Settings::default(), sender);
    let mut state = State::new(Preferences::default(), (200, 50), UtcTime::now());
    state.tab = tab;
    let _ = update(&mut state, Message::Tick, UtcTime::now());
    loop {
        let wanted = demand(&state);
        let settled =
            |request| state.responses.response(request).is_some() || state.responses.get(request).failure().is_some();
        if wanted.visible.iter().all(settled) {
            let log = server.log();
            let requests = log.requests.into_iter().map(|seen| seen.target).collect();
            return (requests, wanted.visible.len(), log.connections);
        }
        let Demand { .. } = handle.demand.send_replace(wanted);
        let event = timeout(TEST_TIMEOUT, events.recv()).await.expect("an event").expect("the task is running");
        let _ = update(&mut state, Message::Fetch(event), UtcTime::now());
    }
}

#[tokio::test]
async fn cold_start_requests_each_visible_resource_once() {
    for (tab, min) in [(Tab::List(Tag::All), 2), (Tab::Wallet, 1), (Tab::Indexer, 1)] {
        let (requests, wanted, connections) = start(tab).await;
        assert!(connections <= requests.len(), "{connections} connections for {requests:?}");
        // The newest block is requested in the background.
        let requests: Vec<String> = requests.into_iter().filter(|target| target != "/x/chain").collect();
        let different: BTreeSet<&String> = requests.iter().collect();
        assert_eq!(different.len(), requests.len(), "no duplicates: {requests:?}");
        assert_eq!(requests.len(), wanted, "one request per resource: {requests:?}");
        assert!(requests.len() >= min, "{requests:?}");
    }
}
