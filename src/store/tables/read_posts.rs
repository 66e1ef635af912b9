//! The posts that the user has read.

use rusqlite::{Connection, Transaction};

use crate::model::{Text, text};
use crate::user_data::MAX_READ_POSTS;

/// Reads the ids, oldest first.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<Text>> {
    let mut statement = connection.prepare("SELECT id FROM read_post ORDER BY position")?;
    let id = |row: &rusqlite::Row<'_>| Ok(Text::from(text::clean(&row.get::<_, String>(0)?)));
    statement.query_map([], id)?.collect()
}

/// Adds ids, and forgets the oldest ones beyond the maximum.
pub(super) fn add(transaction: &Transaction<'_>, ids: &[Text]) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare("INSERT OR IGNORE INTO read_post (id) VALUES (?1)")?;
    for id in ids {
        statement.execute([id.as_str()])?;
    }
    let most = i64::try_from(MAX_READ_POSTS).unwrap_or(i64::MAX);
    let sql = "DELETE FROM read_post WHERE position <= \
               (SELECT position FROM read_post ORDER BY position DESC LIMIT 1 OFFSET ?1)";
    transaction.execute(sql, [most]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::super::database::Database;
    use super::*;
    use crate::user_data::{Change, UserData};

    #[test]
    fn read_posts_are_kept_up_to_a_maximum() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let ids = |range: std::ops::Range<usize>| -> Vec<Text> { range.map(|n| Text::from(format!("p{n}"))).collect() };
        let changes = [Change::PostsRead(ids(0..3)), Change::PostsRead(ids(2..4))];
        database.save(&changes).unwrap();
        assert_eq!(database.load().unwrap().read_posts, ids(0..4));
        let many = Change::PostsRead(ids(4..MAX_READ_POSTS + 10));
        database.save(std::slice::from_ref(&many)).unwrap();
        let stored = database.load().unwrap().read_posts;
        assert_eq!(stored, ids(10..MAX_READ_POSTS + 10), "the oldest are forgotten");
        // The dashboard forgets the same ones.
        let mut data = UserData::default();
        changes.iter().chain([&many]).for_each(|change| data.apply(change));
        assert_eq!(data.read_posts, stored);
    }
}
