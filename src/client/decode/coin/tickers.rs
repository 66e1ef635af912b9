//! Detects exchange tickers instead of coins. Their prices are in the currency of each pair.

use crate::model::Coin;

/// Currencies of pairs, the longest first.
const QUOTES: [&str; 21] = [
    "FDUSD", "USDT", "USDC", "BUSD", "TUSD", "USD", "BTC", "XBT", "ETH", "BNB", "EUR", "GBP", "TRY", "BRL", "KRW",
    "JPY", "IDR", "INR", "AUD", "UAH", "ZAR",
];

/// Minimum length of the symbol before a currency without a separator: `WBTC` and `PYUSD` are coins.
const MIN_BASE: usize = 3;

/// Whether nearly all of these coins, of which some are `without_id`, have only the name of a pair.
pub(super) fn are_tickers(coins: &[Coin], without_id: &[usize]) -> bool {
    let is_ticker = |coin: &&Coin| coin.name == coin.symbol && is_pair(&coin.symbol);
    let tickers = without_id.iter().filter_map(|at| coins.get(*at)).filter(is_ticker).count();
    tickers > 0 && tickers * 10 >= coins.len() * 9
}

/// Whether a symbol is a pair: `BTCUSDT`, `ORDI-USD`, `ORDI/BTC`.
fn is_pair(symbol: &str) -> bool {
    QUOTES.iter().any(|quote| {
        let base = symbol.len().checked_sub(quote.len()).and_then(|at| symbol.split_at_checked(at));
        let Some((base, _)) = base.filter(|(_, end)| end.eq_ignore_ascii_case(quote)) else { return false };
        let name = base.trim_end_matches(['/', '-', '_']);
        !name.is_empty() && (name.len() < base.len() || name.chars().count() >= MIN_BASE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_end_with_another_currency() {
        for symbol in ["BTCUSDT", "btcusdt", "ORDIBTC", "ORDITRY", "X-USD", "A/BTC", "ORDI_USDT"] {
            assert!(is_pair(symbol), "{symbol}");
        }
        for symbol in ["BTC", "USDT", "WBTC", "PYUSD", "stETH", "ORDI", "", "日USD", "-USD"] {
            assert!(!is_pair(symbol), "{symbol}");
        }
    }
}
