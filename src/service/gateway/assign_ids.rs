//! Replaces the ids of providers with ours, and saves new matches.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::identity_cache::Saved;
use super::jumped_prices::jumped_warning;
use super::wrong_sparklines::remove_wrong_sparklines;
use super::wrong_values::remove_wrong_values;
use super::{Gateway, identity_cache};
use crate::format::words::counted;
use crate::model::{Coin, ProviderName, Text};

/// If more prices than this have jumped, and most of a response have, it is unusable.
const FEW: usize = 2;

/// Matches are saved this long after the first new one, together.
const DELAY: Duration = Duration::from_secs(5);

impl Gateway {
    /// Replaces ids and slugs of a provider's coins with ours, and saves new matches soon. Values that can't be right are
    /// removed, with warnings. Returns whether most prices were.
    pub(super) fn assign_ids(&self, provider: ProviderName, coins: &mut [Coin]) -> bool {
        let (warnings, is_unusable) = self.remove_wrong(provider, coins);
        self.replace_ids(provider, coins, warnings);
        is_unusable
    }

    /// [`Gateway::assign_ids`] for a list of all coins of which a few are wanted, by their ids at the provider. Others are
    /// removed unless they are known: they would get ids and slugs of this provider, even in the list of another one that
    /// comes before it.
    pub(super) fn assign_known_ids(&self, provider: ProviderName, coins: &mut Vec<Coin>, wanted: &[Text]) {
        let (warnings, _) = self.remove_wrong(provider, coins);
        self.identity().remove_unknown(provider, coins, wanted, self.0.time.now());
        self.replace_ids(provider, coins, warnings);
    }

    /// Removes values that can't be right. Returns warnings, and whether most prices were among them.
    fn remove_wrong(&self, provider: ProviderName, coins: &mut [Coin]) -> (Vec<String>, bool) {
        let mut warnings = remove_wrong_values(coins);
        warnings.extend(self.clear_misnamed_rows(provider, coins));
        // Before their market caps are compared with other coins'.
        let (compared, jumped) = self.remove_jumped_prices(provider, coins);
        // A wrong price says nothing about a line.
        warnings.extend(remove_wrong_sparklines(coins));
        warnings.extend(jumped_warning(&jumped));
        (warnings, jumped.len() > FEW && jumped.len() > compared / 2)
    }

    /// Replaces ids and slugs of coins whose wrong values are removed, and records the warnings.
    fn replace_ids(&self, provider: ProviderName, coins: &mut [Coin], mut warnings: Vec<String>) {
        let now = self.0.time.now();
        warnings.extend(self.identity().assign_ids(provider, coins, now));
        self.identity().note_values(provider, coins, now);
        if let Some(upstream) = self.provider(provider).and_then(|provider| provider.upstream.as_ref()) {
            warnings.into_iter().for_each(|warning| upstream.warnings().note(warning));
        }
        self.save_ids_soon();
    }

    /// Removes coins that were not requested, with a warning.
    pub(super) fn remove_unrequested(
        &self,
        provider: ProviderName,
        coins: &mut Vec<Coin>,
        is_requested: impl Fn(&Coin) -> bool,
    ) {
        let before = coins.len();
        coins.retain(is_requested);
        let count = before - coins.len();
        if count > 0
            && let Some(upstream) = self.provider(provider).and_then(|provider| provider.upstream.as_ref())
        {
            upstream.warnings().note(format!("Skipped {}", counted(count, "unrequested coin")));
        }
    }

    /// Removes the values of rows that have the names of other coins. The rows stay, since clients count them.
    fn clear_misnamed_rows(&self, provider: ProviderName, coins: &mut [Coin]) -> Option<String> {
        let names = self.cached_names(provider);
        let wrong = self.identity().misnamed_rows(provider, coins, names.as_deref().map_or(&[], Vec::as_slice));
        let count = wrong.len();
        let mut example = None;
        for (at, ours) in wrong {
            let Some(row) = coins.get_mut(at) else { continue };
            let name = &ours.name;
            example.get_or_insert_with(|| format!("{name} (named {}, {})", row.name, row.symbol));
            *row = ours;
        }
        Some(match count {
            1 => format!("Ignored data for {}", example?),
            count => format!("Ignored data for {count} coins with wrong names, such as {}", example?),
        })
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
    use crate::model::{CoinId, UtcTime};
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

    #[tokio::test]
    async fn jumped_price_does_not_end_a_join_by_name() {
        let time = TimeSource::fixed(UtcTime::from_secs(1_795_248_000));
        let gateway = Gateway::with_providers(Vec::new(), LiveSettings::default(), time);
        let sats = |id: &str, price, market_cap| {
            let coin = Coin::new(CoinId(Text::from(id)), Text::from("SATS"), Text::from("SATS"));
            [Coin { price, market_cap, ..coin }]
        };
        let (cmc, gecko) = (ProviderName::CoinMarketCap, ProviderName::CoinGecko);
        gateway.assign_ids(cmc, &mut sats("7", None, None));
        gateway.assign_ids(gecko, &mut sats("sats-ordinals", Some(1.0), Some(170e6)));
        gateway.assign_ids(cmc, &mut sats("7", None, Some(180e6)));
        gateway.assign_ids(gecko, &mut sats("sats-ordinals", Some(1_000.0), Some(170e9)));
        let known = gateway.identity().by_id(&CoinId("sats-ordinals".into())).unwrap();
        assert_eq!(known.native_id(cmc).map(Text::as_str), Some("7"));
    }
}
