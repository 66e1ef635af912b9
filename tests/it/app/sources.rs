//! The Sources dialog.

use satscope::app::{Effect, Overlay};
use satscope::client::{Answer, ErrorKind, Request};

use crate::support::screen::{Screen, fixture};

fn open(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(fixture::answer);
    screen.keys("D");
    screen
}

#[test]
fn dialog_shows_state_limit_and_what_is_missing() {
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = open(columns, rows);
        assert_eq!(screen.wanted().first(), Some(&Request::Sources), "the dialog comes first");
        assert!(screen.text().contains("Loading sources"), "{}", screen.text());
        screen.answer(&Request::Sources, Answer::Sources(fixture::sources()));
        let text = screen.text();
        for words in ["● CoinGecko", "◐ UniSat", "○ Maestro", "serves coins, details"] {
            assert!(text.contains(words), "{words} at {columns}x{rows}:\n{text}");
        }
        assert!(columns < 160 || text.contains("6,900 of 10,000 a month"), "{text}");
        screen.keys("jj");
        let text = screen.text();
        assert!(text.contains("Set providers.maestro.api_key"), "{columns}x{rows}:\n{text}");
        screen.keys("D");
        assert!(screen.state.overlay.is_none() && !screen.wanted().contains(&Request::Sources));
    }
}

#[test]
fn selection_stops_at_the_last_source() {
    let mut screen = open(80, 24);
    screen.answer(&Request::Sources, Answer::Sources(fixture::sources()));
    screen.keys("jjjjj");
    assert!(matches!(screen.state.overlay, Some(Overlay::Sources { selected: 2 })));
    screen.keys("r");
    let refreshed = screen
        .effects
        .iter()
        .any(|effect| matches!(effect, Effect::Refresh(requests) if requests.contains(&Request::Sources)));
    assert!(refreshed, "{:?}", screen.effects);
}

#[test]
fn service_without_sources_says_so() {
    let mut screen = open(80, 24);
    screen.fail(&Request::Sources, ErrorKind::NotFound { message: None });
    let text = screen.text();
    assert!(text.contains("This service doesn't report its sources") && !text.contains("retry"), "{text}");
    screen.keys("<esc>6");
    assert!(screen.text().contains("not found"), "{}", screen.text());
}
