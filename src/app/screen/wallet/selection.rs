//! The selected row: restoring it from an earlier session, and the row after one is removed or restored.

use crate::model::Text;
use crate::user_data::{LotId, Watched};

use super::WalletScreen;
use super::holdings::{LineKind, WalletLine, lot_key};
use super::order::{row_key, watched_key};

impl WalletScreen {
    /// Selects the row of an earlier session as soon as it is shown, unless the user acts on another one before.
    pub(in crate::app) fn restore_row(&mut self, key: Text) {
        if self.cursor.index() == 0 {
            self.restored = Some(key);
            self.select_restored();
        }
    }

    /// The row to select at the next start. `None` in the first row: the user is at the top, regardless of the row
    /// there. A restored row that has not been found stays until the user selects another one.
    pub(in crate::app) fn saved_row(&self) -> Option<Text> {
        let selected = || self.lines.get(self.cursor.index()).filter(|_| self.cursor.index() > 0);
        self.restored.clone().or_else(|| selected().map(|line| self.saved_key(line)))
    }

    /// Keeps the selection on its row from now on: the user acts on it.
    pub(in crate::app) fn hold_selection(&mut self) {
        if let Some(line) = self.lines.get(self.cursor.index()) {
            self.is_acted_on = true;
            if self.restored.as_ref().is_some_and(|key| self.saved_key(line) == *key) {
                self.restored = None;
            }
        }
    }

    /// Selects the row of an earlier session if it is shown.
    pub(super) fn select_restored(&mut self) {
        let Some(key) = self.restored.as_ref().filter(|_| !self.is_acted_on) else { return };
        let lines = &self.lines;
        if let Some(place) = lines.iter().position(|line| self.saved_key(line) == *key) {
            self.cursor.select(place, lines.len(), |line| lines.get(line));
        }
    }

    /// The identity of a row in the session. A lot has the identity of its holding, since no holding shows its lots at
    /// the start; a watched coin has the identity of its entry, since its series may not be loaded then.
    fn saved_key(&self, line: &WalletLine) -> Text {
        let saved = match line.kind {
            LineKind::Lot(index, _) => self.holdings.holding(index).map(|held| row_key(&held.holding)),
            LineKind::Watched(index) => self.rows.get(index).map(|row| watched_key(&row.watched)),
            LineKind::Holding(_) | LineKind::Address(_) | LineKind::Unvalued(..) => None,
        };
        saved.unwrap_or_else(|| line.key.clone())
    }

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
            (LineKind::Address(_), LineKind::Holding(other) | LineKind::Lot(other, _)) => {
                self.holdings.holding(other).and_then(|held| self.address_of(held)) == Some(selected)
            }
            (LineKind::Address(own), LineKind::Unvalued(other, _)) => own == other,
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
            self.restored = None;
            self.cursor.select(place, lines.len(), |line| lines.get(line));
        }
    }

    /// The row of a lot, or of its holding if that hides its lots.
    pub(in crate::app) fn row_of_lot(&self, id: LotId) -> Option<Text> {
        let all = &self.holdings.valuation().holdings;
        let held = all.iter().find(|held| held.holding.lots.iter().any(|lot| lot.id == id))?;
        Some(if self.holdings.is_expanded(held) {
            lot_key(id, held.holding.address.as_ref())
        } else {
            row_key(&held.holding)
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
