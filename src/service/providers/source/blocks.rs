//! Blocks, fees and bitcoin balances.

use async_trait::async_trait;

use crate::model::{BitcoinBalance, Fees, Text};
#[cfg(doc)]
use crate::service::operation::Operation;
use crate::service::upstream::error::{SourceError, SourceResult};

/// The newest block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainTip {
    /// The height of the block.
    pub height: u64,
    /// The hash of the block, if known.
    pub hash: Option<Text>,
}

/// How a socket announces blocks.
#[derive(Clone, Copy, Debug)]
pub struct BlockAnnouncer {
    /// The messages that subscribe to new blocks.
    pub subscribe: &'static [&'static str],
    /// Reads the newest block of a message, if it has one.
    pub read: fn(&str) -> Option<ChainTip>,
}

/// [`Operation::Block`] and [`Operation::BitcoinBalance`].
#[async_trait]
pub trait BlockSource: Send + Sync {
    /// How its socket announces blocks; `None` if it has none.
    fn announcer(&self) -> Option<BlockAnnouncer> {
        None
    }

    /// The newest block. Its hash may be missing at first and follow with a later call.
    async fn tip(&self) -> SourceResult<ChainTip> {
        Err(SourceError::unsupported())
    }

    /// Fee rates.
    async fn fees(&self) -> SourceResult<Fees> {
        Err(SourceError::unsupported())
    }

    /// The bitcoin balance of an address in its canonical form.
    async fn balance(&self, _address: &str) -> SourceResult<BitcoinBalance> {
        Err(SourceError::unsupported())
    }

    /// The hash of the block at a height.
    async fn hash_at(&self, _height: u64) -> SourceResult<Text> {
        Err(SourceError::unsupported())
    }
}
