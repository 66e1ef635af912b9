//! Panels show the provider and the age of their data, if the service reports them.

use std::sync::Arc;
use std::time::Duration;

use ratatui::style::Modifier;
use satscope::app::preferences::EMBEDDED;
use satscope::app::{Message, demand};
use satscope::client::{Error, ErrorKind, Request, ResponseData};
use satscope::fetch::{Event, Receipt, RefreshFailure};
use satscope::model::{RateOrigin, Tag, Text};

use crate::support::indexer;
use crate::support::screen::{Screen, fixture};

/// Responds to the requests of the screen with data of a provider, two minutes old.
fn answer(screen: &mut Screen, provider: &str) {
    for _ in 0..3 {
        for request in demand(&screen.state).visible {
            let response = fixture::response(&request).or_else(|| indexer::response(&request));
            let Some(response) = response.filter(|_| screen.state.responses.response(&request).is_none()) else {
                continue;
            };
            let (provider, age) = (Some(Text::from(provider)), Duration::from_secs(120));
            screen.answer_as(&request, response, |receipt| Receipt { provider: provider.clone(), age, ..receipt });
        }
    }
}

fn line(screen: &mut Screen, part: &str) -> String {
    let text = screen.text();
    text.lines().find(|line| line.contains(part)).unwrap_or_else(|| panic!("no {part:?} in\n{text}")).to_owned()
}

#[test]
fn panels_name_the_provider_and_the_age_of_the_data() {
    for (columns, rows) in [(160, 45), (120, 35)] {
        let mut screen = Screen::new(columns, rows);
        answer(&mut screen, "coingecko");
        let summary = line(&mut screen, " coins");
        assert!(summary.contains("Powered by CoinGecko · 2 m ago · next in"), "{summary}");
        screen.keys("<enter>");
        answer(&mut screen, "mastodon");
        for panel in ["Chart", "Posts", "Markets"] {
            let title = line(&mut screen, panel);
            assert!(title.contains("Mastodon · 2 m ago"), "{columns}: {title}");
        }
        screen.keys("<esc>5");
        answer(&mut screen, "unisat");
        let tokens = line(&mut screen, "Tokens");
        assert!(tokens.contains("UniSat · 2 m ago"), "{tokens}");
    }
}

/// A screen whose data is two minutes old, after a manual refresh that the service couldn't do, for two reasons.
fn after_failed_refresh() -> Screen {
    let mut screen = Screen::new(160, 45);
    answer(&mut screen, "coingecko");
    screen.keys("r");
    let mut reasons = ["CoinGecko: rate-limited (429)", "Other"].into_iter();
    for request in demand(&screen.state).visible {
        let Some(known) = screen.state.responses.response(&request) else { continue };
        let known = ResponseData::clone(known);
        let Some(reason) = reasons.next() else { break };
        let kind =
            ErrorKind::Explained { status: 200, message: reason.to_owned(), retry_after: None, must_wait: false };
        let error = Arc::new(Error { what: request.describe(), origin: String::from("http://127.0.0.1"), kind });
        let next_try = screen.state.now.plus(Duration::from_secs(10));
        screen.answer_as(&request, known, |receipt| Receipt {
            provider: Some(Text::const_new("coingecko")),
            age: Duration::from_mins(2),
            not_refreshed: Some(RefreshFailure { error: Arc::clone(&error), next_try }),
            ..receipt
        });
    }
    screen
}

#[test]
fn failed_manual_refresh_shows_reason_until_the_next_success() {
    const REASON: &str = "CoinGecko: rate-limited (429)";
    let mut screen = after_failed_refresh();
    let footer = screen.text().lines().last().unwrap().to_owned();
    assert_eq!(footer.trim(), format!("× Not refreshed · {REASON} · retrying in 10 s"));
    let failing = |screen: &mut Screen| line(screen, " coins").contains(&format!("{REASON} · retrying in"));
    assert!(failing(&mut screen) && line(&mut screen, "satscope").contains('×'), "{}", screen.text());
    screen.wait(Duration::from_secs(9));
    assert!(failing(&mut screen), "{}", screen.text());
    screen.keys("6");
    let row = line(&mut screen, "Coin list 1–100");
    assert!(row.contains("failing") && row.contains(REASON) && row.contains(" 2 m "), "{row}");
    assert!(screen.text().contains("recent error"), "{}", screen.text());
    screen.keys("1");
    for request in demand(&screen.state).visible {
        let known = screen.state.responses.response(&request).map(|known| ResponseData::clone(known));
        if let Some(known) = known {
            screen.answer_as(&request, known, |receipt| receipt);
        }
    }
    assert!(!screen.text().contains(REASON) && !line(&mut screen, "satscope").contains('×'), "{}", screen.text());
}

#[test]
fn fresh_data_is_not_dimmed_after_a_failed_manual_refresh() {
    let mut screen = after_failed_refresh();
    let buf = screen.paint();
    let text = crate::support::screen::text(&buf);
    let row = text.lines().position(|line| line.contains("ORDI ")).unwrap();
    let is_dim = (0..160).all(|column| buf[(column, row as u16)].modifier.contains(Modifier::DIM));
    assert!(!is_dim, "{text}");
}

#[test]
fn attribution_stays_while_a_refresh_fails() {
    for (columns, rows) in [(160, 45), (140, 40), (120, 35), (100, 30), (80, 24)] {
        let mut screen = Screen::new(columns, rows);
        answer(&mut screen, "coingecko");
        let credit = "Powered by CoinGecko";
        assert!(screen.text().contains(credit), "{columns}: {}", screen.text());
        screen.wait(Duration::from_mins(20));
        screen.fail_all(&ErrorKind::Refused);
        let text = screen.text();
        assert!(text.contains(credit), "{columns}: {text}");
        screen.keys("<enter>");
        answer(&mut screen, "coingecko");
        screen.wait(Duration::from_mins(20));
        screen.fail_all(&ErrorKind::Refused);
        let text = screen.text();
        assert!(text.contains(credit), "{columns}: {text}");
    }
}

#[test]
fn attribution_stays_with_a_filter_and_a_search() {
    let credit = "Powered by CoinGecko";
    for (columns, rows) in [(160, 45), (120, 35), (100, 30), (80, 24), (60, 20), (40, 12)] {
        for provider in ["coingecko", "coinmarketcap, coingecko"] {
            let mut screen = Screen::new(columns, rows);
            answer(&mut screen, provider);
            let check = |screen: &mut Screen, parts: &[&str]| {
                let text = screen.text();
                let line = text.lines().find(|line| line.contains(credit));
                let line = line.unwrap_or_else(|| panic!("{columns} {provider}: {text}"));
                assert!(parts.iter().all(|part| line.contains(part)), "{columns} {provider}: {parts:?} in {line}");
            };
            check(&mut screen, &["coins"]);
            screen.keys("Fe24h > -50 and cap > 1m and volume > 1k and price > 0<enter>");
            let shown = screen.state.list(Tag::All).len();
            let count = format!("{shown} of ");
            let parts = if columns >= 60 { vec!["24h > -5", &count] } else { vec![&*count] };
            check(&mut screen, &parts);
            screen.keys("/o");
            check(&mut screen, &["/o"]);
            screen.keys("<enter>");
            // The filter takes the place of the total.
            let count = if columns >= 100 { " of " } else { " found" };
            let parts = if columns >= 60 { vec!["/o", count] } else { vec!["/o"] };
            check(&mut screen, &parts);
            screen.keys("<esc>");
            screen.wait(Duration::from_mins(20));
            screen.fail_all(&ErrorKind::Refused);
            check(&mut screen, &[]);
        }
    }
}

#[test]
fn providers_of_all_loaded_pages_are_named() {
    let mut screen = Screen::new(160, 45);
    answer(&mut screen, "coinmarketcap, coingecko");
    let summary = line(&mut screen, " coins");
    assert!(summary.contains("CoinMarketCap, Powered by CoinGecko · 2 m ago"), "{summary}");
}

#[test]
fn unknown_provider_is_shown_by_its_own_name() {
    let mut screen = Screen::new(120, 35);
    answer(&mut screen, "my-cache");
    assert!(line(&mut screen, " coins").contains("my-cache · 2 m ago"));
}

#[test]
fn provider_does_not_shorten_titles_and_choices() {
    let mut screen = Screen::new(40, 12);
    answer(&mut screen, "coingecko");
    screen.keys("<enter>");
    answer(&mut screen, "coingecko");
    let chart = line(&mut screen, "Chart");
    assert!(chart.contains("[7D]"), "{chart}");
}

#[test]
fn age_of_the_data_advances_from_their_own_time() {
    let mut screen = Screen::new(120, 35);
    answer(&mut screen, "coingecko");
    screen.wait(Duration::from_secs(60));
    assert!(line(&mut screen, " coins").contains("Powered by CoinGecko · 3 m ago"));
}

#[test]
fn status_names_the_providers_of_live_data() {
    let mut screen = Screen::new(160, 45);
    screen.state.preferences.live = Some(true);
    screen.state.preferences.urls = [EMBEDDED, EMBEDDED].map(String::from);
    screen.keys("6");
    assert!(line(&mut screen, "market ").contains("market waiting…   indexer waiting…"));
    screen.keys("1");
    screen.fail_all(&ErrorKind::Refused);
    screen.keys("6");
    let failing = line(&mut screen, "market ");
    assert!(failing.contains("market failing (Can't reach ") && failing.contains("indexer waiting…"), "{failing}");
    screen.keys("1");
    answer(&mut screen, "coingecko");
    screen.keys("<enter>");
    answer(&mut screen, "binance");
    screen.keys("<esc>5");
    answer(&mut screen, "unisat");
    screen.keys("6");
    let text = screen.text();
    // The BRC-20 coins of the indexer's screen, too, are from UniSat here.
    assert!(text.contains("market Binance, CoinGecko, UniSat   indexer UniSat"), "{text}");
    assert!(!text.contains("embedded service"), "{text}");
    let coins = line(&mut screen, "Coin list 1–100");
    assert!(coins.contains("CoinGecko /") && !coins.contains("http://"), "{coins}");
}

#[test]
fn status_marks_simulated_data_before_the_first_response() {
    let mut screen = Screen::new(160, 45);
    screen.state.preferences.urls = [EMBEDDED, EMBEDDED].map(String::from);
    screen.keys("6");
    let sources = line(&mut screen, "market ");
    assert!(
        sources.contains("market embedded service (simulated)   indexer embedded service (simulated)"),
        "{sources}"
    );
    screen.state.preferences.urls = [String::from("http://127.0.0.1"), String::from(EMBEDDED)];
    assert_eq!(screen.text().matches("(simulated)").count(), 1, "{}", screen.text());
}

#[test]
fn status_shows_the_paths_of_the_embedded_service_without_its_address() {
    let mut screen = Screen::new(160, 45);
    screen.state.preferences.urls = [EMBEDDED, EMBEDDED].map(String::from);
    screen.serve(fixture::response);
    screen.keys("6");
    assert!(line(&mut screen, "Coin list 1–100").contains(" /"), "{}", screen.text());
    assert!(!screen.text().contains("http://"), "{}", screen.text());
}

#[test]
fn status_shows_the_paths_below_the_url_of_a_service() {
    let mut screen = Screen::new(160, 45);
    screen.serve(fixture::response);
    screen.keys("6");
    let mut from = |url: &str| {
        screen.state.preferences.urls = [String::from(url), String::from(EMBEDDED)];
        line(&mut screen, "Coin list 1–100")
    };
    for url in ["http://127.0.0.1", "http://127.0.0.1/"] {
        assert!(from(url).contains(" /…") && !from(url).contains("http://"), "{}", from(url));
    }
    // Other addresses say where the data comes from.
    for url in ["https://api.example", "http://127.0.0.1/…/v1", "http://127.0.0"] {
        assert!(from(url).contains("http://127.0.0.1/…"), "{}", from(url));
    }
}

#[test]
fn wallet_and_status_name_the_origin_of_the_exchange_rate() {
    let mut screen = Screen::new(160, 45);
    screen.serve(indexer::response);
    screen.keys("4a1 ordi @ 8 2026-01-02<enter>");
    screen.serve(indexer::response);
    assert!(!screen.text().contains("rate:"), "{}", screen.text());
    screen.keys("ceur<enter>");
    let at = screen.state.now.minus(Duration::from_hours(20));
    for request in demand(&screen.state).visible {
        let Some(response) = fixture::response(&request).or_else(|| indexer::response(&request)) else { continue };
        let rate = Some(RateOrigin { provider: Text::from("frankfurter"), at });
        screen.answer_as(&request, response, |receipt| Receipt { rate: rate.clone().map(Box::new), ..receipt });
    }
    for key in ["4", "6"] {
        screen.keys(key);
        let text = screen.text();
        assert!(text.contains("EUR rate: Frankfurter · 20 h ago"), "{text}");
    }
    // In the second line on a narrow screen.
    screen.keys("4");
    screen.resize(80, 24);
    let text = screen.text();
    let second = text.lines().nth(2).map(str::trim);
    assert_eq!(second, Some("loading exchange rates…  EUR rate: Frankfurter · 20 h ago"), "{text}");
}

#[test]
fn old_data_of_a_failing_provider_are_stale_with_age_reason_and_retry() {
    let mut screen = Screen::new(160, 45);
    answer(&mut screen, "coinmarketcap");
    screen.wait(Duration::from_mins(5));
    let reason = "CoinPaprika and CoinGecko: server error (503)";
    let request = demand(&screen.state).visible.into_iter().find(|it| matches!(it, Request::Coins { .. })).unwrap();
    let kind = ErrorKind::Explained { status: 304, message: reason.to_owned(), retry_after: None, must_wait: false };
    let error = Arc::new(Error { what: request.describe(), origin: String::from("http://127.0.0.1"), kind });
    // Without a body, and twice.
    for age in [420, 435] {
        let fetch_id = screen.start(&request);
        let (now, age) = (screen.state.now, Duration::from_secs(age));
        let next_try = now.plus(Duration::from_secs(15));
        let receipt = Receipt {
            status: 304,
            fetched_at: now,
            fresh_until: now.minus(age),
            age,
            provider: Some(Text::from("coinmarketcap")),
            refresh_failure: Some(RefreshFailure { error: Arc::clone(&error), next_try }),
            ..Receipt::default()
        };
        screen.send(Message::Fetch(Event::Arrived { request: request.clone(), fetch_id, response: None, receipt }));
        let summary = line(&mut screen, " coins");
        let health = format!("CoinMarketCap · 7 m old · {reason} · retrying in 30 s");
        assert!(summary.contains(&health), "{summary}");
        assert!(line(&mut screen, "satscope").contains('×'), "{}", screen.text());
        screen.wait(Duration::from_secs(15));
    }
    screen.keys("6");
    let coins = line(&mut screen, "Coin list 1–100");
    assert!(coins.contains("failing") && coins.contains(reason) && coins.contains(" 7 m "), "{coins}");
    assert!(screen.text().contains("1 recent error"), "{}", screen.text());
}
