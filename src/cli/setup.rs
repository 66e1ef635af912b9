//! `satscope config`: where the file is, what is in use, and a commented file to start from.

use std::fs::OpenOptions;
use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;

use super::output::{self, Envelope};
use super::sheet::{Layout, Sheet};
use super::{Failure, Format};
use crate::config::{self, Environment, Flags, Settings};
use crate::model::{UtcTime, text};

/// Prints where the file is, or would be.
pub(super) fn path(flags: &Flags, environment: &Environment) -> Result<(), Failure> {
    let path = config::path(flags, environment)?;
    print_path(&path)
}

/// Writes the commented file where none is yet, and prints where. Never touches a file that exists.
pub(super) fn init(flags: &Flags, environment: &Environment) -> Result<(), Failure> {
    let path = config::path(flags, environment)?;
    let failed = |error: io::Error| {
        Failure::Operation(match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!(
                    "{} exists already and is left as it is; `satscope config show` tells what it sets",
                    path.display()
                )
            }
            _ => format!("{} cannot be written ({error})", path.display()),
        })
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // It is where API keys will stand.
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path).map_err(failed)?;
    file.write_all(config::TEMPLATE.as_bytes()).map_err(failed)?;
    print_path(&path)
}

fn print_path(path: &std::path::Path) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        out.write_all(text::clean(&path.display().to_string()).as_bytes())?;
    } else {
        // A program needs it as it is.
        out.write_all(path.as_os_str().as_encoded_bytes())?;
    }
    out.write_all(b"\n")?;
    Ok(out.flush()?)
}

/// One setting.
#[derive(Serialize)]
struct Row {
    key: String,
    value: String,
    origin: String,
}

/// Prints every value with its origin.
pub(super) fn show(settings: &Settings, format: Option<Format>) -> Result<(), Failure> {
    // Paths come from the environment, and the rest from a file.
    let clean = |words: &str| text::clean(words).into_owned();
    let rows: Vec<Row> = settings
        .rows()
        .into_iter()
        .map(|(key, value, origin)| Row { key: clean(&key), value: clean(&value), origin: clean(&origin.to_string()) })
        .collect();
    let envelope = Envelope {
        data: &rows,
        source: settings.file.as_ref().map(|path| path.display().to_string()),
        fetched_at: UtcTime::now(),
        warnings: &[],
    };
    let glyphs = settings.display.glyphs();
    output::print(&envelope, format, glyphs, || Sheet::list(&["key", "value", "origin"], Layout::Plain, &rows))
}
