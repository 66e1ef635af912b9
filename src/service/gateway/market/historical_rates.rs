//! Exchange rates of past days. Providers send rates per euro; others are the fraction of two of them.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::ToSpan as _;
use jiff::civil::{Date, date};

use crate::model::historical_rate::MAX_DAYS_SINCE;
use crate::model::{Currency, Decimal, HistoricalRate, Point, Zone};
use crate::service::backend::market::SeriesQuery;
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::stored::{CachedValue, Stored};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};
use crate::service::providers::source::RateHistory;

/// How long the rates of past years are fresh. They never change.
const PAST_TTL: Duration = Duration::from_hours(30 * 24);

/// How soon the rates of a currency whose history can't be fetched are requested again.
const RETRY: Duration = Duration::from_mins(1);

/// For days within this time, the ECB's 90-day document is enough: it also covers the earlier days that may be needed.
const RECENT_DAYS: i32 = 60;

/// The euro's first day. There are no rates per euro before it.
const FIRST: Date = date(1999, 1, 4);

const EURO: &str = "EUR";

/// Days of a coin's prices in one request.
const DAILY_COUNTS: [usize; 2] = [90, 365];

/// Maximum days of a coin's prices: with more, providers have longer intervals.
const MAX_DAILY: usize = 500;

impl CachedValue for RateHistory {
    fn weight(&self) -> usize {
        self.0.len() * 48
    }
}

impl Gateway {
    /// The rates of currencies on past days. Unknown ones, and all rates of a currency whose history can't be fetched,
    /// are left out.
    ///
    /// # Errors
    /// No provider serves exchange rates, or all of them fail for each of the currencies.
    pub(in crate::service::gateway) async fn rates_of_days(
        &self,
        days: &[Date],
        from: &[Currency],
        to: &Currency,
    ) -> ProviderResult<Vec<HistoricalRate>> {
        let now = self.0.time.now();
        // In some time zones it is already tomorrow.
        let tomorrow = Zone::UTC.at(now).date().saturating_add(1.day());
        let days: Vec<Date> = days.iter().copied().filter(|day| (FIRST..=tomorrow).contains(day)).collect();
        let histories = match days.iter().min().zip(days.iter().max()) {
            Some((first, last)) => self.histories(from, to, (*first, *last)).await?,
            None => Histories::default(),
        };
        let rates = histories.rates(&days, from, to);
        let Histories { fiat, coins, failed } = histories;
        let is_partial = failed.is_some();
        if let Some(error) = failed.filter(|_| rates.is_empty()) {
            return Err(error);
        }
        // The response is as fresh as its oldest part.
        let of_coins = coins.values().map(|prices| prices.fresh_for).min();
        let oldest = fiat.values().min_by_key(|stored| stored.fresh_for.saturating_sub(stored.age()));
        let mut response = match (oldest, coins.into_values().next()) {
            (Some(stored), _) => stored.response(rates),
            (None, Some(prices)) => prices.map(|_| rates),
            (None, None) if self.settings().order(Operation::Fiat).is_empty() => {
                return Err(ProviderError::Unsupported(self.remedy(Operation::Fiat)));
            }
            (None, None) => ProviderResponse::new(rates, now, Operation::Fiat.fresh_for()),
        };
        let at_most = of_coins.into_iter().chain(is_partial.then_some(RETRY));
        response.fresh_for = at_most.fold(response.fresh_for, Duration::min);
        Ok(response)
    }

    /// The histories that the rates between these currencies and another one need.
    async fn histories(
        &self,
        from: &[Currency],
        to: &Currency,
        (first, last): (Date, Date),
    ) -> Result<Histories, ProviderError> {
        let mut histories = Histories::default();
        let currencies = || [to].into_iter().chain(from);
        let has_coin = currencies().any(Currency::is_coin);
        let dollar = Currency::usd();
        // The prices of coins are in dollars, and need no rates then.
        let needs_fiat = !has_coin || !currencies().all(is_in_dollars);
        let fiat = currencies().chain(has_coin.then_some(&dollar)).filter(|_| needs_fiat);
        // The target currency first, since a provider that fails for another one may be paused.
        for currency in fiat.filter(|currency| currency.as_str() != EURO && !currency.is_coin()) {
            match self.history(currency, first, last).await {
                Ok(history) => drop(histories.fiat.insert(currency.clone(), history)),
                Err(Failure::NotFound(_)) => {}
                // Without it, no rate is known.
                Err(failure) if currency == to => return Err(failure.into_error()),
                Err(failure) => histories.failed = Some(failure.into_error()),
            }
        }
        let today = Zone::UTC.at(self.0.time.now()).date();
        for currency in currencies() {
            let Some(slug) = currency.coin_slug().filter(|_| !histories.coins.contains_key(currency)) else { continue };
            match self.daily_prices(currency, slug, first).await {
                Ok(mut prices) => {
                    // The price of today changes, but daily prices are fresh for a day.
                    if last >= today {
                        let price = self.current_price(currency).await.and_then(Decimal::from_f64);
                        let fresh_for = if price.is_some() { Operation::Coins.fresh_for() } else { RETRY };
                        prices.data.0.extend(RateHistory::of(price.map(|price| (today, price))).0);
                        prices.fresh_for = prices.fresh_for.min(fresh_for);
                    }
                    histories.coins.insert(currency.clone(), prices);
                }
                Err(error) if currency == to => return Err(error),
                Err(error) => histories.failed = Some(error),
            }
        }
        Ok(histories)
    }

    /// The last price of a coin in dollars on each day since `first`, as far back as the providers know it.
    async fn daily_prices(&self, coin: &Currency, slug: &str, first: Date) -> ProviderResult<RateHistory> {
        let today = Zone::UTC.at(self.0.time.now()).date();
        let days = first.until(today).map_or(0, |span| span.get_days()).unsigned_abs() as usize;
        // One of a few fixed counts, so that another day rarely needs another request.
        let count = DAILY_COUNTS.into_iter().find(|count| days + 2 < *count).unwrap_or(MAX_DAILY);
        let query = SeriesQuery {
            symbols: vec![coin.to_string()],
            convert: Currency::usd(),
            count,
            interval: String::from("1d"),
        };
        let response = self.series_with(query, false).await?;
        Ok(response.map(|data| {
            let series = data.into_iter().find(|series| series.slug.as_deref() == Some(slug));
            let points = series.into_iter().flat_map(|series| series.points);
            let price = |point: Point| {
                // A price at midnight, such as the close of a daily candle, is the last one of the day before.
                let day = Zone::UTC.at(point.time.minus(Duration::from_millis(1))).date();
                Some((day, point.price.and_then(Decimal::from_f64)?))
            };
            // The last point of a day.
            RateHistory::of(points.filter_map(price))
        }))
    }

    /// The rates of a currency in whole years, or of the last weeks if those are enough, so that another day rarely
    /// needs another request.
    async fn history(&self, currency: &Currency, first: Date, last: Date) -> Result<Stored<RateHistory>, Failure> {
        let today = Zone::UTC.at(self.0.time.now()).date();
        let recent = today.saturating_sub(RECENT_DAYS.days());
        let (key, days) = if first >= recent {
            (Key::new(Operation::Fiat, format!("{currency}/recent {recent}")), recent..=today)
        } else {
            let (first, last) = (first.year(), last.min(today).year());
            let key = Key::new(Operation::Fiat, format!("{currency}/{first}-{last}"));
            let key = if last < today.year() { key.fresh_at_least(PAST_TTL) } else { key };
            (key, date(first, 1, 1)..=date(last, 12, 31))
        };
        let currency = currency.clone();
        let fetched = self.get_or_fetch(key, move |provider| {
            let (currency, days) = (currency.clone(), days.clone());
            async move { provider.rates.history(&currency, days).await }
        });
        fetched.await
    }
}

/// The rates and prices of currencies on past days.
#[derive(Default)]
struct Histories {
    /// The rates of currencies per euro.
    fiat: BTreeMap<Currency, Stored<RateHistory>>,
    /// The prices of coins in dollars.
    coins: BTreeMap<Currency, ProviderResponse<RateHistory>>,
    /// Why the history of a currency is missing.
    failed: Option<ProviderError>,
}

impl Histories {
    /// The rates between these currencies and another one, as far as they are known.
    fn rates(&self, days: &[Date], from: &[Currency], to: &Currency) -> Vec<HistoricalRate> {
        let dollar = Currency::usd();
        let one = || Decimal::from(1);
        let mut rates = Vec::new();
        for date in days.iter().copied() {
            rates.extend(from.iter().filter_map(|from| {
                let base = if is_in_dollars(from) && is_in_dollars(to) { dollar.as_str() } else { EURO };
                // Both from the same day, even if they are published on different days.
                let day = self.per_base(base, from, date)?.0.min(self.per_base(base, to, date)?.0);
                let (own_day, own, own_of) = self.per_base(base, from, day)?;
                let (other_day, other, other_of) = self.per_base(base, to, day)?;
                let fraction = if from == to { (one(), one()) } else { (&other * &own_of, &own * &other_of) };
                HistoricalRate::of_fraction(date, (from, to), fraction, own_day.min(other_day))
            }));
        }
        rates
    }

    /// Units of a currency for a number of units of the base, with the day.
    fn per_base(&self, base: &str, currency: &Currency, day: Date) -> Option<(Date, Decimal, Decimal)> {
        let of_fiat = |currency: &Currency| match self.fiat.get(currency) {
            _ if currency.as_str() == base => Some((day, Decimal::from(1))),
            Some(history) => rate_on(&history.value, day),
            None => None,
        };
        match self.coins.get(currency) {
            Some(prices) => {
                let (day, price) = rate_within(&prices.data, day, 1)?;
                Some((day, of_fiat(&Currency::usd())?.1, price))
            }
            None => of_fiat(currency).map(|(day, rate)| (day, rate, Decimal::from(1))),
        }
    }
}

/// Whether the price of a currency in dollars needs no rate per euro.
fn is_in_dollars(currency: &Currency) -> bool {
    currency.is_coin() || *currency == Currency::usd()
}

/// The rate of a day, or of the last day before it that has one, with that day.
fn rate_on(history: &RateHistory, day: Date) -> Option<(Date, Decimal)> {
    rate_within(history, day, MAX_DAYS_SINCE)
}

/// The rate of a day, or of the last of some days before it that has one, with that day.
fn rate_within(history: &RateHistory, day: Date, days: i32) -> Option<(Date, Decimal)> {
    let first = day.saturating_sub(days.days());
    let (day, rate) = history.0.range(first..=day).next_back()?;
    Some((*day, rate.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_rate_counts_for_ten_days() {
        let history = RateHistory::of([
            (date(2025, 2, 27), "1.05".parse().unwrap()),
            (date(2025, 2, 28), "1.0411".parse().unwrap()),
            (date(2025, 3, 11), "1.09".parse().unwrap()),
        ]);
        let on = |day| rate_on(&history, day).map(|(day, rate)| (day.to_string(), rate.to_string()));
        let friday = || Some((String::from("2025-02-28"), String::from("1.0411")));
        assert_eq!(on(date(2025, 2, 26)), None);
        assert_eq!(on(date(2025, 2, 28)), friday());
        assert_eq!(on(date(2025, 3, 2)), friday());
        assert_eq!(on(date(2025, 3, 10)), friday());
        assert_eq!(on(date(2025, 3, 11)), Some((String::from("2025-03-11"), String::from("1.09"))));
        assert_eq!(on(date(2025, 3, 22)), None);
    }
}
