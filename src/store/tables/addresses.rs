//! The wallet's addresses.

use rusqlite::{Connection, OptionalExtension as _, Transaction};

use super::position;
use crate::model::{Text, UtcTime, text};
use crate::user_data::WalletAddress;

/// Reads all addresses, in the order they were added.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<WalletAddress>> {
    let mut statement = connection.prepare("SELECT address, label, added_at FROM address ORDER BY position")?;
    // Without control characters, since anyone could have written the file.
    let clean = |text: String| Text::from(text::clean(&text));
    let entry = |row: &rusqlite::Row<'_>| {
        Ok(WalletAddress {
            address: clean(row.get(0)?),
            label: row.get::<_, Option<String>>(1)?.map(clean),
            added_at: UtcTime::from_millis(row.get(2)?),
        })
    };
    statement.query_map([], entry)?.collect()
}

/// Adds an address, or replaces its label.
pub(super) fn put(transaction: &Transaction<'_>, entry: &WalletAddress) -> rusqlite::Result<()> {
    let sql = "INSERT INTO address (address, label, added_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (address) DO UPDATE SET label = ?2";
    transaction.execute(sql, (entry.address.as_str(), entry.label.as_deref(), entry.added_at.millis())).map(drop)
}

/// Replaces the label of an address. Returns whether there is one.
pub(super) fn label(transaction: &Transaction<'_>, entry: &WalletAddress) -> rusqlite::Result<bool> {
    let sql = "UPDATE address SET label = ?2 WHERE address = ?1";
    Ok(transaction.execute(sql, (entry.address.as_str(), entry.label.as_deref()))? > 0)
}

/// Moves an address before another one, if that exists.
pub(super) fn move_before(transaction: &Transaction<'_>, address: &str, other: Option<&str>) -> rusqlite::Result<()> {
    let position = |address: &str| {
        let sql = "SELECT position FROM address WHERE address = ?1";
        transaction.query_row(sql, [address], |row| row.get::<_, i64>(0)).optional()
    };
    match (position(address)?, other.map(position).transpose()?.flatten()) {
        (Some(from), Some(to)) if to < from => position::move_row(transaction, "address", from, to),
        _ => Ok(()),
    }
}

/// Removes an address.
pub(super) fn remove(transaction: &Transaction<'_>, address: &str) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM address WHERE address = ?1", [address]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::super::database::Database;
    use crate::model::UtcTime;
    use crate::user_data::{Change, WalletAddress};

    #[test]
    fn addresses_keep_their_order_and_last_label() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let entry = |address: &str, label: Option<&str>, at| WalletAddress {
            address: address.into(),
            label: label.map(Into::into),
            added_at: UtcTime::from_secs(at),
        };
        let changes = [entry("b", None, 1), entry("a", Some("x"), 2), entry("b", Some("cold"), 3)];
        database.save(&changes.map(Change::PutAddress)).unwrap();
        assert_eq!(database.load().unwrap().addresses, [entry("b", Some("cold"), 1), entry("a", Some("x"), 2)]);
        database.save(&[Change::RemoveAddress(entry("b", None, 1))]).unwrap();
        assert_eq!(database.load().unwrap().addresses, [entry("a", Some("x"), 2)]);
    }
}
