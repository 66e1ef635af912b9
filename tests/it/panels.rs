//! Screens with several panels, driven by keys: token view, indexer, status tab.

use std::time::Duration;

use insta::assert_snapshot;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use satscope::app::screen::token::{MarketColumn, MarketSort};
use satscope::app::{ClickTarget, Message, Panel};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::Receipt;
use satscope::model::{MarketPair, Page, Period, Post, PostOrder, UtcTime};

use crate::support::indexer::{HOLDER, response};
use crate::support::screen::{START, Screen, fixture};

const SIZES: [(u16, u16); 3] = [(160, 45), (80, 24), (40, 12)];

/// The program with a fully loaded list.
fn ready(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(response);
    screen
}

/// A token view without its own data.
fn token(columns: u16, rows: u16) -> Screen {
    let mut screen = ready(columns, rows);
    screen.keys("jj<enter>");
    screen
}

/// The fully loaded indexer tab.
fn indexer(columns: u16, rows: u16) -> Screen {
    let mut screen = ready(columns, rows);
    screen.keys("5");
    screen.serve(response);
    screen
}

/// Column and row of `what` on the screen.
fn find(screen: &mut Screen, what: &str) -> (u16, u16) {
    let text = screen.text();
    let found = text.lines().enumerate().find_map(|(row, line)| Some((line.find(what)?, row, line)));
    let (at, row, line) = found.unwrap_or_else(|| panic!("no {what} in\n{text}"));
    (unicode_width::UnicodeWidthStr::width(&line[..at]) as u16, row as u16)
}

#[test]
fn token_view_in_every_state() {
    for (columns, rows) in SIZES {
        let mut screen = token(columns, rows);
        screen.start_all();
        assert_snapshot!(format!("token-loading-{columns}x{rows}"), screen.picture());
        screen.serve(response);
        assert_snapshot!(format!("token-ready-{columns}x{rows}"), screen.picture());
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        assert_snapshot!(format!("token-stale-{columns}x{rows}"), screen.picture());
        screen.keys("]");
        screen.fail_all(&ErrorKind::RateLimited { message: None, retry_after: None });
        assert_snapshot!(format!("token-failed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn old_price_among_newer_ones_is_dim_and_has_its_age() {
    let aged = |request: &Request, are_all_old: bool| {
        let mut found = response(request)?;
        if let ResponseData::Coins(page) = &mut found {
            for coin in &mut page.items {
                let is_old = are_all_old || coin.price == Some(8.41);
                coin.updated_at = Some(if is_old { START.minus(Duration::from_hours(3)) } else { START });
            }
        }
        Some(found)
    };
    let old = |request: &Request| aged(request, false);
    let mut screen = Screen::new(160, 45);
    screen.serve(old);
    let is_dim = |screen: &mut Screen, at| screen.paint().cell(at).unwrap().modifier.contains(Modifier::DIM);
    let (price, other) = (find(&mut screen, "8.41 "), find(&mut screen, "61,234"));
    assert!(is_dim(&mut screen, price) && !is_dim(&mut screen, other), "{}", screen.text());
    screen.keys("jj<enter>");
    screen.serve(old);
    let price = find(&mut screen, "$8.41 from 3 h ago");
    assert!(is_dim(&mut screen, price));
    // All are as old: the local clock is wrong, or the list is late and says so.
    let mut screen = Screen::new(160, 45);
    let all_old = |request: &Request| aged(request, true);
    screen.serve(all_old);
    let price = find(&mut screen, "8.41 ");
    assert!(!is_dim(&mut screen, price), "{}", screen.text());
    screen.keys("jj<enter>");
    screen.serve(all_old);
    let price = find(&mut screen, "$8.41");
    assert!(!is_dim(&mut screen, price) && !screen.text().contains("from 3 h ago"), "{}", screen.text());
}

#[test]
fn markets_say_how_many_of_them_are_listed() {
    for (total, title) in [(None, "Markets  3 "), (Some(2), "Markets  3 "), (Some(212), "Markets  3 of 212 ")] {
        let mut screen = token(160, 45);
        screen.serve(|request| {
            let mut found = response(request)?;
            if let ResponseData::MarketPairs(page) = &mut found {
                page.total = total;
            }
            Some(found)
        });
        assert!(screen.text().contains(title), "{title}\n{}", screen.text());
        assert_eq!(screen.text().contains("Markets  3 of"), total == Some(212), "{}", screen.text());
    }
}

#[test]
fn depth_of_a_market_has_two_blanks_before_it() {
    let service = |request: &Request| {
        let mut found = response(request)?;
        if let ResponseData::MarketPairs(page) = &mut found {
            page.items.iter_mut().for_each(|pair| pair.depth_minus_2pct = Some(30_886_200.0));
        }
        Some(found)
    };
    for (columns, rows, shown) in
        [(160, 45, "Share  Bid/ask depth"), (120, 35, "19.9%  30,886,200"), (80, 24, "Share  Bid/ask depth")]
    {
        let mut screen = token(columns, rows);
        screen.serve(service);
        if columns < 160 {
            screen.send(Message::Click(ClickTarget::Panel(Panel::Markets)));
            screen.keys("z");
        }
        assert!(screen.text().contains(shown), "{shown}\n{}", screen.text());
    }
}

#[test]
fn update_in_the_future_does_not_make_other_prices_old() {
    let aged = |request: &Request, ahead: &dyn Fn(bool) -> i64| {
        let mut found = response(request)?;
        if let ResponseData::Coins(page) = &mut found {
            for coin in &mut page.items {
                let minutes = ahead(coin.price == Some(8.41));
                coin.updated_at = Some(UtcTime::from_millis(START.millis() + minutes * 60_000));
            }
        }
        Some(found)
    };
    let is_dim = |screen: &mut Screen, at| screen.paint().cell(at).unwrap().modifier.contains(Modifier::DIM);
    // One coin has a local time without a zone.
    let service = |request: &Request| aged(request, &|is_ordi| if is_ordi { 8 * 60 } else { -1 });
    let mut screen = Screen::new(160, 45);
    screen.serve(service);
    for price in ["8.41 ", "61,234"] {
        let at = find(&mut screen, price);
        assert!(!is_dim(&mut screen, at), "{price}\n{}", screen.text());
    }
    screen.keys("<enter>");
    screen.serve(service);
    assert!(!screen.text().contains("from 8 h ago"), "{}", screen.text());
    // All coins have such times; one is old among them.
    let service = |request: &Request| aged(request, &|is_ordi| if is_ordi { 5 * 60 } else { 8 * 60 });
    let mut screen = Screen::new(160, 45);
    screen.serve(service);
    let (old, other) = (find(&mut screen, "8.41 "), find(&mut screen, "61,234"));
    assert!(is_dim(&mut screen, old) && !is_dim(&mut screen, other), "{}", screen.text());
}

#[test]
fn token_view_dims_stale_list_data() {
    let mut screen = token(160, 45);
    screen.serve(response);
    let (price, about) = (find(&mut screen, "$8.41"), find(&mut screen, "coin2.example"));
    let is_dim = |screen: &mut Screen, at| screen.paint().cell(at).unwrap().modifier.contains(Modifier::DIM);
    assert!(!is_dim(&mut screen, price) && !is_dim(&mut screen, about));
    screen.wait(Duration::from_mins(12));
    screen.fail_all(&ErrorKind::Resolve);
    assert!(is_dim(&mut screen, price) && is_dim(&mut screen, about));
    let age = find(&mut screen, "12 m old");
    assert!(!is_dim(&mut screen, age), "a failing source isn't dim");
    for request in screen.wanted() {
        screen.answer(&request, response(&request).unwrap());
    }
    assert!(!is_dim(&mut screen, price) && !is_dim(&mut screen, about));
}

#[test]
fn token_view_without_data_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = token(columns, rows);
        screen.serve(|request| match response(request)? {
            ResponseData::Posts(_) => Some(ResponseData::Posts(Page { items: Vec::new(), total: Some(0) })),
            ResponseData::MarketPairs(_) => Some(ResponseData::MarketPairs(Page { items: Vec::new(), total: Some(0) })),
            ResponseData::Chart(mut chart) => {
                chart.points.clear();
                Some(ResponseData::Chart(chart))
            }
            other => Some(other),
        });
        assert_snapshot!(format!("token-empty-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn zoomed_token_panels_match_snapshots() {
    for (columns, rows) in [(80, 24), (40, 12)] {
        let mut screen = token(columns, rows);
        screen.keys("z");
        for name in ["chart", "about", "posts", "markets"] {
            screen.serve(response);
            assert_snapshot!(format!("token-zoomed-{name}-{columns}x{rows}"), screen.picture());
            screen.keys("<tab>");
        }
    }
}

#[test]
fn chart_title_shows_time_and_price_at_the_cursor() {
    for (columns, rows) in SIZES {
        let mut screen = token(columns, rows);
        screen.serve(response);
        screen.keys("<left><left>hh");
        let title = screen.text().lines().nth(2).unwrap().to_owned();
        // Where there is room, the price is in a line below the title.
        let below = screen.text().lines().nth(3).unwrap().to_owned();
        let has_price = title.contains(" · 7.") || below.contains(" 7.");
        assert!(title.contains("[7D]") && title.contains("Nov ") && has_price, "{title}\n{below}");
        assert_snapshot!(format!("token-cursor-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn sensitive_post_is_one_line_until_opened() {
    let posts = |request: &Request| match response(request)? {
        ResponseData::Posts(mut page) => {
            let words = ["CW: slurs\n\nfirst words of it", "second words of it", "third words of it"];
            for ((post, sensitive), text) in page.items.iter_mut().zip([Some(true), Some(true), None]).zip(words) {
                *post = Post { text: text.to_owned(), sensitive, network: Some("Mastodon".into()), ..post.clone() };
            }
            Some(ResponseData::Posts(page))
        }
        other => Some(other),
    };
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = token(columns, rows);
        screen.keys("<tab><tab>z");
        screen.serve(posts);
        let text = screen.text();
        assert!(!text.contains("first words") && !text.contains("second words"), "{text}");
        assert!(text.contains("satmaxi · Mastodon · 2 h · CW: slurs"), "{text}");
        assert!(text.contains("链上观察 · Mastodon · 1 d · sensitive"), "{text}");
        assert!(text.contains("third words"), "{text}");
        screen.keys("j<enter>");
        let text = screen.text();
        assert!(text.contains("second words") && text.contains("Mastodon   "), "{text}");
        screen.keys("<esc>");
        let text = screen.text();
        assert!(!text.contains("first words") && text.contains("second words"), "{text}");
        assert!(text.contains("链上观察 · Mastodon · 1 d · ♥ 1,204"), "{text}");
    }
}

#[test]
fn price_and_24h_change_are_visible_at_any_width() {
    for columns in 22..=160 {
        let mut screen = token(columns, 24);
        screen.serve(response);
        let line = screen.text().lines().nth(1).unwrap().to_owned();
        assert!(line.contains("$8.41") && line.contains("▼ 3.8% 24h"), "{columns}: {line}");
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Incomplete);
        let line = screen.text().lines().nth(1).unwrap().to_owned();
        assert!(line.contains("$8.41") && line.contains("▼ 3.8% 24h"), "{columns}: {line}");
        assert!(columns < 40 || line.contains("12 m old"), "{columns}: {line}");
    }
}

#[test]
fn token_panels_show_content_at_80x24() {
    let mut screen = token(80, 24);
    screen.serve(response);
    let text = screen.text();
    for what in ["7D", "supply", "satmaxi", "Alpha", "ORDI/USDT", "12.2M"] {
        assert!(text.contains(what), "{what} in\n{text}");
    }
}

#[test]
fn clicks_in_token_view_choose_period_panel_and_row() {
    let mut screen = token(160, 45);
    screen.serve(response);
    let (x, y) = find(&mut screen, "1M 3M");
    screen.click(x + 1, y);
    assert_eq!(screen.state.token.as_ref().unwrap().period, Period::Month);
    screen.serve(response);
    let (x, y) = find(&mut screen, "1D 7D");
    screen.click(x, y);
    assert_eq!(screen.state.token.as_ref().unwrap().period, Period::Day);
    screen.serve(response);
    screen.paint();
    screen.click(30, 8);
    let token = screen.state.token.as_ref().unwrap();
    assert!(token.chart_cursor.is_some() && token.focus == Panel::Chart);
    let (x, y) = find(&mut screen, "Gamma");
    screen.click(x, y);
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.focus, token.markets.index()), (Panel::Markets, 2));
    let (x, y) = find(&mut screen, "Exchange");
    screen.click(x, y);
    assert_eq!(screen.state.token.as_ref().unwrap().market_sort, MarketSort::from(MarketColumn::Exchange));
    let (x, y) = find(&mut screen, "About");
    screen.click(x, y + 1);
    assert_eq!(screen.state.token.as_ref().unwrap().focus, Panel::About);
    let (x, y) = find(&mut screen, "satmaxi");
    screen.click(x, y + 1);
    assert_eq!(screen.state.token.as_ref().unwrap().focus, Panel::Posts);
    assert!(matches!(screen.view_state.hit(x, y), Some(ClickTarget::Row(Some(Panel::Posts), 0))));
}

#[test]
fn click_on_an_order_of_posts_shows_it() {
    let mut screen = token(160, 45);
    screen.serve(response);
    for (order, choices, at, chosen) in
        [(PostOrder::Latest, "[Top] Latest", 6, "Top [Latest]"), (PostOrder::Top, "Top [Latest]", 0, "[Top] Latest")]
    {
        let (x, y) = find(&mut screen, choices);
        screen.click(x + at, y);
        let token = screen.state.token.as_ref().unwrap();
        assert_eq!((token.order, token.focus), (order, Panel::Posts));
        screen.serve(response);
        assert!(screen.text().contains(chosen), "{}", screen.text());
    }
}

#[test]
fn hidden_periods_are_not_clickable() {
    let mut screen = token(18, 24);
    screen.serve(response);
    let (x, y) = find(&mut screen, "[7D]");
    assert_eq!(screen.view_state.hit(x + 1, y), Some(ClickTarget::Period(Period::Week)));
    let hits = (0..18).filter(|&x| matches!(screen.view_state.hit(x, y), Some(ClickTarget::Period(Period::Day))));
    assert_eq!(hits.count(), 0);
}

#[test]
fn indexer_in_every_state() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("5");
        screen.start_all();
        assert_snapshot!(format!("indexer-loading-{columns}x{rows}"), screen.picture());
        screen.serve(response);
        screen.keys("jjj");
        screen.wait(Duration::from_secs(1));
        screen.serve(response);
        assert_snapshot!(format!("indexer-ready-{columns}x{rows}"), screen.picture());
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        assert_snapshot!(format!("indexer-stale-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn failed_indexer_matches_snapshots() {
    for (columns, rows) in SIZES {
        let mut screen = ready(columns, rows);
        screen.keys("5");
        screen.fail_all(&ErrorKind::Refused);
        assert_snapshot!(format!("indexer-failed-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn narrow_indexer_panels_match_snapshots() {
    let mut screen = indexer(40, 12);
    for name in ["details", "holders", "activity"] {
        screen.keys("<tab>");
        screen.serve(response);
        assert_snapshot!(format!("indexer-{name}-40x12"), screen.picture());
    }
    let mut screen = indexer(80, 24);
    screen.keys("<tab><tab><tab>");
    screen.serve(response);
    assert_snapshot!("indexer-activity-80x24", screen.picture());
}

#[test]
fn indexer_subjects_match_snapshots() {
    for (name, typed) in [
        ("address", HOLDER),
        ("sat", "sat 0"),
        ("sat-plain", "sat 1234567890123"),
        ("block", "block 840000"),
        ("block-empty", "block 1"),
        ("inscription", "inscription 69999995"),
    ] {
        for (columns, rows) in [(160, 45), (80, 24)] {
            let mut screen = indexer(columns, rows);
            screen.keys(&format!(":{typed}<enter>"));
            screen.serve(response);
            assert_snapshot!(format!("indexer-{name}-{columns}x{rows}"), screen.picture());
        }
    }
}

#[test]
fn failed_content_shows_reason_and_retry() {
    let mut screen = indexer(160, 45);
    screen.keys(":inscription 69999995<enter>");
    let is_content = |request: &Request| matches!(request, Request::InscriptionContent { .. });
    screen.serve(|request| match response(request)? {
        ResponseData::Inscription(mut inscription) => {
            inscription.content_type = Some("text/plain".into());
            inscription.content_length = Some(59);
            Some(ResponseData::Inscription(inscription))
        }
        _ if is_content(request) => None,
        other => Some(other),
    });
    let request = screen.wanted().into_iter().find(is_content).unwrap();
    screen.fail(&request, ErrorKind::Refused);
    let text = screen.text();
    assert!(text.contains("› inscription #69,999,995"), "as in the lists: {text}");
    assert!(text.contains("text         Can't reach coins.example (connection refused) · retrying in 30 s"), "{text}");
}

#[test]
fn future_block_differs_from_block_without_activity() {
    let mut screen = indexer(160, 45);
    let mut look_up = |typed: &str, keys: &str| {
        screen.keys(&format!("{keys}:{typed}<enter>"));
        screen.serve(response);
        screen.text()
    };
    // Without a known block height, the screen doesn't show one.
    assert!(look_up("block 3000000", "").contains("No BRC-20 activity in this block"));
    assert!(look_up("block 999999999", "").contains("Block height too large"));
    let stats = look_up("inscriptions per block", "");
    assert!(stats.contains("840,000"), "{stats}");
    assert!(look_up("block 3000000", "").contains("No such block yet (latest known: 840,000)"));
    assert!(look_up("block 1", "").contains("No BRC-20 activity in this block"));
}

#[test]
fn lookup_subject_is_named_at_any_width() {
    for columns in 40..=160 {
        let mut screen = indexer(columns, 24);
        screen.keys(&format!(":{HOLDER}<enter>"));
        screen.serve(response);
        let line = screen.text().lines().nth(1).unwrap().to_owned();
        assert!(line.contains("› address bc1q"), "{columns}: {line}");
    }
}

#[test]
fn inscription_statistics_and_filter_match_snapshots() {
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = indexer(columns, rows);
        screen.keys("b");
        screen.serve(response);
        assert_snapshot!(format!("indexer-stats-{columns}x{rows}"), screen.picture());
        screen.keys("<esc>/ra");
        screen.serve(response);
        assert_snapshot!(format!("indexer-filter-{columns}x{rows}"), screen.picture());
        screen.keys("tz");
        screen.serve(response);
        assert_snapshot!(format!("indexer-filter-nothing-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn blocks_with_an_unknown_number_of_inscriptions_are_left_out() {
    let mut screen = indexer(160, 45);
    screen.keys("b");
    screen.serve(|request| match response(request)? {
        ResponseData::InscriptionStats(mut page) => {
            page.items.truncate(4);
            page.items[1].inscriptions = None;
            // Their sum is larger than any number.
            page.items[2].inscriptions = Some(u64::MAX);
            Some(ResponseData::InscriptionStats(page))
        }
        other => Some(other),
    });
    let text = screen.text();
    assert!(text.contains("18,446,744,073,709,551,615 in 3 blocks"), "{text}");
}

#[test]
fn clicks_in_indexer_select_rows_and_focus_panels() {
    let mut screen = indexer(160, 45);
    let (x, y) = find(&mut screen, "rats");
    screen.click(x, y);
    assert_eq!((screen.state.indexer.focus, screen.state.indexer.tokens.cursor.index()), (Panel::Tokens, 2));
    screen.wait(Duration::from_secs(1));
    screen.serve(response);
    let (x, y) = find(&mut screen, "Activity");
    screen.click(x, y);
    assert_eq!(screen.state.indexer.focus, Panel::Activity);
    let (x, y) = find(&mut screen, "Address");
    screen.click(x, y + 2);
    assert_eq!(screen.state.indexer.focus, Panel::Holders);
}

#[test]
fn status_in_every_state() {
    for (columns, rows) in SIZES {
        let mut screen = token(columns, rows);
        screen.keys("6");
        assert_snapshot!(format!("status-loading-{columns}x{rows}"), screen.picture());
        screen.keys("1<enter>");
        screen.serve(fixture::response);
        screen.wait(Duration::from_secs(45));
        screen.keys("6");
        assert_snapshot!(format!("status-ready-{columns}x{rows}"), screen.picture());
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        let unknown = Request::Sat { number: satscope::model::SatNumber::new(7).unwrap() };
        assert!(screen.state.responses.get(&unknown).entry.is_none());
        assert_snapshot!(format!("status-failing-{columns}x{rows}"), screen.picture());
    }
}

#[test]
fn status_names_resources_in_full_at_100_columns() {
    let mut screen = token(100, 30);
    screen.serve(fixture::response);
    screen.keys("6");
    for label in ["Block height and fees", "Top posts about ORDI", "From"] {
        assert!(screen.text().contains(label), "{label}: {}", screen.text());
    }
}

#[test]
fn status_names_long_resources_in_full_at_80_columns() {
    let mut screen = indexer(80, 24);
    screen.keys(":inscription 69999995<enter>");
    screen.serve(response);
    screen.keys("6");
    let text = screen.text();
    let labels: Vec<String> =
        screen.state.responses.all().into_iter().map(|(request, _)| screen.state.request_label(request)).collect();
    let lengths = labels.iter().map(|label| label.chars().count());
    assert!(lengths.clone().any(|length| (22..=29).contains(&length)), "{labels:?}");
    for (label, length) in labels.iter().zip(lengths) {
        assert!(length > 29 || text.contains(label.as_str()), "{label}: {text}");
    }
    assert!(text.contains("Status"), "{text}");
}

#[test]
fn status_scrolls_to_its_end_and_back() {
    let mut screen = token(60, 12);
    screen.serve(response);
    for _ in 0..6 {
        screen.fail_all(&ErrorKind::RateLimited { message: None, retry_after: None });
        screen.wait(Duration::from_mins(1));
    }
    screen.keys("6");
    let top = screen.text();
    screen.keys("<end>");
    let end = screen.text();
    assert_ne!(top, end);
    screen.keys("<down><pgdn>");
    assert_eq!(screen.text(), end);
    screen.keys("<up>");
    assert_ne!(screen.text(), end, "the first key back moves it");
    screen.keys("<home>");
    assert_eq!(screen.text(), top);
}

#[test]
fn shared_failure_is_shown_in_the_first_panel() {
    let mut screen = indexer(160, 45);
    screen.keys(":address bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4<enter>");
    let lists = |request: &&Request| matches!(request, Request::Brc20Tokens { .. } | Request::Coins { .. });
    for request in screen.wanted().iter().filter(|request| !lists(request)) {
        screen.fail(request, ErrorKind::Refused);
    }
    let text = screen.text();
    assert_eq!(text.matches("Can't reach coins.example (connection refused)").count(), 1, "{text}");
    assert_eq!(text.matches("Can't load").count(), 1, "{text}");
}

#[test]
fn retry_of_a_panel_is_not_wrapped_within_its_time() {
    let mut screen = token(80, 24);
    screen.fail_all(&ErrorKind::Refused);
    let text = screen.text();
    let line = text.lines().find(|line| line.contains("Can't load posts")).unwrap_or_else(|| panic!("{text}"));
    assert!(line.contains("Can't load markets") && line.matches(" in 30 s").count() == 2, "{text}");
}

#[test]
fn footer_names_esc_when_it_goes_back() {
    for (columns, rows) in SIZES {
        let mut screen = token(columns, rows);
        assert!(screen.text().contains("Esc back"), "{}", screen.text());
        screen.keys("<esc>");
        assert!(!screen.text().contains("Esc"), "{}", screen.text());
    }
    let mut screen = indexer(80, 24);
    let foot = |screen: &mut Screen| screen.text().lines().last().unwrap().to_owned();
    assert!(!foot(&mut screen).contains("Esc"), "{}", foot(&mut screen));
    for (keys, words) in [("<enter>", "Esc tokens"), ("z", "Esc all panels"), ("<esc><esc>/o<enter>", "Esc all tokens")]
    {
        screen.keys(keys);
        screen.serve(response);
        assert!(foot(&mut screen).contains(words), "{words}: {}", foot(&mut screen));
    }
    screen.keys("<esc>");
    assert!(!foot(&mut screen).contains("Esc"), "{}", foot(&mut screen));
}

/// How often the text has the reason of [`ErrorKind::Resolve`] in any form.
fn resolve_errors(text: &str) -> usize {
    ["Can't resolve", "can't resolve", "DNS error"].map(|form| text.matches(form).count()).iter().sum()
}

#[test]
fn stale_token_shows_reason_once() {
    for (columns, rows) in SIZES {
        let mut screen = token(columns, rows);
        screen.serve(response);
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        let text = screen.text();
        assert_eq!(resolve_errors(&text), 1, "{text}");
        // On the smallest screen the summary line says the age of the only panel, which says the reason.
        let ages = if columns == 40 { 1 } else { 4 };
        assert_eq!(text.matches("12 m old").count(), ages, "every panel says how old it is: {text}");
    }
}

#[test]
fn stale_token_is_not_updated_now() {
    let mut screen = token(160, 45);
    screen.serve(response);
    for request in screen.wanted() {
        let Some(ResponseData::Coins(mut page)) = response(&request) else { continue };
        page.items.iter_mut().for_each(|coin| coin.updated_at = Some(START));
        let fresh_until = START.plus(Duration::from_secs(10));
        screen.answer_as(&request, ResponseData::Coins(page), |receipt| Receipt { fresh_until, ..receipt });
    }
    screen.wait(Duration::from_secs(5));
    assert!(screen.text().contains("updated   now"), "{}", screen.text());
    screen.wait(Duration::from_secs(20));
    screen.fail_all(&ErrorKind::Resolve);
    let text = screen.text();
    assert!(text.contains("<1 m old · Can't resolve"), "{text}");
    assert!(text.contains("updated   <1 m ago") && !text.contains("updated   now"), "{text}");
}

#[test]
fn smallest_screen_shows_age_and_reason_with_each_token_panel() {
    let mut screen = token(40, 12);
    screen.keys("z");
    for panel in ["Chart", "About", "Posts", "Markets"] {
        screen.serve(response);
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        let text = screen.text();
        assert!(text.contains("$8.41") && text.contains(panel), "{text}");
        assert!(text.contains(" m old"), "{text}");
        assert_eq!(resolve_errors(&text), 1, "{text}");
        screen.keys("<tab>");
    }
}

#[test]
fn stale_indexer_shows_reason_once() {
    for (columns, rows, panels) in [(160, 45, 5), (80, 24, 3), (40, 12, 1)] {
        let mut screen = indexer(columns, rows);
        screen.wait(Duration::from_mins(12));
        screen.fail_all(&ErrorKind::Resolve);
        let text = screen.text();
        assert_eq!(resolve_errors(&text), 1, "{text}");
        assert_eq!(text.matches("12 m old").count(), panels, "every panel says how old it is: {text}");
    }
}

#[test]
fn footer_shows_keys_of_focused_panel() {
    let mut screen = token(160, 45);
    screen.serve(response);
    for (has, words, others) in [
        ("the chart", &["↵ zoom", "[] period", "←→ cursor"][..], &["sort", "top/latest"][..]),
        ("loaded", &[], &["period", "cursor", "sort", "top/latest"]),
        ("posts", &["↵ read", "p top/latest"], &["period", "cursor", "sort"]),
        ("markets", &["s sort"], &["period", "cursor", "top/latest"]),
    ] {
        let text = screen.text();
        let foot = text.lines().last().unwrap();
        for word in words.iter().chain(&["Esc back", "f watch", "? help"]) {
            assert!(foot.contains(word), "{has}: {word} in {foot}");
        }
        assert!(others.iter().all(|word| !foot.contains(word)), "{has}: {foot}");
        screen.keys("<tab>");
    }
}

#[test]
fn footer_of_indexer_shows_what_works_in_the_focused_panel() {
    let mut screen = indexer(160, 45);
    let foot = |screen: &mut Screen| screen.text().lines().last().unwrap().to_owned();
    assert!(["/ filter", "s sort", "r refresh", "open"].iter().all(|word| foot(&mut screen).contains(word)));
    for panel in ["details", "holders", "activity"] {
        screen.keys("<tab>");
        screen.serve(response);
        let foot = foot(&mut screen);
        assert!(
            ["Esc tokens", "↵ open", "r refresh", "? help"].iter().all(|word| foot.contains(word)),
            "{panel}: {foot}"
        );
        assert!(["filter", "sort"].iter().all(|word| !foot.contains(word)), "{panel}: {foot}");
    }
    // Nothing can be opened from the statistics, nor from a panel without rows.
    screen.keys("b");
    screen.serve(response);
    assert!(!foot(&mut screen).contains("open") && foot(&mut screen).contains("r refresh"), "{}", foot(&mut screen));
    screen.keys(":block 840001<enter>");
    assert!(!foot(&mut screen).contains("open"), "{}", foot(&mut screen));
}

#[test]
fn markets_fit_their_marks_and_ascii() {
    let mut screen = token(120, 35);
    screen.serve(response);
    assert!(screen.text().contains(" outlier"), "{}", screen.text());
    screen.resize(160, 45);
    assert!(screen.text().contains("±2% depth"), "{}", screen.text());
    screen.appearance.glyphs = satscope::glyphs::Glyphs::Ascii;
    assert!(screen.text().contains("+/-2% depth"), "{}", screen.text());
}

#[test]
fn names_of_exchanges_are_cut_only_after_the_depth_is_dropped() {
    let long = "Meridian Exchange";
    let named = |request: &Request| match response(request)? {
        ResponseData::MarketPairs(mut page) => {
            page.items[0].exchange = Some(long.into());
            Some(ResponseData::MarketPairs(page))
        }
        other => Some(other),
    };
    let mut cut = 0;
    for columns in (40..=200).step_by(3) {
        let mut screen = token(columns, 45);
        screen.serve(named);
        screen.keys("<backtab>");
        let text = screen.text();
        if text.contains("Markets") && !text.contains(long) {
            cut += 1;
            assert!(!text.contains("depth"), "{columns}\n{text}");
        }
    }
    assert!(cut > 0, "a narrow panel has no room for it");
}

#[test]
fn markets_show_category_and_position() {
    let mut screen = token(160, 45);
    screen.serve(|request| {
        let mut response = response(request)?;
        if let ResponseData::MarketPairs(page) = &mut response {
            page.total = Some(212);
            page.items[0].category = Some("Perpetual".into());
            page.items[1].category = Some("derivatives".into());
        }
        Some(response)
    });
    let text = screen.text();
    assert!(
        text.contains("ORDI/USDT perp ") && text.contains("ORDI/USDT deriv ") && text.contains("outlier"),
        "{text}"
    );
    assert!(!text.contains("row 1 of"), "the chart has the keys");
    screen.keys("<tab><tab><tab><down>");
    assert!(screen.text().contains("row 2 of 212"), "{}", screen.text());
    for (columns, rows) in [(160, 45), (80, 24)] {
        screen.resize(columns, rows);
        screen.keys("z");
        let text = screen.text();
        assert!(text.contains("row 2 of 212") && text.contains(" perp ") && text.contains("outlier"), "{text}");
        screen.keys("z");
    }
    assert!(screen.text().contains(" ORDI/USDT "), "a mark without room never cuts the pair:\n{}", screen.text());
}

#[test]
fn supply_bar_is_labelled_and_24h_range_has_ends() {
    let mut screen = Screen::new(160, 45);
    screen.serve(|request| {
        let mut response = response(request)?;
        if let ResponseData::Coins(page) = &mut response {
            let coin = &mut page.items[0];
            coin.circulating_supply = 19_950_000.0.into();
            coin.total_supply = 20_700_000.0.into();
            coin.max_supply = 21_000_000.0.into();
            (coin.low_24h, coin.price, coin.high_24h) = (60_123.45.into(), 61_234.5.into(), 62_901.1.into());
        }
        Some(response)
    });
    screen.keys("<enter>");
    let text = screen.text();
    assert!(text.contains(" 95.0% of max supply") && text.contains("60,123.45 ─"), "{text}");
    for (columns, rows) in [(160, 45), (80, 24)] {
        screen.resize(columns, rows);
        let text = screen.text();
        assert!(text.contains(" 95.0%") && text.contains("M of 21.0M") && text.contains("total 20.7M"), "{text}");
    }
    assert!(screen.text().contains("60.12k – 62.91k"), "{}", screen.text());
}

#[test]
fn ranges_of_a_coin_have_the_same_digits() {
    let mut screen = Screen::new(160, 45);
    screen.serve(|request| {
        let mut response = response(request)?;
        if let ResponseData::Coins(page) = &mut response {
            let coin = &mut page.items[0];
            (coin.low_24h, coin.price, coin.high_24h) = (4_109.12.into(), 4_276.5.into(), 4_292.34.into());
            (coin.all_time_low, coin.all_time_high) = (828.48.into(), 11_020.0.into());
        }
        Some(response)
    });
    screen.keys("<enter>");
    let text = screen.text();
    assert!(text.contains("4,109.12 ─") && text.contains(" 828.48 – 11,020.00"), "{text}");
    screen.resize(80, 24);
    let text = screen.text();
    assert!(text.contains("4.109k – 4.293k") && text.contains(" 828.4 – 11.02k"), "{text}");
}

#[test]
fn total_supply_is_shown_if_it_differs_from_the_others() {
    let has_total = |total: f64| {
        let mut screen = Screen::new(160, 45);
        screen.serve(|request| {
            let mut response = response(request)?;
            if let ResponseData::Coins(page) = &mut response {
                let coin = &mut page.items[0];
                coin.circulating_supply = Some(20e6);
                (coin.total_supply, coin.max_supply) = (Some(total), Some(21e6));
            }
            Some(response)
        });
        screen.keys("<enter>");
        let text = screen.text();
        assert!(text.contains("20.0M of 21.0M"), "{text}");
        text.contains("total ")
    };
    assert_eq!([20.001e6, 20.5e6, 21e6].map(has_total), [false, true, false]);
}

#[test]
fn fully_diluted_valuation_is_shown_if_it_exceeds_the_market_cap() {
    let valuation = |market_cap: Option<f64>, max_supply: Option<f64>| {
        let mut screen = Screen::new(160, 45);
        screen.serve(|request| {
            let mut response = response(request)?;
            if let ResponseData::Coins(page) = &mut response {
                let coin = &mut page.items[0];
                (coin.price, coin.market_cap) = (Some(2.0), market_cap);
                (coin.total_supply, coin.max_supply) = (Some(50e6), max_supply);
            }
            Some(response)
        });
        screen.keys("<enter>");
        screen.text().lines().find_map(|line| Some(line.split_once("FDV")?.1.trim().to_owned()))
    };
    assert_eq!(valuation(Some(60e6), Some(100e6)).as_deref(), Some("200.0M"));
    assert_eq!(valuation(None, None).as_deref(), Some("100.0M"), "of the total supply");
    assert_eq!(valuation(Some(199e6), Some(100e6)), None, "nearly the market cap");
}

#[test]
fn selected_stale_row_stays_dim_and_keeps_colours() {
    let mut screen = ready(160, 45);
    screen.keys("jj");
    screen.wait(Duration::from_mins(12));
    screen.fail_all(&ErrorKind::Resolve);
    let row = find(&mut screen, "ORDI ").1;
    let buf = screen.paint();
    let cells: Vec<_> = (0..160).map(|x| buf.cell((x, row)).unwrap()).filter(|cell| cell.symbol() != " ").collect();
    // Dim text without a colour has its own shade on the bar.
    let is_dim = |cell: &&Cell| cell.modifier.contains(Modifier::DIM) || cell.fg == Color::Indexed(250);
    assert!(cells.iter().all(is_dim), "{cells:?}");
    let colour_of = |sign: &str| cells.iter().find(|cell| cell.symbol() == sign).map(|cell| cell.fg);
    let (gain, loss, text) = (colour_of("▲"), colour_of("▼"), colour_of("O"));
    assert!(gain.is_some() && loss.is_some() && gain != loss && gain != text && loss != text);
}

#[test]
fn list_summary_names_number_of_loaded_coins() {
    let mut screen = ready(160, 45);
    let line = screen.text().lines().nth(1).unwrap().to_owned();
    assert!(line.contains("250 coins   first 100: cap $"), "{line}");
    screen.keys("<end>");
    screen.serve(response);
    let line = screen.text().lines().nth(1).unwrap().to_owned();
    assert!(line.contains("250 coins   cap $"), "{line}");
}

#[test]
fn markets_name_bid_and_ask_depth_and_the_currency() {
    let mut screen = token(160, 45);
    screen.serve(response);
    let text = screen.text();
    assert!(text.contains("Bid/ask depth") && text.contains("in USD · ±2% depth"), "{text}");
    screen.keys("<backtab>z");
    let text = screen.text();
    assert!(text.contains("Bid depth") && text.contains("Ask depth"), "{text}");
}

#[test]
fn zoomed_markets_use_the_width() {
    for columns in [120, 160] {
        let mut screen = token(columns, 45);
        screen.serve(response);
        screen.keys("<backtab>z");
        let text = screen.text();
        for words in ["12,200,000", "8,900,000", "400,000", "79,000", "81,000", "19.9%", "Updated", "now"] {
            assert!(text.contains(words), "{columns}: {words} is missing in\n{text}");
        }
        let head = text.lines().find(|line| line.contains("Exchange")).unwrap();
        assert!(head.trim_end().chars().count() > usize::from(columns) * 9 / 10, "{columns}:\n{text}");
    }
    // What no market has takes no room.
    let mut screen = token(160, 45);
    screen.serve(|request| match response(request)? {
        ResponseData::MarketPairs(mut page) => {
            for pair in &mut page.items {
                *pair = MarketPair { updated_at: None, depth_plus_2pct: None, depth_minus_2pct: None, ..pair.clone() };
            }
            Some(ResponseData::MarketPairs(page))
        }
        other => Some(other),
    });
    screen.keys("<backtab>z");
    let text = screen.text();
    assert!(!text.contains("Updated") && !text.contains("depth") && text.contains("12,200,000"), "{text}");
}

#[test]
fn markets_of_a_long_symbol_show_their_quotes() {
    let long = |request: &Request| match response(request)? {
        ResponseData::MarketPairs(mut page) => {
            for (pair, quote) in page.items.iter_mut().zip(["USDT", "USDC", "USD"]) {
                pair.pair = format!("THEMOSTANNOYINGCOINOFALL/{quote}").into();
            }
            Some(ResponseData::MarketPairs(page))
        }
        other => Some(other),
    };
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = token(columns, rows);
        screen.serve(long);
        screen.keys("<backtab>z");
        let text = screen.text();
        for quote in ["…/USDT ", "…/USDC ", "…/USD "] {
            assert!(text.contains(quote), "{columns}: {quote} is missing in\n{text}");
        }
    }
}

#[test]
fn zoomed_posts_leave_no_blank_lines() {
    let mut screen = token(160, 45);
    screen.serve(response);
    screen.keys("<tab><tab>z");
    let text = screen.text();
    let rows: Vec<&str> = text.lines().skip(3).take_while(|line| !line.trim().is_empty()).collect();
    assert!(rows.len() > 4 && rows.iter().all(|row| !row.trim().is_empty()), "{text}");
    assert!(
        text.lines()
            .skip(3)
            .skip(rows.len())
            .take_while(|line| !line.contains("Esc"))
            .all(|line| line.trim().is_empty()),
        "{text}"
    );
}

#[test]
fn dialogs_do_not_truncate_numbers() {
    for columns in 60..=160 {
        let mut screen = ready(columns, 35);
        let numbers = |screen: &mut Screen| -> Vec<Vec<String>> {
            let text = screen.text();
            let word = |word: &str| word.chars().any(|c| c.is_ascii_digit()).then(|| word.to_owned());
            text.lines()
                .map(|line| line.split([' ', '│', '┌', '┐', '└', '┘', '─']).filter_map(word).collect())
                .collect()
        };
        let before = numbers(&mut screen);
        let list = screen.text();
        screen.keys("c");
        assert_ne!(screen.text(), list, "the dialog is open");
        assert!(numbers(&mut screen).concat().len() > 50, "{}", screen.text());
        for (row, words) in numbers(&mut screen).into_iter().enumerate().skip(1) {
            for word in words {
                assert!(before[row].contains(&word), "{columns}: {word} in\n{}", screen.text());
            }
        }
    }
}

#[test]
fn scrollbar_does_not_cover_digits_of_a_post() {
    let mut checked = 0;
    for columns in 20..110 {
        let mut screen = token(columns, 9);
        screen.serve(response);
        screen.keys("<tab><tab>z");
        screen.serve(response);
        let text = screen.text();
        for line in text.lines().filter(|line| line.contains('♥')) {
            let counts = line.split_once('♥').unwrap().1;
            let counts: Vec<&str> = counts.split([' ', '↩', '⇄', '▐']).filter(|word| !word.is_empty()).collect();
            let known = ["37", "4", "1", "1,204", "88"];
            assert!(counts.iter().all(|count| known.contains(count)), "{columns}: {line}");
            checked += 1;
        }
    }
    assert!(checked >= 90, "{checked} lines with counts");
}
