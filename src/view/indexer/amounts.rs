//! Amounts with all their digits, or shortened without becoming wrong if there is no room.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::format::{ABSENT, Exact, Money};
use crate::model::Amount;
use crate::view::widgets::text;

/// One whole unit.
const UNIT: u128 = Amount::UNIT.atoms();

/// Minimum units of an amount that is rounded to whole units; the decimals of smaller ones matter.
const MIN_WHOLE: u128 = 1_000;

/// Formats an amount in at most `width` columns (at least seven): with all digits; else short but exact (`21M`,
/// `1e-18`); else rounded with `≈` before it, to whole units if they fit. Digits are never just cut off.
pub(super) fn fitting(amount: Option<Amount>, width: u16) -> String {
    let Some(amount) = amount else { return String::from(ABSENT) };
    let exact = Exact(amount).to_string();
    if text::width(&exact) <= width {
        return exact;
    }
    if let Some(short) = short(amount.atoms()).filter(|short| text::width(short) <= width) {
        return short;
    }
    // Whole units line up with the exact amounts around them.
    let whole = Amount::from_atoms(amount.atoms().saturating_add(UNIT / 2) / UNIT * UNIT);
    let rounded = format!("≈{}", Exact(whole));
    if whole >= Amount::from_atoms(MIN_WHOLE * UNIT) && text::width(&rounded) <= width {
        return rounded;
    }
    match amount.to_f64() {
        little if little < 0.01 => format!("≈{little:.0e}"),
        value => format!("≈{}", Money(Some(value)).to_string().trim()),
    }
}

/// The amounts of a column, which are all written alike so that they can be compared at a glance: with all digits, or,
/// if the largest one has no room for them, in millions, billions or trillions with equally many decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AmountColumn {
    /// The largest amount in whole units.
    largest: u128,
    /// The most decimals of an amount.
    decimals: u16,
    /// The most decimals of an amount in millions, billions or trillions, at most [`SCALED_DECIMALS`].
    scaled_decimals: u16,
    /// Whether an amount has more than that.
    is_rounded: bool,
}

impl AmountColumn {
    /// The column of these amounts.
    pub(super) fn of(amounts: impl Iterator<Item = Amount>) -> AmountColumn {
        amounts.fold(AmountColumn::default(), |column, amount| {
            let atoms = amount.atoms();
            let scaled = scale(atoms).map_or(0, |(scale, _)| {
                let is_enough = |decimals: &u16| atoms.is_multiple_of(scale / 10_u128.pow(u32::from(*decimals)));
                (0..=SCALED_DECIMALS).find(is_enough).unwrap_or(SCALED_DECIMALS + 1)
            });
            AmountColumn {
                largest: column.largest.max(atoms / UNIT),
                decimals: column.decimals.max(decimals(atoms)),
                scaled_decimals: column.scaled_decimals.max(scaled.min(SCALED_DECIMALS)),
                is_rounded: column.is_rounded || scaled > SCALED_DECIMALS,
            }
        })
    }

    /// Paints one of the amounts, with its decimal point below that of the others if they are in millions, billions or
    /// trillions.
    pub(super) fn paint(&self, buf: &mut Buffer, cell: Rect, amount: Option<Amount>, style: Style) {
        let scaled = self.scaled_decimals(cell.width);
        let fraction = match scaled {
            // And the letter.
            Some(decimals @ 1..) => decimals + 1,
            Some(0) | None => 0,
        };
        text::decimal(buf, cell, fraction, &self.format(amount, scaled, cell.width), style);
    }

    /// The columns of the largest amount without its decimals.
    fn columns(&self) -> u16 {
        text::width(&Exact(Amount::from_atoms(self.largest.saturating_mul(UNIT))).to_string())
    }

    /// The decimals of amounts in millions, billions or trillions; `None` if all digits fit.
    fn scaled_decimals(&self, width: u16) -> Option<u16> {
        let (scale, _) = scale(self.largest.saturating_mul(UNIT))?;
        if self.columns() + u16::from(self.decimals > 0) <= width {
            return None;
        }
        let whole = text::width(&Exact(Amount::from_atoms(self.largest / (scale / UNIT) * UNIT)).to_string());
        // With a mark if a decimal is rounded, a point and a letter.
        let fits = |decimals: &u16| {
            let is_rounded = self.is_rounded || *decimals < self.scaled_decimals;
            whole + u16::from(is_rounded) + 1 + decimals + 1 <= width
        };
        Some((1..=self.scaled_decimals).rev().find(fits).unwrap_or(0))
    }

    fn format(&self, amount: Option<Amount>, scaled: Option<u16>, width: u16) -> String {
        let atoms = amount.map_or(0, Amount::atoms);
        let Some((decimals, (scale, letter))) = scaled.zip(scale(atoms)) else { return fitting(amount, width) };
        let parts = 10_u128.pow(u32::from(decimals));
        let part = scale / parts;
        let rounded = atoms.saturating_add(part / 2) / part;
        let mark = if atoms.is_multiple_of(part) { "" } else { "≈" };
        let whole = Exact(Amount::from_atoms(rounded / parts * UNIT));
        match usize::from(decimals) {
            0 => format!("{mark}{whole}{letter}"),
            decimals => format!("{mark}{whole}.{:0decimals$}{letter}", rounded % parts),
        }
    }
}

/// Maximum decimals of an amount in millions, billions or trillions.
const SCALED_DECIMALS: u16 = 3;

/// The atoms of a million, billion or trillion units, and its letter; `None` for a smaller amount.
fn scale(atoms: u128) -> Option<(u128, char)> {
    let scales = [(1_000_000_000_000, 'T'), (1_000_000_000, 'B'), (1_000_000, 'M')];
    scales.into_iter().map(|(units, letter)| (units * UNIT, letter)).find(|(scale, _)| atoms >= *scale)
}

/// The number of decimals of an amount without trailing zeros.
fn decimals(atoms: u128) -> u16 {
    if atoms.is_multiple_of(UNIT) {
        return 0;
    }
    (1..18).find(|decimals| atoms.is_multiple_of(UNIT / 10_u128.pow(u32::from(*decimals)))).unwrap_or(18)
}

/// Formats an amount in few characters, if that is exact.
fn short(atoms: u128) -> Option<String> {
    for (scale, letter) in [(1_000_000_000_000, 'T'), (1_000_000_000, 'B'), (1_000_000, 'M')] {
        let one = scale * UNIT;
        // Up to three decimals, for `6.942T` instead of `6942B`.
        if atoms >= one && atoms.is_multiple_of(one / 1_000) {
            return Some(format!("{}{letter}", Exact(Amount::from_atoms(atoms / scale))));
        }
    }
    let power = (0..18).find(|power| atoms == 10_u128.pow(*power))?;
    Some(format!("1e-{}", 18 - power))
}

/// Shortens an address or id to `width` columns: its beginning and end, which people recognise.
pub(super) fn shortened(id: &str, width: u16) -> String {
    let most = usize::from(width);
    let count = id.chars().count();
    if count <= most || most < 9 {
        return id.to_owned();
    }
    let tail = (most - 1) / 3;
    let head = most - 1 - tail;
    let begin: String = id.chars().take(head).collect();
    let end: String = id.chars().skip(count - tail).collect();
    format!("{begin}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(units: u128) -> Option<Amount> {
        Some(Amount::from_atoms(units * UNIT))
    }

    #[test]
    fn amounts_are_exact_or_marked_as_rounded() {
        assert_eq!(fitting(units(u128::from(u64::MAX)), 30), "18,446,744,073,709,551,615");
        assert_eq!(fitting(units(21_000_000), 9), "21M");
        assert_eq!(fitting(units(88_500_000), 9), "88.5M");
        assert_eq!(fitting(units(6_942_000_000_000), 9), "6.942T");
        assert_eq!(fitting(units(2_100_000_000_000_000), 9), "2,100T");
        assert_eq!(fitting(units(21_000_001), 9), "≈21.0M");
        let fraction = |units: u128| Some(Amount::from_atoms(units * UNIT + 1));
        assert_eq!(fitting(fraction(502_300), 20), "≈502,300");
        assert_eq!(fitting(fraction(75_400_000_000_000), 20), "≈75,400,000,000,000");
        assert_eq!(fitting(fraction(75_400_000_000_000), 9), "≈75.40T");
        assert_eq!(fitting(fraction(12), 9), "≈12.00");
        assert_eq!(fitting(Some(Amount::from_atoms(1)), 9), "1e-18");
        assert_eq!(fitting(Some(Amount::from_atoms(12)), 9), "≈1e-17");
        assert_eq!(fitting(None, 12), "—");
    }

    /// The amounts of a column of this width, one a row.
    fn painted(amounts: &[Amount], width: u16) -> Vec<String> {
        let column = AmountColumn::of(amounts.iter().copied());
        let row = |amount: &Amount| {
            let mut buf = Buffer::empty(Rect::new(0, 0, width, 1));
            let area = buf.area;
            column.paint(&mut buf, area, Some(*amount), Style::new());
            buf.content.iter().map(|cell| cell.symbol()).collect::<String>()
        };
        amounts.iter().map(row).collect()
    }

    #[test]
    fn amounts_of_a_column_are_written_alike() {
        let whole = |units: u128| Amount::from_atoms(units * UNIT);
        let all = [whole(996_000_000_000), whole(2_971_000_000_000), whole(502_300), whole(12)];
        assert_eq!(painted(&all, 12), ["    996.000B", "      2.971T", "502,300     ", "     12     "]);
        assert_eq!(painted(&all[..1], 16), [" 996,000,000,000"]);
        let all =
            [whole(84_000_000_000_000), whole(67_761_000_000_000), Amount::from_atoms(75_400_000_000_000 * UNIT + 1)];
        assert_eq!(painted(&all, 12), ["     84.000T", "     67.761T", "    ≈75.400T"]);
        assert_eq!(painted(&all, 26)[2].trim(), "≈75,400,000,000,000");
        let all = [whole(21_000_000), whole(2_100_000_000), whole(2_100_000_000_000_000)];
        assert_eq!(painted(&all, 9), ["    21.0M", "     2.1B", " 2,100.0T"]);
    }

    #[test]
    fn amounts_fit_into_nine_columns() {
        for power in 0..38 {
            for factor in [1, 3, 7] {
                let amount = Amount::from_atoms(10_u128.pow(power) * factor);
                assert!(text::width(&fitting(Some(amount), 9)) <= 9, "{amount:?}");
            }
        }
    }

    #[test]
    fn ids_keep_both_ends() {
        assert_eq!(shortened("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", 14), "bc1qd2mzs…8cg8");
        assert_eq!(shortened("short", 14), "short");
    }
}
