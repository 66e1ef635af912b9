//! Responses keyed by symbol or slug, in which an item has the name of an object that describes the response.

use satscope::client::{Request, ResponseData};

use super::{coins, coins_in, currency, get, market, pairs};

#[test]
fn units_of_a_coin_named_like_a_description_are_its_own() {
    let coin = r#""id":1,"name":"Own","symbol":"OWN","price":1"#;
    let ordi = r#"{"id":2,"name":"Ordi","symbol":"ORDI","price":8,"market_cap":176610000,"percent_change_24h":1.5}"#;
    for key in ["META", "STATUS", "INFO", "QUERY", "ITEMS", "D", "status", "metadata", "list"] {
        let own = format!(
            r#""{key}":{{{coin},"market_cap":100,"market_cap_unit":"million","currency":"EUR","percent_unit":"fraction"}}"#
        );
        for body in [
            format!(r#"{{"data":{{{own},"ORDI":{ordi}}}}}"#),
            format!(r#"{{"ordi":{ordi},{own}}}"#),
            format!(r#"{{"currency":"USD","meta-data":{{"count":2}},"data":{{"ORDI":{ordi},{own}}}}}"#),
        ] {
            let (page, _) = coins(&coins_in("USD"), &body);
            let read = |symbol: &str| {
                let coin = page.items.iter().find(|coin| coin.symbol == symbol).expect(&body);
                (coin.convert.as_str(), coin.market_cap)
            };
            assert_eq!((read("ORDI"), read("OWN")), (("USD", Some(176_610_000.0)), ("EUR", Some(1e8))), "{body}");
            let changes: Vec<_> = page.items.iter().filter_map(|coin| coin.change_24h_pct).collect();
            assert_eq!(changes, [1.5], "{body}");
        }
    }
}

#[test]
fn descriptions_beside_keyed_coins_apply_to_all() {
    let ordi =
        r#""ORDI":{"id":2,"name":"Ordi","symbol":"ORDI","price":8,"market_cap":176.61,"percent_change_24h":0.015}"#;
    let stated = r#""currency":"EUR","market_cap_unit":"million","percent_unit":"fraction""#;
    for body in [
        format!(r#"{{"meta":{{"name":"Prices",{stated}}},"data":{{{ordi}}}}}"#),
        format!(r#"{{"data":{{"meta":{{"name":"Prices",{stated}}},{ordi}}}}}"#),
        format!(r#"{{"status":{{"error_code":0,{stated}}},{ordi}}}"#),
        format!(r#"{{{stated},"data":{{{ordi}}}}}"#),
    ] {
        let (page, _) = coins(&coins_in("USD"), &body);
        let [coin] = page.items.as_slice() else { panic!("{body}") };
        let read = (coin.convert.as_str(), coin.market_cap, coin.change_24h_pct);
        assert_eq!(read, ("EUR", Some(176_610_000.0), Some(1.5)), "{body}");
    }
}

#[test]
fn currency_of_a_pair_named_like_a_description_is_its_own() {
    let pair = r#""pair":"ORDI/USD","price":8,"volume_24h":5"#;
    let body = format!(
        r#"{{"data":{{"META":{{"exchange":"Meta",{pair},"currency":"EUR","volume_unit":"million"}},"OKX":{{"exchange":"OKX",{pair}}}}}}}"#
    );
    let Ok((ResponseData::MarketPairs(page), _)) = get(&pairs(None), &body) else { panic!() };
    let okx = page.items.iter().find(|pair| pair.exchange.as_deref() == Some("OKX")).unwrap();
    assert_eq!((okx.convert.as_str(), okx.volume_24h), ("USD", Some(5.0)));
}

#[test]
fn currency_and_zone_of_a_series_named_like_a_description_are_its_own() {
    let points = r#""points":[{"time":"2026-11-19T08:00:00","price":9}]"#;
    for key in ["META", "DATA"] {
        let body = format!(
            r#"{{"data":{{"{key}":{{"currency":"EUR","utc_offset":"-05:00",{points}}},"ORDI":{{{points}}}}}}}"#
        );
        for requested in [["ORDI", key].as_slice(), &["ORDI"]] {
            let Request::MarketData { symbols, count, interval, .. } = market(requested) else { panic!() };
            let request = Request::MarketData { symbols, count, interval, convert: currency("USD") };
            let Ok((ResponseData::Market(series), _)) = get(&request, &body) else { panic!("{body}") };
            let ordi = series.iter().find(|series| series.symbol == "ORDI").unwrap();
            let time = ordi.points[0].time.to_string();
            assert_eq!((ordi.convert.as_str(), &time[..16]), ("USD", "2026-11-19T08:00"), "{requested:?} {body}");
        }
    }
}

#[test]
fn description_in_a_map_of_coins_applies_to_them() {
    let ordi =
        r#""ORDI":{"id":2,"name":"Ordi","symbol":"ORDI","price":8,"market_cap":176.61,"percent_change_24h":0.015}"#;
    let stated = r#""market_cap_unit":"million","percent_unit":"fraction""#;
    for body in [
        format!(r#"{{"query":{{"vs_currency":"eur","coins":["ordi"],{stated}}},{ordi}}}"#),
        format!(r#"{{"data":{{"meta":{{"currency":"EUR","coins":["ordi"],{stated}}},{ordi}}}}}"#),
        format!(r#"{{"meta":{{"id":"a1b2","name":"listing","currency":"EUR",{stated}}},{ordi}}}"#),
        format!(r#"{{"data":{{"currency":{{"id":2790,"symbol":"EUR","name":"Euro"}},"meta":{{{stated}}},{ordi}}}}}"#),
    ] {
        let (page, _) = coins(&coins_in("USD"), &body);
        let coin = page.items.iter().find(|coin| coin.symbol == "ORDI").expect(&body);
        let read = (coin.convert.as_str(), coin.market_cap, coin.change_24h_pct);
        assert_eq!(read, ("EUR", Some(176_610_000.0), Some(1.5)), "{body}");
    }
    let pair = r#"{"pair":"ORDI/USD","price":8,"volume_24h":5}"#;
    let body = format!(
        r#"{{"data":{{"meta":{{"volume_unit":"thousand","pairs":["ORDI/USD"]}},"okx":{pair},"binance":{pair}}}}}"#
    );
    let Ok((ResponseData::MarketPairs(page), _)) = get(&pairs(None), &body) else { panic!() };
    assert!(page.items.iter().all(|pair| pair.volume_24h == Some(5_000.0)), "{:?}", page.items);
}

#[test]
fn units_around_many_keyed_coins_apply_to_all() {
    let coin = |n: u32| {
        format!(
            r#""C{n}":{{"id":{n},"name":"N{n}","symbol":"C{n}","price":8,"market_cap":176.61,"percent_change_24h":0.015}}"#
        )
    };
    let all: Vec<String> = (1..=150).map(coin).collect();
    let stated = r#""market_cap_unit":"million","percent_unit":"fraction""#;
    for start in [String::from(stated), format!(r#""meta":{{{stated}}}"#)] {
        let (page, _) = coins(&coins_in("USD"), &format!("{{{start},{}}}", all.join(",")));
        assert_eq!(page.items.len(), 150);
        let read = |coin: &satscope::model::Coin| (coin.market_cap, coin.change_24h_pct);
        assert!(page.items.iter().all(|coin| read(coin) == (Some(176_610_000.0), Some(1.5))), "{start}");
    }
}

#[test]
fn description_of_a_price_history_may_name_its_points() {
    for about in [
        r#""meta":{"currency":"EUR","utc_offset":"-05:00","points":{"count":96}}"#,
        r#""query":{"convert":"EUR","tz":"-05:00","series":["price"],"quotes":["EUR"]}"#,
    ] {
        let points = r#"[{"time":"2026-11-19 02:55:00","price":9}]"#;
        let body = format!(r#"{{"data":{{{about},"ORDI":{points},"SATS":{points}}}}}"#);
        let Ok((ResponseData::Market(series), _)) = get(&market(&["ORDI", "SATS"]), &body) else { panic!("{body}") };
        for series in series {
            let time = series.points[0].time.to_string();
            assert_eq!((series.convert.as_str(), &time[..16]), ("EUR", "2026-11-19T07:55"), "{body}");
        }
    }
}
