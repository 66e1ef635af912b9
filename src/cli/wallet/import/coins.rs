//! Finds the coins of a file's lots in the list of all coins.

use std::collections::{HashMap, HashSet};

use super::draft::CoinName;
use super::row_error::RowError;
use crate::format::words::join_words;
use crate::model::{Coin, Text};
use crate::user_data::{Lot, Watched};

/// The coins of a wallet and a file.
pub(super) struct Coins<'a> {
    /// The coins of the wallet's lots.
    held: HashSet<&'a Watched>,
    /// The coins of the file that were looked up.
    found: HashMap<CoinName, Result<Watched, RowError>>,
}

impl<'a> Coins<'a> {
    pub(super) fn new(lots: &'a [Lot]) -> Coins<'a> {
        Coins { held: lots.iter().map(|lot| &lot.coin).collect(), found: HashMap::new() }
    }

    /// Whether a lot of the wallet has exactly this coin, so that it needs no look-up.
    pub(super) fn is_held(&self, coin: &CoinName) -> bool {
        matches!(coin, CoinName::Exact(coin) if self.held.contains(coin))
    }

    /// The coin that a file names. `all` is the list of all coins, the same in each call.
    pub(super) fn find(&mut self, coin: &CoinName, all: &[Coin]) -> Result<Watched, RowError> {
        if let Some(found) = self.found.get(coin) {
            return found.clone();
        }
        let found = match coin {
            CoinName::Exact(known) if self.is_held(coin) => Ok(known.clone()),
            CoinName::Exact(coin) => exact(coin, all),
            CoinName::Named(name) => named(name, all),
        };
        self.found.insert(coin.clone(), found.clone());
        found
    }

    /// The coin of a name from cointop's configuration: the only one with this name, or else as in [`Coins::find`].
    pub(super) fn find_titled(&mut self, coin: &CoinName, all: &[Coin]) -> Result<Watched, RowError> {
        let CoinName::Named(name) = coin else { return self.find(coin, all) };
        let mut titled = all.iter().filter(|coin| coin.name.eq_ignore_ascii_case(name));
        match (titled.next(), titled.next()) {
            (Some(only), None) => Ok(Watched::from_coin(only)),
            (Some(_), Some(_)) => {
                let titled = all.iter().filter(|coin| coin.name.eq_ignore_ascii_case(name));
                Err(ambiguous(name, titled))
            }
            (None, _) => self.find(coin, all),
        }
    }

    /// The coin of a symbol from ticker. Yahoo appends a number to a symbol that several coins share: `STX4847`.
    pub(super) fn find_numbered(&mut self, coin: &CoinName, all: &[Coin]) -> Result<Watched, RowError> {
        let found = self.find(coin, all);
        let (CoinName::Named(name), Err(RowError::UnknownCoin(_))) = (coin, &found) else { return found };
        let symbol = name.trim_end_matches(|char: char| char.is_ascii_digit());
        if symbol.is_empty() {
            return found;
        }
        match self.find(&CoinName::Named(symbol.into()), all) {
            // The error names the whole symbol.
            Err(RowError::UnknownCoin(_)) => found,
            other => other,
        }
    }
}

/// The listed coin that a symbol and a slug, an id or both agree on. The id may be another service's. One that is not
/// listed is imported as given.
fn exact(coin: &Watched, all: &[Coin]) -> Result<Watched, RowError> {
    let Watched { symbol, slug, id } = coin;
    let has_symbol = |found: &Coin| found.symbol.eq_ignore_ascii_case(symbol);
    let by_slug = slug.as_ref().and_then(|slug| all.iter().find(|found| found.slug.as_ref() == Some(slug)));
    let by_id = id.as_ref().and_then(|id| all.iter().find(|found| found.id.0 == *id && has_symbol(found)));
    match (by_slug, by_id, slug, id) {
        (Some(found), _, Some(slug), _) if !has_symbol(found) => {
            let [slug, found, symbol] = [slug, &found.symbol, symbol].map(ToString::to_string);
            Err(RowError::OtherSymbol { slug, found, symbol })
        }
        (None, Some(Coin { slug: Some(found), .. }), Some(slug), Some(id)) => {
            let [symbol, id, found, slug] = [symbol, id, found, slug].map(ToString::to_string);
            Err(RowError::OtherSlug { symbol, id, found, slug })
        }
        (Some(found), ..) | (None, Some(found), ..) => Ok(Watched::from_coin(found)),
        (None, None, Some(slug), None) => named(slug, all),
        (None, None, ..) => Ok(coin.clone()),
    }
}

/// The coin with a name: by its slug, else by a symbol that no other coin has.
fn named(name: &Text, all: &[Coin]) -> Result<Watched, RowError> {
    if let Some(coin) = all.iter().find(|coin| coin.slug.as_ref() == Some(name)) {
        return Ok(Watched::from_coin(coin));
    }
    let of_symbol: Vec<&Coin> = all.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name)).collect();
    match of_symbol.as_slice() {
        [only] => Ok(Watched::from_coin(only)),
        [] => Err(RowError::UnknownCoin(name.to_string())),
        several => Err(ambiguous(name, several.iter().copied())),
    }
}

/// The error for a symbol or a name that several coins have.
fn ambiguous<'a>(name: &Text, several: impl Iterator<Item = &'a Coin>) -> RowError {
    let several: Vec<&Coin> = several.collect();
    let mut slugs: Vec<&str> = several.iter().filter_map(|coin| coin.slug.as_deref()).take(3).collect();
    if several.len() > slugs.len() {
        slugs.push("others");
    }
    RowError::AmbiguousCoin { symbol: name.to_string(), slugs: join_words(&slugs, "or") }
}
