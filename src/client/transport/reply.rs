//! Decoded responses.

use std::time::Duration;

use reqwest::header::HeaderMap;

use super::headers;
use crate::client::notice::Notice;
use crate::client::request::Warning;
use crate::client::response_data::ResponseData;
use crate::model::provider;
use crate::model::{RateOrigin, Text, UtcTime};

/// The ETag and URL of a cached response, for conditional requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validator {
    /// Full URL of the response, needed because Hiro's API sends the same ETag for all URLs.
    pub url: String,
    /// The ETag as sent by the server.
    pub etag: String,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The response; `None` if the cached one is still valid (304).
    pub response: Option<ResponseData>,
    /// Full URL of the (first) request; never contains secrets.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Decompressed size in bytes, all pages together.
    pub bytes: u64,
    /// Time from the request to the last byte of the response.
    pub latency: Duration,
    /// When the response was complete.
    pub fetched_at: UtcTime,
    /// Validator for the next conditional request.
    pub validator: Option<Validator>,
    /// The `Cache-Control: max-age` of the response minus its `Age` (0 for `no-cache`).
    pub max_age: Option<Duration>,
    /// Whether our own service sent it.
    pub is_own: bool,
    /// Whether the data is simulated ([`crate::client::SIMULATED`]).
    pub simulated: bool,
    /// The provider of the data, if known.
    pub provider: Option<Text>,
    /// The origin of the exchange rate, if amounts were converted and the service names it.
    pub rate: Option<RateOrigin>,
    /// Age of the response on arrival (`Age`); of the oldest page for several.
    pub age: Duration,
    /// Unreadable parts of the response, the notice of the service and why it has no newer data.
    pub warnings: Vec<Warning>,
    /// The notice of the service; its sentence is also one of the warnings.
    pub notice: Option<Notice>,
    /// Why the service has no newer data, if it couldn't refresh it; also one of the warnings.
    pub refresh_error: Option<Warning>,
    /// Why a manual refresh did not bring newer data, although the data is not too old.
    pub not_refreshed: Option<Warning>,
    /// Number of rows that the server sent on all pages, skipped and unreadable ones included. The next page starts
    /// after them.
    pub rows: usize,
    /// Whether the service has rows after these, according to the last page.
    pub has_more: bool,
    /// Whether one of the warnings says that the service has more rows than it sends.
    pub warns_of_more_rows: bool,
    /// Whether the service sent pairs of several coins with the symbol, and only those of the first were read.
    pub has_several_coins: bool,
}

impl Reply {
    /// The head of a response whose body has not arrived.
    pub(super) fn from_head(url: String, status: u16, headers: &HeaderMap) -> Reply {
        let (notice, refresh_error) = (headers::notice(headers), headers::refresh_error(headers));
        let sentence = notice.as_ref().map(|notice| &notice.sentence);
        Reply {
            response: None,
            status,
            bytes: 0,
            latency: Duration::ZERO,
            fetched_at: UtcTime::now(),
            validator: headers::etag(headers).map(|etag| Validator { url: url.clone(), etag }),
            max_age: headers::max_age(headers),
            is_own: headers::is_own(headers),
            simulated: headers::is_simulated(headers),
            provider: headers::provider(headers),
            rate: headers::rate(headers),
            age: headers::age(headers),
            warnings: sentence.into_iter().chain(&refresh_error).cloned().collect(),
            notice,
            refresh_error,
            not_refreshed: headers::not_refreshed(headers),
            rows: 0,
            has_more: false,
            warns_of_more_rows: false,
            has_several_coins: false,
            url,
        }
    }

    /// Adds size, latency and warnings of another page. The response is unchanged.
    pub(super) fn append(&mut self, mut more: Reply) {
        // One ETag can't identify several pages.
        self.validator = None;
        self.bytes = self.bytes.saturating_add(more.bytes);
        self.rows += more.rows;
        self.has_more = more.has_more;
        self.warns_of_more_rows |= more.warns_of_more_rows;
        self.has_several_coins |= more.has_several_coins;
        self.latency += more.latency;
        self.fetched_at = more.fetched_at;
        self.max_age = self.max_age.min(more.max_age).or(self.max_age).or(more.max_age);
        self.is_own |= more.is_own;
        self.simulated |= more.simulated;
        self.provider = match (self.provider.take(), more.provider) {
            (Some(known), Some(other)) => Some(Text::from(provider::merged(&known, &other))),
            (known, other) => known.or(other),
        };
        self.age = self.age.max(more.age);
        self.notice = match (self.notice.take(), more.notice) {
            (Some(first), Some(next)) => {
                let [old, new] = [&first, &next].map(|notice| notice.sentence.clone());
                let joined = first.followed_by(next);
                if joined.is_about_prices() {
                    // The joined notice has the sentences of both.
                    self.warnings.iter_mut().filter(|warning| **warning == old).for_each(|warning| {
                        warning.clone_from(&joined.sentence);
                    });
                    more.warnings.retain(|warning| *warning != new);
                }
                Some(joined)
            }
            (first, next) => first.or(next),
        };
        self.refresh_error = self.refresh_error.take().or(more.refresh_error);
        self.not_refreshed = self.not_refreshed.take().or(more.not_refreshed);
        self.add_warnings(more.warnings);
    }

    /// Adds the warnings of another page, without duplicates.
    pub(crate) fn add_warnings(&mut self, more: Vec<Warning>) {
        for warning in more {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}
