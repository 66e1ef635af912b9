//! Units that a response states for amounts: `million USD`, `thousand`, `$bn`.

use super::quote::code;
use crate::client::decode::read::{Context, power_of_word};
use crate::client::decode::tape::Value;
use crate::model::{Currency, Text, text};

/// Words for coins in general.
const COINS: [&str; 6] = ["coin", "coins", "token", "tokens", "unit", "units"];

/// Words for a hundredth of a currency that they don't name.
const MINOR: [&str; 5] = ["cent", "cents", "penny", "pence", "minor"];

/// Words without a meaning of their own.
const FILLERS: [&str; 8] = ["in", "of", "the", "fiat", "currency", "quote", "absolute", "none"];

/// Maximum length of a unit in a warning, in columns.
const MAX_SHOWN: usize = 40;

/// What an amount is.
#[derive(Clone, Copy)]
pub(in crate::client::decode) enum Quantity<'a> {
    /// A sum of money in this currency.
    Money(&'a Currency),
    /// A number of coins with this symbol.
    Coins { symbol: &'a str },
}

/// The unit of an amount.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::client::decode) struct AmountUnit {
    /// The power of ten that the amount has to be multiplied by. `None` if the unit is unknown.
    power: Option<i32>,
    /// The currency, if the unit names one.
    pub(in crate::client::decode) currency: Option<Currency>,
    /// Whether the amount is a number of coins.
    is_coins: bool,
    /// A word that may be the symbol of the coin.
    symbol: Option<String>,
    /// The unit as the response writes it.
    text: Text,
}

impl AmountUnit {
    /// Parses a unit: words, or a power of ten. `None` if there is none.
    pub(in crate::client::decode) fn parse(value: Value<'_>) -> Option<AmountUnit> {
        let shown = Text::from(text::cut(text::clean(value.raw()), MAX_SHOWN).into_owned());
        let mut unit = AmountUnit { power: Some(0), currency: None, is_coins: false, symbol: None, text: shown };
        if let Some(digits) = value.number() {
            unit.power = digits.parse().ok().and_then(power_of);
            return Some(unit);
        }
        let words = value.str()?;
        let words = words.split('/').next()?.trim();
        if words.is_empty() {
            return None;
        }
        if let Some(currency) = Currency::of_name(words) {
            unit.currency = Some(currency);
            return Some(unit);
        }
        let is_separator = |c: char| c.is_whitespace() || matches!(c, '_' | '-' | ',' | '(' | ')');
        for word in words.split(is_separator).filter(|word| !word.is_empty()) {
            if word.eq_ignore_ascii_case("per") {
                break;
            }
            unit.add(word);
        }
        Some(unit)
    }

    /// Adds a word. A second one of a kind makes the unit unknown.
    fn add(&mut self, word: &str) {
        let is_one_of = |words: &[&str]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
        let (word_of_sign, sign) = Currency::split_sign(word).unwrap_or((word, ""));
        if let Some(currency) = Currency::of_sign(sign) {
            self.set_currency(currency);
            if !word_of_sign.is_empty() {
                self.add(word_of_sign);
            }
        } else if let Some(power) = power_of_word(word) {
            self.power = self.power.filter(|known| *known == 0).map(|_| power);
        } else if is_one_of(&MINOR) {
            self.power = None;
        } else if is_one_of(&COINS) {
            self.is_coins = true;
        } else if let Some(currency) = code(word).filter(Currency::exists) {
            self.set_currency(currency);
        } else if !is_one_of(&FILLERS) && self.symbol.replace(word.to_owned()).is_some() {
            self.power = None;
        }
    }

    fn set_currency(&mut self, currency: Currency) {
        if self.currency.replace(currency).is_some() {
            self.power = None;
        }
    }

    /// Whether the unit is a multiple.
    pub(in crate::client::decode) fn is_scaled(&self) -> bool {
        self.power != Some(0)
    }

    /// Whether the unit is a multiple of whole coins or currency units.
    pub(in crate::client::decode) fn is_known_multiple(&self) -> bool {
        self.power.is_some_and(|power| power != 0)
    }

    /// Converts an amount of money in this unit to the currency; `None` if the unit is unknown, of coins or in another
    /// currency.
    pub(in crate::client::decode) fn money(&self, amount: f64, currency: &Currency) -> Option<f64> {
        let is_money = !self.is_coins && self.symbol.is_none();
        let fits = is_money && self.currency.as_ref().is_none_or(|own| own == currency);
        times(amount, self.power.filter(|_| fits)?)
    }

    /// Converts a number of coins in this unit; `None` if the unit is unknown or of money. `symbol` is the coin's.
    fn coins(&self, amount: f64, symbol: &str) -> Option<f64> {
        let is_symbol = |word: &str| word.eq_ignore_ascii_case(symbol);
        let fits = self.symbol.as_deref().is_none_or(is_symbol)
            && self.currency.as_ref().is_none_or(|own| is_symbol(own.as_str()));
        times(amount, self.power.filter(|_| fits)?)
    }

    /// Converts amounts of an object. Those in an unclear unit are removed, with a warning that calls them `name`.
    pub(in crate::client::decode) fn convert<'c>(
        &self,
        context: &mut Context<'_>,
        object: Value<'_>,
        amounts: impl IntoIterator<Item = &'c mut Option<f64>>,
        (quantity, name): (Quantity<'_>, &str),
    ) {
        let mut is_unclear = false;
        for amount in amounts.into_iter().filter(|amount| amount.is_some()) {
            *amount = amount.and_then(|known| {
                // The scale of a number like `5M` replaces that of the unit.
                let is_own = self.is_scaled() && context.contains_scale(object, known)?;
                let unit = if is_own { &self.clone().unscaled() } else { self };
                match quantity {
                    Quantity::Money(currency) => unit.money(known, currency),
                    Quantity::Coins { symbol } => unit.coins(known, symbol),
                }
            });
            is_unclear |= amount.is_none();
        }
        if is_unclear {
            context.warn_at(object, || format!("ignored the {name}: its unit is unclear ({})", self.text));
        }
    }

    /// The same unit without its multiple. An unclear unit stays unclear.
    pub(in crate::client::decode) fn unscaled(self) -> AmountUnit {
        AmountUnit { power: self.power.map(|_| 0), ..self }
    }

    /// The same unit, of which it is unclear whether it applies.
    pub(in crate::client::decode) fn into_unclear(self) -> AmountUnit {
        AmountUnit { power: None, ..self }
    }
}

/// The amount times a power of ten, without the digits that a multiplication of floats adds.
fn times(amount: f64, power: i32) -> Option<f64> {
    if power == 0 { Some(amount) } else { format!("{amount}e{power}").parse().ok() }
}

/// The exponent of a power of ten from 1 to a trillion.
fn power_of(number: f64) -> Option<i32> {
    (0..=12).find(|power| number.total_cmp(&10_f64.powi(*power)).is_eq())
}
