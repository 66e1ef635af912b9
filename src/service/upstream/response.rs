//! A provider's response.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue, SET_COOKIE};
use serde::de::DeserializeOwned;

use super::dollars::remove_other_currencies;
use super::error::{SourceError, SourceResult};
use super::future_times::replace_future_times;
use super::json_error::unreadable;
use super::load::{Load, StoredUpstream};
use super::warnings::Warnings;
use crate::client::decode::{DecodeWarning, Decoded, Subject};
use crate::client::transport::RawResponse;
use crate::client::{Limits, Request, ResponseData, TextForm, decode};
use crate::format::words::{capitalised, counted};
use crate::model::{Currency, UtcTime};

/// Longest wait from a `Retry-After`. Callers have shorter limits.
const MAX_WAIT: Duration = Duration::from_hours(366 * 24);

/// Maximum sentences of the decoder about one response that are reported.
const MAX_SENTENCES: usize = 3;

/// How the short error page of a content delivery network starts: `error code: 1020`.
const CDN_ERROR: &[u8] = b"error code: ";

/// A provider's response.
#[derive(Clone, Debug)]
pub struct Response {
    raw: RawResponse,
    /// The error message in the body of an error response, fit for display.
    message: Option<String>,
    limits: Limits,
    /// The provider's warnings.
    warnings: Arc<Warnings>,
    /// When it arrived; `None` if that is not known.
    arrived: Option<UtcTime>,
}

impl Response {
    /// A response, and the error message in its body, fit for display.
    pub(super) fn new(raw: RawResponse, message: Option<String>) -> Response {
        Response { raw, message, limits: Limits::default(), warnings: Arc::default(), arrived: None }
    }

    /// The response, which has just arrived, to be decoded within these limits.
    pub(super) fn read_with(self, limits: Limits, warnings: Arc<Warnings>, now: UtcTime) -> Response {
        Response { limits, warnings, arrived: Some(now), ..self }
    }

    /// A response.
    #[cfg(test)]
    pub(in crate::service) fn of(status: u16, headers: &[(&str, &str)], body: impl Into<Vec<u8>>) -> Response {
        let body = body.into();
        let message = (!(200..300).contains(&status)).then(|| decode::error_message(&body)).flatten();
        let pair = |(name, value): &(&str, &str)| Some((HeaderName::try_from(*name).ok()?, (*value).parse().ok()?));
        let headers = headers.iter().filter_map(pair).collect();
        let raw = RawResponse { status, headers, body, latency: Duration::ZERO };
        Response::new(raw, message)
    }

    /// A response of another instance.
    pub(super) fn of_instance(stored: StoredUpstream) -> Response {
        let StoredUpstream { status, headers, body, message, .. } = stored;
        let header = |(name, value): (String, Vec<u8>)| {
            Some((HeaderName::try_from(name).ok()?, HeaderValue::from_bytes(&value).ok()?))
        };
        let headers = headers.into_iter().filter_map(header).collect();
        let raw = RawResponse { status, headers, body, latency: Duration::ZERO };
        Response::new(raw, message)
    }

    /// The response for other instances, with the newest block that is known.
    pub(super) fn stored(&self, now: UtcTime, height: Option<u64>) -> StoredUpstream {
        let headers = self.raw.headers.iter().filter(|(name, _)| **name != SET_COOKIE);
        let headers = headers.map(|(name, value)| (name.to_string(), value.as_bytes().to_vec())).collect();
        StoredUpstream::new(self.status(), headers, self.raw.body.clone(), self.message.clone(), now, height)
    }

    /// HTTP status.
    pub fn status(&self) -> u16 {
        self.raw.status
    }

    /// The body.
    pub fn body(&self) -> &[u8] {
        &self.raw.body
    }

    /// The value of a header, if it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.raw.header(name)
    }

    /// The error message in the body of an error response, fit for display.
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// Time from the request to the last byte.
    pub fn latency(&self) -> Duration {
        self.raw.latency
    }

    /// Whether it is a response of our own service.
    pub(in crate::service) fn is_of_own_service(&self) -> bool {
        self.raw.is_of_own_service()
    }

    /// Records metadata of another service's response in the load that it belongs to.
    pub(in crate::service) fn note_origin(&self) {
        if let Some((origin, load)) = self.raw.origin().zip(Load::current()) {
            load.note_origin(origin);
        }
    }

    /// The wait from `Retry-After`, at most `MAX_WAIT`.
    pub fn retry_after(&self) -> Option<Duration> {
        self.raw.retry_after(UtcTime::now()).map(|wait| wait.min(MAX_WAIT))
    }

    /// The time by the server's clock.
    pub(super) fn server_time(&self) -> Option<UtcTime> {
        self.raw.server_time()
    }

    /// The body without a byte-order mark.
    fn without_mark(&self) -> &[u8] {
        self.raw.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.raw.body)
    }

    /// The first byte of the body that isn't white space: `[`, `{`, `<`, ….
    pub fn first_byte(&self) -> Option<u8> {
        self.without_mark().iter().copied().find(|byte| !byte.is_ascii_whitespace())
    }

    /// Whether the body is an HTML page, such as an error page of a content delivery network.
    pub fn is_html(&self) -> bool {
        let text = String::from_utf8_lossy(self.raw.body.get(..256).unwrap_or(&self.raw.body)).to_ascii_lowercase();
        let begins = |tag: &str| text.trim_start_matches('\u{feff}').trim_start().starts_with(tag);
        begins("<!doctype html") || begins("<html") || self.raw.content_type().is_some_and(|kind| kind.contains("html"))
    }

    pub(super) fn check_status(&self) -> SourceResult<()> {
        match self.raw.status {
            200..300 if self.is_html() => Err(SourceError::unexpected_format("an HTML page")),
            200..300 => Ok(()),
            _ => Err(self.failure()),
        }
    }

    /// Classifies the error by HTTP status.
    pub(super) fn failure(&self) -> SourceError {
        let is_page = self.is_html() || self.raw.body.starts_with(CDN_ERROR);
        SourceError::by_status(self.raw.status, self.message.clone(), self.retry_after(), is_page)
    }

    /// The response with another body.
    pub fn with_body(&self, body: impl Into<Vec<u8>>) -> Response {
        let RawResponse { status, headers, latency, .. } = &self.raw;
        let raw = RawResponse { status: *status, headers: headers.clone(), body: body.into(), latency: *latency };
        let (message, limits, warnings) = (self.message.clone(), self.limits.clone(), Arc::clone(&self.warnings));
        Response { raw, message, limits, warnings, arrived: self.arrived }
    }

    /// Decodes the body as the response to a request, in any dialect that the client knows.
    ///
    /// # Errors
    /// The body is not a response to this request.
    pub fn decode(&self, request: &Request) -> SourceResult<Decoded> {
        let content_type = self.raw.content_type();
        let decoded =
            decode::decode_as(TextForm::Original, request, &self.raw.body, content_type.as_deref(), &self.limits);
        decoded.map_err(SourceError::from)
    }

    /// Decodes the body as the response to a request. Unreadable fields are skipped, and the Providers dialog says so.
    ///
    /// # Errors
    /// The body is not a response to this request.
    pub fn decode_data(&self, request: &Request) -> SourceResult<ResponseData> {
        self.decode_with_rows(request).map(|(response, _)| response)
    }

    /// Decodes like [`Response::decode_data`], with the number of rows in the body, skipped and unreadable ones
    /// included.
    ///
    /// # Errors
    /// The body is not a response to this request.
    pub fn decode_with_rows(&self, request: &Request) -> SourceResult<(ResponseData, usize)> {
        let Decoded { mut response, warnings, rows, .. } = self.decode(request)?;
        for warning in &warnings {
            tracing::debug!(warning = warning.sentence, "unreadable upstream field");
        }
        let removed = remove_other_currencies(&mut response)?;
        self.report(&warnings, removed);
        if let Some(sentence) = self.arrived.and_then(|arrived| replace_future_times(&mut response, arrived)) {
            self.warnings.note(sentence);
        }
        Ok((response, rows))
    }

    /// Records the decoder's warnings, and the number of items whose prices were removed because they were in another
    /// currency.
    fn report(&self, warnings: &[DecodeWarning], removed: Option<(usize, Currency)>) {
        let (fields, others): (Vec<_>, Vec<_>) = warnings.iter().partition(|warning| warning.subject == Subject::Field);
        let is_explained = |warning: &DecodeWarning| removed.is_some() && warning.subject == Subject::Currency;
        for warning in others.into_iter().filter(|warning| !is_explained(warning)).take(MAX_SENTENCES) {
            self.warnings.note(capitalised(&warning.sentence));
        }
        if let Some((count, currency)) = &removed {
            self.warnings.note(format!("Skipped {} in {currency}", counted(*count, "price")));
        }
        self.warnings.record(fields.len(), "field", fields.first().map(|field| field.sentence.as_str()));
    }

    /// Deserialises the body as JSON. Unknown fields are ignored.
    ///
    /// # Errors
    /// The body doesn't match the type.
    pub fn json<T: DeserializeOwned>(&self) -> SourceResult<T> {
        let body = self.without_mark();
        serde_json::from_slice(body).or_else(|error| unreadable(body, &error))
    }

    /// The body as text.
    ///
    /// # Errors
    /// It is not UTF-8.
    pub fn text(&self) -> SourceResult<&str> {
        std::str::from_utf8(self.without_mark()).map_err(|_| SourceError::unexpected_format("not UTF-8 text"))
    }
}
