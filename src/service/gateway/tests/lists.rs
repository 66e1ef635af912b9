//! Lists of coins with missing parts.

use super::*;

#[tokio::test(start_paused = true)]
async fn list_of_coins_without_details_is_fresh_as_usual() {
    let world = World::build(LiveSettings::default(), true);
    let unknown =
        r#"[{"id":"nobody-knows","symbol":"nbdy","name":"Nobody Knows","current_price":1.5,"market_cap":1000}]"#;
    world.respond_with(ProviderName::CoinGecko, Response::of(200, &[("content-type", "application/json")], unknown));
    let answer = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(answer.data.items.len(), 1);
    assert!(answer.fresh_for >= minutes(5), "{:?}", answer.fresh_for);
    assert_eq!(world.request_count(ProviderName::CoinMarketCap), 0, "it doesn't have this coin");
}

#[tokio::test(start_paused = true)]
async fn missing_price_of_bitcoin_is_not_an_unknown_currency() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Coins, vec![ProviderName::CoinMarketCap]);
    let world = World::with(settings);
    world.respond_with(ProviderName::CoinMarketCap, Response::of(500, &[], ""));
    let error = world.gateway.chart("first", Period::Week, &Currency::parse("BTC").unwrap()).await.unwrap_err();
    assert!(matches!(error, ProviderError::Unavailable { .. }), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn list_with_a_failed_page_has_a_warning_and_is_retried_soon() {
    let world = World::new();
    let coin = |n: usize| {
        format!(
            r#"{{"id":{n},"name":"Coin {n}","symbol":"C{n}","slug":"c-{n}","cmc_rank":{n},"quote":[{{"symbol":"USD","price":1.5}}]}}"#
        )
    };
    let coins: Vec<String> = (1..=250).map(coin).collect();
    let page = format!(r#"{{"data":[{}],"status":{{"error_code":0}}}}"#, coins.join(","));
    world.respond(ProviderName::CoinMarketCap, move |path| {
        let is_first = path.contains("start=1&");
        Ok(Response::of(if is_first { 200 } else { 500 }, &[], if is_first { page.clone() } else { String::new() }))
    });
    world.respond_with(ProviderName::CoinGecko, Response::of(500, &[], ""));
    let query = CoinsQuery { tag: Tag::All, offset: 200, limit: 100, convert: Currency::usd() };
    let answer = world.gateway.coins(query).await.unwrap();
    assert_eq!(answer.data.items.len(), 50);
    assert!(answer.notice.is_some() && answer.fresh_for <= Duration::from_secs(15), "{answer:?}");
}
