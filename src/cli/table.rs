//! `--format table`: aligned by display width and fitted to the terminal by shortening text and dropping columns.
//! Numbers are never cut.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use serde_json::{Map, Value};
use unicode_segmentation::UnicodeSegmentation as _;

use super::card;
use super::cells::{self, display_width};
use super::columns::{Column, Kind};
use super::sheet::{Layout, Sheet};
use crate::format::columns::{self, ColumnPosition, Extent, Gaps};
use crate::format::{ABSENT, MINUS, PriceFormat, with_separators};
use crate::model::{Currency, Zone};

/// The output device.
pub(super) struct Output {
    /// Width; `None` if unlimited.
    pub(super) width: Option<usize>,
    pub(super) colour: bool,
    /// Time zone of all times.
    pub(super) zone: Zone,
}

impl Output {
    /// The terminal, with its width, and with colours unless `NO_COLOR` is set.
    pub(super) fn terminal(zone: Zone) -> Output {
        let width = crate::terminal::size().ok().map(|(columns, _)| usize::from(columns));
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Output { width, colour: !is_set("NO_COLOR") && !dumb && io::stdout().is_terminal(), zone }
    }

    /// A pipe or file: unlimited width, no colours.
    pub(super) fn unlimited(zone: Zone) -> Output {
        Output { width: None, colour: false, zone }
    }
}

/// Gaps between columns.
const GAPS: Gaps = Gaps { min: 2, max: 2, before: 0, after: 0 };
/// Maximum width of a column whose decimal points stay aligned if not all columns fit.
const MAX_ALIGNED: usize = 16;
/// Width of a shortened id: `b61b0172…735i0`.
const ID_WIDTH: usize = 14;

/// Renders a sheet.
pub(super) fn render(sheet: &Sheet, output: &Output) -> String {
    let summary = sheet.summary.as_ref().map(|line| format!("{line}\n\n")).unwrap_or_default();
    let notes: String = sheet.notes.iter().map(|note| format!("\n{note}\n")).collect();
    summary + &content(sheet, output) + &notes
}

fn content(sheet: &Sheet, output: &Output) -> String {
    match sheet.layout {
        Layout::Card(lines) => {
            sheet.rows.iter().map(|row| card::render(lines, row, output.colour, &output.zone)).collect()
        }
        Layout::Columns(columns) => grid(&columns.iter().collect::<Vec<_>>(), sheet, output),
        Layout::Plain => {
            let columns: Vec<Column> = sheet
                .fields
                .iter()
                .map(|field| Column { title: field, field, kind: Kind::Text(24), drop: 0 })
                .collect();
            grid(&columns.iter().collect::<Vec<_>>(), sheet, output)
        }
    }
}

/// A column with its title and cells.
struct RenderedColumn<'a> {
    column: &'a Column,
    title: String,
    cells: Vec<String>,
    /// Width of the widest cell with aligned decimal points.
    width: usize,
    /// Width of the longest fraction, if numbers align on the decimal point.
    fraction: usize,
}

impl<'a> RenderedColumn<'a> {
    fn new(column: &'a Column, title: String, cells: Vec<String>) -> RenderedColumn<'a> {
        let is_decimal =
            matches!(column.kind, Kind::Price | Kind::Amount | Kind::AmountOf(_) | Kind::Money | Kind::MoneyIn(_));
        let fraction = cells.iter().filter(|_| is_decimal).map(|cell| columns::fraction(cell)).max().unwrap_or(0);
        let width = cells.iter().map(|cell| match is_decimal {
            true => display_width(cell) - columns::fraction(cell) + fraction,
            false => display_width(cell),
        });
        let width = width.max().unwrap_or(0).max(display_width(&title));
        RenderedColumn { column, title, cells, width, fraction }
    }

    /// Aligns wide numbers at the right instead of on the decimal point, where a long fraction beside a long whole number
    /// takes the room of other columns.
    fn narrow(&mut self) {
        if self.fraction > 0 && self.width > MAX_ALIGNED {
            self.fraction = 0;
            self.width =
                self.cells.iter().map(|cell| display_width(cell)).max().unwrap_or(0).max(display_width(&self.title));
        }
    }

    /// Minimum and maximum width; text, ids and the names in rules can be shortened.
    fn extent(&self) -> Extent {
        let least = match self.column.kind {
            Kind::Text(least) => least,
            Kind::Id => ID_WIDTH,
            Kind::Rule => self.cells.iter().map(|cell| display_width(&shorten_names(cell))).max().unwrap_or(0),
            _ => self.width,
        };
        let priority = (self.column.drop > 0).then(|| u8::MAX - self.column.drop);
        Extent { min: least.max(display_width(&self.title)).min(self.width), max: self.width, priority }
    }
}

fn grid(columns: &[&Column], sheet: &Sheet, output: &Output) -> String {
    let rows = &sheet.rows;
    let mut shown: Vec<RenderedColumn<'_>> = columns
        .iter()
        .map(|&column| {
            let of = |row: &Map<String, Value>| {
                let format = price_format(sheet, row, column.kind);
                cells::cell(row.get(column.field).unwrap_or(&Value::Null), column.kind, format, &output.zone)
            };
            let title = match &sheet.currency {
                Some(currency) if column.field == PRICE => format!("{} ({currency})", column.title),
                _ => column.title.to_owned(),
            };
            let cells = match (&sheet.currency, column.kind) {
                (_, Kind::MoneyIn(field)) => rows.iter().map(|row| with_currency(of(row), row, field)).collect(),
                (_, Kind::AmountOf(field)) => rows.iter().map(|row| with_part(of(row), row, field)).collect(),
                // Prices in several or unknown currencies.
                (None, _) if column.field == PRICE => {
                    rows.iter().map(|row| with_currency(of(row), row, "convert")).collect()
                }
                _ => rows.iter().map(of).collect(),
            };
            RenderedColumn::new(column, title, cells)
        })
        .collect();
    let extents = |shown: &[RenderedColumn<'_>]| shown.iter().map(RenderedColumn::extent).collect::<Vec<Extent>>();
    if columns::place(&extents(&shown), GAPS, output.width).len() < shown.len() {
        shown.iter_mut().for_each(RenderedColumn::narrow);
    }
    let extents = extents(&shown);
    let places = columns::place(&extents, GAPS, output.width);
    let mut out = String::new();
    line(&mut out, &shown, &places, None, false);
    for row in 0..rows.len() {
        line(&mut out, &shown, &places, Some(row), output.colour);
    }
    out
}

/// The field whose title or cells include the currency.
const PRICE: &str = "price";

/// The format of the money in a row: sats are whole, as on the screen.
fn price_format(sheet: &Sheet, row: &Map<String, Value>, kind: Kind) -> PriceFormat {
    let of_row = |field: &str| row.get(field).and_then(Value::as_str);
    let code = match kind {
        Kind::MoneyIn(field) => of_row(field),
        Kind::Price | Kind::Money => sheet.currency.as_deref().or_else(|| of_row("convert")),
        _ => None,
    };
    let currency = code.and_then(Currency::parse);
    currency.map_or_else(PriceFormat::default, |currency| match kind {
        Kind::Money => PriceFormat::of_values(&currency),
        _ => PriceFormat::of(&currency),
    })
}

/// A price followed by the currency in a field of its row.
fn with_currency(price: String, row: &Map<String, Value>, field: &str) -> String {
    match row.get(field).and_then(Value::as_str) {
        Some(code) if price != ABSENT => format!("{price} {code}"),
        _ => price,
    }
}

/// An amount preceded by the part of it in a field of its row, unless that is all or nothing.
fn with_part(amount: String, row: &Map<String, Value>, field: &str) -> String {
    match row.get(field).and_then(Value::as_str).filter(|part| *part != "0").map(with_separators) {
        Some(part) if part != amount => format!("{part} of {amount}"),
        _ => amount,
    }
}

/// Writes a row; `None` for the titles.
fn line(out: &mut String, shown: &[RenderedColumn<'_>], places: &[ColumnPosition], row: Option<usize>, colour: bool) {
    // Spaces are written before the next text, so that lines have no trailing ones.
    let mut end = 0;
    for place in places {
        let Some(shown) = shown.get(place.index) else { continue };
        let kind = shown.column.kind;
        let text = row.map_or(Some(&shown.title), |row| shown.cells.get(row)).map_or("", String::as_str);
        let text = shorten(text, place.width, kind);
        if text.is_empty() {
            continue;
        }
        let is_left =
            matches!(kind, Kind::Text(_) | Kind::Whole | Kind::Rule | Kind::Id | Kind::Time | Kind::Trend | Kind::Flag);
        let indent = match is_left {
            true => 0,
            false if row.is_some() => columns::indent(&text, shown.fraction, place.width).unwrap_or(0),
            false => place.width.saturating_sub(display_width(&text)),
        };
        let start = place.start + indent;
        out.extend(std::iter::repeat_n(' ', start.saturating_sub(end)));
        end = start + display_width(&text);
        match tint(kind, &text).filter(|_| colour) {
            Some(code) => {
                let _ = write!(out, "\x1b[{code}m{text}\x1b[39m");
            }
            None => out.push_str(&text),
        }
    }
    out.push('\n');
}

/// The colour of gains and losses, in addition to the sign.
fn tint(kind: Kind, text: &str) -> Option<u8> {
    match (kind, text.chars().next()) {
        (Kind::Change, Some('+')) => Some(32),
        (Kind::Change, Some(_)) if text.starts_with(MINUS) => Some(31),
        _ => None,
    }
}

/// Shortens text and ids, never numbers.
fn shorten(text: &str, width: usize, kind: Kind) -> String {
    if display_width(text) <= width {
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
        Kind::Rule => shorten_names(text),
        _ => text.to_owned(),
    }
}

/// Shortens the long names in a rule: addresses, slugs and labels.
fn shorten_names(rule: &str) -> String {
    let is_name = |word: &str| word.chars().any(char::is_alphabetic);
    let word = |word: &str| if is_name(word) { shorten(word, ID_WIDTH, Kind::Id) } else { word.to_owned() };
    rule.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn head<'a>(graphemes: impl Iterator<Item = &'a str>, width: usize) -> String {
    let mut used = 0;
    graphemes
        .take_while(|grapheme| {
            used += display_width(grapheme);
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
        let sheet = Sheet {
            fields: &[],
            currency: None,
            summary: None,
            notes: Vec::new(),
            rows: pairs(),
            layout: Layout::Columns(columns::PAIRS),
        };
        let text = render(&sheet, &Output::unlimited(Zone::UTC));
        let expected = "\
Exchange     Pair       Category      Price  Volume 24h  Share    +2%    -2%  Outlier  Updated
Binance      ORDI/USDT  spot           8.41       12.2M  19.9%  81.0k  79.0k           —
取引所 東京  ORDI/JPY   —         61,234.10           —      —      —      —  yes      —
";
        assert_eq!(text, expected);
    }

    #[test]
    fn narrow_terminal_drops_columns_and_never_cuts_numbers() {
        let all = pairs();
        for width in 1..120 {
            let sheet = Sheet {
                fields: &[],
                currency: None,
                summary: None,
                notes: Vec::new(),
                rows: all.clone(),
                layout: Layout::Columns(columns::PAIRS),
            };
            let text = render(&sheet, &Output { width: Some(width), colour: false, zone: Zone::UTC });
            assert!(text.contains("8.41") && text.contains("61,234.10"), "{width}: {text}");
            if width >= 35 {
                assert!(text.lines().all(|line| display_width(line) <= width), "{width}: {text}");
            }
        }
    }

    #[test]
    fn gains_and_losses_are_coloured_if_enabled() {
        let rows = rows(json!([{"symbol": "A", "change_24h_pct": 1.0}, {"symbol": "B", "change_24h_pct": -1.0}]));
        let sheet = |rows| Sheet {
            fields: &[],
            currency: None,
            summary: None,
            notes: Vec::new(),
            rows,
            layout: Layout::Columns(columns::COINS),
        };
        let coloured = render(&sheet(rows.clone()), &Output { width: None, colour: true, zone: Zone::UTC });
        assert!(coloured.contains("\x1b[32m+1.0%\x1b[39m") && coloured.contains("\x1b[31m−1.0%\x1b[39m"));
        assert!(!render(&sheet(rows), &Output::unlimited(Zone::UTC)).contains('\x1b'));
    }

    #[test]
    fn prices_include_currency_if_title_does_not() {
        let rows = || {
            rows(
                json!([{"symbol": "A", "price": 8.41, "convert": "EUR"}, {"symbol": "B", "price": 2, "convert": "USD"}]),
            )
        };
        let sheet = |currency| Sheet {
            fields: &[],
            rows: rows(),
            currency,
            summary: None,
            notes: Vec::new(),
            layout: Layout::Columns(columns::SERIES_POINTS),
        };
        let same = render(&sheet(Some(String::from("EUR"))), &Output::unlimited(Zone::UTC));
        assert!(same.contains("Price (EUR)") && same.contains("8.41") && !same.contains("8.41 EUR"), "{same}");
        let mixed = render(&sheet(None), &Output::unlimited(Zone::UTC));
        assert!(mixed.contains("8.41 EUR") && mixed.contains("2.00 USD") && !mixed.contains("Price ("), "{mixed}");
    }

    #[test]
    fn sats_are_whole_from_a_thousand_on() {
        let sheet = |rows, currency: Option<&str>, columns| Sheet {
            fields: &[],
            rows,
            currency: currency.map(str::to_owned),
            summary: None,
            notes: Vec::new(),
            layout: Layout::Columns(columns),
        };
        let shown = |sheet: &Sheet| render(sheet, &Output::unlimited(Zone::UTC));
        let coins = || rows(json!([{"price": 20_345.6}, {"price": 8.41}, {"price": 0.000_000_734}]));
        let table = shown(&sheet(coins(), Some("SAT"), columns::POINTS));
        assert!(["20,346 ", " 8.41 ", " 0.0₆734 "].iter().all(|price| table.contains(price)), "{table}");
        assert!(shown(&sheet(coins(), Some("USD"), columns::POINTS)).contains("20,345.60"));
        let mixed = rows(json!([{"price": 20_345.6, "convert": "SAT"}, {"price": 20_345.6, "convert": "USD"}]));
        let table = shown(&sheet(mixed, None, columns::SERIES_POINTS));
        assert!(table.contains("20,346 SAT") && table.contains("20,345.60 USD"), "{table}");
        let lot = |currency: &str| {
            rows(json!([{"unit_price": "1234.5678", "currency": currency, "value": "20345.6", "profit": "-2345.6"}]))
        };
        let table = shown(&sheet(lot("USD"), Some("SAT"), columns::LOTS));
        assert!(["1,234.57 USD", " 20,346 ", " −2,346 "].iter().all(|sum| table.contains(sum)), "{table}");
        let table = shown(&sheet(lot("SAT"), Some("EUR"), columns::LOTS));
        assert!(["1,235 SAT", " 20,345.60 ", " −2,345.60 "].iter().all(|sum| table.contains(sum)), "{table}");
    }

    #[test]
    fn prices_have_the_decimals_of_their_currency() {
        let rows = rows(json!([
            {"symbol": "A", "price": 2_404.57, "convert": "JPY"}, {"symbol": "B", "price": 2_404.57, "convert": "USD"},
        ]));
        let sheet = Sheet {
            fields: &[],
            rows,
            currency: None,
            summary: None,
            notes: Vec::new(),
            layout: Layout::Columns(columns::SERIES_POINTS),
        };
        let text = render(&sheet, &Output::unlimited(Zone::UTC));
        assert!(text.contains("2,405 JPY") && text.contains("2,404.57 USD"), "{text}");
    }

    #[test]
    fn ids_are_shortened_in_the_middle() {
        let id = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";
        assert_eq!(shorten(id, 14, Kind::Id), "b61b0172…735i0");
        assert_eq!(shorten(id, 66, Kind::Id), id);
    }

    proptest::proptest! {
        #[test]
        fn every_row_is_one_line_at_any_width(
            texts in proptest::collection::vec("[a-z\\n\\t 取🔥\u{301}é0-9.-]{0,30}", 0..4),
            price in proptest::num::f64::ANY,
            width in 1_usize..120,
        ) {
            let row = |text: &String| {
                let cells = [("exchange", Value::from(text.as_str())), ("pair", Value::Null), ("price", Value::from(price))];
                cells.into_iter().map(|(field, value)| (field.to_owned(), value)).collect()
            };
            let rows: Vec<Map<String, Value>> = texts.iter().map(row).collect();
            let sheet = Sheet { fields: &[], currency: None, summary: None, notes: Vec::new(), rows, layout: Layout::Columns(columns::PAIRS) };
            let text = render(&sheet, &Output { width: Some(width), colour: true, zone: Zone::UTC });
            proptest::prop_assert_eq!(text.lines().count(), texts.len() + 1);
        }
    }
}
