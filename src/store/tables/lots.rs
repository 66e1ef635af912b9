//! The wallet's lots.

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, named_params};

use crate::model::{Currency, Decimal, Text, text};
use crate::store::error::{has_other_form, reason};
use crate::user_data::{Edit, Lot, LotId, LotKind, LotPrice, Unreadable, UnreadablePart, Watched};

const COLUMNS: &str =
    "id, kind, symbol, slug, coin_id, amount, unit_price, total_price, fee, currency, date, note, address";

/// The lots of the store.
#[derive(Default)]
pub(super) struct Lots {
    /// The readable lots, by ID.
    pub(super) lots: Vec<Lot>,
    /// The unreadable lots.
    pub(super) unreadable: Vec<Unreadable>,
}

/// Reads all lots.
pub(super) fn load(connection: &Connection) -> rusqlite::Result<Lots> {
    let mut statement = connection.prepare(&format!("SELECT {COLUMNS} FROM lot ORDER BY id"))?;
    let mut rows = statement.query([])?;
    let mut all = Lots::default();
    while let Some(row) = rows.next()? {
        match lot(row) {
            Ok(lot) => all.lots.push(lot),
            Err(error) if has_other_form(&error) => {
                let id = LotId(row.get(0)?);
                let sentence = format!("Can't read lot {id} ({})", reason(&error));
                all.unreadable.push(Unreadable { part: UnreadablePart::Lot(id), sentence });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(all)
}

/// Adds a lot under its ID, or under a new one if the ID is taken or not above 0. A lot that is already there,
/// ID included, is not added again: its confirmation was lost.
pub(super) fn add(transaction: &Transaction<'_>, lot: &Lot) -> rusqlite::Result<()> {
    let known = match stored(transaction, lot.id) {
        Err(error) if has_other_form(&error) => return put(transaction, None, lot),
        known => known?,
    };
    match known {
        Some(known) if known == *lot => Ok(()),
        Some(_) => put(transaction, None, lot),
        None => put(transaction, (lot.id > LotId::default()).then_some(lot.id), lot),
    }
}

/// Edits the lot with this ID. Returns whether there is one.
pub(super) fn edit(transaction: &Transaction<'_>, edit: &Edit<Lot>) -> rusqlite::Result<bool> {
    let Some(known) = stored(transaction, edit.after.id)? else { return Ok(false) };
    remove(transaction, known.id)?;
    put(transaction, Some(known.id), &edit.applied_to(&known))?;
    Ok(true)
}

/// Removes the lot with this ID.
pub(super) fn remove(transaction: &Transaction<'_>, id: LotId) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM lot WHERE id = ?1", [id.0]).map(drop)
}

/// The lot with this ID.
pub(in crate::store) fn stored(transaction: &Transaction<'_>, id: LotId) -> rusqlite::Result<Option<Lot>> {
    transaction.query_row(&format!("SELECT {COLUMNS} FROM lot WHERE id = ?1"), [id.0], lot).optional()
}

fn put(transaction: &Transaction<'_>, id: Option<LotId>, lot: &Lot) -> rusqlite::Result<()> {
    let Lot { kind, coin, amount, price, fee, currency, date, note, address, .. } = lot;
    let (unit, total) = match price {
        Some(LotPrice::Unit(unit)) => (Some(unit.to_string()), None),
        Some(LotPrice::Total(total)) => (None, Some(total.to_string())),
        None => (None, None),
    };
    transaction
        .execute(
            "INSERT INTO lot (id, kind, symbol, slug, coin_id, amount, unit_price, total_price, fee, currency, date,
                 note, address)
             VALUES (:id, :kind, :symbol, :slug, :coin_id, :amount, :unit, :total, :fee, :currency, :date,
                 :note, :address)",
            named_params! {
                ":id": id.map(|id| id.0),
                ":kind": kind.as_str(),
                ":symbol": coin.symbol.as_str(),
                ":slug": coin.slug.as_deref(),
                ":coin_id": coin.id.as_deref(),
                ":amount": amount.to_string(),
                ":unit": unit,
                ":total": total,
                ":fee": fee.as_ref().map(Decimal::to_string),
                ":currency": currency.as_str(),
                ":date": date.to_string(),
                ":note": note.as_deref(),
                ":address": address.as_deref(),
            },
        )
        .map(drop)
}

/// Reads a row with [`COLUMNS`].
fn lot(row: &Row<'_>) -> rusqlite::Result<Lot> {
    let text = |column: usize| row.get::<_, Option<String>>(column).map(|text| text.map(|text| clean(&text)));
    let unit = optional(row, 6)?.map(LotPrice::Unit);
    Ok(Lot {
        id: LotId(row.get(0)?),
        kind: parsed(row, 1, LotKind::parse)?,
        coin: Watched { symbol: text(2)?.unwrap_or_default(), slug: text(3)?, id: text(4)? },
        amount: parsed(row, 5, |text| text.parse().ok())?,
        price: unit.or(optional(row, 7)?.map(LotPrice::Total)),
        fee: optional(row, 8)?,
        currency: parsed(row, 9, Currency::parse)?,
        date: parsed(row, 10, |text| text.parse().ok())?,
        note: text(11)?,
        address: text(12)?,
    })
}

/// Text without control characters, since anyone could have written the file.
fn clean(text: &str) -> Text {
    Text::from(text::clean(text))
}

fn parsed<T>(row: &Row<'_>, column: usize, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    parse(&text).ok_or_else(|| {
        let name = row.as_ref().column_name(column).unwrap_or("value").replace('_', " ");
        let problem = format!("invalid {name} {text:?}");
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, problem.into())
    })
}

fn optional(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Decimal>> {
    let is_null = row.get::<_, Option<String>>(column)?.is_none();
    if is_null { Ok(None) } else { parsed(row, column, |text| text.parse().ok()).map(Some) }
}

#[cfg(test)]
mod tests {
    use super::super::super::database::Database;
    use super::super::super::{FILE, read_all};
    use super::*;
    use crate::model::UtcTime;
    use crate::user_data::{Change, UserData, WalletAddress, queue};

    fn lot(id: i64, amount: &str) -> Lot {
        Lot {
            id: LotId(id),
            kind: LotKind::Sell,
            coin: Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("25028".into()) },
            amount: amount.parse().unwrap(),
            price: Some(LotPrice::Total("0.000000000000000000001".parse().unwrap())),
            fee: Some(Decimal::from(2)),
            currency: Currency::parse("EUR").unwrap(),
            date: jiff::civil::Date::constant(2025, 3, 2),
            note: Some("“half”".into()),
            address: Some("bc1q".into()),
        }
    }

    #[test]
    fn unreadable_lot_is_reported_and_other_lots_are_loaded() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let address = WalletAddress { address: "bc1q".into(), label: None, added_at: UtcTime::default() };
        database.save(&[add(0, "1"), add(0, "2"), Change::PutAddress(address)]).unwrap();
        let path = directory.path().join(FILE);
        let run = |sql: &str| Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        run("UPDATE lot SET amount = 'many' WHERE id = 1");
        let sentence = "Can't read lot 1 (invalid amount \"many\")";
        for data in [database.load().unwrap(), read_all(directory.path()).unwrap()] {
            assert_eq!(
                data.unreadable_about(|part| part == UnreadablePart::Lot(LotId(1))).collect::<Vec<_>>(),
                [sentence]
            );
            assert_eq!((data.lots, data.addresses.len()), (vec![lot(2, "2")], 1));
        }
        // It is kept, and its ID is not reused.
        database.save(&[add(1, "3")]).unwrap();
        assert_eq!(database.load().unwrap().lots, [lot(2, "2"), lot(3, "3")]);
        run("UPDATE lot SET amount = '1' WHERE id = 1");
        assert_eq!(database.load().unwrap().lots, [lot(1, "1"), lot(2, "2"), lot(3, "3")]);
        // A newer version may have changed a table.
        run("ALTER TABLE address RENAME COLUMN label TO name; PRAGMA user_version = 99");
        let data = read_all(directory.path()).unwrap();
        assert_eq!((data.lots.len(), data.addresses.len()), (3, 0));
        let sentences: Vec<&str> = data.unreadable_about(UnreadablePart::is_holdings).collect();
        assert!(sentences.len() == 1 && sentences[0].starts_with("Can't read addresses ("), "{data:?}");
    }

    fn edited(id: i64, before: &str, after: &str) -> Change {
        Change::EditLot(Box::new(Edit { before: lot(id, before), after: lot(id, after) }))
    }

    /// An undo of an edit of lot 1.
    fn undo(before: &str, after: &str) -> Change {
        Change::Undo { made: Box::new(edited(1, before, after)), back: Box::new(edited(1, after, before)) }
    }

    fn add(id: i64, amount: &str) -> Change {
        Change::AddLot(Box::new(lot(id, amount)))
    }

    #[test]
    fn lots_are_loaded_as_saved() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let plain = Lot { price: None, fee: None, note: None, address: None, ..lot(2, "340282366920938463463.25") };
        database.save(&[add(1, "0.000000000000000001"), Change::AddLot(Box::new(plain.clone()))]).unwrap();
        for data in [database.load().unwrap(), read_all(directory.path()).unwrap()] {
            assert_eq!(data.lots, [lot(1, "0.000000000000000001"), plain.clone()]);
        }
        let edited = Lot { kind: LotKind::Send, price: Some(LotPrice::Unit(Decimal::from(3))), ..plain.clone() };
        let edit = Edit { before: plain, after: edited.clone() };
        database.save(&[Change::EditLot(Box::new(edit)), Change::RemoveLot(Box::new(lot(1, "1")))]).unwrap();
        assert_eq!(database.load().unwrap().lots, [edited]);
    }

    #[test]
    fn two_instances_that_use_a_number_get_two_lots() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = Database::open(directory.path()).unwrap();
        let mut second = Database::open(directory.path()).unwrap();
        first.save(&[add(1, "1")]).unwrap();
        second.save(&[add(1, "2")]).unwrap();
        // The confirmation was lost, so it is saved again.
        second.save(&[add(1, "1")]).unwrap();
        second.save(&[add(0, "1")]).unwrap();
        let found: Vec<(i64, String)> =
            first.load().unwrap().lots.iter().map(|lot| (lot.id.0, lot.amount.to_string())).collect();
        assert_eq!(found, [(1, "1".into()), (2, "2".into()), (3, "1".into())]);
    }

    #[test]
    fn later_changes_of_a_new_lot_find_it_under_its_number() {
        let directory = tempfile::tempdir().unwrap();
        let mut other = Database::open(directory.path()).unwrap();
        let mut own = Database::open(directory.path()).unwrap();
        other.save(&[add(0, "7")]).unwrap();
        own.save(&[add(-1, "1"), add(-2, "2"), edited(-1, "1", "3")]).unwrap();
        own.save(&[Change::RemoveLot(Box::new(lot(-2, "2"))), edited(-1, "3", "4")]).unwrap();
        assert_eq!(own.load().unwrap().lots, [lot(1, "7"), lot(2, "4")]);
    }

    #[test]
    fn undo_keeps_later_changes_of_another_instance() {
        let directory = tempfile::tempdir().unwrap();
        let mut other = Database::open(directory.path()).unwrap();
        let mut own = Database::open(directory.path()).unwrap();
        own.save(&[add(1, "13"), edited(1, "13", "20")]).unwrap();
        assert_eq!(own.save(&[undo("13", "20")]).unwrap(), [0]);
        assert_eq!(own.load().unwrap().lots, [lot(1, "13")]);
        own.save(&[edited(1, "13", "20")]).unwrap();
        other.save(&[edited(1, "20", "33")]).unwrap();
        assert_eq!(own.save(&[undo("13", "20")]).unwrap(), [0_usize; 0]);
        assert_eq!(own.load().unwrap().lots, [lot(1, "33")]);
        // Other parts may differ.
        own.save(&[edited(1, "33", "20")]).unwrap();
        let note = Lot { note: Some("later".into()), ..lot(1, "20") };
        let edit = Edit { before: lot(1, "20"), after: note.clone() };
        other.save(&[Change::EditLot(Box::new(edit))]).unwrap();
        assert_eq!(own.save(&[undo("33", "20")]).unwrap(), [0]);
        assert_eq!(own.load().unwrap().lots, [Lot { note: note.note, ..lot(1, "33") }]);
    }

    #[test]
    fn edit_keeps_the_parts_that_another_instance_has_changed() {
        let directory = tempfile::tempdir().unwrap();
        let mut other = Database::open(directory.path()).unwrap();
        let mut own = Database::open(directory.path()).unwrap();
        own.save(&[add(1, "13")]).unwrap();
        let after = Lot { note: Some("other".into()), fee: Some(Decimal::from(3)), ..lot(1, "13") };
        let edit = Edit { before: lot(1, "13"), after: after.clone() };
        other.save(&[Change::EditLot(Box::new(edit))]).unwrap();
        own.save(&[edited(1, "13", "20")]).unwrap();
        assert_eq!(own.load().unwrap().lots, [Lot { amount: "20".parse().unwrap(), ..after }]);
    }

    /// An edit of the note of lot 1.
    fn noted(amount: &str) -> Edit<Lot> {
        Edit { before: lot(1, amount), after: Lot { note: Some("new".into()), ..lot(1, amount) } }
    }

    /// The data after changes that stayed unsaved for a while, if none was rejected.
    fn queued(before: &[Change], changes: Vec<Change>) -> UserData {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        database.save(before).unwrap();
        let mut unsaved = Vec::new();
        changes.into_iter().enumerate().for_each(|(number, change)| queue(&mut unsaved, number as u64, change));
        let unsaved: Vec<Change> = unsaved.into_iter().map(|(_, change)| change).collect();
        let undone = database.save(&unsaved).unwrap();
        for (place, change) in unsaved.iter().enumerate() {
            assert!(undone.contains(&place) || !matches!(change, Change::Undo { .. }), "{unsaved:?}");
        }
        database.load().unwrap()
    }

    #[test]
    fn change_after_an_unsaved_undo_is_saved_without_a_warning() {
        let changes = vec![edited(1, "13", "20"), undo("13", "20"), edited(1, "13", "33")];
        assert_eq!(queued(&[add(1, "13")], changes).lots, [lot(1, "33")]);
        // Only the undo is unsaved.
        let changes = vec![undo("13", "20"), Change::EditLot(Box::new(noted("13")))];
        assert_eq!(queued(&[add(1, "20")], changes).lots, [noted("13").after]);
        // Both edits are saved.
        let changes = vec![edited(1, "13", "20"), Change::EditLot(Box::new(noted("20")))];
        assert_eq!(queued(&[add(1, "13")], changes).lots, [noted("20").after]);
        let undo = |made: &Change, back| Change::Undo { made: Box::new(made.clone()), back: Box::new(back) };

        let entry = |label: Option<&str>| WalletAddress {
            address: "bc1q".into(),
            label: label.map(Text::from),
            added_at: UtcTime::from_secs(1),
        };
        let removal = Change::RemoveAddress(entry(None));
        let back = Change::RestoreAddress { entry: entry(None), balances: Vec::new(), before: None };
        let changes = vec![removal.clone(), undo(&removal, back), Change::PutAddress(entry(Some("cold")))];
        assert_eq!(queued(&[Change::PutAddress(entry(None))], changes).addresses, [entry(Some("cold"))]);
    }

    #[test]
    fn number_of_a_removed_lot_is_free_only_for_that_lot() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        database.save(&[add(1, "1"), Change::RemoveLot(Box::new(lot(1, "1"))), add(0, "2")]).unwrap();
        assert_eq!(database.load().unwrap().lots, [lot(2, "2")]);
        // Undoing the removal.
        database.save(&[add(1, "1")]).unwrap();
        assert_eq!(database.load().unwrap().lots, [lot(1, "1"), lot(2, "2")]);
    }
}
