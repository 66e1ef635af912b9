//! The known coins, in the cache directory: they keep their ids after a restart, regardless of the provider. Matches
//! between providers are valid for a day.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::cache_file;
use crate::model::{Text, UtcTime};

/// Name of the file.
const FILE: &str = "coin-ids.json";

/// Version of its format. Other versions are ignored.
const VERSION: u32 = 2;

/// Maximum age of a match and of a listing.
const MAX_AGE: Duration = Duration::from_hours(24);

/// How long a coin that no provider returns any more is kept, so that it has the same id if one returns it again.
const MAX_UNSEEN: Duration = Duration::from_hours(60 * 24);

/// Maximum coins in the file; other instances may have added some.
const MAX_COINS: usize = 2_000;

/// Maximum bytes of the file.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// A coin and the data to match it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedCoin {
    /// Our id.
    pub(super) id: Text,
    /// Our slug.
    pub(super) slug: Text,
    /// Name.
    pub(super) name: Text,
    /// Symbol.
    pub(super) symbol: Text,
    /// The id at each provider, by the provider's name.
    pub(super) ids: Vec<(Text, Text)>,
    /// Market cap in US dollars when it was last seen.
    pub(super) market_cap: Option<f64>,
    /// Rank when it was last seen.
    pub(super) rank: Option<u32>,
    /// When it was matched between providers, if it was.
    pub(super) matched: Option<UtcTime>,
    /// When a provider last returned it.
    pub(super) seen: UtcTime,
    /// Whether it was requested by id.
    pub(super) is_wanted: bool,
    /// The name before the coin was renamed, if it was.
    #[serde(default)]
    pub(super) former: Option<FormerName>,
    /// The last price, if it was in a list.
    #[serde(default)]
    pub(super) price: Option<SavedPrice>,
}

/// The last price of a coin: commands, which end soon, compare charts and market pairs with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedPrice {
    /// The provider's name.
    pub(super) provider: Text,
    /// In US dollars.
    pub(super) price: f64,
    /// When it was fetched.
    pub(super) at: UtcTime,
}

/// The name of a coin before it was renamed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FormerName {
    /// Name.
    pub(super) name: Text,
    /// Symbol.
    pub(super) symbol: Text,
    /// When the new name was first seen.
    pub(super) at: UtcTime,
}

impl SavedCoin {
    /// Requested coins first, then those with the highest market caps.
    pub(super) fn by_importance(&self, other: &SavedCoin) -> Ordering {
        let key = |coin: &SavedCoin| (coin.is_wanted, coin.market_cap.unwrap_or(0.0));
        let ((wanted, cap), (other_wanted, other_cap)) = (key(self), key(other));
        other_wanted.cmp(&wanted).then(other_cap.total_cmp(&cap)).then_with(|| self.id.cmp(&other.id))
    }

    /// The coin without matches that are too old: only with the id of the provider that ours comes from.
    fn without_old_matches(mut self, now: UtcTime) -> SavedCoin {
        if self.matched.is_some_and(|at| at > now || now.since(at) > MAX_AGE) {
            self.matched = None;
            let own = &self.id;
            let is_own = |provider: &str, id: &str| {
                let same = own.split_once(':').map_or(own.as_str() == id, |ours| ours == (provider, id));
                same || own.as_str() == id
            };
            self.ids.retain(|(provider, id)| is_own(provider, id));
        }
        self
    }
}

/// The result of looking up a coin on an exchange.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedListing {
    /// Our id.
    pub(super) id: Text,
    /// The exchange.
    pub(super) exchange: Text,
    /// The exchange's symbol; `None` if it doesn't list the coin.
    pub(super) symbol: Option<Text>,
    /// Coins per unit.
    pub(super) factor: f64,
    /// Valid until.
    pub(super) until: UtcTime,
}

/// What is saved.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Saved {
    /// Known coins.
    pub(super) coins: Vec<SavedCoin>,
    /// Listings on exchanges.
    pub(super) listings: Vec<SavedListing>,
}

#[derive(Serialize, Deserialize)]
struct Contents {
    version: u32,
    coins: Vec<SavedCoin>,
    #[serde(default)]
    listings: Vec<SavedListing>,
}

/// Reads the known coins. An unreadable file counts as none: the coins are matched again.
pub(super) fn read(directory: &Path, now: UtcTime) -> Saved {
    let Some(bytes) = cache_file::read(directory, FILE, MAX_BYTES) else { return Saved::default() };
    match serde_json::from_slice::<Contents>(&bytes) {
        Ok(Contents { version: VERSION, coins, listings }) => {
            let is_recent = |coin: &SavedCoin| coin.seen <= now && now.since(coin.seen) <= MAX_UNSEEN;
            // A wrong clock must not extend their validity.
            let counts = |listing: &SavedListing| listing.until > now && listing.until.since(now) <= MAX_AGE;
            Saved {
                coins: coins.into_iter().filter(is_recent).map(|coin| coin.without_old_matches(now)).collect(),
                listings: listings.into_iter().filter(counts).collect(),
            }
        }
        Ok(Contents { version, .. }) => {
            tracing::info!(version, "matched coins of another version ignored");
            Saved::default()
        }
        Err(error) => {
            tracing::info!(%error, "matched coins ignored");
            Saved::default()
        }
    }
}

/// Replaces the file atomically. Coins that only another instance knows are kept.
pub(super) fn write(directory: &Path, saved: Saved, now: UtcTime) -> io::Result<()> {
    let Saved { mut coins, listings } = saved;
    let known: HashSet<(Text, Text)> = coins.iter().flat_map(|coin| coin.ids.iter().cloned()).collect();
    let names: HashSet<Text> = coins.iter().flat_map(|coin| [coin.id.clone(), coin.slug.clone()]).collect();
    let before = read(directory, now).coins;
    keep_newer_prices(&mut coins, &before, now);
    let is_other = |coin: &SavedCoin| {
        !names.contains(&coin.id) && !names.contains(&coin.slug) && !coin.ids.iter().any(|id| known.contains(id))
    };
    coins.extend(before.into_iter().filter(is_other));
    coins.sort_by(SavedCoin::by_importance);
    coins.truncate(MAX_COINS);
    let text = serde_json::to_vec(&Contents { version: VERSION, coins, listings })?;
    cache_file::replace(directory, FILE, &text)
}

/// Keeps the prices of other instances that are newer than this one's, except for prices from a clock that was ahead.
fn keep_newer_prices(coins: &mut [SavedCoin], before: &[SavedCoin], now: UtcTime) {
    let is_past = |price: &&SavedPrice| price.at <= now;
    let newest: HashMap<&Text, &SavedPrice> =
        before.iter().filter_map(|coin| Some((&coin.id, coin.price.as_ref().filter(is_past)?))).collect();
    for coin in coins {
        if let (Some(own), Some(other)) = (&mut coin.price, newest.get(&coin.id))
            && other.at > own.at
        {
            *own = SavedPrice::clone(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn coin(id: &str, at: UtcTime) -> SavedCoin {
        let text = |text: &str| Text::from(text);
        let ids = vec![(text("coingecko"), text(id)), (text("coinpaprika"), text(&format!("s-{id}")))];
        let (name, symbol) = (text("Name"), text("S"));
        SavedCoin {
            id: text(id),
            slug: text(id),
            name,
            symbol,
            ids,
            market_cap: Some(1e6),
            rank: Some(9),
            matched: Some(at),
            seen: at,
            is_wanted: false,
            former: None,
            price: Some(SavedPrice { provider: text("coingecko"), price: 8.41, at }),
        }
    }

    #[test]
    fn coins_are_kept_for_weeks_and_matches_for_a_day() {
        let directory = tempfile::tempdir().unwrap();
        let cache = directory.path().join("cache");
        let now = UtcTime::from_secs(1_795_248_000);
        assert_eq!(read(&cache, now), Saved::default());
        let listing = |until| SavedListing {
            id: Text::from("cat"),
            exchange: Text::from("binance"),
            symbol: Some(Text::from("1000CATUSDT")),
            factor: 1000.0,
            until,
        };
        let listings = vec![listing(now.plus(MAX_AGE)), listing(now), listing(now.plus(MAX_AGE * 2))];
        let (new, old) = (coin("new", now), coin("old", now.minus(MAX_AGE)));
        let older = SavedCoin { is_wanted: true, ..coin("older", now.minus(MAX_AGE * 2)) };
        let (gone, future) = (coin("gone", now.minus(MAX_UNSEEN * 2)), coin("future", now.plus(MAX_AGE)));
        let coins = vec![new.clone(), old.clone(), older.clone(), gone, future];
        write(&cache, Saved { coins, listings }, now).unwrap();
        // It can be matched again by its market cap.
        let ids = older.ids[..1].to_vec();
        let unmatched = SavedCoin { matched: None, ids, ..older };
        let expected = vec![unmatched.clone(), new.clone(), old.clone()];
        assert_eq!(read(&cache, now), Saved { coins: expected, listings: vec![listing(now.plus(MAX_AGE))] });
        // Another instance knows only one of them, and a new one.
        let other = coin("other", now);
        let newer = SavedCoin { market_cap: Some(2e6), ..new };
        write(&cache, Saved { coins: vec![newer.clone(), other.clone()], listings: Vec::new() }, now).unwrap();
        assert_eq!(read(&cache, now).coins, [unmatched.clone(), newer.clone(), old.clone(), other.clone()]);
        // Or an older price.
        let mut behind = newer.clone();
        behind.price.as_mut().unwrap().at = now.minus(Duration::from_secs(1));
        behind.price.as_mut().unwrap().price = 7.0;
        write(&cache, Saved { coins: vec![behind], listings: Vec::new() }, now).unwrap();
        assert_eq!(read(&cache, now).coins, [unmatched, newer.clone(), old, other]);
        // The clock of another instance was ahead.
        let mut ahead = newer.clone();
        ahead.price.as_mut().unwrap().at = now.plus(Duration::from_secs(1));
        write(&cache, Saved { coins: vec![ahead], listings: Vec::new() }, now).unwrap();
        write(&cache, Saved { coins: vec![newer.clone()], listings: Vec::new() }, now).unwrap();
        assert!(read(&cache, now).coins.contains(&newer));
        assert_eq!(fs::read_dir(&cache).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn unreadable_file_counts_as_none() {
        let directory = tempfile::tempdir().unwrap();
        for text in ["", "{", "[]", r#"{"version":1,"coins":[]}"#, "\u{0}"] {
            fs::write(directory.path().join(FILE), text).unwrap();
            assert_eq!(read(directory.path(), UtcTime::from_secs(0)), Saved::default());
        }
    }
}
