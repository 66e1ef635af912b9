//! `--format table`: for people. Aligned by display width, fitted to the terminal by shortening texts and leaving out
//! columns; a number is never cut.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use serde_json::{Map, Value};
use unicode_segmentation::UnicodeSegmentation as _;

use super::card;
use super::cells::{self, wide};
use super::columns::{Column, Kind};
use super::sheet::{Layout, Sheet};
use crate::format::MINUS;
use crate::format::columns::{self, Extent, Gaps, Place};

/// What is printed on.
pub(super) struct Paper {
    /// Columns; `None` where there is no edge.
    width: Option<usize>,
    colour: bool,
}

impl Paper {
    /// The terminal: as wide as it is, in colour unless `NO_COLOR` is set.
    pub(super) fn terminal() -> Paper {
        let width =
            crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns)).filter(|width| *width > 0);
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Paper { width, colour: !is_set("NO_COLOR") && !dumb && io::stdout().is_terminal() }
    }

    /// A pipe or a file: nothing is cut, nothing coloured.
    pub(super) fn endless() -> Paper {
        Paper { width: None, colour: false }
    }
}

/// Blanks between columns.
const GAPS: Gaps = Gaps { min: 2, max: 2, before: 0, after: 0 };
/// Columns of a shortened id: `b61b0172…735i0`.
const ID_WIDTH: usize = 14;

/// The sheet as lines.
pub(super) fn render(sheet: &Sheet, paper: &Paper) -> String {
    match sheet.layout {
        Layout::Card(lines) => sheet.rows.iter().map(|row| card::render(lines, row, paper.colour)).collect(),
        Layout::Columns(columns) => grid(&columns.iter().collect::<Vec<_>>(), sheet, paper),
        Layout::Plain => {
            let columns: Vec<Column> = sheet
                .fields
                .iter()
                .map(|field| Column { title: field, field, kind: Kind::Text(24), drop: 0 })
                .collect();
            grid(&columns.iter().collect::<Vec<_>>(), sheet, paper)
        }
    }
}

/// A column with its heading and cells.
struct Shown<'a> {
    column: &'a Column,
    title: String,
    cells: Vec<String>,
    /// Columns of the widest cell, decimal points aligned.
    width: usize,
    /// Columns of the longest fraction of numbers that align on the decimal point.
    fraction: usize,
}

impl<'a> Shown<'a> {
    fn new(column: &'a Column, title: String, cells: Vec<String>) -> Shown<'a> {
        let is_decimal = matches!(column.kind, Kind::Price | Kind::Amount);
        let fraction = cells.iter().filter(|_| is_decimal).map(|cell| columns::fraction(cell)).max().unwrap_or(0);
        let width = cells.iter().map(|cell| match is_decimal {
            true => wide(cell) - columns::fraction(cell) + fraction,
            false => wide(cell),
        });
        let width = width.max().unwrap_or(0).max(wide(&title));
        Shown { column, title, cells, width, fraction }
    }

    /// How wide it can be: texts and ids can be shortened.
    fn extent(&self) -> Extent {
        let least = match self.column.kind {
            Kind::Text(least) => least,
            Kind::Id => ID_WIDTH,
            _ => self.width,
        };
        let priority = (self.column.drop > 0).then(|| u8::MAX - self.column.drop);
        Extent { min: least.max(wide(&self.title)).min(self.width), max: self.width, priority }
    }
}

fn grid(columns: &[&Column], sheet: &Sheet, paper: &Paper) -> String {
    let rows = &sheet.rows;
    let shown: Vec<Shown<'_>> = columns
        .iter()
        .map(|&column| {
            let of = |row: &Map<String, Value>| cells::cell(row.get(column.field).unwrap_or(&Value::Null), column.kind);
            let title = match &sheet.currency {
                Some(currency) if column.field == PRICE => format!("{} ({currency})", column.title),
                _ => column.title.to_owned(),
            };
            let cells = match &sheet.currency {
                // Prices in several currencies, or in an unknown one.
                None if column.field == PRICE => rows.iter().map(|row| of(row) + &currency(row)).collect(),
                _ => rows.iter().map(of).collect(),
            };
            Shown::new(column, title, cells)
        })
        .collect();
    let extents: Vec<Extent> = shown.iter().map(Shown::extent).collect();
    let places = columns::place(&extents, GAPS, paper.width);
    let mut out = String::new();
    line(&mut out, &shown, &places, None, false);
    for row in 0..rows.len() {
        line(&mut out, &shown, &places, Some(row), paper.colour);
    }
    out
}

/// The field whose heading names the currency of its row's money.
const PRICE: &str = "price";

/// The currency after a price that no heading names.
fn currency(row: &Map<String, Value>) -> String {
    row.get("convert").and_then(Value::as_str).map_or_else(String::new, |code| format!(" {code}"))
}

/// Writes a row; `None`: the headings.
fn line(out: &mut String, shown: &[Shown<'_>], places: &[Place], row: Option<usize>, colour: bool) {
    // No line ends with blanks: they are written before the next text.
    let mut end = 0;
    for place in places {
        let Some(shown) = shown.get(place.index) else { continue };
        let kind = shown.column.kind;
        let text = row.map_or(Some(&shown.title), |row| shown.cells.get(row)).map_or("", String::as_str);
        let text = shorten(text, place.width, kind);
        if text.is_empty() {
            continue;
        }
        let is_left = matches!(kind, Kind::Text(_) | Kind::Id | Kind::Time | Kind::Trend | Kind::Flag);
        let indent = match is_left {
            true => 0,
            false if row.is_some() => columns::indent(&text, shown.fraction, place.width).unwrap_or(0),
            false => place.width.saturating_sub(wide(&text)),
        };
        let start = place.start + indent;
        out.extend(std::iter::repeat_n(' ', start.saturating_sub(end)));
        end = start + wide(&text);
        match tint(kind, &text).filter(|_| colour) {
            Some(code) => {
                let _ = write!(out, "\x1b[{code}m{text}\x1b[39m");
            }
            None => out.push_str(&text),
        }
    }
    out.push('\n');
}

/// The colour of gains and losses; the sign says the same.
fn tint(kind: Kind, text: &str) -> Option<u8> {
    match (kind, text.chars().next()) {
        (Kind::Change, Some('+')) => Some(32),
        (Kind::Change, Some(_)) if text.starts_with(MINUS) => Some(31),
        _ => None,
    }
}

/// Cuts texts and ids, never a number.
fn shorten(text: &str, width: usize, kind: Kind) -> String {
    if wide(text) <= width {
        return text.to_owned();
    }
    match kind {
        Kind::Text(_) => format!("{}…", head(text.graphemes(true), width.saturating_sub(1))),
        Kind::Id => {
            let tail = 5.min(width / 2);
            let end = head(text.graphemes(true).rev(), tail);
            let end: String = end.graphemes(true).rev().collect();
            format!("{}…{end}", head(text.graphemes(true), width.saturating_sub(tail + 1)))
        }
        _ => text.to_owned(),
    }
}

fn head<'a>(graphemes: impl Iterator<Item = &'a str>, width: usize) -> String {
    let mut used = 0;
    graphemes
        .take_while(|grapheme| {
            used += wide(grapheme);
            used <= width
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::columns;
    use super::*;

    fn rows(value: Value) -> Vec<Map<String, Value>> {
        serde_json::from_value(value).unwrap()
    }

    fn pairs() -> Vec<Map<String, Value>> {
        rows(json!([
            {"exchange": "Binance", "pair": "ORDI/USDT", "category": "spot", "price": 8.4107, "volume_24h": 12_200_000.0,
             "volume_share_pct": 19.93, "depth_plus_2pct": 81_000.0, "depth_minus_2pct": 79_000.0, "outlier": false},
            {"exchange": "取引所\n東京", "pair": "ORDI/JPY", "price": 61234.1, "outlier": true},
        ]))
    }

    #[test]
    fn columns_are_aligned_by_display_width() {
        let sheet = Sheet { fields: &[], currency: None, rows: pairs(), layout: Layout::Columns(columns::PAIRS) };
        let text = render(&sheet, &Paper::endless());
        let expected = "\
Exchange     Pair       Category      Price  Volume 24h  Share    +2%    -2%  Outlier  Updated
Binance      ORDI/USDT  spot           8.41       12.2M  19.9%  81.0k  79.0k           —
取引所 東京  ORDI/JPY   —         61,234.10           —      —      —      —  yes      —
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_narrow_terminal_drops_columns_and_cuts_no_number() {
        let all = pairs();
        for width in 1..120 {
            let sheet =
                Sheet { fields: &[], currency: None, rows: all.clone(), layout: Layout::Columns(columns::PAIRS) };
            let text = render(&sheet, &Paper { width: Some(width), colour: false });
            assert!(text.contains("8.41") && text.contains("61,234.10"), "{width}: {text}");
            if width >= 35 {
                assert!(text.lines().all(|line| wide(line) <= width), "{width}: {text}");
            }
        }
    }

    #[test]
    fn gains_and_losses_are_coloured_where_colour_is_wanted() {
        let rows = rows(json!([{"symbol": "A", "change_24h_pct": 1.0}, {"symbol": "B", "change_24h_pct": -1.0}]));
        let sheet = |rows| Sheet { fields: &[], currency: None, rows, layout: Layout::Columns(columns::COINS) };
        let coloured = render(&sheet(rows.clone()), &Paper { width: None, colour: true });
        assert!(coloured.contains("\x1b[32m+1.0%\x1b[39m") && coloured.contains("\x1b[31m−1.0%\x1b[39m"));
        assert!(!render(&sheet(rows), &Paper::endless()).contains('\x1b'));
    }

    #[test]
    fn a_price_says_what_it_is_in_where_the_heading_cannot() {
        let rows = || {
            rows(
                json!([{"symbol": "A", "price": 8.41, "convert": "EUR"}, {"symbol": "B", "price": 2, "convert": "USD"}]),
            )
        };
        let sheet =
            |currency| Sheet { fields: &[], rows: rows(), currency, layout: Layout::Columns(columns::SERIES_POINTS) };
        let same = render(&sheet(Some(String::from("EUR"))), &Paper::endless());
        assert!(same.contains("Price (EUR)") && same.contains("8.41") && !same.contains("8.41 EUR"), "{same}");
        let mixed = render(&sheet(None), &Paper::endless());
        assert!(mixed.contains("8.41 EUR") && mixed.contains("2.00 USD") && !mixed.contains("Price ("), "{mixed}");
    }

    #[test]
    fn ids_are_shortened_in_the_middle() {
        let id = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";
        assert_eq!(shorten(id, 14, Kind::Id), "b61b0172…735i0");
        assert_eq!(shorten(id, 66, Kind::Id), id);
    }

    proptest::proptest! {
        #[test]
        fn any_cells_on_any_width_are_a_line_a_row(
            texts in proptest::collection::vec("[a-z\\n\\t 取🔥\u{301}é0-9.-]{0,30}", 0..4),
            price in proptest::num::f64::ANY,
            width in 1_usize..120,
        ) {
            let row = |text: &String| {
                let cells = [("exchange", Value::from(text.as_str())), ("pair", Value::Null), ("price", Value::from(price))];
                cells.into_iter().map(|(field, value)| (field.to_owned(), value)).collect()
            };
            let rows: Vec<Map<String, Value>> = texts.iter().map(row).collect();
            let sheet = Sheet { fields: &[], currency: None, rows, layout: Layout::Columns(columns::PAIRS) };
            let text = render(&sheet, &Paper { width: Some(width), colour: true });
            proptest::prop_assert_eq!(text.lines().count(), texts.len() + 1);
        }
    }
}
