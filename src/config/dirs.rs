//! Directories of the XDG base directory specification.

use std::path::PathBuf;

use super::environment::Environment;

/// Error message if a required directory is missing; `{}` is its purpose.
pub(super) const NO_HOME: &str = "no home directory for {}; set HOME or the XDG variables to an absolute path";

/// The program's directories; `None` without XDG variable and home directory. The dashboard works without them, but
/// saves nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dirs {
    /// `$XDG_CONFIG_HOME/satscope`.
    pub config: Option<PathBuf>,
    /// `$XDG_STATE_HOME/satscope`: user data.
    pub state: Option<PathBuf>,
    /// `$XDG_CACHE_HOME/satscope`: cached responses.
    pub cache: Option<PathBuf>,
}

impl Dirs {
    /// Reads the directories from the environment.
    pub fn find(environment: &Environment) -> Dirs {
        let home =
            environment.get("HOME").map(PathBuf::from).or_else(std::env::home_dir).filter(|home| home.is_absolute());
        let dir = |variable: &str, below_home: &str| {
            let base = base(environment, variable).or_else(|| home.as_ref().map(|home| home.join(below_home)));
            base.map(|base| base.join("satscope"))
        };
        Dirs {
            config: dir("XDG_CONFIG_HOME", ".config"),
            state: dir("XDG_STATE_HOME", ".local/state"),
            cache: dir("XDG_CACHE_HOME", ".cache"),
        }
    }
}

/// Returns the directory in an XDG variable. A relative path is ignored, as the specification requires.
pub(super) fn base(environment: &Environment, variable: &str) -> Option<PathBuf> {
    environment.get(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
