//! The extensions over simulated data.

use async_trait::async_trait;
use jiff::civil::Date;

use super::DemoProvider;
use crate::model::{
    BitcoinBalance, ChainState, CoinName, Currency, Decimal, HistoricalRate, KeyState, ProviderName, Source,
    SourceState, Text, Zone,
};
use crate::service::backend::extensions::ExtensionProvider;
use crate::service::data_version::DataVersions;
use crate::service::demo::market::{Market, Money};
use crate::service::operation::Operation;
use crate::service::provider_response::ProviderResult;

/// Operations without simulated data.
const UNSUPPORTED: [Operation; 2] = [Operation::Fiat, Operation::Ticker];

/// The first day with reference rates of the European Central Bank.
const FIRST_RATES: Date = Date::constant(1999, 1, 4);

#[async_trait]
impl ExtensionProvider for DemoProvider {
    async fn chain(&self) -> ProviderResult<ChainState> {
        self.response(|now| Some(now.chain_state()))
    }

    async fn bitcoin_balance(&self, address: &str) -> ProviderResult<BitcoinBalance> {
        self.response(|now| Some(now.bitcoin_balance(address)))
    }

    async fn names(&self) -> ProviderResult<Vec<CoinName>> {
        Ok(self.coin_names())
    }

    /// In simulated data the rates of currencies never change, and the rates of coins are their prices when a day
    /// began. As in reality, there are no rates before the European Central Bank's first ones or before a coin's first
    /// day.
    async fn historical_rates(
        &self,
        days: &[Date],
        from: &[Currency],
        to: &Currency,
    ) -> ProviderResult<Vec<HistoricalRate>> {
        let now = Market::now(self.time.now());
        let coin_price = |slug: &str, day: Date| {
            let start = Zone::UTC.start_of(day)?.secs().min(now);
            let coin = self.market().by_slug(slug).filter(|coin| coin.launched <= start)?;
            Decimal::from_f64(self.market().line(coin, Money::USD, &[start]).first()?.price)
        };
        // Units for some dollars, and these dollars.
        let per_dollars = |currency: &Currency, day: Date| match currency.coin_slug() {
            Some(slug) => Some((Decimal::from(1), coin_price(slug, day)?)),
            None => Some((Decimal::from_f64(Money::parse(currency.as_str())?.fixed()?)?, Decimal::from(1))),
        };
        self.response(|_| {
            let mut rates = Vec::new();
            for date in days.iter().copied().filter(|day| *day >= FIRST_RATES) {
                let to_rate = per_dollars(to, date);
                rates.extend(from.iter().filter_map(|from| {
                    let ((units, dollars), (own, own_dollars)) = (to_rate.as_ref()?, per_dollars(from, date)?);
                    HistoricalRate::of_fraction(date, (from, to), (units * &own_dollars, dollars * &own), date)
                }));
            }
            Some(rates)
        })
    }

    fn currencies(&self) -> Option<Vec<&'static str>> {
        Some(Money::codes())
    }

    /// Prices change with every tick. A new block is part of a cached response from the next tick.
    fn data_versions(&self) -> Option<DataVersions> {
        u64::try_from(Market::now(self.time.now())).ok().map(DataVersions::same)
    }

    async fn sources(&self) -> Vec<Source> {
        let serves = Operation::ALL.into_iter().filter(|operation| !UNSUPPORTED.contains(operation));
        vec![Source {
            name: Text::const_new(ProviderName::Demo.as_str()),
            key: KeyState::Keyless,
            serves: serves.map(|operation| Text::const_new(operation.as_str())).collect(),
            state: SourceState::Ready,
            latency_ms: None,
            budget: None,
            next_try_at: None,
            attribution: None,
            missing: None,
            missing_code: None,
        }]
    }
}
