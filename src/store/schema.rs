//! The tables of each version, and the way from one to the next.

use std::path::Path;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{Error, database, files, import};

/// "SATS": what marks a database as ours.
const APPLICATION_ID: i32 = 0x5341_5453;

/// The steps from an empty database to the current one; `user_version` counts those made.
pub(super) const STEPS: &[&str] = &[
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
];

/// How a database stands to this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing is in it yet.
    Empty,
    /// It needs the steps after this version.
    Older(usize),
    /// It has this program's tables.
    Current,
    /// A newer program migrated it.
    Newer,
    /// It is another program's.
    Foreign,
}

/// How a database stands to a program with these steps.
pub(super) fn standing(connection: &Connection, steps: &[&str]) -> rusqlite::Result<Standing> {
    let number = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i32>(0));
    let version = number("PRAGMA user_version")?;
    if number("PRAGMA application_id")? != APPLICATION_ID {
        let is_empty = version == 0 && number("SELECT count(*) FROM sqlite_schema")? == 0;
        return Ok(if is_empty { Standing::Empty } else { Standing::Foreign });
    }
    let version = usize::try_from(version).unwrap_or(0);
    Ok(match version.cmp(&steps.len()) {
        std::cmp::Ordering::Less => Standing::Older(version),
        std::cmp::Ordering::Equal => Standing::Current,
        std::cmp::Ordering::Greater => Standing::Newer,
    })
}

/// Brings a database to the last of the steps, after a backup of what is in it. What a user should know comes back.
/// The caller holds the exclusive lock.
pub(super) fn migrate(
    connection: &mut Connection,
    path: &Path,
    directory: &Path,
    steps: &[&str],
) -> Result<Vec<String>, Error> {
    let failed = |source| Error::Sqlite { path: path.to_owned(), source };
    let done = match standing(connection, steps).map_err(failed)? {
        Standing::Current => return Ok(Vec::new()),
        Standing::Newer => return Err(Error::Newer { path: path.to_owned() }),
        Standing::Foreign => return Err(Error::Foreign { path: path.to_owned() }),
        Standing::Older(version) => {
            database::copy(connection, &files::free(path, &format!(".v{version}")))?;
            version
        }
        Standing::Empty => 0,
    };
    let mut notes = Vec::new();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    for step in steps.iter().skip(done) {
        transaction.execute_batch(step).map_err(failed)?;
    }
    // After damage, an old watchlist would restore coins that were removed since.
    if done == 0 && !files::has_damaged(path) {
        let import::Old { data, problem } = import::old_watchlist(directory);
        notes.extend(problem);
        import::put(&transaction, &data).map_err(failed)?;
    }
    set_version(&transaction, steps.len()).map_err(failed)?;
    transaction.commit().map_err(failed)?;
    Ok(notes)
}

fn set_version(transaction: &Transaction<'_>, version: usize) -> rusqlite::Result<()> {
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", i32::try_from(version).unwrap_or(i32::MAX))
}
