//! Alerts that another process checks.

use crossterm::event::{KeyEvent, KeyModifiers};

use super::*;

#[test]
fn title_names_another_process_only_if_one_checks_the_alerts() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    prices(&mut app, 10.0);
    add(&mut app, "ordi > 12 usd");
    app.keys("!");
    if matches!(&app.state.overlay, Some(Overlay::Alerts(dialog)) if dialog.line.is_some()) {
        app.key(KeyCode::Esc);
    }
    let other = "checked by another process";
    for (lease, is_other) in [(None, false), (Some(false), true), (Some(true), false)] {
        lease.into_iter().for_each(|holds| app.checks_alerts(holds));
        let screen = app.screen((160, 45));
        assert!(screen.contains("Alerts · 1 on") && screen.contains(other) == is_other, "{lease:?}\n{screen}");
    }
}

#[test]
fn edited_line_keeps_what_a_command_has_changed_since_it_opened() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let rule = |app: &App| {
        let alert = &app.state.alerts.tracked[0].alert;
        (alert.rule.to_string(), alert.once)
    };
    let with_rule = |app: &mut App, limit: &str| {
        let mut alert = app.state.alerts.tracked[0].alert.clone();
        alert.rule.condition = Condition::Limit(Comparison::Above, limit.parse().unwrap());
        alert.state = alert.state.restarted(false);
        app.send(Message::Loaded(Box::new(UserData { alerts: vec![alert], ..UserData::default() })));
    };
    app.send(Message::Saved(1, Ok(())));
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("e");
    with_rule(&mut app, "20");
    assert_eq!(app.key(KeyCode::Enter), [], "the line was not edited");
    assert_eq!(rule(&app), (String::from("ordi > 20 usd"), false));
    app.keys("e");
    with_rule(&mut app, "30");
    app.keys(" once");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Saved alert ORDI > 30");
    assert_eq!(rule(&app), (String::from("ordi > 30 usd"), true));
    app.keys("u");
    assert_eq!(rule(&app), (String::from("ordi > 30 usd"), false));
}

#[test]
fn alerts_of_another_process_are_taken_over() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let mut alert: Alert = app.state.alerts.tracked[0].alert.clone();
    // The store has assigned it an ID, and another process has seen it fire.
    alert.id = AlertId(7);
    (alert.state.fired, alert.state.armed) = (1, Some(false));
    let data = UserData { alerts: vec![alert], ..UserData::default() };
    let number = 1;
    app.send(Message::Saved(number, Ok(())));
    app.send(Message::Loaded(Box::new(data)));
    assert_eq!(app.state.alerts.tracked.len(), 1);
    assert!(fired(&prices(&mut app, 13.0)).is_empty());
}

#[test]
fn firing_of_another_process_is_seen_in_the_open_list() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.checks_alerts(false);
    let alert: Alert = app.state.alerts.tracked[0].alert.clone();
    app.keys("!");
    app.key(KeyCode::Esc);
    let event = AlertEvent {
        alert: alert.id,
        number: 1,
        at: app.now,
        after: None,
        title: "ORDI > 12".into(),
        text: "ORDI is 12.50 USD (limit > 12)".into(),
        missed: false,
        seen: false,
    };
    let data = UserData { alerts: vec![alert], alert_events: vec![event], ..UserData::default() };
    let effects = app.send(Message::Loaded(Box::new(data)));
    assert!(matches!(effects.as_slice(), [Effect::Save(_, Change::AlertsSeen(_))]), "{effects:?}");
    assert!(app.screen((120, 35)).contains("ORDI is 12.50 USD"), "{}", app.screen((120, 35)));
    app.key(KeyCode::Esc);
    assert!(app.state.overlay.is_none());
    assert!(!app.screen((120, 35)).contains("◔ 1"), "{}", app.screen((120, 35)));
}

#[test]
fn firing_that_another_process_has_recorded_is_not_announced() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let effects = prices(&mut app, 12.5);
    let number = firing_number(&effects);
    assert!(!effects.contains(&Effect::Bell), "the store decides who announces it");
    assert_eq!(app.send(Message::FiredElsewhere(number)), []);
    assert_eq!(app.send(Message::Saved(number, Ok(()))), []);
    prices(&mut app, 10.0);
    // A full disk doesn't hide an alert, and it is announced once.
    let effects = prices(&mut app, 12.5);
    let number = firing_number(&effects);
    let effects = app.send(Message::Saved(number, Err(String::from("disk full").into())));
    assert!(effects.contains(&Effect::Bell), "{effects:?}");
    assert_eq!(app.send(Message::Saved(number, Ok(()))), []);
}

#[test]
fn line_opens_again_if_the_alert_was_removed_before_its_edit_was_saved() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let rule = satscope::alerts::parse::parse(&format!("{address} ordi > 450")).unwrap();
    let alert = Alert { id: AlertId(1), ..Alert::new(rule.rule(None, &Currency::usd()).unwrap(), false) };
    let data = || UserData { alerts: vec![alert.clone()], ..UserData::default() };
    let number =
        |effects: &[Effect]| match effects.iter().find(|it| matches!(it, Effect::Save(_, Change::EditAlert(_)))) {
            Some(Effect::Save(number, _)) => *number,
            _ => panic!("{effects:?}"),
        };
    let is_removed = |app: &mut App, number: u64| {
        app.send(Message::NotEdited(number, String::from("Can't save: another process removed the alert")));
        assert!(app.state.alerts.tracked.is_empty() && app.state.user.is_empty());
        app.state.toast.as_ref().unwrap().text.clone()
    };
    app.send(Message::Loaded(Box::new(data())));
    // Its amount is hidden and stays the same.
    app.keys("4H1!");
    app.key(KeyCode::Esc);
    app.keys("e");
    app.keys(" once");
    let edited = number(&app.key(KeyCode::Enter));
    let toast = is_removed(&mut app, edited);
    assert_eq!(toast, "Can't save: another process removed this alert (Enter: add again)");
    assert!(app.screen((120, 35)).contains("ordi > ••• once"), "{}", app.screen((120, 35)));
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(_, Change::AddAlert(added))] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((&added.rule, added.once, added.id), (&alert.rule, true, AlertId(-1)));
    // Nothing is typed to turn it off.
    let mut app = super::app();
    app.send(Message::Loaded(Box::new(data())));
    app.keys("!");
    app.key(KeyCode::Esc);
    let toggled = number(&app.keys(" "));
    assert_eq!(is_removed(&mut app, toggled), "Can't save: another process removed the alert");
    assert!(matches!(&app.state.overlay, Some(Overlay::Alerts(dialog)) if dialog.line.is_none()));
}

/// The number of the unsaved edit of an alert.
fn edit_number(effects: &[Effect]) -> u64 {
    let number = |effect: &Effect| match effect {
        Effect::Save(number, Change::EditAlert(_)) => Some(*number),
        _ => None,
    };
    effects.iter().find_map(number).unwrap()
}

#[test]
fn line_does_not_open_again_after_the_user_has_left_the_alerts() {
    let sentence = "Can't save: another process removed the alert";
    for is_left in [false, true] {
        let mut app = with_edited_line();
        let number = edit_number(&app.key(KeyCode::Enter));
        if is_left {
            app.key(KeyCode::Esc);
        }
        app.send(Message::NotEdited(number, String::from(sentence)));
        assert_eq!(app.state.overlay.is_none(), is_left);
        assert_eq!(app.state.toast.as_ref().unwrap().text == sentence, is_left);
    }
}

/// Another process has removed the alert of these unsaved edits.
fn remove_elsewhere(app: &mut App, edits: &[u64]) {
    for number in edits {
        app.send(Message::NotEdited(*number, String::from("Can't save: another process removed the alert")));
        app.send(Message::Saved(*number, Ok(())));
        app.send(Message::Loaded(Box::default()));
    }
    let toast = app.state.toast.as_ref().unwrap().text.clone();
    assert_eq!(toast, "Can't save: another process removed this alert (Enter: add again)");
}

/// The alert that Enter adds.
fn added(app: &mut App) -> Alert {
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(_, Change::AddAlert(added))] = effects.as_slice() else { panic!("{effects:?}") };
    (**added).clone()
}

/// The list with a saved alert.
fn saved_alert() -> App {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.send(Message::Saved(1, Ok(())));
    app.keys("!");
    app.key(KeyCode::Esc);
    app
}

#[test]
fn line_of_a_removed_alert_has_all_unsaved_edits() {
    for (typed, is_on) in [("", false), (" rearm 11", true)] {
        let mut app = saved_alert();
        app.keys("e");
        app.keys(" once");
        let first = edit_number(&app.key(KeyCode::Enter));
        let last = edit_number(&app.keys(" "));
        remove_elsewhere(&mut app, &[first, last]);
        if !typed.is_empty() {
            (0.." once".len()).for_each(|_| drop(app.key(KeyCode::Backspace)));
            app.keys(typed);
        }
        let added = added(&mut app);
        // A changed line turns an alert on.
        assert_eq!((added.rule.to_string(), added.once), (format!("ordi > 12 usd{typed}"), typed.is_empty()));
        assert_eq!((added.on, added.bell, added.notify), (is_on, true, true));
    }
}

#[test]
fn removed_alert_that_is_added_again_stays_muted() {
    // Muted before or after its edit.
    for keys in ["be", "e"] {
        let mut app = saved_alert();
        app.keys(keys);
        app.keys(" once");
        let number = edit_number(&app.key(KeyCode::Enter));
        if keys == "e" {
            app.keys("b");
        }
        remove_elsewhere(&mut app, &[number]);
        let added = added(&mut app);
        assert_eq!((added.once, added.on, added.bell, added.notify), (true, true, false, true), "{keys}");
    }
    // Removed while its line was open. The line turns it on.
    let mut app = saved_alert();
    app.keys("n e");
    app.keys(" once");
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    let added = added(&mut app);
    assert_eq!((added.once, added.on, added.bell, added.notify), (true, true, true, false));
}

#[test]
fn open_line_follows_a_new_alert_with_an_unsaved_edit_to_its_number() {
    let mut app = app();
    let effects = add(&mut app, "ordi > 12");
    let added = |effect: &Effect| match effect {
        Effect::Save(number, Change::AddAlert(alert)) => Some((*number, (**alert).clone())),
        _ => None,
    };
    let (number, alert) = effects.iter().find_map(added).unwrap();
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("e");
    app.send(Message::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    app.keys("ordi > 15");
    app.key(KeyCode::Enter);
    let edited = app.state.alerts.tracked[0].alert.rule.clone();
    assert_ne!(edited, alert.rule);
    app.keys("e");
    app.send(Message::Saved(number, Ok(())));
    app.assign_id(&Change::AddAlert(Box::new(alert.clone())), 7);
    // Another process has added an equal alert.
    let [stored, other] = [7, 8].map(|id| Alert { id: AlertId(id), ..alert.clone() });
    app.send(Message::Loaded(Box::new(UserData { alerts: vec![stored, other], ..UserData::default() })));
    let known: Vec<_> = app.state.alerts.tracked.iter().map(|own| (own.alert.id, &own.alert.rule)).collect();
    assert_eq!(known, [(AlertId(7), &edited), (AlertId(8), &alert.rule)]);
    app.keys(" once");
    let effects = app.key(KeyCode::Enter);
    let edit = |effect: &Effect| match effect {
        Effect::Save(_, Change::EditAlert(edit)) => Some(edit.after.clone()),
        _ => None,
    };
    let after = effects.iter().find_map(edit).unwrap();
    assert_eq!((after.id, after.once, after.rule), (AlertId(7), true, edited));
}

#[test]
fn removed_alert_that_is_back_is_edited_instead_of_added_again() {
    let mut app = saved_alert();
    assign_alert_ids(&mut app, 1);
    let alert = app.state.alerts.tracked[0].alert.clone();
    let loaded = || Message::Loaded(Box::new(UserData { alerts: vec![alert.clone()], ..UserData::default() }));
    let edited = |app: &mut App| {
        let effects = app.key(KeyCode::Enter);
        let [Effect::Save(_, Change::EditAlert(edit))] = effects.as_slice() else { panic!("{effects:?}") };
        assert_eq!(app.state.alerts.tracked.len(), 1);
        let Alert { id, once, on, .. } = &edit.after;
        (*id, edit.after.rule.to_string(), *once, *on)
    };
    app.keys("e");
    app.keys(" once");
    let first = edit_number(&app.key(KeyCode::Enter));
    let last = edit_number(&app.keys(" "));
    remove_elsewhere(&mut app, &[first, last]);
    // The other process has undone that.
    app.send(loaded());
    assert_eq!(app.state.toast, None);
    assert_eq!(edited(&mut app), (AlertId(1), String::from("ordi > 12 usd"), true, false));
    // Removed while its line was open.
    let mut app = saved_alert();
    assign_alert_ids(&mut app, 1);
    app.keys("e");
    app.keys(" rearm 11");
    app.send(Message::Loaded(Box::default()));
    assert_eq!(app.key(KeyCode::Enter), []);
    app.send(loaded());
    assert_eq!(edited(&mut app), (AlertId(1), String::from("ordi > 12 usd rearm 11"), false, true));
}
