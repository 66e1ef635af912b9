//! Exchange rates of the days of lots.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;

use crate::model::historical_rate::{MAX_CURRENCIES, MAX_DAYS};
use crate::model::{Currency, Decimal, HistoricalRate};
use crate::user_data::Lot;

/// Known rates into one currency.
#[derive(Clone, Debug)]
pub struct HistoricalRates {
    to: Currency,
    known: HashMap<(Currency, Date), Decimal>,
}

impl HistoricalRates {
    /// Rates into a currency; others are ignored.
    pub fn new<'a>(to: &Currency, rates: impl IntoIterator<Item = &'a HistoricalRate>) -> HistoricalRates {
        let rates = rates.into_iter().filter(|rate| rate.to == *to);
        let known = rates.map(|rate| ((rate.from.clone(), rate.date), rate.rate.clone())).collect();
        HistoricalRates { to: to.clone(), known }
    }

    /// Units of the wallet's currency for one unit of a currency on a day; `None` if unknown.
    pub fn rate(&self, from: &Currency, date: Date) -> Option<Decimal> {
        if *from == self.to {
            return Some(Decimal::from(1));
        }
        self.known.get(&(from.clone(), date)).cloned()
    }
}

/// The days and currencies of the rates that lots need, in as few requests as possible.
pub fn needed(lots: &[Lot], to: &Currency) -> Vec<(Vec<Date>, Vec<Currency>)> {
    let has_cost = |lot: &&Lot| lot.price.is_some() || lot.fee.is_some();
    let is_other = |lot: &&Lot| lot.currency != *to;
    let lots = || lots.iter().filter(has_cost).filter(is_other);
    let mut currencies: BTreeSet<&Currency> = lots().map(|lot| &lot.currency).collect();
    while currencies.len() > MAX_CURRENCIES {
        currencies.pop_last();
    }
    let days: BTreeSet<Date> = lots().filter(|lot| currencies.contains(&lot.currency)).map(|lot| lot.date).collect();
    let days: Vec<Date> = days.into_iter().collect();
    let currencies: Vec<Currency> = currencies.into_iter().cloned().collect();
    days.chunks(MAX_DAYS).map(|days| (days.to_vec(), currencies.clone())).collect()
}
