//! Coins with the same symbol are not confused.

use crossterm::event::KeyCode;
use satscope::app::{Effect, Preferences, demand};
use satscope::client::ResponseData;
use satscope::model::{Coin, MarketSeries, Tag};
use satscope::user_data::{Change, WatchChanges, Watched};

use super::fixtures::{App, all, coin, page, series};

fn cats() -> Vec<Coin> {
    vec![
        coin(1, "bitcoin", "BTC", Some(60_000.0)),
        coin(2, "cat-one", "CAT", Some(2.0)),
        coin(3, "cat-two", "CAT", Some(1.0)),
    ]
}

fn watching(watched: Vec<Watched>) -> App {
    let mut app = App::with(Preferences { watched, ..Preferences::default() });
    app.answer(&all(1), page(cats(), Some(3)));
    app
}

fn wallet(app: &mut App, series: Vec<MarketSeries>) {
    app.keys("4");
    let request = demand(&app.state).visible[0].clone();
    app.answer(&request, ResponseData::Market(series));
}

fn watched(app: &App) -> Vec<String> {
    let list = app.state.list(Tag::All);
    list.coins().filter(|coin| app.state.watched.contains(coin)).map(|coin| coin.name.to_string()).collect()
}

#[test]
fn wallet_enter_opens_coin_of_the_row() {
    let mut app = watching(vec![Watched::by_symbol("CAT")]);
    wallet(&mut app, vec![series("CAT", "cat-one"), series("CAT", "cat-two")]);
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.token.as_ref().unwrap().slug.as_deref(), Some("cat-two"));
    app.key(KeyCode::Esc);
    assert_eq!(app.keys("yi"), [Effect::Copy(String::from("cat-two"))]);
}

#[test]
fn shared_symbol_does_not_watch_any_coin() {
    let app = watching(vec![Watched::by_symbol("BTC"), Watched::by_symbol("CAT")]);
    assert_eq!(watched(&app), ["bitcoin"]);
    assert!(app.state.watched_coin(1).is_none());
}

#[test]
fn symbol_shared_only_in_wallet_response_does_not_watch_any_coin() {
    let mut app = watching(vec![Watched::by_symbol("BTC")]);
    wallet(&mut app, vec![series("BTC", "bitcoin"), series("BTC", "batcoin")]);
    assert!(watched(&app).is_empty());
}

#[test]
fn watching_resolves_shared_symbol_and_keeps_other_coins() {
    let mut app = watching(vec![Watched::by_symbol("CAT")]);
    app.state.list_mut(Tag::All).select(2);
    let two = Watched::from_coin(&cats()[2]);
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Watch(two.clone()))]);
    assert_eq!((app.state.watched.coins(), watched(&app)), (&[two.clone()][..], vec![String::from("cat-two")]));
    app.state.list_mut(Tag::All).select(1);
    let one = Watched::from_coin(&cats()[1]);
    assert_eq!(app.keys("f"), [Effect::Save(2, Change::Watch(one.clone()))]);
    assert_eq!(app.state.watched.coins(), [two, one.clone()]);
    assert_eq!(app.keys("f"), [Effect::Save(3, Change::Unwatch(one))]);
    assert_eq!(watched(&app), ["cat-two"]);
}

#[test]
fn unwatch_removes_only_selected_coin_of_shared_symbol() {
    let btc = Watched::by_symbol("BTC");
    for kind in [["cat-one", "cat-two"].as_slice(), &["cat-one", "cat-two", "cat-three"]] {
        let configured = [Watched::by_symbol("CAT"), btc.clone()];
        let mut app = watching(configured.to_vec());
        let all: Vec<_> = kind.iter().map(|slug| series("CAT", slug)).chain([series("BTC", "bitcoin")]).collect();
        wallet(&mut app, all.clone());
        app.key(KeyCode::Down);
        let others: Vec<_> = all
            .iter()
            .filter(|s| s.symbol == "CAT" && s.slug.as_deref() != Some("cat-two"))
            .map(Watched::from_series)
            .collect();
        let effects = app.keys("f");
        assert_eq!(
            effects,
            (1..).zip(&others).map(|(n, coin)| Effect::Save(n, Change::Watch(coin.clone()))).collect::<Vec<_>>()
        );
        let mut watched = vec![others[0].clone(), btc.clone()];
        watched.extend_from_slice(&others[1..]);
        assert_eq!(app.state.watched.coins(), watched);
        let kept = if others.len() == 1 { "still watching the other" } else { "still watching the others" };
        let toast = &app.state.toast.as_ref().unwrap().text;
        assert_eq!(*toast, format!("Stopped watching CAT (cat-two); {kept}"));

        // It is restored as it was saved.
        let mut remembered = WatchChanges::default();
        for coin in &others {
            remembered.set_watched(coin, true);
        }
        assert_eq!(remembered.apply_to(&configured), watched);
    }
}

#[test]
fn indistinguishable_coins_are_unwatched_together() {
    let mut app = watching(vec![Watched::by_symbol("CAT")]);
    let nameless = || MarketSeries { slug: None, id: None, ..series("CAT", "cat") };
    wallet(&mut app, vec![nameless(), nameless()]);
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Unwatch(Watched::by_symbol("CAT")))]);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Stopped watching all 2 coins that use CAT");
}

#[test]
fn unique_symbol_is_its_coin() {
    let mut app = watching(vec![Watched::by_symbol("btc")]);
    assert_eq!(app.keys("f"), [Effect::Save(1, Change::Unwatch(Watched::from_coin(&cats()[0])))]);
    assert!(app.state.watched.is_empty() && watched(&app).is_empty());
}

#[test]
fn series_with_another_id_is_not_the_watched_coin() {
    let watched = Watched { symbol: "CAT".into(), slug: None, id: Some("id-cat-one".into()) };
    let mut app = watching(vec![watched]);
    let other = MarketSeries { slug: None, ..series("CAT", "cat-two") };
    wallet(&mut app, vec![other]);
    let rows: Vec<_> = app.state.wallet.rows().iter().map(|row| (row.series, row.ambiguous)).collect();
    assert_eq!(rows, [(None, None)]);
}
