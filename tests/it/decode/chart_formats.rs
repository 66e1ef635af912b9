//! Charts in the formats of chart libraries and other services.

use super::*;

/// The prices of a chart and its currency, without other warnings than those about the currency.
fn prices(code: &str, body: &str) -> (Vec<Option<f64>>, String) {
    let (chart, warnings) = chart(code, body);
    assert!(warnings.iter().all(|warning| warning.contains("instead of")), "{body}: {warnings:?}");
    let first = chart.points.first().map(|point| point.time.to_string());
    assert_eq!(first.as_deref(), Some("2026-11-19T08:00:00Z"), "{body}");
    (chart.points.iter().map(|point| point.price).collect(), chart.convert.to_string())
}

#[test]
fn chart_by_currency_has_the_currency_of_its_key() {
    let rows = |price: f64| format!("[[1795075200000,{price}],[1795075500000,{price}]]");
    let (usd, eur, btc) = (rows(8.4), rows(7.7), rows(0.0001));
    for (body, requested, expected) in [
        (format!(r#"{{"usd":{usd}}}"#), "USD", (8.4, "USD")),
        (format!(r#"{{"usd":{usd}}}"#), "EUR", (8.4, "USD")),
        (format!(r#"{{"data":{{"usd":{usd},"eur":{eur},"btc":{btc}}}}}"#), "EUR", (7.7, "EUR")),
        (format!(r#"{{"prices":{{"eur":{eur},"usd":{usd}}}}}"#), "GBP", (8.4, "USD")),
        (format!(r#"{{"EUR":{{"prices":{eur}}}}}"#), "USD", (7.7, "EUR")),
    ] {
        let (prices, convert) = prices(requested, &body);
        assert_eq!((prices, convert.as_str()), (vec![Some(expected.0); 2], expected.1), "{body}");
    }
}

#[test]
fn charts_of_chart_libraries_are_read() {
    for (body, convert) in [
        (r#"{"labels":["2026-11-19T08:00:00Z","2026-11-19T08:05:00Z"],"datasets":[{"data":[8.4,8.5]}]}"#, "USD"),
        (
            r#"{"labels":[1795075200000,1795075500000],"datasets":[{"label":"Price (EUR)","data":[8.4,8.5]},
            {"label":"Volume","data":[84,85]}]}"#,
            "EUR",
        ),
        (
            r#"{"data":{"categories":["2026-11-19T08:00:00Z","2026-11-19T08:05:00Z"],"series":[{"name":"ORDI price in €","data":[8.4,8.5]}]}}"#,
            "EUR",
        ),
        (r#"{"xAxis":{"data":[1795075200,1795075500]},"series":[{"name":"Close","data":["8.4","8.5"]}]}"#, "USD"),
        (
            r#"{"chart":{"result":[{"meta":{"currency":"EUR","symbol":"ORDI-EUR"},"timestamp":[1795075200,1795075500],
            "indicators":{"quote":[{"open":[8.3,8.4],"close":[8.4,8.5],"volume":[100,200]}]}}],"error":null}}"#,
            "EUR",
        ),
        (
            r#"{"data":{"id":"7","type":"ohlcv","attributes":{"ohlcv_list":[[1795075500,8.4,8.6,8.3,8.5,1000],
            [1795075200,8.3,8.5,8.2,8.4,1000]]}},"meta":{"base":{"symbol":"ORDI"},"quote":{"symbol":"USDT"}}}"#,
            "USD",
        ),
    ] {
        assert_eq!(prices("USD", body), (vec![Some(8.4), Some(8.5)], convert.to_owned()), "{body}");
    }
}

#[test]
fn volumes_beside_a_chart_by_currency_keep_its_currency() {
    let rows = "[[1795075200000,8.4],[1795075500000,8.5]]";
    for beside in [r#""market_cap":{"usd":[[1795075200000,1e9]]}"#, r#""symbol":"ORDI""#, r#""updated":1795075500"#] {
        let body = format!(r#"{{"usd":{rows},{beside}}}"#);
        assert_eq!(prices("EUR", &body), (vec![Some(8.4), Some(8.5)], String::from("USD")), "{body}");
    }
}

#[test]
fn charts_of_chart_libraries_are_in_their_stated_currency() {
    let times = "[1795075200,1795075500]";
    for body in [
        format!(r#"{{"currency":"EUR","labels":{times},"datasets":[{{"data":[8.4,8.5]}}]}}"#),
        format!(
            r#"{{"meta":{{"currency":"EUR"}},"data":{{"labels":{times},"datasets":[{{"label":"Price","data":[8.4,8.5]}}]}}}}"#
        ),
        format!(r#"{{"labels":{times},"datasets":[{{"label":"Price","currency":"EUR","data":[8.4,8.5]}}]}}"#),
        format!(
            r#"{{"xAxis":{{"data":{times}}},"yAxis":{{"name":"EUR"}},"series":[{{"name":"Close","data":[8.4,8.5]}}]}}"#
        ),
        format!(
            r#"{{"categories":{times},"yAxis":[{{"name":"Volume"}},{{"title":{{"text":"Price (€)"}}}}],
            "series":[{{"name":"Price","yAxisIndex":1,"data":[8.4,8.5]}}]}}"#
        ),
        String::from(
            r#"{"currency":"eur","data":{"attributes":{"ohlcv_list":[[1795075200,8.3,8.5,8.2,8.4,1000],
            [1795075500,8.4,8.6,8.3,8.5,1000]]}},"meta":{"base":{"symbol":"ORDI"}}}"#,
        ),
    ] {
        assert_eq!(prices("USD", &body), (vec![Some(8.4), Some(8.5)], String::from("EUR")), "{body}");
    }
}

#[test]
fn charts_of_chart_libraries_about_something_else_are_not_read() {
    let times = "[1795075200,1795075500]";
    let week = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: currency("USD") };
    for (request, body) in [
        (chart_in("USD"), format!(r#"{{"labels":{times},"datasets":[{{"symbol":"BTC","data":[8.4,8.5]}}]}}"#)),
        (chart_in("USD"), format!(r#"{{"labels":{times},"datasets":[{{"unit":"cents","data":[8.4,8.5]}}]}}"#)),
        (
            chart_in("USD"),
            format!(r#"{{"labels":{times},"datasets":[{{"label":"Price (EUR)","currency":"USD","data":[8.4,8.5]}}]}}"#),
        ),
        (week, format!(r#"{{"period":"1D","labels":{times},"datasets":[{{"data":[8.4,8.5]}}]}}"#)),
    ] {
        assert!(get(&request, &body).is_err(), "{body}");
    }
}

#[test]
fn unclear_charts_of_chart_libraries_are_not_read() {
    for body in [
        r#"{"labels":["Nov 18","Nov 19"],"datasets":[{"data":[8.4,8.5]}]}"#,
        r#"{"labels":[1795075200,1795075500],"datasets":[{"label":"Volume","data":[8.4,8.5]}]}"#,
        r#"{"labels":[1795075200,1795075500],"datasets":[{"label":"SATS","data":[8.4,8.5]}]}"#,
        r#"{"labels":[1795075200,1795075500],"datasets":[{"data":[8.4,8.5]},{"data":[1,2]}]}"#,
        r#"{"labels":[1795075200,1795075500],"datasets":[{"label":"Price","data":[8.4]}]}"#,
    ] {
        assert!(get(&chart_in("USD"), body).is_err(), "{body}");
    }
}
