//! Heights of blocks.

use std::ops::RangeInclusive;

use crate::client::decode::identity::is_number;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;

/// UniSat's height for transactions that are not in a block yet.
const MEMPOOL_HEIGHT: u64 = 0x3f_ffff;

/// A larger number is a time: such blocks are more than a century away.
const MAX_HEIGHT: u64 = 10_000_000;

/// Keys that count as block heights: from the first BRC-20 token to decades from now. Other numbers may be anything.
const KEY_HEIGHTS: RangeInclusive<u64> = 779_832..=1_500_000;

/// Field names of a block's height, time and hash in an object.
const HEIGHTS: &[&str] = &["height", "block_height", "number"];
pub(super) const TIMES: &[&str] = &["time", "timestamp", "block_time"];
const HASHES: &[&str] = &["hash", "block_hash", "id"];

/// Field names of a transaction's id in an object.
const TX_IDS: &[&str] = &["txid", "tx_id", "hash", "id"];

/// The hash in a field about a block. A number is the block's id in a database.
pub(super) fn hash_in(block: Value<'_>) -> Option<Value<'_>> {
    first_hash(block, HASHES)
}

/// The id in a field about a transaction. A number is the transaction's id in a database.
pub(super) fn tx_id_in(tx: Value<'_>) -> Option<Value<'_>> {
    first_hash(tx, TX_IDS)
}

fn first_hash<'a>(object: Value<'a>, names: &[&str]) -> Option<Value<'a>> {
    let is_hash = |value: &Value<'_>| value.str().is_some() && !is_number(value.raw());
    names.iter().filter_map(|name| object.get(name)).find(is_hash)
}

/// The height in a field about a block: a number, or in an object.
pub(super) fn height_in(block: Value<'_>) -> Option<Value<'_>> {
    if block.is_object() { block.any(HEIGHTS) } else { Some(block).filter(|block| block.number().is_some()) }
}

/// The address in a field about a wallet: a string, or in an object.
pub(super) fn address_in(wallet: Value<'_>) -> Value<'_> {
    if wallet.is_object() { wallet.any(&["address", "wallet"]).unwrap_or(wallet) } else { wallet }
}

/// The height of a block that is the key of its values.
pub(super) fn height_of_key(key: &str) -> Option<u64> {
    key.parse().ok().filter(|height| *height <= MAX_HEIGHT)
}

/// The height of a block that is the key of its events.
pub(super) fn height_of_events(key: &str) -> Option<u64> {
    key.parse().ok().filter(|height| KEY_HEIGHTS.contains(height))
}

/// Whether a number may be the height of a block with events.
pub(super) fn is_height(number: u64) -> bool {
    number > 0 && number <= MAX_HEIGHT && number != MEMPOOL_HEIGHT
}

/// Reads the height of the block with a token, an event or an inscription, and whether it is not in a block yet. 0 means
/// "unknown": the first block has none of them. So does a number that is too large, with a warning.
pub(super) fn height(context: &mut Context<'_>, value: Option<Value<'_>>) -> (Option<u64>, bool) {
    match context.u64(value) {
        Some(MEMPOOL_HEIGHT) => (None, true),
        Some(height) if height > MAX_HEIGHT => {
            if let Some(value) = value {
                context.unreadable(value, "a block height");
            }
            (None, false)
        }
        height => (height.filter(|height| *height > 0), false),
    }
}
