//! Tables, and lists, pairs and counts in nested objects and strings.

use super::*;

const COLUMNS: &str = r#"["id","name","symbol","slug","price","percent_change_24h"]"#;
const ROWS: &str = r#"[25028,"ORDI","ORDI","ordi","8.41",-3.8],[28194,"SATS","SATS","sats",2.31e-7,null]"#;
const COIN: &str = r#"{"id":25028,"name":"ORDI","symbol":"ORDI","slug":"ordi","price":8.41,"percent_change_24h":-3.8}"#;

fn is_read(body: &str, expected: usize) {
    let (page, warnings) = coins(&coins_in("USD"), body);
    let read: Vec<_> = page.items.iter().map(|coin| (coin.id.0.as_str(), coin.price, coin.change_24h_pct)).collect();
    let all = [("25028", Some(8.41), Some(-3.8)), ("28194", Some(2.31e-7), None)];
    assert_eq!((read.as_slice(), warnings), (&all[..expected], Vec::new()), "{body}");
}

#[test]
fn coins_in_rows_with_named_columns_are_read() {
    let objects = COLUMNS.replace('[', r#"[{"name":"#).replace(',', r#"},{"name":"#).replace(']', "}]");
    for table in [
        r#"{"columns":COLUMNS,"rows":[ROWS]}"#,
        r#"{"columns":COLUMNS,"index":[0,1],"data":[ROWS]}"#,
        r#"{"status":"ok","data":{"fields":COLUMNS,"values":[ROWS]}}"#,
        r#"{"range":"A1:F3","values":[COLUMNS,ROWS]}"#,
        r#"[COLUMNS,ROWS]"#,
        r#"{"meta":OBJECTS,"data":[ROWS],"rows":2}"#,
    ] {
        is_read(&table.replace("COLUMNS", COLUMNS).replace("OBJECTS", &objects).replace("ROWS", ROWS), 2);
    }
}

#[test]
fn short_row_of_a_table_is_skipped_with_a_warning() {
    let body = format!(r#"{{"columns":{COLUMNS},"rows":[{ROWS},[1,"A"]]}}"#);
    let (page, warnings) = coins(&coins_in("USD"), &body);
    assert_eq!(
        (page.items.len(), warnings),
        (2, vec!["$.rows[2]: found an array, expected a coin with a name or symbol".to_owned()])
    );
}

#[test]
fn price_histories_in_wide_rows_are_read() {
    let rows = r#"{"time":1795075200,"ORDI":8.41,"sats":"2.3e-7"},{"time":1795075500,"ORDI":null,"sats":2.4e-7}"#;
    for body in [
        format!("[{rows}]"),
        format!(r#"{{"convert":"EUR","data":[{rows}]}}"#),
        String::from(
            r#"{"columns":["time","ORDI","SATS"],"rows":[[1795075200,8.41,"2.3e-7"],[1795075500,null,2.4e-7]]}"#,
        ),
    ] {
        let (series, _) = series(&["ORDI", "SATS"], &body);
        let prices: Vec<Vec<_>> =
            series.iter().map(|one| one.points.iter().map(|point| point.price).collect()).collect();
        assert_eq!(prices, [vec![Some(8.41), None], vec![Some(2.3e-7), Some(2.4e-7)]], "{body}");
    }
    let other = r#"[{"time":1795075200,"PEPE":8.41}]"#;
    assert!(matches!(get(&market(&["ORDI", "SATS"]), other), Err(ErrorKind::Unrecognised(_))));
}

#[test]
fn pairs_in_a_table_are_read() {
    let body = r#"{"columns":["exchange","pair","price","volume_24h"],"rows":[["Binance","ORDI/USDT",8.41,"1000"]]}"#;
    let (page, warnings) = get_pairs(None, body);
    let [pair] = page.items.as_slice() else { panic!("{page:?}") };
    assert_eq!((pair.pair.as_str(), pair.price, pair.volume_24h), ("ORDI/USDT", Some(8.41), Some(1000.0)));
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn lists_in_wrappers_of_frameworks_are_read() {
    for body in [
        r#"{"_embedded":{"coinList":[@]},"_links":{"self":{"href":"https://example.org"}},"page":{"size":20,"totalElements":1}}"#,
        r#"{"records":[{"id":"recA","createdTime":"2026-11-19T08:00:00.000Z","fields":@}],"offset":"itr"}"#,
        r#"[{"result":{"data":{"json":{"coins":[@]}}}}]"#,
    ] {
        is_read(&body.replace('@', COIN), 1);
    }
}

#[test]
fn list_in_a_few_other_lists_is_read() {
    let nested = |levels: usize| format!("{}[{COIN}]{}", "[".repeat(levels), "]".repeat(levels));
    for levels in 0..=4 {
        is_read(&nested(levels), 1);
    }
    for levels in [5, 6, 40, 60] {
        let error = get(&coins_in("USD"), &nested(levels)).unwrap_err();
        assert!(matches!(error, ErrorKind::Unrecognised(_)), "{levels}: {error:?}");
    }
}

#[test]
fn json_in_a_string_is_read() {
    let list = format!("[{COIN}]");
    let text = serde_json::to_string(&list).unwrap();
    is_read(&text, 1);
    is_read(&format!(r#"{{"statusCode":200,"body":{text}}}"#), 1);
    let error = get(&coins_in("USD"), r#"{"data":"[down]"}"#).unwrap_err();
    assert_eq!(error, ErrorKind::Unrecognised("an object with the field data".into()));
}

#[test]
fn pairs_of_dexes_and_exchanges_are_read() {
    for body in [
        r#"{"pairs":[{"chainId":"x","dexId":"Uni","baseToken":{"address":"0x1","name":"ORDI","symbol":"ORDI"},
            "quoteToken":{"symbol":"USDT"},"priceNative":"0.002","priceUsd":"8.41","volume":{"h24":5}}]}"#,
        r#"{"exchanges":{"uni":{"name":"Uni","markets":[{"pair":"ORDI/USDT","price":8.41,"24hVolume":"5"}]}}}"#,
    ] {
        let (page, warnings) = get_pairs(None, body);
        let [pair] = page.items.as_slice() else { panic!("{body}: {page:?}") };
        let read = (pair.exchange.as_deref(), pair.pair.as_str(), pair.price);
        assert_eq!(read, (Some("Uni"), "ORDI/USDT", Some(8.41)), "{body}");
        assert_eq!(warnings, [] as [&str; 0], "{body}");
    }
}

#[test]
fn counts_of_a_post_may_be_in_an_object() {
    for name in ["stats", "counts", "engagement", "metrics"] {
        let body = format!(r#"[{{"id":"1","text":"$ORDI","{name}":{{"likes":37,"comments":"4","reposts":1}}}}]"#);
        let (posts, warnings) = get_posts(&body);
        assert_eq!((posts[0].likes, posts[0].comments, posts[0].reposts), (Some(37), Some(4), Some(1)), "{name}");
        assert_eq!(warnings, [] as [&str; 0]);
    }
}
