//! Lists of several pages: which pages are refreshed and when, and the selection afterwards.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::demand;
use satscope::app::screen::list::{CoinColumn, Sort, SortColumn};
use satscope::app::{ClickTarget, Message, Preferences, Session};
use satscope::client::{Request, ResponseData};
use satscope::fetch::MAX_APP_RESPONSES;
use satscope::keymap::Tab;
use satscope::model::{Coin, Currency, Period, Tag};
use satscope::user_data::UserData;

use super::fixtures::{App, all, coin, many, page, series, three};
use crate::support::screen::Screen;

fn euros(start: u32) -> Request {
    Request::Coins { tag: Tag::All, start, limit: 200, convert: Currency::parse("EUR").unwrap() }
}

/// Four pages of 200 coins, with the coin of rank 701 selected.
fn four_pages() -> App {
    let mut app = App::new();
    for start in [1, 201, 401, 601] {
        app.answer(&all(start), page(many(start, 200), Some(800)));
        app.key(KeyCode::End);
    }
    app.state.list_mut(Tag::All).select(700);
    assert_eq!(app.selected(), "coin-701");
    app
}

#[test]
fn temporarily_short_page_keeps_later_coins() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 72), Some(800)));
    app.key(KeyCode::End);
    app.answer(&all(73), page(many(73, 200), Some(800)));
    app.answer(&all(1), page(many(1, 200), Some(800)));
    for start in [273, 473, 673] {
        app.key(KeyCode::End);
        assert!(demand(&app.state).visible.contains(&all(start)), "{:?}", app.wanted());
        app.answer(&all(start), page(many(start, 200.min(801 - start)), Some(800)));
    }
    app.key(KeyCode::End);
    assert_eq!((app.selected(), app.state.list(Tag::All).cursor.index()), ("coin-800", 799));
}

fn choose(app: &mut App, currency: &str) {
    app.keys("c");
    app.keys(currency);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.convert.as_str().to_lowercase(), currency);
}

#[test]
fn currency_change_in_token_view_requests_the_page_with_its_price() {
    let mut app = four_pages();
    app.key(KeyCode::Enter);
    choose(&mut app, "eur");
    assert!(demand(&app.state).visible.contains(&euros(601)), "{:?}", app.wanted());
    app.answer(&euros(601), page(many(601, 200), Some(800)));
    let id = app.state.token.as_ref().unwrap().id.clone().unwrap();
    assert_eq!(app.state.coin(&id).unwrap().slug.as_deref(), Some("coin-701"));
    choose(&mut app, "usd");
    assert!(demand(&app.state).visible.contains(&all(601)), "and back again");
}

#[test]
fn sats_are_a_currency_with_whole_numbers() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("c");
    assert!(app.screen((120, 35)).contains("SAT   sats"), "{}", app.screen((120, 35)));
    app.key(KeyCode::Esc);
    choose(&mut app, "sat");
    let convert = app.state.convert.clone();
    let in_sats = Request::Coins { tag: Tag::All, start: 1, limit: 200, convert: convert.clone() };
    assert!(demand(&app.state).visible.contains(&in_sats), "{:?}", app.wanted());
    let mut coins = three();
    for (coin, price) in coins.iter_mut().zip([1e8, 20_345.6, 0.0123]) {
        (coin.convert, coin.price) = (convert.clone(), Some(price));
    }
    app.answer(&in_sats, page(coins, Some(3)));
    for size in [(120, 35), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("100,000,000") && screen.contains(" 20,346 ") && screen.contains("0.0123"), "{screen}");
    }
    app.keys("4a2 ordi @ 15000 2026-11-01");
    app.key(KeyCode::Enter);
    let screen = app.screen((120, 35));
    assert!(screen.contains("SAT 40,691") && screen.contains("10,691"), "{screen}");
}

#[test]
fn currency_change_keeps_selected_coin() {
    let mut app = four_pages();
    choose(&mut app, "eur");
    assert_eq!(demand(&app.state).visible, [601, 1, 201, 401].map(euros), "the selected coin's page first");
    for start in [1, 601] {
        assert_eq!(app.selected(), "coin-701");
        app.answer(&euros(start), page(many(start, 200), Some(800)));
    }
    assert_eq!(app.selected(), "coin-701");
    app.answer(&euros(201), page(many(201, 200), Some(800)));
    app.answer(&euros(401), page(many(401, 200), Some(800)));
    assert_eq!((app.selected(), app.state.list(Tag::All).cursor.index()), ("coin-701", 700));
    assert_eq!(app.state.list(Tag::All).total(), Some(800));
}

#[test]
fn coin_missing_in_new_currency_selects_its_neighbour() {
    let mut app = four_pages();
    choose(&mut app, "eur");
    for start in [1, 201, 401] {
        app.answer(&euros(start), page(many(start, 200), Some(600)));
    }
    app.answer(&euros(601), page(Vec::new(), Some(600)));
    assert_eq!(app.selected(), "coin-600");
}

/// Coins with prices in EUR, two thirds of those in USD; the coin of rank 3 has no price.
fn in_euros(from: u32, count: u32) -> Vec<Coin> {
    let mut coins = many(from, count);
    for coin in &mut coins {
        coin.convert = Currency::parse("EUR").unwrap();
        coin.price = coin.price.filter(|_| coin.rank != Some(3)).map(|price| price / 1.5);
    }
    coins
}

#[test]
fn prices_in_different_currencies_are_sorted_apart() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(400)));
    app.key(KeyCode::End);
    app.answer(&all(201), page(many(201, 200), Some(400)));
    app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Price, descending: true });
    let rank = |slug: &&str| slug.strip_prefix("coin-").unwrap().parse::<u32>().unwrap();
    let ranks = |app: &App| app.slugs().iter().map(rank).collect::<Vec<_>>();
    let dollars: Vec<u32> = (1..=400).rev().collect();
    assert_eq!(ranks(&app), dollars);

    choose(&mut app, "eur");
    assert_eq!(ranks(&app), dollars, "as long as all are in the old currency");
    app.answer(&euros(1), page(in_euros(1, 200), Some(400)));
    let euros_first: Vec<u32> = (1..=200).rev().filter(|rank| *rank != 3).chain((201..=400).rev()).chain([3]).collect();
    assert_eq!(ranks(&app), euros_first, "the others in their old order, then what has no price");
    app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Price, descending: false });
    let ascending: Vec<u32> = (1..=200).filter(|rank| *rank != 3).chain(201..=400).chain([3]).collect();
    assert_eq!(ranks(&app), ascending);
    app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Name, descending: true });
    assert_eq!(ranks(&app)[0], 99, "names have no currency");
    app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Price, descending: true });
    app.answer(&euros(201), page(in_euros(201, 200), Some(400)));
    assert_eq!(ranks(&app), (1..=400).rev().filter(|rank| *rank != 3).chain([3]).collect::<Vec<_>>());
}

#[test]
fn sort_and_search_refresh_all_pages() {
    let mut app = four_pages();
    app.key(KeyCode::Home);
    assert_eq!(demand(&app.state).visible, [all(1)]);
    app.keys("sn");
    let mut wanted = demand(&app.state).visible;
    wanted.sort();
    assert_eq!(wanted, [1, 201, 401, 601].map(all));
    app.state.list_mut(Tag::All).sort_by(Sort { column: SortColumn::Rank, descending: false });
    app.key(KeyCode::Home);
    assert_eq!(demand(&app.state).visible, [all(1)], "sorted by rank, only visible rows count");
    app.keys("/coin-7");
    let mut wanted = demand(&app.state).visible;
    wanted.sort();
    assert_eq!(wanted, [1, 201, 401, 601].map(all).into_iter().chain([Request::CoinNames]).collect::<Vec<_>>());
}

#[test]
fn list_age_is_of_its_oldest_page() {
    let mut app = four_pages();
    let first = app.now;
    app.wait(Duration::from_mins(20));
    app.answer(&all(601), page(many(601, 200), Some(800)));
    let (request, at) = app.state.list(Tag::All).oldest(&app.state.convert).unwrap();
    assert_eq!((request, at), (all(1), first));
}

#[test]
fn evicted_page_returns_with_its_age() {
    let mut app = four_pages();
    app.key(KeyCode::Enter);
    for _ in 0..MAX_APP_RESPONSES {
        for key in ["]", "[", "t"] {
            app.keys(key);
        }
        let token = app.state.token.as_mut().unwrap();
        token.slug = Some(format!("other-{}", app.fetches).into());
        token.id = None;
        token.period = Period::Week;
        app.fetches += 1;
        app.wait(Duration::from_secs(10));
    }
    assert!(app.state.responses.coins(&all(601)).entry.is_none(), "forgotten");
    app.key(KeyCode::Esc);
    assert_eq!(app.selected(), "coin-701");
    assert!(app.state.responses.coins(&all(601)).is_stale(app.now), "40 minutes old");
    assert!(
        app.state.responses.coins(&all(601)).entry.is_some_and(|entry| !entry.restored),
        "and not of an earlier run"
    );
    app.fail(&all(601));
    let remote = app.state.responses.coins(&all(601));
    assert!(remote.value.is_some() && remote.failure().is_some() && remote.is_stale(app.now));
}

fn bare(from: u32, count: u32) -> Vec<Coin> {
    let mut coins = many(from, count);
    coins.iter_mut().for_each(|coin| coin.sparkline_7d.clear());
    coins
}

fn trend_requests(app: &App) -> Vec<Request> {
    let requests = demand(&app.state).visible;
    requests.into_iter().filter(|request| matches!(request, Request::MarketData { .. })).collect()
}

#[test]
fn trends_survive_currency_change() {
    let mut app = App::new();
    app.answer(&all(1), page(bare(1, 200), Some(200)));
    let [request] = &trend_requests(&app)[..] else { panic!("one request, for the visible rows") };
    app.answer(request, ResponseData::Market(vec![series("C3", "coin-3")]));
    let trend = |app: &App| {
        let list = app.state.list(Tag::All);
        list.get(2).map(|coin| list.trend(coin).len())
    };
    assert_eq!(trend(&app), Some(5));
    choose(&mut app, "eur");
    app.answer(&euros(1), page(bare(1, 200), Some(200)));
    assert_eq!(trend(&app), Some(5), "the trend stays until the new one arrives");
    choose(&mut app, "usd");
    assert_eq!(trend(&app), Some(5));
}

#[test]
fn trends_are_requested_once_for_visible_rows() {
    let mut app = App::new();
    app.answer(&all(1), page(bare(1, 200), Some(200)));
    let rows = app.state.content_rows();
    for cursor in 0..200 {
        app.state.list_mut(Tag::All).select(cursor);
        let requested: Vec<String> = trend_requests(&app)
            .into_iter()
            .flat_map(|request| match request {
                Request::MarketData { symbols, .. } => symbols,
                _ => Vec::new(),
            })
            .map(|symbol| symbol.to_string())
            .collect();
        for row in cursor.saturating_sub(rows - 1)..(cursor + rows).min(200) {
            assert!(requested.contains(&format!("C{}", row + 1)), "row {row} with the cursor at {cursor}");
        }
    }
    let mut all = std::collections::BTreeSet::new();
    for cursor in 0..200 {
        app.state.list_mut(Tag::All).select(cursor);
        all.extend(trend_requests(&app));
    }
    assert_eq!(all.len(), 200_usize.div_ceil(rows), "each chunk is one request, wherever the cursor is");
}

#[test]
fn coins_without_a_rank_keep_their_place_in_the_order_by_rank() {
    let mut app = App::new();
    let mut coins = many(1, 7);
    // The last two have no market cap.
    for unranked in [1, 3, 5, 6] {
        coins[unranked].rank = None;
    }
    app.answer(&all(1), page(coins, Some(7)));
    let numbers = |app: &App| app.slugs().iter().map(|slug| slug.replace("coin-", "")).collect::<String>();
    assert_eq!(numbers(&app), "1234567");
    app.keys("S");
    assert_eq!(numbers(&app), "5341267");
}

/// Coins with a common name prefix, sorted by rank, with prices in the opposite order.
fn alike() -> App {
    let mut app = App::new();
    let named = |rank, slug: &str, symbol, name: &str, price| {
        let mut coin = coin(rank, slug, symbol, Some(price));
        coin.name = name.into();
        coin
    };
    let coins = vec![
        named(1, "bitcoin", "BTC", "Bitcoin", 2.0),
        named(2, "ethereum", "ETH", "Ethereum", 5.0),
        named(3, "bitcoin-cash", "BCH", "Bitcoin Cash", 1.0),
        named(4, "layer-zero", "BITL", "Layer Zero", 3.0),
        named(5, "tenbitcoin", "TBC", "Ten Bitcoin", 9.0),
    ];
    app.answer(&all(1), page(coins, Some(5)));
    app
}

#[test]
fn selection_stays_at_the_top_of_a_sorted_list_until_the_user_moves_it() {
    let mut screen = Screen::new(120, 24);
    let page = |from: u32, count: u32| page(many(from, count), Some(300));
    let request = |start| Request::Coins { tag: Tag::All, start, limit: 100, convert: Currency::usd() };
    screen.answer(&request(1), page(1, 100));
    // The most expensive coins come last in the order by rank.
    screen.keys("sp");
    let selected = |screen: &Screen| screen.state.list(Tag::All).selected().map(|coin| coin.symbol.to_string());
    assert_eq!(selected(&screen).as_deref(), Some("C100"));
    assert!(screen.text().contains("sorted 100 of 300"), "{}", screen.text());
    screen.answer(&request(101), page(101, 100));
    assert_eq!(selected(&screen).as_deref(), Some("C200"), "the most expensive of all that are loaded");
    assert!(screen.text().contains("sorted 200 of 300"), "{}", screen.text());
    screen.keys("j");
    assert_eq!(selected(&screen).as_deref(), Some("C199"));
    screen.answer(&request(201), page(201, 100));
    assert_eq!(screen.state.list(Tag::All).selected_row(), Some(1), "no row moves after a key");
    assert!(screen.text().contains("sorted 200 of 300"), "{}", screen.text());
    screen.wait(Duration::from_secs(2));
    assert!(!screen.text().contains("sorted"), "all are loaded: {}", screen.text());
    assert_eq!(selected(&screen).as_deref(), Some("C199"), "it moves down with its coin");
    assert_eq!(screen.state.list(Tag::All).selected_row(), Some(101));
    screen.keys("<home>");
    assert_eq!(selected(&screen).as_deref(), Some("C300"));
}

#[test]
fn top_coin_that_was_opened_stays_selected_while_pages_arrive() {
    let mut screen = Screen::new(120, 24);
    let page = |from: u32, count: u32| page(many(from, count), Some(300));
    let request = |start| Request::Coins { tag: Tag::All, start, limit: 100, convert: Currency::usd() };
    screen.answer(&request(1), page(1, 100));
    screen.keys("sp<enter>");
    screen.answer(&request(101), page(101, 100));
    screen.keys("<esc>");
    let selected = screen.state.list(Tag::All).selected().map(|coin| coin.symbol.to_string());
    assert_eq!(selected.as_deref(), Some("C100"), "the coin that was opened");
}

#[test]
fn restored_sort_order_begins_at_the_top() {
    let mut screen = Screen::new(120, 24);
    let session = Session {
        sorts: [Some(Sort { column: SortColumn::Price, descending: true }), None, None],
        ..Session::default()
    };
    let data = UserData { session: session.entries(), ..UserData::default() };
    screen.send(Message::Loaded(Box::new(data)));
    let request = |start| Request::Coins { tag: Tag::All, start, limit: 100, convert: Currency::usd() };
    for start in [1, 101] {
        screen.answer(&request(start), page(many(start, 100), Some(200)));
        assert_eq!(screen.state.list(Tag::All).selected_row(), Some(0), "nobody has selected a coin");
    }
}

#[test]
fn hidden_sort_column_is_named() {
    let preferences = Preferences { columns: vec![CoinColumn::Price], page_size: 100, ..Preferences::default() };
    let mut screen = Screen::with(preferences, 120, 24);
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: Currency::usd() };
    screen.answer(&request, page(many(1, 3), Some(3)));
    screen.keys("sv");
    assert!(screen.text().contains("sorted by volume"), "{}", screen.text());
    screen.keys("Feprice > 1<enter>");
    assert!(screen.text().contains("sorted by volume"), "with a filter: {}", screen.text());
    screen.keys("Fasp");
    assert!(!screen.text().contains("sorted by"), "{}", screen.text());
    // While pages are missing, too.
    let mut screen = Screen::new(80, 24);
    screen.answer(&request, page(many(1, 100), Some(300)));
    screen.keys(">>>>st");
    assert!(screen.text().contains("sorted by trend ▾, 100 of 300"), "{}", screen.text());
}

#[test]
fn sort_menu_fits_into_one_line() {
    for columns in [160, 120] {
        let mut screen = Screen::new(columns, 35);
        let request = Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: Currency::usd() };
        screen.answer(&request, page(many(1, 3), Some(3)));
        screen.keys("s");
        let menu = screen.text().lines().find(|line| line.contains("sort by")).unwrap_or_default().to_owned();
        assert!(menu.contains("1 1h  d 24h  w 7d") && menu.contains("(S reverses)"), "{columns}: {}", screen.text());
    }
}

#[test]
fn key_of_reverse_works_in_the_sort_menu() {
    let mut screen = Screen::new(120, 24);
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: Currency::usd() };
    screen.answer(&request, page(many(1, 3), Some(3)));
    screen.keys("svsS");
    assert!(screen.text().contains("Volume▴") && screen.state.menu.is_none(), "{}", screen.text());
}

#[test]
fn wrong_menu_key_is_explained() {
    let mut screen = Screen::new(120, 24);
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: Currency::usd() };
    screen.answer(&request, page(many(1, 3), Some(3)));
    screen.keys("sz");
    assert!(screen.text().contains("z is not in this menu"), "{}", screen.text());
    screen.keys("<esc>");
    assert!(!screen.text().contains("not in this menu"), "{}", screen.text());
    screen.keys("s2v");
    assert!(screen.text().contains("Volume▾"), "2 is no key of the screen while the menu is open: {}", screen.text());
    screen.keys("szz");
    assert!(screen.text().contains("z is not in this menu · menu closed"), "{}", screen.text());
    screen.keys("2");
    assert_eq!(screen.state.tab, Tab::List(Tag::Brc20), "the menu swallows at most two keys");
}

#[test]
fn equal_search_matches_are_sorted_by_rank() {
    let best = ["bitcoin", "bitcoin-cash", "layer-zero", "tenbitcoin"];
    for column in SortColumn::ALL {
        for descending in [false, true] {
            let mut app = alike();
            app.state.list_mut(Tag::All).sort_by(Sort { column, descending });
            app.keys("/bit");
            assert_eq!(app.slugs(), best, "{column:?} {descending}");
        }
    }
}

#[test]
fn search_results_keep_the_sort_chosen_in_the_search() {
    let mut app = alike();
    app.keys("/bit");
    app.key(KeyCode::Enter);
    app.key(KeyCode::Down);
    assert_eq!(app.state.list(Tag::All).order(), None);
    app.keys("sp");
    let by_price = Some(Sort { column: SortColumn::Price, descending: true });
    assert_eq!(app.state.list(Tag::All).order(), by_price);
    assert_eq!(app.slugs(), ["tenbitcoin", "layer-zero", "bitcoin", "bitcoin-cash"]);
    assert_eq!(app.selected(), "tenbitcoin");
    app.answer(&all(1), {
        let ResponseData::Coins(page) = &**app.state.responses.response(&all(1)).unwrap() else { panic!("coins") };
        ResponseData::Coins(page.clone())
    });
    assert_eq!(app.slugs()[0], "tenbitcoin", "a refresh keeps that order");
    app.key(KeyCode::Esc);
    assert_eq!(app.slugs(), ["tenbitcoin", "ethereum", "layer-zero", "bitcoin", "bitcoin-cash"]);
    assert_eq!(app.state.list(Tag::All).order(), by_price, "and so does the list");
    app.keys("/bit");
    assert_eq!(
        (app.slugs()[0], app.state.list(Tag::All).order()),
        ("bitcoin", None),
        "a new search sorts by match again"
    );
}

#[test]
fn heading_click_sorts_search_results_before_reversing() {
    let mut app = alike();
    app.keys("/bit");
    app.key(KeyCode::Enter);
    let rank = ClickTarget::Heading(None, 0);
    app.send(Message::Click(rank));
    assert_eq!(app.state.list(Tag::All).order(), Some(Sort { column: SortColumn::Rank, descending: false }));
    app.send(Message::Click(rank));
    assert_eq!(app.slugs(), ["tenbitcoin", "layer-zero", "bitcoin-cash", "bitcoin"]);
    app.keys("/-");
    assert_eq!(app.state.list(Tag::All).order(), None, "another text shows its best match first");
}

#[test]
fn opening_first_coin_of_a_partly_loaded_list_shows_a_note() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(1_251)));
    app.keys("sd");
    app.key(KeyCode::Enter);
    assert!(app.state.token.is_some());
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Opened the first loaded coin · 1,248 more loading");
}

#[test]
fn footer_offers_to_stop_loading_unless_pages_fail() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(450)));
    app.keys("sd");
    let footer = |app: &mut App| app.screen((80, 24)).lines().last().unwrap().to_owned();
    assert!(footer(&mut app).contains("Esc stop loading"), "{}", footer(&mut app));
    app.fail(&all(201));
    assert!(!footer(&mut app).contains("Esc"), "{}", footer(&mut app));
    app.answer(&all(201), page(many(201, 200), Some(450)));
    assert!(footer(&mut app).contains("Esc stop loading"), "{}", footer(&mut app));
}

#[test]
fn list_at_its_maximum_length_is_not_still_loading() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 20_000), Some(30_000)));
    app.keys("sd");
    app.key(KeyCode::Enter);
    assert!(app.state.token.is_some());
    assert_eq!(app.state.toast, None, "no more coins are loading");
}

#[test]
fn opened_coin_has_the_newest_values_of_all_lists() {
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.wait(Duration::from_secs(45));
    app.keys("2");
    let tokens = Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: Currency::usd() };
    app.answer(&tokens, page(vec![coin(2, "ordi", "ORDI", Some(9.25))], Some(1)));
    app.key(KeyCode::Enter);
    assert_eq!(app.state.open_coin().and_then(|open| open.coin().price), Some(9.25));
    let screen = app.screen((160, 45));
    let header = screen.lines().nth(1).unwrap();
    assert!(header.contains("$9.25") && header.contains("updated now"), "{screen}");
    let visible = demand(&app.state).visible;
    assert!(visible.contains(&tokens) && !visible.contains(&all(1)), "{visible:?}");
}

#[test]
fn newer_list_without_a_price_does_not_replace_the_price() {
    let tokens = Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: Currency::usd() };
    let mut app = App::new();
    app.answer(&all(1), page(vec![coin(2, "ordi", "ORDI", Some(9.25))], Some(1)));
    app.wait(Duration::from_secs(45));
    app.keys("2");
    app.answer(&tokens, page(vec![coin(2, "ordi", "ORDI", None)], Some(1)));
    app.key(KeyCode::Enter);
    assert_eq!(app.state.open_coin().and_then(|open| open.coin().price), Some(9.25));
    let visible = demand(&app.state).visible;
    assert!(
        visible.contains(&all(1)) && !visible.contains(&tokens),
        "the page with the price is refreshed: {visible:?}"
    );
}

#[test]
fn best_and_worst_may_share_a_symbol() {
    let mut app = App::new();
    let changes = [(1, "pepe-one", 50.0), (2, "pepe-two", -30.0), (3, "mid", 1.0)];
    let coins = changes.map(|(id, slug, change)| {
        let mut coin = coin(id, slug, "PEPE", Some(1.0));
        coin.change_24h_pct = Some(change);
        coin
    });
    app.answer(&all(1), page(coins.to_vec(), Some(3)));
    let screen = app.screen((160, 45));
    assert!(screen.contains("best PEPE +50.0%   worst PEPE −30.0%"), "{screen}");
    app.answer(&all(1), page(vec![coins[0].clone()], Some(1)));
    let screen = app.screen((160, 45));
    assert!(!screen.contains("best ") && !screen.contains("worst "), "a single coin: {screen}");
}
