//! The state of the providers, and the newest block.

use super::*;
use crate::model::{Fees, Source, SourceBudget, SourceState};
use crate::service::backend::extensions::ExtensionProvider as _;

impl World {
    async fn source(&self, name: ProviderName) -> Source {
        let sources = self.gateway.sources().await;
        sources.into_iter().find(|source| source.name == name.as_str()).unwrap()
    }
}

#[tokio::test(start_paused = true)]
async fn unused_provider_names_the_missing_setting() {
    let world = World::new();
    for (name, missing) in [
        (ProviderName::Ord, "Set providers.ord.base_url"),
        (ProviderName::Maestro, "Set providers.maestro.api_key"),
        (ProviderName::Binance, "Set providers.binance.enabled = true"),
    ] {
        let source = world.source(name).await;
        assert_eq!((source.state, source.missing.as_deref()), (SourceState::Unused, Some(missing)));
        assert!(source.serves.is_empty());
    }
    let names: Vec<Text> = world.gateway.sources().await.into_iter().map(|source| source.name).collect();
    assert_eq!(names.first().map(Text::as_str), Some("coinmarketcap"), "providers in use come first");
    assert!(!names.contains(&Text::from("demo")));
}

#[tokio::test(start_paused = true)]
async fn rate_limited_provider_waits_and_recovers() {
    let world = World::new();
    world.coins(Tag::Brc20).await.unwrap();
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!((source.state, source.next_try_at), (SourceState::Ready, None));
    assert!(source.latency_ms.is_some());
    let budget = SourceBudget { limit: 10, period: Text::from("minute"), used: 1 };
    assert_eq!(source.budget, Some(budget));
    assert!(source.missing.unwrap().contains("free Demo key"));

    world.respond_with(ProviderName::CoinGecko, Response::of(429, &[("retry-after", "240")], ""));
    let _ = world.chart("first").await;
    let source = world.source(ProviderName::CoinGecko).await;
    let wait = source.next_try_at.map(|at| at.since(world.gateway.0.time.now()));
    assert_eq!(source.state, SourceState::Waiting);
    assert!(wait.is_some_and(|wait| wait > minutes(3) && wait <= minutes(4)), "{wait:?}");
    assert!(source.missing.unwrap().contains("429"));

    world.respond_with(ProviderName::CoinGecko, None);
    world.advance(minutes(5)).await;
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!((source.state, source.next_try_at), (SourceState::Waiting, None), "no request has succeeded since");
    world.chart("second").await.unwrap();
    assert_eq!(world.source(ProviderName::CoinGecko).await.state, SourceState::Ready);
}

#[tokio::test(start_paused = true)]
async fn provider_that_is_gone_is_off() {
    let world = World::new();
    world.respond_with(ProviderName::CoinGecko, Response::of(410, &[], ""));
    let _ = world.chart("first").await;
    let source = world.source(ProviderName::CoinGecko).await;
    assert_eq!((source.state, source.next_try_at), (SourceState::Off, None));
    assert!(source.missing.is_some());
}

#[tokio::test(start_paused = true)]
async fn month_counts_toward_the_budget() {
    let world = World::without_decoding();
    world.coins(Tag::Brc20).await.unwrap();
    let budget = world.source(ProviderName::CoinGecko).await.budget.unwrap();
    assert_eq!((budget.limit, budget.period.as_str(), budget.used), (10_000, "month", 1));
}

#[tokio::test(start_paused = true)]
async fn chain_has_height_and_fees() {
    let world = World::new();
    let fees = Fees { fastest: Some(3.0), half_hour: Some(2.0), hour: Some(1.0) };
    let chain = world.gateway.chain().await.unwrap();
    assert_eq!((chain.data.height, chain.data.fees, chain.provider), (100, Some(fees), Some(ProviderName::Mempool)));
    world.advance(minutes(2)).await;
    let chain = world.gateway.chain().await.unwrap();
    assert_eq!(chain.data.hash.as_deref(), Some(hash_of("/block-height/100", 'a').as_str()));
    assert_eq!(world.request_count(ProviderName::Mempool), 4, "two heights, a hash and the fees");
}

#[tokio::test(start_paused = true)]
async fn chain_without_fees_still_has_the_height() {
    let world = World::new();
    world.respond(ProviderName::Mempool, |path| {
        let is_height = path == "/blocks/tip/height";
        Ok(Response::of(if is_height { 200 } else { 500 }, &[], if is_height { "100" } else { "" }))
    });
    let chain = world.gateway.chain().await.unwrap();
    assert_eq!((chain.data.height, chain.data.fees), (100, None));
}
