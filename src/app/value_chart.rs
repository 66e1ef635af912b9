//! The chart of the portfolio's value.

use std::collections::HashSet;
use std::time::Duration;

use crate::model::{MarketSeries, Point, Text, interval};
use crate::portfolio::Holding;
use crate::portfolio::history::{AmountHistory, PricedHolding, value_history};
use crate::user_data::{Lot, LotId, Watched};

use super::screen::wallet::choices;
use super::screen::wallet::value_chart::{ValueChart, chart_rows};
use super::state::State;

/// The rows around the content of the wallet tab: header, totals and footer.
const CHROME: u16 = 3;

impl State {
    /// Whether there is room for the chart of the portfolio's value.
    pub(super) fn shows_value_chart(&self) -> bool {
        let (width, height) = self.size;
        let content = (width, height.saturating_sub(CHROME));
        chart_rows(content, self.wallet.held_lines(), self.wallet.rows().len()) > 0
    }

    /// Computes the chart of the portfolio's value. Called after lots, balances, series, currency or interval have
    /// changed.
    pub(super) fn update_value_chart(&mut self) {
        self.wallet.value_chart = self.value_chart();
    }

    fn value_chart(&self) -> ValueChart {
        let requests = self.wallet.history_requests(&self.convert);
        let answers: Vec<&[MarketSeries]> =
            requests.iter().filter_map(|request| self.store.market(request).value).map(Vec::as_slice).collect();
        // Until the answer in a new currency arrives, there are only series in the one before.
        let currencies = || answers.iter().copied().flatten().map(|series| &series.convert);
        let convert = currencies().find(|convert| **convert == self.convert).or_else(|| currencies().next());
        let Some(convert) = convert else { return ValueChart::default() };

        let held = self.wallet.holdings().costed();
        let mut chart = ValueChart { convert: convert.clone(), ..ValueChart::default() };
        let mut parts: Vec<(&Text, PricedHolding<'_>)> = Vec::new();
        let mut step = interval::length(self.wallet.interval()).unwrap_or_default();
        for holding in &held.charted {
            let symbol = &holding.coin.symbol;
            let series = series_of(&holding.coin, &answers).filter(|series| series.convert == *convert);
            match series.filter(|series| series.points.iter().any(|point| point.price.is_some())) {
                Some(series) => {
                    let own = series.interval.as_deref().and_then(interval::length).unwrap_or(Duration::ZERO);
                    step = step.max(own);
                    parts.push((symbol, PricedHolding { amounts: self.amounts(holding), prices: &series.points }));
                }
                None if chart.excluded.contains(symbol) => {}
                None => chart.excluded.push(symbol.clone()),
            }
        }
        for address in &held.addresses {
            let unvalued = address.unvalued().filter_map(|(_, token)| token.balance.ticker.clone());
            let unknown = address.tokens.is_none().then(|| Text::from(address.name()));
            for name in unknown.into_iter().chain(unvalued) {
                if !chart.excluded.contains(&name) {
                    chart.excluded.push(name);
                }
            }
        }
        let all: Vec<PricedHolding<'_>> = parts.iter().map(|(_, part)| part.clone()).collect();
        for (time, value) in value_history(&all, step) {
            if value.is_none() {
                let missing = parts.iter().filter(|(_, part)| part.value(time, step).is_none());
                for (symbol, _) in missing {
                    if !chart.missing_prices.contains(symbol) {
                        chart.missing_prices.push((*symbol).clone());
                    }
                }
            }
            let price = value.map(|value| value.to_f64());
            chart.points.push(Point { time, price, volume: None, market_cap: None });
        }
        let span = chart.points.first().zip(chart.points.last());
        let has_same =
            |(first, last): (&Point, &Point)| all.iter().all(|part| !part.amounts.changes(first.time, last.time));
        chart.has_same_amounts = span.is_some_and(has_same);
        chart
    }

    /// The series of a held coin, if one was fetched for the chart.
    pub fn held_series(&self, coin: &Watched) -> Option<&MarketSeries> {
        let requests = self.wallet.history_requests(&self.convert);
        let answers: Vec<&[MarketSeries]> =
            requests.iter().filter_map(|request| self.store.market(request).value).map(Vec::as_slice).collect();
        series_of(coin, &answers)
    }

    /// The amounts of a holding over time. A balance counts since its address was added, and before that the lots that
    /// name the address.
    fn amounts(&self, holding: &Holding) -> AmountHistory {
        let held = self.wallet.holdings();
        let lots = held.lots().iter().filter(|lot| lot.coin.is_same(&holding.coin));
        let own: HashSet<LotId> = holding.lots.iter().map(|state| state.id).collect();
        let counts = |lot: &Lot| own.contains(&lot.id);
        let amounts = AmountHistory::of_lots(lots, counts, |day| self.preferences.zone.start_of(day));
        let address = holding.address.as_ref();
        match held.addresses().iter().find(|held| Some(&held.entry.address) == address) {
            Some(held) => amounts.replaced_from(held.entry.added_at, holding.amount.clone()),
            None => amounts,
        }
    }
}

/// The series of a coin: matched by id or slug, by symbol only if a single coin has it.
fn series_of<'a>(coin: &Watched, answers: &[&'a [MarketSeries]]) -> Option<&'a MarketSeries> {
    answers.iter().find_map(|answer| {
        let shares = |series: &MarketSeries| series.symbol.eq_ignore_ascii_case(&coin.symbol);
        let sharing: Vec<usize> = (0..answer.len()).filter(|&i| answer.get(i).is_some_and(shares)).collect();
        match choices(coin, answer, &sharing).first() {
            Some((Some(own), None)) => answer.get(*own),
            _ => None,
        }
    })
}
