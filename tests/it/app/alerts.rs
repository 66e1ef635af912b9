//! Alerts: adding them by keys, firing, and the requests for them.

use crossterm::event::KeyCode;
use satscope::app::state::EMBEDDED;
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{BitcoinBalance, Brc20Token, ChainState, CoinId, CoinName, Currency, IndexedName, Page, UtcTime};
use satscope::user_data::alert::{DataKind, DataScope, Value};
use satscope::user_data::{
    Alert, AlertEvent, AlertId, Change, Lot, LotId, UncheckedPeriod, UserData, WalletAddress, Watched,
};

use super::fixtures::{App, START, all, coin, page, three};

/// The list with ORDI at 10, selected; this process checks the alerts.
fn app() -> App {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.checks_alerts(true);
    prices(&mut app, 10.0);
    app.keys("j");
    app
}

fn prices(app: &mut App, ordi: f64) -> Vec<Effect> {
    let mut coins = three();
    coins[1].price = Some(ordi);
    coins[1].change_24h_pct = Some(1.0);
    arrive(app, &all(1), page(coins, Some(3)))
}

/// A response a minute later, and its effects.
fn arrive(app: &mut App, request: &Request, answer: ResponseData) -> Vec<Effect> {
    app.now = app.now.plus(std::time::Duration::from_mins(1));
    let ticket = app.start(request);
    let receipt = app.receipt();
    let event = satscope::fetch::Event::Arrived {
        request: request.clone(),
        ticket,
        answer: Some(std::sync::Arc::new(answer)),
        receipt,
    };
    app.send(Message::Fetch(event))
}

fn add(app: &mut App, rule: &str) -> Vec<Effect> {
    app.keys("!");
    if matches!(&app.state.overlay, Some(Overlay::Alerts(dialog)) if dialog.line.is_none()) {
        app.keys("a");
    }
    app.send(Message::Key(crossterm::event::KeyEvent::new(
        KeyCode::Char('u'),
        crossterm::event::KeyModifiers::CONTROL,
    )));
    app.keys(rule);
    // A token is looked up before it is added.
    let looked_up = demand(&app.state).visible.into_iter().find(|it| matches!(it, Request::Brc20Token { .. }));
    if let Some(request @ Request::Brc20Token { ticker }) = &looked_up {
        let token = Brc20Token::new(ticker.clone());
        let (minted_supply, max_supply) = ("3.1".parse().ok(), "100".parse().ok());
        let token = Brc20Token { minted_supply, max_supply, ..token };
        app.answer(request, ResponseData::Brc20Token(Box::new(token)));
    }
    let effects = app.key(KeyCode::Enter);
    app.key(KeyCode::Esc);
    effects
}

fn fired(effects: &[Effect]) -> Vec<String> {
    let text = |effect: &Effect| match effect {
        Effect::Save(_, Change::AlertFired(event, _)) => Some(event.text.to_string()),
        _ => None,
    };
    effects.iter().filter_map(text).collect()
}

/// The number of the change that records a firing.
fn firing_number(effects: &[Effect]) -> u64 {
    let number = |effect: &Effect| match effect {
        Effect::Save(number, Change::AlertFired(..)) => Some(*number),
        _ => None,
    };
    effects.iter().find_map(number).unwrap()
}

/// The effects after the store has recorded the firing.
fn after_saving(app: &mut App, effects: &[Effect]) -> Vec<Effect> {
    app.send(Message::Saved(firing_number(effects), Ok(())))
}

fn background(app: &App) -> Vec<String> {
    demand(&app.state).background.iter().map(|need| need.request.describe()).collect()
}

#[test]
fn key_on_a_row_fills_in_five_percent() {
    let mut app = app();
    app.keys("!");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("ordi > 10.5 usd"), "{screen}");
    }
    let screen = app.screen((120, 35));
    assert!(
        screen.contains("Fires when ORDI > 10.5 USD · re-arms at 10.45") && screen.contains("5.0% away"),
        "{screen}"
    );
    app.key(KeyCode::Down);
    let screen = app.screen((120, 35));
    assert!(screen.contains("› ordi < 9.5 usd") && screen.contains("↑↓ select"), "{screen}");
    app.keys("x");
    assert!(!app.screen((120, 35)).contains("↑↓ select"), "{}", app.screen((120, 35)));
    app.key(KeyCode::Backspace);
    let effects = app.key(KeyCode::Enter);
    let [Effect::Save(_, Change::AddAlert(alert))] = effects.as_slice() else { panic!("{effects:?}") };
    assert_eq!((alert.rule.to_string().as_str(), alert.state.armed), ("ordi < 9.5 usd", Some(true)));
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("ORDI") && screen.contains("price < 9.5") && screen.contains("10.00"), "{screen}");
    }
}

#[test]
fn alert_fires_rings_notifies_and_counts_until_seen() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    assert!(fired(&prices(&mut app, 11.0)).is_empty());
    let effects = prices(&mut app, 12.5);
    assert_eq!(fired(&effects), ["ORDI is 12.50 USD (limit 12)"]);
    let effects = after_saving(&mut app, &effects);
    assert!(effects.contains(&Effect::Bell));
    let text = String::from("ORDI is 12.50 USD (limit 12)");
    assert!(effects.contains(&Effect::Notify { title: String::from("ORDI > 12"), text }));
    assert!(fired(&prices(&mut app, 13.0)).is_empty(), "once until it is armed again");
    assert!(app.screen((120, 35)).contains("◔ 1"), "{}", app.screen((120, 35)));
    app.keys("!");
    for size in [(160, 45), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        assert!(screen.contains("› ordi > ") && screen.contains("ORDI is 12.50 USD"), "{screen}");
    }
    let screen = app.screen((120, 35));
    assert!(screen.contains("◔ 1") && screen.contains("Esc list"), "{screen}");
    let effects = app.key(KeyCode::Esc);
    assert!(matches!(effects.as_slice(), [Effect::Save(_, Change::AlertsSeen(_))]), "{effects:?}");
    let screen = app.screen((120, 35));
    assert!(!screen.contains('◔') && screen.contains("fired") && screen.contains("ORDI is 12.50 USD"), "{screen}");
}

#[test]
fn added_alert_stays_selected_when_the_store_gives_it_a_number() {
    let mut app = app();
    let effects = add(&mut app, "ordi > 12");
    let stored = |app: &App| {
        let numbers = app.state.alerts.tracked.iter().zip(1..);
        let alerts = numbers.map(|(own, number)| Alert { id: AlertId(number), ..own.alert.clone() }).collect();
        Message::Loaded(Box::new(UserData { alerts, ..UserData::default() }))
    };
    let is_saved = |app: &mut App, effects: &[Effect]| {
        for effect in effects {
            if let Effect::Save(number, _) = effect {
                app.send(Message::Saved(*number, Ok(())));
            }
        }
    };
    let loaded = stored(&app);
    is_saved(&mut app, &effects);
    app.send(loaded);
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("aordi > 13");
    let effects = app.key(KeyCode::Enter);
    let loaded = stored(&app);
    is_saved(&mut app, &effects);
    app.send(loaded);
    let ids: Vec<i64> = app.state.alerts.tracked.iter().map(|own| own.alert.id.0).collect();
    assert_eq!(ids, [1, 2]);
    let effects = app.keys("b");
    let [Effect::Save(_, Change::AlertSignals { id, bell: false, .. })] = effects.as_slice() else {
        panic!("{effects:?}")
    };
    assert_eq!(app.state.alert(*id).map(|alert| alert.rule.to_string()).as_deref(), Some("ordi > 13 usd"));
}

#[test]
fn firing_that_is_being_saved_is_announced_after_a_switch_of_data() {
    let mut before = app();
    add(&mut before, "ordi > 12");
    prices(&mut before, 11.0);
    let effects = prices(&mut before, 12.5);
    let number = firing_number(&effects);
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.state.user = before.state.user;
    app.state.alerts.take_over(before.state.alerts);
    let effects = app.send(Message::Saved(number, Ok(())));
    assert!(effects.contains(&Effect::Bell), "{effects:?}");
    assert!(
        app.state.alerts.checks(DataKind::real(DataScope::Market))
            && app.state.alerts.tracked[0].alert.state.fired == 1
    );
}

#[test]
fn alert_can_be_silent_off_edited_removed_and_restored() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("bn");
    assert!(app.screen((120, 35)).contains("silent"));
    let effects = prices(&mut app, 13.0);
    assert_eq!(fired(&effects).len(), 1);
    let effects = after_saving(&mut app, &effects);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Bell | Effect::Notify { .. })), "{effects:?}");
    app.keys(" ");
    assert!(app.screen((120, 35)).contains(" off"));
    prices(&mut app, 9.0);
    assert!(fired(&prices(&mut app, 13.0)).is_empty(), "it is off");
    app.keys("e");
    let Some(Overlay::Alerts(dialog)) = &app.state.overlay else { panic!() };
    assert_eq!(dialog.line.as_ref().unwrap().value(), "ordi > 12 usd");
    app.key(KeyCode::Backspace);
    app.keys("d rearm 11");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked[0].alert.rule.to_string(), "ordi > 12 usd rearm 11");
    app.keys("d");
    assert!(app.state.alerts.tracked.is_empty());
    app.keys("u");
    assert_eq!(app.state.alerts.tracked.len(), 1);
}

#[test]
fn invalid_rule_stays_open_with_one_reason() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp receives";
    for (line, reason) in [
        ("ordi > 1,500", "Column 8: ambiguous number 1,500 (expected 1500 or 1.500)"),
        ("nothing > 5", "No coin matches nothing in the loaded lists"),
        ("ordy > 5", "No coin matches ordy in the loaded lists · did you mean ordi?"),
        ("ordi", "Column 5: expected a condition after ordi"),
        (address, "invalid checksum"),
    ] {
        app.keys("6!");
        app.keys(line);
        assert_eq!(app.key(KeyCode::Enter), []);
        if demand(&app.state).visible.contains(&Request::CoinNames) {
            app.fail_with(&Request::CoinNames, ErrorKind::Status { status: 404, message: None, retry_after: None });
        }
        let screen = app.screen((120, 35));
        assert_eq!(screen.matches(reason).count(), 1, "{screen}");
        app.key(KeyCode::Esc);
    }
}

#[test]
fn coin_is_looked_up_before_it_is_reported_unknown() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.keys("5!");
    app.keys("ordi > 12");
    assert!(app.screen((120, 35)).contains("Looking up ordi… · loading coins"), "{}", app.screen((120, 35)));
    assert!(demand(&app.state).visible.contains(&Request::CoinNames));
    app.fail(&Request::CoinNames);
    let screen = app.screen((120, 35));
    assert!(screen.contains("Lookup of ordi failed: can't reach x (connection refused) · retrying"), "{screen}");
    let (id, name, symbol, slug) = ("id-ordi".into(), "ORDI".into(), "ORDI".into(), "ordi".into());
    let names = vec![IndexedName::from(CoinName { id, name, symbol, slug, rank: Some(2) })];
    app.answer(&Request::CoinNames, ResponseData::CoinNames(names));
    assert!(app.screen((120, 35)).contains("Fires when ORDI > 12 USD"), "{}", app.screen((120, 35)));
    assert!(!demand(&app.state).visible.contains(&Request::CoinNames));
}

#[test]
fn rule_that_is_already_true_has_a_note_and_a_duplicate_is_rejected() {
    let mut app = app();
    app.keys("!");
    app.send(Message::Key(crossterm::event::KeyEvent::new(
        KeyCode::Char('u'),
        crossterm::event::KeyModifiers::CONTROL,
    )));
    app.keys("ordi > 8");
    let note = "already true · must first fall to $7.80 or below";
    assert!(app.screen((120, 35)).contains(note), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    let toast = app.state.toast.as_ref().map_or("", |toast| toast.text.as_str());
    assert_eq!(toast, format!("Saved alert ORDI > 8: {note}"));
    app.keys("a");
    app.keys("ordi > 8.0 once");
    assert_eq!(app.key(KeyCode::Enter), []);
    assert!(app.screen((120, 35)).contains("You already have this alert: ORDI > 8"), "{}", app.screen((120, 35)));
}

#[test]
fn shared_symbol_asks_which_coin() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    let coins = vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))];
    app.answer(&all(1), page(coins, Some(2)));
    app.keys("6!");
    app.keys("cat > 5");
    let screen = app.screen((80, 24));
    assert!(screen.contains("cat-one") && screen.contains("cat-two"), "{screen}");
    assert_eq!(screen.matches("cat-one").count(), 1, "each name once: {screen}");
    app.key(KeyCode::Down);
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked[0].alert.state.last, Some(Value::Number(2.0)));
}

#[test]
fn bell_is_turned_off_without_undoing_what_another_process_has_seen() {
    use satscope::store::Database;
    use satscope::user_data::{AlertEvent, AlertState};

    let directory = tempfile::tempdir().unwrap();
    let mut checker = Database::open(directory.path()).unwrap();
    let mut app = app();
    let effects = add(&mut app, "ordi > 12 usd");
    let added = effects.iter().find_map(|effect| match effect {
        Effect::Save(_, change @ Change::AddAlert(_)) => Some(change.clone()),
        _ => None,
    });
    checker.save(&[added.unwrap()]).unwrap();
    let mut data = checker.load().unwrap();
    data.alerts[0].state.armed = Some(true);
    let mut other = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    other.send(Message::Loaded(Box::new(data.clone())));
    // It fires before the other process has loaded that.
    let event = AlertEvent {
        alert: AlertId(1),
        number: 1,
        at: START,
        after: None,
        title: "ORDI > 12".into(),
        text: "ORDI is 13 USD (limit 12)".into(),
        missed: false,
        seen: false,
    };
    let state = AlertState { armed: Some(false), fired: 1, fired_at: Some(event.at), ..data.alerts[0].state.clone() };
    checker.save(&[Change::AlertFired(Box::new(event), Box::new(state.clone()))]).unwrap();
    other.keys("!");
    if matches!(&other.state.overlay, Some(Overlay::Alerts(dialog)) if dialog.line.is_some()) {
        other.key(KeyCode::Esc);
    }
    let changes: Vec<Change> = other.keys("b").into_iter().filter_map(saved_change).collect();
    assert_eq!(changes.len(), 1, "{changes:?}");
    checker.save(&changes).unwrap();
    let alert = &checker.load().unwrap().alerts[0];
    assert_eq!((alert.bell, alert.notify, &alert.state), (false, true, &state));
    assert!(!other.state.alerts.tracked[0].alert.bell);
    let changes: Vec<Change> = other.keys("u").into_iter().filter_map(saved_change).collect();
    checker.save(&changes).unwrap();
    let alert = &checker.load().unwrap().alerts[0];
    assert_eq!((alert.bell, &alert.state), (true, &state), "undone");
}

fn saved_change(effect: Effect) -> Option<Change> {
    if let Effect::Save(_, change) = effect { Some(change) } else { None }
}

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
fn visible_values_cost_no_request_and_others_one() {
    let mut app = app();
    let block = "Block height and fees";
    assert_eq!(background(&app), [block], "no rules, no requests");
    add(&mut app, "ordi > 12");
    add(&mut app, "ordi 24h < -8%");
    assert_eq!(background(&app), [block], "the list has the values");
    app.keys("5");
    assert_eq!(background(&app), [block, "Coin with ID id-ordi"]);
    add(&mut app, "nova minted >= 99%");
    assert_eq!(
        background(&app),
        [block, "Coin with ID id-ordi", "BRC-20 token nova"].map(String::from).to_vec().sorted()
    );
    // Another process checks them.
    app.checks_alerts(false);
    app.send(Message::Tick);
    assert_eq!(background(&app), [block]);
}

/// Sorted as the requests of alerts are: tokens before coins.
trait Sorted {
    fn sorted(self) -> Vec<String>;
}

impl Sorted for Vec<String> {
    fn sorted(mut self) -> Vec<String> {
        self.sort();
        self.sort_by_key(|name| name.starts_with("Coin"));
        self.sort_by_key(|name| !name.starts_with("Block"));
        self
    }
}

#[test]
fn coin_that_is_not_found_by_id_is_requested_as_a_series() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("5");
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    app.answer(&by_id, ResponseData::Coins(Page { items: Vec::new(), total: None }));
    assert!(background(&app).contains(&String::from("Price history of ORDI (USD, 5m)")), "{:?}", background(&app));
}

#[test]
fn token_fires_on_each_step() {
    let mut app = app();
    let token = |minted: &str| {
        let token = Brc20Token::new("nova".into());
        let (minted_supply, max_supply) = (minted.parse().ok(), "100".parse().ok());
        ResponseData::Brc20Token(Box::new(Brc20Token { minted_supply, max_supply, ..token }))
    };
    add(&mut app, "nova minted every 1%");
    let request = Request::Brc20Token { ticker: "nova".into() };
    assert!(fired(&arrive(&mut app, &request, token("3.1"))).is_empty());
    assert_eq!(fired(&arrive(&mut app, &request, token("4.2"))), ["nova is 4.2% minted (passed 4%)"]);
}

#[test]
fn rule_about_an_unknown_token_is_not_added() {
    let mut app = app();
    app.keys("5!");
    app.keys("zzzz minted > 5%");
    let request = Request::Brc20Token { ticker: "zzzz".into() };
    assert!(app.screen((120, 35)).contains("Looking up zzzz…"), "{}", app.screen((120, 35)));
    assert_eq!(app.key(KeyCode::Enter), []);
    app.fail_with(&request, ErrorKind::NotFound { message: None });
    assert!(app.screen((120, 35)).contains("No BRC-20 token zzzz"), "{}", app.screen((120, 35)));
    assert_eq!(app.key(KeyCode::Enter), []);
}

#[test]
fn rule_without_source_warns_when_added() {
    let mut app = app();
    let error = ErrorKind::Status { status: 501, message: None, retry_after: None };
    app.fail_with(&Request::ChainState, error);
    app.keys("5!");
    app.keys("fees < 3");
    let reason = "ot checked: no enabled provider has this value";
    assert!(app.screen((120, 35)).contains(reason), "{}", app.screen((120, 35)));
    assert_eq!(app.key(KeyCode::Enter).len(), 1);
    let toast = app.state.toast.as_ref().map_or("", |toast| toast.text.as_str());
    assert!(toast.contains(reason), "{toast}");
}

#[test]
fn value_without_a_subject_is_that_of_the_selected_row() {
    let mut app = app();
    app.keys("!");
    app.send(Message::Key(crossterm::event::KeyEvent::new(
        KeyCode::Char('u'),
        crossterm::event::KeyModifiers::CONTROL,
    )));
    app.keys("24h < -8%");
    assert!(app.screen((120, 35)).contains("Fires when ORDI 24h < −8%"), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    assert_eq!(app.state.alerts.tracked[0].alert.rule.to_string(), "ordi 24h < -8%");
    app.keys("a24h < -8%");
    assert!(app.screen((120, 35)).contains("before 24h"), "{}", app.screen((120, 35)));
}

#[test]
fn rows_distinguish_coins_with_the_same_symbol_and_labelled_addresses() {
    let mut app = app();
    app.answer(
        &all(1),
        page(vec![coin(1, "cat-one", "CAT", Some(1.0)), coin(2, "cat-two", "CAT", Some(2.0))], Some(2)),
    );
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".into();
    let entry = WalletAddress { address, label: Some("cold".into()), added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..UserData::default() })));
    for rule in ["cat-one > 5", "cat-two > 5", "cold receives"] {
        add(&mut app, rule);
    }
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(["cat-one", "cat-two", "cold"].iter().all(|name| screen.contains(name)), "{screen}");
}

#[test]
fn failed_alert_command_is_shown_until_one_succeeds() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let sentence = "Alert command notify-send failed: exit status: 3 · no bus";
    app.send(Message::AlertCommandEnded(Err(String::from(sentence))));
    app.wait(std::time::Duration::from_secs(60));
    app.keys("6");
    let screen = app.screen((120, 35));
    assert!(
        screen.contains(sentence) && screen.contains("1 recent error") && !screen.contains("No errors"),
        "{screen}"
    );
    app.keys("!");
    assert!(app.screen((80, 24)).contains(sentence), "{}", app.screen((80, 24)));
    // A narrow dialog wraps it.
    let words = app.screen((40, 12)).replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(sentence), "{}", app.screen((40, 12)));
    app.send(Message::AlertCommandEnded(Ok(())));
    assert!(!app.screen((80, 24)).contains("notify-send"), "{}", app.screen((80, 24)));
}

#[test]
fn alerts_fill_a_small_screen() {
    let mut app = app();
    (11..18).for_each(|limit| drop(add(&mut app, &format!("ordi > {limit}"))));
    app.wait(std::time::Duration::from_secs(60));
    prices(&mut app, 11.5);
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((40, 12));
    let shown = (11..18).filter(|limit| screen.contains(&format!("price > {limit}"))).count();
    assert!(shown == 7 && screen.contains("Fired · 1"), "{screen}");
    (0..7).for_each(|_| drop(app.key(KeyCode::Down)));
    assert!(app.screen((40, 12)).contains("ORDI is 11.50"), "{}", app.screen((40, 12)));
    // A sentence that does not fit is cut between words, never within a number.
    for columns in 24..40 {
        let screen = app.screen((columns, 12));
        let line = screen.lines().find(|line| line.contains("ORDI is")).unwrap_or_else(|| panic!("{screen}"));
        assert!(line.contains("11.50") || line.contains("is…"), "{line}");
    }
}

#[test]
fn columns_stay_as_wide_as_they_were_while_the_dialog_is_open() {
    let mut app = app();
    let alert = |number: i64| {
        let rule = if number == 120 { String::from("ordi > 123456.789 usd") } else { format!("ordi > {number} usd") };
        let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("id-ordi".into()) };
        let rule = satscope::alerts::parse::parse(&rule).unwrap().rule(Some(coin), &Currency::usd()).unwrap();
        Alert { id: AlertId(number), ..Alert::new(rule, false) }
    };
    let data = UserData { alerts: (11..=130).map(alert).collect(), ..UserData::default() };
    app.send(Message::Loaded(Box::new(data)));
    let mut view_state = satscope::view::ViewState::default();
    let mut column = |app: &App| {
        let screen = app.screen_after((120, 35), &mut view_state);
        screen.lines().find_map(|line| line.find("State")).unwrap_or_else(|| panic!("{screen}"))
    };
    app.keys("6!");
    let before = column(&app);
    app.key(KeyCode::End);
    let widest = column(&app);
    assert!(widest > before);
    app.key(KeyCode::Home);
    assert_eq!(column(&app), widest);
}

#[test]
fn limits_and_states_are_never_cut() {
    let mut app = app();
    add(&mut app, "ordi > 123456.789 btc");
    add(&mut app, "ordi rank <= 1");
    add(&mut app, "ordi vol > 61234567.125 eur once");
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (120, 35), (80, 24), (40, 12)] {
        let screen = app.screen(size);
        for rule in ["price > 123,456.789 BTC", "rank ≤ 1"] {
            assert!(screen.contains(rule), "{rule}\n{screen}");
        }
        assert!(size.0 == 40 || screen.contains("vol > 61,234,567.125 EUR"), "{screen}");
        let dialog: Vec<&str> = screen.lines().filter(|line| line.contains('│')).collect();
        let cut = dialog.iter().find(|line| line.contains('…') && !line.contains("vol > …"));
        assert_eq!(cut, None, "{screen}");
    }
}

#[test]
fn more_alerts_than_rows_have_a_scrollbar() {
    let mut app = app();
    (11..60).for_each(|limit| drop(add(&mut app, &format!("ordi > {limit}"))));
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (80, 24), (40, 12)] {
        assert!(app.screen(size).contains('▐'), "{}", app.screen(size));
    }
}

#[test]
fn interval_of_less_than_a_minute_is_in_seconds() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let ticket = app.start(&all(1));
    let receipt =
        satscope::fetch::Receipt { fresh_until: app.now.plus(std::time::Duration::from_secs(30)), ..app.receipt() };
    let answer = Some(std::sync::Arc::new(page(three(), Some(3))));
    app.send(Message::Fetch(satscope::fetch::Event::Arrived { request: all(1), ticket, answer, receipt }));
    app.keys("!");
    app.key(KeyCode::Esc);
    assert!(app.screen((120, 35)).contains("checked at least every 30 s"), "{}", app.screen((120, 35)));
}

#[test]
fn fired_alert_is_marked_on_a_small_screen() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    prices(&mut app, 12.5);
    app.keys("!");
    app.key(KeyCode::Esc);
    assert!(app.screen((40, 12)).contains("ORDI > 12: fired "), "{}", app.screen((40, 12)));
}

#[test]
fn alerts_of_another_process_are_taken_over() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let mut alert: Alert = app.state.alerts.tracked[0].alert.clone();
    // The store has given it a number, and another process has seen it fire.
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
        text: "ORDI is 12.50 USD (limit 12)".into(),
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
fn alert_just_checked_by_a_command_fires_in_the_dashboard() {
    for (url, source) in [(EMBEDDED, "live"), ("https://api.example/market", "https://api.example/market")] {
        let mut app = app();
        app.state.preferences.urls = [url, url].map(String::from);
        add(&mut app, "ordi > 12");
        let mut alert: Alert = app.state.alerts.tracked[0].alert.clone();
        // As `satscope alerts add` saves it.
        alert.id = AlertId(7);
        (alert.state.source, alert.state.checked_at) = (Some(source.into()), Some(app.now));
        app.send(Message::Saved(1, Ok(())));
        app.send(Message::Loaded(Box::new(UserData { alerts: vec![alert], ..UserData::default() })));
        assert_eq!(fired(&prices(&mut app, 13.0)).len(), 1, "{url}");
    }
}

#[test]
fn service_without_a_response_is_simulated_if_its_alerts_are() {
    let mut app = app();
    app.state.preferences.urls = ["https://market.example", "https://indexer.example"].map(String::from);
    let simulated = |app: &App| *app.state.alert_kinds().get(DataKind::simulated(DataScope::Indexer));
    add(&mut app, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives");
    assert!(!simulated(&app));
    let real: Alert = app.state.alerts.tracked[0].alert.clone();
    let mut demo = Alert { id: AlertId(7), ..real.clone() };
    demo.state.source = Some("simulated".into());
    app.send(Message::Saved(1, Ok(())));
    app.send(Message::Loaded(Box::new(UserData { alerts: vec![demo.clone()], ..UserData::default() })));
    assert!(simulated(&app));
    let real = Alert { id: AlertId(8), ..real };
    app.send(Message::Loaded(Box::new(UserData { alerts: vec![demo, real], ..UserData::default() })));
    assert!(!simulated(&app), "the real one asks, and the response says it");
}

#[test]
fn address_is_sent_only_after_the_user_has_confirmed_it() {
    let mut app = app();
    app.state.preferences.address_receivers = vec![satscope::model::ProviderName::UniSat];
    app.keys("5!");
    app.keys("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq receives");
    app.key(KeyCode::Enter);
    assert!(matches!(app.state.overlay, Some(Overlay::AddressNotice { .. })), "{:?}", app.state.overlay);
    let asks = |app: &App| background(app).iter().any(|name| name.starts_with("BRC-20 balances of bc1q"));
    assert!(!asks(&app));
    app.key(KeyCode::Enter);
    app.send(Message::Tick);
    assert!(asks(&app), "{:?}", background(&app));
}

#[test]
fn short_stop_of_the_process_is_checked_with_the_price_history() {
    let asks = |app: &App| {
        let is_series = |request: &Request| matches!(request, Request::MarketData { .. });
        demand(&app.state).background.iter().any(|need| is_series(&need.request))
    };
    for (stop, is_requested) in [(60, false), (200, true)] {
        let mut app = app();
        add(&mut app, "ordi > 11 usd");
        prices(&mut app, 10.0);
        app.now = app.now.plus(std::time::Duration::from_secs(stop));
        prices(&mut app, 10.0);
        app.send(Message::Tick);
        assert_eq!(asks(&app), is_requested, "{stop} s");
    }
}

#[test]
fn alerts_show_no_hidden_amounts() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let entry = WalletAddress { address: address.into(), label: Some("cold".into()), added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..UserData::default() })));
    add(&mut app, "cold ordi > 450");
    app.keys("4H1");
    let request = Request::Brc20Balances { address: address.into(), offset: 0, limit: 500 };
    let balances = |amount: &str| {
        let (ticker, overall) = (Some("ordi".into()), amount.parse().ok());
        let balance = satscope::model::Balance { ticker, overall, available: None, transferable: None };
        ResponseData::Balances(Page { items: vec![balance], total: Some(1) })
    };
    arrive(&mut app, &request, balances("425"));
    let effects = arrive(&mut app, &request, balances("500"));
    assert_eq!(fired(&effects), ["cold has 500 ordi (limit 450)"], "the store has the amount");
    let effects = after_saving(&mut app, &effects);
    let texts: Vec<&str> = effects
        .iter()
        .filter_map(|it| if let Effect::Notify { text, .. } = it { Some(text.as_str()) } else { None })
        .collect();
    assert_eq!(texts, ["cold has ••• ordi"]);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "cold has ••• ordi");
    app.keys("!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("cold has ••• ordi") && !screen.contains("500"), "{screen}");
    assert!(screen.contains("ordi > •••") && screen.contains("re-arms •••") && !screen.contains("450"), "{screen}");
    app.key(KeyCode::Esc);
    app.keys("4H1!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("cold has 500 ordi (limit 450)"), "{screen}");
}

#[test]
fn limit_about_a_holding_is_hidden_everywhere_and_kept_when_edited() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let entry = WalletAddress { address: address.into(), label: Some("cold".into()), added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..UserData::default() })));
    app.keys("4H1");
    let hides = |app: &mut App, wanted: &str| {
        let screen = app.screen((120, 35));
        assert!(screen.contains(wanted) && !screen.contains("450") && !screen.contains("425"), "{wanted}: {screen}");
    };
    add(&mut app, "cold ordi > 450 rearm 425");
    let rule = |app: &App| app.state.alerts.tracked[0].alert.rule.to_string();
    assert_eq!(rule(&app), format!("{address} ordi > 450 rearm 425"));
    app.keys("!");
    app.key(KeyCode::Esc);
    hides(&mut app, "ordi > •••");
    app.keys("e");
    hides(&mut app, "ordi > ••• rearm •••");
    hides(&mut app, "Fires when cold ordi > ••• · re-arms at •••");
    app.keys(" once");
    app.key(KeyCode::Enter);
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Saved alert cold ordi > •••");
    assert_eq!((rule(&app), app.state.alerts.tracked[0].alert.once), (format!("{address} ordi > 450 rearm 425"), true));
    app.keys("u");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Restored alert cold ordi > ••• rearm •••");
    app.keys("d");
    assert_eq!(app.state.toast.as_ref().unwrap().text, "Removed alert cold ordi > •••");
    for effect in app.keys("u") {
        if let Effect::Save(number, _) = effect {
            app.send(Message::Saved(number, Ok(())));
        }
    }
    hides(&mut app, "Restored alert");
    app.key(KeyCode::Esc);
    app.keys("4H1!");
    app.key(KeyCode::Esc);
    let screen = app.screen((120, 35));
    assert!(screen.contains("ordi > 450"), "{screen}");
}

#[test]
fn selected_token_suggests_rules_that_can_fire() {
    let mut app = App::new();
    app.keys("5");
    let supply = |minted: &str| {
        let (minted_supply, max_supply) = (minted.parse().ok(), "100".parse().ok());
        Brc20Token { minted_supply, max_supply, holders: Some(1_000), ..Brc20Token::new("nova".into()) }
    };
    for (minted, expected) in [
        ("40", vec!["nova minted >= 99%", "nova minted every 1%", "nova holders >= 1050", "nova holders <= 950"]),
        ("100", vec!["nova holders >= 1050", "nova holders <= 950"]),
    ] {
        let tokens = ResponseData::Brc20Tokens(Page { items: vec![supply(minted)], total: Some(1) });
        app.answer(&Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 }, tokens);
        app.keys("!");
        let Some(Overlay::Alerts(dialog)) = &app.state.overlay else { panic!("no dialog") };
        assert_eq!(dialog.suggestions, expected);
        app.key(KeyCode::Esc);
        app.key(KeyCode::Esc);
    }
}

#[test]
fn missed_crossing_is_shown_with_its_time() {
    use satscope::model::{Chart, MarketSeries, Point};

    let mut app = app();
    add(&mut app, "ordi > 12");
    let left = app.now;
    app.now = left.plus(std::time::Duration::from_hours(3));
    // The first value after the pause requests the history.
    assert!(fired(&prices(&mut app, 10.1)).is_empty());
    let needed = demand(&app.state).background.into_iter().map(|need| need.request);
    let request = needed.into_iter().find(|request| matches!(request, Request::MarketData { .. })).unwrap();
    let point = |minutes: u64| {
        let price = if minutes == 60 { 12.5 } else { 10.0 };
        let time = left.plus(std::time::Duration::from_mins(minutes));
        Point { time, price: Some(price), volume: None, market_cap: None }
    };
    let series = MarketSeries {
        id: Some("id-ordi".into()),
        name: None,
        symbol: "ORDI".into(),
        slug: Some("ordi".into()),
        convert: Currency::usd(),
        interval: None,
        points: (0..36).map(|place| point(place * 5)).collect(),
        candles: None,
    };
    let effects = arrive(&mut app, &request, ResponseData::Market(vec![series]));
    assert_eq!(fired(&effects), ["ORDI is 12.50 USD (limit 12) · 5 m prices"]);
    assert!(!demand(&app.state).background.iter().any(|need| need.request == request), "it is requested once");
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        let lines: Vec<&str> = screen.lines().map(|line| line.trim_matches([' ', '│'])).collect();
        let title = lines.iter().position(|line| *line == "While you were away").expect("a title");
        assert!(lines[title + 1].ends_with("ORDI is 12.50 USD (limit 12) · 5 m prices"), "{screen}");
        assert!(!lines.contains(&"Fired"), "{screen}");
    }
    // The firing opens the chart at its time.
    app.key(KeyCode::Down);
    app.keys("d");
    assert_eq!(app.state.alerts.tracked.len(), 1, "no alert is selected");
    app.key(KeyCode::Enter);
    let token = app.state.token.as_ref().unwrap();
    let crossing = left.plus(std::time::Duration::from_hours(1));
    assert_eq!((token.symbol.as_str(), token.chart_cursor), ("ORDI", Some(crossing)));
    let request = token.chart_request(&Currency::usd()).unwrap();
    let points = (0..36).map(|place| point(place * 5)).collect();
    let chart = Chart { slug: "ordi".into(), period: token.period, convert: Currency::usd(), points, candles: None };
    app.answer(&request, ResponseData::Chart(chart));
    assert_eq!(app.state.token.as_ref().unwrap().chart_cursor, Some(crossing));
}

/// A series of ORDI at 10 every five minutes for three hours.
fn flat_series(from: UtcTime) -> satscope::model::MarketSeries {
    let point = |place: u64| satscope::model::Point {
        time: from.plus(std::time::Duration::from_mins(place * 5)),
        price: Some(10.0),
        volume: None,
        market_cap: None,
    };
    satscope::model::MarketSeries {
        id: Some("id-ordi".into()),
        name: None,
        symbol: "ORDI".into(),
        slug: Some("ordi".into()),
        convert: Currency::usd(),
        interval: None,
        points: (0..36).map(point).collect(),
        candles: None,
    }
}

#[test]
fn current_price_is_checked_when_the_history_has_arrived() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let left = app.now;
    app.now = left.plus(std::time::Duration::from_hours(3));
    assert!(fired(&prices(&mut app, 12.5)).is_empty(), "it waits for the history");
    let needed = demand(&app.state).background.into_iter().map(|need| need.request);
    let request = needed.into_iter().find(|request| matches!(request, Request::MarketData { .. })).unwrap();
    let effects = arrive(&mut app, &request, ResponseData::Market(vec![flat_series(left)]));
    assert_eq!(fired(&effects), ["ORDI is 12.50 USD (limit 12)"]);
    assert_eq!(app.state.alerts.tracked[0].alert.state.last, Some(Value::Number(12.5)));
}

/// The alert "ordi > 12" and another one on ORDI, last checked three hours ago, and the request for the series of that
/// time.
fn after_three_hours() -> (App, UtcTime, Request) {
    let mut app = app();
    add(&mut app, "ordi > 12");
    add(&mut app, "ordi < 8");
    let left = app.now;
    app.now = left.plus(std::time::Duration::from_hours(3));
    assert!(fired(&prices(&mut app, 10.1)).is_empty());
    let needed = demand(&app.state).background.into_iter().map(|need| need.request);
    let request = needed.into_iter().find(|request| matches!(request, Request::MarketData { .. })).unwrap();
    (app, left, request)
}

#[test]
fn unchecked_period_is_listed_once_and_opens_the_chart() {
    let (mut app, left, request) = after_three_hours();
    app.fail_with(&request, ErrorKind::Status { status: 500, message: None, retry_after: None });
    // A firing that the program saw itself.
    app.wait(std::time::Duration::from_secs(60));
    assert!(fired(&prices(&mut app, 11.0)).is_empty());
    app.wait(std::time::Duration::from_secs(60));
    assert_eq!(fired(&prices(&mut app, 12.1)), ["ORDI is 12.10 USD (limit 12)"]);
    app.keys("!");
    app.key(KeyCode::Esc);
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        let lines: Vec<&str> = screen.lines().map(|line| line.trim_matches([' ', '│'])).collect();
        let at = |words: &str| lines.iter().position(|line| *line == words).unwrap_or_else(|| panic!("{screen}"));
        let (away, live) = (at("While you were away"), at("Fired"));
        assert_eq!(live - away, 2, "two alerts on a coin, one line: {screen}");
        assert!(lines[away + 1].contains("ORDI not checked: server error (500)"), "{screen}");
        assert!(lines[live + 1].ends_with("ORDI is 12.10 USD (limit 12)"), "{screen}");
    }
    // Below the two alerts.
    app.key(KeyCode::Down);
    app.key(KeyCode::Down);
    let zone = &app.state.preferences.zone;
    let hint = format!("↵ ORDI at {}", satscope::format::Clock(zone.at(left)));
    assert!(app.screen((120, 35)).contains(&hint), "{}", app.screen((120, 35)));
    app.key(KeyCode::Enter);
    let token = app.state.token.as_ref().unwrap();
    assert_eq!((token.symbol.as_str(), token.chart_cursor), ("ORDI", Some(left)));
}

#[test]
fn unchecked_period_survives_a_restart_until_it_is_seen() {
    let (mut app, _, request) = after_three_hours();
    let effects = app.fail_with(&request, ErrorKind::Status { status: 500, message: None, retry_after: None });
    let kept: Vec<_> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Save(_, Change::AlertsUnchecked(periods)) => Some(periods.clone()),
            _ => None,
        })
        .collect();
    let [unchecked] = kept.as_slice() else { panic!("{effects:?}") };
    assert_eq!(unchecked.len(), 1, "two alerts on a coin, one period");
    let alerts = app.state.alerts.tracked.iter().map(|tracked| tracked.alert.clone()).collect();
    let data = UserData { alerts, unchecked: unchecked.clone(), ..UserData::default() };

    let restarted = |data: &UserData| {
        let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
        app.send(Message::Loaded(Box::new(data.clone())));
        app
    };
    let mut app = restarted(&data);
    let effects = app.keys("!");
    let [Effect::Save(_, seen @ Change::AlertsSeen(_))] = effects.as_slice() else { panic!("{effects:?}") };
    let screen = app.screen((120, 35));
    assert!(screen.contains("ORDI not checked: server error (500)"), "{screen}");
    let mut data = data;
    data.apply(seen);
    let mut app = restarted(&data);
    app.keys("!");
    let screen = app.screen((120, 35));
    assert!(!screen.contains("While you were away"), "{screen}");
}

#[test]
fn all_new_firings_and_unchecked_periods_are_listed_before_they_count_as_seen() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    let alert = app.state.alerts.tracked[0].alert.clone();
    let at = |minutes: u64| app.now.minus(std::time::Duration::from_mins(minutes));
    let period = |number: u64| UncheckedPeriod {
        alert: alert.id,
        subject: "ORDI".into(),
        from: at(20 * number),
        until: at(20 * number - 10),
        reason: format!("reason {number}").into(),
    };
    let firing = |number: u32, seen: bool| AlertEvent {
        alert: alert.id,
        number,
        at: at(u64::from(100 - number)),
        after: None,
        title: "ORDI > 12".into(),
        text: format!("firing {number}").into(),
        missed: false,
        seen,
    };
    let unchecked: Vec<UncheckedPeriod> = (1..=12).rev().map(period).collect();
    let alert_events = (1..=10).map(|number| firing(number, number < 4)).collect();
    let (alerts, data) = (vec![alert.clone()], UserData::default());
    app.send(Message::Loaded(Box::new(UserData { alerts, unchecked: unchecked.clone(), alert_events, ..data })));
    app.keys("!");
    let effects = app.key(KeyCode::Esc);
    let Some(Effect::Save(_, Change::AlertsSeen(seen))) = effects.first() else { panic!("{effects:?}") };
    assert_eq!((seen.unchecked.len(), seen.firings.len()), (12, 7));
    let screen = app.screen((120, 60));
    for text in
        seen.unchecked.iter().map(|period| period.reason.to_string()).chain((4..=10).map(|it| format!("firing {it}")))
    {
        assert!(screen.contains(&text), "{text}\n{screen}");
    }
    assert!(!screen.contains("firing 3"), "it was seen before: {screen}");
    // What doesn't fit is counted, and the arrows reach it.
    let screen = app.screen((80, 24));
    assert!(screen.contains("more"), "{screen}");
    (0..30).for_each(|_| drop(app.key(KeyCode::Down)));
    let screen = app.screen((80, 24));
    assert!(screen.contains("firing 4") && !screen.contains("more"), "{screen}");
}

#[test]
fn selected_firing_is_visible_below_many_alerts() {
    let mut app = app();
    (11..30).for_each(|limit| drop(add(&mut app, &format!("ordi > {limit}"))));
    app.wait(std::time::Duration::from_secs(60));
    assert_eq!(fired(&prices(&mut app, 14.5)).len(), 4);
    app.keys("!");
    app.key(KeyCode::Esc);
    app.key(KeyCode::End);
    (0..30).for_each(|_| drop(app.key(KeyCode::Down)));
    let screen = app.screen((80, 24));
    assert!(screen.contains("(limit 11)"), "the last one: {screen}");
    app.key(KeyCode::Up);
    app.key(KeyCode::Up);
    app.key(KeyCode::Up);
    assert!(app.screen((80, 24)).contains("(limit 14)"), "{}", app.screen((80, 24)));
}

/// Two lots, one of them at an address, of ORDI at 10 and BTC at 60,000.
fn wallet_data() -> UserData {
    let lot = |id, line: &str| {
        let draft = satscope::portfolio::entry::parse(line, jiff::civil::date(2026, 11, 23), &[]).unwrap();
        let (slug, symbol) = if line.contains("ordi") { ("ordi", "ORDI") } else { ("bitcoin", "BTC") };
        let coin = Watched {
            symbol: symbol.into(),
            slug: Some(slug.into()),
            id: Some(satscope::model::Text::from(format!("id-{slug}"))),
        };
        Lot {
            id: LotId(id),
            kind: draft.kind,
            coin,
            amount: draft.amount,
            price: draft.price,
            fee: None,
            currency: Currency::usd(),
            date: jiff::civil::date(2025, 1, 1),
            note: None,
            address: None,
        }
    };
    UserData { lots: vec![lot(1, "600 ordi @ 5"), lot(2, "0.1 bitcoin @ 5")], ..UserData::default() }
}

#[test]
fn wallet_rule_fires_when_the_wallet_is_not_on_the_screen() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("5");
    let by_id = demand(&app.state).background.into_iter().map(|need| need.request);
    let by_id = by_id.into_iter().find(|request| matches!(request, Request::CoinsById { .. })).unwrap();
    let held = |ordi: Option<f64>, change: f64| {
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        (coins[1].price, coins[1].change_24h_pct) = (ordi, Some(change));
        (coins[0].price, coins[0].change_24h_pct) = (Some(60_000.0), Some(0.0));
        ResponseData::Coins(Page { items: coins, total: None })
    };
    assert!(fired(&arrive(&mut app, &by_id, held(Some(10.0), 0.0))).is_empty());
    // Without the price of a coin, the change of the rest is not compared with that of the wallet before.
    assert!(fired(&arrive(&mut app, &by_id, held(None, -20.0))).is_empty());
    let effects = arrive(&mut app, &by_id, held(Some(8.0), -20.0));
    assert_eq!(fired(&effects), ["Wallet value changed −10.0% in 24h (limit −5%)"]);
}

/// The request for the prices of [`wallet_data`], and its response with bitcoin's change; ORDI has this price.
fn wallet_prices(ordi: Option<f64>, bitcoin_change: f64) -> (Request, ResponseData) {
    let ids = vec![CoinId("id-bitcoin".into()), CoinId("id-ordi".into())];
    let mut coins = vec![three()[0].clone(), three()[1].clone()];
    (coins[0].price, coins[0].change_24h_pct) = (Some(60_000.0), Some(bitcoin_change));
    (coins[1].price, coins[1].change_24h_pct) = (ordi, Some(0.0));
    (Request::CoinsById { ids, convert: Currency::usd() }, page(coins, None))
}

#[test]
fn wallet_rule_leaves_out_coins_without_a_price() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("5");
    let (request, answer) = wallet_prices(None, -1.0);
    arrive(&mut app, &request, answer);
    let seen = |app: &App| app.state.alerts.tracked[0].alert.state.last;
    assert!(matches!(seen(&app), Some(Value::Number(change)) if (change + 1.0).abs() < 1e-9), "{:?}", seen(&app));
    app.keys("!");
    for size in [(160, 45), (80, 24)] {
        assert!(app.screen(size).contains("· without ORDI"), "{}", app.screen(size));
    }
    app.key(KeyCode::Esc);
    // The list, which might have the price, is as old.
    arrive(&mut app, &all(1), page(three(), Some(3)));
    let (request, answer) = wallet_prices(None, -6.0);
    assert_eq!(fired(&arrive(&mut app, &request, answer)), ["Wallet value changed −6.0% in 24h (limit −5%)"]);
}

#[test]
fn wallet_rule_waits_for_coins_that_are_not_loaded() {
    let mut app = App::with(Preferences { watched: Vec::new(), ..Preferences::default() });
    app.checks_alerts(true);
    app.keys("5");
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    let (request, answer) = wallet_prices(None, -1.0);
    arrive(&mut app, &request, answer);
    let checked = |app: &App| app.state.alerts.tracked[0].alert.state.checked_at.is_some();
    assert!(!checked(&app), "the list may have the price");
    app.fail(&all(1));
    assert!(!checked(&app));
    // The price is nowhere.
    arrive(&mut app, &all(1), page(vec![coin(9, "other", "OTHER", Some(1.0))], Some(1)));
    assert!(checked(&app));
}

#[test]
fn wallet_rule_fires_in_a_pause_and_the_shown_values_stay() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("4");
    let by_id = Request::CoinsById {
        ids: vec![CoinId("id-bitcoin".into()), CoinId("id-ordi".into())],
        convert: Currency::usd(),
    };
    let held = |ordi: f64, change: f64| {
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        (coins[1].price, coins[1].change_24h_pct) = (Some(ordi), Some(change));
        coins[0].change_24h_pct = Some(0.0);
        page(coins, None)
    };
    assert!(fired(&arrive(&mut app, &by_id, held(11.0, 0.0))).is_empty());
    app.keys("P");
    let shown = |app: &App| (app.state.wallet.holdings().valuation().clone(), app.state.wallet.lines().to_vec());
    let before = shown(&app);
    // In the new order, bitcoin comes first.
    assert_eq!(fired(&arrive(&mut app, &by_id, held(8.0, -20.0))), ["Wallet value changed −10.0% in 24h (limit −5%)"]);
    assert_eq!(shown(&app), before);
    app.keys("P");
    assert_ne!(shown(&app), before);
}

/// A wallet with lots, an address and a rule about its value, while another tab is shown; and the address.
fn wallet_rule_with_address() -> (App, satscope::model::Text) {
    let mut app = app();
    let address = satscope::model::Text::const_new("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq");
    let entry = WalletAddress { address: address.clone(), label: None, added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..wallet_data() })));
    add(&mut app, "wallet 24h < -5%");
    app.keys("5");
    (app, address)
}

/// The background request of a kind.
fn wanted(app: &App, is_it: fn(&Request) -> bool) -> Request {
    demand(&app.state).background.into_iter().map(|need| need.request).find(is_it).unwrap()
}

#[test]
fn wallet_rule_waits_for_the_bitcoin_of_addresses() {
    let (mut app, address) = wallet_rule_with_address();
    let balances = wanted(&app, |request| matches!(request, Request::Brc20Balances { .. }));
    let by_id = wanted(&app, |request| matches!(request, Request::CoinsById { .. }));
    let bitcoin = wanted(&app, |request| matches!(request, Request::BitcoinBalance { .. }));
    let held = |change: f64| {
        let mut coins = vec![three()[0].clone(), three()[1].clone()];
        (coins[1].price, coins[1].change_24h_pct) = (Some(8.0), Some(change));
        (coins[0].price, coins[0].change_24h_pct) = (Some(60_000.0), Some(0.0));
        ResponseData::Coins(Page { items: coins, total: None })
    };
    let mut effects = arrive(&mut app, &balances, ResponseData::Balances(Page { items: Vec::new(), total: Some(0) }));
    effects.extend(arrive(&mut app, &by_id, held(0.0)));
    effects.extend(arrive(&mut app, &by_id, held(-20.0)));
    assert!(app.state.wallet.holdings().valuation().day_change_pct.is_some(), "the change of the rest is known");
    let balance = BitcoinBalance { address, confirmed: 100_000_000, unconfirmed: 0 };
    effects.extend(arrive(&mut app, &bitcoin, ResponseData::BitcoinBalance(balance)));
    effects.extend(arrive(&mut app, &by_id, held(-20.0)));
    assert!(fired(&effects).is_empty(), "with its bitcoin, the wallet has hardly changed: {:?}", fired(&effects));
}

#[test]
fn wallet_rule_waits_for_the_details_of_tokens() {
    let (mut app, address) = wallet_rule_with_address();
    let list = app.state.list(satscope::model::Tag::Brc20).first_request(&Currency::usd());
    let balances = Request::Brc20Balances { address: address.clone(), offset: 0, limit: 500 };
    app.fail_with(&Request::BitcoinBalance { address }, ErrorKind::NotFound { message: None });
    let by_id = wanted(&app, |request| matches!(request, Request::CoinsById { .. }));
    let mut coins = vec![three()[0].clone(), three()[1].clone()];
    coins.iter_mut().for_each(|coin| coin.change_24h_pct = Some(0.0));
    arrive(&mut app, &by_id, page(coins, None));
    let deploy = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";
    let mut rats = coin(9, "rats", "RATS", Some(2.0));
    rats.contracts = vec![satscope::model::Contract { platform: None, address: deploy.into() }];
    rats.change_24h_pct = Some(0.0);
    arrive(&mut app, &list, page(vec![rats], Some(1)));
    let overall = Some(satscope::model::Amount::from_units(5));
    let held = satscope::model::Balance { ticker: Some("rats".into()), overall, available: None, transferable: None };
    arrive(&mut app, &balances, ResponseData::Balances(Page { items: vec![held], total: Some(1) }));
    let checked = |app: &App| app.state.alerts.tracked[0].alert.state.checked_at.is_some();
    assert!(!checked(&app), "the change of the rest is not that of the wallet");
    let details = wanted(&app, |request| matches!(request, Request::Brc20Token { .. }));
    let token = Brc20Token { inscription_id: Some(deploy.into()), ..Brc20Token::new("rats".into()) };
    arrive(&mut app, &details, ResponseData::Brc20Token(Box::new(token)));
    assert!(checked(&app));
}

#[test]
fn wallet_rule_requests_the_balances_of_addresses() {
    let mut app = app();
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".into();
    let entry = WalletAddress { address, label: None, added_at: START };
    app.send(Message::Loaded(Box::new(UserData { addresses: vec![entry], ..wallet_data() })));
    app.keys("5");
    let asks = |app: &App| background(app).iter().any(|name| name.starts_with("BRC-20 balances of bc1q"));
    assert!(!asks(&app));
    add(&mut app, "wallet 24h < -5%");
    app.send(Message::Tick);
    assert!(asks(&app), "{:?}", background(&app));
}

#[test]
fn header_counts_unchecked_alerts_and_dialog_shows_the_reason() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    add(&mut app, "nova minted >= 99%");
    add(&mut app, "fees < 3");
    app.keys("5");
    assert!(!app.screen((160, 45)).contains("not checked"), "they are being requested");
    app.now = app.now.plus(std::time::Duration::from_mins(3));
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    app.fail(&by_id);
    app.fail(&Request::Brc20Token { ticker: "nova".into() });
    assert!(app.screen((160, 45)).contains("2 alerts not checked"), "{}", app.screen((160, 45)));
    assert!(app.screen((60, 24)).contains("◌ 2"), "{}", app.screen((60, 24)));
    app.keys("!");
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("ORDI > 12 not checked: can't reach the service (connection refused)"), "{screen}");
    }
    // A value arrives.
    let mut coin = three()[1].clone();
    coin.price = Some(11.0);
    arrive(&mut app, &by_id, ResponseData::Coins(Page { items: vec![coin], total: None }));
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert!(screen.contains("ORDI > 12: checked at least every 5 m"), "{screen}");
    }
    app.key(KeyCode::Esc);
    assert!(app.screen((160, 45)).contains("1 alert not checked"), "{}", app.screen((160, 45)));
    // Another process checks them.
    app.checks_alerts(false);
    assert!(!app.screen((160, 45)).contains("not checked"));
}

#[test]
fn chart_shows_alerts_and_lots_of_its_coin() {
    use satscope::model::{Chart, Period, Point};

    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "ordi > 10.5");
    add(&mut app, "ordi < 8.5 eur");
    app.key(KeyCode::Enter);
    let request = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: Currency::usd() };
    let point = |hour: u64| {
        let time = app.now.minus(std::time::Duration::from_hours(168 - hour));
        Point { time, price: Some(9.5 + hour as f64 / 200.0), volume: None, market_cap: None }
    };
    let points = (0..=168).map(point).collect();
    let chart = Chart { slug: "ordi".into(), period: Period::Week, convert: Currency::usd(), points, candles: None };
    app.answer(&request, ResponseData::Chart(chart));
    for size in [(160, 45), (80, 24)] {
        let screen = app.screen(size);
        assert_eq!(screen.lines().filter(|line| line.contains("╌╌")).count(), 1, "{screen}");
        assert!(screen.contains("10.50┤╌"), "{screen}");
    }
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
fn wallet_with_old_prices_is_reported_as_unchecked() {
    let mut app = app();
    app.send(Message::Loaded(Box::new(wallet_data())));
    add(&mut app, "wallet 24h < -5%");
    app.keys("5");
    let by_id = demand(&app.state).background.into_iter().map(|need| need.request);
    let by_id = by_id.into_iter().find(|request| matches!(request, Request::CoinsById { .. })).unwrap();
    let mut coins = vec![three()[0].clone(), three()[1].clone()];
    coins.iter_mut().for_each(|coin| (coin.price, coin.change_24h_pct) = (Some(10.0), Some(0.0)));
    arrive(&mut app, &by_id, ResponseData::Coins(Page { items: coins, total: None }));
    let checked = app.state.alerts.tracked[0].alert.state.checked_at;
    assert!(checked.is_some());
    for _ in 0..60 {
        let height = ChainState { height: 900_000, hash: None, fees: None };
        arrive(&mut app, &Request::ChainState, ResponseData::ChainState(height));
    }
    assert_eq!(app.state.alerts.tracked[0].alert.state.checked_at, checked);
    assert!(app.screen((160, 45)).contains("1 alert not checked"), "{}", app.screen((160, 45)));
}

#[test]
fn old_data_are_reported_although_no_request_fails() {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.keys("5");
    let by_id = Request::CoinsById { ids: vec![CoinId("id-ordi".into())], convert: Currency::usd() };
    let mut coin = three()[1].clone();
    coin.price = Some(11.0);
    arrive(&mut app, &by_id, ResponseData::Coins(Page { items: vec![coin], total: None }));
    app.now = app.now.plus(std::time::Duration::from_mins(9));
    app.send(Message::Tick);
    assert!(!app.screen((160, 45)).contains("not checked"), "{}", app.screen((160, 45)));
    app.now = app.now.plus(std::time::Duration::from_mins(1));
    app.send(Message::Tick);
    assert!(app.screen((160, 45)).contains("1 alert not checked"), "{}", app.screen((160, 45)));
    app.keys("!");
    assert!(app.screen((160, 45)).contains("latest data are 10 m old"), "{}", app.screen((160, 45)));
}
