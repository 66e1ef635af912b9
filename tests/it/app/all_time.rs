//! A coin's chart of all time, which comes from `/market/data`.

use satscope::app::Preferences;
use satscope::client::{Request, ResponseData};
use satscope::keymap::Tab;
use satscope::model::{Currency, MarketSeries, Period, Point, Tag, UtcTime, VolumeSpan};

use crate::support::indexer;
use crate::support::screen::Screen;

/// ORDI's view of all time, before the response.
fn opened(columns: u16, rows: u16) -> Screen {
    let mut screen = Screen::with(Preferences { page_size: 100, ..Preferences::default() }, columns, rows);
    screen.serve(indexer::response);
    screen.keys("jj<enter>");
    screen.serve(indexer::response);
    screen.keys("]]]]");
    assert_eq!(screen.state.token.as_ref().unwrap().period, Period::AllTime);
    screen
}

fn request() -> Request {
    let (symbols, convert) = (vec!["ORDI".into()], Currency::usd());
    Request::MarketData { symbols, convert, count: 6_500, interval: "1d".into() }
}

/// Daily prices from 12 August 2023 on.
fn series(id: &str) -> MarketSeries {
    let day = |n: i64| Point {
        time: UtcTime::from_secs(1_691_856_000 + n * 86_400),
        price: Some(100.0 + n as f64 / 5.0),
        volume: Some(1e6),
        market_cap: None,
    };
    MarketSeries {
        id: Some(id.into()),
        name: None,
        symbol: "ORDI".into(),
        slug: None,
        convert: Currency::usd(),
        interval: Some("1d".into()),
        points: (0..1_200).map(day).collect(),
        volume_span: VolumeSpan::Day,
        candles: None,
    }
}

/// The id of the token's coin.
fn id(screen: &Screen) -> String {
    screen.state.token.as_ref().unwrap().id.as_ref().unwrap().0.to_string()
}

#[test]
fn chart_of_all_time_shows_its_start() {
    let mut screen = opened(120, 35);
    assert!(screen.wanted().contains(&request()), "{:?}", screen.wanted());
    let own = id(&screen);
    screen.answer(&request(), ResponseData::Market(vec![series("other"), series(&own)]));
    let text = screen.text();
    for words in ["1Y [All]", "since 12 Aug 2023  ▲ 240%", "2024", "2025", "2026"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    screen.keys("<home>");
    let text = screen.text();
    assert!(text.contains("Sat 12 Aug 2023 16:00"), "{text}");
    screen.keys("<esc>]");
    assert!(screen.text().contains("[All]"), "it is the longest");
    screen.keys("[");
    assert!(screen.text().contains("[1Y] All") && !screen.wanted().contains(&request()));
}

#[test]
fn narrow_chart_of_all_time_keeps_the_periods_and_the_year() {
    let mut screen = opened(80, 24);
    let own = id(&screen);
    screen.answer(&request(), ResponseData::Market(vec![series(&own)]));
    let text = screen.text();
    assert!(text.contains("1Y [All]") && text.contains("since 2023  ▲ 240%"), "{text}");
}

#[test]
fn part_of_all_time_has_its_own_time_and_change() {
    let mut screen = opened(120, 35);
    let own = id(&screen);
    screen.answer(&request(), ResponseData::Market(vec![series(&own)]));
    screen.keys("z+");
    let text = screen.text();
    assert!(!text.contains("since ") && text.contains(" 2025 ") && text.contains(" – "), "{text}");
    screen.keys("--");
    let text = screen.text();
    assert!(text.contains("Already showing all prices"), "{text}");
}

#[test]
fn candles_of_all_time_are_weeks_to_months_wide() {
    let mut screen = opened(120, 35);
    let own = id(&screen);
    screen.answer(&request(), ResponseData::Market(vec![series(&own)]));
    screen.keys("Cz");
    let text = screen.text();
    assert!(["1w", "2w", "1M"].iter().any(|width| text.contains(&format!("{width} candles (sampled)"))), "{text}");
    screen.keys("}}}");
    let text = screen.text();
    assert!(text.contains("3M candles (sampled)"), "{text}");
    screen.keys("<end>");
    // The candle of the last day.
    let text = screen.text();
    assert!(text.contains("C 339.80"), "{text}");
}

#[test]
fn missing_and_old_prices_of_all_time_are_explained() {
    let mut screen = opened(120, 35);
    screen.answer(&request(), ResponseData::Market(vec![series("other")]));
    assert!(screen.text().contains("No daily prices for ORDI from this service"), "{}", screen.text());
    let mut screen = opened(120, 35);
    let mut old = series(&id(&screen));
    old.points.truncate(1_140);
    screen.answer(&request(), ResponseData::Market(vec![old]));
    assert!(screen.text().contains("prices end 24 Sep 16:00"), "{}", screen.text());
}

#[test]
fn palette_opens_all_time_and_still_finds_the_tab() {
    let mut screen = opened(120, 35);
    screen.keys("<esc>:bitcoin all<enter>");
    let token = screen.state.token.as_ref().unwrap();
    assert_eq!((token.symbol.as_str(), token.period), ("BTC", Period::AllTime));
    assert_eq!(screen.state.session().period, Some(Period::AllTime));
    screen.keys("[:all<enter>");
    assert!(screen.state.token.is_none());
    assert_eq!(screen.state.tab, Tab::List(Tag::All));
}
