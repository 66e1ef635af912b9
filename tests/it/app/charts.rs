//! The chart of the token view by its keys: styles, candles, axes, averages and the cursor.

use ratatui::style::Color;
use satscope::app::{ClickTarget, Preferences};
use satscope::client::{Request, ResponseData};
use satscope::model::{ChartStyle, Currency, MovingAverage, Point, Tag, UtcTime};

use crate::support::indexer::response;
use crate::support::screen::{START, Screen};

/// The token view of the third coin, with a point every 30 minutes that falls and rises.
pub(super) fn token(columns: u16, rows: u16) -> Screen {
    token_with(columns, rows, charted)
}

pub(super) fn token_with(columns: u16, rows: u16, response: impl Fn(&Request) -> Option<ResponseData>) -> Screen {
    let mut screen = Screen::with(Preferences::default(), columns, rows);
    screen.serve(&response);
    screen.keys("jj<enter>");
    screen.serve(&response);
    screen
}

pub(super) fn charted(request: &Request) -> Option<ResponseData> {
    let found = response(request)?;
    let ResponseData::Chart(mut chart) = found else { return Some(found) };
    let point = |index: i64| Point {
        time: UtcTime::parse_rfc3339("2026-11-12T14:00:00Z")
            .unwrap()
            .plus(std::time::Duration::from_mins(30) * index as u32),
        price: Some(8.0 + (index as f64 / 20.0).sin()),
        volume: Some(1e6 + index as f64),
        market_cap: None,
    };
    chart.points = (0..336).map(point).collect();
    Some(ResponseData::Chart(chart))
}

pub(super) fn title(screen: &mut Screen) -> String {
    screen.text().lines().nth(2).unwrap().to_owned()
}

#[test]
fn chart_shows_only_its_period_of_a_longer_series() {
    // Twice the month, which begins with a fall.
    let long = |request: &Request| match response(request)? {
        ResponseData::Chart(mut chart) => {
            let end = UtcTime::parse_rfc3339("2026-11-19T14:00:00Z").unwrap().secs();
            let hours = 60 * 24;
            let point = |hour: i64| Point {
                time: UtcTime::from_secs(end - (hours - hour) * 3_600),
                price: Some(if hour < hours / 3 { 80.0 } else { 8.0 }),
                volume: None,
                market_cap: None,
            };
            chart.points = (0..=hours).map(point).collect();
            Some(ResponseData::Chart(chart))
        }
        other => Some(other),
    };
    let mut screen = token_with(160, 45, long);
    screen.keys("]");
    screen.serve(long);
    assert!(title(&mut screen).contains("0.0%") && !screen.text().contains("80.00"), "{}", screen.text());
}

#[test]
fn chart_with_only_old_prices_says_when_they_end() {
    let mut current = token(160, 45);
    assert!(!title(&mut current).contains("prices end"), "{}", current.text());
    let old = |request: &Request| match charted(request)? {
        ResponseData::Chart(mut chart) => {
            let age = std::time::Duration::from_hours(40 * 24);
            chart.points.iter_mut().for_each(|point| point.time = point.time.minus(age));
            Some(ResponseData::Chart(chart))
        }
        other => Some(other),
    };
    let mut screen = token_with(160, 45, old);
    assert!(title(&mut screen).contains("prices end 10 Oct 13:30"), "{}", screen.text());
}

#[test]
fn chart_far_from_the_listed_price_says_so() {
    let minutes = |minutes: u64| std::time::Duration::from_mins(minutes);
    // The factor of all prices of the chart, the minutes since its end and since the update of the coin.
    for (factor, ended, updated, is_marked) in [
        (1.0, 0, Some(5), false),
        (100.0, 0, Some(5), true),
        (0.01, 40, Some(5), true),
        // Within twice the listed 24-hour high.
        (1.9, 0, Some(5), false),
        // The price may have moved since.
        (100.0, 70, Some(5), false),
        (100.0, 0, Some(70), false),
        (100.0, 0, None, false),
    ] {
        let changed = |request: &Request| {
            let mut found = response(request)?;
            match &mut found {
                ResponseData::Chart(chart) => chart.points.iter_mut().for_each(|point| {
                    point.time = point.time.minus(minutes(ended));
                    point.price = point.price.map(|price| price * factor);
                }),
                ResponseData::Coins(page) => {
                    let at = updated.map(|updated| START.minus(minutes(updated)));
                    page.items.iter_mut().for_each(|coin| coin.updated_at = at);
                }
                _ => {}
            }
            Some(found)
        };
        for (columns, rows) in [(160, 45), (80, 24)] {
            let mut screen = token_with(columns, rows, changed);
            let shown = title(&mut screen);
            let case = format!("{factor} {ended} {updated:?} {columns}");
            assert_eq!(shown.contains("differs from the listed price"), is_marked, "{case}: {}", screen.text());
        }
    }
}

#[test]
fn chart_with_one_recent_price_near_the_listed_one_is_not_marked() {
    // The price in the list has moved within the hour, and that in the chart not yet.
    let moved = |request: &Request| {
        let mut found = response(request)?;
        match &mut found {
            ResponseData::Coins(page) => page.items.iter_mut().for_each(|coin| {
                let price = coin.price.map(|price| price * 5.0);
                (coin.price, coin.high_24h, coin.low_24h) = (price, None, None);
                (coin.change_1h_pct, coin.change_24h_pct) = (Some(400.0), None);
                coin.updated_at = Some(START);
            }),
            ResponseData::Chart(chart) => assert!(chart.points.last().is_some_and(|last| last.price < Some(9.2))),
            _ => {}
        }
        Some(found)
    };
    let mut screen = token_with(160, 45, moved);
    assert!(screen.text().contains("$42.05"), "{}", screen.text());
    assert!(!title(&mut screen).contains("differs"), "{}", screen.text());
}

/// A response in which all coins have this price, last updated at this time.
fn priced(mut found: ResponseData, price: f64, at: UtcTime) -> Option<ResponseData> {
    if let ResponseData::Coins(page) = &mut found {
        for coin in &mut page.items {
            (coin.price, coin.updated_at) = (Some(price), Some(at));
        }
    }
    Some(found)
}

#[test]
fn chart_ends_with_the_current_price_of_the_coin() {
    let end = UtcTime::parse_rfc3339("2026-11-19T13:30:00Z").unwrap();
    // The minutes since the chart's end, and the price at that time: the chart's own end, after a gap, in another unit.
    for (minutes, price, is_shown) in [(20, 8.92, true), (0, 8.92, false), (9 * 60, 8.92, false), (20, 892.0, false)] {
        let at = end.plus(std::time::Duration::from_mins(minutes));
        let mut screen = token_with(160, 45, |request| priced(charted(request)?, price, at));
        let text = screen.text();
        assert!(text.contains(&format!("${price:.2}")), "{text}");
        let [tag, close] =
            if is_shown { ["◀ 8.92", "C 8.92 19 Nov 13:50"] } else { ["◀ 7.14", "C 7.14 19 Nov 13:30"] };
        assert!(text.contains(tag) && text.contains(close), "{minutes} {price}: {text}");
    }
}

#[test]
fn cursor_reaches_the_current_price_by_key_and_click() {
    let at = UtcTime::parse_rfc3339("2026-11-19T13:50:00Z").unwrap();
    for keys in ["<left>", "<end>", "<left><left><right>", "+<end>", "+<end><esc><left>", "<end>+"] {
        let mut screen = token_with(160, 45, |request| priced(charted(request)?, 8.92, at));
        screen.keys(keys);
        assert!(title(&mut screen).contains("19 Nov 13:50"), "{keys}: {}", screen.text());
    }
    for zoom in ["", "+"] {
        let mut screen = token_with(160, 45, |request| priced(charted(request)?, 8.92, at));
        screen.keys(zoom);
        screen.paint();
        let is_column = |x: &u16| matches!(screen.view_state.hit(*x, 12), Some(ClickTarget::ChartColumn(..)));
        let last = (0..160).filter(is_column).max().unwrap();
        screen.click(last, 12);
        assert!(title(&mut screen).contains("19 Nov 13:50"), "{zoom}: {}", screen.text());
    }
}

#[test]
fn cursor_stays_on_the_current_price() {
    let at = |text| UtcTime::parse_rfc3339(text).unwrap();
    let mut screen = token_with(160, 45, |request| priced(charted(request)?, 8.92, at("2026-11-19T13:50:00Z")));
    let list = screen.state.list(Tag::All).first_request(&Currency::usd());
    let second = priced(charted(&list).unwrap(), 8.95, at("2026-11-19T14:35:00Z")).unwrap();
    screen.keys("<end>");
    assert!(title(&mut screen).contains("19 Nov 13:50"), "{}", screen.text());
    screen.wait(std::time::Duration::from_mins(1));
    screen.answer(&list, second);
    assert!(title(&mut screen).contains("19 Nov 14:35"), "{}", screen.text());
    // On a received point, it stays there.
    screen.keys("<left>");
    screen.wait(std::time::Duration::from_mins(1));
    assert!(!title(&mut screen).contains("19 Nov 14:35"), "{}", screen.text());
}

#[test]
fn chart_that_ended_before_its_period_has_no_current_price() {
    let end = START.minus(std::time::Duration::from_hours(25));
    // The points are so far apart that the time since the last one is not a gap.
    let sparse = |request: &Request| match priced(charted(request)?, 8.5, START)? {
        ResponseData::Chart(mut chart) => {
            let steps = (0..4).rev();
            let times = steps.map(|step| end.minus(std::time::Duration::from_hours(9) * step));
            chart.points = times.map(|time| Point { time, price: Some(8.0), volume: None, market_cap: None }).collect();
            Some(ResponseData::Chart(chart))
        }
        other => Some(other),
    };
    let mut screen = token_with(160, 45, sparse);
    screen.keys("[");
    screen.serve(sparse);
    assert!(title(&mut screen).contains("prices end 19 Nov 13:03"), "{}", screen.text());
    assert!(!screen.text().contains("◀ 8.5"), "{}", screen.text());
}

#[test]
fn change_over_a_period_starts_at_the_first_price() {
    // The first price, some minutes after an hour, is before the first whole interval of 4 or 12 hours. From there on,
    // prices fall.
    for (keys, days) in [("]", 30), ("]]", 90)] {
        let hours = days * 24;
        let changed = |request: &Request| match response(request)? {
            ResponseData::Chart(mut chart) => {
                let start = UtcTime::parse_rfc3339("2026-11-19T14:07:00Z").unwrap().secs() - hours * 3_600;
                let price = |hour: i64| if hour < 2 { 5.0 } else { 8.0 - hour as f64 / 10_000.0 };
                let point = |hour: i64| Point {
                    time: UtcTime::from_secs(start + hour * 3_600),
                    price: Some(price(hour)),
                    volume: None,
                    market_cap: None,
                };
                chart.points = (0..=hours).map(point).collect();
                Some(ResponseData::Chart(chart))
            }
            other => Some(other),
        };
        let mut screen = token_with(160, 45, changed);
        screen.keys(keys);
        screen.serve(changed);
        let change = format!("▲ {:.1}%", ((8.0 - hours as f64 / 10_000.0) / 5.0 - 1.0) * 100.0);
        // An area, candles and a line.
        for _ in 0..3 {
            let (head, text) = (title(&mut screen), screen.text());
            assert!(head.contains(&change) || line(&mut screen).contains(&change), "{change}: {text}");
            assert!(text.contains("O 5.00") || text.contains("open 5.00"), "{text}");
            screen.keys("C");
        }
        screen.keys("<home>");
        let text = screen.text();
        assert!(text.contains(":07 · 0.0% in period"), "{text}");
    }
}

/// The line below the title.
pub(super) fn line(screen: &mut Screen) -> String {
    screen.text().lines().nth(3).unwrap().to_owned()
}

#[test]
fn style_key_shows_candles_then_line_then_area() {
    let mut screen = token(160, 45);
    let area = screen.text();
    assert!(area.contains('⠂') && !area.contains('┃'), "{area}");
    screen.keys("C");
    let candles = screen.text();
    assert!(candles.contains('┃') && title(&mut screen).contains("2h candles (sampled)"), "{candles}");
    screen.keys("C");
    let line = screen.text();
    assert!(!line.contains('┃') && !line.contains('⠂'), "{line}");
    screen.keys("C");
    assert_eq!(screen.text(), area);
}

/// A chart with prices over its whole period.
pub(super) fn over_its_period(request: &Request) -> Option<ResponseData> {
    let ResponseData::Chart(mut chart) = charted(request)? else { return charted(request) };
    let step = chart.period.length() / 672;
    let point = |index: u32| Point {
        time: START.minus(step * (672 - index)),
        price: Some(8.0 + (f64::from(index) / 40.0).sin()),
        volume: Some(1e6),
        market_cap: None,
    };
    chart.points = (0..=672).map(point).collect();
    Some(ResponseData::Chart(chart))
}

#[test]
fn candles_are_evenly_spaced_up_to_the_tag_of_the_last_price() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        for keys in ["C[", "Cz["] {
            let mut screen = token_with(columns, rows, over_its_period);
            screen.keys(keys);
            for period in ["1D", "7D", "1M", "3M"] {
                screen.serve(over_its_period);
                // Those of the default width, and narrower ones if they fit.
                for narrower in ["", "{"] {
                    screen.keys(narrower);
                    let buf = screen.paint();
                    let candle = |x: u16, y: u16| match screen.view_state.hit(x, y) {
                        Some(ClickTarget::Candle(time)) => Some((x, time)),
                        _ => None,
                    };
                    let row = (0..rows).find(|&y| (0..columns).any(|x| candle(x, y).is_some())).unwrap();
                    let cells: Vec<(u16, UtcTime)> = (0..columns).filter_map(|x| candle(x, row)).collect();
                    let widths: Vec<usize> = cells.chunk_by(|a, b| a.1 == b.1).map(<[_]>::len).collect();
                    let case = format!("{columns}x{rows} {keys} {period} {narrower}: {widths:?}");
                    assert!(widths.len() > 9 && widths.iter().all(|width| *width == widths[0]), "{case}");
                    let edge = cells.last().unwrap().0 + 1;
                    assert!(columns == 40 || (0..rows).any(|y| buf[(edge, y)].symbol() == "◀"), "{case}");
                }
                screen.keys("]");
            }
        }
    }
}

#[test]
fn braces_change_the_width_of_candles() {
    let mut screen = token(160, 45);
    screen.keys("{");
    assert!(title(&mut screen).contains("2h candles"), "the first press shows candles");
    screen.keys("}");
    assert!(title(&mut screen).contains("4h candles"));
    screen.keys("{");
    assert!(title(&mut screen).contains("2h candles"));
    screen.keys("{");
    assert!(title(&mut screen).contains("2h candles") && screen.text().contains("Narrower candles don't fit"));
    screen.keys("}}}}}}}}}");
    assert!(screen.text().contains("Widest candles for 7D: 1d"), "{}", screen.text());
    // Another period has its own width.
    screen.keys("]");
    screen.serve(charted);
    assert!(title(&mut screen).contains("12h candles"), "{}", title(&mut screen));
    screen.keys("[");
    assert!(title(&mut screen).contains("1d candles"));
}

#[test]
fn cursor_moves_by_candles_and_reads_them() {
    let mut screen = token(160, 45);
    screen.keys("zC{<left>");
    let here = title(&mut screen);
    assert!(here.contains(" · O ") && here.contains(" H ") && here.contains(" in period · vol 24h 1.0M"), "{here}");
    assert!(here.contains("Thu 19 Nov 12:00"), "{here}");
    screen.keys("<left>");
    assert!(title(&mut screen).contains("Thu 19 Nov 10:00"), "{}", title(&mut screen));
    screen.keys("<s-left>");
    assert!(title(&mut screen).contains("Wed 18 Nov 10:00"), "{}", title(&mut screen));
    screen.keys("<s-right><right>");
    assert!(title(&mut screen).contains("Thu 19 Nov 12:00"), "{}", title(&mut screen));
    screen.keys("<home>");
    assert!(title(&mut screen).contains("Thu 12 Nov 14:00"), "{}", title(&mut screen));
    screen.keys("<s-left>");
    assert!(title(&mut screen).contains("Thu 12 Nov 14:00"), "a day stops at the end");
    screen.keys("<end>");
    assert!(title(&mut screen).contains("Thu 19 Nov 12:00"), "{}", title(&mut screen));
}

#[test]
fn each_step_of_the_cursor_reads_another_candle() {
    let end = UtcTime::parse_rfc3339("2026-11-19T13:30:00Z").unwrap();
    // Long prices leave room for fewer candles.
    for factor in [1e-6, 1.0, 600.0, 8_000.0, 80_000.0] {
        let scaled = |request: &Request| match priced(charted(request)?, 7.14 * factor, end)? {
            ResponseData::Chart(mut chart) => {
                chart.points.iter_mut().for_each(|point| point.price = point.price.map(|price| price * factor));
                Some(ResponseData::Chart(chart))
            }
            other => Some(other),
        };
        for (columns, rows) in [(160, 45), (120, 35), (80, 24)] {
            let mut screen = token_with(columns, rows, scaled);
            screen.keys("C<left>");
            let mut readouts = vec![(title(&mut screen), line(&mut screen))];
            for _ in 0..4 {
                screen.keys("<left>");
                let next = (title(&mut screen), line(&mut screen));
                assert_ne!(readouts.last(), Some(&next), "{factor} {columns}x{rows}");
                readouts.push(next);
            }
        }
    }
}

#[test]
fn day_keys_move_by_candles_longer_than_a_day() {
    let mut screen = token(160, 45);
    screen.keys("]]C");
    screen.serve(charted);
    screen.keys("{");
    assert!(title(&mut screen).contains("2d candles"), "{}", title(&mut screen));
    screen.keys("<home>");
    let mut titles = vec![title(&mut screen)];
    for _ in 0..3 {
        screen.keys("<s-right>");
        let now = title(&mut screen);
        assert_ne!(titles.last(), Some(&now));
        titles.push(now);
    }
    screen.keys("<s-left>");
    assert_eq!(title(&mut screen), titles[2]);
}

#[test]
fn day_keys_cross_a_gap_of_days() {
    let gap = |request: &Request| match charted(request)? {
        ResponseData::Chart(mut chart) => {
            chart.points.drain(48..288);
            Some(ResponseData::Chart(chart))
        }
        other => Some(other),
    };
    let mut screen = token_with(120, 40, gap);
    screen.keys("<left>");
    let start = screen.state.token.as_ref().unwrap().chart_cursor.unwrap();
    screen.keys("<s-left><s-left><s-left>");
    let there = screen.state.token.as_ref().unwrap().chart_cursor.unwrap();
    assert!(start.since(there).as_secs() > 5 * 86_400, "{start} {there}");
    screen.keys("<s-right><s-right><s-right>");
    let back = screen.state.token.as_ref().unwrap().chart_cursor.unwrap();
    assert!(back.since(there).as_secs() > 5 * 86_400, "{there} {back}");
}

#[test]
fn narrow_chart_reads_the_price_below_its_title() {
    let mut screen = token(40, 12);
    screen.keys("C<left>");
    let (title, line) = (title(&mut screen), line(&mut screen));
    assert!(title.contains("19 Nov 12:00") && line.contains("C 7.1"), "{title}\n{line}");
}

#[test]
fn cursor_reads_the_change_since_the_previous_point_at_every_size() {
    for (columns, rows) in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        for (keys, step) in [("<left><left>", "% in 30 m"), ("C<left><left>", "% vs prev close")] {
            let mut screen = token(columns, rows);
            screen.keys(keys);
            let head: Vec<String> = screen.text().lines().skip(2).take(3).map(String::from).collect();
            let head = head.join("\n");
            assert!(head.contains("19 Nov ") && head.contains("▼") && head.contains(step), "{columns}x{rows}:\n{head}");
            assert!(head.contains("vol 24h 1.0M"), "{columns}x{rows}:\n{head}");
        }
    }
}

#[test]
fn title_names_the_chart_style_at_every_size() {
    for (columns, rows) in [(160, 45), (120, 35), (100, 30), (80, 24), (40, 12)] {
        let mut screen = token(columns, rows);
        screen.keys("Cxa");
        let head = title(&mut screen);
        let is_sampled = head.contains("h candles (sampled)") || head.contains("h sampled");
        assert!(is_sampled && head.contains("log") && head.contains("MA"), "{columns}x{rows}: {head}");
        screen.keys("<left>");
        let head = title(&mut screen);
        let has_width = ["~2h", "~4h", "~6h", "~8h", "h sampled", "(sampled)"].iter().any(|label| head.contains(label));
        assert!(has_width && head.contains("log") && head.contains("MA") && head.contains(" Nov "), "{head}");
    }
}

#[test]
fn refused_axis_is_named() {
    let zero = |request: &Request| match charted(request)? {
        ResponseData::Chart(mut chart) => {
            chart.points[9].price = Some(0.0);
            Some(ResponseData::Chart(chart))
        }
        other => Some(other),
    };
    let mut screen = token_with(160, 45, zero);
    screen.keys("x");
    assert!(title(&mut screen).contains("linear axis: a price is 0"), "{}", title(&mut screen));
}

#[test]
fn title_has_the_prices_of_the_period_with_their_times() {
    let mut screen = token(160, 45);
    screen.keys("z");
    let wide = title(&mut screen);
    assert!(wide.contains("O 8.00 12 Nov 14:00  H 9.00 15 Nov 20:30") && wide.contains("C 7.1"), "{wide}");
    assert!(!line(&mut screen).contains("O 8.00"), "once is enough");
    // Where the title has no room, a line below it has them.
    screen.keys("z");
    let narrow = (title(&mut screen), line(&mut screen));
    assert!(
        !narrow.0.contains("O 8.00") && narrow.1.contains("O 8.00 12 Nov 14:00  H 9.00 15 Nov 20:30"),
        "{narrow:?}"
    );
    for (columns, rows) in [(120, 35), (80, 40)] {
        let (open, close) = ("O 8.00 12 Nov 14:00", "C 7.14 19 Nov 13:30");
        let mut screen = token(columns, rows);
        let (first, second) = (line(&mut screen), screen.text().lines().nth(4).unwrap().to_owned());
        assert!(first.contains(open) && second.contains(close), "{columns}x{rows}: {first}\n{second}");
    }
}

#[test]
fn cursor_on_a_candle_reads_everything_that_fits() {
    let (prices, volume) = (["O 7.", " H 7.", " L 7.", " C 7."], " · vol 24h 1.0M");
    for (columns, rows, zoom) in [(160, 45, ""), (120, 35, ""), (120, 35, "z"), (80, 24, "z")] {
        let mut screen = token(columns, rows);
        screen.keys(&format!("C{zoom}<left><left>"));
        let (head, prices_line) = (title(&mut screen), line(&mut screen));
        let both = format!("{head}\n{prices_line}");
        assert!(head.contains("Thu 19 Nov ") && head.contains("% in period"), "{both}");
        assert_eq!(both.matches(" · ▼ ").count(), 2, "from the previous candle, and in the period\n{both}");
        assert!(prices.iter().all(|price| both.contains(price)) && both.contains(volume), "{both}");
        // The cursor doesn't move the chart.
        let axis = |screen: &mut Screen| screen.text().lines().position(|line| line.contains("8.0┤")).unwrap();
        let there = axis(&mut screen);
        screen.keys("<esc>");
        assert!(!title(&mut screen).contains("in period"), "no cursor");
        assert_eq!(axis(&mut screen), there, "{both}");
    }
    // A low chart has only its title: without a name, the change is over the period.
    let mut low = token(80, 20);
    low.keys("C<left><left>");
    let head = title(&mut low);
    assert!(head.contains("19 Nov ") && head.contains(" · 7."), "{head}");
    let change: f64 = head.split_once("▼ ").unwrap().1.split_once('%').unwrap().0.parse().unwrap();
    assert!(change > 7.0, "{head}");
}

#[test]
fn axis_key_shows_log_and_percent() {
    let mut screen = token(160, 45);
    let row = |screen: &mut Screen| screen.text().lines().position(|line| line.contains("8.0┤")).unwrap();
    let linear = row(&mut screen);
    screen.keys("x");
    assert!(title(&mut screen).contains("log axis"));
    assert!(row(&mut screen) < linear, "the middle of the prices is above the middle of their logarithms");
    screen.keys("x");
    let percent = screen.text();
    assert!(title(&mut screen).contains("percent axis") && percent.contains("+10%┤"), "{percent}");
    // The change is that of the prices in the title.
    let price = |name: &str| {
        let rest = percent.split_once(name).unwrap().1;
        rest.split_whitespace().next().unwrap().replace(',', "").parse::<f64>().unwrap()
    };
    let change = (price(" O ") - price(" C ")).abs() / price(" O ") * 100.0;
    assert!(title(&mut screen).contains(&format!("{change:.1}%")), "{change}: {percent}");
    screen.keys("x");
    assert!(!title(&mut screen).contains("axis"));
}

#[test]
fn averages_are_off_until_their_key() {
    let mut screen = token(160, 45);
    let before = screen.text();
    let long = |screen: &mut Screen| {
        let buf = screen.paint();
        let is_line = |symbol: &str| symbol.starts_with(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        buf.content.iter().filter(|cell| cell.fg == Color::Magenta && is_line(cell.symbol())).count()
    };
    assert_eq!(long(&mut screen), 0);
    screen.keys("a");
    assert!(long(&mut screen) > 20, "the line of the long average");
    assert!(title(&mut screen).contains("MA 7/25 (1h)"), "{}", title(&mut screen));
    assert_ne!(screen.text(), before);
    screen.keys("a");
    assert_eq!(screen.text(), before);
}

#[test]
fn lengths_of_averages_have_the_colours_of_their_lines() {
    let mut screen = token(160, 45);
    screen.keys("a");
    let title = title(&mut screen);
    let column = |word: &str| title.split(word).next().unwrap().chars().count();
    let buf = screen.paint();
    let colour = |column: usize| buf[(column as u16, 2)].fg;
    let label = column("MA 7/25");
    let colours = [0, 3, 4, 5, 6, 8].map(|at| colour(label + at));
    let dim = Color::Reset;
    assert_eq!(colours, [dim, Color::Cyan, dim, Color::Magenta, Color::Magenta, dim], "{title}");
}

#[test]
fn cursor_shows_the_averages() {
    let mut screen = token(160, 45);
    screen.keys("<left>");
    assert!(!screen.text().contains("MA "));
    screen.keys("a");
    let text = screen.text();
    let average = |length: &str| {
        let rest = text.split(&format!(" · MA {length} ")).nth(1).unwrap_or_else(|| panic!("{length} in {text}"));
        rest.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    // The prices are within 7 and 9.
    assert!((7.0..9.0).contains(&average("7")) && (7.0..9.0).contains(&average("25")), "{text}");
    // There are no averages yet at the first candle.
    screen.keys("<home>");
    assert!(!screen.text().contains(" · MA 7 "), "{}", screen.text());
}

/// The average of this many closes at the cursor after these keys.
fn average_at_cursor(columns: u16, rows: u16, keys: &str, length: u32) -> String {
    let mut screen = token(columns, rows);
    screen.keys(keys);
    let text = screen.text();
    // The title names them, too.
    let rest = text.rsplit_once(&format!(" · MA {length} ")).map(|(_, rest)| rest);
    let rest = rest.unwrap_or_else(|| panic!("{length} at {columns}x{rows} {keys}: {text}"));
    rest.split_whitespace().next().unwrap().to_owned()
}

/// The averages of 7 and 25 closes.
fn averages_at_cursor(columns: u16, rows: u16, keys: &str) -> [String; 2] {
    [7, 25].map(|length| average_at_cursor(columns, rows, keys, length))
}

/// The mean of the prices at these points of [`charted`].
fn mean(points: [i32; 7]) -> String {
    let prices = points.map(|point| 8.0 + (f64::from(point) / 20.0).sin());
    format!("{:.2}", prices.iter().sum::<f64>() / 7.0)
}

#[test]
fn averages_of_lines_are_the_same_at_every_size() {
    // The mean of the last seven closes of an hour.
    let price = |hour: i32| 8.0 + (f64::from(hour * 2 + 1) / 20.0).sin();
    let mean = (161..168).map(price).sum::<f64>() / 7.0;
    let wide = averages_at_cursor(160, 45, "a<left>");
    assert_eq!(wide[0], format!("{mean:.2}"));
    for (columns, rows, keys) in [(80, 24, "za<left>"), (120, 35, "za<left>"), (160, 45, "aCC<left>")] {
        assert_eq!(averages_at_cursor(columns, rows, keys), wide, "{columns}x{rows} {keys}");
    }
    // A chosen width of candles applies to the averages of all styles.
    let chosen = averages_at_cursor(160, 45, "aC}<left>");
    assert_ne!(chosen, wide);
    assert_eq!(averages_at_cursor(160, 45, "aC}CC<left>"), chosen);
}

#[test]
fn averages_of_candles_are_of_the_drawn_width() {
    // The points after which the last candles close: of two hours, and of four from 12:00 on.
    let two = [335, 331, 327, 323, 319, 315, 311];
    let four = [335, 331, 323, 315, 307, 299, 291];
    for (keys, width, closes) in [("aC", "2h", two), ("aC}", "4h", four), ("aC}{", "2h", two)] {
        let mut screen = token(160, 45);
        screen.keys(keys);
        assert!(title(&mut screen).contains(&format!("MA 7/25 ({width})")), "{}", title(&mut screen));
        assert_eq!(average_at_cursor(160, 45, &format!("{keys}<left>"), 7), mean(closes), "{keys}");
    }
}

#[test]
fn zoomed_candles_have_averages_of_their_own_width() {
    // Candles of a day; those of half of the period have at most 8 hours, and those of a quarter 4 hours.
    for (keys, closes) in [
        ("", [335, 307, 259, 211, 163, 115, 67]),
        ("+", [335, 323, 307, 291, 275, 259, 243]),
        ("++", [335, 331, 323, 315, 307, 299, 291]),
    ] {
        let found = average_at_cursor(160, 45, &format!("aC}}}}}}}}}}{keys}<left>"), 7);
        assert_eq!(found, mean(closes), "{keys}");
    }
}

#[test]
fn candle_without_prices_has_no_averages() {
    // From 02:00 on the last day to before 04:00.
    let gap = |request: &Request| {
        let mut found = charted(request)?;
        if let ResponseData::Chart(chart) = &mut found {
            chart.points[312..316].iter_mut().for_each(|point| point.price = None);
        }
        Some(found)
    };
    let mut screen = token_with(160, 45, gap);
    screen.keys("aC<left><left><left><left><left>");
    let both = |screen: &mut Screen| format!("{}\n{}", title(screen), line(screen));
    assert!(both(&mut screen).contains("19 Nov 04:00"), "{}", screen.text());
    screen.keys("<left>");
    let gap = both(&mut screen);
    assert!(!gap.contains("C 7.") && !gap.contains("C 8.") && !gap.contains("MA 7 "), "{gap}");
    screen.keys("<left>");
    let before = both(&mut screen);
    assert!(before.contains("19 Nov 00:00") && before.contains("MA 7 "), "{before}");
}

#[test]
fn only_drawn_averages_are_named() {
    let mut screen = token(160, 45);
    screen.keys("a");
    // Seven days have too few candles of twelve hours for the long average.
    while !title(&mut screen).contains("12h") {
        let before = title(&mut screen);
        screen.keys("}");
        assert_ne!(title(&mut screen), before, "there are candles of 12 hours");
    }
    let title = title(&mut screen);
    assert!(title.contains("MA 7 ") && !title.contains("MA 7/25"), "{title}");
}

#[test]
fn lengths_of_averages_come_from_the_configuration() {
    let (sma, ema) = (MovingAverage::simple, MovingAverage::exponential);
    for (averages, label) in [
        (vec![sma(20)], " MA 20 (1h)"),
        (vec![sma(5), sma(50)], " MA 5/50 (1h)"),
        (vec![ema(12), ema(26)], " EMA 12/26 (1h)"),
        (vec![sma(7), ema(26)], " MA 7/EMA 26 (1h)"),
        (vec![ema(12), sma(26)], " EMA 12/MA 26 (1h)"),
        (vec![ema(200)], " EMA needs 200 candles"),
    ] {
        let mut screen = averaged(averages);
        assert!(title(&mut screen).contains(label), "{}", title(&mut screen));
    }
}

/// The token view with these averages.
fn averaged(averages: Vec<MovingAverage>) -> Screen {
    let mut screen = Screen::with(Preferences { averages, ..Preferences::default() }, 160, 45);
    screen.serve(charted);
    screen.keys("jj<enter>");
    screen.serve(charted);
    screen.keys("a");
    screen
}

#[test]
fn exponential_average_is_named_with_its_value_and_colour() {
    let mut screen = averaged(vec![MovingAverage::simple(7), MovingAverage::exponential(26)]);
    let head = title(&mut screen);
    let label = head.split("MA 7/EMA 26").next().unwrap().chars().count();
    let buf = screen.paint();
    let colours = [0, 3, 4, 5, 9, 10, 11].map(|at| buf[((label + at) as u16, 2)].fg);
    let (dim, short, long) = (Color::Reset, Color::Cyan, Color::Magenta);
    assert_eq!(colours, [dim, short, dim, long, long, long, dim], "{head}");
    screen.keys("<left>");
    let text = screen.text();
    let value = |label: &str| {
        let rest = text.split(label).nth(1).unwrap_or_else(|| panic!("{label} in {text}"));
        rest.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    // The price has been falling, and the long average follows it later.
    let (short, long) = (value(" · MA 7 "), value(" · EMA 26 "));
    assert!(7.14 < short && short < long && long < 9.0, "{text}");
}

#[test]
fn lengths_of_averages_are_named_in_the_smallest_terminal() {
    let mut screen = token(40, 12);
    screen.keys("a<left>");
    assert!(screen.text().contains("MA 7/25 "), "{}", screen.text());
}

#[test]
fn chart_style_is_kept_for_other_coins_and_the_next_run() {
    let mut screen = token(160, 45);
    screen.keys("C}x");
    screen.keys("n");
    screen.serve(charted);
    assert!(title(&mut screen).contains("4h candles (sampled) · log axis"), "{}", title(&mut screen));
    let session = screen.state.session();
    let again = satscope::app::Session::from_entries(&session.entries());
    let chart = again.chart.unwrap();
    assert_eq!(chart.style, ChartStyle::Candles);
    assert_eq!(chart, screen.state.chart);
}

#[test]
fn open_high_low_and_close_have_their_times_in_small_terminals() {
    let prices = ["O 8.00 12 Nov", "H 9.00 ", "L 7.00 ", "C 7.14 19 Nov"];
    for (columns, rows, keys) in [(120, 35, ""), (80, 24, ""), (80, 24, "z"), (40, 12, "z")] {
        let mut screen = token(columns, rows);
        screen.keys(keys);
        let text = screen.text();
        let head: String = text.lines().skip(2).take(3).collect();
        let missing = prices.iter().find(|price| !head.contains(**price));
        assert_eq!(missing, None, "{columns}x{rows}:\n{text}");
        assert_eq!(head.matches(" Nov").count(), 4, "{text}");
        // The cursor doesn't move the chart.
        let axis = |screen: &mut Screen| screen.text().lines().position(|line| line.contains('└'));
        let before = axis(&mut screen);
        screen.keys("<left>");
        assert_eq!(axis(&mut screen), before, "{}", screen.text());
    }
    // Within a day, the time of day says more than the date.
    let mut screen = token_with(40, 12, |request| {
        let ResponseData::Chart(mut chart) = charted(request)? else { return charted(request) };
        chart.points.truncate(48);
        Some(ResponseData::Chart(chart))
    });
    screen.keys("z");
    assert!(screen.text().contains("O 8.00 14:00"), "{}", screen.text());
}

#[test]
fn chart_without_prices_has_nothing_to_read() {
    let mut screen = token_with(120, 35, |request| {
        let ResponseData::Chart(mut chart) = charted(request)? else { return charted(request) };
        chart.points.iter_mut().for_each(|point| point.price = None);
        Some(ResponseData::Chart(chart))
    });
    screen.keys("a");
    let before = title(&mut screen);
    assert!(screen.text().contains("No prices for 7D") && !before.contains("MA needs"), "{}", screen.text());
    screen.keys("<left>");
    assert_eq!(title(&mut screen), before, "{}", screen.text());
    screen.keys("C");
    assert!(!title(&mut screen).contains("sampled"), "there are no candles: {}", screen.text());
}
