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
            let (response, warnings) = get(&about(&pairs(None), word), &body).expect(&body);
            let ResponseData::MarketPairs(page) = response else { panic!("{response:?}") };
            assert_eq!((page.items.len(), warnings), (1, vec![]), "{body}");
        }
        let body = format!(r#"{{"data":{{"{word}":[{post}]}},"status":{{"error_code":0}}}}"#);
        let (response, warnings) = get(&about(&posts(), word), &body).expect(&body);
        let ResponseData::Posts(page) = response else { panic!("{response:?}") };
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
        let expected = format!("{path}: found {found}, expected a coin with a name or symbol");
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

/// An empty list must not hide why it is empty.
#[test]
fn failure_beside_an_empty_list_is_an_error() {
    for (body, code, message) in [
        (r#"{"success":"false","data":[],"message":"plan expired"}"#, None, Some("plan expired")),
        (r#"{"success":0,"data":[]}"#, None, None),
        (r#"{"status":false,"data":[],"message":"invalid key"}"#, None, Some("invalid key")),
        (r#"{"status":"KO","data":[]}"#, None, Some("status KO")),
        (r#"{"status":"NOK","data":[],"reason":"maintenance"}"#, None, Some("maintenance")),
        (r#"{"state":"failed","data":[]}"#, None, Some("state failed")),
        (r#"{"status":"processing","data":[]}"#, None, Some("status processing")),
        (r#"{"meta":{"code":429,"message":"slow down"},"data":[]}"#, Some(429), Some("slow down")),
        (r#"{"meta":{"status":"error","error":"quota"},"data":[]}"#, None, Some("quota")),
        (r#"{"status":{"code":429,"text":"slow down"},"coins":[]}"#, Some(429), Some("slow down")),
        (r#"{"status":{"error_code":0,"error_message":"over your plan"},"data":[]}"#, None, Some("over your plan")),
        (r#"{"data":{"success":false,"error":"slow down","coins":[]}}"#, None, Some("slow down")),
        (r#"{"data":{"coins":[],"error":{"code":429,"message":"slow down"}}}"#, Some(429), Some("slow down")),
        (r#"{"errno":100,"errmsg":"bad sign","data":[]}"#, Some(100), Some("bad sign")),
        (r#"{"err_no":100,"err_tips":"bad sign","data":[]}"#, Some(100), Some("bad sign")),
        (r#"{"ret":-1,"data":[],"info":"system busy"}"#, Some(-1), Some("system busy")),
        (r#"{"resultCode":"9999","resultMsg":"fail","data":[]}"#, Some(9999), Some("fail")),
        (r#"{"isError":true,"data":[],"errorText":"quota exceeded"}"#, None, Some("quota exceeded")),
        (r#"{"ack":"failure","data":[],"errmsg":"bad sign"}"#, None, Some("bad sign")),
        (r#"{"Data":[],"Err":{"type":1,"message":"unknown market"}}"#, None, Some("unknown market")),
        (r#"{"Data":{},"Err":{"type":1,"message":"instrument not found"}}"#, None, Some("instrument not found")),
        (r#"{"data":[],"err":"boom"}"#, None, Some("boom")),
        (r#"{"data":[],"err":{"code":77}}"#, Some(77), None),
        (
            r#"{"data":[],"fault":{"faultstring":"Rate limit quota violation"}}"#,
            None,
            Some("Rate limit quota violation"),
        ),
        (r#"{"ret":"fail","data":[]}"#, None, Some("ret fail")),
        (r#"{"data":[],"message":"You exceeded your limit."}"#, None, Some("You exceeded your limit")),
        (r#"{"coins":[],"warning":"API key missing"}"#, None, Some("API key missing")),
        (r#"{"data":[],"Note":"at most 5 calls per minute"}"#, None, Some("at most 5 calls per minute")),
    ] {
        let expected = ErrorKind::InBody { code, message: message.map(str::to_owned) };
        assert_eq!(get(&coins_in("USD"), body), Err(expected), "{body}");
    }
    let holders = Request::Brc20Holders { ticker: "ordi".into(), offset: 0, limit: 20 };
    for request in [posts(), pairs(None), market(&["ORDI"]), holders] {
        let body = r#"{"data":[],"results":[],"meta":{"code":429,"message":"slow down"}}"#;
        let expected = ErrorKind::InBody { code: Some(429), message: Some("slow down".to_owned()) };
        assert_eq!(get(&request, body), Err(expected), "{request:?}");
    }
}

#[test]
fn success_beside_an_empty_list_is_not_an_error() {
    for around in [
        r#""success":true"#,
        r#""success":1,"message":"OK""#,
        r#""status":"success","message":"Data fetched successfully.""#,
        r#""Response":"Success","Message":"News list successfully returned","Type":100"#,
        r#""code":"200000""#,
        r#""code":10000,"msg":"Success!""#,
        r#""code":1,"msg":"操作成功""#,
        r#""retCode":0,"retMsg":"OK","retExtInfo":{}"#,
        r#""message":"No data found""#,
        r#""message":"no more results""#,
        r#""message":"No coins""#,
        r#""detail":"start is out of range""#,
        r#""status":{"error_code":"0","error_message":"SUCCESS","elapsed":4,"notice":null}"#,
        r#""meta":{"page":4,"limit":100,"status":200}"#,
        r#""info":"prices in USD","note":"updated hourly","description":"BRC-20 tokens""#,
        r#""errors":{}"#,
        r#""success":true,"message":"Posts fetched""#,
        r#""code":0,"msg":"request processed""#,
        r#""message":"No exchanges listed""#,
        r#""message":"There are no posts for this symbol","warning":"v1 is deprecated""#,
        r#""Err":{},"Warn":{}"#,
        r#""Err":{"type":0,"message":"","other_info":{}}"#,
        r#""err":{"code":0,"msg":"OK"},"fault":null"#,
        r#""err":0"#,
        r#""err":"","ret":"ok""#,
        r#""err":"no data found""#,
        r#""errors":[],"error":null,"isError":false,"errno":0,"ret":1"#,
    ] {
        assert_eq!(names(&format!(r#"{{{around},"data":[]}}"#)), (vec![], vec![]), "{around}");
    }
}

#[test]
fn faults_beside_data_do_not_hide_them() {
    let data = format!(r#""data":[{}]"#, coin(1, "Bitcoin"));
    for around in [r#""Err":{}"#, r#""err":"one source was down""#, r#""fault":{"faultstring":"x"}"#, r#""ret":"fail""#]
    {
        assert_eq!(names(&format!("{{{around},{data}}}")).0, ["Bitcoin"], "{around}");
    }
}

#[test]
fn reasons_in_a_list_of_errors_beside_data_are_named() {
    let data = format!(r#""data":[{}]"#, coin(1, "Bitcoin"));
    for around in [r#""status":{"error_code":0},"errors":["too slow"]"#, r#""success":"false","message":"too slow""#] {
        let (found, warnings) = names(&format!("{{{around},{data}}}"));
        assert_eq!(found, ["Bitcoin"], "{around}");
        assert_eq!(warnings, ["the service reports an error: too slow"], "{around}");
    }
}

#[test]
fn json_lines_are_a_list() {
    let [first, second] = [coin(1, "Bitcoin"), coin(2, "Ether")];
    let both = (vec!["Bitcoin".to_owned(), "Ether".to_owned()], vec![]);
    assert_eq!(names(&format!("{first}\n{second}\n")), both);
    assert_eq!(names(&format!(")]}}',\n[{first},{second}]")), both);
    let ignored = vec!["ignored data after the JSON".to_owned()];
    assert_eq!(names(&format!("[{first}] [{second}]")), (vec!["Bitcoin".to_owned()], ignored));
}
