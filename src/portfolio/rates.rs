//! Exchange rates of the days of lots.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;

use crate::model::currency::SATS_PER_BITCOIN;
use crate::model::historical_rate::{MAX_CURRENCIES, MAX_DAYS};
use crate::model::{Currency, Decimal, ExchangeRate, HistoricalRate};
use crate::user_data::Lot;

/// Known rates into one currency.
#[derive(Clone, Debug)]
pub struct HistoricalRates {
    to: Currency,
    known: HashMap<(Currency, Date), ExchangeRate>,
}

impl HistoricalRates {
    /// Rates into a currency; others are ignored.
    pub fn new<'a>(to: &Currency, rates: impl IntoIterator<Item = &'a HistoricalRate>) -> HistoricalRates {
        let base = to.requested();
        let rates = rates.into_iter().filter(|rate| rate.to == base);
        let known = rates.map(|rate| ((rate.from.clone(), rate.date), rate.exchange_rate())).collect();
        HistoricalRates { to: to.clone(), known }
    }

    /// The rate of a currency in the wallet's currency on a day; `None` if unknown.
    pub fn rate(&self, from: &Currency, date: Date) -> Option<ExchangeRate> {
        let (base, to) = (from.requested(), self.to.requested());
        let rate = if base == to { Decimal::from(1).into() } else { self.known.get(&(base, date)).cloned()? };
        Some(match (from.is_sats(), self.to.is_sats()) {
            (true, false) => rate.times(&sat_in_bitcoin()),
            (false, true) => rate.times(&Decimal::from(SATS_PER_BITCOIN)),
            _ => rate,
        })
    }
}

fn sat_in_bitcoin() -> Decimal {
    "0.00000001".parse().unwrap_or_default()
}

/// The days and currencies of the rates that lots need, in as few requests as possible. They are requested into
/// [`Currency::requested`].
pub fn needed(lots: &[Lot], to: &Currency) -> Vec<(Vec<Date>, Vec<Currency>)> {
    let has_cost = |lot: &&Lot| lot.price.is_some() || lot.fee.is_some();
    let to = to.requested();
    let is_other = |lot: &&Lot| lot.currency.requested() != to;
    let lots = || lots.iter().filter(has_cost).filter(is_other);
    let mut currencies: BTreeSet<Currency> = lots().map(|lot| lot.currency.requested()).collect();
    while currencies.len() > MAX_CURRENCIES {
        currencies.pop_last();
    }
    let days: BTreeSet<Date> =
        lots().filter(|lot| currencies.contains(&lot.currency.requested())).map(|lot| lot.date).collect();
    let days: Vec<Date> = days.into_iter().collect();
    let currencies: Vec<Currency> = currencies.into_iter().collect();
    days.chunks(MAX_DAYS).map(|days| (days.to_vec(), currencies.clone())).collect()
}
