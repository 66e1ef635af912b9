//! BRC-20 activity from UniSat.
//!
//! The API lists the events of a block, or the events of one token and type in a block. The newest events of a token
//! are found by searching backwards from the newest block.

mod filter;
mod kinds;
mod newest;
mod of_address;
mod of_block;
mod of_type;
mod pages;
mod state;

pub(super) use state::History;

use crate::model::{Activity, Page};
use crate::service::backend::indexer::{ActivityQuery, PageQuery};
use crate::service::providers::page_of::page_of;
use crate::service::upstream::error::SourceResult;
use filter::matching;
use state::{End, Events};

/// Events that match all filters, newest first.
pub(super) async fn activity(
    history: &History,
    query: &ActivityQuery,
    page: PageQuery,
) -> SourceResult<Page<Activity>> {
    match (&query.address, query.block_height) {
        (Some(address), height) => of_address::of_address(history, address, height, query, page).await,
        (None, Some(height)) => {
            let Events { list, end, .. } = of_block::block(history, height, query).await?;
            let part = page_of(matching(query, list.iter().cloned()), page);
            Ok(Page { total: part.total.filter(|_| end == End::Whole), ..part })
        }
        (None, None) => newest::newest(history, query, page).await,
    }
}
