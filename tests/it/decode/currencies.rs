//! Prices are never labelled with a wrong currency.

use satscope::client::Request;
use satscope::model::Currency;

use super::{coins, coins_in, currency, get, pairs};
use satscope::client::ResponseData;
use satscope::model::{Coin, MarketPair};

fn pair_in(code: &str, body: &str) -> (MarketPair, Vec<String>) {
    let Request::MarketPairs { symbol, slug, .. } = pairs(None) else { panic!() };
    let request = Request::MarketPairs { symbol, slug, convert: currency(code) };
    match get(&request, body).unwrap() {
        (ResponseData::MarketPairs(page), warnings) => (page.items.into_iter().next().unwrap(), warnings),
        other => panic!("{other:?}"),
    }
}

fn coin_in(code: &str, body: &str) -> (Coin, Vec<String>) {
    let (page, warnings) = coins(&coins_in(code), body);
    (page.items.into_iter().next().unwrap(), warnings)
}

fn mixed(warnings: &[String]) -> usize {
    warnings.iter().filter(|warning| warning.starts_with("skipped values in USD")).count()
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
