//! Currency conversion. Providers return US dollars, which are converted at the current rate; so are historical prices.

use crate::model::{Coin, Currency, MarketPair, RateOrigin, Tag, Zone};
use crate::service::gateway::Gateway;
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::ProviderError;
use crate::service::providers::source::ChartPrices;

/// When the ECB, whose rates the providers return, publishes the rates of a day: about 16:00 in Frankfurt.
const PUBLISHED: i8 = 15;

/// The rate of a currency.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::service::gateway) struct Rate {
    /// Units of the currency for one US dollar.
    pub(in crate::service::gateway) per_dollar: f64,
    /// `None` for the dollar itself.
    pub(in crate::service::gateway) origin: Option<RateOrigin>,
}

impl Gateway {
    /// The current rate of a currency.
    ///
    /// # Errors
    /// No provider has the rate.
    pub(in crate::service::gateway) async fn rate(&self, convert: &Currency) -> Result<Rate, ProviderError> {
        if *convert == Currency::usd() {
            return Ok(Rate { per_dollar: 1.0, origin: None });
        }
        if let Some(rate) = self.rate_of_leading_coin(convert).await? {
            return Ok(rate);
        }
        let key = Key::new(Operation::Fiat, "USD");
        let rates = self.get_or_fetch(key, |provider| async move { provider.rates.rates().await }).await;
        let rates = rates.map_err(|failure| failure.into_error())?;
        let per_dollar = rates.value.per_dollar.get(convert).copied().ok_or_else(|| ProviderError::Parameter {
            name: "convert",
            must: String::from("a currency with a known exchange rate, such as EUR, or BTC"),
        })?;
        let published = rates.value.day.and_then(|day| Zone::UTC.time(day.at(PUBLISHED, 0, 0, 0)));
        let at = published.map_or(rates.at, |published| published.min(rates.at));
        Ok(Rate { per_dollar, origin: Some(RateOrigin { provider: rates.provider.as_str().into(), at }) })
    }

    /// The rate of Bitcoin or Ether, if that is the currency. Symbols of other coins are not accepted as currencies.
    async fn rate_of_leading_coin(&self, convert: &Currency) -> Result<Option<Rate>, ProviderError> {
        if !convert.is_coin() {
            return Ok(None);
        }
        let page = self.page(Operation::Coins, Tag::All, 0).await;
        let page = page.map_err(|failure| failure.into_error())?;
        // Other coins with the same symbol rank lower.
        let coin = page.value.coins.iter().take(50).find(|coin| coin.symbol == convert.as_str());
        let price = coin.and_then(|coin| coin.price).filter(|price| *price > 0.0);
        let origin = RateOrigin { provider: page.origin().as_str().into(), at: page.at };
        Ok(price.map(|price| Rate { per_dollar: 1.0 / price, origin: Some(origin) }))
    }
}

pub(super) fn convert_coin(coin: &mut Coin, convert: &Currency, rate: f64) {
    coin.convert = convert.clone();
    coin.money_mut().for_each(|amount| *amount *= rate);
}

pub(super) fn convert_pair(pair: &mut MarketPair, convert: &Currency, rate: f64) {
    pair.convert = convert.clone();
    let amounts = [&mut pair.price, &mut pair.volume_24h, &mut pair.depth_plus_2pct, &mut pair.depth_minus_2pct];
    amounts.into_iter().flatten().for_each(|amount| *amount *= rate);
}

/// The prices in another currency; without the candles if any of theirs gets too small or too large.
pub(super) fn converted_prices(prices: &ChartPrices, rate: f64) -> ChartPrices {
    let ChartPrices { mut points, candles } = prices.clone();
    for point in &mut points {
        let amounts = [&mut point.price, &mut point.volume, &mut point.market_cap];
        amounts.into_iter().flatten().for_each(|amount| *amount *= rate);
    }
    ChartPrices { points, candles: candles.and_then(|candles| candles.converted(|amount| amount * rate)) }
}
