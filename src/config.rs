//! Configuration: merges file, environment and flags into [`Settings`], with the origin of each value.
//!
//! Precedence, highest first: flag, environment, file, default. The file is never modified; [`TEMPLATE`] is the
//! commented file that `satscope config init` creates. To add a setting, add a row to `settings_table` and a field to
//! [`Settings`].

mod bindings;
mod dirs;
mod error;
mod fetch;
mod file;
mod headers;
mod live;
mod preferences;
mod settings;
mod settings_table;
mod value;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use dirs::Dirs;
pub use error::Error;
pub use settings::{Ascii, Display, Freshness, Log, Origin, Settings, Source, Wallet};
use settings::{CACHE_DIRECTORY, STATE_DIRECTORY};
pub use value::{Raw, interval, period};

/// The commented configuration file, every key at its default.
pub const TEMPLATE: &str = include_str!("../assets/config.toml");

/// Settings from the command line; `None` if not given.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--config FILE`: must exist.
    pub config: Option<PathBuf>,
    /// `--base-url URL`.
    pub base_url: Option<String>,
    /// `--indexer-url URL`.
    pub indexer_url: Option<String>,
    /// `--demo`: the embedded service for both groups, whatever is configured.
    pub demo: bool,
    /// `--live`: the embedded service over public providers, for a group without a URL.
    pub live: bool,
    /// `--convert CODE`.
    pub convert: Option<String>,
    /// `--timeout SECONDS`.
    pub timeout: Option<f64>,
    /// `--log FILE`.
    pub log: Option<PathBuf>,
}

/// The environment variables of the process, or a test's.
#[derive(Clone, Debug, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// The variables of this process. Variables that aren't UTF-8 are ignored, except ours, which are read with
    /// replacement characters: ignoring a URL would silently show simulated data.
    pub fn process() -> Environment {
        let readable = |(name, value): (OsString, OsString)| {
            let name = name.into_string().ok()?;
            match value.into_string() {
                Ok(value) => Some((name, value)),
                Err(value) if VARIABLES.iter().any(|(ours, _)| *ours == name) => {
                    Some((name, value.to_string_lossy().into_owned()))
                }
                Err(_) => None,
            }
        };
        Environment(std::env::vars_os().filter_map(readable).collect())
    }

    /// The value of a variable; `None` if it is unset or empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Environment(pairs.into_iter().map(|(k, v)| (k.into(), v.into())).collect())
    }
}

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
        && let Some(entries) = file::read(&path, flags.config.is_some())?
    {
        read_entries(&mut settings, &path, &entries, environment)?;
        settings.file = Some(path);
    }
    for (variable, key) in VARIABLES {
        if let Some(value) = environment.get(variable) {
            let origin = Origin::Variable(variable);
            settings_table::set(&mut settings, key, &Raw::Text(value.to_owned()), origin, environment)?;
        }
    }
    for (flag, key, value) in given(flags) {
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
    entries: &[file::Entry],
    environment: &Environment,
) -> Result<(), Error> {
    let origin = |line| Origin::File { path: path.to_owned(), line };
    let (bindings, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| bindings::is_binding(&entry.key));
    let mut errors: Vec<(usize, Error)> = Vec::new();
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
    errors.sort_by_key(|(line, _)| *line);
    Error::all(errors.into_iter().map(|(_, error)| error))
}

/// Our environment variables and their settings.
const VARIABLES: [(&str, &str); 3] = [
    ("SATSCOPE_BASE_URL", "source.base_url"),
    ("SATSCOPE_INDEXER_URL", "source.indexer_url"),
    ("SATSCOPE_LOG", "log.filter"),
];

fn given(flags: &Flags) -> Vec<(&'static str, &'static str, Raw)> {
    let text = |value: &Option<String>| value.clone().map(Raw::Text);
    let all = [
        ("--base-url", "source.base_url", text(&flags.base_url)),
        ("--indexer-url", "source.indexer_url", text(&flags.indexer_url)),
        ("--live", "source.live", flags.live.then_some(Raw::Bool(true))),
        ("--convert", "display.convert", text(&flags.convert)),
        ("--timeout", "limits.timeout", flags.timeout.map(Raw::Float)),
        ("--log", "log.file", flags.log.as_ref().map(|path| Raw::Path(path.clone()))),
    ];
    all.into_iter().filter_map(|(flag, key, value)| Some((flag, key, value?))).collect()
}
