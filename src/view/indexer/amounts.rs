//! Exact amounts where there is room for all their digits, and honest short ones where there is not.

use crate::format::{ABSENT, Exact, Money};
use crate::model::Amount;
use crate::view::widgets::text;

/// An amount in at most `width` columns: exact, or short with `≈` before it. Never a part of its digits.
pub(super) fn fitting(amount: Option<Amount>, width: u16) -> String {
    let Some(amount) = amount else { return String::from(ABSENT) };
    let exact = Exact(amount).to_string();
    if text::width(&exact) <= width {
        return exact;
    }
    format!("≈{}", Money(Some(amount.to_f64())).to_string().trim())
}

/// An address or id in at most `width` columns: whole, or its beginning and its end, by which people know it.
pub(super) fn shortened(id: &str, width: u16) -> String {
    let most = usize::from(width);
    if id.chars().count() <= most || most < 9 {
        return id.to_owned();
    }
    let tail = (most - 1) / 3;
    let head = most - 1 - tail;
    let count = id.chars().count();
    let begin: String = id.chars().take(head).collect();
    let end: String = id.chars().skip(count - tail).collect();
    format!("{begin}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_whole_or_marked_as_short() {
        let supply = Amount::from_atoms(18_446_744_073_709_551_615_000_000_000_000_000_000);
        assert_eq!(fitting(Some(supply), 30), "18,446,744,073,709,551,615");
        assert!(fitting(Some(supply), 12).starts_with('≈'));
        assert!(text::width(&fitting(Some(supply), 12)) <= 12);
        assert_eq!(fitting(None, 12), "—");
    }

    #[test]
    fn ids_keep_both_ends() {
        assert_eq!(shortened("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", 14), "bc1qd2mzs…8cg8");
        assert_eq!(shortened("short", 14), "short");
    }
}
