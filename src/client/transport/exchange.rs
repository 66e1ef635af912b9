//! One HTTP request and its answer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::header::{CACHE_CONTROL, HeaderMap, IF_NONE_MATCH, LOCATION};
use reqwest::{Response, StatusCode};
use tokio::time::{Instant, timeout_at};

use super::raw_response::RawResponse;
use super::redact::Secrets;
use super::reply::{Reply, Validator};
use super::{body, decoder, duplicates, fault, headers, http, proxy, redirect, request_filter};
use crate::client::base::Base;
use crate::client::config::Secret;
use crate::client::config::{CONTENT_BYTES, ClientConfig, Limits};
use crate::client::decode;
use crate::client::endpoint;
use crate::client::error::{Error, ErrorKind};
use crate::client::request::Request;
use crate::model::UtcTime;

/// Larger bodies are decoded on a thread of their own, so that a key press never waits for them.
const DECODE_INLINE: usize = 64 * 1024;

/// As much of an error's body as is read for its message.
const ERROR_BODY: usize = 64 * 1024;

/// As long is an error's body waited for.
const ERROR_BODY_TIME: Duration = Duration::from_secs(2);

/// One group of the interface, ready to be asked.
pub(super) struct Service {
    base: Base,
    headers: HeaderMap,
    http: reqwest::Client,
    /// The proxy on the way there.
    proxy: Option<String>,
    /// It refused the wish for an order, and answered without it.
    refuses_order: AtomicBool,
    secrets: Secrets,
}

impl Service {
    /// A service at this URL; it shares the connections of another one where they are of the same kind.
    pub(super) fn new(
        what: &str,
        url: &str,
        extra: &[(String, Secret)],
        limits: &Limits,
        other: Option<&Service>,
    ) -> Result<Service, Error> {
        let error = |place: &str, kind| Error { what: what.to_owned(), place: place.to_owned(), kind };
        let base = Base::parse(url).map_err(|kind| error("the configured URL", kind))?;
        let headers = http::headers(&base, extra).map_err(|kind| error(base.place(), kind))?;
        let kind = |base: &Base| (base.is_https(), base.is_loopback());
        let http = match other.filter(|other| kind(&other.base) == kind(&base)) {
            Some(other) => other.http.clone(),
            None => http::client(&base, limits).map_err(|kind| error(base.place(), kind))?,
        };
        let proxy = proxy::of(&base).map_err(|kind| error(base.place(), kind))?;
        let secrets = Secrets::new(extra, &base);
        Ok(Service { base, headers, http, proxy, refuses_order: AtomicBool::new(false), secrets })
    }

    /// Scheme, host and port.
    pub(super) fn place(&self) -> &str {
        self.base.place()
    }

    /// One HTTP request, redirects included, decoded.
    pub(super) async fn exchange(
        &self,
        config: &ClientConfig,
        request: &Request,
        kept: Option<&Validator>,
    ) -> Result<Reply, ErrorKind> {
        let path = endpoint::path_and_query(config, request)?;
        let outcome = match endpoint::without_order(&path) {
            Some(plain) if self.refuses_order.load(Ordering::Relaxed) => {
                self.attempt(config, request, plain, kept).await
            }
            Some(plain) => match self.attempt(config, request, &path, kept).await {
                Err(refusal) if may_reject_parameter(&refusal) => {
                    let outcome = self.attempt(config, request, plain, kept).await;
                    self.refuses_order.store(outcome.is_ok(), Ordering::Relaxed);
                    outcome
                }
                outcome => outcome,
            },
            None => self.attempt(config, request, &path, kept).await,
        };
        let mut reply = outcome.map_err(|kind| self.without_secrets(kind))?;
        self.secrets.redact_warnings(&mut reply.warnings);
        Ok(reply)
    }

    async fn attempt(
        &self,
        config: &ClientConfig,
        request: &Request,
        path: &str,
        kept: Option<&Validator>,
    ) -> Result<Reply, ErrorKind> {
        let url = self.base.join(path);
        let kept = kept.filter(|kept| kept.url == url);
        let limits = &limits_of(request, &config.limits);
        let started = Instant::now();
        let deadline = after(started, limits.total);

        let response = self.head(&url, kept, config.no_cache, limits, started).await?;
        let status = response.status();
        let validator = headers::etag(response.headers()).map(|etag| Validator { url: url.clone(), etag });
        let max_age = headers::max_age(response.headers());
        let simulated = headers::is_simulated(response.headers());
        let (provider, age) = (headers::provider(response.headers()), headers::age(response.headers()));
        let notice = headers::notice(response.headers());
        let reply = |bytes: usize| {
            let latency = started.elapsed();
            tracing::debug!(%url, status = status.as_u16(), bytes, ?latency, "answered");
            Reply {
                answer: None,
                url: url.clone(),
                status: status.as_u16(),
                bytes: bytes as u64,
                latency,
                fetched_at: UtcTime::now(),
                validator: validator.clone(),
                max_age,
                simulated,
                provider: provider.clone(),
                age,
                warnings: Vec::new(),
                rows: 0,
            }
        };
        if status == StatusCode::NOT_MODIFIED && kept.is_some() {
            let confirmed = reply(0);
            let validator = confirmed.validator.clone().or_else(|| kept.cloned());
            return Ok(Reply { validator, ..confirmed });
        }
        if !status.is_success() {
            return Err(refusal(response, deadline).await);
        }
        let content_type = headers::content_type(response.headers());
        let encoding = body::unsupported_encoding(response.headers());
        let body = body::read(response, limits, deadline).await?;
        let mut reply = reply(body.len());
        if body.is_empty() {
            return Err(ErrorKind::Empty);
        }
        // Some servers declare an encoding and send plain JSON.
        let unread = |kind| match kind {
            ErrorKind::InBody { .. } | ErrorKind::Mismatch { .. } | ErrorKind::Unrecognised(_) => kind,
            kind => encoding.map_or(kind, ErrorKind::UnsupportedEncoding),
        };
        let decode::Decoded { mut answer, mut warnings, rows, has_more, provider } =
            decoded(request, body, content_type, config).await.map_err(unread)?;
        reply.rows = request_filter::cut_to_page(request, &mut answer, (rows, has_more));
        warnings.extend(duplicates::warning(&answer));
        reply.answer = Some(answer);
        warnings.extend(notice);
        reply.warnings = warnings;
        reply.provider = reply.provider.or(provider);
        Ok(reply)
    }

    /// One HTTP request, redirects included, not decoded. A failure's status is a response, too.
    pub(super) async fn raw(&self, path: &str, limits: &Limits, started: Instant) -> Result<RawResponse, ErrorKind> {
        let whole = async {
            let url = self.base.join(path);
            let deadline = after(started, limits.total);
            let response = self.head(&url, None, false, limits, started).await?;
            let (status, headers) = (response.status(), response.headers().clone());
            let body = if status.is_success() {
                body::read(response, limits, deadline).await?
            } else {
                body::read_start(response, ERROR_BODY, deadline.min(after(Instant::now(), ERROR_BODY_TIME))).await
            };
            let latency = started.elapsed();
            tracing::debug!(%url, status = status.as_u16(), bytes = body.len(), ?latency, "answered");
            Ok(RawResponse { status: status.as_u16(), headers, body, latency })
        };
        whole.await.map_err(|kind| self.without_secrets(kind))
    }

    /// What a server says, without the secrets that it repeats.
    pub(super) fn redact(&self, message: &str) -> String {
        self.secrets.redact(message.to_owned())
    }

    fn without_secrets(&self, kind: ErrorKind) -> ErrorKind {
        let kind = self.secrets.redact_error(kind);
        match &self.proxy {
            Some(place) => fault::of_proxy(kind, place),
            None => kind,
        }
    }

    /// Sends the request and waits for the head of the answer. A kept connection may be closed by the server in the
    /// very moment in which it is used again: a request that got not one byte back is sent once more.
    async fn head(
        &self,
        url: &str,
        kept: Option<&Validator>,
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
            if let Some(kept) = kept {
                builder = builder.header(IF_NONE_MATCH, kept.etag.as_str());
            }
            if no_cache {
                builder = builder.header(CACHE_CONTROL, "no-cache");
            }
            tracing::debug!(%url, conditional = kept.is_some(), "asking");
            let kind = match timeout_at(deadline.min(first_byte), builder.send()).await {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(error)) => fault::kind(&error),
                Err(_) if first_byte <= deadline => return Err(ErrorKind::TimeoutFirstByte(limits.first_byte)),
                Err(_) => return Err(ErrorKind::TimeoutTotal(limits.total)),
            };
            if kind != ErrorKind::BrokenOff || !again {
                return Err(kind);
            }
            again = false;
        }
    }
}

/// Whether a service may have refused a parameter that it doesn't know.
fn may_reject_parameter(refusal: &ErrorKind) -> bool {
    matches!(refusal, ErrorKind::Status { status: 400 | 422, .. })
}

/// The limits of one request: an inscription's content is a short text.
fn limits_of(request: &Request, limits: &Limits) -> Limits {
    let most = match request {
        Request::InscriptionContent { .. } => CONTENT_BYTES,
        _ => u64::MAX,
    };
    Limits { body_bytes: limits.body_bytes.min(most), ..limits.clone() }
}

/// The moment `limit` after `start`; a limit that no clock can show is none.
fn after(start: Instant, limit: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
    start + limit.min(YEAR)
}

/// What an answer says that is none: its status, and the message in its body.
async fn refusal(response: Response, deadline: Instant) -> ErrorKind {
    let status = response.status();
    let retry_after = headers::retry_after(response.headers(), UtcTime::now());
    let says_where = response.headers().contains_key(LOCATION);
    // The status is the news; a body that comes slowly or breaks off only costs the message. It is read in any case,
    // for only then can the connection be used again.
    let body = body::read_start(response, ERROR_BODY, deadline.min(after(Instant::now(), ERROR_BODY_TIME))).await;
    let message = decode::error_message(&body);
    match status {
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::RateLimited { message, retry_after },
        status if status.is_redirection() && status != StatusCode::NOT_MODIFIED => {
            let target = match status.as_u16() {
                _ if !says_where => " without a target",
                // These are followed wherever they can be.
                301..=303 | 307 | 308 => redirect::NOT_HTTP,
                _ => "",
            };
            ErrorKind::Redirect(format!("status {}{target}", status.as_u16()))
        }
        StatusCode::NOT_FOUND => ErrorKind::NotFound { message },
        status => ErrorKind::Status { status: status.as_u16(), message, retry_after },
    }
}

/// Decodes a body; a panic in there is our fault and harms nothing else.
async fn decoded(
    request: &Request,
    body: Vec<u8>,
    content_type: Option<String>,
    config: &ClientConfig,
) -> Result<decode::Decoded, ErrorKind> {
    let large = body.len() > DECODE_INLINE;
    let (request, limits, text) = (request.clone(), config.limits.clone(), config.text);
    let work = move || {
        catch_unwind(AssertUnwindSafe(|| decode::decode_as(text, &request, &body, content_type.as_deref(), &limits)))
            .unwrap_or_else(|_| Err(ErrorKind::Internal(String::from("the decoder panicked"))))
    };
    if !large {
        return work();
    }
    decoder::run(work).await?
}
