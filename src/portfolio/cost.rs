//! Holdings, their cost, and realised profit.

use std::collections::VecDeque;

use jiff::civil::Date;

use crate::model::{Currency, Decimal, ExchangeRate, Text};
use crate::user_data::{Lot, LotId, LotKind, Watched};

/// The cost basis method for sales.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostMethod {
    /// First in, first out: the cost of the oldest lots.
    #[default]
    Fifo,
    /// The average cost of everything held.
    Average,
}

/// No cost basis method has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not one of fifo, average")]
pub struct UnknownCostMethod;

impl CostMethod {
    /// All methods.
    pub const ALL: [CostMethod; 2] = [CostMethod::Fifo, CostMethod::Average];

    /// The name in the configuration and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            CostMethod::Fifo => "fifo",
            CostMethod::Average => "average",
        }
    }

    /// The method with this name.
    ///
    /// # Errors
    /// No method has this name.
    pub fn parse(name: &str) -> Result<CostMethod, UnknownCostMethod> {
        let method = CostMethod::ALL.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(name));
        method.ok_or(UnknownCostMethod)
    }
}

/// The amount of a coin that is held, and its cost in one currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holding {
    /// The coin.
    pub coin: Watched,
    /// The address whose balance it is; `None` for lots elsewhere.
    pub address: Option<Text>,
    /// The amount held.
    pub amount: Decimal,
    /// How much of it has a known cost.
    pub costed: Decimal,
    /// The cost of that part, with fees.
    pub cost: Decimal,
    /// The realised profit, after fees. Sales whose cost or proceeds are unknown are omitted.
    pub realised: Decimal,
    /// The coin's lots by date. A lot may be divided among holdings.
    pub lots: Vec<LotState>,
}

impl Holding {
    /// An empty holding of a coin.
    pub(super) fn empty(coin: Watched, address: Option<Text>) -> Holding {
        let (amount, costed, cost, realised) = Default::default();
        Holding { coin, address, amount, costed, cost, realised, lots: Vec::new() }
    }

    /// What its lots of a day and later ones added and that is still held. Lots without a known unit cost that
    /// `is_possible` on these days don't count. They may be older: a lot without a typed date has that of the day when
    /// it was entered.
    pub(super) fn added_since(&self, day: Date, is_possible: impl Fn(f64) -> bool) -> AddedLots {
        let AddedLots { mut lots, mut amount, mut cost, mut others } = AddedLots::default();
        let recent = self.lots.iter().rev().take_while(|lot| lot.date >= day);
        for lot in recent.filter(|lot| !lot.open.is_zero()) {
            let Some(own) = lot.cost.as_ref().map(|cost| lot.own_cost.as_ref().unwrap_or(cost)) else { continue };
            if is_possible(own.to_f64() / lot.open.to_f64()) {
                lots += 1;
                amount = amount + &lot.open;
                cost = cost + own;
            } else {
                others.push(lot.id);
            }
        }
        AddedLots { lots, amount, cost, others }
    }
}

/// Recent lots of a holding.
#[derive(Debug, Default)]
pub(super) struct AddedLots {
    /// Their number.
    pub(super) lots: usize,
    /// The amount still held.
    pub(super) amount: Decimal,
    /// Its cost at their own prices, with fees.
    pub(super) cost: Decimal,
    /// The lots whose known cost was not possible.
    pub(super) others: Vec<LotId>,
}

/// The remaining part of a lot, or of its part at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LotState {
    /// The lot.
    pub id: LotId,
    /// The date of the lot.
    pub date: Date,
    /// The amount still held; zero for sales.
    pub open: Decimal,
    /// The cost of that amount; `None` if unknown, and for sales.
    pub cost: Option<Decimal>,
    /// The cost at the lot's own price, if `cost` is an average.
    pub own_cost: Option<Decimal>,
    /// The profit of a sale, or a fee that is part of no cost; `None` if there is none or it is unknown.
    pub realised: Option<Decimal>,
    /// Why it is excluded from some totals.
    pub problem: Option<LotProblem>,
}

/// Why a lot is excluded from some totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LotProblem {
    /// The exchange rate of its currency on its day is unknown.
    NoRate(Currency, Date),
    /// It sells or sends this much more than was held.
    MoreThanHeld(Decimal),
    /// It sells for an unknown price.
    NoPrice,
    /// The amount by which it exceeds the balance of its address.
    MoreThanBalance(Decimal),
}

/// A rate converts a currency into the wallet's currency on a day; `None` if it is unknown.
pub type Rate<'a> = &'a dyn Fn(&Currency, Date) -> Option<ExchangeRate>;

/// Turns lots into holdings, one per coin, in the order of their first lots. Lots of one day count in the order of
/// their IDs, new ones last.
pub fn holdings(lots: &[Lot], method: CostMethod, rate: Rate<'_>) -> Vec<Holding> {
    let mut by_coin: Vec<(&Watched, Vec<&Lot>)> = Vec::new();
    for lot in lots {
        match by_coin.iter_mut().find(|(coin, _)| coin.is_same(&lot.coin)) {
            Some((_, own)) => own.push(lot),
            None => by_coin.push((&lot.coin, vec![lot])),
        }
    }
    let holding = |(coin, mut lots): (&Watched, Vec<&Lot>)| {
        lots.sort_by_key(|lot| (lot.date, lot.id.sort_key()));
        let mut tracker = CostTracker::new(method);
        for lot in lots {
            let rate = rate(&lot.currency, lot.date);
            if lot.kind.adds() { tracker.add(lot, rate.as_ref()) } else { tracker.remove(lot, rate.as_ref()) }
        }
        tracker.finish(coin.clone())
    };
    by_coin.into_iter().map(holding).collect()
}

/// The lots of one coin so far.
struct CostTracker {
    method: CostMethod,
    lots: Vec<LotState>,
    /// The lots with an open amount, oldest first.
    open: VecDeque<Open>,
    /// Open amount with known cost, and that cost.
    costed: Decimal,
    cost: Decimal,
}

/// A lot with an open amount.
struct Open {
    /// The index among the lots.
    index: usize,
    /// The whole amount of the lot.
    amount: Decimal,
    /// The cost of its whole amount.
    whole_cost: Option<Decimal>,
}

impl CostTracker {
    fn new(method: CostMethod) -> CostTracker {
        CostTracker {
            method,
            lots: Vec::new(),
            open: VecDeque::new(),
            costed: Decimal::default(),
            cost: Decimal::default(),
        }
    }

    fn add(&mut self, lot: &Lot, rate: Option<&ExchangeRate>) {
        let amount = Decimal::from(lot.amount);
        let fee = lot.fee.clone().unwrap_or_default();
        let in_own_currency = lot.price.as_ref().map(|price| price.total(lot.amount) + &fee);
        let cost = in_own_currency.as_ref().zip(rate).map(|(cost, rate)| rate.convert(cost));
        if let Some(cost) = &cost {
            self.costed = self.costed.clone() + &amount;
            self.cost = self.cost.clone() + cost;
        }
        // A fee that can't be part of a cost is a loss.
        let realised = rate.filter(|_| lot.price.is_none() && !fee.is_zero()).map(|rate| -rate.convert(&fee));
        let needs_rate = lot.price.is_some() || !fee.is_zero();
        let problem = (needs_rate && rate.is_none()).then(|| LotProblem::NoRate(lot.currency.clone(), lot.date));
        self.open.push_back(Open { index: self.lots.len(), amount: amount.clone(), whole_cost: cost.clone() });
        let (id, date) = (lot.id, lot.date);
        self.lots.push(LotState { id, date, open: amount, cost, own_cost: None, realised, problem });
    }

    fn remove(&mut self, lot: &Lot, rate: Option<&ExchangeRate>) {
        let amount = Decimal::from(lot.amount);
        let TakenUnits { costed, cost, missing } = self.take(&amount);
        let fee = lot.fee.clone().unwrap_or_default();
        let mut problem = (!missing.is_zero()).then_some(LotProblem::MoreThanHeld(missing));
        let realised = match (&lot.price, lot.kind, rate) {
            (_, LotKind::Send, _) if fee.is_zero() => None,
            (_, LotKind::Send, Some(rate)) => Some(-rate.convert(&fee)),
            (None, LotKind::Sell, _) => {
                problem.get_or_insert(LotProblem::NoPrice);
                None
            }
            (_, _, None) => {
                problem.get_or_insert_with(|| LotProblem::NoRate(lot.currency.clone(), lot.date));
                None
            }
            // Only sales are left; their profit is known only if their cost is.
            (None, ..) => None,
            (Some(_), _, Some(_)) if costed.is_zero() => None,
            (Some(price), _, Some(rate)) => {
                let proceeds = rate.convert(&(price.total(lot.amount) - &fee));
                Some(part(&proceeds, &costed, &amount) - &cost)
            }
        };
        let (id, date, open) = (lot.id, lot.date, Decimal::default());
        self.lots.push(LotState { id, date, open, cost: None, own_cost: None, realised, problem });
    }

    /// Takes an amount from the oldest lots.
    fn take(&mut self, amount: &Decimal) -> TakenUnits {
        let (mut missing, mut costed, mut cost) = (amount.clone(), Decimal::default(), Decimal::default());
        while !missing.is_zero()
            && let Some(oldest) = self.open.front()
        {
            let Some(lot) = self.lots.get_mut(oldest.index) else { break };
            let taken = missing.clone().min(lot.open.clone());
            let is_all = taken == lot.open;
            if let Some((rest, whole)) = lot.cost.as_mut().zip(oldest.whole_cost.as_ref()) {
                let own = if is_all { rest.clone() } else { part(whole, &taken, &oldest.amount) };
                *rest = rest.clone() - &own;
                cost = cost + &own;
                costed = costed + &taken;
            }
            lot.open = lot.open.clone() - &taken;
            missing = missing - &taken;
            if is_all {
                self.open.pop_front();
            }
        }
        if self.method == CostMethod::Average && !costed.is_zero() {
            cost = part(&self.cost, &costed, &self.costed);
        }
        self.costed = self.costed.clone() - &costed;
        self.cost = self.cost.clone() - &cost;
        TakenUnits { costed, cost, missing }
    }

    fn finish(self, coin: Watched) -> Holding {
        let CostTracker { method, mut lots, costed, cost, .. } = self;
        if method == CostMethod::Average {
            for lot in lots.iter_mut().filter(|lot| lot.cost.is_some()) {
                lot.own_cost = lot.cost.replace(part(&cost, &lot.open, &costed));
            }
        }
        let amount = lots.iter().map(|lot| lot.open.clone()).sum();
        let realised = lots.iter().filter_map(|lot| lot.realised.clone()).sum();
        Holding { coin, address: None, amount, costed, cost, realised, lots }
    }
}

/// An amount taken from the open lots.
struct TakenUnits {
    /// How much of it has a known cost.
    costed: Decimal,
    /// The cost of that part.
    cost: Decimal,
    /// The amount that exceeded the open lots.
    missing: Decimal,
}

/// The share of `whole` that `some` has in `all`; all of it if they are equal, zero if both are zero.
pub(super) fn part(whole: &Decimal, some: &Decimal, all: &Decimal) -> Decimal {
    if some == all {
        return whole.clone();
    }
    (whole * some).divided_by(all).unwrap_or_default()
}

#[cfg(test)]
mod tests;
