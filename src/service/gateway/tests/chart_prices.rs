//! Charts and series whose prices can't be right.

use super::*;
use crate::service::backend::market::SeriesQuery;

const GECKO: ProviderName = ProviderName::CoinGecko;
const LLAMA: ProviderName = ProviderName::DefiLlama;

/// CoinGecko's list with ORDI at this price.
fn list(price: f64) -> Response {
    json(format!(
        r#"[{{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":{price},"market_cap":176610000}}]"#
    ))
}

/// An hourly chart of CoinGecko that ends `age` hours after the start, with the price at each hour before its end.
fn chart(end: i64, price: impl Fn(i64) -> f64) -> Response {
    let point = |before: i64| format!("[{},{}]", START.millis() + (end - before) * 3_600_000, price(before));
    let points: Vec<String> = (0..=168).rev().map(point).collect();
    json(format!(r#"{{"prices":[{}],"market_caps":[],"total_volumes":[]}}"#, points.join(",")))
}

/// Hourly prices of DefiLlama.
fn llama(prices: &[(&str, f64)]) -> Response {
    let coin = |(id, price): &(&str, f64)| {
        let point =
            |before: i64| format!(r#"{{"timestamp":{},"price":{price}}}"#, START.millis() / 1_000 - before * 3_600);
        let points: Vec<String> = (0..168).rev().map(point).collect();
        format!(r#""coingecko:{id}":{{"prices":[{}]}}"#, points.join(","))
    };
    json(format!(r#"{{"coins":{{{}}}}}"#, prices.iter().map(coin).collect::<Vec<_>>().join(",")))
}

fn world() -> World {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.providers.entry(LLAMA).or_default().enabled = Some(true);
    settings.order.insert(Operation::Series, vec![LLAMA]);
    settings.order.insert(Operation::Chart, vec![GECKO, LLAMA]);
    World::with(settings)
}

#[tokio::test(start_paused = true)]
async fn chart_far_from_the_price_in_a_list_comes_from_the_next_provider() {
    let world = world();
    world.respond_with(GECKO, list(8.41));
    world.coins(Tag::Brc20).await.unwrap();
    world.respond_with(GECKO, chart(0, |_| 841.0));
    world.respond_with(LLAMA, llama(&[("ordinals", 8.5)]));
    let response = world.chart("ordi").await.unwrap();
    assert_eq!(
        (response.provider, response.data.points.last().and_then(|point| point.price)),
        (Some(LLAMA), Some(8.5))
    );
    // Other charts of the provider may be right.
    assert!(world.gateway.is_available(world.gateway.provider(GECKO).unwrap(), Operation::Chart));
    world.respond_with(LLAMA, llama(&[("ordinals", 841.0)]));
    let error = world.gateway.chart("ordi", Period::Month, &Currency::usd()).await.unwrap_err();
    let reason = "CoinGecko and DefiLlama: the last price of ORDI is 841.00, but another source says 8.41";
    assert!(matches!(&error, ProviderError::Unavailable { reason: known, .. } if known == reason), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn chart_far_from_an_old_price_is_used_if_the_price_moved() {
    type Price = fn(i64) -> f64;
    let cases: [(u64, Price, bool); 5] = [
        (0, |_| 0.7, false),
        (20, |_| 0.7, false),
        (20, |before| if before < 15 { 0.7 } else { 8.0 }, true),
        // The unit has changed since.
        (1, |before| if before < 15 { 0.7 } else { 8.0 }, false),
        (25, |_| 0.7, true),
    ];
    for (hours, price, is_used) in cases {
        let world = world();
        world.respond_with(GECKO, list(8.41));
        world.respond_with(LLAMA, Response::of(500, &[], ""));
        world.coins(Tag::Brc20).await.unwrap();
        world.advance(minutes(60 * hours)).await;
        world.respond_with(GECKO, chart(hours.cast_signed(), price));
        assert_eq!(world.chart("ordi").await.is_ok(), is_used, "{hours}");
    }
    // An old chart has no price of today.
    let world = world();
    world.respond_with(GECKO, list(8.41));
    world.respond_with(LLAMA, Response::of(500, &[], ""));
    world.coins(Tag::Brc20).await.unwrap();
    world.respond_with(GECKO, chart(-30, |_| 0.7));
    assert!(world.chart("ordi").await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn chart_of_about_the_same_time_as_the_list_differs_by_less_than_three_times() {
    type Price = fn(i64) -> f64;
    let cases: [(Price, bool); 4] = [
        (|_| 42.0, false),
        (|_| 1.7, false),
        (|_| 20.0, true),
        // A volatile hour.
        (|before| if before == 0 { 42.0 } else { 12.0 }, true),
    ];
    for (price, is_used) in cases {
        let world = world();
        world.respond_with(GECKO, list(8.41));
        world.respond_with(LLAMA, Response::of(500, &[], ""));
        world.coins(Tag::Brc20).await.unwrap();
        world.respond_with(GECKO, chart(0, price));
        assert_eq!(world.chart("ordi").await.is_ok(), is_used, "{}", price(0));
    }
}

#[tokio::test(start_paused = true)]
async fn command_compares_a_chart_with_the_price_that_an_earlier_one_saved() {
    let directory = tempfile::tempdir().unwrap();
    let world = || {
        let mut settings = LiveSettings { start_gap: Duration::ZERO, is_command: true, ..LiveSettings::default() };
        settings.cache = Some(directory.path().to_owned());
        settings.order.insert(Operation::Chart, vec![GECKO]);
        World::with(settings)
    };
    let first = world();
    first.respond_with(GECKO, list(8.41));
    first.coins(Tag::Brc20).await.unwrap();
    let second = world();
    second.respond_with(GECKO, chart(0, |_| 8_410.0));
    // Its clock starts again, so it reads the file a minute later.
    second.advance(minutes(1)).await;
    let now = second.gateway.0.time.now();
    second.gateway.identity().restore(identity_cache::read(directory.path(), now).coins, now);
    let error = second.chart("ordi").await.unwrap_err();
    assert!(error.to_string().contains("another source says 8.41"), "{error}");
    assert_eq!(second.request_count(GECKO), 1, "no further request");
}

#[tokio::test(start_paused = true)]
async fn price_of_a_market_pair_far_from_the_coin_is_left_out() {
    let warning = Some("Skipped an implausible price: 8,410.00 on Exchange 8410");
    let with_list: (bool, Vec<f64>) = (true, vec![8.5, 8410.0]);
    for (has_list, sent) in [with_list, (false, vec![8.5, 8410.0, 8.4])] {
        let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
        settings.order.insert(Operation::Pairs, vec![GECKO]);
        let world = World::with(settings);
        if has_list {
            world.respond_with(GECKO, list(8.41));
            world.coins(Tag::Brc20).await.unwrap();
        }
        world.respond_with(GECKO, tickers(&sent));
        let response = world.gateway.market_pairs("ORDI", Some("ordi"), &Currency::usd()).await.unwrap();
        let prices: Vec<Option<f64>> = response.data[0].pairs.iter().map(|pair| pair.price).collect();
        assert_eq!(prices[..2], [Some(8.5), None], "{has_list}");
        assert_eq!(response.notice.as_deref(), warning, "{has_list}");
    }
}

#[tokio::test(start_paused = true)]
async fn market_pairs_of_another_coin_are_not_used() {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    settings.order.insert(Operation::Pairs, vec![GECKO]);
    let world = World::with(settings);
    world.respond_with(GECKO, list(8.41));
    world.coins(Tag::Brc20).await.unwrap();
    world.respond_with(GECKO, tickers(&[8410.0, 8411.0]));
    let error = world.gateway.market_pairs("ORDI", Some("ordi"), &Currency::usd()).await.unwrap_err();
    let reason = "CoinGecko: the price of ORDI is 8,410.00, but another source says 8.41";
    assert!(matches!(&error, ProviderError::Unavailable { reason: known, .. } if known == reason), "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn chart_is_compared_with_the_live_price() {
    let world = world();
    world.respond_with(GECKO, list(8.41));
    world.coins(Tag::Brc20).await.unwrap();
    world.gateway.0.ticker.deliver(ProviderName::Binance, &[(CoinId("25028".into()), 1.0)], 0.71, None);
    world.respond_with(GECKO, chart(0, |_| 0.7));
    assert_eq!(world.chart("ordi").await.unwrap().provider, Some(GECKO));
}

#[tokio::test(start_paused = true)]
async fn series_far_from_the_price_in_a_list_are_left_out() {
    let world = world();
    world.respond_with(GECKO, list(8.41));
    world.coins(Tag::Brc20).await.unwrap();
    world.respond_with(LLAMA, llama(&[("bitcoin", 61_000.0), ("ordinals", 841.0)]));
    let series = async |symbols: &[&str]| {
        let symbols = symbols.iter().copied().map(String::from).collect();
        let query = SeriesQuery { symbols, convert: Currency::usd(), count: 24, interval: String::from("1h") };
        world.gateway.series(query).await
    };
    let response = series(&["BTC", "ORDI"]).await.unwrap();
    assert_eq!(response.data.iter().map(|series| series.symbol.as_str()).collect::<Vec<_>>(), ["BTC"]);
    let reason = "the last price of ORDI is 841.00, but another source says 8.41";
    assert_eq!(response.notice, Some(format!("Skipped prices: {reason}; No prices for ORDI")));
    let error = series(&["ORDI"]).await.unwrap_err();
    assert!(error.to_string().contains(&format!("DefiLlama: {reason}")), "{error}");
}

#[tokio::test(start_paused = true)]
async fn series_without_a_coin_that_could_not_be_looked_up_are_soon_requested_again() {
    let world = world();
    world.respond_with(ProviderName::CoinMarketCap, Response::of(503, &[], ""));
    world.respond_with(GECKO, Response::of(503, &[], ""));
    world.respond_with(LLAMA, llama(&[("ordinals", 8.41), ("new-coin", 3.0)]));
    let series = async || {
        let symbols = vec![String::from("ORDI"), String::from("NEWCOIN")];
        let query = SeriesQuery { symbols, convert: Currency::usd(), count: 24, interval: String::from("1d") };
        let response = world.gateway.series(query).await.unwrap();
        let symbols: Vec<String> = response.data.iter().map(|series| series.symbol.to_string()).collect();
        (symbols.join(" "), response.notice, response.fresh_for)
    };
    let (symbols, notice, fresh_for) = series().await;
    assert_eq!(symbols, "ORDI");
    assert_eq!(notice.as_deref(), Some("Can't look up NEWCOIN (CoinGecko: server error (503))"));
    assert!(fresh_for <= minutes(1), "{fresh_for:?}");
    world.respond_with(
        GECKO,
        json(r#"[{"id":"new-coin","symbol":"newcoin","name":"New Coin","current_price":3,"market_cap":1000000}]"#),
    );
    world.advance(fresh_for + Duration::from_secs(5)).await;
    let (symbols, notice, fresh_for) = series().await;
    assert_eq!((symbols.as_str(), notice), ("ORDI NEWCOIN", None));
    assert!(fresh_for > minutes(10), "{fresh_for:?}");
}

#[tokio::test(start_paused = true)]
async fn price_of_zero_is_a_gap() {
    let world = world();
    world.respond_with(GECKO, chart(0, |before| if before % 100 == 3 { 0.0 } else { 8.41 }));
    let response = world.chart("first").await.unwrap();
    let prices: Vec<Option<f64>> = response.data.points.iter().rev().map(|point| point.price).collect();
    assert_eq!(prices.len(), 169);
    assert!((0..169).all(|at| prices[at].is_none() == (at % 100 == 3)), "{prices:?}");
    assert_eq!(response.notice.as_deref(), Some("Skipped 2 zero prices"));
    world.respond_with(GECKO, chart(0, |_| 0.0));
    world.respond_with(LLAMA, llama(&[("second", 3.0)]));
    assert_eq!(world.chart("second").await.unwrap().provider, Some(LLAMA));
}
