//! Filters of the lists of coins: expressions such as `24h > 5 and cap < 1b`.

mod condition;
mod parse;
mod tags;

pub use condition::{Comparison, Field, Filter};
pub use parse::{FilterError, parse};
pub use tags::{TagCompletion, completed_tag, tag_completions, tag_contains, tag_word};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coin, CoinId, Currency};

    fn parse(text: &str) -> Result<Filter, FilterError> {
        super::parse(text, &Currency::usd())
    }

    fn coin(change: Option<f64>, cap: Option<f64>) -> Coin {
        let mut coin = Coin::new(CoinId("1".into()), "Coin".into(), "C".into());
        (coin.change_24h_pct, coin.market_cap) = (change, cap);
        coin
    }

    #[test]
    fn missing_values_are_neither_above_nor_below() {
        let accepts = |text: &str, coin: &Coin| parse(text).unwrap().accepts(coin);
        let unknown = coin(None, Some(5e8));
        for text in ["24h > 5", "24h <= 5", "not 24h > 5", "24h > 5 and cap < 1b", "not (24h > 5 and cap < 1b)"] {
            assert!(!accepts(text, &unknown), "{text}");
        }
        for text in ["24h > 5 or cap < 1b", "cap < 1b", "not (24h > 5 and cap > 1b)"] {
            assert!(accepts(text, &unknown), "{text}");
        }
        let known = coin(Some(7.5), Some(5e8));
        assert!(accepts("24h > 5 and cap < 1b", &known) && accepts("gainers", &known) && !accepts("losers", &known));
    }

    #[test]
    fn gainers_and_losers_are_decided_by_the_shown_change() {
        let gainers = parse("gainers").unwrap();
        let losers = parse("losers").unwrap();
        for (change, expected) in
            [(0.05, (true, false)), (0.049, (false, false)), (-0.049, (false, false)), (-0.05, (false, true))]
        {
            let coin = coin(Some(change), None);
            assert_eq!((gainers.accepts(&coin), losers.accepts(&coin)), expected, "{change}");
        }
        assert!(parse("not gainers").unwrap().accepts(&coin(Some(0.04), None)));
        assert!(!parse("not gainers").unwrap().accepts(&coin(None, None)));
        assert!(parse("24h > 0").unwrap().accepts(&coin(Some(0.04), None)), "an explicit number is exact");
    }

    #[test]
    fn tags_and_tickers_are_found() {
        let mut coin = coin(None, None);
        assert!(!parse("brc-20").unwrap().accepts(&coin) && !parse("tag meme").unwrap().accepts(&coin));
        coin.tags = ["Memes", "Ordinals"].map(Into::into).into_iter().collect();
        coin.brc20_ticker = Some("coin".into());
        assert!(parse("brc-20 and tag meme").unwrap().accepts(&coin));
        assert!(parse("not tag defi").unwrap().accepts(&coin));
    }
}
