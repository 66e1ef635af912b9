//! The names of all coins, in the cache directory: several large responses a day are enough, also for commands, which end
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
    /// When they were fetched.
    at: UtcTime,
    names: N,
}

/// The file of a provider.
fn file(provider: ProviderName) -> String {
    format!("coin-names-{provider}.json")
}

/// Reads the names of a provider, with its own ids; `None` if there are none, or if they are too old.
pub(super) fn read(directory: &Path, provider: ProviderName, now: UtcTime) -> Option<Vec<CoinName>> {
    let bytes = cache_file::read(directory, &file(provider), MAX_BYTES)?;
    let Contents { version, at, names } = serde_json::from_slice::<Contents<Vec<CoinName>>>(&bytes).ok()?;
    let is_current = version == VERSION && at <= now && now.since(at) < MAX_AGE;
    Some(names).filter(|names| is_current && !names.is_empty())
}

/// Replaces the file of a provider atomically.
pub(super) fn write(directory: &Path, provider: ProviderName, names: &[CoinName], now: UtcTime) -> io::Result<()> {
    let contents = Contents { version: VERSION, at: now, names };
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
        let names = vec![name("ordinals"), name("other")];
        assert_eq!(read(directory.path(), PROVIDER, at), None);
        write(directory.path(), PROVIDER, &names, at).unwrap();
        assert_eq!(read(directory.path(), PROVIDER, at.plus(MAX_AGE / 2)), Some(names));
        assert_eq!(read(directory.path(), ProviderName::CoinPaprika, at), None, "ids of another provider");
        assert_eq!(read(directory.path(), PROVIDER, at.plus(MAX_AGE)), None);
        assert_eq!(read(directory.path(), PROVIDER, at.minus(Duration::from_secs(1))), None, "the clock was wrong");
        for text in ["", "{", "[]", r#"{"version":1,"names":[]}"#, "\u{0}"] {
            cache_file::replace(directory.path(), &file(PROVIDER), text.as_bytes()).unwrap();
            assert_eq!(read(directory.path(), PROVIDER, at), None, "{text}");
        }
    }
}
