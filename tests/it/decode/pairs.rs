//! Field names and values of market pairs.

use super::*;

fn pair_in(body: &str) -> MarketPair {
    let (page, warnings) = get_pairs(None, body);
    let [pair] = page.items.as_slice() else { panic!("{body}: {page:?}") };
    assert_eq!(warnings, [] as [&str; 0], "{body}");
    pair.clone()
}

#[test]
fn map_key_is_exchange_unless_it_is_the_coin() {
    let pair = r#"{"pair":"ORDI/USDT","price":8.41}"#;
    for (key, exchange) in
        [("ORDI", None), ("ordi", None), ("25028", None), ("Binance", Some("Binance")), ("B2", Some("B2"))]
    {
        for body in [format!(r#"{{"data":{{"{key}":[{pair}]}}}}"#), format!(r#"{{"data":{{"{key}":{pair}}}}}"#)] {
            assert_eq!(pair_in(&body).exchange.as_deref(), exchange, "{body}");
        }
    }
    let lone = pair_in(r#"{"data":{"Binance":{"quote":{"USD":{"price":8.41}},"base":"ORDI","category":"spot"}}}"#);
    assert_eq!(
        (lone.exchange.as_deref(), lone.price, lone.category.as_deref()),
        (Some("Binance"), Some(8.41), Some("spot"))
    );
}

#[test]
fn pair_with_only_exchange_or_pair_name_is_kept() {
    let pair = pair_in(r#"[{"pair":"ORDI/USDT","price":8.41}]"#);
    assert_eq!((pair.exchange.as_deref(), pair.pair.as_str()), (None, "ORDI/USDT"));
    let pair = pair_in(r#"[{"exchange":"Binance","price":8.41}]"#);
    assert_eq!((pair.exchange.as_deref(), pair.pair.as_str()), (Some("Binance"), ""));
    assert!(matches!(get(&pairs(None), r#"[{"price":8.41}]"#), Err(ErrorKind::Unrecognised(_))));
    // The currency of the price is not the quote of the pair.
    let pair = pair_in(r#"[{"exchange":"Binance","base":"ORDI","target":"USDT","symbol":"USD","price":8.41}]"#);
    assert_eq!(pair.pair, "ORDI/USDT");
}

#[test]
fn pair_names_coin_in_any_field() {
    let warnings = |fields: &str| get_pairs(None, &format!(r#"[{{"exchange":"X",{fields},"price":1}}]"#)).1.len();
    for fields in [
        r#""pair":"1000ORDI-PERP","base":"P","target":"USDT""#,
        r#""pair":"P","base":"ordi","target":"USDT""#,
        r#""pair":"P","base":"WBTC","target":"ORDI""#,
    ] {
        assert_eq!(warnings(fields), 0, "{fields}");
    }
    let other = r#"[{"exchange":"X","pair":"P","base":"WBTC","target":"USDT","price":1}]"#;
    assert!(matches!(get(&pairs(None), other), Err(ErrorKind::Mismatch { .. })));
}

#[test]
fn price_that_is_null_in_every_currency_is_unknown() {
    let nulls = r#"{"btc":null,"eth":null,"usd":null}"#;
    let pair = pair_in(&format!(
        r#"{{"name":"ORDI","tickers":[{{"base":"ORDI","target":"USDT","market":{{"name":"Gate"}},"last":8.4,
        "converted_last":{nulls},"converted_volume":{nulls}}}]}}"#
    ));
    assert_eq!((pair.exchange.as_deref(), pair.price, pair.volume_24h), (Some("Gate"), None, None));
}

#[test]
fn quote_as_list_map_or_side_is_read() {
    for (quote, price, symbol, depth) in [
        (r#"[{"symbol":"USD","price":8.41}]"#, Some(8.41), None, None),
        (r#"{"symbol":"USDT","USD":{"price":8.41}}"#, Some(8.41), None, None),
        (r#"{"depth_positive_two":81,"last_updated":1795089600}"#, None, None, Some(81.0)),
        (r#"{"symbol":"USDT"}"#, None, Some("USDT"), None),
        (r#""USDT""#, None, Some("USDT"), None),
    ] {
        let pair = pair_in(&format!(r#"[{{"exchange":"X","base":"ORDI","pair":"ORDI/?","quote":{quote}}}]"#));
        assert_eq!((pair.price, pair.quote.as_deref(), pair.depth_plus_2pct), (price, symbol, depth), "{quote}");
    }
}

#[test]
fn last_trade_is_price_only_in_requested_currency() {
    for (target, fields, price) in [
        ("USD", r#""last":8.4"#, Some(8.4)),
        ("USDT", r#""last":8.4"#, None),
        ("USD", r#""last":8.4,"price":8.41"#, Some(8.41)),
        ("USDT", r#""last":8.4,"price":8.41"#, Some(8.41)),
    ] {
        let body = format!(r#"[{{"exchange":"X","base":"ORDI","target":"{target}",{fields}}}]"#);
        assert_eq!(pair_in(&body).price, price, "{body}");
    }
}

#[test]
fn volume_share_needs_volume_and_all_pairs() {
    let shares = |total: &str, volumes: [f64; 2]| {
        let [a, b] = volumes.map(|volume| format!(r#"{{"exchange":"X","pair":"ORDI/A","volume_24h":{volume}}}"#));
        let (page, _) = get_pairs(None, &format!(r#"{{"num_market_pairs":{total},"market_pairs":[{a},{b}]}}"#));
        page.items.iter().map(|pair| pair.volume_share_pct).collect::<Vec<_>>()
    };
    assert_eq!(shares("2", [3.0, 1.0]), [Some(75.0), Some(25.0)]);
    assert_eq!(shares("2", [0.0, 0.0]), [None, None]);
    // A page is not the whole list, and without a total it might be only a page.
    assert_eq!(shares("212", [3.0, 1.0]), [None, None]);
    assert_eq!(shares("null", [3.0, 1.0]), [None, None]);
}

#[test]
fn negative_pair_values_are_null() {
    let body = r#"[{"exchange":"X","pair":"ORDI/USDT","price":-8.4,"volume_24h":5,"depth_negative_two":-1}]"#;
    let (page, warnings) = get_pairs(None, body);
    assert_eq!(
        (page.items[0].price, page.items[0].volume_24h, page.items[0].depth_minus_2pct),
        (None, Some(5.0), None)
    );
    assert_eq!(
        warnings,
        [
            "$[0].price: found -8.4, expected a price of at least 0",
            "$[0].depth_negative_two: found -1, expected a depth of at least 0"
        ]
    );
    let coin = r#"[{"id":1,"name":"A","symbol":"A","price":-5,"max_supply":-1,"percent_change_24h":-3.8}]"#;
    let (page, warnings) = coins(&coins_in("USD"), coin);
    assert_eq!((page.items[0].price, page.items[0].change_24h_pct), (None, Some(-3.8)));
    assert_eq!(
        warnings,
        [
            "$[0].price: found -5, expected a price of at least 0",
            "$[0].max_supply: found -1, expected a supply of at least 0"
        ]
    );
    let coin = r#"{"data":[{"id":1,"name":"A","symbol":"A","quote":{"USD":{"price":1,"volume_24h":"-5"}}}]}"#;
    let (_, warnings) = coins(&coins_in("USD"), coin);
    assert_eq!(warnings, ["$.data[0].quote.USD.volume_24h: found -5, expected a volume of at least 0"]);
    // Either may be meant.
    let coin = r#"[{"id":1,"name":"A","symbol":"A","price":1,"volume_24h":-5,"other":{"x":-5}}]"#;
    assert_eq!(coins(&coins_in("USD"), coin).1, ["$[0]: found -5, expected a volume of at least 0"]);
    // A large item isn't searched to its end.
    for (zeros, path) in [(9_000, "$[0].volume_24h"), (11_000, "$[0]")] {
        let other = vec!["0"; zeros].join(",");
        let coin = format!(r#"[{{"id":1,"name":"A","symbol":"A","other":[{other}],"price":1,"volume_24h":-5}}]"#);
        let expected = [format!("{path}: found -5, expected a volume of at least 0")];
        assert_eq!(coins(&coins_in("USD"), &coin).1, expected);
    }
}

#[test]
fn amounts_beyond_all_money_are_null() {
    let coin = r#"[{"id":1,"name":"A","symbol":"A","price":6e304,"market_cap":1e15,"volume_24h":1.1e15,
        "max_supply":1e27,"percent_change_24h":6e304,"percent_change_7d":-100.5,"sparkline_7d":[1,2e300,3]}]"#;
    let (page, warnings) = coins(&coins_in("USD"), coin);
    let coin = &page.items[0];
    assert_eq!((coin.price, coin.market_cap, coin.volume_24h), (None, Some(1e15), None));
    assert_eq!((coin.max_supply, &coin.sparkline_7d[..]), (Some(1e27), &[][..]));
    assert_eq!((coin.change_24h_pct, coin.change_7d_pct), (None, None));
    assert_eq!(warnings.len(), 5, "{warnings:?}");
    assert_eq!(warnings[0], "$[0]: found 6e304, expected a price of at most 1e15");
    assert_eq!(warnings[2], "$[0]: found 6e304%, expected a change between -100% and 1e11%");
    // A weak currency has larger numbers.
    let (page, warnings) =
        coins(&coins_in("IRR"), r#"[{"id":1,"name":"A","symbol":"A","quote":{"IRR":{"price":1e18}}}]"#);
    assert_eq!((page.items[0].price, warnings.len()), (Some(1e18), 0), "{warnings:?}");
    let body = r#"[{"exchange":"X","pair":"ORDI/USDT","price":8.4,"volume_24h":5e99}]"#;
    let (page, warnings) = get_pairs(None, body);
    assert_eq!((page.items[0].price, page.items[0].volume_24h), (Some(8.4), None));
    assert_eq!(warnings, ["$[0].volume_24h: found 5e99, expected a volume of at most 1e15"]);
}

#[test]
fn pairs_of_another_coin_are_recognised_by_name() {
    let body = r#"{"symbol":"PEPE","market_pairs":[{"exchange":"X","market_pair":"PEPE/USDT","price":1}]}"#;
    assert!(matches!(get(&pairs(None), body), Err(ErrorKind::Mismatch { .. })));
    // A pair without names may be any pair.
    assert_eq!(get_pairs(None, r#"{"Binance":{"price":1,"volume_24h":2}}"#).1, [] as [&str; 0]);
}

#[test]
fn pairs_of_a_whole_exchange_are_filtered_by_coin() {
    let pair = |name: &str| format!(r#"{{"exchange":"X","market_pair":"{name}","price":1,"volume_24h":5}}"#);
    let body = format!(r#"{{"total":900,"data":[{},{},{}]}}"#, pair("BTC/USDT"), pair("ORDI/USDT"), pair("XAU/USDT"));
    let (page, warnings) = get_pairs(None, &body);
    let names: Vec<_> = page.items.iter().map(|pair| pair.pair.as_str()).collect();
    assert_eq!((names, page.total), (vec!["ORDI/USDT"], None));
    assert_eq!(warnings, ["skipped 2 pairs without ORDI"]);
}

#[test]
fn pair_of_another_coin_among_many_is_skipped_unless_its_price_is_similar() {
    let pair = |name: &str, price: f64| format!(r#"{{"exchange":"X","market_pair":"{name}","price":{price}}}"#);
    let names = |other: (&str, f64)| {
        let own = [("ORDI/USDT", 8.41), ("ORDI/USDC", 8.4), ("ORDI/USD", 8.42), other];
        let body = format!("[{}]", own.map(|(name, price)| pair(name, price)).join(","));
        let (page, warnings) = get_pairs(None, &body);
        (page.items.iter().map(|pair| pair.pair.to_string()).collect::<Vec<_>>(), warnings)
    };
    let own = ["ORDI/USDT", "ORDI/USDC", "ORDI/USD"];
    let (kept, warnings) = names(("PEPE/USDT", 1e-6));
    assert_eq!(
        (kept.as_slice(), warnings),
        (own.map(String::from).as_slice(), vec!["skipped 1 pair without ORDI".to_owned()])
    );
    // An exchange's own symbol.
    assert_eq!(names(("XORD/USDT", 8.3)).0.len(), 4);
    // An exchange without trades has no price.
    let unpriced = r#"{"exchange":"X","market_pair":"XORD/USDT","price":null,"volume_24h":0}"#;
    let own = own.map(|name| pair(name, 8.41)).join(",");
    let (page, warnings) = get_pairs(None, &format!("[{own},{unpriced}]"));
    assert_eq!((page.items.len(), page.items[3].price, warnings.len()), (4, None, 0));
}

#[test]
fn symbols_inside_other_symbols_do_not_match() {
    let pair = |name: &str| format!(r#"{{"exchange":"X","market_pair":"{name}","price":1}}"#);
    let names = ["FLORDI/USDT", "ORDIUSDT", "USDT-ORDI", "ORDINALS/USDT", "1000ORDI_USDT", "BTC/USDT", "$ordi/USD"];
    let body = format!("[{}]", names.map(pair).join(","));
    let (page, warnings) = get_pairs(None, &body);
    let kept: Vec<_> = page.items.iter().map(|pair| pair.pair.as_str()).collect();
    assert_eq!(kept, ["ORDIUSDT", "USDT-ORDI", "1000ORDI_USDT", "$ordi/USD"]);
    assert_eq!(warnings, ["skipped 3 pairs without ORDI"]);
}

#[test]
fn price_in_the_quote_currency_is_not_in_dollars() {
    let pair = |quote: &str| {
        let body = r#"[{"name":"Binance","base":"ORDI","quote":"@","price":0.00013,"price_usd":8.41,"volume":5,"volume_usd":42}]"#;
        pair_in(&body.replace('@', quote))
    };
    for quote in ["BTC", "USDT"] {
        assert_eq!((pair(quote).price, pair(quote).volume_24h), (Some(8.41), Some(42.0)), "{quote}");
    }
    assert_eq!(pair("BTC").convert, Currency::usd());
}

#[test]
fn stale_pair_is_an_outlier() {
    for (fields, outlier) in [
        (r#""is_anomaly":false,"is_stale":false"#, Some(false)),
        (r#""is_anomaly":false,"is_stale":true"#, Some(true)),
        (r#""is_anomaly":true,"is_stale":false"#, Some(true)),
        (r#""is_stale":"true""#, Some(true)),
        (r#""is_stale":false"#, None),
    ] {
        let pair = pair_in(&format!(r#"[{{"market":{{"name":"X"}},"base":"ORDI","target":"USDT",{fields}}}]"#));
        assert_eq!(pair.outlier, outlier, "{fields}");
    }
}

#[test]
fn pair_name_without_sides_is_split() {
    let pair = pair_in(r#"[{"exchange":"","market_pair":"ORDI/USDT","price":8.41,"24h_volume_usd":5}]"#);
    assert_eq!((pair.exchange, pair.base.as_deref(), pair.quote.as_deref()), (None, Some("ORDI"), Some("USDT")));
    assert_eq!(pair.volume_24h, Some(5.0));
}

#[test]
fn pair_and_its_sides_are_found_under_several_names() {
    for (fields, pair) in [
        (r#""symbol":"ORDI-USDT""#, "ORDI-USDT"),
        (r#""pair":"ORDIUSDT""#, "ORDIUSDT"),
        (r#""symbol":"ORDI_USDT""#, "ORDI_USDT"),
        (r#""pair":"ORDI/USDT:USDT""#, "ORDI/USDT:USDT"),
        (r#""market":"ORDI/USDT""#, "ORDI/USDT"),
        (r#""baseAsset":"ORDI","quoteAsset":"USDT""#, "ORDI/USDT"),
        (r#""pair":{"base":"ORDI","quote":"USDT"}"#, "ORDI/USDT"),
        (r#""pair":{"symbol":"ORDI/USDT"}"#, "ORDI/USDT"),
        (r#""base":{"symbol":"ORDI","price":8.41},"quote":{"symbol":"USDT","price":1.0}"#, "ORDI/USDT"),
    ] {
        let found = pair_in(&format!(r#"[{{"exchange":"X",{fields},"volume_24h":5}}]"#));
        let sides = (found.base.as_deref(), found.quote.as_deref());
        assert_eq!((found.pair.as_str(), sides), (pair, (Some("ORDI"), Some("USDT"))), "{fields}");
        assert_eq!((found.exchange.as_deref(), found.price), (Some("X"), None), "{fields}");
    }
    let pair = pair_in(r#"{"data":{"ORDI/USDT":{"exchange":"X","price":8.41}}}"#);
    assert_eq!((pair.exchange.as_deref(), pair.pair.as_str()), (Some("X"), "ORDI/USDT"));
    let pair = pair_in(r#"[{"market":"ORDI/USDT","price":8.41}]"#);
    assert_eq!((pair.exchange.as_deref(), pair.pair.as_str()), (None, "ORDI/USDT"));
    let (page, _) = get_pairs(None, r#"[{"exchange":"X","pair":"ORDI:USDT","price":8.41}]"#);
    assert_eq!(page.items[0].pair, "ORDI:USDT");
}

#[test]
fn pairs_are_grouped_by_exchange_or_by_coin() {
    let pair = r#"[{"pair":"ORDI/USDT","price":8.41,"volume_24h":5}]"#;
    for body in [
        format!(r#"{{"data":[{{"exchange":"A","pairs":{pair}}},{{"exchange":{{"name":"B"}},"pairs":{pair}}}]}}"#),
        format!(r#"[{{"name":"A","slug":"a","market_pairs":{pair}}},{{"name":"B","slug":"b","market_pairs":{pair}}}]"#),
        format!(r#"{{"data":{{"A":{{"tickers":{pair}}},"B":{{"tickers":{pair}}}}}}}"#),
        String::from(
            r#"[{"name":"A","pairs":[{"market":"ORDI-USDT","price":8.41}]},
                {"name":"B","pairs":[{"market":"ORDIUSDT","price":8.41}]}]"#,
        ),
    ] {
        let (page, warnings) = get_pairs(None, &body);
        let exchanges: Vec<_> = page.items.iter().map(|pair| pair.exchange.as_deref()).collect();
        assert_eq!((exchanges, warnings), (vec![Some("A"), Some("B")], vec![]), "{body}");
    }
    for name in [r#""name":"ORDI""#, r#""name":"Ordinals","slug":"ordi""#] {
        let (page, _) = get_pairs(Some("ordi"), &format!(r#"[{{{name},"market_pairs":{pair}}}]"#));
        assert_eq!((page.items.len(), page.items[0].exchange.as_deref()), (1, None), "{name}");
    }
}

#[test]
fn volume_in_an_unknown_unit_and_impossible_share_have_warnings() {
    let (page, warnings) = get_pairs(
        None,
        r#"[{"exchange":"X","pair":"ORDI/USDT","price":8.41,"volume":5,"volume_percent":12.5},
            {"exchange":"Y","pair":"ORDI/USDT","price":8.41,"volume":"7","volume_percent":1250}]"#,
    );
    let figures: Vec<_> = page.items.iter().map(|pair| (pair.volume_24h, pair.volume_share_pct)).collect();
    assert_eq!(figures, [(None, Some(12.5)), (None, None)]);
    assert_eq!(
        warnings,
        ["$[1]: found a share of 1250%, expected at most 100%", "ignored volumes in an unknown unit (2 pairs)"]
    );
}

#[test]
fn volume_that_states_its_currency_is_read() {
    let pair = |figures: &str| format!(r#"[{{"exchange":"X","pair":"ORDI/USDT",{figures}}}]"#);
    for figures in [
        r#""price":8.41,"volume":"$1.5M""#,
        r#""price":8.41,"volume":"1.5 million USD""#,
        r#""price_usd":8.41,"volume_24h_usd":1500000"#,
        r#""last_price":3,"usd_price":"8.41","volume_usd_24h":1500000"#,
    ] {
        let (page, warnings) = get_pairs(None, &pair(figures));
        let [pair] = page.items.as_slice() else { panic!("{figures}: {page:?}") };
        assert_eq!((pair.price, pair.volume_24h), (Some(8.41), Some(1.5e6)), "{figures}");
        assert_eq!((pair.convert.as_str(), warnings), ("USD", vec![]), "{figures}");
    }
    for volume in ["1.5M ORDI", "1.5M USDT", "1.5M", "1.5M per day"] {
        let (page, warnings) = get_pairs(None, &pair(&format!(r#""price":8.41,"volume":"{volume}""#)));
        assert_eq!(page.items[0].volume_24h, None, "{volume}");
        assert_eq!(warnings, ["ignored volumes in an unknown unit (1 pair)"], "{volume}");
    }
}

/// Prices of pairs in a response that doesn't state their currency, and the warnings.
fn prices(pairs: &[(&str, f64)]) -> (Vec<Option<f64>>, Vec<String>) {
    let pair = |(name, price): &(&str, f64)| {
        format!(r#"{{"exchange":"X","pair":"{name}","price":{price},"volume_24h":5,"depth_plus_2pct":3}}"#)
    };
    let body = format!("[{}]", pairs.iter().map(pair).collect::<Vec<_>>().join(","));
    let (page, warnings) = get_pairs(None, &body);
    for pair in &page.items {
        let others = (pair.volume_24h.is_some(), pair.depth_plus_2pct.is_some());
        assert_eq!(others, (pair.price.is_some(), pair.price.is_some()), "{pair:?}");
    }
    (page.items.iter().map(|pair| pair.price).collect(), warnings)
}

#[test]
fn prices_in_the_quote_currency_of_their_pair_are_null() {
    let (found, warnings) =
        prices(&[("ORDI/USDT", 8.41), ("ORDI/BTC", 0.0001335), ("ORDI/KRW", 11_700.0), ("ORDI/EUR", 7.71)]);
    assert_eq!(found, [Some(8.41), None, None, None]);
    assert_eq!(warnings, ["skipped 3 prices in the quote currency (BTC, KRW, EUR)"]);
    // All in dollars, even if one is wrong.
    let pairs = [("ORDI/USDT", 8.41), ("ORDI/BTC", 8.4), ("ORDI/KRW", 8.5), ("ORDI/TRY", 0.1), ("ORDI/EUR", 8.4)];
    let (found, warnings) = prices(&pairs);
    assert_eq!((found, warnings), (pairs.map(|(_, price)| Some(price)).to_vec(), vec![]));
    // Without a pair in dollars, prices can only contradict each other.
    let (found, warnings) = prices(&[("ORDI/BTC", 0.0001335), ("ORDI/KRW", 11_700.0)]);
    assert_eq!((found, warnings), (vec![None, None], vec!["skipped 2 prices in the quote currency (BTC, KRW)".into()]));
    assert_eq!(prices(&[("ORDI/BTC", 8.4), ("ORDI/KRW", 8.5), ("ORDI/TRY", 0.1)]).1, [] as [&str; 0]);
    assert_eq!(prices(&[("ORDI/KRW", 11_700.0)]).1, [] as [&str; 0]);
    // Quotes near a dollar.
    let (found, warnings) = prices(&[("ORDI/USD", 8.41), ("ORDI/EUR", 7.71), ("ORDI/GBP", 6.5)]);
    assert_eq!(
        (found, warnings),
        (vec![Some(8.41), None, None], vec!["skipped 2 prices in the quote currency (EUR, GBP)".into()])
    );
    assert_eq!(
        prices(&[("ORDI/USD", 8.41), ("ORDI/EUR", 8.4), ("ORDI/GBP", 7.9), ("ORDI/CHF", 8.45)]).1,
        [] as [&str; 0]
    );
    assert_eq!(prices(&[("ORDI/USD", 8.41), ("ORDI/EUR", 7.71), ("ORDI/BTC", 8.42)]).1, [] as [&str; 0]);
    let stated = r#"[{"exchange":"X","pair":"ORDI/USDT","price":8.41},{"exchange":"X","pair":"ORDI/BTC","quote":{"USD":{"price":0.1}}}]"#;
    assert_eq!(get_pairs(None, stated).0.items[1].price, Some(0.1));
}

#[test]
fn pair_of_an_own_symbol_is_compared_in_its_quote_currency() {
    let with =
        |other: (&str, f64)| prices(&[("ORDI/USDT", 8.41), ("ORDI/BTC", 0.0001335), ("ORDI/KRW", 11_700.0), other]);
    for (other, price, skipped) in [
        (("XORD/BTC", 0.000133), None, "3 prices in the quote currency (BTC, KRW)"),
        // There is nothing to compare it with.
        (("XORD/ETH", 0.0028), None, "3 prices in the quote currency (BTC, KRW, ETH)"),
        (("XORD/USDT", 8.3), Some(8.3), "2 prices in the quote currency (BTC, KRW)"),
    ] {
        let expected = (vec![Some(8.41), None, None, price], vec![format!("skipped {skipped}")]);
        assert_eq!(with(other), expected, "{other:?}");
    }
    for other in [("PEPE/BTC", 1e-10), ("PEPE/USDT", 1e-6)] {
        let (found, warnings) = with(other);
        assert_eq!((found.len(), warnings[0].as_str()), (3, "skipped 1 pair without ORDI"), "{other:?}");
    }
}

#[test]
fn price_of_an_inverted_pair_is_null() {
    let (found, warnings) = prices(&[("USDT/ORDI", 0.1189), ("ORDI/USDT", 8.41)]);
    assert_eq!(
        (found, warnings),
        (vec![None, Some(8.41)], vec!["skipped the price of the inverted pair USDT/ORDI".into()])
    );
    assert_eq!(prices(&[("USDT/ORDI", 8.4), ("ORDI/USDT", 8.41)]).0, [Some(8.4), Some(8.41)]);
}
