use super::*;

#[test]
fn legend_entries_never_share_a_row() {
    assert_eq!(spread(&[0, 0, 0], 10), [0, 1, 2]);
    assert_eq!(spread(&[2, 8, 9, u16::MAX], 10), [2, 7, 8, 9]);
    assert_eq!(spread(&[u16::MAX, u16::MAX], 3), [1, 2]);
    assert_eq!(spread(&[1, 5], 10), [1, 5]);
    assert_eq!(spread(&[], 10), [0; 0]);
}

fn series(count: i64, price: impl Fn(f64) -> Option<f64>) -> Vec<Point> {
    let point = |hour: i64| Point {
        time: UtcTime::from_secs(1_795_183_200 + hour * 3_600),
        price: price(hour as f64),
        volume: None,
        market_cap: None,
    };
    (0..count).map(point).collect()
}

fn lines<'a>(all: &'a [Vec<Point>]) -> Vec<Line<'a>> {
    let line = |(index, points): (usize, &'a Vec<Point>)| Line {
        letter: ['A', 'B', 'C', 'D', 'E', 'F'][index],
        name: ["BTC", "ORDI", "SATS", "RATS", "LONGSYMBOLNAME", "X"][index],
        points,
        style: Style::new(),
        is_selected: index == 1,
    };
    all.iter().enumerate().map(line).collect()
}

fn painted(width: u16, height: u16, all: &[Vec<Point>], cursor: Option<UtcTime>) -> String {
    let mut buf = Buffer::empty(Rect::new(0, 0, width, height));
    Widget::render(Comparison::new(&lines(all)).cursor(cursor), buf.area, &mut buf);
    let rows = buf.content.chunks(usize::from(width.max(1)));
    let rows: Vec<String> = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect();
    rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>().join("\n")
}

#[test]
fn lines_start_at_zero_and_end_at_their_labels() {
    let all = [
        series(168, |hour| Some(60_000.0 * (1.0 + (hour / 40.0).sin() / 9.0))),
        series(168, |hour| (!(60.0..90.0).contains(&hour)).then_some(9.0 - hour / 60.0)),
        series(0, |_| None),
    ];
    insta::assert_snapshot!(painted(70, 14, &all, None));
}

#[test]
fn lines_without_colours_have_more_letters() {
    let all = [series(168, |hour| Some(10.0 + hour)), series(168, |hour| Some(1_000.0 - hour))];
    let letters = |style: Style| {
        let mut lines = lines(&all);
        lines.iter_mut().for_each(|line| line.style = style);
        let mut buf = Buffer::empty(Rect::new(0, 0, 90, 14));
        Widget::render(Comparison::new(&lines), buf.area, &mut buf);
        ["A", "B"].map(|letter| buf.content.iter().filter(|cell| cell.symbol() == letter).count())
    };
    // One of them, and another one in "BTC", is in the legend.
    assert_eq!(letters(Style::new().fg(ratatui::style::Color::Cyan)), [3, 4]);
    assert_eq!(letters(Style::new()), [4, 5]);
}

#[test]
fn line_ends_where_points_are_missing() {
    let mut gap = series(160, |hour| Some(9.0 + hour / 60.0));
    gap.drain(50..100);
    let all = [gap];
    let at = |hour: i64| UtcTime::from_secs(1_795_183_200 + hour * 3_600);
    insta::assert_snapshot!(painted(60, 10, &all, Some(at(75))));
    let change = |hour: i64| Rebased::new(&all[0]).unwrap().at(at(hour));
    assert!(change(49).is_some() && change(75).is_none() && change(100).is_some());
}

#[test]
fn cursor_reads_all_lines_except_gaps() {
    let all = [series(100, |hour| Some(100.0 + hour)), series(100, |hour| (hour < 40.0).then_some(10.0 - hour / 10.0))];
    let at = |hour: i64| UtcTime::from_secs(1_795_183_200 + hour * 3_600);
    let early = painted(60, 10, &all, Some(at(20)));
    assert!(early.contains("+20.0%") && early.contains("−20.0%"), "{early}");
    let late = painted(60, 10, &all, Some(at(70)));
    assert!(late.contains("+70.0%") && late.contains('—'), "{late}");
}

/// The letters of the legend, from the top.
fn legend_order(painted: &str, all: &[Vec<Point>]) -> String {
    let names: Vec<String> = lines(all).iter().map(|line| format!(" {} {}", line.letter, line.name)).collect();
    let letter = |row: &str| names.iter().find(|name| row.contains(name.as_str()))?.chars().nth(1);
    painted.lines().filter_map(letter).collect()
}

#[test]
fn legend_is_ordered_by_change_within_a_row() {
    // The first two end in the same row of the scale of the third.
    let to = |end: f64| series(100, move |hour| Some(100.0 + end * hour / 99.0));
    let all = [to(-3.4), to(-2.7), to(100.0), series(0, |_| None)];
    let text = painted(60, 10, &all, None);
    assert_eq!(legend_order(&text, &all), "CBAD", "{text}");
}

#[test]
fn legend_with_cursor_is_a_list_from_the_top() {
    let all = [
        series(100, |hour| Some(100.0 - hour / 2.0)),
        series(100, |hour| (hour < 40.0).then_some(100.0 + hour)),
        series(100, |hour| Some(100.0 + if hour < 50.0 { hour * 2.0 } else { 0.0 })),
    ];
    let at = |hour: i64| Some(UtcTime::from_secs(1_795_183_200 + hour * 3_600));
    for (hour, order) in [(20, "CBA"), (70, "CAB")] {
        let text = painted(60, 12, &all, at(hour));
        assert_eq!(legend_order(&text, &all), order, "{hour}\n{text}");
        let names = [" A BTC", " B ORDI", " C SATS"];
        let top = text.lines().take(3).all(|row| names.iter().any(|name| row.contains(name)));
        assert!(top, "not beside the ends of the lines\n{text}");
    }
}

#[test]
fn comparison_accepts_any_size_and_prices() {
    let wild: [&dyn Fn(f64) -> Option<f64>; 5] = [
        &|hour| Some(if hour % 2.0 == 0.0 { f64::MAX } else { f64::MIN }),
        &|_| Some(0.0),
        &|hour| Some(1e-300 * hour),
        &|_| None,
        &|_| Some(f64::NAN),
    ];
    let all: Vec<Vec<Point>> = wild.iter().map(|price| series(30, price)).chain([series(1, |_| Some(1.0))]).collect();
    for (width, height) in [(0, 0), (1, 1), (9, 3), (30, 4), (44, 2), (80, 20), (300, 60)] {
        for count in 0..all.len() {
            painted(width, height, &all[count..], Some(UtcTime::from_secs(1_795_183_200)));
        }
    }
}
