use super::*;
use crate::format::{Change, Price};
use proptest::prelude::*;
use ratatui::style::{Color, Modifier};

const COLUMNS: [Column; 5] = [
    Column::number("#", 4, 3),
    Column::words("Coin", 6, 9).growing(20),
    Column::number("Price", 12, 8),
    Column::number("24h", 6, 7),
    Column::number("Volume 24h", 10, 1),
];

fn shown(width: u16) -> Vec<&'static str> {
    Layout::new(&COLUMNS, width).columns().iter().map(|placed| COLUMNS[placed.index].title).collect()
}

fn text_of(buf: &Buffer) -> Vec<String> {
    let rows = buf.content.chunks(usize::from(buf.area.width));
    rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned()).collect()
}

#[test]
fn columns_are_dropped_by_priority() {
    for (width, titles) in [
        (80, vec!["#", "Coin", "Price", "24h", "Volume 24h"]),
        (44, vec!["#", "Coin", "Price", "24h", "Volume 24h"]),
        (43, vec!["#", "Coin", "Price", "24h"]),
        (32, vec!["Coin", "Price", "24h"]),
        (27, vec!["Coin", "Price"]),
        (20, vec!["Coin"]),
        (1, vec!["Coin"]),
        (0, vec!["Coin"]),
    ] {
        assert_eq!(shown(width), titles, "{width}");
    }
}

#[test]
fn name_grows_into_free_room() {
    let layout = Layout::new(&COLUMNS, 50);
    assert_eq!(layout.columns()[1], Placed { index: 1, x: 6, width: 12 });
    assert_eq!(Layout::new(&COLUMNS, 200).columns()[1].width, 20);
}

#[test]
fn table_has_a_header_rows_and_a_selection() {
    let area = Rect::new(0, 0, 44, 4);
    let mut buf = Buffer::empty(area);
    let theme = Theme::ansi();
    let data = [("Bitcoin", 61_234.1, -1.4), ("日本語の名前", 7.34e-7, 11.0)];
    let table = Table::new(&COLUMNS, 2, |index, row| {
        let (name, price, change) = data[index];
        row.number(0_usize, index + 1, theme.dim);
        row.words(1_usize, name, theme.text);
        row.decimal(2_usize, 4, Price(Some(price)), theme.strong);
        row.number(3_usize, Change(Some(change)), theme.change(Some(change)));
    });
    let mut state = TableState { offset: 0, selected: Some(1) };
    table.sort(Some(SortMark::new(3_usize, Direction::Descending))).render(area, &mut buf, &mut state);
    assert_eq!(
        text_of(&buf),
        [
            "    # Coin          Price    24h▾Volume 24h",
            "    1 Bitco…  61,234.10   ▼ 1.4%",
            "    2 日 本 …       0.0₆734 ▲11.0%",
            "",
        ]
    );
    // The bar takes the whole row; gain and loss, weight and dimness stay distinct.
    let ground = buf.cell((0, 2)).unwrap().bg;
    assert!(ground != Color::Reset && (0..area.width).all(|x| buf.cell((x, 2)).unwrap().bg == ground));
    let cell = |x, y| buf.cell((x, y)).unwrap();
    assert_eq!((cell(27, 1).fg, cell(27, 1).bg), (Color::Red, Color::Reset));
    assert!(cell(27, 2).fg != cell(6, 2).fg, "a gain is no plain text");
    assert!(cell(4, 2).fg != cell(6, 2).fg && cell(20, 2).modifier.contains(Modifier::BOLD), "dim, text and strong");
}

#[test]
fn rows_of_several_lines_are_shown_whole() {
    let area = Rect::new(0, 0, 30, 6);
    let columns = [Column::words("Coin", 6, 1)];
    for (gap, shown) in [(0, ["0", "-", "1", "-", ""]), (1, ["0", "-", "", "1", "-"])] {
        let mut buf = Buffer::empty(area);
        let table = Table::new(&columns, 9, |index, row| {
            row.words(0_usize, &index.to_string(), Style::new());
            text::put(row.buf, text::shifted(text::line(row.area, 1), 1), "-", Style::new());
        });
        table.row_height(2, gap).render(area, &mut buf, &mut TableState::default());
        let lines: Vec<String> = text_of(&buf).iter().skip(1).map(|line| line.trim().to_owned()).collect();
        assert_eq!(lines, shown, "{gap}");
    }
}

#[test]
fn state_scrolls_as_little_as_possible() {
    for (offset, len, selected, height, first) in [
        (0, 100, Some(4), 10, 0),
        (0, 100, Some(9), 10, 2),
        (0, 100, Some(99), 10, 90),
        (50, 100, Some(51), 10, 49),
        (50, 100, Some(55), 10, 50),
        (95, 100, None, 10, 90),
        (5, 3, Some(7), 10, 0),
        (5, 0, Some(7), 10, 0),
        (0, 100, Some(50), 1, 50),
        (0, 100, Some(50), 0, 51),
    ] {
        let mut state = TableState { offset, selected };
        state.scroll(len, height);
        assert_eq!(state.offset, first, "{offset} {len} {selected:?} {height}");
    }
}

#[test]
fn scrollbar_reaches_both_ends() {
    for (offset, len, shown) in [
        (0, 4, ["", "", "", ""]),
        (0, 8, [" ▐", " ▐", "", ""]),
        (4, 8, ["", "", " ▐", " ▐"]),
        (999_996, 1_000_000, ["", "", "", " ▐"]),
    ] {
        let mut buf = Buffer::empty(Rect::new(0, 0, 2, 4));
        scrollbar(&mut buf, Rect::new(0, 0, 2, 4), offset, len, Theme::ANSI);
        assert_eq!(text_of(&buf), shown, "{offset} {len}");
    }
}

#[test]
fn any_area_is_safe() {
    let mut buf = Buffer::empty(Rect::new(1, 1, 30, 3));
    for area in [Rect::ZERO, Rect::new(0, 0, 90, 90), Rect::new(2, 2, 60_000, 60_000), Rect::new(99, 99, 2, 2)] {
        let table = Table::new(&COLUMNS, 100_000, |_, row| {
            row.words(1_usize, "name", Style::new());
            row.number(2_usize, 123, Style::new());
        });
        table.scrollbar().render(area, &mut buf, &mut TableState::default());
    }
}

proptest! {
    #[test]
    fn selected_row_is_always_visible(
        offset in 0..300_usize,
        len in 1..200_usize,
        row in 0..200_usize,
        height in 1..60_usize,
    ) {
        let mut state = TableState { offset, selected: Some(row) };
        state.scroll(len, height);
        prop_assert!(state.visible(len, height).contains(&row.min(len - 1)));
        prop_assert!(state.offset + height <= len.max(height));
    }

    #[test]
    fn columns_never_overlap(width: u16) {
        let layout = Layout::new(&COLUMNS, width);
        let mut end = 0;
        for placed in layout.columns() {
            prop_assert!(placed.x >= end && placed.x + placed.width <= width.max(placed.x + placed.width));
            prop_assert!(layout.columns().len() == 1 || placed.width >= COLUMNS[placed.index].width);
            end = placed.x + placed.width + 1;
        }
        prop_assert!(end <= width.max(1) + 1);
    }
}

#[test]
fn scrolling_reaches_every_column_beside_the_fixed_ones() {
    let columns = [
        Column::words("Name", 8, 9).growing(20),
        Column::number("A", 9, 1),
        Column::number("B", 9, 8),
        Column::number("C", 9, 3),
        Column::words("D", 12, 2).growing(30),
    ];
    let titles = |layout: &Layout| -> Vec<&str> { layout.columns().iter().map(|at| columns[at.index].title).collect() };
    let scrolled = |width, position| Layout::scrolled(&columns, width, (1, position), |_| true);
    assert_eq!(titles(&scrolled(34, 0)), ["Name", "B", "C"]);
    assert_eq!(titles(&scrolled(34, 1)), ["Name", "A", "B"], "the first one had to make room");
    assert_eq!(titles(&scrolled(34, 2)), ["Name", "B", "C"]);
    assert_eq!(titles(&scrolled(34, 4)), ["Name", "C", "D"]);
    assert_eq!(scrolled(34, 9), scrolled(34, 4).more_before(true).more_after(false), "it stops at the last column");
    assert_eq!(scrolled(90, 9), Layout::new(&columns, 90), "all columns fit");
    for width in 24..60 {
        let shown = |position| scrolled(width, position).columns().iter().map(|at| at.index).collect::<Vec<_>>();
        let seen: std::collections::BTreeSet<usize> = (0..5).flat_map(shown).collect();
        assert_eq!(seen.len(), columns.len(), "{width}");
    }
}

#[test]
fn header_marks_hidden_columns() {
    let columns = [Column::words("Name", 8, 9), Column::number("A", 9, 1), Column::number("B", 9, 8)];
    let paint = |position, sort| {
        let layout = Layout::scrolled(&columns, 20, (1, position), |_| true);
        let mut buf = Buffer::empty(Rect::new(0, 0, 20, 2));
        let table = Table::new(&columns, 0, |_, _| {}).layout(&layout).sort(sort);
        table.render(buf.area, &mut buf, &mut TableState::default());
        (0..20).map(|x| buf[(x, 0)].symbol()).collect::<String>()
    };
    let head = |position| paint(position, None);
    let sorted_head = || paint(0, Some(SortMark::new(2_usize, Direction::Descending)));
    assert_eq!(head(0), " Name             B›");
    assert_eq!(sorted_head(), " Name            B▾›");
    assert_eq!(head(2), "‹Name             B ");
}
