//! Where a page starts that is longer than requested: some services ignore `limit`, others `offset`, too.

use super::exchange::Service;
use super::page_response::with_page;
use super::reply::Reply;
use crate::client::config::ClientConfig;
use crate::client::endpoint;
use crate::client::request::Request;
use crate::client::response_data::ResponseData;
use crate::model::{Identity, Text};

/// Whether a page starts at the start of its list although later rows were requested: it has the same first row as the
/// `start` of the list. If that is unknown, the start is requested once. Rows without an identity count as the start.
pub(super) async fn is_list_start(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    page: &Reply,
    start: Option<&Text>,
) -> bool {
    let Some(own) = page.response.as_ref().and_then(first_row) else { return true };
    if let Some(start) = start {
        return *start == own;
    }
    if let Some(ignores_offset) = service.capabilities().ignores_offset(request) {
        return ignores_offset;
    }
    let Some(response) = start_of_list(service, config, request).await else { return true };
    // New rows may have come in between.
    let is_start =
        with_page!(&response, page => page.items.iter().any(|row| Identity::key(row) == Some(own.clone())), else true);
    service.capabilities().set_ignores_offset(request, is_start);
    is_start
}

/// Requests the start of a list; `None` if that fails.
async fn start_of_list(service: &Service, config: &ClientConfig, request: &Request) -> Option<ResponseData> {
    let (_, limit) = endpoint::span(request)?;
    let start = endpoint::with_page(request, 0, limit)?;
    service.exchange(config, &start, None).await.ok()?.response
}

/// The first row of a page.
pub(super) fn first_row(response: &ResponseData) -> Option<Text> {
    with_page!(response, page => page.items.first().and_then(Identity::key), else None)
}
