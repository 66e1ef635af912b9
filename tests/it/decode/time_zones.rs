//! Times in a zone that a response states.

use super::*;

/// The times of a post, a coin and a market pair in responses that state this zone, and the warnings.
fn times(zone: &str) -> (Vec<Option<String>>, Vec<Warning>) {
    let time = "2026-11-19 02:55:00";
    let (posts, mut warnings) =
        get_posts(&format!(r#"{{{zone},"posts":[{{"id":"1","text":"gm","created_at":"{time}"}}]}}"#));
    let coin = format!(r#"{{"id":1,"name":"ORDI","symbol":"ORDI","price":8.41,"last_updated":"{time}"}}"#);
    let (page, more) = coins(&coins_in("USD"), &format!(r#"{{{zone},"data":[{coin}]}}"#));
    warnings.extend(more);
    let pair = format!(r#"{{"exchange":"OKX","pair":"ORDI/USDT","price":8.41,"last_updated":"{time}"}}"#);
    let (pairs, more) = get_pairs(None, &format!(r#"{{{zone},"pairs":[{pair}]}}"#));
    warnings.extend(more);
    let times = [posts[0].posted_at, page.items[0].updated_at, pairs.items[0].updated_at];
    (times.map(|time| time.map(|time| time.to_string())).to_vec(), warnings)
}

#[test]
fn times_of_posts_coins_and_pairs_are_in_the_stated_zone() {
    let expected = vec![Some(String::from("2026-11-19T07:55:00Z")); 3];
    for zone in [
        r#""timezone":"-05:00""#,
        r#""utc_offset":-18000"#,
        r#""meta":{"utc_offset":"-0500"}"#,
        r#""status":{"timezone":"-05:00"}"#,
    ] {
        assert_eq!(times(zone), (expected.clone(), vec![]), "{zone}");
    }
    let (times, warnings) = times(r#""timezone":"America/New_York""#);
    assert_eq!(times, [const { None::<String> }; 3]);
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().all(|warning| warning.ends_with("expected a time in a known zone")), "{warnings:?}");
}

#[test]
fn times_of_points_are_in_the_zone_of_each_point() {
    let point = |time: &str, zone: &str| format!(r#"{{"timestamp":"{time}",{zone},"price":8.4}}"#);
    let (points, warnings) = {
        let rows = [
            point("2026-11-19T02:50:00", r#""tz":"-05:00""#),
            point("2026-11-19T07:55:00", r#""utc_offset":0"#),
            point("2026-11-19T08:00:00Z", r#""timezone":"America/New_York""#),
            point("2026-11-19 17:05:00", r#""gmtoffset":32400"#),
        ];
        let (chart, warnings) = chart("USD", &format!("[{}]", rows.join(",")));
        (chart.points, warnings)
    };
    let times: Vec<String> = points.iter().map(|point| point.time.to_string()).collect();
    let expected = ["07:50", "07:55", "08:00", "08:05"].map(|time| format!("2026-11-19T{time}:00Z"));
    assert_eq!((times, warnings), (expected.to_vec(), vec![]));
    let unknown = point("2026-11-19T02:50:00", r#""tz":"America/New_York""#);
    let error = get(&chart_in("USD"), &format!("[{unknown}]")).unwrap_err();
    assert_eq!(error, ErrorKind::Unrecognised(String::from("times in the unknown time zone America/New_York")));
    let wide = r#"[{"time":"2026-11-19 02:50:00","tz":"-05:00","ORDI":8.4,"SATS":2e-7}]"#;
    assert!(get(&market(&["ORDI", "SATS"]), wide).is_err());
}

#[test]
fn zone_of_a_coin_in_a_map_is_its_own() {
    let coin = |id: u32, symbol: &str, zone: &str| {
        format!(
            r#""{symbol}":{{"id":{id},"name":"{symbol}","symbol":"{symbol}","price":8{zone},"last_updated":"2026-11-19 07:55:00"}}"#
        )
    };
    for name in ["INFO", "META", "DATA"] {
        for zone in [r#","utc_offset":"+08:00""#, r#","timezone":"Asia/Shanghai""#] {
            let body = format!("{{{},{}}}", coin(1, name, zone), coin(2, "ORDI", ""));
            let (page, _) = coins(&coins_in("USD"), &body);
            let ordi = page.items.iter().find(|coin| coin.symbol == "ORDI").expect(&body);
            let time = ordi.updated_at.map(|time| time.to_string());
            assert_eq!(time.as_deref(), Some("2026-11-19T07:55:00Z"), "{body}");
        }
    }
}

#[test]
fn zone_around_a_wrapped_list_applies_to_it() {
    let coin = r#"{"id":1,"name":"ORDI","symbol":"ORDI","price":8,"last_updated":"2026-11-19 02:55:00"}"#;
    for body in [
        format!(r#"{{"utc_offset":"-05:00","data":[{{"coins":[{coin}]}}]}}"#),
        format!(r#"{{"utc_offset":"-05:00","data":[[{coin}]]}}"#),
        format!(r#"{{"utc_offset":"-05:00","data":"[{}]"}}"#, coin.replace('"', "\\\"")),
    ] {
        let (page, warnings) = coins(&coins_in("USD"), &body);
        let time = page.items[0].updated_at.map(|time| time.to_string());
        assert_eq!((time.as_deref(), warnings), (Some("2026-11-19T07:55:00Z"), vec![]), "{body}");
    }
    let named = format!(r#"{{"timezone":"Asia/Shanghai","data":[{{"coins":[{coin}]}}]}}"#);
    let (page, warnings) = coins(&coins_in("USD"), &named);
    assert_eq!((page.items[0].price, page.items[0].updated_at, warnings.len()), (Some(8.0), None, 1), "{warnings:?}");
}

#[test]
fn offset_of_a_point_counts_beside_the_name_of_its_zone() {
    let point = |zone: &str| format!(r#"[{{"datetime":"2026-11-19 02:55:00","price":9,{zone}}}]"#);
    for (zone, time) in [
        (r#""timezone":"America/New_York","utc_offset":"-05:00""#, "2026-11-19T07:55"),
        (r#""utc_offset":0,"timezone":"Europe/London""#, "2026-11-19T02:55"),
    ] {
        let found = chart("USD", &point(zone)).0.points[0].time.to_string();
        assert_eq!(&found[..16], time, "{zone}");
    }
    assert!(get(&chart_in("USD"), &point(r#""utc_offset":0,"gmt_offset":3600"#)).is_err());
}
