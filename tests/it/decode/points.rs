//! Rows, columns and gaps of charts.

use satscope::model::VolumeSpan;

use super::*;

const TIME: &str = "1795074900";

/// Prices of a chart in USD, without the warnings.
fn prices(body: &str) -> Vec<Option<f64>> {
    chart("USD", body).0.points.iter().map(|point| point.price).collect()
}

#[test]
fn row_time_is_found_next_to_large_numbers() {
    for row in [
        "[@,8.4]",
        "[@,8.4,250000000,900000000]",
        "[8.4,@]",
        r#"[8.4,"2026-11-19T07:55:00Z"]"#,
        "[8.4,250000,@]",
        "[@,8.3,8.5,8.3,8.4]",
        "[@,8.3,8.5,8.3,8.4,250000000]",
        "[8.3,8.5,8.3,8.4,250000,@]",
    ] {
        let (chart, warnings) = chart("USD", &format!("[{}]", row.replace('@', TIME)));
        assert_eq!(
            (chart.points[0].time.to_string().as_str(), chart.points[0].price),
            ("2026-11-19T07:55:00Z", Some(8.4)),
            "{row}"
        );
        assert_eq!(warnings, [] as [&str; 0], "{row}");
    }
    // A bitcoin costs more than 10^8 of some currencies.
    for row in ["[@,1600000000]", "[@,1600000000,250000000]", "[@,1600000000,1600000000,1,1600000000,250000000]"] {
        let (chart, _) = chart("USD", &format!("[{}]", row.replace('@', TIME)));
        assert_eq!(
            (chart.points[0].time.to_string().as_str(), chart.points[0].price),
            ("2026-11-19T07:55:00Z", Some(1.6e9)),
            "{row}"
        );
    }
}

#[test]
fn last_point_with_price_wins_for_duplicate_times() {
    for (rows, price) in [
        ("[@,1],[@,2]", Some(2.0)),
        ("[@,1],[@,null]", Some(1.0)),
        ("[@,null],[@,2]", Some(2.0)),
        ("[@,null],[@,null]", None),
    ] {
        assert_eq!(prices(&format!("[{}]", rows.replace('@', TIME))), [price], "{rows}");
    }
    let (chart, _) = chart("USD", &format!("[[{TIME},null,1],[{TIME},null,2]]"));
    assert_eq!(chart.points[0].volume, Some(2.0));
}

#[test]
fn point_without_price_is_a_gap_and_empty_point_is_skipped() {
    let one = |fields: &str| format!(r#"[{{"time":{TIME},{fields}}}]"#);
    assert_eq!(prices(&one(r#""price":null"#)), [None]);
    assert_eq!(prices(&one(r#""c":8.4"#)), [Some(8.4)]);
    assert_eq!(prices(&one(r#""v":5"#)), [None]);
    let (found, warnings) = chart("USD", &one(r#""price":8.4,"volume":{"usd":5}"#));
    assert_eq!((found.points[0].price, found.points[0].volume, warnings), (Some(8.4), Some(5.0), vec![]));
    for nothing in [r#""high":null"#, r#""high":9"#] {
        assert!(matches!(get(&chart_in("USD"), &one(nothing)), Err(ErrorKind::Unrecognised(_))), "{nothing}");
    }
}

#[test]
fn response_without_points_field_is_not_a_chart() {
    for body in ["null", "17", "\"hello\"", r#"{"x":null}"#, r#"{"points":5}"#, r#"{"id":1,"x":null}"#] {
        assert!(matches!(get(&chart_in("USD"), body), Err(ErrorKind::Unrecognised(_))), "{body}");
    }
    for body in ["{\"points\":null}", "{\"data\":{\"id\":1,\"quotes\":null}}"] {
        assert_eq!(prices(body), [], "{body}");
    }
}

#[test]
fn only_explicitly_empty_response_is_a_market_without_series() {
    let request = market(&["ORDI"]);
    for body in [
        "[]",
        r#"{"data":[]}"#,
        r#"{"data":{}}"#,
        r#"{"code":0,"data":null}"#,
        r#"{"data":{"ORDI":null}}"#,
        r#"{"data":{"ORDI":[]}}"#,
        r#"{"data":{"total":0,"list":null}}"#,
        r#"{"data":{"ORDI":null},"status":{"error_code":0}}"#,
    ] {
        let outcome = get(&request, body);
        assert!(matches!(&outcome, Ok((ResponseData::Market(series), _)) if series.is_empty()), "{body}: {outcome:?}");
    }
    for body in [r#"{"data":{"ticker":"ordi","max":"21000000"}}"#, r#"{"data":{"note":"soon"}}"#, "{}", r#"{"x":null}"#]
    {
        let outcome = get(&request, body);
        assert!(matches!(outcome, Err(ErrorKind::Unrecognised(_))), "{body}: {outcome:?}");
    }
}

#[test]
fn chart_without_currency_has_warning_unless_usd() {
    let body = format!("[[{TIME},8.4]]");
    assert_eq!(chart("USD", &body).1, [] as [&str; 0]);
    let unstated = ["response doesn't state its currency; assuming EUR"];
    assert_eq!(chart("EUR", &body).1, unstated);
    assert_eq!(chart("EUR", "[]").1, [] as [&str; 0]);
}

#[test]
fn negative_price_is_a_gap() {
    let body = r#"{"prices":[[1795075200000,-5],[1795075500000,8.4]],"total_volumes":[[1795075500000,-1]]}"#;
    let (chart, warnings) = chart("USD", body);
    let figures: Vec<_> = chart.points.iter().map(|point| (point.price, point.volume)).collect();
    assert_eq!(figures, [(None, None), (Some(8.4), None)]);
    assert_eq!(warnings, ["skipped 2 negative point values"]);
}

#[test]
fn zeros_before_the_first_price_are_gaps() {
    let days = |closes: &[f64]| -> Vec<(Option<f64>, Option<f64>)> {
        let row = |(day, close): (i64, &f64)| {
            let time = 1_795_046_400 + day * 86_400;
            format!(r#"{{"time":{time},"open":{close},"high":{close},"low":{close},"close":{close},"volumeto":0}}"#)
        };
        let rows: Vec<String> = (0..).zip(closes).map(row).collect();
        let body = format!(r#"{{"Response":"Success","Data":{{"Data":[{}]}}}}"#, rows.join(","));
        chart("USD", &body).0.points.iter().map(|point| (point.price, point.volume)).collect()
    };
    let zero = Some(0.0);
    let price = |price| (Some(price), zero);
    assert_eq!(days(&[0.0, 0.0, 8.4, 8.5]), [(None, None), (None, None), price(8.4), price(8.5)]);
    assert_eq!(days(&[0.0, 0.0]), [price(0.0), price(0.0)], "its price is 0");
    assert_eq!(prices("[[1795074900,null],[1795075200,0],[1795075500,8.4]]"), [None, None, Some(8.4)]);
}

#[test]
fn zeros_after_a_price_are_gaps() {
    let (found, warnings) = chart("USD", "[[1795074900,0],[1795075200,8.4,6e7],[1795075500,0,0],[1795075800,8.5]]");
    let figures: Vec<_> = found.points.iter().map(|point| (point.price, point.volume)).collect();
    assert_eq!(figures, [(None, None), (Some(8.4), Some(6e7)), (None, None), (Some(8.5), None)]);
    assert_eq!(warnings, ["skipped 1 zero price"]);
    assert_eq!(prices("[[1795074900,8.4],[1795075200,0]]"), [Some(8.4), None]);
    // The last price may be rounded.
    assert_eq!(prices("[[1795074900,1e-8],[1795075200,0]]"), [Some(1e-8), Some(0.0)]);
}

#[test]
fn candles_with_formatted_prices_are_read() {
    let row = r#"["1795075200","61,234.10","61,900.00","60,100.50","61,500.00","1,234"]"#;
    let (chart, warnings) = chart("USD", &format!("[{row}]"));
    assert_eq!((chart.points[0].price, warnings), (Some(61_500.0), vec![]));
}

#[test]
fn candles_in_another_column_order_are_rejected() {
    for row in [
        // KuCoin, Bitfinex: time, open, close, high, low.
        r#"["@","8.1","8.5","9","7","100","850"]"#,
        "[@,8.1,8.5,9,7,850]",
        "[@,8.1,8.5,9,7]",
        // Bitfinex, a candle that could be Coinbase's.
        "[@,8,9,9,8,850]",
        // Gate.io: time, volume, close, high, low, open.
        r#"["@","850","8.5","9","7","8.1","100","true"]"#,
        // Price, volume, market cap and supply.
        "[@,8.1,9e9,1.7e8,21000000]",
        "[@,8.1,9e9,1.7e8,21000000,5]",
        "[@,null,null,null,8.4]",
    ] {
        let body = format!("[{}]", row.replace('@', "1795075200"));
        let error = get(&chart_in("USD"), &body);
        match error {
            Err(ErrorKind::Unrecognised(what)) => assert_eq!(what, "candles in an unknown column order", "{row}"),
            Ok((ResponseData::Chart(chart), warnings)) => {
                assert_eq!(chart.points[0].price, None, "{row}");
                assert_eq!(warnings, ["skipped 1 candle with inconsistent prices"], "{row}");
            }
            other => panic!("{other:?}"),
        }
        assert!(
            get(&market(&["ORDI"]), &body).is_err() || series(&["ORDI"], &body).0[0].points[0].price.is_none(),
            "{row}"
        );
    }
    let by_time = r#"{"1795075200":[8.41,61233901.2,176610000,0.0000912,21000000]}"#;
    assert!(matches!(get(&chart_in("USD"), by_time), Err(ErrorKind::Unrecognised(_))));
}

#[test]
fn one_inconsistent_candle_is_a_gap() {
    let body = "[[1795074900,8.3,8.5,8.3,8.4],[1795075200,8.4,8.41,8.5,8.3],[1795075500,8.4,8.4,8.4,8.4]]";
    assert_eq!(prices(body), [Some(8.4), None, Some(8.4)]);
    assert_eq!(chart("USD", body).1, ["skipped 1 candle with inconsistent prices"]);
    // Coinbase: time, low, high, open, close, volume. The second row alone could be Bitfinex's.
    let body = "[[1795074900,8.3,8.5,8.4,8.41,5],[1795075200,8,9,9,8,5]]";
    assert_eq!(prices(body), [Some(8.41), Some(8.0)]);
}

#[test]
fn volume_of_a_candle_is_distinguished_from_that_of_a_day() {
    for (body, span) in [
        // Binance, OKX.
        (r#"[[@000,"8.4","8.5","8.3","8.41","1450.1",0,"12197.9",321,"700.1","5888.1","0"]]"#, VolumeSpan::Candle),
        (r#"[["@000","8.4","8.5","8.3","8.41","1450.1","1450.1","12197.9","1"]]"#, VolumeSpan::Candle),
        // CoinMarketCap's k-line candles and points.
        ("[[8.4,8.5,8.3,8.41,12197.9,@,7]]", VolumeSpan::Candle),
        ("[[8.41,12197.9,@]]", VolumeSpan::Candle),
        (r#"[{"time":@,"open":8.4,"high":8.5,"low":8.3,"close":8.41,"volumeto":12197.9}]"#, VolumeSpan::Candle),
        (
            r#"[{"time_close":@,"quote":{"USD":{"open":8.4,"high":8.5,"low":8.3,"close":8.41,"volume":12197.9}}}]"#,
            VolumeSpan::Candle,
        ),
        (r#"[{"time":@,"volume":12197.9,"quote":{"USD":{"open":8.4,"close":8.41}}}]"#, VolumeSpan::Candle),
        (r#"[{"time":@,"volume_24h":6e7,"quote":{"USD":{"open":8.4,"close":8.41}}}]"#, VolumeSpan::Day),
        (r#"[["time","open","high","low","close","volume"],[@,8.4,8.5,8.3,8.41,12197.9]]"#, VolumeSpan::Candle),
        (
            r#"{"currency":"USD","columns":["t","o","h","l","c","v"],"data":[[@,8.4,8.5,8.3,8.41,12197.9]]}"#,
            VolumeSpan::Candle,
        ),
        (r#"[["time","close","volume"],[@,8.41,6e7]]"#, VolumeSpan::Day),
        (r#"[["time","open","close","volume_24h"],[@,8.4,8.41,6e7]]"#, VolumeSpan::Day),
        (r#"[{"time":@,"price":8.41,"volume":6e7}]"#, VolumeSpan::Day),
        (r#"[{"time":@,"price":8.41,"open":8.4,"volume":6e7}]"#, VolumeSpan::Day),
        (r#"[{"time":@,"open":8.4,"high":8.5,"low":8.3,"close":8.41,"volume_24h":6e7}]"#, VolumeSpan::Day),
        (r#"[{"timestamp":@,"quote":{"USD":{"price":8.41,"volume_24h":6e7}}}]"#, VolumeSpan::Day),
        (r#"{"prices":[[@000,8.41]],"total_volumes":[[@000,6e7]]}"#, VolumeSpan::Day),
        (r#"{"prices":[[@000,8.4,8.5,8.3,8.41]],"total_volumes":[[@000,6e7]]}"#, VolumeSpan::Day),
        (r#"{"@":{"v":[8.41,6e7,1.7e8]}}"#, VolumeSpan::Day),
    ] {
        let body = body.replace('@', TIME);
        let (chart, warnings) = chart("USD", &body);
        let point = chart.points[0];
        assert_eq!((point.price, point.volume.is_some(), warnings.len()), (Some(8.41), true, 0), "{body}");
        assert_eq!(chart.volume_span, span, "{body}");
        if body.starts_with("[{") {
            let (market, _) = series(&["ORDI"], &body);
            assert_eq!(market[0].volume_span, span, "{body}");
        }
    }
}

#[test]
fn volumes_of_a_day_among_those_of_candles_are_ignored() {
    let body = r#"[{"time":1795074600,"open":8.4,"high":8.5,"low":8.3,"close":8.41,"volume":12197.9},
        {"time":1795074900,"price":8.42,"volume_24h":6e7}]"#;
    let (chart, warnings) = chart("USD", body);
    let volumes: Vec<_> = chart.points.iter().map(|point| point.volume).collect();
    assert_eq!((volumes, chart.volume_span), (vec![Some(12_197.9), None], VolumeSpan::Candle));
    assert_eq!(warnings, ["ignored 24-hour volumes mixed with candle volumes (1 point)"]);
}
