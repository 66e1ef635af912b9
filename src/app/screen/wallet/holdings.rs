//! The holdings of the wallet tab, above its watched coins.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::client::Request;
use crate::model::{CoinId, Identity, Text};
use crate::portfolio::{Holding, HoldingValue, LotState, Valuation};
use crate::user_data::{Lot, LotId, Watched};

/// The holdings with their values, and which of them show their lots.
#[derive(Debug, Default)]
pub struct Holdings {
    costed: CostedLots,
    valuation: Valuation,
    coins: HeldCoins,
    /// Identities of the holdings that show their lots.
    expanded: HashSet<Text>,
}

/// The lots, and what follows from them without prices.
#[derive(Debug, Default)]
pub struct CostedLots {
    /// The lots by number.
    pub lots: Vec<Lot>,
    /// How many addresses the wallet has. Their balances are not among the holdings.
    pub addresses: usize,
    /// The holdings with their cost.
    pub holdings: Vec<Arc<Holding>>,
    /// The request for the prices of the holdings by id; `None` if none of them has one.
    pub prices: Option<Request>,
    /// The requests for the exchange rates on the days of the lots.
    pub rates: Vec<Request>,
}

/// The known coins of the holdings, by the identity of the holding.
pub type HeldCoins = HashMap<Text, HeldCoin>;

/// The coin of a holding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCoin {
    /// Its id at the service.
    pub id: CoinId,
    /// Its name.
    pub name: Text,
}

/// A row of the wallet tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletLine {
    /// What it shows.
    pub kind: LineKind,
    pub(super) key: Text,
}

/// What a row of the wallet tab shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// The holding with this index.
    Holding(usize),
    /// A lot of the holding with the first index; the second is its index among the holding's lots.
    Lot(usize, usize),
    /// The watched row with this index.
    Watched(usize),
}

impl Identity for WalletLine {
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.key))
    }
}

impl Holdings {
    /// The lots by number.
    pub fn lots(&self) -> &[Lot] {
        &self.costed.lots
    }

    /// The values, highest first.
    pub fn valuation(&self) -> &Valuation {
        &self.valuation
    }

    /// The lots, and what follows from them without prices.
    pub fn costed(&self) -> &CostedLots {
        &self.costed
    }

    /// The coin of a holding, if it is known.
    pub fn coin(&self, holding: &HoldingValue) -> Option<&HeldCoin> {
        self.coins.get(&key(&holding.holding.coin))
    }

    /// The known coins of all holdings.
    pub fn coins(&self) -> impl Iterator<Item = &HeldCoin> {
        self.coins.values()
    }

    /// The lot with a number.
    pub fn lot(&self, id: LotId) -> Option<&Lot> {
        self.lots().iter().find(|lot| lot.id == id)
    }

    /// A holding by its index.
    pub fn holding(&self, index: usize) -> Option<&HoldingValue> {
        self.valuation.holdings.get(index)
    }

    /// A lot of a holding: the lot, and what is left of it.
    pub fn lot_of(&self, holding: usize, index: usize) -> Option<(&Lot, &LotState)> {
        let state = self.holding(holding)?.holding.lots.get(index)?;
        Some((self.lot(state.id)?, state))
    }

    /// Whether a holding shows its lots.
    pub fn is_expanded(&self, holding: &HoldingValue) -> bool {
        self.expanded.contains(&key(&holding.holding.coin))
    }

    /// Shows or hides the lots of a holding.
    pub fn expand(&mut self, index: usize, expand: bool) {
        let Some(key) = self.holding(index).map(|holding| key(&holding.holding.coin)) else { return };
        if expand {
            self.expanded.insert(key)
        } else {
            self.expanded.remove(&key)
        };
    }

    /// Replaces the lots. Their values follow.
    pub fn set_lots(&mut self, costed: CostedLots) {
        self.costed = costed;
    }

    /// Replaces the values. Holdings without a price come last.
    pub fn set_values(&mut self, mut valuation: Valuation, coins: HeldCoins) {
        valuation.holdings.sort_by(|a, b| b.value.cmp(&a.value));
        (self.valuation, self.coins) = (valuation, coins);
    }

    /// The rows: each holding, followed by its lots if it is expanded.
    pub(super) fn lines(&self) -> Vec<WalletLine> {
        let mut lines = Vec::new();
        for (index, holding) in self.valuation.holdings.iter().enumerate() {
            let key = key(&holding.holding.coin);
            lines.push(WalletLine { kind: LineKind::Holding(index), key });
            if self.is_expanded(holding) {
                let lots = holding.holding.lots.iter().enumerate();
                lines.extend(lots.map(|(place, lot)| WalletLine {
                    kind: LineKind::Lot(index, place),
                    key: compact_str::format_compact!("lot {}", lot.id),
                }));
            }
        }
        lines
    }
}

/// The identity of a holding. The prefix separates it from a watched coin's.
pub(crate) fn key(coin: &Watched) -> Text {
    let name = coin.slug.as_ref().or(coin.id.as_ref()).unwrap_or(&coin.symbol);
    compact_str::format_compact!("holding {name}")
}
