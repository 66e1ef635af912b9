//! Choices about the providers of live data: which are enabled, and their order for each operation. They override the
//! configuration file.

use std::collections::BTreeMap;

use crate::model::{ProviderName, Text};

/// All choices. Everything else is as configured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceChoices {
    /// Whether a provider is enabled.
    pub enabled: BTreeMap<ProviderName, bool>,
    /// The order of the providers of an operation, by its name in the configuration.
    pub orders: BTreeMap<Text, Vec<ProviderName>>,
}

/// A change to the choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceChange {
    /// Enable or disable a provider.
    Enable(ProviderName, bool),
    /// Prefer the providers of an operation in this order.
    Order(Text, Vec<ProviderName>),
    /// Forget all choices.
    Reset,
}

impl SourceChange {
    /// Whether this change makes an earlier one unnecessary.
    pub fn replaces(&self, earlier: &SourceChange) -> bool {
        match (self, earlier) {
            (SourceChange::Reset, _) => true,
            (SourceChange::Enable(name, _), SourceChange::Enable(other, _)) => name == other,
            (SourceChange::Order(operation, _), SourceChange::Order(other, _)) => operation == other,
            _ => false,
        }
    }

    /// The choice as a key and a value of the configuration; `None` for a reset.
    pub fn entry(&self) -> Option<(String, String)> {
        match self {
            SourceChange::Enable(name, enabled) => Some((enabled_key(*name), enabled.to_string())),
            SourceChange::Order(operation, order) => {
                let names: Vec<&str> = order.iter().map(|name| name.as_str()).collect();
                Some((order_key(operation), names.join(",")))
            }
            SourceChange::Reset => None,
        }
    }

    /// Parses an entry of [`SourceChange::entry`]. Unknown providers of an order, such as a newer version's, are
    /// skipped.
    pub fn parse(key: &str, value: &str) -> Option<SourceChange> {
        if let Some(operation) = key.strip_prefix("live.") {
            let order = value.split(',').filter_map(ProviderName::parse).collect();
            return Some(SourceChange::Order(Text::from(operation), order));
        }
        let name = key.strip_prefix("providers.")?.strip_suffix(".enabled")?;
        Some(SourceChange::Enable(ProviderName::parse(name)?, value.parse().ok()?))
    }
}

impl SourceChoices {
    /// Applies a change.
    pub fn apply(&mut self, change: &SourceChange) {
        match change {
            SourceChange::Enable(name, enabled) => drop(self.enabled.insert(*name, *enabled)),
            SourceChange::Order(operation, order) => drop(self.orders.insert(operation.clone(), order.clone())),
            SourceChange::Reset => *self = SourceChoices::default(),
        }
    }

    /// Whether a provider is enabled.
    pub fn is_enabled(&self, name: ProviderName, configured: bool) -> bool {
        self.enabled.get(&name).copied().unwrap_or(configured)
    }

    /// The order of an operation's providers: the chosen ones first, then the others as configured. A choice never adds
    /// a provider, so that removing one from the configuration takes effect.
    pub fn order(&self, operation: &str, configured: &[ProviderName]) -> Vec<ProviderName> {
        let chosen = self.orders.get(operation).map_or(&[][..], Vec::as_slice);
        let mut order = configured.to_vec();
        order.sort_by_key(|name| chosen.iter().position(|other| other == name).unwrap_or(usize::MAX));
        order
    }

    /// Whether a key of the configuration, such as `providers.coingecko.enabled`, was chosen.
    pub fn has(&self, key: &str) -> bool {
        match key.strip_prefix("live.") {
            Some(operation) => self.orders.contains_key(operation),
            None => self.enabled.keys().any(|name| enabled_key(*name) == key),
        }
    }
}

fn enabled_key(name: ProviderName) -> String {
    format!("providers.{name}.enabled")
}

fn order_key(operation: &str) -> String {
    format!("live.{operation}")
}

#[cfg(test)]
mod tests {
    use super::ProviderName::{Binance, CoinGecko, CoinMarketCap, CoinPaprika};
    use super::*;

    #[test]
    fn order_puts_chosen_providers_first_and_adds_none() {
        let mut choices = SourceChoices::default();
        let configured = [CoinMarketCap, CoinPaprika, CoinGecko];
        assert_eq!(choices.order("coins", &configured), configured);
        choices.apply(&SourceChange::Order("coins".into(), vec![CoinGecko, Binance, CoinMarketCap]));
        assert_eq!(choices.order("coins", &configured), [CoinGecko, CoinMarketCap, CoinPaprika]);
        assert_eq!(choices.order("coins", &[CoinPaprika]), [CoinPaprika]);
        assert_eq!(choices.order("pairs", &configured), configured);
    }

    #[test]
    fn entries_round_trip_and_unknown_ones_are_skipped() {
        for change in [
            SourceChange::Enable(CoinGecko, false),
            SourceChange::Enable(Binance, true),
            SourceChange::Order("coins".into(), vec![CoinGecko, CoinPaprika]),
            SourceChange::Order("posts".into(), Vec::new()),
        ] {
            let (key, value) = change.entry().unwrap();
            assert_eq!(SourceChange::parse(&key, &value), Some(change.clone()), "{key}");
            let mut choices = SourceChoices::default();
            choices.apply(&change);
            assert!(choices.has(&key) && !choices.has("live.chart"), "{key}");
        }
        let newer = SourceChange::parse("live.coins", "newer,coingecko");
        assert_eq!(newer, Some(SourceChange::Order("coins".into(), vec![CoinGecko])));
        for (key, value) in [("providers.newer.enabled", "true"), ("providers.okx.enabled", "maybe"), ("theme", "dark")]
        {
            assert_eq!(SourceChange::parse(key, value), None, "{key}");
        }
    }

    #[test]
    fn reset_forgets_all_choices() {
        let mut choices = SourceChoices::default();
        choices.apply(&SourceChange::Enable(CoinGecko, false));
        assert!(!choices.is_enabled(CoinGecko, true) && choices.is_enabled(Binance, true));
        choices.apply(&SourceChange::Reset);
        assert_eq!(choices, SourceChoices::default());
        assert!(SourceChange::Reset.replaces(&SourceChange::Enable(CoinGecko, false)));
        assert!(!SourceChange::Enable(CoinGecko, false).replaces(&SourceChange::Reset));
    }
}
