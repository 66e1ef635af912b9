//! Simulated data of a configured service, marked by a header of its responses, is marked on the screen.

use satscope::app::{Message, Preferences, demand};
use satscope::client::{Client, ClientConfig, Group};
use satscope::clock::Clock;
use satscope::fetch::{Event, Receipt, Settings};
use satscope::service::{self, Options};
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::support::screen::{Screen, fixture};
use crate::support::server::TEST_TIMEOUT;

/// The dashboard for a configured service.
fn screen() -> Screen {
    let sources = [String::from("market.example"), String::from("indexer.example")];
    Screen::with(Preferences { sources, ..Preferences::default() }, 120, 30)
}

fn header(screen: &mut Screen) -> String {
    screen.text().lines().next().unwrap_or_default().to_owned()
}

/// Responds to the requests of the screen, with simulated or real data.
fn answer(screen: &mut Screen, simulated: bool) {
    for request in demand(&screen.state).visible {
        let Some(response) = fixture::response(&request) else { continue };
        screen.answer_as(&request, response, |receipt| Receipt { simulated, ..receipt });
    }
}

#[test]
fn header_shows_demo_while_visible_data_is_simulated() {
    let mut screen = screen();
    assert!(header(&mut screen).contains("market.example"), "{}", header(&mut screen));
    answer(&mut screen, true);
    assert!(header(&mut screen).contains(" DEMO ") && !header(&mut screen).contains("example"));
    // Until the new prices come, the old ones are shown.
    screen.keys("ceur<enter>");
    assert!(header(&mut screen).contains(" DEMO "));
    // The indexer is another service.
    screen.keys("5");
    assert!(header(&mut screen).contains("indexer.example"));
    for request in demand(&screen.state).visible.into_iter().filter(|request| request.group() == Group::Indexer) {
        if let Some(response) = fixture::response(&request) {
            screen.answer(&request, response);
        }
    }
    assert!(header(&mut screen).contains("indexer.example"));
    screen.keys("6");
    assert!(header(&mut screen).contains("DEMO + indexer.example"), "{}", header(&mut screen));
    assert!(screen.text().contains("(simulated)"), "{}", screen.text());
    for columns in [30, 24, 20] {
        screen.resize(columns, 8);
        assert!(header(&mut screen).contains(" DEMO"), "{columns}: {}", header(&mut screen));
    }
    screen.resize(120, 30);
    screen.keys("1");
    answer(&mut screen, false);
    assert!(header(&mut screen).contains("market.example"));
}

#[test]
fn header_of_one_simulated_service_does_not_change_while_the_indexer_loads() {
    let sources = ["127.0.0.1:8080", "127.0.0.1:8080"].map(String::from);
    let mut screen = Screen::with(Preferences { sources, ..Preferences::default() }, 120, 30);
    answer(&mut screen, true);
    let before = header(&mut screen).replace(['[', ']'], "");
    for keys in ["5", "6"] {
        screen.keys(keys);
        assert_eq!(header(&mut screen).replace(['[', ']'], ""), before, "{keys}");
    }
}

#[tokio::test]
async fn simulated_data_are_marked_demo_after_confirmation() {
    let service = service::start(Options::default()).unwrap();
    let (sender, mut events) = mpsc::channel(8);
    let client = Client::new(ClientConfig::at(&service.url())).unwrap();
    let (handle, _task) = crate::support::spawn_fetch(client, Clock::System, Settings::default(), sender);
    let mut screen = screen();
    let mut arrived = 0;
    // The second one is a confirmation.
    while arrived < 2 {
        handle.demand.send_replace(demand(&screen.state));
        let event = timeout(TEST_TIMEOUT, events.recv()).await.unwrap().unwrap();
        let is_response = matches!(event, Event::Arrived { .. });
        screen.send(Message::Fetch(event));
        if is_response {
            arrived += 1;
            assert!(header(&mut screen).contains(" DEMO "), "{}", header(&mut screen));
            handle.refresh(demand(&screen.state).visible);
        }
    }
}
