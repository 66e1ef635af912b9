//! The columns of the holdings and addresses.

use crate::format::{Money, with_separators};
use crate::model::Decimal;
use crate::view::widgets::table::Column;
use crate::view::widgets::text;

pub(super) const NAME: usize = 0;
pub(super) const SYMBOL: usize = 1;
pub(super) const AMOUNT: usize = 2;
pub(super) const PRICE: usize = 3;
pub(super) const VALUE: usize = 4;
pub(super) const SHARE: usize = 5;
pub(super) const DAY: usize = 6;
pub(super) const PROFIT: usize = 7;
pub(super) const PROFIT_PCT: usize = 8;
pub(super) const NOTE: usize = 9;

/// Decimals of values.
pub(super) const FRACTION: u16 = 2;

/// Widest exact amount; longer ones are compact.
pub(super) const AMOUNT_WIDTH: u16 = 14;

/// Shown instead of hidden amounts.
pub(super) const HIDDEN: &str = "•••";

/// The columns for a width.
pub(super) fn columns(width: u16) -> [Column; 10] {
    [
        // Room for a kind and a date.
        Column::words("Holding", if width < 60 { 17 } else { 20 }, 9).growing(30),
        Column::words("", 6, 4),
        Column::number("Amount", AMOUNT_WIDTH, 7),
        Column::number("Price", 12, 5),
        Column::number("Value", 13, 10),
        Column::number("Share", 6, 3),
        Column::number("24h", 7, 8),
        Column::number("Profit", 11, 6),
        Column::number("%", 7, 5),
        Column::words(" Note", 12, 1).growing(60),
    ]
}

/// What `shown` returns, unless amounts are hidden.
pub(super) fn hidden_or(hides: bool, shown: impl FnOnce() -> String) -> String {
    if hides { HIDDEN.to_owned() } else { shown() }
}

/// An amount with all digits if they fit, otherwise compact.
pub(super) fn amount(amount: &Decimal) -> String {
    let exact = with_separators(&amount.to_string());
    if text::width(&exact) <= AMOUNT_WIDTH { exact } else { Money(Some(amount.to_f64())).to_string() }
}
