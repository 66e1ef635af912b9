//! The chart of the portfolio's value.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::model::chart::usual_step;
use crate::model::{Decimal, MarketSeries, Period, Point, Text, UtcTime, interval};
use crate::portfolio::Holding;
use crate::portfolio::balance::is_bitcoin;
use crate::portfolio::history::{AmountHistory, PricedHolding, fitting_step, value_history, value_jumps};
use crate::portfolio::wallet::BITCOIN;
use crate::user_data::{Lot, LotId, PastBalance, Watched};

use crate::app::chart::compare::find_series;
use crate::app::screen::wallet::holdings::HeldAddress;
use crate::app::screen::wallet::order::key;
use crate::app::screen::wallet::value_chart::{ValueChart, chart_rows};
use crate::app::state::State;

/// The rows around the content of the wallet tab: header, totals and footer.
const CHROME: u16 = 3;

/// A distance between points of the chart is a gap if it exceeds this many steps.
const LONGEST_STEP: u32 = 3;

fn point(time: UtcTime, value: Option<Decimal>) -> Point {
    Point { time, price: value.map(|value| value.to_f64()), volume: None, market_cap: None }
}

impl State {
    /// Whether there is room for the chart of the portfolio's value.
    pub(in crate::app) fn shows_value_chart(&self) -> bool {
        let (width, height) = self.size;
        let content = (width, height.saturating_sub(CHROME));
        chart_rows(content, self.wallet.held_lines(), self.wallet.rows().len()) > 0
    }

    /// Computes the value chart. Called after lots, balances, series, currency or period have changed.
    pub(in crate::app) fn update_value_chart(&mut self) {
        self.wallet.value_chart = self.value_chart();
    }

    fn value_chart(&self) -> ValueChart {
        let requests = self.wallet.history_requests(&self.convert);
        let responses: Vec<&[MarketSeries]> =
            requests.iter().filter_map(|request| self.responses.market(request).value).map(Vec::as_slice).collect();
        // Until the response in a new currency arrives, there are only series in the previous one.
        let currencies = || responses.iter().copied().flatten().map(|series| &series.convert);
        let convert = currencies().find(|convert| **convert == self.convert).or_else(|| currencies().next());
        let Some(convert) = convert else { return ValueChart::default() };

        let held = self.wallet.holdings().costed();
        let mut chart = ValueChart { convert: convert.clone(), ..ValueChart::default() };
        let lots: HashMap<LotId, &Lot> = held.lots.iter().map(|lot| (lot.id, lot)).collect();
        let mut parts: Vec<(&Text, PricedHolding<'_>)> = Vec::new();
        let mut step = interval::length(self.wallet.period().interval()).unwrap_or_default();
        for holding in &held.charted {
            let symbol = &holding.coin.symbol;
            let series = responses.iter().find_map(|response| find_series(&holding.coin, response).ok());
            match series.filter(|series| series.convert == *convert) {
                Some(series) => {
                    let own = series.interval.as_deref().and_then(interval::length).unwrap_or(Duration::ZERO);
                    step = step.max(own);
                    let prices = series.points.iter().map(|point| point.price.unwrap_or(f64::NAN)).collect();
                    chart.trends.insert(key(&holding.coin), prices);
                    parts.push((
                        symbol,
                        PricedHolding { amounts: self.amounts(holding, &lots), prices: &series.points },
                    ));
                }
                None if chart.excluded.contains(symbol) => {}
                None => chart.excluded.push(symbol.clone()),
            }
        }
        for address in self.known_addresses() {
            for name in address.unvalued_names(self.bitcoin().is_some()) {
                if !chart.excluded.contains(&name) {
                    chart.excluded.push(name);
                }
            }
        }
        let all: Vec<PricedHolding<'_>> = parts.iter().map(|(_, part)| part.clone()).collect();
        if self.wallet.period() == Period::AllTime {
            // Services send fewer points than requested for such a long time.
            let widest = all.iter().map(|part| usual_step(part.prices)).max().unwrap_or_default();
            step = fitting_step(&all, step.max(widest));
        }
        chart.longest_step = step * LONGEST_STEP;
        for (time, value) in value_history(&all, step) {
            if value.is_none() {
                let missing = parts.iter().filter(|(_, part)| part.value(time, step).is_none());
                for (symbol, _) in missing {
                    if !chart.missing_prices.contains(symbol) {
                        chart.missing_prices.push((*symbol).clone());
                    }
                }
            }
            chart.points.push(point(time, value));
        }
        let steps: Vec<UtcTime> = chart.points.iter().map(|point| point.time).collect();
        self.add_changes(&mut chart, &all, step);
        if steps.len() < 2
            && let Some(only) = chart.points.first()
        {
            // With an earlier start, prices are missing rather than time.
            let since = all.iter().filter_map(|part| part.amounts.held_since(only.time)).min();
            chart.starts_at = since.filter(|since| only.time.since(*since) < step);
        }
        let span = chart.points.first().zip(chart.points.last());
        if let Some((first, last)) = span {
            let during = |at: UtcTime| at > first.time && at <= last.time;
            let counts = |address: &&HeldAddress| {
                let is_own = |held: &Arc<Holding>| held.address.as_ref() == Some(&address.entry.address);
                during(address.entry.added_at) && held.charted.iter().any(is_own)
            };
            let added = held.addresses.iter().filter(counts);
            chart.added = added.map(|held| (held.entry.added_at, Text::from(held.name()))).collect();
            chart.added.sort_unstable();
            chart.changes = all.iter().flat_map(|part| part.amounts.changes(first.time, last.time)).collect();
            chart.changes.sort_unstable();
            chart.changes.dedup();
        }
        chart.changed_at = chart.last_notable_change();
        let step_after = |at: UtcTime| steps.iter().copied().find(|step| *step >= at).unwrap_or(at);
        let is_priced = |at: &UtcTime| all.iter().all(|part| part.has_price_near(*at, step));
        chart.compared_from = chart.changed_at.map(|at| if is_priced(&at) { at } else { step_after(at) });
        chart
    }

    /// Adds the values before and after each change of the amounts since the first step, also after the last one, so that
    /// a change doesn't look like a slow rise. Without steps, adds only the value after the last change.
    fn add_changes(&self, chart: &mut ValueChart, parts: &[PricedHolding<'_>], step: Duration) {
        if let Some((first, last)) = chart.points.first().zip(chart.points.last()) {
            let jumps = value_jumps(parts, step, (first.time, last.time.max(self.now)));
            chart.points.extend(jumps.into_iter().map(|(time, value)| point(time, value)));
            // Of several at the same time, the step stays.
            chart.points.sort_by_key(|point| point.time);
            chart.points.dedup_by_key(|point| point.time);
            return;
        }
        let changed = parts.iter().filter_map(|part| part.amounts.last_change(self.now)).max();
        let Some(time) = changed else { return };
        // The last price is up to a step old, more than a price at the time of a step may be.
        let value: Option<Decimal> = parts.iter().map(|part| part.value(time, step * 2)).sum();
        if let Some(value) = value.filter(|value| !value.is_zero()) {
            chart.points.push(point(time, Some(value)));
        }
    }

    /// The amounts of a holding over time: the balances that its address had since it was added, and before that the lots
    /// that name the address.
    fn amounts(&self, holding: &Holding, all: &HashMap<LotId, &Lot>) -> AmountHistory {
        let held = self.wallet.holdings();
        // The coin's lots include all its holdings, at addresses or elsewhere.
        let of_coin = || held.costed().holdings.iter().filter(|other| other.coin.is_same(&holding.coin));
        let lots = of_coin().flat_map(|other| &other.lots).map(|state| state.id);
        // A lot may be divided among several of them.
        let ids: BTreeSet<LotId> = lots.collect();
        let lots = ids.iter().filter_map(|id| all.get(id).copied());
        let places: HashSet<&Text> = of_coin().filter_map(|other| other.address.as_ref()).collect();
        let is_place = |address: &Text| places.contains(address);
        let address = holding.address.as_ref();
        let amounts = AmountHistory::of_lots(lots, address, is_place, |day| self.preferences.zone.start_of(day));
        let Some(held) = held.addresses().iter().find(|held| Some(&held.entry.address) == address) else {
            return amounts;
        };
        let Some(ticker) = self.ticker_at(held, &holding.coin) else {
            return amounts.replaced_from(held.entry.added_at, holding.amount.clone());
        };
        let user = self.user.current();
        let is_own = |past: &&PastBalance| past.address == held.entry.address && past.ticker == ticker;
        let mut past = user.past_balances.iter().filter(is_own);
        // The first balance comes from the first response after the address was added.
        let first = past.next().map_or(&holding.amount, |first| &first.amount);
        let amounts = amounts.replaced_from(held.entry.added_at, first.clone());
        past.fold(amounts, |amounts, past| amounts.replaced_from(past.since, past.amount.clone()))
    }

    /// The ticker of a coin among the balances of an address.
    fn ticker_at(&self, held: &HeldAddress, coin: &Watched) -> Option<Text> {
        let known = self.held_coin(coin);
        if known.is_some_and(is_bitcoin) {
            return Some(BITCOIN);
        }
        // A balance that was sent is no longer listed.
        let listed = held.token(coin).and_then(|token| token.balance.ticker.clone());
        listed.or_else(|| known.and_then(|coin| coin.brc20_ticker.clone()))
    }

    /// The balances of the wallet's addresses that differ from the last ones recorded.
    pub(in crate::app) fn changed_balances(&self) -> Vec<PastBalance> {
        let user = self.user.current();
        let mut last: HashMap<(&Text, &Text), &Decimal> = HashMap::new();
        // Those of the future were recorded with a wrong clock.
        for past in user.past_balances.iter().filter(|past| past.since <= self.now) {
            last.insert((&past.address, &past.ticker), &past.amount);
        }
        let mut changed = Vec::new();
        for held in self.wallet.holdings().addresses() {
            let (address, now) = (&held.entry.address, held.balances());
            let is_complete = held.tokens.is_some() && held.more == 0;
            let removed = last.iter().filter(|((of, ticker), amount)| {
                let is_token = **ticker != BITCOIN && !now.contains_key(*ticker);
                *of == address && is_complete && is_token && !amount.is_zero()
            });
            let removed = removed.map(|((_, ticker), _)| ((*ticker).clone(), Decimal::default()));
            let new = now.iter().filter(|(ticker, amount)| last.get(&(address, *ticker)) != Some(amount));
            let new = new.map(|(ticker, amount)| (ticker.clone(), amount.clone()));
            changed.extend(removed.chain(new).map(|(ticker, amount)| PastBalance {
                address: address.clone(),
                ticker,
                since: self.now,
                amount,
            }));
        }
        changed.sort_by(|a, b| (&a.address, &a.ticker).cmp(&(&b.address, &b.ticker)));
        changed
    }
}
