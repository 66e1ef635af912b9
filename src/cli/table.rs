//! `--format table`: aligned by display width and fitted to the terminal by shortening text and dropping columns.
//! Numbers are never cut.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use serde_json::{Map, Value};
use unicode_segmentation::UnicodeSegmentation as _;

use super::card;
use super::cells::{self, display_width};
use super::columns::{Column, Kind};
use super::sheet::{Layout, Sheet};
use crate::format::columns::{self, ColumnPosition, Extent, Gaps};
use crate::format::{ABSENT, PriceFormat, direction, with_separators};
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

/// Renders a sheet. Without rows, it has no headings: a message says that there are none.
pub(super) fn render(sheet: &Sheet, output: &Output) -> String {
    let gap = if sheet.rows.is_empty() { "" } else { "\n" };
    let summary = sheet.summary.as_ref().map(|line| format!("{line}\n{gap}")).unwrap_or_default();
    let notes: String = sheet.notes.iter().map(|note| format!("\n{note}\n")).collect();
    summary + &content(sheet, output) + &notes
}

fn content(sheet: &Sheet, output: &Output) -> String {
    match sheet.layout {
        _ if sheet.rows.is_empty() => String::new(),
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
    /// The direction of each change; empty for other kinds.
    directions: Vec<Option<Ordering>>,
    /// Width of the widest cell with aligned decimal points.
    width: usize,
    /// Width of the longest fraction, if numbers align on the decimal point.
    fraction: usize,
}

impl<'a> RenderedColumn<'a> {
    fn new(column: &'a Column, title: String, cells: Vec<String>) -> RenderedColumn<'a> {
        let is_decimal = matches!(
            column.kind,
            Kind::Price | Kind::ComparedPrice | Kind::Amount | Kind::AmountOf(_) | Kind::Money | Kind::MoneyIn(_)
        );
        let fraction = cells.iter().filter(|_| is_decimal).map(|cell| columns::fraction(cell)).max().unwrap_or(0);
        let width = cells.iter().map(|cell| {
            if is_decimal { display_width(cell) - columns::fraction(cell) + fraction } else { display_width(cell) }
        });
        let width = width.max().unwrap_or(0).max(display_width(&title));
        RenderedColumn { column, title, cells, directions: Vec::new(), width, fraction }
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

    /// Whether the column is empty.
    fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| cell.is_empty() || cell == ABSENT)
    }

    /// Minimum and maximum width; text, ids and the names in rules can be shortened. An empty column is dropped before any
    /// other, except the first one, which names the rows.
    fn extent(&self, is_first: bool) -> Extent {
        let least = match self.column.kind {
            Kind::Text(least) => least,
            Kind::Id => ID_WIDTH,
            Kind::Rule => self.cells.iter().map(|cell| display_width(&shorten_names(cell))).max().unwrap_or(0),
            _ => self.width,
        };
        let is_droppable = self.column.drop > 0;
        let priority = if self.is_empty() && (is_droppable || !is_first) {
            Some(0)
        } else {
            is_droppable.then_some(u8::MAX - self.column.drop)
        };
        Extent { min: least.max(display_width(&self.title)).min(self.width), max: self.width, priority }
    }
}

/// The titles of the non-empty columns that don't fit.
pub(super) fn hidden_columns(sheet: &Sheet, output: &Output) -> Vec<&'static str> {
    let Layout::Columns(columns) = sheet.layout else { return Vec::new() };
    if sheet.rows.is_empty() {
        return Vec::new();
    }
    let (all, places) = placed(&columns.iter().collect::<Vec<_>>(), sheet, output);
    let is_hidden = |index: usize| places.iter().all(|place| place.index != index);
    let hidden = all.iter().enumerate().filter(|(index, own)| is_hidden(*index) && !own.is_empty());
    hidden.map(|(_, own)| own.column.title).collect()
}

fn grid(columns: &[&Column], sheet: &Sheet, output: &Output) -> String {
    let (shown, places) = placed(columns, sheet, output);
    let mut out = String::new();
    line(&mut out, &shown, &places, None, false);
    for row in 0..sheet.rows.len() {
        line(&mut out, &shown, &places, Some(row), output.colour);
    }
    out
}

/// The columns with their cells, and the positions of the columns that fit.
fn placed<'a>(
    columns: &[&'a Column],
    sheet: &Sheet,
    output: &Output,
) -> (Vec<RenderedColumn<'a>>, Vec<ColumnPosition>) {
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
            let change = |row: &Map<String, Value>| row.get(column.field).and_then(Value::as_f64).and_then(direction);
            let is_change = column.kind == Kind::Change;
            let directions = rows.iter().filter(|_| is_change).map(change).collect();
            RenderedColumn { directions, ..RenderedColumn::new(column, title, cells) }
        })
        .collect();
    let extents = |shown: &[RenderedColumn<'_>]| {
        shown.iter().enumerate().map(|(index, column)| column.extent(index == 0)).collect::<Vec<Extent>>()
    };
    if columns::place(&extents(&shown), GAPS, output.width).len() < shown.len() {
        shown.iter_mut().for_each(RenderedColumn::narrow);
    }
    let extents = extents(&shown);
    let places = columns::place(&extents, GAPS, output.width);
    (shown, places)
}

/// The field whose title or cells include the currency.
const PRICE: &str = "price";

/// The format of the money in a row: sats are whole, as on the screen.
fn price_format(sheet: &Sheet, row: &Map<String, Value>, kind: Kind) -> PriceFormat {
    let of_row = |field: &str| row.get(field).and_then(Value::as_str);
    let code = match kind {
        Kind::MoneyIn(field) => of_row(field),
        Kind::Price | Kind::ComparedPrice | Kind::Money => sheet.currency.as_deref().or_else(|| of_row("convert")),
        _ => None,
    };
    let currency = code.and_then(Currency::parse);
    let format = currency.map_or_else(PriceFormat::default, |currency| match kind {
        Kind::Money => PriceFormat::of_values(&currency),
        _ => PriceFormat::of(&currency),
    });
    if kind == Kind::ComparedPrice { format.compared() } else { format }
}

/// A price followed by the currency in a field of its row.
fn with_currency(price: String, row: &Map<String, Value>, field: &str) -> String {
    match row.get(field).and_then(Value::as_str) {
        Some(code) if price != ABSENT => format!("{price} {code}"),
        _ => price,
    }
}

/// An amount preceded by the part of it in a field of its row, unless that is all of it.
fn with_part(amount: String, row: &Map<String, Value>, field: &str) -> String {
    match row.get(field).and_then(Value::as_str).map(with_separators) {
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
        let is_left = matches!(
            kind,
            Kind::Text(_) | Kind::Whole | Kind::Rule | Kind::Id | Kind::Time | Kind::Trend | Kind::Flag | Kind::Event
        );
        let indent = if is_left {
            0
        } else if row.is_some() {
            columns::indent(&text, shown.fraction, place.width).unwrap_or(0)
        } else {
            place.width.saturating_sub(display_width(&text))
        };
        let start = place.start + indent;
        out.extend(std::iter::repeat_n(' ', start.saturating_sub(end)));
        end = start + display_width(&text);
        let direction = row.and_then(|row| shown.directions.get(row).copied().flatten());
        match direction.and_then(tint).filter(|_| colour) {
            Some(code) => {
                let _ = write!(out, "\x1b[{code}m{text}\x1b[39m");
            }
            None => out.push_str(&text),
        }
    }
    out.push('\n');
}

/// The colour of gains and losses, in addition to the sign.
fn tint(direction: Ordering) -> Option<u8> {
    match direction {
        Ordering::Greater => Some(32),
        Ordering::Less => Some(31),
        Ordering::Equal => None,
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
mod tests;
