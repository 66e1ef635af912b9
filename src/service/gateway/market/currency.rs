//! Currency conversion. Providers return US dollars, which are converted at the current rate. Historical prices are, too,
//! except in a coin such as bitcoin, whose own price moves as much as the others.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;

use super::plausible_rates;
use super::quote_coin::{NoHistory, QuoteHistory, make_relative, relative_line};
use crate::client::NO_RATE;
use crate::format::words::{in_sentence, join_words};
use crate::model::{Coin, Currency, MarketPair, Page, ProviderName, RateOrigin, Tag, UtcTime, Zone};
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::saved_rates::{self, SavedRates};
use crate::service::gateway::stored::{CachedValue as _, MAX_RETRY_WAIT, STALE_FRESH_FOR, Stored};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderError, ProviderResponse, joined_notices};
use crate::service::providers::source::{ChartPrices, Rates};

/// When the ECB, whose rates the providers return, publishes the rates of a day: about 16:00 in Frankfurt.
const PUBLISHED: i8 = 15;

/// The rate of a currency.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::service::gateway) struct Rate {
    /// The currency.
    pub(super) currency: Currency,
    /// Units of the currency for one US dollar.
    pub(in crate::service::gateway) per_dollar: f64,
    /// The coin in US dollars, with a price, if the currency is one. A division by that is exact where a product is not.
    coin: Option<Arc<Coin>>,
    /// `None` for the dollar itself.
    pub(in crate::service::gateway) origin: Option<RateOrigin>,
    /// A notice for the user if the rate is old, or in a currency other than the requested one.
    notice: Option<String>,
    /// When to try again to get the rate of the requested currency, if this is another currency's rate.
    retry_after: Option<Duration>,
}

impl Rate {
    fn new(currency: &Currency, per_dollar: f64, origin: Option<RateOrigin>) -> Rate {
        Rate { currency: currency.clone(), per_dollar, coin: None, origin, notice: None, retry_after: None }
    }

    /// The dollar's rate, instead of the rate of a currency whose rate isn't known now.
    fn of_dollars_instead_of(requested: &Currency, reason: Option<&str>, retry_after: Option<Duration>) -> Rate {
        let reason = reason.map(|reason| format!(" ({})", in_sentence(reason))).unwrap_or_default();
        Rate {
            notice: Some(format!("Amounts in USD: no {requested} rate{reason}")),
            retry_after: Some(retry_after.unwrap_or(STALE_FRESH_FOR).min(MAX_RETRY_WAIT)),
            ..Rate::new(&Currency::usd(), 1.0, None)
        }
    }

    /// An amount of dollars in the currency.
    fn convert(&self, dollars: f64) -> f64 {
        let price = self.coin.as_ref().and_then(|coin| coin.price);
        price.map_or(dollars * self.per_dollar, |price| dollars / price)
    }

    /// The rate for the coins of a list. If that has the coin which is the currency, its changes and sparkline there
    /// count.
    pub(super) fn for_list(self, list: &ProviderResponse<Page<Coin>>) -> Rate {
        let Some(quote) = self.coin.as_deref() else { return self };
        let coin = match list.data.items.iter().find(|coin| coin.id == quote.id) {
            Some(own) => Coin { price: quote.price, provider: own.provider.or(list.provider), ..own.clone() },
            None if quote.provider == list.provider => return self,
            None => Coin { sparkline_7d: Vec::new(), ..quote.clone() },
        };
        Rate { coin: Some(Arc::new(coin)), ..self }
    }

    /// The rate for past prices, and the past rates of the coin that is the currency. If they are unknown, the dollar's
    /// rate: the current price of a coin is not its former one.
    pub(super) fn for_past(self, history: Option<Result<QuoteHistory, NoHistory>>) -> (Rate, Option<QuoteHistory>) {
        match history.filter(|_| self.currency.is_coin()) {
            None => (self, None),
            Some(Ok(history)) => (self, Some(history)),
            Some(Err(NoHistory { reason, retry_after })) => {
                (Rate::of_dollars_instead_of(&self.currency, reason.as_deref(), retry_after), None)
            }
        }
    }

    /// The rate of the dollar, since the past prices of the coin that is the currency are of other times.
    pub(super) fn without_past(&self) -> Rate {
        Rate::of_dollars_instead_of(&self.currency, None, None)
    }

    /// The notice that past prices are not converted at past rates.
    pub(super) fn past_notice(&self) -> Option<String> {
        let is_fiat = self.currency != Currency::usd() && !self.currency.is_coin();
        is_fiat.then(|| format!("Historical prices are converted at the current {} rate", self.currency))
    }

    /// Adds the origin of the rate to a response with converted amounts, and the notice if there is one.
    pub(super) fn note_in<T>(&self, response: ProviderResponse<T>) -> ProviderResponse<T> {
        let notice = joined_notices(response.notice.clone(), self.notice.clone());
        let fresh_for = self.retry_after.map_or(response.fresh_for, |wait| response.fresh_for.min(wait));
        ProviderResponse { notice, fresh_for, ..response.converted(self.origin.clone()) }
    }
}

impl Gateway {
    /// The current rate of a currency; the dollar's, with a notice, if no provider has it now, or none soon enough for
    /// the client to get the rest of the response.
    ///
    /// # Errors
    /// The currency is unknown, or no provider of rates is enabled.
    pub(super) async fn rate_or_dollars(&self, convert: &Currency) -> Result<Rate, ProviderError> {
        let (reason, retry_after) = match timeout(self.fallback_limit(), self.rate(convert)).await {
            Ok(Err(ProviderError::Unavailable { reason, retry_after, .. })) => (Some(reason), retry_after),
            Ok(Err(ProviderError::NotFound(reason))) => (Some(reason), None),
            Ok(outcome) => return outcome,
            Err(_) => (None, None),
        };
        Ok(Rate::of_dollars_instead_of(convert, reason.as_deref(), retry_after))
    }

    /// The current rate of a currency.
    ///
    /// # Errors
    /// No provider has the rate.
    pub(in crate::service::gateway) async fn rate(&self, convert: &Currency) -> Result<Rate, ProviderError> {
        if *convert == Currency::usd() {
            return Ok(Rate::new(convert, 1.0, None));
        }
        if let Some(rate) = self.rate_of_leading_coin(convert).await? {
            return Ok(rate);
        }
        let (rates, per_dollar) = self.rates_with(convert).await?;
        let published = rates.value.day.and_then(|day| Zone::UTC.time(day.at(PUBLISHED, 0, 0, 0)));
        let fetched = rates.fetched.at.wall;
        let at = published.map_or(fetched, |published| published.min(fetched));
        let origin = RateOrigin { provider: rates.provider.as_str().into(), at };
        let is_old = rates.value.fallback_reason(self.0.time.now()).is_some();
        let day = rates.value.day.filter(|_| is_old);
        let notice = day.map(|day| format!("{convert} at the rate of {}", day.strftime("%-d %b %Y")));
        Ok(Rate { notice, ..Rate::new(convert, per_dollar, Some(origin)) })
    }

    /// The rates of the first provider that has the currency, with the rate of that.
    ///
    /// # Errors
    /// No provider has it, or the one that may have it fails.
    async fn rates_with(&self, convert: &Currency) -> Result<(Stored<Rates>, f64), ProviderError> {
        let rate_in = |rates: &Stored<Rates>| rates.value.per_dollar.get(convert).copied();
        let rates = self.rates_of(None).await.map_err(|failure| failure.into_error())?;
        let first = rates.provider;
        let (mut without, mut failed) = (Vec::new(), None);
        match rate_in(&rates) {
            Some(rate) => match self.with_full_precision(None, rates, convert, rate).await {
                Ok(found) => return Ok(found),
                Err(failure) => failed = Some(failure),
            },
            None => without.push(first.title_in_sentence()),
        }
        let names: Vec<ProviderName> = self.serving(Operation::Fiat).map(|provider| provider.name).collect();
        for name in names.into_iter().filter(|name| *name != first) {
            match self.rates_of(Some(name)).await {
                Ok(rates) => match rate_in(&rates) {
                    Some(rate) => match self.with_full_precision(Some(name), rates, convert, rate).await {
                        Ok(found) => return Ok(found),
                        Err(failure) => drop(failed.get_or_insert(failure)),
                    },
                    None => without.push(name.title_in_sentence()),
                },
                Err(failure) => drop(failed.get_or_insert(failure)),
            }
        }
        let without = join_words(&without, "or");
        Err(match failed.map(|failure| failure.into_error()) {
            Some(ProviderError::Unavailable { reason, retry_after, must_wait }) => {
                let reason = if without.is_empty() { reason } else { format!("no rate from {without}; {reason}") };
                ProviderError::Unavailable { reason, retry_after, must_wait }
            }
            Some(error) if without.is_empty() => error,
            _ => ProviderError::Parameter {
                name: "convert",
                must: format!("a currency with a known exchange rate ({NO_RATE} {convert} from {without})"),
            },
        })
    }

    /// The rates of one provider, or of the first one that answers.
    async fn rates_of(&self, only: Option<ProviderName>) -> Result<Stored<Rates>, Failure> {
        let gateway = self.clone();
        let fetched = self.get_or_fetch_from(only, rates_key(only), move |provider| {
            let gateway = gateway.clone();
            async move {
                let before = gateway.0.cache.get_as::<Rates>(&rates_key(only));
                let rates = provider.rates.rates().await.map_err(|error| error.for_required("Exchange rates"))?;
                plausible_rates::check(&rates, before.as_ref().map(|before| &*before.value))?;
                gateway.save_rates(only, provider.name, gateway.0.time.now(), rates.clone()).await;
                Ok(rates)
            }
        });
        fetched.await
    }

    /// The rate of a currency in these rates, with more digits from another request if their provider has rounded it too
    /// much.
    async fn with_full_precision(
        &self,
        only: Option<ProviderName>,
        rates: Stored<Rates>,
        convert: &Currency,
        rate: f64,
    ) -> Result<(Stored<Rates>, f64), Failure> {
        let name = rates.provider;
        if !self.provider(name).is_some_and(|provider| provider.rates.is_rounded(rate)) {
            return Ok((rates, rate));
        }
        let key = Key::new(Operation::Fiat, format!("USD/{convert} of {name}"));
        let (gateway, currency) = (self.clone(), convert.clone());
        let fetched = self.get_or_fetch_from(Some(name), key, move |provider| {
            let (gateway, currency, rates) = (gateway.clone(), currency.clone(), rates.clone());
            async move {
                let precise = provider.rates.precise_rate(&currency).await?;
                plausible_rates::check(&precise, Some(&rates.value))?;
                // The next process doesn't need to request it again.
                let mut all = Rates::clone(&rates.value);
                all.per_dollar.extend(precise.per_dollar.clone());
                gateway.save_rates(only, provider.name, rates.fetched.at.wall, all).await;
                Ok(precise)
            }
        });
        let precise = fetched.await?;
        let rate = precise.value.per_dollar.get(convert).copied().unwrap_or(rate);
        Ok((precise, rate))
    }

    /// Saves rates for the next process: a command would otherwise request them each time.
    async fn save_rates(&self, only: Option<ProviderName>, provider: ProviderName, at: UtcTime, rates: Rates) {
        let Some(directory) = self.settings().cache.clone() else { return };
        let Some(source) = self.provider(provider).map(|provider| Arc::clone(&provider.rates)) else { return };
        let server = self.settings().provider(provider).url_id();
        let saved = SavedRates { provider, server, at, rates };
        let write = move || saved_rates::write(&directory, only, &saved, |rate| source.is_rounded(rate));
        let written = tokio::task::spawn_blocking(write).await;
        if let Ok(Err(error)) = written {
            tracing::info!(%error, "exchange rates not saved; they are requested again after a restart");
        }
    }

    /// Adds the rates of an earlier process to the cache.
    pub(in crate::service::gateway) fn restore_rates(&self) {
        let settings = self.settings();
        let Some(directory) = settings.cache.as_deref() else { return };
        let providers = settings.in_use(Operation::Fiat).map(Some);
        for only in [None].into_iter().chain(providers) {
            let Some(saved) = saved_rates::read(directory, only, self.0.time.now()) else { continue };
            let SavedRates { provider, server, at, rates } = saved;
            let is_same_server = settings.provider(provider).url_id() == server;
            let is_in_use = is_same_server && settings.in_use(Operation::Fiat).any(|name| name == provider);
            if is_in_use && plausible_rates::check(&rates, None).is_ok() {
                let fetched = self.fetched_at(self.0.time.now().since(at));
                let stored = Stored::new(provider, fetched, Operation::Fiat.fresh_for(), rates);
                self.0.cache.put(rates_key(only), stored.into());
            }
        }
    }

    /// The rate of Bitcoin or Ether, if that is the currency. Symbols of other coins are not accepted as currencies.
    async fn rate_of_leading_coin(&self, convert: &Currency) -> Result<Option<Rate>, ProviderError> {
        if !convert.is_coin() {
            return Ok(None);
        }
        let page = self.page(Operation::Coins, Tag::All, 0, None).await;
        let page = page.map_err(|failure| failure.into_error())?;
        // Other coins with the same symbol rank lower.
        let coin = page.value.coins.iter().take(50).find(|coin| coin.symbol == convert.as_str());
        let Some((coin, price)) = coin.and_then(|coin| Some((coin, coin.price.filter(|price| *price > 0.0)?))) else {
            return Ok(None);
        };
        let coin = Coin { provider: coin.provider.or(Some(page.origin())), ..coin.clone() };
        let origin = RateOrigin { provider: page.origin().as_str().into(), at: page.fetched.at.wall };
        Ok(Some(Rate { coin: Some(Arc::new(coin)), ..Rate::new(convert, 1.0 / price, Some(origin)) }))
    }

    /// The current price in dollars of a coin that is used as a currency, if known.
    pub(super) async fn current_price(&self, coin: &Currency) -> Option<f64> {
        let rate = timeout(self.fallback_limit(), self.rate_of_leading_coin(coin)).await.ok()?.ok()??;
        rate.coin?.price
    }
}

fn rates_key(only: Option<ProviderName>) -> Key {
    let of = only.map(|name| format!(" of {name}")).unwrap_or_default();
    Key::new(Operation::Fiat, format!("USD{of}"))
}

pub(super) fn convert_coin(coin: &mut Coin, rate: &Rate) {
    let line = rate.coin.as_deref().map(|quote| relative_line(coin, quote));
    coin.convert = rate.currency.clone();
    coin.money_mut().for_each(|amount| *amount = rate.convert(*amount));
    if let Some((quote, line)) = rate.coin.as_deref().zip(line) {
        make_relative(coin, quote);
        coin.sparkline_7d = line;
    }
}

pub(super) fn convert_pair(pair: &mut MarketPair, rate: &Rate) {
    pair.convert = rate.currency.clone();
    pair.money_fields().into_iter().flatten().for_each(|amount| *amount = rate.convert(*amount));
}

/// The past prices of a coin in another currency; without the candles if any of theirs gets too small or too large.
/// `history` has the prices of a coin that is the currency. `None` if no price in it is known.
pub(super) fn converted_prices(
    slug: &str,
    prices: &ChartPrices,
    rate: &Rate,
    history: Option<&QuoteHistory>,
) -> Option<ChartPrices> {
    if let Some(history) = history {
        return history.divide(slug, prices);
    }
    let ChartPrices { mut points, candles } = prices.clone();
    for point in &mut points {
        point.money_fields().into_iter().flatten().for_each(|amount| *amount = rate.convert(*amount));
    }
    let candles = candles.and_then(|candles| candles.converted(|amount| rate.convert(amount)));
    Some(ChartPrices { points, candles })
}
