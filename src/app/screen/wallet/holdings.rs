//! The holdings of the wallet tab, above its watched coins.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem;
use std::sync::Arc;

use crate::client::Request;
use crate::model::{BitcoinBalance, CoinId, Decimal, Identity, Text, address};
use crate::portfolio::wallet::{BITCOIN, KnownAddress, TokenBalance};
use crate::portfolio::{Holding, HoldingValue, LotState, Unvalued, Valuation};
use crate::user_data::{Lot, LotId, WalletAddress, Watched};

use super::order::{HoldingSort, key, row_key};

/// The holdings with their values, and which of them show their lots.
#[derive(Debug, Default)]
pub struct Holdings {
    costed: CostedLots,
    valuation: Valuation,
    coins: HeldCoins,
    /// Identities of the holdings that show their lots.
    expanded: HashSet<Text>,
    /// Addresses that don't show their balances.
    collapsed: HashSet<Text>,
    order: HoldingSort,
    manual_order: Vec<Text>,
}

/// Lots and their values.
pub(in crate::app) type HoldingValues = (CostedLots, Valuation, HeldCoins);

/// The lots, and everything computed from them without prices.
#[derive(Debug, Default)]
pub struct CostedLots {
    /// The lots by number.
    pub lots: Vec<Lot>,
    /// The addresses, in the order they were added.
    pub addresses: Vec<HeldAddress>,
    /// The holdings with their cost.
    pub holdings: Vec<Arc<Holding>>,
    /// The holdings that the value chart needs: all but those sold before it starts.
    pub charted: Vec<Arc<Holding>>,
    /// The requests for the prices of the holdings by id; none if no holding has one.
    pub prices: Vec<Request>,
    /// The requests for the exchange rates on the days of the lots.
    pub rates: Vec<Request>,
    /// The requests for the coins of the addresses' tokens: pages of the BRC-20 list, and details of tokens whose deploy
    /// inscription identifies the coin.
    pub tokens: Vec<Request>,
}

/// An address of the wallet with its balances.
#[derive(Clone, Debug)]
pub struct HeldAddress {
    /// The address and its label.
    pub entry: WalletAddress,
    /// The request for its balances.
    pub request: Request,
    /// The balances of the address; `None` if they are unknown.
    pub tokens: Option<Vec<TokenBalance>>,
    /// How many more tokens it has than the indexer returns at once.
    pub more: u64,
    /// The request for its bitcoin balance.
    pub bitcoin_request: Request,
    /// The bitcoin balance, if it is known.
    pub bitcoin: Option<BitcoinBalance>,
}

impl HeldAddress {
    /// The label, or the beginning and the end of the address.
    pub fn name(&self) -> Cow<'_, str> {
        match &self.entry.label {
            Some(label) => Cow::Borrowed(label),
            None => Cow::Owned(address::short(&self.entry.address)),
        }
    }

    /// The address as the valuation needs it. `lacks_bitcoin` is whether the service has no bitcoin balances.
    pub fn known(&self, lacks_bitcoin: bool) -> KnownAddress<'_> {
        KnownAddress {
            address: &self.entry.address,
            name: Text::from(self.name()),
            tokens: self.tokens.as_deref(),
            is_complete: self.more == 0,
            bitcoin: self.bitcoin.as_ref(),
            lacks_bitcoin,
        }
    }

    /// Whether a balance's coin may not be loaded yet.
    pub fn lacks_coins(&self) -> bool {
        let is_missing = |token: &TokenBalance| {
            matches!(token.coin, Err(Unvalued::NotLoaded | Unvalued::NoCoin | Unvalued::NoDetails))
        };
        self.tokens.iter().flatten().any(is_missing)
    }

    /// The balances whose coin or amount is unknown.
    pub fn unvalued(&self) -> impl Iterator<Item = (usize, &TokenBalance)> {
        let all = self.tokens.iter().flatten().enumerate();
        all.filter(|(_, token)| !token.is_known())
    }

    /// The known balances by ticker; [`BITCOIN`] is the bitcoin balance.
    pub fn balances(&self) -> BTreeMap<Text, Decimal> {
        let all = self.tokens.iter().flatten();
        let tokens = all.filter_map(|token| Some((token.balance.ticker.clone()?, token.balance.overall?.into())));
        let bitcoin = self.bitcoin.as_ref().map(|balance| (BITCOIN, balance.bitcoin()));
        tokens.chain(bitcoin).collect()
    }

    /// The balance of a coin.
    pub fn token(&self, coin: &Watched) -> Option<&TokenBalance> {
        self.tokens.iter().flatten().find(|token| token.coin.as_ref().is_ok_and(|own| own.is_same(coin)))
    }
}

/// The known coins of the holdings, by the identity of the holding.
pub type HeldCoins = HashMap<Text, HeldCoin>;

/// The name of a coin, or its symbol.
fn name(coins: &HeldCoins, coin: &Watched) -> String {
    coins.get(&key(coin)).map_or(&coin.symbol, |coin| &coin.name).to_string()
}

/// The coin of a holding.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldCoin {
    /// The coin's id at the service.
    pub id: CoinId,
    /// The coin's name.
    pub name: Text,
    /// The coin's volume over 24 hours in the wallet's currency, if known.
    pub volume_24h: Option<f64>,
    /// Whether its price is old, although others are new.
    pub has_old_price: bool,
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
    /// The holding with this index: of lots, or a balance of the address above it.
    Holding(usize),
    /// A lot of the holding with the first index; the second is its index among the holding's lots.
    Lot(usize, usize),
    /// The address with this index.
    Address(usize),
    /// A balance without a value of the address with the first index; the second is its index among the balances.
    Unvalued(usize, usize),
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

    /// The lots, and everything computed from them without prices.
    pub fn costed(&self) -> &CostedLots {
        &self.costed
    }

    /// The coin of a holding, if it is known.
    pub fn coin(&self, holding: &HoldingValue) -> Option<&HeldCoin> {
        self.coins.get(&key(&holding.holding.coin))
    }

    /// Whether a holding is worth more than its coin's daily volume, so that it could hardly be sold at its price.
    pub fn is_thin(&self, holding: &HoldingValue) -> bool {
        holding.is_thin(self.coin(holding).and_then(|coin| coin.volume_24h))
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

    /// A lot of a holding, and its unsold part.
    pub fn lot_of(&self, holding: usize, index: usize) -> Option<(&Lot, &LotState)> {
        let state = self.holding(holding)?.holding.lots.get(index)?;
        Some((self.lot(state.id)?, state))
    }

    /// The addresses.
    pub fn addresses(&self) -> &[HeldAddress] {
        &self.costed.addresses
    }

    /// The value of an address; `None` if nothing there has a price.
    pub fn address_value(&self, address: &HeldAddress) -> Option<Decimal> {
        let mut values = self.at(Some(&address.entry.address)).filter_map(|(_, held)| held.value.as_ref()).peekable();
        values.peek()?;
        Some(values.cloned().sum())
    }

    /// The holdings at an address, or of lots elsewhere, with their indices.
    fn at(&self, address: Option<&Text>) -> impl Iterator<Item = (usize, &HoldingValue)> {
        let all = self.valuation.holdings.iter().enumerate();
        all.filter(move |(_, held)| held.holding.address.as_ref() == address)
    }

    /// Whether a holding shows its lots.
    pub fn is_expanded(&self, holding: &HoldingValue) -> bool {
        self.expanded.contains(&row_key(&holding.holding))
    }

    /// Whether an address shows its balances.
    pub fn shows_balances(&self, address: &HeldAddress) -> bool {
        !self.collapsed.contains(&address.entry.address)
    }

    /// Shows or hides the balances of an address.
    pub fn show_balances(&mut self, index: usize, show: bool) {
        let Some(address) = self.addresses().get(index).map(|held| held.entry.address.clone()) else { return };
        if show {
            self.collapsed.remove(&address)
        } else {
            self.collapsed.insert(address)
        };
    }

    /// Shows or hides the lots of a holding.
    pub fn expand(&mut self, index: usize, expand: bool) {
        let Some(key) = self.holding(index).map(|holding| row_key(&holding.holding)) else { return };
        if expand {
            self.expanded.insert(key)
        } else {
            self.expanded.remove(&key)
        };
    }

    /// Sets the lots and their values, but not the state of their rows.
    pub(super) fn take_values(&mut self) -> HoldingValues {
        (mem::take(&mut self.costed), mem::take(&mut self.valuation), mem::take(&mut self.coins))
    }

    /// Replaces the lots. Their values follow.
    pub fn set_lots(&mut self, costed: CostedLots) {
        self.costed = costed;
    }

    /// The order of the holdings, and the keys of their rows in the manual order.
    pub fn order(&self) -> (HoldingSort, &[Text]) {
        (self.order, &self.manual_order)
    }

    /// Sorts the holdings. Without keys, the last manual order is kept.
    pub fn set_order(&mut self, order: HoldingSort, manual_order: Option<Vec<Text>>) {
        self.order = order;
        self.manual_order = manual_order.unwrap_or_else(|| std::mem::take(&mut self.manual_order));
        self.order.sort(&mut self.valuation.holdings, &self.manual_order, |coin| name(&self.coins, coin));
    }

    /// The keys of the holdings' rows, without rows of addresses, in their order.
    pub(super) fn keys(&self) -> Vec<Text> {
        self.at(None).map(|(_, held)| row_key(&held.holding)).collect()
    }

    /// Replaces the values, and sorts the holdings.
    pub fn set_values(&mut self, mut valuation: Valuation, coins: HeldCoins) {
        self.order.sort(&mut valuation.holdings, &self.manual_order, |coin| name(&coins, coin));
        (self.valuation, self.coins) = (valuation, coins);
    }

    /// The rows: each holding, followed by its lots if it is expanded; and each address, followed by its balances. They
    /// are sorted together by value; in other orders, the addresses come last, in the order they were added.
    pub(super) fn lines(&self) -> Vec<WalletLine> {
        let mut lines = Vec::new();
        let mut elsewhere = self.at(None).peekable();
        let addresses = self.addresses().iter().map(|held| self.address_value(held)).enumerate();
        let mut addresses: Vec<(usize, Option<Decimal>)> = addresses.collect();
        let compare = |a: Option<&Decimal>, b: Option<&Decimal>| self.order.compare_values(a, b);
        addresses.sort_by(|(_, a), (_, b)| compare(a.as_ref(), b.as_ref()).unwrap_or(Ordering::Equal));
        for (index, value) in addresses {
            let is_before = |held: &HoldingValue| {
                compare(held.value.as_ref(), value.as_ref()).is_none_or(|ordering| ordering != Ordering::Greater)
            };
            while let Some((index, holding)) = elsewhere.next_if(|(_, held)| is_before(held)) {
                self.add_holding(index, holding, &mut lines);
            }
            let Some(held) = self.addresses().get(index) else { continue };
            let address = &held.entry.address;
            let key = compact_str::format_compact!("address {address}");
            lines.push(WalletLine { kind: LineKind::Address(index), key });
            if self.shows_balances(held) {
                self.at(Some(address)).for_each(|(index, holding)| self.add_holding(index, holding, &mut lines));
                lines.extend(held.unvalued().map(|(place, token)| WalletLine {
                    kind: LineKind::Unvalued(index, place),
                    key: compact_str::format_compact!("balance {address} {:?}", token.balance.ticker),
                }));
            }
        }
        elsewhere.for_each(|(index, holding)| self.add_holding(index, holding, &mut lines));
        lines
    }

    fn add_holding(&self, index: usize, holding: &HoldingValue, lines: &mut Vec<WalletLine>) {
        lines.push(WalletLine { kind: LineKind::Holding(index), key: row_key(&holding.holding) });
        if self.is_expanded(holding) {
            let lots = holding.holding.lots.iter().enumerate();
            lines.extend(lots.map(|(place, lot)| WalletLine {
                kind: LineKind::Lot(index, place),
                key: lot_key(lot.id, holding.holding.address.as_ref()),
            }));
        }
    }
}

/// The key of a lot's row: a lot may be divided among places.
pub(super) fn lot_key(id: LotId, address: Option<&Text>) -> Text {
    match address {
        Some(address) => compact_str::format_compact!("lot {id} at {address}"),
        None => compact_str::format_compact!("lot {id}"),
    }
}
