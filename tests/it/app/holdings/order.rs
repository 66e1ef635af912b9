//! The order of the holdings.

use satscope::app::panel::Panel;
use satscope::app::screen::wallet::order::Order;
use satscope::app::{ClickTarget, Session};

use super::*;

/// A lot without a price.
fn unpriced(id: i64, slug: &str, symbol: &str) -> Lot {
    Lot {
        id: LotId(id),
        kind: LotKind::Buy,
        coin: Watched { symbol: symbol.into(), slug: Some(slug.into()), id: None },
        amount: "1".parse().unwrap(),
        price: None,
        fee: None,
        currency: Currency::usd(),
        date: "2026-11-01".parse().unwrap(),
        note: None,
        address: None,
    }
}

#[test]
fn first_row_is_selected_when_the_first_prices_sort_the_holdings() {
    let mut app = without_prices(&Session::default());
    app.answer(&all(1), page(three(), Some(3)));
    let selected = |app: &App| app.state.wallet.selected_holding().unwrap().holding.coin.symbol.clone();
    assert_eq!((app.state.wallet.cursor.index(), selected(&app).as_str()), (0, "BTC"));
    app.key(KeyCode::Down);
    let mut coins = three();
    coins[1].price = Some(1e9);
    app.answer(&all(1), page(coins, Some(3)));
    assert_eq!((app.state.wallet.cursor.index(), selected(&app).as_str()), (0, "ORDI"), "it follows the coin");
}

/// A wallet of two holdings without prices, ORDI before BTC, which is worth more.
fn without_prices(session: &Session) -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let lots = vec![unpriced(1, "ordi", "ORDI"), unpriced(2, "bitcoin", "BTC")];
    app.send(Message::Loaded(Box::new(UserData { lots, session: session.entries(), ..UserData::default() })));
    app.keys("4");
    app
}

#[test]
fn first_prices_do_not_move_the_selection_after_a_key() {
    for (key, symbol) in [("", "BTC"), ("b", "ORDI"), ("y", "ORDI")] {
        let mut app = without_prices(&Session::default());
        app.keys(key);
        app.answer(&all(1), page(three(), Some(3)));
        let selected = app.state.wallet.selected_holding().unwrap();
        assert_eq!(selected.holding.coin.symbol, symbol, "{key:?}");
    }
}

#[test]
fn selected_holding_is_restored_and_stays_when_the_first_prices_sort_the_holdings() {
    for (row, symbol) in [("holding ordi", "ORDI"), ("holding bitcoin", "BTC")] {
        let session = Session { wallet_row: Some(row.into()), ..Session::default() };
        let mut app = without_prices(&session);
        let selected = |app: &App| app.state.wallet.selected_holding().unwrap().holding.coin.symbol.clone();
        assert_eq!(selected(&app), symbol);
        app.answer(&all(1), page(three(), Some(3)));
        assert_eq!(selected(&app), symbol);
        // A lot is not shown at the start; its holding is selected.
        app.keys("l");
        app.key(KeyCode::Down);
        app.key(KeyCode::Up);
        app.key(KeyCode::Down);
        assert!(app.state.wallet.selected_lot().is_some(), "{symbol}");
        assert_eq!(app.state.session().wallet_row.as_deref(), Some(row));
    }
}

/// The symbols of the holdings in their order.
fn order(app: &App) -> Vec<String> {
    app.state.wallet.holdings().valuation().holdings.iter().map(|held| held.holding.coin.symbol.to_string()).collect()
}

#[test]
fn holdings_are_sorted_by_value_change_or_manually() {
    let mut app = wallet();
    for line in ["1 bitcoin", "2 ordi", "3 void"] {
        add(&mut app, line);
    }
    assert_eq!(order(&app), ["BTC", "ORDI", "VOID"]);
    app.keys("sd");
    assert_eq!(order(&app), ["ORDI", "BTC", "VOID"], "the change of BTC is unknown, and VOID has no price");
    app.keys("sv0J");
    assert_eq!((order(&app), app.state.wallet.cursor.index()), (vec!["ORDI".into(), "BTC".into(), "VOID".into()], 1));
    app.keys("JJK");
    assert_eq!((order(&app), app.state.wallet.cursor.index()), (vec!["ORDI".into(), "BTC".into(), "VOID".into()], 1));
    app.keys("u");
    assert_eq!(order(&app), ["ORDI", "VOID", "BTC"], "the last move is undone, and no lot is removed");
    app.keys("uu");
    assert_eq!(order(&app), ["BTC", "ORDI", "VOID"]);
    app.keys("J");
    let session = app.state.session();
    let mut next = wallet();
    let user = app.state.user.current().into_owned();
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..user })));
    assert_eq!(order(&next), ["ORDI", "BTC", "VOID"], "it is remembered");
    next.keys("sv");
    assert_eq!(order(&next), ["BTC", "ORDI", "VOID"]);
    next.keys("sh");
    assert_eq!(order(&next), ["ORDI", "BTC", "VOID"], "the manual order is kept");
}

/// The symbols of the watched coins in their order.
fn watched(app: &App) -> String {
    let symbols: Vec<&str> = app.state.wallet.rows().iter().map(|row| row.watched.symbol.as_str()).collect();
    symbols.join(" ")
}

/// The wallet tab with ORDI and VOID watched, and with ORDI and BTC held.
fn wallet_with_two_watched() -> App {
    let watched = ["ORDI", "VOID"].map(Watched::by_symbol).to_vec();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    for line in ["2 ordi", "1 bitcoin"] {
        add(&mut app, line);
    }
    app
}

#[test]
fn choosing_an_order_of_holdings_only_keeps_watched_coins_in_the_manual_order() {
    let mut app = wallet_with_two_watched();
    app.keys("GK");
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["BTC".into(), "ORDI".into()], "VOID ORDI"));
    let value = Order::ALL.iter().position(|order| *order == Order::Value).unwrap();
    let click = |app: &mut App, panel| drop(app.send(Message::Click(ClickTarget::Heading(panel, value))));
    for keys in ["S", "sr", "S", "s%", "sv"] {
        app.keys(keys);
        assert_eq!(watched(&app), "VOID ORDI", "{keys}");
    }
    for expected in [["ORDI", "BTC"], ["BTC", "ORDI"]] {
        click(&mut app, Some(Panel::Holdings));
        assert_eq!(order(&app), expected);
        assert_eq!(watched(&app), "VOID ORDI");
    }
    app.keys("sn");
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["BTC".into(), "ORDI".into()], "ORDI VOID"));
}

#[test]
fn heading_of_watched_coins_ends_their_manual_order() {
    let mut app = wallet_with_two_watched();
    app.keys("sn");
    app.keys("GK");
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["BTC".into(), "ORDI".into()], "VOID ORDI"));
    let name = Order::ALL.iter().position(|order| *order == Order::Name).unwrap();
    app.send(Message::Click(ClickTarget::Heading(Some(Panel::Holdings), name)));
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["ORDI".into(), "BTC".into()], "VOID ORDI"));
    app.send(Message::Click(ClickTarget::Heading(None, name)));
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["BTC".into(), "ORDI".into()], "ORDI VOID"));
}

#[test]
fn moved_watched_coin_leaves_the_order_of_the_holdings() {
    let mut app = wallet_with_two_watched();
    app.keys("GK");
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["BTC".into(), "ORDI".into()], "VOID ORDI"));
    add(&mut app, "9000 ordi");
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["ORDI".into(), "BTC".into()], "VOID ORDI"), "by value");
    let session = app.state.session();
    let mut next = App::with(app.state.preferences.clone());
    next.answer(&all(1), page(three(), Some(3)));
    let user = app.state.user.current().into_owned();
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..user })));
    next.keys("4");
    assert_eq!((order(&next), watched(&next).as_str()), (vec!["ORDI".into(), "BTC".into()], "VOID ORDI"), "remembered");
    app.keys("uu");
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["BTC".into(), "ORDI".into()], "ORDI VOID"));
    // A moved holding leaves the watched coins as they are shown.
    app.keys("GK0J");
    assert_eq!((order(&app), watched(&app).as_str()), (vec!["ORDI".into(), "BTC".into()], "VOID ORDI"));
    app.keys("sv");
    assert_eq!(watched(&app), "ORDI VOID");
}

#[test]
fn manual_order_is_saved_at_once() {
    let mut app = wallet();
    app.send(Message::Loaded(Box::default()));
    add(&mut app, "1 bitcoin");
    add(&mut app, "2 ordi");
    let session = |effects: Vec<Effect>| match effects.as_slice() {
        [Effect::Save(_, Change::Session(entries))] => entries.get("wallet-by-hand").cloned(),
        other => panic!("{other:?}"),
    };
    // The cursor is on ORDI, below the more valuable bitcoin.
    let moved = session(app.keys("K")).unwrap();
    assert_eq!(moved.lines().count(), 2, "{moved}");
    assert_eq!(app.keys("K"), [], "it is the first row already");
    assert_ne!(session(app.keys("J")), Some(moved));
    session(app.keys("u"));
}

/// The line of the wallet's headings.
fn wallet_headings(screen: &mut Screen) -> (usize, String) {
    let text = screen.text();
    let found = text.lines().enumerate().find(|(_, line)| line.contains("Holding") && line.contains("Value"));
    let (row, line) = found.unwrap_or_else(|| panic!("{text}"));
    (row, line.to_owned())
}

/// Clicks on the wallet's heading with this title.
fn click_heading(screen: &mut Screen, title: &str) {
    let (row, line) = wallet_headings(screen);
    let column = line[..line.find(title).unwrap_or_else(|| panic!("{line}"))].chars().count();
    screen.click(u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
}

/// The first of these symbols that the screen shows in a row of the wallet.
fn first_held(screen: &Screen) -> String {
    screen.state.wallet.holdings().valuation().holdings[0].holding.coin.symbol.to_string()
}

#[test]
fn wallet_is_sorted_by_keys_and_clicks_and_marks_the_column() {
    let preferences = Preferences { watched: Vec::new(), images: false, ..Preferences::default() };
    let mut screen = Screen::with(preferences.clone(), 160, 40);
    screen.serve(indexer::response);
    screen.keys("4a1 bitcoin<enter>a2 ordi<enter>");
    screen.serve(indexer::response);
    let marked = |screen: &mut Screen, title: &str| {
        let (_, line) = wallet_headings(screen);
        assert_eq!(line.matches(['▴', '▾']).count(), usize::from(!title.is_empty()), "{line}");
        assert!(line.contains(title), "{line}");
    };
    marked(&mut screen, "Value▾");
    let largest = first_held(&screen);
    screen.keys("S");
    marked(&mut screen, "Value▴");
    assert_ne!(first_held(&screen), largest, "the smallest value comes first");
    click_heading(&mut screen, "Value");
    marked(&mut screen, "Value▾");
    assert_eq!(first_held(&screen), largest);
    for (title, letter, mark) in
        [("24h", "d", "24h▾"), ("Price", "p", "Price▾"), ("Profit", "r", "Profit▾"), ("Holding", "n", "Holding▴")]
    {
        click_heading(&mut screen, title);
        marked(&mut screen, mark);
        screen.keys("svs");
        assert!(screen.text().contains("(S reverses)"), "{}", screen.text());
        screen.keys(letter);
        marked(&mut screen, mark);
    }
    assert_eq!(first_held(&screen), "BTC", "Bitcoin is before ORDI");
    screen.keys("S");
    marked(&mut screen, "Holding▾");
    assert_eq!(first_held(&screen), "ORDI");
    let session = screen.state.session();
    let mut next = Screen::with(preferences, 160, 40);
    let user = screen.state.user.current().into_owned();
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..user })));
    next.serve(indexer::response);
    marked(&mut next, "Holding▾");
    screen.keys("sh");
    marked(&mut screen, "");
}

#[test]
fn palette_sorts_the_wallet() {
    let mut app = wallet();
    for line in ["1 bitcoin", "2 ordi"] {
        add(&mut app, line);
    }
    app.keys(":");
    app.keys("sort 24h");
    app.key(KeyCode::Enter);
    assert_eq!(order(&app), ["ORDI", "BTC"]);
}

#[test]
fn holdings_without_a_price_come_last_in_both_directions() {
    let mut app = wallet();
    for line in ["1 bitcoin", "2 ordi", "3 void"] {
        add(&mut app, line);
    }
    for key in ["p", "v", "d", "r", "%"] {
        app.keys("s");
        app.keys(key);
        assert_eq!(order(&app)[2], "VOID", "{key}");
        app.keys("S");
        assert_eq!(order(&app)[2], "VOID", "{key}, reversed");
    }
}

#[test]
fn order_by_a_hidden_column_is_named_in_the_first_heading() {
    let mut app = wallet();
    add(&mut app, "2.5 ordi @ 8 2026-11-01");
    app.key(KeyCode::Esc);
    app.keys("sr");
    assert!(app.screen((160, 45)).contains("Profit▾"), "{}", app.screen((160, 45)));
    for size in [(80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("Profit▾") != screen.contains("by profit ▾"), "{screen}");
    }
    assert!(app.screen((40, 12)).contains("by profit ▾"), "{}", app.screen((40, 12)));
}
