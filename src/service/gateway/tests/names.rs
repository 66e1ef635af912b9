//! The names of all coins that an earlier process has saved.

use std::path::Path;

use super::*;
use crate::model::CoinName;
use crate::service::gateway::saved_names::{self, SavedNames};

const CMC: ProviderName = ProviderName::CoinMarketCap;
const GECKO: ProviderName = ProviderName::CoinGecko;

/// Saves one name of a provider, fetched this long before the start. The first word is the symbol.
fn save(directory: &Path, provider: ProviderName, name: &str, age: Duration) {
    let slug = Text::from(name.to_lowercase().replace(' ', "-"));
    let symbol = Text::from(name.split(' ').next().unwrap().to_uppercase());
    let id = if provider == CMC { Text::from("100") } else { slug.clone() };
    let name = CoinName { id, name: name.into(), symbol, slug, rank: None };
    let server = LiveSettings::default().provider(provider).url_id();
    let saved = SavedNames { server, at: START.minus(age), names: vec![name] };
    saved_names::write(directory, provider, &saved).unwrap();
}

/// A world with a cache directory, in which providers return names that differ from the saved ones.
fn world(directory: &Path, is_command: bool) -> World {
    let cache = Some(directory.to_owned());
    let world = World::with(LiveSettings { cache, is_command, ..LiveSettings::default() });
    world.respond_with(
        CMC,
        Response::of(200, &[], r#"{"data":[{"id":1,"name":"New","symbol":"NEW","slug":"new","rank":1}]}"#),
    );
    world.respond_with(GECKO, Response::of(200, &[], r#"[{"id":"newer","symbol":"newer","name":"Newer"}]"#));
    world
}

fn names(response: &ProviderResponse<Vec<CoinName>>) -> Vec<&str> {
    response.data.iter().map(|name| name.name.as_str()).collect()
}

fn hours(count: u64) -> Duration {
    minutes(60 * count)
}

#[tokio::test(start_paused = true)]
async fn saved_names_keep_their_age() {
    let directory = tempfile::tempdir().unwrap();
    save(directory.path(), CMC, "Saved", hours(20));
    let world = world(directory.path(), true);
    let response = world.gateway.coin_names().await.unwrap();
    assert_eq!((names(&response), response.provider, response.at), (vec!["Saved"], Some(CMC), START.minus(hours(20))));
    assert!(response.age >= hours(20) && response.fresh_for <= hours(4), "{:?} {:?}", response.age, response.fresh_for);
    assert_eq!(world.request_count(CMC), 0);
    // Stale ones are replaced in the background.
    world.advance(hours(4)).await;
    world.gateway.coin_names().await.unwrap();
    world.advance(minutes(1)).await;
    assert_eq!(names(&world.gateway.coin_names().await.unwrap()), ["New"]);
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_replaces_saved_names() {
    let directory = tempfile::tempdir().unwrap();
    save(directory.path(), CMC, "Saved", hours(1));
    let world = world(directory.path(), true);
    let response = manually(world.gateway.coin_names()).await.unwrap();
    assert_eq!((names(&response), world.request_count(CMC)), (vec!["New", "Newer"], 1));
    // New ones are complete.
    world.advance(minutes(30)).await;
    manually(world.gateway.coin_names()).await.unwrap();
    assert_eq!((world.request_count(CMC), world.request_count(GECKO)), (1, 1));
    // If it fails, they are kept, with the reason.
    world.respond_with(CMC, Response::of(500, &[], ""));
    world.respond_with(GECKO, Response::of(500, &[], ""));
    world.advance(minutes(31)).await;
    let response = manually(world.gateway.coin_names()).await.unwrap();
    assert_eq!((names(&response), response.not_refreshed.is_some()), (vec!["New", "Newer"], true), "{response:?}");
}

#[tokio::test(start_paused = true)]
async fn saved_names_of_a_paused_provider_are_used() {
    for saved in [CMC, GECKO] {
        let directory = tempfile::tempdir().unwrap();
        save(directory.path(), saved, "Saved", hours(1));
        let world = world(directory.path(), false);
        world.respond_with(CMC, Response::of(429, &[("retry-after", "3600")], ""));
        world.respond_with(GECKO, Response::of(429, &[("retry-after", "3600")], ""));
        world.coins(Tag::All).await.unwrap_err();
        let before = (world.request_count(CMC), world.request_count(GECKO));
        let response = world.gateway.coin_names().await.unwrap();
        assert_eq!((names(&response), response.provider), (vec!["Saved"], Some(saved)));
        assert_eq!((world.request_count(CMC), world.request_count(GECKO)), before);
    }
}

#[tokio::test(start_paused = true)]
async fn saved_names_of_a_provider_that_fails_are_used() {
    let directory = tempfile::tempdir().unwrap();
    save(directory.path(), GECKO, "Saved", hours(1));
    let world = world(directory.path(), false);
    world.respond_with(CMC, Response::of(500, &[], ""));
    world.respond_with(GECKO, Response::of(500, &[], ""));
    let response = world.gateway.coin_names().await.unwrap();
    assert_eq!((names(&response), response.provider), (vec!["Saved"], Some(GECKO)));
}

#[tokio::test(start_paused = true)]
async fn command_uses_saved_names_of_all_providers() {
    let directory = tempfile::tempdir().unwrap();
    save(directory.path(), CMC, "First", hours(2));
    save(directory.path(), GECKO, "Second", hours(3));
    let world = world(directory.path(), true);
    let response = world.gateway.coin_names().await.unwrap();
    assert_eq!(names(&response), ["First", "Second"]);
    assert_eq!(response.provider_names().as_deref(), Some("coinmarketcap, coingecko"));
    assert_eq!((world.request_count(CMC), world.request_count(GECKO)), (0, 0));
}

/// A coin may have been listed since then.
#[tokio::test(start_paused = true)]
async fn coin_that_old_names_lack_is_looked_up() {
    for (age, requests) in [(minutes(30), 0), (hours(2), 1)] {
        let directory = tempfile::tempdir().unwrap();
        save(directory.path(), CMC, "Saved", age);
        save(directory.path(), GECKO, "Saved", age);
        let world = world(directory.path(), true);
        for name in [CMC, GECKO] {
            world.respond_with(name, Response::of(404, &[], r#"{"error":"coin not found"}"#));
        }
        world.chart("newcoin").await.unwrap_err();
        assert_eq!((world.request_count(CMC), world.request_count(GECKO)), (requests, requests), "{age:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn symbol_is_not_looked_up_as_a_slug() {
    for age in [minutes(30), hours(20)] {
        let directory = tempfile::tempdir().unwrap();
        save(directory.path(), CMC, "Dog Go", age);
        save(directory.path(), GECKO, "Dog Go", age);
        let world = world(directory.path(), true);
        world.chart("dog").await.unwrap_err();
        assert_eq!((world.request_count(CMC), world.request_count(GECKO)), (0, 0), "{age:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn refresh_adds_the_names_that_a_command_lacks() {
    let directory = tempfile::tempdir().unwrap();
    let world = world(directory.path(), true);
    let first = world.gateway.coin_names().await.unwrap();
    assert_eq!((names(&first), first.fresh_for), (vec!["New"], minutes(1)));
    world.advance(minutes(1)).await;
    assert_eq!(world.request_count(GECKO), 0);
    let all = manually(world.gateway.coin_names()).await.unwrap();
    assert_eq!((names(&all), all.fresh_for > hours(23)), (vec!["New", "Newer"], true));
    assert_eq!((world.request_count(CMC), world.request_count(GECKO)), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn notice_says_whose_names_are_missing() {
    let directory = tempfile::tempdir().unwrap();
    let world = world(directory.path(), true);
    world.respond_with(GECKO, Response::of(503, &[], ""));
    assert_eq!(world.gateway.coin_names().await.unwrap().notice, None);
    let response = manually(world.gateway.coin_names()).await.unwrap();
    let notice = "Some coin names are missing: CoinGecko: server error (503)";
    assert_eq!((names(&response), response.notice.as_deref()), (vec!["New"], Some(notice)));
    assert!(response.fresh_for <= minutes(1), "{:?}", response.fresh_for);
}
