//! Times in a zone that a response states.

use super::*;

/// The times of a post, a coin and a market pair in a response that states this, and the warnings.
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
    for zone in [r#""timezone":"-05:00""#, r#""utc_offset":-18000"#, r#""meta":{"utc_offset":"-0500"}"#] {
        assert_eq!(times(zone), (expected.clone(), vec![]), "{zone}");
    }
    let (times, warnings) = times(r#""timezone":"America/New_York""#);
    assert_eq!(times, [const { None::<String> }; 3]);
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().all(|warning| warning.ends_with("expected a time in a known zone")), "{warnings:?}");
}
