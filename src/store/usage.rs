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

    /// Pauses a provider for all instances until a time.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn pause(&mut self, provider: &str, until: UtcTime) -> Result<(), Error> {
        self.transact(|transaction| {
            transaction.execute(
                "INSERT INTO provider_use (provider, next_at) VALUES (?1, ?2)
                 ON CONFLICT (provider) DO UPDATE SET next_at = max(next_at, ?2)",
                (provider, until.millis()),
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
    let next_at = transaction
        .query_row("SELECT next_at FROM provider_use WHERE provider = ?1", [provider], |row| row.get::<_, i64>(0))
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
        "INSERT INTO provider_use (provider, next_at) VALUES (?1, ?2) ON CONFLICT (provider) DO UPDATE SET next_at = ?2",
        (provider, next_at.saturating_add(gap)),
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
mod tests {
    use super::*;
    use crate::store::ProviderPause;

    const NOW: i64 = 1_795_248_000_000;

    fn reserve_at(database: &mut Database, now: i64, month: &str) -> (i64, u64, bool) {
        let reservation = Reservation {
            provider: "coingecko",
            server: 1,
            account: 1,
            now,
            gap: 6_000,
            patience: 30_000,
            month,
            cost: 1,
            per_minute: None,
        };
        let Slot { at, used, is_taken, .. } = database.reserve(&reservation).unwrap();
        (at.millis() - NOW, used, is_taken)
    }

    #[test]
    fn instances_share_slots_and_counts() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = Database::open(directory.path()).unwrap();
        let mut second = Database::open(directory.path()).unwrap();
        assert_eq!(reserve_at(&mut first, NOW, "2026-11"), (0, 1, true));
        assert_eq!(reserve_at(&mut second, NOW, "2026-11"), (6_000, 2, true));
        assert_eq!(reserve_at(&mut first, NOW + 1, "2026-11"), (12_000, 3, true));
        // A new month starts at 0.
        assert_eq!(reserve_at(&mut second, NOW + 60_000, "2026-12"), (60_000, 1, true));
    }

    #[test]
    fn released_slot_is_free_again_unless_a_later_one_is_taken() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let released = |at: i64| ReleasedSlot {
            provider: "coingecko",
            account: 1,
            month: "2026-11",
            at: NOW + at,
            next: NOW + at + 6_000,
            cost: 1,
        };
        assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (0, 1, true));
        assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (6_000, 2, true));
        assert_eq!(database.release(&released(6_000)).unwrap(), 1);
        assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (6_000, 2, true));
        assert_eq!(database.release(&released(0)).unwrap(), 1);
        assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (12_000, 2, true));
        assert_eq!(database.release(&ReleasedSlot { month: "2026-10", ..released(0) }).unwrap(), 0);
        assert_eq!(database.used("coingecko", 1, "2026-11").unwrap(), 2, "the slot of another month");
    }

    #[test]
    fn pause_applies_to_all_instances_and_costs_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        reserve_at(&mut database, NOW, "2026-11");
        database.pause("coingecko", UtcTime::from_millis(NOW + 60_000)).unwrap();
        assert_eq!(reserve_at(&mut database, NOW + 10_000, "2026-11"), (60_000, 1, false));
        assert_eq!(reserve_at(&mut database, NOW + 61_000, "2026-11"), (61_000, 2, true));
        database.set_used("coingecko", 1, "2026-11", 9_000).unwrap();
        assert_eq!(reserve_at(&mut database, NOW + 70_000, "2026-11"), (70_000, 9_001, true));
        // Set by a clock that was a year ahead.
        database.pause("coingecko", UtcTime::from_millis(NOW + 31_536_000_000)).unwrap();
        assert_eq!(reserve_at(&mut database, NOW + 80_000, "2026-11"), (80_000, 9_002, true));
    }

    #[test]
    fn each_account_has_its_own_count_and_the_first_takes_over_the_old_one() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let insert = "INSERT INTO provider_month VALUES ('coingecko', -1, '2026-11', 40)";
        database.transact(|transaction| transaction.execute(insert, []).map(drop)).unwrap();
        let mut reserve = |account, cost| {
            let reservation = Reservation {
                provider: "coingecko",
                server: 1,
                account,
                now: NOW,
                gap: 0,
                patience: 0,
                month: "2026-11",
                cost,
                per_minute: None,
            };
            database.reserve(&reservation).unwrap().used
        };
        reserve(3, 0);
        assert_eq!((reserve(1, 1), reserve(2, 1), reserve(1, 1)), (41, 1, 42));
        assert_eq!(database.used("coingecko", 2, "2026-11").unwrap(), 1);
        assert_eq!(database.used("coingecko", 3, "2026-11").unwrap(), 0);
    }

    #[test]
    fn instances_share_the_limit_per_minute() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = Database::open(directory.path()).unwrap();
        let mut second = Database::open(directory.path()).unwrap();
        let reserve = |database: &mut Database, now: i64| {
            let slot = Reservation {
                provider: "coingecko",
                server: 1,
                account: 1,
                now: NOW + now,
                gap: 0,
                patience: 30_000,
                month: "2026-11",
                cost: 1,
                per_minute: Some(2),
            };
            let Slot { at, is_taken, .. } = database.reserve(&slot).unwrap();
            (at.millis() - NOW, is_taken)
        };
        assert_eq!(reserve(&mut first, 0), (0, true));
        assert_eq!(reserve(&mut second, 1_000), (1_000, true));
        assert_eq!(reserve(&mut first, 2_000), (60_000, false));
        assert_eq!(second.last_minute("coingecko", NOW + 2_000).unwrap(), 2);
        assert_eq!(reserve(&mut first, 40_000), (60_000, true));
        let slot = |at: i64| NOW + at;
        let released = ReleasedSlot {
            provider: "coingecko",
            account: 1,
            month: "2026-11",
            at: slot(60_000),
            next: slot(60_000),
            cost: 1,
        };
        first.release(&released).unwrap();
        assert_eq!(reserve(&mut second, 40_000), (60_000, true));
        assert_eq!(reserve(&mut second, 40_000), (61_000, true));
        // Recorded by a clock that was a year ahead.
        reserve(&mut first, 31_536_000_000);
        assert_eq!(reserve(&mut first, 122_000), (122_000, true));
    }

    #[test]
    fn demanded_pause_applies_to_the_same_server_until_it_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let pause = |server, class: &str, hours: i64| ProviderPause {
            provider: String::from("coingecko"),
            server,
            operation: String::new(),
            until: UtcTime::from_millis(NOW + hours * 3_600_000),
            class: class.to_owned(),
            repeats: 1,
            reason: class.to_owned(),
        };
        // Of another key.
        database.save_pause(&pause(2, "daily-quota", 3)).unwrap();
        assert_eq!(reserve_at(&mut database, NOW, "2026-11"), (0, 1, true));
        // Each process finds out itself whether the server works again.
        database.save_pause(&pause(1, "failing", 3)).unwrap();
        assert_eq!(reserve_at(&mut database, NOW + 6_000, "2026-11"), (6_000, 2, true));
        database.save_pause(&pause(1, "rate-limited", 3)).unwrap();
        assert_eq!(reserve_at(&mut database, NOW + 12_000, "2026-11"), (10_800_000, 2, false));
        database.remove_pauses(&[pause(1, "rate-limited", 3)]).unwrap();
        assert_eq!(reserve_at(&mut database, NOW + 12_000, "2026-11"), (12_000, 3, true));
        // Set by a clock that was a year ahead.
        database.save_pause(&pause(1, "daily-quota", 8_760)).unwrap();
        assert_eq!(reserve_at(&mut database, NOW + 18_000, "2026-11"), (18_000, 4, true));
    }
}
