//! Chooses the quote in the requested currency.

use crate::client::decode::tape::Value;
use crate::model::Currency;

/// A quote and its currency, if its key states it.
pub(in crate::client::decode) type Quote<'a> = (Value<'a>, Option<Currency>);

/// Chooses a quote from a map by currency, a list, or a single quote: the one in the requested currency, else in
/// dollars, else the first.
pub(in crate::client::decode) fn choose<'a>(quotes: Value<'a>, requested: &Currency) -> Option<Quote<'a>> {
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
pub(super) fn of_map<'a, I>(entries: impl Fn() -> I, requested: &Currency) -> Option<Quote<'a>>
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
pub(in crate::client::decode) fn stated_currency(quote: Value<'_>) -> Option<Currency> {
    ["symbol", "name", "currency", "convert", "vs_currency"].iter().find_map(|name| code(quote.get(name)?.raw()))
}

/// Parses a currency code, or one of the numeric ids of CoinMarketCap's web API.
pub(in crate::client::decode) fn code(text: &str) -> Option<Currency> {
    match text {
        "2781" => Some(Currency::usd()),
        "2790" => Currency::parse("EUR"),
        "2791" => Currency::parse("GBP"),
        "1" => Currency::parse("BTC"),
        _ if text.bytes().any(|b| b.is_ascii_alphabetic()) => Currency::parse(text),
        _ => None,
    }
}
