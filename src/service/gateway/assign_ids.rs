//! Replaces the ids of providers with ours, and saves new matches.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::identity_cache::Saved;
use super::wrong_ranges::remove_wrong_ranges;
use super::{Gateway, identity_cache};
use crate::model::{Coin, ProviderName};

/// Matches are saved this long after the first new one, together.
const DELAY: Duration = Duration::from_secs(5);

impl Gateway {
    /// Replaces ids and slugs of a provider's coins with ours, and saves new matches soon. Values that can't be right are
    /// removed, with a warning.
    pub(super) fn assign_ids(&self, provider: ProviderName, coins: &mut [Coin]) {
        let range_warning = remove_wrong_ranges(coins);
        let warnings = self.identity().assign_ids(provider, coins, self.0.time.now());
        if let Some(upstream) = self.provider(provider).and_then(|provider| provider.upstream.as_ref()) {
            range_warning.into_iter().chain(warnings).for_each(|warning| upstream.warnings().note(warning));
        }
        self.save_ids_soon();
    }

    /// Saves the coins' ids and listings soon, if anything is new.
    fn save_ids_soon(&self) {
        let has_new = self.identity().has_unsaved();
        let directory = self.settings().cache.clone().filter(|_| has_new);
        let Some(directory) = directory.filter(|_| !self.0.is_saving_ids.swap(true, Ordering::Relaxed)) else { return };
        let gateway = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(DELAY).await;
            gateway.0.is_saving_ids.store(false, Ordering::Relaxed);
            gateway.write_ids(directory).await;
        });
    }

    /// Saves the coins' ids and listings now, if anything is new: a command may end soon, and the
    /// next one would have to look them up again.
    pub(super) async fn save_ids(&self) {
        let has_new = self.identity().has_unsaved();
        if let Some(directory) = self.settings().cache.clone().filter(|_| has_new) {
            self.write_ids(directory).await;
        }
    }

    async fn write_ids(&self, directory: PathBuf) {
        let saved = {
            let mut identity = self.identity();
            Saved { coins: identity.take_coins(), listings: identity.take_listings() }
        };
        let now = self.0.time.now();
        let written = tokio::task::spawn_blocking(move || identity_cache::write(&directory, saved, now)).await;
        if let Ok(Err(error)) = written {
            tracing::info!(%error, "known coins not saved; they are matched again after a restart");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CoinId, Text, UtcTime};
    use crate::service::TimeSource;
    use crate::service::gateway::LiveSettings;

    fn listed(id: &str) -> Coin {
        let coin = Coin::new(CoinId(Text::from(id)), Text::from("Cat"), Text::from("CAT"));
        Coin { market_cap: Some(100.0), ..coin }
    }

    #[tokio::test(start_paused = true)]
    async fn matched_coins_survive_a_restart() {
        let directory = tempfile::tempdir().unwrap();
        let settings = LiveSettings { cache: Some(directory.path().to_owned()), ..LiveSettings::default() };
        let time = TimeSource::fixed(UtcTime::from_secs(1_795_248_000));
        let gateway = || Gateway::with_providers(Vec::new(), settings.clone(), time.clone());
        let first = gateway();
        first.assign_ids(ProviderName::CoinMarketCap, &mut [listed("100")]);
        first.assign_ids(ProviderName::CoinGecko, &mut [listed("cat")]);
        while identity_cache::read(directory.path(), UtcTime::from_secs(1_795_248_000)).coins.is_empty() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        let mut later = [Coin { market_cap: None, ..listed("cat") }];
        gateway().assign_ids(ProviderName::CoinGecko, &mut later);
        assert_eq!(later[0].id.0, "100");
    }
}
