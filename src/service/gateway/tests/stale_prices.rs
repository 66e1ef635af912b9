//! Prices and exchange rates that are old or can't be right.

use super::*;
use crate::model::Zone;

const GECKO: ProviderName = ProviderName::CoinGecko;
const CMC: ProviderName = ProviderName::CoinMarketCap;

/// CoinGecko's list with one coin, updated this long ago.
fn list(age: Duration) -> Response {
    let at = Zone::UTC.at(START.minus(age)).strftime("%Y-%m-%dT%H:%M:%SZ");
    json(format!(
        r#"[{{"id":"ordinals","symbol":"ordi","name":"ORDI","current_price":8.41,"market_cap":176610000,
        "last_updated":"{at}"}}]"#
    ))
}

/// CoinGecko's chart with a price at each of these times, in hours before the start.
fn chart(hours: impl IntoIterator<Item = i64>) -> Response {
    let point = |hours: i64| format!("[{},8.41]", START.millis() - hours * 3_600_000);
    let points: Vec<String> = hours.into_iter().map(point).collect();
    json(format!(r#"{{"prices":[{}],"market_caps":[],"total_volumes":[]}}"#, points.join(",")))
}

#[tokio::test(start_paused = true)]
async fn list_with_old_prices_falls_back_to_next() {
    for (age, cmc, provider, notice) in [
        (minutes(170), 200, GECKO, None),
        (minutes(190), 200, CMC, None),
        (minutes(60 * 24 * 9), 500, GECKO, Some("No new prices since 2026-10-23 00:00 UTC")),
    ] {
        let world = World::new();
        world.respond_with(GECKO, list(age));
        if cmc != 200 {
            world.respond_with(CMC, Response::of(cmc, &[], ""));
        }
        let response = world.coins(Tag::Brc20).await.unwrap();
        assert_eq!((response.provider, response.notice.as_deref()), (Some(provider), notice), "{age:?}");
        assert_eq!(world.request_count(CMC) > 0, age > minutes(180), "{age:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn chart_that_ends_before_its_period_has_a_notice() {
    for (period, hours, notice) in [
        (Period::Day, 1, None),
        (Period::Day, 10, Some("No prices since 2026-10-31")),
        (Period::Day, 20, Some("No prices since 2026-10-31")),
        (Period::Day, 50, Some("No prices since 2026-10-29")),
        (Period::Week, 1, None),
        (Period::Week, 50, Some("No prices since 2026-10-29")),
        (Period::Week, 80, Some("No prices since 2026-10-28")),
    ] {
        let world = World::new();
        world.respond_with(GECKO, chart((0..90).map(|step| hours + 90 - step)));
        let response = world.gateway.chart("first", period, &Currency::usd()).await.unwrap();
        assert_eq!(response.notice.as_deref(), notice, "{period:?} {hours}");
    }
}

#[tokio::test(start_paused = true)]
async fn chart_that_covers_little_of_its_period_has_a_notice() {
    let only = |span: &str| format!("Prices for only {span} of this period");
    for (hours, points, notice) in [
        ((0..=168).collect::<Vec<i64>>(), 169, None),
        // Earlier prices are left out.
        ((0..=400).collect(), 172, None),
        // As many as of a new coin.
        ((0..=100).collect(), 101, None),
        ((0..=20).collect(), 21, Some(only("20 h"))),
        // A gap is not covered.
        ((0..=8).chain(160..=168).collect(), 18, Some(only("16 h"))),
        (vec![0, 1, 167, 168], 4, Some(only("2 h"))),
        (vec![0, 168], 2, Some(String::from("Only 2 prices in this period"))),
        // One new price after old ones.
        (
            [0].into_iter().chain(300..400).collect(),
            1,
            Some(String::from("Skipped 100 prices from before this period; Only one price in this period")),
        ),
        (vec![0, 1, 300], 2, Some(format!("Skipped 1 price from before this period; {}", only("1 h")))),
        // In any order, and repeated.
        ((0..=168).chain(0..=168).collect(), 169, None),
    ] {
        let world = World::new();
        world.respond_with(GECKO, chart(hours.iter().copied()));
        let response = world.chart("first").await.unwrap();
        assert_eq!((response.data.points.len(), response.notice), (points, notice), "{hours:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn chart_that_loses_nearly_all_points_is_not_used() {
    // Nine days ahead.
    let wrong = |count: i64| (0..count).map(|step| -24 * 9 - step);
    for (wrong_count, expected) in [
        (5, Ok(Some("Skipped 5 unreadable points; Prices for only 1 h of this period"))),
        (575, Err("575 of 577 points")),
    ] {
        let world = World::new();
        world.respond_with(GECKO, chart([2, 1].into_iter().chain(wrong(wrong_count))));
        let response = world.chart("first").await;
        match (&response, expected) {
            (Ok(response), Ok(notice)) => assert_eq!(response.notice.as_deref(), notice),
            (Err(error), Err(reason)) => assert!(error.to_string().contains(reason), "{error}"),
            _ => panic!("{wrong_count}: {response:?}"),
        }
    }
    // An exchange whose candles end in the future has one price left.
    let world = World::new();
    world.respond_with(GECKO, chart([1]));
    let response = world.chart("first").await.unwrap();
    assert_eq!(response.notice.as_deref(), Some("Only one price in this period"));
}

/// Rates of Frankfurter and of the ECB, and the resulting price of 8.41 dollars and notice.
#[tokio::test(start_paused = true)]
async fn wrong_and_old_rates_are_not_used_silently() {
    let day = "2026-10-30";
    let implausible = "Amounts in USD: no EUR rate (Frankfurter: unknown response format: implausible rate of 500000 EUR \
                       per USD; ECB: server error (500))";
    for (day, frankfurter, ecb, expected) in [
        (day, 0.5, None, ("EUR", 4.205, None)),
        ("2026-10-01", 0.5, None, ("EUR", 4.205, Some("EUR at the rate of 1 Oct 2026"))),
        ("2026-10-01", 0.5, Some(1.25), ("EUR", 6.728, None)),
        (day, 500_000.0, Some(1.25), ("EUR", 6.728, None)),
        (day, 500_000.0, None, ("USD", 8.41, Some(implausible))),
    ] {
        let world = World::new();
        let row = format!(r#"[{{"date":"{day}","base":"USD","quote":"EUR","rate":{frankfurter}}}]"#);
        world.respond_with(ProviderName::Frankfurter, json(row));
        let xml = ecb.map(|dollars| {
            format!("<Cube><Cube time='2026-10-30'><Cube currency='USD' rate='{dollars}'/></Cube></Cube>")
        });
        let ecb = xml.map_or_else(|| Response::of(500, &[], ""), |xml| Response::of(200, &[], xml));
        world.respond_with(ProviderName::Ecb, ecb);
        let euro = Currency::parse("EUR").unwrap();
        let query = CoinsQuery { tag: Tag::Brc20, offset: 0, limit: 1, convert: euro };
        let response = world.gateway.coins(query).await.unwrap();
        let (currency, price, notice) = expected;
        let coin = &response.data.items[0];
        assert!((coin.price.unwrap() - price).abs() < 1e-9, "{response:?}");
        assert_eq!((coin.convert.as_str(), response.notice.as_deref()), (currency, notice));
    }
}

#[tokio::test(start_paused = true)]
async fn amounts_are_in_dollars_while_no_provider_sends_a_rate() {
    let world = World::new();
    for hanging in [ProviderName::Frankfurter, ProviderName::Ecb] {
        world.set_latency(hanging, minutes(60));
    }
    let query = || CoinsQuery { tag: Tag::Brc20, offset: 0, limit: 1, convert: Currency::parse("EUR").unwrap() };
    let began = Instant::now();
    let response = world.gateway.coins(query()).await.unwrap();
    assert!(began.elapsed() < world.gateway.settings().limits.total, "{:?}", began.elapsed());
    assert_eq!(response.notice.as_deref(), Some("Amounts in USD: no EUR rate"));
    let coin = &response.data.items[0];
    assert_eq!((coin.convert.as_str(), coin.price, response.rate), ("USD", Some(8.41), None));
    assert!(response.fresh_for <= minutes(1), "requested again soon: {:?}", response.fresh_for);
    // One that answers again is used.
    world.set_latency(ProviderName::Frankfurter, Duration::ZERO);
    let row = r#"[{"date":"2026-10-30","base":"USD","quote":"EUR","rate":0.5}]"#;
    world.respond_with(ProviderName::Frankfurter, json(row));
    world.advance(minutes(20)).await;
    let response = world.gateway.coins(query()).await.unwrap();
    let coin = &response.data.items[0];
    assert_eq!((coin.convert.as_str(), coin.price, response.notice), ("EUR", Some(4.205), None));
}

#[tokio::test(start_paused = true)]
async fn rates_far_from_the_last_ones_are_not_used() {
    let world = World::new();
    let rows = |rate: f64| json(format!(r#"[{{"date":"2026-10-30","base":"USD","quote":"TRY","rate":{rate}}}]"#));
    world.respond_with(ProviderName::Ecb, Response::of(500, &[], ""));
    let lira = Currency::parse("TRY").unwrap();
    let mut found = Vec::new();
    for (rate, hours) in [(42.0, 0), (43.0, 23), (4_300.0, 22)] {
        world.respond_with(ProviderName::Frankfurter, rows(rate));
        world.advance(minutes(60 * hours)).await;
        // The last ones are returned while they are refreshed.
        for _ in 0..2 {
            let _ = manually(world.gateway.rate(&lira)).await;
            world.advance(minutes(1)).await;
        }
        found.push(world.gateway.rate(&lira).await.map(|rate| rate.per_dollar).ok());
    }
    assert_eq!(found, [Some(42.0), Some(43.0), Some(43.0)]);
}

#[tokio::test(start_paused = true)]
async fn bitcoin_in_bitcoin_is_exactly_one() {
    let world = World::new();
    let row = r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","cmc_rank":1,
        "quote":[{"symbol":"USD","price":49.0,"market_cap":1e12}]}],"status":{"error_code":0}}"#;
    world.respond_with(CMC, json(row));
    let query = CoinsQuery { tag: Tag::All, offset: 0, limit: 1, convert: Currency::parse("BTC").unwrap() };
    let response = world.gateway.coins(query).await.unwrap();
    assert_eq!(response.data.items[0].price, Some(1.0));
}
