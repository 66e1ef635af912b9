//! Currencies of prices in a response.

mod amount;
mod item_currency;
mod statement;

use super::read::Context;
use super::tape::Value;
use crate::model::Currency;

pub(super) use amount::{change, in_currency};
pub(super) use item_currency::ItemCurrency;
pub(super) use statement::{stated, stated_around};

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

    /// Warns about prices in another currency than requested, prices without a stated currency (unless dollars were
    /// requested), and skipped values.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        let requested = self.requested;
        self.skipped.finish(context);
        if let Some(other) = self.other {
            context.warn(|| format!("prices are in {other} instead of {requested}"));
        } else if self.unstated && *requested != Currency::usd() {
            context.warn(|| format!("response doesn't state its currency; assuming {requested}"));
        }
    }
}

/// A quote and its currency, if its key states it.
pub(super) type Quote<'a> = (Value<'a>, Option<Currency>);

/// Chooses a quote from a map by currency, a list, or a single quote: the one in the requested currency, else in
/// dollars, else the first.
pub(super) fn choose<'a>(quotes: Value<'a>, requested: &Currency) -> Option<Quote<'a>> {
    if quotes.is_object() {
        let by_currency = || quotes.fields().filter(|(_, quote)| quote.is_object());
        return Some(of_map(by_currency, requested).unwrap_or((quotes, None)));
    }
    let mut named = quotes.items().filter(Value::is_object).map(|quote| (quote, stated_currency(quote)));
    let first = named.next()?;
    let rank = |(_, currency): &Quote<'_>| match currency {
        Some(currency) if currency == requested => 0,
        Some(currency) if *currency == Currency::usd() => 1,
        _ => 2,
    };
    let mut best = (rank(&first), first);
    for quote in named {
        if rank(&quote) < best.0 {
            best = (rank(&quote), quote);
        }
    }
    Some(best.1)
}

/// Chooses the entry of a map by currency: the requested one, else dollars, else the first known one. Only known codes
/// count, since a short key may be any word.
fn of_map<'a, I>(entries: impl Fn() -> I, requested: &Currency) -> Option<Quote<'a>>
where
    I: Iterator<Item = (Value<'a>, Value<'a>)>,
{
    let all = || entries().filter_map(|(key, value)| Some((value, code(key.raw())?)));
    let find = |wanted: &Currency| all().find(|(_, code)| code == wanted);
    let (value, code) =
        find(requested).or_else(|| find(&Currency::usd())).or_else(|| all().find(|(_, code)| code.exists()))?;
    Some((value, Some(code)))
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
