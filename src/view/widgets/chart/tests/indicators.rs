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
fn averages_of_lines_have_a_fixed_interval_and_those_of_candles_the_drawn_width() {
    let points = series(600, 3600, |index| Some(100.0 + (index as f64 / 30.0).sin() * 9.0));
    let series = Series::new(&points);
    let chart = |style: ChartStyle, candle: CandleWidth| {
        let chart = Chart::new(&series).style(style).candle(candle).averages(&AVERAGES).rsi(Some(14));
        chart.closes_of(CandleData::sampled(&points), hours(1))
    };
    let area = |width: u16| Rect::new(0, 0, width, 20);
    let at = |style: ChartStyle, candle: CandleWidth, width: u16, index: usize| {
        chart(style, candle).prepare(area(width)).indicators_at(points[index].time)
    };
    let short = |found: Indicators| found.averages[0].map_or(0.0, |(_, value)| value);
    let mean =
        |last: usize, step: usize| (0..7).filter_map(|close| points[last - close * step].price).sum::<f64>() / 7.0;
    let last = at(ChartStyle::Line, hours(1), 80, 599);
    assert!((short(last) - mean(599, 1)).abs() < 1e-9, "{last:?}");
    assert_eq!(at(ChartStyle::Area, hours(4), 40, 599), last);
    for index in [300, 311] {
        let found = at(ChartStyle::Candles, hours(12), 80, index);
        assert!((short(found) - mean(311, 12)).abs() < 1e-9, "at the end of its candle: {found:?}");
    }
    // So many candles don't fit.
    let drawn = chart(ChartStyle::Candles, hours(4)).prepare(area(40)).candle();
    assert!(drawn > hours(4), "{drawn}");
    let found = at(ChartStyle::Candles, hours(4), 40, 599);
    assert_eq!(found, at(ChartStyle::Candles, drawn, 40, 599));
    assert_ne!(found, at(ChartStyle::Candles, hours(4), 200, 599));
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

#[test]
fn tags_have_the_newest_known_values_of_the_part() {
    // After the gap, there are too few closes.
    let points = series(90, 3_600, |index| (!(60..80).contains(&index)).then_some(100.0 + (index as f64 / 7.0).sin()));
    let tags = |data: CandleData<'_>| -> Vec<String> {
        let series = Series::from_data(data);
        let area = Rect::new(0, 0, 80, 30);
        let mut buf = Buffer::empty(area);
        Widget::render(Chart::new(&series).candle(hours(1)).rsi(Some(14)).macd(true), area, &mut buf);
        let text: String = buf.content.iter().map(|cell| cell.symbol()).collect();
        text.split("◀ ").skip(2).map(|rest| rest.split_whitespace().next().unwrap().to_owned()).collect()
    };
    let all = tags(CandleData::sampled(&points));
    assert_eq!(all.len(), 2);
    let until = |last: usize| tags(CandleData::sampled(&points).part(points[0].time, points[last].time));
    assert_eq!(until(59), all, "those before the gap");
    let earlier = until(50);
    assert!(earlier.len() == 2 && earlier[0] != all[0] && earlier[1] != all[1], "{earlier:?} {all:?}");
    // A part after the gap has none.
    assert!(tags(CandleData::sampled(&points).part(points[82].time, points[89].time)).is_empty());
}

#[test]
fn tags_of_an_older_part_are_dim() {
    let points = series(90, 3_600, |index| Some(100.0 + (index as f64 / 7.0).sin()));
    // Of the sign and the value of the price, the RSI and the MACD.
    let styles = |last: usize, cursor: Option<usize>| -> Vec<[Modifier; 2]> {
        let part = Series::from_data(CandleData::sampled(&points).part(points[0].time, points[last].time));
        let area = Rect::new(0, 0, 80, 30);
        let mut buf = Buffer::empty(area);
        let chart = Chart::new(&part).candle(hours(1)).rsi(Some(14)).macd(true);
        StatefulWidget::render(chart, area, &mut buf, &mut ChartState::default().with_cursor(cursor));
        let signs = (0..buf.content.len()).filter(|&cell| buf.content[cell].symbol() == "◀");
        signs.map(|sign| [sign, sign + 2].map(|cell| buf.content[cell].modifier)).collect()
    };
    for cursor in [None, Some(50)] {
        assert_eq!(styles(89, cursor), [[Modifier::empty(), Modifier::BOLD]; 3], "{cursor:?}");
        assert_eq!(styles(70, cursor), [[Modifier::DIM; 2]; 3], "{cursor:?}");
    }
}

#[test]
fn axis_of_the_macd_has_room_for_a_negative_value() {
    // On a straight line, the averages are seven closes apart.
    let points = series(90, 3_600, |index| Some(1.0 - index as f64 * 0.001_763_4));
    let (_, text) = drawn(80, 24, &points, |chart| chart.candle(hours(1)).macd(true));
    assert!(text.contains("−0.01234┤"), "{text}");
}
