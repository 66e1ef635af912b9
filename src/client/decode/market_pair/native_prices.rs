//! Removes prices in the quote currency of their pair from lists that don't state the currency of prices.

use std::collections::HashMap;

use crate::client::decode::identity;
use crate::client::decode::pair_name;
use crate::client::decode::read::Context;
use crate::model::live_price::is_far;
use crate::model::{Currency, MarketPair, text};

/// A pair as read from a response.
pub(super) struct ReadPair {
    /// The pair.
    pub(super) pair: MarketPair,
    /// Whether the currency of its prices is stated.
    pub(super) is_stated: bool,
    /// Whether it is a pool of the coin. Its name may contain a wrapped coin (`WBTC / USDC`).
    pub(super) is_pool: bool,
}

/// Prices in the same currency differ by less than this factor.
const MAX_RATIO_IN_SAME_CURRENCY: f64 = 10.0;

/// Prices of inverted pairs differ by less than this factor: the price of a dollar in a coin of a few dollars is near
/// that coin's price.
const MAX_INVERTED_RATIO: f64 = 1.5;

/// Prices on several exchanges, in the same currency, differ by less than this factor.
const MAX_SPREAD: f64 = 1.04;

/// Currencies of about the value of a dollar: prices in them don't show clearly whether they are in dollars.
const NEAR_DOLLAR: [&str; 8] = ["USD", "EUR", "GBP", "CHF", "AUD", "CAD", "SGD", "NZD"];

/// Maximum currencies to name.
const MAX_NAMED: usize = 3;

/// Removes prices, volumes and depths that are in the quote currency of their pair, if prices [`are_native`]. Also removes
/// the prices of inverted pairs (`USDT/ORDI`), which belong to another coin, unless there is no pair with the requested
/// currency to compare them with.
pub(super) fn remove(
    pairs: &mut [ReadPair],
    are_native: bool,
    (symbol, requested): (&str, &Currency),
    context: &mut Context<'_>,
) {
    let reference = reference(pairs.iter(), symbol, requested);
    let (mut removed, mut inverted) = (0_usize, None);
    let mut quotes: Vec<Currency> = Vec::new();
    for ReadPair { pair, is_stated, .. } in pairs.iter_mut().filter(|read| read.pair.price.is_some()) {
        let Some(quote) = quote_of(pair).filter(|_| !*is_stated) else { continue };
        if is_inverted(pair, symbol) || quote == *requested && is_quote_first(pair, symbol) {
            if pair.price.zip(reference).is_some_and(|(price, known)| is_far(price, known, MAX_INVERTED_RATIO)) {
                inverted = Some(pair.pair.clone());
                clear(pair);
            }
        } else if are_native && quote != *requested {
            removed += 1;
            clear(pair);
            if quotes.len() < MAX_NAMED && !quotes.contains(&quote) {
                quotes.push(quote);
            }
        }
    }
    if removed > 0 {
        let codes: Vec<&str> = quotes.iter().map(Currency::as_str).collect();
        let prices = if removed == 1 { "1 price".to_owned() } else { format!("{removed} prices") };
        context.warn(|| format!("skipped {prices} in the quote currency ({})", codes.join(", ")));
    }
    if let Some(pair) = inverted {
        context.warn(|| format!("skipped the price of the inverted pair {}", text::cut(text::clean(&pair), 60)));
    }
}

/// Whether prices without a stated currency are in the quote currency of their pair: most of them are far from the prices
/// of pairs with the requested currency. If all other quotes are near a dollar, a small difference is enough. Without such
/// pairs, the prices of most quotes contradict each other.
pub(super) fn are_native<'p>(
    pairs: impl Iterator<Item = &'p ReadPair> + Clone,
    symbol: &str,
    requested: &Currency,
) -> bool {
    let Some(reference) = reference(pairs.clone(), symbol, requested) else { return contradict(pairs, symbol) };
    let (mut far, mut near, mut different, mut equal) = (0_usize, 0_usize, 0_usize, 0_usize);
    for ReadPair { pair, is_stated, .. } in pairs {
        let (Some(price), Some(quote)) = (pair.price.filter(|_| !is_stated), quote_of(pair)) else { continue };
        if quote == *requested || is_inverted(pair, symbol) {
            continue;
        }
        if is_far(price, reference, MAX_RATIO_IN_SAME_CURRENCY) {
            far += 1;
        } else if !NEAR_DOLLAR.contains(&quote.as_str()) {
            near += 1;
        } else if is_far(price, reference, MAX_SPREAD) {
            different += 1;
        } else {
            equal += 1;
        }
    }
    far > near || near == 0 && different > equal
}

/// Whether at most half of the quotes, of at least two, have prices near the same one.
fn contradict<'p>(pairs: impl Iterator<Item = &'p ReadPair>, symbol: &str) -> bool {
    let mut by_quote: HashMap<Currency, f64> = HashMap::new();
    for ReadPair { pair, .. } in pairs.filter(|read| !read.is_stated && !is_inverted(&read.pair, symbol)) {
        if let Some((quote, price)) = quote_of(pair).zip(pair.price.filter(|price| *price > 0.0)) {
            by_quote.entry(quote).or_insert(price);
        }
    }
    let mut prices: Vec<f64> = by_quote.into_values().collect();
    prices.sort_by(f64::total_cmp);
    let Some(middle) = prices.get(prices.len() / 2) else { return false };
    let near = prices.iter().filter(|price| !is_far(**price, *middle, MAX_RATIO_IN_SAME_CURRENCY)).count();
    prices.len() > 1 && near * 2 <= prices.len()
}

/// The median price of the pairs whose quote is the requested currency.
fn reference<'p>(pairs: impl Iterator<Item = &'p ReadPair>, symbol: &str, requested: &Currency) -> Option<f64> {
    let is_reference = |pair: &MarketPair| {
        !is_inverted(pair, symbol) && !is_quote_first(pair, symbol) && quote_of(pair).as_ref() == Some(requested)
    };
    let mut prices: Vec<f64> = pairs
        .filter(|read| !read.is_stated && is_reference(&read.pair))
        .filter_map(|read| read.pair.price.filter(|price| *price > 0.0))
        .collect();
    prices.sort_by(f64::total_cmp);
    prices.get(prices.len() / 2).copied()
}

/// The currency of a pair's quote.
pub(super) fn quote_of(pair: &MarketPair) -> Option<Currency> {
    let quote = pair.quote.as_deref().or_else(|| Some(pair_name::split(&pair.pair)?.1))?;
    pair_name::currency(quote)
}

/// Whether the coin is the quote of a pair, not its base.
fn is_inverted(pair: &MarketPair, symbol: &str) -> bool {
    let split = pair_name::split(&pair.pair);
    let base = pair.base.as_deref().or(split.map(|(base, _)| base));
    let quote = pair.quote.as_deref().or(split.map(|(_, quote)| quote));
    let is_coin = |side: &str| identity::is_same_symbol(side, symbol);
    base.is_some_and(|base| !is_coin(base)) && quote.is_some_and(is_coin)
}

/// Whether the name of a pair begins with its quote (`USDT-ORDI`). Some services invert its price, too.
fn is_quote_first(pair: &MarketPair, symbol: &str) -> bool {
    pair_name::split_quote_first(&pair.pair, symbol).is_some()
}

fn clear(pair: &mut MarketPair) {
    (pair.price, pair.volume_24h) = (None, None);
    (pair.depth_plus_2pct, pair.depth_minus_2pct) = (None, None);
}
