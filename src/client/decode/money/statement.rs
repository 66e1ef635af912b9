//! Currencies that a response states beside its prices.

use super::quote::{code, stated_currency};
use crate::client::decode::envelope::{DESCRIPTIONS, IsItem, WRAPPED};
use crate::client::decode::field_name::same_name;
use crate::client::decode::pair_name;
use crate::client::decode::tape::{Tape, Value};
use crate::model::Currency;

/// Field names of a stated currency, best first. All but the first [`CERTAIN`] may also be the coin's or have other units;
/// the last [`QUOTES`] are those of a pair beside its price.
const NAMES: [&str; 17] = [
    "convert",
    "vs_currency",
    "currency",
    "price_currency",
    "currency_code",
    "currency_symbol",
    "price_unit",
    "fiat",
    "fiat_currency",
    "display_currency",
    "reference_currency",
    "denomination",
    "denominated_in",
    "unit",
    "convert_id",
    "quote_currency",
    "counter_currency",
];

/// The names that may also state a scale. `1` is then not CoinMarketCap's id of bitcoin.
const SCALES: [&str; 4] = ["price_unit", "denomination", "denominated_in", "unit"];

/// Whether a value under one of [`NAMES`] is a scale instead of a currency: a power of ten, unlike CoinMarketCap's ids
/// of fiat currencies.
pub(in crate::client::decode) fn is_scale(name: &str, value: Value<'_>) -> bool {
    let number = value.number().and_then(|number| number.parse::<f64>().ok());
    SCALES.iter().any(|scale| same_name(scale, name))
        && number.is_some_and(|number| number > 0.0 && (number.log10() - number.log10().round()).abs() < 1e-9)
}

/// How many names, from the first, can only mean the currency that prices were converted to.
const CERTAIN: usize = 2;

/// Number of names, counted from the end, that are the quote of a pair.
const QUOTES: usize = 2;

/// What services call sats. It is also the symbol of a token.
const SATS: &str = "SATS";

/// The currency stated in an object around the prices, in one of these places inside the root. The innermost one wins. A
/// coin's own name isn't a currency; `SATS` is one, unless it is the coin.
pub(in crate::client::decode) fn stated_around(
    root: Value<'_>,
    places: &[&[&str]],
    is_coin: &dyn Fn(&Currency) -> bool,
) -> Option<Currency> {
    stated_around_items(root, places, is_coin, &|_, _| false)
}

/// Like [`stated_around`], for a response that may be a map of items, whose currencies don't apply to the others.
pub(in crate::client::decode) fn stated_around_items(
    root: Value<'_>,
    places: &[&[&str]],
    is_coin: &dyn Fn(&Currency) -> bool,
    is_item: IsItem<'_>,
) -> Option<Currency> {
    Search { names: NAMES.len() - QUOTES, is_coin, is_item }.around(root, places)
}

/// Like [`stated_around_items`], for prices of coins, whose quote currency can't be that of a pair.
pub(in crate::client::decode) fn stated_around_coins(
    root: Value<'_>,
    places: &[&[&str]],
    is_item: IsItem<'_>,
) -> Option<Currency> {
    Search { names: NAMES.len(), is_coin: &|_| false, is_item }.around(root, places)
}

/// A search for a stated currency.
#[derive(Clone, Copy)]
struct Search<'f> {
    /// How many of [`NAMES`] count.
    names: usize,
    is_coin: &'f dyn Fn(&Currency) -> bool,
    is_item: IsItem<'f>,
}

impl Search<'_> {
    fn around(self, root: Value<'_>, places: &[&[&str]]) -> Option<Currency> {
        let (mut at, mut found) = (root, None);
        for _ in 0..WRAPPED {
            // A map by time or id may be long.
            let is_map = at.fields().next().is_some_and(|(key, _)| key.raw().starts_with(|c: char| c.is_ascii_digit()));
            if !at.is_object() || at.is_raw() || is_map {
                break;
            }
            found = self.beside(at, true).or(found);
            let mut inside = places.iter().copied().flatten().filter_map(|name| at.entry(name));
            let is_inside = |entry: &(Value<'_>, Value<'_>)| entry.1.is_object() || entry.1.is_array();
            match inside.find(|entry| is_inside(entry) && !(self.is_item)(at, *entry)) {
                Some((_, inner)) => at = inner,
                None => break,
            }
        }
        found
    }

    /// The currency stated in an object, or in one that describes it.
    fn beside(self, object: Value<'_>, may_be_inside: bool) -> Option<Currency> {
        let is_item =
            |entry: (Value<'_>, Value<'_>)| entry.1.is_object() && may_be_inside && (self.is_item)(object, entry);
        // The values in the order of their names.
        let mut values: [Option<Value<'_>>; NAMES.len()] = [None; NAMES.len()];
        for (key, value) in object.fields().filter(|(_, value)| may_state(*value)) {
            let is_stated = |name: &&str| same_name(name, key.raw()) && !is_scale(name, value);
            let rank = NAMES.iter().take(self.names).position(is_stated);
            if let Some(place) = rank.and_then(|rank| values.get_mut(rank)).filter(|_| !is_item((key, value))) {
                *place = Some(value);
            }
        }
        // One of them may be the coin, and another its currency.
        let own = values.into_iter().enumerate().find_map(|(rank, value)| {
            let names = || ["symbol", "ticker"].iter().filter_map(|name| object.get(name)?.str());
            let is_own = |currency: &Currency| names().any(|name| is_symbol_of(currency, &name));
            // A dollar coin is the quote of prices in dollars.
            let value = value?;
            let is_quote = rank + QUOTES >= NAMES.len();
            let currency =
                stated(value).and_then(|own| if is_quote { pair_name::currency(own.as_str()) } else { Some(own) });
            // Other words aren't currency codes.
            let is_clear = |currency: &Currency| currency.exists() && !(self.is_coin)(currency) && !is_own(currency);
            currency.filter(|currency| rank < CERTAIN || is_clear(currency))
        });
        let is_about = |(key, value): &(Value<'_>, Value<'_>)| {
            may_be_inside && value.is_object() && DESCRIPTIONS.iter().any(|name| same_name(name, key.raw()))
        };
        own.or_else(|| {
            object.fields().filter(is_about).filter(|about| !is_item(*about)).find_map(|(_, about)| {
                let mut tape = Tape::default();
                self.beside(tape.expand(about).ok()?, false)
            })
        })
    }
}

/// Whether a currency is the coin with this symbol or slug. `SAT` and `SATS` may also be `1000SATS` and `sats-ordinals`.
pub(in crate::client::decode) fn is_symbol_of(currency: &Currency, name: &str) -> bool {
    let is_token = |word: &str| word.trim_start_matches(|c: char| c.is_ascii_digit()).eq_ignore_ascii_case(SATS);
    let may_be_token = may_be_sats(currency) && name.split(['-', '_', '/', ' ']).any(is_token);
    may_be_token || name.eq_ignore_ascii_case(currency.as_str())
}

/// Whether a stated currency is the sat, which services call `SATS`. That may also be a token.
pub(in crate::client::decode) fn may_be_sats(currency: &Currency) -> bool {
    currency.is_sats() || currency.as_str() == SATS
}

/// Parses a stated currency: a code, a name, a sign, CoinMarketCap's id or an object with one of them.
pub(in crate::client::decode) fn stated(value: Value<'_>) -> Option<Currency> {
    if value.is_object() {
        let mut tape = Tape::default();
        let object = tape.expand(value).ok()?;
        let by_name = || Currency::of_name(&object.get("name")?.str()?);
        return object
            .get("code")
            .and_then(|text| code(text.raw()))
            .or_else(|| stated_currency(object))
            .or_else(by_name);
    }
    let Some(words) = value.str() else { return code(value.raw()) };
    let words = words.trim();
    Currency::of_name(words).or_else(|| code(words)).or_else(|| Currency::of_sign(words))
}

/// Whether a value may state a currency: text, an object, or CoinMarketCap's id, a range that no other number is in.
fn may_state(value: Value<'_>) -> bool {
    let is_id = || value.number().is_some_and(|id| id.len() > 1 && code(id).is_some());
    value.str().is_some() || value.is_object() || is_id()
}
