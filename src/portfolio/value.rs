//! The value of holdings at given prices.

use std::sync::Arc;

use jiff::civil::Date;

use super::cost::{AddedLots, Holding, LotState};
use crate::model::{Decimal, Text, change_pct};
use crate::user_data::{LotId, Watched};

/// The price of a coin in the wallet's currency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quote {
    /// The price of one whole unit, if known.
    pub price: Option<Decimal>,
    /// The price with this change over 24 hours, if `price` is a newer one.
    pub polled_price: Option<Decimal>,
    /// The change over 24 hours in percent, if known.
    pub change_24h_pct: Option<f64>,
    /// The lowest and the highest price of the last 24 hours, if known.
    pub day_range: Option<(f64, f64)>,
}

/// A holding with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct HoldingValue {
    /// The holding, which stays the same when prices change.
    pub holding: Arc<Holding>,
    /// The price of one whole unit.
    pub price: Option<Decimal>,
    /// The value of the amount held.
    pub value: Option<Decimal>,
    /// The share in the total value, in percent.
    pub share_pct: Option<Decimal>,
    /// The change of the price over 24 hours in percent; `None` without a price.
    pub change_24h_pct: Option<f64>,
    /// The change of the value over 24 hours, for the amount held now. A lot dated today counts from its cost if that is
    /// near the day's range.
    pub day_change: Option<Decimal>,
    /// How many lots dated today count from their cost in `day_change`.
    pub lots_at_cost: usize,
    /// The lots dated today that count as held for 24 hours in `day_change`, since their cost is far from the day's
    /// range.
    pub lots_at_other_prices: Vec<LotId>,
    /// The value of the part with a known cost, minus that cost; `None` if there is no such part or no price.
    pub profit: Option<Decimal>,
    /// The profit in percent of the cost.
    pub profit_pct: Option<Decimal>,
}

/// The value of all holdings. Totals omit holdings without a price: `unvalued`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Valuation {
    /// The holdings in their order.
    pub holdings: Vec<HoldingValue>,
    /// The value of everything that has a price.
    pub value: Decimal,
    /// The known cost of the same.
    pub cost: Decimal,
    /// The value of the parts with a known cost, minus that cost.
    pub profit: Decimal,
    /// The profit in percent of the cost; `None` without a cost.
    pub profit_pct: Option<Decimal>,
    /// The profit of everything that was sold.
    pub realised: Decimal,
    /// The change of the value over 24 hours, for the amounts held now; without coins whose change is unknown.
    pub day_change: Decimal,
    /// The change in percent of the value 24 hours ago; `None` if that is unknown.
    pub day_change_pct: Option<Decimal>,
    /// The symbols of coins that are held and have no price.
    pub unvalued: Vec<Text>,
}

impl Valuation {
    /// Values holdings with the prices that `quote` returns. `today` is the day in the user's time zone.
    pub fn new<H: Into<Arc<Holding>>>(
        holdings: impl IntoIterator<Item = H>,
        today: Date,
        quote: impl Fn(&Holding) -> Quote,
    ) -> Valuation {
        let holdings = holdings.into_iter().map(Into::into);
        let mut valued: Vec<HoldingValue> = holdings
            .map(|holding: Arc<Holding>| {
                let quote = quote(&holding);
                value(holding, quote, today)
            })
            .collect();
        let total: Decimal = valued.iter().filter_map(|holding| holding.value.clone()).sum();
        for holding in &mut valued {
            holding.share_pct = holding.value.as_ref().and_then(|value| percent(value, &total));
        }
        let priced = || valued.iter().filter(|holding| holding.price.is_some());
        let cost: Decimal = priced().map(|holding| holding.holding.cost.clone()).sum();
        let profit: Decimal = priced().filter_map(|holding| holding.profit.clone()).sum();
        let day_change: Decimal = valued.iter().filter_map(|holding| holding.day_change.clone()).sum();
        let moved = valued.iter().filter(|holding| holding.day_change.is_some());
        let before = moved.filter_map(|holding| holding.value.clone()).sum::<Decimal>() - &day_change;
        let unvalued = valued.iter().filter(|holding| holding.price.is_none() && !holding.holding.amount.is_zero());
        Valuation {
            value: total,
            profit_pct: percent(&profit, &cost),
            day_change_pct: percent(&day_change, &before),
            realised: valued.iter().map(|holding| holding.holding.realised.clone()).sum(),
            unvalued: unvalued.map(|holding| holding.holding.coin.symbol.clone()).collect(),
            cost,
            profit,
            day_change,
            holdings: valued,
        }
    }
}

impl Valuation {
    /// Whether a part of the value has no known cost, so that the profit doesn't cover the whole value.
    pub fn is_profit_partial(&self) -> bool {
        self.value.clone() - &self.profit != self.cost
    }

    /// Whether a held coin has no price.
    pub fn lacks_price(&self) -> bool {
        self.holdings.iter().any(|held| held.price.is_none() && !held.holding.amount.is_zero())
    }

    /// The symbols of coins whose value counts but not its change over 24 hours, since that is unknown.
    pub fn without_change(&self) -> Vec<Text> {
        self.symbols(|held| held.day_change.is_none() && held.value.as_ref().is_some_and(|value| !value.is_zero()))
    }

    /// The symbols of coins that are held and that the change over 24 hours leaves out: those without a price or
    /// without a change.
    pub fn without_day_change(&self) -> Vec<Text> {
        self.symbols(|held| held.day_change.is_none() && !held.holding.amount.is_zero())
    }

    /// The symbols of the coins of the wanted holdings. A coin held at several places counts once; coins that share a
    /// symbol count each.
    pub fn symbols(&self, is_wanted: impl Fn(&HoldingValue) -> bool) -> Vec<Text> {
        let mut coins: Vec<&Watched> = Vec::new();
        for HoldingValue { holding, .. } in self.holdings.iter().filter(|held| is_wanted(held)) {
            if !coins.iter().any(|coin| coin.is_same(&holding.coin)) {
                coins.push(&holding.coin);
            }
        }
        coins.into_iter().map(|coin| coin.symbol.clone()).collect()
    }
}

/// The sentence about a lot that is one of [`HoldingValue::lots_at_other_prices`].
pub const FAR_COST: &str = "24h change treats this lot as held all day, since its cost is far from today's prices";

impl HoldingValue {
    /// Whether it is worth more than its coin's 24-hour volume, so that it could hardly be sold at its price.
    pub fn is_thin(&self, volume_24h: Option<f64>) -> bool {
        self.value.as_ref().zip(volume_24h).is_some_and(|(value, volume)| value.to_f64() > volume)
    }

    /// The value of a lot's open amount, and its profit: for a sale the realised one.
    pub fn of_lot(&self, lot: &LotState) -> (Option<Decimal>, Option<Decimal>) {
        let value = self.price.as_ref().filter(|_| !lot.open.is_zero()).map(|price| price * &lot.open);
        let open_profit = value.clone().zip(lot.cost.as_ref()).map(|(value, cost)| value - cost);
        (value, open_profit.or_else(|| lot.realised.clone()))
    }
}

fn value(holding: Arc<Holding>, quote: Quote, today: Date) -> HoldingValue {
    let (start, added) = day_start(&holding, &quote, today).unzip();
    let AddedLots { lots: lots_at_cost, others, .. } = added.unwrap_or_default();
    let Quote { price, polled_price, change_24h_pct, day_range } = quote;
    let lots_at_other_prices = if day_range.is_some() { others } else { Vec::new() };
    let value = price.as_ref().map(|price| price * &holding.amount);
    let day_change = value.clone().zip(start).map(|(value, start)| value - &start);
    let profit = price.as_ref().filter(|_| !holding.costed.is_zero());
    let profit = profit.map(|price| price * &holding.costed - &holding.cost);
    let profit_pct = profit.as_ref().and_then(|profit| percent(profit, &holding.cost));
    let change_24h_pct = change_24h_pct.filter(|_| price.is_some());
    let change_24h_pct = match (&price, &polled_price) {
        (Some(price), Some(polled)) if price != polled => {
            change_24h_pct.and_then(|change| change_pct(polled.to_f64(), (1.0 + change / 100.0) * price.to_f64()))
        }
        _ => change_24h_pct,
    };
    HoldingValue {
        price,
        value,
        share_pct: None,
        change_24h_pct,
        day_change,
        lots_at_cost,
        lots_at_other_prices,
        profit,
        profit_pct,
        holding,
    }
}

/// How far the cost of a lot dated today may be outside the day's range, as a fraction, because of its fee and
/// exchange.
const MAX_OUTSIDE: f64 = 0.05;

/// The value that the change of a holding over 24 hours starts from: for lots dated today their cost if it is near the
/// day's range, for all others the value 24 hours ago; and the lots that count from their cost. `None` if the change of
/// the price is unknown.
fn day_start(holding: &Holding, quote: &Quote, today: Date) -> Option<(Decimal, AddedLots)> {
    let is_possible = |cost: f64| {
        let near = quote.day_range.map(|(low, high)| low * (1.0 - MAX_OUTSIDE)..=high * (1.0 + MAX_OUTSIDE));
        near.is_some_and(|range| range.contains(&cost))
    };
    let added = holding.added_since(today, is_possible);
    let older = holding.amount.clone() - &added.amount;
    // The value 24 hours ago follows from the price that has the change.
    let polled = quote.polled_price.as_ref().or(quote.price.as_ref())? * &older;
    let change = day_change(&polled, quote.change_24h_pct?)?;
    Some((polled - &change + &added.cost, added))
}

/// How much a value changed, from its change in percent; `None` if it was worth nothing before.
fn day_change(value: &Decimal, change_pct: f64) -> Option<Decimal> {
    let hundred = Decimal::from(100);
    let change = Decimal::from_f64(change_pct)?;
    if change.is_zero() {
        // Without the rounded quotient, since a value can have more than 18 decimals.
        return Some(change);
    }
    let growth = change + &hundred;
    if growth.is_negative() || growth.is_zero() {
        return None;
    }
    Some(value.clone() - &(value * &hundred).divided_by(&growth)?)
}

/// `part` in percent of `whole`; `None` if that is zero.
pub fn percent(part: &Decimal, whole: &Decimal) -> Option<Decimal> {
    (part * &Decimal::from(100)).divided_by(whole)
}
