//! The periods without checks of alerts.

use rusqlite::{Connection, Row, Transaction};

use crate::model::{Text, UtcTime, text};
use crate::user_data::alert::MAX_UNCHECKED;
use crate::user_data::{AlertId, UncheckedPeriod};

/// Reads the newest unchecked periods, oldest first.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<UncheckedPeriod>> {
    let sql = "SELECT alert, subject, since, until, reason FROM unchecked ORDER BY until DESC LIMIT ?1";
    let mut statement = connection.prepare(sql)?;
    // Without control characters, since anyone could have written the file.
    let clean = |text: String| Text::from(text::clean(&text));
    let period = |row: &Row<'_>| {
        Ok(UncheckedPeriod {
            alert: AlertId(row.get(0)?),
            subject: clean(row.get(1)?),
            from: UtcTime::from_millis(row.get(2)?),
            until: UtcTime::from_millis(row.get(3)?),
            reason: clean(row.get(4)?),
        })
    };
    let mut all: Vec<UncheckedPeriod> =
        statement.query_map([MAX_UNCHECKED], period)?.collect::<rusqlite::Result<_>>()?;
    all.reverse();
    Ok(all)
}

/// Adds unchecked periods, each once, and removes the oldest ones.
pub(super) fn add(transaction: &Transaction<'_>, periods: &[UncheckedPeriod]) -> rusqlite::Result<()> {
    for UncheckedPeriod { alert, subject, from, until, reason } in periods {
        transaction.execute(
            "INSERT OR IGNORE INTO unchecked (alert, subject, since, until, reason) VALUES (?1, ?2, ?3, ?4, ?5)",
            (alert.0, subject.as_str(), from.millis(), until.millis(), reason.as_str()),
        )?;
    }
    let oldest = "DELETE FROM unchecked WHERE (subject, since, until, reason) IN
        (SELECT subject, since, until, reason FROM unchecked ORDER BY until DESC LIMIT -1 OFFSET ?1)";
    transaction.execute(oldest, [MAX_UNCHECKED]).map(drop)
}

/// Removes unchecked periods.
pub(super) fn remove(transaction: &Transaction<'_>, periods: &[UncheckedPeriod]) -> rusqlite::Result<()> {
    periods.iter().try_for_each(|UncheckedPeriod { alert: _, subject, from, until, reason }| {
        transaction
            .execute(
                "DELETE FROM unchecked WHERE subject = ?1 AND since = ?2 AND until = ?3 AND reason = ?4",
                (subject.as_str(), from.millis(), until.millis(), reason.as_str()),
            )
            .map(drop)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::database::Database;
    use super::*;
    use crate::user_data::{Change, SeenAlerts};

    #[test]
    fn periods_are_kept_once_until_they_are_seen() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let period = |alert, from: i64| UncheckedPeriod {
            alert: AlertId(alert),
            subject: "ORDI".into(),
            from: UtcTime::from_secs(from),
            until: UtcTime::from_secs(from + 60),
            reason: "no data".into(),
        };
        database.save(&[Change::AlertsUnchecked(vec![period(1, 200), period(2, 200), period(1, 100)])]).unwrap();
        assert_eq!(database.load().unwrap().unchecked, [period(1, 100), period(1, 200)]);
        let many: Vec<UncheckedPeriod> = (0..30).map(|minute| period(1, 1_000 + 60 * minute)).collect();
        database.save(&[Change::AlertsUnchecked(many.clone())]).unwrap();
        assert_eq!(database.load().unwrap().unchecked, many[10..]);
        let seen = |unchecked: &[UncheckedPeriod]| {
            Change::AlertsSeen(Box::new(SeenAlerts { firings: Vec::new(), unchecked: unchecked.to_vec() }))
        };
        database.save(&[seen(&many[12..])]).unwrap();
        assert_eq!(database.load().unwrap().unchecked, many[10..12], "another process has added these");
        database.save(&[seen(&many)]).unwrap();
        assert_eq!(database.load().unwrap().unchecked, []);
    }
}
