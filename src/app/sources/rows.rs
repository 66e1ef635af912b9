//! The rows of the Providers dialog, with the user's choices.

use crate::app::preferences::EMBEDDED;
use crate::app::sources::{ConfiguredSources, SourceControl, SourceRow};
use crate::app::state::State;
use crate::client::{Group, Request};
use crate::model::{ProviderName, Source, SourceState, Text};

impl State {
    /// Whether a group's live data comes from the embedded service, whose own address says nothing about its source.
    pub fn has_live(&self, group: Group) -> bool {
        let [market, indexer] = &self.preferences.urls;
        let url = if group == Group::Market { market } else { indexer };
        self.preferences.live == Some(true) && url == EMBEDDED
    }

    /// The configured providers, if they can be changed here.
    pub fn own_sources(&self) -> Option<&ConfiguredSources> {
        match &self.preferences.sources_control {
            SourceControl::Own(configured) => Some(configured),
            SourceControl::Simulated | SourceControl::Remote => None,
        }
    }

    /// Why the providers can't be changed here, as a sentence.
    pub fn sources_note(&self) -> Option<String> {
        let [host, _] = &self.preferences.sources;
        match &self.preferences.sources_control {
            SourceControl::Own(_) => None,
            SourceControl::Simulated => Some(String::from("Simulated data needs no providers")),
            SourceControl::Remote => Some(format!("Providers of {host} (can't be changed here)")),
        }
    }

    /// The rows of the dialog: all providers, or the providers of an operation in the user's order.
    pub fn source_rows(&self, operation: Option<&str>) -> Vec<SourceRow> {
        let sources = self.responses.sources(&Request::Sources).value.map_or(&[][..], Vec::as_slice);
        let all = sources.iter().map(|source| self.source_row(source));
        let Some(operation) = operation else { return all.collect() };
        let all: Vec<SourceRow> = all.collect();
        let order = self.source_order(operation);
        let row = |name: &ProviderName| all.iter().find(|row| row.source.name == name.as_str()).cloned();
        order.iter().filter_map(row).collect()
    }

    /// An operation's providers in the user's order.
    pub fn source_order(&self, operation: &str) -> Vec<ProviderName> {
        let orders = self.own_sources().map_or(&[][..], |configured| &configured.orders);
        let configured = orders.iter().find(|(name, _)| name == operation);
        configured.map_or_else(Vec::new, |(_, order)| self.sources.applied.order(operation, order))
    }

    /// Whether a provider is enabled.
    pub fn is_source_enabled(&self, name: ProviderName) -> bool {
        let configured = self.own_sources().is_none_or(|configured| !configured.disabled.contains(&name));
        self.sources.applied.is_enabled(name, configured)
    }

    /// The operations with several providers, which can be ordered.
    pub fn orderable_operations(&self) -> impl Iterator<Item = &Text> {
        let orders = self.own_sources().map_or(&[][..], |configured| &configured.orders);
        orders.iter().filter(|(_, order)| order.len() > 1).map(|(operation, _)| operation)
    }

    /// The row with the user's choices already applied, since the service reports them a few seconds later.
    fn source_row(&self, source: &Source) -> SourceRow {
        let name = ProviderName::parse(&source.name).filter(|_| self.own_sources().is_some());
        let Some(name) = name else { return SourceRow { source: source.clone(), is_disabled: false } };
        let is_disabled = !self.is_source_enabled(name);
        let mut source = source.clone();
        match (is_disabled, source.is_disabled()) {
            (true, _) => (source.state, source.missing, source.missing_code) = (SourceState::Unused, None, None),
            (false, true) => (source.state, source.missing, source.missing_code) = (SourceState::Ready, None, None),
            (false, false) => {}
        }
        SourceRow { source, is_disabled }
    }
}
