//! `satscope config`: path, current settings, template, backup.

use std::fs::Metadata;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::args::Format;
use super::failure::{Failure, say, unwritable_output};
use super::output::{self, Envelope};
use super::sheet::{Layout, Sheet};
use super::user_store;
use crate::config::{self, Dirs, Environment, Flags, Origin, Settings};
use crate::model::{system_error, text};
use crate::store;

/// Prints the path of the configuration file.
pub(super) fn path(flags: &Flags, environment: &Environment) -> Result<(), Failure> {
    let path = config::path(flags, environment)?;
    print_path(&path)
}

/// Creates the commented file and prints its path. An existing file is never overwritten.
pub(super) fn init(flags: &Flags, environment: &Environment) -> Result<(), Failure> {
    let path = config::path(flags, environment)?;
    let failed = |error: io::Error| {
        Failure::Operation(match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{} already exists; not overwritten", path.display())
            }
            _ => format!("can't write {} ({})", path.display(), system_error::reason(&error)),
        })
    };
    write_new(&path, config::TEMPLATE.as_bytes()).map_err(failed)?;
    print_path(&path).map_err(|failure| match failure {
        // Otherwise, a script would try again, and fail since the file exists.
        Failure::Output(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Failure::Operation(format!("{}; {} was created", unwritable_output(&error), path.display()))
        }
        failure => failure,
    })
}

/// Prints the commented file with every key at its default.
pub(super) fn default() -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(config::TEMPLATE.as_bytes())?;
    Ok(out.flush()?)
}

/// Backs up the user data to a new file, and says so.
pub(super) fn backup(file: &Path, environment: &Environment) -> Result<(), Failure> {
    if file == Path::new("-") {
        return Err(Failure::Usage(String::from("a backup can't be written to standard output; name a file")));
    }
    let directory = Dirs::find(environment).state.ok_or(store::Error::NoDirectory);
    let copied = directory.and_then(|directory| store::backup(&directory, file));
    copied.map_err(|error| {
        Failure::Operation(format!("can't back up the user data: {}", user_store::unreadable_database(&error)))
    })?;
    say(&format!("user data backed up to {}", file.display()));
    Ok(())
}

/// Writes a complete file or none, and never overwrites one.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if std::fs::symlink_metadata(path).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    remove_incomplete(folder);
    // Readable only by the owner, because it may contain API keys. Removed on failure.
    let mut file = tempfile::Builder::new().prefix(INCOMPLETE).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path)?;
    Ok(())
}

/// How the name of an incomplete file begins. Not with the name of the configuration, as editors' swap files do
/// (`.config.toml.swp`).
const INCOMPLETE: &str = ".satscope-config-";

/// Age from which an incomplete file counts as left by a process that was killed.
const ABANDONED_AFTER: Duration = Duration::from_mins(1);

/// Removes incomplete files of processes that were killed. Errors are ignored: they only take up space.
fn remove_incomplete(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_incomplete = entry.file_name().as_encoded_bytes().starts_with(INCOMPLETE.as_bytes());
        let written = entry.metadata().ok().filter(Metadata::is_file).and_then(|about| about.modified().ok());
        if is_incomplete && written.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > ABANDONED_AFTER) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

fn print_path(path: &Path) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        out.write_all(text::clean(&path.display().to_string()).as_bytes())?;
    } else {
        // Unescaped, for use by programs.
        out.write_all(path.as_os_str().as_encoded_bytes())?;
    }
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// A setting.
#[derive(Serialize)]
struct Row {
    key: String,
    value: String,
    origin: String,
}

/// Prints all settings with their origins.
pub(super) fn show(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    // Values may contain control characters.
    let clean = |words: &str| text::clean(words).into_owned();
    let row = |key: &str, value: &str, origin: &Origin| Row {
        key: clean(key),
        value: clean(value),
        origin: clean(&origin.to_string()),
    };
    let keys = settings.rows().into_iter().map(|(key, value, origin)| row(&key, &value, origin));
    let directories = settings.directories().into_iter().map(|(name, path, origin)| row(name, &path, origin));
    let rows: Vec<Row> = keys.chain(directories).collect();
    let envelope = Envelope::local(&rows, settings.file.as_deref());
    output::print(&envelope, format, &settings.display, || {
        Sheet::list(&["key", "value", "origin"], Layout::Plain, &rows)
    })
}
