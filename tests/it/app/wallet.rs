//! The wallet: its rows, keys and requests, and the watchlist.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{Link, MarketSeries, Period, Point, Tag};
use satscope::user_data::{Change, UserData, Watched};

use crate::support::indexer;
use crate::support::screen::Screen;

use super::fixtures::{App, START, all, many, page, series, three};

/// A wallet with ORDI, whose coin a list knows, and with two coins that share DOG.
fn wallet() -> App {
    let watched = ["ORDI", "DOG"].map(Watched::by_symbol).to_vec();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    let mut coins = three();
    coins[1].links = [Link { kind: "website".into(), url: "https://ordi.example/".into() }].into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    let response = vec![series("ORDI", "ordi"), series("DOG", "dog-one"), series("DOG", "dog-two")];
    app.answer(&request, ResponseData::Market(response));
    app
}

#[test]
fn wallet_keys_act_on_the_coin_of_the_row() {
    let mut app = wallet();
    assert_eq!(app.keys("yi"), [Effect::Copy("ordi".into())]);
    app.keys("o");
    let Some(Overlay::Links { links, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(links[0].url, "https://ordi.example/");
    app.key(KeyCode::Esc);
    app.key(KeyCode::Enter);
    let token = app.state.token.as_ref().unwrap();
    assert_eq!((token.name.as_str(), token.id.is_some()), ("ordi", true));
    app.key(KeyCode::Esc);
    app.key(KeyCode::Down);
    assert_eq!(app.keys("yi"), [Effect::Copy("dog-one".into())]);
    app.keys("o");
    assert!(app.state.overlay.is_none(), "no list knows it");
    app.keys("!");
    let screen = app.screen((80, 24));
    assert!(screen.contains("› dog-one > 4.2 usd") && screen.contains("dog-one < 3.8 usd"), "{screen}");
    app.key(KeyCode::Esc);
    app.key(KeyCode::Up);
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Unwatch(Watched::by_symbol("ORDI")))]);
    assert_eq!(app.state.watched.coins(), [Watched::by_symbol("DOG")]);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Stopped watching ORDI");
}

#[test]
fn remove_key_on_a_watched_coin_names_the_key_that_stops_watching_it() {
    let mut app = wallet();
    for key in [KeyCode::Char('d'), KeyCode::Delete] {
        assert_eq!(app.key(key), []);
        assert_eq!(app.state.toast.as_ref().unwrap().text, "No lot selected (f: stop watching ORDI)");
    }
}

#[test]
fn title_of_the_watchlist_has_the_accent_while_it_has_the_selection() {
    let is_accented = |screen: &mut Screen| {
        let accent = screen.appearance.theme.title_focused;
        let buf = screen.paint();
        let row = (0..buf.area.height).find(|y| buf.cell((1, *y)).unwrap().symbol() == "W").unwrap();
        let cell = buf.cell((1, row)).unwrap();
        (Some(cell.fg), cell.modifier) == (accent.fg, accent.add_modifier)
    };
    let mut screen = Screen::new(120, 35);
    screen.serve(indexer::response);
    screen.keys("4");
    screen.serve(indexer::response);
    assert!(is_accented(&mut screen), "{}", screen.text());
    screen.keys("a2 ordi<enter>");
    screen.serve(indexer::response);
    screen.keys("<home>");
    assert!(!is_accented(&mut screen), "{}", screen.text());
    screen.keys("<down>");
    assert!(is_accented(&mut screen), "{}", screen.text());
}

#[test]
fn title_of_the_watchlist_has_the_span_of_incomplete_charts() {
    let mut app = wallet();
    // The first points of a year are daily; the last one is current.
    app.keys("]]]");
    for (hours, span) in
        [(364 * 24, ""), (365 * 24, ""), (363 * 24 + 5, ""), (200 * 24, "over 200 d · "), (28, "over 28 h · ")]
    {
        let request = demand(&app.state).visible[0].clone();
        let [first, last] = [hours, 0].map(|hours| Point {
            time: START.minus(Duration::from_hours(hours)),
            price: Some(8.0),
            volume: None,
            market_cap: None,
        });
        let year = MarketSeries { points: vec![first, last], ..series("ORDI", "ordi") };
        app.answer(&request, ResponseData::Market(vec![year]));
        let screen = app.screen((120, 35));
        let title = screen.lines().find(|line| line.contains("Watchlist")).unwrap();
        let shown = title.split("[1Y] All").nth(1).unwrap().trim_start();
        assert_eq!(shown.split("updated").next(), Some(span), "{title}");
    }
}

#[test]
fn charts_of_all_time_have_their_own_starts() {
    let mut app = wallet();
    app.keys("]]]]");
    let request = demand(&app.state).visible[0].clone();
    assert!(matches!(request, Request::MarketData { count: 6_500, .. }), "{request:?}");
    let points = [1_000, 0].map(|days| Point {
        time: START.minus(Duration::from_hours(24) * days),
        price: Some(8.0),
        volume: None,
        market_cap: None,
    });
    let old = MarketSeries { points: points.into(), ..series("ORDI", "ordi") };
    app.answer(&request, ResponseData::Market(vec![old]));
    let screen = app.screen((120, 35));
    assert!(screen.contains("[All]") && screen.contains("each since its first price · "), "{screen}");
}

#[test]
fn range_of_a_period_includes_that_of_the_last_day() {
    for (updated, price, range) in [
        (Some(1), 2.0, ["1.90", "8.50"]),
        (Some(120), 2.0, ["2.00", "7.00"]),
        (None, 2.0, ["2.00", "7.00"]),
        // The list has a price in another unit.
        (Some(1), 200.0, ["2.00", "7.00"]),
    ] {
        let mut app = App::with(Preferences { watched: vec![Watched::by_symbol("ORDI")], ..Preferences::default() });
        let mut coins = three();
        coins[1].price = Some(price);
        (coins[1].low_24h, coins[1].high_24h) = (Some(price * 0.95), Some(price * 4.25));
        coins[1].updated_at = updated.map(|minutes| START.minus(Duration::from_mins(minutes)));
        app.answer(&all(1), page(coins, Some(3)));
        app.keys("4");
        let request = demand(&app.state).visible[0].clone();
        let point = |hours: u64, price: f64| Point {
            time: START.minus(Duration::from_hours(hours)),
            price: Some(price),
            volume: None,
            market_cap: None,
        };
        let points = vec![point(48, 3.0), point(24, 7.0), point(0, 2.0)];
        app.answer(&request, ResponseData::Market(vec![MarketSeries { points, ..series("ORDI", "ordi") }]));
        let screen = app.screen((120, 35));
        let row = screen.lines().find(|line| line.contains(" ORDI ")).unwrap();
        assert!(range.iter().all(|end| row.contains(end)), "{updated:?} {price} {range:?}: {screen}");
    }
}

#[test]
fn watchlist_below_many_holdings_has_a_scrollbar_and_starts_at_its_top() {
    let watched = (1..=8).map(|n| Watched::by_symbol(&format!("WA{n}"))).collect();
    let mut screen = Screen::with(Preferences { watched, images: false, ..Preferences::default() }, 160, 45);
    screen.serve(indexer::response);
    screen.keys("4");
    for n in 9..40 {
        screen.keys(&format!("a2 C{n}<enter>"));
    }
    let row = |screen: &mut Screen, symbol: &str| {
        screen.text().lines().find(|line| line.contains(&format!(" {symbol} "))).map(str::to_owned)
    };
    screen.keys("<end>");
    assert!(row(&mut screen, "WA8").is_some() && row(&mut screen, "WA1").is_none(), "{}", screen.text());
    screen.keys("<home>");
    let first = row(&mut screen, "WA1").unwrap_or_else(|| panic!("{}", screen.text()));
    assert!(first.ends_with('▐') && row(&mut screen, "WA8").is_none(), "{}", screen.text());
}

#[test]
fn change_of_the_list_stays_while_series_load() {
    let mut screen = Screen::new(120, 35);
    screen.serve(indexer::response);
    screen.keys("4");
    let row = |screen: &mut Screen| screen.text().lines().find(|line| line.contains(" ORDI ")).unwrap().to_owned();
    let loading = row(&mut screen);
    screen.serve(indexer::response);
    let loaded = row(&mut screen);
    let change = "▼ 3.8%";
    assert!(loading.contains("Loading…") && !loaded.contains("Loading…"), "{loading}\n{loaded}");
    assert_eq!((loading.find(change), loading.contains(change)), (loaded.find(change), true), "{loading}\n{loaded}");
}

#[test]
fn opening_a_watched_coin_says_whether_it_is_still_loading() {
    let watched = vec![Watched::by_symbol("ORDI")];
    let mut screen = Screen::with(Preferences { watched, ..Preferences::default() }, 160, 45);
    screen.keys("4<enter>");
    assert!(screen.text().contains("ORDI is still loading"), "{}", screen.text());
    screen.start_all();
    screen.keys("<enter>");
    assert!(screen.text().contains("ORDI is still loading"), "{}", screen.text());
    screen.fail_all(&ErrorKind::Refused);
    screen.keys("<enter>");
    assert!(screen.text().contains("No data for this symbol yet"), "{}", screen.text());
}

#[test]
fn unnamed_series_belongs_to_watched_coin() {
    let watched = vec![Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: None }];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    let mut bare = series("ORDI", "ordi");
    (bare.id, bare.slug) = (None, None);
    app.answer(&request, ResponseData::Market(vec![bare]));
    assert_eq!(app.keys("yi"), [Effect::Copy("ordi".into())]);
}

#[test]
fn reordered_wallet_response_keeps_selected_coin() {
    let mut app = wallet();
    let request = demand(&app.state).visible[0].clone();
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    assert_eq!(app.keys("yi"), [Effect::Copy("dog-two".into())]);
    let response = vec![series("DOG", "dog-two"), series("DOG", "dog-one"), series("ORDI", "ordi")];
    app.answer(&request, ResponseData::Market(response));
    assert_eq!(app.keys("yi"), [Effect::Copy("dog-two".into())]);
    assert_eq!(app.state.wallet.cursor.index(), 1);
}

#[test]
fn watch_key_in_token_view_watches_that_token() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(ordi))]);
}

#[test]
fn watch_key_works_for_coin_on_no_list() {
    let mut app = wallet();
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    let dog = Watched { symbol: "DOG".into(), slug: Some("dog-one".into()), id: Some("id-dog-one".into()) };
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(dog))]);
}

#[test]
fn no_coin_is_skipped_after_the_open_one_is_unwatched() {
    for (index, keys) in [(0, [("n", 1), ("n", 2)]), (1, [("n", 2), ("N", 0)]), (2, [("n", 2), ("N", 1)])] {
        let coins = many(1, 3);
        let watched = coins.iter().map(Watched::from_coin).collect();
        let mut app = App::with(Preferences { watched, ..Preferences::default() });
        app.answer(&all(1), page(coins, Some(3)));
        app.keys("4");
        app.keys(&"j".repeat(index));
        app.key(KeyCode::Enter);
        app.keys("f");
        assert_eq!(app.state.watched.coins().len(), 2);
        for (key, shown) in [("", index)].into_iter().chain(keys) {
            app.keys(key);
            assert_eq!(app.state.token.as_ref().unwrap().symbol.as_str(), format!("C{}", shown + 1), "{index} {key}");
        }
    }
}

#[test]
fn bare_symbol_matches_only_watchlist_entries_without_slug() {
    let named = Watched { symbol: "DOG".into(), slug: Some("dog-one".into()), id: None };
    let watched = vec![Watched::by_symbol("ORDI"), named, Watched::by_symbol("DOG")];
    let app = App::with(Preferences { watched, ..Preferences::default() });
    assert_eq!(app.state.watched.indices(&Watched::by_symbol("DOG")), [2]);
}

#[test]
fn links_of_shared_symbol_belong_to_the_selected_row() {
    let watched = vec![Watched::by_symbol("ORDI")];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    let mut coins = three();
    coins[2].symbol = "ORDI".into();
    coins[2].links = [Link { kind: "website".into(), url: "https://void.example/".into() }].into_iter().collect();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, ResponseData::Market(vec![series("ORDI", "ordi"), series("ORDI", "void")]));
    app.keys("o");
    assert!(app.state.overlay.is_none(), "the first row's coin has no links");
    app.key(KeyCode::Down);
    app.keys("o");
    let Some(Overlay::Links { links, .. }) = &app.state.overlay else { panic!("{:?}", app.state.overlay) };
    assert_eq!(links[0].url, "https://void.example/");
}

#[test]
fn wallet_series_are_not_list_trends() {
    let mut app = App::new();
    let mut coins = three();
    coins.iter_mut().for_each(|coin| coin.sparkline_7d.clear());
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, ResponseData::Market(vec![series("ORDI", "ordi")]));
    let list = app.state.list(Tag::All);
    assert!(list.coins().all(|coin| list.trend(coin).is_empty()));
}

#[test]
fn refresh_of_empty_wallet_shows_message() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.keys("4");
    assert_eq!(app.keys("r"), []);
    assert_eq!(app.state.toast.as_ref().map(|toast| toast.text.as_str()), Some("Nothing to refresh"));
}

#[test]
fn wallet_takes_a_hundred_thousand_symbols() {
    let watched = (0..100_000).map(|n| Watched::by_symbol(&format!("C{n}"))).collect();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("4");
    assert_eq!(app.state.wallet.rows().len(), 100_000);
    let wanted = app.wanted();
    assert_eq!(wanted, ["Price history of C0 + 199 more (USD, 1h)"], "only visible rows");
}

#[test]
fn wallet_requests_symbols_in_batches_as_rows_become_visible() {
    let watched = (0..450).map(|n| Watched::by_symbol(&format!("C{n}"))).collect();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.keys("4");
    let response = |app: &mut App, request: Request| {
        let Request::MarketData { symbols, .. } = &request else { panic!("{request:?}") };
        let series = symbols.iter().map(|symbol| series(symbol, &symbol.to_lowercase())).collect();
        app.answer(&request, ResponseData::Market(series));
    };
    let names = [
        "Price history of C0 + 199 more (USD, 1h)",
        "Price history of C200 + 199 more (USD, 1h)",
        "Price history of C400 + 49 more (USD, 1h)",
    ];
    let requests = demand(&app.state).visible;
    assert_eq!(app.wanted(), names[..1]);
    response(&mut app, requests[0].clone());
    let known = |app: &App| app.state.wallet.rows().iter().filter(|row| row.series.is_some()).count();
    assert_eq!(known(&app), 200);
    (0..180).for_each(|_| drop(app.key(KeyCode::Down)));
    let prices = String::from("200 coins by ID");
    assert_eq!(app.wanted(), [names[0], names[1], prices.as_str()], "the selected row's first");
    let requests = demand(&app.state).visible;
    response(&mut app, requests[1].clone());
    assert_eq!(known(&app), 400);
    app.key(KeyCode::End);
    assert_eq!(app.wanted(), names[2..]);
    app.key(KeyCode::Up);
    app.key(KeyCode::Enter);
    assert!(app.state.token.is_none(), "no data for this symbol yet");
    let requests = demand(&app.state).visible;
    response(&mut app, requests[0].clone());
    app.key(KeyCode::Enter);
    assert_eq!(app.state.token.as_ref().unwrap().slug.as_deref(), Some("c448"));
    // A row more than a screen away is not visible.
    app.key(KeyCode::Esc);
    app.key(KeyCode::Home);
    assert_eq!(app.wanted(), [names[0], prices.as_str()]);
}

#[test]
fn wallet_follows_the_period_of_charts() {
    let mut app = App::with(Preferences { period: Period::Quarter, ..Preferences::default() });
    app.keys("4");
    let wants = |app: &App, interval: &str| {
        assert_eq!(app.wanted(), [format!("Price history of BTC + 3 more (USD, {interval})")]);
    };
    wants(&app, "12h");
    for (key, interval) in
        [("]", "1d"), ("]", "1d"), ("[", "1d"), ("[", "12h"), ("[", "4h"), ("[", "1h"), ("[", "15m"), ("[", "15m")]
    {
        app.keys(key);
        wants(&app, interval);
    }
    assert_eq!(app.state.session().period, Some(Period::Day), "it is remembered");
    // The same period as in a token's view.
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("1");
    app.key(KeyCode::Enter);
    app.keys("]]");
    app.key(KeyCode::Esc);
    app.keys("4");
    wants(&app, "4h");

    // A remembered period.
    let mut app = App::new();
    let session = [(String::from("period"), String::from("1D")), (String::from("tab"), String::from("wallet"))];
    app.send(Message::Loaded(Box::new(UserData { session: session.into_iter().collect(), ..UserData::default() })));
    wants(&app, "15m");
}

#[test]
fn click_on_a_period_changes_the_charts() {
    let watched = Preferences::default().watched;
    for (watched, title) in [(watched, "Watchlist"), (Vec::new(), "Value")] {
        let mut screen = Screen::with(Preferences { watched, images: false, ..Preferences::default() }, 120, 40);
        screen.serve(indexer::response);
        screen.keys("4a2 ordi<enter>");
        screen.serve(indexer::response);
        for (period, shown) in [(Period::Month, "1M"), (Period::Day, "1D")] {
            let text = screen.text();
            let (row, line) =
                text.lines().enumerate().find(|(_, line)| line.contains(title) && line.contains("1M")).unwrap();
            let column = line[..line.find(shown).unwrap()].chars().count();
            screen.click(u16::try_from(column).unwrap(), u16::try_from(row).unwrap());
            assert_eq!((screen.state.wallet.period(), screen.state.period), (period, period), "{title}");
        }
    }
}

/// The watched coins, in the order of their rows.
fn order(app: &App) -> String {
    let symbols: Vec<&str> = app.state.wallet.rows().iter().map(|row| row.watched.symbol.as_str()).collect();
    symbols.join(" ")
}

#[test]
fn watched_coins_are_sorted_and_moved_by_keys() {
    let watched = ["ORDI", "SATS", "BTC"].map(Watched::by_symbol).to_vec();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    let priced = |symbol: &str, slug: &str, price: f64| {
        let mut series = series(symbol, slug);
        series.points.iter_mut().for_each(|point| point.price = Some(price));
        series
    };
    let response = vec![priced("ORDI", "ordi", 8.0), priced("SATS", "sats", 1e-7), priced("BTC", "bitcoin", 6e4)];
    app.answer(&request, ResponseData::Market(response));
    assert_eq!(order(&app), "ORDI SATS BTC");
    for (keys, expected) in
        [("S", "BTC SATS ORDI"), ("sp", "BTC ORDI SATS"), ("S", "SATS ORDI BTC"), ("sn", "BTC ORDI SATS")]
    {
        app.keys(keys);
        assert_eq!(order(&app), expected, "{keys}");
    }
    // The manual order begins with the one on the screen, and the selection moves with its coin.
    app.key(KeyCode::Home);
    app.keys("J");
    assert_eq!(order(&app), "ORDI BTC SATS");
    assert_eq!(app.state.wallet.selected().map(|row| row.watched.symbol.as_str()), Some("BTC"));
    app.keys("KK");
    assert_eq!(order(&app), "BTC ORDI SATS");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Already first");
    app.keys("J");
    let session = app.state.session();
    assert_eq!(satscope::app::Session::from_entries(&session.entries()).manual_order, session.manual_order);
    let mut next = App::with(app.state.preferences.clone());
    next.send(Message::Loaded(Box::new(UserData { session: session.entries(), ..UserData::default() })));
    assert_eq!(order(&next), "ORDI BTC SATS", "the order is remembered");
    app.keys("u");
    assert_eq!(order(&app), "BTC ORDI SATS");
}

#[test]
fn watched_coins_are_sorted_again_when_their_prices_arrive_with_a_list() {
    let watched = ["ORDI", "BTC"].map(Watched::by_symbol).to_vec();
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.keys("4sp");
    assert_eq!(order(&app), "ORDI BTC");
    app.answer(&all(1), page(three(), Some(3)));
    assert_eq!(order(&app), "BTC ORDI");
}

#[test]
fn renamed_coin_keeps_its_series_and_delisted_coin_is_marked() {
    let ordi = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
    let gone = Watched { symbol: "GONE".into(), slug: Some("gone".into()), id: Some("id-gone".into()) };
    let mut app = App::with(Preferences { watched: vec![ordi, gone], ..Preferences::default() });
    let mut coins = three();
    coins[1].symbol = "NEW".into();
    app.answer(&all(1), page(coins, Some(3)));
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    let Request::MarketData { symbols, .. } = &request else { panic!("{request:?}") };
    assert_eq!(symbols.as_slice(), ["NEW", "GONE"]);
    app.answer(&request, ResponseData::Market(vec![series("NEW", "ordi")]));
    let rows = app.state.wallet.rows().to_vec();
    assert_eq!((rows[0].series, rows[0].renamed.as_deref()), (Some(0), Some("NEW")));
    assert!(rows[1].series.is_none() && !app.state.is_delisted(&rows[1]));
    let by_id = demand(&app.state).visible.into_iter().find(|it| matches!(it, Request::CoinsById { .. })).unwrap();
    app.answer(&by_id, page(vec![three().swap_remove(1)], Some(1)));
    assert!(app.state.is_delisted(&rows[1]) && !app.state.is_delisted(&rows[0]));
}

#[test]
fn change_of_a_watched_coin_is_that_of_24_hours_in_any_period() {
    let watched = vec![Watched::by_symbol("ORDI")];
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.keys("4");
    let hourly = |hours: i64| {
        let point = |hour: i64| Point {
            time: START.minus(Duration::from_hours((hours - hour) as u64)),
            // A rise by 60 % over the last day, after a long fall.
            price: Some(if hour > hours - 24 { 16.0 } else { 10.0 + (hours - 24 - hour) as f64 }),
            volume: None,
            market_cap: None,
        };
        MarketSeries { points: (0..=hours).map(point).collect(), ..series("ORDI", "ordi") }
    };
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, ResponseData::Market(vec![hourly(168)]));
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("▲60.0%") && screen.contains("24h"), "{screen}");
        assert_eq!(screen.contains("▼89."), size.0 >= 80, "over the period, beside it: {screen}");
    }
    app.keys("]");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, ResponseData::Market(vec![hourly(720)]));
    assert!(app.screen((120, 35)).contains("▲60.0%"), "{}", app.screen((120, 35)));
    // 96 quarters of an hour and the current price: the first is less than a day ago.
    app.keys("[[");
    let request = demand(&app.state).visible[0].clone();
    let quarter = |minutes: u64| Point {
        time: START.minus(Duration::from_mins(minutes)),
        price: Some(if minutes > 1_400 { 10.0 } else { 16.0 }),
        volume: None,
        market_cap: None,
    };
    let points = (0..96).rev().map(|quarters| quarter(quarters * 15 + 7)).chain([quarter(0)]).collect();
    app.answer(&request, ResponseData::Market(vec![MarketSeries { points, ..series("ORDI", "ordi") }]));
    assert!(app.screen((120, 35)).contains("▲60.0%"), "{}", app.screen((120, 35)));
}

#[test]
fn undo_of_watching_keeps_later_changes_of_another_process() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.answer(&all(1), page(three(), Some(3)));
    app.keys("f");
    let bitcoin = Watched { symbol: "BTC".into(), slug: Some("bitcoin".into()), id: Some("id-bitcoin".into()) };
    app.send(Message::Saved(1, Ok(())));
    let mut data = UserData::default();
    data.apply(&Change::Watch(bitcoin.clone()));
    data.apply(&Change::Unwatch(bitcoin));
    app.send(Message::Loaded(Box::new(data)));
    assert_eq!(app.keys("u"), []);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Can't undo: BTC has changed since then");
}

#[test]
fn last_ten_changes_of_the_watchlist_are_undone() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.answer(&all(1), page(many(1, 12), Some(12)));
    app.keys("fjfjfjfjfjfjfjfjfjfjfjf");
    assert_eq!(app.state.watched.coins().len(), 12);
    for left in (2..12).rev() {
        app.keys("u");
        assert_eq!(app.state.watched.coins().len(), left);
    }
    app.keys("u");
    assert_eq!(
        (app.state.watched.coins().len(), app.state.toast.as_ref().unwrap().text.as_str()),
        (2, "Nothing to undo")
    );
}
