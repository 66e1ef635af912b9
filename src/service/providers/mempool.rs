//! mempool.space, or any server with the Esplora API: the newest block, fee rates and bitcoin balances. Needs no key.

mod fee_rates;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use serde::Deserialize;
use tokio::time::Instant;

use self::fee_rates::FeeRates;
use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::lenient::{RawRow, Rows};
use super::source::{BlockAnnouncer, BlockSource, ChainTip, Provider};
use super::url::segment;
use crate::model::bitcoin_balance::MAX_SATS;
use crate::model::{BitcoinBalance, Fees, ProviderName, Text};
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;

/// Largest plausible block height.
const MAX_HEIGHT: u64 = 50_000_000;

/// How long the hash of the newest block is cached. A reorganisation may replace it with another block of the same
/// height.
const HASH_TTL: Duration = Duration::from_mins(5);

struct Mempool {
    upstream: Upstream,
    /// The newest block, and when its hash was fetched.
    known: Mutex<Option<(ChainTip, Option<Instant>)>>,
    fee_rates: FeeRates,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    // The user's own block server must not be mixed with the public one.
    streams_from_base: true,
    // Requests to other providers wait for the newest block.
    waits_at_start: false,
    probe: Some(Probe {
        fact: "block height is plain text",
        path: "/blocks/tip/height",
        holds: |response| response.text().is_ok_and(|text| text.trim().parse::<u64>().is_ok()),
    }),
    ..ProviderInfo::new(
        ProviderName::Mempool,
        provider,
        ProviderDefaults {
            stream_url: Some("wss://mempool.space/api/v1/ws"),
            ..ProviderDefaults::at("https://mempool.space/api", 1_000)
        },
    )
};

/// The messages that subscribe a socket to new blocks.
const SUBSCRIBE: [&str; 2] = [r#"{"action":"init"}"#, r#"{"action":"want","data":["blocks"]}"#];

/// The newest block in a message of a socket: a new one, or the list of the last ones after subscribing.
fn announced(text: &str) -> Option<ChainTip> {
    let Announcement { block, blocks } = serde_json::from_str(text).ok()?;
    let rows = block.into_iter().chain(blocks.into_iter().flat_map(|rows| rows.0));
    let newest = rows
        .filter_map(|row| serde_json::from_str::<AnnouncedBlock>(row.get()).ok())
        .max_by_key(|block| block.height)?;
    let is_plausible = newest.height <= MAX_HEIGHT && is_hash(&newest.id);
    is_plausible.then(|| ChainTip { height: newest.height, hash: Some(Text::from(newest.id)) })
}

fn is_hash(hash: &str) -> bool {
    hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A message of a socket.
#[derive(Deserialize)]
struct Announcement {
    block: Option<RawRow>,
    blocks: Option<Rows>,
}

#[derive(Deserialize)]
struct AnnouncedBlock {
    id: String,
    height: u64,
}

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", format!("Bearer {key}")), budget, |_| None);
    let source =
        Arc::new(Mempool { upstream: upstream.clone(), known: Mutex::default(), fee_rates: FeeRates::default() });
    Provider::new(settings, upstream).tested_by("/blocks/tip/height").with_blocks(source)
}

#[async_trait]
impl BlockSource for Mempool {
    fn announcer(&self) -> Option<BlockAnnouncer> {
        Some(BlockAnnouncer { subscribe: &SUBSCRIBE, read: announced })
    }

    async fn tip(&self) -> SourceResult<ChainTip> {
        let response = self.upstream.get("/blocks/tip/height").await?;
        let height = response.text()?.trim().parse::<u64>().ok().filter(|height| *height <= MAX_HEIGHT);
        let height = height.ok_or_else(|| SourceError::unexpected_format("no height"))?;
        let before = self.known.lock().clone();
        let new = match before {
            Some((tip, Some(since))) if tip.height == height && since.elapsed() < HASH_TTL => (tip, Some(since)),
            Some((tip, _)) if tip.height == height => match self.hash_at(height).await {
                Ok(hash) => (ChainTip { height, hash: Some(hash) }, Some(Instant::now())),
                // The height is known.
                Err(SourceError {
                    class: ErrorClass::NotFound | ErrorClass::Failing | ErrorClass::UnexpectedFormat,
                    ..
                }) => (ChainTip { height, hash: None }, None),
                Err(error) => return Err(error),
            },
            // Indexer requests wait for the height, so the hash follows with the next call.
            _ => (ChainTip { height, hash: None }, None),
        };
        *self.known.lock() = Some(new.clone());
        Ok(new.0)
    }

    async fn fees(&self) -> SourceResult<Fees> {
        self.fee_rates.fetch(&self.upstream).await
    }

    async fn balance(&self, address: &str) -> SourceResult<BitcoinBalance> {
        let path = format!("/address/{}", segment(address));
        let AddressStats { address: own, chain_stats, mempool_stats } = self.upstream.get_slow(&path).await?.json()?;
        if !own.eq_ignore_ascii_case(address) {
            return Err(SourceError::unexpected_format("balance of another address"));
        }
        let confirmed = chain_stats.funded_txo_sum.checked_sub(chain_stats.spent_txo_sum);
        let change = |sum: u64| i64::try_from(sum).ok().filter(|_| sum <= MAX_SATS);
        let unconfirmed = change(mempool_stats.funded_txo_sum).zip(change(mempool_stats.spent_txo_sum));
        let sums = confirmed.filter(|sats| *sats <= MAX_SATS).zip(unconfirmed);
        let (confirmed, (received, sent)) = sums.ok_or_else(|| SourceError::unexpected_format("impossible balance"))?;
        Ok(BitcoinBalance { address: Text::from(address), confirmed, unconfirmed: received - sent })
    }

    async fn hash_at(&self, height: u64) -> SourceResult<Text> {
        let response = self.upstream.get(&format!("/block-height/{height}")).await?;
        let hash = response.text()?.trim();
        is_hash(hash).then(|| Text::from(hash)).ok_or_else(|| SourceError::unexpected_format("no block hash"))
    }
}

/// The outputs of an address, in blocks and in waiting transactions.
#[derive(Deserialize)]
struct AddressStats {
    address: String,
    chain_stats: Outputs,
    mempool_stats: Outputs,
}

/// Sums in sats.
#[derive(Deserialize)]
struct Outputs {
    funded_txo_sum: u64,
    spent_txo_sum: u64,
}
