//! Prices that are far from the prices a few minutes earlier.

use super::*;

const GECKO: ProviderName = ProviderName::CoinGecko;
const CMC: ProviderName = ProviderName::CoinMarketCap;

/// CoinGecko's list with ORDI at this price, and others.
fn gecko(ordi: f64, others: f64) -> Response {
    let row = |id: &str, name: &str, price: f64| {
        let cap = price * 21e6;
        format!(
            r#"{{"id":"{id}","symbol":"{name}","name":"{name}","current_price":{price},"market_cap":{cap},
            "total_volume":{cap},"price_change_percentage_24h_in_currency":{price},"high_24h":{price},"low_24h":{price},"sparkline_in_7d":{{"price":[{price},{price}]}}}}"#
        )
    };
    let others = ["a", "b", "c"].map(|name| row(name, name, others));
    json(format!("[{},{}]", row("ordinals", "ordi", ordi), others.join(",")))
}

/// CoinMarketCap's list with ORDI at this price.
fn cmc(ordi: f64) -> Response {
    json(format!(
        r#"{{"data":[{{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordi",
        "quote":[{{"symbol":"USD","price":{ordi},"market_cap":{}}}]}}],"status":{{"error_code":0}}}}"#,
        ordi * 21e6
    ))
}

/// The price of ORDI in a list, whether it has the values that belong to it, and the notice, once the list is refreshed.
async fn ordi(world: &World, tag: Tag) -> (Option<f64>, bool, Option<String>) {
    // It is refreshed in the background.
    let _ = world.coins(tag).await;
    world.advance(minutes(1)).await;
    let response = world.coins(tag).await.unwrap();
    let coin = response.data.items.iter().find(|coin| coin.id.0 == "25028").unwrap();
    let others = [coin.market_cap, coin.volume_24h, coin.change_24h_pct, coin.high_24h];
    (coin.price, others.iter().any(Option::is_some), response.notice)
}

#[tokio::test(start_paused = true)]
async fn jump_of_a_single_provider_is_left_out_until_it_has_lasted() {
    let world = World::new();
    world.respond_with(CMC, Response::of(500, &[], ""));
    world.respond_with(GECKO, gecko(8.41, 1.0));
    assert_eq!(ordi(&world, Tag::Brc20).await, (Some(8.41), true, None));
    world.respond_with(GECKO, gecko(8_410.0, 1.0));
    world.advance(minutes(11)).await;
    let warning = Some(String::from("Skipped the price of ORDI: 8,410.00 after 8.41"));
    assert_eq!(ordi(&world, Tag::Brc20).await, (None, false, warning.clone()));
    let known = world.gateway.identity().by_id(&CoinId("25028".into())).unwrap();
    assert_eq!(known.market_cap, Some(8.41 * 21e6), "not that of the wrong price");
    // A later price near the last one is used at once.
    world.respond_with(GECKO, gecko(9.0, 1.0));
    world.advance(minutes(11)).await;
    assert_eq!(ordi(&world, Tag::Brc20).await, (Some(9.0), true, None));
    world.respond_with(GECKO, gecko(9_000.0, 1.0));
    for _ in 0..3 {
        world.advance(minutes(11)).await;
        assert_eq!(ordi(&world, Tag::Brc20).await.0, None);
    }
    world.advance(minutes(11)).await;
    assert_eq!(ordi(&world, Tag::Brc20).await, (Some(9_000.0), true, None));
}

#[tokio::test(start_paused = true)]
async fn jump_that_another_provider_confirms_is_used() {
    let world = World::new();
    world.respond_with(GECKO, gecko(8.41, 1.0));
    world.respond_with(CMC, cmc(8.41));
    ordi(&world, Tag::Brc20).await;
    world.respond_with(GECKO, gecko(8_410.0, 1.0));
    world.advance(minutes(11)).await;
    assert_eq!(ordi(&world, Tag::Brc20).await.0, None);
    // The other provider contradicts it, even if it lasts.
    assert_eq!(ordi(&world, Tag::All).await.0, Some(8.41));
    for _ in 0..5 {
        world.advance(minutes(11)).await;
        assert_eq!(ordi(&world, Tag::All).await.0, Some(8.41));
        assert_eq!(ordi(&world, Tag::Brc20).await.0, None);
    }
    world.respond_with(CMC, cmc(8_500.0));
    world.advance(minutes(11)).await;
    assert_eq!(ordi(&world, Tag::All).await.0, Some(8_500.0));
    world.advance(minutes(11)).await;
    assert_eq!(ordi(&world, Tag::Brc20).await.0, Some(8_410.0));
}

#[tokio::test(start_paused = true)]
async fn wrong_first_price_of_a_provider_leaves_those_of_others() {
    let world = World::new();
    world.respond_with(GECKO, gecko(8_410.0, 1.0));
    world.respond_with(CMC, cmc(8.41));
    assert_eq!(ordi(&world, Tag::Brc20).await.0, Some(8_410.0));
    for _ in 0..2 {
        assert_eq!(ordi(&world, Tag::All).await.0, Some(8.41));
        world.advance(minutes(11)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn jump_that_a_live_price_confirms_is_used() {
    let world = World::new();
    world.respond_with(CMC, Response::of(500, &[], ""));
    world.respond_with(GECKO, gecko(8.41, 1.0));
    ordi(&world, Tag::Brc20).await;
    world.respond_with(GECKO, gecko(0.7, 1.0));
    world.advance(minutes(11)).await;
    world.gateway.0.ticker.deliver(ProviderName::Binance, &[(CoinId("25028".into()), 1.0)], 0.71, None);
    assert_eq!(ordi(&world, Tag::Brc20).await.0, Some(0.7));
}

#[tokio::test(start_paused = true)]
async fn list_whose_prices_have_jumped_comes_from_the_next_provider() {
    let world = World::new();
    world.respond_with(GECKO, gecko(8.41, 1.0));
    world.respond_with(CMC, cmc(8.5));
    ordi(&world, Tag::Brc20).await;
    world.respond_with(GECKO, gecko(8_410.0, 1_000.0));
    world.advance(minutes(11)).await;
    assert_eq!(ordi(&world, Tag::Brc20).await.0, Some(8.5));
    let sources = crate::service::backend::extensions::ExtensionProvider::sources(&world.gateway).await;
    let source = sources.iter().find(|source| source.name == "coingecko").unwrap();
    let reason = "Unknown response format: most prices jumped more than 10x";
    assert_eq!(source.missing.as_deref(), Some(reason));
}

#[tokio::test(start_paused = true)]
async fn jumped_price_keeps_the_7_day_line_of_the_right_price() {
    let world = World::new();
    world.respond_with(CMC, Response::of(500, &[], ""));
    let list = |price: f64, line: &str| {
        json(format!(
            r#"[{{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":{price},"market_cap":176610000,
            "sparkline_in_7d":{{"price":{line}}}}}]"#
        ))
    };
    world.respond_with(GECKO, list(8.41, "[8.2,8.4]"));
    ordi(&world, Tag::Brc20).await;
    for (line, expected) in [("[8.3,8.4]", vec![8.3, 8.4]), ("[8300,8400]", Vec::new())] {
        world.respond_with(GECKO, list(8_410.0, line));
        world.advance(minutes(11)).await;
        let (price, _, notice) = ordi(&world, Tag::Brc20).await;
        assert_eq!((price, notice.as_deref()), (None, Some("Skipped the price of ORDI: 8,410.00 after 8.41")));
        let coin = world.coins(Tag::Brc20).await.unwrap().data.items.remove(0);
        assert_eq!(coin.sparkline_7d, expected, "{line}");
    }
}
