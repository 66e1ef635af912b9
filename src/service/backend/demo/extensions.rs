//! The extensions over the simulated world.

use async_trait::async_trait;

use super::DemoProvider;
use crate::model::{ChainState, CoinName, KeyState, ProviderName, Source, SourceState, Text};
use crate::service::answer::ProviderResult;
use crate::service::backend::extensions::ExtensionProvider;
use crate::service::operation::Operation;

/// Operations that the simulated world doesn't have.
const WITHOUT: [Operation; 2] = [Operation::Fiat, Operation::Ticker];

#[async_trait]
impl ExtensionProvider for DemoProvider {
    async fn chain(&self) -> ProviderResult<ChainState> {
        self.answer(|now| Some(now.chain_state()))
    }

    async fn names(&self) -> ProviderResult<Vec<CoinName>> {
        Ok(self.coin_names())
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
