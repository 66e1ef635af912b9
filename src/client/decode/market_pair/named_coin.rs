//! The coin that a response names around its pairs.

use super::native_prices::ReadPair;
use crate::client::decode::envelope::{List, text_of};
use crate::client::decode::identity::{self, WRAPPERS};
use crate::client::decode::pair_name;
use crate::client::decode::requested_coin::RequestedCoin;
use crate::client::decode::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::{Currency, MarketPair, Text};

/// Field names of a coin, in addition to `symbol`.
const OTHER_NAMES: [&str; 9] = ["name", "slug", "id", "coin", "token", "asset", "coin_id", "base", "base_symbol"];

/// Field names of a coin's slug, symbol or id. They may contain other words (`"asset": "crypto"`).
const ASSETS: [&str; 4] = ["coin", "token", "asset", "coin_id"];

/// Field names of the coin in a pair.
const IN_PAIR: [&str; 6] = ["symbol", "base", "base_symbol", "coin", "token", "asset"];

/// Words that services write instead of a symbol.
const NOT_SYMBOLS: [&str; 7] = ["ALL", "ANY", "COIN", "NONE", "NULL", "SPOT", "TOKEN"];

/// Maximum length of a ticker; longer words may be names.
const MAX_TICKER: usize = 5;

/// Maximum names in a text: a limit for hostile responses.
const MAX_PARTS: usize = 64;

/// Maximum levels of wrappers.
const LEVELS: usize = 4;

/// The coin that an object around pairs names.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NamedCoin {
    /// The requested one.
    Requested,
    /// Certainly another one.
    Other(String),
    /// Unknown: no coin, or a name that may belong to the requested one.
    Unknown,
}

impl NamedCoin {
    /// The name of another coin.
    pub(super) fn other(&self) -> Option<&str> {
        match self {
            NamedCoin::Other(name) => Some(name),
            NamedCoin::Requested | NamedCoin::Unknown => None,
        }
    }

    /// Becomes unknown if `is_requested` holds for the name of the other coin.
    pub(super) fn unless(self, is_requested: impl Fn(&str) -> bool) -> NamedCoin {
        if self.other().is_some_and(is_requested) { NamedCoin::Unknown } else { self }
    }
}

/// The requested coin, and the currencies of prices, which a response may call a symbol, too.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'q> {
    pub(super) symbol: &'q str,
    pub(super) slug: Option<&'q Text>,
    pub(super) convert: &'q Currency,
    /// The currency that the response states.
    pub(super) stated: Option<&'q Currency>,
}

/// Checks the coin around the pairs of a list. A pair of the requested coin takes precedence.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is another one.
pub(super) fn check(root: Value<'_>, list: &List<'_>, pairs: &[ReadPair], wanted: Wanted<'_>) -> Result<(), ErrorKind> {
    let NamedCoin::Other(other) = wanted.named_around(root) else { return Ok(()) };
    let mut is_requested = pairs.iter().any(|read| is_pair_of(&read.pair, wanted.symbol, &other));
    list.for_each_item(|item| is_requested |= is_item_of(item, wanted.symbol, &other));
    if is_requested { Ok(()) } else { Err(identity::another(&[&other], wanted.symbol)) }
}

impl Wanted<'_> {
    fn named_around(self, root: Value<'_>) -> NamedCoin {
        let (mut at, mut found) = (Some(root), NamedCoin::Unknown);
        for _ in 0..LEVELS {
            let Some(object) = at.filter(Value::is_object) else { break };
            match self.named(object) {
                NamedCoin::Requested => return NamedCoin::Requested,
                other @ NamedCoin::Other(_) if found == NamedCoin::Unknown => found = other,
                _ => {}
            }
            at = WRAPPERS.iter().filter_map(|name| object.get(name)).find(Value::is_object);
        }
        found
    }

    /// The coin that an object names.
    pub(super) fn named(self, object: Value<'_>) -> NamedCoin {
        let text = |name: &str| object.get(name).and_then(text_of);
        let symbol = text("symbol");
        if symbol.iter().any(|name| self.is_it(name))
            || OTHER_NAMES.iter().filter_map(|name| text(name)).any(|name| self.is_it(&name))
        {
            return NamedCoin::Requested;
        }
        let asset = || ASSETS.iter().filter_map(|name| text(name)).find(|name| self.is_other_well_known(name.trim()));
        let other = symbol.filter(|name| self.is_other_symbol(name)).or_else(asset);
        other.map_or(NamedCoin::Unknown, |name| NamedCoin::Other(name.trim().to_owned()))
    }

    /// Whether one of these comma-separated symbols, slugs, names or pairs is that of the requested coin.
    fn is_it(self, names: &str) -> bool {
        let is_slug = |name: &str| {
            self.slug
                .is_some_and(|slug| identity::is_same(slug, name) || identity::is_same(slug, &name.replace(' ', "-")))
        };
        names.split(',').take(MAX_PARTS).map(str::trim).any(|name| is_slug(name) || is_symbol_in(name, self.symbol))
    }

    /// Whether a symbol is certainly another coin's: one that others are traded against, or a ticker. Symbols that
    /// share letters may belong to the same coin: `MIOTA`, `XXBT`, `1000SATS`, `BTC.b`, Bitfinex's `DSH`.
    fn is_other_symbol(self, name: &str) -> bool {
        let name = name.trim().trim_start_matches('$');
        let base = pair_name::base_of(name);
        let is_ticker = |word: &str| {
            let is_upper_case = word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
            is_upper_case && word.bytes().any(|b| b.is_ascii_uppercase()) && (2..=MAX_TICKER).contains(&word.len())
        };
        let is_like_slug = || self.slug.is_some_and(|slug| identity::resembles(&base.to_lowercase(), slug));
        let is_other_ticker = || {
            is_ticker(base)
                && self.symbol.is_ascii()
                && !NOT_SYMBOLS.contains(&base)
                && !is_like_slug()
                && !self.may_be_currency(base)
        };
        !self.is_similar(name) && !self.is_similar(base) && (self.is_well_known(base) || is_other_ticker())
    }

    /// Whether a slug or symbol is certainly that of a well-known coin other than the requested one.
    fn is_other_well_known(self, name: &str) -> bool {
        self.is_well_known(name) && !self.is_similar(name)
    }

    /// Whether a slug or symbol is that of a coin that others are traded against, and not the currency of prices.
    fn is_well_known(self, name: &str) -> bool {
        pair_name::slug_of(name).is_some() && !self.may_be_currency(name)
    }

    /// Whether a symbol may be the currency of prices.
    fn may_be_currency(self, name: &str) -> bool {
        let is_money = |code: &Currency| code.exists() && !code.is_coin() && !code.is_quote_coin() && !code.is_sats();
        let is_currency = |code: Currency| {
            is_money(&code) || code == *self.convert || self.stated.is_some_and(|stated| *stated == code)
        };
        pair_name::is_dollar_coin(name) || Currency::parse(name).is_some_and(is_currency)
    }

    /// Whether one symbol contains the letters of the other in the same order.
    fn is_similar(self, name: &str) -> bool {
        let [a, b] = [name, self.symbol].map(|name| {
            // Kraken's `XXBT`.
            let inner = name.trim().strip_prefix('X').filter(|inner| inner.len() == 3);
            pair_name::usual_symbol(inner.unwrap_or(name.trim())).to_uppercase()
        });
        let is_in = |part: &str, whole: &str| {
            let mut whole = whole.chars();
            part.chars().all(|letter| whole.any(|other| other == letter))
        };
        is_in(&a, &b) || is_in(&b, &a)
    }
}

/// Whether a pair is of the coin with this symbol and not of the other one, whose pairs may have it as their quote.
pub(super) fn is_pair_of(pair: &MarketPair, symbol: &str, other: &str) -> bool {
    let base = pair.base.as_deref().or_else(|| Some(pair_name::split_any(&pair.pair)?.0));
    let mut names = [Some(&pair.pair), pair.base.as_ref(), pair.quote.as_ref()].into_iter().flatten();
    !base.is_some_and(|base| is_same_coin(base, other)) && names.any(|name| is_symbol_in(name, symbol))
}

/// Like [`is_pair_of`], for the fields of an item that may name the coin.
fn is_item_of(item: Value<'_>, symbol: &str, other: &str) -> bool {
    let is_own = |name: &str| {
        let base = pair_name::split_any(name).map(|(base, _)| base);
        !base.is_some_and(|base| is_same_coin(base, other)) && is_symbol_in(name, symbol)
    };
    IN_PAIR.iter().filter_map(|name| item.get(name).and_then(text_of)).any(|name| is_own(&name))
}

/// Whether a symbol, slug or pair contains the coin with this symbol.
fn is_symbol_in(name: &str, symbol: &str) -> bool {
    identity::names_symbol(name, symbol) || RequestedCoin::Symbol(symbol).is_named(name)
}

/// Whether a symbol and another symbol, slug or pair name the same coin.
fn is_same_coin(base: &str, other: &str) -> bool {
    let other = pair_name::base_of(other);
    let is_same_slug = || pair_name::slug_of(base).is_some_and(|slug| pair_name::slug_of(other) == Some(slug));
    identity::is_same_symbol(base, other) || is_same_slug()
}
