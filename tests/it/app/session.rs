//! The session that a start restores.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::Panel;
use satscope::app::screen::list::SortColumn;
use satscope::app::screen::token::{MarketColumn, MarketSort};
use satscope::app::{Effect, Message, Preferences, Session, Tab, demand, next_deadline};
use satscope::client::{Request, ResponseData};
use satscope::model::{CoinId, Currency, Page, Period, Tag};
use satscope::user_data::{UserData, Watched};

use super::fixtures::{App, all, coin, indexer_with, many, page, series, three, token};

/// A start with the session of an earlier run.
fn start(session: Session, preferences: Preferences) -> App {
    let mut app = App::with(preferences);
    app.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    app
}

fn again(app: &App) -> App {
    start(app.state.session(), Preferences::default())
}

fn euro() -> Currency {
    Currency::parse("EUR").unwrap()
}

#[test]
fn tab_sort_period_currency_and_zoom_survive_a_restart() {
    let mut app = App::new();
    assert_eq!(app.state.session(), Session::default(), "configured values are not saved");
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Enter);
    app.keys("]z");
    app.keys("1ceur");
    app.key(KeyCode::Enter);
    app.keys("2sp");
    let mut next = again(&app);
    let state = &next.state;
    assert_eq!((state.tab, state.period, &state.convert), (Tab::List(Tag::Brc20), app.state.period, &euro()));
    assert_eq!(state.list(Tag::Brc20).sort, app.state.list(Tag::Brc20).sort);
    assert_eq!(state.list(Tag::Brc20).sort.column, SortColumn::Price);
    assert_ne!(state.period, Period::Week);
    assert_eq!(next.state.session(), app.state.session());
    let request = Request::Coins { tag: Tag::Brc20, start: 1, limit: 200, convert: euro() };
    assert_eq!(next.wanted().first(), Some(&request.describe()));
    next.keys("1");
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 200, convert: euro() };
    next.answer(&request, page(three(), Some(3)));
    next.key(KeyCode::Enter);
    let token = next.state.token.as_ref().unwrap();
    assert_eq!((token.zoom, token.focus), (true, Panel::Chart));
}

#[test]
fn selected_coin_is_restored_only_from_the_first_page() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(400)));
    (0..7).for_each(|_| drop(app.key(KeyCode::Down)));
    let selected = app.state.list(Tag::All).cursor.key().cloned();
    let mut next = again(&app);
    assert_eq!(next.state.session().coins[0], selected.clone().map(CoinId), "even before its page has arrived");
    next.answer(&all(1), page(many(1, 200), Some(400)));
    let cursor = &next.state.list(Tag::All).cursor;
    assert_eq!((cursor.key().cloned(), cursor.index()), (selected.clone(), 7));
    // A missing coin: the first row is selected, and stays selected.
    let mut next = again(&app);
    next.answer(&all(1), page(many(101, 200), Some(400)));
    assert_eq!(next.state.list(Tag::All).cursor.index(), 0);
    assert_eq!(next.state.session().coins[0], selected.map(CoinId), "kept for the next start");
    // The first row stays the first row, whichever coin it is.
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    let mut next = again(&app);
    let other = vec![coin(1, "ordi", "ORDI", None), coin(2, "bitcoin", "BTC", None)];
    next.answer(&all(1), page(other, Some(2)));
    assert_eq!(next.state.list(Tag::All).cursor.index(), 0);
}

#[test]
fn coin_that_was_found_by_a_search_is_restored() {
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 200), Some(200)));
    app.keys("/c77");
    assert_eq!(app.state.session().coins[0], None, "the query is still being typed");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.session().coins[0], Some(ranked(77)), "although it is the first result");
    app.key(KeyCode::Enter);
    let mut next = again(&app);
    next.answer(&all(1), page(many(1, 200), Some(200)));
    assert_eq!((selected_rank(&next), next.state.list(Tag::All).cursor.index()), (Some(77), 76));
    next.key(KeyCode::Home);
    assert_eq!(next.state.session().coins[0], None);
}

/// A list of 400 coins sorted by price, the most expensive last by rank, with the coin of rank 390 selected: row 10.
fn sorted() -> Session {
    let sort = satscope::app::screen::list::Sort { column: SortColumn::Price, descending: true };
    Session { sorts: [Some(sort), None, None], coins: [Some(ranked(390)), None, None], ..Session::default() }
}

fn ranked(rank: u32) -> CoinId {
    many(rank, 1).remove(0).id
}

fn selected_rank(app: &App) -> Option<u32> {
    app.state.list(Tag::All).selected().and_then(|coin| coin.rank)
}

#[test]
fn selected_token_of_the_indexer_is_restored() {
    let list = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
    let tokens = |tickers: &[&str]| {
        let items: Vec<_> = tickers.iter().map(|ticker| token(ticker)).collect();
        ResponseData::Brc20Tokens(Page { total: Some(items.len() as u64), items })
    };
    let mut app = indexer_with(&["ordi", "sats", "rats"]);
    assert_eq!(app.state.session().selected_ticker, None, "the first one");
    app.keys("j");
    // It is kept by a start that doesn't open the indexer.
    let unopened = again(&again(&app));
    assert_eq!(unopened.state.session().selected_ticker.as_deref(), Some("sats"));
    let mut next = again(&unopened);
    next.keys("5");
    next.answer(&list, tokens(&["rats", "ordi", "sats"]));
    assert_eq!(next.state.indexer.token().as_deref(), Some("sats"), "also in another row");
    let mut gone = again(&unopened);
    gone.keys("5");
    gone.answer(&list, tokens(&["rats", "ordi"]));
    assert_eq!(gone.state.indexer.token().as_deref(), Some("rats"));
}

#[test]
fn selected_token_beyond_the_first_page_is_kept_for_the_next_start() {
    let request = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let tokens = |from: usize| {
        let items: Vec<_> = (from..from + 60).map(|number| token(&format!("t{number:03}"))).collect();
        ResponseData::Brc20Tokens(Page { total: Some(180), items })
    };
    let session = Session { selected_ticker: Some("t100".into()), ..Session::default() };
    let start = |keys: &str| {
        let mut app = start(session.clone(), Preferences::default());
        app.keys("5");
        app.answer(&request(0), tokens(0));
        app.keys(keys);
        app
    };
    let app = start("");
    assert_eq!(app.state.indexer.token().as_deref(), Some("t000"), "the first one meanwhile");
    assert!(app.wanted().iter().all(|wanted| *wanted != request(60).describe()), "{:?}", app.wanted());
    assert_eq!(app.state.session(), Session { tab: Some(Tab::Indexer), ..session.clone() });
    // Until the user selects another one.
    assert_eq!(start("j").state.session().selected_ticker.as_deref(), Some("t001"));
    for keys in ["k", "jk", "/t0", "st"] {
        assert_eq!(start(keys).state.session().selected_ticker, None, "{keys}");
    }
    // On a tall screen, the second page is visible too.
    let mut app = start("1");
    app.send(Message::Resize(120, 100));
    let mut tall = again(&app);
    tall.send(Message::Resize(120, 100));
    tall.keys("5");
    tall.answer(&request(0), tokens(0));
    tall.answer(&request(60), tokens(60));
    assert_eq!(tall.state.indexer.token().as_deref(), Some("t100"));
    tall.answer(&request(0), tokens(0));
    assert_eq!(tall.state.indexer.token().as_deref(), Some("t100"), "after a refresh");
}

/// The symbol of the watched coin selected in the wallet.
fn watched(app: &App) -> String {
    app.state.wallet.selected().map_or_else(String::new, |row| row.watched.symbol.to_string())
}

#[test]
fn selected_row_of_the_wallet_is_restored() {
    let mut app = App::new();
    app.keys("4");
    assert_eq!(app.state.session().wallet_row, None, "the first one");
    app.keys("jj");
    assert_eq!(watched(&app), "SATS");
    // It is kept by a start that doesn't open the wallet.
    let mut unopened = again(&app);
    unopened.keys("1");
    let mut next = again(&unopened);
    next.keys("4");
    assert_eq!(watched(&next), "SATS");
    let request = demand(&next.state).visible[0].clone();
    let response = ["BTC", "ORDI", "SATS", "RATS"].map(|symbol| series(symbol, &symbol.to_lowercase()));
    next.answer(&request, ResponseData::Market(response.to_vec()));
    assert_eq!((watched(&next).as_str(), next.state.wallet.cursor.index()), ("SATS", 2), "after its prices arrived");
    assert_eq!(next.state.session(), app.state.session());
    // Also in another row. A coin that is no longer watched is kept for the next start, until another is selected.
    let with = |watched: &[&str]| {
        let watched = watched.iter().map(|symbol| Watched::by_symbol(symbol)).collect();
        start(app.state.session(), Preferences { watched, ..Preferences::default() })
    };
    assert_eq!(watched(&with(&["SATS", "BTC"])), "SATS");
    let mut gone = with(&["ORDI", "BTC"]);
    assert_eq!((watched(&gone).as_str(), gone.state.session()), ("ORDI", app.state.session()));
    gone.keys("?");
    assert_eq!(gone.state.session().wallet_row, app.state.session().wallet_row);
    gone.key(KeyCode::Esc);
    gone.keys("j");
    assert_eq!(gone.state.session().wallet_row.as_deref(), Some("watched $BTC"));
}

#[test]
fn restored_coin_on_a_later_page_is_selected_when_the_page_arrives() {
    let mut app = start(sorted(), Preferences::default());
    // The wallet doesn't show the list, so the user can't mean one of its coins.
    app.keys("4");
    app.keys("1");
    app.answer(&all(1), page(many(1, 200), Some(400)));
    assert_eq!((selected_rank(&app), app.state.list(Tag::All).cursor.index()), (Some(200), 0), "the top meanwhile");
    assert_eq!(app.state.session(), sorted(), "nothing else is saved meanwhile");
    app.answer(&all(201), page(many(201, 200), Some(400)));
    assert_eq!((selected_rank(&app), app.state.list(Tag::All).cursor.index()), (Some(390), 10));
    assert_eq!(app.state.session(), sorted());
}

#[test]
fn key_while_pages_load_cancels_selecting_the_restored_coin() {
    for (key, saved) in [("?", Some(390)), ("q", Some(390)), ("j", Some(199)), ("k", Some(200)), ("/c1", None)] {
        let mut app = start(sorted(), Preferences::default());
        app.answer(&all(1), page(many(1, 200), Some(400)));
        app.keys(key);
        let before = selected_rank(&app);
        app.answer(&all(201), page(many(201, 200), Some(400)));
        assert_eq!(selected_rank(&app), before, "{key}");
        app.wait(Duration::from_secs(2));
        assert_eq!(selected_rank(&app), before, "{key}: after the rows are sorted");
        assert_eq!(app.state.session().coins[0], saved.map(ranked), "{key}");
    }
}

#[test]
fn pages_are_not_loaded_only_to_find_the_restored_coin() {
    let session = Session { sorts: Default::default(), ..sorted() };
    let mut app = start(session.clone(), Preferences::default());
    app.answer(&all(1), page(many(1, 200), Some(400)));
    assert!(app.wanted().iter().all(|request| *request != all(201).describe()), "{:?}", app.wanted());
    assert_eq!((selected_rank(&app), app.state.session()), (Some(1), session.clone()));
    // The list was shown first: the coin is not selected, but saved again.
    let mut app = App::new();
    app.answer(&all(1), page(many(1, 400), Some(400)));
    app.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    assert_eq!((selected_rank(&app), app.state.session()), (Some(1), session));
    // The list is complete without the coin.
    let mut app = start(sorted(), Preferences::default());
    app.answer(&all(1), page(many(1, 200), Some(200)));
    assert_eq!((selected_rank(&app), &app.state.session().coins[0]), (Some(200), &None));
}

#[test]
fn flag_overrides_session_without_changing_it() {
    let session = Session { convert: Some(euro()), ..Session::default() };
    let pound = Currency::parse("GBP").unwrap();
    let flag = Preferences { convert: pound.clone(), convert_fixed: true, ..Preferences::default() };
    let app = start(session.clone(), flag);
    assert_eq!(app.state.convert, pound);
    assert_eq!(app.state.session().convert, session.convert);
    let file = Preferences { convert: pound, ..Preferences::default() };
    assert_eq!(start(session, file).state.convert, euro(), "the session overrides the file");
}

#[test]
fn late_session_keeps_changes_made_since_start() {
    let session = Session {
        tab: Some(Tab::Wallet),
        sorts: [Some(satscope::app::screen::list::Sort { column: SortColumn::Name, descending: true }); 3],
        convert: Some(euro()),
        ..Session::default()
    };
    let mut app = App::new();
    app.keys("3sn");
    let loaded = || Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() }));
    app.send(loaded());
    assert_eq!(app.state.tab, Tab::List(Tag::BitcoinEcosystem));
    let descending = Tag::ALL.map(|tag| app.state.list(tag).sort.descending);
    assert_eq!(descending, [true, true, false], "the last was sorted by a key");
    assert_eq!(app.state.convert, euro());
    // A session saved later by another instance is ignored.
    app.keys("1");
    app.send(loaded());
    assert_eq!(app.state.tab, Tab::List(Tag::All));
}

#[test]
fn late_session_applies_to_an_open_coin() {
    let session = Session {
        tab: Some(Tab::Wallet),
        market_sort: Some(MarketSort { column: MarketColumn::Price, descending: true }),
        period: Some(Period::Year),
        zoom: Some(Panel::Markets),
        ..Session::default()
    };
    let mut app = App::new();
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Enter);
    app.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    let token = app.state.token.as_ref().unwrap();
    assert_eq!((token.period, token.zoom, token.focus), (Period::Year, true, Panel::Markets));
    let now = app.state.session();
    assert_eq!((now.period, now.zoom, now.market_sort), (session.period, session.zoom, session.market_sort));
    assert_eq!(now.tab, None, "the coin was opened in the first tab");
}

/// The sessions that these effects save.
fn saved(effects: Vec<Effect>) -> Vec<Session> {
    let session = |effect| match effect {
        Effect::SaveSession(entries) => Some(Session::from_entries(&entries)),
        _ => None,
    };
    effects.into_iter().filter_map(session).collect()
}

/// The sessions that are saved within a time without input.
fn saved_within(app: &mut App, span: Duration) -> Vec<Session> {
    let end = app.now.plus(span);
    let mut effects = Vec::new();
    while next_deadline(&app.state) <= end {
        app.now = next_deadline(&app.state);
        effects.extend(app.send(Message::Tick));
    }
    app.now = end;
    saved(effects)
}

#[test]
fn changed_choices_are_saved_once_within_seconds() {
    let mut app = start(Session::default(), Preferences::default());
    app.answer(&all(1), page(three(), Some(3)));
    assert_eq!(saved_within(&mut app, Duration::from_mins(1)), [], "nothing has changed");
    for (keys, what) in [("sp", "order"), ("C J", "columns"), ("2", "tab"), ("4]", "period")] {
        assert_eq!(saved(app.keys(keys)), [], "{what}: not at each key");
        if app.state.overlay.is_some() {
            app.key(KeyCode::Esc);
        }
        assert_eq!(saved_within(&mut app, Duration::from_secs(5)), [app.state.session()], "{what}");
        assert_eq!(saved_within(&mut app, Duration::from_mins(1)), [], "{what}: only once");
    }
    app.keys("1ceur");
    app.key(KeyCode::Enter);
    let after = saved_within(&mut app, Duration::from_secs(5));
    assert_eq!(after, [app.state.session()]);
    assert_eq!((after[0].tab, after[0].convert.as_ref()), (None, Some(&euro())));
    assert!(after[0].columns[0].is_some() && after[0].sorts[0].is_some() && after[0].period.is_some());
    assert_eq!(start(after[0].clone(), Preferences::default()).state.session(), after[0], "the next start has it");
}

#[test]
fn fast_keys_cause_few_writes_and_the_selection_none() {
    let mut app = start(Session::default(), Preferences::default());
    app.answer(&all(1), page(three(), Some(3)));
    let mut writes = 0;
    for keys in ["2", "3", "4", "1"].iter().cycle().take(20) {
        app.now = app.now.plus(Duration::from_millis(500));
        writes += saved(app.keys(keys)).len();
    }
    assert!((1..=4).contains(&writes), "{writes} writes in ten seconds");
    saved_within(&mut app, Duration::from_secs(5));
    app.keys("jk");
    app.key(KeyCode::Down);
    assert_ne!(app.state.session().coins[0], None);
    assert_eq!(saved_within(&mut app, Duration::from_mins(1)), []);
    // What is as before again needs no write.
    app.keys("2");
    app.keys("1");
    assert_eq!(saved_within(&mut app, Duration::from_mins(1)), []);
}

#[test]
fn session_is_not_saved_before_the_previous_one_is_read() {
    let mut app = App::new();
    app.keys("4");
    assert_eq!(saved_within(&mut app, Duration::from_mins(1)), []);
}
