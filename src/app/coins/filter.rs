//! Filters of the lists of coins: expressions such as `24h > 5 and cap < 1b`.

mod condition;
mod parse;
mod tags;

pub use condition::{Comparison, Field, Filter};
pub use parse::{FilterError, parse, parse_spelled_out};
pub use tags::{TagCompletion, completed_tag, tag_completions, tag_contains, tag_word};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coin, CoinId, Currency};
    use crate::user_data::Watched;
    use crate::user_data::watchlist::ResolvedCoins;

    fn parse(text: &str) -> Result<Filter, FilterError> {
        super::parse(text, &Currency::usd())
    }

    fn accepts(text: &str, coin: &Coin) -> bool {
        parse(text).unwrap().accepts(coin, &ResolvedCoins::default())
    }

    fn coin(change: Option<f64>, cap: Option<f64>) -> Coin {
        let mut coin = Coin::new(CoinId("1".into()), "Coin".into(), "C".into());
        (coin.change_24h_pct, coin.market_cap) = (change, cap);
        coin
    }

    #[test]
    fn missing_values_are_neither_above_nor_below() {
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
    fn fields_have_several_names() {
        let known = coin(Some(7.5), Some(5e8));
        for text in ["1d > 5", "change > 5 mcap < 1b", "Market Cap < 1b", "24h > 5 market cap < 1b", "market cap<1b"] {
            assert!(accepts(text, &known), "{text}");
        }
        assert!(parse("market < 1b").is_err() && parse("cap market < 1b").is_err());
    }

    #[test]
    fn gainers_and_losers_are_decided_by_the_shown_change() {
        for (change, expected) in
            [(0.05, (true, false)), (0.049, (false, false)), (-0.049, (false, false)), (-0.05, (false, true))]
        {
            let coin = coin(Some(change), None);
            assert_eq!((accepts("gainers", &coin), accepts("losers", &coin)), expected, "{change}");
        }
        assert!(accepts("not gainers", &coin(Some(0.04), None)));
        assert!(!accepts("not gainers", &coin(None, None)));
        assert!(accepts("24h > 0", &coin(Some(0.04), None)), "an explicit number is exact");
    }

    #[test]
    fn omitted_and_is_spelled_out() {
        for (text, spelled) in [
            ("gainers", "gainers"),
            ("gainers 24h > 5 and cap < 1b", "gainers and 24h > 5 and cap < 1b"),
            ("24h>5(cap<1b not watched)", "24h>5 and (cap<1b and not watched)"),
            ("tag defi  losers", "tag defi  and losers"),
        ] {
            let (filter, found) = parse_spelled_out(text, &Currency::usd()).unwrap();
            assert_eq!((found.as_str(), Ok(&filter)), (spelled, parse(text).as_ref()), "{text}");
            assert_eq!(parse(spelled), Ok(filter), "{text}");
        }
    }

    #[test]
    fn tags_and_tickers_are_found() {
        let mut coin = coin(None, None);
        assert!(!accepts("brc-20", &coin) && !accepts("tag meme", &coin));
        coin.tags = ["Memes", "Ordinals"].map(Into::into).into_iter().collect();
        coin.brc20_ticker = Some("coin".into());
        assert!(accepts("brc-20 and tag meme", &coin));
        assert!(accepts("not tag defi", &coin));
    }

    #[test]
    fn watched_coins_are_those_of_the_watchlist() {
        let watched = ResolvedCoins::of(&[Watched::from_coin(&coin(None, None))]);
        let other = Coin::new(CoinId("2".into()), "Coin".into(), "C".into());
        for (text, [own, of_other], uses_watchlist, accepts_only_watched) in [
            ("watched", [true, false], true, true),
            ("not watched", [false, true], true, false),
            ("watched and 24h > 5", [false, false], true, true),
            ("24h > 5 or watched", [true, false], true, false),
            ("watched and 24h > 5 or watched", [true, false], true, true),
            ("not brc-20", [true, true], false, false),
        ] {
            let filter = parse(text).unwrap();
            assert_eq!(
                [&coin(None, None), &other].map(|coin| filter.accepts(coin, &watched)),
                [own, of_other],
                "{text}"
            );
            assert_eq!(filter.uses_watchlist(), uses_watchlist, "{text}");
            assert_eq!(filter.accepts_only_watched(), accepts_only_watched, "{text}");
        }
    }
}
