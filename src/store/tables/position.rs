//! The manual order of rows, by their `position`.

use rusqlite::Transaction;

/// Moves a row to the position of another one. That row and those after it move down by one.
pub(super) fn move_row(transaction: &Transaction<'_>, table: &str, from: i64, to: i64) -> rusqlite::Result<()> {
    // Positions are unique, so the rows take negative numbers first.
    let moved = format!("UPDATE {table} SET position = -position - 1 WHERE position >= ?1 AND position <> ?2");
    transaction.execute(&moved, (to, from))?;
    transaction.execute(&format!("UPDATE {table} SET position = ?1 WHERE position = ?2"), (to, from))?;
    transaction.execute(&format!("UPDATE {table} SET position = -position WHERE position < 0"), []).map(drop)
}
