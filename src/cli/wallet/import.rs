//! `satscope wallet import`: reads lots from a file, shows them, asks once, and adds all or none.

mod contents;
mod decimals;
mod draft;
mod file;
mod found;
mod header;
mod json;
mod lines;
mod report;
mod row_error;
mod rows;
mod text;
mod trade;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;

use jiff::civil::Date;

use super::super::failure::{Failure, say};
use super::super::find;
use crate::config::Settings;
use crate::model::{Coin, Decimal, Text, system_error};
use crate::portfolio::{self, CostMethod};
use crate::user_data::{Change, Lot, LotId, UserData, Watched};

use contents::Import;
use draft::{CoinName, Draft, Format, Problem};
use found::{Found, split_known};
use report::{count, preview, print_assumed, print_skipped, refuse};
use row_error::RowError;

/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// The changes that add a file's lots, once the user has agreed; none if there is nothing to add or the user declined.
pub(super) fn changes(
    path: &Path,
    yes: bool,
    saved: &UserData,
    today: Date,
    settings: &Settings,
) -> Result<Vec<Change>, Failure> {
    let lots = &saved.lots;
    let name = path.display();
    let unreadable = |why: &str| Failure::Operation(format!("can't import {name}: {why}"));
    let failed = |error: io::Error| unreadable(&system_error::reason(&error));
    let about = fs::metadata(path).map_err(failed)?;
    if !about.is_file() || about.len() > MAX_BYTES {
        return Err(unreadable("not a regular file of at most 32 MB"));
    }
    let bytes = fs::read(path).map_err(failed)?;
    if !yes && !io::stdin().is_terminal() {
        return Err(Failure::Usage(String::from("nothing imported: without a terminal to confirm, pass --yes")));
    }
    let Import { format, drafts, mut problems, skipped, reading, has_lot_order } =
        file::read(&bytes, today).map_err(|error| unreadable(&error.to_string()))?;
    let needs_coins = drafts.iter().any(|draft| !draft.coin.has_id());
    let is_held = |coin: &CoinName| matches!(coin, CoinName::Exact(coin) if lots.iter().any(|lot| lot.coin == *coin));
    let has_new = drafts.iter().any(|draft| !is_held(&draft.coin));
    let all = match has_new.then(|| find::all(settings)).transpose() {
        Ok(all) => Some(all.unwrap_or_default()),
        // The other bad lines are reported without a list of coins too.
        Err(_) if !problems.is_empty() => None,
        Err(Failure::Operation(reason)) if !needs_coins => {
            say(&format!("coins not checked: {reason}"));
            Some(Vec::new())
        }
        Err(failure) => return Err(failure),
    };
    let (mut found, mut no_coins) = (Vec::new(), BTreeSet::new());
    for draft in if has_lot_order { drafts } else { in_order(drafts) } {
        let Some(all) = &all else { break };
        let coin = match &draft.coin {
            CoinName::Exact(coin) if is_held(&draft.coin) => Ok(coin.clone()),
            CoinName::Exact(coin) => exact(coin, all),
            CoinName::Named(name) => named(name, all),
        };
        match coin {
            Ok(coin) => found.push(Found {
                line: draft.line,
                has_date: draft.date.is_some(),
                has_currency: draft.currency.is_some(),
                lot: lot(draft, coin, today, settings),
            }),
            // Files of ticker contain stocks, too.
            Err(RowError::UnknownCoin(name)) if format == Format::Ticker => drop(no_coins.insert(name)),
            Err(reason) => problems.push(Problem { line: draft.line, reason }),
        }
    }
    // Both lots of a trade may lack their coin.
    problems.dedup();
    if !problems.is_empty() {
        return Err(refuse(path, format, problems));
    }
    let (known, new) = split_known(found, lots);
    preview(path, format, &new, &saved.addresses);
    if let Some(note) = format.note() {
        say(note);
    }
    if let Some(reading) = reading {
        say(&reading);
    }
    print_assumed(format, &new, today, &settings.display.convert);
    print_skipped(format, skipped);
    if !no_coins.is_empty() {
        let names: Vec<String> = no_coins.into_iter().collect();
        say(&format!("skipped {} (not coins)", names.join(", ")));
    }
    if known > 0 {
        say(&format!("skipped {} already in the wallet", count(known, "lot")));
    }
    for Found { line, lot, .. } in new.iter().filter(|found| !found.has_date) {
        if let Some(held) = held(&lot.coin, lots) {
            say(&format!(
                "{} {line}: the wallet already holds {held} {}, and this adds to it",
                format.unit(),
                lot.coin.symbol
            ));
        }
    }
    if new.is_empty() || !(yes || is_confirmed(new.len())?) {
        say("nothing imported");
        return Ok(Vec::new());
    }
    Ok(new.into_iter().map(|Found { lot, .. }| Change::AddLot(Box::new(lot))).collect())
}

/// Exports may begin with the newest trade, but lots of one day count in the order in which they are added: by day and
/// time, and without times in the order of the file, or its reverse if no line is newer than the one before.
fn in_order(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let when = |draft: &Draft| (draft.date, draft.time);
    let is_reversed = drafts.first().zip(drafts.last()).is_some_and(|(first, last)| when(first) > when(last))
        && drafts.is_sorted_by(|one, next| when(one) >= when(next));
    // The lots of one line stay in their order.
    let line = |draft: &Draft| if is_reversed { u64::MAX - draft.line } else { draft.line };
    let has_times = drafts.iter().any(|draft| draft.time.is_some());
    match is_reversed || has_times {
        true if has_times => drafts.sort_by_key(|draft| (draft.date, draft.time, line(draft))),
        true => drafts.sort_by_key(line),
        false => {}
    }
    drafts
}

/// The amount of a coin in the wallet's lots; `None` if zero.
fn held(coin: &Watched, lots: &[Lot]) -> Option<Decimal> {
    let own: Vec<Lot> = lots.iter().filter(|lot| lot.coin.is_same(coin)).cloned().collect();
    let holdings = portfolio::holdings(&own, CostMethod::default(), &|_, _| None);
    holdings.into_iter().map(|holding| holding.amount).find(|amount| !amount.is_zero())
}

/// The listed coin that a symbol and a slug, an id or both agree on. The id may be that of another service. One that is
/// not listed is imported as given.
fn exact(coin: &Watched, all: &[Coin]) -> Result<Watched, RowError> {
    let Watched { symbol, slug, id } = coin;
    let has_symbol = |found: &Coin| found.symbol.eq_ignore_ascii_case(symbol);
    let by_slug = slug.as_ref().and_then(|slug| all.iter().find(|found| found.slug.as_ref() == Some(slug)));
    let by_id = id.as_ref().and_then(|id| all.iter().find(|found| found.id.0 == *id && has_symbol(found)));
    match (by_slug, by_id, slug, id) {
        (Some(found), _, Some(slug), _) if !has_symbol(found) => {
            let [slug, found, symbol] = [slug, &found.symbol, symbol].map(ToString::to_string);
            Err(RowError::OtherSymbol { slug, found, symbol })
        }
        (None, Some(Coin { slug: Some(found), .. }), Some(slug), Some(id)) => {
            let [symbol, id, found, slug] = [symbol, id, found, slug].map(ToString::to_string);
            Err(RowError::OtherSlug { symbol, id, found, slug })
        }
        (Some(found), ..) | (None, Some(found), ..) => Ok(Watched::from_coin(found)),
        (None, None, Some(slug), None) => named(slug, all),
        (None, None, ..) => Ok(coin.clone()),
    }
}

/// The coin with a name: by its slug, else by a symbol that no other coin has.
fn named(name: &Text, all: &[Coin]) -> Result<Watched, RowError> {
    if let Some(coin) = all.iter().find(|coin| coin.slug.as_ref() == Some(name)) {
        return Ok(Watched::from_coin(coin));
    }
    let of_symbol: Vec<&Coin> = all.iter().filter(|coin| coin.symbol.eq_ignore_ascii_case(name)).collect();
    match of_symbol.as_slice() {
        [only] => Ok(Watched::from_coin(only)),
        [] => Err(RowError::UnknownCoin(name.to_string())),
        several => {
            let slugs: Vec<&str> = several.iter().filter_map(|coin| coin.slug.as_deref()).take(3).collect();
            let more = if several.len() > slugs.len() { " or others" } else { "" };
            let slugs = format!("{}{more}", slugs.join(" or "));
            Err(RowError::AmbiguousCoin { symbol: name.to_string(), slugs })
        }
    }
}

fn lot(draft: Draft, coin: Watched, today: Date, settings: &Settings) -> Lot {
    let Draft { line: _, kind, coin: _, amount, price, fee, currency, date, time: _, note, address } = draft;
    let currency = currency.unwrap_or_else(|| settings.display.convert.clone());
    Lot { id: LotId::default(), kind, coin, amount, price, fee, currency, date: date.unwrap_or(today), note, address }
}

/// Asks once, on standard error.
fn is_confirmed(lots: usize) -> Result<bool, Failure> {
    let mut error = io::stderr().lock();
    let written = write!(error, "Import {}? [y/N] ", count(lots, "lot")).and_then(|()| error.flush());
    let mut answer = String::new();
    written
        .and_then(|()| io::stdin().read_line(&mut answer))
        .map_err(|error| Failure::Operation(format!("nothing imported: can't ask for confirmation ({error})")))?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cli::wallet::export;
    use crate::model::{Amount, Currency};
    use crate::portfolio::entry;
    use crate::user_data::{LotKind, LotPrice};

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
                price: price.map(|(is_unit, number)| match is_unit {
                    true => LotPrice::Unit(Decimal::from(number)),
                    false => LotPrice::Total(Decimal::from(number)),
                }),
                fee: price.map(|(_, number)| Decimal::from(number)),
                currency: Currency::usd(),
                date: Date::constant(2025, 3, 28 - day),
                note: entry::note_text(&note),
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
