//! Charts and price histories whose values are not prices in a currency, according to the objects around them.

use super::*;

const ROWS: &str = "[[1795074900000,1.8e12],[1795075200000,1.8e12]]";
const POINTS: &str = r#"[{"x":1795074900,"y":1.8e12},{"x":1795075200,"y":1.8e12}]"#;

fn chart_of(slug: &str, body: &str) -> Result<(ResponseData, Vec<Warning>), ErrorKind> {
    get(&Request::Chart { slug: slug.into(), period: Period::Day, convert: currency("USD") }, body)
}

/// Checks that a response is read as prices.
fn is_read(body: &str) {
    assert!(chart("USD", body).0.points[0].price.is_some(), "{body}");
    assert!(series(&["ORDI"], body).0[0].points[0].price.is_some(), "{body}");
}

/// Checks that a response is rejected for this reason.
fn is_rejected(body: &str, reason: &str) {
    for request in [chart_in("USD"), market(&["ORDI"])] {
        assert_eq!(get(&request, body).unwrap_err(), ErrorKind::Unrecognised(reason.to_owned()), "{body}");
    }
}

#[test]
fn values_with_the_title_of_another_figure_are_not_prices() {
    for (body, what) in [
        // Blockchain.com.
        (
            format!(r#"{{"status":"ok","name":"Market Capitalization (USD)","unit":"USD","values":{POINTS}}}"#),
            "Market Capitalization (USD)",
        ),
        (format!(r#"{{"name":"Confirmed Transactions Per Day","values":{POINTS}}}"#), "Confirmed Transactions Per Day"),
        (format!(r#"{{"name":"Hash Rate","values":{POINTS}}}"#), "Hash Rate"),
        (format!(r#"{{"title":"Trading volume","unit":"USD","data":{ROWS}}}"#), "Trading volume"),
        (format!(r#"{{"label":"Market Cap","series":{ROWS}}}"#), "Market Cap"),
        (format!(r#"{{"metric":"Market Cap (USD)","data":{ROWS}}}"#), "Market Cap (USD)"),
        (r#"{"title":"Market cap","columns":["time","value"],"data":[[1795074900,1.8e12]]}"#.to_owned(), "Market cap"),
        (r#"{"data":{"name":"Value locked","values":{"1795074900":1.8e12}}}"#.to_owned(), "Value locked"),
        (format!(r#"{{"data":{{"title":"Change (%)","points":{ROWS}}}}}"#), "Change (%)"),
    ] {
        is_rejected(&body, &format!("expected prices, found {what}"));
    }
}

#[test]
fn charts_with_ambiguous_titles_are_read() {
    for title in [
        "Market Price (USD)",
        "ORDI price and volume",
        "Ordinals (ORDI) - market cap, volume",
        "Market Cap Rank #1: Ordinals",
        "Ordinals 24h (percent change in tooltip)",
        "Volume-weighted average",
        "Last trades of the day",
        "ORDI/USD trades",
    ] {
        is_read(&format!(r#"{{"title":"{title}","data":{ROWS}}}"#));
    }
    for titles in
        [r#""title":"Bitcoin Price","caption":"24h volume""#, r#""name":"Market Price (USD)","label":"Volume""#]
    {
        is_read(&format!(r#"{{{titles},"data":{ROWS}}}"#));
    }
    // A limit for hostile responses.
    is_read(&format!(r#"{{"unit":"{}","data":{ROWS}}}"#, "cents ".repeat(10_000)));
    for beside in ["request", "query", "params", "status", "meta"] {
        is_read(&format!(r#"{{"{beside}":{{"name":"Market cap","title":"volume"}},"data":{ROWS}}}"#));
    }
    for body in [
        r#"{"title":"Market cap","points":[{"time":1795074900,"price":8.4,"market_cap":1.7e8}]}"#,
        r#"{"title":"Trading volume","columns":["time","volume","price"],"data":[[1795074900,6e7,8.4]]}"#,
        r#"{"title":"Volume","timestamps":[1795074900],"prices":[8.4],"volumes":[6e7]}"#,
        r#"{"title":"Market cap, volume","data":[[1795074900,8.4,6e7,1.7e8]]}"#,
        r#"{"title":"Market cap","data":{"1795074900":{"v":[8.4,6e7,1.7e8]}}}"#,
    ] {
        is_read(body);
    }
}

#[test]
fn coins_named_like_a_figure_are_read() {
    for (slug, name) in [("volume", "Volume"), ("supply", "Supply"), ("cvi", "Crypto Volatility Token")] {
        let body = format!(r#"{{"name":"{name}","title":"{name}","values":{POINTS}}}"#);
        assert!(chart_of(slug, &body).is_ok(), "{name}");
    }
    for body in [
        format!(r#"{{"data":{{"VOL":{{"name":"Volume Network","values":{POINTS}}}}}}}"#),
        format!(r#"{{"data":[{{"name":"Total Volume","symbol":"VOL","values":{POINTS}}}]}}"#),
        format!(r#"[{{"name":"VOL Standard Hashrate Token","symbol":"VOL","data":{ROWS}}}]"#),
    ] {
        assert_eq!(series(&["VOL", "ORDI"], &body).0.len(), 1, "{body}");
    }
    let only = format!(r#"[{{"name":"BTC Standard Hashrate Token","data":{ROWS}}}]"#);
    assert_eq!(series(&["BTCST"], &only).0.len(), 1);
}

#[test]
fn prices_in_a_unit_other_than_a_currency_are_rejected() {
    for (unit, what) in [
        (r#""unit":"cents""#, "cents"),
        (r#""price_unit":"USD cents""#, "USD cents"),
        (r#""currency":"USD","unit":"minor""#, "minor"),
        (r#""units":{"price":"pence"}"#, "pence"),
        (r#""price_unit":"thousand USD""#, "thousand USD"),
        (r#""meta":{"unit":"cents"}"#, "cents"),
    ] {
        let expected = format!("prices in an unsupported unit ({what})");
        is_rejected(&format!(r#"{{{unit},"points":[{{"time":1795074900,"price":841}}]}}"#), &expected);
        is_rejected(&format!(r#"{{{unit},"data":[[1795074900000,841]]}}"#), &expected);
    }
    for unit in ["thousand USD", "k USD", "TH/s", "%", "percent", "Transactions", "Hash Rate TH/s"] {
        let expected = format!("prices in an unsupported unit ({unit})");
        is_rejected(&format!(r#"{{"unit":"{unit}","data":[[1795074900000,841]]}}"#), &expected);
        // May be the unit of the changes or volumes beside the prices.
        is_read(&format!(r#"{{"unit":"{unit}","points":[{{"time":1795074900,"price":8.41,"volume":6e7}}]}}"#));
        is_read(&format!(r#"{{"unit":"{unit}","data":[[1795074900000,8.41,6e7,1.7e8]]}}"#));
    }
    let of_row = r#"[{"time":1795074900,"price":841,"unit":"cents"}]"#;
    is_rejected(of_row, "prices in an unsupported unit (cents)");
}

#[test]
fn currencies_and_intervals_are_accepted_as_units() {
    for unit in ["USD", "dollars", "m", "M", "T", "B", "k", "5 m", "1 M", "15m", "hour", "day", "minute"] {
        is_read(&format!(r#"{{"unit":"{unit}","points":[{{"time":1795074900,"price":8.41}}]}}"#));
        is_read(&format!(r#"{{"unit":"{unit}","data":[[1795074900000,8.41]]}}"#));
    }
    for beside in [r#""unit":60"#, r#""units":{"price":"USD","volume":"million USD"}"#, r#""query":{"unit":"cents"}"#] {
        is_read(&format!(r#"{{{beside},"data":[[1795074900000,8.41]]}}"#));
    }
}
