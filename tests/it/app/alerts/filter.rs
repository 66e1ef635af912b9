//! The filter of the list of alerts.

use satscope::app::ClickTarget;
use satscope::app::alerts::past::PastKey;

use super::*;

/// The list of four alerts; the coin of the third one has a name that differs from its symbol and slug.
fn listed() -> App {
    let mut app = app();
    let mut coins = three();
    coins[0].name = "Golden Coin".into();
    app.answer(&all(1), page(coins, Some(3)));
    let alerts = vec![
        price_alert(1, "ordi > 12 usd", "ordi"),
        price_alert(2, "ordi rank <= 5", "ordi"),
        price_alert(3, "bitcoin > 70000 usd", "bitcoin"),
        price_alert(4, "void vol > 5 usd", "void"),
    ];
    app.send(Message::Loaded(Box::new(UserData { alerts, ..UserData::default() })));
    app.keys("6!");
    app
}

fn dialog(app: &App) -> &satscope::app::overlay::AlertsDialog {
    match &app.state.overlay {
        Some(Overlay::Alerts(dialog)) => dialog,
        other => panic!("{other:?}"),
    }
}

/// The alerts in the list.
fn ids(app: &App) -> Vec<i64> {
    let listed = dialog(app).listed(&app.state.alerts.tracked);
    (0..listed.len()).filter_map(|row| Some(listed.get(row)?.alert.id.0)).collect()
}

fn selected(app: &App) -> Option<AlertId> {
    dialog(app).selected
}

#[test]
fn filter_finds_alerts_by_rule_and_coin() {
    let mut app = listed();
    for (filter, expected) in [
        ("ORDI", &[1, 2][..]),
        ("rank", &[2]),
        ("> 12", &[1]),
        ("rank ordi", &[2]),
        ("golden", &[3]),
        ("bitcoin", &[3]),
        ("70000", &[3]),
        ("70k", &[3]),
        ("ordi golden", &[]),
    ] {
        app.keys("/");
        app.keys(filter);
        assert_eq!(ids(&app), expected, "{filter}");
        for size in [(120, 35), (40, 12)] {
            let screen = app.screen(size);
            let count = format!("{} of 4", expected.len());
            assert!(screen.contains(&format!("Alerts · /{filter}")) && screen.contains(&count), "{screen}");
            assert_eq!(screen.contains("No alerts match"), expected.is_empty(), "{screen}");
        }
        app.key(KeyCode::Esc);
        assert_eq!(ids(&app), [1, 2, 3, 4]);
    }
}

#[test]
fn filter_finds_the_names_of_coins_that_arrive_later() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let alerts = vec![price_alert(1, "ordi > 12 usd", "ordi"), price_alert(3, "bitcoin > 70000 usd", "bitcoin")];
    app.send(Message::Loaded(Box::new(UserData { alerts, ..UserData::default() })));
    app.keys("!/golden");
    assert_eq!(ids(&app), [0; 0]);
    let mut coins = three();
    coins[0].name = "Golden Coin".into();
    app.answer(&all(1), page(coins, Some(3)));
    assert_eq!((ids(&app), selected(&app)), (vec![3], Some(AlertId(3))));
}

#[test]
fn going_back_clears_the_filter_first_and_keeps_the_selection() {
    let mut app = listed();
    (0..2).for_each(|_| drop(app.key(KeyCode::Down)));
    assert_eq!(selected(&app), Some(AlertId(3)));
    app.keys("/golden");
    app.key(KeyCode::Enter);
    assert_eq!((ids(&app), selected(&app)), (vec![3], Some(AlertId(3))));
    let screen = app.screen((120, 35));
    assert!(screen.contains("Alerts · /golden · 1 of 4"), "{screen}");
    assert!(screen.lines().last().unwrap_or_default().contains("Esc all alerts"), "{screen}");
    app.key(KeyCode::Esc);
    assert_eq!((ids(&app).len(), selected(&app)), (4, Some(AlertId(3))));
    app.keys("/ordi");
    assert_eq!(selected(&app), Some(AlertId(1)), "the first one that matches");
    app.key(KeyCode::Down);
    assert_eq!(selected(&app), Some(AlertId(2)));
    app.key(KeyCode::Down);
    assert_eq!(selected(&app), Some(AlertId(2)), "the last one that matches");
    app.send(Message::Click(ClickTarget::Choice(0)));
    assert_eq!(selected(&app), Some(AlertId(1)));
    app.key(KeyCode::Esc);
    assert_eq!((ids(&app).len(), selected(&app)), (4, Some(AlertId(3))), "that from before");
    app.key(KeyCode::Esc);
    assert!(app.state.overlay.is_none());
}

#[test]
fn alert_from_before_the_filter_is_not_selected_once_it_is_removed() {
    let mut app = listed();
    (0..2).for_each(|_| drop(app.key(KeyCode::Down)));
    app.keys("/rank");
    let mut data = app.state.user.current().into_owned();
    data.alerts.retain(|alert| alert.id != AlertId(3));
    app.send(Message::Loaded(Box::new(data)));
    app.key(KeyCode::Esc);
    assert_eq!((ids(&app), selected(&app)), (vec![1, 2, 4], Some(AlertId(2))));
}

#[test]
fn keys_never_apply_to_an_alert_that_the_filter_hides() {
    let mut app = listed();
    app.keys("/ordi");
    app.key(KeyCode::Enter);
    app.keys("d");
    assert_eq!((ids(&app), selected(&app)), (vec![2], Some(AlertId(2))));
    app.keys("d");
    assert_eq!(ids(&app), [0; 0]);
    app.keys("d b");
    assert!(app.state.alerts.tracked.iter().all(|tracked| tracked.alert.on && tracked.alert.bell));
    app.key(KeyCode::Esc);
    assert_eq!(ids(&app), [3, 4]);
}

/// A firing of an alert, `hours` ago.
fn firing(alert: i64, text: &str, hours: u64) -> AlertEvent {
    AlertEvent {
        alert: AlertId(alert),
        number: 1,
        at: START.minus(std::time::Duration::from_hours(hours)),
        after: None,
        title: "title".into(),
        text: text.into(),
        missed: alert == 3,
        seen: true,
    }
}

#[test]
fn filter_hides_the_firings_of_hidden_alerts() {
    let mut app = listed();
    let mut data = app.state.user.current().into_owned();
    // The last alert no longer exists.
    data.alert_events = vec![
        firing(1, "ORDI is 12.5 USD", 50),
        firing(3, "Golden is 70500 USD", 4),
        firing(4, "VOID volume is 6 USD", 3),
        firing(9, "ordi rank is 4", 2),
    ];
    // Hidden firings don't displace others.
    data.alert_events.extend((0..6).map(|number| AlertEvent { number: number + 2, ..firing(4, "VOID again", 5) }));
    app.send(Message::Loaded(Box::new(data)));
    app.keys("/ordi");
    app.key(KeyCode::Enter);
    let screen = app.screen((120, 40));
    for (text, is_listed) in [
        ("ORDI is 12.5 USD", true),
        ("ordi rank is 4", true),
        ("Golden is", false),
        ("While you were away", false),
        ("VOID volume", false),
        ("VOID again", false),
    ] {
        assert_eq!(screen.contains(text), is_listed, "{text}\n{screen}");
    }
    // The last row is the oldest listed firing, and keys apply to its alert.
    app.key(KeyCode::End);
    assert_eq!(dialog(&app).past, Some(PastKey::Firing(AlertId(1), 1)));
    app.keys("d");
    assert_eq!(ids(&app), [2]);
    assert_eq!(app.state.alerts.tracked.len(), 3);
    app.key(KeyCode::Esc);
    assert!(app.screen((120, 40)).contains("Golden is"), "{}", app.screen((120, 40)));
}

#[test]
fn filter_is_offered_only_if_there_are_alerts() {
    let mut app = listed();
    let offers = |app: &mut App| app.screen((120, 35)).lines().last().unwrap_or_default().contains("/ filter");
    assert!(offers(&mut app));
    app.keys("dddd");
    app.key(KeyCode::Down);
    assert!(app.state.alerts.tracked.is_empty() && !offers(&mut app), "{}", app.screen((120, 35)));
}

#[test]
fn new_alert_clears_a_filter_that_would_hide_it() {
    let mut app = listed();
    app.keys("/ordi");
    app.key(KeyCode::Enter);
    for (rule, shown) in [("ordi > 15", 3), ("void > 9", 6)] {
        app.keys("a");
        app.keys(rule);
        app.key(KeyCode::Enter);
        assert_eq!(ids(&app).len(), shown, "{rule}");
        let new = app.state.alerts.tracked.iter().map(|tracked| tracked.alert.id).min();
        assert_eq!(selected(&app), new, "{rule}");
    }
}

#[test]
fn text_of_the_filter_stays_under_the_help() {
    let mut app = listed();
    app.keys("/gold");
    app.key(KeyCode::F(1));
    app.keys("1");
    app.key(KeyCode::Esc);
    app.keys("en");
    assert_eq!((dialog(&app).filter.value(), ids(&app)), ("golden", vec![3]));
}

#[test]
fn filter_stays_under_the_help() {
    let mut app = listed();
    app.keys("/golden");
    app.key(KeyCode::Enter);
    app.keys("?");
    let alerts = vec![price_alert(3, "bitcoin > 70000 usd", "bitcoin"), price_alert(9, "ordi > 12 usd", "ordi")];
    app.send(Message::Loaded(Box::new(UserData { alerts, ..UserData::default() })));
    app.key(KeyCode::Esc);
    assert_eq!((ids(&app), selected(&app)), (vec![3], Some(AlertId(3))));
}
