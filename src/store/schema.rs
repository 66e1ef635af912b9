//! Schema migrations.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::error::{Error, sqlite};
use super::{backup, files, import};
use crate::user_data::StoreNotice;

/// SQLite's `application_id` of our databases: "SATS".
const APPLICATION_ID: i32 = 0x5341_5453;

/// The migrations from an empty database to the current schema; `user_version` is the number of applied ones.
pub(super) const MIGRATIONS: &[&str] = &[
    "
    -- Changes to the configured watchlist, in the order they were made.
    CREATE TABLE watchlist (
        position INTEGER PRIMARY KEY,
        symbol TEXT NOT NULL,
        slug TEXT,
        coin_id TEXT,
        -- 0: removed, though configured.
        watched INTEGER NOT NULL CHECK (watched IN (0, 1))
    ) STRICT;
    CREATE TABLE session (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
",
    "
    -- How much of the providers' allowances is used.
    CREATE TABLE provider_use (
        provider TEXT PRIMARY KEY,
        -- The next request may be sent then; milliseconds since 1970.
        next_at INTEGER NOT NULL,
        month TEXT NOT NULL,
        used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
",
    "
    -- Notices that were shown once.
    CREATE TABLE notice (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
",
    "
    -- Choices about the providers of live data: keys of the configuration and their values.
    CREATE TABLE source_choice (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
",
    "
    -- The wallet's lots. Amounts, prices and fees are exact decimal text.
    CREATE TABLE lot (
        -- AUTOINCREMENT: the number of a removed lot is not used again.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL CHECK (kind IN ('buy', 'sell', 'receive', 'send')),
        symbol TEXT NOT NULL,
        slug TEXT,
        coin_id TEXT,
        amount TEXT NOT NULL,
        unit_price TEXT,
        total_price TEXT,
        fee TEXT,
        currency TEXT NOT NULL,
        -- YYYY-MM-DD, in the user's time zone.
        date TEXT NOT NULL,
        note TEXT,
        address TEXT,
        CHECK (unit_price IS NULL OR total_price IS NULL)
    ) STRICT;
",
    "
    -- The wallet's addresses, in the order they were added.
    CREATE TABLE address (position INTEGER PRIMARY KEY, address TEXT NOT NULL UNIQUE, label TEXT) STRICT;
",
    "
    -- The rules of alerts, and what each has seen. Limits, values and amounts are exact decimal text; times are
    -- milliseconds since 1970.
    CREATE TABLE alert (
        -- AUTOINCREMENT: the number of a removed alert is not used again.
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        target TEXT NOT NULL,
        symbol TEXT,
        slug TEXT,
        coin_id TEXT,
        -- A ticker or an address.
        name TEXT,
        measure TEXT NOT NULL,
        currency TEXT,
        ticker TEXT,
        comparison TEXT,
        number TEXT,
        rule_rearm TEXT,
        once INTEGER NOT NULL,
        is_on INTEGER NOT NULL,
        bell INTEGER NOT NULL,
        notify INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        armed INTEGER,
        rearm TEXT,
        last_value TEXT,
        checked_at INTEGER,
        source TEXT,
        baseline TEXT,
        outlier TEXT,
        steps INTEGER,
        balances TEXT,
        fired INTEGER NOT NULL,
        fired_at INTEGER
    ) STRICT;
    -- The firings of alerts. The key keeps two processes from recording the same one.
    CREATE TABLE alert_event (
        alert INTEGER NOT NULL,
        number INTEGER NOT NULL,
        at INTEGER NOT NULL,
        after INTEGER,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        missed INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        PRIMARY KEY (alert, number)
    ) STRICT, WITHOUT ROWID;
    -- Which process does a job that only one may do at a time, such as checking alerts.
    CREATE TABLE lease (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
",
    "
    -- When each address was added, in milliseconds since 1970; existing addresses get the time of the migration.
    ALTER TABLE address ADD COLUMN added_at INTEGER NOT NULL DEFAULT 0;
    UPDATE address SET added_at = unixepoch() * 1000;
",
    "
    -- The posts that were read, in that order. AUTOINCREMENT, so that positions of removed posts are not reused.
    CREATE TABLE read_post (position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE) STRICT;
",
    "
    -- The balances that addresses had, as exact decimal text, since they were first seen; milliseconds since 1970.
    CREATE TABLE past_balance (
        address TEXT NOT NULL,
        ticker TEXT NOT NULL,
        since INTEGER NOT NULL,
        amount TEXT NOT NULL,
        PRIMARY KEY (address, ticker, since)
    ) STRICT, WITHOUT ROWID;
",
    "
    -- The user's notes in charts; milliseconds since 1970.
    CREATE TABLE note (slug TEXT NOT NULL, time INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (slug, time))
    STRICT, WITHOUT ROWID;
",
    "
    -- The periods of time that alerts could not be checked for, until the user has seen them; milliseconds since 1970.
    CREATE TABLE unchecked (
        alert INTEGER NOT NULL,
        subject TEXT NOT NULL,
        since INTEGER NOT NULL,
        until INTEGER NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (subject, since, until, reason)
    ) STRICT, WITHOUT ROWID;
",
    "
    -- The requests to providers with a limit per minute, by the time they were sent; milliseconds since 1970.
    CREATE TABLE provider_request (provider TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
    -- Until when providers get no requests, and why; milliseconds since 1970.
    CREATE TABLE provider_pause (
        provider TEXT NOT NULL,
        -- A checksum of its URL, key and monthly allowance: a pause ends when they change.
        server INTEGER NOT NULL,
        -- '': all operations.
        operation TEXT NOT NULL,
        until INTEGER NOT NULL,
        class TEXT NOT NULL,
        -- How many times in a row.
        repeats INTEGER NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (provider, server, operation)
    ) STRICT, WITHOUT ROWID;
",
    "
    -- Where the bitcoin of an address came from and when it was current, for rules about what it receives and sends.
    ALTER TABLE alert ADD COLUMN bitcoin_source TEXT;
    ALTER TABLE alert ADD COLUMN bitcoin_at INTEGER;
",
    "
    -- How much of the monthly limit of each server and key is used.
    CREATE TABLE provider_month (
        provider TEXT NOT NULL,
        -- A checksum of URL and key. -1: counted before they were distinguished.
        account INTEGER NOT NULL,
        month TEXT NOT NULL,
        used INTEGER NOT NULL,
        PRIMARY KEY (provider, account)
    ) STRICT, WITHOUT ROWID;
    -- A pause for the month, which ends with it, also set the count to the limit, for whatever key comes next. It lasts
    -- without that count.
    INSERT INTO provider_month SELECT provider, -1, month, used FROM provider_use
        WHERE used > 0 AND provider NOT IN (
            SELECT provider FROM provider_pause WHERE class = 'monthly-quota' AND until > unixepoch() * 1000
        );
    -- The error may mean a key for another network, and now pauses for a day.
    DELETE FROM provider_pause WHERE provider = 'unisat' AND class = 'monthly-quota' AND reason LIKE '%-2003%';
    ALTER TABLE provider_use DROP COLUMN month;
    ALTER TABLE provider_use DROP COLUMN used;
",
    "
    -- The time by the clock that set `next_at`; milliseconds since 1970.
    ALTER TABLE provider_use ADD COLUMN set_at INTEGER NOT NULL DEFAULT 0;
",
];

/// State of a database relative to this version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaState {
    /// It is empty.
    Empty,
    /// It needs the migrations after this version.
    Older(usize),
    /// It has the current schema.
    Current,
    /// A newer version migrated it.
    Newer,
    /// It belongs to another program.
    Foreign,
}

/// Compares a database with these migrations.
pub(super) fn state(connection: &Connection, migrations: &[&str]) -> rusqlite::Result<SchemaState> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i32>(0));
    let version = number("PRAGMA user_version")?;
    if number("PRAGMA application_id")? != APPLICATION_ID {
        let is_empty = version == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0;
        return Ok(if is_empty { SchemaState::Empty } else { SchemaState::Foreign });
    }
    let version = usize::try_from(version).unwrap_or(0);
    Ok(match version.cmp(&migrations.len()) {
        std::cmp::Ordering::Less => SchemaState::Older(version),
        std::cmp::Ordering::Equal => SchemaState::Current,
        std::cmp::Ordering::Greater => SchemaState::Newer,
    })
}

/// Applies the missing migrations, after a backup. Returns messages for the user. The caller holds the exclusive lock.
pub(super) fn migrate(
    connection: &mut Connection,
    path: &Path,
    directory: &Path,
    migrations: &[&str],
) -> Result<Vec<StoreNotice>, Error> {
    match state(connection, migrations).map_err(sqlite(path))? {
        SchemaState::Current => Ok(Vec::new()),
        SchemaState::Newer => Err(Error::Newer { path: path.to_owned() }),
        SchemaState::Foreign => Err(Error::Foreign { path: path.to_owned() }),
        SchemaState::Older(version) => {
            let copy = files::unused_path(path, &format!(".v{version}"));
            let upgraded = backup::copy(connection, path, &copy).and_then(|()| {
                let applied = apply(connection, path, directory, version, migrations);
                // Every start and poll tries again, so the copies of failed attempts would fill the disk.
                if applied.is_err() && matches!(state(connection, migrations), Ok(SchemaState::Older(_))) {
                    let _ = fs::remove_file(&copy);
                }
                applied
            });
            upgraded.map_err(|error| error.of_upgrade(path))
        }
        SchemaState::Empty => apply(connection, path, directory, 0, migrations),
    }
}

/// Applies the missing migrations to a copy of a database of an older version. `path`: that database.
pub(super) fn migrate_copy(copy: &mut Connection, path: &Path, version: usize) -> Result<(), Error> {
    let directory = path.parent().unwrap_or(path);
    apply(copy, path, directory, version, MIGRATIONS).map(drop).map_err(|error| error.of_upgrade(path))
}

/// Applies the migrations after a version in one transaction.
fn apply(
    connection: &mut Connection,
    path: &Path,
    directory: &Path,
    version: usize,
    migrations: &[&str],
) -> Result<Vec<StoreNotice>, Error> {
    let failed = |source| sqlite(path)(source);
    let mut notices = Vec::new();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    for step in migrations.iter().skip(version) {
        transaction.execute_batch(step).map_err(failed)?;
    }
    // After corruption, importing the old watchlist would restore removed coins.
    if version == 0 && !files::has_damaged(path) {
        let import::OldWatchlist { data, problem } = import::old_watchlist(directory);
        notices.extend(problem.map(StoreNotice::from));
        import::put(&transaction, &data).map_err(failed)?;
    }
    set_version(&transaction, migrations.len()).map_err(failed)?;
    transaction.commit().map_err(failed)?;
    Ok(notices)
}

fn set_version(transaction: &Transaction<'_>, version: usize) -> rusqlite::Result<()> {
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", i32::try_from(version).unwrap_or(i32::MAX))
}
