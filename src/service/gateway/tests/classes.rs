//! Reaction to each class of error.

use super::*;

/// A gateway where only this provider serves lists and charts.
fn only(name: ProviderName) -> World {
    let mut settings = LiveSettings::default();
    for operation in [Operation::Coins, Operation::Tagged, Operation::Chart] {
        settings.order.insert(operation, vec![name]);
    }
    World::with(settings)
}

/// The reason of a failed request, and when to retry in seconds.
fn failure<T: std::fmt::Debug>(result: ProviderResult<T>) -> (String, Option<u64>) {
    match result.unwrap_err() {
        ProviderError::Unavailable { reason, retry_after, .. } => (reason, retry_after.map(|wait| wait.as_secs())),
        other => panic!("{other:?}"),
    }
}

/// A CoinMarketCap response with an error code.
fn cmc(status: u16, code: &str) -> Response {
    Response::of(status, &[], format!(r#"{{"status":{{"error_code":{code},"error_message":"no","credit_count":0}}}}"#))
}

#[tokio::test(start_paused = true)]
async fn failed_lookup_of_a_coin_is_not_cached() {
    let world = only(ProviderName::CoinGecko);
    // Its id at CoinGecko is unknown.
    world.gateway.identity().insert(CoinRef::new(
        CoinId("u1".into()),
        "unlisted".into(),
        "Unlisted".into(),
        "U".into(),
    ));
    world.respond(ProviderName::CoinGecko, |_| Err(ErrorKind::Refused));
    let (reason, _) = failure(world.chart("unlisted").await);
    assert_eq!(reason.matches("CoinGecko").count(), 2, "{reason}");
    assert!(!reason.contains("Unavailable {"), "{reason}");
    let before = world.request_count(ProviderName::CoinGecko);
    world.advance(minutes(1)).await;
    let _ = world.chart("unlisted").await;
    assert!(world.request_count(ProviderName::CoinGecko) > before, "queried again after the network is back");
}

#[tokio::test(start_paused = true)]
async fn queued_requests_are_not_sent_to_a_paused_provider() {
    for response in [Response::of(429, &[("retry-after", "60")], "{}"), Response::of(451, &[], "")] {
        let world = only(ProviderName::CoinGecko);
        world.respond_with(ProviderName::CoinGecko, response);
        let (first, second, third) = tokio::join!(world.chart("first"), world.chart("second"), world.chart("third"));
        assert!(first.is_err() && second.is_err() && third.is_err());
        assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
    }
}

/// A gateway with a CoinMarketCap key, where CoinMarketCap serves lists without it and charts with it.
fn with_wrong_key() -> World {
    let mut settings = LiveSettings::default();
    for operation in [Operation::Coins, Operation::Chart] {
        settings.order.insert(operation, vec![ProviderName::CoinMarketCap]);
    }
    let key = Some(Secret(String::from("wrong")));
    settings.providers.entry(ProviderName::CoinMarketCap).or_default().api_key = key;
    let world = World::with(settings);
    world.respond(ProviderName::CoinMarketCap, |path| {
        let is_keyless = path.contains("/listings/latest");
        Ok(if is_keyless { default_response(ProviderName::CoinMarketCap, path) } else { cmc(401, "1001") })
    });
    world
}

#[tokio::test(start_paused = true)]
async fn wrong_key_does_not_stop_operations_without_a_key() {
    let world = with_wrong_key();
    assert!(world.chart("bitcoin").await.is_err());
    world.coins(Tag::All).await.unwrap();
    // The list doesn't end the pause of the key, either.
    let before = world.request_count(ProviderName::CoinMarketCap);
    assert!(world.chart("bitcoin").await.is_err());
    assert_eq!(world.request_count(ProviderName::CoinMarketCap), before);
}

#[tokio::test(start_paused = true)]
async fn test_of_a_provider_tests_its_key() {
    let world = with_wrong_key();
    let reason = world.gateway.test_source(ProviderName::CoinMarketCap).await.unwrap_err();
    assert!(reason.contains("1001"), "{reason}");
    let log = world.log.lock();
    assert!(log.iter().any(|(_, path, _)| path == "/v1/key/info"), "{log:?}");
}

#[tokio::test(start_paused = true)]
async fn coinmarketcap_error_code_overrides_status() {
    let day = 24 * 3_600;
    for (response, retried_after) in [
        (cmc(429, "1011"), Some(60)),
        (cmc(200, "1011"), Some(60)),
        (cmc(200, "\"1008\""), Some(60)),
        (cmc(429, "1009"), Some(day)),
        (cmc(429, "1010"), Some(30 * day)),
        (cmc(401, "1001"), None),
        (cmc(200, "1007"), None),
        (cmc(403, "1005"), None),
        (cmc(403, "1006"), None),
        (cmc(500, "500"), Some(5)),
    ] {
        let world = only(ProviderName::CoinMarketCap);
        let shown = format!("{response:?} {}", String::from_utf8_lossy(response.body()));
        world.respond_with(ProviderName::CoinMarketCap, response);
        let (reason, retry_after) = failure(world.coins(Tag::All).await);
        assert!(reason.starts_with("CoinMarketCap: "), "{reason}");
        assert_eq!(retry_after, retried_after, "{shown}");
        world.respond_with(ProviderName::CoinMarketCap, None);
        // Nothing is sent before.
        let wait = Duration::from_secs(retried_after.unwrap_or(40 * day));
        world.advance(wait.saturating_sub(Duration::from_secs(2))).await;
        assert!(world.coins(Tag::All).await.is_err(), "{shown}");
        assert_eq!(world.request_count(ProviderName::CoinMarketCap), 1, "{shown}");
        world.advance(Duration::from_secs(3)).await;
        assert_eq!(world.coins(Tag::All).await.is_ok(), retried_after.is_some(), "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn coingecko_error_shapes_are_recognised() {
    let json = |status, body: &str| Response::of(status, &[("content-type", "application/json")], body);
    let nested =
        r#"{"error":{"status":{"timestamp":"2026-11-21T08:00:00Z","error_code":10005,"error_message":"Pro"}}}"#;
    let html = Response::of(403, &[("content-type", "text/html")], "<!DOCTYPE html><title>1020</title>");
    for (response, retried_after) in [
        (json(200, r#"{"status":{"error_code":429,"error_message":"slow down"}}"#), Some(60)),
        (json(429, r#"{"status":{"error_code":429,"error_message":"slow down"}}"#), Some(60)),
        (Response::of(429, &[("retry-after", "7")], "Throttled"), Some(7)),
        (json(401, nested), None),
        (json(200, r#"{"error":"something"}"#), Some(600)),
        (html, Some(24 * 3_600)),
        (Response::of(403, &[("content-type", "text/plain")], "error code: 1020"), Some(24 * 3_600)),
        (Response::of(451, &[], "not in your country"), Some(24 * 3_600)),
        (json(410, r#"{"error":"Gone"}"#), None),
        (json(200, r#"{"coins":[]}"#), Some(600)),
        (Response::of(200, &[], "<html>maintenance</html>"), Some(600)),
        (Response::of(200, &[], "[{\"id\":"), Some(5)),
        (Response::of(502, &[], "bad gateway"), Some(5)),
    ] {
        let world = only(ProviderName::CoinGecko);
        let shown = format!("{} {}", response.status(), String::from_utf8_lossy(response.body()));
        world.respond_with(ProviderName::CoinGecko, response);
        let (reason, retry_after) = failure(world.coins(Tag::Brc20).await);
        assert_eq!(retry_after, retried_after, "{shown}: {reason}");
        assert!(reason.starts_with("CoinGecko: ") && reason.lines().count() == 1, "{reason}");
        assert_eq!(world.request_count(ProviderName::CoinGecko), 1, "{shown}");
    }
}

#[tokio::test(start_paused = true)]
async fn forbidden_operation_does_not_affect_others() {
    let world = only(ProviderName::CoinGecko);
    let refused = Response::of(401, &[], r#"{"status":{"error_code":10005,"error_message":"Pro"}}"#);
    world.respond_with(ProviderName::CoinGecko, refused);
    assert!(world.coins(Tag::Brc20).await.is_err());
    world.respond_with(ProviderName::CoinGecko, None);
    assert!(world.coins(Tag::Brc20).await.is_err());
    assert!(world.chart("ordi").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn provider_pause_doubles_up_to_fifteen_minutes() {
    let world = only(ProviderName::CoinGecko);
    world.respond_with(ProviderName::CoinGecko, Response::of(429, &[], ""));
    let mut waits = Vec::new();
    for _ in 0..6 {
        let (_, wait) = failure(world.chart("ordi").await);
        waits.push(wait.unwrap());
        world.advance(Duration::from_secs(wait.unwrap() + 1)).await;
    }
    assert_eq!(waits, [60, 120, 240, 480, 900, 900]);
    world.respond_with(ProviderName::CoinGecko, None);
    world.chart("ordi").await.unwrap();
    world.respond_with(ProviderName::CoinGecko, Response::of(429, &[], ""));
    assert_eq!(failure(world.chart("other").await).1, Some(60), "a success resets the backoff");
}

#[tokio::test(start_paused = true)]
async fn not_found_is_requested_again_after_ten_minutes() {
    let world = only(ProviderName::CoinGecko);
    world.respond_with(ProviderName::CoinGecko, Response::of(404, &[], r#"{"error":"coin not found"}"#));
    for _ in 0..3 {
        let error = world.chart("nothing").await.unwrap_err();
        assert!(matches!(&error, ProviderError::NoData(reason) if reason.contains("coin not found")), "{error:?}");
    }
    assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
    world.respond_with(ProviderName::CoinGecko, None);
    assert!(world.chart("ordi").await.is_ok(), "other coins are not affected");
    world.advance(minutes(10)).await;
    assert!(world.chart("nothing").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn server_messages_are_sanitised_and_truncated() {
    let world = only(ProviderName::CoinMarketCap);
    let words = r"slow\u001b[31m down\n ".repeat(100);
    let body = format!(r#"{{"status":{{"error_code":1008,"error_message":"{words}"}}}}"#);
    world.respond_with(ProviderName::CoinMarketCap, Response::of(429, &[], body));
    let (reason, _) = failure(world.coins(Tag::All).await);
    assert!(reason.starts_with("CoinMarketCap: error 1008: slow") && reason.chars().count() < 350, "{reason}");
    assert!(!reason.contains(char::is_control), "{reason:?}");
}
