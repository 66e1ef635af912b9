//! The HTTP connection of a provider to its server: base URL, API key, timeouts, size limits, rate limits. A provider
//! sends all requests through it and decodes the responses with the client's decoders.

pub mod budget;
pub(in crate::service) mod calendar;
mod dollars;
pub mod error;
mod future_times;
mod json_error;
pub(in crate::service) mod load;
mod queue;
pub mod reported_usage;
mod response;
mod server;
mod server_clock;
pub mod settings;
mod slow_request;
mod slowness;
mod start_pace;
mod turns;
pub mod usage;
pub(in crate::service) mod warnings;

use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;

use super::call::{cancelled, until_sending, waited_for};
use super::queue_time::note_queued;
use super::shared::Claim;
use super::time_source::Timestamp;
use super::upstream::budget::RequestBudget;
use super::upstream::error::{ErrorClass, SourceError, SourceResult};
use super::upstream::load::{Load, StoredUpstream};
use super::upstream::reported_usage::ReportedUsage;
use super::upstream::server_clock::ServerClock;
use super::upstream::settings::ResolvedSettings;
use super::upstream::slow_request::SlowRequest;
use super::upstream::slowness::Slowness;
use super::upstream::warnings::Warnings;
use crate::client::Limits;
use crate::client::config::Secret;
use crate::client::transport::RawClient;
use crate::model::{Post, ProviderName, UtcTime, text};

pub use self::response::Response;
pub use self::server::Server;

/// Timeout of a whole response. Clients of the service have a longer one.
const TIMEOUT: Duration = Duration::from_secs(12);

/// How long a request that another provider could also answer may be queued.
pub(in crate::service) const LONG_WAIT: Duration = Duration::from_secs(8);

/// Maximum length of a reason with a server's message, in characters.
const MAX_REASON: usize = 300;

/// The `User-Agent` of upstream requests.
pub(in crate::service) const USER_AGENT: &str =
    concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"), " (+", env!("CARGO_PKG_REPOSITORY"), ")");

/// Recognises a provider's own errors in a response, such as error codes in the body.
pub type ErrorParser = fn(&Response) -> Option<SourceError>;

/// Reads the usage that a response reports. The time is the current one.
pub type UsageReader = fn(&Response, UtcTime) -> ReportedUsage;

/// A provider's server. Cheap to clone.
#[derive(Clone)]
pub struct Upstream(Arc<Inner>);

struct Inner {
    settings: ResolvedSettings,
    /// The header with the API key.
    key: Option<(String, Secret)>,
    budget: RequestBudget,
    error_parser: ErrorParser,
    usage_reader: OnceLock<UsageReader>,
    server: OnceLock<Result<Arc<dyn Server>, SourceError>>,
    /// Latency of the last response.
    latency: Mutex<Option<Duration>>,
    slowness: Slowness,
    slow_request: SlowRequest,
    clock: ServerClock,
    warnings: Arc<Warnings>,
}

/// How a request is sent.
#[derive(Clone, Copy)]
enum Kind {
    /// The next request waits for the response.
    Normal,
    /// A test by the user: it is sent even if the monthly limit is reached.
    Test,
    /// The next request doesn't wait if the response is slow ([`SlowRequest`]).
    MayBeSlow,
}

impl Upstream {
    /// The server of a provider. `key` builds the header with the API key. Opens no connection.
    pub fn new(
        settings: ResolvedSettings,
        key: impl FnOnce(&str) -> (&'static str, String),
        budget: RequestBudget,
        error_parser: ErrorParser,
    ) -> Upstream {
        let key = settings.api_key.as_ref().map(|Secret(secret)| {
            let (name, value) = key(secret);
            (name.to_owned(), Secret(value))
        });
        Upstream(Arc::new(Inner {
            settings,
            key,
            budget,
            error_parser,
            usage_reader: OnceLock::new(),
            server: OnceLock::new(),
            latency: Mutex::default(),
            slowness: Slowness::default(),
            slow_request: SlowRequest::default(),
            clock: ServerClock::default(),
            warnings: Arc::default(),
        }))
    }

    /// Sends no requests while the last response forbids it, and corrects the count of the month.
    #[must_use]
    pub fn with_usage_reader(self, reader: UsageReader) -> Upstream {
        // Fails only if it is set already.
        let _ = self.0.usage_reader.set(reader);
        self
    }

    /// Replaces the server.
    #[cfg(test)]
    #[must_use]
    pub(in crate::service) fn with_server(self, server: Arc<dyn Server>) -> Upstream {
        // Fails only after the first request.
        let _ = self.0.server.set(Ok(server));
        self
    }

    /// The provider's name.
    pub fn name(&self) -> ProviderName {
        self.0.settings.name
    }

    /// Whether requests carry an API key.
    pub fn has_key(&self) -> bool {
        self.0.key.is_some()
    }

    /// The current time.
    pub fn now(&self) -> UtcTime {
        self.0.budget.now()
    }

    /// Stamps something with the current time.
    pub fn stamp(&self) -> Timestamp {
        self.0.budget.stamp()
    }

    /// Removes the dates of posts that are in the future, with a warning.
    pub fn remove_future_dates(&self, posts: &mut [Post]) {
        if let Some(sentence) = future_times::remove_future_dates(posts, self.now()) {
            self.0.warnings.note(sentence);
        }
    }

    /// Latency of the last response; `None` before it.
    pub fn latency(&self) -> Option<Duration> {
        *self.0.latency.lock()
    }

    /// Whether a request is overdue, or one was recently and got no response: nothing optional should wait for it.
    pub(in crate::service) fn is_slow(&self) -> bool {
        self.0.slowness.is_slow()
    }

    /// Milliseconds that the server's clock is ahead of the local one; `None` without a recent response.
    pub(in crate::service) fn server_millis_ahead(&self) -> Option<i64> {
        self.0.clock.millis_ahead()
    }

    /// See [`ResolvedSettings::server_id`].
    pub(in crate::service) fn server_id(&self) -> u32 {
        self.0.settings.server_id()
    }

    /// The unreadable fields of its responses.
    pub(in crate::service) fn warnings(&self) -> &Warnings {
        &self.0.warnings
    }

    /// The rate limits of its requests.
    pub fn budget(&self) -> &RequestBudget {
        &self.0.budget
    }

    /// Sends a GET request for a path and query below the base URL, as soon as the rate limits allow it.
    ///
    /// # Errors
    /// See [`ErrorClass`].
    pub async fn get(&self, path_and_query: &str) -> SourceResult<Response> {
        self.get_with_cost(path_and_query, 1).await
    }

    /// Sends a request that costs more than one unit of the monthly limit; otherwise like [`Upstream::get`].
    ///
    /// # Errors
    /// See [`ErrorClass`].
    pub async fn get_with_cost(&self, path_and_query: &str, cost: u64) -> SourceResult<Response> {
        let response = self.send(path_and_query, path_and_query, cost, Kind::Normal).await?;
        response.check_status().map_err(|error| self.explained(error))?;
        Ok(response)
    }

    /// Sends a request for an item that may take the server a while: after a second, the next request is sent.
    /// Otherwise like [`Upstream::get`].
    ///
    /// # Errors
    /// See [`ErrorClass`].
    pub async fn get_slow(&self, path_and_query: &str) -> SourceResult<Response> {
        let response = self.send(path_and_query, path_and_query, 1, Kind::MayBeSlow).await?;
        response.check_status().map_err(|error| self.explained(error))?;
        Ok(response)
    }

    /// Sends a request that contains the time: instances share its response under this name, a path and query without
    /// the time. Otherwise like [`Upstream::get`].
    ///
    /// # Errors
    /// See [`ErrorClass`].
    pub async fn get_as(&self, name: &str, path_and_query: &str) -> SourceResult<Response> {
        let response = self.send(name, path_and_query, 1, Kind::Normal).await?;
        response.check_status().map_err(|error| self.explained(error))?;
        Ok(response)
    }

    /// Sends a request for content of any type, HTML included; otherwise like [`Upstream::get`].
    ///
    /// # Errors
    /// See [`ErrorClass`].
    pub async fn get_content(&self, path_and_query: &str) -> SourceResult<Response> {
        let response = self.send(path_and_query, path_and_query, 1, Kind::Normal).await?;
        if (200..300).contains(&response.status()) { Ok(response) } else { Err(self.explained(response.failure())) }
    }

    /// Sends a test by the user, even if the monthly limit is reached; otherwise like [`Upstream::get`].
    ///
    /// # Errors
    /// See [`ErrorClass`].
    pub(in crate::service) async fn test(&self, path_and_query: &str) -> SourceResult<Response> {
        let response = self.checked(self.request(path_and_query, 1, Kind::Test).await?)?;
        response.check_status().map_err(|error| self.explained(error))?;
        Ok(response)
    }

    /// Adds the setting to change to an error about a server that no longer exists.
    fn explained(&self, error: SourceError) -> SourceError {
        match error.class {
            ErrorClass::Gone => {
                let setting = format!("set providers.{}.base_url", self.name());
                SourceError { reason: format!("Service no longer exists at this address (410): {setting}"), ..error }
            }
            _ => error,
        }
    }

    /// Takes the response from another instance, or requests it.
    async fn send(&self, name: &str, path_and_query: &str, cost: u64, kind: Kind) -> SourceResult<Response> {
        until_sending().await;
        let load = Load::current();
        if let Some(load) = load.as_ref().filter(|_| self.0.settings.per_month.is_some()) {
            load.note_cost(cost);
        }
        let Some((shared, load)) = self.0.budget.shared_state().zip(load) else {
            return self.checked(self.request(path_and_query, cost, kind).await?);
        };
        let server = self.0.settings.url_id();
        let name = format!("upstream:{}:{server:08x}:{name}", self.name());
        let is_accepted = |stored: &StoredUpstream| load.accepts(stored, self.now());
        let claim = tokio::select! {
            claim = shared.claim(&name, is_accepted) => claim,
            () = cancelled() => return Err(SourceError::new(ErrorClass::Cancelled, "cancelled")),
        };
        let lock = match claim {
            Claim::Found(stored) => {
                load.uses(&stored, self.now());
                return self.checked(Response::of_instance(stored));
            }
            Claim::Mine(lock) => Some(lock),
            Claim::Alone => None,
        };
        let response = self.request(path_and_query, cost, kind).await?;
        if lock.is_some() {
            let stored = response.stored(self.now(), load.known_height());
            shared.publish(&name, &stored, load.ttl(response.status())).await;
        }
        drop(lock);
        self.checked(response)
    }

    /// Sends a request as soon as the rate limits allow it.
    async fn request(&self, path_and_query: &str, cost: u64, kind: Kind) -> SourceResult<Response> {
        let server = self.server()?;
        let queued = note_queued();
        let acquire = async {
            match kind {
                Kind::Test => self.0.budget.acquire_for_test(cost).await,
                Kind::Normal | Kind::MayBeSlow => self.0.budget.acquire(cost).await,
            }
        };
        let permit = tokio::select! {
            permit = acquire => permit?,
            () = cancelled() => return Err(SourceError::new(ErrorClass::Cancelled, "cancelled")),
            () = waited_for(LONG_WAIT) => return Err(SourceError::too_many_queued()),
        };
        drop(queued);
        // The other provider also needs time.
        let limit = self.timeout() / 2;
        let sent = self.0.slowness.sent();
        let response = async {
            let response = server.get(path_and_query);
            match kind {
                Kind::MayBeSlow => self.0.slow_request.response(response, permit).await,
                Kind::Normal | Kind::Test => {
                    let _permit = permit;
                    response.await
                }
            }
        };
        let response = tokio::select! {
            biased;
            response = response => response,
            () = waited_for(limit) => {
                // It may still respond within the full timeout. If it is as slow again, it is paused.
                let slow = SourceError::too_slow(limit);
                return Err(if self.0.slowness.abandoned() {
                    SourceError { class: ErrorClass::Failing, ..slow }
                } else {
                    slow
                });
            }
        };
        let response = response?;
        sent.answered();
        *self.0.latency.lock() = Some(response.latency());
        if let Some(server_time) = response.server_time() {
            self.0.clock.note(server_time, self.now());
        }
        if let Some(read) = self.0.usage_reader.get() {
            self.0.budget.correct(cost, read(&response, self.now())).await;
        }
        Ok(response)
    }

    fn checked(&self, response: Response) -> SourceResult<Response> {
        let (limits, warnings) = (self.0.settings.limits.clone(), Arc::clone(&self.0.warnings));
        let response = response.read_with(limits, warnings, self.now());
        if let Some(mut error) = (self.0.error_parser)(&response) {
            let reason = self.server()?.redact(&error.reason);
            error.reason = text::cut(text::clean(&reason), MAX_REASON).into_owned();
            return Err(self.explained(error));
        }
        Ok(response)
    }

    fn server(&self) -> SourceResult<Arc<dyn Server>> {
        self.0.server.get_or_init(|| self.connect()).clone()
    }

    /// Timeout of a whole response.
    fn timeout(&self) -> Duration {
        self.0.settings.limits.total.min(TIMEOUT)
    }

    fn connect(&self) -> SourceResult<Arc<dyn Server>> {
        let ResolvedSettings { name, base_url, limits, .. } = &self.0.settings;
        let Some(base_url) = base_url else {
            let reason = format!("No URL: set providers.{name}.base_url");
            return Err(SourceError::new(ErrorClass::Misconfigured, reason));
        };
        let agent = (String::from("user-agent"), Secret(USER_AGENT.to_owned()));
        let headers: Vec<_> = std::iter::once(agent).chain(self.0.key.clone()).collect();
        let total = self.timeout();
        let limits = Limits { total, first_byte: limits.first_byte.min(total), ..limits.clone() };
        let client = RawClient::new(name.as_str(), base_url, &headers, &limits, None);
        client.map(|client| Arc::new(client) as _).map_err(|error| SourceError::from(error.kind))
    }
}

impl fmt::Debug for Upstream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upstream").field("name", &self.name()).field("has_key", &self.has_key()).finish_non_exhaustive()
    }
}
