//! The currency of an item with several prices.

use super::amount::amount;
use crate::client::decode::read::Context;
use crate::client::decode::tape::{Kind, Value};
use crate::model::Currency;

/// The currency of one item. All its prices must have the same currency; those with another one are skipped. Prices
/// without a stated currency are assumed to match, unless another price itself states one that wasn't requested
/// (`8.41 EUR`).
#[derive(Debug, Default)]
pub(in crate::client::decode) struct ItemCurrency {
    /// Stated around the item, for values without their own currency.
    around: Option<Currency>,
    stated: Option<Currency>,
    /// Only a price itself states the currency.
    is_by_value: bool,
    /// Whether the item has prices.
    has_prices: bool,
    skipped: Skipped,
}

/// Values that were skipped because of their currency.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    pub(super) other: Option<Currency>,
    /// The currency next to values that don't state theirs.
    pub(super) unstated: Option<Currency>,
}

impl Skipped {
    pub(super) fn add(&mut self, more: Skipped) {
        if self.other.is_none() {
            self.other = more.other;
        }
        if self.unstated.is_none() {
            self.unstated = more.unstated;
        }
    }

    /// Warns about the skipped values.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        if let Some(other) = self.other {
            context.warn_of_currency(|| format!("skipped values in {other}: other prices are in another currency"));
        }
        if let Some(currency) = self.unstated {
            context.warn_of_currency(|| format!("skipped values without a currency: other prices are in {currency}"));
        }
    }
}

impl ItemCurrency {
    /// An item in a response that states this currency.
    pub(super) fn within(around: Option<Currency>) -> ItemCurrency {
        ItemCurrency { around, ..ItemCurrency::default() }
    }

    /// The currency to look for: the currency of the prices so far, or else the requested one.
    pub(in crate::client::decode) fn target<'c>(&'c self, requested: &'c Currency) -> &'c Currency {
        self.stated.as_ref().filter(|_| self.has_prices).unwrap_or(requested)
    }

    /// The stated currency, or else the requested one.
    pub(in crate::client::decode) fn label<'c>(&'c self, requested: &'c Currency) -> &'c Currency {
        self.stated.as_ref().or(self.around.as_ref()).unwrap_or(requested)
    }

    /// Whether its currency is stated, not assumed.
    pub(in crate::client::decode) fn is_stated(&self) -> bool {
        self.stated.is_some() || self.around.is_some()
    }

    /// Records the item's stated currency, unless it is already known.
    pub(in crate::client::decode) fn set_stated(&mut self, currency: Option<&Currency>) {
        if self.stated.is_none() {
            self.stated = currency.cloned();
        } else if self.stated.as_ref() == currency {
            self.is_by_value = false;
        }
    }

    /// Reads an amount of money, next to which a currency may be `stated`. `None` if it doesn't match the prices so far.
    pub(in crate::client::decode) fn amount(
        &mut self,
        context: &mut Context<'_>,
        value: Value<'_>,
        stated: Option<&Currency>,
        requested: &Currency,
    ) -> Option<f64> {
        if stated.is_none()
            && (self.stated.is_none() || self.is_by_value)
            && let Some(around) = self.around.clone()
        {
            return self.amount(context, value, Some(&around), requested);
        }
        if value.kind() == Kind::Number && !self.is_by_value {
            let number = context.f64(Some(value))?;
            return self.accept(stated).then_some(number);
        }
        let known = stated.or(self.stated.as_ref().filter(|_| !self.is_by_value));
        let (number, own) = amount(context, value, known, self.target(requested))?;
        let fits = match own {
            Some(own) if stated == Some(&own) => self.accept(stated),
            Some(own) => self.accept_by_value(own, requested),
            None if stated.is_none() && self.is_by_value && self.stated.as_ref() != Some(requested) => {
                self.skipped.unstated = self.stated.clone();
                false
            }
            None => self.accept(stated),
        };
        fits.then_some(number)
    }

    /// Whether a price in this currency matches the prices so far.
    pub(in crate::client::decode) fn matches(&self, currency: Option<&Currency>) -> bool {
        match (currency, &self.stated) {
            (Some(currency), Some(stated)) => !self.has_prices || currency == stated,
            _ => true,
        }
    }

    /// Adds a price in this currency; false if it doesn't match the prices so far.
    pub(in crate::client::decode) fn accept(&mut self, currency: Option<&Currency>) -> bool {
        let fits = self.matches(currency);
        match currency {
            Some(currency) if !fits => self.skipped.other = Some(currency.clone()),
            Some(currency) => {
                self.stated = Some(currency.clone());
                self.is_by_value = false;
            }
            None => {}
        }
        self.has_prices = true;
        fits
    }

    /// Accepts a price like [`ItemCurrency::accept`], for a price whose currency doesn't imply the currency of the
    /// others, which default to the requested one.
    pub(in crate::client::decode) fn accept_unrelated(
        &mut self,
        currency: Option<&Currency>,
        requested: &Currency,
    ) -> bool {
        self.may_be_related(currency, requested) && self.accept(currency)
    }

    /// Whether the prices so far may be in this currency; false if they don't state theirs and another one was requested.
    pub(in crate::client::decode) fn may_be_related(
        &mut self,
        currency: Option<&Currency>,
        requested: &Currency,
    ) -> bool {
        if self.has_prices && self.stated.is_none() && currency.is_some_and(|currency| currency != requested) {
            self.skipped.other = currency.cloned();
            return false;
        }
        true
    }

    /// Adds a price that itself states its currency.
    fn accept_by_value(&mut self, currency: Currency, requested: &Currency) -> bool {
        let was_stated = !self.is_by_value && self.stated.as_ref() == Some(&currency);
        let fits = self.accept_unrelated(Some(&currency), requested);
        if fits {
            self.is_by_value = !was_stated;
        }
        fits
    }

    /// Records skipped values in this currency.
    pub(in crate::client::decode) fn skip(&mut self, other: &Currency) {
        self.skipped.other = Some(other.clone());
    }

    /// Forgets the prices so far, whose currency is unknown. Those that follow are in this currency.
    pub(in crate::client::decode) fn restart(&mut self, currency: &Currency) {
        self.has_prices = false;
        self.skipped.unstated = Some(currency.clone());
    }

    /// Forgets the prices so far, which are replaced by others in this currency. `has_skipped` tells whether some of them
    /// are not.
    pub(in crate::client::decode) fn replace(&mut self, currency: &Currency, has_skipped: bool) {
        self.has_prices = false;
        match self.stated.take().or(self.around.take()).filter(|other| other != currency) {
            _ if !has_skipped => {}
            Some(other) => self.skipped.other = Some(other),
            None => self.skipped.unstated = Some(currency.clone()),
        }
    }

    /// The stated currency and the skipped values.
    pub(super) fn into_parts(self) -> (Option<Currency>, Skipped) {
        (self.stated.or(self.around), self.skipped)
    }
}
