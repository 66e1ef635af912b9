//! Prices are never labelled with a wrong currency.

use satscope::client::Request;
use satscope::model::Currency;

use super::{chart, coins, coins_in, currency, get, pairs, series};
use satscope::client::ResponseData;
use satscope::model::{Coin, MarketPair};

pub(super) fn pair_in(code: &str, body: &str) -> (MarketPair, Vec<String>) {
    let Request::MarketPairs { symbol, slug, .. } = pairs(None) else { panic!() };
    let request = Request::MarketPairs { symbol, slug, convert: currency(code) };
    match get(&request, body).unwrap() {
        (ResponseData::MarketPairs(page), warnings) => (page.items.into_iter().next().unwrap(), warnings),
        other => panic!("{other:?}"),
    }
}

pub(super) fn coin_in(code: &str, body: &str) -> (Coin, Vec<String>) {
    let (page, warnings) = coins(&coins_in(code), body);
    (page.items.into_iter().next().unwrap(), warnings)
}

fn mixed(warnings: &[String]) -> usize {
    mixed_in("USD", warnings)
}

pub(super) fn mixed_in(code: &str, warnings: &[String]) -> usize {
    warnings.iter().filter(|warning| warning.starts_with(&format!("skipped values in {code}"))).count()
}

#[test]
fn pair_in_eur_has_no_usd() {
    for body in [
        r#"[{"exchange":"X","pair":"ORDI/B","quote":{"EUR":{"price":7.7}},"volume_usd":10,"cost_to_move_up_usd":5,"depth_usd_negative_two":4}]"#,
        r#"[{"exchange":"X","pair":"ORDI/B","quote":{"EUR":{"price":7.7,"depth_usd_positive_two":5}},"converted_volume":{"usd":10}}]"#,
        r#"[{"exchange":"X","pair":"ORDI/B","price":7.7,"volume_24h_usd":10,"depth_usd_positive_two":5}]"#,
    ] {
        let (pair, warnings) = pair_in("EUR", body);
        assert_eq!((pair.price, pair.volume_24h), (Some(7.7), None), "{body}");
        assert_eq!((pair.depth_plus_2pct, pair.depth_minus_2pct), (None, None), "{body}");
        assert_eq!((pair.convert, mixed(&warnings)), (currency("EUR"), 1), "{body}: {warnings:?}");
    }
}

#[test]
fn pair_in_usd_has_all_prices() {
    let body = r#"[{"exchange":"X","pair":"ORDI/B","price_quote":1,"volume_usd":10,"cost_to_move_up_usd":5,"depth_usd_negative_two":4}]"#;
    for code in ["USD", "EUR"] {
        let (pair, warnings) = pair_in(code, body);
        assert_eq!((pair.volume_24h, pair.depth_plus_2pct, pair.depth_minus_2pct), (Some(10.0), Some(5.0), Some(4.0)));
        assert_eq!((pair.convert, mixed(&warnings)), (Currency::usd(), 0), "{warnings:?}");
    }
}

#[test]
fn coin_in_eur_has_no_usd() {
    for body in [
        r#"[{"id":1,"name":"A","quote":{"EUR":{"price":7.7}},"market_cap_usd":10,"volume_usd_24hr":5,"periods":{"24h":{"quote":{"USD":{"high":9,"low":8}}}}}]"#,
        r#"[{"id":1,"name":"A","price":7.7,"market_cap_usd":10,"volume_usd_24hr":5,"periods":{"24h":{"quote":{"USD":{"high":9,"low":8}}}}}]"#,
        r#"[{"id":1,"name":"A","currency":"EUR","price":7.7,"quote":{"USD":{"market_cap":10,"volume_24h":5,"high_24h":9,"sparkline_7d":[1,2]}}}]"#,
        r#"[{"id":1,"name":"A","price":{"eur":7.7},"market_cap":{"usd":10},"market_data":{"total_volume":{"usd":5}}}]"#,
        r#"[{"id":1,"name":"A","price":{"eur":7.7},"price_usd":8.4,"market_cap_usd":10}]"#,
    ] {
        let (coin, warnings) = coin_in("EUR", body);
        assert_eq!((coin.price, coin.market_cap, coin.volume_24h), (Some(7.7), None, None), "{body}");
        assert_eq!((coin.high_24h, coin.low_24h, coin.sparkline_7d.len()), (None, None, 0), "{body}");
        assert_eq!((coin.convert, mixed(&warnings)), (currency("EUR"), 1), "{body}: {warnings:?}");
    }
}

#[test]
fn coin_uses_quote_in_its_currency() {
    let body =
        r#"[{"id":1,"name":"A","currency":"USD","price":8.4,"quote":{"EUR":{"volume_24h":4},"USD":{"volume_24h":5}}}]"#;
    let (coin, warnings) = coin_in("EUR", body);
    assert_eq!((coin.price, coin.volume_24h, coin.convert), (Some(8.4), Some(5.0), Currency::usd()));
    assert_eq!(mixed(&warnings), 0, "{warnings:?}");
}

#[test]
fn coin_with_usd_field_names_is_in_usd() {
    let body =
        r#"[{"id":"ordi","name":"ORDI","symbol":"ORDI","priceUsd":"8.41","marketCapUsd":"176","volumeUsd24Hr":"61"}]"#;
    for code in ["USD", "EUR"] {
        let (coin, warnings) = coin_in(code, body);
        assert_eq!((coin.price, coin.market_cap, coin.volume_24h), (Some(8.41), Some(176.0), Some(61.0)));
        assert_eq!((coin.convert, mixed(&warnings)), (Currency::usd(), 0), "{warnings:?}");
    }
}

#[test]
fn quote_with_only_a_price_sets_currency() {
    let body = r#"[{"id":1,"name":"A","price":8.41,"quote":{"EUR":{"price":8.41}}}]"#;
    let (page, _) = coins(&coins_in("USD"), body);
    assert_eq!((page.items[0].price, page.items[0].convert.as_str()), (Some(8.41), "EUR"));
}

/// The price and currency of a coin with this JSON price, and the warnings.
fn price(code: &str, price: &str) -> (Option<f64>, String, Vec<String>) {
    let (coin, warnings) = coin_in(code, &format!(r#"[{{"id":1,"name":"a","symbol":"b","price":{price}}}]"#));
    (coin.price, coin.convert.as_str().to_owned(), warnings)
}

#[test]
fn currency_in_a_formatted_price_is_used() {
    for (text, number, code) in [
        ("0.0001 BTC", 0.0001, "BTC"),
        ("₿0.0001", 0.0001, "BTC"),
        ("€8.41", 8.41, "EUR"),
        ("8.41 EUR", 8.41, "EUR"),
        ("C$8", 8.0, "CAD"),
        ("8.41 ETH", 8.41, "ETH"),
        ("US$8.41", 8.41, "USD"),
        ("$8.41", 8.41, "USD"),
    ] {
        for requested in ["USD", "EUR", "GBP"] {
            let (price, convert, warnings) = price(requested, &format!("\"{text}\""));
            assert_eq!((price, convert.as_str()), (Some(number), code), "{text}");
            let other = format!("prices are in {code} instead of {requested}");
            assert_eq!(warnings, if code == requested { vec![] } else { vec![other] }, "{text}");
        }
    }
    // Sats, a mere percentage, an unknown unit, or any of several dollars.
    for (requested, text) in
        [("USD", "8.41 SATS"), ("BTC", "5 SAT"), ("USD", "5%"), ("USD", "8 PEPE"), ("CAD", "$8"), ("USD", "¥8")]
    {
        let (price, convert, warnings) = price(requested, &format!("\"{text}\""));
        assert_eq!((price, convert.as_str()), (None, requested), "{text}");
        assert!(warnings[0].starts_with("$[0].price: found"), "{text}: {warnings:?}");
    }
}

#[test]
fn currency_in_a_formatted_value_applies_to_no_other_value() {
    for (fields, price, volume, code, warning) in [
        (
            r#""price":8.41,"volume_24h":"12 BTC""#,
            Some(8.41),
            None,
            "USD",
            "skipped values in BTC: other prices are in another currency",
        ),
        (
            r#""price":"0.1 BTC","volume_24h":12"#,
            Some(0.1),
            None,
            "BTC",
            "skipped values without a currency: other prices are in BTC",
        ),
        (
            r#""price":"$8.41","volume_24h":"€12""#,
            Some(8.41),
            None,
            "USD",
            "skipped values in EUR: other prices are in another currency",
        ),
        (r#""volume_24h":"12 BTC""#, None, Some(12.0), "BTC", "prices are in BTC instead of USD"),
        (
            r#""price":"€8.41","volume_24h":"€1.2B","currency":"EUR""#,
            Some(8.41),
            Some(1.2e9),
            "EUR",
            "prices are in EUR instead of USD",
        ),
        (
            r#""price":"€8.41","volume_24h":5,"currency":"EUR""#,
            Some(8.41),
            Some(5.0),
            "EUR",
            "prices are in EUR instead of USD",
        ),
        (
            r#""price":8.41,"volume_24h":"€5","currency":"USD""#,
            Some(8.41),
            None,
            "USD",
            "$[0].volume_24h: found \"€5\", expected an amount in a known currency",
        ),
        (
            r#""price":8.41,"percent_change_24h":"5 USD""#,
            Some(8.41),
            None,
            "USD",
            "$[0].percent_change_24h: found \"5 USD\", expected a percentage",
        ),
        (
            r#""price":8.41,"max_supply":"98%""#,
            Some(8.41),
            None,
            "USD",
            "$[0].max_supply: found \"98%\", expected a number of coins",
        ),
        (
            r#""priceUsd":"€8.41""#,
            None,
            None,
            "USD",
            "$[0].priceUsd: found \"€8.41\", expected an amount in a known currency",
        ),
    ] {
        let (coin, warnings) = coin_in("USD", &format!(r#"[{{"id":1,"name":"a","symbol":"b",{fields}}}]"#));
        assert_eq!((coin.price, coin.volume_24h, coin.convert.as_str()), (price, volume, code), "{fields}");
        assert!(warnings.iter().any(|found| found == warning), "{fields}: {warnings:?}");
        assert_eq!((coin.change_24h_pct, coin.max_supply), (None, None), "{fields}");
    }
}

#[test]
fn formatted_values_of_pairs_points_and_sparklines_have_their_currency() {
    let (pair, warnings) = pair_in("USD", r#"[{"exchange":"X","pair":"ORDI/B","price":"€8.41","volume_24h":"€5"}]"#);
    assert_eq!((pair.price, pair.volume_24h, pair.convert), (Some(8.41), Some(5.0), currency("EUR")));
    assert_eq!(warnings, ["prices are in EUR instead of USD"]);
    for fields in [
        r#""price":8.41,"volume_24h":"5 BTC""#,
        r#""price":8.41,"volume_usd":"€5""#,
        r#""price":8.41,"depth_plus_2pct":"5 BTC""#,
        r#""price":8.41,"volume_share_pct":"$5""#,
    ] {
        let (pair, warnings) = pair_in("USD", &format!(r#"[{{"exchange":"X","pair":"ORDI/B",{fields}}}]"#));
        let others = (pair.volume_24h, pair.depth_plus_2pct, pair.volume_share_pct);
        assert_eq!((pair.price, others, pair.convert), (Some(8.41), (None, None, None), Currency::usd()), "{fields}");
        assert_eq!(warnings.len(), 1, "{fields}: {warnings:?}");
    }
    for body in [
        r#"[{"time":1795075200,"price":"€8.41"}]"#,
        r#"[[1795075200,"8.41 EUR"]]"#,
        r#"{"1795075200":"€8.41"}"#,
        r#"{"prices":[[1795075200000,"€8.41"]]}"#,
        r#"{"t":[1795075200],"c":["€8.41"]}"#,
    ] {
        let (chart, warnings) = chart("USD", body);
        assert_eq!((chart.points[0].price, chart.convert), (Some(8.41), currency("EUR")), "{body}");
        assert_eq!(warnings, ["prices are in EUR instead of USD"], "{body}");
    }
    for (sparkline, prices) in [
        (r#"["€1","€2"]"#, &[][..]),
        (r#"["$1","$2"]"#, &[1.0, 2.0]),
        (r#"[[1795074900,"1 EUR"],[1795075200,"2 EUR"]]"#, &[]),
        (r#"[{"time":1795074900,"quote":{"EUR":{"price":1}}}]"#, &[]),
    ] {
        let body = format!(r#"[{{"id":1,"name":"a","price":8.41,"sparkline_7d":{sparkline}}}]"#);
        let (coin, warnings) = coin_in("USD", &body);
        assert_eq!((coin.sparkline_7d.as_slice(), coin.price), (prices, Some(8.41)), "{sparkline}");
        assert_eq!(mixed_in("EUR", &warnings), usize::from(prices.is_empty()), "{sparkline}: {warnings:?}");
    }
    let in_euros = r#"[{"id":1,"name":"a","price":"€8","sparkline_7d":["€1","€2"]}]"#;
    assert_eq!(coin_in("USD", in_euros).0.sparkline_7d, [1.0, 2.0]);
}

#[test]
fn points_in_two_currencies_are_not_mixed() {
    let point = |time: u32, code: &str, price: f64| {
        format!(r#"{{"timestamp":{time},"quote":{{"{code}":{{"price":{price}}}}}}}"#)
    };
    let body = format!("[{},{}]", point(1_795_074_900, "USD", 8.0), point(1_795_075_200, "EUR", 7.0));
    for (requested, prices, used, other) in [
        ("USD", [Some(8.0), None], "USD", "EUR"),
        ("EUR", [None, Some(7.0)], "EUR", "USD"),
        ("GBP", [Some(8.0), None], "USD", "EUR"),
    ] {
        let (chart, warnings) = chart(requested, &body);
        assert_eq!(chart.points.iter().map(|point| point.price).collect::<Vec<_>>(), prices, "{requested}");
        assert_eq!((chart.convert, mixed_in(other, &warnings)), (currency(used), 1), "{requested}: {warnings:?}");
    }
}

#[test]
fn points_with_a_price_per_currency_are_in_the_requested_one() {
    for (fields, [euros, dollars]) in [
        (r#""price":{"usd":8.4,"eur":7.7}"#, [7.7, 8.4]),
        (r#""price":{"USD":"8.4","EUR":"7.7"}"#, [7.7, 8.4]),
        (r#""close":{"jpy":1300,"usd":8.4,"eur":7.7}"#, [7.7, 8.4]),
        (r#""quote":{"USD":8.4,"EUR":7.7}"#, [7.7, 8.4]),
    ] {
        let body = format!(r#"[{{"timestamp":1795074900,{fields}}}]"#);
        for (code, price, label, warning) in [
            ("USD", dollars, "USD", None),
            ("EUR", euros, "EUR", None),
            ("GBP", dollars, "USD", Some("prices are in USD instead of GBP")),
        ] {
            let (found, warnings) = chart(code, &body);
            assert_eq!((found.points[0].price, found.convert.as_str()), (Some(price), label), "{code} {fields}");
            assert_eq!(warnings.iter().map(String::as_str).collect::<Vec<_>>(), Vec::from_iter(warning), "{fields}");
        }
        // The request is for euros.
        let (found, warnings) = series(&["ORDI"], &format!(r#"{{"data":{{"ORDI":{body}}}}}"#));
        assert_eq!((found[0].points[0].price, warnings), (Some(euros), vec![]), "{fields}");
    }
    let all = r#"[{"timestamp":1795074900,"price":{"usd":8.4,"eur":7.7},"volume_24h":{"usd":5,"eur":4},"market_cap":{"usd":7,"eur":6}}]"#;
    let point = chart("EUR", all).0.points[0];
    assert_eq!([point.price, point.volume, point.market_cap], [7.7, 4.0, 6.0].map(Some));
    for fields in [r#""price":{"first":8.4}"#, r#""quote":{"first":8.4}"#, r#""price":{"usd":[8.4]}"#] {
        let (found, warnings) = chart("USD", &format!(r#"[{{"timestamp":1795074900,{fields}}}]"#));
        assert_eq!((found.points[0].price, warnings.len()), (None, 1), "{fields}: {warnings:?}");
        assert!(warnings[0].ends_with("expected a number, or one for each currency"), "{warnings:?}");
    }
    for gap in [
        r#""price":{"usd":null}"#,
        r#""quote":{"USD":null}"#,
        r#""quote":{"USD":{"price":null,"total_supply":5}}"#,
        r#""quote":{"name":"2781","price":null}"#,
    ] {
        let (found, warnings) = chart("USD", &format!(r#"[{{"timestamp":1795074900,{gap}}}]"#));
        assert_eq!((found.points[0].price, warnings), (None, vec![]), "{gap}");
    }
}

#[test]
fn only_a_currency_code_is_the_key_of_a_price() {
    for (value, number, code) in [
        (r#"{"amount":8.41,"currency":"USD"}"#, Some(8.41), "USD"),
        (r#"{"value":"8.41","currency":"eur"}"#, Some(8.41), "EUR"),
        (r#"{"price":8.41,"currency":"EUR"}"#, Some(8.41), "EUR"),
        (r#"{"usd":8.41,"value":9}"#, Some(8.41), "USD"),
        (r#"{"value":8.41}"#, None, "USD"),
        (r#"{"amount":8.41}"#, None, "USD"),
        (r#"{"latest":8.41}"#, None, "USD"),
        (r#"{"amount":841,"precision":2,"currency":"USD"}"#, None, "USD"),
    ] {
        let (price, convert, warnings) = price("USD", value);
        assert_eq!((price, convert.as_str()), (number, code), "{value}");
        let expected = usize::from(number.is_none() || code != "USD");
        assert_eq!(warnings.len(), expected, "{value}: {warnings:?}");
    }
    let (coin, _) = coin_in("USD", r#"[{"id":1,"name":"A","quote":{"latest":{"price":8.41}}}]"#);
    assert_eq!((coin.price, coin.convert), (None, Currency::usd()));
}

#[test]
fn price_named_after_the_requested_currency_is_preferred() {
    let read = |code: &str, fields: &str| {
        let (page, warnings) = coins(&coins_in(code), &format!(r#"[{{"id":1,"name":"ORDI",{fields}}}]"#));
        let coin = page.items[0].clone();
        ((coin.convert.to_string(), coin.price, coin.market_cap, coin.volume_24h), warnings)
    };
    let euros = |cap, volume| (String::from("EUR"), Some(7.7), cap, volume);
    let skipped = vec![String::from("skipped values without a currency: other prices are in EUR")];
    assert_eq!(read("EUR", r#""price":8.41,"price_eur":7.7"#), (euros(None, None), vec![]));
    assert_eq!(read("EUR", r#""price":8.41,"priceEUR":"7.7","market_cap":1.7e8"#), (euros(None, None), skipped));
    let all = r#""price_usd":8.41,"price_eur":7.7,"market_cap_usd":1.7e8,"market_cap_eur":1.6e8,"24h_volume_eur":6e7"#;
    assert_eq!(read("EUR", all).0, euros(Some(1.6e8), Some(6e7)));
    assert_eq!(read("EUR", r#""price":7.7,"price_eur":7.7,"market_cap":1.6e8"#).0, euros(Some(1.6e8), None));
    let stated = r#""currency":"USD","price":8.41,"price_eur":7.7"#;
    assert_eq!(read("EUR", stated), (euros(None, None), vec![]));
    let dollars = |price| (String::from("USD"), Some(price), None, None);
    assert_eq!(read("USD", r#""price":7.7,"price_usd":8.41,"price_eur":7.7"#), (dollars(8.41), vec![]));
    assert_eq!(read("GBP", stated).0, dollars(8.41));
}
