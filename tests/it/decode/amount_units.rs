//! Amounts whose unit the response states, such as millions.

use super::{Coin, coins, coins_in};

/// The only coin of a response, and its warnings.
fn only(code: &str, body: &str) -> (Coin, Vec<String>) {
    let (page, warnings) = coins(&coins_in(code), body);
    (page.items[0].clone(), warnings)
}

/// A coin with these fields, and its warnings.
fn coin_with(fields: &str) -> (Coin, Vec<String>) {
    only("USD", &format!(r#"[{{"id":1,"name":"ORDI","symbol":"ORDI","price":8.41,{fields}}}]"#))
}

#[test]
fn amounts_in_stated_multiples_are_converted() {
    for fields in [
        r#""market_cap":176.61,"volume_24h":61233.9,"units":{"market_cap":"million USD","volume":"thousand"}"#,
        r#""marketCap":176.61,"volume":61233.9,"units":{"price":"USD","marketCap":"$M","volume_24h":"k USD"}"#,
        r#""market_cap":176.61,"volume_24h":61233.9,"market_cap_unit":1000000,"volume_scale":"1e3""#,
        r#""quote":{"USD":{"market_cap":176.61,"volume_24h":61233.9,"market_cap_unit":"million","volume_unit":"K"}}"#,
    ] {
        let (coin, warnings) = coin_with(fields);
        assert_eq!((coin.price, coin.market_cap, coin.volume_24h), (Some(8.41), Some(1.7661e8), Some(61_233_900.0)));
        assert_eq!(warnings, [] as [&str; 0], "{fields}");
    }
    let (coin, warnings) = coin_with(r#""circulating_supply":21,"max_supply":21,"supply_unit":"million ORDI""#);
    assert_eq!((coin.circulating_supply, coin.max_supply, warnings.len()), (Some(2.1e7), Some(2.1e7), 0));
}

#[test]
fn unit_of_one_supply_leaves_the_others_alone() {
    for (unit, expected) in [
        (r#""circulating_supply_unit":"million""#, [20e6, 21e6, 21e6]),
        (r#""units":{"circulating_supply":"million"}"#, [20e6, 21e6, 21e6]),
    ] {
        let fields = format!(r#""circulating_supply":20,"total_supply":21000000,"max_supply":21000000,{unit}"#);
        let (coin, warnings) = coin_with(&fields);
        let read = [coin.circulating_supply, coin.total_supply, coin.max_supply];
        assert_eq!((read, warnings), (expected.map(Some), vec![]), "{unit}");
    }
    let unit = r#""units":{"supply":"thousand","max_supply":"million"}"#;
    let (coin, _) = coin_with(&format!(r#""circulating_supply":20000,"max_supply":21,{unit}"#));
    assert_eq!((coin.circulating_supply, coin.max_supply), (Some(20e6), Some(21e6)));
    let body = r#"{"units":{"max_supply":"million"},"data":[
        {"id":1,"name":"A","price":8.41,"max_supply":21000,"supply_unit":"thousand"}]}"#;
    assert_eq!(only("USD", body).0.max_supply, Some(21e6), "the coin's own unit");
}

#[test]
fn units_around_a_list_apply_to_all_coins() {
    for body in [
        r#"{"units":{"market_cap":"million"},"data":[{"id":1,"name":"A","price":8.41,"market_cap":176.61}]}"#,
        r#"{"meta":{"market_cap_unit":"mln USD"},"coins":[{"id":1,"name":"A","price":8.41,"market_cap":176.61}]}"#,
        r#"{"metadata":{"units":{"market_cap":"million"}},"data":[{"id":1,"name":"A","price":8.41,"market_cap":176.61}]}"#,
        r#"{"status":{"market_cap_unit":"million"},"result":{"rows":[{"id":1,"name":"A","price":8.41,"market_cap":176.61}]}}"#,
        r#"{"result":{"market_cap_unit":"million","rows":[{"id":1,"name":"A","price":8.41,"market_cap":176.61}]}}"#,
        r#"{"units":{"market_cap":"billion"},"data":[{"id":1,"name":"A","price":8.41,"market_cap":176.61,"market_cap_unit":"M"}]}"#,
    ] {
        let (coin, warnings) = only("USD", body);
        assert_eq!((coin.price, coin.market_cap, warnings.len()), (Some(8.41), Some(1.7661e8), 0), "{body}");
    }
    let body = r#"{"units":{"price":"USD"},"data":[{"id":1,"name":"A","price":8.41}]}"#;
    let (coin, warnings) = only("EUR", body);
    assert_eq!((coin.convert.as_str(), coin.price), ("USD", Some(8.41)));
    assert_eq!(warnings, ["prices are in USD instead of EUR"]);
}

#[test]
fn amounts_in_unclear_units_are_ignored() {
    for (unit, shown) in [
        (r#""market_cap_unit":"million EUR""#, "million EUR"),
        (r#""market_cap_unit":"lakh""#, "lakh"),
        (r#""market_cap_unit":"million thousand""#, "million thousand"),
        (r#""units":{"market_cap":"ORDI"}"#, "ORDI"),
        (r#""units":{"market_cap":"coins"}"#, "coins"),
        (r#""market_cap_scale":7"#, "7"),
        (r#""market_cap_scale":0.6"#, "0.6"),
        (r#""market_cap_scale":1.4"#, "1.4"),
    ] {
        let (coin, warnings) = coin_with(&format!(r#""market_cap":176.61,{unit}"#));
        assert_eq!((coin.price, coin.market_cap), (Some(8.41), None), "{unit}");
        assert_eq!(warnings, [format!("$[0]: ignored the market cap: its unit is unclear ({shown})")]);
    }
    let (coin, warnings) = coin_with(r#""market_cap":17661,"price_unit":"cents""#);
    assert_eq!((coin.price, coin.market_cap, warnings.len()), (None, Some(17_661.0), 1));
    let (coin, warnings) = coin_with(r#""market_cap":176.61,"volume_24h":61.2,"unit":"million USD""#);
    assert_eq!((coin.price, coin.market_cap, coin.volume_24h, warnings.len()), (None, None, None, 3));
    let (coin, warnings) = coin_with(r#""market_cap":{"value":176.61,"currency":"USD","unit":"parts"}"#);
    assert_eq!((coin.market_cap, warnings.len()), (None, 1));
    let (coin, warnings) = coin_with(r#""market_cap":{"value":176.61,"currency":"USD","unit":"million"}"#);
    assert_eq!((coin.market_cap, warnings.len()), (Some(1.7661e8), 0));
}

#[test]
fn volume_over_a_day_is_read_from_volumes_by_period() {
    let (coin, warnings) = coin_with(r#""volume":{"24h":61233901.2,"7d":400000000}"#);
    assert_eq!((coin.volume_24h, warnings.len()), (Some(61_233_901.2), 0));
    let (coin, _) = coin_with(r#""volume":{"7d":400000000}"#);
    assert_eq!(coin.volume_24h, None);
}

#[test]
fn supply_units_have_the_same_names_as_other_units() {
    let (circulating, total, max) = ([21e6, 20.0, 20.0], [20.0, 21e6, 20.0], [20.0, 20.0, 21e6]);
    for (unit, expected) in [
        (r#""circulating_supply_units":"million""#, circulating),
        (r#""circulating_supply_scale":"million""#, circulating),
        (r#""circulatingSupplyMultiplier":1000000"#, circulating),
        (r#""total_supply_units":"million""#, total),
        (r#""total_supply_scale":"M""#, total),
        (r#""total_supply_multiplier":1000000"#, total),
        (r#""max_supply_units":"million""#, max),
        (r#""max_supply_scale":1000000"#, max),
        (r#""max_supply_multiplier":1000000"#, max),
        (r#""units":{"circulating":"million"}"#, circulating),
        (r#""units":{"circ_supply":"million"}"#, circulating),
        (r#""units":{"supply_total":"million"}"#, total),
        (r#""units":{"max":"million"}"#, max),
        (r#""supply_multiplier":1000000"#, [21e6, 21e6, 21e6]),
    ] {
        let of = |supply: f64| if supply > 1e6 { 21.0 } else { supply };
        let [first, second, third] = expected.map(of);
        let fields = format!(r#""circulating_supply":{first},"total_supply":{second},"max_supply":{third},{unit}"#);
        let (coin, warnings) = coin_with(&fields);
        let read = [coin.circulating_supply, coin.total_supply, coin.max_supply];
        assert_eq!((read, warnings), (expected.map(Some), vec![]), "{unit}");
    }
}

#[test]
fn unit_is_not_applied_to_a_number_with_its_own_scale() {
    for (fields, cap) in [
        (r#""market_cap":"176.61M","market_cap_unit":"million""#, Some(1.7661e8)),
        (r#""market_cap":"$176.61 million","units":{"market_cap":"million USD"}"#, Some(1.7661e8)),
        (r#""quote":{"USD":{"market_cap":"176.61M"}},"market_cap_unit":"thousand""#, Some(1.7661e8)),
        (r#""market_cap":{"value":"176.61M","currency":"USD","unit":"million"}"#, Some(1.7661e8)),
        (r#""market_cap":176.61,"volume_24h":"61.2M","market_cap_unit":"million""#, Some(1.7661e8)),
        // Either may be the market cap.
        (r#""market_cap":"176.61M","fdv":176610000,"market_cap_unit":"million""#, None),
        (r#""market_cap":"176.61M","market_cap_unit":"million EUR""#, None),
    ] {
        let (coin, warnings) = coin_with(fields);
        assert_eq!((coin.market_cap, warnings.len()), (cap, usize::from(cap.is_none())), "{fields}");
    }
    let (coin, warnings) = coin_with(r#""circulating_supply":"20M","max_supply":"21M ORDI","supply_unit":"million""#);
    assert_eq!((coin.circulating_supply, coin.max_supply, warnings.len()), (Some(2e7), Some(2.1e7), 0));
    let body = r#"{"units":{"market_cap":"million"},"data":[{"id":1,"name":"A","price":8.41,"market_cap":"176.61M"},
        {"id":2,"name":"B","price":8.41,"market_cap":176.61}]}"#;
    let (page, _) = coins(&coins_in("USD"), body);
    assert_eq!(page.items.iter().map(|coin| coin.market_cap).collect::<Vec<_>>(), [Some(1.7661e8); 2]);
}

#[test]
fn counts_and_currencies_are_not_units_of_supplies_or_changes() {
    let coin = r#"{"id":2,"name":"Ordi","symbol":"ORDI","price":8,"total_supply":21,"max_supply":22,"percent_change_24h":1.5}"#;
    for stated in [
        r#""units":{"total":"count","max":"USD"}"#,
        r#""units":{"total":1000,"max":"100"}"#,
        r#""info":{"units":{"change":"USD"}}"#,
        r#""query":{"percent_unit":"24h"}"#,
    ] {
        let (page, warnings) = coins(&coins_in("USD"), &format!(r#"{{{stated},"data":[{coin}]}}"#));
        let coin = &page.items[0];
        let read = (coin.total_supply, coin.max_supply, coin.change_24h_pct);
        assert_eq!((read, warnings), ((Some(21.0), Some(22.0), Some(1.5)), vec![]), "{stated}");
    }
    let (page, _) = coins(&coins_in("USD"), &format!(r#"{{"units":{{"total":"million"}},"data":[{coin}]}}"#));
    assert_eq!(page.items[0].total_supply, Some(21e6));
}
