//! Candles of an exchange in the token view.

use ratatui::style::Color;
use satscope::app::ClickTarget;
use satscope::client::{Request, ResponseData};
use satscope::model::{Candle, ExchangeCandles, Point, UtcTime};

use super::charts::{line, title, token_with};
use crate::support::indexer::response;
use crate::support::screen::Screen;

/// Candles of an hour over seven days, starting `first` hours after 14:00. The last one is unfinished.
fn charted_from(request: &Request, first: i64) -> Option<ResponseData> {
    let found = response(request)?;
    let ResponseData::Chart(mut chart) = found else { return Some(found) };
    let start = UtcTime::parse_rfc3339("2026-11-12T14:00:00Z").unwrap().secs();
    let candle = |hour: i64| {
        let open = 8.0 + hour as f64 / 100.0;
        let start = UtcTime::from_secs(start + hour * 3_600);
        Candle { start, open, high: open + 0.5, low: open - 0.3, close: open + 0.01, volume: Some(1e6) }
    };
    let candles: Vec<Candle> = (first..168).map(candle).collect();
    let point = |candle: &Candle| Point {
        time: UtcTime::from_secs(candle.start.secs() + 3_600),
        price: Some(candle.close),
        volume: Some(24e6),
        market_cap: None,
    };
    chart.points = candles.iter().map(point).collect();
    chart.candles = ExchangeCandles::new("binance".into(), "1h".into(), candles);
    assert!(chart.candles.is_some());
    Some(ResponseData::Chart(chart))
}

fn charted(request: &Request) -> Option<ResponseData> {
    charted_from(request, 0)
}

fn token(columns: u16, rows: u16) -> Screen {
    token_with(columns, rows, charted)
}

#[test]
fn candles_name_their_exchange_and_show_their_own_prices_at_every_size() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        let mut screen = token(columns, rows);
        screen.keys("C");
        let head = title(&mut screen);
        let is_named = head.contains("h Binance candles") || head.contains("h Binance");
        assert!(is_named && !head.contains("sampled"), "{columns}x{rows}: {head}");
        screen.keys("<left>");
        let both = format!("{}\n{}", title(&mut screen), line(&mut screen));
        assert!(both.contains("19 Nov 12:00") && both.contains("9.68"), "{columns}x{rows}: {both}");
    }
}

#[test]
fn cursor_reads_exact_prices_and_the_volume_of_the_candle() {
    for (columns, rows, keys, volume) in [
        (160, 45, "Cz{<left>", "vol 2h 2.0M"),
        (160, 45, "C<left>", "vol 2h 2.0M"),
        (80, 24, "Cz<left>", "vol 4h 2.0M"),
    ] {
        let mut screen = token(columns, rows);
        screen.keys(keys);
        let both = format!("{}\n{}", title(&mut screen), line(&mut screen));
        assert!(both.contains("O 9.66 H 10.17 L 9.36 C 9.68"), "{columns}x{rows} {keys}: {both}");
        assert!(both.contains(volume) && !both.contains("vol 24h"), "{columns}x{rows} {keys}: {both}");
    }
}

#[test]
fn one_hour_candles_match_the_exchange() {
    let mut screen = token(240, 50);
    screen.keys("Cz");
    assert!(title(&mut screen).contains("1h Binance candles"), "{}", title(&mut screen));
    screen.keys("<left>");
    let head = title(&mut screen);
    assert!(head.contains("Thu 19 Nov 13:00") && head.contains("O 9.67 H 10.17 L 9.37 C 9.68"), "{head}");
    screen.keys("<left>");
    let head = title(&mut screen);
    assert!(head.contains("Thu 19 Nov 12:00") && head.contains("O 9.66 H 10.16 L 9.36 C 9.67"), "{head}");
    screen.keys("{");
    assert!(screen.text().contains("Narrowest candles for 7D: 1h"), "{}", screen.text());
}

#[test]
fn line_keeps_its_points_and_the_volume_of_24_hours() {
    let mut screen = token(160, 45);
    let area = screen.text();
    assert!(area.contains("vol 24h") && !area.contains("Binance candles"), "{area}");
    screen.keys("C");
    let candles = screen.text();
    assert!(candles.contains("vol 2h") && !candles.contains("vol 24h"), "{candles}");
    assert!(candles.contains("high 10.17"), "the highest trade, not the highest close\n{candles}");
    screen.keys("CC");
    assert_eq!(screen.text(), area);
}

#[test]
fn averages_of_candles_are_of_the_drawn_width() {
    // The closes of an hour rise by 0.01 to 9.68. Candles of four hours close at 12:00, and the last one at 14:00.
    for (columns, rows, keys, averages) in [
        (160, 45, "a<left>", " · MA 7 9.65 · MA 25 9.56"),
        (160, 45, "aC<left>", " · MA 7 9.62 · MA 25 9.44"),
        (80, 24, "za<left>", " · MA 7 9.65 · MA 25 9.56"),
        (80, 24, "zaC<left>", " · MA 7 9.58 · MA 25 9.22"),
    ] {
        let mut screen = token(columns, rows);
        screen.keys(keys);
        let text = screen.text();
        assert!(text.contains(averages), "{columns}x{rows} {keys}: {text}");
    }
}

#[test]
fn title_of_candles_has_the_first_open_and_the_extremes_of_trades() {
    let mut screen = token(160, 45);
    screen.keys("C");
    let prices = line(&mut screen);
    assert!(prices.contains("O 8.00 12 Nov 14:00  H 10.17 19 Nov 13:00  L 7.70 12 Nov 14:00"), "{prices}");
    assert!(prices.contains("C 9.68 19 Nov 14:00"), "the end of the last candle: {prices}");
}

#[test]
fn partial_first_candle_is_dropped() {
    let mut screen = token_with(160, 45, |request| charted_from(request, 1));
    screen.keys("Cz{<home>");
    let head = title(&mut screen);
    assert!(head.contains("Thu 12 Nov 16:00") && head.contains("O 8.02 H 8.53 L 7.72 C 8.04"), "{head}");
    screen.keys("<left>");
    assert_eq!(title(&mut screen), head);
    screen.keys("<right>");
    let head = title(&mut screen);
    assert!(head.contains("Thu 12 Nov 18:00") && head.contains("O 8.04 H 8.55 L 7.74 C 8.06"), "{head}");
    let mut whole = token_with(160, 45, |request| charted_from(request, 1));
    whole.keys("C");
    let prices = line(&mut whole);
    assert!(
        prices.contains("O 8.02 12 Nov 16:00") && prices.contains("L 7.72 12 Nov 16:00"),
        "of what is drawn: {prices}"
    );
}

#[test]
fn first_candle_of_the_axis_is_drawn() {
    for first in 0..4 {
        let mut screen = token_with(160, 45, |request| charted_from(request, first));
        screen.keys("C");
        let buf = screen.paint();
        let is_candle = |x: u16, y: u16| matches!(screen.view_state.hit(x, y), Some(ClickTarget::Candle(_)));
        let cells = (0..160).flat_map(|x| (0..45).map(move |y| (x, y)));
        let plot: Vec<(u16, u16)> = cells.filter(|&(x, y)| is_candle(x, y)).collect();
        let left = plot[0].0;
        // All candles rise, and each has one column.
        let is_drawn = |&(x, y): &(u16, u16)| x == left && buf[(x, y)].fg == Color::Green;
        assert!(plot.iter().any(is_drawn), "{first}: {}", screen.text());
    }
}

#[test]
fn hidden_first_candle_of_wider_candles_is_not_an_extreme() {
    // The first hour has the lowest price. Candles of an hour don't fit, and the first of those drawn is not whole.
    let low = |request: &Request| {
        let mut found = charted_from(request, 1)?;
        if let ResponseData::Chart(chart) = &mut found {
            let candles = chart.candles.as_ref().unwrap();
            let part = candles.ending_after(UtcTime::from_secs(0)).unwrap();
            let mut candles = part.candles.to_vec();
            candles[0].low = 1.0;
            chart.candles = ExchangeCandles::new("binance".into(), "1h".into(), candles);
        }
        Some(found)
    };
    for (columns, rows) in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = token_with(columns, rows, low);
        screen.keys("Cz");
        let text = screen.text();
        assert!(!text.contains("L 1.00") && !text.contains("low 1.00") && !text.contains("1.00┤"), "{text}");
    }
}

#[test]
fn keys_and_refreshes_keep_the_candle_under_the_cursor() {
    let mut screen = token(160, 45);
    screen.keys("Cz{<home>");
    assert!(title(&mut screen).contains("Thu 12 Nov 14:00"), "{}", title(&mut screen));
    screen.keys("<right><right><right>");
    let there = title(&mut screen);
    assert!(there.contains("Thu 12 Nov 20:00"), "{there}");
    let request = screen.wanted().into_iter().find(|request| matches!(request, Request::Chart { .. })).unwrap();
    screen.answer(&request, charted(&request).unwrap());
    assert_eq!(title(&mut screen), there);
    screen.keys("<left>");
    assert!(title(&mut screen).contains("Thu 12 Nov 18:00"), "{}", title(&mut screen));
    screen.keys("<s-right>");
    assert!(title(&mut screen).contains("Fri 13 Nov 18:00"), "{}", title(&mut screen));
}

#[test]
fn candle_under_the_cursor_is_copied_with_its_prices() {
    let mut screen = token(160, 45);
    screen.keys("C<left>y");
    let menu = screen.state.menu.as_ref().unwrap();
    let texts: Vec<String> = menu.items.iter().map(|item| format!("{:?}", item.action)).collect();
    let prices = "2026-11-19T12:00:00Z open 9.66 high 10.17 low 9.36 close 9.68 USD";
    assert!(texts.iter().any(|text| text.contains(prices)), "{texts:?}");
    // A line has only prices.
    screen.keys("<esc>CC<left>y");
    let menu = screen.state.menu.as_ref().unwrap();
    assert!(menu.items.iter().any(|item| item.label == "price at the cursor"));
}

#[test]
fn note_after_the_start_of_the_last_candle_is_marked() {
    let mut screen = token(160, 45);
    screen.keys("<left>e");
    screen.keys("now<enter>");
    for keys in ["", "C"] {
        screen.keys(keys);
        assert!(screen.text().contains('◆'), "{}", screen.text());
    }
}
