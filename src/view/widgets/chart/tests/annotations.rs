//! Alert limits, lots and notes in a chart.

use std::sync::LazyLock;

use super::*;

fn levels(prices: &[f64]) -> Vec<Level> {
    prices.iter().copied().map(Level::from).collect()
}

/// The styles of the cells of a text in a chart, in the row where it first occurs.
fn styles_of(buf: &Buffer, text: &str) -> Vec<Style> {
    let width = usize::from(buf.area.width);
    let rows = buf.content.chunks(width);
    let mut found = rows.filter_map(|row| {
        let symbols: String = row.iter().map(|cell| cell.symbol()).collect();
        let start = symbols.get(..symbols.find(text)?)?.chars().count();
        Some(row[start..start + text.chars().count()].iter().map(|cell| cell.style()).collect())
    });
    found.next().unwrap_or_else(|| panic!("{text} in {buf:?}"))
}

#[test]
fn limit_of_an_alert_colours_no_other_label() {
    let points = series(169, 3600, |index| Some(18_000.0 + (index as f64 / 20.0).sin() * 1_900.0));
    // At a tick of the axis, and at the opening price.
    static ANNOTATIONS: LazyLock<Annotations> =
        LazyLock::new(|| Annotations { levels: levels(&[17_000.0, 18_010.0, 19_900.0]), markers: Vec::new() });
    let (buf, text) = drawn(100, 24, &points, |chart| chart.annotations(&ANNOTATIONS));
    let only = |label: &str| {
        let styles = styles_of(&buf, label);
        assert!(styles.iter().all(|style| *style == styles[0]), "{label}: {styles:?}\n{text}");
        (styles[0].fg, styles[0].add_modifier)
    };
    assert_eq!(only("17,000"), (Some(Color::Yellow), Modifier::empty()));
    assert_eq!(only("open 18,000.00"), (Some(Color::Reset), Modifier::DIM));
    assert_eq!(only("high 19,89"), (Some(Color::Reset), Modifier::DIM));
}

#[test]
fn limit_of_an_alert_is_a_percentage_on_a_percent_axis() {
    let points = series(169, 3600, |index| Some(100.0 + (index as f64 / 20.0).sin() * 20.0));
    // At the opening price, and above it.
    static ANNOTATIONS: LazyLock<Annotations> =
        LazyLock::new(|| Annotations { levels: levels(&[100.1, 112.3]), markers: Vec::new() });
    let (buf, text) = drawn(100, 24, &points, |chart| chart.annotations(&ANNOTATIONS).axis(ChartAxis::Percent));
    assert!(text.contains("+12.3%┤╌") && text.contains(" 0%┤"), "{text}");
    assert!(!text.contains("112.3") && !text.contains("100.1"), "{text}");
    assert_eq!(styles_of(&buf, "+12.3%")[0].fg, Some(Color::Yellow));
    // The axis keeps 0%, so the line itself is labelled, and the opening price is beside it.
    let row =
        |label: &str| text.lines().position(|line| line.contains(label)).unwrap_or_else(|| panic!("{label}\n{text}"));
    assert!(text.lines().any(|line| line.contains(" 0%┤") && line.contains(" alert +0.1%")), "{text}");
    assert_eq!(styles_of(&buf, "alert +0.1%")[0].fg, Some(Color::Yellow));
    assert_eq!(row("open 100.00"), row("alert +0.1%") + 1, "below the higher limit\n{text}");
}

#[test]
fn opening_price_is_labelled_beside_the_limit_of_an_alert() {
    let points = series(169, 3600, |index| Some(100.0 + (index as f64 / 20.0).sin() * 20.0));
    for (level, label, by) in [(99.9, "99.90", -1), (100.1, "100.10", 1)] {
        let text = annotated(&Annotations { levels: levels(&[level]), markers: Vec::new() }, &points, None);
        let row = |label: &str| text.lines().position(|line| line.contains(label)).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(row("open 100.00") as isize, row(label) as isize + by, "{text}");
    }
}

fn annotated(annotations: &Annotations, points: &[Point], cursor: Option<usize>) -> String {
    let area = Rect::new(0, 0, 60, 12);
    let mut buf = Buffer::empty(area);
    let mut state = ChartState::default().with_cursor(cursor);
    let series = Series::new(points);
    StatefulWidget::render(Chart::new(&series).annotations(annotations), area, &mut buf, &mut state);
    let rows = buf.content.chunks(60);
    rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned() + "\n").collect()
}

#[test]
fn limits_near_the_prices_are_dashed_lines_with_their_price() {
    let points = series(169, 3600, |index| Some(10.0 + index as f64 / 16.8));
    let with = |prices: &[f64]| annotated(&Annotations { levels: levels(prices), markers: Vec::new() }, &points, None);
    assert!(with(&[18.0]).contains("18┤╌"), "without decimals, like the axis: {}", with(&[18.0]));
    let text = with(&[17.3, 21.7, 200.0]);
    let dashed: Vec<&str> = text.lines().filter(|line| line.contains("╌╌╌")).collect();
    assert_eq!(dashed.len(), 2, "{text}");
    assert!(dashed[0].contains("21.70┤╌") && dashed[1].contains("17.30┤╌"), "{text}");
    assert!(dashed[1].ends_with('╌') || dashed[1].contains("╌ ◀"), "the area below the line doesn't hide it: {text}");
    let converted = Annotations { levels: vec![Level { price: 17.3, is_approximate: true }], markers: Vec::new() };
    assert!(annotated(&converted, &points, None).contains("≈17.30┤╌"), "{}", annotated(&converted, &points, None));
    assert_eq!(with(&[200.0, 1.0]), with(&[]), "they are far from the prices");
    assert_eq!(annotated(&Annotations::default(), &points, None), painted(60, 12, &points, None).1 + "\n");
}

#[test]
fn cursor_shows_the_text_of_lot_marks() {
    let points = series(169, 3600, |index| Some(10.0 + (index as f64 / 20.0).sin()));
    let moment = |hour: i64, kind, text: &str| Marker {
        time: UtcTime::from_secs(START + hour * 3600),
        kind,
        text: String::from(text),
    };
    let markers = vec![
        moment(30, MarkerKind::In, "bought 500 at $10.99"),
        moment(95, MarkerKind::Out, "sold 5"),
        moment(140, MarkerKind::In, "received 3"),
        moment(400, MarkerKind::Out, "outside"),
    ];
    let marks = Annotations { levels: Vec::new(), markers };
    let count = |text: &str, symbol: &str| text.matches(symbol).count();
    let text = annotated(&marks, &points, None);
    assert_eq!((count(&text, "▲"), count(&text, "▼")), (2, 1), "{text}");
    assert!(!text.contains("bought") && !text.contains("received"), "{text}");
    let text = annotated(&marks, &points, Some(140));
    assert!(text.contains("received 3") && !text.contains("bought"), "{text}");
    assert!(annotated(&marks, &points, Some(30)).contains("bought 500 at $10.99"));
    // Marks are not where the line is: the line has as many cells as without them.
    let braille = |text: &str| text.chars().filter(|c| ('⠁'..='⣿').contains(c)).count();
    let plain = annotated(&Annotations::default(), &points, None);
    assert!(braille(&annotated(&marks, &points, None)) + 3 >= braille(&plain));
}

#[test]
fn note_is_above_the_line_that_omits_its_price() {
    // One low among the many prices of a column, too near to the others to be drawn.
    let price = |index: usize| match index {
        0 => 9.0,
        1 => 11.0,
        2000 => 9.82,
        _ => 10.0,
    };
    let points = series(4000, 60, |index| Some(price(index)));
    let time = points[2000].time;
    for (kind, symbol, by) in [(MarkerKind::Note, '◆', 1), (MarkerKind::Out, '▼', 1), (MarkerKind::In, '▲', -1)] {
        let markers = vec![Marker { time, kind, text: String::new() }];
        let text = annotated(&Annotations { levels: Vec::new(), markers }, &points, None);
        let rows: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
        let row = rows.iter().position(|row| row.contains(&symbol)).unwrap();
        let column = rows[row].iter().position(|c| *c == symbol).unwrap();
        let line = rows[row.saturating_add_signed(by)][column];
        assert!(('⠁'..='⣿').contains(&line), "{symbol}\n{text}");
    }
}

#[test]
fn moments_in_a_column_share_a_mark() {
    let points = series(169, 3600, |index| Some(10.0 + (index as f64 / 20.0).sin()));
    let moment = |secs: i64, kind, text: String| Marker { time: UtcTime::from_secs(START + secs), kind, text };
    let lots = (0..3).map(|_| moment(30 * 3600, MarkerKind::In, String::from("bought 1")));
    let notes = (0..5).map(|secs| moment(125 * 3600 + secs, MarkerKind::Note, format!("“note {secs}”")));
    let few = Annotations { levels: Vec::new(), markers: notes.chain(lots).collect() };
    let text = annotated(&few, &points, None);
    assert_eq!(['◆', '▲'].map(|symbol| text.matches(symbol).count()), [1, 1], "{text}");
    let text = annotated(&few, &points, Some(125));
    assert!(text.contains("5 notes · “note 0”"), "{text}");
    // Forty of them in ten hours, which have about three columns.
    let notes = (0..40).map(|quarter| moment(100 * 3600 + quarter * 900, MarkerKind::Note, String::from("x")));
    let many = Annotations { levels: Vec::new(), markers: notes.collect() };
    let text = annotated(&many, &points, None);
    let marks = text.matches('◆').count();
    assert!((2..=4).contains(&marks), "{marks}\n{text}");
    let line = |text: &str| text.chars().filter(|c| ('⠁'..='⣿').contains(c) && !"⠂⠐".contains(*c)).count();
    assert_eq!(line(&text), line(&annotated(&Annotations::default(), &points, None)), "{text}");
}
