//! What an import prints: the lots that it would add, the lines that it skips, and those that are invalid.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use jiff::civil::Date;

use super::super::super::failure::{Failure, say};
use super::draft::{Format, Problem, Skipped};
use super::found::{Found, Transfer};
use super::invalid::Invalid;
use super::known::Known;
use super::own_transfers;
use crate::format::Count;
use crate::format::words::{counted, in_sentence};
use crate::model::{Currency, Text};
use crate::portfolio::{self, CostMethod, Holding, entry};
use crate::user_data::note::MAX_NOTE_CHARS;
use crate::user_data::{Lot, LotId, LotKind, LotPrice, UserData, WalletAddress};

/// Maximum lots, or invalid lines, that are listed.
const MAX_LISTED: usize = 20;

/// What an import is about to do, for the user who confirms it.
pub(super) struct Report<'a> {
    /// The name of the file.
    pub(super) path: &'a Path,
    pub(super) format: Format,
    /// The wallet before the import.
    pub(super) saved: &'a UserData,
    pub(super) new: &'a [Found],
    pub(super) known: &'a [Known],
    pub(super) transfers: &'a [Transfer],
    pub(super) invalid: &'a Invalid,
    pub(super) encoding: Option<&'static str>,
    pub(super) readings: Vec<String>,
    /// The lines of unreadable times that matter for the order of the lots.
    pub(super) unreadable_times: Vec<u64>,
    pub(super) other_fees: Vec<u64>,
    pub(super) skipped: Vec<Skipped>,
    /// The names of entries that are not coins, such as stocks.
    pub(super) not_coins: BTreeSet<String>,
    pub(super) today: Date,
    /// The currency of lots without one.
    pub(super) currency: &'a Currency,
}

impl Report<'_> {
    /// Prints the new lots, the invalid lines, how the file was read, and what is skipped or odd.
    pub(super) fn print(self) {
        let Report { format, new, known, .. } = self;
        let lots = &self.saved.lots;
        preview(self.path, format, new, &self.saved.addresses);
        print_invalid(format, self.invalid);
        for note in format.note().into_iter().chain(self.encoding) {
            say(note);
        }
        for reading in self.readings {
            say(&reading);
        }
        print_unreadable_times(format, self.unreadable_times);
        print_assumed(format, new, self.today, self.currency);
        print_cut_notes(format, new);
        print_other_fees(format, self.other_fees, new, &self.skipped);
        print_skipped(format, self.skipped);
        print_not_coins(self.not_coins);
        print_possible_transfers(format, own_transfers::possible_transfers(new));
        print_known(format, known);
        print_halves(format, own_transfers::halves(self.transfers, new, known));
        print_held(format, new, lots);
        print_oversold(format, new, lots);
    }
}

/// Lists the invalid lines, those with the same reason together.
pub(super) fn print_invalid(format: Format, invalid: &Invalid) {
    if invalid.is_empty() {
        return;
    }
    let unit = format.unit();
    say(&format!("{}:", counted(invalid.lines().len(), &format!("invalid {unit}"))));
    let mut groups: Vec<(String, Vec<u64>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for Problem { line, reason, .. } in &invalid.problems {
        let reason = reason.to_string();
        let place = *places.entry(reason.clone()).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, lines)) => lines.push(*line),
            None => groups.push((reason, vec![*line])),
        }
    }
    for (reason, lines) in groups.iter().take(MAX_LISTED) {
        say(&format!("{}: {reason}", ranges(unit, lines.clone())));
    }
    if groups.len() > MAX_LISTED {
        say(&format!("and {}", counted(groups.len() - MAX_LISTED, "more reason")));
    }
    if !invalid.trades.is_empty() {
        let lines: Vec<u64> = invalid.trades.iter().copied().collect();
        let both = if lines.len() == 1 { "the whole trade is" } else { "whole trades are" };
        say(&format!("{}: {both} skipped", ranges(unit, lines)));
    }
    let mut uncovered = invalid.uncovered.clone();
    uncovered.sort();
    for group in uncovered.chunk_by(|one, next| one.0 == next.0) {
        let Some((symbol, _)) = group.first() else { continue };
        let lines = ranges(unit, group.iter().map(|(_, line)| *line).collect());
        say(&format!("{lines}: also skipped (sale of {symbol} bought in invalid {unit}s)"));
    }
}

/// The error for a file with invalid lines, of which `others` lots could be imported.
pub(super) fn refuse(format: Format, invalid: &Invalid, others: usize) -> Failure {
    let lines = counted(invalid.lines().len(), &format!("invalid {}", format.unit()));
    Failure::Operation(match others {
        _ if !invalid.can_be_skipped() => {
            format!("nothing imported: {lines} (can't read the lines after the unclosed quote)")
        }
        0 => format!("nothing imported: {lines}"),
        others => format!("nothing imported: {lines} (--skip-invalid imports {})", counted(others, "lot")),
    })
}

/// Lists the lots that would be added.
fn preview(path: &Path, format: Format, new: &[Found], addresses: &[WalletAddress]) {
    say(&format!("{} in {} ({})", counted(new.len(), "new lot"), path.display(), format.title()));
    for Found { line, lot, .. } in new.iter().take(MAX_LISTED) {
        say(&format!("{} {line}: {}", format.unit(), describe(lot, addresses)));
    }
    if new.len() > MAX_LISTED {
        say(&format!("and {} more", Count((new.len() - MAX_LISTED) as u64)));
    }
    let unpriced = new.iter().filter(|found| lacks_price(&found.lot)).count();
    if unpriced > 0 {
        say(&format!(
            "no price for {}, so profit excludes {}",
            counted(unpriced, "lot"),
            if unpriced == 1 { "it" } else { "them" }
        ));
    }
}

/// Says which lines have a time that can't be read, which leaves all lots of a day in the order of the file.
fn print_unreadable_times(format: Format, lines: Vec<u64>) {
    if !lines.is_empty() {
        say(&format!(
            "can't read the time in {}: lots of the same day are ordered by line",
            ranges(format.unit(), lines)
        ));
    }
}

/// Says which lines have no date or currency, and what they get instead.
fn print_assumed(format: Format, new: &[Found], today: Date, currency: &Currency) {
    let undated: Vec<u64> = new.iter().filter(|found| !found.has_date).map(|found| found.line).collect();
    // The notes of the other formats say it.
    if !undated.is_empty() && matches!(format, Format::Own | Format::Json) {
        say(&format!("no date in {}: assuming today ({today})", ranges(format.unit(), undated)));
    }
    let has_money = |found: &Found| found.lot.price.is_some() || found.lot.fee.is_some();
    let bare: Vec<u64> =
        new.iter().filter(|found| !found.has_currency && has_money(found)).map(|found| found.line).collect();
    if !bare.is_empty() {
        say(&format!("no currency in {}: assuming {currency}", ranges(format.unit(), bare)));
    }
}

/// Says which notes are cut.
fn print_cut_notes(format: Format, new: &[Found]) {
    let lines: Vec<u64> = new.iter().filter(|found| found.has_cut_note).map(|found| found.line).collect();
    if !lines.is_empty() {
        say(&format!("notes truncated to {MAX_NOTE_CHARS} characters: {}", ranges(format.unit(), lines)));
    }
}

/// Says how many lots are already in the wallet. Those with other details there are named, as are those without a date,
/// which may have been meant as new ones.
fn print_known(format: Format, known: &[Known]) {
    if known.is_empty() {
        return;
    }
    say(&format!("skipped {} already in the wallet", counted(known.len(), "lot")));
    let edited: Vec<u64> = known.iter().filter(|known| known.has_other_details).map(|known| known.line).collect();
    if !edited.is_empty() {
        let lines = ranges(format.unit(), edited);
        say(&format!("kept the wallet's fee, note and address for {lines} (to add another lot: satscope wallet add)"));
    }
    let undated = || known.iter().filter(|known| !known.has_date);
    for Known { line, lot, .. } in undated().take(MAX_LISTED) {
        say(&format!("{} {line} has no date: treated as a duplicate of lot {lot}", format.unit()));
    }
    if let Some(more) = undated().count().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        say(&format!("and {more} more without a date"));
    }
}

/// Says which lines without a date add to a coin that the wallet already holds.
fn print_held(format: Format, new: &[Found], lots: &[Lot]) {
    let mut undated = new.iter().filter(|found| !found.has_date).peekable();
    if undated.peek().is_none() {
        return;
    }
    let holdings = portfolio::holdings(lots, CostMethod::default(), &|_, _| None);
    for Found { line, lot, .. } in undated {
        let is_held = |holding: &&Holding| !holding.amount.is_zero() && holding.coin.is_same(&lot.coin);
        if let Some(Holding { amount, .. }) = holdings.iter().find(is_held) {
            say(&format!(
                "{} {line}: the wallet already holds {amount} {}, and this adds to it",
                format.unit(),
                lot.coin.symbol
            ));
        }
    }
}

/// Warns about lots that sell or send more than is held at their time, with the first one as an example.
fn print_oversold(format: Format, new: &[Found], lots: &[Lot]) {
    let added: Vec<Lot> = new.iter().map(|found| found.lot.clone()).collect();
    let oversold = portfolio::newly_oversold(lots, &added);
    let line_of = |id: LotId| new.iter().find(|found| found.lot.id == id).map(|found| found.line);
    let is_new = |id: &LotId| *id < LotId::default();
    let Some((id, first)) = oversold.iter().min_by_key(|(id, oversold)| (!is_new(id), oversold.date)) else { return };
    let name = match line_of(*id) {
        Some(line) => format!("{} {line}", format.unit()),
        None => format!("lot {id} of the wallet"),
    };
    let example = match oversold.len() {
        1 => format!("{name} sells or sends more than you hold"),
        lots => format!("{} sell or send more than you hold, such as {name}", counted(lots, "lot")),
    };
    let sentence = in_sentence(&first.sentence(ToString::to_string));
    say(&format!("warning: {example}: {sentence}"));
}

/// Says which lines have no lots, and why.
fn print_skipped(format: Format, mut skipped: Vec<Skipped>) {
    skipped.sort_by_key(|skipped| (skipped.reason, skipped.line));
    for group in skipped.chunk_by(|one, next| one.reason == next.reason) {
        let Some(Skipped { reason, .. }) = group.first() else { continue };
        let lines = group.iter().map(|skipped| skipped.line).collect();
        say(&format!("skipped {}: {}", ranges(format.unit(), lines), reason.text()));
    }
}

/// Lists the entries that are not coins.
fn print_not_coins(names: BTreeSet<String>) {
    if !names.is_empty() {
        let noun = if names.len() == 1 { "a coin" } else { "coins" };
        say(&format!("skipped {} (not {noun})", Vec::from_iter(names).join(", ")));
    }
}

/// Names the lots of the wallet that are one side of a transfer whose other side is new.
fn print_halves(format: Format, halves: Vec<(u64, LotId)>) {
    let (lines, lots): (Vec<u64>, Vec<LotId>) = halves.into_iter().unzip();
    if let Some(ids) = id_runs(lots) {
        say(&format!(
            "{}: the other side of a transfer that is already in the wallet (to keep the cost: satscope wallet remove \
             {ids}, then import the file again)",
            ranges(format.unit(), lines)
        ));
    }
}

/// Warns about lines that are probably transfers, but have unknown types.
fn print_possible_transfers(format: Format, lines: Vec<u64>) {
    if !lines.is_empty() {
        say(&format!(
            "warning: unknown types in {} that look like transfers between your own wallets: imported as sent and \
             received, without cost (to keep the cost, export in English)",
            ranges(format.unit(), lines)
        ));
    }
}

/// Says which lines have a fee that is not imported. Lines that are invalid or already in the wallet are reported as
/// such.
fn print_other_fees(format: Format, mut lines: Vec<u64>, new: &[Found], skipped: &[Skipped]) {
    let used: HashSet<u64> =
        new.iter().map(|found| found.line).chain(skipped.iter().map(|skipped| skipped.line)).collect();
    lines.retain(|line| used.contains(line));
    if !lines.is_empty() {
        let fees = if lines.len() == 1 { "fee" } else { "fees" };
        let lines = ranges(format.unit(), lines);
        say(&format!("not imported: {fees} in {lines} (in a currency other than those bought or sold)"));
    }
}

/// Lines in words: `line 4`, `lines 2, 5–9`. Many are counted: `12 lines (2, 4, 6, 9, …)`.
fn ranges(unit: &str, mut lines: Vec<u64>) -> String {
    const MAX_RANGES: usize = 4;
    lines.sort_unstable();
    lines.dedup();
    let runs: Vec<String> = lines
        .chunk_by(|line, next| line + 1 == *next)
        .filter_map(|run| match run {
            [] => None,
            [line] => Some(line.to_string()),
            [first, .., last] => Some(format!("{first}{}{last}", if run.len() == 2 { ", " } else { "–" })),
        })
        .collect();
    if runs.len() > MAX_RANGES {
        let first = runs.get(..MAX_RANGES).unwrap_or(&runs).join(", ");
        return format!("{} ({first}, …)", counted(lines.len(), unit));
    }
    format!("{unit}{} {}", if lines.len() == 1 { "" } else { "s" }, runs.join(", "))
}

/// How to undo an import that has added lots with these IDs; `None` without any.
pub(super) fn undo_sentence(added: Vec<LotId>) -> Option<String> {
    let lots = counted(added.len(), "lot");
    Some(format!("imported {lots} (to undo: satscope wallet remove {})", id_runs(added)?))
}

/// IDs as `wallet remove` takes them; `None` without any.
fn id_runs(mut ids: Vec<LotId>) -> Option<String> {
    ids.sort_unstable();
    let runs = ids.chunk_by(|id, next| id.0 + 1 == next.0).filter_map(|run| match run {
        [] => None,
        [id] => Some(id.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
    });
    runs.reduce(|ids, next| format!("{ids} {next}"))
}

/// Whether a lot lacks a price that its cost or proceeds need.
fn lacks_price(lot: &Lot) -> bool {
    lot.price.is_none() && lot.kind != LotKind::Send
}

/// A lot in the words of `wallet add`.
fn describe(lot: &Lot, addresses: &[WalletAddress]) -> String {
    let Lot { kind, coin, amount, price, fee, currency, date, note, address, .. } = lot;
    let name: &Text = coin.slug.as_ref().unwrap_or(&coin.symbol);
    let mut words = format!("{} {amount} {name}", kind.as_str());
    match price {
        Some(LotPrice::Unit(unit)) => words += &format!(" @ {unit} {currency}"),
        Some(LotPrice::Total(total)) => words += &format!(" @@ {total} {currency}"),
        None => {}
    }
    if let Some(fee) = fee {
        // Without a price, the currency isn't shown elsewhere.
        let code = if price.is_none() { format!(" {currency}") } else { String::new() };
        words += &format!(" fee {fee}{code}");
    }
    words += &format!(" {date}");
    if let Some(address) = address {
        words += &format!(" {}", entry::address_text(address, addresses));
    }
    if let Some(note) = note {
        words += &format!(" \"{note}\"");
    }
    if lacks_price(lot) {
        words += " (no price)";
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_names_ids_in_runs() {
        let undo = |ids: &[i64]| undo_sentence(ids.iter().copied().map(LotId).collect());
        assert_eq!(undo(&[]), None);
        let sentence = undo(&[9, 2, 3, 5, 4]).unwrap();
        assert_eq!(sentence, "imported 5 lots (to undo: satscope wallet remove 2-5 9)");
        assert_eq!(undo(&[7]).unwrap(), "imported 1 lot (to undo: satscope wallet remove 7)");
    }

    #[test]
    fn lines_are_named_in_runs() {
        for (lines, text) in [
            (vec![4], "line 4"),
            (vec![4, 5], "lines 4, 5"),
            (vec![9, 2, 3, 4, 4], "lines 2–4, 9"),
            ((0..20).map(|line| 2 * line).collect(), "20 lines (0, 2, 4, 6, …)"),
        ] {
            assert_eq!(ranges("line", lines), text);
        }
    }
}
