//! Fetches the newest block. BRC-20 and inscription data changes only with a block, so it is fetched again when a
//! block arrives, not by time. Otherwise no free plan of an indexer would last a month.

use std::sync::Arc;
use std::time::Duration;

use super::Gateway;
use super::block_socket::FRESH_FOR;
use super::block_stream::tip_key;
use super::blocks::{BlockStamp, NewTip, Seen};
use super::cache::Failure;
use super::failure::{for_optional, of_balance};
use super::stored::{CachedValue, Stored};
use crate::format::words::in_sentence;
use crate::model::{BitcoinBalance, ChainState, Fees, Text, UtcTime};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderResponse, ProviderResult, joined_notices};
use crate::service::providers::source::{ChainTip, Provider};
use crate::service::upstream::error::{ErrorClass, SourceError};

/// How long an indexer request waits for the block height. A slow block provider must not delay an indexer.
const HEIGHT_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum age of a known height. An older one is useless for the newest block.
const MAX_HEIGHT_AGE: Duration = Duration::from_mins(3);

/// How long fee rates are cached.
const FEES_TTL: Duration = Duration::from_mins(5);

impl CachedValue for Fees {
    fn weight(&self) -> usize {
        size_of::<Fees>()
    }
}

impl CachedValue for BitcoinBalance {
    fn weight(&self) -> usize {
        size_of::<BitcoinBalance>() + 64
    }
}

impl CachedValue for NewTip {
    fn weight(&self) -> usize {
        size_of::<NewTip>() + 128
    }
}

impl Gateway {
    /// The newest block: from the socket while it is alive, otherwise at most a minute old.
    ///
    /// # Errors
    /// All block providers failed, and none did in the last day.
    pub(super) async fn tip(&self) -> Result<Stored<NewTip>, Failure> {
        self.demand_blocks();
        if let Some(stored) = self.announced_tip() {
            return Ok(stored);
        }
        let gateway = self.clone();
        let call = move |provider: Provider| {
            let gateway = gateway.clone();
            async move {
                let tip = provider.blocks.tip().await;
                let tip = tip.map_err(|error| for_optional(&provider, "Block height", error))?;
                if !gateway.0.blocks.is_plausible(tip.height, gateway.0.time.now()) {
                    let reason = format!("Block height {} is too far ahead", tip.height);
                    return Err(SourceError::new(ErrorClass::Empty, reason));
                }
                Ok(gateway.checked(&provider, tip).await)
            }
        };
        let stored = self.fetch_within(HEIGHT_TIMEOUT, tip_key(), call).await?;
        self.record_tip(&stored.value, stored.fetched.at.wall);
        self.0.block_stream.polled(stored.value.tip.height);
        // The socket may announce a block before the next poll.
        let fresh_for = if self.0.block_stream.lock().has_task {
            stored.fresh_for.min(stored.age() + FRESH_FOR)
        } else {
            stored.fresh_for
        };
        Ok(Stored { fresh_for, ..stored })
    }

    /// Checks whether the newest known block is still part of the chain.
    pub(super) async fn checked(&self, provider: &Provider, tip: ChainTip) -> NewTip {
        let seen = self.0.blocks.seen();
        let orphaned = match seen.anchor {
            Some((height, old)) if tip.height == height => {
                tip.hash.as_ref().is_some_and(|hash| *hash != old).then_some(old)
            }
            Some((height, old)) if tip.height > seen.height => {
                provider.blocks.hash_at(height).await.is_ok_and(|hash| hash != old).then_some(old)
            }
            // The best chain never gets shorter; this server is behind another one.
            _ => None,
        };
        NewTip { tip, orphaned }
    }

    /// Records the newest block, fetched at this time. A reorganisation invalidates values that depend on the old blocks.
    pub(super) fn record_tip(&self, new: &NewTip, at: UtcTime) {
        if self.0.blocks.record(new, at) {
            tracing::info!(height = new.tip.height, "reorganisation");
            for provider in &self.0.providers {
                provider.indexer.clear_blocks();
            }
        }
    }

    /// The newest block, and the time until the next check for a new one; `None` if unknown.
    pub(super) async fn newest_block(&self) -> Option<(BlockStamp, Duration)> {
        let stored = self.tip().await.ok().filter(|stored| stored.age() < MAX_HEIGHT_AGE)?;
        let Seen { height, reorgs, .. } = self.0.blocks.seen();
        // A paused provider is checked later than another one may announce the next block.
        let until_check = match stored.refresh_error {
            Some(_) => Duration::ZERO,
            None => stored.fresh_for.saturating_sub(stored.age()),
        };
        Some((BlockStamp { height, reorgs }, until_check))
    }

    /// The newest block and fee rates. Without fees, the height is still useful; a notice says why there are none.
    ///
    /// # Errors
    /// All block providers failed, and none did in the last day.
    pub(super) async fn chain_state(&self) -> ProviderResult<ChainState> {
        let tip = self.tip().await.map_err(|failure| failure.into_error())?;
        let key = Key::new(Operation::Block, "fees").fresh_at_least(FEES_TTL);
        let call = |provider: Provider| async move {
            provider.blocks.fees().await.map_err(|error| for_optional(&provider, "Fee rates", error))
        };
        let fees = self.get_or_fetch(key, call).await;
        let (fees, notice) = match fees {
            Ok(stored) => {
                let is_old = |reason: &Arc<str>| format!("Fee rates not updated ({})", in_sentence(reason));
                let old = stored.refresh_error.as_ref().map(is_old);
                (Some(*stored.value), joined_notices(stored.notice.as_ref().map(ToString::to_string), old))
            }
            Err(failure) => (None, failure.reason().map(|reason| format!("No fee rates ({})", in_sentence(&reason)))),
        };
        let height = tip.value.tip.height.max(self.0.blocks.seen().height);
        let hash = tip.value.tip.hash.clone().filter(|_| height == tip.value.tip.height);
        let response = tip.response(ChainState { height, hash, fees });
        Ok(ProviderResponse { notice: joined_notices(response.notice.clone(), notice), ..response })
    }

    /// The bitcoin balance of an address in its canonical form, fetched again with each block.
    ///
    /// # Errors
    /// No provider of balances answers, and none did in the last day.
    pub(super) async fn balance_of(&self, address: &str) -> ProviderResult<BitcoinBalance> {
        let (key, address) = (Key::new(Operation::BitcoinBalance, format!("balance {address}")), Text::from(address));
        let call = move |provider: Provider| {
            let address = address.clone();
            async move { provider.blocks.balance(&address).await.map_err(|error| of_balance(&provider, error)) }
        };
        let stored = self.get_or_fetch(key, call).await.map_err(|failure| failure.into_error())?;
        Ok(stored.response(BitcoinBalance::clone(&stored.value)))
    }
}
