//! mempool.space, or any server with the Esplora API: the newest block and fee rates. Needs no key.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;
use tokio::time::Instant;

use super::source::{BlockSource, ChainTip, Provider};
use super::upstream::Upstream;
use super::{ResolvedSettings, SourceError, SourceResult};
use crate::model::Text;
use crate::service::gateway::{ErrorClass, Gate};

/// Largest plausible block height.
const MAX_HEIGHT: u64 = 50_000_000;

/// How long the hash of the newest block is cached. A reorganisation may replace it by another block of the same
/// height.
const HASH_TTL: Duration = Duration::from_mins(5);

/// How long fees are cached, unless a new block arrives.
const FEES_TTL: Duration = Duration::from_mins(10);

struct Mempool {
    upstream: Upstream,
    known: Mutex<Option<Known>>,
}

#[derive(Clone)]
struct Known {
    tip: ChainTip,
    hash_since: Instant,
    fees_since: Option<Instant>,
}

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, gate: Gate) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", format!("Bearer {key}")), gate, |_| None);
    let source = Arc::new(Mempool { upstream: upstream.clone(), known: Mutex::default() });
    Provider::new(settings, upstream).with_blocks(source)
}

#[async_trait]
impl BlockSource for Mempool {
    async fn tip(&self) -> SourceResult<ChainTip> {
        let response = self.upstream.get("/blocks/tip/height").await?;
        let height = response.text()?.trim().parse::<u64>().ok().filter(|height| *height <= MAX_HEIGHT);
        let height = height.ok_or_else(|| SourceError::unexpected_format("no height"))?;
        let before = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let before = before.filter(|known| known.tip.height == height);
        let (hash, hash_since) = match &before {
            Some(known) if known.hash_since.elapsed() < HASH_TTL => (known.tip.hash.clone(), known.hash_since),
            _ => (self.hash().await?, Instant::now()),
        };
        let is_same = before.as_ref().is_some_and(|known| known.tip.hash == hash);
        let mut new = Known { tip: ChainTip { height, hash, ..ChainTip::default() }, hash_since, fees_since: None };
        match before.filter(|known| is_same && known.fees_since.is_some_and(|since| since.elapsed() < FEES_TTL)) {
            Some(Known { tip, fees_since, .. }) => new = Known { tip, fees_since, ..new },
            // Without fees, the height is still useful.
            None => match self.fees(&mut new.tip).await {
                Ok(()) => new.fees_since = Some(Instant::now()),
                Err(error) => tracing::debug!(%error, "no fees"),
            },
        }
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(new.clone());
        Ok(new.tip)
    }
}

/// Fee rates of the next blocks in sat/vB.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Fees {
    fastest_fee: Option<f64>,
    half_hour_fee: Option<f64>,
    hour_fee: Option<f64>,
}

/// Fee rates of Esplora by confirmation target in blocks.
#[derive(Deserialize)]
struct Estimates {
    #[serde(rename = "1")]
    one: Option<f64>,
    #[serde(rename = "3")]
    three: Option<f64>,
    #[serde(rename = "6")]
    six: Option<f64>,
}

impl Mempool {
    async fn hash(&self) -> SourceResult<Option<Text>> {
        let response = self.upstream.get("/blocks/tip/hash").await?;
        let hash = response.text()?.trim();
        let is_hash = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then(|| Some(Text::from(hash))).ok_or_else(|| SourceError::unexpected_format("no block hash"))
    }

    async fn fees(&self, tip: &mut ChainTip) -> SourceResult<()> {
        let fees = match self.upstream.get("/v1/fees/recommended").await {
            Ok(response) => response.json()?,
            Err(SourceError { class: ErrorClass::NotFound, .. }) => {
                let Estimates { one, three, six } = self.upstream.get("/fee-estimates").await?.json()?;
                Fees { fastest_fee: one, half_hour_fee: three, hour_fee: six }
            }
            Err(error) => return Err(error),
        };
        let rate = |fee: Option<f64>| fee.filter(|fee| fee.is_finite() && *fee >= 0.0);
        tip.fastest_fee = rate(fees.fastest_fee);
        tip.half_hour_fee = rate(fees.half_hour_fee);
        tip.hour_fee = rate(fees.hour_fee);
        Ok(())
    }
}
