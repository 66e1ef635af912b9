//! Zooming and scrolling the chart of the token view by its keys.

use std::time::Duration;

use ratatui::style::{Color, Modifier};
use satscope::app::ClickTarget;
use satscope::client::{Request, ResponseData};
use satscope::model::{Candle, ExchangeCandles, Point, UtcTime};

use super::charts::{charted, line, title, token, token_with};
use crate::support::indexer::response;
use crate::support::screen::Screen;

/// The title without a cursor.
fn title_without_cursor(screen: &mut Screen) -> String {
    screen.keys("<esc>");
    assert_eq!(screen.state.token.as_ref().unwrap().chart_cursor, None);
    title(screen)
}

/// Whether the title says that only a part is shown.
fn is_zoomed(screen: &mut Screen) -> bool {
    let head = title(screen);
    let is_named = head.contains(" – ") || head.contains("zoomed");
    assert_eq!(is_named, screen.state.token.as_ref().unwrap().chart_window.is_some(), "{head}");
    is_named
}

#[test]
fn zoom_shows_half_of_the_period_and_all_of_it_again() {
    let mut screen = token(160, 45);
    let whole = screen.text();
    screen.keys("+");
    let price = |point: f64| 8.0 + (point / 20.0).sin();
    let change = (1.0 - price(335.0) / price(168.0)) * 100.0;
    let head = title(&mut screen);
    assert!(head.contains("16 Nov 02:00 – 19 Nov 13:30") && head.contains(&format!("▼ {change:.1}%")), "{head}");
    let prices = line(&mut screen);
    assert!(prices.contains("O 8.85 16 Nov 02:00") && prices.contains("C 7.14 19 Nov 13:30"), "{prices}");
    screen.keys("=");
    assert!(title(&mut screen).contains("17 Nov 20:00 – 19 Nov 13:30"), "{}", title(&mut screen));
    screen.keys("--");
    assert_eq!(screen.text(), whole);
    screen.keys("-");
    assert!(screen.text().contains("Already showing all of 7D"), "{}", screen.text());
    // The names in the palette.
    screen.keys(":zoom in<enter>");
    assert!(is_zoomed(&mut screen), "{}", screen.text());
    screen.keys(":zoom out<enter>");
    assert!(!is_zoomed(&mut screen), "{}", screen.text());
}

#[test]
fn zoom_to_too_few_points_is_refused() {
    let mut screen = token(160, 45);
    screen.keys("++++");
    assert!(!screen.text().contains("Can't zoom"), "{}", screen.text());
    let before = title(&mut screen);
    screen.keys("+");
    assert!(screen.text().contains("Can't zoom in further (too few points)"), "{}", screen.text());
    assert_eq!(title(&mut screen), before);
}

#[test]
fn zoom_keeps_the_cursor_in_its_place() {
    let mut screen = token(160, 45);
    screen.keys(&"<left>".repeat(60));
    let column = |screen: &mut Screen| {
        let buf = screen.paint();
        (0..buf.area.width).find(|&x| (4..40).any(|y| buf[(x, y)].symbol() == "●")).unwrap()
    };
    let (cursor, before) = (screen.state.token.as_ref().unwrap().chart_cursor, column(&mut screen));
    for keys in ["+", "+", "-"] {
        screen.keys(keys);
        assert!(column(&mut screen).abs_diff(before) <= 1, "{}", screen.text());
        assert_eq!(screen.state.token.as_ref().unwrap().chart_cursor, cursor);
    }
    screen.keys("-");
    assert!(!is_zoomed(&mut screen) && column(&mut screen) == before, "{}", screen.text());
    screen.keys("<home>+");
    assert!(title_without_cursor(&mut screen).contains("12 Nov 14:00 – 16 Nov 01:30"), "{}", screen.text());
}

#[test]
fn cursor_scrolls_the_chart_at_its_edges() {
    let mut screen = token(160, 45);
    screen.keys("++");
    screen.keys(&"<left>".repeat(84));
    assert!(title(&mut screen).contains("Tue 17 Nov 20:00"), "{}", title(&mut screen));
    // The point before what is shown is known.
    let text = screen.text();
    assert!(text.contains("% in 30 m") && text.contains("% in view"), "{text}");
    screen.keys("<left>");
    assert!(title_without_cursor(&mut screen).contains("17 Nov 19:30 – 19 Nov 13:00"), "{}", screen.text());
    // From the last point that is shown.
    screen.keys("<left><right>");
    assert!(title_without_cursor(&mut screen).contains("17 Nov 20:00 – 19 Nov 13:30"), "{}", screen.text());
    screen.keys("<left><s-left><s-left>");
    assert!(title_without_cursor(&mut screen).contains("17 Nov 13:30 – 19 Nov 07:00"), "{}", screen.text());
    screen.keys("<home>");
    assert!(title(&mut screen).contains("12 Nov 14:00"), "{}", screen.text());
    assert!(title_without_cursor(&mut screen).contains("12 Nov 14:00 – 14 Nov 07:30"), "{}", screen.text());
    screen.keys("<end>");
    assert!(title_without_cursor(&mut screen).contains("17 Nov 20:00 – 19 Nov 13:30"), "{}", screen.text());
}

#[test]
fn price_at_the_edge_is_dim_in_an_older_part() {
    let mut screen = token(160, 45);
    // The styles of the sign and of the price after it.
    let tag = |screen: &mut Screen| {
        let buf = screen.paint();
        let cells = (0..45_u16).flat_map(|y| (0..156_u16).map(move |x| (x, y)));
        let mut signs = cells.filter(|cell| buf[*cell].symbol() == "◀");
        let (x, y) = signs.next().unwrap();
        [x, x + 2].map(|x| (buf[(x, y)].fg, buf[(x, y)].modifier))
    };
    for keys in ["", "+"] {
        screen.keys(keys);
        let [(sign, _), (price, modifier)] = tag(&mut screen);
        assert!(sign != Color::Reset && sign == price && modifier.contains(Modifier::BOLD), "{keys}");
    }
    screen.keys("<home><esc>");
    assert_eq!(tag(&mut screen), [(Color::Reset, Modifier::DIM); 2], "{}", screen.text());
}

#[test]
fn escape_removes_cursor_then_zoom_then_leaves() {
    for (columns, rows) in [(160, 45), (80, 24)] {
        let mut screen = token(columns, rows);
        screen.keys("z+<left>");
        for words in ["hide cursor", "whole period", "all panels", "back"] {
            let text = screen.text();
            let footer = text.trim_end().lines().last().unwrap_or_default();
            assert!(footer.contains(&format!("Esc {words}")), "{words}: {footer}");
            screen.keys("<esc>");
        }
        assert!(screen.state.token.is_none());
    }
}

/// The chart with its points moved by half hours.
fn moved(request: &Request, halves: u32) -> Option<ResponseData> {
    let ResponseData::Chart(mut chart) = charted(request)? else { return None };
    let by = Duration::from_mins(30) * halves;
    chart.points.iter_mut().for_each(|point| point.time = point.time.plus(by));
    Some(ResponseData::Chart(chart))
}

fn refresh(screen: &mut Screen, halves: u32) {
    let request = screen.wanted().into_iter().find(|request| matches!(request, Request::Chart { .. })).unwrap();
    screen.answer(&request, moved(&request, halves).unwrap());
}

#[test]
fn zoomed_chart_follows_only_the_newest_end() {
    let mut screen = token(160, 45);
    screen.keys("+");
    refresh(&mut screen, 1);
    assert!(title(&mut screen).contains("16 Nov 02:30 – 19 Nov 14:00"), "{}", title(&mut screen));
    screen.keys("<home>");
    let older = title_without_cursor(&mut screen);
    assert!(older.contains("12 Nov 14:30 – 16 Nov 02:00"), "{older}");
    refresh(&mut screen, 2);
    assert!(title(&mut screen).contains("12 Nov 15:00 – 16 Nov 02:00"), "{}", title(&mut screen));
    refresh(&mut screen, 100);
    assert!(title(&mut screen).contains("14 Nov 16:00 – 16 Nov 02:00"), "{}", title(&mut screen));
    refresh(&mut screen, 300);
    assert!(!is_zoomed(&mut screen), "its points are gone: {}", screen.text());
}

#[test]
fn other_periods_and_coins_are_shown_whole() {
    let mut screen = token(160, 45);
    screen.keys("+ceur<enter>");
    screen.serve(charted);
    assert!(title(&mut screen).contains("16 Nov 02:00 – 19 Nov 13:30"), "another currency: {}", screen.text());
    screen.keys("[");
    screen.serve(charted);
    assert!(!is_zoomed(&mut screen), "{}", screen.text());
    screen.keys("+[");
    assert!(is_zoomed(&mut screen), "there is no shorter period");
    screen.keys("n");
    screen.serve(charted);
    assert!(!is_zoomed(&mut screen), "{}", screen.text());
}

#[test]
fn every_size_says_that_the_chart_is_zoomed() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24), (60, 20), (40, 12)] {
        for keys in ["+", "+<left>", "C+", "Cx+<left>", "Caix+"] {
            let mut screen = token(columns, rows);
            screen.keys(keys);
            assert!(is_zoomed(&mut screen), "{columns}x{rows} {keys}: {}", screen.text());
        }
    }
}

#[test]
fn narrow_zoomed_chart_has_the_day_at_the_cursor() {
    for (columns, rows) in [(40, 12), (30, 10)] {
        for keys in ["+<left>", "z+<left>", "C+<left>"] {
            let mut screen = token(columns, rows);
            screen.keys(keys);
            let text = screen.text();
            let head = text.lines().find(|line| line.contains("Chart")).unwrap_or_default();
            assert!(head.contains("19 Nov"), "{columns}x{rows} {keys}: {text}");
        }
    }
}

#[test]
fn click_in_a_zoomed_chart_sets_the_cursor_there() {
    let mut screen = token(160, 45);
    screen.keys("+");
    screen.paint();
    let columns: Vec<u16> =
        (0..160).filter(|&x| matches!(screen.view_state.hit(x, 12), Some(ClickTarget::ChartColumn(..)))).collect();
    screen.click(columns[0], 12);
    assert!(title(&mut screen).contains("16 Nov 02:00"), "{}", title(&mut screen));
    screen.click(columns[columns.len() - 1], 12);
    assert!(title(&mut screen).contains("19 Nov 13:30"), "{}", title(&mut screen));
    assert!(title_without_cursor(&mut screen).contains("16 Nov 02:00 – 19 Nov 13:30"), "a click scrolls nothing");
}

#[test]
fn click_on_a_candle_sets_the_cursor_there() {
    let mut screen = token_with(160, 45, with_candles);
    // Eleven candles of two hours.
    screen.keys("C+++}}}");
    screen.paint();
    let columns: Vec<u16> = (0..160).filter(|&x| is_candle(&screen, x, 12)).collect();
    let mut titles = Vec::new();
    for (index, &x) in columns.iter().enumerate() {
        screen.click(x, 12);
        let hour = 16 + 2 * (index * 11 / columns.len());
        let time = format!("{} Nov {:02}:00", 18 + hour / 24, hour % 24);
        assert!(title(&mut screen).contains(&time), "{time} at {x}: {}", screen.text());
        titles.push(time);
    }
    titles.dedup();
    assert_eq!(titles.len(), 11);
}

/// Whether a click sets the cursor on a candle.
fn is_candle(screen: &Screen, x: u16, y: u16) -> bool {
    matches!(screen.view_state.hit(x, y), Some(ClickTarget::Candle(_)))
}

#[test]
fn clicked_candle_is_the_one_under_the_pointer() {
    // Bodies have one column or five.
    for (columns, rows, keys, reach) in [
        (160, 45, "C", 0),
        (160, 45, "C++", 0),
        (160, 45, "C+++}}}", 2),
        (120, 35, "Cz", 0),
        (80, 24, "C", 0),
        (80, 24, "Cz++", 0),
    ] {
        let mut screen = token_with(columns, rows, with_candles);
        screen.keys(keys);
        // All candles rise.
        let before = screen.paint();
        let is_drawn = |x: u16, y: u16| before[(x, y)].fg == Color::Green;
        let row = |x: u16| (0..rows).find(|&y| is_drawn(x, y) && is_candle(&screen, x, y));
        let cells: Vec<(u16, u16)> = (0..columns).filter_map(|x| Some((x, row(x)?))).collect();
        assert!(cells.len() > 10, "{}", screen.text());
        for (x, y) in cells {
            screen.click(x, y);
            let after = screen.paint();
            let is_cursor = |x: u16, y: u16| after[(x, y)].symbol() == "│" && after[(x, y)].fg == Color::Cyan;
            let cursor = (0..columns).find(|&x| (0..rows).any(|y| is_cursor(x, y) && is_candle(&screen, x, y)));
            let cursor = cursor.unwrap_or_else(|| panic!("no cursor after a click at {x}: {}", screen.text()));
            assert!(
                cursor.abs_diff(x) <= reach,
                "{columns}x{rows} {keys}: {cursor} after a click at {x}: {}",
                screen.text()
            );
        }
    }
}

#[test]
fn indicators_begin_at_the_left_edge_of_a_zoomed_chart() {
    // Columns between the first price and the long average.
    let indent = |screen: &mut Screen| {
        let buf = screen.paint();
        let axis = (0..buf.area.width).find(|&x| (4..45).any(|y| buf[(x, y)].symbol() == "└")).unwrap();
        let is_braille = |x: u16, y: u16| buf[(x, y)].symbol().starts_with(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        let is_price = |x: u16, y: u16| is_braille(x, y) || "█▄▀".contains(buf[(x, y)].symbol());
        let is_average = |x: u16, y: u16| buf[(x, y)].fg == Color::Magenta && is_braille(x, y);
        let first = |is_there: &dyn Fn(u16, u16) -> bool| {
            (axis..buf.area.width).find(|&x| (4..45).any(|y| is_there(x, y))).unwrap()
        };
        first(&is_average) - first(&is_price)
    };
    // The averages of lines are of one hour, those of candles of two.
    for (style, least) in [("", 8), ("C", 15)] {
        let mut screen = token(160, 45);
        screen.keys(&format!("{style}a"));
        assert!(indent(&mut screen) > least, "{}", screen.text());
        screen.keys("++");
        assert!(indent(&mut screen) <= 5, "{}", screen.text());
        screen.keys("i");
        assert!(!screen.text().contains("RSI needs"), "{}", screen.text());
    }
}

/// Candles of 15 minutes over seven days.
fn with_candles(request: &Request) -> Option<ResponseData> {
    let found = response(request)?;
    let ResponseData::Chart(mut chart) = found else { return Some(found) };
    let start = UtcTime::parse_rfc3339("2026-11-12T14:00:00Z").unwrap();
    let quarter = Duration::from_mins(15);
    let candle = |index: u32| {
        let open = 8.0 + f64::from(index) / 400.0;
        let start = start.plus(quarter * index);
        Candle { start, open, high: open + 0.5, low: open - 0.3, close: open + 0.01, volume: Some(1e6) }
    };
    let candles: Vec<Candle> = (0..672).map(candle).collect();
    let point = |candle: &Candle| Point {
        time: candle.start.plus(quarter),
        price: Some(candle.close),
        volume: Some(24e6),
        market_cap: None,
    };
    chart.points = candles.iter().map(point).collect();
    chart.candles = ExchangeCandles::new("binance".into(), "15m".into(), candles);
    Some(ResponseData::Chart(chart))
}

#[test]
fn narrower_candles_fit_a_zoomed_chart() {
    let mut screen = token_with(160, 45, with_candles);
    screen.keys("C");
    for width in ["2h", "1h", "30m", "15m"] {
        assert!(title(&mut screen).contains(&format!("{width} Binance")), "{width}: {}", title(&mut screen));
        screen.keys("+");
    }
    screen.keys("-{");
    assert!(screen.text().contains("Narrowest candles at this zoom level: 15m"), "{}", screen.text());
    screen.keys("}");
    assert!(title(&mut screen).contains("30m Binance"), "{}", title(&mut screen));
    screen.keys("}}}}}");
    assert!(screen.text().contains("Widest candles at this zoom level: 2h"), "{}", screen.text());
    // Of seven days, these are the narrowest that fit.
    screen.keys("<esc>");
    assert!(!is_zoomed(&mut screen) && title(&mut screen).contains("2h Binance"), "{}", title(&mut screen));
    screen.keys("++++++");
    assert!(screen.text().contains("Can't zoom in further (too few candles)"), "{}", screen.text());
}

#[test]
fn zoomed_chart_has_whole_candles() {
    let mut screen = token_with(160, 45, with_candles);
    screen.keys("C+++}}}");
    let (head, prices) = (title(&mut screen), line(&mut screen));
    assert!(head.contains("18 Nov 16:00 – 19 Nov 14:00") && head.contains("2h Binance"), "{head}");
    assert!(prices.contains("O 9.46 18 Nov 16:00") && prices.contains("C 9.69 19 Nov 14:00"), "{prices}");
    screen.keys("<home>");
    // Of the seven candles since 14:00, the last one ends after the shown 21 hours.
    let head = title_without_cursor(&mut screen);
    let prices = line(&mut screen);
    assert!(head.contains("12 Nov 14:00 – 13 Nov 12:00"), "{head}");
    assert!(prices.contains("O 8.00 12 Nov 14:00") && prices.contains("C 8.23 13 Nov 12:00"), "{prices}");
    // The last candle is that of the newest price.
    screen.keys("<end>");
    let both = format!("{}\n{}", title(&mut screen), line(&mut screen));
    assert!(both.contains("19 Nov 12:00") && both.contains("O 9.66 H 10.18 L 9.36 C 9.69"), "{both}");
    assert!(title_without_cursor(&mut screen).contains("18 Nov 16:00 – 19 Nov 14:00"), "{}", title(&mut screen));
}

/// [`with_candles`], of which only those at this index and later are known.
fn with_late_candles(request: &Request, from: usize) -> Option<ResponseData> {
    let mut found = with_candles(request)?;
    if let ResponseData::Chart(chart) = &mut found {
        let candles = chart.candles.take().unwrap().candles()[from..].to_vec();
        chart.candles = ExchangeCandles::new("binance".into(), "15m".into(), candles);
    }
    Some(found)
}

#[test]
fn zoom_before_exchange_candles_shows_sampled_ones() {
    // Those of the last day.
    let mut screen = token_with(160, 45, |request| with_late_candles(request, 576));
    screen.keys("+C");
    for start in ["16 Nov", "17 Nov"] {
        let head = title(&mut screen);
        assert!(head.contains(start) && head.contains("sampled"), "{start}: {head}");
        screen.keys("+");
    }
    assert!(title(&mut screen).contains("Binance"), "{}", title(&mut screen));
}

#[test]
fn zoom_into_exchange_candles_needs_enough_of_theirs() {
    // Those of the last 15 hours: of the last 10 hours, there would be too few sampled ones.
    let mut screen = token_with(160, 45, |request| with_late_candles(request, 612));
    screen.keys("+C++");
    assert!(title(&mut screen).contains("sampled"), "{}", title(&mut screen));
    screen.keys("+");
    assert!(!screen.text().contains("Can't zoom"), "{}", screen.text());
    assert!(title(&mut screen).contains("Binance"), "{}", title(&mut screen));
}
