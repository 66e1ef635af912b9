//! The coins that were matched between providers, cached for a day in the cache directory, so that a restart needs no
//! lookups to match them again.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::model::{Text, UtcTime};

/// Name of the file.
const FILE: &str = "coin-ids.json";

/// Version of its format. Other versions are ignored.
const VERSION: u32 = 1;

/// Maximum age of a match.
const MAX_AGE: Duration = Duration::from_hours(24);

/// Maximum bytes of the file.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// A coin that several providers list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Match {
    /// Our id.
    pub(super) id: Text,
    /// Our slug.
    pub(super) slug: Text,
    /// Name.
    pub(super) name: Text,
    /// Symbol.
    pub(super) symbol: Text,
    /// Its id at each provider, by the provider's name.
    pub(super) ids: Vec<(Text, Text)>,
    /// When it was matched.
    pub(super) at: UtcTime,
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
    /// Coins that several providers list.
    pub(super) coins: Vec<Match>,
    /// Listings on exchanges.
    pub(super) listings: Vec<SavedListing>,
}

#[derive(Serialize, Deserialize)]
struct Contents {
    version: u32,
    coins: Vec<Match>,
    #[serde(default)]
    listings: Vec<SavedListing>,
}

/// Reads the matches of the last day. An unreadable file counts as none: the coins are matched again.
pub(super) fn read(directory: &Path, now: UtcTime) -> Saved {
    let mut bytes = Vec::new();
    let read = fs::File::open(directory.join(FILE)).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes));
    match read {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Saved::default(),
        Err(error) => {
            tracing::info!(%error, "matched coins not read");
            return Saved::default();
        }
    }
    match serde_json::from_slice::<Contents>(&bytes) {
        Ok(Contents { version: VERSION, coins, listings }) => {
            let is_recent = |coin: &Match| coin.at <= now && now.since(coin.at) <= MAX_AGE;
            // A clock that was wrong must not keep them for longer.
            let counts = |listing: &SavedListing| listing.until > now && listing.until.since(now) <= MAX_AGE;
            Saved {
                coins: coins.into_iter().filter(is_recent).collect(),
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

/// Replaces the file, so that other instances never read half of it.
pub(super) fn write(directory: &Path, saved: Saved) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let Saved { coins, listings } = saved;
    let text = serde_json::to_vec(&Contents { version: VERSION, coins, listings })?;
    let mut file = tempfile::NamedTempFile::new_in(directory)?;
    file.write_all(&text)?;
    file.persist(directory.join(FILE)).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(id: &str, at: UtcTime) -> Match {
        let text = |text: &str| Text::from(text);
        let ids = vec![(text("coingecko"), text(id)), (text("coinpaprika"), text("x"))];
        Match { id: text(id), slug: text(id), name: text("Name"), symbol: text("S"), ids, at }
    }

    #[test]
    fn matches_are_kept_for_a_day() {
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
        let (older, future) = (coin("older", now.minus(MAX_AGE * 2)), coin("future", now.plus(MAX_AGE)));
        write(&cache, Saved { coins: vec![new.clone(), old.clone(), older, future], listings }).unwrap();
        assert_eq!(read(&cache, now), Saved { coins: vec![new, old], listings: vec![listing(now.plus(MAX_AGE))] });
        assert_eq!(fs::read_dir(&cache).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn unreadable_file_counts_as_none() {
        let directory = tempfile::tempdir().unwrap();
        for text in ["", "{", "[]", r#"{"version":2,"coins":[]}"#, "\u{0}"] {
            fs::write(directory.path().join(FILE), text).unwrap();
            assert_eq!(read(directory.path(), UtcTime::from_secs(0)), Saved::default());
        }
    }
}
