//! Currencies that a response states beside its prices or in their names.

use satscope::client::{Request, ResponseData};
use satscope::model::{Currency, MarketSeries, Period};

use super::currencies::{coin_in, mixed_in, pair_in};
use super::{chart, coins, coins_in, currency, get, market};

fn series_in(code: &str, body: &str) -> (MarketSeries, Vec<String>) {
    let Request::MarketData { symbols, count, interval, .. } = market(&["ORDI"]) else { panic!() };
    match get(&Request::MarketData { symbols, count, interval, convert: currency(code) }, body).unwrap() {
        (ResponseData::Market(series), warnings) => (series.into_iter().next().unwrap(), warnings),
        other => panic!("{other:?}"),
    }
}

#[test]
fn currency_stated_around_prices_is_used() {
    let in_euros = ["prices are in EUR instead of USD"];
    let points = r#""points":[{"time":1795075200,"price":9}]"#;
    for body in [
        format!(r#"{{"data":{{"slug":"ordi","period":"7D","convert":"EUR",{points}}}}}"#),
        format!(r#"{{"convert":"EUR","data":{{{points}}}}}"#),
        format!(r#"{{"meta":{{"currency":"eur"}},{points}}}"#),
        format!(r#"{{"data":{{{points}}},"meta":{{"query":1,"vs_currency":"eur"}}}}"#),
        r#"{"currency":"eur","prices":[[1795075200000,9]]}"#.to_owned(),
        r#"{"vs_currency":"eur","prices":[[1795075200000,9]]}"#.to_owned(),
        r#"{"currency":"€","prices":[[1795075200000,9]]}"#.to_owned(),
        r#"{"currency":{"code":"EUR","name":"Euro"},"points":{"1795075200":9}}"#.to_owned(),
        r#"{"convert":"EUR","t":[1795075200],"c":[9]}"#.to_owned(),
    ] {
        let (found, warnings) = chart("USD", &body);
        assert_eq!(
            (found.points[0].price, &found.convert, &warnings[..]),
            (Some(9.0), &currency("EUR"), &in_euros.map(String::from)[..]),
            "{body}"
        );
        let (found, warnings) = chart("EUR", &body);
        assert_eq!((found.convert, warnings), (currency("EUR"), vec![]), "{body}");
        if body.contains("\"t\"") {
            continue;
        }
        let (series, warnings) = series_in("USD", &body);
        assert_eq!(
            (series.points[0].price, series.convert, &warnings[..]),
            (Some(9.0), currency("EUR"), &in_euros.map(String::from)[..]),
            "{body}"
        );
    }
    for body in [
        format!(r#"{{"data":[{{"symbol":"ORDI","convert":"EUR",{points}}}]}}"#),
        format!(r#"{{"data":{{"ORDI":[{{"id":1,"convert":"EUR",{points}}}]}}}}"#),
        format!(r#"{{"convert":"EUR","data":[{{"symbol":"ORDI",{points}}}]}}"#),
        format!(r#"{{"convert":"USD","data":[{{"symbol":"ORDI","currency":"EUR",{points}}}]}}"#),
    ] {
        let (series, warnings) = series_in("USD", &body);
        assert_eq!(
            (series.points[0].price, series.convert, &warnings[..]),
            (Some(9.0), currency("EUR"), &in_euros.map(String::from)[..]),
            "{body}"
        );
        assert_eq!(series_in("EUR", &body).1, [] as [&str; 0], "{body}");
    }
    let coin = r#"{"id":1,"name":"a","symbol":"b","price":9,"sparkline_7d":[1,2]}"#;
    for body in [
        format!(r#"{{"convert":"EUR","data":[{coin}]}}"#),
        format!(r#"{{"data":{{"vs_currency":"eur","coins":[{coin}]}}}}"#),
        format!(r#"{{"meta":{{"currency":"EUR"}},"data":[{coin}]}}"#),
    ] {
        let (coin, warnings) = coin_in("USD", &body);
        assert_eq!((coin.price, coin.sparkline_7d.len(), coin.convert), (Some(9.0), 2, currency("EUR")), "{body}");
        assert_eq!(warnings, in_euros, "{body}");
        assert_eq!(coin_in("EUR", &body).1, [] as [&str; 0], "{body}");
    }
    let pair = r#"{"exchange":"X","pair":"ORDI/USDT","price":9}"#;
    for body in [
        r#"[{"exchange":"X","pair":"ORDI/USDT","price":9,"convert":"EUR"}]"#.to_owned(),
        r#"[{"exchange":"X","pair":"ORDI/USDT","price":9,"currency":"EUR"}]"#.to_owned(),
        format!(r#"{{"convert":"EUR","data":[{pair}]}}"#),
        format!(r#"{{"data":{{"symbol":"ORDI","convert":"EUR","market_pairs":[{pair}]}}}}"#),
        format!(r#"{{"data":{{"ORDI":[{{"symbol":"ORDI","convert":"EUR","market_pairs":[{pair}]}}]}}}}"#),
    ] {
        let (pair, warnings) = pair_in("USD", &body);
        assert_eq!(
            (pair.price, pair.convert, &warnings[..]),
            (Some(9.0), currency("EUR"), &in_euros.map(String::from)[..]),
            "{body}"
        );
        assert_eq!(pair_in("EUR", &body).1, [] as [&str; 0], "{body}");
    }
}

#[test]
fn currency_of_prices_may_be_their_unit() {
    for name in [
        "price_unit",
        "priceCurrency",
        "currency_code",
        "currency_symbol",
        "fiat",
        "unit",
        "fiatCurrency",
        "display_currency",
        "quote_currency",
    ] {
        let (found, _) = chart("USD", &format!(r#"{{"{name}":"EUR","points":[{{"time":1795075200,"price":9}}]}}"#));
        assert_eq!(found.convert, currency("EUR"), "{name}");
        let (coin, warnings) =
            coin_in("USD", &format!(r#"{{"{name}":"EUR","data":[{{"id":1,"name":"a","symbol":"b","price":9}}]}}"#));
        assert_eq!((coin.price, coin.convert), (Some(9.0), currency("EUR")), "{name}");
        assert_eq!(warnings, ["prices are in EUR instead of USD"], "{name}");
    }
    for status in ["status", "info", "settings"] {
        let body = format!(r#"{{"{status}":{{"currency":"EUR"}},"points":[{{"time":1795075200,"price":9}}]}}"#);
        assert_eq!(chart("USD", &body).0.convert, currency("EUR"), "{status}");
    }
    let body = r#"{"meta":{"currency":"EUR"},"status":{"error_code":0},"points":[{"time":1795075200,"price":9}]}"#;
    assert_eq!(chart("USD", body).0.convert, currency("EUR"));
    let coin = |fields: &str| coin_in("USD", &format!(r#"[{{"id":1,"name":"a","price":9,{fields}}}]"#)).0.convert;
    for unit in [
        r#""price_unit":"EUR""#,
        r#""quote_currency":"EUR""#,
        r#""unit":"eur""#,
        r#""currencyCode":"EUR""#,
        r#""denomination":"EUR""#,
        r#""convert_id":2790"#,
    ] {
        assert_eq!(coin(&format!(r#""symbol":"b",{unit}"#)), currency("EUR"), "{unit}");
    }
    assert_eq!(coin(r#""symbol":"b","quote_currency":"USDT""#), currency("USD"));
    // Words, the coin itself, and a coin without a symbol, which the unit may be.
    for fields in [r#""symbol":"b","unit":"tokens""#, r#""symbol":"BTC","unit":"BTC""#, r#""unit":"BTC""#] {
        assert_eq!(coin(fields), currency("USD"), "{fields}");
    }
    let hours = r#"{"unit":"hour","points":[{"time":1795075200,"price":9}]}"#;
    assert_eq!(chart("USD", hours).0.convert, currency("USD"));
}

#[test]
fn currency_in_a_price_object_applies_to_amounts_beside_it() {
    for name in ["currency", "denomination"] {
        let price = format!(r#"{{"formatted":"4.12","{name}":"sats","value":"4.12"}}"#);
        let body = format!(r#"[{{"id":1,"name":"Dog","symbol":"DOG","price":{price},"market_cap":412000000000}}]"#);
        let (dog, warnings) = coin_in("USD", &body);
        assert_eq!((dog.price, dog.market_cap, dog.convert), (Some(4.12), None, currency("SATS")), "{name}");
        let skipped = "skipped values without a currency: other prices are in SATS";
        assert_eq!(warnings, [skipped, "prices are in SATS instead of USD"], "{name}");
    }
}

#[test]
fn word_around_prices_is_not_their_currency() {
    for word in ["crypto", "bitcoin", "points"] {
        let (found, _) = chart("USD", &format!(r#"{{"currency":"{word}","prices":[[1795075200000,9]]}}"#));
        assert_eq!((found.points[0].price, found.convert), (Some(9.0), currency("USD")), "{word}");
    }
}

#[test]
fn sats_around_prices_are_their_currency_unless_the_coin_is_the_token() {
    let points = r#""points":[[1795075200000,9200]]"#;
    for (code, label) in [("SATS", "SATS"), ("sats", "SATS"), ("sat", "SAT")] {
        let in_sats = [format!("prices are in {label} instead of USD")];
        for body in [
            format!(r#"{{"data":{{"currency":"{code}",{points}}}}}"#),
            format!(r#"{{"meta":{{"currency":"{code}"}},"data":{{{points}}}}}"#),
            format!(r#"{{"vs_currency":"{code}",{points}}}"#),
        ] {
            let (found, warnings) = chart("USD", &body);
            assert_eq!((found.points[0].price, found.convert.as_str()), (Some(9200.0), label), "{body}");
            assert_eq!(warnings, in_sats, "{body}");
            let (found, warnings) = series_in("USD", &body);
            assert_eq!((found.points[0].price, found.convert.as_str()), (Some(9200.0), label), "{body}");
            assert_eq!(warnings, in_sats, "{body}");
        }
        let ordi = r#"{"id":1,"name":"ORDI","symbol":"ORDI","slug":"ordi","price":9200}"#;
        let token = r#"{"id":2,"name":"SATS","symbol":"SATS","slug":"sats","price":0.25}"#;
        let list = |coins: &str| coins_of(&format!(r#"{{"currency":"{code}","data":[{coins}]}}"#));
        let (read, warnings) = list(&format!("{ordi},{token}"));
        assert_eq!(read, [(Some(9200.0), label.to_owned()), (Some(0.25), label.to_owned())], "{code}");
        assert_eq!(warnings, in_sats, "{code}");
        let (read, warnings) = list(token);
        let unclear = "skipped prices in SATS: unclear if that is the currency or the token";
        assert_eq!((read[0].0, warnings.iter().any(|warning| warning == unclear)), (None, true), "{code}");
    }
    // The token's own name.
    let body = format!(r#"{{"currency":"SATS",{points}}}"#);
    for slug in ["sats", "sats-ordinals", "1000sats"] {
        let request = Request::Chart { slug: slug.into(), period: Period::Day, convert: currency("USD") };
        match get(&request, &body).unwrap() {
            (ResponseData::Chart(found), warnings) => {
                assert_eq!((found.convert.as_str(), warnings), ("USD", vec![]), "{slug}");
            }
            other => panic!("{other:?}"),
        }
    }
    let Request::MarketData { count, interval, .. } = market(&["SATS"]) else { panic!() };
    let request = Request::MarketData { symbols: vec!["SATS".into()], convert: currency("USD"), count, interval };
    for body in [body, format!(r#"[{{"symbol":"SATS","currency":"SATS",{points}}}]"#)] {
        match get(&request, &body).unwrap() {
            (ResponseData::Market(series), warnings) => {
                assert_eq!((series[0].convert.as_str(), warnings), ("USD", vec![]), "{body}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Price and currency of each coin in a list.
fn coins_of(body: &str) -> (Vec<(Option<f64>, String)>, Vec<String>) {
    let (page, warnings) = coins(&coins_in("USD"), body);
    let read = page.items.iter().map(|coin| (coin.price, coin.convert.as_str().to_owned())).collect();
    (read, warnings)
}

#[test]
fn quote_of_the_pair_beside_prices_is_their_currency() {
    let candles = r#"[{"timestamp":"1795075200","open":"9","high":"9","low":"9","close":"9"}]"#;
    let kraken = r#"[[1795075200,"9","9","9","9","9","1",3]]"#;
    for body in [
        format!(r#"{{"data":{{"pair":"ORDI/EUR","ohlc":{candles}}}}}"#),
        format!(r#"{{"data":{{"candles":{candles},"pair":"ORDI/EUR"}}}}"#),
        format!(r#"{{"product_id":"ORDI-EUR","candles":{candles}}}"#),
        r#"{"Data":[{"UNIT":"DAY","TIMESTAMP":1795075200,"TYPE":"267","MARKET":"cadli","INSTRUMENT":"ORDI-EUR","OPEN":9,
            "HIGH":9,"LOW":9,"CLOSE":9,"VOLUME":5,"QUOTE_VOLUME":45}],"Err":{}}"#
            .to_owned(),
        r#"{"symbol":"BINANCE:ORDIEUR","s":"ok","t":[1795075200],"c":[9]}"#.to_owned(),
        r#"{"market":"ORDI-EUR","prices":[[1795075200000,9]]}"#.to_owned(),
        r#"{"quote_currency":"EUR","prices":[[1795075200000,9]]}"#.to_owned(),
        r#"{"data":{"quoteCurrency":"eur","points":[[1795075200000,9]]}}"#.to_owned(),
    ] {
        let (found, warnings) = chart("USD", &body);
        let prices: Vec<_> = found.points.iter().map(|point| point.price).collect();
        assert_eq!((prices, &found.convert), (vec![Some(9.0)], &currency("EUR")), "{body}");
        assert_eq!(warnings, ["prices are in EUR instead of USD"], "{body}");
        if body.contains("points") || body.contains("INSTRUMENT") {
            let (found, _) = series_in("USD", &body);
            assert_eq!((found.points[0].price, found.convert), (Some(9.0), currency("EUR")), "{body}");
        }
    }
    for (body, code) in [
        (format!(r#"{{"data":{{"pair":"BTC/EUR","ohlc":{candles}}}}}"#), "EUR"),
        (format!(r#"{{"error":[],"result":{{"XXBTZEUR":{kraken},"last":1795075200}}}}"#), "EUR"),
        (format!(r#"{{"error":[],"result":{{"XBTUSDT":{kraken},"last":1795075200}}}}"#), "USD"),
        // The coin itself isn't the currency.
        (r#"{"quote":"BTC","prices":[[1795075200000,9]]}"#.to_owned(), "USD"),
    ] {
        let request = Request::Chart { slug: "bitcoin".into(), period: Period::Day, convert: currency("USD") };
        match get(&request, &body).unwrap() {
            (ResponseData::Chart(found), _) => {
                assert_eq!((found.points[0].price, found.convert.as_str()), (Some(9.0), code), "{body}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn own_currency_of_an_item_wins_over_the_one_around() {
    let body = r#"{"convert":"EUR","data":[{"id":1,"name":"A","price":9,"quote":{"USD":{"price":8}}},
        {"id":2,"name":"B","convert":"GBP","price":7},{"id":3,"name":"C","price":{"usd":8},"market_cap":5},{"id":4,"name":"D","price":"$8"}]}"#;
    let (page, _) = coins(&coins_in("USD"), body);
    let read: Vec<_> = page.items.iter().map(|coin| (coin.price, coin.market_cap, coin.convert.as_str())).collect();
    assert_eq!(
        read,
        [(Some(9.0), None, "EUR"), (Some(7.0), None, "GBP"), (Some(8.0), None, "USD"), (None, None, "EUR")]
    );
}

#[test]
fn symbol_of_the_coin_is_not_its_currency() {
    let points = r#""prices":[[1795075200000,9]]"#;
    let (found, warnings) = chart("USD", &format!(r#"{{"currency":"ORDI",{points}}}"#));
    assert_eq!((found.convert, warnings), (Currency::usd(), vec![]));
    let (found, warnings) = series_in("USD", &format!(r#"[{{"symbol":"ORDI","currency":"ORDI",{points}}}]"#));
    assert_eq!((found.convert, warnings), (Currency::usd(), vec![]));
    let (pair, warnings) = pair_in("USD", r#"[{"exchange":"X","pair":"ORDI/USDT","currency":"ORDI","price":9}]"#);
    assert_eq!((pair.convert, warnings), (Currency::usd(), vec![]));
    let (coin, warnings) =
        coin_in("USD", r#"[{"id":"BTC","currency":"BTC","symbol":"BTC","name":"Bitcoin","price":9}]"#);
    assert_eq!((coin.convert, warnings), (Currency::usd(), vec![]));
    let (coin, _) = coin_in("USD", r#"[{"id":"BTC","convert":"BTC","symbol":"BTC","name":"Bitcoin","price":1}]"#);
    assert_eq!(coin.convert, currency("BTC"));
}

#[test]
fn currency_beside_the_symbol_of_the_coin_is_used() {
    let points = r#""prices":[[1795075200000,9]]"#;
    for names in [
        r#""currency":"ORDI","price_currency":"EUR""#,
        r#""priceCurrency":"EUR","currency":"ORDI""#,
        r#""currency":"ordinals","price_unit":"tokens","unit":"EUR""#,
    ] {
        let (found, warnings) = chart("USD", &format!(r#"{{{names},{points}}}"#));
        assert_eq!((found.points[0].price, found.convert), (Some(9.0), currency("EUR")), "{names}");
        assert_eq!(warnings, ["prices are in EUR instead of USD"], "{names}");
    }
    // The best name still wins.
    let both = format!(r#"{{"unit":"GBP","currency":"EUR",{points}}}"#);
    assert_eq!(chart("USD", &both).0.convert, currency("EUR"));
}

#[test]
fn sparkline_with_its_own_currency_must_match_the_coin() {
    for (sparkline, convert, prices) in [
        (r#"{"currency":"EUR","price":[1,2]}"#, "USD", &[][..]),
        (r#"{"currency":"EUR","price":[1,2]}"#, "EUR", &[1.0, 2.0]),
        (r#"{"convert":"USD","points":[[1795074900,1],[1795075200,2]]}"#, "USD", &[1.0, 2.0]),
        (r#"{"convert":"EUR","points":[[1795074900,1],[1795075200,2]]}"#, "USD", &[]),
        (r#"{"points":{"1795074900":{"v":[1],"c":[5]},"1795075200":{"v":[2],"c":[6]}}}"#, "EUR", &[5.0, 6.0]),
    ] {
        let body = format!(r#"[{{"id":1,"name":"a","convert":"{convert}","price":9,"sparkline_7d":{sparkline}}}]"#);
        let (coin, warnings) = coin_in(convert, &body);
        assert_eq!((coin.sparkline_7d.as_slice(), coin.price), (prices, Some(9.0)), "{sparkline}");
        assert_eq!(mixed_in("EUR", &warnings), usize::from(prices.is_empty()), "{sparkline}: {warnings:?}");
    }
}

#[test]
fn values_next_to_a_price_in_dollars_are_in_dollars() {
    for code in ["USD", "EUR"] {
        let warnings_of = |warnings: &[String]| assert_eq!(warnings.len(), usize::from(code == "EUR"), "{warnings:?}");
        let other = ["prices are in USD instead of EUR"];
        let points =
            r#"[{"priceUsd":"6379.39","volume":5,"time":1795075200000},{"priceUsd":"6380","time":1795075500000}]"#;
        let (found, warnings) = chart(code, &format!(r#"{{"data":{points}}}"#));
        let first = found.points[0];
        assert_eq!((first.price, first.volume, found.convert), (Some(6379.39), Some(5.0), Currency::usd()));
        warnings_of(&warnings);
        let (found, warnings) = series_in(code, &format!(r#"{{"data":{points}}}"#));
        assert_eq!((found.points[0].price, found.convert), (Some(6379.39), Currency::usd()));
        warnings_of(&warnings);
        let coin = r#"[{"id":"90","symbol":"BTC","name":"Bitcoin","price_usd":"6456.52","volume24":4e9,"sparkline":[{"priceUsd":"5","time":1795075200000}]}]"#;
        let (coin, warnings) = coin_in(code, coin);
        assert_eq!((coin.price, coin.volume_24h, coin.convert), (Some(6456.52), Some(4e9), Currency::usd()));
        assert_eq!(coin.sparkline_7d, [5.0]);
        warnings_of(&warnings);
        let pair = r#"[{"exchange":"X","pair":"ORDI/B","price_usd":8.41,"volume_24h":5}]"#;
        let (pair, warnings) = pair_in(code, pair);
        assert_eq!((pair.price, pair.volume_24h, pair.convert), (Some(8.41), Some(5.0), Currency::usd()));
        warnings_of(&warnings);
        assert!(code == "USD" || warnings == other, "{warnings:?}");
    }
    // Next to another price, the other values are in the requested currency.
    let (coin, _) = coin_in("EUR", r#"[{"id":1,"name":"A","price":7.7,"price_usd":8.4,"volume_24h":5}]"#);
    assert_eq!((coin.price, coin.volume_24h, coin.convert), (Some(7.7), Some(5.0), currency("EUR")));
    let (found, _) = chart("EUR", r#"[{"price":7.7,"priceUsd":8.4,"time":1795075200}]"#);
    assert_eq!((found.points[0].price, found.convert), (Some(7.7), currency("EUR")));
    let (coin, _) = coin_in("EUR", r#"[{"id":1,"name":"A","price_usd":8.4,"quote":{"EUR":{"price":7.7}}}]"#);
    assert_eq!((coin.price, coin.convert), (Some(7.7), currency("EUR")));
}

#[test]
fn currency_is_stated_in_any_style() {
    let around = |stated: &str| format!(r#"{{{stated},"data":[{{"id":1,"name":"a","symbol":"b","price":9}}]}}"#);
    for (stated, code) in [
        (r#""meta":{"quoteCurrency":"EUR"}"#, "EUR"),
        (r#""quote_currency":"USDT""#, "USD"),
        (r#""currency":"Euro""#, "EUR"),
        (r#""currency":{"name":"Euro"}"#, "EUR"),
        (r#""currency":"\u20ac""#, "EUR"),
        (r#""currency":2790"#, "EUR"),
        (r#""convert_id":"2790""#, "EUR"),
        (r#""currency":"XBT""#, "BTC"),
        (r#""currency":978"#, "USD"),
        (r#""unit":1"#, "USD"),
        (r#""unit":"bitcoin""#, "USD"),
    ] {
        let (coin, _) = coin_in("USD", &around(stated));
        assert_eq!((coin.price, coin.convert.as_str()), (Some(9.0), code), "{stated}");
    }
    // The quote of pairs isn't the currency of their prices.
    let pairs = r#"{"quote_currency":"EUR","market_pairs":[{"exchange":"X","pair":"ORDI/EUR","price":9}]}"#;
    assert_eq!(pair_in("USD", pairs).0.convert, currency("USD"));
}
