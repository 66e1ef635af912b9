//! Changing the currency: old prices stay, labelled with their currency, until the new ones arrive.

use satscope::app::Preferences;
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{Currency, Page, Tag};

use crate::support::indexer::response;
use crate::support::screen::Screen;

const SIZES: [(u16, u16); 4] = [(160, 45), (120, 35), (80, 24), (40, 12)];

/// The fully loaded list.
fn list(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(response);
    screen
}

/// The first line below the header that contains the text.
fn line(screen: &mut Screen, words: &str) -> String {
    let text = screen.text();
    let line = text.lines().skip(1).find(|line| line.contains(words));
    line.unwrap_or_else(|| panic!("no {words} in\n{text}")).to_owned()
}

#[test]
fn list_keeps_old_prices_labelled_until_new_ones_arrive() {
    for (columns, rows) in SIZES {
        let mut screen = list(columns, rows);
        let before = line(&mut screen, "Bitcoin ");
        screen.keys("ceur<enter>");
        for _ in 0..2 {
            assert_eq!(line(&mut screen, "Bitcoin "), before, "names, ranks, percentages and trends stay");
            assert!(line(&mut screen, "Coin").contains("Price USD"), "{}", screen.text());
            // Still so while the source is down.
            screen.fail_all(&ErrorKind::Refused);
        }
        screen.serve(response);
        let text = screen.text();
        assert!(text.contains("EUR") && !text.contains("USD") && text.contains("Bitcoin"), "{text}");
    }
}

#[test]
fn rows_in_old_currency_count_as_known_rows() {
    let mut screen = list(120, 35);
    screen.keys("ceur<enter>");
    let demand = satscope::app::demand(&screen.state);
    let first = &demand.visible[0];
    assert_eq!(first.convert().map(Currency::as_str), Some("EUR"));
    assert!(demand.has_rows[0], "an empty response does not replace them at once");
    // Once the empty response is confirmed, there are no rows.
    let empty = ResponseData::Coins(Page { items: Vec::new(), ..Page::default() });
    screen.answer(first, empty);
    assert!(!satscope::app::demand(&screen.state).has_rows[0]);
}

#[test]
fn old_prices_survive_several_currency_changes() {
    let mut screen = list(120, 35);
    for currency in ["eur", "jpy", "gbp"] {
        screen.keys(&format!("c{currency}<enter>"));
        screen.fail_all(&ErrorKind::Refused);
        let text = screen.text();
        assert!(text.contains("61,234.10") && text.contains("Price USD"), "{currency}:\n{text}");
    }
    screen.keys("cusd<enter>");
    let text = screen.text();
    assert!(text.contains("61,234.10") && !text.contains("Price USD"), "known already:\n{text}");
}

#[test]
fn rows_in_several_currencies_are_labelled_individually() {
    let mut screen = Screen::with(Preferences { page_size: 10, ..Preferences::default() }, 120, 20);
    screen.serve(response);
    screen.keys("ceur<enter>");
    let euros = Currency::parse("EUR").unwrap();
    let first = Request::Coins { tag: Tag::All, start: 1, limit: 10, convert: euros.clone() };
    screen.answer(&first, response(&first).unwrap());
    let text = screen.text();
    assert!(line(&mut screen, "Bitcoin ").contains(" 61,234.10"), "{text}");
    assert!(line(&mut screen, "Coin 11 ").contains(" $45.45"), "{text}");
    assert!(text.contains(" 5 in USD") && !text.contains(" cap "), "no sum over two currencies:\n{text}");
    // Dollars never count as a response in euros.
    let second = Request::Coins { tag: Tag::All, start: 11, limit: 10, convert: euros };
    assert!(screen.wanted().contains(&second) && screen.state.responses.coins(&second).value.is_none());
}

#[test]
fn wallet_keeps_old_prices_labelled_until_new_ones_arrive() {
    for (columns, rows) in SIZES {
        let mut screen = list(columns, rows);
        screen.keys("4");
        screen.serve(response);
        let before = line(&mut screen, "Bitcoin ");
        screen.keys("ceur<enter>");
        for _ in 0..2 {
            assert_eq!(line(&mut screen, "Bitcoin "), before);
            assert!(line(&mut screen, "Watchlist").contains("in USD"), "{}", screen.text());
            screen.fail_all(&ErrorKind::Refused);
        }
        screen.serve(response);
        assert!(!screen.text().contains("USD"), "{}", screen.text());
    }
}

#[test]
fn token_keeps_chart_and_markets_labelled_until_new_ones_arrive() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24)] {
        let mut screen = list(columns, rows);
        screen.keys("jj<enter>");
        screen.serve(response);
        let before = screen.text();
        screen.keys("ceur<enter>");
        for _ in 0..2 {
            let text = screen.text();
            assert!(line(&mut screen, "$8.41").contains("USD"), "{text}");
            assert!(line(&mut screen, "[7D]").contains("in USD"), "{text}");
            assert!(line(&mut screen, "Markets").contains("in USD"), "{text}");
            let market = before.lines().find(|line| line.contains("Alpha")).unwrap();
            assert_eq!(line(&mut screen, "Alpha"), market);
            screen.fail_all(&ErrorKind::Refused);
        }
        screen.serve(response);
        assert!(!screen.text().contains("USD "), "{}", screen.text());
    }
}

#[test]
fn narrow_chart_keeps_the_currency_of_old_values() {
    for columns in 30..=60 {
        let mut screen = list(columns, 12);
        screen.keys("jj<enter>");
        screen.serve(response);
        screen.keys("ceur<enter>");
        screen.fail_all(&ErrorKind::Refused);
        assert!(line(&mut screen, "[7D]").contains("in USD"), "{columns}: {}", screen.text());
    }
}

#[test]
fn prices_in_sats_are_whole_from_a_thousand_on() {
    let has_decimals = |word: &str| word.split_once(',').is_some_and(|(_, rest)| rest.contains('.'));
    let response = |request: &Request| {
        let mut response = response(request)?;
        if let ResponseData::Chart(chart) = &mut response {
            chart.points.iter_mut().for_each(|point| point.price = point.price.map(|price| price * 289.47));
        }
        Some(response)
    };
    for (columns, rows) in [(160, 45), (120, 35), (80, 24)] {
        let mut screen = list(columns, rows);
        screen.keys("csats<enter>");
        screen.serve(response);
        screen.keys("j<enter>");
        // The line, its cursor, candles, and moving averages.
        for keys in ["", "<left>", "C", "a", "<esc>z"] {
            screen.keys(keys);
            screen.serve(response);
            let text = screen.text();
            assert!(text.contains("2,432"), "{keys}:\n{text}");
            let found: Vec<&str> = text.split_whitespace().filter(|word| has_decimals(word)).collect();
            assert!(found.is_empty(), "{keys}: {found:?}\n{text}");
        }
    }
}

#[test]
fn sats_selects_the_currency_not_the_token() {
    let mut screen = list(120, 35);
    screen.keys("csats<enter>");
    assert_eq!(screen.state.convert.as_str(), "SAT");
}

/// Responses in which a bitcoin costs eight digits.
fn in_won(request: &Request) -> Option<ResponseData> {
    let mut response = response(request)?;
    let times = |price: &mut Option<f64>| *price = price.map(|price| price * 1_500.0);
    match &mut response {
        ResponseData::Coins(page) => {
            page.items.iter_mut().filter(|coin| coin.symbol == "BTC").for_each(|coin| times(&mut coin.price));
        }
        ResponseData::Market(series) => {
            let bitcoin = series.iter_mut().filter(|series| series.symbol == "BTC");
            bitcoin.flat_map(|series| &mut series.points).for_each(|point| times(&mut point.price));
        }
        _ => {}
    }
    Some(response)
}

/// The columns of the decimal points of the amounts in a line, or of their ends if they are whole.
fn decimal_columns(line: &str) -> Vec<usize> {
    let is_amount =
        |word: &str| word.contains([',', '.']) && word.chars().all(|c| c.is_ascii_digit() || ",.".contains(c));
    let (mut columns, mut end) = (Vec::new(), 0);
    for word in line.split_whitespace() {
        let start = end + line[end..].find(word).unwrap();
        end = start + word.len();
        if is_amount(word) {
            columns.push(line[..start].chars().count() + word.find('.').unwrap_or(word.len()));
        }
    }
    columns
}

#[test]
fn long_prices_are_aligned_with_short_ones() {
    for (columns, rows) in SIZES {
        for tab in ["", "4"] {
            let mut screen = list(columns, rows);
            screen.keys(&format!("ckrw<enter>{tab}"));
            screen.serve(in_won);
            let [bitcoin, ordi] = ["Bitcoin ", "ORDI "].map(|name| line(&mut screen, name));
            assert!(bitcoin.split_whitespace().any(|word| word.matches(',').count() == 2), "{bitcoin}");
            let [bitcoin, ordi] = [bitcoin, ordi].map(|line| decimal_columns(&line));
            assert_eq!(bitcoin[0], ordi[0], "{columns}: {}", screen.text());
        }
    }
}

#[test]
fn long_prices_and_values_of_holdings_are_aligned_with_short_ones() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24)] {
        let preferences = Preferences { watched: Vec::new(), images: false, ..Preferences::default() };
        let mut screen = Screen::with(preferences, columns, rows);
        screen.serve(in_won);
        screen.keys("4ckrw<enter>a2 bitcoin<enter>a100 ordi<enter>");
        screen.serve(in_won);
        let [bitcoin, ordi] = ["▸ Bitcoin ", "▸ ORDI "].map(|name| line(&mut screen, name));
        assert!(bitcoin.split_whitespace().any(|word| word.matches(',').count() == 2 && word.len() == 11), "{bitcoin}");
        let [bitcoin, ordi] = [bitcoin, ordi].map(|line| decimal_columns(&line));
        assert_eq!(bitcoin, ordi, "{columns}: {}", screen.text());
        // A small screen has only the value.
        assert_eq!(bitcoin.len(), if columns == 80 { 1 } else { 2 }, "{}", screen.text());
        // Without a small value, none needs decimals.
        screen.keys("a1000 ordi<enter>");
        screen.serve(in_won);
        let end = |line: &str, word: &str| line[..line.find(word).unwrap() + word.len()].chars().count();
        let [head, ordi] = ["Value", "9,251"].map(|name| line(&mut screen, name));
        assert_eq!(end(&head, "Value"), end(&ordi, "9,251"), "{}", screen.text());
    }
}
