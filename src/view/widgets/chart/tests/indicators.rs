use super::*;

#[test]
fn averages_start_after_their_first_candles() {
    let points = series(600, 3600, |index| Some(100.0 + (index as f64 / 30.0).sin() * 9.0));
    let plain = drawn(80, 14, &points, |chart| chart.candle(hours(12)));
    let (buf, _) = drawn(80, 14, &points, |chart| chart.candle(hours(12)).averages(&AVERAGES));
    let first = |style: Style| buf.content.iter().filter(|cell| Some(cell.fg) == style.fg).count();
    let [_, _, long, ..] = Theme::ANSI.lines;
    assert!(first(long) > 20, "the long average");
    assert!(plain.0.content.iter().all(|cell| Some(cell.fg) != long.fg));
}

#[test]
fn average_outside_of_the_scale_of_a_part_is_not_drawn() {
    let points = series(100, 3_600, |index| Some(if index < 80 { 10.0 } else { 100.0 + index as f64 }));
    let at = |index: usize| points[index].time;
    let [_, style] = Theme::ANSI.averages();
    let shows_average = |from: usize| {
        let part = Series::from_data(CandleData::sampled(&points).part(at(from), at(99)));
        let area = Rect::new(0, 0, 60, 12);
        let mut buf = Buffer::empty(area);
        let averages = [MovingAverage::simple(7), MovingAverage::simple(25)];
        Widget::render(Chart::new(&part).candle(hours(1)).averages(&averages), area, &mut buf);
        buf.content().iter().any(|cell| Some(cell.fg) == style.fg)
    };
    assert!(shows_average(70), "the part also has the low prices");
    assert!(!shows_average(85));
}

#[test]
fn averages_of_narrower_candles_are_the_same_in_all_styles() {
    let points = series(600, 3600, |index| Some(100.0 + (index as f64 / 30.0).sin() * 9.0));
    let series = Series::new(&points);
    let data = CandleData::sampled(&points);
    let at = |style: ChartStyle, candle: CandleWidth, width: u16, index: usize| {
        let chart = Chart::new(&series).style(style).candle(candle).averages(&AVERAGES).rsi(Some(14));
        let area = Rect::new(0, 0, width, 20);
        chart.closes_of(data, hours(1)).indicators_at(area, points[index].time)
    };
    let last = at(ChartStyle::Line, hours(1), 80, 599);
    let mean = points[593..].iter().filter_map(|point| point.price).sum::<f64>() / 7.0;
    assert!(last.averages[0].is_some_and(|(_, value)| (value - mean).abs() < 1e-9), "{last:?}");
    for (style, candle, width) in [
        (ChartStyle::Area, hours(4), 40),
        (ChartStyle::Candles, hours(12), 60),
        (ChartStyle::Candles, hours(4), 160),
        (ChartStyle::Candles, hours(24), 80),
    ] {
        assert_eq!(at(style, candle, width, 599), last, "{style:?} {candle} {width}");
    }
    // A candle has the values at its end, a line those at the cursor.
    assert_eq!(at(ChartStyle::Candles, hours(12), 60, 300), at(ChartStyle::Line, hours(12), 60, 311));
    assert_ne!(at(ChartStyle::Line, hours(12), 60, 300), at(ChartStyle::Line, hours(12), 60, 311));
}

#[test]
fn averages_are_above_the_area() {
    let points = series(600, 3600, |index| Some(100.0 + (index as f64 / 30.0).sin() * 9.0));
    let [_, _, long, ..] = Theme::ANSI.lines;
    let cells = |style: ChartStyle| {
        let (buf, _) = drawn(80, 14, &points, |chart| chart.style(style).candle(hours(12)).averages(&AVERAGES));
        buf.content.iter().filter(|cell| Some(cell.fg) == long.fg).count()
    };
    assert_eq!(cells(ChartStyle::Area), cells(ChartStyle::Line));
}

#[test]
fn average_has_no_value_after_a_gap_until_its_window_is_whole() {
    let points = series(96, 1800, |index| (!(20..32).contains(&index)).then_some(if index < 20 { 1.0 } else { 9.0 }));
    let closes = closes::closes(CandleData::sampled(&points), hours(1), None);
    let averages = averages::average(&closes, MovingAverage::simple(7));
    assert!(averages.iter().any(|point| point.price.is_none()));
    let prices = averages.iter().filter_map(|point| point.price);
    assert!(
        prices.clone().count() > 20
            && prices.into_iter().all(|price| (price - 1.0).abs() < 1e-9 || (price - 9.0).abs() < 1e-9)
    );
}

#[test]
fn bands_are_within_the_scale() {
    let points = series(40, 3_600, |index| Some(100.0 + index as f64));
    let (buf, text) = drawn(60, 14, &points, |chart| chart.style(ChartStyle::Line).candle(hours(1)).bands(true));
    let bands = Theme::ANSI.bands().fg;
    let rows = buf.content.chunks(60).map(|row| row.iter().any(|cell| Some(cell.fg) == bands));
    let rows: Vec<bool> = rows.collect();
    // The last row has the times.
    assert!(rows[0] && rows[12] && !rows[13], "{text}");
}
