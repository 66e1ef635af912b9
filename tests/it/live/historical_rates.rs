//! Exchange rates of past days, and lots in other currencies.

use std::time::Duration;

use satscope::client::{Request, ResponseData};
use satscope::model::Currency;
use satscope::model::ProviderName::{Binance, CoinMarketCap, DefiLlama, Ecb, Frankfurter, Okx};
use serde_json::{Value, json};

use super::{Live, configure, fake, world};
use crate::cli::server::Shell;

const DAYS: &str = "2025-02-28,2025-03-02,2025-03-03,2025-06-01";

/// Day, currency, rate and the rate's own day of each row.
fn rows(body: &Value) -> Vec<String> {
    let row =
        |row: &Value| ["date", "from", "rate", "day"].map(|name| row[name].as_str().unwrap().to_owned()).join(" ");
    body.as_array().unwrap().iter().map(row).collect()
}

#[tokio::test]
async fn historical_rates_are_exact_and_fetched_once_a_year_and_currency() {
    let (frankfurter, ecb) = (world::frankfurter(), world::ecb());
    let live = Live::over(&[(Frankfurter, &frankfurter), (Ecb, &ecb)]);
    let (status, provider, body) = live.raw(&format!("/x/rates?dates={DAYS}&from=EUR,GBP,BTC,XYZ&to=USD")).await;
    assert_eq!((status, provider.as_str()), (200, "frankfurter"));
    let expected = [
        "2025-02-28 EUR 1.0411 2025-02-28",
        // 1.0411 / 0.82608
        "2025-02-28 GBP 1.260289560333139647 2025-02-28",
        // A Sunday has the rate of Friday.
        "2025-03-02 EUR 1.0411 2025-02-28",
        "2025-03-02 GBP 1.260289560333139647 2025-02-28",
        "2025-03-03 EUR 1.0465 2025-03-03",
        "2025-03-03 GBP 1.268331111380438735 2025-03-03",
    ];
    assert_eq!(rows(&body), expected, "a rate is too old in June, and a coin has no known rate");
    live.raw("/x/rates?dates=2025-03-01&from=GBP&to=USD").await;
    live.raw("/x/rates?dates=2025-03-01&from=USD&to=GBP").await;
    // USD, GBP and XYZ once each; the ECB does not quote XYZ either, which it knows without a request.
    assert_eq!((frankfurter.requests().len(), ecb.requests().len()), (3, 0));
}

#[tokio::test]
async fn historical_rates_fall_back_to_ecb() {
    let (frankfurter, ecb) = (world::frankfurter(), world::ecb());
    frankfurter.respond_with(fake::json(500, ""));
    let live = Live::over(&[(Frankfurter, &frankfurter), (Ecb, &ecb)]);
    let (status, provider, body) = live.raw("/x/rates?dates=2025-03-02&from=GBP,EUR&to=EUR").await;
    assert_eq!((status, provider.as_str()), (200, "ecb"));
    // 1 / 0.82608
    assert_eq!(rows(&body), ["2025-03-02 EUR 1 2025-03-02", "2025-03-02 GBP 1.210536509781134999 2025-02-28"]);
}

#[tokio::test]
async fn recent_rates_do_not_need_the_document_of_all_years() {
    let ecb = world::ecb();
    let live = Live::over(&[(Ecb, &ecb)]);
    let (status, _, body) = live.raw("/x/rates?dates=2026-11-19,2026-11-21&from=USD&to=EUR").await;
    let expected = ["2026-11-19 USD 0.8 2026-11-18", "2026-11-21 USD 0.8 2026-11-18"];
    assert_eq!((status, rows(&body)), (200, expected.map(String::from).to_vec()));
    live.raw("/x/rates?dates=2026-10-01&from=USD&to=EUR").await;
    assert_eq!(ecb.paths(), ["/stats/eurofxref/eurofxref-hist-90d.xml"]);
    live.raw("/x/rates?dates=2025-03-03,2026-11-19&from=USD&to=EUR").await;
    assert_eq!(ecb.paths()[1..], ["/stats/eurofxref/eurofxref-hist.xml"]);
}

#[tokio::test]
async fn failing_currency_does_not_discard_the_others() {
    let fails = |request: &fake::ReceivedRequest| request.query("quotes") == "GBP";
    let frankfurter = world::frankfurter_unless(fails);
    let live = Live::over(&[(Frankfurter, &frankfurter)]);
    let (status, _, body) = live.raw("/x/rates?dates=2025-03-03&from=EUR,GBP&to=USD").await;
    assert_eq!((status, rows(&body)), (200, vec![String::from("2025-03-03 EUR 1.0465 2025-03-03")]));
    let (status, ..) = live.raw("/x/rates?dates=2025-03-03&from=GBP&to=USD").await;
    assert_eq!(status, 503, "none is known");
    let (status, ..) = live.raw("/x/rates?dates=2025-03-03&from=EUR,USD&to=GBP").await;
    assert_eq!(status, 503, "none can be converted");
}

#[tokio::test]
async fn parameters_of_historical_rates_are_checked() {
    let frankfurter = world::frankfurter();
    let live = Live::over(&[(Frankfurter, &frankfurter)]);
    for (query, status) in [
        ("from=EUR", 400),
        ("dates=2025-03-02", 400),
        ("dates=yesterday&from=EUR", 400),
        ("dates=2025-03-02&from=E", 400),
        ("dates=2025-03-02&from=EUR&to=?", 400),
        // Before the euro and after today there are no rates, and nothing is requested.
        ("dates=1998-12-31,2999-01-01&from=EUR,GBP", 200),
    ] {
        let (found, _, body) = live.raw(&format!("/x/rates?{query}")).await;
        assert_eq!(found, status, "{query}: {body}");
    }
    assert_eq!(frankfurter.requests().len(), 0);
    let days: Vec<String> = (1..=401).map(|day| format!("{:04}-01-01", 1600 + day)).collect();
    assert_eq!(live.raw(&format!("/x/rates?dates={}&from=EUR", days.join(","))).await.0, 400);
    let none = Live::over(&[]);
    assert_eq!(none.raw("/x/rates?dates=2025-03-02&from=GBP").await.0, 501);
    let (days, from) = (vec!["2025-03-02".parse().unwrap()], vec![Currency::parse("XYZ").unwrap()]);
    let reply = live.get(&Request::HistoricalRates { days, from, to: Currency::usd() }).await.unwrap();
    assert_eq!(reply.response, Some(ResponseData::HistoricalRates(Vec::new())));
}

#[test]
fn lots_in_other_currencies_are_exact_to_the_last_digit() {
    let (cmc, gecko, frankfurter) = (world::coinmarketcap(), world::coingecko(), world::frankfurter());
    for fake in [&cmc, &gecko] {
        fake.edit(|_, response| world::updated_now(response));
    }
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko), ("frankfurter", &frankfurter)]);
    shell.run("--live wallet add 2 bitcoin @ 80000.01 eur fee 1 2025-03-02").ok();
    shell.run("--live wallet add 1 bitcoin @ 70000 gbp 2025-03-03").ok();
    let before = frankfurter.requests().len();
    let whole = shell.run("--live wallet").ok().json();
    assert_eq!(frankfurter.requests().len() - before, 2, "the dollar and the pound");
    // (2 * 80000.01 + 1) * 1.0411 + 70000 * 1.0465 / 0.8251, with one division
    assert_eq!((&whole["data"]["cost"], &whole["warnings"]), (&json!("255360.239718630711428918"), &json!([])));
    let edited = shell.run("--live wallet edit 1 --note own").ok().json();
    assert_eq!(edited["warnings"], json!([]), "a command that requests no rates says nothing about them");
    shell.run("--live wallet add 1 bitcoin @ 500 isk 2025-03-03").ok();
    let whole = shell.run("--live wallet").ok().json();
    let warnings = whole["warnings"].to_string();
    assert!(warnings.contains("lot 3: no ISK/USD rate for 2025-03-03"), "{warnings}");
    assert_eq!(whole["data"]["cost"], json!("255360.239718630711428918"));
}

#[tokio::test]
async fn rates_of_bitcoin_are_its_daily_prices() {
    let (cmc, llama, frankfurter) = (world::coinmarketcap(), world::defillama(), world::frankfurter());
    let live = Live::over(&[(CoinMarketCap, &cmc), (DefiLlama, &llama), (Frankfurter, &frankfurter)]);
    let (status, _, body) = live.raw("/x/rates?dates=2026-11-15,2020-01-01&from=BTC&to=USD").await;
    assert_eq!((status, rows(&body)), (200, vec![String::from("2026-11-15 BTC 61234.1 2026-11-15")]), "a Sunday");
    let (_, _, body) = live.raw("/x/rates?dates=2026-11-15&from=USD,BTC&to=BTC").await;
    // 1 / 61234.1
    let expected = ["2026-11-15 BTC 1 2026-11-15", "2026-11-15 USD 0.000016330769946811 2026-11-15"];
    assert_eq!(rows(&body), expected);
    assert_eq!(frankfurter.requests().len(), 0, "dollars need no other rate");
    let (_, _, body) = live.raw("/x/rates?dates=2026-11-15&from=USD,EUR&to=BTC").await;
    assert_eq!(rows(&body).last().unwrap(), expected[1], "the same beside other currencies");
}

#[tokio::test]
async fn rate_of_bitcoin_today_is_its_current_price() {
    let (cmc, llama, ecb) = (world::coinmarketcap(), world::defillama(), world::ecb());
    llama.edit(|_, mut response| {
        response.body = String::from_utf8(response.body).unwrap().replace("61234.1", "60000").into_bytes();
        response
    });
    let live = Live::over(&[(CoinMarketCap, &cmc), (DefiLlama, &llama), (Ecb, &ecb)]);
    for (day, to, rate, is_current) in [
        ("2026-11-21", "USD", "61234.1", true),
        ("2026-11-21", "EUR", "48987.28", true),
        ("2026-11-19", "EUR", "48000", false),
    ] {
        let (from, to) = (vec![Currency::parse("BTC").unwrap()], Currency::parse(to).unwrap());
        let reply = live.get(&Request::HistoricalRates { days: vec![day.parse().unwrap()], from, to }).await.unwrap();
        let Some(ResponseData::HistoricalRates(rates)) = &reply.response else { panic!("{reply:?}") };
        let rates: Vec<String> = rates.iter().map(|known| known.rate.to_string()).collect();
        assert_eq!(rates, [rate], "{day}");
        assert_eq!(reply.max_age.unwrap() <= Duration::from_mins(5), is_current, "{day}: {:?}", reply.max_age);
    }
}

#[tokio::test]
async fn rate_of_bitcoin_is_the_close_of_the_day_at_every_provider() {
    for (name, exchange, is_newest_first) in [(Binance, world::binance(), false), (Okx, world::okx(), true)] {
        // Each daily candle closes at 60,000 and the number of its day in November.
        exchange.edit(move |_, mut response| {
            let mut body: Value = serde_json::from_slice(&response.body).unwrap();
            let rows = if is_newest_first { &mut body["data"] } else { &mut body };
            for row in rows.as_array_mut().into_iter().flatten().filter(|row| row.is_array()) {
                let start = row[0].as_i64().or_else(|| row[0].as_str()?.parse().ok()).unwrap();
                row[4] = json!((60_000 + start / 86_400_000 - 20_757).to_string());
            }
            response.body = body.to_string().into_bytes();
            response
        });
        let live = Live::over(&[(name, &exchange)]);
        let (_, _, body) = live.raw("/x/rates?dates=2026-11-15,2026-11-20,2026-11-21&from=BTC&to=USD").await;
        let expected = [
            "2026-11-15 BTC 60015 2026-11-15",
            "2026-11-20 BTC 60020 2026-11-20",
            // The current price.
            "2026-11-21 BTC 60021 2026-11-21",
        ];
        assert_eq!(rows(&body), expected, "{name}");
    }
}
