//! Formats of charts and of their points.

use satscope::client::{ErrorKind, Request};
use satscope::model::Period;

use super::{chart, chart_in, get, series};

const TIME: &str = "1795074900";

/// The first point of a chart in dollars, and the warnings.
fn first(body: &str) -> (String, [Option<f64>; 3], Vec<String>) {
    let body = body.replace('@', TIME);
    let (chart, warnings) = chart("USD", &body);
    let point = chart.points.first().copied().unwrap_or_else(|| panic!("{body}: {warnings:?}"));
    (point.time.to_string(), [point.price, point.volume, point.market_cap], warnings)
}

fn is_read(body: &str, figures: [Option<f64>; 3]) {
    let expected = (String::from("2026-11-19T07:55:00Z"), figures, vec![]);
    assert_eq!(first(body), expected, "{body}");
}

#[test]
fn times_and_prices_have_the_names_of_several_services() {
    for row in [
        r#"{"date":@,"price":8.4}"#,
        r#"{"datetime":"2026-11-19 07:55:00","close":"8.4"}"#,
        r#"{"ts":@,"last":8.4}"#,
        r#"{"openTime":@,"closePrice":8.4}"#,
        r#"{"x":@,"y":8.4}"#,
        r#"{"time":@,"eur":7.7,"usd":8.4}"#,
        r#"{"time":@,"price":8.4,"usd":9}"#,
        r#"{"t":@,"c":{"usd":8.4,"eur":7.7}}"#,
    ] {
        is_read(&format!("[{row}]"), [Some(8.4), None, None]);
    }
    is_read(r#"{"history":[{"date":@000,"rate":8.4,"volume":6e7,"cap":1.7e8}]}"#, [Some(8.4), Some(6e7), Some(1.7e8)]);
    let in_euros = format!(r#"[{{"time":{TIME},"eur":7.7,"usd":8.4}}]"#);
    assert_eq!(chart("EUR", &in_euros).0.points[0].price, Some(7.7));
}

#[test]
fn candles_may_have_only_a_start() {
    // Coinbase.
    is_read(
        r#"{"candles":[{"start":"@","low":"8.3","high":"8.5","open":"8.35","close":"8.4"}]}"#,
        [Some(8.4), None, None],
    );
}

#[test]
fn unreadable_times_of_points_are_named() {
    for row in [r#"{"date":"19.11.2026 07:55","price":8.4}"#, r#"["19.11.2026 07:55",8.4]"#] {
        let error = get(&chart_in("USD"), &format!(r#"{{"points":[{row}]}}"#)).unwrap_err();
        let what = String::from("points with unreadable times, such as \"19.11.2026 07:55\"");
        assert_eq!(error, ErrorKind::Unrecognised(what), "{row}");
    }
}

#[test]
fn points_are_found_in_lists_of_other_formats() {
    for body in [
        r#"{"meta":{"symbol":"ORDI/USD"},"values":[{"datetime":"2026-11-19 07:55:00","close":"8.4"}],"status":"ok"}"#,
        r#"{"data":{"points":{"0":{"time":@,"price":8.4},"1":{"time":1795075200,"price":8.5}}}}"#,
        r#"[{"symbol":"ORDI","quotes":[{"timestamp":@,"quote":{"USD":{"price":8.4}}}]}]"#,
        r#"[[[@,8.4],[1795075200,8.5]]]"#,
    ] {
        is_read(body, [Some(8.4), None, None]);
    }
    for lists in [
        r#""timestamps":[@],"prices":[8.4],"volumes":["6e7"],"market_caps":[1.7e8]"#,
        r#""prices":[[@,8.4]],"volumes":[{"time":@,"value":6e7}],"market_caps":[[1.7e8,@]]"#,
        r#""prices":{"@":8.4},"total_volumes":{"@":6e7},"marketCaps":{"@":1.7e8}"#,
        r#""points":[{"s":"@","v":{"price":8.4,"volume":6e7,"marketCap":1.7e8},"c":{}}]"#,
    ] {
        is_read(&format!(r#"{{"data":{{{lists}}}}}"#), [Some(8.4), Some(6e7), Some(1.7e8)]);
    }
    // Volumes of candles may be in the coin.
    is_read(r#"{"timestamps":[@],"closes":[8.4],"volumes":[6e7]}"#, [Some(8.4), None, None]);
    is_read(r#"{"timestamps":[@],"prices":[8.4],"volumes":[],"market_caps":[]}"#, [Some(8.4), None, None]);
    let (found, _) = series(&["ORDI"], r#"{"data":[{"symbol":"ORDI","history":[{"date":1795074900,"rate":7.7}]}]}"#);
    assert_eq!(found[0].points[0].price, Some(7.7));
    let uneven = r#"{"timestamps":[1795074900,1795075200],"prices":[8.4,8.5],"volumes":[6e7]}"#;
    let error = get(&chart_in("USD"), uneven).unwrap_err();
    assert_eq!(error, ErrorKind::Unrecognised(String::from("2 times, but 1 volume")));
}

#[test]
fn series_other_than_prices_are_not_read_as_prices() {
    let named = |name: &str| format!(r#"{{"name":"{name}","data":[[{TIME},8.4]]}}"#);
    let (found, warnings) = chart("USD", &format!(r#"{{"series":[{},{}]}}"#, named("volume"), named("price")));
    assert_eq!((found.points[0].price, warnings.len()), (Some(8.4), 1), "{warnings:?}");
    let volume = format!(r#"{{"series":[{}]}}"#, named("volume"));
    assert!(matches!(get(&chart_in("USD"), &volume), Err(ErrorKind::Unrecognised(_))));
    let other = format!(r#"{{"series":[{}]}}"#, named("Bitcoin"));
    assert!(matches!(get(&chart_in("USD"), &other), Err(ErrorKind::Mismatch { .. })));
}

#[test]
fn values_only_in_the_requested_currency_are_read() {
    let body = r#"{"points":{"@":{"c":[8.4,6e7]}}}"#;
    is_read(body, [Some(8.4), Some(6e7), None]);
}

#[test]
fn chart_of_another_period_is_rejected() {
    let chart = |body: &str| {
        let request = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: super::currency("USD") };
        get(&request, body)
    };
    let points = "[[1795074900,8.4],[1795075200,8.5]]";
    for body in [
        format!(r#"{{"data":{{"1D":[[1795074900,1]],"7D":{points}}}}}"#),
        format!(r#"{{"1d":[[1795074900,1]],"1w":{{"prices":{points}}}}}"#),
        format!(r#"{{"data":{{"period":"7D","points":{points}}}}}"#),
        format!(r#"{{"period":"1M","points":{points}}}"#),
        format!(r#"{{"24h":{{"high":9,"low":8}},"points":{points}}}"#),
        // The interval of candles.
        r#"{"period":"1d","points":[[1794556800,8.4],[1794643200,8.4],[1794729600,8.5]]}"#.to_owned(),
        // Of a coin listed less than a day ago.
        r#"{"period":"1d","points":[[1794960000,8.4],[1795046400,8.5]]}"#.to_owned(),
        r#"{"data":{"period":"1d","points":[[1795046399999,8.4],[1795132799999,8.5]]}}"#.to_owned(),
    ] {
        let Ok((satscope::client::ResponseData::Chart(found), _)) = chart(&body) else { panic!("{body}") };
        assert_eq!(found.points[0].price, Some(8.4), "{body}");
    }
    for body in [
        format!(r#"{{"data":{{"1D":{points}}}}}"#),
        format!(r#"{{"data":{{"period":"1D","points":{points}}}}}"#),
        format!(r#"{{"range":"1d","data":{points}}}"#),
        // These could be the prices of a day.
        r#"{"period":"1d","points":[[1795046400,8.4]]}"#.to_owned(),
        r#"{"period":"1d","points":[[1794988500,8.4],[1795074900,8.5]]}"#.to_owned(),
        r#"{"period":"1d","points":[[1794960000,8.4],[1795003200,8.4],[1795046400,8.5]]}"#.to_owned(),
        r#"{"range":"1d","points":[[1794960000,8.4],[1795046400,8.5]]}"#.to_owned(),
    ] {
        let error = chart(&body).unwrap_err();
        assert_eq!(error, ErrorKind::Unrecognised(String::from("prices over 1D instead of 7D")), "{body}");
    }
}

#[test]
fn times_are_in_the_stated_time_zone() {
    let points = r#""points":[{"date":"2026-11-19 02:55:00","price":8.4}]"#;
    for zone in
        [r#""timezone":"-05:00""#, r#""utc_offset":-18000"#, r#""tz":"UTC-5""#, r#""meta":{"time_zone":"-0500"}"#]
    {
        is_read(&format!("{{{zone},{points}}}"), [Some(8.4), None, None]);
        is_read(&format!(r#"{{"data":{{{zone},{points}}}}}"#), [Some(8.4), None, None]);
        // These times are the same in every zone.
        for date in ["@", r#""2026-11-19T07:55:00Z""#, r#""2026-11-19 07:55:00 UTC""#] {
            is_read(&format!(r#"{{{zone},"points":[{{"date":{date},"price":8.4}}]}}"#), [Some(8.4), None, None]);
        }
    }
    for zone in ["UTC", "GMT", "Z", "+00:00", "Etc/UTC"] {
        let body = format!(r#"{{"timezone":"{zone}","points":[{{"date":"2026-11-19 07:55:00","price":8.4}}]}}"#);
        is_read(&body, [Some(8.4), None, None]);
    }
    let by_symbol = r#"{"ORDI":{"utc_offset":"-05:00","values":[{"datetime":"2026-11-19 02:55:00","close":7.7}]},
        "SATS":{"values":[{"datetime":"2026-11-19 07:55:00","close":7.7}]}}"#;
    let (found, _) = series(&["ORDI", "SATS"], by_symbol);
    let times: Vec<String> = found.iter().map(|one| one.points[0].time.to_string()).collect();
    assert_eq!(times, ["2026-11-19T07:55:00Z"; 2]);
    for zone in ["America/New_York", "EST"] {
        for body in [
            format!(r#"{{"timezone":"{zone}",{points}}}"#),
            format!(r#"{{"timezone":"{zone}","data":[{{"symbol":"ORDI",{points}}}]}}"#),
        ] {
            let error = get(&chart_in("USD"), &body).unwrap_err();
            let expected = format!("times in the unknown time zone {zone}");
            assert_eq!(error, ErrorKind::Unrecognised(expected), "{body}");
        }
        is_read(&format!(r#"{{"timezone":"{zone}","points":[[@,8.4]]}}"#), [Some(8.4), None, None]);
    }
}
