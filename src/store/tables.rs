//! Reads and writes the tables.

mod addresses;
mod alerts;
mod lots;
mod notes;
mod past_balances;
mod position;
mod read_posts;
mod unchecked;

use std::collections::BTreeSet;

use rusqlite::{Connection, Row, Transaction};

pub(super) use alerts::stored as stored_alert;
pub(super) use lots::stored as stored_lot;

use super::error::{has_other_form, reason, unless_damaged};
use crate::model::{Text, UtcTime};
use crate::user_data::{
    Change, Notice, SessionEntries, SourceChange, SourceChoices, Unreadable, UnreadablePart, UserData, WatchChanges,
    Watched,
};

/// Reads all user data. What can't be read is omitted and named. Call it in a transaction for a consistent snapshot.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<UserData> {
    let mut first = load_first(connection)?;
    let mut skipped = std::mem::take(&mut first.unreadable);
    let lots = readable("lots", UnreadablePart::Lots, lots::load(connection), &mut skipped)?;
    skipped.extend(lots.unreadable);
    let addresses = readable("addresses", UnreadablePart::Addresses, addresses::load(connection), &mut skipped)?;
    let alerts = readable("alerts", UnreadablePart::Alerts, alerts::load(connection), &mut skipped)?;
    skipped.extend(alerts.unreadable);
    Ok(UserData {
        lots: lots.lots,
        addresses,
        past_balances: readable("past balances", UnreadablePart::Other, past_balances::load(connection), &mut skipped)?,
        alerts: alerts.alerts,
        alert_events: readable("fired alerts", UnreadablePart::Other, alerts::events(connection), &mut skipped)?,
        unchecked: readable("unchecked periods", UnreadablePart::Other, unchecked::load(connection), &mut skipped)?,
        notices: readable("notices", UnreadablePart::Other, notices(connection), &mut skipped)?,
        read_posts: readable("read posts", UnreadablePart::Other, read_posts::load(connection), &mut skipped)?,
        notes: readable("notes", UnreadablePart::Notes, notes::load(connection), &mut skipped)?,
        unreadable: skipped,
        ..first
    })
}

/// The rows of a table, or none and a note in `skipped` if this version doesn't expect its structure.
///
/// # Errors
/// The database itself can't be read: it is locked, corrupt or gone.
fn readable<T: Default>(
    table: &str,
    part: UnreadablePart,
    read: rusqlite::Result<T>,
    skipped: &mut Vec<Unreadable>,
) -> rusqlite::Result<T> {
    match read {
        Err(error) if has_other_form(&error) => {
            tracing::info!(%error, table, "table not read");
            skipped.push(Unreadable { part, sentence: format!("Can't read {table} ({})", reason(&error)) });
            Ok(T::default())
        }
        read => read,
    }
}

/// Reads the data for the first frame and the first requests: watchlist, session and choices of data sources. What
/// can't be read is omitted and named.
pub(super) fn load_first(connection: &Connection) -> rusqlite::Result<UserData> {
    let mut skipped = Vec::new();
    Ok(UserData {
        watchlist: readable("the watchlist", UnreadablePart::Watchlist, watchlist(connection), &mut skipped)?,
        session: readable("the session", UnreadablePart::Other, session(connection), &mut skipped)?,
        sources: readable("the provider choices", UnreadablePart::Other, source_choices(connection), &mut skipped)?,
        unreadable: skipped,
        ..UserData::default()
    })
}

/// Reads only the table that [`UserData::has_result_of`] checks for a change, since writers wait for an undo.
fn load_subject(connection: &Connection, made: &Change) -> rusqlite::Result<UserData> {
    let (mut data, mut skipped) = (UserData::default(), Vec::new());
    match made {
        Change::Watch(_) | Change::Unwatch(_) => {
            data.watchlist = readable("the watchlist", UnreadablePart::Watchlist, watchlist(connection), &mut skipped)?;
        }
        Change::AddLot(_) | Change::EditLot(_) => {
            data.lots = readable("lots", UnreadablePart::Lots, lots::load(connection), &mut skipped)?.lots;
        }
        Change::PutAddress(_) | Change::LabelAddress(_) | Change::RemoveAddress(_) => {
            data.addresses =
                readable("addresses", UnreadablePart::Addresses, addresses::load(connection), &mut skipped)?;
        }
        Change::AddAlert(_) | Change::EditAlert(_) | Change::RemoveAlert(_) | Change::AlertSignals { .. } => {
            data.alerts = readable("alerts", UnreadablePart::Alerts, alerts::load(connection), &mut skipped)?.alerts;
        }
        Change::PutNote(_) | Change::RemoveNote(_) => {
            data.notes = readable("notes", UnreadablePart::Notes, notes::load(connection), &mut skipped)?;
        }
        // Their result always counts as in place.
        Change::Rewatch { .. }
        | Change::RemoveLot(_)
        | Change::RestoreAddress { .. }
        | Change::BalancesChanged(_)
        | Change::RestoreAlert(..)
        | Change::AlertsChecked(_)
        | Change::AlertFired(..)
        | Change::AlertsSeen(_)
        | Change::AlertsUnchecked(_)
        | Change::Session(_)
        | Change::Source(_)
        | Change::Shown(_)
        | Change::PostsRead(_)
        | Change::Undo { .. } => {}
    }
    Ok(data)
}

/// The table of a change, as named by [`load`].
pub(super) fn name(change: &Change) -> &'static str {
    match change {
        Change::Watch(_) | Change::Unwatch(_) | Change::Rewatch { .. } => "the watchlist",
        Change::AddLot(_) | Change::EditLot(_) | Change::RemoveLot(_) => "lots",
        Change::PutAddress(_) | Change::LabelAddress(_) | Change::RemoveAddress(_) | Change::RestoreAddress { .. } => {
            "addresses"
        }
        Change::BalancesChanged(_) => "past balances",
        Change::AddAlert(_)
        | Change::EditAlert(_)
        | Change::RemoveAlert(_)
        | Change::RestoreAlert(..)
        | Change::AlertSignals { .. }
        | Change::AlertsChecked(_) => "alerts",
        Change::AlertFired(..) | Change::AlertsSeen(_) => "fired alerts",
        Change::AlertsUnchecked(_) => "unchecked periods",
        Change::Session(_) => "the session",
        Change::Source(_) => "the provider choices",
        Change::Shown(_) => "notices",
        Change::PostsRead(_) => "read posts",
        Change::PutNote(_) | Change::RemoveNote(_) => "notes",
        Change::Undo { back, .. } => name(back),
    }
}

/// Applies a change. Returns whether it has an effect: not if the firing was recorded before, if its rule, the subject of
/// the edit or the result to undo is gone, or if there are too many notes.
pub(super) fn apply(transaction: &Transaction<'_>, change: &Change, now: UtcTime) -> rusqlite::Result<bool> {
    let done = match change {
        Change::Watch(coin) => put_watched(transaction, coin, true),
        Change::Unwatch(coin) => put_watched(transaction, coin, false),
        Change::Rewatch { coin, before } => {
            put_watched(transaction, coin, true)?;
            move_watched_before(transaction, coin, before)
        }
        Change::AddLot(lot) => lots::add(transaction, lot),
        Change::EditLot(edit) => return lots::edit(transaction, edit),
        Change::RemoveLot(lot) => lots::remove(transaction, lot.id),
        Change::PutAddress(entry) => addresses::put(transaction, entry),
        Change::LabelAddress(entry) => return addresses::label(transaction, entry),
        Change::RemoveAddress(entry) => {
            unless_damaged(past_balances::remove(transaction, &entry.address))?;
            addresses::remove(transaction, &entry.address)
        }
        Change::RestoreAddress { entry, balances, before } => {
            addresses::put(transaction, entry)?;
            addresses::move_before(transaction, &entry.address, before.as_deref())?;
            unless_damaged(past_balances::add(transaction, balances))
        }
        Change::BalancesChanged(balances) => past_balances::add(transaction, balances),
        Change::AddAlert(alert) => alerts::add(transaction, alert),
        Change::EditAlert(edit) => return alerts::edit(transaction, edit),
        Change::RemoveAlert(alert) => alerts::remove(transaction, alert.id),
        Change::RestoreAlert(alert, events) => alerts::restore(transaction, alert, events),
        Change::AlertSignals { id, bell, notify } => {
            transaction.execute("UPDATE alert SET bell = ?2, notify = ?3 WHERE id = ?1", (id.0, bell, notify)).map(drop)
        }
        Change::AlertsChecked(states) => alerts::record_states(transaction, states, now),
        Change::AlertFired(event, state) => return alerts::record_firing(transaction, event, state, now),
        Change::AlertsUnchecked(periods) => unchecked::add(transaction, periods),
        Change::AlertsSeen(seen) => {
            alerts::mark_seen(transaction, &seen.firings)?;
            unchecked::remove(transaction, &seen.unchecked)
        }
        Change::Session(session) => put_session(transaction, session),
        Change::Source(change) => put_source_choice(transaction, change),
        Change::PostsRead(ids) => read_posts::add(transaction, ids),
        Change::PutNote(note) => return notes::put(transaction, note),
        Change::RemoveNote(note) => notes::remove(transaction, note),
        Change::Undo { made, back } => {
            let data = load_subject(transaction, made)?;
            if !data.has_result_of(made) {
                return Ok(false);
            }
            let done = apply(transaction, &data.fitting_inverse(made, back), now)?;
            return Ok(done || !matches!(**back, Change::PutNote(_)));
        }
        Change::Shown(notice) => {
            transaction.execute("INSERT OR IGNORE INTO notice (name) VALUES (?1)", [notice.as_str()]).map(drop)
        }
    };
    done.map(|()| true)
}

/// Applies what must not be lost of a change that can't be saved: an alert that has fired must not fire again after a
/// restart, even if its firing can't be recorded.
pub(super) fn apply_essential(transaction: &Transaction<'_>, change: &Change, now: UtcTime) -> rusqlite::Result<()> {
    match change {
        Change::AlertFired(event, state) => alerts::record_fired_state(transaction, event.alert, state, now).map(drop),
        _ => Ok(()),
    }
}

fn watchlist(connection: &Connection) -> rusqlite::Result<WatchChanges> {
    let mut changes = WatchChanges::default();
    let mut statement = connection.prepare("SELECT symbol, slug, coin_id, watched FROM watchlist ORDER BY position")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let coin = watched(row)?;
        if row.get(3)? { changes.added.push(coin) } else { changes.removed.push(coin) }
    }
    Ok(changes.cleaned())
}

/// Reads a coin from a row that starts with symbol, slug and id.
fn watched(row: &Row<'_>) -> rusqlite::Result<Watched> {
    let text = |column| row.get::<_, Option<String>>(column).map(|text| text.map(Text::from));
    Ok(Watched { symbol: text(0)?.unwrap_or_default(), slug: text(1)?, id: text(2)? })
}

/// Appends a coin and removes other rows of the same coin.
fn put_watched(transaction: &Transaction<'_>, coin: &Watched, is_watched: bool) -> rusqlite::Result<()> {
    let mut same: Vec<i64> = Vec::new();
    {
        let mut statement = transaction.prepare("SELECT symbol, slug, coin_id, position FROM watchlist")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if watched(row)?.is_same(coin) {
                same.push(row.get(3)?);
            }
        }
    }
    for position in same {
        transaction.execute("DELETE FROM watchlist WHERE position = ?1", [position])?;
    }
    let (symbol, slug, id) = (coin.symbol.as_str(), coin.slug.as_deref(), coin.id.as_deref());
    transaction.execute(
        "INSERT INTO watchlist (symbol, slug, coin_id, watched) VALUES (?1, ?2, ?3, ?4)",
        (symbol, slug, id, is_watched),
    )?;
    Ok(())
}

/// Moves a watched coin before another one, if both are there.
fn move_watched_before(transaction: &Transaction<'_>, coin: &Watched, before: &Watched) -> rusqlite::Result<()> {
    let mut rows: Vec<(Watched, i64)> = Vec::new();
    {
        let sql = "SELECT symbol, slug, coin_id, position FROM watchlist WHERE watched = 1 ORDER BY position";
        let mut statement = transaction.prepare(sql)?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            rows.push((watched(row)?, row.get(3)?));
        }
    }
    let position = |coin: &Watched| rows.iter().find(|(known, _)| known.is_same(coin)).map(|(_, position)| *position);
    match (position(coin), position(before)) {
        (Some(from), Some(to)) => position::move_row(transaction, "watchlist", from, to),
        _ => Ok(()),
    }
}

fn session(connection: &Connection) -> rusqlite::Result<SessionEntries> {
    let mut statement = connection.prepare("SELECT name, value FROM session")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn put_session(transaction: &Transaction<'_>, session: &SessionEntries) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM session", [])?;
    let mut statement = transaction.prepare("INSERT INTO session (name, value) VALUES (?1, ?2)")?;
    for entry in session {
        statement.execute(entry)?;
    }
    Ok(())
}

/// Reads the choices of data sources; choices of a newer version are skipped.
fn source_choices(connection: &Connection) -> rusqlite::Result<SourceChoices> {
    let mut statement = connection.prepare("SELECT key, value FROM source_choice")?;
    let mut rows = statement.query([])?;
    let mut choices = SourceChoices::default();
    while let Some(row) = rows.next()? {
        let (key, value): (String, String) = (row.get(0)?, row.get(1)?);
        if let Some(change) = SourceChange::parse(&key, &value) {
            choices.apply(&change);
        }
    }
    Ok(choices)
}

fn put_source_choice(transaction: &Transaction<'_>, change: &SourceChange) -> rusqlite::Result<()> {
    match change.entry() {
        Some(entry) => transaction.execute("INSERT OR REPLACE INTO source_choice (key, value) VALUES (?1, ?2)", entry),
        None => transaction.execute("DELETE FROM source_choice", []),
    }
    .map(drop)
}

/// Reads the notices that were shown; notices of a newer version are skipped.
fn notices(connection: &Connection) -> rusqlite::Result<BTreeSet<Notice>> {
    let mut statement = connection.prepare("SELECT name FROM notice")?;
    let names: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(Notice::ALL.into_iter().filter(|notice| names.iter().any(|name| name == notice.as_str())).collect())
}
