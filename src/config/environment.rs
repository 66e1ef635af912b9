//! Environment variables.

use std::collections::BTreeMap;
use std::ffi::OsString;

/// The environment variables and their settings.
pub(super) const VARIABLES: [(&str, &str); 3] = [
    ("SATSCOPE_BASE_URL", "source.base_url"),
    ("SATSCOPE_INDEXER_URL", "source.indexer_url"),
    ("SATSCOPE_LOG", "log.filter"),
];

/// The variables with the URLs of services.
const URLS: [&str; 2] = ["SATSCOPE_BASE_URL", "SATSCOPE_INDEXER_URL"];

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

    /// The environment without the URLs of services, for a command that ignores them, even invalid ones.
    #[must_use]
    pub fn without_urls(mut self) -> Environment {
        self.0.retain(|name, _| !URLS.contains(&name.as_str()));
        self
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
