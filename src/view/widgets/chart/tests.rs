mod annotations;
mod indicators;

use std::collections::BTreeSet;

use super::*;
use crate::model::{CandleData, Point, UtcTime};
use ratatui::style::{Color, Modifier, Style};

/// 2026-11-13T00:00:00Z.
const START: i64 = 1_794_528_000;

const AVERAGES: [MovingAverage; 2] = [MovingAverage::simple(7), MovingAverage::exponential(25)];

pub(super) fn series(count: usize, secs: i64, price: impl Fn(usize) -> Option<f64>) -> Vec<Point> {
    let point = |index: usize| Point {
        time: UtcTime::from_secs(START + index as i64 * secs),
        price: price(index),
        volume: (1e6 + index as f64).into(),
        market_cap: None,
    };
    (0..count).map(point).collect()
}

fn painted(width: u16, height: u16, points: &[Point], cursor: Option<usize>) -> (Buffer, String) {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    let mut state = ChartState::default().with_cursor(cursor);
    StatefulWidget::render(Chart::new(&Series::new(points)), area, &mut buf, &mut state);
    let rows = buf.content.chunks(usize::from(width.max(1)));
    let rows: Vec<String> = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
    let text = rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n");
    (buf, text)
}

/// A close per hour; some are missing.
pub(super) fn hourly(prices: &[Option<f64>]) -> Vec<closes::Close> {
    let close = |(hour, price): (i64, &Option<f64>)| {
        let time = UtcTime::from_secs(START + hour * 3_600);
        Some(closes::Close { number: hours(1).number(time), time, price: (*price)? })
    };
    (0..).zip(prices).filter_map(close).collect()
}

#[test]
fn chart_draws_rising_line() {
    let points = series(169, 3600, |index| Some(10.0 + index as f64 / 16.8));
    let (_, text) = painted(50, 8, &points, None);
    insta::assert_snapshot!(text);
}

#[test]
fn low_chart_has_at_least_two_price_labels_if_they_are_apart() {
    for (low, high, height, labels) in [
        (71_820.0, 77_130.0, 8, vec!["76,000", "74,000", "72,000"]),
        (7.2, 9.8, 8, vec!["9", "8"]),
        // Of 7.5, 8.0 and 8.5, which are one row apart.
        (7.1, 8.9, 6, vec!["8.5", "7.5"]),
        (15.55, 16.47, 8, vec!["16.4", "16.0", "15.6"]),
    ] {
        let points = series(169, 3600, |index| Some(low + (high - low) * index as f64 / 168.0));
        for axis in [ChartAxis::Linear, ChartAxis::Log] {
            let (_, text) = drawn(60, height, &points, |chart| chart.axis(axis));
            assert_eq!(price_labels(&text), labels, "{axis:?}: {text}");
        }
    }
}

/// The labels of the price axis, from top to bottom.
fn price_labels(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| Some(line.split_once('┤')?.0.trim())).collect()
}

#[test]
fn low_percent_axis_has_two_labels_with_zero() {
    // Of −4%, −2%, 0% and +2%, four would be too many, and 0% alone would be no scale.
    let price = |index| if index == 0 { 100.0 } else { 95.8 + 7.2 * index as f64 / 168.0 };
    let points = series(169, 3600, |index| Some(price(index)));
    let (_, text) = drawn(60, 8, &points, |chart| chart.axis(ChartAxis::Percent));
    assert_eq!(price_labels(&text), ["0%", "−4%"], "{text}");
}

#[test]
fn chart_shows_gap() {
    let points = series(160, 600, |index| (!(60..100).contains(&index)).then_some(5.0 + (index as f64 / 20.0).sin()));
    let (_, text) = painted(60, 9, &points, None);
    insta::assert_snapshot!(text);
}

#[test]
fn area_and_volume_end_where_points_are_missing() {
    let mut points = series(160, 600, |index| Some(5.0 + (index as f64 / 20.0).sin()));
    points.drain(60..100);
    let (_, text) = drawn(60, 14, &points, |chart| chart.volume(true));
    insta::assert_snapshot!(text);
}

#[test]
fn coarse_part_of_a_series_is_joined() {
    let mut points = series(160, 600, |index| Some(5.0 + (index as f64 / 20.0).sin()));
    points.retain(|point| point.time.secs() >= START + 40_000 || point.time.secs() % 3_600 == 0);
    let (_, text) = painted(60, 9, &points, None);
    insta::assert_snapshot!(text);
}

#[test]
fn single_point_has_one_volume_bar() {
    let points = series(1, 600, |_| Some(5.0));
    let (_, text) = drawn(60, 14, &points, |chart| chart.volume(true));
    let bars: Vec<&str> = text.lines().skip(11).take(2).collect();
    let is_bar = |c: &char| ('\u{2801}'..='\u{28ff}').contains(c);
    assert!(bars.iter().all(|row| row.chars().filter(is_bar).count() == 1), "{text}");
}

#[test]
fn smallest_chart_shows_line() {
    let points = series(100, 600, |index| Some(1.0 + index as f64));
    assert_eq!(painted(8, 1, &points, None).1, "⣀⡠⠤⠤⠒⠒⠊⠉");
    assert_eq!(painted(1, 1, &points, None).1, "⡜");
}

#[test]
fn chart_without_prices_shows_a_message() {
    let (buf, text) = painted(40, 3, &series(10, 600, |_| None), None);
    assert_eq!(text.trim(), "No prices in this period");
    assert!(buf.content.iter().filter(|cell| cell.symbol() != " ").all(|cell| cell.modifier == Modifier::DIM));
    assert_eq!(painted(40, 3, &[], None).1.trim(), "No prices in this period");
}

#[test]
fn single_point_and_flat_series_are_centred() {
    let rows = |text: &str| text.lines().position(|row| row.chars().any(|c| ('⠁'..='⣿').contains(&c)));
    assert_eq!(rows(&painted(60, 9, &series(1, 60, |_| Some(8.41)), None).1), Some(4));
    assert_eq!(rows(&painted(60, 9, &series(50, 60, |_| Some(0.0)), None).1), Some(4));
}

#[test]
fn chart_keeps_spike_among_many_points() {
    let points = series(10_000, 60, |index| Some(if index == 7_777 { 20.0 } else { 10.0 }));
    let (_, text) = painted(60, 10, &points, None);
    assert!(text.lines().next().unwrap().contains("high 20.00"), "{text}");
    assert!((1..8).all(|row| text.lines().nth(row).unwrap().chars().any(|c| ('⠁'..='⣿').contains(&c))), "{text}");
}

#[test]
fn chart_line_is_coloured_and_rest_is_dim() {
    for (slope, colour) in [(1.0, Color::Green), (-1.0, Color::Red)] {
        let (buf, _) = painted(60, 9, &series(100, 600, |index| Some(500.0 + slope * index as f64)), None);
        let line = buf.content.iter().filter(|cell| cell.fg == colour).count();
        assert!(line > 40, "{line}");
        for cell in &buf.content {
            let quiet = cell.modifier.contains(Modifier::DIM) && cell.fg == Color::Reset;
            assert!(cell.fg == colour || quiet || cell.symbol() == " ", "{cell:?}");
        }
    }
}

#[test]
fn change_rounded_to_zero_is_neutral() {
    let (buf, _) = painted(60, 9, &series(100, 600, |index| Some(1.0 - 0.000_4 * index as f64 / 99.0)), None);
    assert!(buf.content.iter().all(|cell| cell.fg != Color::Red && cell.fg != Color::Green));
}

#[test]
fn chart_cursor_marks_and_labels_its_point() {
    let points = series(100, 600, |index| Some(8.0 + index as f64 / 100.0));
    let (buf, text) = painted(60, 9, &points, Some(50));
    assert_eq!(text.matches('●').count(), 1);
    assert!(buf.content.iter().any(|cell| cell.symbol() == "│" && cell.fg == Color::Cyan));
    let readout = Readout::of(&points, 50, &Zone::UTC).unwrap();
    assert_eq!(readout.to_string(), "Fri 13 Nov 08:20 · 8.50 · ▲ 0.1% in 10 m · ▲ 6.2% in period · vol 24h 1.0M");
    assert_eq!(Readout::of(&points, 100, &Zone::UTC), None);
}

#[test]
fn chart_accepts_any_size_and_prices() {
    let wild: [&dyn Fn(usize) -> Option<f64>; 6] = [
        &|index| Some(if index % 2 == 0 { f64::MAX } else { f64::MIN }),
        &|index| Some(index as f64 * 1e-310),
        &|index| Some([f64::NAN, f64::INFINITY, 1.0][index % 3]),
        &|_| Some(-1e300),
        &|index| Some(1e-30 * (index + 1) as f64),
        &|index| (index % 2 == 0).then_some(1.0),
    ];
    for price in wild {
        let points = series(30, 86_400, price);
        for (width, height) in [(0, 0), (1, 1), (2, 9), (24, 4), (40, 5), (80, 14), (200, 40), (300, 2)] {
            painted(width, height, &points, Some(usize::from(width) % 31));
        }
        let mut buf = Buffer::empty(Rect::new(3, 3, 10, 10));
        for area in [Rect::new(0, 0, 90, 40), Rect::new(8, 8, 60_000, 60_000), Rect::new(50, 50, 9, 9)] {
            let mut state = ChartState::default().with_cursor(Some(3));
            StatefulWidget::render(Chart::new(&Series::new(&points)).volume(true), area, &mut buf, &mut state);
        }
    }
}

fn drawn(width: u16, height: u16, points: &[Point], chart: impl FnOnce(Chart<'_>) -> Chart<'_>) -> (Buffer, String) {
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    let series = Series::new(points);
    Widget::render(chart(Chart::new(&series)), area, &mut buf);
    let rows = buf.content.chunks(usize::from(width.max(1)));
    let rows: Vec<String> = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
    let text = rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n");
    (buf, text)
}

pub(super) fn hours(hours: i64) -> CandleWidth {
    CandleWidth::ALL.into_iter().find(|width| width.millis() == hours * 3_600_000).unwrap()
}

/// Five-minute prices over two days that rise and fall.
fn waves() -> Vec<Point> {
    series(576, 300, |index| Some(10.0 + (index as f64 / 40.0).sin() + (index as f64 / 7.0).sin() / 4.0))
}

#[test]
fn candles_have_bodies_and_wicks() {
    let (buf, text) = drawn(70, 14, &waves(), |chart| chart.style(ChartStyle::Candles).candle(hours(1)).volume(true));
    insta::assert_snapshot!(text);
    for (colour, least) in [(Color::Green, 30), (Color::Red, 30)] {
        assert!(buf.content.iter().filter(|cell| cell.fg == colour).count() > least, "{colour}");
    }
    assert!(buf.content.iter().filter(|cell| cell.symbol() == "┃").all(|cell| cell.modifier.is_empty()));
}

#[test]
fn wide_candles_are_blocks() {
    let (_, text) = drawn(60, 12, &waves(), |chart| chart.style(ChartStyle::Candles).candle(hours(6)));
    insta::assert_snapshot!(text);
}

#[test]
fn candles_without_colours_are_filled_if_they_fall() {
    static PLAIN: Theme = Theme::plain();
    let points = series(24, 300, |index| Some(if index < 12 { 5.0 + index as f64 } else { 30.0 - index as f64 }));
    let (_, text) = drawn(2, 8, &points, |chart| chart.style(ChartStyle::Candles).candle(hours(1)).theme(&PLAIN));
    let columns: Vec<String> = (0..2).map(|x| text.lines().filter_map(|row| row.chars().nth(x)).collect()).collect();
    assert!(columns[0].contains('┃') && !columns[0].contains('█'), "{text}");
    assert!(columns[1].contains('█') && !columns[1].contains('┃'), "{text}");
}

#[test]
fn wide_candles_without_colours_are_hollow_unless_they_fall() {
    static PLAIN: Theme = Theme::plain();
    let points = series(36, 300, |index| Some(if index < 12 { 5.0 + index as f64 } else { 40.0 - index as f64 }));
    let (_, text) = drawn(12, 8, &points, |chart| chart.style(ChartStyle::Candles).candle(hours(1)).theme(&PLAIN));
    let half = |range: std::ops::Range<usize>| {
        let rows = text.lines().map(|row| row.chars().skip(range.start).take(range.len()).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    };
    let (rising, falling) = (half(0..4), half(4..12));
    assert!(rising.contains("┌─┐") && rising.contains("│ │") && rising.contains("└─┘"), "{text}");
    assert!(!rising.contains(['█', '▄', '▀']), "{text}");
    assert!(falling.contains("███") && !falling.contains(['┌', '│']), "{text}");
}

#[test]
fn gap_between_candles_stays_a_gap() {
    // Eight hours, a gap of eight hours, and eight hours.
    let points = series(288, 300, |index| (!(96..192).contains(&index)).then_some(10.0 + (index as f64 / 9.0).sin()));
    for width in 60..100 {
        let (_, text) =
            drawn(width, 10, &points, |chart| chart.style(ChartStyle::Candles).candle(hours(1)).averages(&AVERAGES));
        let cells = text.lines().flat_map(|line| line.chars().enumerate());
        let columns: BTreeSet<usize> =
            cells.filter(|(_, char)| "╷╻╵╹╽╿┃".contains(*char)).map(|(column, _)| column).collect();
        let columns: Vec<usize> = columns.into_iter().collect();
        let steps: Vec<usize> = columns.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let pitch = steps[0];
        let expected: Vec<usize> = (1..16).map(|candle| if candle == 8 { 9 * pitch } else { pitch }).collect();
        assert_eq!(steps, expected, "{width}: {text}");
    }
}

#[test]
fn log_axis_gives_equal_ratios_equal_distances() {
    let points = series(40, 86_400, |index| Some(10_f64.powf(index as f64 / 13.0)));
    let (_, text) = drawn(60, 16, &points, |chart| chart.axis(ChartAxis::Log).style(ChartStyle::Line));
    insta::assert_snapshot!(text);
    let narrow = series(40, 86_400, |index| Some(10.0 + index as f64 / 13.0));
    let (_, text) = drawn(60, 16, &narrow, |chart| chart.axis(ChartAxis::Log));
    assert!(text.contains("12┤"), "{text}");
}

#[test]
fn percent_axis_has_changes_from_the_opening_price() {
    let points = series(40, 86_400, |index| Some(1e-9 * (1.0 + (index as f64 / 6.0).sin() / 3.0)));
    let (_, text) = drawn(60, 12, &points, |chart| chart.axis(ChartAxis::Percent));
    insta::assert_snapshot!(text);
}

#[test]
fn candles_never_cover_each_other() {
    // A price with a wide label, and a longer series than its period.
    let points = series(9_000, 900, |index| Some(1.2345e-7 * (1.0 + (index as f64 / 300.0).sin() / 9.0)));
    let series = Series::new(&points);
    for width in 20..=200 {
        let columns = Columns::of_fitting_candles(series.data(), CandleWidth::narrowest(Period::Day), width);
        let bars = candles::bars(&series, &columns);
        assert!(bars.windows(2).all(|pair| pair[0].column < pair[1].column), "{width}");
        let end = bars.last().unwrap().column + columns.pitch();
        let used = columns.width();
        assert!(used <= width && (used..=used + columns.pitch()).contains(&end), "the plot ends with them: {width}");
    }
}

#[test]
fn candle_without_a_change_is_neither_gain_nor_loss() {
    let points = series(48, 3600, |index| Some(10.0 - index as f64 / 10.0));
    let (buf, _) = drawn(80, 12, &points, |chart| chart.style(ChartStyle::Candles).candle(hours(1)));
    let mut bodies = buf.content.iter().filter(|cell| matches!(cell.symbol(), "╹" | "╻" | "┃"));
    assert!(bodies.clone().count() >= 40 && bodies.all(|cell| cell.fg == Color::Cyan));
}

#[test]
fn styles_accept_any_size_and_prices() {
    let wild: [&dyn Fn(usize) -> Option<f64>; 7] = [
        &|index| Some(if index % 2 == 0 { f64::MAX } else { f64::MIN }),
        &|index| Some(index as f64 * 1e-310),
        &|index| Some([f64::NAN, f64::INFINITY, 1.0][index % 3]),
        &|_| Some(0.0),
        &|index| Some(1e-30 * (index + 1) as f64),
        &|index| (index % 2 == 0).then_some(1.0),
        &|index| Some(1e-300 * 10_f64.powi(index as i32 * 20)),
    ];
    for price in wild {
        for (count, secs) in [(30, 86_400), (1, 60), (30, 0), (30, 1 << 40)] {
            let points = series(count, secs, price);
            for (width, height) in [(0, 0), (1, 1), (2, 9), (24, 4), (40, 5), (80, 14), (200, 40), (300, 2)] {
                for (style, axis) in
                    ChartStyle::ALL.into_iter().flat_map(|style| ChartAxis::ALL.map(|axis| (style, axis)))
                {
                    for candle in [hours(1), hours(24 * 7)] {
                        drawn(width, height, &points, |chart| {
                            chart
                                .style(style)
                                .axis(axis)
                                .candle(candle)
                                .averages(&AVERAGES)
                                .volume(true)
                                .rsi(Some(14))
                                .bands(true)
                                .macd(true)
                        });
                    }
                }
            }
        }
    }
}

#[test]
fn low_label_is_not_next_to_another_low() {
    // Two equally wide dips; the second one is lower and has no room beside it.
    let dip = |index: usize, at: usize, depth: f64| (1.0 - (index.abs_diff(at) as f64 / 14.0)).max(0.0) * depth;
    let points = series(169, 3600, |index| Some(20.0 - dip(index, 120, 6.9) - dip(index, 148, 7.0)));
    for style in ChartStyle::ALL {
        for candle in [2, 6, 8].map(hours) {
            let (_, text) = drawn(70, 14, &points, |chart| chart.style(style).candle(candle));
            let Some(row) = text.lines().find(|row| row.contains("low 13.00")) else { continue };
            let start = row[..row.find("low").unwrap()].chars().count();
            let end = start + row[row.find("low").unwrap()..].split("  ").next().unwrap().chars().count();
            assert!(start > 50 || end > 50, "{style:?} {candle}: {text}");
        }
    }
}
