//! Checks whether a response is plausible compared with the previous one. A service with a fault may send coins without
//! their prices, or only a part of its list.

use crate::client::{ErrorKind, Request, ResponseData};

/// Minimum known prices. The few coins at the end of a list may all lose theirs.
const MIN_PRICES: usize = 3;

/// Minimum known coins for the length check. Short lists change more.
const MIN_COINS: usize = 20;

/// Why a response to the same request as the `known` one is implausible; `None` if it isn't. Only coin lists are
/// checked. A single coin may lose its price, and the trends of a category are only added to the known ones.
pub(super) fn implausible(request: &Request, known: &ResponseData, response: &ResponseData) -> Option<ErrorKind> {
    let (Request::Coins { start, limit, .. }, ResponseData::Coins(known), ResponseData::Coins(page)) =
        (request, known, response)
    else {
        return None;
    };
    let known_prices = known.items.iter().filter(|coin| coin.price.is_some()).count();
    let has_prices = page.items.iter().any(|coin| coin.price.is_some());
    if known_prices >= MIN_PRICES && !has_prices {
        return Some(ErrorKind::NoPrices);
    }
    let (found, known) = (page.items.len(), known.items.len());
    // A long list that loses a few coins may lose most of its last page.
    let is_last_page = *start > 1 && known < *limit as usize;
    let is_too_short = !is_last_page && known >= MIN_COINS && found.saturating_mul(2) < known;
    is_too_short.then_some(ErrorKind::TooFewCoins { found, known })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coin, CoinId, Currency, Page, Tag, Text};

    /// A list of `count` coins, the first `priced` of them with a price.
    fn coins(count: usize, priced: usize) -> ResponseData {
        let coin = |n: usize| {
            let name = Text::from(format!("coin-{n}"));
            let coin = Coin::new(CoinId(name.clone()), name.clone(), name);
            Coin { price: (n < priced).then_some(1.5), ..coin }
        };
        ResponseData::Coins(Page { items: (0..count).map(coin).collect(), total: None })
    }

    fn page(start: u32) -> Request {
        Request::Coins { tag: Tag::All, start, limit: 200, convert: Currency::usd() }
    }

    #[test]
    fn list_without_prices_is_implausible_after_one_with_prices() {
        for (start, known, new, is_implausible) in [
            (1, (200, 200), (200, 0), true),
            (1, (200, 3), (200, 0), true),
            (201, (3, 3), (3, 0), true),
            (1, (200, 200), (200, 1), false),
            (1, (200, 2), (200, 0), false),
            (1, (200, 0), (200, 0), false),
        ] {
            let found = implausible(&page(start), &coins(known.0, known.1), &coins(new.0, new.1));
            assert_eq!(found == Some(ErrorKind::NoPrices), is_implausible, "{start}: {known:?}, {new:?}: {found:?}");
        }
    }

    #[test]
    fn list_with_fewer_than_half_of_the_known_coins_is_implausible() {
        for (start, known, found, is_implausible) in [
            (1, 200, 40, true),
            (1, 200, 99, true),
            (1, 200, 100, false),
            (1, 200, 0, true),
            (1, 20, 9, true),
            (1, 19, 1, false),
            (1, 40, 200, false),
            (201, 200, 99, true),
            // The last page.
            (201, 199, 40, false),
        ] {
            let expected = is_implausible.then_some(ErrorKind::TooFewCoins { found, known });
            let seen = implausible(&page(start), &coins(known, 0), &coins(found, 0));
            assert_eq!(seen, expected, "{start}: {known}, {found}");
        }
    }

    #[test]
    fn only_coin_lists_are_checked() {
        let stats = Request::CategoryStats { tag: Tag::Brc20, convert: Currency::usd() };
        let by_id = Request::CoinsById { ids: vec![CoinId("coin-1".into())], convert: Currency::usd() };
        for request in [stats, by_id] {
            assert_eq!(implausible(&request, &coins(200, 200), &coins(10, 0)), None, "{request:?}");
        }
    }
}
