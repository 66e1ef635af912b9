//! Another satscope service as a provider.

use super::*;
use crate::model::PostOrder;

const SERVICE: ProviderName = ProviderName::Service;

/// Another service for these operations.
fn over_service(operations: &[Operation]) -> LiveSettings {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for operation in operations {
        settings.order.insert(*operation, vec![SERVICE]);
    }
    settings.providers.entry(SERVICE).or_default().base_url = Some(String::from("http://service.test"));
    settings
}

#[tokio::test(start_paused = true)]
async fn another_service_gets_its_own_names_of_a_coin() {
    let world = World::with(over_service(&[Operation::Coins, Operation::Chart]));
    world.respond(SERVICE, |path| {
        let body = match path {
            "/coins?ids=25028" => {
                r#"{"data":[{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordinals","quote":{"USD":{"price":8.41}}}]}"#
            }
            _ if path.starts_with("/chart?slug=ordinals&") => {
                r#"{"data":{"slug":"ordinals","quotes":[{"timestamp":"2026-10-31T23:55:00Z","quote":{"USD":{"price":8.41}}}]}}"#
            }
            _ => return Ok(Response::of(404, &[], "{}")),
        };
        Ok(Response::of(200, &[("content-type", "application/json")], body))
    });
    let chart = world.chart("ordi").await.unwrap();
    assert_eq!((chart.data.slug.as_str(), chart.data.points.len()), ("ordi", 1));
    let query = [CoinId("25028".into())];
    let coins = world.gateway.coins_by_id(&query, &Currency::usd()).await.unwrap();
    assert_eq!(coins.data.items[0].slug.as_deref(), Some("ordi"));
}

#[tokio::test(start_paused = true)]
async fn old_data_of_another_service_stay_old() {
    let world = World::with(over_service(&[Operation::Coins]));
    let of_origin = |headers: &[(&str, &str)]| {
        let body =
            r#"{"data":[{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordinals","quote":{"USD":{"price":8.41}}}]}"#;
        let headers = [&[("content-type", "application/json"), ("x-satscope-provider", "coingecko")], headers].concat();
        Response::of(200, &headers, body)
    };
    let failed = [("age", "7200"), ("x-satscope-refresh-error", "CoinGecko: server error (503)")];
    world.respond_with(SERVICE, of_origin(&failed));
    let old = world.coins(Tag::All).await.unwrap();
    assert_eq!(old.refresh_error.as_deref(), Some("CoinGecko: server error (503)"));
    assert!(old.age >= minutes(120) && old.fresh_for <= Duration::from_secs(15), "{old:?}");
    // It is requested again soon.
    world.respond_with(SERVICE, of_origin(&[("age", "20")]));
    world.advance(Duration::from_secs(15)).await;
    world.coins(Tag::All).await.unwrap();
    world.advance(Duration::from_secs(5)).await;
    let new = world.coins(Tag::All).await.unwrap();
    assert_eq!((&new.refresh_error, &new.notice), (&None, &None));
    assert_eq!(new.provider_names().as_deref(), Some("coingecko"), "the provider behind it");
    assert!((20..40).contains(&new.age.as_secs()), "{:?}", new.age);
}

#[tokio::test(start_paused = true)]
async fn providers_behind_another_service_are_named() {
    let world = World::with(over_service(&[Operation::Coins, Operation::Chart]));
    let headers = [("content-type", "application/json"), ("x-satscope-provider", "coinmarketcap, coingecko, newer")];
    world.respond(SERVICE, move |path| {
        let body = match path {
            _ if path.starts_with("/chart") => {
                r#"{"data":{"quotes":[{"timestamp":"2026-10-31T23:55:00Z","quote":{"USD":{"price":8.41}}}]}}"#
            }
            _ => r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","quote":{"USD":{"price":9}}}]}"#,
        };
        Ok(Response::of(200, if path.starts_with("/chart") { &headers[..1] } else { &headers }, body))
    });
    for _ in 0..2 {
        let list = world.coins(Tag::All).await.unwrap();
        assert_eq!(list.provider_names().as_deref(), Some("coinmarketcap, coingecko"));
    }
    assert_eq!(world.chart("bitcoin").await.unwrap().provider_names().as_deref(), Some("service"), "it names none");
}

/// Servers that don't know the parameter may reject it.
#[tokio::test(start_paused = true)]
async fn slug_is_sent_only_to_satscope() {
    for (is_satscope, expected) in [
        (true, &["/content?post_type=top&symbol=BTC", "/content?post_type=top&symbol=BTC&slug=bitcoin"][..]),
        (false, &["/content?post_type=top&symbol=BTC"]),
    ] {
        let world = World::with(over_service(&[Operation::Posts, Operation::Pairs]));
        world.respond(SERVICE, move |path| {
            let headers = [("content-type", "application/json"), ("x-satscope-provider", "bluesky")];
            let headers = if is_satscope { &headers[..] } else { &headers[..1] };
            Ok(match (path.starts_with("/content"), path.contains("slug=") && !is_satscope) {
                (_, true) => Response::of(400, headers, "{}"),
                (true, _) => Response::of(200, headers, r#"{"data":{"list":[{"post_id":"1","text_content":"$BTC"}]}}"#),
                (false, _) => Response::of(200, headers, r#"{"data":{"BTC":[]}}"#),
            })
        });
        let posts = world.gateway.posts("BTC", Some("bitcoin"), PostOrder::Top).await.unwrap();
        assert_eq!(posts.data.len(), 1);
        assert_eq!(world.paths(SERVICE), expected);
        let _ = world.gateway.market_pairs("BTC", Some("bitcoin"), &Currency::usd()).await;
        let pairs = if is_satscope { "/exchanges?symbol=BTC&slug=bitcoin" } else { "/exchanges?symbol=BTC" };
        assert_eq!(world.paths(SERVICE).last().map(String::as_str), Some(pairs));
    }
}
