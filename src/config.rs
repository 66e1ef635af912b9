//! Configuration: merges file, environment and flags into [`Settings`], with the origin of each value.
//!
//! Precedence, highest first: flag, environment, file, default. The file is never modified; [`TEMPLATE`] is the
//! commented file that `satscope config init` creates and `satscope config default` prints. To add a setting, add a row
//! to `settings_table/keys.rs` and a field to [`Settings`].

mod averages;
mod bindings;
mod coins;
mod connections;
mod dirs;
mod environment;
mod error;
mod fetch;
mod file;
mod flags;
mod headers;
mod hint;
mod live;
mod origin;
mod preferences;
mod recover;
mod settings;
mod settings_table;
mod time_zone;
mod value;
mod value_error;

use std::path::{Path, PathBuf};

pub use connections::service_options;
pub use dirs::Dirs;
pub use environment::Environment;
pub use error::{Error, Paragraph};
pub use flags::Flags;
pub use origin::Origin;
pub use settings::{Alerts, Ascii, Display, Freshness, Images, List, Log, QuietHours, Settings, Source, Wallet};
use settings::{CACHE_DIRECTORY, STATE_DIRECTORY};
pub use time_zone::TimeZone;
pub use value::{Raw, interval, period};

/// The commented configuration file, every key at its default.
pub const TEMPLATE: &str = include_str!("../assets/config.toml");

/// The path of the configuration file: from the flag, or `$XDG_CONFIG_HOME/satscope/config.toml`.
///
/// # Errors
/// No path is given, and there is no home directory.
pub fn path(flags: &Flags, environment: &Environment) -> Result<PathBuf, Error> {
    match &flags.config {
        Some(named) => Ok(named.clone()),
        None => Dirs::find(environment)
            .config
            .map(|dir| dir.join("config.toml"))
            .ok_or_else(|| Error::general(dirs::NO_HOME.replace("{}", "the configuration"))),
    }
}

/// Loads the settings from file, environment and flags.
///
/// # Errors
/// All errors in the file, each with its line; otherwise the first invalid variable or flag.
pub fn load(flags: &Flags, environment: &Environment) -> Result<Settings, Error> {
    let mut settings = Settings { dirs: Dirs::find(environment), ..Settings::default() };
    for (variable, name) in [("XDG_STATE_HOME", STATE_DIRECTORY), ("XDG_CACHE_HOME", CACHE_DIRECTORY)] {
        if dirs::base(environment, variable).is_some() {
            settings.origins.insert(name.to_owned(), Origin::Variable(variable));
        }
    }
    if let Ok(path) = path(flags, environment)
        && let Some(content) = file::read(&path, flags.config.is_some())?
    {
        read_entries(&mut settings, &path, &content, environment)?;
        settings.file = Some(path);
    }
    for (variable, key) in environment::VARIABLES {
        if let Some(value) = environment.get(variable) {
            let origin = Origin::Variable(variable);
            settings_table::set(&mut settings, key, &Raw::Text(value.to_owned()), origin, environment)?;
        }
    }
    for (flag, key, value) in flags.values() {
        settings_table::set(&mut settings, key, &value, Origin::Flag(flag), environment)?;
    }
    if flags.demo {
        settings.use_demo(flags)?;
    }
    settings.complete();
    Ok(settings)
}

/// Applies all entries of the file.
fn read_entries(
    settings: &mut Settings,
    path: &Path,
    content: &file::Content,
    environment: &Environment,
) -> Result<(), Error> {
    let origin = |line| Origin::File { path: path.to_owned(), line };
    let (bindings, others): (Vec<_>, Vec<_>) =
        content.entries.iter().partition(|entry| bindings::is_binding(&entry.key));
    let at = |(line, why): &(usize, String)| (*line, Error::at(&origin(*line), why.as_str()));
    let mut errors: Vec<(usize, Error)> = content.errors.iter().map(at).collect();
    for entry in others {
        let set = settings_table::set(settings, &entry.key, &entry.value, origin(entry.line), environment);
        errors.extend(set.err().map(|error| (entry.line, error)));
    }
    match bindings::read(bindings.iter().copied()) {
        Ok(keys) => settings.keys = keys,
        Err(wrong) => errors.extend(wrong.into_iter().map(|(line, why)| (line, Error::at(&origin(line), why)))),
    }
    for entry in bindings {
        settings.origins.insert(entry.key.clone(), origin(entry.line));
    }
    for (key, line) in bindings::lines(&settings.keys) {
        settings.origins.entry(key).or_insert_with(|| origin(line));
    }
    errors.sort_by_key(|(line, _)| *line);
    Error::all(errors.into_iter().map(|(_, error)| error))
}
