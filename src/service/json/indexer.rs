//! Responses of the indexer group in the format of Hiro's Ordinals API v4.0.0, including which numbers are strings and
//! which fields are `null` or absent. Amounts are exact decimal strings without trailing zeros.
//!
//! Two differences: inscriptions have `charms`, as in newer versions, and an unknown address or ticker is `null`, not
//! `""`.

mod brc20;
mod inscription;
mod parts;
mod sat;
mod statistics;

use serde::Serialize;
use utoipa::ToSchema;

pub(in crate::service) use brc20::{ActivityJson, BalanceJson, HolderJson, TokenDetailsJson, TokenJson};
pub(in crate::service) use inscription::{InscriptionJson, LocationJson, TransferJson};
pub(in crate::service) use sat::SatJson;
pub(in crate::service) use statistics::StatisticsJson;

use crate::model::Page;
use crate::service::backend::indexer::{IndexerStatus, PageQuery};

/// One page of a list.
#[derive(Serialize, ToSchema)]
#[schema(as = Paged)]
pub(in crate::service) struct PagedJson<T> {
    /// Maximum items, as requested.
    #[schema(minimum = 1, maximum = 60)]
    limit: usize,
    /// Items before this page, as requested.
    offset: u64,
    /// Items of the whole list; `null` if unknown. 0 on BRC-20 pages beyond the end.
    #[schema(required)]
    total: Option<u64>,
    /// The items.
    results: Vec<T>,
}

impl<T> PagedJson<T> {
    /// A page of a list.
    pub(in crate::service) fn new<'a, M>(query: PageQuery, page: &'a Page<M>) -> PagedJson<T>
    where
        T: From<&'a M>,
    {
        PagedJson {
            limit: query.limit,
            offset: query.offset,
            total: page.total,
            results: page.items.iter().map(T::from).collect(),
        }
    }

    /// A page of a BRC-20 list. As in Hiro's API, the total of an empty page is 0.
    pub(in crate::service) fn brc20<'a, M>(query: PageQuery, page: &'a Page<M>) -> PagedJson<T>
    where
        T: From<&'a M>,
    {
        let mut paged = PagedJson::new(query, page);
        if paged.results.is_empty() {
            paged.total = Some(0);
        }
        paged
    }
}

/// The newest indexed block.
#[derive(Serialize, ToSchema)]
#[schema(as = ApiStatus)]
pub(in crate::service) struct StatusJson {
    /// Name and version.
    server_version: &'static str,
    /// Always `ready`.
    status: &'static str,
    /// Height of the newest block.
    block_height: u64,
    /// Highest inscription number.
    max_inscription_number: i64,
    /// Lowest inscription number; cursed inscriptions count down from -1.
    max_cursed_inscription_number: i64,
}

impl From<&IndexerStatus> for StatusJson {
    fn from(status: &IndexerStatus) -> StatusJson {
        StatusJson {
            server_version: "ordinals-api v4.0.0 (satscope)",
            status: "ready",
            block_height: status.block_height,
            max_inscription_number: status.max_inscription_number,
            max_cursed_inscription_number: status.max_cursed_inscription_number,
        }
    }
}
