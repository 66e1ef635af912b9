//! Lists whose pages come from several providers.

use std::time::Duration;

use crossterm::event::KeyCode;
use satscope::app::{Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::fetch::Receipt;
use satscope::model::{Currency, Page, Tag, Text};

use super::fixtures::{App, all, many, page, token};

/// Answers with a page of 200 coins from a provider that has 600.
fn answer_of(app: &mut App, provider: &'static str, start: u32) {
    app.wait(Duration::from_secs(1));
    let first = if provider.starts_with("coingecko") { 10_000 + start } else { start };
    let of_provider = |receipt| Receipt { provider: Some(Text::const_new(provider)), ..receipt };
    app.answer_as(&all(start), page(many(first, 200), Some(600)), of_provider);
}

/// The numbers of listed coins of CoinMarketCap and of CoinGecko.
fn counts(app: &App) -> (usize, usize) {
    let slugs = app.slugs();
    let others = slugs.iter().filter(|slug| slug.len() == "coin-10000".len()).count();
    (slugs.len() - others, others)
}

#[test]
fn rows_of_two_providers_never_mix() {
    let mut app = App::new();
    answer_of(&mut app, "coinmarketcap", 1);
    app.key(KeyCode::End);
    answer_of(&mut app, "coinmarketcap", 201);
    app.key(KeyCode::End);
    assert!(app.wanted().contains(&"Coin list 401–600".to_owned()), "{:?}", app.wanted());
    // The service has switched to another provider, since the first one fails for this page.
    answer_of(&mut app, "coingecko, coinpaprika", 401);
    assert_eq!(counts(&app), (400, 0));
    assert!(app.state.list(Tag::All).is_loading());
    for start in ["Coin list 1–200", "Coin list 201–400"] {
        assert!(app.wanted().contains(&start.to_owned()), "{:?}", app.wanted());
    }
    for (start, expected) in [(1, (400, 0)), (201, (0, 600))] {
        answer_of(&mut app, "coingecko", start);
        assert_eq!(counts(&app), expected);
    }
    assert!(!app.state.list(Tag::All).is_loading());
}

#[test]
fn rows_stay_while_a_page_in_sight_is_missing_from_the_next_provider() {
    let mut app = App::new();
    answer_of(&mut app, "coinmarketcap", 1);
    app.key(KeyCode::End);
    answer_of(&mut app, "coinmarketcap", 201);
    app.key(KeyCode::End);
    for minutes in [0, 5, 10, 15, 20, 25] {
        answer_of(&mut app, "coingecko", 1);
        app.fail(&all(201));
        assert_eq!((counts(&app), app.selected()), ((400, 0), "coin-400"), "{minutes}");
        let is_stale = app.state.list(Tag::All).is_kept_and_stale(1, app.now);
        assert_eq!(is_stale, minutes > 5, "{minutes}");
        app.wait(Duration::from_mins(5));
    }
    answer_of(&mut app, "coingecko", 1);
    assert_eq!(counts(&app), (0, 200), "after half an hour");
    assert!(app.wanted().contains(&"Coin list 201–400".to_owned()), "{:?}", app.wanted());
    // Back to the first provider, whose second page is still known.
    answer_of(&mut app, "coinmarketcap", 1);
    assert_eq!(counts(&app), (400, 0));
}

#[test]
fn rows_stay_for_half_an_hour_while_responses_alternate_between_providers() {
    let mut app = App::new();
    for start in [1, 201, 401] {
        answer_of(&mut app, "coinmarketcap", start);
        app.key(KeyCode::End);
    }
    for minutes in [0, 5, 10, 15, 20, 25] {
        answer_of(&mut app, "coingecko", 201);
        answer_of(&mut app, "coinmarketcap", 1);
        assert_eq!(counts(&app), (600, 0), "{minutes}");
        let is_stale = |start| app.state.list(Tag::All).is_kept_and_stale(start, app.now);
        assert_eq!((is_stale(1), is_stale(201)), (false, minutes > 5), "{minutes}");
        app.wait(Duration::from_mins(5));
    }
    answer_of(&mut app, "coingecko", 1);
    assert_eq!(counts(&app), (0, 400), "after half an hour");
}

#[test]
fn sorted_list_switches_without_the_pages_that_are_not_kept_fresh() {
    let mut app = App::with(Preferences { page_size: 2_500, ..Preferences::default() });
    let answer = |app: &mut App, provider: &'static str, first: u32, start: u32| {
        app.wait(Duration::from_secs(1));
        let request = Request::Coins { tag: Tag::All, start, limit: 2_500, convert: Currency::usd() };
        let of_provider = |receipt| Receipt { provider: Some(Text::const_new(provider)), ..receipt };
        app.answer_as(&request, page(many(first, 2_500), Some(7_500)), of_provider);
    };
    app.keys("sp");
    answer(&mut app, "coinmarketcap", 1, 1);
    app.key(KeyCode::End);
    for start in [2_501, 5_001] {
        answer(&mut app, "coinmarketcap", start, start);
    }
    assert_eq!(counts(&app), (7_500, 0));
    answer(&mut app, "coingecko", 10_001, 1);
    assert_eq!(counts(&app), (7_500, 0));
    answer(&mut app, "coingecko", 12_501, 2_501);
    assert_eq!(counts(&app), (0, 5_000));
}

#[test]
fn no_row_moves_after_a_key_while_pages_of_another_provider_are_missing() {
    let mut app = App::new();
    for start in [1, 201, 401] {
        answer_of(&mut app, "coinmarketcap", start);
        app.key(KeyCode::End);
    }
    app.keys("sp");
    answer_of(&mut app, "coingecko", 401);
    app.wait(Duration::from_secs(10));
    app.key(KeyCode::Down);
    let mut coins = many(1, 200);
    coins[4].price = Some(900.0);
    app.wait(Duration::from_secs(1));
    let of_provider = |receipt| Receipt { provider: Some(Text::const_new("coinmarketcap")), ..receipt };
    app.answer_as(&all(1), page(coins, Some(600)), of_provider);
    assert_eq!(app.slugs()[0], "coin-600");
    app.wait(Duration::from_secs(1));
    assert_eq!(app.slugs()[0], "coin-5");
}

#[test]
fn pages_out_of_sight_are_not_requested_again_from_the_next_provider() {
    let mut app = App::new();
    for start in [1, 201, 401] {
        answer_of(&mut app, "coinmarketcap", start);
        app.key(KeyCode::End);
    }
    app.key(KeyCode::Home);
    answer_of(&mut app, "coingecko", 1);
    assert_eq!((counts(&app), app.wanted()), ((0, 200), vec![String::from("Coin list 1–200")]));
    app.key(KeyCode::End);
    answer_of(&mut app, "coingecko", 201);
    assert_eq!(counts(&app), (0, 400));
    // A sorted list needs all of them.
    app.keys("sp");
    answer_of(&mut app, "coingecko", 401);
    answer_of(&mut app, "coinmarketcap", 1);
    assert_eq!(counts(&app), (0, 600));
    assert!(app.wanted().contains(&"Coin list 401–600".to_owned()), "{:?}", app.wanted());
}

/// Why a page of the list is not shown.
const REJECTED: &str = "page from CoinGecko, list from CoinMarketCap · retrying";

#[test]
fn list_says_why_a_page_that_always_comes_from_another_provider_is_missing() {
    for (provider, expected) in [("coinmarketcap", (400, 0)), ("coingecko", (0, 400))] {
        let mut app = App::new();
        answer_of(&mut app, "coinmarketcap", 1);
        app.key(KeyCode::End);
        answer_of(&mut app, "coingecko", 201);
        assert!(app.screen((160, 45)).contains("Loading more…"));
        for _ in 0..3 {
            answer_of(&mut app, "coinmarketcap", 1);
            let shown = app.screen((160, 45));
            assert!(shown.contains(&format!("Can't load more · {REJECTED} in")), "{shown}");
            answer_of(&mut app, "coingecko", 201);
            let shown = app.screen((160, 45));
            assert!(shown.contains(&format!("Can't load more · {REJECTED} in")), "{shown}");
            assert!(!app.state.list(Tag::All).is_loading(), "a search doesn't wait for it");
        }
        assert_eq!(counts(&app), (200, 0));
        assert!(app.wanted().contains(&"Coin list 201–400".to_owned()), "{:?}", app.wanted());
        answer_of(&mut app, provider, if provider == "coingecko" { 1 } else { 201 });
        let shown = app.screen((160, 45));
        assert!(counts(&app) == expected && !shown.contains("Can't load more"), "{:?} {shown}", counts(&app));
    }
}

#[test]
fn palette_says_why_a_page_that_always_comes_from_another_provider_is_missing() {
    let mut app = App::new();
    answer_of(&mut app, "coinmarketcap", 1);
    app.keys(":");
    app.fail_with(&Request::CoinNames, ErrorKind::NotFound { message: None });
    app.keys("zebra");
    let shown = app.screen((120, 35));
    assert!(shown.contains("Loading coins: 200 of 600") && shown.contains("Esc stop loading"), "{shown}");
    answer_of(&mut app, "coingecko", 201);
    answer_of(&mut app, "coinmarketcap", 1);
    let shown = app.screen((120, 35));
    assert!(shown.contains(&format!("Loaded 200 of 600 coins · {REJECTED} in")), "{shown}");
    assert!(!shown.contains("Loading coins") && !shown.contains("Esc stop"), "{shown}");
    assert!(app.wanted().contains(&"Coin list 201–400".to_owned()), "{:?}", app.wanted());
    app.key(KeyCode::Esc);
    assert!(app.state.overlay.is_none(), "nothing to stop");
}

#[test]
fn rows_of_a_page_that_always_comes_from_another_provider_stay_for_half_an_hour() {
    let mut app = App::new();
    for start in [1, 201] {
        answer_of(&mut app, "coinmarketcap", start);
        app.key(KeyCode::End);
    }
    for minutes in [0, 10, 20] {
        answer_of(&mut app, "coingecko", 201);
        answer_of(&mut app, "coinmarketcap", 1);
        let shown = app.screen((160, 45));
        assert_eq!(counts(&app), (400, 0), "{minutes}");
        assert_eq!(shown.contains(&format!("{minutes} m old · {REJECTED}")), minutes > 0, "{minutes}: {shown}");
        app.wait(Duration::from_mins(10));
    }
    answer_of(&mut app, "coingecko", 201);
    answer_of(&mut app, "coinmarketcap", 1);
    assert_eq!(counts(&app), (200, 0));
    let shown = app.screen((160, 45));
    assert!(shown.contains(&format!("Can't load more · {REJECTED}")), "{shown}");
}

#[test]
fn page_of_the_previous_provider_is_still_loading_after_a_switch() {
    let mut app = App::new();
    for start in [1, 201] {
        answer_of(&mut app, "coinmarketcap", start);
        app.key(KeyCode::End);
    }
    app.key(KeyCode::Home);
    answer_of(&mut app, "coingecko", 1);
    app.key(KeyCode::End);
    let shown = app.screen((160, 45));
    assert!(counts(&app) == (0, 200) && shown.contains("Loading more…"), "{shown}");
}

#[test]
fn indexer_list_has_a_warning_until_all_pages_come_from_the_provider_of_the_first() {
    let mut app = App::new();
    app.keys("5");
    let tokens = |offset| Request::Brc20Tokens { ticker: None, offset, limit: 60 };
    let answer = |app: &mut App, provider: &'static str, offset: u64| {
        let items = (offset..offset + 60).map(|n| token(&format!("t{n:03}"))).collect();
        let of_provider = |receipt| Receipt { provider: Some(Text::const_new(provider)), ..receipt };
        app.answer_as(&tokens(offset), ResponseData::Brc20Tokens(Page { items, total: Some(240) }), of_provider);
    };
    for offset in [0, 60, 120, 180] {
        answer(&mut app, "unisat", offset);
        app.key(KeyCode::End);
    }
    app.key(KeyCode::Home);
    assert!(!app.screen((160, 45)).contains("rows from several providers"));
    answer(&mut app, "hiro", 0);
    for offset in [60, 120, 180] {
        assert!(app.screen((160, 45)).contains("rows from several providers"), "{offset}");
        assert!(demand(&app.state).visible.contains(&tokens(offset)), "{offset}");
        answer(&mut app, "hiro", offset);
    }
    assert!(!app.screen((160, 45)).contains("rows from several providers"));
}
