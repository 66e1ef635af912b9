//! Columns of charts: names, volumes, lengths and times.

use super::{ErrorKind, chart, chart_in, get, series};

const TIME: &str = "1795074900";

fn error(body: &str) -> String {
    match get(&chart_in("USD"), body).expect_err(body) {
        ErrorKind::Unrecognised(what) => what,
        other => panic!("{body}: {other}"),
    }
}

/// Price, volume and market cap of the first point, and the number of warnings.
fn first(body: &str) -> ([Option<f64>; 3], usize) {
    let (chart, warnings) = chart("USD", body);
    let point = chart.points[0];
    ([point.price, point.volume, point.market_cap], warnings.len())
}

#[test]
fn named_columns_are_read_in_their_order() {
    let all = [Some(8.4), Some(6e7), Some(1.7e8)];
    for (body, figures) in [
        (r#"{"columns":["time","volume","price"],"data":[[@,6e7,8.4]]}"#, [Some(8.4), Some(6e7), None]),
        (r#"{"fields":["timestamp","marketCap","price","volume_24h"],"data":[[@,1.7e8,8.4,6e7]]}"#, all),
        (r#"{"data":{"header":["price","volume","market_cap"],"rows":[[@,8.4,6e7,1.7e8]]}}"#, all),
        (
            r#"{"headers":[{"name":"date"},{"name":"supply"},{"name":"price"}],"data":[[@,21e6,8.4]]}"#,
            [Some(8.4), None, None],
        ),
        (r#"{"names":["timestamp","close","high","low","open"],"data":[[@,8.4,9,8,8.1]]}"#, [Some(8.4), None, None]),
        (r#"{"columns":["price","volume"],"data":{"@":[8.4,6e7]}}"#, [Some(8.4), Some(6e7), None]),
        (r#"[["time","volume","price"],[@,6e7,8.4]]"#, [Some(8.4), Some(6e7), None]),
        // A header of other rows.
        (r#"{"fields":["price","volume"],"data":[{"time":@,"price":8.4,"volume":6e7}]}"#, [Some(8.4), Some(6e7), None]),
    ] {
        let body = body.replace('@', TIME);
        assert_eq!(first(&body), (figures, 0), "{body}");
    }
    let in_dollars = format!(r#"{{"columns":["time","price_usd"],"data":[[{TIME},8.4]]}}"#);
    assert_eq!(chart("EUR", &in_dollars).0.convert.as_str(), "USD");
    for (body, what) in [
        (r#"{"columns":["time","volume"],"data":[[@,6e7]]}"#, "columns without a price (time, volume)"),
        (r#"{"columns":["time","foo","bar"],"data":[[@,1,2]]}"#, "columns without a price (time, foo, bar)"),
        (r#"{"columns":["time","price"],"data":[[@,8.4,6e7]]}"#, "2 column names for 3 columns"),
    ] {
        assert_eq!(error(&body.replace('@', TIME)), what, "{body}");
    }
}

#[test]
fn names_of_columns_are_found_in_objects_beside_the_rows() {
    let candle = "[[@,8.4,8.5,8.3,8.31]]";
    let columns = r#"["timestamp","close","high","low","open"]"#;
    for body in [
        // Messari.
        format!(r#"{{"data":{{"parameters":{{"columns":{columns},"order":"ascending"}},"values":{candle}}}}}"#),
        format!(r#"{{"meta":{{"fields":{columns}}},"data":{{"values":{candle}}}}}"#),
        format!(r#"{{"data":{{"order":{columns},"values":{candle}}}}}"#),
        format!(
            r#"{{"data":{{"schema":{{"metric_id":"price","values_schema":{{"timestamp":"ms","close":"a price","high":"",
            "low":"","open":""}}}},"values":{candle}}}}}"#
        ),
    ] {
        let body = body.replace('@', TIME);
        assert_eq!(first(&body), ([Some(8.4), None, None], 0), "{body}");
        assert_eq!(series(&["ORDI"], &body).0[0].points[0].price, Some(8.4), "{body}");
    }
    let last = r#"{"config":{"columns":["timestamp","volume","market_cap","close"]},"data":[[@,6e7,1.7e8,8.4]]}"#;
    assert_eq!(first(&last.replace('@', TIME)), ([Some(8.4), Some(6e7), Some(1.7e8)], 0));
    let volumes = r#"{"meta":{"columns":["timestamp","volume"]},"data":[[@,6e7]]}"#;
    assert_eq!(error(&volumes.replace('@', TIME)), "columns without a price (timestamp, volume)");
}

#[test]
fn lists_beside_the_rows_that_are_not_column_names_are_ignored() {
    for beside in [
        r#""meta":{"fields":["id","name"]}"#,
        r#""meta":{"columns":["time","price","x"]}"#,
        r#""params":{"fields":["price","volume"]}"#,
        r#""params":{"fields":["price","timestamp"]}"#,
        r#""meta":{"columns":["time","x"]}"#,
        // Sorted by name.
        r#""schema":{"values_schema":{"close":"","timestamp":""}}"#,
    ] {
        let body = format!(r#"{{{beside},"data":[[{TIME},8.4]]}}"#);
        assert_eq!(first(&body), ([Some(8.4), None, None], 0), "{body}");
        assert_eq!(series(&["ORDI"], &body).0[0].points[0].price, Some(8.4), "{body}");
    }
    let fields = format!(r#"{{"fields":["symbol","name","price"],"data":{{"ORDI":[[{TIME},8.4]]}}}}"#);
    assert_eq!(series(&["ORDI"], &fields).0[0].points[0].price, Some(8.4));
}

#[test]
fn price_histories_in_tables_are_read_by_their_column_names() {
    let table = format!(r#"{{"columns":["time","volume","price"],"data":[[{TIME},6e7,8.4]]}}"#);
    let by_symbol =
        format!(r#"{{"meta":{{"columns":["time","volume","price"]}},"data":{{"ORDI":[[{TIME},6e7,8.4]]}}}}"#);
    for body in [table, by_symbol] {
        let point = &series(&["ORDI"], &body).0[0].points[0];
        assert_eq!((point.price, point.volume), (Some(8.4), Some(6e7)), "{body}");
    }
}

#[test]
fn series_of_other_values_are_not_prices() {
    for (body, what) in [
        (r#"{"metric":"market_cap","data":[[@,1.7e8]]}"#, "expected prices, found market_cap"),
        (r#"{"series":"volume","points":[[@,6e7]]}"#, "expected prices, found volume"),
        (r#"{"metric":"volume","data":{"@":6e7}}"#, "expected prices, found volume"),
    ] {
        assert_eq!(error(&body.replace('@', TIME)), what, "{body}");
    }
    assert!(get(&chart_in("USD"), &format!(r#"{{"data":{{"total_volumes":[[{TIME},6e7]]}}}}"#)).is_err());
    for named in [r#""metric":"price""#, r#""series":"ordi""#] {
        assert_eq!(first(&format!(r#"{{{named},"points":[[{TIME},8.4]]}}"#)).0[0], Some(8.4), "{named}");
    }
}

#[test]
fn prices_in_other_currencies_are_not_volumes() {
    // CoinStats: time, dollars, bitcoin, ether.
    for row in ["[@,8.4,0.0001335,0.00251]", "[@,8.4,7.7]", "[@,8.4,7.7,1300]", r#"["@","63000","1","20.1"]"#] {
        let body = format!("[{}]", row.replace('@', TIME));
        let (found, warnings) = chart("USD", &body);
        assert_eq!((found.points[0].volume, found.points[0].market_cap), (None, None), "{row}");
        assert_eq!(warnings, ["ignored unnamed columns: too small for volume and market cap"], "{row}");
    }
    for (row, figures) in [
        ("[@,8.4,6e7,1.7e8]", [Some(8.4), Some(6e7), Some(1.7e8)]),
        ("[@,8.4,0,1.7e8]", [Some(8.4), Some(0.0), Some(1.7e8)]),
        ("[63000,500,@]", [Some(63_000.0), Some(500.0), None]),
    ] {
        assert_eq!(first(&format!("[{}]", row.replace('@', TIME))), (figures, 0), "{row}");
    }
}

#[test]
fn unnamed_volumes_far_above_the_market_caps_are_ignored() {
    let warning = "ignored unnamed columns: the volume is far above the market cap";
    for (rows, is_read) in [
        (["1.7e8,6e6"; 10], false),
        // A stablecoin; coins with wash trades.
        (["2e11,1.8e11"; 10], true),
        (["3e8,1.7e8"; 10], true),
        (["8e8,1.7e8"; 10], true),
        // Market caps of 0 are unknown.
        (["6e7,0"; 10], true),
        (std::array::from_fn(|row| if row < 8 { "1.7e9,1.7e8" } else { "6e7,1.7e8" }), true),
    ] {
        let rows =
            rows.iter().enumerate().map(|(row, figures)| format!("[{},8.4,{figures}]", 1_795_074_900 + row * 300));
        let (found, warnings) = chart("USD", &format!("[{}]", rows.collect::<Vec<_>>().join(",")));
        assert_eq!(found.points.iter().all(|point| point.volume.is_some()), is_read, "{:?}", found.points);
        assert_eq!(warnings, if is_read { vec![] } else { vec![warning.to_owned()] });
    }
    // Named columns are what their names say.
    let named = format!(r#"{{"columns":["time","price","volume","market_cap"],"data":[[{TIME},8.4,1.7e9,6e7]]}}"#);
    assert_eq!(first(&named), ([Some(8.4), Some(1.7e9), Some(6e7)], 0));
}

#[test]
fn volume_of_a_candle_is_in_money() {
    let candle =
        |volumes: &str| format!(r#"[{{"time":{TIME},"open":8.3,"high":8.5,"low":8.2,"close":8.4,{volumes}}}]"#);
    for volumes in [
        r#""volume":147000.5,"volumeQuote":1240000.1"#,
        r#""quoteVolume":"1240000.1","volume":"147000.5""#,
        r#""volume":"147000.5","turnover":"1240000.1""#,
        r#""volumefrom":147000.5,"volumeto":1240000.1"#,
    ] {
        assert_eq!(first(&candle(volumes)).0, [Some(8.4), Some(1_240_000.1), None], "{volumes}");
    }
    // Elsewhere, the turnover is a ratio.
    let point = format!(r#"[{{"time":{TIME},"price":8.4,"volume":6e7,"turnover":0.35}}]"#);
    assert_eq!(first(&point).0[1], Some(6e7));
}

#[test]
fn columns_of_different_lengths_are_rejected() {
    assert_eq!(error(r#"{"s":"ok","t":[1795074900],"c":[8.4,8.41]}"#), "1 time, but 2 prices");
    assert_eq!(error(r#"{"s":"ok","t":[1795074900,1795075200],"c":[8.4]}"#), "2 times, but 1 price");
}

#[test]
fn values_at_slightly_other_times_are_joined() {
    let body = r#"{"prices":[[1795074900000,8.4],[1795075200000,8.41],[1795075500000,8.42]],
        "total_volumes":[[1795074900137,1],[1795075200137,2],[1795075500137,3]],
        "market_caps":[[1795074899000,5],[1795075040000,6],[1795099999000,7]]}"#;
    let (chart, _) = chart("USD", body);
    let figures: Vec<_> = chart.points.iter().map(|point| (point.volume, point.market_cap)).collect();
    assert_eq!(figures, [(Some(1.0), Some(5.0)), (Some(2.0), None), (Some(3.0), None)]);
}

#[test]
fn values_at_other_times_belong_to_the_nearest_price() {
    let volumes = |offset: i64| {
        let rows = |offset: i64| {
            let row = |n: i64| format!("[{},{}]", 1_795_074_900_000 + n * 300_000 + offset, n + 1);
            (0..4).map(row).collect::<Vec<_>>().join(",")
        };
        let body = format!(r#"{{"prices":[{}],"total_volumes":[{}]}}"#, rows(0), rows(offset));
        let (chart, warnings) = chart("USD", &body);
        (chart.points.iter().map(|point| point.volume.unwrap_or(0.0)).collect::<Vec<_>>(), warnings)
    };
    for (offset, expected) in [
        (0, [1.0, 2.0, 3.0, 4.0]),
        (149_000, [1.0, 2.0, 3.0, 4.0]),
        (-149_000, [1.0, 2.0, 3.0, 4.0]),
        // Half a step later.
        (150_000, [1.0, 2.0, 3.0, 4.0]),
        // A step later, the last one is newer than the prices.
        (300_000, [0.0, 1.0, 2.0, 3.0]),
        (450_000, [0.0, 1.0, 2.0, 3.0]),
    ] {
        let (found, warnings) = volumes(offset);
        assert_eq!((found.as_slice(), warnings), (&expected[..], vec![]), "{offset}");
    }
    let (found, warnings) = volumes(3_600_000);
    assert_eq!(found, [0.0; 4]);
    assert_eq!(warnings, ["ignored 4 of 4 total_volumes: times don't match the prices"]);
}

#[test]
fn times_of_other_centuries_are_skipped() {
    for time in ["32503680000000", "1000000000", "4102444800", "\"1999-01-01\""] {
        let (chart, warnings) = chart("USD", &format!("[[{TIME},8.4],[{time},9]]"));
        assert_eq!(
            (chart.points.len(), warnings),
            (1, vec!["skipped 1 point before 2009 or after 2100".to_owned()]),
            "{time}"
        );
        assert!(get(&chart_in("USD"), &format!("[[{time},9]]")).is_err(), "{time}");
    }
    for time in ["20261119075500", "\"20261119075500\"", "20261119075500000", "639306717000000000"] {
        let (chart, _) = chart("USD", &format!("[[{time},8.4]]"));
        assert_eq!(chart.points[0].time.to_string(), "2026-11-19T07:55:00Z", "{time}");
    }
}

#[test]
fn large_prices_are_not_times() {
    // Prices in a weak currency, such as rupiah.
    let (found, _) = chart("IDR", &format!("[[1.05e9,6e14,{TIME}]]"));
    assert_eq!((found.points[0].price, found.points[0].volume), (Some(1.05e9), Some(6e14)));
    for body in [
        "[[1.6e9,6e14,1795074900],[1.61e9,6e14,1795075200],[1.59e9,6e14,1795075500]]",
        "[[1.6e9,1795074900],[1.61e9,1795075200],[1.59e9,1795075500]]",
        "[[1.6e9,1.7e9,1.5e9,1.6e9,6e14,1795074900,9],[1.6e9,1.7e9,1.5e9,1.61e9,6e14,1795075200,9],[1.6e9,1.7e9,1.5e9,1.59e9,6e14,1795075500,9]]",
    ] {
        let (chart, warnings) = chart("IDR", body);
        let prices: Vec<_> = chart.points.iter().map(|point| point.price).collect();
        assert_eq!(prices, [Some(1.6e9), Some(1.61e9), Some(1.59e9)], "{body}");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }
    // They may rise all the time, too.
    for body in ["[[1.6e9,1795074900],[1.61e9,1795075200]]", "[[1795074900000,1.6e9],[1795075200000,1.61e9]]"] {
        let prices: Vec<_> = chart("IDR", body).0.points.iter().map(|point| point.price).collect();
        assert_eq!(prices, [Some(1.6e9), Some(1.61e9)], "{body}");
    }
}
