//! `satscope wallet export`: all lots as CSV or JSON, both of which `wallet import` reads back unchanged.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::super::args::Format;
use super::super::csv::{bare, escape};
use super::super::failure::Failure;
use super::super::output::{self, Envelope};
use super::super::sheet::{Layout, Sheet};
use super::super::user_store;
use crate::config::Settings;
use crate::model::Text;
use crate::user_data::{Lot, LotPrice, UnreadablePart, UserData};

/// The columns, in their order.
pub(super) const COLUMNS: [&str; 12] = [
    "kind",
    "slug",
    "symbol",
    "coin_id",
    "amount",
    "unit_price",
    "total_price",
    "currency",
    "fee",
    "date",
    "note",
    "address",
];

/// Prints all lots as CSV, or as JSON if that is requested. Numbers are exact.
pub(super) fn print(data: &UserData, format: Option<Format>, settings: &Settings) -> Result<(), Failure> {
    if format != Some(Format::Json) {
        return write(io::stdout().lock(), &data.lots).map_err(Failure::Output);
    }
    let warnings = user_store::unreadable(data, format, UnreadablePart::is_lots);
    let path = user_store::path(settings);
    let envelope = Envelope { warnings: &warnings, ..Envelope::local(rows(&data.lots), path.as_deref()) };
    output::print(&envelope, format, &settings.display, || Sheet::list::<()>(&COLUMNS, Layout::Columns(&[]), &[]))
}

/// A lot in JSON: its cells, in the order of the columns; unknown ones are null.
pub(super) struct Row([String; 12]);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells = self.0.iter().map(|cell| Some(cell).filter(|cell| !cell.is_empty()));
        serializer.collect_map(COLUMNS.iter().zip(cells))
    }
}

/// All lots for JSON.
pub(super) fn rows(lots: &[Lot]) -> Vec<Row> {
    lots.iter().map(cells).map(Row).collect()
}

/// The cells of a lot, in the order of the columns; empty if unknown.
fn cells(lot: &Lot) -> [String; 12] {
    let Lot { id: _, kind, coin, amount, price, fee, currency, date, note, address } = lot;
    let (unit, total) = match price {
        Some(LotPrice::Unit(unit)) => (unit.to_string(), String::new()),
        Some(LotPrice::Total(total)) => (String::new(), total.to_string()),
        None => (String::new(), String::new()),
    };
    let text = |text: &Option<Text>| text.as_deref().unwrap_or_default().to_owned();
    [
        kind.as_str().to_owned(),
        text(&coin.slug),
        coin.symbol.to_string(),
        text(&coin.id),
        amount.to_string(),
        unit,
        total,
        currency.as_str().to_owned(),
        fee.as_ref().map(ToString::to_string).unwrap_or_default(),
        date.to_string(),
        text(note),
        text(address),
    ]
}

/// Writes all lots.
pub(super) fn write(out: impl Write, lots: &[Lot]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS).map_err(bare)?;
    for lot in lots {
        for cell in cells(lot) {
            writer.write_field(escape(&cell).as_bytes()).map_err(bare)?;
        }
        writer.write_record(None::<&[u8]>).map_err(bare)?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::super::super::csv::unescape;
    use super::*;

    #[test]
    fn cells_are_never_formulas_and_read_back_unchanged() {
        for text in ["=1+1", "'=1+1", "''-x", "'quoted'", "-5", "'-5", "a,\"b\"", "@x", ""] {
            let cell = escape(text);
            assert!(!cell.starts_with(['=', '@', '+']), "{cell}");
            assert_eq!(unescape(&cell), text);
        }
    }
}
