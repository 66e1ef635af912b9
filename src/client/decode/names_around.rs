//! The names in the objects around points, and in those that describe them (`{"meta": {"symbol": "ORDI/EUR"}}`).

use std::borrow::Cow;

use super::envelope::text_of;
use super::field_name::same_name;
use super::identity::{WRAPPERS, another};
use super::pair_name;
use super::requested_coin::RequestedCoin;
use super::tape::{Tape, Value};
use crate::client::error::ErrorKind;
use crate::model::Currency;

/// Field names of a coin's id.
const IDS: [&str; 4] = ["coin_id", "coin_slug", "crypto_id", "id"];

/// Field names of a symbol, or a pair, next to points.
const SYMBOLS: [&str; 2] = ["symbol", "ticker"];

/// Field names of a pair.
const PAIRS: [&str; 6] = ["pair", "inst_id", "instrument_name", "instrument", "product_id", "currency_pair"];

/// The field name of a pair, an exchange, the quote or a kind of market.
const MARKET: &str = "market";

/// Field names of a pair's base.
const BASES: [&str; 4] = ["base", "base_symbol", "base_currency", "base_asset"];

/// Field names of a coin's symbol, slug or name.
const ASSETS: [&str; 2] = ["asset", "coin"];

/// Field names of a pair's quote, which states the currency even without a base.
const QUOTES: [&str; 4] = ["quote_currency", "quote_symbol", "quote_asset", "quote"];

/// Field names of a pair's quote next to its base.
const TARGETS: [&str; 2] = ["target", "counter"];

/// Objects that describe the points beside them.
const ABOUT: [&str; 11] =
    ["meta", "metadata", "info", "query", "params", "request", "coin", "token", "asset", "market", "instrument"];

/// The objects around the points, outermost first.
fn around<'a>(root: Value<'a>) -> impl Iterator<Item = Value<'a>> {
    let is_named = |object: &Value<'a>| {
        // A map by time may be long.
        let is_map = object.fields().next().is_some_and(|(key, _)| key.raw().starts_with(|c: char| c.is_ascii_digit()));
        object.is_object() && !object.is_raw() && !is_map
    };
    let inside = |object: &Value<'a>| object.any(WRAPPERS).or_else(|| object.any(&["chart", "series", "market"]));
    std::iter::successors(Some(root), inside).take(4).take_while(is_named)
}

/// What `read` finds in the objects around the points, outermost first: in the object, or else in those that describe it.
fn find_around<T>(root: Value<'_>, read: impl Fn(Value<'_>) -> Option<T>) -> Vec<T> {
    let described = |object: Value<'_>| {
        let is_about = |key: &str| ABOUT.iter().any(|name| same_name(name, key));
        object.fields().filter(|(key, about)| about.is_object() && is_about(key.raw())).find_map(|(_, about)| {
            let mut tape = Tape::default();
            read(tape.expand(about).ok()?)
        })
    };
    around(root).filter_map(|object| read(object).or_else(|| described(object))).collect()
}

/// Checks the ids, symbols and pairs next to points that have neither a slug nor a name.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if one certainly belongs to another coin.
pub(super) fn check_names_around(root: Value<'_>, coin: RequestedCoin<'_>) -> Result<(), ErrorKind> {
    let Some(requested) = coin.name() else { return Ok(()) };
    match find_around(root, |object| other_in(object, coin)).first() {
        Some(other) => Err(another(&[other.as_str()], requested)),
        None => Ok(()),
    }
}

/// The name of another coin in an object; `None` if it may be about the requested one.
fn other_in(object: Value<'_>, coin: RequestedCoin<'_>) -> Option<String> {
    let text = |name: &&str| object.get(name).and_then(text_of);
    if let Some(slug) = text(&"slug") {
        let is_other = !slug.trim().is_empty() && coin.is_other_slug(&slug) && !coin.is_named(&slug);
        return is_other.then(|| slug.into_owned());
    }
    let groups: [&[&str]; 6] = [&IDS, &SYMBOLS, &PAIRS, &BASES, &ASSETS, &[MARKET]];
    if groups.iter().copied().flatten().filter_map(text).any(|name| coin.is_named(&name)) {
        return None;
    }
    // Upbit's `KRW-BTC` is the price of bitcoin.
    let is_of_coin = |pair: &str| pair_name::split(pair).is_some_and(|(_, quote)| coin.is_named(quote));
    let is_other_market = |market: &str| pair_name::split_any(market).is_some() && coin.is_other_pair(market);
    let market = || text(&MARKET).filter(|market| is_other_market(market) && !is_of_coin(market));
    let other = IDS.iter().filter_map(text).find(|id| coin.is_other_id(id));
    let other = other.or_else(|| SYMBOLS.iter().filter_map(text).find(|symbol| coin.is_other_symbol(symbol)));
    let other = other.or_else(|| PAIRS.iter().filter_map(text).find(|pair| coin.is_other_pair(pair)));
    let other = other.or_else(|| BASES.iter().chain(&ASSETS).filter_map(text).find(|name| coin.is_other_asset(name)));
    other.or_else(market).map(Cow::into_owned)
}

/// The quote currency of the coin's pair named next to points, if any. The innermost one wins.
pub(super) fn quote_around(root: Value<'_>, coin: RequestedCoin<'_>) -> Option<Currency> {
    let requested = coin.name()?;
    let quote_in = |object: Value<'_>| {
        let text = |name: &&str| object.get(name).and_then(|name| name.str());
        let quote_of = |name: &str| pair_name::currency(pair_name::split_of(name, requested)?.1);
        let is_quote = |currency: &Currency| !coin.is_named(currency.as_str());
        // Upbit's `KRW-BTC` is the price of bitcoin in won.
        let inverted = || {
            let market = text(&MARKET)?;
            let (base, quote) = pair_name::split(&market)?;
            pair_name::currency(base).filter(|base| base.exists() && is_quote(base) && coin.is_named(quote))
        };
        let mut names = PAIRS.iter().chain(&SYMBOLS).chain(&[MARKET]).filter_map(text);
        let pair = names.find_map(|name| quote_of(&name).filter(is_quote));
        let stated = |names: &[&str]| {
            let quote = pair_name::currency(&names.iter().find_map(text)?)?;
            Some(quote).filter(|quote| quote.exists() && is_quote(quote))
        };
        let has_base = || object.any(&BASES).and_then(text_of).is_some();
        pair.or_else(inverted).or_else(|| stated(&QUOTES)).or_else(|| stated(&TARGETS).filter(|_| has_base()))
    };
    find_around(root, quote_in).pop()
}
