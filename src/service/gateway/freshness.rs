//! How long a provider's responses are fresh.

use std::time::Duration;

use crate::service::operation::Key;
use crate::service::providers::source::Provider;
use crate::service::upstream::budget::RefreshPolicy;

/// How long a response is cached if the indexer hasn't processed the newest block yet.
const BEHIND_TTL: Duration = Duration::from_mins(1);

/// How long a response is cached if the indexer has made no progress since the last one.
const STALLED_TTL: Duration = Duration::from_mins(5);

/// How long a value is fresh: [`base_freshness`], stretched when few of the provider's requests of the month are left.
pub(super) fn fresh_for(provider: &Provider, key: &Key) -> Duration {
    let fresh_for = base_freshness(provider, key);
    match provider.upstream_for(key.operation).map(|upstream| upstream.budget().refresh_policy()) {
        Some(RefreshPolicy::Stretched(stretch)) => fresh_for.mul_f64(stretch),
        _ => fresh_for,
    }
}

/// How far a provider's index has followed the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IndexState {
    /// It has the newest block.
    UpToDate,
    /// It is behind the newest block.
    Behind,
    /// It is behind, and made no progress since the last response.
    Stalled,
}

/// How long a value that changes only with a block is fresh, even if a new block arrives.
pub(super) fn block_freshness(provider: &Provider, key: &Key, index: IndexState) -> Duration {
    let base = base_freshness(provider, key);
    let stretched = fresh_for(provider, key);
    if stretched > base {
        return stretched;
    }
    match index {
        IndexState::UpToDate => Duration::ZERO,
        IndexState::Behind => BEHIND_TTL,
        IndexState::Stalled => STALLED_TTL,
    }
}

/// How long a value is fresh by the operation, the provider's defaults and the key.
pub(super) fn base_freshness(provider: &Provider, key: &Key) -> Duration {
    key.operation.fresh_for().max(provider.fresh_at_least).max(key.fresh_at_least)
}
