//! The lots of a file with the coins that it names.

use std::collections::BTreeSet;

use jiff::civil::Date;

use super::coins::Coins;
use super::draft::{Draft, Format, Problem};
use super::found::Found;
use super::row_error::RowError;
use crate::config::Settings;
use crate::model::Coin;
use crate::portfolio::entry;
use crate::user_data::{Lot, LotId, Watched};

/// The lots of a file whose coins are known.
pub(super) struct Matched {
    pub(super) found: Vec<Found>,
    /// The lines whose coin is unknown or ambiguous.
    pub(super) problems: Vec<Problem>,
    /// The names of entries that are not coins, such as stocks.
    pub(super) not_coins: BTreeSet<String>,
}

/// Finds the coins of lots in the list of all coins.
pub(super) fn match_coins(
    format: Format,
    drafts: Vec<Draft>,
    coins: &mut Coins<'_>,
    all: &[Coin],
    today: Date,
    settings: &Settings,
) -> Matched {
    let mut matched = Matched { found: Vec::new(), problems: Vec::new(), not_coins: BTreeSet::new() };
    for draft in drafts {
        let coin = match format {
            Format::Ticker => coins.find_numbered(&draft.coin, all),
            Format::CointopConfig => coins.find_titled(&draft.coin, all),
            _ => coins.find(&draft.coin, all),
        };
        match coin {
            Ok(coin) => matched.found.push(Found {
                line: draft.line,
                time: draft.time,
                transfer: draft.transfer.clone(),
                has_date: draft.date.is_some(),
                has_currency: draft.currency.is_some(),
                has_cut_note: draft.note.as_ref().is_some_and(|note| entry::cut_note(note).1 > 0),
                lot: lot(draft, coin, today, settings),
            }),
            // Files of ticker contain stocks, too.
            Err(RowError::UnknownCoin(name)) if format == Format::Ticker => drop(matched.not_coins.insert(name)),
            Err(RowError::UnknownCoin(name)) if format == Format::CoinTracking && has_number(&name) => {
                matched.problems.push(Problem::new(draft.line, RowError::UnknownCode(name)));
            }
            Err(reason) => matched.problems.push(Problem::new(draft.line, reason)),
        }
    }
    matched
}

/// Whether a symbol ends with a number, such as CoinTracking's `SOL2`.
fn has_number(symbol: &str) -> bool {
    symbol.starts_with(|char: char| char.is_alphabetic()) && symbol.ends_with(|char: char| char.is_ascii_digit())
}

/// The lot of a draft, without an ID; today's if it has no date.
pub(super) fn lot(draft: Draft, coin: Watched, today: Date, settings: &Settings) -> Lot {
    let Draft { line: _, kind, coin: _, amount, price, fee, currency, date, time: _, note, address, transfer: _ } =
        draft;
    let currency = currency.unwrap_or_else(|| settings.display.convert.clone());
    let note = note.and_then(|note| entry::cut_note(&note).0);
    Lot { id: LotId::default(), kind, coin, amount, price, fee, currency, date: date.unwrap_or(today), note, address }
}
