//! Checks that a response is about the requested coin, token, sat, inscription or address. Otherwise it is rejected;
//! rows of a list about something else are skipped. Slugs are unique, symbols are not.

use std::borrow::Cow;

use super::envelope::text_of;
use super::pair_name;
use super::read::Context;
use super::tape::{Kind, Value};
use crate::client::error::ErrorKind;
use crate::format::words::counted;
use crate::model::text;

/// Field names of wrappers around a coin.
pub(super) const WRAPPERS: &[&str] = &["data", "result", "results", "payload", "response", "body", "coin", "token"];

/// Whether two slugs are the same.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The slug of a coin object: its slug, or an id that is a slug.
pub(super) fn slug<'a>(coin: Value<'a>) -> Option<Value<'a>> {
    coin.get("slug").filter(|slug| slug.str().is_some_and(|slug| !slug.trim().is_empty())).or_else(|| {
        let id = coin.get("id").filter(|id| is_slug(*id))?;
        coin.any(&["symbol", "name"]).map(|_| id)
    })
}

/// Whether an id is a slug: lower-case words, not a UUID.
pub(super) fn is_slug(id: Value<'_>) -> bool {
    id.kind() == Kind::String && is_slug_text(id.raw())
}

/// Whether the text of an id is a slug, like [`is_slug`].
pub(super) fn is_slug_text(id: &str) -> bool {
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_' | b'.');
    let is_uuid = id.len() >= 16 && id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    id.bytes().all(word) && id.bytes().any(|b| b.is_ascii_lowercase()) && !is_uuid
}

/// Whether a key is a service's numeric id.
pub(super) fn is_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit())
}

/// Checks the slug next to the response's list or points, which applies to all items. A coin without a slug is rejected
/// if neither its name nor its symbol resembles the slug.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it belongs to another coin.
pub(super) fn check(root: Value<'_>, requested: &str) -> Result<(), ErrorKind> {
    let mut at = Some(root);
    for _ in 0..4 {
        let Some(object) = at.filter(Value::is_object) else { break };
        if let Some(slug) = slug(object).and_then(|slug| slug.str()) {
            return if is_same(slug.trim(), requested) { Ok(()) } else { Err(another(&[&*slug], requested)) };
        }
        if !may_be(object, requested) {
            let name = object.any(&["name", "symbol"]).and_then(text_of).unwrap_or_default();
            return Err(another(&[&*name], requested));
        }
        at = object.any(WRAPPERS);
    }
    Ok(())
}

/// Checks a name next to a list, which applies to all items.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is not the requested one.
pub(super) fn check_name(
    root: Value<'_>,
    fields: &[&str],
    requested: &str,
    is_same: impl Fn(&str, &str) -> bool,
) -> Result<(), ErrorKind> {
    let mut at = Some(root);
    for _ in 0..4 {
        let Some(object) = at.filter(Value::is_object) else { break };
        let named = object.any(fields).and_then(text_of);
        if let Some(other) = named.filter(|name| !name.trim().is_empty() && !is_same(name.trim(), requested)) {
            return Err(another(&[&*other], requested));
        }
        at = object.any(WRAPPERS);
    }
    Ok(())
}

/// Checks the keys of DefiLlama's coins: `{"coins": {"coingecko:ordinals": …}}`. Returns whether there are any.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if none is the requested slug.
pub(super) fn check_keys(root: Value<'_>, requested: &str) -> Result<bool, ErrorKind> {
    let Some(coins) = root.get("coins") else { return Ok(false) };
    let slugs: Vec<&str> = coins.fields().filter_map(|(key, _)| Some(key.raw().split_once(':')?.1)).collect();
    if slugs.is_empty() || slugs.iter().any(|slug| is_same(slug, requested)) {
        return Ok(!slugs.is_empty());
    }
    Err(another(&slugs, requested))
}

/// Filters the items of a list by name and collects the names of others.
#[derive(Debug)]
pub(super) struct Requested<'r> {
    what: [&'static str; 2],
    name: &'r str,
    is_same: fn(&str, &str) -> bool,
    taken: usize,
    others: Vec<String>,
    skipped: usize,
}

impl<'r> Requested<'r> {
    /// Creates a filter for the items of this name. `what` is what it names, in the singular and the plural.
    pub(super) fn new(what: [&'static str; 2], name: &'r str, is_same: fn(&str, &str) -> bool) -> Requested<'r> {
        Requested { what, name, is_same, taken: 0, others: Vec::new(), skipped: 0 }
    }

    /// Whether an item has the requested name, or no name.
    pub(super) fn accepts(&mut self, name: Option<&str>) -> bool {
        let other = name.filter(|name| !(self.is_same)(name, self.name));
        match other {
            None => self.taken += 1,
            Some(other) => {
                self.skipped += 1;
                if self.others.len() < 3 && !self.others.iter().any(|known| known == other) {
                    self.others.push(other.to_owned());
                }
            }
        }
        other.is_none()
    }

    /// Whether items were skipped.
    pub(super) fn has_skipped(&self) -> bool {
        self.skipped > 0
    }

    /// Warns about skipped items.
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if all were skipped.
    pub(super) fn finish(self, context: &mut Context<'_>) -> Result<(), ErrorKind> {
        if self.skipped > 0 && self.taken == 0 {
            return Err(another(&self.others.iter().map(String::as_str).collect::<Vec<_>>(), self.name));
        }
        if self.skipped > 0 {
            let [one, many] = self.what;
            let what = if self.others.len() == 1 { one } else { many };
            let (items, others) = (counted(self.skipped, "item"), list_of(&self.others));
            context.warn(|| format!("skipped {items} for {what} {others}"));
        }
        Ok(())
    }
}

/// Whether two addresses are the same. Bech32 addresses are case-insensitive.
pub(super) fn is_same_address(a: &str, b: &str) -> bool {
    let is_bech32 = |address: &str| {
        ["bc1", "tb1", "bcrt1"]
            .iter()
            .any(|start| address.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start)))
    };
    a == b || is_bech32(a) && a.eq_ignore_ascii_case(b)
}

/// Whether a symbol is the requested one, including exchanges' variants: `$ORDI`, `ORDI-USD`, `1000SATS`, `XBT`.
pub(super) fn is_same_symbol(named: &str, requested: &str) -> bool {
    let plain = |symbol: &str| {
        let symbol = symbol.trim().trim_start_matches('$').to_lowercase();
        // StockTwits marks coins with `.X`.
        let symbol = symbol.strip_suffix(".x").unwrap_or(&symbol);
        let base = symbol.split(['/', '-', '_']).next().unwrap_or_default();
        match base.trim_start_matches(|c: char| c.is_ascii_digit()) {
            "" => base.to_owned(),
            "xbt" => "btc".to_owned(),
            letters if base.starts_with("10") => letters.to_owned(),
            _ => base.to_owned(),
        }
    };
    named.eq_ignore_ascii_case(requested) || plain(named) == plain(requested)
}

/// Whether a pair such as `ORDI/USDT`, `USDT-ORDI`, `ORDI:USDT` or `ORDIUSDT`, or one of its symbols, contains the
/// requested symbol.
pub(super) fn names_symbol(pair: &str, requested: &str) -> bool {
    let is_whole = |rest: &str| QUOTES.iter().any(|quote| quote.eq_ignore_ascii_case(rest));
    let requested = requested.trim().to_lowercase();
    let is_side = |side: &str| is_same_symbol(side, &requested);
    // Only of a whole name: `BTC/TUSD` is not a pair of `T`.
    let whole = pair_name::without_contract(pair_name::without_exchange(pair)).to_lowercase();
    pair.trim().to_lowercase().split(['/', '-', '_', ' ', ':']).any(is_side)
        || !requested.is_empty() && whole.strip_prefix(&requested).is_some_and(is_whole)
}

/// Whether a coin without a slug may be the one of a slug: a word of its name or symbol starts like a word of the slug,
/// or its symbol consists of the slug's initials (`TON`, `the-open-network`). Names in other scripts can't be compared
/// and are accepted.
fn may_be(coin: Value<'_>, slug: &str) -> bool {
    let names: Vec<String> = ["symbol", "name"]
        .iter()
        .filter_map(|name| text_of(coin.get(name)?).filter(|name| !name.trim().is_empty()))
        .map(|name| name.to_lowercase())
        .collect();
    if names.len() < 2 || names.iter().any(|name| !name.is_ascii()) {
        return true;
    }
    names.iter().any(|name| resembles(name, slug))
}

/// Whether a word of a lower-case name starts like a word of a slug, or the name consists of the slug's initials.
pub(super) fn resembles(name: &str, slug: &str) -> bool {
    let slug = slug.to_lowercase();
    let words = |text: &str, letters: usize| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(|word| word.chars().take(letters).collect()).collect()
    };
    let (beginnings, initials) = (words(&slug, 2), words(&slug, 1).concat());
    name == initials || words(name, 2).iter().any(|word| beginnings.contains(word))
}

/// Currencies that services append to a symbol.
const QUOTES: [&str; 13] =
    ["USD", "USDT", "USDC", "EUR", "GBP", "BTC", "ETH", "BNB", "FDUSD", "JPY", "KRW", "TRY", "BRL"];

/// Whether the symbol of a series is the requested one: case-insensitive, with `$`, or with a quote currency
/// (`ORDI-USD`, Kraken's `XXBTZUSD`). Not `1000SATS`, which is the price of a thousand.
pub(super) fn is_series_of(named: &str, requested: &str) -> bool {
    let symbol = named.trim().trim_start_matches('$');
    let base = pair_name::split(symbol).map_or(symbol, |(base, _)| base);
    let base = if base.eq_ignore_ascii_case("XBT") { "BTC" } else { base };
    named.eq_ignore_ascii_case(requested)
        || symbol.eq_ignore_ascii_case(requested)
        || base.eq_ignore_ascii_case(requested)
}

/// The error for a response about something else.
pub(super) fn another(others: &[&str], requested: &str) -> ErrorKind {
    let found: Vec<_> = others.iter().take(3).map(|name| short(name)).collect();
    ErrorKind::Mismatch { found: found.join(" and "), requested: short(requested).into_owned() }
}

fn list_of(names: &[String]) -> String {
    names.iter().map(|name| short(name)).collect::<Vec<_>>().join(", ")
}

/// Maximum length of a name in a message.
const MAX_NAME: usize = 60;

/// Length of a long ID in a message: two of them fit in a line.
const SHORT_ID: usize = 24;

/// Shortens a long name. IDs are cut in the middle, since the IDs of one transaction differ only at their end.
fn short(name: &str) -> Cow<'_, str> {
    let name = text::clean(name);
    let is_id = name.chars().all(|c| c.is_ascii_alphanumeric());
    match name.chars().count() {
        ..=MAX_NAME => name,
        _ if is_id => text::cut_middle(name, SHORT_ID),
        _ => text::cut(name, MAX_NAME),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tape::Document;
    use super::*;

    #[test]
    fn pair_contains_a_symbol_only_as_a_whole_side() {
        for pair in
            ["ORDI/USDT", "usdt-ordi", "ORDI:USDT", "ORDIUSDT", " ORDIUSDT ", "BINANCE:ORDIUSDT", "ORDIUSDT_PERP"]
        {
            assert!(names_symbol(pair, "ORDI"), "{pair}");
        }
        for (pair, symbol) in [("BTC/TUSD", "T"), ("TUSD-BTC", "T"), ("ETH_SUSD", "S"), ("ORDINALS/USDT", "ORDI")] {
            assert!(!names_symbol(pair, symbol), "{pair}");
        }
    }

    #[test]
    fn lower_case_ids_are_slugs() {
        let is = |json: &str| is_slug(Document::parse(json, 8).unwrap().root());
        for slug in ["ordi", "1inch", "rats-ordinals", "a_b.c", "deadbeef", "cafe-babe", "a-slug-of-many-words"] {
            assert!(is(&format!("\"{slug}\"")), "{slug}");
        }
        for other in [
            "\"\"",
            "\"25028\"",
            "25028",
            "\"ORDI\"",
            "\"Ordi\"",
            "\"or di\"",
            "\"deadbeefdeadbeef\"",
            "\"b61b0172-d95e-4c5a-9d1c-2d1b0172d95e\"",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
