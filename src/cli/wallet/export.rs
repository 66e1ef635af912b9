//! `satscope wallet export`: all lots as CSV that `wallet import` reads back unchanged.

use std::io::{self, Write};

use super::super::csv::{bare, escape};
use super::super::failure::Failure;
use crate::user_data::{Lot, LotPrice};

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

/// Prints all lots. Numbers are exact.
pub(super) fn print(lots: &[Lot]) -> Result<(), Failure> {
    write(io::stdout().lock(), lots).map_err(Failure::Output)
}

/// Writes all lots.
fn write(out: impl Write, lots: &[Lot]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS).map_err(bare)?;
    for lot in lots {
        let Lot { id: _, kind, coin, amount, price, fee, currency, date, note, address } = lot;
        let (unit, total) = match price {
            Some(LotPrice::Unit(unit)) => (unit.to_string(), String::new()),
            Some(LotPrice::Total(total)) => (String::new(), total.to_string()),
            None => (String::new(), String::new()),
        };
        let cells = [
            kind.as_str(),
            coin.slug.as_deref().unwrap_or_default(),
            &coin.symbol,
            coin.id.as_deref().unwrap_or_default(),
            &amount.to_string(),
            &unit,
            &total,
            currency.as_str(),
            &fee.as_ref().map(ToString::to_string).unwrap_or_default(),
            &date.to_string(),
            note.as_deref().unwrap_or_default(),
            address.as_deref().unwrap_or_default(),
        ];
        for cell in cells {
            writer.write_field(escape(cell).as_bytes()).map_err(bare)?;
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
