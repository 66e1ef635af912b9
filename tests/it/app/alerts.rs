//! Alerts: adding them by keys, firing, and the requests for them.

mod filter;
mod firing;
mod list;
mod missed;
mod other_processes;
mod typing;
mod values;
mod wallet_rules;

use crossterm::event::KeyCode;
use satscope::app::preferences::EMBEDDED;
use satscope::app::{Effect, Message, Overlay, Preferences, demand};
use satscope::client::{ErrorKind, Request, ResponseData};
use satscope::model::{
    BitcoinBalance, Brc20Token, ChainState, CoinId, CoinName, Currency, HistoricalRate, IndexedName, Page, UtcTime,
};
use satscope::user_data::alert::{Comparison, Condition, DataKind, DataScope, Value, ValueSource};
use satscope::user_data::{
    Alert, AlertEvent, AlertId, Change, Lot, LotId, LotPrice, UncheckedPeriod, UserData, WalletAddress, Watched,
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
fn arrive(app: &mut App, request: &Request, response: ResponseData) -> Vec<Effect> {
    app.now = app.now.plus(std::time::Duration::from_mins(1));
    let fetch_id = app.start(request);
    let receipt = app.receipt();
    let event = satscope::fetch::Event::Arrived {
        request: request.clone(),
        fetch_id,
        response: Some(std::sync::Arc::new(response)),
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

/// The open line of the alert `ordi > 12`, in which ` once` is added.
fn with_edited_line() -> App {
    let mut app = app();
    add(&mut app, "ordi > 12");
    app.send(Message::Saved(1, Ok(())));
    app.keys("!");
    app.key(KeyCode::Esc);
    app.keys("e");
    app.keys(" once");
    app
}

/// The store has saved the new alerts under IDs that start at `first`.
fn assign_alert_ids(app: &mut App, first: i64) {
    let alerts: Vec<Alert> = app.state.alerts.tracked.iter().map(|tracked| tracked.alert.clone()).collect();
    for ((number, id), alert) in (1..).zip(first..).zip(&alerts) {
        app.send(Message::Saved(number, Ok(())));
        app.assign_id(&Change::AddAlert(Box::new(alert.clone())), id);
    }
    let numbered = alerts.into_iter().zip(first..).map(|(alert, id)| Alert { id: AlertId(id), ..alert });
    app.send(Message::Loaded(Box::new(UserData { alerts: numbered.collect(), ..UserData::default() })));
}

/// An alert on the coin with this slug.
fn price_alert(id: i64, rule: &str, slug: &str) -> Alert {
    let (symbol, coin_id) = (slug.to_uppercase(), format!("id-{slug}"));
    let coin = Watched { symbol: symbol.into(), slug: Some(slug.into()), id: Some(coin_id.into()) };
    let rule = satscope::alerts::parse::parse(rule).unwrap().rule(Some(coin), &Currency::usd()).unwrap();
    Alert { id: AlertId(id), ..Alert::new(rule, false) }
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
            kind: draft.kind.unwrap_or_default(),
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
