//! Imports the watchlist file of versions before the store, once. The file is not changed.

use std::fs;
use std::io;
use std::path::Path;

use rusqlite::Transaction;

use super::tables;
use crate::model::UtcTime;
use crate::user_data::{Change, UserData, WatchChanges};

/// Maximum size of a watchlist file in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// The contents of the old file.
pub(super) struct OldWatchlist {
    pub(super) data: UserData,
    /// The error message if it can't be read.
    pub(super) problem: Option<String>,
}

/// Reads the old file, if there is one.
pub(super) fn old_watchlist(directory: &Path) -> OldWatchlist {
    let path = directory.join("watched.json");
    match read(&path) {
        Ok(watchlist) => OldWatchlist { data: UserData { watchlist, ..UserData::default() }, problem: None },
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            OldWatchlist { data: UserData::default(), problem: None }
        }
        Err(error) => {
            let problem = format!("Old watchlist not imported ({error}): {}", path.display());
            OldWatchlist { data: UserData::default(), problem: Some(problem) }
        }
    }
}

fn read(path: &Path) -> io::Result<WatchChanges> {
    let about = fs::metadata(path)?;
    // Reading from a pipe would block.
    if !about.is_file() || about.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "not a watchlist"));
    }
    match serde_json::from_slice::<WatchChanges>(&fs::read(path)?) {
        Ok(changes) => Ok(changes.cleaned()),
        Err(error) => {
            tracing::info!(%error, "old watchlist not read");
            Err(io::Error::new(io::ErrorKind::InvalidData, "not a watchlist"))
        }
    }
}

/// Saves the data in the new tables.
pub(super) fn put(transaction: &Transaction<'_>, data: &UserData) -> rusqlite::Result<()> {
    let added = data.watchlist.added.iter().cloned().map(Change::Watch);
    let removed = data.watchlist.removed.iter().cloned().map(Change::Unwatch);
    let now = UtcTime::now();
    added.chain(removed).try_for_each(|change| tables::apply(transaction, &change, now).map(drop))
}
