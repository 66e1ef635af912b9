//! Events of an address.

use super::filter::matching;
use super::kinds::KINDS;
use super::state::{History, skipped};
use crate::model::{Activity, Page, Text};
use crate::service::backend::indexer::{ActivityQuery, PageQuery};
use crate::service::providers::page_of::page_of;
use crate::service::providers::unisat::rows::Rows;
use crate::service::providers::unisat::server::{ROWS, path_name};
use crate::service::providers::url::segment;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// Events of an address from one page of its history.
pub(super) async fn of_address(
    history: &History,
    address: &str,
    height: Option<u64>,
    query: &ActivityQuery,
    page: PageQuery,
) -> SourceResult<Page<Activity>> {
    let base = format!("/v1/indexer/address/{}/brc20", segment(address));
    let response = history.server.list(&format!("{base}/history?start=0&limit={ROWS}")).await?;
    let mut rows = Rows::read(&response, None, &[])?;
    let mut may_have_more = rows.may_have_more();
    let events = match query.tickers.as_slice() {
        _ if rows.have_tickers() => rows.events(&response, None)?,
        [ticker] => {
            let (name, ticker) = (path_name(ticker), Text::from(ticker.as_str()));
            may_have_more = false;
            let mut all: Option<Rows> = None;
            for kind in KINDS.map(|(_, kind)| kind).into_iter().chain(["receive"]) {
                let path = format!("{base}/{name}/history?type={kind}&start=0&limit={ROWS}");
                let response = history.server.address_events(&ticker, &path).await?;
                let rows = Rows::read(&response, None, &[])?;
                may_have_more |= rows.may_have_more();
                match &mut all {
                    Some(all) => all.append(rows),
                    None => all = Some(rows),
                }
            }
            // Together, so that the decoder leaves out the second side of a transfer within the address.
            all.unwrap_or(rows).events(&response, Some(&ticker))?
        }
        _ if rows.lack_tickers() => {
            return Err(SourceError::unsupported_because(
                "UniSat lists the events of an address by ticker only; choose a ticker",
            ));
        }
        _ => {
            let nameless = rows.remove_nameless();
            history.warnings().note(skipped(nameless));
            rows.events(&response, None)?
        }
    };
    let is_in_block = |event: &Activity| height.is_none_or(|height| event.block_height == Some(height));
    let part = page_of(matching(query, events.into_iter().filter(is_in_block)), page);
    if may_have_more
        && part.items.len() < page.limit
        && let Some(load) = Load::current()
    {
        load.warn("Only the newest events of the address; set indexer_url for the others");
    }
    Ok(Page { total: part.total.filter(|_| !may_have_more), ..part })
}
