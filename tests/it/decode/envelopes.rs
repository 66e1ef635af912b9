//! Keys of envelopes that are symbols, errors beside data, missing items and errors of unreadable responses.

use satscope::client::{ErrorKind, Request, ResponseData};

use super::{coins, coins_in, get, market, pairs, posts, series};

fn names(body: &str) -> (Vec<String>, Vec<String>) {
    let (page, warnings) = coins(&coins_in("USD"), body);
    (page.items.iter().map(|coin| coin.name.to_string()).collect(), warnings)
}

fn coin(id: u32, name: &str) -> String {
    format!(r#"{{"id":{id},"name":"{name}","symbol":"S{id}","slug":"{}","price":{id}}}"#, name.to_lowercase())
}

/// Requests about a symbol.
fn about(request: &Request, name: &str) -> Request {
    match request.clone() {
        Request::Posts { slug, order, .. } => Request::Posts { symbol: name.into(), slug, order },
        Request::MarketPairs { slug, convert, .. } => Request::MarketPairs { symbol: name.into(), slug, convert },
        other => other,
    }
}

/// Names that envelopes use, too.
const WORDS: [&str; 12] =
    ["META", "DATA", "STATUS", "LIST", "ITEMS", "COINS", "SERIES", "D", "ERROR", "LINKS", "POINTS", "PAIRS"];

#[test]
fn coins_under_names_of_envelopes_are_listed() {
    for key in ["status", "meta", "data", "DATA", "list", "items", "links", "error"] {
        let body = format!(r#"{{"data":{{"bitcoin":{},"{key}":{}}}}}"#, coin(1, "Bitcoin"), coin(2, "Status"));
        assert_eq!(names(&body), (vec!["Bitcoin".to_owned(), "Status".to_owned()], vec![]), "{body}");
        let body = format!(r#"{{"data":{{"{key}":{}}},"status":{{"error_code":0}}}}"#, coin(2, "Status"));
        assert_eq!(names(&body), (vec!["Status".to_owned()], vec![]), "{body}");
    }
    let body = format!(r#"{{"data":{{"DATA":[{}],"BTC":[{}]}}}}"#, coin(1, "Data"), coin(2, "Bitcoin"));
    assert_eq!(names(&body), (vec!["Data".to_owned(), "Bitcoin".to_owned()], vec![]));
}

#[test]
fn similar_envelopes_are_not_items() {
    let list = format!(r#"{{"coins":[{}],"total":1}}"#, coin(1, "Bitcoin"));
    let (found, _) = names(&format!(r#"{{"data":{list},"result":{list}}}"#));
    assert_eq!(found, ["Bitcoin"]);
}

#[test]
fn series_under_names_of_envelopes_are_read() {
    let one = |symbol: &str| {
        let quotes = r#""quotes":[{"timestamp":"2026-11-19T07:50:00.000Z","quote":{"EUR":{"price":7.71}}}]"#;
        format!(r#"{{"id":1,"name":"{symbol}","symbol":"{symbol}",{quotes}}}"#)
    };
    for word in WORDS {
        let item = |symbol: &str| [format!("[{}]", one(symbol)), one(symbol)];
        for (own, other) in item(word).into_iter().zip(item("BTC")) {
            for key in [word.to_owned(), word.to_lowercase()] {
                let body = format!(r#"{{"data":{{"{key}":{own},"BTC":{other}}},"status":{{"error_code":0}}}}"#);
                let (series, warnings) = series(&[word, "BTC"], &body);
                let symbols: Vec<_> = series.iter().map(|one| one.symbol.as_str()).collect();
                assert_eq!((symbols, warnings), (vec![word, "BTC"], vec![]), "{body}");
            }
            let body = format!(r#"{{"data":{{"{word}":{own}}},"status":{{"error_code":0}}}}"#);
            let (series, warnings) = series(&[word], &body);
            assert_eq!((series.len(), warnings), (1, vec![]), "{body}");
        }
    }
}

#[test]
fn pairs_and_posts_under_names_of_envelopes_are_read() {
    let pair = |symbol: &str| {
        format!(r#"{{"market_pairs":[{{"exchange":{{"name":"Binance"}},"market_pair":"{symbol}/USDT"}}]}}"#)
    };
    let post = r#"{"post_id":"1","text_content":"hello"}"#;
    for word in WORDS {
        for item in [pair(word), format!("[{}]", pair(word))] {
            let body = format!(r#"{{"data":{{"{word}":{item}}},"status":{{"error_code":0}}}}"#);
            let (answer, warnings) = get(&about(&pairs(None), word), &body).expect(&body);
            let ResponseData::MarketPairs(page) = answer else { panic!("{answer:?}") };
            assert_eq!((page.items.len(), warnings), (1, vec![]), "{body}");
        }
        let body = format!(r#"{{"data":{{"{word}":[{post}]}},"status":{{"error_code":0}}}}"#);
        let (answer, warnings) = get(&about(&posts(), word), &body).expect(&body);
        let ResponseData::Posts(page) = answer else { panic!("{answer:?}") };
        assert_eq!((page.items.len(), warnings), (1, vec![]), "{body}");
    }
}

#[test]
fn error_beside_data_is_a_warning() {
    let data = format!(r#""data":[{}]"#, coin(1, "Bitcoin"));
    for (around, expected) in [
        (r#""code":500,"message":"internal error""#, Some("the service reports error 500: internal error")),
        (r#""status":"error","message":"stale""#, Some("the service reports an error: stale")),
        (r#""errors":[{"message":"too slow"}]"#, Some("the service reports an error: too slow")),
        (r#""error":"one source was down""#, Some("the service reports an error: one source was down")),
        (r#""status":"fail""#, Some("the service reports an error")),
        (r#""code":200,"message":"success""#, None),
        (r#""code":1,"msg":"success""#, None),
        (r#""code":1,"msg":"操作成功""#, None),
        (r#""code":"0","msg":"""#, None),
        (r#""code":10000"#, None),
        (r#""error":null,"errors":[]"#, None),
        (r#""status":{"error_code":0,"error_message":null}"#, None),
        (r#""message":"2 coins""#, None),
    ] {
        let (found, warnings) = names(&format!("{{{around},{data}}}"));
        assert_eq!(found, ["Bitcoin"], "{around}");
        assert_eq!(warnings, expected.into_iter().collect::<Vec<_>>(), "{around}");
    }
}

#[test]
fn missing_coin_in_a_map_is_a_warning() {
    for (keys, item, found) in
        [(["1", "2"], r#""error""#, "\"error\""), (["1", "2"], "null", "null"), (["BTC", "ETH"], "null", "null")]
    {
        let body = format!(r#"{{"data":{{"{}":{},"{}":{item}}}}}"#, keys[0], coin(1, "Bitcoin"), keys[1]);
        let path = if keys[1] == "2" { r#"$.data.2"# } else { "$.data.ETH" };
        let expected = format!("{path}: found {found}, expected a coin");
        assert_eq!(names(&body), (vec!["Bitcoin".to_owned()], vec![expected]), "{body}");
    }
    let body = format!(r#"{{"data":{{"1":{},"total":1,"next":null}}}}"#, coin(1, "Bitcoin"));
    assert_eq!(names(&body), (vec!["Bitcoin".to_owned()], vec![]), "other fields are no coins");
}

#[test]
fn series_without_symbols_are_rejected() {
    for body in
        [r#"{"data":[{"points":[[1795075200,1]]},{"points":[[1795075200,2]]}]}"#, r#"{"prices":[[1795075200000,1]]}"#]
    {
        let error = get(&market(&["ORDI", "SATS"]), body).expect_err(body);
        assert_eq!(error, ErrorKind::Unrecognised("price histories without a symbol".to_owned()), "{body}");
    }
}

#[test]
fn reason_of_an_unreadable_item_is_named() {
    let error = |body: &str| get(&coins_in("USD"), body).unwrap_err();
    let keys: Vec<String> = (0..800_000).map(|at| format!("\"k{at}\":1")).collect();
    let prices = vec!["1"; 2_000_000].join(",");
    for body in [
        format!(r#"[{{"id":1,"name":"Bitcoin",{}}}]"#, keys.join(",")),
        format!(r#"[{{"id":1,"name":"Bitcoin","sparkline_7d":[{prices}]}}]"#),
    ] {
        assert!(matches!(error(&body), ErrorKind::TooMany(_)), "{:?}", error(&body));
    }
    let quotes = error("[{'id':1,'name':'Bitcoin'}]");
    assert_eq!(quotes, ErrorKind::Corrupt("JSON, expected a name in quotes at byte 2".to_owned()));
    let empty = error("[{}]");
    assert_eq!(empty, ErrorKind::Unrecognised("an empty object".to_owned()));
}

#[test]
fn escaped_field_names_are_read() {
    let (page, warnings) =
        coins(&coins_in("USD"), r#"{"\u0064ata":[{"id":1,"name":"a","symbol":"b","pri\u0063e":5,"qu\u006fte":null}]}"#);
    assert_eq!((page.items[0].price, warnings), (Some(5.0), vec![]));
}
