//! Names of figures that are not prices.

use super::field::Field;
use crate::client::decode::field_name::same_name;
use crate::client::decode::names::Names;
use crate::model::Currency;

/// The names of figures that are not prices.
const FIGURES: [&str; 25] = [
    "market cap",
    "market capitalization",
    "market capitalisation",
    "marketcap",
    "mcap",
    "volume",
    "volumes",
    "dominance",
    "hash rate",
    "hashrate",
    "transactions",
    "supply",
    "tvl",
    "value locked",
    "active addresses",
    "addresses",
    "holders",
    "open interest",
    "difficulty",
    "funding rate",
    "volatility",
    "revenue",
    "percent",
    "percentage",
    "%",
];

/// Words that may stand beside the name of a figure. A name with any other word may be that of a coin, or mention its
/// price.
const FILLERS: [&str; 45] = [
    "total",
    "global",
    "trading",
    "traded",
    "circulating",
    "max",
    "maximum",
    "confirmed",
    "unique",
    "active",
    "number",
    "count",
    "of",
    "the",
    "in",
    "per",
    "and",
    "a",
    "by",
    "fully",
    "diluted",
    "average",
    "hourly",
    "daily",
    "weekly",
    "monthly",
    "hour",
    "day",
    "week",
    "month",
    "24h",
    "24",
    "h",
    "hours",
    "1d",
    "7d",
    "30d",
    "change",
    "chart",
    "history",
    "historical",
    "th",
    "gh",
    "eh",
    "s",
];

/// Values that are not prices, in addition to the names of volumes and market caps.
const NOT_PRICES: [&str; 14] = [
    "total_volume",
    "total_volumes",
    "volumes",
    "market_caps",
    "cap",
    "mcap",
    "supply",
    "circulating_supply",
    "total_supply",
    "dominance",
    "tvl",
    "holders",
    "transactions",
    "open_interest",
];

/// Maximum characters of a name that are searched.
const MAX_NAME: usize = 200;

/// Whether a name is certainly that of market caps, volumes or other figures, and of nothing else.
pub(super) fn names_figure(name: &str) -> bool {
    let (mut words, mut is_lower) = (String::from(" "), false);
    for c in name.chars().take(MAX_NAME) {
        let is_word = c.is_alphanumeric();
        if !is_word && !words.ends_with(' ') || c.is_uppercase() && is_lower {
            words.push(' ');
        }
        if is_word {
            words.extend(c.to_lowercase());
        } else if c == '%' {
            words.push_str("% ");
        }
        is_lower = c.is_lowercase();
    }
    words.push(' ');
    let mut has_figure = false;
    for figure in FIGURES {
        // The spaces stay: the words beside it need them to match.
        let found = format!(" {figure} ");
        while words.contains(&found) {
            has_figure = true;
            words = words.replacen(&found, "  ", 1);
        }
    }
    let is_money = |word: &str| Currency::parse(word).is_some_and(|currency| currency.exists() && !currency.is_coin());
    has_figure && words.split_whitespace().all(|word| FILLERS.contains(&word) || is_money(word)) || is_not_price(name)
}

/// Whether values of this name are volumes, market caps or other figures, not prices.
pub(in crate::client::decode) fn is_not_price(name: &str) -> bool {
    let is_figure = |(field, names): &(Field, &[&str])| {
        matches!(field, Field::Volume | Field::MarketCap) && names.iter().any(|known| same_name(known, name))
    };
    Field::ALL.iter().any(is_figure) || NOT_PRICES.iter().any(|known| same_name(known, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_distinguished_from_prices_and_coins() {
        for name in [
            "Market Capitalization (USD)",
            "marketCap",
            "Market Cap (USD)",
            "Trading volume",
            "24h volume",
            "Dominance (%)",
            "Hash Rate",
            "hashRate",
            "Hash Rate TH/s",
            "Total Hash Rate (TH/s)",
            "Confirmed Transactions Per Day",
            "Circulating supply",
            "TVL",
            "Total value locked",
            "active_addresses",
            "Change in %",
            "volume",
            "cap",
        ] {
            assert!(names_figure(name), "{name}");
        }
        for name in [
            "Market Price (USD)",
            "Bitcoin price, market cap and volume",
            "Bitcoin (BTC) - market cap, volume",
            "Market Cap Rank #1: Bitcoin",
            "BTC/USD close and volume",
            "BTC/USD trades",
            "Last trades of the day",
            "Volume-weighted average price",
            "Volume-weighted average",
            "Volatility Protocol Token",
            "Crypto Volatility Token",
            "BTC Standard Hashrate Token",
            "Volume Network",
            "Supply Finance",
            "Percent Finance",
            "market_chart",
            "ORDI",
            "Bitcoin",
            "Index",
            "market",
            "",
        ] {
            assert!(!names_figure(name), "{name}");
        }
    }
}
