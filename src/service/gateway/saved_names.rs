//! The names of all coins, in the cache directory: several large responses a day are enough, even for commands, which end
//! soon.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::cache_file;
use crate::model::{CoinName, ProviderName, UtcTime};

/// Version of the format. Other versions are ignored.
const VERSION: u32 = 1;

/// Maximum age of the names. Older ones are requested again.
const MAX_AGE: Duration = Duration::from_hours(24);

/// Maximum bytes of a file: about 100,000 names.
const MAX_BYTES: u64 = 16 << 20;

#[derive(Serialize, Deserialize)]
struct Contents<N> {
    version: u32,
    /// The provider's server, as a checksum of its URL.
    server: u32,
    /// When they were fetched.
    at: UtcTime,
    names: N,
}

/// Names of a provider with its own ids.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SavedNames {
    /// The provider's server, as a checksum of its URL.
    pub(super) server: u32,
    /// When they were fetched.
    pub(super) at: UtcTime,
    pub(super) names: Vec<CoinName>,
}

/// The file of a provider.
fn file(provider: ProviderName) -> String {
    format!("coin-names-{provider}.json")
}

/// Reads the names of a provider; `None` if there are none of its server, or if they are too old.
pub(super) fn read(directory: &Path, provider: ProviderName, server: u32, now: UtcTime) -> Option<SavedNames> {
    let bytes = cache_file::read(directory, &file(provider), MAX_BYTES)?;
    let Contents { version, server: of, at, names } = serde_json::from_slice::<Contents<Vec<CoinName>>>(&bytes).ok()?;
    let is_current = version == VERSION && at <= now && now.since(at) < MAX_AGE;
    (is_current && of == server && !names.is_empty()).then_some(SavedNames { server, at, names })
}

/// Replaces the file of a provider atomically.
pub(super) fn write(directory: &Path, provider: ProviderName, saved: &SavedNames) -> io::Result<()> {
    let SavedNames { server, at, names } = saved;
    let contents = Contents { version: VERSION, server: *server, at: *at, names };
    cache_file::replace(directory, &file(provider), &serde_json::to_vec(&contents)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_for_a_day() {
        const PROVIDER: ProviderName = ProviderName::CoinGecko;
        let directory = tempfile::tempdir().unwrap();
        let at = UtcTime::from_secs(1_795_248_000);
        let name = |id: &str| CoinName {
            id: id.into(),
            name: "Ordinals".into(),
            symbol: "ORDI".into(),
            slug: "ordinals".into(),
            rank: None,
        };
        let saved = SavedNames { server: 7, at, names: vec![name("ordinals"), name("other")] };
        let read_at = |now| read(directory.path(), PROVIDER, 7, now);
        assert_eq!(read_at(at), None);
        write(directory.path(), PROVIDER, &saved).unwrap();
        assert_eq!(read_at(at.plus(MAX_AGE / 2)), Some(saved));
        assert_eq!(read(directory.path(), ProviderName::CoinPaprika, 7, at), None, "ids of another provider");
        assert_eq!(read(directory.path(), PROVIDER, 8, at), None, "of another server");
        assert_eq!(read_at(at.plus(MAX_AGE)), None);
        assert_eq!(read_at(at.minus(Duration::from_secs(1))), None, "the clock was wrong");
        for text in ["", "{", "[]", r#"{"version":1,"names":[]}"#, "\u{0}"] {
            cache_file::replace(directory.path(), &file(PROVIDER), text.as_bytes()).unwrap();
            assert_eq!(read_at(at), None, "{text}");
        }
    }
}
