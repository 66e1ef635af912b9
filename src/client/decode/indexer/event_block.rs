//! The block that a response names around its events.

use super::around::{is_small, wrappers};
use super::block;
use crate::client::decode::envelope::{WRAPPERS, text_of};
use crate::client::decode::identity::another;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::client::error::ErrorKind;
use crate::model::Activity;

/// Field names of lists of events that contain nothing else.
const EVENTS: &[&str] = &["activity", "activities", "events"];

/// Checks that events are in the requested block. If their heights are keys (`is_by_height`), one must be the requested
/// one. Events without a height get the one around them if that is the requested one. Another height around them may be
/// the latest one, so it only causes a warning, unless the events are in an object about the block.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if the events are certainly in another block.
pub(super) fn check(
    context: &mut Context<'_>,
    root: Value<'_>,
    requested: u64,
    events: &mut [Activity],
    is_by_height: bool,
) -> Result<(), ErrorKind> {
    let mut heights = events.iter().filter_map(|event| event.block_height);
    if let Some(first) = heights.next() {
        let is_other = is_by_height && first != requested && heights.all(|height| height != requested);
        return if is_other { Err(another_block(first, requested)) } else { Ok(()) };
    }
    if events.is_empty() {
        return Ok(());
    }
    let mut other = None;
    for at in wrappers(root) {
        let block = at.get("block");
        let own = block.filter(|block| !block.is_object() || is_small(block)).and_then(height);
        let named = at.any(&["block_height", "height"]).and_then(height);
        if own == Some(requested) || named == Some(requested) {
            events.iter_mut().for_each(|event| event.block_height = Some(requested));
            return Ok(());
        }
        let lists = || EVENTS.iter().chain(WRAPPERS);
        if let Some(own) = own.filter(|_| lists().any(|name| block.is_some_and(|block| block.get(name).is_some()))) {
            return Err(another_block(own, requested));
        }
        let is_of_events = EVENTS.iter().any(|name| at.get(name).is_some());
        // Beside a list of anything, a later height is usually the latest one.
        other = other.or(own).or(named.filter(|height| is_of_events || *height < requested));
    }
    if let Some(other) = other {
        context.warn(|| format!("the events may be in block {other}, not in block {requested}"));
    }
    Ok(())
}

fn height(block: Value<'_>) -> Option<u64> {
    let height = text_of(block::height_in(block)?)?.parse().ok();
    height.filter(|height| block::is_height(*height))
}

/// The error for events of another block.
fn another_block(height: u64, requested: u64) -> ErrorKind {
    another(&[&format!("block {height}")], &format!("block {requested}"))
}
