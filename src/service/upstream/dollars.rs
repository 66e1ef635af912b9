//! Requests ask providers for US dollars. Amounts in another currency would be mistaken for dollars, so they are
//! removed.

use super::error::{SourceError, SourceResult};
use crate::client::ResponseData;
use crate::model::{Coin, Currency, MarketPair};

/// Removes the money of coins and market pairs in another currency. Returns their number, and the currency of one of
/// them.
///
/// # Errors
/// All items are in another currency.
pub(super) fn remove_other_currencies(response: &mut ResponseData) -> SourceResult<Option<(usize, Currency)>> {
    match response {
        ResponseData::Coins(page) => remove(&mut page.items, |coin| &mut coin.convert, remove_coin_money),
        ResponseData::MarketPairs(page) => remove(&mut page.items, |pair| &mut pair.convert, remove_pair_money),
        _ => Ok(None),
    }
}

fn remove<T>(
    items: &mut [T],
    currency: impl Fn(&mut T) -> &mut Currency,
    remove_money: impl Fn(&mut T),
) -> SourceResult<Option<(usize, Currency)>> {
    let (usd, count) = (Currency::usd(), items.len());
    let (mut removed, mut other) = (0, None);
    for item in items {
        if *currency(item) != usd {
            other = Some(std::mem::replace(currency(item), usd.clone()));
            remove_money(item);
            removed += 1;
        }
    }
    match other {
        Some(other) if removed == count => Err(SourceError::unexpected_format(format!("prices in {other}"))),
        other => Ok(other.map(|other| (removed, other))),
    }
}

fn remove_coin_money(coin: &mut Coin) {
    coin.remove_money();
    // The price change in another currency is different.
    (coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct) = (None, None, None);
}

fn remove_pair_money(pair: &mut MarketPair) {
    pair.money_fields().into_iter().for_each(|amount| *amount = None);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CoinId, Page};

    fn coin(currency: &str) -> Coin {
        let mut coin = Coin::new(CoinId("a".into()), "A".into(), "A".into());
        coin.convert = Currency::parse(currency).unwrap();
        coin.price = Some(1.5);
        coin.change_24h_pct = Some(2.0);
        coin.sparkline_7d = vec![1.0, 1.5];
        coin
    }

    #[test]
    fn money_in_another_currency_is_removed() {
        let page = |currencies: &[&str]| {
            let items: Vec<Coin> = currencies.iter().map(|currency| coin(currency)).collect();
            ResponseData::Coins(Page { total: None, items })
        };
        let mut mixed = page(&["USD", "BTC"]);
        assert_eq!(remove_other_currencies(&mut mixed).unwrap(), Some((1, Currency::bitcoin())));
        let ResponseData::Coins(mut coins) = mixed else { panic!("coins") };
        assert_eq!(coins.items[0], coin("USD"));
        assert_eq!(coins.items[1].money_mut().count(), 0, "no kind of money is left");
        assert_eq!(coins.items[1].change_24h_pct, None, "it was the change of the price in BTC");
        assert_eq!(coins.items[1].convert, Currency::usd());
        let error = remove_other_currencies(&mut page(&["EUR", "EUR"])).unwrap_err();
        assert_eq!(error.to_string(), "Unknown response format: prices in EUR");
        assert_eq!(remove_other_currencies(&mut page(&[])).unwrap(), None);
    }
}
