//! A database that was deleted while processes used it.

use std::fs;
use std::path::Path;

use rusqlite::Connection;

use super::super::error::{Error, failed};
use super::super::schema::{self, MIGRATIONS, SchemaState};
use super::super::{backup, files};
use crate::model::UtcTime;
use crate::user_data::StoreNotice;

/// Prepares a new database if the one in a state directory was deleted: saves the data of the deleted one, if this
/// process still has it open, and moves its log aside, which SQLite would apply to the new one. Returns a message for
/// the user. The caller holds the exclusive lock. If it `needs_data` and they are lost, nothing is done.
pub(super) fn replace(
    directory: &Path,
    deleted: Option<&Connection>,
    needs_data: bool,
) -> Result<Option<StoreNotice>, Error> {
    let path = directory.join(files::FILE);
    // A dangling link counts as existing. An empty file may be left by an attempt that failed.
    let exists = fs::symlink_metadata(&path).is_ok_and(|about| deleted.is_none() || about.len() > 0);
    if exists {
        return Ok(None);
    }
    if deleted.is_none() && !files::has_log(&path) {
        // With the index of an empty log beside it, a new database would count as emptied.
        return Ok(files::remove_side_files(&path)?.then(|| notice(&path, "deleted; started a new one")));
    }
    let is_current =
        |deleted: &&Connection| schema::state(deleted, MIGRATIONS).is_ok_and(|state| state == SchemaState::Current);
    let deleted = deleted.filter(is_current);
    if deleted.is_none() && needs_data {
        return Ok(None);
    }
    // If the copy fails, such as on a full disk, the next attempt tries again.
    let copy = files::unused_path(&path, ".restored");
    if let Some(deleted) = deleted {
        backup::copy(deleted, &path, &copy)?;
    }
    files::move_log_aside(&path, UtcTime::now())?;
    if deleted.is_some() {
        fs::rename(&copy, &path).map_err(failed(&path))?;
    }
    let end = if deleted.is_some() { "saved its data to a new one" } else { "started a new one" };
    Ok(Some(notice(&path, &format!("deleted; {end}"))))
}

fn notice(path: &Path, event: &str) -> StoreNotice {
    StoreNotice { summary: format!("{} was {event}", files::FILE), details: format!("{} was {event}", path.display()) }
}
