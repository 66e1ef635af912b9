//! Shared rate limits and monthly usage of providers, for all instances on this machine.

use rusqlite::{Connection, OptionalExtension as _, Transaction};

use super::database::Database;
use super::error::Error;
use super::pauses;
use crate::model::UtcTime;

/// A pause that ends later than this was set with a wrong clock.
const MAX_PAUSE: i64 = 25 * 60 * 60 * 1000;

/// Milliseconds of a minute.
const MINUTE: i64 = 60_000;

/// A slot or pause that was set further in the future was set with a wrong clock.
const MAX_AHEAD: i64 = MINUTE;

/// A reserved time for a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// When the request may be sent.
    pub at: UtcTime,
    /// Cost of the month's requests so far, including this one if it was reserved.
    pub used: u64,
    /// Whether the slot was reserved. If not, the next one was too late and nothing was counted.
    pub is_taken: bool,
    /// Why the next one is late, if the provider has demanded a pause.
    pub reason: Option<String>,
}

/// A request that needs a slot.
#[derive(Clone, Copy, Debug)]
pub struct Reservation<'a> {
    /// The provider's name.
    pub provider: &'a str,
    /// A checksum of its server's settings.
    pub server: u32,
    /// A checksum of its URL and key: whose requests count for the month.
    pub account: u32,
    /// The current time in milliseconds since 1970.
    pub now: i64,
    /// Minimum gap to the next request in milliseconds.
    pub gap: i64,
    /// Maximum wait in milliseconds.
    pub patience: i64,
    /// The current month, such as `2026-11`.
    pub month: &'a str,
    /// Cost of the request.
    pub cost: u64,
    /// Maximum requests per minute.
    pub per_minute: Option<u32>,
}

/// A reserved slot whose request is not sent.
#[derive(Clone, Copy, Debug)]
pub struct ReleasedSlot<'a> {
    /// The provider's name.
    pub provider: &'a str,
    /// See [`Reservation::account`].
    pub account: u32,
    /// The month in which it was reserved.
    pub month: &'a str,
    /// The slot in milliseconds since 1970.
    pub at: i64,
    /// The slot after it.
    pub next: i64,
    /// Cost of the request.
    pub cost: u64,
}

impl Database {
    /// Reserves the next slot for a request and counts its cost.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn reserve(&mut self, reservation: &Reservation<'_>) -> Result<Slot, Error> {
        self.transact(|transaction| reserve(transaction, reservation))
    }

    /// Releases a slot: its cost, and its time unless a later slot was reserved. Returns the cost of the month's
    /// requests that remain.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn release(&mut self, released: &ReleasedSlot<'_>) -> Result<u64, Error> {
        let ReleasedSlot { provider, account, month, at, next, cost } = *released;
        self.transact(|transaction| {
            transaction.execute(
                "UPDATE provider_use SET next_at = ?3 WHERE provider = ?1 AND next_at = ?2",
                (provider, next, at),
            )?;
            refund(transaction, provider, account, month, cost)?;
            transaction.execute(
                "DELETE FROM provider_request
                 WHERE rowid = (SELECT rowid FROM provider_request WHERE provider = ?1 AND at = ?2 LIMIT 1)",
                (provider, at),
            )?;
            Ok(())
        })?;
        self.used(provider, account, month)
    }

    /// Reduces the month's cost: a response has cost less than its request was expected to.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn refund(&mut self, provider: &str, account: u32, month: &str, cost: u64) -> Result<(), Error> {
        self.transact(|transaction| refund(transaction, provider, account, month, cost))
    }

    /// Requests to a provider in the minute before `now` (milliseconds since 1970), if it has a limit per minute.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn last_minute(&mut self, provider: &str, now: i64) -> Result<u64, Error> {
        self.read(|transaction| {
            let count = transaction.query_row(
                "SELECT count(*) FROM provider_request WHERE provider = ?1 AND at > ?2 AND at <= ?3",
                (provider, now.saturating_sub(MINUTE), now),
                |row| row.get::<_, i64>(0),
            )?;
            Ok(u64::try_from(count).unwrap_or(0))
        })
    }

    /// Cost of the month's requests to a provider so far; `account`: see [`Reservation::account`].
    ///
    /// # Errors
    /// The database can't be read.
    pub fn used(&mut self, provider: &str, account: u32, month: &str) -> Result<u64, Error> {
        self.read(|connection| used(connection, provider, account, month))
    }

    /// Pauses a provider for all instances from `now` until a time.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn pause(&mut self, provider: &str, now: UtcTime, until: UtcTime) -> Result<(), Error> {
        let latest = now.millis().saturating_add(MAX_AHEAD);
        self.transact(|transaction| {
            transaction.execute(
                "INSERT INTO provider_use (provider, next_at, set_at) VALUES (?1, ?2, ?3)
                 ON CONFLICT (provider) DO UPDATE
                 SET next_at = CASE WHEN set_at > ?4 THEN ?2 ELSE max(next_at, ?2) END, set_at = ?3",
                (provider, until.millis(), now.millis(), latest),
            )?;
            Ok(())
        })
    }

    /// Sets the month's cost to the provider's own count.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn set_used(&mut self, provider: &str, account: u32, month: &str, used: u64) -> Result<(), Error> {
        self.transact(|transaction| put_used(transaction, provider, account, month, used))
    }
}

/// The account of counts that were made before accounts were distinguished. The first one that counts takes it over.
const UNKNOWN_ACCOUNT: i64 = -1;

fn used(connection: &Connection, provider: &str, account: u32, month: &str) -> rusqlite::Result<u64> {
    let known = "SELECT used, month FROM provider_month WHERE provider = ?1 AND account IN (?2, ?3)
                 ORDER BY account DESC LIMIT 1";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?));
    let known = connection.query_row(known, (provider, account, UNKNOWN_ACCOUNT), row).optional()?;
    let known = known.filter(|(_, of)| of == month);
    Ok(known.map_or(0, |(used, _)| u64::try_from(used).unwrap_or(0)))
}

fn refund(transaction: &Transaction<'_>, provider: &str, account: u32, month: &str, cost: u64) -> rusqlite::Result<()> {
    transaction.execute(
        "UPDATE provider_month SET used = max(0, used - ?4) WHERE provider = ?1 AND account = ?2 AND month = ?3",
        (provider, account, month, i64::try_from(cost).unwrap_or(i64::MAX)),
    )?;
    Ok(())
}

fn put_used(
    transaction: &Transaction<'_>,
    provider: &str,
    account: u32,
    month: &str,
    used: u64,
) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO provider_month (provider, account, month, used) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (provider, account) DO UPDATE SET month = ?3, used = ?4",
        (provider, account, month, i64::try_from(used).unwrap_or(i64::MAX)),
    )?;
    transaction
        .execute("DELETE FROM provider_month WHERE provider = ?1 AND account = ?2", (provider, UNKNOWN_ACCOUNT))?;
    Ok(())
}

fn reserve(transaction: &Transaction<'_>, reservation: &Reservation<'_>) -> rusqlite::Result<Slot> {
    let Reservation { provider, server, account, now, gap, patience, month, cost, per_minute } = *reservation;
    // After the clock was set back, the last slot would block the provider for hours.
    let next_at = transaction
        .query_row(
            "SELECT next_at FROM provider_use WHERE provider = ?1 AND set_at <= ?2",
            (provider, now.saturating_add(MAX_AHEAD)),
            |row| row.get::<_, i64>(0),
        )
        .optional()?
        .unwrap_or(now);
    let used = used(transaction, provider, account, month)?;
    let next_at = if next_at > now.saturating_add(MAX_PAUSE) { now } else { next_at.max(now) };
    let pause = pauses::demanded(transaction, provider, server, now, now.saturating_add(MAX_PAUSE))?;
    let next_at = pause.as_ref().map_or(next_at, |(until, _)| next_at.max(*until));
    let next_at = match per_minute {
        Some(limit) => next_at.max(first_with_room(transaction, provider, now, limit)?),
        None => next_at,
    };
    if next_at > now.saturating_add(patience) {
        let reason = pause.map(|(_, reason)| reason);
        return Ok(Slot { at: UtcTime::from_millis(next_at), used, is_taken: false, reason });
    }
    if per_minute.is_some() {
        transaction.execute("INSERT INTO provider_request (provider, at) VALUES (?1, ?2)", (provider, next_at))?;
    }
    let used = used.saturating_add(cost);
    transaction.execute(
        "INSERT INTO provider_use (provider, next_at, set_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (provider) DO UPDATE SET next_at = ?2, set_at = ?3",
        (provider, next_at.saturating_add(gap), now),
    )?;
    // Requests without a key have no monthly limit, and would take over the count of one.
    if cost > 0 {
        put_used(transaction, provider, account, month, used)?;
    }
    Ok(Slot { at: UtcTime::from_millis(next_at), used, is_taken: true, reason: None })
}

/// When the preceding minute has room for another request.
fn first_with_room(transaction: &Transaction<'_>, provider: &str, now: i64, limit: u32) -> rusqlite::Result<i64> {
    // Later ones were recorded with a wrong clock.
    transaction.execute(
        "DELETE FROM provider_request WHERE provider = ?1 AND (at <= ?2 OR at > ?3)",
        (provider, now.saturating_sub(MINUTE), now.saturating_add(2 * MINUTE)),
    )?;
    let earliest = transaction
        .query_row(
            "SELECT at FROM provider_request WHERE provider = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2",
            (provider, limit.max(1) - 1),
            |row| row.get::<_, i64>(0),
        )
        .optional()?;
    Ok(earliest.map_or(now, |at| at.saturating_add(MINUTE)))
}

#[cfg(test)]
mod tests;
