use serde_json::json;

use super::super::columns;
use super::*;

fn sheet(rows: Vec<Map<String, Value>>, columns: &'static [Column]) -> Sheet {
    Sheet::new(&[], Layout::Columns(columns), rows)
}

fn rows(value: Value) -> Vec<Map<String, Value>> {
    serde_json::from_value(value).unwrap()
}

fn pairs() -> Vec<Map<String, Value>> {
    rows(json!([
        {"exchange": "Binance", "pair": "ORDI/USDT", "category": "spot", "price": 8.4107, "volume_24h": 12_200_000.0,
         "volume_share_pct": 19.93, "depth_plus_2pct": 81_000.0, "depth_minus_2pct": 79_000.0, "outlier": false},
        {"exchange": "取引所\n東京", "pair": "ORDI/JPY", "price": 61234.1, "outlier": true},
    ]))
}

#[test]
fn columns_are_aligned_by_display_width() {
    let sheet = sheet(pairs(), columns::PAIRS);
    let text = render(&sheet, &Output::unlimited(Zone::UTC));
    let expected = "\
Exchange     Pair       Category        Price  Volume 24h  Share    +2%    -2%  Outlier  Updated
Binance      ORDI/USDT  spot           8.4107       12.2M  19.9%  81.0k  79.0k           —
取引所 東京  ORDI/JPY   —         61,234.10             —      —      —      —  yes      —
";
    assert_eq!(text, expected);
}

#[test]
fn narrow_terminal_drops_columns_and_never_cuts_numbers() {
    let all = pairs();
    for width in 1..120 {
        let sheet = sheet(all.clone(), columns::PAIRS);
        let text = render(&sheet, &Output { width: Some(width), colour: false, zone: Zone::UTC });
        assert!(text.contains("8.41") && text.contains("61,234.10"), "{width}: {text}");
        if width >= 35 {
            assert!(text.lines().all(|line| display_width(line) <= width), "{width}: {text}");
        }
    }
}

#[test]
fn narrow_terminal_drops_empty_columns_first() {
    let rows = rows(json!([{"exchange": "Binance", "pair": "ORDI/USDT", "volume_24h": 12_200_000.0}]));
    let sheet = Sheet { currency: Some(String::from("USD")), ..sheet(rows, columns::PAIRS) };
    let text = render(&sheet, &Output { width: Some(40), colour: false, zone: Zone::UTC });
    assert_eq!(text, "Exchange  Pair       Volume 24h\nBinance   ORDI/USDT       12.2M\n");
}

#[test]
fn gains_and_losses_are_coloured_if_enabled() {
    let rows = rows(json!([{"symbol": "A", "change_24h_pct": 1.0}, {"symbol": "B", "change_24h_pct": -1.0}]));
    let sheet = sheet(rows, columns::COINS);
    let coloured = render(&sheet, &Output { width: None, colour: true, zone: Zone::UTC });
    assert!(coloured.contains("\x1b[32m+1.0%\x1b[39m") && coloured.contains("\x1b[31m−1.0%\x1b[39m"));
    assert!(!render(&sheet, &Output::unlimited(Zone::UTC)).contains('\x1b'));
}

#[test]
fn prices_include_currency_if_title_does_not() {
    let rows = || {
        rows(json!([{"symbol": "A", "price": 8.41, "convert": "EUR"}, {"symbol": "B", "price": 2, "convert": "USD"}]))
    };
    let sheet = |currency| Sheet { currency, ..sheet(rows(), columns::SERIES_POINTS) };
    let same = render(&sheet(Some(String::from("EUR"))), &Output::unlimited(Zone::UTC));
    assert!(same.contains("Price (EUR)") && same.contains("8.41") && !same.contains("8.41 EUR"), "{same}");
    let mixed = render(&sheet(None), &Output::unlimited(Zone::UTC));
    assert!(mixed.contains("8.41 EUR") && mixed.contains("2.00 USD") && !mixed.contains("Price ("), "{mixed}");
}

#[test]
fn sats_are_whole_from_a_thousand_on() {
    let sheet =
        |rows, currency: Option<&str>, columns| Sheet { currency: currency.map(str::to_owned), ..sheet(rows, columns) };
    let shown = |sheet: &Sheet| render(sheet, &Output::unlimited(Zone::UTC));
    let coins = || rows(json!([{"price": 20_345.6}, {"price": 8.41}, {"price": 0.000_000_734}]));
    let table = shown(&sheet(coins(), Some("SAT"), columns::POINTS));
    assert!(["20,346 ", " 8.41 ", " 0.0₆734 "].iter().all(|price| table.contains(price)), "{table}");
    assert!(shown(&sheet(coins(), Some("USD"), columns::POINTS)).contains("20,345.60"));
    let mixed = rows(json!([{"price": 20_345.6, "convert": "SAT"}, {"price": 20_345.6, "convert": "USD"}]));
    let table = shown(&sheet(mixed, None, columns::SERIES_POINTS));
    assert!(table.contains("20,346 SAT") && table.contains("20,345.60 USD"), "{table}");
    let lot = |currency: &str| {
        rows(json!([{"unit_price": "1234.5678", "currency": currency, "value": "20345.6", "profit": "-2345.6"}]))
    };
    let table = shown(&sheet(lot("USD"), Some("SAT"), columns::LOTS));
    assert!(["1,234.57 USD", " 20,346 ", " −2,346 "].iter().all(|sum| table.contains(sum)), "{table}");
    let table = shown(&sheet(lot("SAT"), Some("EUR"), columns::LOTS));
    assert!(["1,235 SAT", " 20,345.60 ", " −2,345.60 "].iter().all(|sum| table.contains(sum)), "{table}");
}

#[test]
fn events_have_the_words_of_the_screen() {
    let rows = rows(json!([
        {"operation": "transfer", "ticker": "ordi", "amount": "5"},
        {"operation": "transfer_send", "ticker": "ordi", "amount": "5"},
        {"operation": "mint", "ticker": "ordi", "amount": "5"},
    ]));
    let text = render(&sheet(rows, columns::ACTIVITY), &Output::unlimited(Zone::UTC));
    assert!(["inscribe", "send", "mint"].iter().all(|word| text.contains(word)), "{text}");
    assert!(!text.contains("transfer"), "{text}");
}

#[test]
fn prices_have_the_decimals_of_their_currency() {
    let rows = rows(json!([
        {"symbol": "A", "price": 2_404.57, "convert": "JPY"}, {"symbol": "B", "price": 2_404.57, "convert": "USD"},
    ]));
    let sheet = sheet(rows, columns::SERIES_POINTS);
    let text = render(&sheet, &Output::unlimited(Zone::UTC));
    assert!(text.contains("2,405 JPY") && text.contains("2,404.57 USD"), "{text}");
}

#[test]
fn ids_are_shortened_in_the_middle() {
    let id = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";
    assert_eq!(shorten(id, 14, Kind::Id), "b61b0172…735i0");
    assert_eq!(shorten(id, 66, Kind::Id), id);
}

proptest::proptest! {
    #[test]
    fn every_row_is_one_line_at_any_width(
        texts in proptest::collection::vec("[a-z\\n\\t 取🔥\u{301}é0-9.-]{0,30}", 1..4),
        price in proptest::num::f64::ANY,
        width in 1_usize..120,
    ) {
        let row = |text: &String| {
            let cells = [("exchange", Value::from(text.as_str())), ("pair", Value::Null), ("price", Value::from(price))];
            cells.into_iter().map(|(field, value)| (field.to_owned(), value)).collect()
        };
        let rows: Vec<Map<String, Value>> = texts.iter().map(row).collect();
        let sheet = sheet(rows, columns::PAIRS);
        let text = render(&sheet, &Output { width: Some(width), colour: true, zone: Zone::UTC });
        proptest::prop_assert_eq!(text.lines().count(), texts.len() + 1);
    }
}
