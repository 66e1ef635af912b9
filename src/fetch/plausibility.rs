//! Whether a response is plausible beside the known one. A service with a fault may send coins without their prices.

use crate::client::{ErrorKind, Request, ResponseData};

/// Minimum known prices. The few coins at the end of a list may all lose theirs.
const MIN_PRICES: usize = 3;

/// Why a response to the same request as the `known` one is implausible; `None` if it isn't. Only coin lists are
/// checked. A single coin may lose its price, and the trends of a category are only added to the known ones.
pub(super) fn implausible(request: &Request, known: &ResponseData, response: &ResponseData) -> Option<ErrorKind> {
    let (Request::Coins { .. }, ResponseData::Coins(known), ResponseData::Coins(page)) = (request, known, response)
    else {
        return None;
    };
    let known_prices = known.items.iter().filter(|coin| coin.price.is_some()).count();
    let has_prices = page.items.iter().any(|coin| coin.price.is_some());
    (known_prices >= MIN_PRICES && !has_prices).then_some(ErrorKind::NoPrices)
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
    fn list_without_a_price_is_implausible_beside_one_with_prices() {
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
    fn only_coin_lists_are_checked() {
        let stats = Request::CategoryStats { tag: Tag::Brc20, convert: Currency::usd() };
        let by_id = Request::CoinsById { ids: vec![CoinId("coin-1".into())], convert: Currency::usd() };
        for request in [stats, by_id] {
            assert_eq!(implausible(&request, &coins(200, 200), &coins(10, 0)), None, "{request:?}");
        }
    }
}
