//! Amounts with all their digits, or shortened without becoming wrong if there is no room.

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
