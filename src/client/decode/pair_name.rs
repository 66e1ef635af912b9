//! Names of trading pairs and contracts: `ORDI/BTC`, `ORDI-EUR`, `ORDIUSDT`, `BINANCE:ORDIUSDT`, Kraken's `XXBTZEUR`,
//! KuCoin's `XBTUSDTM`, `ORDI-USDT-SWAP`.

use crate::model::Currency;

/// Coins with the price of a dollar. Prices in them count as dollars.
const DOLLAR_COINS: [&str; 8] = ["USDT", "USDC", "FDUSD", "BUSD", "TUSD", "USDP", "PYUSD", "DAI"];

/// Quotes that exchanges append to a symbol without a separator.
const APPENDED: [&str; 17] = [
    "USDT", "USDC", "FDUSD", "BUSD", "TUSD", "USD", "EUR", "GBP", "BTC", "ETH", "BNB", "JPY", "KRW", "TRY", "BRL",
    "IDR", "INR",
];

/// Currencies that exchanges use as quotes and whose codes are not those of coins. The won is handled separately.
const FIAT_QUOTES: [&str; 10] = ["USD", "EUR", "GBP", "JPY", "TRY", "BRL", "IDR", "INR", "SGD", "THB"];

/// What exchanges append to the symbol or pair of a contract.
const CONTRACT_SUFFIXES: [&str; 5] = ["-SWAP", "-PERP", "_PERP", "PERP", ".P"];

/// The currency of prices in this quote; `None` if it is not a currency code.
pub(super) fn currency(quote: &str) -> Option<Currency> {
    match quote.trim() {
        quote if is_dollar_coin(quote) => Some(Currency::usd()),
        quote if quote.eq_ignore_ascii_case("XBT") => Some(Currency::bitcoin()),
        quote => Currency::parse(quote),
    }
}

/// Whether a symbol belongs to a coin with the price of a dollar.
pub(super) fn is_dollar_coin(symbol: &str) -> bool {
    DOLLAR_COINS.iter().any(|known| known.eq_ignore_ascii_case(symbol.trim()))
}

/// Splits the name of a pair into base and quote. After `-` and `_`, only known currencies are quotes, since other
/// words may be part of a symbol (`BTC-B`).
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    let name = without_contract(without_exchange(name));
    if let Some(pair) = split_kraken(name) {
        return Some(pair);
    }
    let (base, quote) = match name.split_once('/') {
        // CCXT writes `ORDI/USDT:USDT`, GeckoTerminal `ORDI / USDT 0.3%`.
        Some((base, quote)) => (base.trim(), quote.trim().split([':', ' ']).next()?),
        None => name.rsplit_once(['-', '_']).filter(|(_, quote)| is_known(quote))?,
    };
    let is_symbol = base.chars().any(char::is_alphanumeric);
    (is_symbol && Currency::parse(quote).is_some()).then_some((base, quote))
}

/// Splits a name like [`split`], but also without a separator if the base is this coin, given by its slug or symbol:
/// `ORDIBTC` for `ordi`. A coin's own symbol may end like a pair, too (`SOLVBTC`); then so does its slug.
pub(super) fn split_of<'n>(name: &'n str, coin: &str) -> Option<(&'n str, &'n str)> {
    let find = |name| {
        split(name).or_else(|| appended(name).find(|(base, quote)| is_base(base, coin) && !contains(coin, quote)))
    };
    find(name).or_else(|| split_bitfinex(name).filter(|(base, _)| is_base(base, coin)))
}

/// Bitfinex's symbols of Tether's dollars and euros.
const TETHERS: [&str; 2] = ["UST", "EUT"];

/// Splits Bitfinex's names of trading pairs: `tBTCUSD`, `tORDI:USD`. The former may also be a pair of the coin `tBTC`.
fn split_bitfinex(name: &str) -> Option<(&str, &str)> {
    let pair = name.trim().strip_prefix('t')?;
    let is_symbol = |word: &str| word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    // There is no colon if both symbols have three characters.
    let (base, quote) = match pair.split_once(':') {
        Some(sides) => sides,
        None => pair.split_at_checked(3).filter(|(_, quote)| quote.len() == 3)?,
    };
    (is_symbol(base) && is_symbol(quote) && (is_known(quote) || TETHERS.contains(&quote))).then_some((base, quote))
}

/// Splits a name that begins with its quote, such as Upbit's `KRW-ORDI` or `USDT-ORDI` for the coin `ORDI`. `None` if the
/// coin may also be the quote, as in `ETH-BTC` and `EUR-USDT`.
pub(super) fn split_quote_first<'n>(name: &'n str, coin: &str) -> Option<(&'n str, &'n str)> {
    let (quote, base) = name.trim().split_once(['-', '_'])?;
    // An exchange may be named `BTC-Alpha`.
    let is_upper_case = |word: &str| word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let is_lower_case = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let is_plain = is_upper_case(quote) && is_upper_case(base) || is_lower_case(quote) && is_lower_case(base);
    let is_coin = base.len() > 1 && usual_symbol(base).eq_ignore_ascii_case(usual_symbol(coin));
    (is_plain && is_coin && is_quote_of(quote, base)).then_some((base, quote))
}

/// Whether the first symbol is certainly the quote of the two.
fn is_quote_of(quote: &str, base: &str) -> bool {
    // Fiat currencies and dollar coins rank equally: either may be the quote of the other.
    let rank = |symbol: &str| match usual_symbol(symbol).to_ascii_uppercase().as_str() {
        "KRW" => 5,
        symbol if FIAT_QUOTES.contains(&symbol) => 4,
        symbol if is_dollar_coin(symbol) => 4,
        "BTC" => 2,
        "ETH" => 1,
        _ => 0,
    };
    rank(quote) > rank(base)
}

/// Splits a name like [`split`], but also without a separator if the base is bitcoin or ether: `BTCUSDT`, `ETHEUR`.
pub(super) fn split_well_known(name: &str) -> Option<(&str, &str)> {
    let is_well_known = |base: &str| base.len() == 3 && slug_of(base).is_some();
    split(name).or_else(|| appended(name).find(|(base, _)| is_well_known(base)))
}

/// Splits a name like [`split`], but also without a separator, whatever the base is. The name may be a coin's: `WBTC`.
pub(super) fn split_any(name: &str) -> Option<(&str, &str)> {
    split(name).or_else(|| appended(name).find(|(base, _)| base.len() > 1))
}

/// The name without a separator, split before each quote that it ends with.
fn appended(name: &str) -> impl Iterator<Item = (&str, &str)> {
    let name = without_contract(without_exchange(name));
    APPENDED.iter().filter_map(move |quote| {
        let (base, end) = name.split_at_checked(name.len().checked_sub(quote.len())?)?;
        end.eq_ignore_ascii_case(quote).then_some((base, end))
    })
}

/// Removes the exchange or kind of market before a symbol or pair: `BINANCE:ORDIUSDT`, Polygon's `X:ORDIUSD`. What is
/// before a currency is the base instead: Bitfinex's `ORDI:USD`.
pub(super) fn without_exchange(name: &str) -> &str {
    let name = name.trim();
    let is_exchange = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match name.split_once(':') {
        Some((exchange, pair)) if is_exchange(exchange) && !pair.is_empty() && !is_known(pair) => pair,
        _ => name,
    }
}

/// The base of a pair, or else the symbol, without an exchange and a contract suffix.
pub(super) fn base_of(name: &str) -> &str {
    split_any(name).map_or_else(|| without_contract(without_exchange(name)), |(base, _)| base)
}

/// Removes the contract suffix of a symbol or pair: `ORDI-PERP`, `ORDI-USDT-SWAP`, `ORDIUSDT.P`, KuCoin's `ORDIUSDTM`.
pub(super) fn without_contract(name: &str) -> &str {
    let is_pair = |name: &&str| {
        let mut bases = ["USDT", "USDC", "USD"].into_iter().filter_map(|quote| name.strip_suffix(quote));
        bases.any(|base| base.len() > 1)
    };
    let ended = || CONTRACT_SUFFIXES.into_iter().find_map(|end| name.strip_suffix(end)).filter(|start| start.len() > 1);
    name.strip_suffix('M').filter(is_pair).or_else(ended).unwrap_or(name)
}

/// Removes the multiplier from a symbol: `SATS` from `1000SATS`, `PEPE` from `1MPEPE` and Hyperliquid's `kPEPE`. `None` if
/// there is none.
pub(super) fn without_multiplier(symbol: &str) -> Option<&str> {
    let thousands = || {
        let zeros = symbol.strip_prefix('1')?;
        let coin = zeros.trim_start_matches('0');
        (zeros.len() - coin.len() >= 3).then_some(coin)
    };
    let is_upper_case = |coin: &&str| coin.bytes().all(|b| b.is_ascii_uppercase());
    let coin = thousands().or_else(|| symbol.strip_prefix("1M").or(symbol.strip_prefix('k')).filter(is_upper_case));
    coin.filter(|coin| coin.len() > 1)
}

/// Splits Kraken's names, which have the kind of currency before each code: `XXBTZEUR`, `XETHXXBT`.
fn split_kraken(name: &str) -> Option<(&str, &str)> {
    let (base, quote) = name.split_at_checked(4).filter(|(_, quote)| quote.len() == 4)?;
    let base = base.strip_prefix('X').filter(|base| base.bytes().all(|b| b.is_ascii_uppercase()))?;
    let fiat = quote.strip_prefix('Z').filter(|quote| is_known(quote));
    let quote = fiat.or_else(|| quote.strip_prefix('X').filter(|quote| matches!(*quote, "XBT" | "ETH")))?;
    Some((base, quote))
}

/// Symbols of renamed coins and symbols on some exchanges, each with the usual one.
const ALIASES: [(&str, &str); 5] =
    [("XBT", "BTC"), ("XDG", "DOGE"), ("BCHSV", "BSV"), ("RENDER", "RNDR"), ("POL", "MATIC")];

/// The usual symbol of a coin that has several.
pub(super) fn usual_symbol(symbol: &str) -> &str {
    let alias = ALIASES.into_iter().find(|(alias, _)| alias.eq_ignore_ascii_case(symbol));
    alias.map_or(symbol, |(_, usual)| usual)
}

/// Whether this may be the symbol of the coin with this slug or symbol.
pub(super) fn is_base(base: &str, coin: &str) -> bool {
    let word = coin.split(['-', '_', '.', ' ']).next().unwrap_or_default();
    let begins = word.get(..base.len()).is_some_and(|start| start.eq_ignore_ascii_case(base));
    let is_alias = usual_symbol(base).eq_ignore_ascii_case(usual_symbol(coin));
    base.len() > 1 && (begins || is_alias || slug_of(base).is_some_and(|slug| slug_of(coin) == Some(slug)))
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
            ("BINANCE:ORDIEUR", "ORDI", "EUR"),
            ("COINBASE:ORDI-EUR", "ORDI", "EUR"),
            ("ORDIUSDTM", "ORDI", "USDT"),
            ("ORDI-USDT-SWAP", "ORDI", "USDT"),
            ("ORDIUSD_PERP", "ORDI", "USD"),
            ("BYBIT:ORDIUSDT.P", "ORDI", "USDT"),
        ] {
            assert_eq!(split_of(name, "ordi"), Some((base, quote)), "{name}");
        }
        for (name, base, quote) in [
            ("BTCEUR", "BTC", "EUR"),
            ("XBTUSDT", "XBT", "USDT"),
            ("XBTUSDTM", "XBT", "USDT"),
            ("XBTUSDM", "XBT", "USD"),
            ("XXBTZEUR", "XBT", "EUR"),
            ("KRAKEN:XBTEUR", "XBT", "EUR"),
        ] {
            assert_eq!(split_of(name, "bitcoin"), Some((base, quote)), "{name}");
            assert_eq!(split_of(name, "BTC"), Some((base, quote)), "{name}");
            assert_eq!(split_well_known(name), Some((base, quote)), "{name}");
        }
        assert_eq!(split_well_known("XETHXXBT"), Some(("ETH", "XBT")));
        for name in ["ORDIUSDT", "BTCB", "WBTC", "USDTUSD", "BTC:USD", "BINANCE:BTC", "XORDIZUSD", "XAAAZAAA"] {
            assert_eq!(split_well_known(name), None, "{name}");
        }
        assert_eq!(split_any("BINANCE:RATSUSDT"), Some(("RATS", "USDT")));
        assert_eq!(split_any("RATS"), None);
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
    fn pair_names_of_upbit_and_bitfinex_are_split() {
        for (name, coin, pair) in [
            ("KRW-BTC", "BTC", Some(("BTC", "KRW"))),
            ("KRW-RATS", "RATS", Some(("RATS", "KRW"))),
            ("KRW-USDT", "USDT", Some(("USDT", "KRW"))),
            ("USDT-ORDI", "ORDI", Some(("ORDI", "USDT"))),
            ("USDT_ordi", "ORDI", None),
            ("usdt_ordi", "ORDI", Some(("ordi", "usdt"))),
            ("USDT-BTC", "BTC", Some(("BTC", "USDT"))),
            ("BTC-ETH", "ETH", Some(("ETH", "BTC"))),
            ("USD-XBT", "BTC", Some(("XBT", "USD"))),
            ("ETH-BTC", "BTC", None),
            ("BTC-USDT", "USDT", None),
            ("EUR-USDT", "USDT", None),
            ("BTC-USD", "BTC", None),
            ("MNT-BTC", "BTC", None),
            ("RON-BTC", "BTC", None),
            ("KRW-BTC", "ORDI", None),
            ("BTC-Alpha", "ALPHA", None),
            ("KRW-", "KRW", None),
            ("KRW-BTC-SWAP", "BTC", None),
        ] {
            assert_eq!(split_quote_first(name, coin), pair, "{name} {coin}");
        }
        for (name, coin, pair) in [
            ("tBTCUSD", "BTC", Some(("BTC", "USD"))),
            ("tBTCJPY", "bitcoin", Some(("BTC", "JPY"))),
            ("tORDI:USD", "ORDI", Some(("ORDI", "USD"))),
            ("tBTCUSD", "TBTC", Some(("tBTC", "USD"))),
            ("tBTC", "BTC", None),
            ("tBTCXYZ", "BTC", None),
            ("tBTCUSD", "ORDI", None),
        ] {
            assert_eq!(split_of(name, coin), pair, "{name} {coin}");
        }
    }

    #[test]
    fn contracts_and_multiples_name_their_coin() {
        for (name, base) in [
            ("ORDI-PERP", "ORDI"),
            ("BTCPERP", "BTC"),
            ("ORDI-USDC-SWAP", "ORDI"),
            ("PERP", "PERP"),
            ("PERPUSDT", "PERP"),
            ("USDM", "USDM"),
            ("WUSDM", "WUSDM"),
            ("ATOM", "ATOM"),
        ] {
            assert_eq!(base_of(name), base, "{name}");
        }
        for (symbol, coin) in [
            ("1000SATS", Some("SATS")),
            ("1000000MOG", Some("MOG")),
            ("1MPEPE", Some("PEPE")),
            ("kPEPE", Some("PEPE")),
            ("1INCH", None),
            ("100X", None),
            ("1000X", None),
            ("1000", None),
            ("kava", None),
            ("KAVA", None),
        ] {
            assert_eq!(without_multiplier(symbol), coin, "{symbol}");
        }
    }

    #[test]
    fn dollar_coins_are_dollars() {
        let codes =
            ["USDT", "usdc", "USD", "EUR", "BTC", "XBT"].map(|quote| currency(quote).unwrap().as_str().to_owned());
        assert_eq!(codes, ["USD", "USD", "USD", "EUR", "BTC", "BTC"]);
    }
}
