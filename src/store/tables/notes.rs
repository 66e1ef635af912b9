//! The user's notes in charts.

use rusqlite::{Connection, Transaction};

use crate::model::{Text, UtcTime, text};
use crate::user_data::{MAX_NOTES, Note};

/// Reads the notes, sorted by slug and time.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Vec<Note>> {
    let mut statement = connection.prepare("SELECT slug, time, text FROM note ORDER BY slug, time LIMIT ?1")?;
    // Cleaned, since anyone could have written the file.
    let note = |row: &rusqlite::Row<'_>| {
        Ok(Note {
            slug: Text::from(text::clean(&row.get::<_, String>(0)?)),
            time: UtcTime::from_millis(row.get(1)?),
            text: Note::clean(&row.get::<_, String>(2)?),
        })
    };
    statement.query_map([max_notes()], note)?.collect()
}

/// Adds a note unless there are too many, or replaces the one at its time. Returns whether it is stored.
pub(super) fn put(transaction: &Transaction<'_>, note: &Note) -> rusqlite::Result<bool> {
    let (slug, time, text) = (note.slug.as_str(), note.time.millis(), note.text.as_str());
    let changed = transaction.execute("UPDATE note SET text = ?3 WHERE slug = ?1 AND time = ?2", (slug, time, text))?;
    if changed > 0 {
        return Ok(true);
    }
    let sql = "INSERT INTO note (slug, time, text) SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM note) < ?4";
    Ok(transaction.execute(sql, (slug, time, text, max_notes()))? > 0)
}

/// Removes the note at this time.
pub(super) fn remove(transaction: &Transaction<'_>, note: &Note) -> rusqlite::Result<()> {
    let place = (note.slug.as_str(), note.time.millis());
    transaction.execute("DELETE FROM note WHERE slug = ?1 AND time = ?2", place).map(drop)
}

fn max_notes() -> i64 {
    i64::try_from(MAX_NOTES).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::super::database::Database;
    use super::*;
    use crate::user_data::{Change, UserData};

    fn note(slug: &str, secs: i64, text: &str) -> Note {
        Note { slug: slug.into(), time: UtcTime::from_secs(secs), text: text.into() }
    }

    /// The notes after these changes, in the store and in the dashboard.
    fn after(changes: &[Change]) -> Vec<Note> {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        database.save(changes).unwrap();
        let stored = database.load().unwrap().notes;
        let mut data = UserData::default();
        changes.iter().for_each(|change| data.apply(change));
        assert_eq!(data.notes, stored);
        stored
    }

    #[test]
    fn notes_are_sorted_replaced_and_removed() {
        let notes = [note("ordi", 20, "b"), note("ordi", 10, "a"), note("bitcoin", 10, "c"), note("ordi", 20, "d")];
        let mut changes: Vec<Change> = notes.into_iter().map(Change::PutNote).collect();
        assert_eq!(after(&changes), [note("bitcoin", 10, "c"), note("ordi", 10, "a"), note("ordi", 20, "d")]);
        changes.push(Change::RemoveNote(note("ordi", 10, "")));
        assert_eq!(after(&changes), [note("bitcoin", 10, "c"), note("ordi", 20, "d")]);
    }

    #[test]
    fn full_store_keeps_its_notes_and_takes_edits() {
        let mut changes: Vec<Change> = (0..1_001).map(|n| Change::PutNote(note("ordi", n, "x"))).collect();
        changes.push(Change::PutNote(note("ordi", 999, "edited")));
        let notes = after(&changes);
        assert_eq!((notes.len(), notes.last()), (MAX_NOTES, Some(&note("ordi", 999, "edited"))));
    }

    #[test]
    fn text_of_another_program_is_cleaned_and_cut() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        database.save(&[Change::PutNote(note("ordi", 1, &format!("\u{1b}[31mred\u{7}{}", "y".repeat(300))))]).unwrap();
        let notes = database.load().unwrap().notes;
        let [note] = notes.as_slice() else { panic!("{notes:?}") };
        assert!(!note.text.contains(char::is_control) && note.text.chars().count() == 200, "{note:?}");
    }
}
