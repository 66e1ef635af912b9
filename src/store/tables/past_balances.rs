//! The balances that addresses had.

use rusqlite::{Connection, Transaction};

use crate::model::{Text, UtcTime, text};
use crate::user_data::{MAX_PAST_BALANCES, PastBalance};

/// Reads all balances, oldest first. Unreadable amounts are skipped.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<PastBalance>> {
    let mut statement = connection.prepare("SELECT address, ticker, since, amount FROM past_balance ORDER BY since")?;
    let mut rows = statement.query([])?;
    let mut balances = Vec::new();
    while let Some(row) = rows.next()? {
        // Without control characters, since anyone could have written the file.
        let clean = |text: String| Text::from(text::clean(&text));
        let amount: String = row.get(3)?;
        if let Ok(amount) = amount.parse() {
            let (address, ticker) = (clean(row.get(0)?), clean(row.get(1)?));
            balances.push(PastBalance { address, ticker, since: UtcTime::from_millis(row.get(2)?), amount });
        }
    }
    Ok(balances)
}

/// Adds balances, and removes the oldest ones of a token with too many.
pub(super) fn add(transaction: &Transaction<'_>, balances: &[PastBalance]) -> rusqlite::Result<()> {
    let mut insert = transaction
        .prepare("INSERT OR REPLACE INTO past_balance (address, ticker, since, amount) VALUES (?1, ?2, ?3, ?4)")?;
    let sql = "DELETE FROM past_balance WHERE address = ?1 AND ticker = ?2 AND since <= (SELECT since FROM past_balance
        WHERE address = ?1 AND ticker = ?2 ORDER BY since DESC LIMIT 1 OFFSET ?3)";
    let mut prune = transaction.prepare(sql)?;
    for PastBalance { address, ticker, since, amount } in balances {
        insert.execute((address.as_str(), ticker.as_str(), since.millis(), amount.to_string()))?;
        prune.execute((address.as_str(), ticker.as_str(), MAX_PAST_BALANCES))?;
    }
    Ok(())
}

/// Removes the balances of an address.
pub(super) fn remove(transaction: &Transaction<'_>, address: &str) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM past_balance WHERE address = ?1", [address]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::super::database::Database;
    use super::*;
    use crate::user_data::{Change, UserData, WalletAddress};

    #[test]
    fn newest_balances_are_kept_until_the_address_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let balance = |address: &str, secs: i64| PastBalance {
            address: address.into(),
            ticker: "ordi".into(),
            since: UtcTime::from_secs(secs),
            amount: format!("{secs}.000000000000000001").parse().unwrap(),
        };
        let most = i64::from(MAX_PAST_BALANCES);
        let all = (0..most + 3).map(|secs| balance("a", secs)).chain([balance("b", 0)]);
        database.save(&[Change::BalancesChanged(all.collect())]).unwrap();
        let loaded = database.load().unwrap().past_balances;
        assert_eq!((loaded.len() as i64, &loaded[0]), (most + 1, &balance("b", 0)));
        assert_eq!((&loaded[1], loaded.last()), (&balance("a", 3), Some(&balance("a", most + 2))));
        let entry = WalletAddress { address: "a".into(), label: None, added_at: UtcTime::default() };
        let removal = Change::RemoveAddress(entry);
        database.save(std::slice::from_ref(&removal)).unwrap();
        assert_eq!(database.load().unwrap().past_balances, [balance("b", 0)]);
        let mut data = UserData { past_balances: loaded, ..UserData::default() };
        data.apply(&removal);
        assert_eq!(data.past_balances, [balance("b", 0)]);
    }
}
