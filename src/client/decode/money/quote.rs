//! Chooses the quote in the requested currency.

use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Currency;

/// A quote and its currency, if it is stated.
pub(in crate::client::decode) type Quote<'a> = (Value<'a>, Option<Currency>);

/// Field names of a quote's currency, best first.
const NAMES: [&str; 9] =
    ["symbol", "name", "currency", "convert", "vs_currency", "code", "fiat", "quote_currency", "denomination"];

/// The fields in [`NAMES`] that name nothing else.
const CURRENCY_NAMES: [&str; 4] = ["currency", "convert", "vs_currency", "quote_currency"];

/// A field in [`NAMES`] that may also be a scale, such as `1` or `whole`.
const DENOMINATION: &str = "denomination";

/// Denominations of whole units, in the currency that is stated elsewhere.
const WHOLE: [&str; 14] = [
    "whole", "unit", "units", "full", "main", "major", "base", "standard", "decimal", "native", "fiat", "currency",
    "coin", "token",
];

/// Field names of the id of a quote's currency: proxies; CoinMarketCap.
const IDS: [&str; 3] = ["convert_id", "currency_id", "id"];

/// The currencies with CoinMarketCap's ids from [`FIRST_ID`], in the order of their ids.
const BY_ID: [&str; 32] = [
    "USD", "AUD", "BRL", "CAD", "CHF", "CLP", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "IDR", "ILS", "INR",
    "JPY", "KRW", "MXN", "MYR", "NOK", "NZD", "PHP", "PKR", "PLN", "RUB", "SEK", "SGD", "THB", "TRY", "TWD", "ZAR",
];

/// The id of the first currency in [`BY_ID`].
const FIRST_ID: usize = 2781;

/// Chooses a quote from a map by currency, a list, or a single quote: the one in the requested currency, else in
/// dollars, else the first. `None`, with a warning, if the currency of none is known, unless there is only one.
pub(in crate::client::decode) fn choose<'a>(
    context: &mut Context<'_>,
    quotes: Value<'a>,
    requested: &Currency,
) -> Option<Quote<'a>> {
    let chosen = if quotes.is_object() { in_map(quotes, requested) } else { in_list(quotes, requested) };
    if chosen.is_none() && (quotes.is_object() || quotes.items().any(|quote| quote.is_object())) {
        context.unreadable(quotes, "a quote in a known currency");
    }
    chosen
}

/// Chooses a quote from a map by currency, or the map itself if it is a quote.
fn in_map<'a>(quotes: Value<'a>, requested: &Currency) -> Option<Quote<'a>> {
    let known = || {
        quotes.fields().filter_map(move |(key, value)| {
            let quote = in_entry(value)?;
            Some((quote, currency_of(quotes, key, quote)?))
        })
    };
    if let Some(chosen) = best(known, requested) {
        return Some(chosen);
    }
    let is_quote = |quote: &Value<'a>| quote.get("price").is_some();
    let mut unknown = quotes.fields().filter_map(|(_, value)| in_entry(value)).filter(is_quote);
    match unknown.next() {
        Some(only) if is_indexed(quotes) && unknown.next().is_none() => Some((only, None)),
        Some(_) if !is_quote(&quotes) => None,
        _ => Some((quotes, stated_currency(quotes))),
    }
}

/// The quote in an entry of a map: an object, or the only one in a list.
fn in_entry(value: Value<'_>) -> Option<Value<'_>> {
    let mut items = value.items();
    let only = items.next().filter(|_| items.next().is_none());
    only.or(Some(value)).filter(Value::is_object)
}

/// The currency of a quote in a map, by its key. A number may also be the index in a list that PHP wrote as a map.
fn currency_of(quotes: Value<'_>, key: Value<'_>, quote: Value<'_>) -> Option<Currency> {
    if key.raw().bytes().all(|b| b.is_ascii_digit()) {
        stated_currency(quote).or_else(|| code(key.raw()).filter(|_| !is_indexed(quotes)))
    } else {
        code(key.raw())
    }
}

fn is_indexed(quotes: Value<'_>) -> bool {
    quotes.get("0").is_some()
}

/// Chooses a quote from a list. One in an unknown currency is chosen only if there is no other.
fn in_list<'a>(quotes: Value<'a>, requested: &Currency) -> Option<Quote<'a>> {
    let mut named = quotes.items().filter(Value::is_object).map(|quote| (quote, stated_currency(quote)));
    let first = named.next()?;
    let rank = |(_, currency): &Quote<'_>| match currency {
        Some(currency) if currency == requested => 0,
        Some(currency) if *currency == Currency::usd() => 1,
        Some(_) => 2,
        None => 3,
    };
    let (mut is_only, mut is_known) = (true, first.1.is_some());
    let mut best = (rank(&first), first);
    for quote in named {
        is_only = false;
        is_known |= quote.1.is_some();
        if rank(&quote) < best.0 {
            best = (rank(&quote), quote);
        }
    }
    (is_only || is_known).then_some(best.1)
}

/// Chooses the entry of a map by currency: the requested one, else dollars, else the first known one. Only known codes
/// count, since a short key may be any word.
pub(super) fn of_map<'a, I>(entries: impl Fn() -> I, requested: &Currency) -> Option<Quote<'a>>
where
    I: Iterator<Item = (Value<'a>, Value<'a>)>,
{
    best(|| entries().filter_map(|(key, value)| Some((value, code(key.raw())?))), requested)
}

/// Chooses a value by its currency, like [`of_map`].
fn best<'a, I>(all: impl Fn() -> I, requested: &Currency) -> Option<Quote<'a>>
where
    I: Iterator<Item = (Value<'a>, Currency)>,
{
    let find = |wanted: &Currency| all().find(|(_, code)| code == wanted);
    let (value, code) =
        find(requested).or_else(|| find(&Currency::usd())).or_else(|| all().find(|(_, code)| code.exists()))?;
    Some((value, Some(code)))
}

/// The currency stated in a quote, as a code, an object with one, or CoinMarketCap's id. Another name or symbol in lower
/// case is something else, such as an exchange.
pub(in crate::client::decode) fn stated_currency(quote: Value<'_>) -> Option<Currency> {
    let stated = NAMES.iter().find_map(|name| {
        let value = quote.get(name)?;
        let text = if value.is_object() { value.any(&["code", "symbol"])?.raw() } else { value.raw() };
        if *name == DENOMINATION {
            return denomination(text);
        }
        let is_clear = |currency: &Currency| {
            currency.exists() || CURRENCY_NAMES.contains(name) || !text.bytes().any(|b| b.is_ascii_lowercase())
        };
        code(text).filter(is_clear)
    });
    stated.or_else(|| of_id(quote.any(&IDS)?.raw()))
}

/// The currency that a denomination states. An unknown word, such as `cents`, is taken as a code, so that the price
/// isn't taken to be in the requested currency.
fn denomination(text: &str) -> Option<Currency> {
    if WHOLE.iter().any(|word| word.eq_ignore_ascii_case(text)) {
        return None;
    }
    let words = Some(text).filter(|text| is_word(text));
    words.and_then(|words| Currency::of_name(words).or_else(|| code(words))).or_else(|| of_id(text))
}

/// Parses a currency code, or one of CoinMarketCap's ids.
pub(in crate::client::decode) fn code(text: &str) -> Option<Currency> {
    match text {
        "1" => Some(Currency::bitcoin()),
        _ if text.eq_ignore_ascii_case("XBT") => Some(Currency::bitcoin()),
        _ if is_word(text) => Currency::parse(text),
        _ => of_id(text),
    }
}

/// Whether a text is not only a number.
fn is_word(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_alphabetic())
}

/// The currency with CoinMarketCap's id, except for coins, whose ids are as short as row numbers.
fn of_id(id: &str) -> Option<Currency> {
    let place = id.parse::<usize>().ok()?.checked_sub(FIRST_ID)?;
    Currency::parse(BY_ID.get(place)?)
}
