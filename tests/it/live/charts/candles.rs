//! Candles of exchanges, of charts and of a year.

use super::*;

#[tokio::test]
async fn candles_of_an_exchange_arrive_with_its_chart() {
    for (name, exchange) in [(Binance, world::binance()), (Okx, world::okx())] {
        let live = Live::over(&[(name, &exchange)]);
        for (period, count, interval, secs) in [
            (Period::Day, 288, "5m", 300),
            (Period::Week, 168, "1h", 3_600),
            (Period::Month, 720, "1h", 3_600),
            (Period::Quarter, 540, "4h", 14_400),
        ] {
            let (chart, reply) = chart(&live, "ordi", period).await;
            let candles = chart.candles.as_ref().unwrap_or_else(|| panic!("{name} {period:?}: {reply:?}"));
            assert_eq!((candles.exchange().as_str(), candles.interval().as_str()), (name.as_str(), interval));
            assert_eq!(candles.candles().len(), count, "{name} {period:?}");
            let Candle { open, high, low, close, volume, .. } = candles.candles()[7];
            assert_eq!([open, high, low, close], [8.41 * 0.99, 8.41 * 1.02, 8.41 * 0.97, 8.41], "{name} {period:?}");
            assert_eq!(volume, Some(1000.5), "that of the candle, not over 24 hours");
            // The line and the candles agree: each point is the close of a candle, at its end.
            let ends = candles.candles().iter().map(|it| ((it.start.secs() + secs).min(world::NOW), Some(it.close)));
            let points: Vec<_> = chart.points.iter().map(|point| (point.time.secs(), point.price)).collect();
            assert_eq!(ends.collect::<Vec<_>>(), points, "{name} {period:?}");
        }
    }
}

#[tokio::test]
async fn candles_are_of_single_coins_in_the_requested_currency() {
    let (binance, frankfurter) = (world::binance(), world::frankfurter());
    let live = Live::over(&[(Binance, &binance), (Frankfurter, &frankfurter)]);
    let convert = Currency::parse("EUR").unwrap();
    let request = Request::Chart { slug: "sats-ordinals".into(), period: Period::Week, convert: convert.clone() };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Chart(chart)) = reply.response else { panic!("{reply:?}") };
    let candle = chart.candles.unwrap().candles()[0];
    assert_eq!((chart.convert, Some(candle.close)), (convert, chart.points[0].price));
    let high = 1.1e-7 * 1.02 * 0.8731;
    assert!((candle.high / high - 1.0).abs() < 1e-9, "{} {high}", candle.high);
    assert!((candle.volume.unwrap() - 1000.5 * 0.8731).abs() < 1e-6, "the volume is money");
}

#[tokio::test]
async fn one_invalid_candle_discards_all_candles() {
    for (name, start) in [(Binance, world::binance as fn() -> Fake), (Okx, world::okx)] {
        for (cell, value) in [
            (0, object!("x")),
            (1, object!("0")),
            (2, object!("8.3")),
            (2, object!("NaN")),
            (3, object!("8.5")),
            (3, object!(null)),
            (4, object!("9.1")),
        ] {
            let (exchange, shown) = (start(), format!("{name} {cell} {value}"));
            exchange.edit(move |_, mut response| {
                let mut body: Value = serde_json::from_slice(&response.body).unwrap();
                let rows = if body.is_array() { &mut body } else { &mut body["data"] };
                if let Some(row) = rows.get_mut(100).filter(|row| row.is_array()) {
                    row[cell] = value.clone();
                }
                response.body = body.to_string().into_bytes();
                response
            });
            let (chart, _) = chart(&Live::over(&[(name, &exchange)]), "ordi", Period::Week).await;
            assert!(chart.points.len() >= 167, "{shown}: {}", chart.points.len());
            assert_eq!(chart.candles, None, "{shown}");
        }
    }
}

#[tokio::test]
async fn charts_of_other_providers_have_no_candles() {
    let gecko = world::coingecko();
    let live = Live::over(&[(CoinGecko, &gecko)]);
    let (chart, _) = chart(&live, "ordi", Period::Week).await;
    assert_eq!(chart.candles, None);
    let (_, _, body) = live.raw("/chart?slug=ordi&period=7D").await;
    assert!(body["data"].get("candles").is_none(), "the interface's response, without an extra field");
}

#[tokio::test]
async fn another_service_passes_candles_on() {
    let binance = world::binance();
    let first = Live::over(&[(Binance, &binance)]);
    let (whole, _) = chart(&first, "ordi", Period::Week).await;
    let (passed, reply) = chart(&through(&first), "ordi", Period::Week).await;
    assert_eq!(reply.provider.as_deref(), Some("binance"));
    assert_eq!((passed.points, passed.candles), (whole.points, whole.candles));
}

#[tokio::test]
async fn candles_of_an_exchange_arrive_with_the_prices_of_a_year() {
    for (name, exchange, limits) in [(Binance, world::binance(), vec!["366"]), (Okx, world::okx(), vec!["300", "66"])] {
        let llama = world::defillama();
        let live = Live::over(&[(name, &exchange), (DefiLlama, &llama)]);
        for _ in 0..2 {
            let (response, reply) = series(&live, &["ORDI"], 365, "1d").await;
            assert_eq!(reply.provider.as_deref(), Some(name.as_str()));
            let year = &response[0];
            let candles = year.candles.as_ref().unwrap_or_else(|| panic!("{name}: {reply:?}"));
            assert_eq!((candles.exchange().as_str(), candles.interval().as_str()), (name.as_str(), "1d"));
            let Candle { open, high, low, close, volume, .. } = candles.candles()[7];
            assert_eq!([open, high, low, close], [8.41 * 0.99, 8.41 * 1.02, 8.41 * 0.97, 8.41], "{name}");
            assert_eq!(volume, Some(1000.5));
            let ends = candles.candles().iter().map(|it| (it.start.secs() + 86_400).min(world::NOW));
            assert_eq!(ends.collect::<Vec<_>>(), year.points.iter().map(|it| it.time.secs()).collect::<Vec<_>>());
            assert_eq!((year.points.len(), year.interval.as_deref()), (365, Some("1d")));
            let [.., before, last] = year.points.as_slice() else { panic!("{year:?}") };
            assert_eq!((before.volume, last.volume), (Some(1000.5), None), "{name}: the last day is not over");
        }
        let requests = exchange.requests();
        let of_prices: Vec<_> = requests.iter().filter(|it| !it.query("limit").is_empty()).collect();
        assert_eq!(of_prices.iter().map(|it| it.query("limit")).collect::<Vec<_>>(), limits, "{name}: once a day");
        assert!(llama.requests().is_empty(), "{name}");
        // Comparisons and watchlists still need one request for all.
        let (response, reply) = series(&live, &["BTC", "ORDI"], 365, "1d").await;
        assert_eq!((response.len(), reply.provider.as_deref()), (2, Some("defillama")));
        assert!(response.iter().all(|one| one.candles.is_none()));
    }
}

#[tokio::test]
async fn few_daily_prices_come_from_the_first_exchange() {
    let (binance, okx, llama) = (world::binance(), world::okx(), world::defillama());
    let live = Live::over(&[(Binance, &binance), (Okx, &okx), (DefiLlama, &llama)]);
    for count in [2, 3, 7, 30] {
        let (response, reply) = series(&live, &["ORDI"], count, "1d").await;
        assert_eq!((response[0].points.len(), reply.provider.as_deref()), (count as usize, Some("binance")));
        assert!(response[0].candles.is_some(), "{count}");
    }
    assert!(okx.requests().is_empty() && llama.requests().is_empty(), "{:?} {:?}", okx.paths(), llama.paths());
}

#[tokio::test]
async fn longer_line_is_preferred_to_candles_of_a_few_days() {
    let (binance, llama) = (world::binance(), world::defillama());
    binance.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        if let Some(rows) = body.as_array_mut() {
            rows.drain(..rows.len().saturating_sub(30));
        }
        response.body = body.to_string().into_bytes();
        response
    });
    let live = Live::over(&[(Binance, &binance), (DefiLlama, &llama)]);
    let (response, reply) = series(&live, &["ORDI"], 365, "1d").await;
    assert_eq!((response[0].points.len(), reply.provider.as_deref()), (365, Some("defillama")));
    assert_eq!(response[0].candles, None);
}

#[tokio::test]
async fn a_year_comes_from_the_other_providers_while_the_exchange_fails() {
    let (binance, llama) = (world::binance(), world::defillama());
    binance.respond_with(fake::html(451));
    let live = Live::over(&[(Binance, &binance), (DefiLlama, &llama)]);
    let (response, reply) = series(&live, &["ORDI"], 365, "1d").await;
    assert_eq!((response[0].points.len(), reply.provider.as_deref()), (365, Some("defillama")));
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}

#[tokio::test]
async fn another_service_passes_candles_of_a_year_on() {
    let binance = world::binance();
    let first = Live::over(&[(Binance, &binance)]);
    let (whole, _) = series(&first, &["ORDI"], 365, "1d").await;
    let (passed, reply) = series(&through(&first), &["ORDI"], 365, "1d").await;
    assert_eq!(reply.provider.as_deref(), Some("binance"));
    assert_eq!((&passed[0].points, &passed[0].candles), (&whole[0].points, &whole[0].candles));
    assert!(passed[0].candles.is_some());
}

#[tokio::test]
async fn candles_are_sorted_by_time() {
    for (name, exchange) in [(Binance, world::binance()), (Okx, world::okx())] {
        exchange.edit(|_, mut response| {
            let mut body: Value = serde_json::from_slice(&response.body).unwrap();
            let rows = if body.is_array() { &mut body } else { &mut body["data"] };
            if let Some(rows) = rows.as_array_mut() {
                rows.reverse();
            }
            response.body = body.to_string().into_bytes();
            response
        });
        let live = Live::over(&[(name, &exchange)]);
        let (chart, _) = chart(&live, "ordi", Period::Week).await;
        assert_eq!(chart.points.len(), 168, "{name}");
        assert!(chart.points.is_sorted_by(|a, b| a.time < b.time), "{name}");
    }
}

#[tokio::test]
async fn a_few_unreadable_candles_do_not_pause_provider() {
    for (rows, requests) in [(2, 2), (3, 1)] {
        let (binance, okx) = (world::binance(), world::okx());
        binance.respond_with(fake::json(200, format!("[{}]", vec!["7"; rows].join(","))));
        let live = Live::over(&[(Binance, &binance), (Okx, &okx)]);
        for (slug, price) in [("ordi", 8.41), ("bitcoin", 61_234.1)] {
            let (chart, reply) = chart(&live, slug, Period::Day).await;
            assert_eq!((reply.provider.as_deref(), chart.points[0].price), (Some("okx"), Some(price)), "{rows} {slug}");
        }
        assert_eq!(binance.requests().len(), requests, "{rows}");
    }
}

/// Moves all candles of an exchange but the last one into the past.
fn make_old(exchange: &Fake) {
    exchange.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        if let Some((_, old)) = body.as_array_mut().and_then(|rows| rows.split_last_mut()) {
            for row in old {
                [0, 6].iter().for_each(|&at| row[at] = Value::from(row[at].as_i64().unwrap() - 40 * 86_400_000));
            }
        }
        response.body = body.to_string().into_bytes();
        response
    });
}

#[tokio::test]
async fn old_candles_before_a_new_one_are_not_drawn() {
    let (binance, okx) = (world::binance(), world::okx());
    make_old(&binance);
    for period in [Period::Day, Period::Week] {
        let (both, reply) = chart(&Live::over(&[(Binance, &binance), (Okx, &okx)]), "ordi", period).await;
        assert_eq!(reply.provider.as_deref(), Some("okx"), "{period:?}");
        assert!(both.points.len() >= 168 && reply.warnings.is_empty(), "{period:?} {:?}", reply.warnings);
        let (alone, reply) = chart(&Live::over(&[(Binance, &binance)]), "ordi", period).await;
        assert_eq!((alone.points.len(), alone.points[0].time.secs()), (1, world::NOW), "{period:?}");
        assert_eq!(alone.candles, None, "{period:?}: the last one is just starting");
        let warning =
            format!("Skipped {} prices from before this period", if period == Period::Day { 287 } else { 167 });
        assert_eq!(reply.warnings, [format!("{warning}; Only one price in this period")], "{period:?}");
    }
}

#[tokio::test]
async fn repeated_candles_in_any_order_are_one() {
    let binance = world::binance();
    binance.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        if let Some(rows) = body.as_array_mut() {
            let mut repeated = rows[100].clone();
            repeated[4] = "1".into();
            rows.push(repeated);
            rows.reverse();
            rows.rotate_left(50);
            // The first one of two is used.
            let at = rows.iter().position(|row| row[4] == "1").unwrap();
            let repeated = rows.remove(at);
            rows.push(repeated);
        }
        response.body = body.to_string().into_bytes();
        response
    });
    let (chart, reply) = chart(&Live::over(&[(Binance, &binance)]), "ordi", Period::Week).await;
    assert!(chart.points.iter().all(|point| point.price == Some(8.41)), "{:?}", chart.points);
    assert_eq!((chart.points.len(), chart.candles.map(|candles| candles.candles().len())), (168, Some(168)));
    assert_eq!(reply.warnings, ["Skipped 1 duplicate candle"]);
}
