//! Pages of coins that show that the list is incomplete.

use crate::client::config::ClientConfig;
use crate::client::request::{Request, Warning};
use crate::client::response_data::ResponseData;
use crate::format::Count;
use crate::model::Tag;

/// Returns a warning if a page shows that coins are missing: it is empty although there are more coins, or the first
/// one doesn't begin with the largest coin.
pub(super) fn warning(
    config: &ClientConfig,
    request: &Request,
    response: &ResponseData,
    rows: usize,
) -> Option<Warning> {
    let (Request::Coins { tag, start, .. }, ResponseData::Coins(page)) = (request, response) else { return None };
    if rows == 0 && *start > 1 {
        let loaded = u64::from(start.saturating_sub(1));
        return page.total.filter(|total| *total > loaded).map(|total| ends_early(loaded, total));
    }
    let mut ranks = page.items.iter().map(|coin| coin.rank);
    let is_shifted = *tag == Tag::All && *start == 1 && config.first_index == 1;
    (is_shifted && ranks.next() == Some(Some(2)) && ranks.next() == Some(Some(3)))
        .then(|| String::from("List starts at rank 2; if the service counts from 0, set source.first_index = 0"))
}

/// The warning about a list that ends before its reported length.
pub(crate) fn ends_early(loaded: u64, total: u64) -> Warning {
    format!("Only {} of {} coins loaded: the next page is empty", Count(loaded), Count(total))
}
