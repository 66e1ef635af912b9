//! Figures of coins in unusual units or places, which other figures beside them explain.

use super::{Coin, ErrorKind, coins, coins_in, get};

/// The coins, without warnings.
fn read(body: &str) -> Vec<Coin> {
    let (page, warnings) = coins(&coins_in("USD"), body);
    assert_eq!(warnings, [] as [&str; 0], "{body}");
    page.items
}

/// A coin with these fields, and its warnings.
fn coin(fields: &str) -> (Coin, Vec<String>) {
    let body = format!(r#"[{{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin",{fields}}}]"#);
    let (page, warnings) = coins(&coins_in("USD"), &body);
    (page.items[0].clone(), warnings)
}

#[test]
fn resources_have_their_id_outside_of_their_attributes() {
    let read = read(
        r#"{"data":[{"id":"bitcoin","type":"coin","attributes":{"name":"Bitcoin","symbol":"BTC","price":63000}},
            {"id":"eth_0x1","type":"token","attributes":{"name":"ORDI","symbol":"ORDI","decimals":18,
            "total_supply":"21000000000000000000000000.0","price_usd":"8.41","market_cap_usd":"176610000"}}]}"#,
    );
    let all: Vec<_> = read.iter().map(|coin| (coin.id.0.as_str(), coin.name.as_str(), coin.price)).collect();
    assert_eq!(all, [("bitcoin", "Bitcoin", Some(63_000.0)), ("eth_0x1", "ORDI", Some(8.41))]);
    assert_eq!((read[0].symbol.as_str(), read[0].slug.as_deref()), ("BTC", Some("bitcoin")));
    assert_eq!(read[1].total_supply, Some(21_000_000.0));
    let (with_attributes, _) = coin(r#""price":5,"attributes":{"name":"Other","price":6}"#);
    assert_eq!((with_attributes.name.as_str(), with_attributes.price), ("Bitcoin", Some(5.0)));
}

#[test]
fn prices_of_pairs_are_not_coins() {
    for body in [
        r#"[{"symbol":"BTCUSDT","price":"63000.10"},{"symbol":"ORDIBTC","price":"0.00013349"},{"symbol":"ORDITRY","price":"355.1"}]"#,
        r#"{"result":{"list":[{"symbol":"BTCUSDT","lastPrice":"63000.1","turnover24h":"1240000000","volume24h":"19800.5","price24hPcnt":"-0.0125"}]}}"#,
        r#"[{"symbol":"ORDIUSDT","price":"8.41","volume24h":"1470000","turnover24h":"12400000"}]"#,
    ] {
        let error = get(&coins_in("USD"), body).expect_err(body);
        assert_eq!(error, ErrorKind::Unrecognised("looks like exchange tickers".into()), "{body}");
    }
    let (page, _) = coins(&coins_in("USD"), r#"[{"symbol":"WBTC","price":63000},{"symbol":"ORDI","price":8.41}]"#);
    assert_eq!(page.items.len(), 2);
}

#[test]
fn volume_is_in_the_currency_of_the_price() {
    for fields in [
        r#""volume":19800.5,"quote_volume":1240000000"#,
        r#""24h_volume":19800.5,"24h_volume_quote":1240000000"#,
        r#""volume24h":"19800.5","turnover24h":"1240000000""#,
        r#""volume":"19800.5","turnover":"1240000000""#,
    ] {
        let (coin, warnings) = coin(&format!(r#""price":63000,{fields}"#));
        assert_eq!((coin.volume_24h, warnings.len()), (Some(1.24e9), 0), "{fields}");
    }
    // Elsewhere, the turnover is a ratio.
    let (coin, _) = coin(r#""price":63000,"volume":1240000000,"turnover":0.0009"#);
    assert_eq!(coin.volume_24h, Some(1.24e9));
}

#[test]
fn change_in_money_is_not_a_percentage() {
    let changes = |fields: &str| {
        let (coin, warnings) = coin(fields);
        assert_eq!(warnings, [] as [&str; 0], "{fields}");
        [coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct]
    };
    let all = [Some(0.07), Some(-1.27), Some(3.4)];
    let gecko = r#""current_price":63000,"price_change_1h":42.1,"price_change_percentage_1h":0.07,"price_change_24h":-800.0,
        "price_change_percentage_24h":-1.27,"price_change_1w":2100.0,"price_change_percentage_7d":3.4"#;
    assert_eq!(changes(gecko), all);
    let codex = r#""price_change_1H_percent":0.07,"price_change_1D_percent":-1.27,"price_change_7D_percent":3.4,"price_change_1D":-800.5"#;
    assert_eq!(changes(codex), all);
    assert_eq!(changes(r#""price_change_1h":0.07,"price_change_1d":-1.27,"price_change_1w":3.4"#), all, "CoinStats");
    let unknown = r#""price_change_1h":42.1,"price_change_percentage_1h":null,"price_change_1d":-800"#;
    assert_eq!(changes(unknown), [None; 3]);
    let ranking = read(
        r#"[{"uuid":"6b1e2c4a-0000-4000-8000-000000000001","name":"A","symbol":"A","change":-80.5,"change_percent":-0.13}]"#,
    );
    assert_eq!(ranking[0].change_24h_pct, Some(-0.13));
}

#[test]
fn change_needs_a_percent_sign_or_a_name_that_says_percent() {
    for fields in [
        r#""percent_change":{"1h":0.21,"24h":-3.8,"7d":"11.0%"}"#,
        r#""change_1h":"0.21%","change24h":"-3.8 %","change_7d":"+11%""#,
    ] {
        let (coin, warnings) = coin(fields);
        let changes = [coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct];
        assert_eq!((changes, warnings), ([0.21, -3.8, 11.0].map(Some), vec![]), "{fields}");
    }
    for (change, warnings) in [("-3.8", 1), ("\"-3.8\"", 1), ("\"-1,234.5\"", 1), ("\"N/A\"", 0), ("null", 0)] {
        let (coin, found) = coin(&format!(r#""price":8.41,"change_24h":{change}"#));
        assert_eq!((coin.change_24h_pct, found.len()), (None, warnings), "{change}: {found:?}");
    }
    let (coin, warnings) = coin(r#""price":8.41,"change_24h":-0.33,"percent_change_24h":-3.8"#);
    assert_eq!((coin.change_24h_pct, warnings), (Some(-3.8), vec![]));
}

#[test]
fn changes_and_ranges_may_be_in_objects() {
    for fields in [
        r#""changes":{"1h":"0.21%","24h":"-3.8%","7d":"+11%"}"#,
        r#""1h":{"change_pct":0.21},"24h":{"change_pct":-3.8},"7d":{"percent_change":"11.0%"}"#,
        r#""changes":{"1h":{"percent":0.21},"24h":{"percent":-3.8},"7d":{"percent":11}}"#,
        r#""1h_change_percent":0.21,"24h_change_percent":-3.8,"7d_change_percent":11"#,
    ] {
        let (coin, warnings) = coin(&format!(r#""price":8.41,{fields}"#));
        let changes = [coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct];
        assert_eq!((changes, warnings), ([0.21, -3.8, 11.0].map(Some), vec![]), "{fields}");
    }
    let (unclear, warnings) = coin(r#""price":8.41,"changes":{"24h":-3.8}"#);
    assert_eq!((unclear.change_24h_pct, warnings.len()), (None, 1), "{warnings:?}");
    let (ranged, warnings) = coin(r#""price":8.41,"range_24h":{"low":8.2,"high":"8.91"}"#);
    assert_eq!((ranged.low_24h, ranged.high_24h, warnings), (Some(8.2), Some(8.91), vec![]));
}

#[test]
fn change_as_a_fraction_is_unknown() {
    let fields = |percent: &str| {
        format!(
            r#""current_price":63000,"price_change_24h":-800,"price_change_percentage_24h":{percent},"percent_change_7d":0.05"#
        )
    };
    let (wrong, warnings) = coin(&fields("-0.0125"));
    assert_eq!((wrong.change_24h_pct, wrong.change_7d_pct), (None, None));
    let warning = |ignored: &str| format!("$[0]: ignored {ignored}: 24h is -0.0125%, expected -1.25%");
    assert_eq!(warnings, [warning("24h and 7d changes")]);
    let (none, warnings) = coin(&format!(r#"{},"percent_change_1h":0.0021"#, fields("-0.0125")));
    assert_eq!((none.change_1h_pct, none.change_7d_pct), (None, None));
    assert_eq!(warnings, [warning("1h, 24h and 7d changes")]);
    let alone = r#""current_price":63000,"price_change_24h":-800,"price_change_percentage_24h":-0.0125"#;
    assert_eq!(coin(alone).1, [warning("24h change")]);
    let (right, warnings) = coin(&fields("-1.25"));
    assert_eq!((right.change_24h_pct, right.change_7d_pct, warnings.len()), (Some(-1.25), Some(0.05), 0));
    let small = r#""current_price":1.0001,"price_change_24h":0.0001,"price_change_percentage_24h":0.01"#;
    assert_eq!(coin(small).0.change_24h_pct, Some(0.01));
}

#[test]
fn supplies_in_base_units_are_converted() {
    let units = r#""total_supply":"21000000000000000000000000","circulating_supply":"21000000000000000000000000""#;
    let (scaled, warnings) = coin(&format!(r#""price":8.41,"decimals":18,"market_cap":176610000,{units}"#));
    assert_eq!((scaled.circulating_supply, scaled.total_supply, warnings.len()), (Some(2.1e7), Some(2.1e7), 0));
    let plain = r#""price":8.41,"decimals":18,"market_cap":176610000,"circulating_supply":21000000"#;
    assert_eq!(coin(plain).0.circulating_supply, Some(2.1e7));
    let (unclear, warnings) = coin(r#""price":8.41,"decimals":18,"total_supply":"21000000000000000000000000""#);
    assert_eq!(unclear.total_supply, None);
    assert_eq!(warnings, ["$[0]: found a supply of 2.1e25, implausible at a price of 8.41"]);
}

#[test]
fn points_are_ambiguous_beside_decimal_commas() {
    let other =
        |price: &str| format!(r#"{{"id":2,"name":"Ether","symbol":"ETH","slug":"ethereum","price":"{price}"}}"#);
    let prices = |prices: &[&str]| {
        let list: Vec<String> = prices.iter().map(|price| other(price)).collect();
        let (page, warnings) = coins(&coins_in("USD"), &format!("[{}]", list.join(",")));
        (page.items.iter().map(|coin| coin.price).collect::<Vec<_>>(), warnings.len())
    };
    for commas in ["8,41", "71.432,05", "1.412.000.000", "-0,5 %"] {
        assert_eq!(prices(&["2.345", commas, "2.345"]).0, [None; 3], "{commas}");
        assert_eq!(prices(&["2.3456", commas, "0.345"]).0, [Some(2.3456), None, Some(0.345)], "{commas}");
    }
    assert_eq!(prices(&["2.345", "1,234.5"]), (vec![Some(2.345), Some(1_234.5)], 0));
    assert_eq!(prices(&["2.345", "1,234"]), (vec![Some(2.345), None], 1), "either");
}

#[test]
fn prices_are_found_in_other_places() {
    assert_eq!(coin(r#""quotes":{"USD":63000,"EUR":58000}"#).0.price, Some(63_000.0));
    assert_eq!(coin(r#""last_price":63000"#).0.price, Some(63_000.0));
    assert_eq!(coin(r#""metrics":{"price":{"usd":63000}}"#).0.price, Some(63_000.0));
    let messari = read(
        r#"{"data":[{"id":"1e31218a-e44e-4285-820c-8282ee222035","slug":"bitcoin","symbol":"BTC","metrics":{"id":"x",
            "market_data":{"price_usd":63000.1,"volume_last_24_hours":3e10,"percent_change_usd_last_24_hours":-1.2},
            "marketcap":{"rank":1,"current_marketcap_usd":1.24e12},"supply":{"circulating":19900000}}}]}"#,
    );
    let coin = &messari[0];
    assert_eq!((coin.price, coin.volume_24h, coin.change_24h_pct), (Some(63_000.1), Some(3e10), Some(-1.2)));
    assert_eq!((coin.rank, coin.market_cap, coin.circulating_supply), (Some(1), Some(1.24e12), Some(1.99e7)));
}

#[test]
fn live_coin_watch_is_read() {
    let row = |figures: &str| format!(r#"{{"name":"Bitcoin","symbol":"₿","rank":1,"code":"BTC",{figures}}}"#);
    let read = |figures: &str| coins(&coins_in("USD"), &format!("[{}]", row(figures))).0.items[0].clone();
    let coin = read(
        r#""rate":63000.11,"volume":23000000000,"cap":1240000000000,"circulatingSupply":19900000,
            "delta":{"hour":1.002,"day":0.986,"week":null,"month":1.1}"#,
    );
    assert_eq!((coin.symbol.as_str(), coin.price, coin.market_cap), ("BTC", Some(63_000.11), Some(1.24e12)));
    assert_eq!((coin.change_1h_pct, coin.change_24h_pct, coin.change_7d_pct), (Some(0.2), Some(-1.4), None));
    assert_eq!((coin.volume_24h, coin.circulating_supply), (Some(2.3e10), Some(1.99e7)));
    let unknown = read(r#""rate":63000.11,"cap":0,"delta":{"hour":0,"day":-1.4}"#);
    assert_eq!((unknown.market_cap, unknown.change_1h_pct, unknown.change_24h_pct), (None, None, None));
    assert_eq!(read(r#""rate":63000.11,"price":5,"cap":7"#).price, Some(5.0));
    // An exchange rate, and a ratio of another service.
    assert_eq!(read(r#""rate":63000.11"#).price, None);
    let other = coins(&coins_in("USD"), r#"[{"name":"A","symbol":"A","price":5,"delta":{"day":1.1}}]"#).0;
    assert_eq!(other.items[0].change_24h_pct, None);
}

#[test]
fn list_without_prices_has_a_warning() {
    let body = r#"[{"name":"Bitcoin","symbol":"₿","code":"BTC","rate":63000.11,"slug":"bitcoin"},
        {"name":"Ether","symbol":"Ξ","code":"ETH","rate":3000.5,"slug":"ethereum"}]"#;
    let (page, warnings) = coins(&coins_in("USD"), body);
    let symbols: Vec<_> = page.items.iter().map(|coin| coin.symbol.as_str()).collect();
    assert_eq!(symbols, ["BTC", "ETH"]);
    assert_eq!(warnings, ["no coin has a price"]);
}

#[test]
fn total_that_is_a_sum_of_money_is_ignored() {
    let total = |total: &str| {
        let body = format!(r#"{{"data":[{{"id":1,"name":"A","price":1}}],"total":{total}}}"#);
        coins(&coins_in("USD"), &body).0.total
    };
    assert_eq!((total("2310000000000"), total("450")), (None, Some(450)));
}

#[test]
fn seven_day_prices_cover_seven_days() {
    let points = |count: i64, step: i64| {
        let points: Vec<String> = (0..count).map(|at| format!("[{},63000]", 1_795_075_200 + at * step)).collect();
        let (coin, warnings) = coin(&format!(r#""price":63000,"chart":[{}]"#, points.join(",")));
        (coin.sparkline_7d.len(), warnings)
    };
    assert_eq!(points(168, 3_600), (168, vec![]));
    assert_eq!(points(85, 7_200), (85, vec![]));
    assert_eq!(points(288, 300), (0, vec!["$[0].chart: found prices over 24 hours, expected 7 days".to_owned()]));
    assert_eq!(points(90, 86_400).0, 0);
    let (short, warnings) = coin(r#""sparkline":{"price":[1,2,3],"period":"24h"}"#);
    assert_eq!(short.sparkline_7d.len(), 0);
    assert_eq!(warnings, ["$[0].sparkline: found prices over 24h, expected 7 days"]);
    for prices in [r#"{"1D":[9,9],"7D":[1,2,3]}"#, r#"{"prices":[1,2,3]}"#, r#"{"7d":{"values":["1","2","3"]}}"#] {
        let (coin, warnings) = coin(&format!(r#""sparkline":{prices}"#));
        assert_eq!((coin.sparkline_7d, warnings), (vec![1.0, 2.0, 3.0], vec![]), "{prices}");
    }
    let (other, warnings) = coin(r#""sparkline":{"1D":[1,2,3]}"#);
    assert_eq!((other.sparkline_7d.len(), warnings.len()), (0, 1), "{warnings:?}");
    assert_eq!(coin(r#""sparkline":{"price":[1,2,3],"period":"7D"}"#).0.sparkline_7d.len(), 3);
}

#[test]
fn grouped_prices_in_a_text_are_rejected() {
    for text in ["1,234.5,1,240.2", "63,000.5,63,100.2", "1,234,1,240"] {
        let (coin, warnings) = coin(&format!(r#""sparkline":"{text}""#));
        assert_eq!((coin.sparkline_7d.len(), warnings.len()), (0, 1), "{text}");
    }
    for text in ["101,102.5,99", "[1,234.5,1,240.2]", "1.5,100.25", "5,0.125"] {
        let (coin, warnings) = coin(&format!(r#""sparkline":"{text}""#));
        assert!(coin.sparkline_7d.len() > 1 && warnings.is_empty(), "{text}");
    }
}

#[test]
fn scaled_sparkline_is_ignored() {
    let coin = |last: f64| {
        let line: Vec<String> = (1..=48).map(|at| format!("{}", last * f64::from(at) / 48.0)).collect();
        let body = format!(r#"[{{"id":1,"name":"ORDI","price":9.67,"sparkline_7d":[{}]}}]"#, line.join(","));
        let (page, warnings) = coins(&coins_in("USD"), &body);
        (page.items[0].sparkline_7d.len(), warnings)
    };
    assert_eq!(coin(9.5), (48, vec![]));
    assert_eq!(coin(28.0), (48, vec![]));
    for (last, shown) in [(100.0, "100"), (1.0, "1")] {
        let warning = format!("$[0]: ignored 7-day prices: the last one is {shown}, the price is 9.67");
        assert_eq!(coin(last), (0, vec![warning]));
    }
}
