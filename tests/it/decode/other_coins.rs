//! Charts and series of another coin, in another currency, or of several coins in one list.

use satscope::client::{ErrorKind, Request};
use satscope::model::{Currency, Period};

use super::{Chart, Warning, chart, chart_in, currency, get, market, series};
use satscope::client::ResponseData;

const POINTS: &str = "[[1795074900,8.4],[1795075200,8.41]]";

fn chart_of(slug: &str, body: &str) -> Result<(Chart, Vec<Warning>), ErrorKind> {
    let request = Request::Chart { slug: slug.into(), period: Period::Day, convert: currency("USD") };
    match get(&request, body)? {
        (ResponseData::Chart(chart), warnings) => Ok((chart, warnings)),
        other => panic!("{other:?}"),
    }
}

fn rejected(found: &str, requested: &str) -> ErrorKind {
    ErrorKind::Mismatch { found: found.into(), requested: requested.into() }
}

fn prices(chart: &Chart) -> Vec<Option<f64>> {
    chart.points.iter().map(|point| point.price).collect()
}

#[test]
fn quote_of_a_pair_is_the_currency_of_its_chart() {
    for (names, code) in [
        (r#""symbol":"ORDI/BTC""#, "BTC"),
        (r#""symbol":"ORDIBTC""#, "BTC"),
        (r#""pair":"ORDI/BTC","base":"ORDI","quote":"BTC""#, "BTC"),
        (r#""base":"ORDI","quote":"EUR""#, "EUR"),
        (r#""instId":"ORDI-EUR","code":"0""#, "EUR"),
        (r#""symbol":"ORDI-USDT""#, "USD"),
        (r#""symbol":"ORDIUSDC""#, "USD"),
        (r#""ticker":"X:ORDIUSD""#, "USD"),
        (r#""symbol":"ORDI/BTC","convert":"USD""#, "USD"),
        (r#""symbol":"ORDI""#, "USD"),
    ] {
        for body in
            [format!(r#"{{{names},"data":{POINTS}}}"#), format!(r#"{{"result":{{{names},"points":{POINTS}}}}}"#)]
        {
            let (chart, warnings) = chart("USD", &body);
            assert_eq!((prices(&chart), chart.convert.as_str()), (vec![Some(8.4), Some(8.41)], code), "{body}");
            let other = format!("prices are in {code} instead of USD");
            assert_eq!(warnings, if code == "USD" { vec![] } else { vec![other] }, "{body}");
        }
    }
    let rows = r#"[{"pair":"ORDI/BTC","time":1795074900,"price":0.00013},{"pair":"ORDI/BTC","time":1795075200,"price":0.00014}]"#;
    let (chart, _) = chart("USD", rows);
    assert_eq!((prices(&chart), chart.convert), (vec![Some(0.00013), Some(0.00014)], Currency::bitcoin()));
}

#[test]
fn quote_of_a_pair_is_the_currency_of_its_series() {
    let pair = |name: &str| format!(r#"{{"symbol":"{name}","points":{POINTS}}}"#);
    for (name, code) in
        [("ORDI/BTC", "BTC"), ("ORDI-TRY", "TRY"), ("ORDI-USD", "USD"), ("ORDI/USDT", "USD"), ("ORDI", "EUR")]
    {
        for body in [
            format!(r#"{{"data":[{}]}}"#, pair(name)),
            format!(r#"{{"data":{{"{name}":{POINTS}}}}}"#),
            format!(
                r#"[{{"symbol":"{name}","time":1795074900,"price":8.4}},{{"symbol":"{name}","time":1795075200,"price":8.4}}]"#
            ),
        ] {
            let (series, _) = series(&["ORDI"], &body);
            let [one] = series.as_slice() else { panic!("{body}: {series:?}") };
            assert_eq!((one.symbol.as_str(), one.convert.as_str(), one.points.len()), ("ORDI", code, 2), "{body}");
        }
    }
    // Of several pairs, the one in the requested currency, or else in dollars.
    for (names, code) in [
        (["ORDI/BTC", "ORDI/USDT", "ORDI/EUR"], "EUR"),
        (["ORDI/BTC", "ORDI/USDT", "ORDI/TRY"], "USD"),
        (["ORDI/BTC", "ORDI/TRY", "ORDI/GBP"], "BTC"),
    ] {
        let (series, warnings) = series(&["ORDI"], &format!("[{}]", names.map(pair).join(",")));
        assert_eq!((series.len(), series[0].convert.as_str()), (1, code), "{names:?}");
        assert!(warnings.contains(&"skipped 2 series in other currencies".to_owned()), "{warnings:?}");
    }
}

#[test]
fn chart_of_a_well_known_other_coin_is_rejected() {
    for (body, found) in [
        (format!(r#"{{"BTC":{POINTS}}}"#), "BTC"),
        (format!(r#"{{"data":{{"bitcoin":{POINTS}}}}}"#), "bitcoin"),
        (format!(r#"{{"id":"bitcoin","prices":{POINTS}}}"#), "bitcoin"),
        (format!(r#"{{"coinId":"bitcoin","symbol":"BTC","data":{POINTS}}}"#), "bitcoin"),
        (format!(r#"{{"symbol":"BTC","data":{POINTS}}}"#), "BTC"),
        (format!(r#"{{"pair":"USDT/ORDI","data":{POINTS}}}"#), "USDT/ORDI"),
        (format!(r#"{{"data":{{"symbol":"BTCUSDT","points":{POINTS}}}}}"#), "BTCUSDT"),
        (r#"[{"slug":"bitcoin","symbol":"BTC","timestamp":1795074900,"price":63000}]"#.to_owned(), "bitcoin"),
        (r#"[{"symbol":"BTC","timestamp":1795074900,"price":63000}]"#.to_owned(), "BTC"),
        (r#"[{"coin_id":"bitcoin","timestamp":1795074900,"price":63000}]"#.to_owned(), "bitcoin"),
    ] {
        assert_eq!(get(&chart_in("USD"), &body).unwrap_err(), rejected(found, "ordi"), "{body}");
    }
    let body = format!(r#"{{"pair":"BTC/USDT","points":{POINTS}}}"#);
    assert_eq!(get(&market(&["ORDI"]), &body).unwrap_err(), rejected("BTC/USDT", "ORDI"));
}

#[test]
fn instruments_and_pair_names_of_another_coin_are_rejected() {
    let candle = r#"{"UNIT":"DAY","TIMESTAMP":1795074900,"TYPE":"267","MARKET":"cadli","INSTRUMENT":"BTC-USD","OPEN":3,
        "HIGH":3,"LOW":3,"CLOSE":3,"VOLUME":5,"QUOTE_VOLUME":15}"#;
    let bars =
        r#"[{"t":1795074900000,"o":3,"h":3,"l":3,"c":3,"v":1},{"t":1795075200000,"o":3,"h":3,"l":3,"c":3,"v":1}]"#;
    let kraken = |pair: &str| {
        format!(r#"{{"error":[],"result":{{"{pair}":[[1795074900,"3","3","3","3","3","1",3]],"last":1795074900}}}}"#)
    };
    let named = |name: &str| format!(r#"{{{name},"prices":{POINTS}}}"#);
    for (body, found) in [
        (format!(r#"{{"Data":[{candle}],"Err":{{}}}}"#), "BTC-USD"),
        (format!(r#"{{"ticker":"X:BTCUSD","results":{bars},"status":"OK"}}"#), "X:BTCUSD"),
        (format!(r#"{{"ticker":"X:ETHUSD","results":{bars},"status":"OK"}}"#), "X:ETHUSD"),
        (format!(r#"{{"product_id":"BTC-USD","candles":{POINTS}}}"#), "BTC-USD"),
        (r#"{"symbol":"BINANCE:BTCUSDT","s":"ok","t":[1795074900],"c":[3]}"#.to_owned(), "BINANCE:BTCUSDT"),
        (kraken("XXBTZUSD"), "XXBTZUSD"),
        (kraken("XBTUSDT"), "XBTUSDT"),
        (kraken("XETHZEUR"), "XETHZEUR"),
        (named(r#""market":"BTC-USD""#), "BTC-USD"),
        (named(r#""instrument":"BTC-USD""#), "BTC-USD"),
        (named(r#""asset":"BTC""#), "BTC"),
        (named(r#""coin":"bitcoin""#), "bitcoin"),
        (named(r#""base_currency":"BTC""#), "BTC"),
    ] {
        assert_eq!(get(&chart_in("USD"), &body).unwrap_err(), rejected(found, "ordi"), "{body}");
        assert_eq!(get(&market(&["ORDI"]), &body).unwrap_err(), rejected(found, "ORDI"), "{body}");
    }
    let body = kraken("ETHEUR");
    assert_eq!(chart_of("bitcoin", &body).unwrap_err(), rejected("ETHEUR", "bitcoin"));
}

#[test]
fn instruments_and_pair_names_of_the_requested_coin_are_accepted() {
    let named = |name: &str| format!(r#"{{{name},"prices":{POINTS}}}"#);
    for (slug, name) in [
        ("ordi", r#""market":"ORDI-USD""#),
        ("ordi", r#""market":"BTC""#),
        ("ordi", r#""market":"binance""#),
        ("ordi", r#""market":"USDT-ORDI""#),
        ("ordi", r#""instrument":"ORDI-USDT""#),
        ("ordi", r#""instrument":"spot""#),
        ("ordi", r#""asset":"ordi""#),
        ("ordi", r#""coin":"Ordi""#),
        ("ordi", r#""coin":"RATS""#),
        ("ordi", r#""base_currency":"USD""#),
        ("bitcoin", r#""asset":"BTC""#),
        ("bitcoin", r#""coin":"Bitcoin""#),
        ("bitcoin", r#""base_currency":"XBT""#),
        ("bitcoin", r#""symbol":"BITSTAMP:BTCUSD""#),
        ("bitcoin-cash", r#""coin":"bitcoin""#),
    ] {
        let (chart, warnings) = chart_of(slug, &named(name)).unwrap();
        assert_eq!((chart.points.len(), chart.convert.as_str(), warnings), (2, "USD", vec![]), "{slug} {name}");
    }
    let (upbit, warnings) = chart_of("bitcoin", &named(r#""market":"KRW-BTC""#)).unwrap();
    assert_eq!((upbit.convert.as_str(), warnings), ("KRW", vec!["prices are in KRW instead of USD".to_owned()]));
    let kraken = r#"{"error":[],"result":{"XXBTZUSD":[[1795074900,"3","3","3","3","3","1",3]],"last":1795074900}}"#;
    assert_eq!(prices(&chart_of("bitcoin", kraken).unwrap().0), [Some(3.0)]);
    let (series, _) = series(&["BTC"], kraken);
    assert_eq!((series[0].symbol.as_str(), series[0].points.len()), ("BTC", 1));
}

#[test]
fn series_of_another_symbol_is_rejected() {
    let rows = r#"[["1795074900000","7.9","8.0","7.8","7.9","1","8"]]"#;
    for (body, found) in [
        (r#"[{"time":1795074900,"symbol":"RATS","price":150}]"#.to_owned(), "RATS"),
        (format!(r#"{{"pair":"RATS/USDT","points":{POINTS}}}"#), "RATS/USDT"),
        (format!(r#"{{"result":{{"category":"spot","symbol":"RATSUSDT","list":{rows}}}}}"#), "RATSUSDT"),
        (format!(r#"{{"symbol":"RATS","data":{POINTS}}}"#), "RATS"),
        (format!(r#"{{"ticker":"rats","data":{POINTS}}}"#), "rats"),
    ] {
        assert_eq!(get(&market(&["ORDI"]), &body).unwrap_err(), rejected(found, "ORDI"), "{body}");
    }
    // Not certainly another symbol.
    for name in [
        r#""symbol":"$ordi""#,
        r#""symbol":"EUR""#,
        r#""symbol":"Ordinals""#,
        r#""symbol":"BYBIT:ORDIUSDT""#,
        r#""pair":"ordi_usdt""#,
        r#""instrument":"spot""#,
        r#""coin":"ordinals""#,
        r#""market":"OKX""#,
    ] {
        let (series, _) = series(&["ORDI"], &format!(r#"{{{name},"data":{POINTS}}}"#));
        assert_eq!((series.len(), series[0].points.len()), (1, 2), "{name}");
    }
}

#[test]
fn contracts_and_pairs_without_a_separator_name_their_coin() {
    for (symbol, name) in [
        ("BTC", "XBTUSDTM"),
        ("ORDI", "ORDIUSDT"),
        ("ORDI", "ORDI-USDT-SWAP"),
        ("ORDI", "ORDI-PERP"),
        ("RNDR", "RENDERUSDT"),
    ] {
        let one = format!(r#"{{"symbol":"{name}","points":{POINTS}}}"#);
        for body in [format!("[{one}]"), one] {
            let (series, _) = series(&[symbol], &body);
            assert_eq!((series.len(), series[0].symbol.as_str(), series[0].points.len()), (1, symbol, 2), "{body}");
        }
    }
}

#[test]
fn price_per_thousand_coins_is_rejected() {
    for name in ["1000SATS", "1000SATSUSDT", "kSATS", "1MSATS-PERP"] {
        let body = format!(r#"{{"symbol":"{name}","points":{POINTS}}}"#);
        assert_eq!(get(&market(&["SATS"]), &body).unwrap_err(), rejected(name, "SATS"), "{name}");
        assert_eq!(chart_of("sats-ordinals", &body).unwrap_err(), rejected(name, "sats-ordinals"), "{name}");
    }
}

#[test]
fn price_of_one_coin_is_rejected_for_a_thousand() {
    for (field, name) in [("symbol", "SATS"), ("symbol", "SATSUSDT"), ("pair", "SATS/USDT"), ("asset", "SATS")] {
        let body = format!(r#"{{"{field}":"{name}","points":{POINTS}}}"#);
        assert_eq!(get(&market(&["1000SATS"]), &body).unwrap_err(), rejected(name, "1000SATS"), "{name}");
        let slug = "1000sats-ordinals";
        assert_eq!(chart_of(slug, &body).unwrap_err(), rejected(name, slug), "{name}");
    }
}

#[test]
fn symbol_that_ends_like_a_pair_may_be_another_coin() {
    for (symbol, name, names) in [
        ("CRV", "crvUSD", r#""slug":"crvusd""#),
        ("UNI", "uniBTC", r#""name":"Universal BTC""#),
        ("SOLV", "SOLVBTC", r#""slug":"solv-btc","name":"Solv Protocol BTC""#),
    ] {
        let body = format!(r#"[{{"symbol":"{name}",{names},"points":{POINTS}}}]"#);
        assert_eq!(get(&market(&[symbol]), &body).unwrap_err(), rejected(name, symbol), "{name}");
    }
    // Another symbol of the same coin.
    let body = format!(r#"[{{"symbol":"RENDER","slug":"render","name":"Render","points":{POINTS}}}]"#);
    assert_eq!(series(&["RNDR"], &body).0[0].symbol, "RNDR");
}

#[test]
fn ids_and_symbols_of_the_service_itself_are_accepted() {
    for (slug, names) in [
        ("ordi", r#""id":"ordinals""#),
        ("ordi", r#""id":25028"#),
        ("ordi", r#""id":"1","jsonrpc":"2.0""#),
        ("ordi", r#""coin_id":"a-service-id""#),
        ("ordi", r#""symbol":"RATS""#),
        ("xrp", r#""id":"ripple""#),
        ("the-open-network", r#""symbol":"TON""#),
        ("bitcoin", r#""symbol":"BTC""#),
        ("bitcoin", r#""symbol":"XBT""#),
        ("bridged-usdc", r#""symbol":"USDC""#),
        ("staked-ether", r#""symbol":"stETH""#),
    ] {
        let (chart, warnings) = chart_of(slug, &format!(r#"{{{names},"prices":{POINTS}}}"#)).unwrap();
        assert_eq!((chart.points.len(), chart.convert.as_str(), warnings.len()), (2, "USD", 0), "{slug} {names}");
    }
    for body in [format!(r#"{{"data":{{"history":{POINTS}}}}}"#), format!(r#"{{"ORDI":{POINTS}}}"#)] {
        assert_eq!(chart("USD", &body).0.points.len(), 2, "{body}");
    }
}

#[test]
fn chart_is_chosen_among_several_coins_by_symbol() {
    let body = format!(r#"{{"data":{{"BTC":[[1795074900,63000]],"ORDI":{POINTS}}}}}"#);
    assert_eq!(prices(&chart("USD", &body).0), [Some(8.4), Some(8.41)]);
    assert_eq!(prices(&chart_of("bitcoin", &body).unwrap().0), [Some(63_000.0)]);
    assert!(matches!(chart_of("pepe", &body), Err(ErrorKind::Unrecognised(_))));
}

/// Rows of two coins, alternately.
fn rows(names: [&str; 2]) -> String {
    let rows: Vec<String> = (0..8)
        .map(|at| {
            let (name, price) = if at % 2 == 0 { (names[0], "63000") } else { (names[1], "8.4") };
            format!(r#"{{{name},"timestamp":{},"price":{price}}}"#, 1_795_074_900 + at / 2 * 300)
        })
        .collect();
    format!(r#"{{"data":[{}]}}"#, rows.join(","))
}

#[test]
fn rows_of_several_coins_are_separated() {
    for names in [
        [r#""slug":"bitcoin""#, r#""slug":"ordi""#],
        [r#""id":"bitcoin""#, r#""id":"ordi""#],
        [r#""asset":"btc""#, r#""asset":"ordi""#],
        [r#""symbol":"BTC""#, r#""symbol":"ORDI""#],
        [r#""coin":{"symbol":"BTC"}"#, r#""coin":{"symbol":"ORDI"}"#],
        [r#""pair":"BTC/USDT""#, r#""pair":"ORDI/USDT""#],
    ] {
        let body = rows(names);
        let (found, warnings) = chart("USD", &body);
        assert_eq!(prices(&found), [Some(8.4); 4], "{body}");
        assert!(warnings[0].starts_with("skipped 4 points of other coins, such as "), "{warnings:?}");
        if body.contains("coin\"") {
            continue;
        }
        for (symbol, price) in [("BTC", 63_000.0), ("ORDI", 8.4)] {
            let (series, _) = series(&[symbol], &body);
            assert_eq!((series.len(), series[0].symbol.as_str(), series[0].points.len()), (1, symbol, 4), "{body}");
            assert!(series[0].points.iter().all(|point| point.price == Some(price)), "{body}");
        }
        assert_eq!(series(&["BTC", "ORDI"], &body).0.len(), 2, "{body}");
    }
    for names in [[r#""coin_id":1"#, r#""coin_id":25028"#], [r#""id":1"#, r#""id":25028"#]] {
        let body = rows(names);
        for request in [chart_in("USD"), market(&["BTC"])] {
            let error = get(&request, &body).unwrap_err();
            assert_eq!(error, ErrorKind::Unrecognised("points of several coins (1, 25028)".into()), "{body}");
        }
    }
}

#[test]
fn row_ids_are_not_coin_ids() {
    let rows: Vec<String> =
        (0..400).map(|at| format!(r#"{{"id":{at},"time":{},"price":8.4}}"#, 1_795_074_900 + at * 300)).collect();
    let (chart, warnings) = chart("USD", &format!("[{}]", rows.join(",")));
    assert_eq!((chart.points.len(), warnings), (400, vec![]));
}

#[test]
fn symbol_of_the_coin_in_its_rows_is_not_the_currency() {
    for body in [
        r#"[{"symbol":"BTC","timestamp":1795074900,"price":63000},{"symbol":"BTC","timestamp":1795075200,"price":63000}]"#,
        r#"{"data":{"symbol":"BTC","quotes":[{"symbol":"BTC","name":"Bitcoin","timestamp":1795074900,"price":63000},{"symbol":"BTC","timestamp":1795075200,"price":63000}]}}"#,
        r#"[{"currency":"BTC","timestamp":1795074900,"price":63000},{"currency":"BTC","timestamp":1795075200,"price":63000}]"#,
    ] {
        let (chart, warnings) = chart_of("bitcoin", body).unwrap();
        assert_eq!((prices(&chart), chart.convert.as_str()), (vec![Some(63_000.0); 2], "USD"), "{body}");
        assert_eq!(warnings, [] as [&str; 0], "{body}");
        let (series, _) = series(&["BTC"], body);
        assert_eq!((series[0].symbol.as_str(), series[0].convert.as_str()), ("BTC", "EUR"), "{body}");
    }
    // The symbol of a currency is one.
    for (symbol, code) in [("EUR", "EUR"), ("USDT", "USD"), ("TON", "USD")] {
        let (chart, _) = chart("USD", &format!(r#"[{{"symbol":"{symbol}","timestamp":1795074900,"price":8}}]"#));
        assert_eq!(chart.convert.as_str(), code, "{symbol}");
    }
    let quotes = r#"[{"timestamp":1795074900,"quotes":[{"symbol":"BTC","price":0.00013}]}]"#;
    assert_eq!(chart("USD", quotes).0.convert, Currency::bitcoin());
}

#[test]
fn contradictory_prices_of_one_time_are_a_gap() {
    let body = "[[1795074900,63000],[1795074900,8.4],[1795074900,8.41],[1795075200,8.4],[1795075200,8.41]]";
    let (chart, warnings) = chart("USD", body);
    assert_eq!(prices(&chart), [None, Some(8.41)]);
    assert_eq!(warnings, ["skipped 1 point with contradictory prices for the same time"]);
    let error = get(&chart_in("USD"), "[[1795074900,63000],[1795074900,8.4]]").unwrap_err();
    assert_eq!(error, ErrorKind::Unrecognised("contradictory prices for the same times".into()));
}

#[test]
fn names_in_the_objects_beside_points_are_checked() {
    let beside = |about: &str| format!(r#"{{{about},"data":{POINTS}}}"#);
    for (about, found) in [
        (r#""meta":{"symbol":"BTC/USD","interval":"5min"}"#, "BTC/USD"),
        (r#""metadata":{"slug":"bitcoin"}"#, "bitcoin"),
        (r#""coin":{"id":1,"slug":"bitcoin","symbol":"BTC"}"#, "bitcoin"),
        (r#""request":{"id":"bitcoin"}"#, "bitcoin"),
        (r#""info":{"symbol":"BTC","name":"Bitcoin"}"#, "BTC"),
    ] {
        assert_eq!(get(&chart_in("USD"), &beside(about)).unwrap_err(), rejected(found, "ordi"), "{about}");
    }
    for (about, code) in [
        (r#""meta":{"symbol":"ORDI/EUR","currency_quote":"Euro"}"#, "EUR"),
        (r#""meta":{"base":"ORDI","quote":"EUR"}"#, "EUR"),
        (r#""query":{"slug":"ordi","quoteCurrency":"EUR"}"#, "EUR"),
        (r#""market":{"slug":"ordi-eur","pair":"ORDI/EUR"}"#, "EUR"),
        (r#""pair":"ORDI/GBP","meta":{"pair":"ORDI/EUR"}"#, "GBP"),
        (r#""coin":{"slug":"ordi","symbol":"ORDI"}"#, "USD"),
        (r#""info":{"name":"prices","version":"1.0"}"#, "USD"),
    ] {
        let (chart, _) = chart("USD", &beside(about));
        assert_eq!((prices(&chart), chart.convert.as_str()), (vec![Some(8.4), Some(8.41)], code), "{about}");
    }
    let (series, _) = series(&["ORDI"], &format!(r#"{{"meta":{{"pair":"ORDI/BTC"}},"data":{{"ORDI":{POINTS}}}}}"#));
    assert_eq!((series.len(), series[0].convert.as_str()), (1, "BTC"));
}
