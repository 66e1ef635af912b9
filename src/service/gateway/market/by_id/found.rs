//! The coins of a request by id that were found so far.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::model::coin::MAX_UPDATE_AGE;
use crate::model::{Coin, CoinId, ProviderName, Text, UtcTime, Zone};
use crate::service::gateway::cache::Failure;
use crate::service::gateway::stored::Stored;
use crate::service::provider_response::joined_notices;
use crate::service::providers::source::CoinSlice;

/// Maximum coins with old prices in a notice.
const MAX_OLD: usize = 3;

/// Coins that were found, and the oldest cached value with one of them.
#[derive(Default)]
pub(super) struct Found {
    pub(super) coins: HashMap<CoinId, Coin>,
    pub(super) oldest: Option<Stored<()>>,
    /// The providers of all coins.
    pub(super) providers: Vec<ProviderName>,
    /// Why a coin is old.
    pub(super) refresh_error: Option<Arc<str>>,
    /// Why a manual refresh did not bring a newer one.
    pub(super) not_refreshed: Option<Arc<str>>,
    /// The time until the first refresh of a coin: when it is due, or when one that failed can succeed.
    pub(super) rest: Option<Duration>,
    /// The best rows without a current price, of coins of which no provider had one so far.
    without_price: HashMap<CoinId, (Coin, Stored<()>)>,
    /// The providers of all such rows.
    lacking: HashSet<(CoinId, ProviderName)>,
    now: UtcTime,
}

impl Found {
    /// Nothing yet. Prices are current as of `now`.
    pub(super) fn at(now: UtcTime) -> Found {
        Found { now, ..Found::default() }
    }

    /// Adds a coin. A row without a current price counts only if no provider has a better one; see
    /// [`Found::add_without_price`].
    pub(super) fn add<T: ?Sized>(&mut self, id: &CoinId, coin: &Coin, stored: &Stored<T>) {
        // The response names the providers of all coins, which vary between responses.
        // The client knows the coin by the id it requested.
        let provider = coin.provider.or_else(|| Some(stored.origin()));
        let coin = Coin { id: id.clone(), provider, ..coin.clone() };
        if has_current_price(&coin, self.now) {
            self.insert(coin, &stored.with_value(()));
            return;
        }
        self.lacking.insert((id.clone(), stored.provider));
        let known = self.without_price.get(id);
        if known.is_none_or(|(known, _)| price_time(&coin) > price_time(known)) {
            self.without_price.insert(id.clone(), (coin, stored.with_value(())));
        }
    }

    fn insert(&mut self, coin: Coin, stored: &Stored<()>) {
        self.providers.extend(coin.provider);
        self.coins.insert(coin.id.clone(), coin);
        self.refresh_error = self.refresh_error.take().or_else(|| stored.refresh_error.clone());
        self.not_refreshed = self.not_refreshed.take().or_else(|| stored.not_refreshed.clone());
        // A stale page of a list is not refreshed for this response.
        if stored.refresh_error.is_some() || stored.is_fresh(None) {
            self.note_rest(stored.rest());
        }
        if self.oldest.as_ref().is_none_or(|oldest| stored.is_older_than(oldest)) {
            self.oldest = Some(stored.clone());
        }
    }

    /// Whether a provider has returned a coin without a current price.
    pub(super) fn lacks_price(&self, id: &CoinId, name: ProviderName) -> bool {
        self.lacking.contains(&(id.clone(), name))
    }

    pub(super) fn note_rest(&mut self, rest: Duration) {
        self.rest = Some(self.rest.map_or(rest, |known| known.min(rest)));
    }

    /// Adds the missing coins that are in pages of lists, since a provider failed. Returns the reason if coins are still
    /// missing, or lack a price that this provider may have.
    pub(super) fn add_without_refresh(
        &mut self,
        pages: &[Stored<CoinSlice>],
        ids: &[CoinId],
        failure: &Failure,
    ) -> Option<String> {
        self.note_rest(failure.wait());
        let reason = failure.clone().reason();
        // Fresh ones are missing only because the user wants newer ones.
        if self.add_from(pages.iter().filter(|page| page.is_up_to_date()), ids) {
            self.not_refreshed = self.not_refreshed.take().or_else(|| Some(reason.as_deref()?.into()));
        }
        if self.add_from(pages.iter(), ids) {
            self.refresh_error = self.refresh_error.take().or_else(|| Some(reason.as_deref()?.into()));
        }
        let may_have_price = matches!(failure, Failure::Unavailable { .. });
        let is_missing = |id: &CoinId| {
            let row = self.without_price.get(id);
            // An old row already has the reason.
            !self.coins.contains_key(id) && row.is_none_or(|(_, stored)| may_have_price && stored.is_up_to_date())
        };
        reason.filter(|_| ids.iter().any(is_missing))
    }

    /// Adds the missing coins that are in pages of lists. Returns whether there are any.
    pub(super) fn add_from<'a>(&mut self, pages: impl Iterator<Item = &'a Stored<CoinSlice>>, ids: &[CoinId]) -> bool {
        let before = self.row_counts();
        for page in pages {
            let mut missing: HashSet<&CoinId> = ids.iter().filter(|id| !self.coins.contains_key(*id)).collect();
            if missing.is_empty() {
                break;
            }
            for coin in &page.value.coins {
                if let Some(id) = missing.take(&coin.id) {
                    self.add(id, coin, page);
                }
            }
        }
        self.row_counts() != before
    }

    /// The numbers of coins with and without a current price.
    fn row_counts(&self) -> (usize, usize) {
        (self.coins.len(), self.without_price.len())
    }

    /// Adds the missing coins of which no provider has a current price: with an old one, or without. Returns a notice
    /// about the old ones.
    pub(super) fn add_without_price(&mut self, ids: &[CoinId]) -> Option<String> {
        let mut old = Vec::new();
        for id in ids.iter().filter(|id| !self.coins.contains_key(*id)).collect::<Vec<_>>() {
            let Some((coin, stored)) = self.without_price.remove(id) else { continue };
            // Otherwise, the whole response is old.
            old.extend(price_time(&coin).filter(|_| stored.is_up_to_date()).map(|at| (coin.symbol.clone(), at)));
            self.insert(coin, &stored);
        }
        let sentence = |(symbol, at): &(Text, UtcTime)| {
            let at = Zone::UTC.at(*at).strftime("%Y-%m-%d %H:%M UTC");
            format!("No new price of {symbol} since {at}")
        };
        let more = old.len().saturating_sub(MAX_OLD);
        let more = (more > 0).then(|| format!("No new prices of {more} more coins"));
        old.iter().take(MAX_OLD).map(sentence).chain(more).fold(None, |all, next| joined_notices(all, Some(next)))
    }
}

/// Whether a row has a price that is not old, so that no other provider is asked.
fn has_current_price(coin: &Coin, now: UtcTime) -> bool {
    let is_old = |at: UtcTime| now.since(at) > MAX_UPDATE_AGE;
    coin.price.is_some_and(|price| price > 0.0) && !coin.updated_at.is_some_and(is_old)
}

/// When the price of a row was updated, if it has one.
fn price_time(coin: &Coin) -> Option<UtcTime> {
    coin.price.filter(|price| *price > 0.0).and(coin.updated_at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::time_source::TimeSource;

    /// The provider of one coin is paused for an hour, the other coin's provider works.
    #[tokio::test(start_paused = true)]
    async fn response_is_as_fresh_as_its_first_refresh() {
        let now = TimeSource::fixed(UtcTime::from_secs(0)).stamp(Duration::ZERO);
        let stored = |minutes| Stored::new(ProviderName::CoinGecko, now.clone(), Duration::from_mins(minutes), ());
        let paused = Stored { refresh_error: Some("paused".into()), ..stored(60) };
        let coin = |id: &str| {
            let coin = Coin::new(CoinId(id.into()), id.into(), id.into());
            (coin.id.clone(), Coin { price: Some(1.5), ..coin })
        };
        for parts in [[&paused, &stored(1)], [&stored(1), &paused]] {
            let mut found = Found::default();
            for (part, (id, coin)) in parts.into_iter().zip([coin("a"), coin("b")]) {
                found.add(&id, &coin, part);
            }
            assert_eq!(found.rest, Some(Duration::from_mins(1)));
            assert_eq!(found.refresh_error.as_deref(), Some("paused"));
        }
    }
}
