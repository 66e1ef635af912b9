//! The page of an address in the indexer tab.

use satscope::client::{Request, ResponseData};

use crate::support::indexer::{self, HOLDER};
use crate::support::screen::Screen;

/// The page of the address, with the responses of an indexer.
fn page((columns, rows): (u16, u16), service: impl Fn(&Request) -> Option<ResponseData>) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.serve(&service);
    screen.keys("5");
    screen.serve(&service);
    screen.keys(&format!(":{HOLDER}<enter>"));
    screen.serve(&service);
    screen
}

/// The responses of an indexer, with only the first two balances, which have a price.
fn priced(request: &Request) -> Option<ResponseData> {
    let mut response = indexer::response(request);
    if let Some(ResponseData::Balances(page)) = &mut response {
        page.items.truncate(2);
        page.total = Some(2);
    }
    response
}

#[test]
fn total_value_of_the_balances_says_how_many_have_a_price() {
    for (size, total) in [
        ((160, 45), "BRC-20 balances  6 · $110,250 (2 of 6 priced)"),
        ((80, 24), "BRC-20 balances  6 · $110,250 (2 of 6 priced)"),
        // Compact, or none if its number of balances doesn't fit.
        ((76, 24), "BRC-20 balances  6 · $110."),
        ((40, 12), "BRC-20 balances  6\n"),
    ] {
        let text = page(size, indexer::response).text();
        assert!(text.contains(total), "{size:?}: {text}");
        assert_eq!(text.contains("(2 of 6 priced)"), size.0 > 40, "{size:?}: {text}");
        let text = page(size, priced).text();
        assert!(text.contains("BRC-20 balances  2 · $110,250\n"), "all are priced at {size:?}: {text}");
    }
    let without_prices = |request: &Request| match request {
        Request::Coins { .. } => None,
        _ => indexer::response(request),
    };
    let text = page((160, 45), without_prices).text();
    assert!(text.contains("BRC-20 balances  6\n"), "{text}");
}
