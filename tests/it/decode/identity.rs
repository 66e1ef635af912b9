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
fn pairs_of_another_coin_around_the_list_are_rejected() {
    let pair = r#"{"exchange":"Binance","price":3000.5}"#;
    for (body, other) in [
        (format!(r#"{{"symbol":"ETH","pairs":[{pair}]}}"#), "ETH"),
        (format!(r#"{{"data":{{"symbol":"eth","name":"Ethereum","pairs":[{pair}]}}}}"#), "eth"),
        (format!(r#"{{"data":{{"slug":"ethereum","symbol":"ETH","market_pairs":[{pair}]}}}}"#), "ETH"),
        (format!(r#"{{"data":[{{"symbol":"ETH","market_pairs":[{pair}]}}]}}"#), "ETH"),
        (format!(r#"{{"data":{{"ETH":[{{"symbol":"ETH","market_pairs":[{pair}]}}]}}}}"#), "ETH"),
        (format!(r#"{{"coin":"ethereum","data":[{pair}]}}"#), "ethereum"),
        (format!(r#"{{"coin":{{"symbol":"RATS"}},"data":[{pair}]}}"#), "RATS"),
        (format!(r#"{{"symbol":"ETHUSDT","pairs":[{pair}]}}"#), "ETHUSDT"),
        // The requested coin is only their quote.
        (r#"{"symbol":"ETH","pairs":[{"exchange":"Binance","pair":"ETH/ORDI","price":3000.5}]}"#.to_owned(), "ETH"),
        (
            r#"{"data":[{"symbol":"ETH","pairs":[{"exchange":"B","base":"ETH","target":"ORDI","price":9}]}]}"#
                .to_owned(),
            "ETH",
        ),
    ] {
        let error = get(&pairs(None), &body).expect_err(&body);
        assert_eq!(error, ErrorKind::Mismatch { found: other.into(), requested: "ORDI".into() }, "{body}");
    }
    for around in [
        r#""symbol":"$ordi""#,
        r#""symbol":"ORDI-USDT""#,
        r#""symbol":"ORDIKRW""#,
        r#""symbol":"BINANCE:ORDIUSDT.P""#,
        r#""symbol":"tORDI:USD""#,
        r#""symbol":"1000ORDI""#,
        r#""symbol":"USD""#,
        r#""symbol":"USDT""#,
        r#""symbol":"US$""#,
        r#""symbol":"Ξ""#,
        r#""symbol":"BTC","convert":"BTC""#,
        r#""symbol":"ALL""#,
        r#""symbol":"rats""#,
        r#""symbol":"Ethereum Classic""#,
        r#""symbol":"$","coin":"ordinals""#,
        r#""symbol":"RATS","name":"ORDI""#,
        r#""symbol":"ETH","base":"ORDI""#,
        r#""asset":"CRYPTO","token":"abc""#,
        r#""asset":"SPOT""#,
        r#""asset":"USDT""#,
    ] {
        for body in
            [format!(r#"{{{around},"pairs":[{pair}]}}"#), format!(r#"{{"data":{{{around},"pairs":[{pair}]}}}}"#)]
        {
            let found = get(&pairs(None), &body);
            assert!(found.is_ok(), "{body}: {found:?}");
        }
    }
    for body in [
        format!(r#"{{"data":[{{"symbol":"ETH","pairs":[]}},{{"symbol":"ORDI","pairs":[{pair}]}}]}}"#),
        format!(r#"{{"symbol":"ETH","data":{{"symbol":"ORDI","pairs":[{pair}]}}}}"#),
        format!(r#"{{"symbol":"ETH","data":[{{"symbol":"ORDI","market_pairs":[{pair}]}}]}}"#),
        format!(r#"{{"data":{{"ORDI":[{{"symbol":"ETH","market_pairs":[{pair}]}}]}}}}"#),
        r#"{"symbol":"ETH","pairs":[{"exchange":"B","pair":"ORDI/USDT","price":8.41}]}"#.to_owned(),
        r#"{"symbol":"ETH","pairs":[{"exchange":"B","pair":"ORDI/ETH","price":8.41}]}"#.to_owned(),
        r#"{"symbol":"ETH","pairs":[{"exchange":"B","pair":"USDT/ORDI","price":8.41}]}"#.to_owned(),
        r#"{"symbol":"ETH","pairs":[{"exchange":"B","symbol":"ORDI","price":8.41}]}"#.to_owned(),
        r#"{"coin":"bitcoin","pairs":[{"exchange":"B","base":"ordi","price":8.41}]}"#.to_owned(),
        r#"{"data":[{"symbol":"RATS","pairs":[{"exchange":"B","pair":"ORDIUSDT","price":8.41}]}]}"#.to_owned(),
    ] {
        assert_eq!(get_pairs(None, &body).0.items.len(), 1, "{body}");
    }
    // A slug is unique; a symbol may be another one of the same coin.
    let renamed = format!(r#"{{"data":{{"slug":"ordi","symbol":"ORDX","market_pairs":[{pair}]}}}}"#);
    assert_eq!(get_pairs(Some("ordi"), &renamed).0.items.len(), 1);
    let in_bitcoin = Request::MarketPairs { symbol: "ORDI".into(), slug: None, convert: Currency::bitcoin() };
    assert!(get(&in_bitcoin, &format!(r#"{{"symbol":"BTC","pairs":[{pair}]}}"#)).is_ok());
}

#[test]
fn pairs_with_another_symbol_of_the_coin_around_them_are_accepted() {
    for (symbol, other) in [
        ("DOGE", "XDG"),
        ("BTC", "XBT"),
        ("BTC", "XXBT"),
        ("BTC", "XXBTZUSD"),
        ("BTC", "BTCUSDT_PERP.A"),
        ("BTC", "BTC.b"),
        ("BTC", "bitcoin"),
        ("BTC", "Bitcoin"),
        ("BTC", "WBTC"),
        ("BTC", "KRW-BTC"),
        ("BTC", "USDT-BTC"),
        ("IOTA", "MIOTA"),
        ("MIOTA", "IOTA"),
        ("MATIC", "POL"),
        ("SATS", "1000SATS"),
        ("DASH", "DSH"),
        ("TRX", "tron"),
        ("XTZ", "tezos"),
    ] {
        let request = Request::MarketPairs { symbol: symbol.into(), slug: None, convert: Currency::usd() };
        let found = get(&request, &format!(r#"{{"symbol":"{other}","pairs":[{{"exchange":"X","price":30.5}}]}}"#));
        assert!(found.is_ok(), "{symbol} {other}: {found:?}");
    }
    let renamed = Request::MarketPairs { symbol: "MATIC".into(), slug: None, convert: Currency::usd() };
    assert!(get(&renamed, r#"{"symbol":"POL","pairs":[{"exchange":"X","pair":"POL/USDT","price":0.41}]}"#).is_ok());
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
