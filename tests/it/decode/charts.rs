//! Charts and price history in all formats.

use satscope::client::ErrorKind;
use satscope::model::{Chart, Point, VolumeSpan};

use super::{chart, chart_in, coins, coins_in, currency, fixture, get, series};

#[test]
fn all_chart_formats_decode_to_the_same_points() {
    let (reference, warnings) = chart("USD", fixture!("chart_v3"));
    assert_eq!(warnings, [] as [&str; 0]);
    let prices: Vec<Option<f64>> = reference.points.iter().map(|point| point.price).collect();
    assert_eq!(prices, [Some(8.40), Some(8.41), Some(8.42)]);
    assert_eq!(reference.points[0].time.to_string(), "2026-11-19T07:55:00Z");
    for body in [fixture!("chart_v3_3"), fixture!("chart_coingecko"), fixture!("chart_quotes"), fixture!("chart_plain")]
    {
        assert_eq!(chart("USD", body), (reference.clone(), Vec::new()), "{body}");
    }
    let candles = Chart { volume_span: VolumeSpan::Candle, ..reference.clone() };
    assert_eq!(chart("USD", fixture!("chart_candles")), (candles, Vec::new()));
    for body in [
        "[[1795074900000,8.3,8.5,8.3,8.40],[1795075200000,8.4,8.5,8.3,8.41],[1795075500000,8.4,8.5,8.3,8.42]]",
        r#"{"s":"ok","t":[1795074900,1795075200,1795075500],"c":[8.40,8.41,8.42],"o":[1,1,1],"v":[61233000.2,"1",null]}"#,
        "[[8.40,61233000.2,1795074900],[8.41,61233901.2,1795075200],[8.42,61200110.4,1795075500]]",
        r#"{"1795074900":8.40,"1795075200":8.41,"1795075500":"8.42"}"#,
        r#"{"result":{"prices":{"2026-11-19T07:55:00Z":8.40,"2026-11-19T08:00:00Z":8.41,"2026-11-19T08:05:00Z":8.42}}}"#,
    ] {
        let (chart, _) = chart("USD", body);
        let same = |(a, b): (&Point, &Point)| (a.time, a.price) == (b.time, b.price);
        assert!(chart.points.len() == 3 && chart.points.iter().zip(&reference.points).all(same), "{body}: {chart:?}");
    }
}

#[test]
fn chart_in_another_currency_has_gap_for_points_in_usd_only() {
    let (euro, warnings) = chart("EUR", fixture!("chart_v3"));
    assert_eq!(warnings, [] as [&str; 0]);
    assert_eq!(euro.convert, currency("EUR"));
    let prices: Vec<Option<f64>> = euro.points.iter().map(|point| point.price).collect();
    assert_eq!(prices, [Some(7.78), Some(7.79), None]);

    let (dollar, warnings) = chart("EUR", fixture!("chart_v3_3"));
    assert_eq!((dollar.convert, dollar.points.len()), (currency("USD"), 3));
    assert_eq!(warnings, ["prices are in USD instead of EUR"]);
}

#[test]
fn charts_under_an_id_and_coins_under_a_category_are_read() {
    let point = r#"{"timestamp":"2026-11-19T07:50:00.000Z","quote":{"USD":{"price":7.71}}}"#;
    for body in [
        format!(r#"{{"data":{{"25028":{{"id":25028,"quotes":[{point}]}}}}}}"#),
        format!(r#"{{"data":{{"ORDI":[{{"slug":"other","quotes":[]}},{{"slug":"ordi","quotes":[{point}]}}]}}}}"#),
    ] {
        assert_eq!(chart("USD", &body).0.points[0].price, Some(7.71), "{body}");
    }
    let two = format!(r#"{{"data":{{"ORDI":[{{"quotes":[]}},{{"quotes":[{point}]}}]}}}}"#);
    assert!(matches!(get(&chart_in("USD"), &two), Err(ErrorKind::Unrecognised(_))));

    let category = r#"{"data":{"6051a82566fc1b42617d6dc6":{"id":"6051a82566fc1b42617d6dc6","name":"BRC-20","coins":[{"id":1,"name":"ORDI"}]}}}"#;
    let (page, _) = coins(&coins_in("USD"), category);
    assert_eq!((page.items.len(), page.items[0].name.as_str()), (1, "ORDI"));
}

#[test]
fn empty_chart_is_valid() {
    for body in [r#"{"data":{"points":{}}}"#, r#"{"data":{"points":null}}"#, r#"{"prices":[]}"#, "[]", r#"{"data":{}}"#]
    {
        assert_eq!(chart("USD", body).0.points, [], "{body}");
    }
    assert!(matches!(get(&chart_in("USD"), r#"{"data":{"id":1}}"#), Err(ErrorKind::Unrecognised(_))));
    assert!(matches!(get(&chart_in("USD"), r#"[{"a":1}]"#), Err(ErrorKind::Unrecognised(_))));
}

#[test]
fn error_without_data_is_not_an_empty_chart() {
    // Yahoo Finance.
    let message = "No data found, symbol may be delisted";
    for name in ["chart", "spark"] {
        let body =
            format!(r#"{{"{name}":{{"result":null,"error":{{"code":"Not Found","description":"{message}"}}}}}}"#);
        let error = get(&chart_in("USD"), &body).unwrap_err();
        assert_eq!(error, ErrorKind::InBody { code: None, message: Some(message.to_owned()) }, "{name}");
    }
    let error = get(&chart_in("USD"), "{}").unwrap_err();
    assert_eq!(error, ErrorKind::Unrecognised(String::from("an empty object")));
    let (empty, _) = chart("USD", r#"{"chart":{"result":null,"error":null}}"#);
    assert_eq!(empty.points, []);
}

#[test]
fn series_with_shared_symbol_are_distinguished_by_id() {
    let (series, _) = series(&["ORDI", "SATS"], fixture!("market_by_symbol"));
    let names: Vec<_> = series.iter().map(|s| (s.id.as_deref(), s.symbol.as_str(), s.points.len())).collect();
    assert_eq!(names, [(Some("25028"), "ORDI", 2), (Some("77"), "ORDI", 0), (Some("28683"), "SATS", 1)]);
    assert_eq!(series[0].points[1].price, None);
}

#[test]
fn series_formats_are_decoded() {
    let point = r#"{"timestamp":"2026-11-19T07:50:00.000Z","quote":{"EUR":{"price":7.71}}}"#;
    for body in [
        format!(r#"{{"data":{{"id":1,"name":"ORDI","symbol":"ORDI","quotes":[{point}]}}}}"#),
        format!(r#"[{{"symbol":"ORDI","quotes":[{point}]}}]"#),
        format!(r#"{{"data":{{"ORDI":{{"quotes":[{point}]}}}}}}"#),
        format!(r#"{{"ordi":[{point}]}}"#),
        format!(r#"{{"data":[{point}]}}"#),
        r#"{"data":[[1795074600000,7.71]]}"#.into(),
        r#"{"prices":[[1795074600000,7.71]],"total_volumes":[]}"#.into(),
        r#"{"data":{"points":{"1795074600":{"v":[8.3],"c":[7.71]}}}}"#.into(),
        r#"{"ORDI":[[1795074600,7.71]]}"#.into(),
    ] {
        let (series, warnings) = series(&["ORDI"], &body);
        let [one] = series.as_slice() else { panic!("{body}: {series:?} {warnings:?}") };
        assert_eq!(
            (one.symbol.as_str(), &one.convert, one.interval.as_deref()),
            ("ORDI", &currency("EUR"), None),
            "{body}"
        );
        let points: Vec<_> = one.points.iter().map(|point| (point.time.to_string(), point.price)).collect();
        assert_eq!(points, [("2026-11-19T07:50:00Z".to_owned(), Some(7.71))], "{body}");
    }
    let (two, _) = series(&["ORDI", "SATS"], fixture!("market_by_id"));
    let symbols: Vec<_> = two.iter().map(|s| (s.id.as_deref(), s.symbol.as_str(), s.convert.as_str())).collect();
    assert_eq!(symbols, [(Some("25028"), "ORDI", "EUR"), (Some("28683"), "SATS", "USD")]);
}
