//! Amounts with all their digits, or shortened without becoming wrong if there is no room.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::format::{ABSENT, Exact, Money};
use crate::model::Amount;
use crate::view::view_state::AmountColumns;
use crate::view::widgets::table::{Column, Layout};
use crate::view::widgets::text;

/// One whole unit.
const UNIT: u128 = Amount::UNIT.atoms();

/// Minimum units of an amount that is rounded to whole units; the decimals of smaller ones matter.
const MIN_WHOLE: u128 = 1_000;

/// Minimum units of an amount that has a short form.
const MIN_SHORT: u128 = 1_000_000;

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
    let in_units = format!("≈{}", Exact(whole));
    if whole >= Amount::from_atoms(MIN_WHOLE * UNIT) && text::width(&in_units) <= width {
        return in_units;
    }
    rounded(amount)
}

/// Formats an amount in few characters, rounded.
fn rounded(amount: Amount) -> String {
    match amount.to_f64() {
        little if little < 0.01 => format!("≈{little:.0e}"),
        value => format!("≈{}", Money(Some(value)).to_string().trim()),
    }
}

/// The columns for all these amounts.
pub(super) fn needed(amounts: impl Iterator<Item = Option<Amount>>) -> AmountColumns {
    let of = |amount: Amount| AmountColumns {
        digits: digits(amount),
        whole: whole(amount),
        decimals: u16::from(amount.decimals()),
    };
    amounts.flatten().map(of).fold(AmountColumns::default(), AmountColumns::and)
}

/// The columns for the whole part of an amount, with separators.
fn whole(amount: Amount) -> u16 {
    let power = (amount.atoms() / UNIT).checked_ilog10().unwrap_or(0);
    u16::try_from(power + 1 + power / 3).unwrap_or(u16::MAX)
}

/// The columns for the digits of an amount; 0 if [`fitting`] never uses the short form with a letter for it.
fn digits(amount: Amount) -> u16 {
    let rest = amount.atoms() % UNIT;
    let units = amount.atoms() / UNIT + u128::from(rest >= UNIT / 2);
    let Some(power) = units.checked_ilog10().filter(|_| units >= MIN_SHORT) else { return 0 };
    let mark = u32::from(rest != 0);
    u16::try_from(mark + power + 1 + power / 3).unwrap_or(u16::MAX)
}

/// Paints an amount of a table's column: with all digits and aligned on the decimal point if all amounts of the column
/// fit like that, else like [`in_column`]. `needed`: the columns for all of them.
pub(super) fn paint(buf: &mut Buffer, cell: Rect, amount: Option<Amount>, needed: AmountColumns, style: Style) {
    if !needed.fit_aligned(cell.width) {
        return text::number(buf, cell, &in_column(amount, cell.width, needed.digits), style);
    }
    let shown = amount.map_or_else(|| String::from(ABSENT), |amount| Exact(amount).to_string());
    text::decimal(buf, cell, needed.decimals, &shown, style);
}

/// Formats an amount of a table's column like [`fitting`], but in the same form as the amounts above and below it: if the
/// column is narrower than the columns `needed` for the digits of all of them, those from a million up are short. If the
/// largest is too long even so, those from 10,000 trillion up have an exponent.
fn in_column(amount: Option<Amount>, width: u16, needed: u16) -> String {
    match amount.filter(|amount| needed > width && amount.atoms() >= MIN_SHORT * UNIT) {
        Some(large) if needed > width.saturating_add(TRILLION_DIGITS) && trillions(large) >= MIN_EXPONENT => {
            with_exponent(large, width)
        }
        Some(large) => {
            let short = short(large.atoms()).filter(|short| text::width(short) <= width);
            short.unwrap_or_else(|| with_letter(large))
        }
        None => fitting(amount, width),
    }
}

/// One trillion units, in atoms.
const TRILLION: u128 = 1_000_000_000_000 * UNIT;

/// Minimum trillions of an amount with an exponent.
const MIN_EXPONENT: u128 = 10_000;

/// The trillions of an amount, rounded.
fn trillions(amount: Amount) -> u128 {
    amount.atoms().saturating_add(TRILLION / 2) / TRILLION
}

/// The columns that an amount of trillions saves at least if it has a `T`: the digits `,000,000,000,000`, without the
/// `T` and a mark of rounding.
const TRILLION_DIGITS: u16 = 14;

/// Shortens an amount like [`rounded`], but without an exponent: `≈1,734,766T`.
fn with_letter(amount: Amount) -> String {
    match trillions(amount) {
        trillions @ MIN_EXPONENT.. => format!("≈{}T", Exact(Amount::from_atoms(trillions * UNIT))),
        _ => rounded(amount),
    }
}

/// Formats a large amount with an exponent, in at most `width` columns (at least seven): `≈1.735e18`, `2.100e17`.
fn with_exponent(amount: Amount, width: u16) -> String {
    // The others are `≈`, the first digit, the point and the exponent.
    let decimals = usize::from(width).saturating_sub(6).clamp(1, 3);
    let digits = amount.atoms().checked_ilog10().unwrap_or(0);
    let shown = u32::try_from(decimals).unwrap_or(0);
    let is_exact = amount.atoms().is_multiple_of(10_u128.pow(digits.saturating_sub(shown)));
    format!("{}{:.decimals$e}", if is_exact { "" } else { "≈" }, amount.to_f64())
}

/// Widens a column of a table to the columns [`needed`] for the digits of its amounts, if no column is dropped for that.
pub(super) fn widen(columns: &mut [Column], index: usize, needed: AmountColumns, width: u16) {
    let layout = |columns: &[Column]| {
        Layout::filtered(columns, width, |index| columns.get(index).is_some_and(|column| column.width > 0))
    };
    let before = layout(columns);
    let Some(column) = columns.get_mut(index).filter(|_| before.shows(index)) else { return };
    let narrow = *column;
    column.width = column.width.max(needed.digits);
    column.max_width = column.max_width.max(needed.digits);
    let after = layout(columns);
    if before.columns().iter().any(|placed| !after.shows(placed.index))
        && let Some(column) = columns.get_mut(index)
    {
        *column = narrow;
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

/// The widths of shortened addresses and ids: only a few, so that an address looks the same in cells of similar width.
const SHORT: [usize; 4] = [13, 20, 28, 40];

/// Shortens an address or id to at most `width` columns: its beginning and end, which people recognise.
pub(super) fn shortened(id: &str, width: u16) -> String {
    let room = usize::from(width);
    let count = id.chars().count();
    if count <= room || room < 9 {
        return id.to_owned();
    }
    let most = SHORT.into_iter().rfind(|columns| *columns <= room).unwrap_or(room);
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
    fn amounts_of_a_column_are_all_short_or_all_in_digits() {
        let fraction = Some(Amount::from_atoms(75_400_000_000_000 * UNIT + 1));
        let amounts = [units(3_920_000_000_000), units(310_000_000_000), fraction, units(7_000_000)];
        let needed = needed(amounts.into_iter()).digits;
        assert_eq!(needed, 19);
        for width in 9..30 {
            let shown = amounts.map(|amount| in_column(amount, width, needed));
            let are_short = shown.each_ref().map(|shown| shown.ends_with(['M', 'B', 'T']));
            assert_eq!(are_short, [width < needed; 4], "{shown:?}");
            assert!(shown.iter().all(|shown| text::width(shown) <= width), "{shown:?}");
        }
        assert_eq!(in_column(units(412_000), 9, needed), "412,000", "small ones have the same digits in either form");
        assert_eq!(in_column(None, 9, needed), "—");
    }

    #[test]
    fn huge_amounts_of_a_column_have_one_form() {
        let largest = Some(Amount::from_atoms(1_734_765_600_000_000_000 * UNIT + 1));
        let amounts = [largest, units(1_328_300_000_000_000_000), units(859_100_000_000_000_000)];
        let needed = needed(amounts.into_iter()).digits;
        let shown = |width| amounts.map(|amount| in_column(amount, width, needed));
        for width in [13, 20] {
            assert_eq!(shown(width), ["≈1,734,766T", "1,328,300T", "859,100T"], "{width}");
        }
        assert_eq!(shown(9), ["≈1.735e18", "≈1.328e18", "8.591e17"]);
        assert_eq!(shown(7), ["≈1.7e18", "≈1.3e18", "≈8.6e17"]);
        // The others don't need one.
        for (amount, short) in [
            (units(2_100_000_000_000_000), "2,100T"),
            (units(21_000_000), "21M"),
            (Some(Amount::from_atoms(42_069_000 * UNIT + 1)), "≈42.1M"),
            (Some(Amount::from_atoms(9_999_400_000_000_000 * UNIT + 1)), "≈9,999T"),
            (Some(Amount::from_atoms(9_999_600_000_000_000 * UNIT + 1)), "≈1.0e16"),
        ] {
            assert_eq!(in_column(amount, 7, needed), short);
        }
        for width in 7..40 {
            assert!(shown(width).iter().all(|shown| text::width(shown) <= width), "{width}: {:?}", shown(width));
        }
    }

    #[test]
    fn digits_need_the_columns_of_the_formatted_amount() {
        for power in 6..20 {
            for factor in [1, 3, 9] {
                let units = 10_u128.pow(power) * factor;
                let exact = Amount::from_atoms(units * UNIT);
                assert_eq!(digits(exact), text::width(&Exact(exact).to_string()), "{units}");
                let rest = Amount::from_atoms(units * UNIT + 1);
                assert_eq!(digits(rest), digits(exact) + 1, "{units}");
            }
        }
        assert_eq!(digits(Amount::from_atoms(999_999 * UNIT + UNIT / 2)), 10, "it is rounded to ≈1,000,000");
    }

    #[test]
    fn decimal_points_are_aligned_if_all_digits_fit() {
        let amounts = [units(41_900_000), Some(Amount::from_atoms(16 * UNIT + UNIT / 4)), None, units(7)];
        let needed = needed(amounts.into_iter());
        assert_eq!(needed, AmountColumns { digits: 10, whole: 10, decimals: 2 });
        let shown = |amount, width| {
            let area = Rect::new(0, 0, width, 1);
            let mut buf = Buffer::empty(area);
            paint(&mut buf, area, amount, needed, Style::new());
            buf.content.iter().map(|cell| cell.symbol()).collect::<String>()
        };
        assert_eq!(
            amounts.map(|amount| shown(amount, 13)),
            ["41,900,000   ", "        16.25", "         —   ", "         7   "]
        );
        assert_eq!(
            amounts.map(|amount| shown(amount, 12)),
            ["  41,900,000", "       16.25", "           —", "           7"]
        );
    }

    #[test]
    fn ids_keep_both_ends() {
        for width in 13..20 {
            assert_eq!(shortened("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", width), "bc1qd2mz…8cg8", "{width}");
        }
        assert_eq!(shortened("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", 12), "bc1qd2mz…cg8");
        assert_eq!(shortened("short", 14), "short");
    }
}
