//! Rows in an order of their own.

use rusqlite::Transaction;

/// Moves the last row of a table to another position, and the rows from there on by one.
pub(super) fn move_row(transaction: &Transaction<'_>, table: &str, from: i64, to: i64) -> rusqlite::Result<()> {
    // Negative numbers in between, since each position must be free when a row takes it.
    let moved = format!("UPDATE {table} SET position = -position - 1 WHERE position >= ?1 AND position <> ?2");
    transaction.execute(&moved, (to, from))?;
    transaction.execute(&format!("UPDATE {table} SET position = ?1 WHERE position = ?2"), (to, from))?;
    transaction.execute(&format!("UPDATE {table} SET position = -position WHERE position < 0"), []).map(drop)
}
