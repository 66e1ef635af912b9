//! Market pairs with figures in objects of their own.

use super::*;

/// A pair with these fields, and its warnings.
fn pair(code: &str, fields: &str) -> (MarketPair, Vec<Warning>) {
    let body = format!(r#"[{{"exchange":"Binance","pair":"ORDI/USDT",{fields}}}]"#);
    let request = Request::MarketPairs { symbol: "ORDI".into(), slug: None, convert: currency(code) };
    match get(&request, &body).unwrap() {
        (ResponseData::MarketPairs(page), warnings) => (page.items[0].clone(), warnings),
        other => panic!("{other:?}"),
    }
}

#[test]
fn nested_volumes_and_depths_are_read() {
    for fields in [
        r#""price":{"usd":8.41},"volume":{"usd":123},"depth":{"plus2":5,"minus2":6}"#,
        r#""price":8.41,"volume":{"24h":{"usd":123}},"depth":{"+2%":5,"-2%":6}"#,
        r#""price":8.41,"volume_24h":{"usd":123},"market_depth":{"plus_2":{"usd":5},"minus_2":{"usd":6}}"#,
        r#""price":8.41,"volume_usd":{"h24":"123"},"depth_2pct":{"up":5,"down":6}"#,
        r#""price":8.41,"volume_24h":0.123,"volume_unit":"thousand USD","depth":{"+2%":0.005,"−2%":0.006},"units":{"depth":"K"}"#,
    ] {
        let (pair, warnings) = pair("USD", fields);
        assert_eq!((pair.price, pair.volume_24h), (Some(8.41), Some(123.0)), "{fields}");
        assert_eq!((pair.depth_plus_2pct, pair.depth_minus_2pct), (Some(5.0), Some(6.0)), "{fields}");
        assert_eq!(warnings, [] as [&str; 0], "{fields}");
    }
}

#[test]
fn price_of_another_time_is_not_the_price() {
    for fields in
        [r#""price":{"value":8.41,"24h":7.9}"#, r#""price":{"24h":7.9,"1h":8.3}"#, r#""price_usd":{"24h":7.9}"#]
    {
        let (pair, warnings) = pair("USD", &format!(r#"{fields},"volume_24h":123"#));
        assert_eq!((pair.price, pair.volume_24h, warnings.len()), (None, Some(123.0), 1), "{fields}: {warnings:?}");
    }
}

#[test]
fn units_around_pairs_and_in_quotes_are_applied() {
    let pair = r#"{"exchange":"Binance","pair":"ORDI/USDT","price":8.41,"volume_24h":0.123,"depth":{"+2%":0.005}}"#;
    for body in [
        format!(r#"{{"units":{{"volume":"thousand","depth":"K"}},"market_pairs":[{pair}]}}"#),
        format!(r#"{{"data":{{"volume_unit":"thousand USD","depth_unit":"K","market_pairs":[{pair}]}}}}"#),
        format!(r#"{{"metadata":{{"volume_multiplier":1000,"units":{{"depth":1000}}}},"data":[{pair}]}}"#),
        format!(r#"{{"meta":{{"units":{{"volume":"K","depth":"K"}}}},"data":[{pair}]}}"#),
        String::from(
            r#"[{"exchange":"Binance","pair":"ORDI/USDT","quote":{"USD":{"price":8.41,"volume_24h":0.123,
            "volume_unit":"thousand"}},"depth":{"+2%":0.005,"unit":"K"}}]"#,
        ),
    ] {
        let (page, warnings) = get_pairs(None, &body);
        let MarketPair { price, volume_24h, depth_plus_2pct, .. } = page.items[0];
        assert_eq!((price, volume_24h, depth_plus_2pct), (Some(8.41), Some(123.0), Some(5.0)), "{body}");
        assert_eq!(warnings, [] as [&str; 0], "{body}");
    }
}

#[test]
fn currency_in_the_unit_of_a_price_is_that_of_the_pair() {
    let (pair, warnings) = pair("USD", r#""price":7.7,"price_unit":"EUR","volume_24h":123"#);
    assert_eq!((pair.convert.as_str(), pair.price, pair.volume_24h), ("EUR", Some(7.7), Some(123.0)));
    assert_eq!(warnings, ["prices are in EUR instead of USD"]);
}

#[test]
fn nested_figures_in_other_units_are_not_read() {
    for fields in [
        r#""volume":{"24h":123}"#,
        r#""volume":{"base":15,"quote":123}"#,
        r#""volume":{"ordi":15}"#,
        r#""depth":{"up":5,"down":6,"2%":7}"#,
        r#""volume_24h":123,"volume_unit":"ORDI""#,
        r#""volume_24h":123,"units":{"volume":"million EUR"}"#,
    ] {
        let (pair, warnings) = pair("USD", &format!(r#""price":8.41,{fields}"#));
        assert_eq!((pair.volume_24h, pair.depth_plus_2pct, pair.depth_minus_2pct), (None, None, None), "{fields}");
        assert_eq!(warnings.len(), usize::from(fields.contains("volume")), "{fields}: {warnings:?}");
    }
    let (pair, warnings) = pair("EUR", r#""price":{"eur":7.7},"volume":{"usd":123},"depth":{"plus2":{"usd":5}}"#);
    assert_eq!((pair.convert.as_str(), pair.price, pair.volume_24h), ("EUR", Some(7.7), None));
    assert_eq!(pair.depth_plus_2pct, None);
    assert_eq!(warnings, ["skipped values in USD: other prices are in another currency"]);
}

#[test]
fn depths_in_other_units_are_not_read() {
    for fields in [
        r#""depth":{"plus2":5,"minus2":6,"unit":"ORDI"}"#,
        r#""depth_2pct":{"up":5,"down":6,"currency":"EUR"}"#,
        r#""depth":{"plus2":5,"minus2":6},"unit":"million""#,
    ] {
        let (pair, warnings) = pair("USD", &format!(r#""price":{{"usd":8.41}},{fields}"#));
        assert_eq!((pair.depth_plus_2pct, pair.depth_minus_2pct), (None, None), "{fields}");
        assert!(!warnings.is_empty(), "{fields}");
    }
}
