use super::super::super::database::Database;
use super::super::super::read_all;
use super::super::super::save_outcome::SaveOutcome;
use super::*;
use crate::user_data::alert::{Comparison, Rule};
use crate::user_data::{Change, SeenAlerts, UserData, Watched, queue};

fn rule(measure: Measure, condition: Condition) -> Rule {
    let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("25028".into()) };
    Rule { target: Target::Coin(coin), measure, condition, rearm: None }
}

fn limit(text: &str) -> Condition {
    Condition::Limit(Comparison::AtLeast, text.parse().unwrap())
}

fn price() -> Rule {
    rule(Measure::Price(Currency::usd()), limit("0.000000000000000001"))
}

fn event(alert: i64, number: u32) -> AlertEvent {
    AlertEvent {
        alert: AlertId(alert),
        number,
        at: UtcTime::from_secs(1_790_000_000 + i64::from(number)),
        after: Some(UtcTime::from_secs(1)),
        title: "ORDI > 20".into(),
        text: "ORDI is 20.1 USD".into(),
        missed: true,
        seen: false,
    }
}

fn seen(fired: u32, secs: i64) -> AlertState {
    AlertState { fired, checked_at: Some(UtcTime::from_secs(secs)), ..AlertState::default() }
}

#[test]
fn every_target_and_measure_is_loaded_as_saved() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let target = |kind| match kind {
        TargetKind::Coin => price().target,
        TargetKind::Token => Target::Token("nova".into()),
        TargetKind::Address => Target::Address("bc1q".into()),
        TargetKind::Wallet => Target::Wallet,
        TargetKind::Fees => Target::Fees,
    };
    let mut rules = Vec::new();
    for kind in TargetKind::ALL.iter().copied() {
        for measure in Measure::<Option<Currency>>::all() {
            let measure = match measure {
                Measure::Balance(_) => Measure::Balance("ordi".into()),
                measure => measure.in_currency(&Currency::usd()),
            };
            rules.push(Rule { target: target(kind), ..rule(measure, limit("1")) });
        }
    }
    let alert = |rule: &Rule| Change::AddAlert(Box::new(Alert::new(rule.clone(), false)));
    database.save(&rules.iter().map(alert).collect::<Vec<_>>()).unwrap();
    let loaded: Vec<Rule> = database.load().unwrap().alerts.into_iter().map(|alert| alert.rule).collect();
    assert_eq!(loaded, rules);
}

#[test]
fn alerts_are_loaded_as_saved() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let state = AlertState {
        revision: 3,
        armed: Some(false),
        rearm: Some("-6.000000000000000001".parse().unwrap()),
        last: Some(Value::Number(7.34e-7)),
        checked_at: Some(UtcTime::from_millis(1_790_000_000_123)),
        source: Some(ValueSource::provider("CoinGecko".into())),
        baseline: Some(Value::Number(-8.4)),
        outlier: Some(Value::Number(1e21)),
        steps: Some(-3),
        balances: Some(vec![("a b".into(), Amount::MAX), ("ordi".into(), Amount::from_atoms(1))]),
        bitcoin_source: Some(ValueSource::provider("mempool".into())),
        bitcoin_at: Some(UtcTime::from_secs(2)),
        fired: 2,
        fired_at: Some(UtcTime::from_secs(1)),
    };
    let full = Alert { id: AlertId(7), on: false, bell: false, notify: false, state, ..Alert::new(price(), true) };
    let token = |measure, condition| Rule { target: Target::Token("nova".into()), ..rule(measure, condition) };
    let address = |measure, condition| Rule { target: Target::Address("bc1q".into()), ..rule(measure, condition) };
    let rules = [
        Rule { rearm: Some(Decimal::from(3)), ..rule(Measure::Change24h, limit("-8")) },
        rule(Measure::Volume(Currency::usd()), limit("1")),
        rule(Measure::MarketCap(Currency::usd()), limit("1")),
        rule(Measure::Rank, limit("1")),
        token(Measure::Holders, limit("1")),
        token(Measure::Minted, Condition::Every("0.5".parse().unwrap())),
        address(Measure::Balance("ordi".into()), limit("18446744073709551614.999999999999999999")),
        address(Measure::Receives, Condition::Transfer),
        address(Measure::Sends, Condition::Transfer),
        Rule { target: Target::Wallet, ..rule(Measure::Change24h, limit("-5")) },
        Rule { target: Target::Wallet, ..rule(Measure::Value(Currency::usd()), limit("20000")) },
        Rule { target: Target::Fees, ..rule(Measure::FeeRate, limit("3")) },
    ];
    let mut alerts = vec![full];
    alerts.extend((8..).zip(rules).map(|(id, rule)| Alert { id: AlertId(id), ..Alert::new(rule, false) }));
    let exact = AlertState { last: Some(Value::Amount(Amount::MAX)), ..AlertState::default() };
    alerts[7].state = exact;
    let changes: Vec<Change> = alerts.iter().cloned().map(|alert| Change::AddAlert(Box::new(alert))).collect();
    database.save(&changes).unwrap();
    for data in [database.load().unwrap(), read_all(directory.path()).unwrap()] {
        assert_eq!(data.alerts, alerts);
    }
}

#[test]
fn later_changes_of_a_new_alert_find_it_under_its_number() {
    let directory = tempfile::tempdir().unwrap();
    let mut other = Database::open(directory.path()).unwrap();
    let mut own = Database::open(directory.path()).unwrap();
    let alert = |id| Alert { id: AlertId(id), ..Alert::new(price(), true) };
    other.save(&[Change::AddAlert(Box::new(alert(0)))]).unwrap();
    own.save(&[Change::AddAlert(Box::new(alert(-1))), Change::AddAlert(Box::new(alert(-2)))]).unwrap();
    own.save(&[Change::RemoveAlert(Box::new(alert(-1)))]).unwrap();
    own.save(&[Change::AlertFired(Box::new(event(-2, 1)), Box::new(seen(1, 9)))]).unwrap();
    let data = own.load().unwrap();
    let found: Vec<(i64, bool)> = data.alerts.iter().map(|alert| (alert.id.0, alert.on)).collect();
    assert_eq!(found, [(1, true), (3, false)], "fired once, so it is off");
    assert_eq!(data.alert_events, [event(3, 1)]);
}

#[test]
fn two_processes_record_a_firing_once() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = Database::open(directory.path()).unwrap();
    let mut second = Database::open(directory.path()).unwrap();
    first.save(&[Change::AddAlert(Box::new(Alert::new(price(), false)))]).unwrap();
    let firing = || Change::AlertFired(Box::new(event(1, 1)), Box::new(seen(1, 9)));
    let seen_firings = |numbers: &[u32]| {
        let firings = numbers.iter().map(|number| (AlertId(1), *number)).collect();
        Change::AlertsSeen(Box::new(SeenAlerts { firings, unchecked: Vec::new() }))
    };
    assert_eq!(first.save(&[seen_firings(&[]), firing()]).unwrap(), [0, 1]);
    assert_eq!(second.save(&[firing()]).unwrap(), [0_usize; 0], "the other process has recorded it");
    first.save(&[Change::AlertFired(Box::new(event(1, 2)), Box::new(seen(2, 12)))]).unwrap();
    // A late, older state.
    second.save(&[Change::AlertsChecked(vec![(AlertId(1), seen(1, 10))])]).unwrap();
    second.save(&[seen_firings(&[1])]).unwrap();
    let seen_events = |data: &UserData| data.alert_events.iter().map(|event| event.seen).collect::<Vec<_>>();
    assert_eq!(seen_events(&first.load().unwrap()), [true, false], "the second one was not shown");
    second.save(&[seen_firings(&[1, 2])]).unwrap();
    let data = first.load().unwrap();
    let events = [1, 2].map(|number| AlertEvent { seen: true, ..event(1, number) });
    assert_eq!((data.alert_events.as_slice(), &data.alerts[0].state), (events.as_slice(), &seen(2, 12)));
    // A removed alert leaves nothing, and is not restored by a late change.
    first.save(&[Change::RemoveAlert(Box::new(data.alerts[0].clone()))]).unwrap();
    let late = Change::AlertFired(Box::new(event(1, 3)), Box::new(seen(3, 13)));
    assert_eq!(second.save(&[late]).unwrap(), [0_usize; 0]);
    let data = second.load().unwrap();
    assert!(data.alerts.is_empty() && data.alert_events.is_empty());
}

#[test]
fn alert_whose_firing_cannot_be_recorded_does_not_fire_again() {
    for damage in ["DROP TABLE alert_event", "ALTER TABLE alert_event RENAME COLUMN title TO headline"] {
        for once in [false, true] {
            let directory = tempfile::tempdir().unwrap();
            let mut database = Database::open(directory.path()).unwrap();
            database.save(&[Change::AddAlert(Box::new(Alert::new(price(), once)))]).unwrap();
            Connection::open(directory.path().join(super::super::super::FILE)).unwrap().execute(damage, []).unwrap();
            let firing = Change::AlertFired(Box::new(event(1, 1)), Box::new(seen(1, 9)));
            // It is tried again with later changes.
            for _ in 0..2 {
                let outcomes = database.save_each(std::slice::from_ref(&firing)).unwrap();
                let reason = String::from("Can't save fired alerts (unexpected table structure)");
                assert_eq!(outcomes, [SaveOutcome::Skipped(reason)]);
                let alert = database.load().unwrap().alerts[0].clone();
                assert_eq!((alert.state, alert.on), (seen(1, 9), !once), "{damage}");
            }
            // Edited since, so the state of the former rule is not applied.
            let alert = database.load().unwrap().alerts[0].clone();
            let edited = Alert { state: alert.state.restarted(false), on: true, ..alert.clone() };
            let edit = Edit { before: alert, after: edited.clone() };
            database.save(&[Change::EditAlert(Box::new(edit))]).unwrap();
            let _ = database.save_each(&[firing]).unwrap();
            assert_eq!(database.load().unwrap().alerts, [edited]);
        }
    }
}

#[test]
fn firing_during_an_edit_keeps_its_number() {
    let directory = tempfile::tempdir().unwrap();
    let mut first = Database::open(directory.path()).unwrap();
    let mut second = Database::open(directory.path()).unwrap();
    first.save(&[Change::AddAlert(Box::new(Alert::new(price(), false)))]).unwrap();
    let before = first.load().unwrap().alerts[0].clone();
    second.save(&[Change::AlertFired(Box::new(event(1, 1)), Box::new(seen(1, 9)))]).unwrap();
    let after = Alert { state: before.state.restarted(false), ..before.clone() };
    first.save(&[Change::EditAlert(Box::new(Edit { before, after }))]).unwrap();
    // A late firing of the rule before.
    second.save(&[Change::AlertFired(Box::new(event(1, 2)), Box::new(seen(2, 10)))]).unwrap();
    let data = first.load().unwrap();
    assert_eq!((data.alerts[0].state.fired, data.alerts[0].state.revision), (1, 1));
    assert_eq!(data.alert_events, [event(1, 1)]);
}

#[test]
fn state_of_a_wrong_clock_is_replaced() {
    const YEAR_2100: i64 = 4_102_444_800;
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let alert = |state| Alert { id: AlertId(1), state, ..Alert::new(price(), false) };
    database.save(&[Change::AddAlert(Box::new(alert(seen(1, YEAR_2100))))]).unwrap();
    for (state, expected) in [(seen(1, 9), 9), (seen(1, 8), 9), (seen(2, 8), 8)] {
        database.save(&[Change::AlertsChecked(vec![(AlertId(1), state)])]).unwrap();
        let checked = database.load().unwrap().alerts[0].state.checked_at;
        assert_eq!(checked, Some(UtcTime::from_secs(expected)));
    }
}

#[test]
fn alert_of_a_newer_version_is_skipped_and_named() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let alert = || Change::AddAlert(Box::new(Alert::new(price(), false)));
    database.save(&[alert(), alert()]).unwrap();
    let connection = Connection::open(directory.path().join(super::super::super::FILE)).unwrap();
    connection.execute("UPDATE alert SET measure = 'phase of the moon' WHERE id = 1", []).unwrap();
    let data = database.load().unwrap();
    assert_eq!(data.alerts.iter().map(|alert| alert.id.0).collect::<Vec<_>>(), [2]);
    let part = UnreadablePart::Alert(AlertId(1));
    assert_eq!(data.unreadable, [Unreadable { part, sentence: String::from("Can't read alert 1 (unknown rule)") }]);
}

#[test]
fn alert_with_a_damaged_number_is_skipped_and_named() {
    let address = Target::Address("bc1q".into());
    let rules = [
        Rule { rearm: Some(Decimal::from(9)), ..rule(Measure::Price(Currency::usd()), limit("10")) },
        Rule { target: address.clone(), ..rule(Measure::Balance("ordi".into()), limit("10")) },
        Rule { target: address, ..rule(Measure::Receives, Condition::Transfer) },
    ];
    for (id, column, value, problem) in [
        (1, "number", "10 usd", r#"invalid number "10 usd""#),
        (1, "rule_rearm", "9,5", r#"invalid rule rearm "9,5""#),
        (1, "rearm", "9.", r#"invalid rearm "9.""#),
        (1, "last_value", "NaN", r#"invalid last value "NaN""#),
        (2, "last_value", "-1", r#"invalid last value "-1""#),
        (2, "baseline", "1e3", r#"invalid baseline "1e3""#),
        (1, "outlier", "?", r#"invalid outlier "?""#),
        (3, "balances", "5 ordi\nx sats", r#"invalid balances "x sats""#),
        (3, "balances", "ordi", r#"invalid balances "ordi""#),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let alert = |rule: &Rule| Change::AddAlert(Box::new(Alert::new(rule.clone(), false)));
        database.save(&rules.iter().map(alert).collect::<Vec<_>>()).unwrap();
        let connection = Connection::open(directory.path().join(super::super::super::FILE)).unwrap();
        let sql = format!("UPDATE alert SET {column} = ?1 WHERE id = ?2");
        connection.execute(&sql, (value, id)).unwrap();
        let data = database.load().unwrap();
        let sentence = format!("Can't read alert {id} ({problem})");
        assert_eq!(data.unreadable, [Unreadable { part: UnreadablePart::Alert(AlertId(id)), sentence }]);
        assert_eq!(data.alerts.len(), 2);
        // Another alert whose number is taken is added under a new one.
        let other = Alert { id: AlertId(id), ..Alert::new(price(), false) };
        database.save(&[Change::RestoreAlert(Box::new(other), vec![event(id, 1)])]).unwrap();
        let data = database.load().unwrap();
        assert_eq!((data.alerts.last().map(|alert| alert.id.0), data.alert_events), (Some(4), vec![event(4, 1)]));
    }
}

#[test]
fn firing_between_unsaved_edits_is_recorded() {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    database.save(&[Change::AddAlert(Box::new(Alert::new(price(), false)))]).unwrap();
    let first = database.load().unwrap().alerts[0].clone();
    let restarted = |alert: &Alert| Alert { state: alert.state.restarted(false), ..alert.clone() };
    let second = Alert { once: true, ..restarted(&first) };
    let third = Alert { rule: rule(Measure::Rank, limit("1")), ..restarted(&second) };
    let edit = |before: &Alert, after: &Alert| {
        Change::EditAlert(Box::new(Edit { before: before.clone(), after: after.clone() }))
    };
    let fired = AlertState { fired: 1, checked_at: Some(UtcTime::from_secs(9)), ..second.state.clone() };
    let changes =
        [edit(&first, &second), Change::AlertFired(Box::new(event(1, 1)), Box::new(fired)), edit(&second, &third)];
    // They stayed unsaved while another process had the lock.
    let mut unsaved = Vec::new();
    (0..).zip(changes).for_each(|(number, change)| queue(&mut unsaved, number, change));
    let unsaved: Vec<Change> = unsaved.into_iter().map(|(_, change)| change).collect();
    let firing = unsaved.iter().position(|change| matches!(change, Change::AlertFired(..))).unwrap();
    assert!(database.save(&unsaved).unwrap().contains(&firing), "it is announced");
    let data = database.load().unwrap();
    assert_eq!(data.alert_events, [event(1, 1)]);
    assert_eq!((&data.alerts[0].rule, data.alerts[0].state.fired), (&third.rule, 1));
}
