//! A quote is chosen by its currency, and never guessed.

use super::currencies::coin_in;
use super::{chart, currency};

#[test]
fn quote_is_chosen_by_the_code_id_or_index_of_its_currency() {
    for quotes in [
        r#"{"2790":{"price":7.7},"2781":{"price":8.41}}"#,
        r#"{"0":{"name":"EUR","price":7.7},"1":{"name":"USD","price":8.41}}"#,
        r#"{"0":{"name":"USD","price":8.41},"1":{"name":"EUR","price":7.7}}"#,
        r#"[{"id":2790,"price":7.7},{"id":2781,"price":8.41}]"#,
        r#"[{"convert_id":"2790","price":7.7},{"convert_id":"2781","price":8.41}]"#,
        r#"[{"code":"EUR","price":7.7},{"code":"USD","price":8.41}]"#,
        r#"[{"currency":{"code":"EUR"},"price":7.7},{"currency":{"symbol":"usd"},"price":8.41}]"#,
        r#"{"EUR":[{"price":7.7}],"USD":[{"price":8.41}]}"#,
    ] {
        for (code, price) in [("USD", 8.41), ("EUR", 7.7)] {
            let (coin, warnings) = coin_in(code, &format!(r#"[{{"id":1,"name":"A","quotes":{quotes}}}]"#));
            assert_eq!((coin.price, coin.convert, warnings), (Some(price), currency(code), vec![]), "{code} {quotes}");
        }
    }
    for (quotes, price, code) in [
        (r#"[{"id":2790,"price":7.7}]"#, 7.7, "EUR"),
        (r#"{"2783":{"price":45.2}}"#, 45.2, "BRL"),
        (r#"[{"id":1,"name":"Binance","price":8.41}]"#, 8.41, "USD"),
        (r#"{"0":{"price":8.41}}"#, 8.41, "USD"),
        (r#"[{"price":8.41},{"code":"EUR","price":7.7}]"#, 7.7, "EUR"),
    ] {
        let (coin, _) = coin_in("USD", &format!(r#"[{{"id":1,"name":"A","quotes":{quotes}}}]"#));
        assert_eq!((coin.price, coin.convert.as_str()), (Some(price), code), "{quotes}");
    }
}

#[test]
fn quotes_in_unknown_currencies_are_not_assumed_to_be_in_the_requested_one() {
    for quotes in [
        r#"{"2999":{"price":8.41}}"#,
        r#"{"0":{"price":8.41},"1":{"price":7.7}}"#,
        r#"[{"price":8.41},{"price":7.7}]"#,
        r#"[{"name":"Binance","price":8.41},{"name":"Okex","price":8.4}]"#,
    ] {
        let (coin, warnings) = coin_in("USD", &format!(r#"[{{"id":1,"name":"A","quotes":{quotes}}}]"#));
        assert_eq!((coin.price, coin.convert.as_str()), (None, "USD"), "{quotes}");
        assert!(warnings[0].starts_with("$[0].quotes: found"), "{quotes}: {warnings:?}");
        assert!(warnings[0].ends_with("expected a quote in a known currency"), "{quotes}: {warnings:?}");
    }
}

#[test]
fn price_beside_a_quote_is_not_in_the_currency_of_the_quote() {
    let coin = |quote: &str, price: &str| {
        format!(
            r#"[{{"id":1,"name":"A","price":{price},"market_cap":9,"quote":{{"{quote}":{{"price":7.7,"volume_24h":5}}}}}}]"#
        )
    };
    for (code, quote, price, [own, volume, cap], warning) in [
        (
            "EUR",
            "EUR",
            "8.41",
            [Some(7.7), Some(5.0), None],
            "skipped values without a currency: other prices are in EUR",
        ),
        (
            "USD",
            "EUR",
            "8.41",
            [Some(8.41), None, Some(9.0)],
            "skipped values in EUR: other prices are in another currency",
        ),
        ("USD", "EUR", "7.71", [Some(7.71), Some(5.0), Some(9.0)], "prices are in EUR instead of USD"),
    ] {
        let (coin, warnings) = coin_in(code, &coin(quote, price));
        assert_eq!([coin.price, coin.volume_24h, coin.market_cap], [own, volume, cap], "{code} {price}");
        assert_eq!(warnings, [warning], "{code} {price}");
    }
    let point = r#"[{"timestamp":1795074900,"price":8.41,"quote":{"EUR":{"price":7.7}}}]"#;
    let (found, warnings) = chart("EUR", point);
    assert_eq!((found.points[0].price, found.convert, warnings), (Some(7.7), currency("EUR"), vec![]));
    let in_coins = r#"[{"timestamp":1795074900,"quote":{"price":0.003,"currency":"wsteth"}}]"#;
    let (found, warnings) = chart("USD", in_coins);
    assert_eq!((found.points[0].price, found.convert), (Some(0.003), currency("WSTETH")));
    assert_eq!(warnings, ["prices are in WSTETH instead of USD"]);
}

#[test]
fn scale_of_a_price_is_not_its_currency() {
    for scale in [r#""1""#, "1", r#""whole""#, r#""WHOLE""#] {
        let coin = |price: &str| {
            let fields = r#""id":1,"name":"Ordi","symbol":"ORDI","market_cap":176610000"#;
            coin_in("USD", &format!(r#"[{{{fields},"price":{price}}}]"#)).0
        };
        let ordi = coin(&format!(r#"{{"value":8,"denomination":{scale}}}"#));
        assert_eq!((ordi.price, ordi.market_cap, ordi.convert.as_str()), (None, Some(176_610_000.0), "USD"), "{scale}");
        let ordi = coin(&format!(r#"{{"price":8,"denomination":{scale}}}"#));
        assert_eq!(
            (ordi.price, ordi.market_cap, ordi.convert.as_str()),
            (Some(8.0), Some(176_610_000.0), "USD"),
            "{scale}"
        );
        for name in ["unit", "denomination"] {
            let own = coin(&format!(r#"8,"{name}":{scale}"#));
            assert_eq!((own.price, own.convert.as_str()), (Some(8.0), "USD"), "{name} {scale}");
            let body = format!(r#"{{"{name}":{scale},"data":[{{"id":1,"name":"a","symbol":"b","price":9}}]}}"#);
            let (coin, _) = coin_in("USD", &body);
            assert_eq!((coin.price, coin.convert.as_str()), (Some(9.0), "USD"), "{name} {scale}");
        }
    }
}
