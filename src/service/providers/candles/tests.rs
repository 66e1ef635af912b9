use serde_json::value::RawValue;

use super::*;

/// The volume over 24 hours at each of the last two points of candles with a volume of 6 each, `day` of them per day,
/// while a quarter of the last one has passed and a volume of 1 was traded in it.
fn last_volumes(day: i64, lacks_oldest: bool) -> [Option<f64>; 2] {
    let length = 86_400_000 / day;
    let now = UtcTime::from_secs(1_795_219_200).plus(Duration::from_millis(length.unsigned_abs() / 4));
    let candle = |n: i64| {
        let start = 1_795_219_200_000 - n * length;
        let volume = Some(if n == 0 { 1.0 } else { 6.0 });
        let price = Some(1.0);
        Candle {
            open: price,
            high: price,
            low: price,
            close: price,
            start_millis: start,
            end_millis: start + length,
            volume,
        }
    };
    let candles: Vec<Candle> = (0..=day + 1).rev().filter(|n| !lacks_oldest || *n != day).map(candle).collect();
    let points = points_of(&candles, usize::try_from(day).unwrap(), 1.0, now);
    let [.., before, last] = points.as_slice() else { panic!("{points:?}") };
    assert_eq!(last.time, now);
    [before.volume, last.volume]
}

#[test]
fn volume_of_the_open_candle_covers_24_hours() {
    // The open candle, all closed ones but the oldest, and three quarters of that one.
    for day in [6, 24, 288] {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let volume = 6.0 * day as f64;
        assert_eq!(last_volumes(day, false), [Some(volume), Some(1.0 + volume - 6.0 + 4.5)], "{day}");
        assert_eq!(last_volumes(day, true)[1], None, "{day}: the oldest is missing");
    }
    for day in [1, 2, 4] {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let volume = 6.0 * day as f64;
        assert_eq!(last_volumes(day, false), [Some(volume), None], "{day}: too long for an estimate");
    }
}

#[test]
fn candle_that_starts_in_the_future_is_left_out() {
    const HOUR: i64 = 3_600_000;
    let now = UtcTime::from_secs(1_795_000_000);
    let row = |hours: i64| {
        let start = now.millis() + hours * HOUR;
        RawValue::from_string(format!("[{start},1,1,1,1,0,0,5]")).unwrap()
    };
    let read = |row: &Row| {
        let start = row.cell(0)?;
        Some(Candle::new(row, start, start + HOUR))
    };
    // The clock of this machine may be wrong by a few hours.
    let rows = [-2, -1, 0, 12, 48, 150].map(row);
    let found = readable_candles(&rows, read, now, &Warnings::default()).unwrap();
    let starts: Vec<i64> = found.all.iter().map(|candle| (candle.start_millis - now.millis()) / HOUR).collect();
    assert_eq!((starts, found.lacks_some), (vec![-2, -1, 0, 12], true));
}
