//! The sort order of an address's balances.

use std::time::Duration;

use satscope::app::find::palette::Item;
use satscope::app::screen::indexer::{BalanceColumn, BalanceSort, TokenColumn, TokenSort};
use satscope::app::{Message, Overlay, Panel};
use satscope::client::{Request, ResponseData};
use satscope::model::{Balance, Page};
use satscope::user_data::UserData;

use crate::support::indexer;
use crate::support::screen::Screen;

/// How long the order stays after a key.
const ORDER_STAYS: Duration = Duration::from_secs(2);

/// Looks up the address, with the responses of an indexer.
fn look_up_address(screen: &mut Screen, response: impl Fn(&Request) -> Option<ResponseData>) {
    screen.serve(&response);
    screen.keys("5");
    screen.serve(&response);
    screen.keys(&format!(":{}<enter>", indexer::HOLDER));
    screen.serve(&response);
    let text = screen.text();
    assert_eq!(screen.state.indexer.focus, Panel::Balances, "{text}");
}

/// The tickers of the balances, from the first row.
fn tickers(screen: &Screen) -> Vec<String> {
    let list = screen.state.indexer.balance_list(&screen.state.responses).unwrap();
    list.iter().map(|balance| balance.ticker.as_deref().unwrap_or_default().to_owned()).collect()
}

/// The selected balance and its row.
fn selected(screen: &Screen) -> (Option<&str>, usize) {
    let cursor = &screen.state.indexer.balances.cursor;
    (cursor.key().map(|key| key.as_str()), cursor.index())
}

/// The items of the open palette.
fn items(screen: &Screen) -> &[Item] {
    let Some(Overlay::Palette(palette, _)) = &screen.state.overlay else { panic!("the palette is open") };
    &palette.items
}

/// Clicks the title of a column of the balances, which stands in the same line as those of the tokens.
fn click_heading(screen: &mut Screen, title: &str) {
    let text = screen.text();
    let (row, line) = text.lines().enumerate().find(|(_, line)| line.contains("Transferable")).unwrap();
    let column = line[..line.rfind(title).unwrap()].chars().count();
    screen.click(u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
}

/// The responses of an indexer, with a price that makes the third balance the most valuable one.
fn with_priced_rats(request: &Request) -> Option<ResponseData> {
    let mut response = indexer::response(request);
    if let Some(ResponseData::Coins(page)) = &mut response {
        for coin in page.items.iter_mut().filter(|coin| coin.name.as_str() == "rats (Ordinals)") {
            (coin.brc20_ticker, coin.price) = (Some("rats".into()), Some(1.0));
        }
    }
    response
}

const SERVICE: [&str; 6] = ["ordi", "sats", "rats", "nova", "long-x", "聪币"];
const BY_BALANCE: [&str; 6] = ["sats", "long-x", "rats", "聪币", "ordi", "nova"];

fn reversed<const N: usize>(mut order: [&str; N]) -> [&str; N] {
    order.reverse();
    order
}

#[test]
fn balances_are_sorted_by_the_menu_and_reversed() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, with_priced_rats);
    assert_eq!(tickers(&screen), SERVICE);
    assert!(screen.text().contains("s sort"), "{}", screen.text());
    screen.keys("jsb");
    assert_eq!(tickers(&screen), BY_BALANCE);
    assert_eq!(selected(&screen), (Some("sats"), 0));
    assert!(screen.text().contains("Balance▾"), "{}", screen.text());
    screen.keys("S");
    assert_eq!(tickers(&screen), reversed(BY_BALANCE));
    assert_eq!(selected(&screen), (Some("nova"), 0));
    assert!(screen.text().contains("Balance▴"), "{}", screen.text());
    // Unknown values come last in both directions, in the order of the service.
    screen.keys("sv");
    assert_eq!(tickers(&screen), ["rats", "ordi", "sats", "nova", "long-x", "聪币"]);
    screen.keys("S");
    assert_eq!(tickers(&screen), ["sats", "ordi", "rats", "nova", "long-x", "聪币"]);
    screen.keys("st");
    assert_eq!(tickers(&screen), ["long-x", "nova", "ordi", "rats", "sats", "聪币"]);
    screen.keys("sa");
    assert_eq!(tickers(&screen), BY_BALANCE, "by the available part");
    screen.keys("sr");
    assert_eq!(tickers(&screen), reversed(SERVICE), "by the transferable part");
    screen.keys("so");
    assert_eq!((tickers(&screen), screen.state.indexer.balance_sort), (SERVICE.map(String::from).to_vec(), None));
}

#[test]
fn unsorted_balances_cannot_be_reversed() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, indexer::response);
    screen.keys("S");
    let text = screen.text();
    assert!(text.contains("sort by") && text.contains("transferable") && !text.contains("reverses"), "{text}");
    screen.keys("b");
    assert_eq!(tickers(&screen), BY_BALANCE);
    screen.keys("s");
    assert!(screen.text().contains("(S reverses)"), "{}", screen.text());
    screen.keys("S");
    assert_eq!(tickers(&screen), reversed(BY_BALANCE));
}

#[test]
fn nothing_is_sorted_without_balances() {
    fn loading(request: &Request) -> Option<ResponseData> {
        if matches!(request, Request::Brc20Balances { .. }) { None } else { indexer::response(request) }
    }
    fn none(request: &Request) -> Option<ResponseData> {
        let empty = || ResponseData::Balances(Page { items: Vec::new(), total: Some(0) });
        if matches!(request, Request::Brc20Balances { .. }) { Some(empty()) } else { indexer::response(request) }
    }
    for response in [loading, none] {
        let mut screen = Screen::new(160, 45);
        look_up_address(&mut screen, response);
        for sort in [None, Some(BalanceSort::from(BalanceColumn::Value))] {
            screen.state.indexer.balance_sort = sort;
            for key in ["s", "S"] {
                screen.keys(key);
                assert!(screen.state.menu.is_none(), "{:?}", screen.state.menu);
                assert!(screen.text().contains("Nothing to sort here"), "{}", screen.text());
                assert_eq!(screen.state.indexer.balance_sort, sort);
            }
        }
        // The palette sorts the tokens beside them.
        screen.keys(":sort ticker reverse<enter>");
        assert_eq!(screen.state.indexer.sort, TokenSort { column: TokenColumn::Ticker, descending: true });
    }
}

#[test]
fn click_on_a_heading_sorts_the_balances() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, indexer::response);
    let tokens = screen.state.indexer.sort;
    for (title, marks, column) in [
        ("Ticker", ["Ticker▴", "Ticker▾"], BalanceColumn::Ticker),
        ("Balance", ["Balance▾", "Balance▴"], BalanceColumn::Balance),
        ("Value", ["Value▾", "Value▴"], BalanceColumn::Value),
        ("Available", ["Available▾", "Available▴"], BalanceColumn::Available),
        ("Transferable", ["Transferable▾", "Transferable▴"], BalanceColumn::Transferable),
    ] {
        for mark in marks {
            click_heading(&mut screen, title);
            assert!(screen.text().contains(mark), "{mark}: {}", screen.text());
            assert_eq!(screen.state.indexer.balance_sort.map(|sort| sort.column), Some(column));
        }
    }
    assert_eq!(screen.state.indexer.sort, tokens, "the tokens beside them keep their order");
}

#[test]
fn sort_column_of_the_balances_is_visible() {
    let mut screen = Screen::new(80, 24);
    look_up_address(&mut screen, indexer::response);
    for (key, title) in [("r", "Transferable▾"), ("a", "Available▾"), ("v", "Value▾")] {
        screen.keys("s");
        screen.keys(key);
        assert!(screen.text().contains(title), "{title}: {}", screen.text());
    }
}

#[test]
fn palette_sorts_the_balances() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, indexer::response);
    screen.keys(":sort available reverse<enter>");
    assert_eq!(tickers(&screen), reversed(BY_BALANCE));
    assert_eq!(screen.state.indexer.focus, Panel::Balances);
}

#[test]
fn palette_sorts_the_tokens_beside_the_balances() {
    for (typed, column) in [
        ("sort events", TokenColumn::Events),
        ("sort minted", TokenColumn::Minted),
        ("sort deployed", TokenColumn::Deployed),
    ] {
        let mut screen = Screen::new(160, 45);
        look_up_address(&mut screen, indexer::response);
        screen.keys(&format!(":{typed} reverse<enter>"));
        assert_eq!(screen.state.indexer.sort, TokenSort { column, descending: false });
        assert_eq!((screen.state.indexer.focus, screen.state.indexer.balance_sort), (Panel::Tokens, None));
    }
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, indexer::response);
    screen.keys(":sort minted");
    let Item { title, keys, letter, .. } = &items(&screen)[0];
    assert_eq!((title.as_str(), keys, letter), ("sort by minted", &None, &None), "the menu is that of the balances");
    // A title of both lists sorts the focused one.
    screen.keys("<esc>:sort ticker reverse");
    let reversed = items(&screen).iter().filter(|item| item.title == "sort by ticker, Z to A");
    assert_eq!(reversed.count(), 1, "{:?}", items(&screen));
    let tokens = screen.state.indexer.sort;
    screen.keys("<enter>");
    let ticker = BalanceSort { column: BalanceColumn::Ticker, descending: true };
    assert_eq!((screen.state.indexer.sort, screen.state.indexer.balance_sort), (tokens, Some(ticker)));
}

#[test]
fn order_of_the_balances_survives_a_restart() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, indexer::response);
    screen.keys("svS");
    let sort = BalanceSort { column: BalanceColumn::Value, descending: false };
    let session = screen.state.session();
    assert_eq!(session.balance_sort, Some(sort));
    let mut next = Screen::new(160, 45);
    next.serve(indexer::response);
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    look_up_address(&mut next, indexer::response);
    assert_eq!(tickers(&next)[..2], ["sats", "ordi"]);
    // A choice made before the session arrived is kept.
    let mut late = Screen::new(160, 45);
    look_up_address(&mut late, indexer::response);
    late.keys("sb");
    late.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    assert_eq!(tickers(&late), BY_BALANCE);
}

/// An address with 130 balances, the largest last.
fn many(request: &Request) -> Option<ResponseData> {
    let Request::Brc20Balances { offset, limit, .. } = request else { return indexer::response(request) };
    let balance = |n: u64| Balance {
        ticker: Some(format!("t{n:03}").into()),
        available: None,
        transferable: None,
        overall: Some(indexer::units(n)),
    };
    let items = (0..130).skip(*offset as usize).take(*limit as usize).map(balance).collect();
    Some(ResponseData::Balances(Page { items, total: Some(130) }))
}

#[test]
fn sorted_balances_are_loaded_completely() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, many);
    assert_eq!(tickers(&screen).len(), 60, "only what is visible");
    screen.keys("sb");
    assert!(screen.text().contains("130 · 60 loaded"), "{}", screen.text());
    screen.serve(many);
    assert_eq!((tickers(&screen).len(), selected(&screen)), (130, (Some("t129"), 0)));
    assert!(!screen.text().contains("130 · "), "{}", screen.text());
    // Another response doesn't move the selection to another balance.
    let request = screen.state.indexer.balances_request().unwrap()(0);
    let Some(ResponseData::Balances(mut page)) = many(&request) else { panic!() };
    page.items[0].overall = Some(indexer::units(500));
    screen.answer(&request, ResponseData::Balances(page));
    assert_eq!((tickers(&screen)[0].as_str(), selected(&screen)), ("t000", (Some("t129"), 1)));
}

#[test]
fn selection_that_the_user_moved_stays_while_balances_load() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, many);
    screen.keys("sbjj");
    assert_eq!(selected(&screen), (Some("t057"), 2));
    screen.serve(many);
    assert_eq!(selected(&screen), (Some("t057"), 72));
}

#[test]
fn first_row_stays_selected_until_prices_arrive() {
    let without_prices = |request: &Request| match request {
        Request::Coins { .. } => None,
        _ => with_priced_rats(request),
    };
    for moves in [false, true] {
        let mut screen = Screen::new(160, 45);
        look_up_address(&mut screen, without_prices);
        screen.keys("sv");
        assert_eq!((tickers(&screen), selected(&screen)), (SERVICE.map(String::from).to_vec(), (Some("ordi"), 0)));
        if moves {
            screen.keys("j");
        }
        screen.serve(with_priced_rats);
        screen.wait(ORDER_STAYS);
        assert_eq!(tickers(&screen)[..3], ["rats", "ordi", "sats"]);
        assert_eq!(selected(&screen), if moves { (Some("sats"), 2) } else { (Some("rats"), 0) });
    }
}

#[test]
fn balance_sort_applies_to_earlier_addresses() {
    let mut screen = Screen::new(160, 45);
    look_up_address(&mut screen, indexer::response);
    for typed in ["block 840000", indexer::HOLDER] {
        screen.keys(&format!(":{typed}<enter>"));
        screen.serve(indexer::response);
    }
    screen.keys("sb<esc><esc>");
    assert_eq!(screen.state.indexer.trail.len(), 1, "{}", screen.text());
    assert_eq!(tickers(&screen), BY_BALANCE);
}
