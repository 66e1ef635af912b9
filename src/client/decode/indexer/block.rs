//! Heights of blocks.

use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;

/// UniSat's height for transactions that are not in a block yet.
const MEMPOOL_HEIGHT: u64 = 0x3f_ffff;

/// A larger number is a time: such blocks are more than a century away.
const MAX_HEIGHT: u64 = 10_000_000;

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
