//! Charts and series over Binance, CoinGecko and DefiLlama.

mod candles;
mod series;

use std::time::Duration;

use satscope::client::{Reply, Request, ResponseData};
use satscope::model::ProviderName::{self, Binance, CoinGecko, CoinMarketCap, DefiLlama, Frankfurter, Okx};
use satscope::model::{Candle, Chart, Currency, MarketSeries, Period, Tag, Text, UtcTime, Zone};
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use serde_json::{Value, json as object};

use super::fake::Fake;
use super::{Live, fake, world};

async fn chart(live: &Live, slug: &str, period: Period) -> (Chart, Reply) {
    let reply = live.get(&Request::Chart { slug: slug.into(), period, convert: Currency::usd() }).await.unwrap();
    match reply.response.clone() {
        Some(ResponseData::Chart(chart)) => (chart, reply),
        other => panic!("{other:?}"),
    }
}

async fn series(live: &Live, symbols: &[&str], count: u32, interval: &str) -> (Vec<MarketSeries>, Reply) {
    let symbols = symbols.iter().copied().map(Text::from).collect();
    let request = Request::MarketData { symbols, convert: Currency::usd(), count, interval: interval.into() };
    let reply = live.get(&request).await.unwrap();
    match reply.response.clone() {
        Some(ResponseData::Market(series)) => (series, reply),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn chart_of_listed_coin_comes_from_binance_with_24h_volume() {
    let (binance, gecko) = (world::binance(), world::coingecko());
    let live = Live::over(&[(Binance, &binance), (CoinGecko, &gecko)]);
    for (period, points, interval, limit) in [
        (Period::Day, 288, "5m", "576"),
        (Period::Week, 168, "1h", "192"),
        (Period::Month, 720, "1h", "744"),
        (Period::Quarter, 540, "4h", "546"),
    ] {
        let (chart, reply) = chart(&live, "ordi", period).await;
        assert_eq!((chart.points.len(), reply.provider.as_deref()), (points, Some("binance")), "{period:?}");
        assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
        let request = binance.requests().pop().unwrap();
        assert_eq!((request.query("interval"), request.query("limit")), (interval, limit));
        let last = chart.points.last().unwrap();
        assert_eq!((last.time.secs(), last.price), (world::NOW, Some(8.41)), "the open candle ends now");
        let candles = match interval {
            "5m" => 288.0,
            "1h" => 24.0,
            _ => 6.0,
        };
        assert!((last.volume.unwrap() - candles * 1000.5).abs() < 1e-6, "{:?}", last.volume);
    }
    assert!(gecko.requests().is_empty());
}

/// A service whose only provider is another service.
pub(super) fn through(first: &Live) -> Live {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for name in ProviderName::ALL {
        let url = Some(first.running.url()).filter(|_| name == ProviderName::Service);
        let (enabled, min_gap) = (Some(url.is_some()), Some(Duration::ZERO));
        settings.providers.insert(name, ProviderSettings { enabled, min_gap, base_url: url, ..Default::default() });
    }
    // The lists say which coins there are.
    settings.order.values_mut().for_each(|order| *order = vec![ProviderName::Service]);
    Live::with(settings)
}

#[tokio::test]
async fn chart_comes_from_okx_while_binance_fails() {
    let (binance, okx) = (world::binance(), world::okx());
    binance.respond_with(fake::html(451));
    let live = Live::over(&[(Binance, &binance), (Okx, &okx)]);
    for (period, points, bar, pages) in [
        (Period::Day, 288, "5m", vec!["300", "276"]),
        (Period::Week, 168, "1H", vec!["192"]),
        (Period::Month, 720, "1H", vec!["300", "300", "144"]),
        (Period::Quarter, 540, "4H", vec!["300", "246"]),
    ] {
        let before = okx.requests().len();
        let (chart, reply) = chart(&live, "ordi", period).await;
        assert_eq!((chart.points.len(), reply.provider.as_deref()), (points, Some("okx")), "{period:?}");
        assert!(chart.points.is_sorted_by(|a, b| a.time < b.time), "{period:?}: pages joined without duplicates");
        let last = chart.points.last().unwrap();
        assert_eq!((last.time.secs(), last.price), (world::NOW, Some(8.41)), "the open candle ends now");
        let requests = okx.requests().split_off(before);
        assert!(requests.iter().all(|request| request.query("bar") == bar));
        assert_eq!(requests.iter().map(|request| request.query("limit")).collect::<Vec<_>>(), pages);
    }
    assert_eq!(binance.requests().len(), 1, "blocked until tomorrow");
}

/// Moves the candles of an exchange into the past, as if it had stopped trading the coin.
fn stop_trading(exchange: &Fake, days: i64) {
    exchange.edit(move |_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        let rows = if body.is_array() { &mut body } else { &mut body["data"] };
        for row in rows.as_array_mut().unwrap() {
            let millis = days * 86_400_000;
            match row[0].as_str() {
                Some(text) => row[0] = Value::from((text.parse::<i64>().unwrap() - millis).to_string()),
                // Binance sends the ends of candles too.
                None => [0, 6].iter().for_each(|&at| row[at] = Value::from(row[at].as_i64().unwrap() - millis)),
            }
        }
        response.body = body.to_string().into_bytes();
        response
    });
}

#[tokio::test]
async fn old_prices_are_used_only_if_no_provider_has_newer_ones() {
    let date = |days: i64| Zone::UTC.at(UtcTime::from_secs(world::NOW - days * 86_400)).date().to_string();
    let cases = [
        (0, 1, 200, "binance", None),
        (2, 0, 200, "okx", None),
        (4, 0, 200, "okx", None),
        (4, 9, 200, "coingecko", None),
        (4, 9, 500, "binance", Some(4)),
        (30, 9, 500, "okx", Some(9)),
    ];
    for (binance_days, okx_days, gecko_status, expected, old) in cases {
        let (binance, okx, gecko) = (world::binance(), world::okx(), world::coingecko());
        stop_trading(&binance, binance_days);
        stop_trading(&okx, okx_days);
        if gecko_status != 200 {
            gecko.respond_with(fake::json(gecko_status, "{}"));
        }
        let live = Live::over(&[(Binance, &binance), (Okx, &okx), (CoinGecko, &gecko)]);
        for period in [Period::Day, Period::Quarter] {
            let (chart, reply) = chart(&live, "ordi", period).await;
            let case = format!("{binance_days} {okx_days} {gecko_status} {period:?}");
            assert_eq!(reply.provider.as_deref(), Some(expected), "{case}");
            let notice = old.map(|days| format!("No prices since {}", date(days)));
            assert_eq!(
                reply.warnings.iter().map(String::as_str).collect::<Vec<_>>(),
                notice.iter().collect::<Vec<_>>()
            );
            let age = world::NOW - chart.points.last().unwrap().time.secs();
            let days = old.unwrap_or(if expected == "binance" { binance_days } else { 0 });
            assert!((age - days * 86_400).abs() <= 4 * 3_600, "{case}: {age} s");
        }
    }
}

#[tokio::test]
async fn okx_errors_in_successful_responses_are_errors() {
    let okx = world::okx();
    let live = Live::over(&[(Okx, &okx)]);
    okx.respond_with(fake::json(200, r#"{"code":"50011","msg":"Too Many Requests","data":[]}"#));
    let request = Request::Chart { slug: "ordi".into(), period: Period::Day, convert: Currency::usd() };
    let error = live.get(&request).await.unwrap_err();
    assert!(error.to_string().contains("OKX"), "{error}");
    assert!(live.get(&request).await.is_err());
    assert_eq!(okx.requests().len(), 1, "not queried again while rate-limited");
}

#[tokio::test]
async fn bundle_price_is_converted_to_single_coin() {
    let binance = world::binance();
    let live = Live::over(&[(Binance, &binance)]);
    let (chart, _) = chart(&live, "sats-ordinals", Period::Day).await;
    assert!((chart.points[0].price.unwrap() - 1.1e-7).abs() < 1e-15);
}

#[tokio::test]
async fn chart_of_coin_not_on_binance_comes_from_coingecko() {
    let (cmc, binance, gecko) = (world::coinmarketcap(), world::binance(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (Binance, &binance), (CoinGecko, &gecko)]);
    // No list contains it yet: its slug is looked up, then CoinGecko's coins of that symbol.
    let (chart, reply) = chart(&live, "other-7", Period::Week).await;
    assert_eq!((chart.points.len(), reply.provider.as_deref()), (169, Some("coingecko")));
    assert_eq!(cmc.paths(), ["/v3/cryptocurrency/quotes/latest"]);
    assert_eq!(gecko.paths(), ["/coins/markets", "/coins/other-7/market_chart"]);
    assert_eq!(binance.paths(), ["/api/v3/exchangeInfo"], "no symbol is guessed");
}

#[tokio::test]
async fn chart_falls_back_to_defillama() {
    let (binance, gecko, llama) = (world::binance(), world::coingecko(), world::defillama());
    binance.respond_with(fake::json(451, "not in your country"));
    gecko.respond_with(fake::html(403));
    let live = Live::over(&[(Binance, &binance), (CoinGecko, &gecko), (DefiLlama, &llama)]);
    for (period, points, unit) in
        [(Period::Day, 288, "5m"), (Period::Week, 336, "30m"), (Period::Month, 180, "4h"), (Period::Quarter, 90, "1d")]
    {
        let (chart, reply) = chart(&live, "ordi", period).await;
        assert_eq!((chart.points.len(), reply.provider.as_deref()), (points, Some("defillama")), "{period:?}");
        assert_eq!(llama.requests().pop().unwrap().query("period"), unit);
    }
    assert_eq!((binance.requests().len(), gecko.requests().len()), (1, 1), "both are paused for a day");
}
