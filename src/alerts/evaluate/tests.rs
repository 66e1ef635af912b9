use proptest::prelude::*;

use super::super::parse::parse;
use super::*;
use crate::model::Currency;
use crate::user_data::Watched;

/// No index.
const NONE: [usize; 0] = [];

fn alert(line: &str) -> Alert {
    let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: None };
    let draft = parse(line).unwrap();
    let once = draft.once;
    Alert::new(draft.rule(Some(coin), &Currency::usd()).unwrap(), once)
}

/// The indices of the values that fire an alert.
fn fired_at(line: &str, values: &[f64]) -> Vec<usize> {
    let readings: Vec<_> = values.iter().map(|value| (*value, "a")).collect();
    fired_by(line, &readings)
}

fn fired_by(line: &str, readings: &[(f64, &str)]) -> Vec<usize> {
    let mut alert = alert(line);
    let mut evaluator = Evaluator::new(&alert);
    let mut at = |(index, (value, source)): (usize, &(f64, &str))| {
        let at = UtcTime::from_secs(1_790_000_000 + 60 * index as i64);
        let reading =
            Reading { value: Value::Number(*value), at, source: ValueSource::parse(source), updated_at: None };
        evaluator.evaluate(&mut alert.state, &reading).map(|_| index)
    };
    readings.iter().enumerate().filter_map(&mut at).collect()
}

#[test]
fn alert_fires_once_until_it_is_armed_again() {
    let table: [(&str, &[f64], &[usize]); 14] = [
        ("ordi > 10", &[9.0, 10.0, 10.1, 10.2], &[2]),
        ("ordi >= 10", &[9.0, 10.0, 10.1], &[1]),
        ("ordi > 10", &[9.0, 10.1, 9.95, 10.1, 9.91, 10.1], &[1]),
        // The band is a tenth of the distance: 9.9.
        ("ordi > 10", &[9.0, 10.1, 9.9, 10.1], &[1, 3]),
        ("ordi < 8", &[9.0, 7.9, 8.05, 7.9, 8.1, 7.9], &[1, 5]),
        // Already beyond at the start.
        ("ordi > 10", &[12.0, 13.0, 10.0, 11.0], &[]),
        ("ordi > 10", &[12.0, 13.0, 9.8, 10.1], &[3]),
        ("ordi > 10", &[15.27, 13.0, 9.6, 10.1], &[3]),
        ("ordi > 10", &[130.0, 131.0, 95.0, 70.0, 50.0, 35.0, 25.0, 18.0, 13.0, 9.96, 10.1, 9.5, 10.1], &[12]),
        ("ordi 24h < -8%", &[12.0, 2.0, -8.0, -8.4, -6.5, -8.4, -6.0, -8.1], &[3, 7]),
        ("ordi 24h > 0", &[-0.01, 0.1, -0.1, 0.1, -0.25, 0.1], &[1, 5]),
        // Fee rates change by several percent within minutes.
        ("fees < 0.3", &[0.4, 0.2, 0.305, 0.2, 0.33, 0.2], &[1, 5]),
        ("ordi > 10 rearm 9", &[9.5, 10.5, 9.1, 10.5, 9.0, 10.5], &[1, 5]),
        ("nova minted every 1%", &[3.1, 3.9, 4.0, 4.0, 4.7, 6.2, 6.2], &[2, 5]),
    ];
    for (line, values, fired) in table {
        assert_eq!(fired_at(line, values), fired, "{line} {values:?}");
    }
}

#[test]
fn rearm_band_of_a_change_does_not_depend_on_confirmations() {
    let rearm = |evaluator: fn(&Alert) -> Evaluator| {
        let mut alert = alert("ordi 24h > 0");
        let at = UtcTime::from_secs(1_790_000_000);
        let reading = Reading { value: Value::Number(-0.01), at, source: ValueSource::parse("a"), updated_at: None };
        evaluator(&alert).evaluate(&mut alert.state, &reading);
        alert.state.rearm
    };
    assert_eq!(rearm(Evaluator::without_outliers), rearm(Evaluator::new));
}

#[test]
fn rearm_value_of_a_count_is_a_whole_number() {
    for (line, first, rearm) in [
        ("ordi rank < 3", 1.0, "4"),
        ("ordi rank <= 3", 1.0, "4"),
        ("ordi rank > 3", 4.0, "2"),
        ("ordi rank > 1", 2.0, "1"),
        ("ordi rank >= 2", 3.0, "1"),
        ("ordi holders < 61", 60.0, "62"),
        ("ordi holders >= 61", 62.0, "60"),
        ("ordi holders >= 1", 5.0, "0"),
        ("ordi holders >= 50k", 46_995.0, "49699"),
        ("ordi holders < 10000", 10_001.0, "10050"),
    ] {
        let mut alert = alert(line);
        let (value, at) = (Value::Number(first), UtcTime::from_secs(1_790_000_000));
        let reading = Reading { value, at, source: ValueSource::parse("a"), updated_at: None };
        Evaluator::new(&alert).evaluate(&mut alert.state, &reading);
        assert_eq!(alert.state.rearm.map(|level| level.to_string()).as_deref(), Some(rearm), "{line}");
    }
    assert_eq!(fired_at("ordi rank > 1", &[2.0, 1.0, 2.0]), [2]);
}

#[test]
fn rearm_value_of_a_large_limit_can_be_loaded_again() {
    let mut alert = alert(&format!("ordi > 1{}", "0".repeat(45)));
    let (value, at) = (Value::Number(0.123_456_789_012_345), UtcTime::from_secs(1_790_000_000));
    Evaluator::new(&alert)
        .evaluate(&mut alert.state, &Reading { value, at, source: ValueSource::parse("a"), updated_at: None });
    let rearm = alert.state.rearm.unwrap();
    assert_eq!(rearm.to_string().parse(), Ok(rearm));
}

#[test]
fn change_of_source_never_fires() {
    let limit = "ordi > 10";
    assert_eq!(fired_by(limit, &[(9.0, "a"), (10.5, "b"), (10.5, "b"), (10.55, "b")]), NONE);
    assert_eq!(fired_by(limit, &[(9.0, "a"), (10.5, "b"), (9.0, "a"), (10.5, "b"), (9.0, "a")]), NONE);
    // Further by the band within the new source, or a crossing there.
    assert_eq!(fired_by(limit, &[(9.0, "a"), (10.5, "b"), (10.6, "b")]), [2]);
    assert_eq!(fired_by(limit, &[(9.0, "a"), (10.5, "b"), (9.9, "b"), (10.5, "b")]), [3]);
    assert_eq!(fired_by("nova minted every 1%", &[(3.1, "a"), (9.5, "b"), (9.6, "b"), (10.0, "b")]), [3]);
}

#[test]
fn outlier_never_fires_unless_it_is_confirmed() {
    assert_eq!(fired_at("ordi > 10", &[9.0, 90.0, 9.1, 9.2]), NONE);
    assert_eq!(fired_at("ordi > 10", &[9.0, 90.0, 9.1, 90.0, 9.0]), NONE);
    assert_eq!(fired_at("ordi > 10", &[9.0, 90.0, 91.0]), [2]);
    assert_eq!(fired_at("ordi < 8", &[10.0, 6.0, 5.2, 4.6]), [2], "a crash");
    assert_eq!(fired_at("ordi < 8", &[9.0, 0.0, 9.0]), NONE);
    assert_eq!(fired_at("ordi 24h < -8%", &[1.0, -99.0, 1.0]), NONE);
}

#[test]
fn outlier_does_not_confirm_itself() {
    for (source, too_early, later) in [("a", 29_999_i64, 30_000_i64), ("live a", 1_999, 2_000)] {
        let mut alert = alert("ordi > 10");
        let mut evaluator = Evaluator::new(&alert);
        let mut at = |millis: i64, value| {
            let at = UtcTime::from_millis(1_790_000_000_000_i64 + millis);
            evaluator
                .evaluate(
                    &mut alert.state,
                    &Reading { value: Value::Number(value), at, source: ValueSource::parse(source), updated_at: None },
                )
                .is_some()
        };
        assert!(!at(-60_000, 9.0) && !at(0, 9_000.0));
        // The same response, sent again.
        assert!(!at(9, 9_000.0) && !at(too_early, 9_000.0), "{source}");
        assert!(at(later, 9_000.0), "{source}");
    }
}

#[test]
fn outlier_in_a_cache_does_not_confirm_itself() {
    let mut alert = alert("ordi > 10");
    let mut evaluator = Evaluator::new(&alert);
    let mut at = |secs, value, updated_at| {
        let (at, updated_at) = (UtcTime::from_secs(secs), Some(UtcTime::from_secs(updated_at)));
        let reading = Reading { value: Value::Number(value), at, source: ValueSource::parse("a"), updated_at };
        evaluator.evaluate(&mut alert.state, &reading).is_some()
    };
    assert!(!at(0, 9.0, 0) && !at(60, 9_000.0, 50));
    assert!(!at(120, 9_000.0, 50) && !at(240, 9_000.0, 50), "the same value, with a new date");
    assert!(at(300, 9_000.0, 290));
}

#[test]
fn old_and_invalid_values_are_ignored() {
    let mut alert = alert("ordi > 10");
    let mut evaluator = Evaluator::new(&alert);
    let mut at = |secs, value| {
        let reading = Reading {
            value: Value::Number(value),
            at: UtcTime::from_secs(secs),
            source: ValueSource::parse("a"),
            updated_at: None,
        };
        evaluator.evaluate(&mut alert.state, &reading).is_some()
    };
    assert!(!at(10, 9.0) && !at(9, 11.0) && !at(10, 11.0) && !at(11, f64::NAN));
    assert!(at(12, 11.0));
}

#[test]
fn balance_is_compared_exactly() {
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let limit = "18446744073709551614.999999999999999999";
    for (sign, atoms, fires) in [(">", 0, false), (">", 1, true), (">=", 0, true), ("<", 0, false), ("<=", 0, true)] {
        let mut alert = alert(&format!("{address} ordi {sign} {limit}"));
        let mut evaluator = Evaluator::new(&alert);
        let start: Amount = if sign.starts_with('<') { Amount::MAX } else { Amount::ZERO };
        let end = limit.parse::<Amount>().unwrap().checked_add(Amount::from_atoms(atoms)).unwrap();
        let fired = [start, end].map(Value::Amount).into_iter().enumerate().filter(|(index, value)| {
            let at = UtcTime::from_secs(*index as i64);
            evaluator
                .evaluate(
                    &mut alert.state,
                    &Reading { value: *value, at, source: ValueSource::parse("a"), updated_at: None },
                )
                .is_some()
        });
        assert_eq!(fired.count() == 1, fires, "{sign} {atoms}");
    }
}

#[test]
fn steps_of_a_balance_are_exact() {
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let passed = |step: &str, balances: &[&str]| {
        let mut alert = alert(&format!("{address} ordi every {step}"));
        let mut evaluator = Evaluator::new(&alert);
        let mut at = |(secs, balance): (i64, &&str)| {
            let (value, at) = (Value::Amount(balance.parse().unwrap()), UtcTime::from_secs(secs));
            match evaluator
                .evaluate(&mut alert.state, &Reading { value, at, source: ValueSource::parse("a"), updated_at: None })?
            {
                Fired::Step { passed, .. } => Some(passed.to_string()),
                Fired::Limit(_) => None,
            }
        };
        (0..).zip(balances).filter_map(&mut at).collect::<Vec<_>>()
    };
    assert_eq!(passed("1000", &["999", "999.9999999999999", "999.999999999999999999"]), [""; 0]);
    assert_eq!(passed("1000", &["999", "1000", "1000.000000000000000001", "999.999999999999999999"]), ["1000"]);
    assert_eq!(passed("1000", &["2500", "1000.000000000000000001"]), [""; 0]);
    assert_eq!(passed("1000", &["2500", "1000.000000000000000001", "1000"]), ["1000"]);
    // More steps than a float counts.
    assert_eq!(passed("0.5", &["9007199254740992.9", "9007199254740993"]), ["9007199254740993"]);
}

#[test]
fn balance_from_a_new_source_fires_once_it_is_further_by_exactly_the_band() {
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    // A float has no digits for the band of 0.01.
    let line = format!("{address} ordi > 18446744073709551614 rearm 18446744073709551613.99");
    for (last, fires) in [("18446744073709551614.509999999999999999", false), ("18446744073709551614.51", true)] {
        let mut alert = alert(&line);
        let mut evaluator = Evaluator::new(&alert);
        let readings = [("1", "a"), ("18446744073709551614.5", "b"), (last, "b")];
        let fired = (0..).zip(readings).filter(|(secs, (balance, source))| {
            let (value, at) = (Value::Amount(balance.parse().unwrap()), UtcTime::from_secs(*secs));
            evaluator
                .evaluate(
                    &mut alert.state,
                    &Reading { value, at, source: ValueSource::parse(source), updated_at: None },
                )
                .is_some()
        });
        assert_eq!(fired.count() == 1, fires, "{last}");
    }
}

proptest! {
    #[test]
    fn any_sequence_fires_at_most_once_until_it_is_armed_again(
        first in 5.0..15.0_f64, values in prop::collection::vec(8.0..12.0_f64, 0..60), up: bool,
    ) {
        let line = if up { "ordi > 10" } else { "ordi < 10" };
        let mut alert = alert(line);
        let mut evaluator = Evaluator::new(&alert);
        let mut may_fire = None;
        for (index, value) in std::iter::once(first).chain(values).enumerate() {
            let at = UtcTime::from_secs(index as i64);
            let source = ValueSource::parse("a");
            let reading = Reading { value: Value::Number(value), at, source, updated_at: None };
            let fired = evaluator.evaluate(&mut alert.state, &reading);
            let is_beyond = if up { value > 10.0 } else { value < 10.0 };
            let rearm = alert.state.rearm.as_ref().unwrap().to_f64();
            let is_back = !is_beyond && if up { value <= rearm } else { value >= rearm };
            prop_assert!(fired.is_none() || (is_beyond && may_fire == Some(true)));
            // Without outliers, nothing else keeps it from firing.
            may_fire = Some(match (may_fire, is_beyond) {
                (None, beyond) => !beyond,
                (Some(_), true) => false,
                (Some(armed), false) => armed || is_back,
            });
            if alert.state.outlier.is_none() {
                prop_assert_eq!(alert.state.armed, may_fire);
            } else {
                return Ok(());
            }
        }
    }

    #[test]
    fn alternating_sources_never_fire(values in prop::collection::vec(8.0..12.0_f64, 0..60)) {
        let readings: Vec<_> =
            values.iter().enumerate().map(|(index, value)| (*value, if index % 2 == 0 { "a" } else { "b" })).collect();
        prop_assert!(fired_by("ordi > 10", &readings).is_empty());
    }
}
