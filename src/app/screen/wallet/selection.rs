//! The selected row after a row is removed or restored.

use crate::model::Text;
use crate::user_data::{LotId, Watched};

use super::WalletScreen;
use super::holdings::{LineKind, WalletLine, lot_key};
use super::order::row_key;

impl WalletScreen {
    /// The row to select after the selected lot or address is removed: the next one, or else the one before it. Among
    /// several lots of a holding, the selection stays; and no watched coin takes the place of a holding.
    pub(in crate::app) fn neighbour(&self) -> Option<Text> {
        let (lines, here, selected) = (self.lines(), self.cursor.index(), self.line()?);
        let several = |holding| self.holdings.holding(holding).is_some_and(|held| held.holding.lots.len() > 1);
        let lots = match selected {
            LineKind::Lot(holding, _) => Some(holding).filter(|holding| several(*holding)),
            _ => None,
        };
        // The first removed row, and which of those after it are removed, too.
        let is_removed = |line: &&WalletLine| match (selected, line.kind) {
            (LineKind::Holding(own) | LineKind::Lot(own, _), LineKind::Lot(other, _)) => lots.is_none() && own == other,
            (LineKind::Address(_), other) => !matches!(other, LineKind::Address(_) | LineKind::Watched(_)),
            _ => false,
        };
        let first = match selected {
            LineKind::Lot(holding, _) if lots.is_none() => {
                lines.iter().position(|line| line.kind == LineKind::Holding(holding)).unwrap_or(here)
            }
            _ => here,
        };
        let end = first + 1 + lines.iter().skip(first + 1).take_while(is_removed).count();
        let is_near = |line: &&WalletLine| match (lots, line.kind) {
            (_, LineKind::Watched(_)) => false,
            (Some(own), kind) => matches!(kind, LineKind::Lot(other, _) if own == other),
            (None, _) => true,
        };
        let before = || lines.get(first.checked_sub(1)?);
        lines.get(end).filter(is_near).or_else(before).map(|line| line.key.clone())
    }

    /// The holding whose only lot is selected. It stays after the lot is removed if its address has a balance.
    pub(in crate::app) fn holding_of_only_lot(&self) -> Option<Text> {
        let (LineKind::Holding(index) | LineKind::Lot(index, _)) = self.line()? else { return None };
        let held = self.holdings.holding(index).filter(|held| held.holding.lots.len() == 1)?;
        Some(row_key(&held.holding))
    }

    /// Selects the row with this key, if there is one.
    pub(in crate::app) fn select_row(&mut self, key: Option<Text>) {
        let lines = &self.lines;
        if let Some(place) = key.and_then(|key| lines.iter().position(|line| line.key == key)) {
            self.cursor.select(place, lines.len(), |line| lines.get(line));
        }
    }

    /// The row of a lot, or of its holding if that hides its lots.
    pub(in crate::app) fn row_of_lot(&self, id: LotId) -> Option<Text> {
        let all = &self.holdings.valuation().holdings;
        let held = all.iter().find(|held| held.holding.lots.iter().any(|lot| lot.id == id))?;
        Some(match self.holdings.is_expanded(held) {
            true => lot_key(id, held.holding.address.as_ref()),
            false => row_key(&held.holding),
        })
    }

    /// The row of an address.
    pub(in crate::app) fn row_of_address(&self, address: &Text) -> Option<Text> {
        let is_it = |line: &&WalletLine| match line.kind {
            LineKind::Address(index) => {
                self.holdings.addresses().get(index).is_some_and(|held| held.entry.address == *address)
            }
            _ => false,
        };
        self.lines.iter().find(is_it).map(|line| line.key.clone())
    }

    /// The first row of a watched coin.
    pub(in crate::app) fn row_of_watched(&self, coin: &Watched) -> Option<Text> {
        let is_it = |line: &&WalletLine| match line.kind {
            LineKind::Watched(index) => self.rows.get(index).is_some_and(|row| row.watched.is_same(coin)),
            _ => false,
        };
        self.lines.iter().find(is_it).map(|line| line.key.clone())
    }
}
