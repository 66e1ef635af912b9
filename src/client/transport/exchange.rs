//! A single HTTP exchange.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use reqwest::header::{CACHE_CONTROL, HeaderMap, IF_NONE_MATCH, LOCATION};
use reqwest::{Response, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::capabilities::Capabilities;
use super::checks::Sender;
use super::raw_response::RawResponse;
use super::redact::Secrets;
use super::reply::{Reply, Validator};
use super::{body, checks, decoder, fault, headers, http, page_limit, proxy, rate_limit, redirect, request_filter};
use crate::client::base::Base;
use crate::client::config::Secret;
use crate::client::config::{ClientConfig, Limits, MAX_CONTENT_BYTES, MAX_IMAGE_BYTES};
use crate::client::decode;
use crate::client::endpoint;
use crate::client::error::{Error, ErrorKind};
use crate::client::header::{EXPLAINED, MUST_WAIT};
use crate::client::notice::Notice;
use crate::client::request::{Request, Warning};
use crate::model::UtcTime;

/// Maximum bytes that are read of an error body for its message.
const ERROR_BODY: usize = 64 * 1024;

/// Timeout of an error body.
const ERROR_BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// The HTTP service of a group.
pub(super) struct Service {
    base: Base,
    headers: HeaderMap,
    http: reqwest::Client,
    /// The proxy, if any.
    proxy: Option<String>,
    /// Whether the connection to the service or to the proxy uses TLS.
    uses_tls: bool,
    /// Whether a response shows that it is our own service.
    is_own: AtomicBool,
    /// Rows of all responses so far.
    rows: AtomicU64,
    /// Whether a request waits because the service limits the rate of requests.
    is_waiting: AtomicBool,
    capabilities: Capabilities,
    secrets: Secrets,
}

impl Service {
    /// Creates a service. It shares the connections of another one with the same settings.
    pub(super) fn new(
        what: &str,
        url: &str,
        extra: &[(String, Secret)],
        limits: &Limits,
        other: Option<&Service>,
    ) -> Result<Service, Error> {
        let error = |origin: &str, kind| Error { what: what.to_owned(), origin: origin.to_owned(), kind };
        let base = Base::parse(url).map_err(|kind| error("the configured URL", kind))?;
        let headers = http::headers(&base, extra).map_err(|kind| error(base.origin(), kind))?;
        let proxy = proxy::origin_for(&base).map_err(|kind| error(base.origin(), kind))?;
        let uses_tls = base.is_https() || proxy.as_ref().is_some_and(|origin| origin.starts_with("https:"));
        let is_alike = |other: &&Service| (other.uses_tls, other.base.is_loopback()) == (uses_tls, base.is_loopback());
        let http = match other.filter(is_alike) {
            Some(other) => other.http.clone(),
            None => http::client(&base, uses_tls, limits).map_err(|kind| error(base.origin(), kind))?,
        };
        let secrets = Secrets::new(extra, &base);
        let [is_own, is_waiting] = [false; 2].map(AtomicBool::new);
        Ok(Service {
            is_own,
            base,
            headers,
            http,
            proxy,
            uses_tls,
            rows: AtomicU64::new(0),
            is_waiting,
            capabilities: Capabilities::default(),
            secrets,
        })
    }

    /// Rows of all responses so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Scheme, host and port.
    pub(super) fn origin(&self) -> &str {
        self.base.origin()
    }

    /// Whether a request waits because the service limits the rate of requests.
    pub(super) fn is_waiting(&self) -> bool {
        self.is_waiting.load(Ordering::Relaxed)
    }

    /// What the service supports, as far as known.
    pub(super) fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    /// Sends a request, follows redirects and decodes the response. A page that is longer than requested and may start
    /// at the start of its list is not cut ([`request_filter::has_unknown_start`]). A request for one of the coins of a
    /// symbol is sent again if its response is the first one that shows that the service can select it.
    pub(super) async fn exchange(
        &self,
        config: &ClientConfig,
        request: &Request,
        cached: Option<&Validator>,
    ) -> Result<Reply, ErrorKind> {
        let is_own = || self.is_own.load(Ordering::Relaxed);
        if config.is_own_market || !request.selects_by_slug() {
            return self.exchange_as(config, request, cached).await;
        }
        if !is_own() {
            let outcome = self.exchange_as(config, request, cached).await;
            if !is_own() {
                return outcome;
            }
        }
        let config = ClientConfig { is_own_market: true, ..config.clone() };
        self.exchange_as(&config, request, cached).await
    }

    /// Sends a request with this configuration. A page that is too long for the service is requested with fewer rows.
    async fn exchange_as(
        &self,
        config: &ClientConfig,
        request: &Request,
        cached: Option<&Validator>,
    ) -> Result<Reply, ErrorKind> {
        let narrowed = self.capabilities.narrowed(request);
        let request = narrowed.as_ref().unwrap_or(request);
        let outcome = self.exchange_once(config, request, cached).await;
        let refusal = outcome.as_ref().err();
        let Some(shorter) = refusal.and_then(|refusal| page_limit::accepted(request, refusal)) else { return outcome };
        let outcome = self.exchange_once(config, &shorter, cached).await;
        if outcome.is_ok() {
            self.capabilities.note_page_limit(&shorter);
        }
        outcome
    }

    /// Sends a request, without our sort parameter to a service that rejects it.
    async fn exchange_once(
        &self,
        config: &ClientConfig,
        request: &Request,
        cached: Option<&Validator>,
    ) -> Result<Reply, ErrorKind> {
        let path = endpoint::path_and_query(config, request)?;
        let attempt = |path| {
            rate_limit::send_patiently(config, &self.is_waiting, move || self.attempt(config, request, path, cached))
        };
        let plain = endpoint::without_order(config, request);
        let outcome = match plain.as_deref() {
            Some(plain) if self.capabilities.rejects_order() => attempt(plain).await,
            Some(plain) => match attempt(&path).await {
                Err(refusal) if may_reject_parameter(&refusal) => {
                    let outcome = attempt(plain).await;
                    self.capabilities.set_rejects_order(outcome.is_ok());
                    outcome
                }
                outcome => outcome,
            },
            None => attempt(&path).await,
        };
        let mut reply = outcome.map_err(|kind| self.without_secrets(kind))?;
        self.secrets.redact_warnings(&mut reply.warnings);
        let redacted = |notice: Notice| Notice::new(self.secrets.redact(notice.sentence), notice.code);
        reply.notice = reply.notice.map(redacted);
        reply.refresh_error = reply.refresh_error.map(|reason| self.secrets.redact(reason));
        reply.not_refreshed = reply.not_refreshed.map(|reason| self.secrets.redact(reason));
        self.rows.fetch_add(reply.rows as u64, Ordering::Relaxed);
        Ok(reply)
    }

    async fn attempt(
        &self,
        config: &ClientConfig,
        request: &Request,
        path: &str,
        cached: Option<&Validator>,
    ) -> Result<Reply, ErrorKind> {
        let url = self.base.join(path);
        let cached = cached.filter(|cached| cached.url == url);
        let limits = &limits_of(request, &config.limits);
        let started = Instant::now();
        let deadline = after(started, limits.total);

        let response = self.head(&url, cached, config.no_cache, limits, started).await?;
        let status = response.status();
        let server_time = headers::server_time(response.headers());
        let head = Reply::from_head(url.clone(), status.as_u16(), response.headers());
        let arrived = |head: Reply, bytes: usize| {
            let latency = started.elapsed();
            tracing::debug!(%url, status = status.as_u16(), bytes, ?latency, "response received");
            Reply { bytes: bytes as u64, latency, fetched_at: UtcTime::now(), ..head }
        };
        if status == StatusCode::NOT_MODIFIED && cached.is_some() {
            let confirmed = arrived(head, 0);
            let validator = confirmed.validator.clone().or_else(|| cached.cloned());
            return Ok(Reply { validator, ..confirmed });
        }
        if !status.is_success() {
            return Err(refusal(response, deadline).await);
        }
        let content_type = headers::content_type(response.headers());
        let encoding = body::unsupported_encoding(response.headers());
        let body = body::read(response, limits, deadline).await?;
        let mut reply = arrived(head, body.len());
        if body.is_empty() {
            return Err(ErrorKind::Empty);
        }
        // Some servers declare an encoding and send plain JSON.
        let unread = |kind| match kind {
            ErrorKind::InBody { .. }
            | ErrorKind::Image(_)
            | ErrorKind::Mismatch { .. }
            | ErrorKind::Unrecognised(_) => kind,
            kind => encoding.map_or(kind, ErrorKind::UnsupportedEncoding),
        };
        let decode::Decoded { mut response, warnings, rows, has_more, has_several_coins, provider } =
            decoder::decode(request, body, content_type, config).await.map_err(unread)?;
        let now = server_time.map_or(reply.fetched_at, |time| time.max(reply.fetched_at));
        let sender = Sender { is_own: reply.is_own, names_provider: reply.provider.is_some(), now };
        let mut warnings: Vec<Warning> = warnings.into_iter().map(|warning| warning.sentence).collect();
        warnings.extend(checks::apply(config, request, &mut response, rows, sender));
        warnings.append(&mut reply.warnings);
        (reply.rows, reply.has_more, reply.has_several_coins) = (rows, has_more, has_several_coins);
        (reply.response, reply.warnings) = (Some(response), warnings);
        if !request_filter::has_unknown_start(request, &reply) {
            let offset = endpoint::span(request).map_or(0, |(offset, _)| offset);
            request_filter::cut_to_page(request, &mut reply, offset == 0);
        }
        reply.provider = reply.provider.or(provider);
        Ok(reply)
    }

    /// Opens a stream of events; `None` if the service has none for this request (204).
    pub(super) async fn stream(&self, path: &str, limits: &Limits) -> Result<Option<Response>, ErrorKind> {
        let started = Instant::now();
        let whole = async {
            let response = self.head(&self.base.join(path), None, false, limits, started).await?;
            match response.status() {
                StatusCode::NO_CONTENT => return Ok(None),
                status if !status.is_success() => return Err(refusal(response, after(started, limits.total)).await),
                _ => {}
            }
            if let Some(encoding) = headers::content_encoding(response.headers()) {
                return Err(ErrorKind::UnsupportedEncoding(encoding));
            }
            match headers::content_type(response.headers()) {
                Some(kind) if kind.to_ascii_lowercase().starts_with("text/event-stream") => Ok(Some(response)),
                _ => Err(ErrorKind::Unrecognised(String::from("not an event stream"))),
            }
        };
        whole.await.map_err(|kind| self.without_secrets(kind))
    }

    /// Sends a request and follows redirects. Returns responses of any status undecoded.
    pub(super) async fn raw(&self, path: &str, limits: &Limits, started: Instant) -> Result<RawResponse, ErrorKind> {
        let whole = async {
            let url = self.base.join(path);
            let deadline = after(started, limits.total);
            let response = self.head(&url, None, false, limits, started).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            let body = if status.is_success() {
                body::read(response, limits, deadline).await?
            } else {
                body::read_start(response, ERROR_BODY, deadline.min(after(Instant::now(), ERROR_BODY_TIMEOUT))).await
            };
            let latency = started.elapsed();
            tracing::debug!(%url, status = status.as_u16(), bytes = body.len(), ?latency, "response received");
            Ok(RawResponse { status: status.as_u16(), headers, body, latency })
        };
        whole.await.map_err(|kind| self.without_secrets(kind))
    }

    /// Removes secrets from a server's message.
    pub(super) fn redact(&self, message: &str) -> String {
        self.secrets.redact(message.to_owned())
    }

    fn without_secrets(&self, kind: ErrorKind) -> ErrorKind {
        let kind = self.secrets.redact_error(kind);
        match &self.proxy {
            Some(origin) => fault::of_proxy(kind, origin),
            None => kind,
        }
    }

    /// Sends the request and waits for the response headers. The server may close an idle connection just as it is
    /// reused, so a request that got no bytes back is sent once more.
    async fn head(
        &self,
        url: &str,
        cached: Option<&Validator>,
        no_cache: bool,
        limits: &Limits,
        started: Instant,
    ) -> Result<Response, ErrorKind> {
        let (first_byte, deadline) = (after(started, limits.first_byte), after(started, limits.total));
        let mut again = true;
        loop {
            let mut builder = self.http.get(url);
            if let Some((name, password)) = self.base.user() {
                builder = builder.basic_auth(name, password);
            }
            builder = builder.headers(self.headers.clone());
            if let Some(cached) = cached {
                builder = builder.header(IF_NONE_MATCH, cached.etag.as_str());
            }
            if no_cache {
                builder = builder.header(CACHE_CONTROL, "no-cache");
            }
            tracing::debug!(%url, conditional = cached.is_some(), "sending request");
            let kind = match timeout_at(deadline.min(first_byte), builder.send()).await {
                Ok(Ok(response)) => {
                    if headers::is_own(response.headers()) {
                        self.is_own.store(true, Ordering::Relaxed);
                    }
                    return Ok(response);
                }
                Ok(Err(error)) => fault::kind(&error),
                Err(_) if first_byte <= deadline => return Err(ErrorKind::TimeoutFirstByte(limits.first_byte)),
                Err(_) => return Err(ErrorKind::TimeoutTotal(limits.total)),
            };
            if kind != ErrorKind::Incomplete || !again {
                return Err(kind);
            }
            again = false;
        }
    }
}

/// Whether the error may be caused by an unsupported parameter.
fn may_reject_parameter(refusal: &ErrorKind) -> bool {
    matches!(refusal, ErrorKind::Status { status: 400 | 422, .. })
}

/// The limits of a request. Inscription content has a lower one.
fn limits_of(request: &Request, limits: &Limits) -> Limits {
    let most = match request {
        Request::InscriptionContent { .. } => MAX_CONTENT_BYTES,
        Request::InscriptionImage { .. } => MAX_IMAGE_BYTES,
        _ => u64::MAX,
    };
    Limits { body_bytes: limits.body_bytes.min(most), ..limits.clone() }
}

/// `start` plus `limit`, capped at a year to avoid overflow.
fn after(start: Instant, limit: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    start + limit.min(YEAR)
}

/// Builds the error of a response from its status and the message in its body.
async fn refusal(response: Response, deadline: Instant) -> ErrorKind {
    let status = response.status();
    let retry_after = headers::retry_after(response.headers(), UtcTime::now());
    let has_target = response.headers().contains_key(LOCATION);
    let is_explained = response.headers().contains_key(EXPLAINED);
    let must_wait = response.headers().contains_key(MUST_WAIT);
    // A slow or incomplete body only costs the message. The body is always read, so that the connection can be reused.
    let body = body::read_start(response, ERROR_BODY, deadline.min(after(Instant::now(), ERROR_BODY_TIMEOUT))).await;
    let message = decode::error_message(&body);
    match status {
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::RateLimited { message, retry_after },
        status if status.is_redirection() && status != StatusCode::NOT_MODIFIED => {
            let target = match status.as_u16() {
                _ if !has_target => " without a target",
                // Other redirects are followed if possible.
                301..=303 | 307 | 308 => redirect::NOT_HTTP,
                _ => "",
            };
            ErrorKind::Redirect(format!("status {}{target}", status.as_u16()))
        }
        StatusCode::NOT_FOUND if !is_explained => ErrorKind::NotFound { message },
        status => match message {
            Some(message) if is_explained => {
                ErrorKind::Explained { status: status.as_u16(), message, retry_after, must_wait }
            }
            message => ErrorKind::Status { status: status.as_u16(), message, retry_after },
        },
    }
}
