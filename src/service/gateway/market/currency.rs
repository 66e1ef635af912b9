//! Currency conversion. Providers return US dollars, which are converted at the current rate; so are historical prices.

use crate::model::{Coin, Currency, MarketPair, Point, Tag};
use crate::service::gateway::Gateway;
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::ProviderError;

impl Gateway {
    /// Units of a currency for one US dollar.
    ///
    /// # Errors
    /// No provider has the rate.
    pub(in crate::service::gateway) async fn rate(&self, convert: &Currency) -> Result<f64, ProviderError> {
        if *convert == Currency::usd() {
            return Ok(1.0);
        }
        if let Some(price) = self.price_of_leading_coin(convert).await? {
            return Ok(1.0 / price);
        }
        let key = Key::new(Operation::Fiat, "USD");
        let rates = self.get_or_fetch(key, |provider| async move { provider.rates.rates().await }).await;
        let rates = rates.map_err(|failure| failure.into_error())?;
        rates.value.per_dollar.get(convert).copied().ok_or_else(|| ProviderError::Parameter {
            name: "convert",
            must: String::from("a currency with a known exchange rate, such as EUR, or BTC"),
        })
    }

    /// The price of Bitcoin or Ether, if that is the currency. Symbols of other coins are not accepted as currencies.
    async fn price_of_leading_coin(&self, convert: &Currency) -> Result<Option<f64>, ProviderError> {
        if !convert.is_coin() {
            return Ok(None);
        }
        let page = self.page(Operation::Coins, Tag::All, 0).await;
        let page = page.map_err(|failure| failure.into_error())?;
        // Other coins with the same symbol rank lower.
        let coin = page.value.coins.iter().take(50).find(|coin| coin.symbol == convert.as_str());
        Ok(coin.and_then(|coin| coin.price).filter(|price| *price > 0.0))
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

pub(super) fn convert_points(points: &mut [Point], rate: f64) {
    for point in points {
        let amounts = [&mut point.price, &mut point.volume, &mut point.market_cap];
        amounts.into_iter().flatten().for_each(|amount| *amount *= rate);
    }
}
