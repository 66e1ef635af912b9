//! The limits of price alerts in the chart of their coin.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::client::Request;
use crate::model::historical_rate::MAX_CURRENCIES;
use crate::model::{Currency, Decimal, Zone};
use crate::portfolio::HistoricalRates;
use crate::user_data::Watched;
use crate::user_data::alert::{Condition, Measure, Target};

use crate::app::extension::Extension;
use crate::app::state::State;

/// The limit of an alert in the currency of a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChartLimit {
    /// The limit.
    pub price: f64,
    /// Whether it was converted from another currency, at today's or yesterday's rate.
    pub is_converted: bool,
}

impl State {
    /// The limits of the active price alerts on a coin in a currency. Those in another currency are converted at today's
    /// rate, or at yesterday's until today's has arrived, and are missing if both are unknown.
    pub fn chart_limits(&self, coin: &Watched, convert: &Currency) -> Vec<ChartLimit> {
        let mut limits = self.price_limits(coin).peekable();
        if limits.peek().is_none() {
            return Vec::new();
        }
        let days = [self.today(), self.today().saturating_sub(1.day())];
        let known = self.responses.historical_rates_of_all().filter(|rate| days.contains(&rate.date));
        let rates = HistoricalRates::new(convert, known);
        let limit = |(currency, limit): (&Currency, &Decimal)| {
            let rate = days.iter().find_map(|day| rates.rate(currency, *day))?;
            let price = rate.convert(limit).to_f64();
            Some(ChartLimit { price, is_converted: currency.requested() != convert.requested() })
        };
        limits.filter_map(limit).collect()
    }

    /// The request for today's rates of the limits in other currencies; `None` if there are none, or if the service
    /// doesn't offer rates.
    pub(in crate::app) fn limit_rates_request(&self, coin: &Watched) -> Option<Request> {
        let to = self.convert.requested();
        let limits = self.price_limits(coin).map(|(currency, _)| currency.requested());
        let mut from: Vec<Currency> = limits.filter(|currency| *currency != to).collect();
        from.sort_unstable();
        from.dedup();
        from.truncate(MAX_CURRENCIES);
        let is_needed = !from.is_empty() && self.may_request(Extension::Rates);
        is_needed.then(|| Request::HistoricalRates { days: vec![self.today()], from, to })
    }

    /// The limits of the active price alerts on a coin, with their currencies.
    fn price_limits(&self, coin: &Watched) -> impl Iterator<Item = (&Currency, &Decimal)> {
        let on = self.alerts.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| alert.on);
        on.filter_map(move |alert| match (&alert.rule.target, &alert.rule.measure, &alert.rule.condition) {
            (Target::Coin(own), Measure::Price(currency), Condition::Limit(_, limit)) if own.has_same_id(coin) => {
                Some((currency, limit))
            }
            _ => None,
        })
    }

    /// Today's date in UTC, as for rates.
    fn today(&self) -> Date {
        Zone::UTC.at(self.now).date()
    }
}
