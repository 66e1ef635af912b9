//! The cached values of `satscope line`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::template::{Field, Subject};

/// How long cached values are fresh.
pub(super) const FRESH_FOR: Duration = Duration::from_mins(1);

/// The values of the coins and of the wallet.
pub(super) type Line = BTreeMap<Subject, CachedValues>;

/// Prefix of all file names.
pub(super) const PREFIX: &str = "line-";

/// Age of a file at which its line counts as no longer printed.
const UNUSED_AFTER: Duration = Duration::from_hours(30 * 24);

/// The cached values of a coin or of the wallet, which all formats use.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct CachedValues {
    /// When they were fetched, in milliseconds since 1970; `None` if they never were.
    pub(super) at: Option<i64>,
    /// Whether they are simulated.
    pub(super) simulated: bool,
    /// The values by field.
    pub(super) values: BTreeMap<Field, String>,
    /// If no single coin has the name: the slugs of those that share it as their symbol.
    pub(super) candidates: Option<Vec<String>>,
    /// Why the last background process could not fetch them.
    pub(super) failure: Option<String>,
    /// Whether that is a damaged database.
    pub(super) is_damaged: bool,
}

/// Reads a file; `None` if it doesn't exist or has another format.
pub(super) fn read(file: &Path) -> Option<CachedValues> {
    /// More than any coin needs.
    const MAX_BYTES: u64 = 64 * 1024;
    let about = fs::metadata(file).ok()?;
    if !about.is_file() || about.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

/// Replaces the file atomically.
///
/// # Errors
/// It can't be written.
pub(super) fn write(file: &Path, cached: &CachedValues) -> io::Result<()> {
    let directory = file.parent().ok_or(io::ErrorKind::NotFound)?;
    fs::create_dir_all(directory)?;
    let mut new = tempfile::NamedTempFile::new_in(directory)?;
    serde_json::to_writer(&mut new, cached)?;
    new.persist(file)?;
    Ok(())
}

/// Removes the files of lines that are no longer printed. A file that can't be removed is left in place.
pub(super) fn remove_unused(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX))) {
        let modified = entry.metadata().and_then(|about| about.modified());
        if modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > UNUSED_AFTER)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
