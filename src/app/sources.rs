//! The providers of live data as the user sees them: where they are chosen, tests, rows of the dialog.

pub(super) mod rows;

use std::collections::BTreeMap;
use std::time::Duration;

use crate::model::{ProviderName, Source, Text};
use crate::user_data::SourceChoices;

/// Where the providers of live data are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceControl {
    /// In this program, by the user: its embedded service has live data.
    Own(ConfiguredSources),
    /// Nowhere: the data is simulated.
    Simulated,
    /// Another service.
    Remote,
}

/// The providers as configured, without the user's choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConfiguredSources {
    /// The disabled providers.
    pub disabled: Vec<ProviderName>,
    /// The operations by their names in the configuration, each with its providers in order.
    pub orders: Vec<(Text, Vec<ProviderName>)>,
}

/// A test of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceTest {
    /// Waiting for the response.
    Running,
    /// It works; the latency.
    Passed(Duration),
    /// It doesn't work; the reason.
    Failed(Text),
}

/// The choices and tests of this run.
#[derive(Debug, Default)]
pub struct SourcesState {
    /// The last test of each provider.
    pub tests: BTreeMap<ProviderName, SourceTest>,
    /// The choices that the embedded service uses.
    pub applied: SourceChoices,
    /// How often the providers of the embedded service have changed.
    pub changes: u64,
}

/// A provider in the dialog.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRow {
    /// The provider and its state, as reported by the service.
    pub source: Source,
    /// Whether it is disabled.
    pub is_disabled: bool,
}
