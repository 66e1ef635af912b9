//! The connection to Redis or Valkey.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, ErrorKind, RedisResult, Script};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};

/// Maximum time of a command, and of a connection attempt.
const TIMEOUT: Duration = Duration::from_millis(300);

/// Pause after a failure, during which Redis is not used.
const PAUSE: Duration = Duration::from_secs(1);

/// Start of every key; the number changes with the format of the values.
pub(super) const PREFIX: &str = "satscope:3";

/// Values that are encoded and stored at the same time.
const MAX_PUBLISHING: usize = 4;

/// Lifetime of a lock whose holder has died. Living holders renew it.
const LOCK: Duration = Duration::from_secs(6);

/// Heartbeats of an instance in the lifetime of a lock: every 2 s. Redis may fail at any time, and then the last count
/// decides how much of the budgets each instance uses.
const HEARTBEATS_PER_LOCK: u32 = 3;

/// Heartbeats in a row that count fewer instances before the number is taken over: if Redis has lost its data, the others
/// are missing until their next heartbeats.
const FEWER_HEARTBEATS: u32 = 2;

/// Counts an instance among those of the last two minutes. Keys: instances, heartbeat. Arguments: instance, or an empty
/// string for one without budgets. Returns their number, and fails if Redis refuses writes. Uses Redis's time, since the
/// clocks of the instances differ.
const HEARTBEAT: &str = "
local now = redis.call('TIME')[1] * 1000
redis.call('SET', KEYS[2], now, 'PX', 240000)
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 120000)
redis.call('PEXPIRE', KEYS[1], 240000)
return redis.call('ZCARD', KEYS[1])
";

/// Removes an instance that stops. Keys: instances. Arguments: instance.
const LEAVE: &str = "return redis.call('ZREM', KEYS[1], ARGV[1])";

/// A connection to Redis. Cheap to clone.
#[derive(Clone)]
pub struct SharedState(Arc<Inner>);

struct Inner {
    client: Client,
    /// Its own thread, so that commands don't seem to take long while the service's threads are busy.
    runtime: OnceLock<Option<Runtime>>,
    manager: OnceLock<ConnectionManager>,
    /// The name of this instance.
    id: u64,
    /// Instances that were seen last, this one included; 0 if they have never been counted.
    instances: AtomicU32,
    /// Heartbeats in a row that have counted fewer.
    fewer: AtomicU32,
    /// Whether this instance is stopping and sends no more heartbeats.
    has_left: AtomicBool,
    paused_until: Mutex<Option<Instant>>,
    /// Why the last command failed.
    failure: Mutex<Option<Reason>>,
    lock_time: Duration,
    /// Whether it counts among the instances that share budgets.
    has_budgets: bool,
    publishing: Semaphore,
    /// Reports to the user that Redis failed, or works again.
    report: Box<dyn Fn(&str) + Send + Sync>,
}

impl SharedState {
    /// State at a URL such as `redis://localhost:6379`, or `rediss://` with TLS. Connects on a separate thread.
    /// `report` gets a sentence when Redis fails and when it works again.
    ///
    /// # Errors
    /// The URL is not a Redis URL; a sentence without its password.
    pub fn new(url: &str, report: impl Fn(&str) + Send + Sync + 'static) -> Result<SharedState, String> {
        SharedState::connect(url, LOCK, true, report)
    }

    /// Like [`SharedState::new`], for simulated data, which have no budgets to share.
    ///
    /// # Errors
    /// See [`SharedState::new`].
    pub fn without_budgets(url: &str, report: impl Fn(&str) + Send + Sync + 'static) -> Result<SharedState, String> {
        SharedState::connect(url, LOCK, false, report)
    }

    /// State whose locks expire after a time without renewal, for tests.
    #[doc(hidden)]
    pub fn with_lock_time(
        url: &str,
        lock_time: Duration,
        report: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<SharedState, String> {
        SharedState::connect(url, lock_time, true, report)
    }

    pub(super) fn connect(
        url: &str,
        lock_time: Duration,
        has_budgets: bool,
        report: impl Fn(&str) + Send + Sync + 'static,
    ) -> Result<SharedState, String> {
        let client = match Client::open(url) {
            Ok(client) if url.starts_with("redis://") => client,
            Ok(_) if url.ends_with("#insecure") => {
                return Err(String::from("#insecure is not supported: the system must trust the certificate of Redis"));
            }
            Ok(client) if url.starts_with("rediss://") => {
                // An error means that there is one already.
                let _ = rustls::crypto::ring::default_provider().install_default();
                client
            }
            _ => return Err(String::from("not a URL such as redis://localhost:6379")),
        };
        let shared = SharedState(Arc::new(Inner {
            client,
            runtime: OnceLock::new(),
            manager: OnceLock::new(),
            id: fastrand::u64(..),
            instances: AtomicU32::new(0),
            fewer: AtomicU32::new(0),
            has_left: AtomicBool::new(false),
            paused_until: Mutex::default(),
            failure: Mutex::default(),
            lock_time,
            has_budgets,
            publishing: Semaphore::new(MAX_PUBLISHING),
            report: Box::new(report),
        }));
        // Starts it, so that a wrong password is reported before the first request.
        shared.runtime();
        Ok(shared)
    }

    /// Whether the last command failed.
    pub(in crate::service) fn is_down(&self) -> bool {
        self.failure().is_some()
    }

    /// Instances that were seen last, this one included; 1 if they have never been counted.
    pub(in crate::service) fn instances(&self) -> u32 {
        self.0.instances.load(Ordering::Relaxed).max(1)
    }

    /// The name of this instance.
    pub(super) fn id(&self) -> u64 {
        self.0.id
    }

    /// Bounds the values that are stored at the same time.
    pub(super) fn publishing(&self) -> &Semaphore {
        &self.0.publishing
    }

    /// Lifetime of a lock that is not renewed.
    pub(super) fn lock_time(&self) -> Duration {
        self.0.lock_time
    }

    /// Sends a heartbeat, and counts the instances. Each gets its share of the budgets if Redis fails.
    async fn send_heartbeat(&self) {
        let id = if self.0.has_budgets { self.id().to_string() } else { String::new() };
        let heartbeat = move |mut redis: ConnectionManager| async move {
            let script = Script::new(HEARTBEAT);
            let mut call = script.key(format!("{PREFIX}:instances"));
            call.key(format!("{PREFIX}:heartbeat")).arg(id).invoke_async(&mut redis).await
        };
        let Some(counted) = self.send(heartbeat, true).await else { return };
        let is_fewer = counted < self.0.instances.load(Ordering::Relaxed);
        let times = if is_fewer { self.0.fewer.fetch_add(1, Ordering::Relaxed) + 1 } else { 0 };
        if !is_fewer || times >= FEWER_HEARTBEATS {
            self.0.instances.store(counted, Ordering::Relaxed);
            self.0.fewer.store(0, Ordering::Relaxed);
        }
    }

    /// Removes this instance from those that share the budgets. The others learn of it at their next heartbeats.
    pub(in crate::service) async fn leave(&self) {
        self.0.has_left.store(true, Ordering::Relaxed);
        let id = self.id();
        let leave = move |mut redis: ConnectionManager| async move {
            Script::new(LEAVE).key(format!("{PREFIX}:instances")).arg(id).invoke_async(&mut redis).await
        };
        // If it fails, the others forget this one after two minutes.
        let _: Option<u64> = self.run(leave).await;
    }

    /// Runs a command; `None` if it fails, Redis is paused after a failure, or it refuses writes. In that case reading
    /// would still work, but the instances couldn't share anything.
    pub(super) async fn run<T, F>(&self, command: impl FnOnce(ConnectionManager) -> F + Send + 'static) -> Option<T>
    where
        T: Send + 'static,
        F: Future<Output = RedisResult<T>> + Send + 'static,
    {
        if matches!(*self.failure(), Some(Reason::RefusesWrites(_))) {
            return None;
        }
        self.send(command, false).await
    }

    /// [`SharedState::run`], also while Redis refuses writes. Only a command that `writes` shows that it no longer does.
    async fn send<T, F>(&self, command: impl FnOnce(ConnectionManager) -> F + Send + 'static, writes: bool) -> Option<T>
    where
        T: Send + 'static,
        F: Future<Output = RedisResult<T>> + Send + 'static,
    {
        let until = *self.0.paused_until.lock().unwrap_or_else(PoisonError::into_inner);
        if until.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        let shared = self.clone();
        let command = async move {
            match shared.connection() {
                Ok(connection) => timeout(TIMEOUT, command(connection)).await,
                Err(error) => Ok(Err(error)),
            }
        };
        match self.runtime()?.spawn(command).await.ok()? {
            Ok(Ok(value)) => {
                let is_over = |reason: &mut Reason| writes || !matches!(reason, Reason::RefusesWrites(_));
                if self.failure().take_if(is_over).is_some() {
                    let shared = if self.0.has_budgets { "responses and budgets" } else { "responses" };
                    (self.0.report)(&format!("Reconnected to Redis · sharing {shared} again"));
                }
                Some(value)
            }
            Ok(Err(error)) => {
                self.failed(error.reason());
                None
            }
            Err(_) => {
                self.failed(Reason::TIMED_OUT);
                None
            }
        }
    }

    /// The thread of the connection; `None` if it can't be started.
    pub(super) fn runtime(&self) -> Option<&Handle> {
        let start = || {
            let mut builder = tokio::runtime::Builder::new_multi_thread();
            let started = builder.worker_threads(1).thread_name("redis").enable_all().build();
            started.map_err(|error| tracing::warn!(%error, "can't start the thread of Redis")).ok()
        };
        let mut is_new = false;
        let start = || {
            is_new = true;
            start()
        };
        let runtime = self.0.runtime.get_or_init(start).as_ref().map(Runtime::handle)?;
        if is_new {
            runtime.spawn(send_heartbeats(Arc::downgrade(&self.0), self.lock_time() / HEARTBEATS_PER_LOCK));
        }
        Some(runtime)
    }

    /// The connection. Its commands have a separate timeout.
    pub(super) fn connection(&self) -> RedisResult<ConnectionManager> {
        if let Some(manager) = self.0.manager.get() {
            return Ok(manager.clone());
        }
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(TIMEOUT))
            .set_response_timeout(Some(TIMEOUT))
            // A second attempt would outlast the timeout, which would hide why the first one failed.
            .set_number_of_retries(0);
        let manager = ConnectionManager::new_lazy_with_config(self.0.client.clone(), config)?;
        Ok(self.0.manager.get_or_init(|| manager).clone())
    }

    fn failure(&self) -> MutexGuard<'_, Option<Reason>> {
        self.0.failure.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, reason: Reason) {
        *self.0.paused_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + PAUSE);
        let is_new = {
            let mut failure = self.failure();
            // The first attempts may take too long to get this far.
            let is_new = failure.is_none() || reason == Reason::UNTRUSTED && *failure != Some(Reason::UNTRUSTED);
            if is_new {
                *failure = Some(reason);
            }
            is_new
        };
        if is_new {
            let share = match self.0.instances.load(Ordering::Relaxed) {
                _ if !self.0.has_budgets => String::new(),
                0 => String::from(" and full budgets, other instances unknown"),
                1 => String::from(" and full budgets"),
                instances => format!(" and 1/{instances} of each budget"),
            };
            (self.0.report)(&format!("{reason} · using the local cache{share}"));
        }
    }
}

async fn send_heartbeats(shared: Weak<Inner>, pause: Duration) {
    while let Some(inner) = shared.upgrade() {
        if inner.has_left.load(Ordering::Relaxed) {
            return;
        }
        SharedState(inner).send_heartbeat().await;
        sleep(pause).await;
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // A runtime can't wait for its threads inside another runtime.
        if let Some(runtime) = self.runtime.take().flatten() {
            runtime.shutdown_background();
        }
    }
}

/// Why Redis failed, without addresses and keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// It can't be reached.
    Unreachable(&'static str),
    /// It was reached, but can't be used.
    Unusable(&'static str),
    /// It can be read, but not written.
    RefusesWrites(&'static str),
}

impl Reason {
    const TIMED_OUT: Reason = Reason::Unreachable("timed out");
    const UNTRUSTED: Reason = Reason::Unusable("certificate can't be verified");
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unreachable(cause) => write!(f, "Can't reach Redis ({cause})"),
            Reason::Unusable(cause) => write!(f, "Can't use Redis ({cause})"),
            Reason::RefusesWrites(cause) => write!(f, "Can't write to Redis ({cause})"),
        }
    }
}

trait FailureReason {
    fn reason(&self) -> Reason;
}

impl FailureReason for redis::RedisError {
    fn reason(&self) -> Reason {
        use Reason::{RefusesWrites, Unreachable, Unusable};
        let is = |part: &str| self.to_string().contains(part);
        match () {
            () if is("invalid peer certificate") => Reason::UNTRUSTED,
            () if self.is_connection_refusal() => Unreachable("connection refused"),
            () if self.is_timeout() => Reason::TIMED_OUT,
            () if self.is_connection_dropped() => Unreachable("connection lost"),
            () if is("failed to lookup address") || is("No address found") => Unreachable("can't resolve the host"),
            () if self.is_io_error() => Unreachable("can't connect to the host"),
            // Older servers put the code of a script's command into its message.
            () if self.code() == Some("READONLY") || is("READONLY") => RefusesWrites("read-only replica"),
            () if self.code() == Some("OOM") || is("OOM ") => RefusesWrites("out of memory"),
            () if self.code() == Some("MISCONF") || is("MISCONF") => RefusesWrites("it can't save its data"),
            () if self.code() == Some("NOREPLICAS") || is("NOREPLICAS") => RefusesWrites("too few replicas"),
            () if self.code() == Some("NOAUTH") => Unusable("password required"),
            () if self.kind() == ErrorKind::AuthenticationFailed || self.code() == Some("WRONGPASS") => {
                Unusable("wrong user or password")
            }
            () if self.code() == Some("NOPERM") => Unusable("no permission for a command"),
            () if self.detail().is_some_and(|detail| detail.contains("DB index")) => Unusable("no such database"),
            () if matches!(self.kind(), ErrorKind::Parse | ErrorKind::UnexpectedReturnType) => {
                Unusable("unexpected reply")
            }
            () => Unusable("Redis error"),
        }
    }
}

impl fmt::Debug for SharedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedState").field("is_down", &self.is_down()).finish_non_exhaustive()
    }
}
