//! Command-line flags that set values of the configuration.

use std::path::PathBuf;

use super::value::Raw;

/// Settings from the command line; `None` if not given.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--config FILE`: must exist.
    pub config: Option<PathBuf>,
    /// `--base-url URL`.
    pub base_url: Option<String>,
    /// `--indexer-url URL`.
    pub indexer_url: Option<String>,
    /// `--demo`: the embedded service for both groups, regardless of the configuration.
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

impl Flags {
    /// The given flags with the settings that they set, and their values.
    pub(super) fn values(&self) -> Vec<(&'static str, &'static str, Raw)> {
        let text = |value: &Option<String>| value.clone().map(Raw::Text);
        let all = [
            ("--base-url", "source.base_url", text(&self.base_url)),
            ("--indexer-url", "source.indexer_url", text(&self.indexer_url)),
            ("--live", "source.live", self.live.then_some(Raw::Bool(true))),
            ("--convert", "display.convert", text(&self.convert)),
            ("--timeout", "limits.timeout", self.timeout.map(Raw::Float)),
            ("--log", "log.file", self.log.as_ref().map(|path| Raw::Path(path.clone()))),
        ];
        all.into_iter().filter_map(|(flag, key, value)| Some((flag, key, value?))).collect()
    }
}
