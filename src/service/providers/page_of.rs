//! Pages of lists that a provider sends as a whole.

use crate::model::Page;
use crate::service::backend::indexer::PageQuery;

/// Returns a page of a list.
pub(super) fn page_of<T>(items: Vec<T>, PageQuery { offset, limit }: PageQuery) -> Page<T> {
    let total = Some(items.len() as u64);
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    Page { items: items.into_iter().skip(offset).take(limit).collect(), total }
}
