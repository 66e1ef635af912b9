//! Pauses of providers, so that the next process sends no requests and can report the reason.

use rusqlite::{OptionalExtension as _, Transaction};

use super::database::Database;
use super::error::Error;
use crate::model::UtcTime;

/// A time during which a provider gets no requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderPause {
    /// The provider's name.
    pub provider: String,
    /// A checksum of its server's settings.
    pub server: u32,
    /// The operation; empty for all.
    pub operation: String,
    /// The end.
    pub until: UtcTime,
    /// The class of the error.
    pub class: String,
    /// How many times in a row.
    pub repeats: u32,
    /// Why.
    pub reason: String,
}

impl Database {
    /// All pauses, past ones included.
    ///
    /// # Errors
    /// The database can't be read.
    pub fn provider_pauses(&mut self) -> Result<Vec<ProviderPause>, Error> {
        self.read(|transaction| {
            let mut rows = transaction
                .prepare("SELECT provider, server, operation, until, class, repeats, reason FROM provider_pause")?;
            let pause = |row: &rusqlite::Row<'_>| {
                Ok(ProviderPause {
                    provider: row.get(0)?,
                    server: row.get(1)?,
                    operation: row.get(2)?,
                    until: UtcTime::from_millis(row.get(3)?),
                    class: row.get(4)?,
                    repeats: row.get(5)?,
                    reason: row.get(6)?,
                })
            };
            rows.query_map([], pause)?.collect()
        })
    }

    /// Saves a pause, replacing the last one of its operation.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn save_pause(&mut self, pause: &ProviderPause) -> Result<(), Error> {
        let ProviderPause { provider, server, operation, until, class, repeats, reason } = pause;
        self.transact(|transaction| {
            transaction.execute(
                "INSERT OR REPLACE INTO provider_pause (provider, server, operation, until, class, repeats, reason)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                (provider, server, operation, until.millis(), class, repeats, reason),
            )?;
            Ok(())
        })
    }

    /// Removes these pauses, unless another process has replaced them.
    ///
    /// # Errors
    /// The database can't be written.
    pub fn remove_pauses(&mut self, pauses: &[ProviderPause]) -> Result<(), Error> {
        self.transact(|transaction| {
            let mut delete = transaction.prepare(
                "DELETE FROM provider_pause
                 WHERE provider = ?1 AND server = ?2 AND operation = ?3 AND until = ?4 AND class = ?5",
            )?;
            for ProviderPause { provider, server, operation, until, class, .. } in pauses {
                delete.execute((provider, server, operation, until.millis(), class))?;
            }
            Ok(())
        })
    }
}

/// The end and the reason of a pause that a server has demanded at a time (milliseconds since 1970), if it ends before
/// another one.
pub(super) fn demanded(
    transaction: &Transaction<'_>,
    provider: &str,
    server: u32,
    now: i64,
    latest: i64,
) -> rusqlite::Result<Option<(i64, String)>> {
    let pause = "SELECT until, reason FROM provider_pause
                 WHERE provider = ?1 AND server = ?2 AND operation = '' AND until > ?3 AND until <= ?4
                 AND class IN ('rate-limited', 'daily-quota')";
    let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
    transaction.query_row(pause, (provider, server, now, latest), row).optional()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_kept_until_they_are_removed_or_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let pause = |server, operation: &str| ProviderPause {
            provider: String::from("coingecko"),
            server,
            operation: operation.to_owned(),
            until: UtcTime::from_secs(1_795_248_000),
            class: String::from("blocked"),
            repeats: 0,
            reason: String::from("Unavailable for legal reasons (451)"),
        };
        let mut database = Database::open(directory.path()).unwrap();
        for pause in [pause(u32::MAX, ""), pause(u32::MAX, "chart"), pause(u32::MAX, "pairs"), pause(2, "")] {
            database.save_pause(&pause).unwrap();
            database.save_pause(&pause).unwrap();
        }
        let left = |database: &mut Database| -> Vec<(u32, String)> {
            database.provider_pauses().unwrap().into_iter().map(|pause| (pause.server, pause.operation)).collect()
        };
        let mut other = Database::open(directory.path()).unwrap();
        assert_eq!(other.provider_pauses().unwrap().len(), 4);
        let known = [pause(u32::MAX, ""), pause(u32::MAX, "chart")];
        other.remove_pauses(&known).unwrap();
        assert_eq!(left(&mut database), [(2, String::new()), (u32::MAX, String::from("pairs"))]);
        let longer = ProviderPause { until: known[1].until.plus(std::time::Duration::from_secs(1)), ..pause(2, "") };
        database.save_pause(&longer).unwrap();
        other.remove_pauses(&[pause(2, ""), pause(u32::MAX, "pairs")]).unwrap();
        assert_eq!(database.provider_pauses().unwrap(), [longer]);
    }
}
