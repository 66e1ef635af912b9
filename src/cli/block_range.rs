//! The warning of `satscope inscription-stats` about blocks that the service doesn't have.

use super::connection::Connection;
use super::failure::Failure;
use crate::client::{Reply, Request, ResponseData, Warning};
use crate::config::Settings;
use crate::format::Count;

/// A warning if the response lacks the first requested blocks because the service has only newer ones, or if it is empty
/// because the service has none of the requested blocks. To find out which blocks the service has, an empty response
/// needs another request; if that fails, there is no warning.
///
/// # Errors
/// The service can't be started.
pub(super) fn warning(
    request: &Request,
    reply: &Reply,
    connection: &Connection,
    settings: &Settings,
) -> Result<Option<Warning>, Failure> {
    let Request::InscriptionStats { from_block, to_block } = request else { return Ok(None) };
    let Some(response) = &reply.response else { return Ok(None) };
    if let Some((oldest, _)) = heights(response) {
        let is_cut = from_block.is_some_and(|from| from < oldest);
        return Ok(is_cut.then(|| format!("the service returned no blocks before {}", Count(oldest))));
    }
    if from_block.is_none() && to_block.is_none() {
        return Ok(None);
    }
    let newest = Request::InscriptionStats { from_block: None, to_block: None };
    let newest = connection.fetch(&newest, settings)?.ok().and_then(|reply| heights(reply.response.as_ref()?));
    Ok(newest.and_then(|(oldest, newest)| {
        if to_block.is_some_and(|to| to < oldest) {
            Some(format!("the service has no blocks before {}", Count(oldest)))
        } else if from_block.is_some_and(|from| from > newest) {
            Some(format!("the service has no blocks after {}", Count(newest)))
        } else {
            None
        }
    }))
}

/// The lowest and the highest block of a response; `None` without blocks.
fn heights(response: &ResponseData) -> Option<(u64, u64)> {
    let ResponseData::InscriptionStats(page) = response else { return None };
    let heights = || page.items.iter().filter_map(|block| block.block_height);
    heights().min().zip(heights().max())
}
