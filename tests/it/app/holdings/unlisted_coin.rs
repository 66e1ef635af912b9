//! Lots of coins that are in no loaded list, but among the names of all coins.

use satscope::client::{Notice, NoticeCode};
use satscope::model::{CoinName, IndexedName};

use super::*;

/// The names of all coins: a coin whose slug differs from its name.
fn names() -> ResponseData {
    let (id, name, symbol, slug) = ("id-dot".into(), "Polka Dots".into(), "DOT".into(), "dots-new".into());
    ResponseData::CoinNames(vec![IndexedName::from(CoinName { id, name, symbol, slug, rank: Some(900) })])
}

/// The coin of the only saved lot.
fn coin_of_lot(effects: &[Effect]) -> Watched {
    match saved(effects) {
        Change::AddLot(lot) => lot.coin.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn lot_of_an_unlisted_coin_is_added_by_symbol_or_slug() {
    for typed in ["500 dot @ 2", "500 dots-new @ 2"] {
        let mut app = wallet();
        app.keys("a");
        app.keys(typed);
        assert!(demand(&app.state).visible.contains(&Request::CoinNames), "{typed}");
        assert!(app.screen((120, 35)).contains("Looking up dot"), "{typed}: {}", app.screen((120, 35)));
        app.answer(&Request::CoinNames, names());
        let coin = coin_of_lot(&app.key(KeyCode::Enter));
        let dots = Watched { symbol: "DOT".into(), slug: Some("dots-new".into()), id: Some("id-dot".into()) };
        assert_eq!(coin, dots, "{typed}");
    }
}

#[test]
fn name_of_an_unlisted_coin_is_completed_to_its_slug() {
    let mut app = wallet();
    app.keys("a");
    app.keys("500 polka @ 2");
    app.answer(&Request::CoinNames, names());
    let screen = app.screen((120, 35));
    assert!(screen.contains("No coin matches polka · similar: dots-new"), "{screen}");
    app.key(KeyCode::Tab);
    assert_eq!(coin_of_lot(&app.key(KeyCode::Enter)).slug.as_deref(), Some("dots-new"));
}

#[test]
fn unknown_coin_names_the_provider_whose_names_are_missing() {
    let mut app = wallet();
    app.keys("a");
    app.keys("500 nothing @ 2");
    let sentence = "Some coin names are missing: CoinGecko: server error (503)";
    let notice = || Some(Box::new(Notice::new(String::from(sentence), Some(NoticeCode::NamesMissing))));
    app.answer_as(&Request::CoinNames, names(), |receipt| Receipt { notice: notice(), ..receipt });
    let screen = app.screen((120, 35));
    let words = screen.split_whitespace().collect::<Vec<_>>().join(" ").replace(" │ │ ", " ");
    let reason = "No coin matches nothing · some coin names are missing: CoinGecko: server error (503)";
    assert!(words.contains(reason), "{screen}");
}
