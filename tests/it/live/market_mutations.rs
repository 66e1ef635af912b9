//! The same as in [`super::mutations`], for the providers of names, charts, rates and blocks.

use satscope::model::ProviderName::{
    self, Binance, CoinGecko, CoinMarketCap, CoinPaprika, DefiLlama, Frankfurter, Mempool, Okx,
};

use super::fake::{Fake, json};
use super::mutations::check_over;
use super::world;

type Start = fn() -> Fake;

async fn check_all(cases: &[(ProviderName, Start, &str, &'static str)]) {
    for (name, start, path, part) in cases {
        check_over(&[(*name, &start(), None)], path, part).await;
    }
}

#[tokio::test]
async fn values_of_name_lists_are_correct_or_null() {
    check_all(&[
        (CoinMarketCap, world::coinmarketcap, "/x/names", "/map"),
        (CoinGecko, world::coingecko, "/x/names", "/coins/list"),
        (CoinPaprika, world::coinpaprika, "/x/names", "/coins"),
    ])
    .await;
}

#[tokio::test]
async fn values_of_coin_lists_are_correct_or_null() {
    check_all(&[
        (CoinMarketCap, world::coinmarketcap, "/coins?limit=4", "/listings/latest"),
        (CoinGecko, world::coingecko, "/coins?limit=4", "/coins/markets"),
        (CoinPaprika, world::coinpaprika, "/coins?limit=4", "/tickers"),
        (CoinMarketCap, world::coinmarketcap, "/coins?tag=brc-20&limit=4", "/category"),
    ])
    .await;
}

#[tokio::test]
async fn values_of_coins_by_id_are_correct_or_null() {
    check_all(&[
        (CoinMarketCap, world::coinmarketcap, "/coins?ids=25028", "/quotes/latest"),
        (CoinGecko, world::coingecko, "/coins?ids=25028", "/coins/markets"),
    ])
    .await;
}

#[tokio::test]
async fn values_of_pairs_are_correct_or_null() {
    let pairs = "/exchanges?symbol=ORDI&limit=2";
    check_all(&[
        (CoinGecko, world::coingecko, pairs, "/tickers"),
        (CoinPaprika, world::coinpaprika, "/exchanges?symbol=BTC&limit=2", "/markets"),
    ])
    .await;
}

#[tokio::test]
async fn values_of_charts_are_correct_or_null() {
    let chart = "/chart?slug=ordi&period=7D";
    let series = "/market/data?symbol=ORDI&interval=1h&count=24";
    check_all(&[
        (CoinGecko, world::coingecko, chart, "/market_chart"),
        (DefiLlama, world::defillama, chart, "/chart/"),
        (DefiLlama, world::defillama, series, "/chart/"),
        (Binance, world::binance, chart, "/klines"),
        (Binance, world::binance, series, "/klines"),
        (Okx, world::okx, series, "/candles"),
    ])
    .await;
}

#[tokio::test]
async fn values_of_rates_and_blocks_are_correct_or_null() {
    let (frankfurter, gecko) = (world::frankfurter(), world::coingecko());
    let providers = [(Frankfurter, &frankfurter, None), (CoinGecko, &gecko, None)];
    check_over(&providers, "/coins?tag=brc-20&limit=1&convert=EUR", "/v2/rates").await;
    let mempool = Fake::start(|request| match request.path.as_str() {
        "/blocks/tip/height" => json(200, "923105"),
        "/v1/fees/precise" => json(200, r#"{"fastestFee":3.25,"halfHourFee":2,"hourFee":1.5,"economyFee":1}"#),
        _ => json(404, ""),
    });
    check_over(&[(Mempool, &mempool, None)], "/x/chain", "/fees/").await;
}
