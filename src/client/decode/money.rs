//! Which currency an answer's money is in.

use super::read::Context;
use super::tape::Value;
use crate::model::Currency;

/// Keeps book of the currencies of one answer, for the label of each item and one warning about all.
#[derive(Debug)]
pub(super) struct Currencies<'r> {
    asked: &'r Currency,
    other: Option<Currency>,
    left_out: Option<Currency>,
    unstated: bool,
}

impl<'r> Currencies<'r> {
    /// For an answer that was asked for in this currency.
    pub(super) fn new(asked: &'r Currency) -> Currencies<'r> {
        Currencies { asked, other: None, left_out: None, unstated: false }
    }

    /// The currency that was asked for.
    pub(super) fn asked(&self) -> &'r Currency {
        self.asked
    }

    /// The currency of an item's money, which was put together in a purse.
    pub(super) fn label_of(&mut self, purse: Purse) -> Currency {
        self.left_out = self.left_out.take().or(purse.left_out);
        self.label(purse.stated)
    }

    /// The currency of some money: the one that the answer states, else the one that was asked for.
    pub(super) fn label(&mut self, stated: Option<Currency>) -> Currency {
        match stated {
            Some(stated) => {
                if stated != *self.asked {
                    self.other = Some(stated.clone());
                }
                stated
            }
            None => {
                self.unstated = true;
                self.asked.clone()
            }
        }
    }

    /// Warns where money is in another currency than asked for, where nobody said so and it is no dollars, and where
    /// figures were left out.
    pub(super) fn finish(self, context: &mut Context<'_>) {
        let asked = self.asked;
        if let Some(left_out) = self.left_out {
            context.warn(|| format!("figures in {left_out} beside ones in another currency were left out"));
        }
        if let Some(other) = self.other {
            context.warn(|| format!("the answer's money is in {other}, not in {asked} as asked for"));
        } else if self.unstated && *asked != Currency::usd() {
            context.warn(|| format!("the answer does not say its currency; it is taken for {asked}, as asked for"));
        }
    }
}

/// The money of one item, which has one label: figures of which the answer says that they are in another currency than
/// those before them are left out. Figures without a word are in the item's currency, whichever that is.
#[derive(Debug, Default)]
pub(super) struct Purse {
    stated: Option<Currency>,
    /// There is money in it.
    holds: bool,
    left_out: Option<Currency>,
}

impl Purse {
    /// The currency to look for: that of the money so far, or else the one that was asked for.
    pub(super) fn wanted<'c>(&'c self, asked: &'c Currency) -> &'c Currency {
        self.stated.as_ref().filter(|_| self.holds).unwrap_or(asked)
    }

    /// Notes what the item says of its currency, unless it did before.
    pub(super) fn state(&mut self, currency: Option<&Currency>) {
        if self.stated.is_none() {
            self.stated = currency.cloned();
        }
    }

    /// Whether money in this currency goes with what is there.
    pub(super) fn fits(&self, currency: Option<&Currency>) -> bool {
        match (currency, &self.stated) {
            (Some(currency), Some(stated)) => !self.holds || currency == stated,
            _ => true,
        }
    }

    /// Takes a figure in this currency; false where it does not go with what is there.
    pub(super) fn admits(&mut self, currency: Option<&Currency>) -> bool {
        let fits = self.fits(currency);
        match currency {
            Some(currency) if !fits => self.left_out = Some(currency.clone()),
            Some(currency) => self.stated = Some(currency.clone()),
            None => {}
        }
        self.holds = true;
        fits
    }

    /// As [`Purse::admits`], for a figure whose currency says nothing about that of the others: these are in the asked
    /// one if nobody says otherwise.
    pub(super) fn admits_beside(&mut self, currency: Option<&Currency>, asked: &Currency) -> bool {
        if self.holds && self.stated.is_none() && currency.is_some_and(|currency| currency != asked) {
            self.left_out = currency.cloned();
            return false;
        }
        self.admits(currency)
    }
}

/// A quote, and its currency where the place in which it stood tells.
pub(super) type Quote<'a> = (Value<'a>, Option<Currency>);

/// Chooses among quotes: a map by currency, a list whose items name theirs, or a quote itself. The asked currency is
/// taken, else the dollar, else the first.
pub(super) fn choose<'a>(quotes: Value<'a>, asked: &Currency) -> Option<Quote<'a>> {
    if quotes.is_object() {
        let by_currency = quotes.fields().filter_map(|(key, quote)| {
            let code = quote.is_object().then(|| code(key.raw())).flatten()?;
            Some((quote, Some(code)))
        });
        return best(by_currency, asked).or(Some((quotes, None)));
    }
    let named = quotes.items().filter(Value::is_object).map(|quote| (quote, named(quote)));
    best(named, asked)
}

fn best<'a>(mut quotes: impl Iterator<Item = Quote<'a>>, asked: &Currency) -> Option<Quote<'a>> {
    let first = quotes.next()?;
    let rank = |(_, currency): &Quote<'_>| match currency {
        Some(currency) if currency == asked => 0,
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

/// The currency that a quote names.
pub(super) fn named(quote: Value<'_>) -> Option<Currency> {
    ["symbol", "name", "currency", "convert", "vs_currency"].iter().find_map(|name| code(quote.get(name)?.raw()))
}

/// A currency code, or one of the numbers by which CoinMarketCap's web interface names currencies.
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

/// A sum: a number, a map of numbers by currency (CoinGecko), or an object that holds it as its price (Coinranking).
pub(super) fn sum(context: &mut Context<'_>, value: Value<'_>, asked: &Currency) -> Option<(f64, Option<Currency>)> {
    if !value.is_object() {
        return Some((context.f64(Some(value))?, None));
    }
    if let Some(inner) = value.get("price") {
        return Some((context.f64(Some(inner))?, named(value)));
    }
    let sums = value.fields().filter(|(_, sum)| sum.number().is_some());
    let Some((sum, currency)) = best(sums.map(|(key, sum)| (sum, code(key.raw()))), asked) else {
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
    fn currencies_go_by_code_or_by_number() {
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
