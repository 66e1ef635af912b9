//! The coin of a chart or series, compared with the names that a response gives it: slugs, ids, symbols and pairs.

use super::identity::{is_same, resembles};
use super::pair_name;
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
    /// The slug or symbol.
    pub(super) fn name(self) -> Option<&'q str> {
        match self {
            RequestedCoin::Any => None,
            RequestedCoin::Slug(name) | RequestedCoin::Symbol(name) => Some(name),
        }
    }

    /// Whether a slug, symbol or pair is this coin's. The slug of a coin is not compared with symbols, except for equal
    /// and well-known ones.
    pub(super) fn is_named(self, name: &str) -> bool {
        let Some(requested) = self.name() else { return false };
        let name = name.trim().trim_start_matches('$');
        let is_it = |name: &str| is_own(name, requested) || self.has_alias(name);
        is_it(name)
            || is_it(pair_name::without_contract(name))
            || pair_name::split_of(name, requested).is_some_and(|(base, _)| is_it(base))
    }

    /// Whether this is another symbol of the coin with the requested symbol.
    pub(super) fn has_alias(self, symbol: &str) -> bool {
        let usual = pair_name::usual_symbol;
        matches!(self, RequestedCoin::Symbol(requested) if usual(symbol).eq_ignore_ascii_case(usual(requested)))
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
        // A symbol can't be compared with ids, except for coins whose symbols are known.
        let is_known =
            pair_name::slug_of(id).is_some() || matches!(self, RequestedCoin::Slug(_)) && KNOWN_IDS.contains(&id);
        is_known && !self.is_named(id) && !resembles(&id.to_lowercase(), requested)
    }

    /// Whether this symbol or pair certainly names another coin: one that others are traded against, the currency of an
    /// inverted pair (`USDT/ORDI`), or one with a symbol other than the requested one.
    pub(super) fn is_other_symbol(self, name: &str) -> bool {
        self.is_other_well_known(name) || self.has_other_symbol(pair_name::base_of(name), MAX_LOWER_CASE)
    }

    /// Compares like [`RequestedCoin::is_other_symbol`], for a field whose text is a pair, or else not certainly a
    /// symbol.
    pub(super) fn is_other_pair(self, name: &str) -> bool {
        let has_other = |(base, _): (&str, &str)| self.has_other_symbol(base, MAX_LOWER_CASE);
        self.is_other_well_known(name) || pair_name::split_any(name).is_some_and(has_other)
    }

    /// Compares like [`RequestedCoin::is_other_symbol`], for a field with a symbol, a slug or a name.
    pub(super) fn is_other_asset(self, name: &str) -> bool {
        let is_other_id = || !pair_name::is_dollar_coin(name) && self.is_other_id(name);
        self.is_other_well_known(name) || is_other_id() || name.len() <= MAX_ASSET && self.has_other_symbol(name, 0)
    }

    /// Whether this certainly names a coin that others are traded against, the currency of an inverted pair, a multiple of
    /// this coin (`1000SATS`), or the single coin if this is a multiple.
    pub(super) fn is_other_well_known(self, name: &str) -> bool {
        let Some(requested) = self.name() else { return false };
        let name = name.trim().trim_start_matches('$');
        let pair = pair_name::split_well_known(name);
        let is_inverted = pair.is_some_and(|(base, quote)| {
            is_own(quote, requested) && Currency::parse(base).is_some_and(|base| base.exists())
        });
        let base = pair.map_or(pair_name::without_contract(name), |(base, _)| base);
        // A dollar coin alone may be the currency.
        // So may other coins have a symbol like `BITCOIN`.
        let is_symbol = base.len() <= MAX_KNOWN_SYMBOL && !pair_name::is_dollar_coin(base);
        let is_coin = pair_name::slug_of(base).is_some() && (pair.is_some() || is_symbol);
        let symbol = pair_name::base_of(name);
        let is_multiple = pair_name::without_multiplier(symbol).is_some_and(|coin| pair_name::is_base(coin, requested));
        let is_single = self.single_coin().is_some_and(|coin| coin.eq_ignore_ascii_case(symbol)) && !is_money(symbol);
        let is_other_coin = is_coin && !resembles(&base.to_lowercase(), requested);
        !self.is_named(name) && (is_inverted || is_multiple || is_single || is_other_coin)
    }

    /// The symbol of the single coin if this is certainly a multiple: `SATS` for `1000SATS`.
    fn single_coin(self) -> Option<&'q str> {
        match self {
            RequestedCoin::Symbol(symbol) => pair_name::without_multiplier(symbol),
            // The multiplier in another slug may be only a name: `1000sats` may be SATS.
            RequestedCoin::Slug("1000sats-ordinals") => Some("SATS"),
            RequestedCoin::Slug(_) | RequestedCoin::Any => None,
        }
    }

    /// Whether a symbol certainly differs from the requested one. It may be a name instead if it has both cases, or more
    /// than `max_lower_case` lower-case letters. Exchanges use variants (`XBT` for `BTC`).
    fn has_other_symbol(self, base: &str, max_lower_case: usize) -> bool {
        let RequestedCoin::Symbol(requested) = self else { return false };
        let [base, requested] = [base, requested].map(|symbol| symbol.trim().trim_start_matches('$'));
        let lower_case = base.bytes().filter(u8::is_ascii_lowercase).count();
        let is_symbol = base.bytes().all(|b| b.is_ascii_alphanumeric())
            && base.bytes().any(|b| b.is_ascii_alphabetic())
            && (2..=MAX_SYMBOL).contains(&base.len())
            && (lower_case == 0 || lower_case <= max_lower_case && !base.bytes().any(|b| b.is_ascii_uppercase()));
        let [a, b] = [base, requested].map(|symbol| pair_name::usual_symbol(symbol).to_ascii_uppercase());
        is_symbol
            && requested.is_ascii()
            && !a.contains(&b)
            && !b.contains(&a)
            && !self.is_named(base)
            && !is_money(base)
    }
}

/// Whether a symbol may be the currency instead of a coin.
fn is_money(symbol: &str) -> bool {
    let is_code = |code: Currency| code.exists() && !code.is_coin() && !code.is_quote_coin() && !code.is_sats();
    pair_name::is_dollar_coin(symbol) || Currency::parse(symbol).is_some_and(is_code)
}

/// Maximum length of the symbols of well-known coins; their slugs are longer.
const MAX_KNOWN_SYMBOL: usize = 4;

/// Maximum length of a symbol.
const MAX_SYMBOL: usize = 12;

/// Maximum length of a lower-case symbol; a longer word may be a slug.
const MAX_LOWER_CASE: usize = 5;

/// Maximum length of an upper-case symbol in a field that may also have a name.
const MAX_ASSET: usize = 5;

fn is_own(name: &str, requested: &str) -> bool {
    let same_slug = || pair_name::slug_of(name).zip(pair_name::slug_of(requested)).is_some_and(|(a, b)| a == b);
    is_same(name, requested) || same_slug()
}

/// Ids that CoinMarketCap, CoinGecko and others share.
const KNOWN_IDS: [&str; 8] = ["solana", "dogecoin", "cardano", "tron", "litecoin", "polkadot", "monero", "chainlink"];

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
            ("X:BTCUSD", true),
            ("BINANCE:ETHUSDT", true),
            ("ETHEUR", true),
            ("XXBTZUSD", true),
            ("XBTUSDT", true),
            ("XETHZEUR", true),
            ("X:ORDIUSD", false),
            ("BINANCE:ORDIBTC", false),
            ("BINANCE:BTC", false),
            ("RATSUSDT", false),
            ("USDT/ORDI", true),
            ("EUR-ORDI", true),
            ("XBTUSDTM", true),
            ("BTC-USDT-SWAP", true),
            ("ETHPERP", true),
            ("ORDIUSDTM", false),
            ("ORDI-PERP", false),
            ("1000ORDIUSDT", true),
            ("kORDI", true),
            ("ORDI", false),
            ("ORDI/BTC", false),
            ("ORDIBTC", false),
            ("RATS", false),
            ("price", false),
            ("USDT", false),
        ] {
            assert_eq!(ordi.is_other_symbol(name), is_other, "{name}");
        }
        for (name, is_other) in [
            ("BTC", false),
            ("XXBTZEUR", false),
            ("X:BTCUSD", false),
            ("XBTUSDTM", false),
            ("BTC-PERP", false),
            ("ETHEUR", true),
        ] {
            assert_eq!(RequestedCoin::Slug("bitcoin").is_other_symbol(name), is_other, "{name}");
        }
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
        for (asset, is_other) in [
            ("BTC", true),
            ("bitcoin", true),
            ("solana", true),
            ("ordi", false),
            ("RATS", false),
            ("USDT", false),
            ("EUR", false),
        ] {
            assert_eq!(ordi.is_other_asset(asset), is_other, "{asset}");
        }
        for (symbol, id) in [("ADA", "cardano"), ("LTC", "litecoin"), ("XMR", "monero")] {
            assert!(!RequestedCoin::Symbol(symbol).is_other_id(id), "{id}");
            assert!(!RequestedCoin::Symbol(symbol).is_other_asset(id), "{id}");
        }
    }

    #[test]
    fn another_symbol_is_rejected_if_a_symbol_was_requested() {
        let ordi = RequestedCoin::Symbol("ordi");
        // As a symbol, a pair, and a symbol, slug or name.
        for (name, is_other) in [
            ("RATS", [true, false, true]),
            ("rats", [true, false, false]),
            ("$RATS", [true, false, true]),
            ("RATS/USDT", [true, true, false]),
            ("rats_usdt", [true, true, false]),
            ("RATSUSDT", [true, true, false]),
            ("BYBIT:RATSUSDT", [true, true, false]),
            ("SATS", [true, false, true]),
            ("BTC", [true, true, true]),
            ("ORDI", [false; 3]),
            ("$ordi", [false; 3]),
            ("ORDI-USDT", [false; 3]),
            ("ORDIAUD", [false; 3]),
            ("tORDIUSD", [false; 3]),
            ("1000ORDI", [true; 3]),
            ("1000ORDIUSDT", [true; 3]),
            ("kORDI-PERP", [true; 3]),
            ("ORDIUSDTM", [false; 3]),
            ("ORDI-PERP", [false; 3]),
            ("ORDI_PERP", [false; 3]),
            ("ORDIPERP", [false; 3]),
            ("ORDI-USDT-SWAP", [false; 3]),
            ("ORDIUSDT.P", [false; 3]),
            ("RATS-USDT-SWAP", [true, true, false]),
            ("RATSUSDTM", [true, true, false]),
            ("RATS-PERP", [true, false, false]),
            ("BTC-PERP", [true; 3]),
            ("Ordinals", [false; 3]),
            ("Rats", [false; 3]),
            ("a-service-id", [false; 3]),
            ("25028", [false; 3]),
            ("binance", [false; 3]),
            ("USD", [false; 3]),
            ("EUR/USD", [false; 3]),
            ("USDT", [false; 3]),
            ("老鼠", [false; 3]),
            ("", [false; 3]),
        ] {
            let found = [ordi.is_other_symbol(name), ordi.is_other_pair(name), ordi.is_other_asset(name)];
            assert_eq!(found, is_other, "{name}");
        }
        for (symbol, name) in [
            ("BTC", "XBT"),
            ("BTC", "XXBTZUSD"),
            ("DOGE", "XXDGZUSD"),
            ("RNDR", "RENDER"),
            ("RENDER", "RNDRUSDT"),
            ("MATIC", "POL/USD"),
            ("BTC", "XBTUSDTM"),
            ("RNDR", "RENDERUSDTM"),
            ("1000SATS", "1000SATSUSDT"),
            ("MIOTA", "IOTA"),
        ] {
            assert!(!RequestedCoin::Symbol(symbol).is_other_symbol(name), "{symbol} {name}");
        }
        let sats = [RequestedCoin::Symbol("SATS"), RequestedCoin::Slug("sats-ordinals")];
        assert!(sats.iter().all(|coin| coin.is_other_symbol("1000SATSUSDT") && coin.is_other_pair("1000SATS/USDT")));
        assert!(!RequestedCoin::Slug("1000sats-ordinals").is_other_symbol("1000SATSUSDT"));
        assert!(!RequestedCoin::Slug("1000sats").is_other_symbol("SATS"));
        assert!(!RequestedCoin::Symbol("kUSD").is_other_symbol("USD"), "the currency");
    }
}
