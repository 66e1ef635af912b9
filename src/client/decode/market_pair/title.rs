//! Names of pairs, which may be in the field for the name of an exchange.

use crate::client::decode::identity;
use crate::client::decode::pair_name;

/// Whether words are the name of a pair, such as `ORDI/USDT`, or `ORDI-USDT` or `KRW-ORDI` for the coin with this symbol.
pub(super) fn is_pair(words: &str, symbol: &str) -> bool {
    words.contains('/') || pair_name::split_of(words, symbol).is_some() || sides(words, symbol).is_some()
}

/// Whether the name of an item is that of its pair, such as `ORDI / USDT`, not of its exchange, such as `BTC/C`. It
/// must match the sides that the item states. If these aren't both stated, it must also contain the coin with this
/// symbol, beside a known currency or with spaces around the slash.
pub(super) fn is_title(name: &str, symbol: &str, stated: [Option<&str>; 2]) -> bool {
    let Some((base, quote)) = sides(name, symbol) else { return false };
    let is_stated =
        |(side, stated): (&str, Option<&str>)| stated.is_none_or(|stated| stated.eq_ignore_ascii_case(side));
    let is_coin = |side: &str| identity::is_same_symbol(side, symbol);
    let is_currency = |side: &str| pair_name::currency(side).is_some_and(|currency| currency.exists());
    let is_of_coin = is_coin(base) && is_currency(quote) || is_coin(quote) && is_currency(base);
    // GeckoTerminal: `ORDI / WETH 0.3%`.
    let is_spaced = name.contains(" / ") && (is_coin(base) || is_coin(quote));
    let is_each_stated = stated.iter().all(Option::is_some);
    [base, quote].into_iter().zip(stated).all(is_stated) && (is_of_coin || is_spaced || is_each_stated)
}

/// The two symbols of a pair's name, such as `XAU/USDT`, or `ORDI-USDT` or `KRW-ORDI` for the coin with this symbol.
pub(super) fn sides<'p>(pair: &'p str, symbol: &str) -> Option<(&'p str, &'p str)> {
    let Some((base, quote)) = pair.split_once('/') else {
        let quote_first = pair_name::split_quote_first(pair, symbol);
        // Other names may begin with the quote, too.
        return quote_first
            .or_else(|| pair_name::split_of(pair, symbol).filter(|(base, _)| identity::is_same_symbol(base, symbol)));
    };
    // CCXT writes `ORDI/USDT:USDT`, GeckoTerminal `ORDI / USDT 0.3%`.
    let (base, quote) = (base.trim(), quote.trim().split([':', ' ']).next()?);
    let is_symbol = |side: &str| side.chars().any(char::is_alphanumeric) && !side.contains('/');
    (is_symbol(base) && is_symbol(quote)).then_some((base, quote))
}
