//! A coin's chart over a year, which comes from `/market/data`.

use std::time::Duration;

use satscope::app::Preferences;
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{Candle, Currency, ExchangeCandles, MarketSeries, Period, Point, UtcTime, VolumeSpan};

use crate::support::indexer;
use crate::support::screen::Screen;

/// ORDI's view over a year, before the response.
fn opened() -> Screen {
    opened_at(120, 35)
}

fn opened_at(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, columns, rows);
    screen.serve(indexer::response);
    screen.keys("jj<enter>");
    screen.serve(indexer::response);
    screen.keys("]]]");
    assert_eq!(screen.state.token.as_ref().unwrap().period, Period::Year);
    screen
}

fn request() -> Request {
    let (symbols, convert) = (vec!["ORDI".into()], Currency::usd());
    Request::MarketData { symbols, convert, count: 365, interval: "1d".into() }
}

fn series(id: &str, first: f64) -> MarketSeries {
    let day = |n: i64| Point {
        time: UtcTime::from_secs(1_764_000_000 + n * 86_400),
        price: Some(first + n as f64),
        volume: None,
        market_cap: None,
    };
    MarketSeries {
        id: Some(id.into()),
        name: None,
        symbol: "ORDI".into(),
        slug: None,
        convert: Currency::usd(),
        interval: Some("1d".into()),
        points: (0..365).map(day).collect(),
        volume_span: VolumeSpan::Day,
        candles: None,
    }
}

/// The id of the token's coin.
fn id(screen: &Screen) -> String {
    screen.state.token.as_ref().unwrap().id.as_ref().unwrap().0.to_string()
}

#[test]
fn chart_over_a_year_shows_the_prices_of_its_coin() {
    let mut screen = opened();
    assert!(screen.wanted().contains(&request()), "{:?}", screen.wanted());
    let own = id(&screen);
    screen.answer(&request(), ResponseData::Market(vec![series("other", 5_000.0), series(&own, 100.0)]));
    let text = screen.text();
    assert!(text.contains("[1Y]") && text.contains("▲ 364%"), "{text}");
    // The cursor reads single days.
    screen.keys("<home>");
    let text = screen.text();
    assert!(text.contains("Mon 24 Nov 2025 16:00 · 0.0% in period") && text.contains("\n 100.00 "), "{text}");
    screen.keys("<end>");
    let text = screen.text();
    assert!(
        text.contains("Mon 23 Nov 16:00 · ▲ 364%") && text.contains(" 464.00 · "),
        "the year of the end needs no name: {text}"
    );
    screen.keys("<esc>[");
    assert!(screen.text().contains("[3M]") && !screen.wanted().contains(&request()));
}

#[test]
fn part_of_a_year_has_the_years_of_the_whole() {
    let mut screen = opened();
    let own = id(&screen);
    screen.answer(&request(), ResponseData::Market(vec![series(&own, 100.0)]));
    screen.keys("z++<home>");
    let text = screen.text();
    assert!(text.contains(" 24 Nov 2025 16:00 – ") && text.contains("Mon 24 Nov 2025 16:00"), "{text}");
    screen.keys("<esc>");
    assert!(screen.text().contains("O 100.00 24 Nov 2025"), "{}", screen.text());
}

#[test]
fn candles_of_a_year_come_from_the_exchange() {
    for (columns, rows, width) in [(60, 20, "2w"), (80, 24, "1w"), (240, 50, "2d"), (500, 50, "1d")] {
        let mut screen = opened_at(columns, rows);
        let mut sampled = series(&id(&screen), 100.0);
        // Days start at midnight.
        sampled.points.iter_mut().for_each(|point| point.time = point.time.minus(Duration::from_hours(16)));
        let candle = |point: &Point| {
            // The point of a day is its end.
            let (start, close) = (point.time.minus(Duration::from_hours(24)), point.price.unwrap());
            Candle { start, open: close - 1.0, high: close + 7.0, low: close - 7.0, close, volume: Some(1e6) }
        };
        let candles = sampled.points.iter().map(candle).collect();
        let candles = ExchangeCandles::new("binance".into(), "1d".into(), candles);
        assert!(candles.is_some());
        screen.keys("Cz");
        screen.answer(&request(), ResponseData::Market(vec![MarketSeries { candles, ..sampled }]));
        let text = screen.text();
        assert!(text.contains(&format!("{width} Binance")) && !text.contains("sampled"), "{columns}: {text}");
        screen.keys("<end>");
        let text = screen.text();
        assert!(text.contains("H 471.00") && text.contains("C 464.00"), "{columns}: {text}");
    }
}

#[test]
fn missing_prices_of_a_year_are_explained() {
    let mut screen = opened();
    screen.answer(&request(), ResponseData::Market(vec![series("other", 5_000.0)]));
    assert!(screen.text().contains("No 1Y prices for ORDI from this service"), "{}", screen.text());
    let mut screen = opened();
    screen.fail(&request(), ErrorKind::NotFound { message: None });
    let text = screen.text();
    assert!(text.contains("×") && text.contains("retrying"), "{text}");
}

#[test]
fn short_price_history_shows_days_covered() {
    let mut screen = opened();
    let own = id(&screen);
    let mut month = series(&own, 100.0);
    month.points.drain(31..);
    screen.answer(&request(), ResponseData::Market(vec![month]));
    assert!(screen.text().contains("30 of 365 days  ▲ 30.0%"), "{}", screen.text());
    let mut screen = opened();
    screen.answer(&request(), ResponseData::Market(vec![series(&own, 100.0)]));
    assert!(!screen.text().contains("of 365 days"), "{}", screen.text());
}

#[test]
fn minute_prices_are_refused_for_1y() {
    let mut screen = opened();
    let fine = MarketSeries { interval: Some("5m".into()), ..series(&id(&screen), 100.0) };
    screen.answer(&request(), ResponseData::Market(vec![fine]));
    let text = screen.text();
    assert!(text.contains("No 1Y prices for ORDI from this service (only 5m intervals)"), "{text}");
}

#[test]
fn palette_opens_a_year() {
    let mut screen = opened();
    screen.keys("<esc>:bitcoin 1y<enter>");
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.symbol.as_str(), token.period), ("BTC", Period::Year));
    assert_eq!(screen.state.session().period, Some(Period::Year));
}
