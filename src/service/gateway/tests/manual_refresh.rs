//! Manual refreshes while all providers are paused.

use super::*;

const GECKO: ProviderName = ProviderName::CoinGecko;

/// A gateway where these providers serve tagged lists.
fn serving(names: &[ProviderName], has_many_clients: bool) -> World {
    let mut settings = LiveSettings { has_many_clients, ..LiveSettings::default() };
    settings.order.insert(Operation::Tagged, names.to_vec());
    World::with(settings)
}

fn html() -> Response {
    Response::of(200, &[("content-type", "text/html")], "<html>Login</html>")
}

/// Sends requests until a pause of at least 15 seconds begins.
async fn until_paused(world: &World) {
    loop {
        match world.coins(Tag::Brc20).await.unwrap_err() {
            ProviderError::Unavailable { retry_after: Some(wait), .. } if wait < Duration::from_secs(15) => {
                world.advance(wait + Duration::from_secs(1)).await;
            }
            _ => return,
        }
    }
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_ends_a_pause_unless_the_provider_demands_it() {
    for (response, is_sent) in [
        (Response::of(503, &[], ""), true),
        (html(), true),
        (Response::of(503, &[("retry-after", "600")], ""), false),
        (Response::of(429, &[], "{}"), false),
        (Response::of(401, &[], "{}"), false),
        (Response::of(451, &[], ""), false),
    ] {
        let world = serving(&[GECKO], false);
        let shown = format!("{response:?}");
        world.respond_with(GECKO, response);
        until_paused(&world).await;
        world.respond_with(GECKO, None);
        let before = world.request_count(GECKO);
        let error = manually(world.coins(Tag::Brc20)).await.expect_err("it has just begun");
        assert!(matches!(error, ProviderError::Unavailable { must_wait, .. } if must_wait != is_sent), "{shown}");
        world.advance(Duration::from_secs(11)).await;
        assert!(world.coins(Tag::Brc20).await.is_err(), "not manual: {shown}");
        assert_eq!(world.request_count(GECKO), before, "{shown}");
        assert_eq!(manually(world.coins(Tag::Brc20)).await.is_ok(), is_sent, "{shown}");
        assert_eq!(world.coins(Tag::Brc20).await.is_ok(), is_sent, "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn failed_manual_refresh_does_not_lengthen_the_pause() {
    for (response, rest) in [(Response::of(503, &[], ""), 10), (html(), 590)] {
        let world = serving(&[GECKO], false);
        world.respond_with(GECKO, response);
        until_paused(&world).await;
        world.advance(Duration::from_secs(11)).await;
        let before = world.request_count(GECKO);
        for _ in 0..3 {
            assert!(manually(world.coins(Tag::Brc20)).await.is_err());
        }
        assert_eq!(world.request_count(GECKO), before + 1);
        world.respond_with(GECKO, None);
        world.advance(Duration::from_secs(rest)).await;
        world.coins(Tag::Brc20).await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_prefers_a_provider_that_is_not_paused() {
    let world = serving(&[GECKO, ProviderName::CoinMarketCap], false);
    world.respond_with(GECKO, html());
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(Duration::from_secs(11)).await;
    let before = world.request_count(ProviderName::CoinMarketCap);
    manually(world.coins(Tag::Brc20)).await.unwrap();
    assert_eq!(world.request_count(GECKO), 1);
    assert!(world.request_count(ProviderName::CoinMarketCap) > before);
}

#[tokio::test(start_paused = true)]
async fn manual_refreshes_of_many_clients_wait_for_the_end_of_the_pause() {
    let world = serving(&[GECKO], true);
    world.respond_with(GECKO, html());
    until_paused(&world).await;
    world.advance(Duration::from_secs(11)).await;
    let error = manually(world.coins(Tag::Brc20)).await.unwrap_err();
    assert!(matches!(error, ProviderError::Unavailable { must_wait: true, .. }), "{error:?}");
    assert_eq!(world.request_count(GECKO), 1);
}
