//! The coin of a chart or series, compared with the names that a response gives it: slugs, ids, symbols and pairs.

use super::envelope::text_of;
use super::identity::{WRAPPERS, another, is_same, resembles};
use super::pair_name;
use super::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::Currency;

/// The coin whose points are read, as the request names it.
#[derive(Clone, Copy, Debug)]
pub(super) enum RequestedCoin<'q> {
    /// Not named, or one of several.
    Any,
    Slug(&'q str),
    Symbol(&'q str),
}

impl<'q> RequestedCoin<'q> {
    /// Its slug or symbol.
    pub(super) fn name(self) -> Option<&'q str> {
        match self {
            RequestedCoin::Any => None,
            RequestedCoin::Slug(name) | RequestedCoin::Symbol(name) => Some(name),
        }
    }

    /// Whether a slug, symbol or pair is that of this coin. The slug of a coin is not compared with symbols, except for
    /// equal and well-known ones.
    pub(super) fn is_named(self, name: &str) -> bool {
        let Some(requested) = self.name() else { return false };
        let name = name.trim().trim_start_matches('$');
        is_own(name, requested) || pair_name::split_of(name, requested).is_some_and(|(base, _)| is_own(base, requested))
    }

    /// Whether this is certainly the slug of another coin.
    pub(super) fn is_other_slug(self, slug: &str) -> bool {
        match self {
            RequestedCoin::Any => false,
            RequestedCoin::Slug(requested) => !is_same(slug.trim(), requested),
            RequestedCoin::Symbol(_) => self.is_other_id(slug),
        }
    }

    /// Whether this is certainly another coin's id: services have ids of their own, but these are the same everywhere.
    pub(super) fn is_other_id(self, id: &str) -> bool {
        let Some(requested) = self.name() else { return false };
        // A symbol can't be compared with ids, except for those of coins whose symbols are known.
        let is_known =
            pair_name::slug_of(id).is_some() || matches!(self, RequestedCoin::Slug(_)) && KNOWN_IDS.contains(&id);
        is_known && !self.is_named(id) && !resembles(&id.to_lowercase(), requested)
    }

    /// Whether this symbol or pair certainly names another coin: one that others are traded against, or the currency of
    /// an inverted pair (`USDT/ORDI`).
    pub(super) fn is_other_symbol(self, name: &str) -> bool {
        let Some(requested) = self.name() else { return false };
        let name = name.trim().trim_start_matches('$');
        let pair = pair_name::split(name);
        let is_inverted = pair.is_some_and(|(base, quote)| {
            is_own(quote, requested) && Currency::parse(base).is_some_and(|base| base.exists())
        });
        let base = pair.map_or(name, |(base, _)| base);
        // A dollar coin alone may be the currency.
        // So may other coins have a symbol like `BITCOIN`.
        let is_symbol = base.len() <= MAX_KNOWN_SYMBOL && !pair_name::is_dollar_coin(base);
        let is_coin = pair_name::slug_of(base).is_some() && (pair.is_some() || is_symbol);
        let is_well_known = is_coin || WELL_KNOWN_PAIRS.iter().any(|pair| name.eq_ignore_ascii_case(pair));
        !self.is_named(name) && (is_inverted || is_well_known && !resembles(&base.to_lowercase(), requested))
    }
}

/// Maximum length of the symbols of well-known coins; their slugs are longer.
const MAX_KNOWN_SYMBOL: usize = 4;

/// Pairs of other coins without a separator.
const WELL_KNOWN_PAIRS: [&str; 6] = ["BTCUSDT", "BTCUSD", "BTCEUR", "ETHUSDT", "ETHUSD", "ETHBTC"];

fn is_own(name: &str, requested: &str) -> bool {
    let same_slug = || pair_name::slug_of(name).zip(pair_name::slug_of(requested)).is_some_and(|(a, b)| a == b);
    is_same(name, requested) || same_slug()
}

/// Ids that CoinMarketCap, CoinGecko and others share.
const KNOWN_IDS: [&str; 8] = ["solana", "dogecoin", "cardano", "tron", "litecoin", "polkadot", "monero", "chainlink"];

/// Field names of a coin's id.
const IDS: [&str; 4] = ["coin_id", "coin_slug", "crypto_id", "id"];

/// Field names of a symbol or pair next to points.
const SYMBOLS: [&str; 8] =
    ["pair", "symbol", "inst_id", "instrument_name", "product_id", "currency_pair", "ticker", "base"];

/// Field names of a pair's quote.
const QUOTES: [&str; 6] = ["quote", "quote_symbol", "quote_currency", "quote_asset", "target", "counter"];

/// The objects around the points, outermost first.
fn around<'a>(root: Value<'a>) -> impl Iterator<Item = Value<'a>> {
    let is_named = |object: &Value<'a>| {
        // A map by time may be long.
        let is_map = object.fields().next().is_some_and(|(key, _)| key.raw().starts_with(|c: char| c.is_ascii_digit()));
        object.is_object() && !object.is_raw() && !is_map
    };
    let inside = |object: &Value<'a>| object.any(WRAPPERS).or_else(|| object.any(&["chart", "series", "market"]));
    std::iter::successors(Some(root), inside).take(4).take_while(is_named)
}

/// Checks the ids, symbols and pairs next to points that have neither a slug nor a name.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if one is certainly that of another coin.
pub(super) fn check_names_around(root: Value<'_>, coin: RequestedCoin<'_>) -> Result<(), ErrorKind> {
    let Some(requested) = coin.name() else { return Ok(()) };
    for object in around(root) {
        let is_named =
            || IDS.iter().chain(&SYMBOLS).filter_map(|name| object.get(name)?.str()).any(|name| coin.is_named(&name));
        if object.get("slug").is_some() || is_named() {
            continue;
        }
        let ids = IDS.iter().filter_map(|name| object.get(name).and_then(|id| id.str()));
        if let Some(id) = ids.into_iter().find(|id| coin.is_other_id(id)) {
            return Err(another(&[&id], requested));
        }
        let symbols = SYMBOLS.iter().filter_map(|name| object.get(name).and_then(text_of));
        if let Some(symbol) = symbols.into_iter().find(|symbol| coin.is_other_symbol(symbol)) {
            return Err(another(&[&symbol], requested));
        }
    }
    Ok(())
}

/// The quote currency of the coin's pair named next to points, if any. The innermost one wins.
pub(super) fn quote_around(root: Value<'_>, coin: RequestedCoin<'_>) -> Option<Currency> {
    let requested = coin.name()?;
    let quote_in = |object: Value<'_>| {
        let text = |name: &&str| object.get(name).and_then(|name| name.str());
        let mut names = SYMBOLS.iter().filter_map(text);
        let pair = names.find_map(|name| pair_name::currency(pair_name::split_of(&name, requested)?.1));
        let base = || object.any(&["base", "base_symbol", "base_currency", "base_asset"]).and_then(text_of);
        let quote = || pair_name::currency(&QUOTES.iter().find_map(text)?).filter(Currency::exists);
        pair.or_else(|| base().and_then(|_| quote()))
    };
    around(root).filter_map(quote_in).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_certainly_other_coins_are_rejected() {
        let ordi = RequestedCoin::Slug("ordi");
        for (name, is_other) in [
            ("BTC", true),
            ("btc", true),
            ("BITCOIN", false),
            ("BTC/USDT", true),
            ("BTC-EUR", true),
            ("BTCUSDT", true),
            ("USDT/ORDI", true),
            ("EUR-ORDI", true),
            ("ORDI", false),
            ("ORDI/BTC", false),
            ("ORDIBTC", false),
            ("RATS", false),
            ("price", false),
            ("USDT", false),
        ] {
            assert_eq!(ordi.is_other_symbol(name), is_other, "{name}");
        }
        assert!(!RequestedCoin::Slug("bitcoin").is_other_symbol("BTC"));
        assert!(!RequestedCoin::Slug("bridged-usdc").is_other_symbol("USDC"));
        for (id, is_other) in [
            ("bitcoin", true),
            ("ordinals", false),
            ("ordi", false),
            ("25028", false),
            ("B", false),
            ("rats", false),
            ("solana", true),
        ] {
            assert_eq!(ordi.is_other_id(id), is_other, "{id}");
        }
        for (symbol, id) in [("ADA", "cardano"), ("LTC", "litecoin"), ("XMR", "monero")] {
            assert!(!RequestedCoin::Symbol(symbol).is_other_id(id), "{id}");
        }
    }
}
