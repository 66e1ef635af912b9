//! Reads and saves user data.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::args::Format;
use super::failure::{Failure, say};
use super::{notices, output};
use crate::client::Warning;
use crate::config::Settings;
use crate::format::words::in_sentence;
use crate::store::{self, Database};
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{Change, UnreadablePart, UserData, WalletAddress};

/// Whether this process has saved a change.
static HAS_SAVED: AtomicBool = AtomicBool::new(false);

/// Whether a change was saved, so that a failure to print the result isn't taken for a failure to save it.
pub(super) fn has_saved() -> bool {
    HAS_SAVED.load(Ordering::Relaxed)
}

/// Reads the store, even if it is read-only. Prints what can't be read, so a command should call it once.
pub(super) fn load(settings: &Settings) -> Result<UserData, store::Error> {
    let data = reload(settings)?;
    data.unreadable_about(|_| true).for_each(|note| say(&in_sentence(note)));
    Ok(data)
}

/// [`load`] before something is added, which creates the target of a dangling link, or says why it can't. It is added to
/// the new database if a damaged one was moved aside.
pub(super) fn load_to_add(settings: &Settings) -> Result<UserData, store::Error> {
    match load(settings) {
        Err(error) if error.is_dangling() => Ok(UserData::default()),
        // Reading it has waited for the lock.
        Err(error) if matches!(error, store::Error::Busy { .. }) => Err(error),
        Err(error) => store::read_all(directory(settings)?).map_err(|_| error),
        loaded => loaded,
    }
}

/// Reads the store again, without printing what can't be read.
pub(super) fn reload(settings: &Settings) -> Result<UserData, store::Error> {
    let directory = directory(settings)?;
    // A database that has to be repaired is opened for that.
    match store::read_all(directory) {
        Ok(data) => Ok(data),
        // Opening it would create an empty database, or wait again.
        Err(error) if error.is_dangling() || matches!(error, store::Error::Busy { .. }) => Err(error),
        Err(error) => {
            let Ok(mut database) = Database::open(directory) else { return Err(error) };
            let data = database.load()?;
            let repairs = database.take_notices();
            notices::announce(&repairs);
            // The new database is empty. Printed as a success, it could replace a good backup.
            if error.is_corruption() || !repairs.is_empty() { Err(error) } else { Ok(data) }
        }
    }
}

/// Fails if the database is corrupt, for processes whose messages nobody sees: opening it would move it aside.
pub(super) fn refuse_corrupt(settings: &Settings) -> Result<(), store::Error> {
    match directory(settings).and_then(store::read_all) {
        Err(error) if error.is_corruption() => Err(error),
        _ => Ok(()),
    }
}

/// The saved addresses, for commands that need nothing else. They leave a damaged database in place.
pub(super) fn addresses(settings: &Settings) -> Result<Vec<WalletAddress>, Failure> {
    let data = match directory(settings).and_then(store::read_all) {
        // Without a directory, nothing is saved.
        Err(store::Error::NoDirectory) => return Ok(Vec::new()),
        read => read.map_err(|error| {
            Failure::Operation(format!("can't read the labels of addresses: {}", unreadable_database(&error)))
        })?,
    };
    data.unreadable_about(|part| part == UnreadablePart::Addresses).for_each(|note| say(&in_sentence(note)));
    Ok(data.addresses)
}

/// Why a command can't read the database that it leaves in place, and what to do.
pub(super) fn unreadable_database(error: &store::Error) -> String {
    // No command moves the target of a link.
    let is_link = matches!(error, store::Error::LinkedDamaged { .. });
    if error.is_corruption() && !is_link {
        format!("{error}; run satscope watchlist to set it aside")
    } else {
        error.to_string()
    }
}

/// The path of the database: the source of data that needed no service.
pub(super) fn path(settings: &Settings) -> Option<PathBuf> {
    settings.dirs.state.as_ref().map(|directory| directory.join(store::FILE))
}

/// The URL of the data of a service or, without a response, the path of the database.
pub(super) fn source(url: Option<String>, settings: &Settings) -> Option<String> {
    url.or_else(|| path(settings).map(|path| path.display().to_string()))
}

fn directory(settings: &Settings) -> Result<&Path, store::Error> {
    settings.dirs.state.as_deref().ok_or(store::Error::NoDirectory)
}

/// Warnings about some of the unreadable parts, for JSON. In other formats, standard error has them.
pub(super) fn unreadable(
    data: &UserData,
    format: Option<Format>,
    is_meant: impl Fn(UnreadablePart) -> bool,
) -> Vec<Warning> {
    match output::format(format) {
        Format::Json => data.unreadable_about(is_meant).map(in_sentence).collect(),
        Format::Table | Format::Csv | Format::Plot => Vec::new(),
    }
}

/// Saves changes; `what` names them in an error.
pub(super) fn save(what: &str, changes: &[Change], settings: &Settings) -> Result<(), Failure> {
    if changes.is_empty() {
        return Ok(());
    }
    write(what, settings, |database| database.save(changes).map(drop))?;
    HAS_SAVED.store(true, Ordering::Relaxed);
    Ok(())
}

/// Saves the changes that `decide` derives from the current data, which no other process can change in between. `what`
/// names them in an error. `decide` may be called twice. Returns the IDs of lots and alerts that were added under
/// temporary ones.
pub(super) fn update(
    what: &str,
    settings: &Settings,
    mut decide: impl FnMut(&UserData) -> Result<Vec<Change>, Failure>,
) -> Result<AssignedIds, Failure> {
    let mut has_changes = false;
    let ids = write(what, settings, |database| {
        let updated = database.update(|data| decide(data).inspect(|changes| has_changes = !changes.is_empty()))?;
        Ok(updated.map(|()| database.assigned_ids().clone()))
    })??;
    HAS_SAVED.fetch_or(has_changes, Ordering::Relaxed);
    Ok(ids)
}

fn write<T>(
    what: &str,
    settings: &Settings,
    work: impl FnOnce(&mut Database) -> Result<T, store::Error>,
) -> Result<T, Failure> {
    let saved = directory(settings).and_then(|directory| {
        let mut database = Database::open(directory)?;
        let done = work(&mut database)?;
        Ok((done, database.take_notices()))
    });
    let (done, notices) =
        saved.map_err(|error| Failure::Operation(format!("{what} not saved: {}", error.save_reason())))?;
    notices::announce(&notices);
    Ok(done)
}
