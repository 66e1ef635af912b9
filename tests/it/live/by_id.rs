//! Coins by id (`/coins?ids=`) and the names of all coins (`/x/names`).

use satscope::model::ProviderName::{CoinGecko, CoinMarketCap, CoinPaprika};
use satscope::model::Tag;
use serde_json::{Value, json};

use super::{Live, fake, world};

fn names(body: &Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|coin| coin["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn coins_by_id_keep_the_requested_order_and_unknown_ids_are_left_out() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (status, provider, body) = live.raw("/coins?ids=40007,99999999,25028,no-such-coin,1,1").await;
    assert_eq!((status, provider.as_str()), (200, "coinmarketcap"), "{body}");
    assert_eq!(names(&body), ["Other 7", "ORDI", "Bitcoin"]);
    assert_eq!(body["data"][1]["id"], 25028);
    assert_eq!(body["data"][1]["quote"]["USD"]["price"], 8.41);
    let quotes = || cmc.paths().iter().filter(|path| path.ends_with("quotes/latest")).count();
    assert_eq!(quotes(), 1);
    // The same coins in another order are in the cache.
    let (_, _, body) = live.raw("/coins?ids=1,25028,40007,no-such-coin,99999999").await;
    assert_eq!(names(&body), ["Bitcoin", "ORDI", "Other 7"]);
    assert_eq!(quotes(), 1);
}

#[tokio::test]
async fn unknown_ids_alone_give_an_empty_list() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (status, _, body) = live.raw("/coins?ids=99999999").await;
    assert_eq!((status, &body["data"]), (200, &json!([])));
}

#[tokio::test]
async fn coin_by_id_comes_from_another_provider_if_the_first_fails() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    // Both providers' ids of these coins are known from their lists.
    live.coins(Tag::All, 1, 250).await;
    live.coins(Tag::Brc20, 1, 250).await;
    cmc.respond_with(fake::json(503, ""));
    let (status, provider, body) = live.raw("/coins?ids=25028,40010").await;
    assert_eq!((status, provider.as_str()), (200, "coingecko"), "{body}");
    assert_eq!(names(&body), ["ORDI", "Other 10"]);
    assert_eq!((&body["data"][0]["id"], &body["data"][1]["id"]), (&json!(25028), &json!(40010)));
}

#[tokio::test]
async fn coin_is_found_by_the_id_of_a_provider_that_another_one_replaced() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    live.coins(Tag::All, 1, 250).await;
    live.coins(Tag::Brc20, 1, 250).await;
    let (status, provider, body) = live.raw("/coins?ids=ordinals").await;
    assert_eq!((status, provider.as_str(), names(&body)), (200, "coingecko", vec!["ORDI"]), "{body}");
    assert!(!cmc.paths().iter().any(|path| path.ends_with("quotes/latest")), "CoinMarketCap's ids are numbers");
}

#[tokio::test]
async fn coins_by_id_fail_if_every_provider_fails() {
    let cmc = world::coinmarketcap();
    cmc.respond_with(fake::json(503, ""));
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (status, _, body) = live.raw("/coins?ids=1").await;
    assert_eq!(status, 503, "{body}");
}

#[tokio::test]
async fn names_of_all_coins_have_the_ids_of_the_lists() {
    let cmc = world::coinmarketcap();
    let live = Live::over(&[(CoinMarketCap, &cmc)]);
    let (all, _) = live.coins(Tag::All, 1, 250).await;
    let (status, provider, body) = live.raw("/x/names").await;
    assert_eq!((status, provider.as_str()), (200, "coinmarketcap"), "{body}");
    let rows = body.as_array().unwrap();
    assert_eq!(rows.len(), world::coins().len());
    for (row, coin) in rows.iter().zip(&all.items) {
        assert_eq!((row["id"].as_str(), row["slug"].as_str()), (Some(coin.id.0.as_str()), coin.slug.as_deref()));
        assert_eq!(row["rank"].as_u64(), coin.rank.map(u64::from));
    }
    // They are cached for a day.
    live.raw("/x/names").await;
    assert_eq!(cmc.paths().iter().filter(|path| path.ends_with("/map")).count(), 1);
}

#[tokio::test]
async fn names_fall_back_to_another_provider() {
    for (other, fake) in [(CoinPaprika, world::coinpaprika()), (CoinGecko, world::coingecko())] {
        let cmc = world::coinmarketcap();
        cmc.respond_with(fake::json(503, ""));
        let live = Live::over(&[(CoinMarketCap, &cmc), (other, &fake)]);
        let (status, provider, body) = live.raw("/x/names").await;
        assert_eq!((status, provider.as_str()), (200, other.as_str()), "{body}");
        let rows = body.as_array().unwrap();
        assert_eq!(rows.len(), world::coins().len());
        let bitcoin = rows.iter().find(|row| row["name"] == "Bitcoin").unwrap();
        assert_eq!((&bitcoin["id"], &bitcoin["symbol"]), (&json!("1"), &json!("BTC")));
    }
}
