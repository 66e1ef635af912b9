//! Responses that the value of the wallet is computed from.

use crate::client::{Request, ResponseData};
use crate::config::Settings;
use crate::model::{Coin, Tag, UtcTime};

/// A received response.
#[derive(Clone, Copy)]
pub(super) struct Received<'a> {
    /// The response to the request.
    pub(super) response: &'a ResponseData,
    /// When the response was up to date.
    pub(super) at: UtcTime,
    /// Whether it is simulated.
    pub(super) simulated: bool,
    /// The rows of a page, including unreadable ones.
    pub(super) rows: usize,
}

impl<'a> Received<'a> {
    /// The coins of a page.
    pub(super) fn coins(self) -> &'a [Coin] {
        if let ResponseData::Coins(page) = self.response { &page.items } else { &[] }
    }
}

/// The request for a page of a list.
pub(super) fn page(tag: Tag, start: u32, settings: &Settings) -> Request {
    Request::Coins { tag, start, limit: settings.display.page_size, convert: settings.display.convert.clone() }
}
