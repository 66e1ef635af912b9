//! Names of trading pairs: `ORDI/BTC`, `ORDI-EUR`, `ORDIUSDT`.

use crate::model::Currency;

/// Coins with the price of a dollar. Prices in them count as dollars.
const DOLLAR_COINS: [&str; 8] = ["USDT", "USDC", "FDUSD", "BUSD", "TUSD", "USDP", "PYUSD", "DAI"];

/// Quotes that exchanges append to a symbol without a separator.
const APPENDED: [&str; 17] = [
    "USDT", "USDC", "FDUSD", "BUSD", "TUSD", "USD", "EUR", "GBP", "BTC", "ETH", "BNB", "JPY", "KRW", "TRY", "BRL",
    "IDR", "INR",
];

/// The currency of prices in this quote; `None` if it is no code.
pub(super) fn currency(quote: &str) -> Option<Currency> {
    if is_dollar_coin(quote) { Some(Currency::usd()) } else { Currency::parse(quote) }
}

/// Whether a symbol is that of a coin with the price of a dollar.
pub(super) fn is_dollar_coin(symbol: &str) -> bool {
    DOLLAR_COINS.iter().any(|known| known.eq_ignore_ascii_case(symbol.trim()))
}

/// Splits the name of a pair into base and quote. After `-` and `_`, only known currencies are quotes, since other
/// words may be part of a symbol (`BTC-B`).
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    let name = name.trim();
    let name = name.strip_prefix("X:").unwrap_or(name);
    let (base, quote) = match name.split_once('/') {
        // CCXT writes `ORDI/USDT:USDT`, GeckoTerminal `ORDI / USDT 0.3%`.
        Some((base, quote)) => (base.trim(), quote.trim().split([':', ' ']).next()?),
        None => name.rsplit_once(['-', '_']).filter(|(_, quote)| is_known(quote))?,
    };
    let is_symbol = base.chars().any(char::is_alphanumeric);
    (is_symbol && Currency::parse(quote).is_some()).then_some((base, quote))
}

/// Like [`split`], but also without a separator if the base is this coin, given by its slug or symbol: `ORDIBTC` for
/// `ordi`. A coin's own symbol may end like a pair, too (`SOLVBTC`); then so does its slug.
pub(super) fn split_of<'n>(name: &'n str, coin: &str) -> Option<(&'n str, &'n str)> {
    split(name).or_else(|| {
        let name = name.trim();
        let name = name.strip_prefix("X:").unwrap_or(name);
        APPENDED.iter().find_map(|quote| {
            let (base, end) = name.split_at_checked(name.len().checked_sub(quote.len())?)?;
            let is_pair = end.eq_ignore_ascii_case(quote) && is_base(base, coin) && !contains(coin, quote);
            is_pair.then_some((base, end))
        })
    })
}

/// Whether this may be the symbol of the coin with this slug.
fn is_base(base: &str, coin: &str) -> bool {
    let word = coin.split(['-', '_', '.', ' ']).next().unwrap_or_default();
    let begins = word.get(..base.len()).is_some_and(|start| start.eq_ignore_ascii_case(base));
    base.len() > 1 && (begins || slug_of(base).is_some_and(|slug| slug.eq_ignore_ascii_case(coin)))
}

fn contains(coin: &str, quote: &str) -> bool {
    coin.to_ascii_uppercase().contains(quote)
}

fn is_known(quote: &str) -> bool {
    is_dollar_coin(quote) || Currency::parse(quote).is_some_and(|quote| quote.exists())
}

/// The slug of a coin that others are traded against, by its slug or symbol.
pub(super) fn slug_of(name: &str) -> Option<&'static str> {
    let name = if name.eq_ignore_ascii_case("XBT") { "BTC" } else { name };
    ["BTC", "ETH", "USDT", "USDC"].into_iter().find_map(|symbol| {
        let slug = Currency::parse(symbol)?.coin_slug()?;
        (name.eq_ignore_ascii_case(symbol) || name.eq_ignore_ascii_case(slug)).then_some(slug)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pair_names_are_split_into_base_and_quote() {
        for (name, base, quote) in [
            ("ORDI/BTC", "ORDI", "BTC"),
            ("ORDI-EUR", "ORDI", "EUR"),
            ("ordi_usdt", "ordi", "usdt"),
            ("ORDIBTC", "ORDI", "BTC"),
            ("ORDIFDUSD", "ORDI", "FDUSD"),
            ("X:ORDIUSD", "ORDI", "USD"),
            ("ORDI / WBTC 0.3%", "ORDI", "WBTC"),
            ("ORDI/USDT:USDT", "ORDI", "USDT"),
        ] {
            assert_eq!(split_of(name, "ordi"), Some((base, quote)), "{name}");
        }
        assert_eq!(split_of("BTCEUR", "bitcoin"), Some(("BTC", "EUR")));
        for (name, coin) in [
            ("ORDI", "ordi"),
            ("BTC-B", "bitcoin"),
            ("WBTC", "wrapped-bitcoin"),
            ("stETH", "staked-ether"),
            ("SOLVBTC", "solv-protocol-solvbtc"),
            ("CBBTC", "coinbase-wrapped-btc"),
            ("ORDI-PERP", "ordi"),
            ("PEPEBTC", "ordi"),
            ("", "ordi"),
            ("/", "ordi"),
        ] {
            assert_eq!(split_of(name, coin), None, "{name}");
        }
    }

    #[test]
    fn dollar_coins_are_dollars() {
        let codes = ["USDT", "usdc", "USD", "EUR", "BTC"].map(|quote| currency(quote).unwrap().as_str().to_owned());
        assert_eq!(codes, ["USD", "USD", "USD", "EUR", "BTC"]);
    }
}
