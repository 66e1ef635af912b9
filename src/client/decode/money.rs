//! Currencies of prices in a response.

mod amount;
mod item_currency;
mod quote;
mod statement;
mod unit;

use super::read::Context;
use crate::model::Currency;

pub(super) use amount::{change, in_currency, is_by_currency, is_null_in};
pub(super) use item_currency::ItemCurrency;
pub(super) use quote::{choose, code, stated_currency};
pub(super) use statement::{
    is_scale, is_symbol_of, may_be_sats, stated, stated_around, stated_around_coins, stated_around_items,
};
pub(super) use unit::{AmountUnit, Quantity};

use item_currency::Skipped;

/// Tracks the currencies of a response, to label each item and to warn once.
#[derive(Debug)]
pub(super) struct Currencies<'r> {
    requested: &'r Currency,
    /// The currency that the response states for all prices without their own.
    around: Option<Currency>,
    other: Option<Currency>,
    skipped: Skipped,
    unstated: bool,
}

impl<'r> Currencies<'r> {
    /// Starts with the requested currency.
    pub(super) fn new(requested: &'r Currency) -> Currencies<'r> {
        Currencies { requested, around: None, other: None, skipped: Skipped::default(), unstated: false }
    }

    /// Sets the currency that the response states around the next items; returns the one before.
    pub(super) fn set_around(&mut self, stated: Option<Currency>) -> Option<Currency> {
        std::mem::replace(&mut self.around, stated)
    }

    /// The currency that the response states around an item.
    pub(super) fn around(&self) -> Option<&Currency> {
        self.around.as_ref()
    }

    /// The currency of an item without prices so far.
    pub(super) fn item(&self) -> ItemCurrency {
        ItemCurrency::within(self.around.clone())
    }

    /// The requested currency.
    pub(super) fn requested(&self) -> &'r Currency {
        self.requested
    }

    /// The currency of an item.
    pub(super) fn label_of(&mut self, item_currency: ItemCurrency) -> Currency {
        let stated = self.note(item_currency);
        self.label(stated)
    }

    /// Takes over an item's skipped values; returns its stated currency.
    pub(super) fn note(&mut self, item_currency: ItemCurrency) -> Option<Currency> {
        let (stated, skipped) = item_currency.into_parts();
        self.skipped.add(skipped);
        stated
    }

    /// Records a skipped value in another currency, or without a stated one, next to values in `chosen`.
    pub(super) fn skip(&mut self, other: Option<&Currency>, chosen: &Currency) {
        let skipped = match other {
            Some(other) => Skipped { other: Some(other.clone()), unstated: None },
            None => Skipped { other: None, unstated: Some(chosen.clone()) },
        };
        self.skipped.add(skipped);
    }

    /// The stated currency, or else the requested one.
    pub(super) fn label(&mut self, stated: Option<Currency>) -> Currency {
        match stated {
            Some(stated) => {
                if stated != *self.requested {
                    self.other = Some(stated.clone());
                }
                stated
            }
            None => {
                self.unstated = true;
                self.requested.clone()
            }
        }
    }

    /// Whether all prices state their currency.
    pub(super) fn is_stated(&self) -> bool {
        !self.unstated
    }

    /// Warns about skipped values of a part of a response.
    pub(super) fn finish_part(self, context: &mut Context<'_>) {
        self.skipped.finish(context);
    }

    /// Warns about prices in a currency other than the requested one, prices without a stated currency (unless dollars were
    /// requested), and skipped values.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        let requested = self.requested;
        self.skipped.finish(context);
        if let Some(other) = self.other {
            context.warn_of_currency(|| format!("prices are in {other} instead of {requested}"));
        } else if self.unstated && *requested != Currency::usd() {
            context.warn(|| format!("response doesn't state its currency; assuming {requested}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_are_parsed_from_code_or_number() {
        for (text, known) in [
            ("usd", "USD"),
            ("eur", "EUR"),
            ("USDT", "USDT"),
            ("2781", "USD"),
            ("2790", "EUR"),
            ("2791", "GBP"),
            ("2782", "AUD"),
            ("2812", "ZAR"),
            ("1", "BTC"),
            ("xbt", "BTC"),
        ] {
            assert_eq!(code(text), Currency::parse(known), "{text}");
        }
        for text in ["", "12", "2780", "2813", "a b", "-"] {
            assert_eq!(code(text), None, "{text}");
        }
    }
}
