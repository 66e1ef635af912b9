//! Advice to the user if no provider serves an operation.

use super::Gateway;
use super::settings::LiveSettings;
use crate::format::words::join_words;
use crate::model::ProviderName;
use crate::service::operation::Operation;

impl Gateway {
    /// A sentence that advises how to enable an operation that no provider serves.
    pub(super) fn remedy(&self, operation: Operation) -> String {
        let need = operation.need();
        if self.serving(operation).next().is_none() {
            let disabled = self.disabled(operation);
            if let Some(first) = disabled.first() {
                let titles: Vec<&str> = disabled.iter().map(|name| name.title_in_sentence()).collect();
                let titles = join_words(&titles, "or");
                return if self.settings().is_command {
                    format!("{need}: enable {titles} (satscope sources enable {})", first.as_str())
                } else {
                    format!("{need}: enable {titles} in Providers")
                };
            }
        }
        let defaults = LiveSettings::default();
        // Some providers need a key for the operation.
        let serves = |name: &&ProviderName| {
            self.provider(**name).is_none_or(|provider| provider.operations.contains(&operation))
        };
        let names = defaults.order(operation).iter().filter(serves);
        let names: Vec<&str> = names.map(|name| name.as_str()).collect();
        let add = format!("add {} to live.{operation}", join_words(&names, "or"));
        match operation {
            // Of the public ones, only UniSat has free keys.
            Operation::Brc20 => format!("{need}: set indexer_url or a free UniSat key"),
            Operation::Inscriptions => format!("{need}: set indexer_url, or {add}"),
            _ => format!("{need}: {add}"),
        }
    }

    /// The disabled providers in the order of an operation that would serve it.
    fn disabled(&self, operation: Operation) -> Vec<ProviderName> {
        let settings = self.settings();
        let would_serve = |name: &ProviderName| {
            !settings.is_enabled(*name)
                && settings.provider(*name).base_url.is_some()
                && self.provider(*name).is_some_and(|provider| provider.operations.contains(&operation))
        };
        settings.order(operation).iter().copied().filter(would_serve).collect()
    }
}
