//! Times of inscriptions and of their last moves.

use super::*;

fn times_of(data: &Value) -> Value {
    json!([data["genesis_time"], data["time"]])
}

#[test]
fn time_of_a_move_is_not_before_the_inscription() {
    let (early, late) = ("2023-03-02T04:59:30Z", "2026-11-01T00:00:00Z");
    let no_move = "ignored the time of 1 move: it is before the inscription";
    let no_genesis = "ignored the time of 1 inscription: it is after the last move";
    for (times, read_as, warning) in [
        (json!({"created_at": late, "timestamp": early}), json!([early, null]), None),
        (json!({"created_at": early, "timestamp": late}), json!([early, late]), None),
        (json!({"genesis_timestamp": late, "timestamp": early}), json!([late, null]), Some(no_move)),
        (json!({"genesis_timestamp": late, "location_block_time": early}), json!([late, null]), Some(no_move)),
        (json!({"genesis_timestamp": early, "location_block_time": late}), json!([early, late]), None),
        (json!({"genesis": {"timestamp": late}, "location_block_time": early}), json!([late, null]), Some(no_move)),
        (json!({"created_at": late, "location_block_time": early}), json!([null, early]), Some(no_genesis)),
        (json!({"timestamp": late, "location_block_time": early}), json!([null, early]), Some(no_genesis)),
        (json!({"genesis_timestamp": early, "timestamp": early}), json!([early, early]), None),
    ] {
        let mut body = json!({"id": format!("{}i0", "ab".repeat(32)), "number": -7});
        body.as_object_mut().unwrap().extend(times.as_object().unwrap().clone());
        let (data, _, warnings) = read(&inscription(), body.to_string().as_bytes());
        assert_eq!(times_of(&data), read_as, "{body}");
        assert_eq!(warnings, Vec::from_iter(warning), "{body}");
    }
}

#[test]
fn move_may_be_up_to_two_hours_before_the_inscription() {
    let genesis = "2026-11-01T02:00:00Z";
    for (moved, is_valid) in
        [("2026-11-01T01:57:00Z", true), ("2026-11-01T00:00:00Z", true), ("2026-10-31T23:59:59Z", false)]
    {
        let row = |at: u32| json!({"id": format!("{}i{at}", "ab".repeat(32)), "genesis_timestamp": genesis, "timestamp": moved});
        let body = json!({"results": (0..60).map(row).collect::<Vec<_>>()});
        let (data, _, warnings) = read(&inscriptions(), body.to_string().as_bytes());
        let time = if is_valid { json!(moved) } else { Value::Null };
        assert_eq!(column(&data, "time"), vec![&time; 60], "{moved}");
        assert_eq!(column(&data, "genesis_time"), vec![genesis; 60], "{moved}");
        let ignored = "ignored the times of 60 moves: they are before the inscriptions";
        assert_eq!(warnings, Vec::from_iter((!is_valid).then_some(ignored)), "{moved}");
    }
}
