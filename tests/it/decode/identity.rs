//! Identity: data of another coin is rejected, and coins with the same symbol are kept apart.

use std::collections::HashSet;

use satscope::client::{ErrorKind, Request};
use satscope::model::{Currency, Period};

use super::{chart, chart_in, coins, coins_in, get, get_pairs, market, pairs, posts, series, stats};

const PAIRS: &str = r#""market_pairs":[{"exchange":{"name":"Binance"},"market_pair":"ORDI/USDT"}]"#;
const POINTS: &str = r#""quotes":[{"timestamp":"2026-11-19T07:50:00.000Z","quote":{"USD":{"price":7.71}}}]"#;

#[test]
fn chart_and_pairs_of_another_coin_are_rejected() {
    let other = |nested| format!(r#"{{"name":"Ordinary","slug":"ordinary",{nested}}}"#);
    for (request, nested) in [(pairs(Some("ordi")), PAIRS), (chart_in("USD"), POINTS)] {
        let other = other(nested);
        for body in [
            format!(r#"{{"data":{{"ORDI":[{other}]}}}}"#),
            format!(r#"{{"data":{{"ORDI":[{other},{{"slug":"third",{nested}}}]}}}}"#),
            format!(r#"{{"data":{other}}}"#),
            other,
        ] {
            let error = get(&request, &body).expect_err(&body);
            let ErrorKind::Mismatch { found, requested } = error else { panic!("{body}: {error}") };
            assert!(found.starts_with("ordinary") && requested == "ordi", "{found} {requested}");
        }
    }
}

#[test]
fn response_with_no_name_or_requested_name_is_accepted() {
    for names in [r#""slug":"ordi","#, r#""slug":"ORDI","#, r#""id":25028,"name":"ORDI","symbol":"ORDI","#, ""] {
        for around in [(r#"{"data":{"ORDI":["#, "]}}"), (r#"{"data":"#, "}"), ("", "")] {
            let body = |nested| format!("{}{{{names}{nested}}}{}", around.0, around.1);
            let (page, warnings) = get_pairs(Some("ordi"), &body(PAIRS));
            assert_eq!((page.items.len(), warnings.len()), (1, 0), "{}", body(PAIRS));
            assert_eq!(chart("USD", &body(POINTS)).0.points.len(), 1, "{}", body(POINTS));
        }
    }
}

#[test]
fn unreadable_pairs_are_not_an_empty_list() {
    let in_coin = |pairs: &str| format!(r#"{{"data":{{"ORDI":[{{"slug":"ordi","market_pairs":[{pairs}]}}]}}}}"#);
    let unknown = r#"{"exchange":null,"market_pair":null},{"where":"Binance"}"#;
    let error = get(&pairs(Some("ordi")), &in_coin(unknown)).unwrap_err();
    let ErrorKind::Unrecognised(what) = error else { panic!("{error}") };
    assert_eq!(what, "an object with the fields exchange, market_pair");
    let (page, warnings) = get_pairs(Some("ordi"), &in_coin(&format!(r#"{unknown},{{"market_pair":"ORDI/USDT"}}"#)));
    assert_eq!((page.items.len(), warnings.len()), (1, 2), "{warnings:?}");
    assert_eq!(get_pairs(Some("ordi"), &in_coin("")).0.items, [], "an empty list is valid");
}

#[test]
fn matching_coin_of_several_is_chosen() {
    let body = format!(r#"{{"data":{{"ORDI":[{{"slug":"ordinary",{PAIRS}}},{{"name":"ORDI",{PAIRS}}}]}}}}"#);
    let (page, warnings) = get_pairs(Some("ordi"), &body);
    assert_eq!((page.items.len(), warnings.len()), (1, 0), "{warnings:?}");
    let body = format!(r#"{{"data":{{"ORDI":[{{"name":"One",{PAIRS}}},{{"name":"Two",{PAIRS}}}]}}}}"#);
    let (page, warnings) = get_pairs(Some("ordi"), &body);
    assert_eq!(page.items.len(), 1);
    assert_eq!(warnings, ["2 coins share the symbol ORDI (One, Two); using the first"]);
}

#[test]
fn coins_with_shared_symbol_and_no_id_are_distinguished() {
    for body in [
        r#"{"data":{"CAT":[{"name":"Simon's Cat","symbol":"CAT"},{"name":"Cat in a dog's world","symbol":"CAT"}]}}"#,
        r#"[{"name":"Simon's Cat","symbol":"CAT"},{"name":"Cat in a dog's world","symbol":"CAT"}]"#,
        r#"[{"name":"Cat","symbol":"CAT","rank":9},{"name":"Cat","symbol":"CAT","rank":7}]"#,
    ] {
        let (page, warnings) = coins(&stats(), body);
        let ids: HashSet<_> = page.items.iter().map(|coin| &coin.id).collect();
        assert_eq!((ids.len(), page.items.len()), (2, 2), "{body}: {ids:?}");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("2 coins without id"), "{warnings:?}");
    }
    let (page, warnings) = coins(&stats(), r#"{"data":{"17":{"name":"A","symbol":"A"},"B":{"name":"Bee"}}}"#);
    let ids: Vec<_> = page.items.iter().map(|coin| coin.id.0.as_str()).collect();
    assert_eq!((ids, warnings.len()), (vec!["17", "B"], 0), "the key of a single coin is its id");
}

#[test]
fn upper_case_key_is_the_symbol_of_a_coin_without_one() {
    for (key, item, symbol) in [
        ("BTC", r#"{"price":9e4,"name":"Bitcoin"}"#, "BTC"),
        ("BTC", r#"{"id":1,"name":"Bitcoin","slug":"bitcoin","quote":{"USD":{"price":9e4}}}"#, "BTC"),
        ("1INCH", r#"[{"id":1,"name":"1inch Network","slug":"1inch","price":1}]"#, "1INCH"),
        ("BTC", r#"{"name":"Bitcoin","symbol":"XBT","price":9e4}"#, "XBT"),
        // An ID, a slug, a field of the envelope, the currency of a list, and a pair.
        ("1", r#"{"name":"Bitcoin","price":9e4}"#, "Bitcoin"),
        ("QX7", r#"{"id":"QX7","name":"Bitcoin","price":9e4}"#, "Bitcoin"),
        ("0F3C9A52-77A1-4F3B-9C1D-2E8B6A5D4C3F", r#"{"name":"Bitcoin","price":9e4}"#, "Bitcoin"),
        ("bitcoin", r#"{"name":"Bitcoin","price":9e4}"#, "Bitcoin"),
        ("coinDetail", r#"{"id":1,"name":"Bitcoin","price":9e4}"#, "Bitcoin"),
        ("USD", r#"[{"id":1,"name":"Bitcoin","price":9e4}]"#, "Bitcoin"),
        ("BTCUSDT", r#"{"name":"Bitcoin","price":9e4}"#, "Bitcoin"),
    ] {
        for body in [format!(r#"{{"{key}":{item}}}"#), format!(r#"{{"data":{{"{key}":{item}}}}}"#)] {
            let (page, _) = coins(&coins_in("USD"), &body);
            let [coin] = page.items.as_slice() else { panic!("{body}: {page:?}") };
            assert_eq!((coin.symbol.as_str(), coin.price.is_some()), (symbol, true), "{body}");
        }
    }
    let error = get(&coins_in("USD"), r#"{"BTCUSDT":{"price":9e4},"ORDIUSDT":{"price":8.4}}"#).unwrap_err();
    assert!(matches!(error, ErrorKind::Unrecognised(_)), "a key without a name: {error}");
}

#[test]
fn indistinguishable_coins_are_counted() {
    let (page, warnings) = coins(&stats(), r#"[{"symbol":"CAT"},{"symbol":"CAT"},{"symbol":"DOG"}]"#);
    assert_eq!(page.items.len(), 3);
    let ids = |body| coins(&stats(), body).0.items.iter().map(|coin| coin.id.0.to_string()).collect::<Vec<_>>();
    assert_eq!(ids(r#"[{"symbol":"DOG","name":"DOG","rank":5}]"#), ["DOG"]);
    assert_eq!(ids(r#"[{"symbol":"CAT","name":"Cat","rank":5},{"symbol":"DOG","rank":6}]"#), ["CAT Cat", "DOG"]);
    assert!(warnings.iter().any(|warning| warning.contains("1 can't be distinguished")), "{warnings:?}");
}

#[test]
fn responses_about_another_coin_are_rejected() {
    let history = r#"{"data":{"id":1,"name":"Bitcoin","symbol":"BTC","quotes":[{"timestamp":1795074900,"price":1}]}}"#;
    for (request, body) in [
        (chart_in("USD"), history),
        (market(&["ORDI"]), history),
        (
            market(&["ORDI"]),
            r#"{"data":{"BTC":[{"id":1,"symbol":"BTC","quotes":[{"timestamp":1795074900,"price":1}]}]}}"#,
        ),
        (posts(), r#"{"data":{"list":[{"post_id":"7","text_content":"gm","currencies":[{"symbol":"PEPE"}]}]}}"#),
        (posts(), r#"{"data":{"symbol":"PEPE","list":[{"post_id":"7","text_content":"gm"}]}}"#),
        (
            pairs(Some("ordi")),
            r#"{"data":{"name":"Pepe","symbol":"PEPE","market_pairs":[{"exchange":"X","market_pair":"PEPE/USDT"}]}}"#,
        ),
    ] {
        let outcome = get(&request, body);
        assert!(matches!(outcome, Err(ErrorKind::Mismatch { .. })), "{} {body}: {outcome:?}", request.describe());
    }
}

#[test]
fn series_of_other_coins_are_skipped() {
    let one = |symbol: &str| format!(r#"{{"symbol":"{symbol}","quotes":[{{"timestamp":1795074900,"price":1}}]}}"#);
    let (series, warnings) =
        series(&["ORDI", "SATS"], &format!("[{},{},{}]", one("ordi"), one("PEPE"), one("SATS-USD")));
    let symbols: Vec<_> = series.iter().map(|series| series.symbol.as_str()).collect();
    assert_eq!(symbols, ["ordi", "SATS"], "in the case of the service, without a currency");
    assert!(warnings.contains(&"skipped 1 series of other coins".to_owned()), "{warnings:?}");
}

#[test]
fn chart_of_a_renamed_coin_is_accepted() {
    for (slug, name, symbol) in [("the-open-network", "Toncoin", "TON"), ("bianrensheng", "币安人生", "币安人生")]
    {
        let request = Request::Chart { slug: slug.into(), period: Period::Day, convert: Currency::usd() };
        let body = format!(
            r#"{{"data":{{"id":1,"name":"{name}","symbol":"{symbol}","quotes":[{{"timestamp":1795074900,"price":1}}]}}}}"#
        );
        assert!(get(&request, &body).is_ok(), "{slug}");
    }
}

#[test]
fn series_of_bundle_is_not_series_of_coin() {
    let one = |symbol: &str| format!(r#"{{"symbol":"{symbol}","quotes":[{{"timestamp":1795074900,"price":1}}]}}"#);
    let (bundles, _) = series(&["SATS", "1000SATS"], &format!("[{}]", one("1000SATS")));
    assert_eq!(bundles[0].symbol, "1000SATS");
    let (others, _) = series(&["SATS", "BTC"], &format!("[{},{},{}]", one("1000SATS"), one("BTC-B"), one("BTC")));
    let symbols: Vec<_> = others.iter().map(|series| series.symbol.as_str()).collect();
    assert_eq!(symbols, ["BTC"]);
}

#[test]
fn price_histories_are_not_coins() {
    let body = r#"{"data":{"ORDI":[{"id":25028,"name":"ORDI","symbol":"ORDI","quotes":[{"timestamp":"2026-11-19T07:50:00.000Z",
        "quote":{"USD":{"price":7.71,"market_cap":161910000}}}]}]}}"#;
    let error = get(&stats(), body).unwrap_err();
    assert_eq!(error, ErrorKind::Unrecognised("looks like price histories".into()));
    let (series, _) = series(&["ORDI"], body);
    assert_eq!(series[0].points.len(), 1);
}

#[test]
fn chart_from_wrong_url_is_rejected() {
    let inscriptions = r#"{"results":[{"id":"ab","genesis_fee":"3179","genesis_block_height":7,"value":"546","timestamp":1677733170000}]}"#;
    assert_eq!(
        get(&chart_in("USD"), inscriptions).unwrap_err(),
        ErrorKind::Unrecognised("looks like inscriptions".into())
    );
}

#[test]
fn lower_case_symbols_are_converted_only_for_coingecko() {
    let symbols = |body: &str| -> Vec<String> {
        coins(&stats(), body).0.items.iter().map(|coin| coin.symbol.to_string()).collect()
    };
    let gecko = |id: &str, symbol: &str| {
        format!(r#"{{"id":"{id}","symbol":"{symbol}","name":"N","current_price":null,"market_cap_rank":301}}"#)
    };
    let (ordi, one_inch, staked) = (gecko("ordinals", "ordi"), gecko("1inch", "1inch"), gecko("staked", "stETH"));
    assert_eq!(symbols(&format!("[{ordi},{one_inch}]")), ["ORDI", "1INCH"]);
    // A coin's symbol doesn't depend on the other coins on the page.
    assert_eq!(symbols(&format!("[{ordi},{staked}]")), ["ORDI", "stETH"]);
    assert_eq!(symbols(r#"{"id":"ordinals","symbol":"ordi","name":"ORDI","market_data":{}}"#), ["ORDI"]);
    // Other services, and BRC-20 tickers, keep their case.
    let own = r#"{"id":1,"slug":"ordi","symbol":"ordi","name":"ordi","price":8.41}"#;
    assert_eq!(symbols(&format!("[{own}]")), ["ordi"]);
    assert_eq!(symbols(&format!(r#"[{own},{{"id":2,"symbol":"BTC","name":"Bitcoin"}}]"#)), ["ordi", "BTC"]);
    assert_eq!(symbols(r#"[{"id":"ordi","symbol":"ordi","name":"ordi","priceUsd":"8.41"}]"#), ["ordi"]);
    assert_eq!(symbols(r#"[{"ticker":"ordi","price":8.41},{"tick":"sats","price":1}]"#), ["ordi", "sats"]);
}

#[test]
fn chart_of_another_key_is_rejected() {
    let body = |key: &str| {
        format!(r#"{{"coins":{{"{key}":{{"symbol":"BTC","prices":[{{"timestamp":1795075200,"price":1}}]}}}}}}"#)
    };
    assert_eq!(chart("USD", &body("coingecko:ordi")).0.points.len(), 1);
    let error = get(&chart_in("USD"), &body("coingecko:bitcoin")).unwrap_err();
    assert_eq!(error, ErrorKind::Mismatch { found: "bitcoin".into(), requested: "ordi".into() });
}
