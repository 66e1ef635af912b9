//! Other currencies than US dollars.

use std::time::Duration;

use satscope::client::{Request, ResponseData};
use satscope::model::ProviderName::{Binance, CoinGecko, CoinMarketCap, Ecb, Frankfurter};
use satscope::model::{Coin, CoinId, Currency, Period, Tag};

use super::{Live, fake, world};

/// ORDI in a currency.
async fn ordi(live: &Live, code: &str) -> Coin {
    let convert = Currency::parse(code).unwrap();
    let request = Request::Coins { tag: Tag::Brc20, start: 1, limit: 100, convert };
    match live.get(&request).await.unwrap().response {
        Some(ResponseData::Coins(page)) => page.items.into_iter().find(|coin| coin.name == "ORDI").unwrap(),
        other => panic!("{other:?}"),
    }
}

fn close(figure: Option<f64>, to: f64) -> bool {
    figure.is_some_and(|figure| (figure / to - 1.0).abs() < 1e-9)
}

#[tokio::test]
async fn one_rate_converts_all_prices_of_a_response() {
    let (gecko, frankfurter, ecb) = (world::coingecko(), world::frankfurter(), world::ecb());
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &frankfurter), (Ecb, &ecb)]);
    let coin = ordi(&live, "EUR").await;
    assert_eq!(coin.convert.as_str(), "EUR");
    assert!(close(coin.price, 8.41 * 0.8731) && close(coin.high_24h, 8.41 * 1.1 * 0.8731), "{coin:?}");
    assert!(close(coin.sparkline_7d.last().copied(), 8.41 * 0.8731));
    assert_eq!(coin.change_24h_pct, Some(-3.8));
    assert_eq!(coin.circulating_supply, Some(21e6));
    assert!(close(ordi(&live, "JPY").await.price, 8.41 * 157.42));
    // One list and one set of rates served all currencies.
    assert_eq!((gecko.requests().len(), frankfurter.requests().len(), ecb.requests().len()), (1, 1, 0));
}

#[tokio::test]
async fn converted_prices_name_the_origin_of_their_rate() {
    let (gecko, frankfurter) = (world::coingecko(), world::frankfurter());
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &frankfurter)]);
    let rate = async |code: &str| {
        let convert = Currency::parse(code).unwrap();
        let pages = Request::Coins { tag: Tag::Brc20, start: 1, limit: 100, convert: convert.clone() };
        let by_id = Request::CoinsById { ids: vec![ordi(&live, "USD").await.id], convert };
        let origin = live.get(&pages).await.unwrap().rate;
        assert_eq!(live.get(&by_id).await.unwrap().rate, origin);
        origin.map(|rate| (rate.provider.to_string(), rate.at.timestamp().to_string()))
    };
    assert_eq!(rate("USD").await, None);
    // The ECB's rates of the Friday before.
    assert_eq!(rate("EUR").await, Some((String::from("frankfurter"), String::from("2026-11-20T15:00:00Z"))));
    assert_eq!(rate("BTC").await, Some((String::from("coingecko"), String::from("2026-11-21T08:00:00Z"))));
}

/// Frankfurter with gold and platinum, whose rates per dollar have two digits.
fn gold() -> fake::Fake {
    fake::Fake::start(|request| {
        let row = |base: &str, quote: &str, rate: f64| serde_json::json!({"date": "2026-11-20", "base": base, "quote": quote, "rate": rate});
        let rows = match (request.query("base"), request.query("quotes")) {
            ("USD", _) => vec![row("USD", "EUR", 0.8731), row("USD", "XAU", 0.00024), row("USD", "XPT", 0.00061)],
            ("XPT", "USD") => vec![row("XPT", "USD", 1_640.5)],
            ("XAU", "USD") => vec![row("XAU", "USD", 4_081.25), row("XAU", "EUR", 3_563.3)],
            ("EUR", "XAU") => vec![row("EUR", "XAU", 0.00028)],
            ("XAU", "EUR") => vec![row("XAU", "EUR", 3_563.3)],
            ("EUR", "USD") => vec![row("EUR", "USD", 1.1453)],
            _ => return fake::json(422, r#"{"message":"invalid currency"}"#),
        };
        fake::json(200, serde_json::to_string(&rows).unwrap())
    })
}

#[tokio::test]
async fn small_rates_are_requested_as_their_reciprocals() {
    let (gecko, gold) = (world::coingecko(), gold());
    let directory = tempfile::tempdir().unwrap();
    let live = Live::with_cache(&[(CoinGecko, &gecko), (Frankfurter, &gold)], Some(directory.path()));
    assert!(close(ordi(&live, "EUR").await.price, 8.41 * 0.8731));
    assert_eq!(gold.requests().len(), 1);
    for _ in 0..2 {
        let coin = ordi(&live, "XAU").await;
        assert!(close(coin.price, 8.41 / 4_081.25), "{coin:?}");
        assert_eq!(gold.requests().len(), 2);
    }
    // The next process knows it already.
    let next = Live::with_cache(&[(CoinGecko, &gecko), (Frankfurter, &gold)], Some(directory.path()));
    assert!(close(ordi(&next, "XAU").await.price, 8.41 / 4_081.25));
    assert!(close(ordi(&next, "EUR").await.price, 8.41 * 0.8731));
    assert_eq!(gold.requests().len(), 2);
    let (status, _, body) = live.raw("/x/rates?dates=2026-11-20&from=XAU&to=EUR").await;
    assert_eq!((status, body[0]["rate"].as_str().unwrap().split_at(6).0), (200, "3563.3"), "{body}");
    assert_eq!(gold.requests().len(), 4, "in both directions");
}

#[tokio::test]
async fn precise_rates_of_several_currencies_are_kept_for_the_next_process() {
    let (gecko, gold) = (world::coingecko(), gold());
    let directory = tempfile::tempdir().unwrap();
    // Each process knows the precise rates that the earlier ones requested.
    for (number, requests) in [2, 3, 3].into_iter().enumerate() {
        let live = Live::with_cache(&[(CoinGecko, &gecko), (Frankfurter, &gold)], Some(directory.path()));
        let codes = if number == 0 { vec!["XAU"] } else { vec!["XPT", "XAU"] };
        for code in codes {
            let ounce = if code == "XAU" { 4_081.25 } else { 1_640.5 };
            assert!(close(ordi(&live, code).await.price, 8.41 / ounce), "{code}");
        }
        assert_eq!(gold.requests().len(), requests, "process {number}");
    }
    // In one process, too.
    let directory = tempfile::tempdir().unwrap();
    let process = || Live::with_cache(&[(CoinGecko, &gecko), (Frankfurter, &gold)], Some(directory.path()));
    for _ in 0..2 {
        let live = process();
        for code in ["XAU", "XPT"] {
            ordi(&live, code).await;
        }
    }
    assert_eq!(gold.requests().len(), 3 + 3);
}

#[tokio::test]
async fn rounded_rate_is_not_used_if_the_exact_one_fails() {
    let (gecko, gold) = (world::coingecko(), gold());
    gold.edit(|request, response| if request.query("base") == "XAU" { fake::json(500, "") } else { response });
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &gold)]);
    let convert = Currency::parse("XAU").unwrap();
    let request = Request::Coins { tag: Tag::Brc20, start: 1, limit: 100, convert };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Coins(page)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!(page.items[0].convert, Currency::usd());
    let notice = reply.notice.unwrap_or_default();
    assert!(notice.starts_with("Amounts in USD: no XAU rate (Frankfurter: server error (500)"), "{notice}");
}

#[tokio::test]
async fn rates_fall_back_to_ecb_if_frankfurter_fails() {
    let (gecko, frankfurter, ecb) = (world::coingecko(), world::frankfurter(), world::ecb());
    frankfurter.respond_with(fake::json(500, ""));
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &frankfurter), (Ecb, &ecb)]);
    assert!(close(ordi(&live, "EUR").await.price, 8.41 * 0.8));
    assert!(close(ordi(&live, "JPY").await.price, 8.41 * 160.0));
}

#[tokio::test]
async fn rates_of_future_days_and_contradicting_ones_are_not_used() {
    let (gecko, frankfurter, ecb) = (world::coingecko(), world::frankfurter(), world::ecb());
    frankfurter.edit(|_, response| {
        let mut rows: Vec<serde_json::Value> = serde_json::from_slice(&response.body).unwrap();
        rows.push(serde_json::json!({"date": "2031-01-01", "base": "USD", "quote": "XAF", "rate": 600}));
        rows.push(serde_json::json!({"date": "2026-11-20", "base": "USD", "quote": "JPY", "rate": 90}));
        fake::FakeResponse { body: serde_json::to_vec(&rows).unwrap(), ..response }
    });
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &frankfurter), (Ecb, &ecb)]);
    assert!(close(ordi(&live, "EUR").await.price, 8.41 * 0.8731));
    // Only the other provider has one rate of the yen.
    assert!(close(ordi(&live, "JPY").await.price, 8.41 * 160.0));
    let future = world::frankfurter();
    future.edit(|_, response| {
        let body = String::from_utf8(response.body).unwrap().replace("2026-11-20", "2031-01-01");
        fake::FakeResponse { body: body.into_bytes(), ..response }
    });
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &future), (Ecb, &ecb)]);
    assert!(close(ordi(&live, "EUR").await.price, 8.41 * 0.8));
}

#[tokio::test]
async fn rates_that_frankfurter_carries_forward_are_used() {
    let (gecko, frankfurter, ecb) = (world::coingecko(), world::frankfurter(), world::ecb());
    frankfurter.edit(|_, response| {
        let mut rows: Vec<serde_json::Value> = serde_json::from_slice(&response.body).unwrap();
        rows[1]["date"] = "2026-11-06".into();
        rows.push(serde_json::json!({"date": "2026-11-21", "base": "USD", "quote": "USD", "rate": 1.0}));
        fake::FakeResponse { body: serde_json::to_vec(&rows).unwrap(), ..response }
    });
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &frankfurter), (Ecb, &ecb)]);
    assert!(close(ordi(&live, "JPY").await.price, 8.41 * 157.42));
    let convert = Currency::parse("EUR").unwrap();
    let request = Request::Coins { tag: Tag::Brc20, start: 1, limit: 100, convert };
    let day = live.get(&request).await.unwrap().rate.map(|rate| rate.at.timestamp().to_string());
    assert_eq!(day.as_deref(), Some("2026-11-20T15:00:00Z"), "not that of the dollar itself");
}

#[tokio::test]
async fn bitcoin_is_supported_as_currency() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinGecko, &gecko), (CoinMarketCap, &cmc)]);
    assert!(close(ordi(&live, "BTC").await.price, 8.41 / 61_234.1));
}

#[tokio::test]
async fn currency_without_rate_is_rejected() {
    let (gecko, frankfurter) = (world::coingecko(), world::frankfurter());
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &frankfurter)]);
    let convert = Currency::parse("XYZ").unwrap();
    let error = live.get(&Request::Coins { tag: Tag::Brc20, start: 1, limit: 10, convert }).await.unwrap_err();
    let sentence = error.to_string();
    assert!(sentence.contains("400") && sentence.contains("a currency with a known exchange rate"), "{sentence}");
}

#[tokio::test]
async fn amounts_are_in_dollars_if_no_provider_has_the_rate() {
    let (gecko, binance, frankfurter, ecb) = (world::coingecko(), world::binance(), world::frankfurter(), world::ecb());
    let convert = Currency::parse("EUR").unwrap();
    let requests = [
        Request::Coins { tag: Tag::Brc20, start: 1, limit: 100, convert: convert.clone() },
        Request::CategoryStats { tag: Tag::Brc20, convert: convert.clone() },
        Request::CoinsById { ids: vec![CoinId("25028".into())], convert: convert.clone() },
        Request::MarketPairs { symbol: "ORDI".into(), slug: None, convert: convert.clone() },
        Request::Chart { slug: "ordi".into(), period: Period::Week, convert: convert.clone() },
        Request::MarketData { symbols: vec!["ORDI".into()], convert, count: 24, interval: "1h".into() },
    ];
    frankfurter.respond_with(fake::json(500, ""));
    ecb.respond_with(fake::html(403));
    let live = Live::over(&[(CoinGecko, &gecko), (Binance, &binance), (Frankfurter, &frankfurter), (Ecb, &ecb)]);
    for request in requests {
        let reply = live.get(&request).await.unwrap();
        let (currency, price) = match reply.response.unwrap() {
            ResponseData::Coins(page) => {
                let coin = page.items.into_iter().find(|coin| coin.name == "ORDI").unwrap();
                (coin.convert, coin.price)
            }
            ResponseData::MarketPairs(page) => (page.items[0].convert.clone(), page.items[0].price),
            ResponseData::Chart(chart) => (chart.convert, chart.points.last().unwrap().price),
            ResponseData::Market(series) => (series[0].convert.clone(), series[0].points.last().unwrap().price),
            other => panic!("{other:?}"),
        };
        assert_eq!(currency, Currency::usd(), "{request:?}");
        assert!(price.is_some_and(|price| (price / 8.41 - 1.0).abs() < 0.01), "{request:?}: {price:?}");
        let warning = "Amounts in USD: no EUR rate (Frankfurter: server error (500)";
        assert!(
            reply.notice.as_deref().is_some_and(|notice| notice.starts_with(warning)),
            "{request:?}: {:?}",
            reply.notice
        );
        assert!(reply.max_age.is_some_and(|age| age <= Duration::from_mins(1)), "{request:?}: {:?}", reply.max_age);
    }
}

#[tokio::test]
async fn rates_of_the_last_process_are_used_for_a_day() {
    let directory = tempfile::tempdir().unwrap();
    let (gecko, frankfurter) = (world::coingecko(), world::frankfurter());
    for _ in 0..2 {
        let fakes = [(CoinGecko, &gecko), (Frankfurter, &frankfurter)];
        let live = Live::with_cache(&fakes, Some(directory.path()));
        assert!(close(ordi(&live, "EUR").await.price, 8.41 * 0.8731));
    }
    assert_eq!(frankfurter.requests().len(), 1);
    // Those of another server of the provider, such as a proxy, are not.
    let other = world::frankfurter();
    let live = Live::with_cache(&[(CoinGecko, &gecko), (Frankfurter, &other)], Some(directory.path()));
    ordi(&live, "EUR").await;
    assert_eq!(other.requests().len(), 1);
    // Neither are those of a provider that is no longer used.
    let ecb = world::ecb();
    let live = Live::with_cache(&[(CoinGecko, &gecko), (Ecb, &ecb)], Some(directory.path()));
    assert!(close(ordi(&live, "EUR").await.price, 8.41 * 0.8));
}

#[tokio::test]
async fn currency_that_a_provider_lacks_comes_from_the_next() {
    let (gecko, frankfurter, ecb) = (world::coingecko(), world::frankfurter(), world::ecb());
    let yen = r#"[{"date":"2026-11-20","base":"USD","quote":"JPY","rate":157.42}]"#;
    frankfurter.respond_with(fake::json(200, yen));
    let fakes = [(CoinGecko, &gecko), (Frankfurter, &frankfurter), (Ecb, &ecb)];
    let directory = tempfile::tempdir().unwrap();
    let live = Live::with_cache(&fakes, Some(directory.path()));
    for live in [&live, &live] {
        assert!(close(ordi(live, "EUR").await.price, 8.41 * 0.8));
        assert!(close(ordi(live, "JPY").await.price, 8.41 * 157.42));
    }
    // The rates of both are kept for the next start.
    let next = Live::with_cache(&fakes, Some(directory.path()));
    assert!(close(ordi(&next, "EUR").await.price, 8.41 * 0.8));
    assert_eq!((frankfurter.requests().len(), ecb.requests().len()), (1, 1));
    let request = |code: &str| {
        let convert = Currency::parse(code).unwrap();
        Request::Coins { tag: Tag::Brc20, start: 1, limit: 10, convert }
    };
    assert_eq!(live.get(&request("EUR")).await.unwrap().rate.unwrap().provider.to_string(), "ecb");
    let error = live.get(&request("XYZ")).await.unwrap_err().to_string();
    assert!(error.contains("(no exchange rate for XYZ from Frankfurter or the ECB)"), "{error}");
    // One that fails may have it.
    ecb.respond_with(fake::json(500, ""));
    let notice = Live::over(&fakes).get(&request("EUR")).await.unwrap().notice;
    let expected = "Amounts in USD: no EUR rate (no rate from Frankfurter; ECB: server error (500))";
    assert_eq!(notice.as_deref(), Some(expected));
}

/// Bitcoin's price in the fake world, and where its chart starts.
const BITCOIN: f64 = 61_234.1;
const EARLIER: f64 = BITCOIN / 2.0;

/// CoinGecko, where Bitcoin has doubled within each chart, and has risen by 25% in a day.
fn rising_bitcoin() -> fake::Fake {
    let gecko = world::coingecko();
    gecko.edit(|request, response| {
        let mut body: serde_json::Value = serde_json::from_slice(&response.body).unwrap();
        match request.path.as_str() {
            "/coins/bitcoin/market_chart" => {
                let points = body["prices"].as_array_mut().unwrap();
                let last = points.len() - 1;
                for (at, point) in points.iter_mut().enumerate() {
                    point[1] = (EARLIER + (BITCOIN - EARLIER) * at as f64 / last as f64).into();
                }
            }
            "/coins/markets" => {
                for row in body.as_array_mut().unwrap().iter_mut().filter(|row| row["id"] == "bitcoin") {
                    row["price_change_percentage_24h"] = 25.into();
                    row["price_change_percentage_1h_in_currency"] = serde_json::Value::Null;
                }
            }
            _ => {}
        }
        fake::FakeResponse { body: body.to_string().into_bytes(), ..response }
    });
    gecko
}

fn bitcoin() -> Currency {
    Currency::parse("BTC").unwrap()
}

#[tokio::test]
async fn changes_in_bitcoin_are_those_of_the_price_in_bitcoin() {
    let gecko = rising_bitcoin();
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: bitcoin() };
    let Some(ResponseData::Coins(page)) = live.get(&request).await.unwrap().response else { panic!() };
    let by_id =
        Request::CoinsById { ids: page.items.iter().take(1).map(|coin| coin.id.clone()).collect(), convert: bitcoin() };
    let Some(ResponseData::Coins(one)) = live.get(&by_id).await.unwrap().response else { panic!() };
    for coin in [&page.items[0], &one.items[0]] {
        assert_eq!((coin.name.as_str(), coin.price), ("Bitcoin", Some(1.0)));
        assert_eq!([coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct], [Some(0.0); 3]);
        assert_eq!([coin.high_24h, coin.low_24h, coin.all_time_high, coin.all_time_low], [Some(1.0); 4]);
        assert_eq!(coin.sparkline_7d, [1.0; 3]);
        assert!(close(coin.market_cap, 1.21e12 / BITCOIN), "{coin:?}");
    }
    let of_all = page.items.iter().find(|coin| coin.name == "ORDI").unwrap().clone();
    for coin in [of_all, ordi(&live, "BTC").await] {
        assert!(close(coin.price, 8.41 / BITCOIN), "{coin:?}");
        assert!(close(coin.change_24h_pct, (0.962 / 1.25 - 1.0) * 100.0), "{coin:?}");
        assert_eq!(coin.change_1h_pct, None, "that of Bitcoin is unknown");
        assert_eq!([coin.high_24h, coin.low_24h, coin.all_time_high, coin.all_time_low], [None; 4]);
        assert!(coin.sparkline_7d.iter().all(|price| close(Some(*price), 8.41 / BITCOIN)), "{coin:?}");
        assert_eq!(coin.sparkline_7d.len(), 3);
    }
    assert_eq!(ordi(&live, "USD").await.change_24h_pct, Some(-3.8));
}

#[tokio::test]
async fn sparklines_of_another_provider_than_that_of_bitcoin_are_not_converted() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko)]);
    let coin = ordi(&live, "BTC").await;
    assert!(coin.sparkline_7d.is_empty() && close(coin.price, 8.41 / BITCOIN), "{coin:?}");
    assert!(!ordi(&live, "USD").await.sparkline_7d.is_empty());
}

#[tokio::test]
async fn chart_in_bitcoin_uses_the_price_of_bitcoin_at_each_time() {
    let gecko = rising_bitcoin();
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let chart = async |slug: &str| {
        let request = Request::Chart { slug: slug.into(), period: Period::Week, convert: bitcoin() };
        let reply = live.get(&request).await.unwrap();
        let Some(ResponseData::Chart(chart)) = reply.response else { panic!("{:?}", reply.response) };
        assert_eq!((chart.convert, reply.notice), (bitcoin(), None));
        chart.points
    };
    let points = chart("ordi").await;
    assert!(close(points[0].price, 8.41 / EARLIER), "{:?}", points[0]);
    assert!(close(points[points.len() - 1].price, 8.41 / BITCOIN), "{:?}", points.last());
    assert!(close(points[0].market_cap, 176.61e6 / EARLIER), "{:?}", points[0]);
    assert!(points.is_sorted_by(|one, next| one.price > next.price));
    assert!(chart("bitcoin").await.iter().all(|point| point.price == Some(1.0)));
    let charts = gecko.paths().into_iter().filter(|path| path.ends_with("/market_chart"));
    assert_eq!(charts.count(), 2, "one for each coin");
}

#[tokio::test]
async fn chart_without_the_past_price_of_bitcoin_is_in_dollars() {
    let gecko = world::coingecko();
    gecko.edit(|request, response| match request.path.as_str() {
        "/coins/bitcoin/market_chart" => fake::json(404, r#"{"error":"coin not found"}"#),
        _ => response,
    });
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let request = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: bitcoin() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Chart(chart)) = reply.response else { panic!("{:?}", reply.response) };
    assert_eq!((chart.convert, chart.points[0].price), (Currency::usd(), Some(8.41)));
    let notice = reply.notice.unwrap_or_default();
    assert!(notice.starts_with("Amounts in USD: no BTC rate ("), "{notice}");
}

#[tokio::test]
async fn series_in_bitcoin_of_bitcoin_is_flat() {
    let (gecko, binance) = (world::coingecko(), world::binance());
    let live = Live::over(&[(CoinGecko, &gecko), (Binance, &binance)]);
    for (count, interval) in [(24, "1h"), (60, "1d")] {
        let symbols = vec!["BTC".into()];
        let request = Request::MarketData { symbols, convert: bitcoin(), count, interval: interval.into() };
        let reply = live.get(&request).await.unwrap();
        let Some(ResponseData::Market(series)) = reply.response else { panic!("{:?}", reply.response) };
        assert_eq!((series[0].convert.clone(), series[0].candles.clone()), (bitcoin(), None));
        assert!(series[0].points.iter().all(|point| point.price == Some(1.0)), "{interval}");
        assert_eq!(reply.notice, None);
    }
}

#[tokio::test]
async fn chart_in_euros_says_that_its_rate_is_the_current_one() {
    let (gecko, frankfurter) = (world::coingecko(), world::frankfurter());
    let live = Live::over(&[(CoinGecko, &gecko), (Frankfurter, &frankfurter)]);
    let notice = async |code: &str, is_list: bool| {
        let convert = Currency::parse(code).unwrap();
        let request = if is_list {
            Request::Coins { tag: Tag::Brc20, start: 1, limit: 100, convert }
        } else {
            Request::Chart { slug: "ordi".into(), period: Period::Week, convert }
        };
        live.get(&request).await.unwrap().notice
    };
    assert_eq!(notice("EUR", false).await.as_deref(), Some("Historical prices are converted at the current EUR rate"));
    assert_eq!([notice("EUR", true).await, notice("USD", false).await], [None, None]);
}
