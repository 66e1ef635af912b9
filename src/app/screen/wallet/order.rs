//! The order of the holdings and the watched coins.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use crate::app::screen::known_values::compare_known;
use crate::model::{Decimal, Text};
use crate::portfolio::{Holding, HoldingValue};
use crate::user_data::Watched;

/// The sort key of the holdings, and of the watched coins if they have it ([`Order::is_of_watched`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Name, from A.
    Name,
    /// Price, highest first.
    Price,
    /// Value, highest first.
    #[default]
    Value,
    /// Change over 24 hours, largest first.
    Change,
    /// Profit, largest first.
    Profit,
    /// Profit in percent of the cost, largest first.
    ProfitPct,
    /// By hand.
    Manual,
}

/// An order and its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HoldingSort {
    /// The sort key of the holdings.
    pub by: Order,
    /// Whether the default direction is reversed. Holdings without a value come last either way.
    pub is_reversed: bool,
    /// Whether the watched coins are in the manual order, whatever the order of the holdings.
    pub has_manual_watchlist: bool,
}

/// The sort key of a watched coin, as shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WatchedFigures {
    /// The name in the row.
    pub name: Text,
    /// The price in the row.
    pub price: Option<f64>,
    /// The change over the shown period, percent.
    pub change_pct: Option<f64>,
}

impl Order {
    /// All orders, in the order of the menu and of the columns on the screen.
    pub const ALL: [Order; 7] =
        [Order::Name, Order::Price, Order::Value, Order::Change, Order::Profit, Order::ProfitPct, Order::Manual];

    /// Whether watched coins are sorted by it. In other orders, they keep the order of the watchlist.
    pub fn is_of_watched(self) -> bool {
        matches!(self, Order::Name | Order::Price | Order::Change | Order::Manual)
    }

    /// The name in the session.
    pub fn as_str(self) -> &'static str {
        match self {
            Order::Name => "name",
            Order::Price => "price",
            Order::Value => "value",
            Order::Change => "change",
            Order::Profit => "profit",
            Order::ProfitPct => "profit-pct",
            Order::Manual => "hand",
        }
    }

    /// The key in the menu, and the title there.
    pub fn title(self) -> (char, &'static str) {
        match self {
            Order::Name => ('n', "name"),
            Order::Price => ('p', "price"),
            Order::Value => ('v', "value"),
            Order::Change => ('d', "24h"),
            Order::Profit => ('r', "profit"),
            Order::ProfitPct => ('%', "profit %"),
            Order::Manual => ('h', "manual order"),
        }
    }

    /// Label of the reversed direction, appended to a sentence: `, losers first`.
    pub fn reversed_label(self) -> &'static str {
        match self {
            Order::Name => ", Z to A",
            Order::Change => ", losers first",
            Order::Manual => ", bottom first",
            _ => ", lowest first",
        }
    }
}

impl From<Order> for HoldingSort {
    /// The default direction.
    fn from(by: Order) -> HoldingSort {
        HoldingSort { by, is_reversed: false, has_manual_watchlist: false }
    }
}

/// Prefix of its name in the session if it is reversed.
const REVERSED: &str = "reversed-";

/// End of its name in the session if the watched coins are in the manual order.
const MANUAL_WATCHLIST: &str = "+watchlist-hand";

impl HoldingSort {
    /// The name in the session.
    pub fn name(self) -> String {
        let watchlist = if self.has_manual_watchlist { MANUAL_WATCHLIST } else { "" };
        format!("{}{}{watchlist}", if self.is_reversed { REVERSED } else { "" }, self.by.as_str())
    }

    /// The order with this name.
    pub fn parse(name: &str) -> Option<HoldingSort> {
        let (is_reversed, name) = name.strip_prefix(REVERSED).map_or((false, name), |name| (true, name));
        let (has_manual_watchlist, name) =
            name.strip_suffix(MANUAL_WATCHLIST).map_or((false, name), |name| (true, name));
        let by = Order::ALL.into_iter().find(|order| order.as_str() == name)?;
        Some(HoldingSort { by, is_reversed, has_manual_watchlist })
    }

    /// The other direction.
    #[must_use]
    pub fn reversed(self) -> HoldingSort {
        HoldingSort { is_reversed: !self.is_reversed, ..self }
    }

    /// The order after another sort key was chosen. If watched coins aren't sorted by it, they stay in the manual order.
    #[must_use]
    pub fn chosen(self, by: Order) -> HoldingSort {
        HoldingSort { has_manual_watchlist: self.has_manual_watchlist && !by.is_of_watched(), ..by.into() }
    }

    /// The order of the watched coins.
    #[must_use]
    pub fn of_watchlist(self) -> HoldingSort {
        if self.has_manual_watchlist { Order::Manual.into() } else { self }
    }

    /// Sorts the holdings. In the manual order, `manual_order` has the keys of their rows, and others come last.
    /// Holdings without a value come last in either direction. `name` returns a coin's name on the screen. Among
    /// equals, the highest value comes first.
    pub(super) fn sort(self, holdings: &mut [HoldingValue], manual_order: &[Text], name: impl Fn(&Watched) -> String) {
        holdings.sort_by(|a, b| b.value.cmp(&a.value));
        match self.by {
            Order::Name => {
                let name = |held: &HoldingValue| name(&held.holding.coin).to_lowercase();
                if self.is_reversed {
                    holdings.sort_by_cached_key(|held| Reverse(name(held)));
                } else {
                    holdings.sort_by_cached_key(name);
                }
            }
            Order::Price => holdings.sort_by(|a, b| self.compare(a.price.as_ref(), b.price.as_ref(), Ord::cmp)),
            Order::Value => holdings.sort_by(|a, b| self.compare(a.value.as_ref(), b.value.as_ref(), Ord::cmp)),
            Order::Change => {
                holdings.sort_by(|a, b| self.compare(a.change_24h_pct, b.change_24h_pct, f64::total_cmp));
            }
            Order::Profit => holdings.sort_by(|a, b| self.compare(a.profit.as_ref(), b.profit.as_ref(), Ord::cmp)),
            Order::ProfitPct => {
                holdings.sort_by(|a, b| self.compare(a.profit_pct.as_ref(), b.profit_pct.as_ref(), Ord::cmp));
            }
            Order::Manual => {
                let place = self.manual_place(manual_order);
                holdings.sort_by_cached_key(|held| place(&row_key(&held.holding)));
            }
        }
    }

    /// Returns a function that finds the position of a row by its key. Rows without a position come last in both
    /// directions.
    fn manual_place(self, manual_order: &[Text]) -> impl Fn(&Text) -> usize {
        let places: HashMap<&Text, usize> =
            manual_order.iter().enumerate().rev().map(|(place, key)| (key, place)).collect();
        let last = manual_order.len();
        move |key| match places.get(key) {
            Some(place) if self.is_reversed => last - place - 1,
            Some(place) => *place,
            None => last,
        }
    }

    /// Sorts the watched coins, given in the order of the watchlist, by the figures of each. In the manual order, those
    /// without a position come last.
    pub(super) fn sort_watched<T>(
        self,
        watched: &mut [(WatchedFigures, T)],
        manual_order: &[Text],
        key: impl Fn(&T) -> Text,
    ) {
        let sort = self.of_watchlist();
        match sort.by {
            Order::Name => watched.sort_by_cached_key(|(figures, _)| figures.name.to_lowercase()),
            Order::Price => watched.sort_by(|(a, _), (b, _)| sort.compare(a.price, b.price, f64::total_cmp)),
            Order::Change => watched.sort_by(|(a, _), (b, _)| sort.compare(a.change_pct, b.change_pct, f64::total_cmp)),
            Order::Manual => {
                if sort.is_reversed {
                    watched.reverse();
                }
                let place = sort.manual_place(manual_order);
                watched.sort_by_cached_key(|(_, row)| place(&key(row)));
            }
            Order::Value | Order::Profit | Order::ProfitPct => {}
        }
        if sort.is_reversed && sort.by == Order::Name {
            watched.reverse();
        }
    }

    /// Compares the values of a holding and an address; `None` unless the order is by value.
    pub(super) fn compare_values(self, a: Option<&Decimal>, b: Option<&Decimal>) -> Option<Ordering> {
        (self.by == Order::Value).then(|| self.compare(a, b, Ord::cmp))
    }

    /// Compares two values: the larger one first unless reversed, unknown ones last.
    fn compare<T>(self, a: Option<T>, b: Option<T>, compare: impl Fn(&T, &T) -> Ordering) -> Ordering {
        compare_known(!self.is_reversed, a, b, compare)
    }
}

/// The identity of a holding's row.
pub(super) fn row_key(holding: &Holding) -> Text {
    let key = key(&holding.coin);
    match &holding.address {
        Some(address) => compact_str::format_compact!("{key} at {address}"),
        None => key,
    }
}

/// Prefix of the keys of watched coins, which separates them from the keys of holdings.
const WATCHED: &str = "watched ";

/// The identity of a watched coin in the manual order, with or without a series.
pub(super) fn watched_key(watched: &Watched) -> Text {
    compact_str::format_compact!("{WATCHED}{}", coin_key(watched))
}

/// Whether a key of the manual order is a watched coin's.
pub(super) fn is_watched_key(key: &Text) -> bool {
    key.starts_with(WATCHED)
}

/// Prefix of the keys of holdings.
const HOLDING: &str = "holding ";

/// The identity of a holding's coin.
pub(crate) fn key(coin: &Watched) -> Text {
    compact_str::format_compact!("{HOLDING}{}", coin_key(coin))
}

/// The identity of a coin: its slug; or else its id or its symbol, each marked, since another coin may have it as its
/// slug.
fn coin_key(coin: &Watched) -> Text {
    match coin {
        Watched { slug: Some(slug), .. } => slug.clone(),
        Watched { id: Some(id), .. } => compact_str::format_compact!("#{id}"),
        Watched { symbol, .. } => compact_str::format_compact!("${symbol}"),
    }
}

/// A saved key with the marks that keys in earlier sessions lack. Slugs are in lower case and not numbers.
pub(in crate::app) fn with_marks(saved: &str) -> Text {
    let mut coins = [WATCHED, HOLDING].into_iter().filter_map(|kind| Some((kind, saved.strip_prefix(kind)?)));
    let Some((kind, coin)) = coins.next() else { return Text::from(saved) };
    let name = coin.split(' ').next().unwrap_or_default();
    let is_marked = name.starts_with(['#', '$']);
    let mark = if is_marked || name.is_empty() || name.bytes().any(|byte| byte.is_ascii_lowercase()) {
        ""
    } else if name.bytes().all(|byte| byte.is_ascii_digit()) {
        "#"
    } else {
        "$"
    };
    compact_str::format_compact!("{kind}{mark}{coin}")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use super::*;

    fn holdings(count: usize) -> Vec<HoldingValue> {
        let holding = |index| {
            let coin = Watched::by_symbol(&format!("C{index:05}"));
            let (amount, costed, cost, realised) = Default::default();
            let held = Holding { coin, address: None, amount, costed, cost, realised, lots: Vec::new() };
            HoldingValue {
                holding: Arc::new(held),
                price: None,
                value: None,
                share_pct: None,
                change_24h_pct: None,
                day_change: None,
                lots_at_cost: 0,
                lots_at_other_prices: Vec::new(),
                profit: None,
                profit_pct: None,
            }
        };
        (0..count).map(holding).collect()
    }

    fn symbols(holdings: &[HoldingValue]) -> Vec<&str> {
        holdings.iter().map(|held| held.holding.coin.symbol.as_str()).collect()
    }

    #[test]
    fn names_are_built_once_per_holding() {
        let mut held = holdings(1_000);
        let calls = Cell::new(0);
        let name = |coin: &Watched| {
            calls.set(calls.get() + 1);
            coin.symbol.to_string()
        };
        let reversed = HoldingSort::from(Order::Name).reversed();
        reversed.sort(&mut held, &[], name);
        assert_eq!((symbols(&held)[..2].to_vec(), calls.get()), (vec!["C00999", "C00998"], 1_000));
    }

    #[test]
    fn holdings_without_a_place_come_last_in_the_manual_order() {
        let manual_order: Vec<Text> =
            ["C00002", "C00000", "C00002"].map(|symbol| key(&Watched::by_symbol(symbol))).to_vec();
        let sorted = |sort: HoldingSort| {
            let mut held = holdings(4);
            sort.sort(&mut held, &manual_order, |coin| coin.symbol.to_string());
            symbols(&held).join(" ")
        };
        let sort = HoldingSort::from(Order::Manual);
        assert_eq!(sorted(sort), "C00002 C00000 C00001 C00003");
        assert_eq!(sorted(sort.reversed()), "C00000 C00002 C00001 C00003");
    }

    #[test]
    fn slug_id_and_symbol_are_different_keys() {
        let bare = Watched::by_symbol("pepe");
        let with_id = Watched { id: Some("pepe".into()), ..bare.clone() };
        let with_slug = Watched { slug: Some("pepe".into()), ..with_id.clone() };
        let coins = [bare, with_id, with_slug];
        let keys: std::collections::BTreeSet<Text> =
            coins.iter().map(key).chain(coins.iter().map(watched_key)).collect();
        assert_eq!(keys.len(), 6, "{keys:?}");
        assert_eq!(keys.iter().filter(|key| is_watched_key(key)).count(), 3);
    }

    #[test]
    fn keys_of_earlier_sessions_are_read() {
        let by_symbol = Watched::by_symbol("1INCH");
        let with_id = Watched { id: Some("25028".into()), ..by_symbol.clone() };
        let with_slug = Watched { slug: Some("ordi".into()), ..with_id.clone() };
        for (saved, current) in [
            ("watched 1INCH", watched_key(&by_symbol)),
            ("holding 25028", key(&with_id)),
            ("holding ordi", key(&with_slug)),
            ("holding 25028 at bc1q", format!("{} at bc1q", key(&with_id)).into()),
            ("address BC1Q", "address BC1Q".into()),
        ] {
            assert_eq!((with_marks(saved), with_marks(&current)), (current.clone(), current), "{saved}");
        }
    }

    #[test]
    fn watched_coins_without_a_place_come_last_in_the_manual_order() {
        let sorted = |manual_order: &[&str], sort: HoldingSort| {
            let manual_order: Vec<Text> = manual_order.iter().map(|name| (*name).into()).collect();
            let mut rows: Vec<_> = ["A", "B", "C", "D"].map(|name| (WatchedFigures::default(), name)).to_vec();
            sort.sort_watched(&mut rows, &manual_order, |name| (*name).into());
            rows.iter().map(|(_, name)| *name).collect::<String>()
        };
        let sort = HoldingSort::from(Order::Manual);
        assert_eq!((sorted(&["C", "A"], sort), sorted(&["C", "A"], sort.reversed())), ("CABD".into(), "ACDB".into()));
        assert_eq!((sorted(&[], sort), sorted(&[], sort.reversed())), ("ABCD".into(), "DCBA".into()), "the watchlist");
        let by_value = HoldingSort { has_manual_watchlist: true, ..HoldingSort::default() };
        assert_eq!(sorted(&["C", "A"], by_value), "CABD");
    }

    #[test]
    fn thousands_of_holdings_can_be_ordered_manually() {
        let mut held = holdings(20_000);
        let manual_order: Vec<Text> = held.iter().rev().map(|held| row_key(&held.holding)).collect();
        HoldingSort::from(Order::Manual).sort(&mut held, &manual_order, |_| String::new());
        assert_eq!(symbols(&held)[0], "C19999");
    }
}
