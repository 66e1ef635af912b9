//! Origins of values.

use std::fmt;
use std::path::PathBuf;

/// Origin of a value. Displays as `~/.config/satscope/config.toml:3`, `SATSCOPE_BASE_URL`,
/// `--base-url`, `chosen in the dashboard` or `chosen in Providers`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The default.
    Default,
    /// The configuration file.
    File {
        /// Path of the file.
        path: PathBuf,
        /// Line number, from 1.
        line: usize,
    },
    /// An environment variable.
    Variable(&'static str),
    /// A command-line flag.
    Flag(&'static str),
    /// A choice in the dashboard, saved in the store.
    Session,
    /// A choice in the Providers dialog or by `satscope sources`, saved in the store.
    Sources,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::Variable(name) | Origin::Flag(name) => f.write_str(name),
            Origin::Session => f.write_str("chosen in the dashboard"),
            Origin::Sources => f.write_str("chosen in Providers"),
        }
    }
}
