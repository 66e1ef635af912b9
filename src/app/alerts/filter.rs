//! The filter of the Alerts dialog: the alerts whose rule, or the name or symbol of their coin, contains each word.

use std::collections::{HashMap, HashSet};

use crate::alerts::text;
use crate::client::Request;
use crate::model::Text;
use crate::user_data::alert::{Rule, Target};

use crate::app::overlay::Overlay;
use crate::app::state::State;

impl State {
    /// Finds the alerts that match the filter of the Alerts dialog. Called after it, the alerts or the names of
    /// coins have changed.
    pub(in crate::app) fn filter_alerts(&mut self) {
        let Some(dialog) = self.overlay.as_mut().and_then(Overlay::alerts) else { return };
        let filter = dialog.filter.value().to_lowercase();
        let words: Vec<&str> = filter.split_whitespace().collect();
        let matches = (!words.is_empty()).then(|| self.matching_alerts(&words));
        if let Some(dialog) = self.overlay.as_mut().and_then(Overlay::alerts) {
            dialog.show_matches(matches, &self.alerts.tracked);
        }
    }

    /// The indices of the alerts with all of these words, which are in lower case.
    fn matching_alerts(&self, words: &[&str]) -> Vec<usize> {
        let names = self.alert_coin_names();
        let has_words = |rule: &Rule| {
            let text = self.alert_search_text(rule, &names);
            words.iter().all(|word| text.contains(word))
        };
        let matching = self.alerts.tracked.iter().enumerate().filter(|(_, tracked)| has_words(&tracked.alert.rule));
        matching.map(|(index, _)| index).collect()
    }

    /// What the filter searches, in lower case: the rule as the dialog shows it and as it would be typed, without hidden
    /// amounts; and symbol, slug and name of its coin.
    fn alert_search_text(&self, rule: &Rule, names: &HashMap<&str, &str>) -> String {
        let condition =
            if self.wallet.hides_amounts { text::condition_without_amounts(rule) } else { text::short_condition(rule) };
        let mut parts = vec![self.alert_title(rule), self.alert_line(rule), condition.to_string()];
        if let Target::Coin(coin) = &rule.target {
            let name = coin.id.as_deref().and_then(|id| names.get(id).copied());
            parts.extend([coin.slug.as_deref(), name].into_iter().flatten().map(str::to_owned));
        }
        parts.join("\n").to_lowercase()
    }

    /// The known names of the coins of all alerts, by the ids of the coins.
    fn alert_coin_names(&self) -> HashMap<&str, &str> {
        let ids = self.alerts.tracked.iter().filter_map(|tracked| tracked.alert.rule.coin_id());
        let ids: HashSet<Text> = ids.map(|id| id.0).collect();
        let names = self.responses.coin_names(&Request::CoinNames).value.into_iter().flatten();
        let names = names.map(|name| (&name.coin.id, &name.coin.name));
        // The names of known coins are newer.
        let known = self.known_coins().map(|coin| (&coin.id.0, &coin.name));
        let named = names.chain(known).filter(|(id, _)| ids.contains(*id));
        named.map(|(id, name)| (id.as_str(), name.as_str())).collect()
    }
}
