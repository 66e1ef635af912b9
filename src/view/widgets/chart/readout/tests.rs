use std::time::Duration;

use super::Readout;
use crate::model::{CandleData, MovingAverage, Zone};
use crate::view::widgets::chart::tests::{hours, series};
use crate::view::widgets::chart::{Indicators, Series};
use crate::view::widgets::text;

#[test]
fn readout_of_a_candle_has_its_prices_and_changes() {
    let points = series(48, 300, |index| Some(10.0 + index as f64));
    let readout = Readout::of_candle(&Series::new(&points), 13, hours(1), &Zone::UTC).unwrap();
    assert_eq!(
        readout.to_string(),
        "Fri 13 Nov 01:00 · O 22.00 H 33.00 L 22.00 C 33.00 · ▲ 57.1% vs prev close · ▲ 230% in period · vol 24h 1.0M"
    );
    let first = Readout::of_candle(&Series::new(&points), 0, hours(1), &Zone::UTC).unwrap();
    assert!(first.to_string().contains("C 21.00 · ▲ 110% in period"), "{first}");
}

#[test]
fn change_of_every_candle_is_from_the_previous_close() {
    // 12 points an hour; the last candle has only a quarter of an hour.
    let points = series(27, 300, |index| Some(10.0 + index as f64));
    let readout = |index| Readout::of_candle(&Series::new(&points), index, hours(1), &Zone::UTC).unwrap().to_string();
    for index in [13, 26] {
        assert!(readout(index).contains("% vs prev close ·"), "{}", readout(index));
    }
}

#[test]
fn part_of_a_chart_has_the_years_of_the_whole() {
    let points = series(365, 86_400, |index| Some(10.0 + index as f64));
    let start = points[0].time;
    let part = CandleData::sampled(&points).part(start, start.plus(Duration::from_hours(60 * 24)));
    let part = Series::from_data(part);
    let readouts = [
        Readout::of_point(&part, 3, &Zone::UTC).unwrap(),
        Readout::of_candle(&part, 3, hours(24), &Zone::UTC).unwrap(),
    ];
    for readout in readouts {
        assert!(readout.to_string().starts_with("Mon 16 Nov 2026 00:00"), "{readout}");
    }
    assert!(!Readout::of_point(&part, 60, &Zone::UTC).unwrap().with_year, "the year in which the chart ends");
}

#[test]
fn readout_is_shortened_without_cutting_numbers() {
    let points = series(48, 300, |index| Some(10.0 + index as f64));
    let readout = Readout::of_candle(&Series::new(&points), 13, hours(1), &Zone::UTC).unwrap();
    for form in [
        "Fri 13 Nov 01:00 · O 22.00 H 33.00 L 22.00 C 33.00 · ▲ 57.1% vs prev close · ▲ 230% in period · vol 24h 1.0M",
        "13 Nov 01:00 · O 22.00 H 33.00 L 22.00 C 33.00 · ▲ 57.1% vs prev close · ▲ 230% in period · vol 24h 1.0M",
        "Fri 13 Nov 01:00 · O 22.00 H 33.00 L 22.00 C 33.00 · ▲ 57.1% vs prev close · ▲ 230% in period",
        "13 Nov 01:00 · O 22.00 H 33.00 L 22.00 C 33.00 · ▲ 57.1% vs prev close · ▲ 230% in period",
        "Fri 13 Nov 01:00 · 33.00 · ▲ 57.1% vs prev close · ▲ 230% in period",
        "13 Nov 01:00 · 33.00 · ▲ 57.1% vs prev close · ▲ 230% in period",
        "Fri 13 Nov 01:00 · 33.00 · ▲ 230% in period",
        "13 Nov 01:00 · 33.00 · ▲ 230% in period",
        "Fri 13 Nov 01:00 · 33.00 · ▲ 230%",
        "13 Nov 01:00 · 33.00 · ▲ 230%",
        "33.00 · 13 Nov 01:00",
        "33.00 · 01:00",
        "33.00",
    ] {
        let columns = u16::try_from(form.chars().count()).unwrap();
        assert_eq!(readout.fitted(columns), form);
    }
    assert_eq!(readout.fitted(3), "33.00");
}

#[test]
fn day_outranks_the_time_of_day_except_in_a_chart_of_a_day() {
    let of = |count, secs| {
        let points = series(count, secs, |index| Some(10.0 + index as f64));
        Readout::of_point(&Series::new(&points), 3, &Zone::UTC).unwrap()
    };
    let days = of(30, 86_400);
    for (columns, form) in [(20, "13.00 · 16 Nov 00:00"), (19, "13.00 · 16 Nov"), (14, "13.00 · 16 Nov"), (13, "13.00")]
    {
        assert_eq!(days.fitted(columns), form, "{columns}");
    }
    assert_eq!((days.without_prices(9).as_str(), days.least(true), days.least(false)), ("16 Nov", 14, 6));
    let year = of(365, 86_400);
    assert_eq!((year.fitted(19).as_str(), year.fitted(18).as_str()), ("13.00 · 16 Nov 2026", "13.00 · 16 Nov"));
    assert_eq!(of(25, 3_600).fitted(14), "13.00 · 03:00");
}

#[test]
fn values_that_do_not_fit_the_title_are_below_it() {
    let points = series(48, 300, |index| Some(10.0 + index as f64));
    let readout = Readout::of_candle(&Series::new(&points), 13, hours(1), &Zone::UTC).unwrap();
    for (columns, form) in
        [(80, "Fri 13 Nov 01:00 · ▲ 230% in period"), (31, "13 Nov 01:00 · ▲ 230% in period"), (9, "01:00")]
    {
        assert_eq!(readout.without_prices(columns), form);
    }
    let (prices, step, volume) = ("O 22.00 H 33.00 L 22.00 C 33.00", "▲ 57.1% vs prev close", "vol 24h 1.0M");
    for (columns, lines, forms) in [
        (80, 1, vec![format!("{prices} · {step} · {volume}")]),
        (56, 1, vec![format!("{prices} · {step}")]),
        (40, 1, vec![prices.to_owned()]),
        (40, 2, vec![prices.to_owned(), format!("{step} · {volume}")]),
        (31, 2, vec![prices.to_owned(), step.to_owned()]),
        (20, 2, vec![String::from("O 22.00 H 33.00"), String::from("L 22.00 C 33.00")]),
        (10, 2, vec![String::from("C 33.00")]),
    ] {
        assert_eq!(readout.prices(columns, lines), forms, "{columns} {lines}");
    }
    let point = Readout::of(&points, 13, &Zone::UTC).unwrap();
    assert_eq!(point.prices(60, 1), ["23.00 · ▲ 4.5% in 5 m · vol 24h 1.0M"]);
}

#[test]
fn averages_outrank_the_volume() {
    let points = series(48, 300, |index| Some(10.0 + index as f64));
    let values = [(MovingAverage::simple(7), 20.0), (MovingAverage::exponential(25), 15.5)];
    let indicators = Indicators { averages: values.map(Some), ..Indicators::default() };
    let readout = Readout::of(&points, 13, &Zone::UTC).unwrap().with_indicators(indicators);
    let averages = "MA 7 20.00 · EMA 25 15.50";
    for (columns, lines, forms) in [
        (80, 1, vec![format!("23.00 · ▲ 4.5% in 5 m · vol 24h 1.0M · {averages}")]),
        (51, 1, vec![format!("23.00 · ▲ 4.5% in 5 m · {averages}")]),
        (40, 1, vec![String::from("23.00 · ▲ 4.5% in 5 m · vol 24h 1.0M")]),
        (60, 2, vec![String::from("23.00"), format!("▲ 4.5% in 5 m · vol 24h 1.0M · {averages}")]),
    ] {
        assert_eq!(readout.prices(columns, lines), forms, "{columns} {lines}");
    }
    let whole = format!("Fri 13 Nov 01:05 · 23.00 · ▲ 4.5% in 5 m · ▲ 130% in period · vol 24h 1.0M · {averages}");
    assert_eq!(readout.fitted(200), whole);
    assert_eq!(readout.fitted(96), whole.replace(" · vol 24h 1.0M", ""));
}

#[test]
fn averages_outrank_the_rsi() {
    let points = series(48, 300, |index| Some(10.0 + index as f64));
    let readout = |averages, rsi| {
        let indicators = Indicators { averages, rsi: Some(rsi), ..Indicators::default() };
        Readout::of(&points, 13, &Zone::UTC).unwrap().with_indicators(indicators)
    };
    let averages = [Some((MovingAverage::simple(7), 20.0)), None];
    let both = readout(averages, 56.31);
    for (columns, form) in [
        (80, "23.00 · ▲ 4.5% in 5 m · vol 24h 1.0M · MA 7 20.00 · RSI 56.3"),
        (50, "23.00 · ▲ 4.5% in 5 m · MA 7 20.00 · RSI 56.3"),
        (40, "23.00 · ▲ 4.5% in 5 m · MA 7 20.00"),
        (30, "23.00 · ▲ 4.5% in 5 m"),
    ] {
        assert_eq!(both.prices(columns, 1), [form]);
    }
    assert!(both.fitted(200).ends_with(" · vol 24h 1.0M · MA 7 20.00 · RSI 56.3"), "{both}");
    assert!(both.fitted(90).ends_with("in period · MA 7 20.00 · RSI 56.3"), "{}", both.fitted(90));
    assert_eq!(readout([None; 2], 99.99).prices(40, 1), ["23.00 · ▲ 4.5% in 5 m · RSI 100"]);
}

#[test]
fn readout_in_two_narrow_lines_has_all_prices() {
    let points = series(60, 600, |index| Some(61_234.1 + index as f64));
    let series = Series::new(&points);
    let readout = Readout::of_candle(&series, 20, hours(2), &Zone::UTC).unwrap();
    let lines = readout.prices(40, 2);
    assert!(lines.len() == 2 && lines.iter().all(|line| text::width(line) <= 40), "{lines:?}");
    let all = lines.join(" ");
    assert!(["O ", "H ", "L ", "C ", " vs prev close"].iter().all(|part| all.contains(part)), "{lines:?}");
    assert_eq!(readout.prices(26, 2).len(), 2, "open and high, low and close");
    assert!(readout.prices(40, 1).concat().starts_with("C "));
}

#[test]
fn macd_is_left_out_before_rsi_and_bands() {
    let points = series(48, 300, |index| Some(10.0 + index as f64));
    let indicators = Indicators {
        averages: [Some((MovingAverage::simple(7), 20.0)), None],
        bands: Some([19.0, 21.5]),
        rsi: Some(56.31),
        macd: Some(-0.31),
        signal: Some(0.12),
    };
    let readout = Readout::of(&points, 13, &Zone::UTC).unwrap().with_indicators(indicators);
    let rest = "MA 7 20.00 · BB 19.00–21.50 · RSI 56.3";
    for (columns, form) in [
        (91, format!("23.00 · ▲ 4.5% in 5 m · {rest} · MACD −0.3100 signal 0.1200")),
        (90, format!("23.00 · ▲ 4.5% in 5 m · vol 24h 1.0M · {rest}")),
    ] {
        assert_eq!(readout.prices(columns, 1), [form], "{columns}");
    }
}
