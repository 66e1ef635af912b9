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
    let Some(own) = page.answer.as_ref().and_then(first_row) else { return true };
    let is_start = match start {
        Some(start) => *start == own,
        None => match service.paging().ignores_offset(request) {
            Some(ignores_offset) => return ignores_offset,
            None => match first_of_list(service, config, request).await {
                Some(start) => start == own,
                None => return true,
            },
        },
    };
    service.paging().set_ignores_offset(request, is_start);
    is_start
}

/// Requests the first row of a list; `None` if it fails.
async fn first_of_list(service: &Service, config: &ClientConfig, request: &Request) -> Option<Text> {
    let (_, limit) = endpoint::span(request)?;
    let start = endpoint::with_page(request, 0, limit)?;
    let reply = service.exchange(config, &start, None).await.ok()?;
    reply.answer.as_ref().and_then(first_row)
}

/// The first row of a page.
pub(super) fn first_row(answer: &ResponseData) -> Option<Text> {
    with_page!(answer, page => page.items.first().and_then(Identity::key), else None)
}
