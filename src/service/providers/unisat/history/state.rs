//! What is known about a server's events: which blocks are indexed, and how it lists their events.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use parking_lot::{Mutex, MutexGuard};

use crate::format::words::counted;
use crate::model::{Activity, Text};
use crate::service::providers::unisat::rows::{self, Rows, SEND, TRANSFER};
use crate::service::providers::unisat::server::{SIX_BYTES, Server};
use crate::service::upstream::Response;
use crate::service::upstream::warnings::Warnings;

/// Maximum cached blocks, and events of one token and type in a block.
const MAX_CACHED_BLOCKS: u64 = 12;
const MAX_CACHED_TYPES: u64 = 400;

/// A block, a ticker and UniSat's type of events.
pub(super) type OfType = (u64, Text, &'static str);

/// Fetches events, with a cache of indexed blocks. A block changes only by a chain reorganisation.
pub(in crate::service::providers::unisat) struct History {
    pub(super) server: Arc<Server>,
    pub(super) blocks: Cache<u64, Events>,
    pub(super) by_type: Cache<OfType, Events>,
    /// Whether the rows of the last block had no tickers.
    lacks_tickers: AtomicBool,
    transfer_types: Mutex<TransferTypes>,
}

/// The server's types of a completed transfer; `None` where no transfer was seen. Its lists may differ.
#[derive(Default)]
struct TransferTypes {
    in_blocks: Option<&'static str>,
    of_tokens: Option<&'static str>,
    /// Of tokens with tickers of 6 bytes, which may be at a separate path.
    of_six_bytes: Option<&'static str>,
}

impl History {
    pub(in crate::service::providers::unisat) fn new(server: Arc<Server>) -> History {
        // A block that has just been requested is needed for its other pages, although there may be newer ones.
        let blocks = Cache::builder().max_capacity(MAX_CACHED_BLOCKS).eviction_policy(EvictionPolicy::lru()).build();
        let by_type = Cache::builder().max_capacity(MAX_CACHED_TYPES).eviction_policy(EvictionPolicy::lru()).build();
        History { server, blocks, by_type, lacks_tickers: AtomicBool::new(false), transfer_types: Mutex::default() }
    }

    /// Clears the cache after a chain reorganisation.
    pub(in crate::service::providers::unisat) fn clear(&self) {
        self.blocks.invalidate_all();
        self.by_type.invalidate_all();
    }

    pub(super) fn warnings(&self) -> &Warnings {
        self.server.upstream.warnings()
    }

    /// Whether the rows of the last block had no tickers.
    pub(super) fn lacks_tickers(&self) -> bool {
        self.lacks_tickers.load(Ordering::Relaxed)
    }

    /// Whether a block is not newer than the newest known one, so that its events are complete.
    pub(super) fn is_indexed(&self, height: u64) -> bool {
        height <= self.server.height().unwrap_or(0)
    }

    /// The type to request for the events of `kind`, and another one if that has none.
    pub(super) fn types(&self, kind: &'static str, ticker: &str) -> (&'static str, Option<&'static str>) {
        if kind != SEND {
            return (kind, None);
        }
        let TransferTypes { in_blocks, of_tokens, of_six_bytes } = *self.transfer_types();
        let is_long = ticker.len() == SIX_BYTES;
        match if is_long { of_six_bytes } else { of_tokens } {
            Some(known) => (known, None),
            // Their separate path has another list of types, without `send`.
            None if is_long => (TRANSFER, Some(SEND)),
            None if in_blocks == Some(TRANSFER) => (TRANSFER, Some(SEND)),
            None => (SEND, Some(TRANSFER)),
        }
    }

    /// Records whether the rows of a block have tickers.
    pub(super) fn note_tickers(&self, rows: &Rows) {
        self.lacks_tickers.store(rows.lack_tickers(), Ordering::Relaxed);
    }

    /// Records the type of the transfers in a block.
    pub(super) fn note_transfer_type_in_block(&self, rows: &Rows) {
        let mut types = self.transfer_types();
        types.in_blocks = rows.transfer_type.or(types.in_blocks);
    }

    /// Records the type of the transfers in a list of a token.
    pub(super) fn note_transfer_type_of(&self, ticker: &str, rows: &Rows) {
        let mut types = self.transfer_types();
        let known = if ticker.len() == SIX_BYTES { &mut types.of_six_bytes } else { &mut types.of_tokens };
        *known = rows.transfer_type.or(*known);
    }

    /// Records what a list of a block's events says about the newest block. Only an indexed block has events; the
    /// height of a response may be the requested one.
    pub(super) fn note_block(&self, response: &Response, rows: &Rows, height: u64) {
        let later = rows::height(response).filter(|newest| *newest > height);
        if let Some(indexed) = later.or((rows.len > 0).then_some(height)) {
            self.server.note_indexed(indexed);
        }
    }

    fn transfer_types(&self) -> MutexGuard<'_, TransferTypes> {
        self.transfer_types.lock()
    }
}

/// Where a list ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It has all rows.
    Whole,
    /// It has too many rows to read them all.
    Cut,
    /// It has fewer rows than its total.
    Short,
}

/// Events of a block, or of one token and type in it.
#[derive(Clone)]
pub(super) struct Events {
    pub(super) list: Arc<Vec<Activity>>,
    pub(super) end: End,
    /// Number of events without a ticker that were left out.
    pub(super) nameless: usize,
}

impl Events {
    /// Warns about missing events.
    pub(super) fn warn(&self, warnings: &Warnings, height: u64) {
        if self.nameless > 0 {
            warnings.note(skipped(self.nameless));
        }
        if self.end != End::Whole {
            warnings.note(format!("Only some of the events in block {height} loaded"));
        }
    }
}

/// The warning about events that were left out.
pub(super) fn skipped(nameless: usize) -> String {
    format!("Skipped {} without a ticker", counted(nameless, "event"))
}
