//! The columns of the holdings and addresses.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::State;
use crate::app::panel::cells::HoldingCell;
use crate::app::screen::wallet::order::Order;
use crate::format::{HIDDEN, Money, MoneyIn, Price, PriceIn, ShortPrice, ValueIn, with_currency, with_separators};
use crate::model::{Currency, Decimal};
use crate::theme::Theme;
use crate::user_data::Watched;
use crate::view::widgets::table::{Column, Layout, Row, SortMark};
use crate::view::widgets::text;

/// Minimum width of a name that must be shortened.
const MIN_NAME: u16 = 6;

/// Widest amount.
pub(super) const AMOUNT_WIDTH: u16 = 14;

/// Significant digits of a price far below 1.
const PRICE_DIGITS: usize = 3;

/// The columns for a width, with money in this currency. While coins are marked for the comparison, all names are one
/// column further right.
pub(super) fn columns(width: u16, convert: &Currency, is_marked: bool) -> [Column; HoldingCell::COUNT] {
    let name = if is_marked { " Holding" } else { "Holding" };
    let is_narrow = width < 60;
    // At 120 columns, long prices take space from names and trends.
    let has_long_prices = !is_narrow && convert.is_whole();
    // Room for a kind and a date. A narrow screen shortens the names, so that they fit beside the widest column.
    let most = if is_narrow || has_long_prices { 17 } else { 20 };
    let name_width = width.saturating_sub(AMOUNT_WIDTH + 3).clamp(MIN_NAME, most);
    HoldingCell::ALL.map(|cell| match cell {
        HoldingCell::Name => Column::words(name, name_width, 11).growing(30),
        HoldingCell::Symbol => Column::words("", 6, 4),
        HoldingCell::Amount => Column::number("Amount", AMOUNT_WIDTH, 7),
        HoldingCell::Price => {
            Column::number("Price", if has_long_prices { PriceIn::width(convert) } else { Price::WIDTH }, 5).growing(16)
        }
        HoldingCell::Value => Column::number("Value", if has_long_prices { 14 } else { 13 }, 10),
        HoldingCell::Share => Column::number("Share", 6, 3),
        // On a screen of 40 columns, the change fits beside the value.
        HoldingCell::Day => Column::number("24h", if is_narrow { 6 } else { 7 }, 8),
        HoldingCell::Profit => Column::number("Profit", if width < 140 { 11 } else { 14 }, 6),
        // At 80 columns, there is room for it, but not for the price.
        HoldingCell::ProfitPct => Column::number("%", 7, 6),
        HoldingCell::Trend => Column::words(" Chart", if has_long_prices { 10 } else { 12 }, 2).growing(30),
        HoldingCell::Note => Column::words(" Note", 12, 1).growing(60),
    })
}

/// How the values of holdings, lots and addresses are shown, so that they can be compared.
#[derive(Clone, Copy)]
pub(super) struct ValueFormat {
    /// The decimals by which all are aligned: none if all values are whole, or if some have a unit.
    decimals: u16,
    /// Whether all from a million up have a unit, since the largest needs one: `1.996B`, `41.94M`.
    is_short: bool,
}

impl ValueFormat {
    /// The format for the largest value.
    pub(super) fn new(state: &State) -> ValueFormat {
        let all = state.wallet.holdings();
        let valuation = all.valuation();
        let values = || {
            let holdings = valuation.holdings.iter().filter_map(|holding| holding.value.clone());
            let addresses = all.addresses().iter().filter_map(|address| all.address_value(address));
            holdings.chain(addresses).map(|value| value.to_f64())
        };
        // Most frames need none of the values: each one of an address is a sum over all holdings.
        let is_short = valuation.value.to_f64() >= BILLION && values().any(|value| value >= BILLION);
        let has_decimals = |value: f64| ValueIn(&state.convert, Some(value)).to_string().contains('.');
        let is_whole = state.convert.is_whole() && !values().any(has_decimals);
        let decimals = if is_short || is_whole { 0 } else { ValueIn::decimals(&state.convert) };
        ValueFormat { decimals, is_short }
    }

    /// Paints a value in its column.
    pub(super) fn paint(self, cells: &mut Row<'_>, value: Option<&Decimal>, convert: &Currency, style: Style) {
        let value = value.map(Decimal::to_f64);
        match value.filter(|value| self.is_short && (MILLION..TRILLIONS).contains(&value.abs())) {
            Some(value) => cells.number(HoldingCell::Value, ShortPrice(Some(value)), style),
            None => cells.decimal(HoldingCell::Value, self.decimals, ValueIn(convert, value), style),
        }
    }
}

/// The blank before all names while coins are marked for the comparison, whose letters are in front of it.
pub(super) fn comparison_gap(layout: &Layout, line: Rect, state: &State) -> &'static str {
    let has_margin = layout.cell(line, HoldingCell::Name).is_some_and(|name| name.x > line.x);
    if has_margin && !state.comparison.coins().is_empty() { " " } else { "" }
}

/// Paints the coin's letter in the comparison before its name, if it is marked. Returns the blank between the two, even
/// for other coins if any is marked, so that all names are in one column.
pub(super) fn comparison_letter(cells: &mut Row<'_>, coin: &Watched, state: &State, theme: &Theme) -> &'static str {
    let line = text::line(cells.area, 0);
    let gap = comparison_gap(cells.layout, line, state);
    if let Some(index) = state.comparison.position(coin).filter(|_| !gap.is_empty()) {
        let letter = state.comparison.letter(index);
        let style = theme.line(state.comparison.slot(index));
        text::put(cells.buf, Rect { width: 1, ..line }, letter.encode_utf8(&mut [0; 4]), style);
    }
    gap
}

/// Names the sort order in the first heading, after `gap`, if the sort column is hidden: `by profit ▾`.
pub(super) fn show_hidden_sort(
    buf: &mut Buffer,
    line: Rect,
    layout: &Layout,
    order: Order,
    sort: Option<SortMark>,
    gap: &str,
    theme: &Theme,
) {
    let Some(sort) = sort.filter(|sort| !layout.shows(sort.column)) else { return };
    let Some(cell) = layout.cell(line, HoldingCell::Name) else { return };
    text::clear(buf, cell);
    let mark = sort.direction.mark();
    text::put(buf, text::shifted(cell, text::width(gap)), &format!("by {} {mark}", order.title().1), theme.accent);
}

/// What `shown` returns, unless amounts are hidden.
pub(super) fn hidden_or(hides: bool, shown: impl FnOnce() -> String) -> String {
    if hides { HIDDEN.to_owned() } else { shown() }
}

/// An amount with all digits if they fit, if necessary in billions or trillions; otherwise rounded half to even, with `≈`
/// before it.
pub(super) fn amount(amount: &Decimal) -> String {
    let exact = with_separators(&amount.to_string());
    if text::width(&exact) <= AMOUNT_WIDTH {
        return exact;
    }
    if let Some(rounded) = rounded(amount, "") {
        return rounded;
    }
    let number = amount.to_f64();
    if amount.rounded(0).is_zero() {
        let mark = if exact.trim_start_matches(['-', '0', '.']).len() > PRICE_DIGITS { "≈" } else { "" };
        return format!("{mark}{}", Price(Some(number)));
    }
    let (unit, name) = if number.abs() < 1e12 { ("0.000000001", "B") } else { ("0.000000000001", "T") };
    let Ok(scaled) = unit.parse::<Decimal>().map(|unit| amount * &unit) else {
        return format!("≈{}", Money(Some(number)));
    };
    let exact = format!("{}{name}", with_separators(&scaled.to_string()));
    if text::width(&exact) <= AMOUNT_WIDTH {
        return exact;
    }
    rounded(&scaled, name).unwrap_or_else(|| format!("≈{}", Money(Some(number))))
}

/// A number with as many decimals as fit before its unit; `None` if not even its whole part fits, or if it would be zero.
fn rounded(number: &Decimal, unit: &str) -> Option<String> {
    let rounded = |decimals| Some(number.rounded(decimals)).filter(|rounded| !rounded.is_zero());
    let shown = |decimals| Some(format!("≈{}{unit}", with_separators(&rounded(decimals)?.to_string())));
    (0..u32::from(AMOUNT_WIDTH)).rev().filter_map(shown).find(|shown| text::width(shown) <= AMOUNT_WIDTH)
}

/// Rounded, values from here are at least a million.
const MILLION: f64 = 999_999.5;

/// From here, [`ShortPrice`] has an exponent, but values still have a unit.
const TRILLIONS: f64 = 999.95e12;

/// From here, sums of money are as short as the values beside them: `1.420B`.
const BILLION: f64 = 999_999_999.5;

/// A sum of money with its sign: `+€851`, `−€1,177`, `+₩1.420B`.
pub(super) fn signed(sum: &Decimal, code: &str, currency: &Currency) -> String {
    let sign = if sum.is_negative() { "−" } else { "+" };
    let size = sum.to_f64().abs();
    if size >= BILLION {
        return format!("{sign}{code}{}", Price(Some(size)));
    }
    format!("{sign}{}", with_currency(code, &MoneyIn(currency, size).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn billions_are_as_short_as_values() {
        let won = Currency::parse("KRW").unwrap();
        let shown = |sum: &str| signed(&sum.parse().unwrap(), "₩", &won);
        assert_eq!(shown("219747700"), "+₩219,747,700");
        assert_eq!(shown("-999999999.4"), "−₩999,999,999");
        assert_eq!(shown("999999999.5"), "+₩1.000B");
        assert_eq!(shown("-1420073268"), "−₩1.420B");
        assert_eq!(shown("999960000000"), "+₩1.000T");
        assert_eq!(shown("1420073268000"), "+₩1.420T");
    }

    #[test]
    fn currency_sign_of_a_tiny_sum_follows_the_less_than_sign() {
        let dollar = Currency::usd();
        for (sum, code, shown) in
            [("-0.004", "$", "−<$0.01"), ("0.004", "$", "+<$0.01"), ("-0.004", "", "−<0.01"), ("-8.41", "$", "−$8.41")]
        {
            assert_eq!(signed(&sum.parse().unwrap(), code, &dollar), shown);
        }
    }

    #[test]
    fn amounts_are_exact_or_rounded_half_to_even() {
        for (exact, shown) in [
            ("0", "0"),
            ("250300", "250,300"),
            ("0.412003", "0.412003"),
            ("250300.000000000000000001", "≈250,300"),
            ("1234.5678901234", "≈1,234.5678901"),
            ("0.12345678901250001", "≈0.12345678901"),
            ("100000000.0000025", "≈100,000,000"),
            ("12345678.1250000001", "≈12,345,678.13"),
            ("12345678.12500", "12,345,678.125"),
            ("1234567.12500000000", "1,234,567.125"),
            ("99999999.125000000000000000", "99,999,999.125"),
            ("999999999.1250", "≈999,999,999.1"),
            ("999999999.2500", "999,999,999.25"),
            ("9999999997.5", "≈9,999,999,998"),
            ("9999999998.5", "≈9,999,999,998"),
            ("123456789012", "123.456789012B"),
            ("123456789012.5", "≈123.45678901B"),
            ("15300000000000", "15.3T"),
            ("15300000000000.000000000000000001", "≈15.3T"),
            ("418000000000000000", "418,000T"),
            ("418000000000000000.5", "≈418,000T"),
            ("340282366920938463463.374607431768211455", "≈340,282,367T"),
            ("9340282366920938463463374607431768", "≈9.3e33"),
            ("0.000000000000000001", "0.0₁₇100"),
            ("0.000000000000001234", "≈0.0₁₄123"),
        ] {
            let amount = amount(&exact.parse().unwrap());
            assert_eq!(amount, shown, "{exact}");
            assert!(text::width(&amount) <= AMOUNT_WIDTH);
        }
    }
}
