//! `satscope wallet import`: reads lots from a file, shows them, asks once, and adds all or none; invalid lines are
//! skipped if the user agrees.

mod coinbase;
mod coins;
mod cointop_config;
mod contents;
mod dates;
mod decimals;
mod draft;
mod file;
mod found;
mod header;
mod holdings;
mod invalid;
mod json;
mod known;
mod lines;
mod matched;
mod own_transfers;
mod report;
mod row_error;
mod rows;
mod text;
mod time;
mod trade;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::path::Path;

use jiff::civil::Date;

use super::super::failure::{Failure, say};
use super::super::find;
use super::super::user_store;
use crate::config::Settings;
use crate::format::Count;
use crate::format::words::counted;
use crate::model::{Coin, system_error};
use crate::user_data::{Change, LotId, UserData, Watched};

use coins::Coins;
use contents::Import;
use draft::{Draft, Format, Problem};
use found::Found;
use invalid::Invalid;
use known::{Unmatched, added_since, split_known};
use matched::{Matched, match_coins};
use report::{Report, print_invalid, refuse, undo_sentence};
use time::LotTime;

/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// The name of standard input in place of a file.
const STDIN: &str = "-";

/// Options of an import.
#[derive(Clone, Copy)]
pub(super) struct ImportOptions {
    /// Import without confirmation.
    pub(super) yes: bool,
    /// Import the valid lines of a file with invalid ones.
    pub(super) skip_invalid: bool,
}

/// Adds a file's lots after the user confirms, except lots that another process has added meanwhile. `saved` is the
/// wallet before the import. Returns how to undo it, in one sentence; `None` if nothing was added.
///
/// # Errors
/// The file or the list of coins can't be read; a line is invalid, and the user didn't agree to skip it; there is no
/// terminal to ask on; or the lots can't be saved.
pub(super) fn add(
    path: &Path,
    options: ImportOptions,
    saved: &UserData,
    today: Date,
    settings: &Settings,
) -> Result<Option<String>, Failure> {
    let new = confirmed(path, options, saved, today, settings)?;
    if new.is_empty() {
        return Ok(None);
    }
    let mut known = 0;
    let ids = user_store::update("wallet", settings, |now| {
        let added = added_since(&saved.lots, &now.lots);
        let (again, new) = split_known(new.clone(), &[], &mut Unmatched::new(&added));
        known = again.len();
        Ok(new.into_iter().map(|found| Change::AddLot(Box::new(found.lot))).collect())
    })?;
    if known > 0 {
        say(&format!("skipped {} already added by another process", counted(known, "lot")));
    }
    let assigned = new.iter().map(|found| ids.lot(found.lot.id)).filter(|id| *id > LotId::default());
    Ok(undo_sentence(assigned.collect()))
}

/// The new lots of a file, confirmed by the user; none if there is nothing to add or the user declined.
fn confirmed(
    path: &Path,
    options: ImportOptions,
    saved: &UserData,
    today: Date,
    settings: &Settings,
) -> Result<Vec<Found>, Failure> {
    let lots = &saved.lots;
    let name = named(path).display();
    let unreadable = |why: &str| Failure::Operation(format!("can't import {name}: {why}"));
    let Import { format, drafts, mut problems, mut skipped, other_fees, readings, encoding, has_lot_order } =
        file::read(&read(path)?, today).map_err(|error| unreadable(&error.to_string()))?;
    let mut coins = Coins::new(lots);
    let all = all_coins(format, &drafts, &problems, &coins, settings)?;
    let unreadable_times: Vec<u64> =
        drafts.iter().filter(|it| it.time == LotTime::Unreadable).map(|it| it.line).collect();
    let drafts = if has_lot_order { drafts } else { in_order(drafts) };
    let Matched { mut found, problems: without_coin, not_coins } =
        match_coins(format, drafts, &mut coins, &all, today, settings);
    problems.extend(without_coin);

    let mut invalid = Invalid::of(problems);
    let mut bought: HashSet<Watched> = invalid.bought().filter_map(|coin| coins.find(coin, &all).ok()).collect();
    bought.extend(invalid.take_trades(&mut found));
    let mut wallet = Unmatched::new(lots);
    let transfers = own_transfers::transfers(&found, &mut wallet);
    let (known, mut new) = split_known(found, &transfers, &mut wallet);
    skipped.extend(own_transfers::remove_transfers(&mut new, &transfers, &mut wallet));
    invalid.take_uncovered(&mut new, bought, lots);
    for (found, id) in new.iter_mut().zip(1..) {
        found.lot.id = LotId(-id);
    }

    let report = Report {
        path: named(path),
        format,
        saved,
        new: &new,
        known: &known,
        transfers: &transfers,
        invalid: &invalid,
        encoding,
        readings,
        unreadable_times: if has_lot_order { Vec::new() } else { unreadable_times },
        other_fees,
        skipped,
        not_coins,
        today,
        currency: &settings.display.convert,
    };
    report.print();
    Ok(if confirm(options, format, &invalid, new.len())? { new } else { Vec::new() })
}

/// The list of all coins; empty if it is not needed: the wallet has all coins of the file, or each has an ID, and the list
/// can't be read.
fn all_coins(
    format: Format,
    drafts: &[Draft],
    problems: &[Problem],
    coins: &Coins<'_>,
    settings: &Settings,
) -> Result<Vec<Coin>, Failure> {
    if drafts.iter().all(|draft| coins.is_held(&draft.coin)) {
        return Ok(Vec::new());
    }
    match find::all(settings) {
        // The invalid lines are reported without a list of coins, too.
        Err(failure) if !problems.is_empty() => {
            print_invalid(format, &Invalid::of(problems.to_vec()));
            Err(failure)
        }
        Err(Failure::Operation(reason) | Failure::Outage(reason)) if drafts.iter().all(|draft| draft.coin.has_id()) => {
            say(&format!("coins not checked: {reason}"));
            Ok(Vec::new())
        }
        all => all,
    }
}

/// Whether to import the valid lots of a file: as the options say, or as the user answers.
fn confirm(options: ImportOptions, format: Format, invalid: &Invalid, lots: usize) -> Result<bool, Failure> {
    let may_ask = !options.yes && has_terminal();
    let may_skip = invalid.can_be_skipped() && (options.skip_invalid || may_ask && lots > 0);
    if !invalid.is_empty() && !may_skip {
        return Err(refuse(format, invalid, lots));
    }
    if lots > 0 && !options.yes && !may_ask {
        let lots = counted(lots, "lot");
        return Err(Failure::Usage(format!("nothing imported: pass --yes to import {lots} without a terminal")));
    }
    let is_imported = lots > 0 && (options.yes || is_confirmed(lots, invalid.lots())?);
    if !is_imported {
        say("nothing imported");
    }
    Ok(is_imported)
}

/// Reads a file, a pipe such as `<(…)`, or standard input.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let unreadable = |why: &str| Failure::Operation(format!("can't import {}: {why}", named(path).display()));
    let failed = |error: io::Error| unreadable(&system_error::reason(&error));
    let input: Box<dyn Read> =
        if is_stdin(path) { Box::new(io::stdin().lock()) } else { Box::new(File::open(path).map_err(failed)?) };
    let mut bytes = Vec::new();
    input.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES { Err(unreadable("more than 32 MiB")) } else { Ok(bytes) }
}

/// Whether a path stands for standard input.
fn is_stdin(path: &Path) -> bool {
    [STDIN, "/dev/stdin"].iter().any(|name| path.as_os_str() == *name)
}

/// The name of a file in messages.
fn named(path: &Path) -> &Path {
    if is_stdin(path) { Path::new("standard input") } else { path }
}

/// Whether the user can see the preview, and answer.
fn has_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal() && io::stderr().is_terminal()
}

/// Exports may begin with the newest trade, but lots of one day count in the order in which they are added: by day and
/// time, and without times in the order of the file, or its reverse if no line is newer than the one before. One
/// unreadable time makes the others useless for sorting.
fn in_order(mut drafts: Vec<Draft>) -> Vec<Draft> {
    if drafts.iter().any(|draft| draft.time == LotTime::Unreadable) {
        drafts.iter_mut().for_each(|draft| draft.time = LotTime::Unknown);
    }
    let when = |draft: &Draft| (draft.date, draft.time);
    let is_reversed = drafts.first().zip(drafts.last()).is_some_and(|(first, last)| when(first) > when(last))
        && drafts.is_sorted_by(|one, next| when(one) >= when(next));
    // The lots of one line stay in their order.
    let line = |draft: &Draft| if is_reversed { u64::MAX - draft.line } else { draft.line };
    let has_times = drafts.iter().any(|draft| draft.time != LotTime::Unknown);
    if has_times {
        drafts.sort_by_key(|draft| (draft.date, draft.time, line(draft)));
    } else if is_reversed {
        drafts.sort_by_key(line);
    }
    drafts
}

/// Asks once, on standard error. Some lots of the file may be skipped.
fn is_confirmed(lots: usize, skipped: usize) -> Result<bool, Failure> {
    let question = match skipped {
        0 => counted(lots, "lot"),
        skipped => format!("{} of {}", Count(lots as u64), counted(lots + skipped, "lot")),
    };
    let mut error = io::stderr().lock();
    let written = write!(error, "Import {question}? [y/N] ").and_then(|()| error.flush());
    let mut response = String::new();
    written
        .and_then(|()| io::stdin().read_line(&mut response))
        .map_err(|error| Failure::Operation(format!("nothing imported: can't ask for confirmation ({error})")))?;
    Ok(matches!(response.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::draft::CoinName;
    use super::matched::lot;
    use super::*;
    use crate::cli::wallet::export;
    use crate::model::{Amount, Currency, Decimal};
    use crate::portfolio::entry;
    use crate::user_data::{Lot, LotKind, LotPrice};

    fn draft(line: u64, date: &str) -> Draft {
        let csv = format!("symbol,amount,date\nORDI,1,{date}\n");
        let read = file::read(csv.as_bytes(), Date::constant(2026, 11, 25)).unwrap();
        Draft { line, ..read.drafts[0].clone() }
    }

    #[test]
    fn only_a_file_from_the_newest_to_the_oldest_is_reversed() {
        let lines = |dates: &[&str]| -> Vec<u64> {
            let drafts = (1..).zip(dates).map(|(line, date)| draft(line, date)).collect();
            in_order(drafts).iter().map(|draft| draft.line).collect()
        };
        assert_eq!(lines(&["2025-03-03", "2025-03-02", "2025-03-02", "2025-03-01"]), [4, 3, 2, 1]);
        assert_eq!(lines(&["2025-03-01", "2025-03-01", "2025-03-02"]), [1, 2, 3]);
        assert_eq!(lines(&["2026-03-01", "2025-03-01", "2025-03-01", "2025-04-01"]), [1, 2, 3, 4]);
    }

    #[test]
    fn lots_of_a_day_are_sorted_by_time() {
        let lines = |dates: &[&str]| -> Vec<u64> {
            let drafts = (1..).zip(dates).map(|(line, date)| draft(line, date)).collect();
            in_order(drafts).iter().map(|draft| draft.line).collect()
        };
        assert_eq!(lines(&["1/13/2025 1:00 PM", "1/13/2025 11:00 AM", "1/13/2025 2:00 PM"]), [2, 1, 3]);
        assert_eq!(lines(&["2025-01-13T00:30:00Z", "2025-01-13T01:00:00+02:00"]), [2, 1]);
        let half_read = ["2025-01-13 14:00", "2025-01-13 12:00", "2025-01-13 13:00 CET"];
        assert_eq!(lines(&half_read), [1, 2, 3], "one time can't be compared");
    }

    proptest! {
        /// An export has the lots in the order of the wallet, regardless of their days.
        #[test]
        fn export_is_read_as_the_same_lots(
            lots in proptest::collection::vec(
                (0_usize..4, 1_u64..u64::MAX, proptest::option::of((any::<bool>(), 1_u32..9_999)), 0_i8..28, "\\PC{0,12}"),
                0..8,
            ),
        ) {
            let kinds = ["buy", "sell", "receive", "send"];
            let lots: Vec<Lot> = lots.into_iter().map(|(kind, amount, price, day, note)| Lot {
                id: LotId::default(),
                kind: LotKind::parse(kinds[kind]).unwrap(),
                coin: Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("25028".into()) },
                amount: Amount::from_units(amount),
                price: price.map(|(is_unit, number)| {
                    let number = Decimal::from(number);
                    if is_unit { LotPrice::Unit(number) } else { LotPrice::Total(number) }
                }),
                fee: price.map(|(_, number)| Decimal::from(number)),
                currency: Currency::usd(),
                date: Date::constant(2025, 3, 28 - day),
                note: entry::cut_note(&note).0,
                address: None,
            }).collect();
            let mut csv = Vec::new();
            export::write(&mut csv, &lots).unwrap();
            let json = serde_json::to_vec(&serde_json::json!({ "data": export::rows(&lots) })).unwrap();
            for exported in [csv, json] {
                let Import { drafts, problems, has_lot_order, .. } =
                    file::read(&exported, Date::constant(2026, 11, 25)).unwrap();
                prop_assert_eq!(problems, vec![]);
                prop_assert!(has_lot_order);
                let read: Vec<Lot> = drafts.into_iter().map(|draft| {
                    let CoinName::Exact(coin) = draft.coin.clone() else { panic!("no coin") };
                    lot(draft, coin, Date::constant(2026, 11, 25), &Settings::default())
                }).collect();
                prop_assert_eq!(&read, &lots);
            }
        }
    }
}
