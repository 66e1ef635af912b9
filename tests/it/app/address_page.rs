//! The page of an address in the indexer tab.

use satscope::app::{Effect, Message, Overlay, Preferences};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{BitcoinBalance, ProviderName};
use satscope::user_data::{Notice, UserData};

use crate::support::indexer::{self, HOLDER};
use crate::support::screen::Screen;

/// The page of the address, with the responses of an indexer.
fn page((columns, rows): (u16, u16), service: impl Fn(&Request) -> Option<ResponseData>) -> Screen {
    let mut screen = Screen::new(columns, rows);
    open_page(&mut screen, service);
    screen
}

/// Opens the page of the address.
fn open_page(screen: &mut Screen, service: impl Fn(&Request) -> Option<ResponseData>) {
    screen.serve(&service);
    screen.keys("5");
    screen.serve(&service);
    screen.keys(&format!(":{HOLDER}<enter>"));
    screen.serve(&service);
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

/// The responses of an indexer, with an unconfirmed change of the bitcoin balance, in sats.
fn with_unconfirmed(unconfirmed: i64) -> impl Fn(&Request) -> Option<ResponseData> {
    move |request| match request {
        Request::BitcoinBalance { address } => Some(ResponseData::BitcoinBalance(BitcoinBalance {
            address: address.clone(),
            confirmed: 200_000_000_000,
            unconfirmed,
        })),
        _ => indexer::response(request),
    }
}

fn is_bitcoin(request: &Request) -> bool {
    matches!(request, Request::BitcoinBalance { address } if address == HOLDER)
}

fn wants_bitcoin(screen: &Screen) -> bool {
    screen.wanted().iter().any(is_bitcoin)
}

/// The responses of an indexer without bitcoin balances.
fn without_bitcoin(request: &Request) -> Option<ResponseData> {
    if is_bitcoin(request) { None } else { indexer::response(request) }
}

#[test]
fn bitcoin_balance_is_beside_the_address() {
    for (size, value) in [((160, 45), " · $25,229"), ((80, 24), ""), ((40, 12), "")] {
        let mut screen = page(size, indexer::response);
        assert!(screen.text().contains(&format!("f3t4   0.412003 BTC{value}\n")), "{size:?}: {}", screen.text());
    }
    for (unconfirmed, words) in [(5_000, " +0.00005 unconfirmed"), (-150_000_000, " −1.5 unconfirmed")] {
        let mut screen = page((99, 35), with_unconfirmed(unconfirmed));
        assert!(screen.text().contains(&format!("   2,000 BTC{words}\n")), "{}", screen.text());
    }
    // Nothing waits for it while only the inscriptions are visible, or if the subject isn't a valid address.
    let mut screen = page((40, 12), without_bitcoin);
    assert!(wants_bitcoin(&screen) && screen.text().contains("loading BTC…"), "{}", screen.text());
    screen.keys("<tab>");
    assert!(!wants_bitcoin(&screen) && !screen.text().contains("BTC…"), "{}", screen.text());
    screen.keys(":address bc1qto<enter>");
    let is_any = |request: &Request| matches!(request, Request::BitcoinBalance { .. });
    assert!(!screen.wanted().iter().any(is_any), "{:?}", screen.wanted());
}

#[test]
fn missing_bitcoin_balance_has_a_reason_unless_the_service_has_none() {
    let mut screen = page((120, 35), without_bitcoin);
    let request = screen.wanted().into_iter().find(is_bitcoin).unwrap();
    screen.fail(&request, ErrorKind::Refused);
    let text = screen.text();
    assert!(text.contains("BTC: Can't reach coins.example (connection refused)"), "{text}");
    screen.fail(&request, ErrorKind::NotFound { message: None });
    assert!(!wants_bitcoin(&screen) && !screen.text().contains("BTC:"), "{}", screen.text());
}

#[test]
fn failed_refresh_keeps_the_bitcoin_balance_beside_its_reason() {
    for (size, reason) in [
        ((160, 45), "bitcoin balance: Can't reach coins.example (connection refused) · retrying in 30 s"),
        ((120, 35), "bitcoin balance: connection refused · retrying in 30 s"),
        ((80, 24), "bitcoin balance: connection refused"),
    ] {
        let mut screen = page(size, indexer::response);
        let request = screen.wanted().into_iter().find(is_bitcoin).unwrap();
        screen.fail(&request, ErrorKind::Refused);
        let text = screen.text();
        assert!(text.contains("0.412003 BTC") && text.contains(reason), "{size:?}: {text}");
    }
}

#[test]
fn bitcoin_balance_is_requested_only_after_its_provider_is_confirmed() {
    let preferences = Preferences {
        live: Some(true),
        address_receivers: vec![ProviderName::UniSat],
        balance_receivers: vec![ProviderName::Mempool],
        ..Preferences::default()
    };
    let mut screen = Screen::with(preferences, 120, 35);
    // Confirmed before this page had bitcoin balances.
    let notices = [Notice::AddressLookup].into();
    screen.send(Message::Loaded(Box::new(UserData { notices, ..UserData::default() })));
    screen.keys("5");
    screen.serve(indexer::response);
    screen.keys(&format!(":{HOLDER}<enter>"));
    assert!(matches!(screen.state.overlay, Some(Overlay::AddressNotice { .. })), "{}", screen.text());
    assert!(screen.text().contains("mempool.space") && !wants_bitcoin(&screen), "{}", screen.text());
    screen.keys("<enter>");
    assert!(wants_bitcoin(&screen), "{:?}", screen.wanted());
}

/// Another address with a valid checksum.
const OTHER: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";

/// The page of [`HOLDER`] while amounts are hidden, with `own` as the only address of the wallet.
fn page_while_hidden(
    (columns, rows): (u16, u16),
    own: &str,
    service: impl Fn(&Request) -> Option<ResponseData>,
) -> Screen {
    let mut screen = Screen::new(columns, rows);
    screen.keys(&format!("4A{own}<enter>H1"));
    open_page(&mut screen, service);
    screen
}

/// The words of the screen, with one space between them.
fn words(screen: &mut Screen) -> String {
    screen.text().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn page_of_a_wallet_address_hides_amounts() {
    for size in [(160, 45), (80, 24), (40, 12)] {
        let mut screen = page_while_hidden(size, HOLDER, indexer::response);
        let text = screen.text();
        assert!(text.contains("f3t4   ••• BTC\n"), "{text}");
        for amount in ["0.412003", "7,000", "58,870", "704.5", "$110"] {
            assert!(!text.contains(amount), "{amount} at {size:?}: {text}");
        }
        assert!(words(&mut screen).contains("ordi •••"), "{text}");
    }
    let mut screen = page_while_hidden((160, 45), HOLDER, indexer::response);
    screen.keys(&format!("<esc>:address bitcoin:{HOLDER}<enter>"));
    screen.serve(indexer::response);
    assert!(screen.text().contains("f3t4   ••• BTC\n"), "{}", screen.text());
    for (unconfirmed, bitcoin) in [(5_000, "••• BTC +•••"), (-150_000_000, "••• BTC −•••")] {
        let mut screen = page_while_hidden((160, 45), HOLDER, with_unconfirmed(unconfirmed));
        let words = words(&mut screen);
        let rows = ["ordi ••• ••• ••• •••", "nova ••• — ••• •••"];
        for part in [bitcoin, "6 · ••• (2 of 6 priced)"].into_iter().chain(rows) {
            assert!(words.contains(part), "{part}: {}", screen.text());
        }
    }
    // The amounts of others stay visible.
    let mut screen = page_while_hidden((160, 45), OTHER, indexer::response);
    let words = words(&mut screen);
    for part in ["0.412003 BTC", "6 · $110,250 (2 of 6 priced)", "ordi 7,000 58,870 7,000 0"] {
        assert!(words.contains(part), "{part}: {}", screen.text());
    }
}

#[test]
fn hidden_balances_of_an_address_are_not_copied() {
    for (own, offers_balance, row) in [
        (HOLDER, false, "ordi\tbalance •••\tavailable •••\ttransferable •••"),
        (OTHER, true, "ordi\tbalance 7000\tavailable 7000\ttransferable 0"),
    ] {
        let mut screen = page_while_hidden((120, 35), own, indexer::response);
        screen.keys("y");
        assert_eq!(words(&mut screen).contains("b balance"), offers_balance, "{}", screen.text());
        screen.effects.clear();
        screen.keys("r");
        assert_eq!(screen.effects, [Effect::Copy(row.to_owned())]);
    }
}
