//! Alerts and their firings.

mod target_kind;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, named_params};

use crate::model::{Amount, Currency, Decimal, Text, UtcTime, text};
use crate::store::error::{has_other_form, reason, unless_damaged};
use crate::user_data::alert::{Comparison, Condition, Measure, Rule, Target, Value};
use crate::user_data::{Alert, AlertEvent, AlertId, AlertState, Edit, Unreadable, UnreadablePart, Watched};
use target_kind::TargetKind;

/// Maximum firings that are kept.
const MAX_EVENTS: u32 = 1_000;

/// Maximum firings that are read.
const MAX_READ: u32 = 200;

const COLUMNS: &str = "id, target, symbol, slug, coin_id, name, measure, currency, ticker, comparison, number,
    rule_rearm, once, is_on, bell, notify, revision, armed, rearm, last_value, checked_at, source, baseline, outlier,
    steps, balances, bitcoin_source, bitcoin_at, fired, fired_at";

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
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM alert ORDER BY id"))?;
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
    replace(transaction, &edit.applied_to(&known))?;
    Ok(true)
}

/// Replaces the alert with the same ID.
fn replace(transaction: &Transaction<'_>, alert: &Alert) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM alert WHERE id = ?1", [alert.id.0])?;
    put(transaction, Some(alert.id), alert)
}

/// Removes the alert with this ID and its firings.
pub(super) fn remove(transaction: &Transaction<'_>, id: AlertId) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM alert WHERE id = ?1", [id.0])?;
    unless_damaged(transaction.execute("DELETE FROM alert_event WHERE alert = ?1", [id.0]).map(drop))
}

/// Records the state of an alert, unless the stored one is newer.
pub(super) fn record_state(transaction: &Transaction<'_>, id: AlertId, state: &AlertState) -> rusqlite::Result<()> {
    match stored(transaction, id)? {
        Some(known) if state.follows(&known.state, UtcTime::now()) => {
            replace(transaction, &Alert { state: state.clone(), ..known })
        }
        _ => Ok(()),
    }
}

/// Records a firing with the alert's new state. An already recorded one is left unchanged. Returns whether it is new.
pub(super) fn record_firing(
    transaction: &Transaction<'_>,
    event: &AlertEvent,
    state: &AlertState,
) -> rusqlite::Result<bool> {
    if !record_fired_state(transaction, event.alert, state)? {
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
) -> rusqlite::Result<bool> {
    let Some(known) = stored(transaction, id)?.filter(|known| known.state.revision == state.revision) else {
        return Ok(false);
    };
    if state.follows(&known.state, UtcTime::now()) {
        let fired = Alert { state: state.clone(), on: known.on && !known.once, ..known.clone() };
        // A retry finds it recorded. Writing it again would make all instances load their data again.
        if fired != known {
            replace(transaction, &fired)?;
        }
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
    let sql = format!("SELECT {COLUMNS} FROM alert WHERE id = ?1");
    Ok(transaction.query_row(&sql, [id.0], alert).optional()?.flatten())
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
    transaction
        .execute(
            &format!(
                "INSERT INTO alert ({COLUMNS}) VALUES (:id, :target, :symbol, :slug, :coin_id, :name, :measure,
                     :currency, :ticker, :comparison, :number, :rule_rearm, :once, :is_on, :bell, :notify, :revision,
                     :armed, :rearm, :last_value, :checked_at, :source, :baseline, :outlier, :steps, :balances,
                     :bitcoin_source, :bitcoin_at, :fired, :fired_at)"
            ),
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
                ":revision": state.revision,
                ":armed": state.armed,
                ":rearm": state.rearm.as_ref().map(Decimal::to_string),
                ":last_value": state.last.map(value_text),
                ":checked_at": state.checked_at.map(UtcTime::millis),
                ":source": state.source.as_deref(),
                ":baseline": state.baseline.map(value_text),
                ":outlier": state.outlier.map(value_text),
                ":steps": state.steps,
                ":balances": state.balances.as_deref().map(balances_text),
                ":bitcoin_source": state.bitcoin_source.as_deref(),
                ":bitcoin_at": state.bitcoin_at.map(UtcTime::millis),
                ":fired": state.fired,
                ":fired_at": state.fired_at.map(UtcTime::millis),
            },
        )
        .map(drop)
}

/// Reads a row with [`COLUMNS`]; `None` if a part is unknown to this version. A number that can't be read is an error:
/// without it, the alert would have another rule or state.
fn alert(row: &Row<'_>) -> rusqlite::Result<Option<Alert>> {
    let text = |column: &str| row.get::<_, Option<String>>(column).map(|text| text.map(|text| clean(&text)));
    let time = |column: &str| row.get::<_, Option<i64>>(column).map(|at| at.map(UtcTime::from_millis));
    let decimal = |column: &str| parsed(row, column, |text| clean(text).parse::<Decimal>().ok());
    let (target, name) = (text("target")?, text("name")?);
    let coin = Watched { symbol: text("symbol")?.unwrap_or_default(), slug: text("slug")?, id: text("coin_id")? };
    let currency = text("currency")?.and_then(|code| Currency::parse(&code));
    let rule = rule(&RuleParts {
        target: target.as_deref().unwrap_or_default(),
        coin: &coin,
        name: name.as_ref(),
        measure: text("measure")?.as_deref().unwrap_or_default(),
        currency: currency.as_ref(),
        ticker: text("ticker")?.as_ref(),
        comparison: text("comparison")?.as_deref(),
        number: decimal("number")?,
        rearm: decimal("rule_rearm")?,
    });
    let Some(rule) = rule else { return Ok(None) };
    let is_amount = rule.measure.is_amount();
    let value = |column: &str| parsed(row, column, |text| parse_value(&clean(text), is_amount));
    Ok(Some(Alert {
        id: AlertId(row.get("id")?),
        once: row.get("once")?,
        on: row.get("is_on")?,
        bell: row.get("bell")?,
        notify: row.get("notify")?,
        state: AlertState {
            revision: row.get("revision")?,
            armed: row.get("armed")?,
            rearm: decimal("rearm")?,
            last: value("last_value")?,
            checked_at: time("checked_at")?,
            source: text("source")?,
            baseline: value("baseline")?,
            outlier: value("outlier")?,
            steps: row.get("steps")?,
            balances: balances(row)?,
            bitcoin_source: text("bitcoin_source")?,
            bitcoin_at: time("bitcoin_at")?,
            fired: row.get("fired")?,
            fired_at: time("fired_at")?,
        },
        rule,
    }))
}

/// The columns of a rule.
struct RuleParts<'a> {
    target: &'a str,
    coin: &'a Watched,
    name: Option<&'a Text>,
    measure: &'a str,
    currency: Option<&'a Currency>,
    ticker: Option<&'a Text>,
    comparison: Option<&'a str>,
    number: Option<Decimal>,
    rearm: Option<Decimal>,
}

fn rule(parts: &RuleParts<'_>) -> Option<Rule> {
    let target = match TargetKind::parse(parts.target)? {
        TargetKind::Coin => Target::Coin(Some(parts.coin).filter(|coin| !coin.has_only_symbol())?.clone()),
        TargetKind::Token => Target::Token(parts.name?.clone()),
        TargetKind::Address => Target::Address(parts.name?.clone()),
        TargetKind::Wallet => Target::Wallet,
        TargetKind::Fees => Target::Fees,
    };
    let measure = Measure::parse(parts.measure, parts.currency, parts.ticker)?;
    let condition = match parts.comparison {
        None => Condition::Transfer,
        Some("every") => Condition::Every(parts.number.clone()?),
        Some(sign) => Condition::Limit(Comparison::parse(sign)?, parts.number.clone()?),
    };
    Some(Rule { target, measure, condition, rearm: parts.rearm.clone() })
}

fn value_text(value: Value) -> String {
    value.to_decimal().to_string()
}

fn parse_value(text: &str, is_amount: bool) -> Option<Value> {
    match is_amount {
        true => text.parse().ok().map(Value::Amount),
        false => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Number),
    }
}

/// Balances as `AMOUNT TICKER` pairs, separated by line feeds, which no ticker contains.
fn balances_text(balances: &[(Text, Amount)]) -> String {
    let lines: Vec<String> = balances.iter().map(|(ticker, amount)| format!("{amount} {ticker}")).collect();
    lines.join("\n")
}

fn balances(row: &Row<'_>) -> rusqlite::Result<Option<Vec<(Text, Amount)>>> {
    let Some(text) = row.get::<_, Option<String>>("balances")? else { return Ok(None) };
    let entry = |line: &str| {
        let parts = line.split_once(' ');
        let entry = parts.and_then(|(amount, ticker)| Some((clean(ticker), amount.parse::<Amount>().ok()?)));
        entry.ok_or_else(|| invalid(row, "balances", line))
    };
    let list: Vec<(Text, Amount)> = text.lines().map(entry).collect::<rusqlite::Result<_>>()?;
    Ok(Some(list))
}

/// The value of a column, if it has one.
fn parsed<T>(row: &Row<'_>, column: &str, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<Option<T>> {
    let Some(text) = row.get::<_, Option<String>>(column)? else { return Ok(None) };
    parse(&text).ok_or_else(|| invalid(row, column, &text)).map(Some)
}

/// The error for text in a column that can't be parsed.
fn invalid(row: &Row<'_>, column: &str, text: &str) -> rusqlite::Error {
    let index = row.as_ref().column_index(column).unwrap_or_default();
    let problem = format!("invalid {} {text:?}", column.replace('_', " "));
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, problem.into())
}

/// Without control characters, since anyone could have written the file.
fn clean(text: &str) -> Text {
    Text::from(text::clean_lines(text))
}

#[cfg(test)]
mod tests;
