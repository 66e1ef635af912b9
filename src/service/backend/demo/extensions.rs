//! The extensions over the simulated world.

use async_trait::async_trait;
use jiff::civil::Date;

use super::DemoProvider;
use crate::model::{
    BitcoinBalance, ChainState, CoinName, Currency, Decimal, HistoricalRate, KeyState, ProviderName, Source,
    SourceState, Text,
};
use crate::service::answer::ProviderResult;
use crate::service::backend::extensions::ExtensionProvider;
use crate::service::demo::market::{Market, Money};
use crate::service::operation::Operation;

/// Operations that the simulated world doesn't have.
const WITHOUT: [Operation; 2] = [Operation::Fiat, Operation::Ticker];

#[async_trait]
impl ExtensionProvider for DemoProvider {
    async fn chain(&self) -> ProviderResult<ChainState> {
        self.answer(|now| Some(now.chain_state()))
    }

    async fn bitcoin_balance(&self, address: &str) -> ProviderResult<BitcoinBalance> {
        self.answer(|now| Some(now.bitcoin_balance(address)))
    }

    async fn names(&self) -> ProviderResult<Vec<CoinName>> {
        Ok(self.coin_names())
    }

    /// In the simulated world exchange rates never change.
    async fn historical_rates(
        &self,
        days: &[Date],
        from: &[Currency],
        to: &Currency,
    ) -> ProviderResult<Vec<HistoricalRate>> {
        let fixed = |currency: &Currency| Money::parse(currency.as_str())?.fixed().and_then(Decimal::from_f64);
        self.answer(|_| {
            let to_rate = fixed(to);
            let rate = |from: &Currency| to_rate.as_ref()?.divided_by(&fixed(from)?);
            let rates: Vec<(&Currency, Decimal)> = from.iter().filter_map(|from| Some((from, rate(from)?))).collect();
            let of_day = |day: &Date| {
                let date = *day;
                let rate = move |(from, rate): &(&Currency, Decimal)| HistoricalRate {
                    date,
                    from: (*from).clone(),
                    to: to.clone(),
                    rate: rate.clone(),
                    day: date,
                };
                rates.iter().map(rate).collect::<Vec<_>>()
            };
            Some(days.iter().flat_map(of_day).collect())
        })
    }

    /// Prices change with every tick. A new block is part of a cached answer from the next tick.
    fn data_version(&self) -> Option<u64> {
        u64::try_from(Market::now(self.time.now())).ok()
    }

    async fn sources(&self) -> Vec<Source> {
        let serves = Operation::ALL.into_iter().filter(|operation| !WITHOUT.contains(operation));
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
        }]
    }
}
