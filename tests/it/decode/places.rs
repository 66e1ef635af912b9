//! Prices, changes and names of coins in nested objects and lists.

use super::*;

/// A coin with these fields, and its warnings.
fn coin(fields: &str) -> (Coin, Vec<Warning>) {
    let (page, warnings) = coins(&coins_in("USD"), &format!(r#"[{{"id":1,"symbol":"ORDI","name":"ORDI",{fields}}}]"#));
    (page.items[0].clone(), warnings)
}

#[test]
fn price_is_chosen_from_a_list_or_map_by_currency() {
    for fields in [
        r#""price":[{"currency":"EUR","value":7.7},{"currency":"USD","value":8.41}]"#,
        r#""prices":[{"currency":"EUR","price":7.7},{"currency":"USD","price":"8.41"}]"#,
        r#""prices":{"eur":7.7,"usd":8.41}"#,
    ] {
        let (coin, warnings) = coin(fields);
        assert_eq!((coin.price, coin.convert, warnings), (Some(8.41), Currency::usd(), vec![]), "{fields}");
    }
    let (in_euros, _) = coin(r#""prices":{"eur":7.7}"#);
    assert_eq!((in_euros.price, in_euros.convert), (Some(7.7), currency("EUR")));
    let (with_sparkline, _) = coin(r#""price":8.41,"prices":[8.2,8.3,8.41]"#);
    assert_eq!(with_sparkline.sparkline_7d.len(), 3);
}

#[test]
fn figures_in_a_market_object_are_read() {
    for name in ["market", "stats"] {
        let (coin, warnings) = coin(&format!(r#""{name}":{{"price":8.41,"marketCap":1766,"percentChange24h":-3.8}}"#));
        let read = (coin.price, coin.market_cap, coin.change_24h_pct, warnings);
        assert_eq!(read, (Some(8.41), Some(1766.0), Some(-3.8), vec![]), "{name}");
    }
}

#[test]
fn names_in_a_coin_object_are_read() {
    for (name, figures) in [("coin", r#""price":8.41"#), ("token", r#""quote":{"USD":{"price":8.41}}"#)] {
        let body = format!(r#"[{{"{name}":{{"id":"ordi","name":"ORDI","symbol":"ORDI"}},{figures}}}]"#);
        let (page, warnings) = coins(&coins_in("USD"), &body);
        let coin = &page.items[0];
        assert_eq!((coin.id.0.as_str(), coin.symbol.as_str(), coin.price), ("ordi", "ORDI", Some(8.41)), "{name}");
        assert_eq!(warnings, [] as [&str; 0]);
    }
    let okx =
        r#"{"code":"0","data":[{"tokenSymbol":"ORDI","tokenName":"Ordinals","price":"8.41","marketCap":"1766"}]}"#;
    let (page, _) = coins(&coins_in("USD"), okx);
    let coin = &page.items[0];
    assert_eq!((coin.symbol.as_str(), coin.name.as_str(), coin.price), ("ORDI", "Ordinals", Some(8.41)));
}

#[test]
fn changes_are_in_the_stated_unit() {
    let change = |fields: &str| {
        let (coin, warnings) = coin(fields);
        (coin.change_24h_pct, coin.change_7d_pct, warnings.len())
    };
    let values = r#""price":8.41,"percent_change_24h":-0.038,"percent_change_7d":0.11"#;
    assert_eq!(change(values), (Some(-0.038), Some(0.11), 0));
    assert_eq!(change(&format!(r#"{values},"percent_unit":"percent""#)), (Some(-0.038), Some(0.11), 0));
    assert_eq!(change(&format!(r#"{values},"percent_unit":"fraction""#)), (Some(-3.8), Some(11.0), 0));
    assert_eq!(change(&format!(r#"{values},"change_unit":"bps""#)), (None, None, 1));
    let row = format!(r#"[{{"id":1,"symbol":"ORDI",{values}}}]"#);
    for body in [
        format!(r#"{{"units":{{"percent_change_24h":"ratio","price":"USD"}},"data":{row}}}"#),
        format!(r#"{{"meta":{{"percent_unit":"fraction"}},"data":{row}}}"#),
        format!(r#"{{"percent_change_24h_unit":"fraction","data":{row}}}"#),
    ] {
        let (page, warnings) = coins(&coins_in("USD"), &body);
        assert_eq!((page.items[0].change_24h_pct, warnings), (Some(-3.8), vec![]), "{body}");
    }
}

#[test]
fn changes_have_many_names() {
    for fields in [
        r#""pct_change_24h":-3.8,"pct_change_7d":11"#,
        r#""percentageChange24h":"-3.8","percentageChange7d":11"#,
        r#""percent_change_1d":-3.8,"percent_change_1w":11"#,
        r#""price_change_percentage":{"h24":"-3.8","d7":"11"}"#,
    ] {
        let (coin, warnings) = coin(&format!(r#""price":8.41,{fields}"#));
        assert_eq!((coin.change_24h_pct, coin.change_7d_pct, warnings), (Some(-3.8), Some(11.0), vec![]), "{fields}");
    }
}

#[test]
fn seven_day_charts_have_many_names() {
    for name in ["7d_chart", "sevenDayChart", "price_chart_7d", "prices7d", "history_7d", "weekly-chart"] {
        let (coin, warnings) = coin(&format!(r#""price":8.41,"{name}":[8.2,8.3,8.41]"#));
        assert_eq!((coin.sparkline_7d.len(), warnings), (3, vec![]), "{name}");
    }
}
