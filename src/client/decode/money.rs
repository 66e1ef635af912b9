//! Currencies of prices in a response.

use super::read::Context;
use super::tape::Value;
use crate::model::Currency;

/// Tracks the currencies of a response, to label each item and to warn once.
#[derive(Debug)]
pub(super) struct Currencies<'r> {
    requested: &'r Currency,
    other: Option<Currency>,
    skipped: Option<Currency>,
    unstated: bool,
}

impl<'r> Currencies<'r> {
    /// Starts with the requested currency.
    pub(super) fn new(requested: &'r Currency) -> Currencies<'r> {
        Currencies { requested, other: None, skipped: None, unstated: false }
    }

    /// The requested currency.
    pub(super) fn requested(&self) -> &'r Currency {
        self.requested
    }

    /// The currency of an item.
    pub(super) fn label_of(&mut self, item_currency: ItemCurrency) -> Currency {
        self.skipped = self.skipped.take().or(item_currency.skipped);
        self.label(item_currency.stated)
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

    /// Warns about prices in another currency than requested, prices without a stated currency (unless dollars were
    /// requested), and skipped values.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        let requested = self.requested;
        if let Some(skipped) = self.skipped {
            context.warn(|| format!("skipped values in {skipped} next to another currency"));
        }
        if let Some(other) = self.other {
            context.warn(|| format!("prices are in {other} instead of {requested}"));
        } else if self.unstated && *requested != Currency::usd() {
            context.warn(|| format!("response doesn't state its currency; assuming {requested}"));
        }
    }
}

/// The currency of one item. All its prices must have the same currency; those with another one are skipped. Prices
/// without a stated currency are assumed to match.
#[derive(Debug, Default)]
pub(super) struct ItemCurrency {
    stated: Option<Currency>,
    /// Whether the item has prices.
    has_prices: bool,
    skipped: Option<Currency>,
}

impl ItemCurrency {
    /// The currency to look for: that of the prices so far, or else the requested one.
    pub(super) fn target<'c>(&'c self, requested: &'c Currency) -> &'c Currency {
        self.stated.as_ref().filter(|_| self.has_prices).unwrap_or(requested)
    }

    /// Records the item's stated currency, unless it is already known.
    pub(super) fn set_stated(&mut self, currency: Option<&Currency>) {
        if self.stated.is_none() {
            self.stated = currency.cloned();
        }
    }

    /// Whether a price in this currency matches the prices so far.
    pub(super) fn matches(&self, currency: Option<&Currency>) -> bool {
        match (currency, &self.stated) {
            (Some(currency), Some(stated)) => !self.has_prices || currency == stated,
            _ => true,
        }
    }

    /// Adds a price in this currency; false if it doesn't match the prices so far.
    pub(super) fn accept(&mut self, currency: Option<&Currency>) -> bool {
        let fits = self.matches(currency);
        match currency {
            Some(currency) if !fits => self.skipped = Some(currency.clone()),
            Some(currency) => self.stated = Some(currency.clone()),
            None => {}
        }
        self.has_prices = true;
        fits
    }

    /// Like [`ItemCurrency::accept`], for a price whose currency doesn't imply that of the others, which default to the
    /// requested one.
    pub(super) fn accept_unrelated(&mut self, currency: Option<&Currency>, requested: &Currency) -> bool {
        if self.has_prices && self.stated.is_none() && currency.is_some_and(|currency| currency != requested) {
            self.skipped = currency.cloned();
            return false;
        }
        self.accept(currency)
    }
}

/// A quote and its currency, if its key states it.
pub(super) type Quote<'a> = (Value<'a>, Option<Currency>);

/// Chooses a quote from a map by currency, a list, or a single quote: the one in the requested currency, else in
/// dollars, else the first.
pub(super) fn choose<'a>(quotes: Value<'a>, requested: &Currency) -> Option<Quote<'a>> {
    if quotes.is_object() {
        let by_currency = quotes.fields().filter_map(|(key, quote)| {
            let code = quote.is_object().then(|| code(key.raw())).flatten()?;
            Some((quote, Some(code)))
        });
        return best(by_currency, requested).or(Some((quotes, None)));
    }
    let named = quotes.items().filter(Value::is_object).map(|quote| (quote, stated_currency(quote)));
    best(named, requested)
}

fn best<'a>(mut quotes: impl Iterator<Item = Quote<'a>>, requested: &Currency) -> Option<Quote<'a>> {
    let first = quotes.next()?;
    let rank = |(_, currency): &Quote<'_>| match currency {
        Some(currency) if currency == requested => 0,
        Some(currency) if *currency == Currency::usd() => 1,
        _ => 2,
    };
    let mut best = (rank(&first), first);
    for quote in quotes {
        if rank(&quote) < best.0 {
            best = (rank(&quote), quote);
        }
    }
    Some(best.1)
}

/// The currency stated in a quote.
pub(super) fn stated_currency(quote: Value<'_>) -> Option<Currency> {
    ["symbol", "name", "currency", "convert", "vs_currency"].iter().find_map(|name| code(quote.get(name)?.raw()))
}

/// Parses a currency code, or one of the numeric ids of CoinMarketCap's web API.
pub(super) fn code(text: &str) -> Option<Currency> {
    match text {
        "2781" => Some(Currency::usd()),
        "2790" => Currency::parse("EUR"),
        "2791" => Currency::parse("GBP"),
        "1" => Currency::parse("BTC"),
        _ if text.bytes().any(|b| b.is_ascii_alphabetic()) => Currency::parse(text),
        _ => None,
    }
}

/// Reads an amount of money: a number, a map of numbers by currency (CoinGecko), or an object with a price
/// (Coinranking).
pub(super) fn sum(
    context: &mut Context<'_>,
    value: Value<'_>,
    requested: &Currency,
) -> Option<(f64, Option<Currency>)> {
    if !value.is_object() {
        return Some((context.f64(Some(value))?, None));
    }
    if let Some(inner) = value.get("price") {
        return Some((context.f64(Some(inner))?, stated_currency(value)));
    }
    // A number under another key may be anything.
    let sums = value.fields().filter(|(_, sum)| sum.number().is_some());
    let Some((sum, currency)) = best(sums.filter_map(|(key, sum)| Some((sum, Some(code(key.raw())?)))), requested)
    else {
        if value.fields().next().is_some() {
            context.unreadable(value, "a number, or one for each currency");
        }
        return None;
    };
    Some((context.f64(Some(sum))?, currency))
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
            ("1", "BTC"),
        ] {
            assert_eq!(code(text), Currency::parse(known), "{text}");
        }
        for text in ["", "12", "2792", "a b", "-"] {
            assert_eq!(code(text), None, "{text}");
        }
    }
}
