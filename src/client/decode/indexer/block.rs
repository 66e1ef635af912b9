//! Heights of blocks.

use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;

/// UniSat's height for transactions that are not in a block yet.
const MEMPOOL_HEIGHT: u64 = 0x3f_ffff;

/// A larger number is a time: such blocks are more than a century away.
const MAX_HEIGHT: u64 = 10_000_000;

/// Field names of a block's height, time and hash in an object.
pub(super) const HEIGHTS: &[&str] = &["height", "block_height", "number"];
pub(super) const TIMES: &[&str] = &["time", "timestamp", "block_time"];
pub(super) const HASHES: &[&str] = &["hash", "block_hash", "id"];

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
