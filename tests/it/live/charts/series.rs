//! Series of several coins.

use satscope::model::interval;

use super::*;

#[tokio::test]
async fn series_of_all_coins_are_one_request() {
    let llama = world::defillama();
    let live = Live::over(&[(DefiLlama, &llama)]);
    let (response, reply) = series(&live, &["BTC", "ORDI", "SATS"], 24, "1h").await;
    let shape: Vec<_> = response.iter().map(|one| (one.symbol.as_str(), one.points.len())).collect();
    assert_eq!(shape, [("BTC", 24), ("ORDI", 24), ("SATS", 24)]);
    assert_eq!(reply.provider.as_deref(), Some("defillama"));
    assert_eq!(llama.paths(), ["/chart/coingecko:bitcoin,coingecko:ordinals,coingecko:sats-ordinals"]);
    let (response, _) = series(&live, &["BTC"], 40, "15m").await;
    assert_eq!((response[0].points.len(), response[0].interval.as_deref()), (40, Some("15m")));
    let request = llama.requests().pop().unwrap();
    let parameters = ["period", "span", "searchWidth"].map(|name| request.query(name));
    assert_eq!(parameters, ["15m", "40", "450"], "prices at most half a step away");
}

/// The coins, span and period of each request.
fn requests_to(llama: &Fake) -> Vec<(usize, usize, String)> {
    let request = |it: &fake::ReceivedRequest| {
        let coins = it.path.strip_prefix("/chart/").unwrap().split(',').count();
        (coins, it.number("span", 0), it.query("period").to_owned())
    };
    llama.requests().iter().map(request).collect()
}

#[tokio::test]
async fn series_are_split_at_defillamas_limit_of_points() {
    for (coins, count, interval, expected, step) in [
        (2, 181, "12h", vec![(2, 181)], "12h"),
        (4, 169, "1h", vec![(2, 169); 2], "1h"),
        (1, 600, "1h", vec![(1, 500), (1, 100)], "1h"),
        (4, 365, "1d", vec![(4, 125), (4, 125), (4, 115)], "1d"),
        // More than four requests: every third point.
        (30, 169, "1h", vec![(8, 57), (8, 57), (8, 57), (6, 57)], "3h"),
    ] {
        let (gecko, llama) = (world::coingecko(), world::defillama());
        let live = Live::over(&[(CoinGecko, &gecko), (DefiLlama, &llama)]);
        live.coins(Tag::All, 1, 200).await;
        let symbols: Vec<String> = (1..=coins).map(|n| format!("O{n}")).collect();
        let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
        let (response, reply) = series(&live, &symbols, count, interval).await;
        let case = format!("{coins} coins, {count} points");
        assert_eq!((response.len(), reply.provider.as_deref()), (coins, Some("defillama")), "{case}");
        let expected: Vec<_> = expected.into_iter().map(|(coins, span)| (coins, span, step.to_owned())).collect();
        assert_eq!(requests_to(&llama), expected, "{case}");
        let points: usize = if step == interval { count as usize } else { 57 };
        let step = i64::try_from(interval::length(step).unwrap().as_secs()).unwrap();
        for one in &response {
            let times: Vec<i64> = one.points.iter().map(|point| point.time.secs()).collect();
            assert_eq!((times.len(), times.last()), (points, Some(&world::NOW)), "{case}: {}", one.symbol);
            assert!(times.windows(2).all(|pair| pair[1] - pair[0] == step), "{case}: {times:?}");
        }
    }
}

#[tokio::test]
async fn all_prices_of_a_coin_are_as_close_together_as_its_life_allows() {
    const DAYS: i64 = 1_299;
    // Without the time of the first price, every fourth day.
    for (first, spans, step) in [(true, vec![500, 500, 301], "1d"), (false, vec![500, 500, 500, 125], "4d")] {
        let (binance, llama) = (world::binance(), world::defillama());
        llama.edit(move |request, response| {
            if first && request.path.starts_with("/prices/first/") {
                let timestamp = world::NOW - DAYS * 86_400;
                let coin = object!({"symbol": "ORDI", "price": 1.5, "timestamp": timestamp});
                fake::json(200, object!({"coins": {"coingecko:ordinals": coin}}).to_string())
            } else {
                response
            }
        });
        let live = Live::over(&[(Binance, &binance), (DefiLlama, &llama)]);
        let (response, reply) = series(&live, &["ORDI"], 6_500, "1d").await;
        assert_eq!(reply.provider.as_deref(), Some("defillama"), "{reply:?}");
        assert_eq!(response[0].points.len(), spans.iter().sum::<usize>());
        let requests = llama.requests();
        assert_eq!(requests[0].path, "/prices/first/coingecko:ordinals");
        let requested = requests[1..].iter().map(|request| (request.number("span", 0), request.query("period")));
        let expected: Vec<_> = spans.into_iter().map(|span| (span, step)).collect();
        assert_eq!(requested.collect::<Vec<_>>(), expected);
        assert!(!binance.paths().iter().any(|path| path.ends_with("klines")), "no exchange is as old as a coin");
    }
}

#[tokio::test]
async fn all_prices_come_from_an_exchange_in_pages_while_defillama_fails() {
    const DAYS: i64 = 1_299;
    let (binance, llama) = (world::binance(), world::defillama());
    llama.respond_with(fake::json(500, ""));
    // The exchange listed the coin on the first of these days.
    binance.edit(|request, response| {
        if !request.path.ends_with("klines") {
            return response;
        }
        let mut rows: Vec<Value> = serde_json::from_slice(&response.body).unwrap();
        rows.retain(|row| row[0].as_i64().unwrap() >= (world::NOW - DAYS * 86_400) * 1_000);
        fake::json(200, Value::from(rows).to_string())
    });
    let live = Live::over(&[(Binance, &binance), (DefiLlama, &llama)]);
    let (response, reply) = series(&live, &["ORDI"], 6_500, "1d").await;
    assert_eq!((response[0].points.len(), reply.provider.as_deref()), (1_299, Some("binance")), "{reply:?}");
    let times: Vec<i64> = response[0].points.iter().map(|point| point.time.secs()).collect();
    assert!(times.windows(2).all(|pair| (1..=86_400).contains(&(pair[1] - pair[0]))), "{times:?}");
    let pages: Vec<_> = binance.requests().into_iter().filter(|it| it.path.ends_with("klines")).collect();
    assert_eq!(pages.len(), 2);
    assert!(pages[0].query("endTime").is_empty() && !pages[1].query("endTime").is_empty());
}

#[tokio::test]
async fn series_of_many_coins_look_up_their_ids_in_one_request() {
    let (cmc, gecko, llama) = (world::coinmarketcap(), world::coingecko(), world::defillama());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (DefiLlama, &llama)]);
    live.coins(Tag::All, 1, 200).await;
    let symbols: Vec<String> = (1..=40).map(|n| format!("O{n}")).collect();
    let symbols: Vec<&str> = symbols.iter().map(String::as_str).collect();
    let (found, reply) = series(&live, &symbols, 42, "4h").await;
    assert_eq!((found.len(), reply.provider.as_deref()), (40, Some("defillama")));
    assert_eq!(gecko.paths(), ["/coins/markets"; 2], "market caps of built-in coins, and all ids");
    // A coin that another screen adds is looked up alone.
    series(&live, &[&symbols[..], &["O41"]].concat(), 42, "4h").await;
    let lookups: Vec<String> = gecko.requests().iter().map(|request| request.query("symbols").to_owned()).collect();
    assert_eq!((lookups.len(), lookups[2].as_str()), (3, "o41"));
}

#[tokio::test]
async fn lookup_with_too_many_coins_is_repeated_for_each_half() {
    let (cmc, gecko, llama) = (world::coinmarketcap(), world::coingecko(), world::defillama());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (DefiLlama, &llama)]);
    live.coins(Tag::All, 1, 200).await;
    // A page full of coins of the first symbol.
    gecko.edit(|request, response| match request.query("symbols").split(',').count() {
        4.. => {
            let rows: Vec<Value> = serde_json::from_slice(&response.body).unwrap();
            let mut full: Vec<Value> = (0..249).map(|_| rows[0].clone()).collect();
            for (n, row) in full.iter_mut().enumerate() {
                (row["id"], row["name"], row["market_cap"]) = (format!("copy-{n}").into(), "Copy".into(), 1.into());
            }
            full.insert(0, rows[0].clone());
            fake::json(200, Value::from(full).to_string())
        }
        _ => response,
    });
    let (found, _) = series(&live, &["O1", "O2", "O3", "O4", "O5"], 42, "4h").await;
    assert_eq!(found.len(), 5);
    let lookups: Vec<String> = gecko.requests().iter().map(|request| request.query("symbols").to_owned()).collect();
    assert_eq!(lookups[1..], ["o1,o2,o3,o4,o5", "o1,o2", "o3,o4,o5"]);
}

#[tokio::test]
async fn coins_without_a_match_are_looked_up_once() {
    let (cmc, gecko, llama) = (world::coinmarketcap(), world::coingecko(), world::defillama());
    let live = Live::over(&[(CoinMarketCap, &cmc), (CoinGecko, &gecko), (DefiLlama, &llama)]);
    live.coins(Tag::All, 1, 200).await;
    gecko.respond_with(fake::json(200, "[]"));
    for count in [42, 43, 44] {
        let (found, _) = series(&live, &["BTC", "O1", "O2"], count, "4h").await;
        assert_eq!(found.len(), 1, "{found:?}");
    }
    assert_eq!(gecko.requests().len(), 2, "market caps of built-in coins, and one lookup");
}

/// The symbols of the series of three coins.
async fn symbols(live: &Live, count: u32) -> (Vec<String>, Reply) {
    let (found, reply) = series(live, &["BTC", "ORDI", "SATS"], count, "1h").await;
    (found.iter().map(|one| one.symbol.to_string()).collect(), reply)
}

#[tokio::test]
async fn coin_that_an_exchange_does_not_know_does_not_affect_others() {
    for (exchange, unknown) in [
        (Okx, fake::json(200, r#"{"code":"51001","msg":"Instrument ID does not exist","data":[]}"#)),
        (Binance, fake::json(400, r#"{"code":-1121,"msg":"Invalid symbol."}"#)),
    ] {
        let server = if exchange == Okx { world::okx() } else { world::binance() };
        let is_ordi = |request: &fake::ReceivedRequest| request.line().contains("=ORDI");
        server.edit(move |request, response| if is_ordi(request) { unknown.clone() } else { response });
        let llama = world::defillama();
        llama.respond_with(fake::json(502, ""));
        let live = Live::over(&[(DefiLlama, &llama), (exchange, &server)]);
        for count in [24, 25] {
            assert_eq!(symbols(&live, count).await.0, ["BTC", "SATS"], "{exchange}");
        }
        // Its listing is looked up again after an hour.
        let asked = server.requests().iter().filter(|request| is_ordi(request)).count();
        assert_eq!(asked, 1, "{exchange}");
    }
}

#[tokio::test]
async fn prices_that_arrived_before_an_exchange_failed_are_kept() {
    let okx = world::okx();
    okx.edit(|request, response| if request.line().contains("=SATS") { fake::json(500, "") } else { response });
    let live = Live::over(&[(Okx, &okx)]);
    let (found, reply) = symbols(&live, 24).await;
    assert_eq!(found, ["BTC", "ORDI"]);
    assert_eq!(reply.warnings.len(), 1, "{:?}", reply.warnings);
    assert!(reply.warnings[0].contains("Only 2 of 3 price histories loaded"), "{:?}", reply.warnings);
}

#[tokio::test]
async fn coins_that_a_provider_lacks_come_from_the_next_ones() {
    let (llama, binance, okx) = (world::defillama(), world::binance(), world::okx());
    llama.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        body["coins"].as_object_mut().unwrap().retain(|id, _| id == "coingecko:bitcoin");
        response.body = body.to_string().into_bytes();
        response
    });
    let live = Live::over(&[(DefiLlama, &llama), (Binance, &binance), (Okx, &okx)]);
    for _ in 0..2 {
        let (response, reply) = series(&live, &["BTC", "ORDI", "SATS"], 24, "1h").await;
        let last = |series: &MarketSeries| series.points.last().and_then(|point| point.price).unwrap();
        let shape: Vec<_> = response.iter().map(|one| (one.symbol.as_str(), one.points.len(), last(one))).collect();
        assert_eq!(shape, [("BTC", 24, 61_234.1), ("ORDI", 24, 8.41), ("SATS", 24, 1.1e-7)]);
        assert_eq!((reply.provider.as_deref(), reply.warnings.len()), (Some("defillama, binance"), 0));
    }
    let symbols: Vec<String> = binance
        .requests()
        .iter()
        .filter(|request| request.path.ends_with("klines"))
        .map(|one| one.query("symbol").into())
        .collect();
    assert_eq!(symbols, ["ORDIUSDT", "1000SATSUSDT"], "only the missing ones, once");
    assert_eq!((llama.requests().len(), okx.requests().len()), (1, 0));
    // The others are shown with the reason why one is missing.
    binance.respond_with(fake::html(451));
    okx.respond_with(fake::json(500, "{}"));
    let (response, reply) = series(&live, &["BTC", "ORDI"], 42, "4h").await;
    assert_eq!(response.iter().map(|one| one.symbol.as_str()).collect::<Vec<_>>(), ["BTC"]);
    assert_eq!(reply.warnings.len(), 1, "{:?}", reply.warnings);
    assert!(reply.warnings[0].starts_with("Binance: request failed (451)"), "{:?}", reply.warnings);
}
