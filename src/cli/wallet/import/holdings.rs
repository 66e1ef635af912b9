//! The cells of holdings that cointop and ticker print.

use std::borrow::Cow;

use super::draft::money;
use super::row_error::RowError;
use super::trade::is_money;
use crate::model::{Currency, Decimal};
use crate::portfolio::entry::EntryError;
use crate::portfolio::number::NumberError;

/// The coin of a symbol from ticker, and the currency of its costs, if known: `BTC-EUR` at Yahoo, `BTC.CB` at Coinbase,
/// `SOL.X` in ticker's own list, and in old versions `solana.CG` at CoinGecko and `solana.CC` at CoinCap. Costs are in US
/// dollars except at Yahoo.
pub(super) fn ticker_coin(symbol: &str) -> (&str, Option<Currency>) {
    let is_source = |suffix: &str| ["X", "CB", "CG", "CC"].iter().any(|source| suffix.eq_ignore_ascii_case(source));
    let source = symbol.rsplit_once('.').filter(|(_, suffix)| is_source(suffix));
    let symbol = source.map_or(symbol, |(coin, _)| coin);
    match symbol.split_once('-') {
        Some((coin, unit)) if is_money(unit) => (coin, Currency::parse(unit)),
        _ => (symbol, source.map(|_| Currency::usd())),
    }
}

/// The price per coin and its currency in cointop's `cost_price`, such as `EUR 30000`; `None` if the price is zero.
pub(super) fn cost_price(cell: &str) -> Result<Option<(Decimal, Currency)>, RowError> {
    let (code, number) = cell.split_once(char::is_whitespace).unwrap_or((cell, ""));
    let currency = currency(code).ok_or_else(|| RowError::Currency(code.to_owned()))?;
    let number = without_thousands(number.trim());
    if let Some((whole, fraction)) = number.split_once('.').filter(|parts| may_be_thousands(*parts)) {
        let (text, whole, fraction) = (number.to_string(), format!("{whole}{fraction}"), whole.to_owned());
        return Err(EntryError::Number(NumberError::Ambiguous { text, whole, fraction }).into());
    }
    let price = money(&number)?;
    Ok((!price.is_zero()).then_some((price, currency)))
}

/// Whether the point in a number may separate thousands: with `--human-readable`, cointop uses the separators of the
/// locale. Otherwise it prints no zero at the end of decimals.
fn may_be_thousands((whole, fraction): (&str, &str)) -> bool {
    (1..=3).contains(&whole.len()) && whole != "0" && fraction.len() == 3 && fraction.ends_with('0')
}

/// A number without the commas between thousands.
pub(super) fn without_thousands(number: &str) -> Cow<'_, str> {
    let whole = number.split('.').next().unwrap_or(number);
    let mut groups = whole.split(',');
    let is_first = groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && !first.starts_with('0'));
    if is_first && groups.all(|group| group.len() == 3) {
        Cow::Owned(number.replace(',', ""))
    } else {
        Cow::Borrowed(number)
    }
}

/// An existing currency: a mistyped code would never have a rate. `SATS` is a token.
pub(super) fn currency(code: &str) -> Option<Currency> {
    Currency::parse(code).filter(|code| code.exists() && code.as_str() != "SATS")
}
