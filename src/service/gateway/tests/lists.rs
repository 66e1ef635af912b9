//! Lists of coins with missing parts.

use super::*;
use crate::service::data_version;

/// CoinGecko's list of this many coins.
pub(super) fn gecko_list(count: usize) -> Response {
    let row = |n: usize| format!(r#"{{"id":"g{n}","symbol":"g{n}","name":"G {n}","current_price":1.5}}"#);
    let rows: Vec<String> = (0..count).map(row).collect();
    json(format!("[{}]", rows.join(",")))
}

#[tokio::test(start_paused = true)]
async fn list_of_coins_without_details_is_fresh_as_usual() {
    let world = World::build(LiveSettings::default(), true);
    let unknown =
        r#"[{"id":"nobody-knows","symbol":"nbdy","name":"Nobody Knows","current_price":1.5,"market_cap":1000}]"#;
    world.respond_with(ProviderName::CoinGecko, Response::of(200, &[("content-type", "application/json")], unknown));
    let response = world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(response.data.items.len(), 1);
    assert!(response.fresh_for >= minutes(5), "{:?}", response.fresh_for);
    assert_eq!(world.request_count(ProviderName::CoinMarketCap), 0, "it doesn't have this coin");
}

#[tokio::test(start_paused = true)]
async fn missing_price_of_bitcoin_is_not_an_unknown_currency() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Coins, vec![ProviderName::CoinMarketCap]);
    let world = World::with(settings);
    world.respond_with(ProviderName::CoinMarketCap, Response::of(500, &[], ""));
    let response = world.gateway.chart("first", Period::Week, &Currency::parse("BTC").unwrap()).await.unwrap();
    assert_eq!(response.data.convert, Currency::usd());
    let notice = response.notice.unwrap();
    assert!(notice.starts_with("Amounts in USD: no BTC rate (CoinMarketCap: server error (500))"), "{notice}");
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
    let response = world.gateway.coins(query).await.unwrap();
    assert_eq!(response.data.items.len(), 50);
    assert_eq!(response.refresh_error, None, "the rows that are there are new");
    assert!(response.notice.is_some() && response.fresh_for <= Duration::from_secs(15), "{response:?}");
}

/// Every provider of lists answers without rows.
fn empty_lists(world: &World) {
    world.respond_with(ProviderName::CoinMarketCap, Response::of(200, &[], r#"{"data":[],"status":{"error_code":0}}"#));
    world.respond_with(ProviderName::CoinGecko, Response::of(200, &[], "[]"));
}

fn is_empty_list(error: &ProviderError) -> bool {
    let ProviderError::Unavailable { reason, retry_after, .. } = error else { return false };
    reason == "CoinMarketCap and CoinGecko: empty list" && retry_after.is_some_and(|wait| wait <= minutes(1))
}

#[tokio::test(start_paused = true)]
async fn empty_list_of_names_is_a_failure_for_a_minute() {
    let world = World::new();
    empty_lists(&world);
    for _ in 0..2 {
        let error = world.gateway.coin_names().await.unwrap_err();
        assert!(is_empty_list(&error), "{error:?}");
    }
    let requests = [ProviderName::CoinMarketCap, ProviderName::CoinGecko].map(|name| world.request_count(name));
    assert_eq!(requests, [1, 1]);
    let name = r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","rank":1}]}"#;
    world.respond_with(ProviderName::CoinMarketCap, Response::of(200, &[], name));
    world.advance(minutes(1)).await;
    let names = world.gateway.coin_names().await.unwrap();
    assert_eq!((names.data.len(), names.provider), (1, Some(ProviderName::CoinMarketCap)));
}

#[tokio::test(start_paused = true)]
async fn empty_first_page_is_a_failure_for_a_minute() {
    let world = World::new();
    empty_lists(&world);
    for _ in 0..2 {
        let error = world.coins(Tag::All).await.unwrap_err();
        assert!(is_empty_list(&error), "{error:?}");
    }
    world.respond_with(ProviderName::CoinMarketCap, None);
    world.advance(minutes(1)).await;
    let coins = world.coins(Tag::All).await.unwrap();
    assert_eq!((coins.provider, coins.notice), (Some(ProviderName::CoinMarketCap), None));
    // A stale list stays, with the reason.
    empty_lists(&world);
    world.advance(minutes(6)).await;
    world.coins(Tag::All).await.unwrap();
    world.advance(Duration::from_secs(30)).await;
    let stale = world.coins(Tag::All).await.unwrap();
    assert_eq!(stale.data, coins.data);
    assert_eq!(stale.refresh_error.as_deref(), Some("CoinMarketCap and CoinGecko: empty list"));
}

/// CoinMarketCap's list of these coins.
pub(super) fn cmc_list(coins: impl Iterator<Item = usize>, price: &str) -> String {
    let coin = |n: usize| {
        let (name, symbol) =
            if n == 1 { ("Bitcoin".into(), "BTC".into()) } else { (format!("Coin {n}"), format!("C{n}")) };
        format!(
            r#"{{"id":{n},"name":"{name}","symbol":"{symbol}","slug":"c-{n}","cmc_rank":{n},"quote":[{{"symbol":"USD","price":{price}}}]}}"#
        )
    };
    let coins: Vec<String> = coins.map(coin).collect();
    format!(r#"{{"data":[{}],"status":{{"error_code":0,"total_count":915}}}}"#, coins.join(","))
}

/// The user prefers another provider while a list loads.
#[tokio::test(start_paused = true)]
async fn pages_of_a_list_come_from_one_provider() {
    const CMC: ProviderName = ProviderName::CoinMarketCap;
    const GECKO: ProviderName = ProviderName::CoinGecko;
    let settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    let world = World::with(settings.clone());
    world.respond(CMC, |path| {
        let start = number(path, "start");
        Ok(json(cmc_list((start..=915).take(number(path, "limit")), "1.5")))
    });
    world.respond(GECKO, |_| Ok(gecko_list(250)));
    world.set_latency(CMC, Duration::from_secs(5));
    let gateway = world.gateway.clone();
    let query = |limit| CoinsQuery { tag: Tag::All, offset: 0, limit, convert: Currency::usd() };
    let loading = tokio::spawn(async move { gateway.coins(query(1_000)).await });
    while world.request_count(CMC) < 2 {
        world.advance(Duration::from_millis(100)).await;
    }
    let mut chosen = settings;
    chosen.order.insert(Operation::Coins, vec![GECKO, CMC]);
    world.gateway.set_order(&chosen);
    world.gateway.coins(query(200)).await.unwrap();
    world.advance(Duration::from_secs(1)).await;
    assert_eq!(world.gateway.coins(query(200)).await.unwrap().provider, Some(GECKO));
    assert_eq!(world.request_count(CMC), 2);
    let response = loading.await.unwrap().unwrap();
    assert_eq!((response.data.items.len(), response.provider_names().as_deref()), (915, Some("coinmarketcap")));
}

#[tokio::test(start_paused = true)]
async fn coins_from_lists_of_two_providers_name_both() {
    let world = World::new();
    let list = world.coins(Tag::All).await.unwrap();
    assert_eq!((list.provider_names().as_deref(), list.data.items[0].provider), (Some("coinmarketcap"), None));
    world.coins(Tag::Brc20).await.unwrap();
    let ids = ["1", "25028"].map(|id| CoinId(id.into()));
    let by_id = world.gateway.coins_by_id(&ids, &Currency::usd()).await.unwrap();
    assert_eq!(by_id.provider_names().as_deref(), Some("coinmarketcap, coingecko"));
    let of = |at: usize| by_id.data.items[at].provider;
    assert_eq!((of(0), of(1)), (Some(ProviderName::CoinMarketCap), Some(ProviderName::CoinGecko)));
}

#[tokio::test(start_paused = true)]
async fn list_without_any_price_is_a_change_of_the_format() {
    let world = World::new();
    for price in ["null", "\"NaN\""] {
        world.respond_with(ProviderName::CoinMarketCap, Response::of(200, &[], cmc_list(1..=200, price)));
        let response = world.coins(Tag::All).await.unwrap();
        assert_eq!(response.provider, Some(ProviderName::CoinGecko), "{price}");
        world.advance(minutes(11)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn short_pages_of_a_list_are_completed() {
    let world = World::new();
    world.respond(ProviderName::CoinMarketCap, |path| {
        let start = path.split("start=").nth(1).and_then(|rest| rest.split('&').next()).unwrap_or_default();
        let start: usize = start.parse().unwrap();
        Ok(Response::of(200, &[], cmc_list(start..start + 100, "1.5")))
    });
    let query = CoinsQuery { tag: Tag::All, offset: 0, limit: 250, convert: Currency::usd() };
    let response = world.gateway.coins(query).await.unwrap();
    assert_eq!((response.data.items.len(), response.data.total), (250, Some(915)));
    assert_eq!(world.request_count(ProviderName::CoinMarketCap), 3);
}

#[tokio::test(start_paused = true)]
async fn names_of_further_providers_follow() {
    let world = World::new();
    world.respond(ProviderName::CoinMarketCap, |_| {
        let names = r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","rank":1}]}"#;
        Ok(Response::of(200, &[], names))
    });
    let listed = r#"[{"id":"bitcoin","symbol":"btc","name":"Bitcoin"},{"id":"tiny","symbol":"tny","name":"Tiny"}]"#;
    world.respond_with(ProviderName::CoinGecko, Response::of(200, &[], listed));
    let first = world.gateway.coin_names().await.unwrap();
    assert_eq!((first.data.len(), first.fresh_for), (1, minutes(1)));
    world.advance(minutes(1)).await;
    let all = world.gateway.coin_names().await.unwrap();
    let names: Vec<&str> = all.data.iter().map(|name| name.name.as_str()).collect();
    assert_eq!(names, ["Bitcoin", "Tiny"]);
    assert_eq!(all.provider_names().as_deref(), Some("coinmarketcap, coingecko"));
    assert!(all.fresh_for > Duration::from_hours(23), "{:?}", all.fresh_for);
    assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
}

#[tokio::test(start_paused = true)]
async fn list_without_trends_gets_them_from_series() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![ProviderName::CoinMarketCap]);
    settings.order.insert(Operation::Series, vec![ProviderName::DefiLlama]);
    settings.providers.entry(ProviderName::DefiLlama).or_default().enabled = Some(true);
    let world = World::with(settings);
    let prices = r#"{"coins":{"coingecko:bitcoin":{"prices":[
        {"timestamp":1793484000,"price":61000.5},{"timestamp":1793487600,"price":61234.1}]}}}"#;
    world.respond_with(ProviderName::DefiLlama, Response::of(200, &[], prices));
    let (stats, used) = data_version::track(world.gateway.stats(Tag::BitcoinEcosystem, &Currency::usd())).await;
    let stats = stats.unwrap();
    assert_eq!(used | Operation::Series.into(), used, "newer lines outdate the response");
    assert_eq!(stats.data.items[0].sparkline_7d, [61000.5, 61234.1]);
    assert_eq!(stats.provider_names().as_deref(), Some("coinmarketcap, defillama"));
}

#[tokio::test(start_paused = true)]
async fn existing_trends_are_kept_while_others_load() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![ProviderName::CoinMarketCap]);
    settings.order.insert(Operation::Series, vec![ProviderName::DefiLlama, ProviderName::Binance]);
    for name in [ProviderName::DefiLlama, ProviderName::Binance] {
        settings.providers.entry(name).or_default().enabled = Some(true);
    }
    let world = World::with(settings);
    let coin = |id: u32, name: &str| {
        format!(
            r#"{{"id":{id},"name":"{name}","symbol":"{name}","slug":"{name}","quote":[{{"symbol":"USD","price":61234.1,"market_cap":9}}]}}"#
        )
    };
    let list = format!(r#"{{"data":[{},{}],"status":{{"error_code":0}}}}"#, coin(1, "btc"), coin(25028, "ordi"));
    world.respond_with(ProviderName::CoinMarketCap, Response::of(200, &[], list));
    let prices = r#"{"coins":{"coingecko:bitcoin":{"prices":[
        {"timestamp":1793484000,"price":61000.5},{"timestamp":1793487600,"price":61234.1}]}}}"#;
    world.respond_with(ProviderName::DefiLlama, Response::of(200, &[], prices));
    world.set_latency(ProviderName::Binance, minutes(1));
    world.respond_with(ProviderName::Binance, Response::of(200, &[], "[]"));
    let stats = world.gateway.stats(Tag::BitcoinEcosystem, &Currency::usd()).await.unwrap();
    let lines: Vec<usize> = stats.data.items.iter().map(|coin| coin.sparkline_7d.len()).collect();
    assert_eq!(lines, [2, 0]);
    assert_eq!(stats.provider_names().as_deref(), Some("coinmarketcap, defillama"));
    assert_eq!(stats.notice.as_deref(), Some("Some 7-day charts are still loading"));
    assert!(stats.fresh_for <= Duration::from_secs(10), "{:?}", stats.fresh_for);
}

#[tokio::test(start_paused = true)]
async fn windows_of_a_list_of_an_indexer_share_its_pages() {
    use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};
    let world = World::new();
    world.respond(ProviderName::UniSat, |path| {
        let number = |name: &str| -> usize {
            let value = path.split(&format!("{name}=")).nth(1).and_then(|rest| rest.split('&').next());
            value.unwrap_or_default().parse().unwrap()
        };
        let token = |at: usize| format!(r#"{{"ticker":"t{at:03}","max":"21000000","minted":"0","historyCount":5}}"#);
        let rows: Vec<String> = (0..150).skip(number("start")).take(number("limit")).map(token).collect();
        let body =
            format!(r#"{{"code":0,"msg":"ok","data":{{"height":100,"total":150,"detail":[{}]}}}}"#, rows.join(","));
        Ok(Response::of(200, &[], body))
    });
    for (offset, limit) in [(0, 20), (20, 20), (50, 20), (7, 60), (110, 60), (149, 5), (150, 5)] {
        let page = PageQuery { offset, limit };
        let response = world.gateway.tokens(&TokensQuery::default(), page).await.unwrap();
        let found: Vec<String> = response.data.items.iter().map(|token| token.ticker.to_string()).collect();
        let expected: Vec<String> =
            (0..150).skip(offset as usize).take(limit).map(|at: usize| format!("t{at:03}")).collect();
        assert_eq!((found, response.data.total), (expected, Some(150)), "{page:?}");
    }
    assert_eq!(world.request_count(ProviderName::UniSat), 3);
}

#[tokio::test(start_paused = true)]
async fn coins_without_prices_are_an_error_only_at_the_top_of_a_list() {
    let world = World::new();
    world.respond(ProviderName::CoinMarketCap, |path| {
        let body = match path {
            _ if path.contains("/quotes/latest?id=") => cmc_list(600..=603, "null"),
            _ if path.contains("start=1&") => cmc_list(1..=250, "1.5"),
            _ => cmc_list(251..=500, "null"),
        };
        Ok(Response::of(200, &[], body))
    });
    let query = |offset| CoinsQuery { tag: Tag::All, offset, limit: 250, convert: Currency::usd() };
    for offset in [0, 250] {
        let response = world.gateway.coins(query(offset)).await.unwrap();
        assert_eq!(
            (response.provider, response.data.items.len()),
            (Some(ProviderName::CoinMarketCap), 250),
            "{offset}"
        );
    }
    let delisted: Vec<CoinId> = (600..=603).map(|id| CoinId(Text::from(id.to_string()))).collect();
    let response = world.gateway.coins_by_id(&delisted, &Currency::usd()).await.unwrap();
    assert_eq!((response.data.items.len(), response.notice), (4, None));
    world.advance(minutes(1)).await;
    let response = manually(world.gateway.coins(query(0))).await.unwrap();
    assert_eq!((response.provider, response.notice), (Some(ProviderName::CoinMarketCap), None), "it is not paused");
}

#[tokio::test(start_paused = true)]
async fn coin_that_one_provider_does_not_know_is_an_error_if_the_other_fails() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Coins, vec![ProviderName::CoinGecko, ProviderName::CoinMarketCap]);
    let world = World::with(settings);
    world.respond_with(ProviderName::CoinGecko, Response::of(404, &[], ""));
    world.respond_with(ProviderName::CoinMarketCap, Response::of(500, &[], ""));
    let error = world.gateway.coins_by_id(&[CoinId("1".into())], &Currency::usd()).await.unwrap_err();
    assert!(error.to_string().contains("CoinMarketCap: server error (500)"), "{error}");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_requested_beyond_the_end_of_a_list() {
    let world = World::new();
    world.coins(Tag::Brc20).await.unwrap();
    for offset in [1, 300, 1_000_000] {
        let query = CoinsQuery { tag: Tag::Brc20, offset, limit: 100, convert: Currency::usd() };
        let response = world.gateway.coins(query).await.unwrap();
        assert_eq!((response.data.items.len(), response.data.total), (0, Some(1)), "{offset}");
        assert_eq!(response.provider, Some(ProviderName::CoinGecko));
    }
    assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
}

/// CoinMarketCap's list has no ranges without a key.
#[tokio::test(start_paused = true)]
async fn range_of_a_cached_list_is_added_if_the_price_agrees() {
    let world = World::with(LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() });
    let cmc = |price: f64| {
        let row = format!(
            r#"{{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordi","quote":[{{"symbol":"USD","price":{price},"market_cap":176e6}}]}}"#
        );
        Response::of(200, &[("content-type", "application/json")], format!(r#"{{"data":[{row}]}}"#))
    };
    let gecko = r#"[{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":8.41,"market_cap":176610000,
        "high_24h":8.5,"low_24h":8.0}]"#;
    world.respond_with(ProviderName::CoinGecko, Response::of(200, &[("content-type", "application/json")], gecko));
    world.respond_with(ProviderName::CoinMarketCap, cmc(8.55));
    let range = async || {
        let list = world.coins(Tag::All).await.unwrap();
        let coin = &list.data.items[0];
        (coin.low_24h, coin.high_24h, list.provider_names().unwrap())
    };
    assert_eq!(range().await, (None, None, String::from("coinmarketcap")));
    world.coins(Tag::Brc20).await.unwrap();
    let both = "coinmarketcap, coingecko";
    assert_eq!(range().await, (Some(8.0), Some(8.55), both.to_owned()), "the range includes the price");
    assert_eq!(world.request_count(ProviderName::CoinGecko), 1);
    // It is another coin, or the market has moved on.
    world.respond_with(ProviderName::CoinMarketCap, cmc(9.9));
    world.advance(minutes(6)).await;
    range().await;
    world.advance(Duration::from_secs(20)).await;
    assert_eq!(range().await, (None, None, String::from("coinmarketcap")));
}
