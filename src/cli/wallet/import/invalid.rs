//! Invalid lines, and the lots that are skipped with them: a trade is imported as a whole or not at all, and a sale
//! only if the imported lots cover it.

use std::collections::{BTreeSet, HashSet};

use super::draft::{CoinName, Problem};
use super::found::Found;
use super::row_error::RowError;
use crate::model::{Decimal, Text};
use crate::user_data::{Lot, Watched};

/// The invalid lines of a file.
pub(super) struct Invalid {
    /// Why lines are invalid, in their order.
    pub(super) problems: Vec<Problem>,
    /// Invalid lines that also have valid lots.
    pub(super) trades: BTreeSet<u64>,
    /// Valid lines that sell more of a coin than is left without the invalid ones.
    pub(super) uncovered: Vec<(Text, u64)>,
    /// The number of valid lots that are skipped.
    valid_lots: usize,
}

impl Invalid {
    pub(super) fn of(mut problems: Vec<Problem>) -> Invalid {
        problems.sort_by_key(|problem| problem.line);
        // Both lots of a trade may lack their coin.
        problems.dedup();
        Invalid { problems, trades: BTreeSet::new(), uncovered: Vec::new(), valid_lots: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.problems.is_empty()
    }

    /// The invalid lines.
    pub(super) fn lines(&self) -> BTreeSet<u64> {
        self.problems.iter().map(|problem| problem.line).collect()
    }

    /// The number of skipped lots. A line that can't be read counts as one.
    pub(super) fn lots(&self) -> usize {
        self.problems.len() + self.valid_lots
    }

    /// Whether all other lines are known: an open quote hides those after it.
    pub(super) fn can_be_skipped(&self) -> bool {
        self.problems.iter().all(|problem| problem.reason != RowError::OpenQuote)
    }

    /// The coins that unreadable lines add to the wallet.
    pub(super) fn bought(&self) -> impl Iterator<Item = &CoinName> {
        self.problems.iter().filter_map(|problem| problem.bought.as_ref())
    }

    /// Removes the lots of invalid lines. Returns the coins that they add to the wallet.
    pub(super) fn take_trades(&mut self, found: &mut Vec<Found>) -> Vec<Watched> {
        let lines = self.lines();
        let taken: Vec<Found> = found.extract_if(.., |found| lines.contains(&found.line)).collect();
        self.valid_lots += taken.len();
        self.trades.extend(taken.iter().map(|found| found.line));
        taken.into_iter().filter(|found| found.lot.kind.adds()).map(|found| found.lot.coin).collect()
    }

    /// Removes the lines that sell more of the coins in `bought` than the other lots hold at that time, and the sales
    /// that need what those lines buy: their cost would be wrong.
    pub(super) fn take_uncovered(&mut self, new: &mut Vec<Found>, mut bought: HashSet<Watched>, lots: &[Lot]) {
        // A line that can't be read may have bought any coin.
        let is_any = self.problems.iter().any(|it| matches!(it.reason, RowError::Cells { .. } | RowError::NotText));
        if bought.is_empty() && !is_any {
            return;
        }
        let mut entries: Vec<(u64, &Lot)> = lots.iter().map(|lot| (0, lot)).collect();
        entries.extend(new.iter().map(|found| (found.line, &found.lot)));
        entries.sort_by_key(|(_, lot)| lot.date);
        let mut held = Held::default();
        let mut skipped = BTreeSet::new();
        // The lots of a line count together.
        for line in entries.chunk_by(|(one, _), (next, _)| one == next && *one != 0) {
            line.iter().filter(|(_, lot)| lot.kind.adds()).for_each(|(_, lot)| held.add(lot));
            line.iter().filter(|(_, lot)| !lot.kind.adds()).for_each(|(_, lot)| held.remove(lot));
            let uncovered = line.iter().find(|(line, lot)| {
                *line != 0
                    && !lot.kind.adds()
                    && (is_any || bought.iter().any(|coin| coin.is_same(&lot.coin)))
                    && held.is_short(&lot.coin)
            });
            let Some((number, lot)) = uncovered else { continue };
            skipped.insert(*number);
            self.uncovered.push((lot.coin.symbol.clone(), *number));
            self.valid_lots += line.len();
            line.iter().filter(|(_, lot)| !lot.kind.adds()).for_each(|(_, lot)| held.add(lot));
            line.iter().filter(|(_, lot)| lot.kind.adds()).for_each(|(_, lot)| held.remove(lot));
            bought.extend(line.iter().filter(|(_, lot)| lot.kind.adds()).map(|(_, lot)| lot.coin.clone()));
        }
        new.retain(|found| !skipped.contains(&found.line));
    }
}

/// The amounts of coins at a time; negative if more was sold than bought.
#[derive(Default)]
struct Held(Vec<(Watched, Decimal)>);

impl Held {
    fn add(&mut self, lot: &Lot) {
        self.change(&lot.coin, Decimal::from(lot.amount));
    }

    fn remove(&mut self, lot: &Lot) {
        self.change(&lot.coin, -Decimal::from(lot.amount));
    }

    fn change(&mut self, coin: &Watched, amount: Decimal) {
        match self.0.iter_mut().find(|(known, _)| known.is_same(coin)) {
            Some((_, held)) => *held = amount + &*held,
            None => self.0.push((coin.clone(), amount)),
        }
    }

    fn is_short(&self, coin: &Watched) -> bool {
        self.0.iter().any(|(known, held)| known.is_same(coin) && held.is_negative())
    }
}
