//! Removes prices in the quote currency of their pair from lists that don't state the currency of prices.

use crate::client::decode::identity;
use crate::client::decode::pair_name;
use crate::client::decode::read::Context;
use crate::model::live_price::is_far;
use crate::model::{Currency, MarketPair, text};

/// A pair, and whether the currency of its prices is stated.
pub(super) type ReadPair = (MarketPair, bool);

/// Prices in the same currency differ by less than this factor.
const MAX_RATIO: f64 = 10.0;

/// Prices of inverted pairs differ by less than this factor: the price of a dollar in a coin of a few dollars is near
/// that coin's price.
const MAX_INVERTED_RATIO: f64 = 1.5;

/// Currencies of about the value of a dollar: prices in them don't show whether they are in dollars.
const NEAR_DOLLAR: [&str; 8] = ["USD", "EUR", "GBP", "CHF", "AUD", "CAD", "SGD", "NZD"];

/// Maximum currencies to name.
const MAX_NAMED: usize = 3;

/// Removes prices, volumes and depths that are in the quote currency of their pair, if most of them are far from the
/// prices of pairs with the requested currency. Without such pairs, nothing is removed. Also removes the prices of
/// inverted pairs (`USDT/ORDI`), which belong to another coin.
pub(super) fn remove(pairs: &mut [ReadPair], symbol: &str, requested: &Currency, context: &mut Context<'_>) {
    let Some(reference) = reference(pairs, symbol, requested) else { return };
    let (mut far, mut near) = (0_usize, 0_usize);
    for (pair, is_stated) in pairs.iter() {
        let (Some(price), Some(quote)) = (pair.price.filter(|_| !is_stated), quote_of(pair)) else { continue };
        if quote == *requested || is_inverted(pair, symbol) {
            continue;
        }
        if is_far(price, reference, MAX_RATIO) {
            far += 1;
        } else if !NEAR_DOLLAR.contains(&quote.as_str()) {
            near += 1;
        }
    }
    let (mut removed, mut inverted) = (0_usize, None);
    let mut quotes: Vec<Currency> = Vec::new();
    for (pair, is_stated) in pairs.iter_mut().filter(|(pair, _)| pair.price.is_some()) {
        let Some(quote) = quote_of(pair).filter(|_| !*is_stated) else { continue };
        if is_inverted(pair, symbol) {
            if pair.price.is_some_and(|price| is_far(price, reference, MAX_INVERTED_RATIO)) {
                inverted = Some(pair.pair.clone());
                clear(pair);
            }
        } else if far > near && quote != *requested {
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

/// The median price of the pairs whose quote is the requested currency.
fn reference(pairs: &[ReadPair], symbol: &str, requested: &Currency) -> Option<f64> {
    let is_reference = |pair: &MarketPair| !is_inverted(pair, symbol) && quote_of(pair).as_ref() == Some(requested);
    let mut prices: Vec<f64> = pairs
        .iter()
        .filter(|(pair, is_stated)| !is_stated && is_reference(pair))
        .filter_map(|(pair, _)| pair.price.filter(|price| *price > 0.0))
        .collect();
    prices.sort_by(f64::total_cmp);
    prices.get(prices.len() / 2).copied()
}

fn quote_of(pair: &MarketPair) -> Option<Currency> {
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

fn clear(pair: &mut MarketPair) {
    (pair.price, pair.volume_24h) = (None, None);
    (pair.depth_plus_2pct, pair.depth_minus_2pct) = (None, None);
}
