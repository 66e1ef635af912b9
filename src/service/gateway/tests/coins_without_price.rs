//! Coins by id of which a provider has no current price.

use super::*;
use crate::model::Zone;

const GECKO: ProviderName = ProviderName::CoinGecko;
const CMC: ProviderName = ProviderName::CoinMarketCap;

/// Bitcoin and ORDI, by our ids.
const IDS: [&str; 2] = ["1", "25028"];

/// A time this long before the start.
fn at(age: Duration) -> String {
    Zone::UTC.at(START.minus(age)).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// CoinMarketCap's Bitcoin, and its ORDI with this price, updated this long before the start.
fn cmc(ordi: &str, age: Duration) -> Response {
    let row = |id: u32, name: &str, price: &str, cap: f64, age: Duration| {
        format!(
            r#"{{"id":{id},"name":"{name}","symbol":"{name}","slug":"{name}","last_updated":"{}",
            "quote":[{{"symbol":"USD","price":{price},"market_cap":{cap}}}]}}"#,
            at(age)
        )
    };
    let bitcoin =
        row(1, "Bitcoin", "61234.1", 1.21e12, Duration::ZERO).replace(r#""symbol":"Bitcoin""#, r#""symbol":"BTC""#);
    json(format!(r#"{{"data":[{bitcoin},{}],"status":{{"error_code":0}}}}"#, row(25028, "ORDI", ordi, 176e6, age)))
}

/// CoinGecko's ORDI, updated this long before the start.
fn gecko(price: &str, age: Duration) -> Response {
    json(format!(
        r#"[{{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":{price},"market_cap":176610000,
        "last_updated":"{}"}}]"#,
        at(age)
    ))
}

impl World {
    async fn by_id(&self) -> ProviderResponse<Page<Coin>> {
        let ids = IDS.map(|id| CoinId(id.into()));
        self.gateway.coins_by_id(&ids, &Currency::usd()).await.unwrap()
    }
}

/// The prices with their providers.
fn prices(response: &ProviderResponse<Page<Coin>>) -> Vec<(Option<f64>, Option<ProviderName>)> {
    response.data.items.iter().map(|coin| (coin.price, coin.provider)).collect()
}

/// A day.
const DAY: Duration = Duration::from_hours(24);

#[tokio::test(start_paused = true)]
async fn old_price_is_replaced_by_that_of_the_next_provider() {
    for (age, expected) in [(minutes(170), (Some(7.5), Some(CMC))), (DAY * 11, (Some(8.41), Some(GECKO)))] {
        let world = World::new();
        world.respond_with(CMC, cmc("7.5", age));
        world.respond_with(GECKO, gecko("8.41", Duration::ZERO));
        let response = world.by_id().await;
        assert_eq!(prices(&response), [(Some(61_234.1), Some(CMC)), expected], "{age:?}");
        assert_eq!((response.notice, response.refresh_error), (None, None), "{age:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn old_price_that_nobody_replaces_keeps_its_time() {
    // The newer one of two old ones.
    for (age, other, expected) in [(11, 20, (Some(7.5), Some(CMC))), (20, 11, (Some(8.41), Some(GECKO)))] {
        let world = World::new();
        world.respond_with(CMC, cmc("7.5", DAY * age));
        world.respond_with(GECKO, gecko("8.41", DAY * other));
        let response = world.by_id().await;
        assert_eq!(prices(&response), [(Some(61_234.1), Some(CMC)), expected]);
        assert_eq!(response.data.items[1].updated_at, Some(START.minus(DAY * 11)));
        assert_eq!(response.notice.as_deref(), Some("No new price of ORDI since 2026-10-21 00:00 UTC"));
        assert!(response.age < minutes(1) && response.refresh_error.is_none(), "the other price is new");
    }
    // The other one may have a newer price.
    let world = World::new();
    world.respond_with(CMC, cmc("7.5", DAY * 11));
    world.respond_with(GECKO, Response::of(503, &[], ""));
    let response = world.by_id().await;
    assert_eq!(prices(&response)[1], (Some(7.5), Some(CMC)));
    let notice = "CoinGecko: server error (503); No new price of ORDI since 2026-10-21 00:00 UTC";
    assert_eq!(response.notice.as_deref(), Some(notice));
}

#[tokio::test(start_paused = true)]
async fn missing_price_comes_from_the_next_provider() {
    let ignored = "Ignored the zero price of ORDI (its market cap isn't zero)";
    for (price, notice) in [("null", None), ("0", Some(ignored))] {
        let world = World::new();
        world.respond_with(CMC, cmc(price, Duration::ZERO));
        world.respond_with(GECKO, gecko("8.41", Duration::ZERO));
        let response = world.by_id().await;
        assert_eq!(prices(&response), [(Some(61_234.1), Some(CMC)), (Some(8.41), Some(GECKO))], "{price}");
        assert_eq!(response.notice.as_deref(), notice, "{price}");
    }
    // Without any price, the coin is still found.
    let world = World::new();
    world.respond_with(CMC, cmc("null", Duration::ZERO));
    world.respond_with(GECKO, json("[]"));
    let response = world.by_id().await;
    assert_eq!(prices(&response), [(Some(61_234.1), Some(CMC)), (None, Some(CMC))]);
    assert_eq!(response.notice, None);
}

#[tokio::test(start_paused = true)]
async fn price_removed_by_the_check_for_jumps_comes_from_the_next_provider() {
    let world = World::new();
    world.respond_with(CMC, cmc("8.5", Duration::ZERO));
    world.respond_with(GECKO, gecko("8.41", Duration::ZERO));
    assert_eq!(prices(&world.by_id().await)[1], (Some(8.5), Some(CMC)));
    world.respond_with(CMC, cmc("8500", Duration::ZERO));
    world.advance(minutes(6)).await;
    // It is refreshed in the background.
    world.by_id().await;
    world.advance(minutes(1)).await;
    assert_eq!(prices(&world.by_id().await)[1], (Some(8.41), Some(GECKO)));
}

#[tokio::test(start_paused = true)]
async fn provider_is_not_asked_by_id_for_a_price_that_its_new_list_lacks() {
    let world = World::new();
    world.respond_with(CMC, cmc("null", Duration::ZERO));
    world.respond_with(GECKO, gecko("8.41", Duration::ZERO));
    world.coins(Tag::All).await.unwrap();
    let before = world.request_count(CMC);
    assert_eq!(prices(&world.by_id().await), [(Some(61_234.1), Some(CMC)), (Some(8.41), Some(GECKO))]);
    assert_eq!(world.request_count(CMC), before);
}

#[tokio::test(start_paused = true)]
async fn other_coins_of_the_next_provider_keep_the_ids_of_the_first() {
    const PAPRIKA: ProviderName = ProviderName::CoinPaprika;
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Coins, vec![CMC, PAPRIKA]);
    settings.providers.entry(PAPRIKA).or_default().enabled = Some(true);
    let world = World::with(settings);
    world.respond_with(CMC, cmc("7.5", DAY * 11));
    let tickers = r#"[{"id":"ordi-ordi","name":"ORDI","symbol":"ORDI","rank":9,
        "quotes":{"USD":{"price":8.41,"market_cap":176610000}}},
        {"id":"far-far","name":"Far","symbol":"FAR","rank":500,"quotes":{"USD":{"price":2.5,"market_cap":1000000}}}]"#;
    world.respond_with(PAPRIKA, Response::of(200, &[], tickers));
    assert_eq!(prices(&world.by_id().await)[1], (Some(8.41), Some(PAPRIKA)));
    let far = r#"{"id":777,"name":"Far","symbol":"FAR","slug":"far-coin",
        "quote":[{"symbol":"USD","price":2.5,"market_cap":1000000}]}"#;
    world.respond_with(CMC, json(format!(r#"{{"data":[{far}],"status":{{"error_code":0}}}}"#)));
    let list = world.coins(Tag::All).await.unwrap().data.items;
    assert_eq!((list[0].id.0.as_str(), list[0].slug.as_deref()), ("777", Some("far-coin")));
}
