//! The screen while the source fails, is rate-limited or has no data: contents, messages and footer.

use std::time::Duration;

use ratatui::style::Modifier;
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::Page;

use crate::support::indexer::response;
use crate::support::screen::Screen;

const SIZES: [(u16, u16); 4] = [(160, 45), (120, 35), (80, 24), (40, 12)];

/// The keys that open each screen from the first list.
const SCREENS: [&str; 5] = ["", "2", "4", "5", "jj<enter>"];

const LIMITED: ErrorKind = ErrorKind::RateLimited { message: None, retry_after: None };

fn opened(keys: &str, columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(response);
    screen.keys(keys);
    screen.serve(response);
    screen.wait(Duration::from_secs(1));
    screen.serve(response);
    screen
}

/// The rows below the summary line. Of a title line, which shows errors, only the title.
fn content(screen: &mut Screen) -> Vec<String> {
    const TITLES: [&str; 9] =
        ["Tokens ", "Chart ", "Posts ", "Markets ", "BRC-20 ", "Holders", "Activity", "ordi ", "Watchlist "];
    let text = screen.text();
    let rows = text.lines().count();
    let content = |line: &str| match TITLES.iter().find(|name| line.trim_start().starts_with(**name)) {
        Some(title) => (*title).to_owned(),
        // The title of a token's chart is beside the headings of the tokens.
        None => line.split_inclusive(" 7D ").next().unwrap_or_default().trim_end().to_owned(),
    };
    text.lines().skip(2).take(rows - 3).map(content).collect()
}

#[test]
fn failed_refresh_does_not_move_content() {
    for keys in SCREENS {
        for (columns, rows) in SIZES {
            let mut screen = opened(keys, columns, rows);
            screen.wait(Duration::from_mins(12));
            screen.serve(response);
            let before = content(&mut screen);
            screen.fail_all(&ErrorKind::Refused);
            assert_eq!(content(&mut screen), before, "{keys} {columns}x{rows}\n{}", screen.text());
        }
    }
}

#[test]
fn failure_reason_is_shown_once_with_the_retry() {
    for keys in SCREENS {
        for (columns, rows) in [(160, 45), (120, 35), (80, 24)] {
            let mut screen = opened(keys, columns, rows);
            screen.wait(Duration::from_mins(12));
            screen.fail_all(&ErrorKind::Refused);
            let text = screen.text();
            assert_eq!(text.matches("connection refused").count(), 1, "{keys} {columns}x{rows}\n{text}");
            let line = text.lines().find(|line| line.contains("connection refused")).unwrap();
            assert!(line.contains("retrying in 30 s"), "{keys} {columns}x{rows}\n{text}");
        }
    }
}

#[test]
fn failure_reason_is_shown_once_without_data() {
    for keys in SCREENS {
        for (columns, rows) in [(160, 45), (120, 35), (80, 24)] {
            let mut screen = Screen::new(columns, rows);
            if keys.ends_with("<enter>") {
                screen.serve(response);
            }
            screen.keys(keys);
            screen.fail_all(&ErrorKind::Refused);
            let text = screen.text();
            assert_eq!(text.matches("connection refused").count(), 1, "{keys} {columns}x{rows}\n{text}");
            assert!(text.contains("retrying in 30 s"), "{keys} {columns}x{rows}\n{text}");
        }
    }
}

#[test]
fn rate_limit_does_not_dim_fresh_data() {
    for (keys, words) in [("", "2,431.55"), ("4", "8.28"), ("5", "sats"), ("jj<enter>", "Beta")] {
        let mut screen = opened(keys, 120, 35);
        screen.wait(Duration::from_secs(20));
        screen.fail_all(&LIMITED);
        let text = screen.text();
        assert!(text.contains("Rate-limited (429) · retrying in 30 s"), "{keys}\n{text}");
        let is_dim = |screen: &mut Screen| {
            let buf = screen.paint();
            let text = crate::support::screen::text(&buf);
            let found = text.lines().enumerate().skip(2).find_map(|(row, line)| Some((row, line.find(words)?, line)));
            let (row, at, line) = found.unwrap_or_else(|| panic!("no {words} in\n{text}"));
            let column = unicode_width::UnicodeWidthStr::width(&line[..at]);
            buf[(column as u16, row as u16)].modifier.contains(Modifier::DIM)
        };
        assert!(!is_dim(&mut screen), "{keys}: 20 s old");
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&LIMITED);
        assert!(is_dim(&mut screen), "{keys}: past its freshness");
    }
}

fn footer(screen: &mut Screen) -> String {
    screen.text().lines().last().unwrap().to_owned()
}

#[test]
fn footer_shows_only_working_keys() {
    let empty = |request: &Request| match response(request)? {
        ResponseData::Coins(_) => Some(ResponseData::Coins(Page { items: Vec::new(), total: Some(0) })),
        ResponseData::MarketPairs(_) => Some(ResponseData::MarketPairs(Page { items: Vec::new(), total: Some(0) })),
        ResponseData::Posts(_) => Some(ResponseData::Posts(Page { items: Vec::new(), total: Some(0) })),
        ResponseData::Brc20Tokens(_) => Some(ResponseData::Brc20Tokens(Page { items: Vec::new(), total: Some(0) })),
        other => Some(other),
    };
    let offers = |screen: &mut Screen, word: &str| footer(screen).contains(&format!(" {word}"));
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = Screen::new(columns, rows);
        for state in ["loading", "failing", "empty"] {
            match state {
                "failing" => screen.fail_all(&ErrorKind::Refused),
                "empty" => screen.serve(empty),
                _ => {}
            }
            for word in ["open", "sort", "watch"] {
                assert!(!offers(&mut screen, word), "{state}: {}", footer(&mut screen));
            }
            assert!(offers(&mut screen, "refresh") && offers(&mut screen, "help"), "{}", footer(&mut screen));
        }
        screen.keys("5");
        screen.fail_all(&ErrorKind::Refused);
        assert!(!offers(&mut screen, "open") && !offers(&mut screen, "sort"), "{}", footer(&mut screen));

        let mut screen = opened("", columns, rows);
        for word in ["open", "sort", "watch"] {
            assert!(offers(&mut screen, word), "{}", footer(&mut screen));
        }
        screen.keys("/zzzzqqq");
        screen.keys("<enter>");
        assert!(!offers(&mut screen, "open"), "{}", footer(&mut screen));

        let mut screen = opened("", columns, rows);
        screen.keys("jj<enter>");
        assert!(!offers(&mut screen, "cursor"), "no chart yet: {}", footer(&mut screen));
        screen.serve(empty);
        assert!(offers(&mut screen, "cursor"), "{}", footer(&mut screen));
        screen.keys("<tab><tab>");
        assert!(!offers(&mut screen, "read"), "{}", footer(&mut screen));
        screen.keys("<tab>");
        assert!(!offers(&mut screen, "sort"), "{}", footer(&mut screen));
    }
}

#[test]
fn status_shows_last_attempt_and_last_success() {
    let mut screen = opened("", 160, 45);
    screen.wait(Duration::from_mins(12));
    screen.fail_all(&ErrorKind::Status { status: 503, message: None, retry_after: None });
    screen.wait(Duration::from_mins(1));
    screen.keys("6");
    let text = screen.text();
    let line = text.lines().find(|line| line.contains("failing")).unwrap();
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(cells[1..4], ["failing", "1 m", "13 m"], "{text}");
    assert!(cells.contains(&"503") && !line.contains("200") && line.contains("Server error (503)"), "{text}");
    assert!(text.contains("Last try") && text.contains("Last OK"), "{text}");
}

#[test]
fn status_distinguishes_unneeded_requests_from_failing_ones() {
    let mut screen = Screen::new(160, 45);
    screen.fail_all(&ErrorKind::Refused);
    let mut expected = vec![(screen.wanted().remove(0), "failing")];
    screen.keys("2");
    expected.push((screen.wanted().remove(0), "failed"));
    screen.fail_all(&ErrorKind::Refused);
    screen.keys("3");
    expected.push((screen.wanted().remove(0), "not loaded"));
    screen.keys("6");
    let text = screen.text();
    for (request, state) in expected {
        let is_its = |line: &&str| line.trim_start().starts_with(&request.describe());
        let line = text.lines().find(is_its).unwrap_or_else(|| panic!("{request:?}\n{text}"));
        let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells[1], state, "{line}");
    }
}

#[test]
fn request_that_no_provider_serves_is_not_a_failure() {
    for (columns, rows) in [(160, 45), (200, 60)] {
        let mut screen = Screen::new(columns, rows);
        let without_posts = |request: &Request| response(request).filter(|_| !matches!(request, Request::Posts { .. }));
        screen.serve(without_posts);
        screen.keys("jj<enter>");
        screen.serve(without_posts);
        let message = "Posts need a provider: enable Bluesky";
        let kind =
            ErrorKind::Explained { status: 501, message: message.to_owned(), retry_after: None, must_wait: false };
        for request in screen.wanted() {
            if matches!(request, Request::Posts { .. }) {
                screen.fail(&request, kind.clone());
            }
        }
        let text = screen.text();
        assert!(text.contains(message) && !text.contains("retrying"), "{text}");
        assert!(!text.lines().next().unwrap().contains('×'), "{text}");
        screen.keys("6");
        let text = screen.text();
        assert!(text.contains("no provider") && text.contains("No errors"), "{text}");
        assert!(!text.contains("failing"), "{text}");
    }
}

#[test]
fn source_is_failing_until_a_request_succeeds() {
    let mut screen = Screen::new(120, 35);
    screen.fail_all(&ErrorKind::Refused);
    screen.keys("2");
    screen.start_all();
    let header = |screen: &mut Screen| screen.text().lines().next().unwrap_or_default().to_owned();
    assert!(header(&mut screen).contains('×'), "the new requests may hang, too: {}", header(&mut screen));
    screen.serve(response);
    assert!(header(&mut screen).contains('●'), "{}", header(&mut screen));
}
