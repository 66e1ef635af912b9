//! Alerts and their firings.

mod row;
mod target_kind;

use rusqlite::{Connection, OptionalExtension as _, Row, Statement, Transaction, named_params};

use crate::model::{Amount, Currency, Decimal, Text, UtcTime};
use crate::store::error::{has_other_form, reason, unless_damaged};
use crate::user_data::alert::{Condition, Measure, Target, Value, ValueSource};
use crate::user_data::{Alert, AlertEvent, AlertId, AlertState, Edit, Unreadable, UnreadablePart};
use row::{alert, clean};
use target_kind::TargetKind;

/// Maximum firings that are kept.
const MAX_EVENTS: u32 = 1_000;

/// Maximum firings that are read.
const MAX_READ: u32 = 200;

/// A query whose rows [`alert`] reads.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, target, symbol, slug, coin_id, name, measure, currency, ticker, comparison, number, rule_rearm,
                 once, is_on, bell, notify, revision, armed, rearm, last_value, checked_at, source, baseline, outlier,
                 steps, balances, bitcoin_source, bitcoin_at, fired, fired_at FROM alert ",
            $rest
        )
    };
}

const SELECT_ALL: &str = select!("ORDER BY id");

const SELECT_ONE: &str = select!("WHERE id = ?1");

/// Adds an alert without a state.
const INSERT: &str =
    "INSERT INTO alert (id, target, symbol, slug, coin_id, name, measure, currency, ticker, comparison,
         number, rule_rearm, once, is_on, bell, notify, revision, fired)
     VALUES (:id, :target, :symbol, :slug, :coin_id, :name, :measure, :currency, :ticker, :comparison,
         :number, :rule_rearm, :once, :is_on, :bell, :notify, 0, 0)";

/// Replaces the state of an alert.
const UPDATE_STATE: &str = "UPDATE alert SET revision = :revision, armed = :armed, rearm = :rearm,
         last_value = :last_value, checked_at = :checked_at, source = :source, baseline = :baseline,
         outlier = :outlier, steps = :steps, balances = :balances, bitcoin_source = :bitcoin_source,
         bitcoin_at = :bitcoin_at, fired = :fired, fired_at = :fired_at
     WHERE id = :id";

/// The alerts of the database.
#[derive(Default)]
pub(super) struct Alerts {
    /// The readable alerts, by ID.
    pub(super) alerts: Vec<Alert>,
    /// The unreadable alerts.
    pub(super) unreadable: Vec<Unreadable>,
}

/// Reads all alerts.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Alerts> {
    let mut statement = connection.prepare(SELECT_ALL)?;
    let mut rows = statement.query([])?;
    let mut all = Alerts::default();
    while let Some(row) = rows.next()? {
        let reason = match alert(row) {
            Ok(Some(alert)) => {
                all.alerts.push(alert);
                continue;
            }
            Ok(None) => String::from("unknown rule"),
            Err(error) if has_other_form(&error) => reason(&error),
            Err(error) => return Err(error),
        };
        let id = AlertId(row.get(0)?);
        let sentence = format!("Can't read alert {id} ({reason})");
        all.unreadable.push(Unreadable { part: UnreadablePart::Alert(id), sentence });
    }
    Ok(all)
}

/// Reads the newest firings, oldest first.
pub(super) fn events(connection: &Connection) -> rusqlite::Result<Vec<AlertEvent>> {
    let mut statement = connection.prepare(
        "SELECT alert, number, at, after, title, text, missed, seen FROM alert_event ORDER BY at DESC, alert LIMIT ?1",
    )?;
    let event = |row: &Row<'_>| {
        Ok(AlertEvent {
            alert: AlertId(row.get(0)?),
            number: row.get(1)?,
            at: UtcTime::from_millis(row.get(2)?),
            after: row.get::<_, Option<i64>>(3)?.map(UtcTime::from_millis),
            title: clean(&row.get::<_, String>(4)?),
            text: clean(&row.get::<_, String>(5)?),
            missed: row.get(6)?,
            seen: row.get(7)?,
        })
    };
    let mut events: Vec<AlertEvent> = statement.query_map([MAX_READ], event)?.collect::<rusqlite::Result<_>>()?;
    events.reverse();
    Ok(events)
}

/// Adds an alert under its ID, or under a new one if the ID is taken or not above 0. An alert that is already
/// there, ID included, is not added again: its confirmation was lost.
pub(super) fn add(transaction: &Transaction<'_>, alert: &Alert) -> rusqlite::Result<()> {
    let known = match stored(transaction, alert.id) {
        Err(error) if has_other_form(&error) => return put(transaction, None, alert),
        known => known?,
    };
    match known {
        Some(known) if known == *alert => Ok(()),
        Some(_) => put(transaction, None, alert),
        None => put(transaction, (alert.id > AlertId::default()).then_some(alert.id), alert),
    }
}

/// Adds a removed alert like [`add`], with its firings.
pub(super) fn restore(transaction: &Transaction<'_>, alert: &Alert, events: &[AlertEvent]) -> rusqlite::Result<()> {
    let is_known = matches!(stored(transaction, alert.id), Ok(Some(known)) if known == *alert);
    add(transaction, alert)?;
    let id = if is_known { alert.id } else { AlertId(transaction.last_insert_rowid()) };
    events.iter().try_for_each(|event| put_event(transaction, id, event).map(drop))
}

/// Edits the alert with this ID. Returns whether there is one.
pub(super) fn edit(transaction: &Transaction<'_>, edit: &Edit<Alert>) -> rusqlite::Result<bool> {
    let Some(known) = stored(transaction, edit.after.id)? else { return Ok(false) };
    transaction.execute("DELETE FROM alert WHERE id = ?1", [known.id.0])?;
    put(transaction, Some(known.id), &edit.applied_to(&known))?;
    Ok(true)
}

/// Removes the alert with this ID and its firings.
pub(super) fn remove(transaction: &Transaction<'_>, id: AlertId) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM alert WHERE id = ?1", [id.0])?;
    unless_damaged(transaction.execute("DELETE FROM alert_event WHERE alert = ?1", [id.0]).map(drop))
}

/// Records the states of alerts, unless a newer one is stored.
pub(super) fn record_states(
    transaction: &Transaction<'_>,
    states: &[(AlertId, AlertState)],
    now: UtcTime,
) -> rusqlite::Result<()> {
    // Compiled once for all alerts, and only what decides is read.
    let mut age = transaction.prepare("SELECT revision, fired, checked_at FROM alert WHERE id = ?1")?;
    let mut update = transaction.prepare(UPDATE_STATE)?;
    let version = |row: &Row<'_>| {
        let checked_at = row.get::<_, Option<i64>>(2)?.map(UtcTime::from_millis);
        Ok(AlertState { revision: row.get(0)?, fired: row.get(1)?, checked_at, ..AlertState::default() })
    };
    for (id, state) in states {
        let known = age.query_row([id.0], version).optional()?;
        if known.is_some_and(|known| state.follows(&known, now)) {
            put_state(&mut update, *id, state)?;
        }
    }
    Ok(())
}

/// Records a firing with the alert's new state. An already recorded one is left unchanged. Returns whether it is new.
pub(super) fn record_firing(
    transaction: &Transaction<'_>,
    event: &AlertEvent,
    state: &AlertState,
    now: UtcTime,
) -> rusqlite::Result<bool> {
    if !record_fired_state(transaction, event.alert, state, now)? {
        return Ok(false);
    }
    let is_new = put_event(transaction, event.alert, event)?;
    transaction.execute(
        "DELETE FROM alert_event WHERE (alert, number) IN
             (SELECT alert, number FROM alert_event ORDER BY at DESC, alert LIMIT -1 OFFSET ?1)",
        [MAX_EVENTS],
    )?;
    Ok(is_new)
}

/// Records the state of an alert that has fired, unless the stored one is newer. An alert that fires only once is
/// turned off. Returns whether the alert still has the rule that fired.
pub(super) fn record_fired_state(
    transaction: &Transaction<'_>,
    id: AlertId,
    state: &AlertState,
    now: UtcTime,
) -> rusqlite::Result<bool> {
    let Some(known) = stored(transaction, id)?.filter(|known| known.state.revision == state.revision) else {
        return Ok(false);
    };
    let is_on = known.on && !known.once;
    // A retry finds it recorded. Writing it again would make all instances load their data again.
    if state.follows(&known.state, now) && (&known.state, known.on) != (state, is_on) {
        put_state(&mut transaction.prepare(UPDATE_STATE)?, id, state)?;
        transaction.execute("UPDATE alert SET is_on = ?2 WHERE id = ?1", (id.0, is_on))?;
    }
    Ok(true)
}

/// The user has seen these firings.
pub(super) fn mark_seen(transaction: &Transaction<'_>, firings: &[(AlertId, u32)]) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare("UPDATE alert_event SET seen = 1 WHERE alert = ?1 AND number = ?2")?;
    firings.iter().try_for_each(|(alert, number)| statement.execute((alert.0, number)).map(drop))
}

/// Records a firing of the alert with this ID, unless it is recorded already. Returns whether it is new.
fn put_event(transaction: &Transaction<'_>, id: AlertId, event: &AlertEvent) -> rusqlite::Result<bool> {
    let AlertEvent { alert: _, number, at, after, title, text, missed, seen } = event;
    let after = after.map(UtcTime::millis);
    let inserted = transaction.execute(
        "INSERT OR IGNORE INTO alert_event (alert, number, at, after, title, text, missed, seen)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        (id.0, number, at.millis(), after, title.as_str(), text.as_str(), missed, seen),
    )?;
    Ok(inserted > 0)
}

/// The alert with this ID.
pub(in crate::store) fn stored(transaction: &Transaction<'_>, id: AlertId) -> rusqlite::Result<Option<Alert>> {
    Ok(transaction.query_row(SELECT_ONE, [id.0], alert).optional()?.flatten())
}

fn put(transaction: &Transaction<'_>, id: Option<AlertId>, alert: &Alert) -> rusqlite::Result<()> {
    let Alert { rule, once, on, bell, notify, state, .. } = alert;
    let (coin, name) = match &rule.target {
        Target::Coin(coin) => (Some(coin), None),
        Target::Token(name) | Target::Address(name) => (None, Some(name)),
        Target::Wallet | Target::Fees => (None, None),
    };
    let ticker = if let Measure::Balance(ticker) = &rule.measure { Some(ticker.as_str()) } else { None };
    let (comparison, number) = match &rule.condition {
        Condition::Limit(comparison, limit) => (Some(comparison.as_str()), Some(limit.to_string())),
        Condition::Every(step) => (Some("every"), Some(step.to_string())),
        Condition::Transfer => (None, None),
    };
    transaction.execute(
        INSERT,
        named_params! {
            ":id": id.map(|id| id.0),
            ":target": TargetKind::of(&rule.target).as_str(),
            ":symbol": coin.map(|coin| coin.symbol.as_str()),
            ":slug": coin.and_then(|coin| coin.slug.as_deref()),
            ":coin_id": coin.and_then(|coin| coin.id.as_deref()),
            ":name": name.map(Text::as_str),
            ":measure": rule.measure.as_str(),
            ":currency": rule.measure.currency().map(Currency::as_str),
            ":ticker": ticker,
            ":comparison": comparison,
            ":number": number,
            ":rule_rearm": rule.rearm.as_ref().map(Decimal::to_string),
            ":once": once,
            ":is_on": on,
            ":bell": bell,
            ":notify": notify,
        },
    )?;
    let id = AlertId(transaction.last_insert_rowid());
    put_state(&mut transaction.prepare(UPDATE_STATE)?, id, state)
}

/// Replaces the state of an alert, with the statement [`UPDATE_STATE`].
fn put_state(update: &mut Statement<'_>, id: AlertId, state: &AlertState) -> rusqlite::Result<()> {
    let updated = update.execute(named_params! {
        ":id": id.0,
        ":revision": state.revision,
        ":armed": state.armed,
        ":rearm": state.rearm.as_ref().map(Decimal::to_string),
        ":last_value": state.last.map(value_text),
        ":checked_at": state.checked_at.map(UtcTime::millis),
        ":source": state.source.as_ref().map(source_text),
        ":baseline": state.baseline.map(value_text),
        ":outlier": state.outlier.map(value_text),
        ":steps": state.steps,
        ":balances": state.balances.as_deref().map(balances_text),
        ":bitcoin_source": state.bitcoin_source.as_ref().map(source_text),
        ":bitcoin_at": state.bitcoin_at.map(UtcTime::millis),
        ":fired": state.fired,
        ":fired_at": state.fired_at.map(UtcTime::millis),
    });
    updated.map(drop)
}

fn source_text(source: &ValueSource) -> String {
    source.borrowed().to_string()
}

fn value_text(value: Value) -> String {
    value.to_decimal().to_string()
}

/// Balances as `AMOUNT TICKER` pairs, separated by line feeds, which no ticker contains.
fn balances_text(balances: &[(Text, Amount)]) -> String {
    let lines: Vec<String> = balances.iter().map(|(ticker, amount)| format!("{amount} {ticker}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
