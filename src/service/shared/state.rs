//! The connection to Redis or Valkey.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, RedisResult, Script};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};

use super::instances::{HEARTBEATS_PER_LOCK, InstanceCount};
use super::reason::{FailureReason as _, Reason};

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

/// Counts an instance as running in the last two minutes. Keys: instances, heartbeat. Arguments: instance, or an empty
/// string for one without budgets. Returns the number of instances, and fails if Redis refuses writes. Uses Redis's
/// time, since the clocks of the instances differ.
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
    /// A separate thread, so that commands don't seem to take long while the service's threads are busy.
    runtime: OnceLock<Option<Runtime>>,
    /// Reconnects after errors of the network.
    manager: Mutex<Option<ConnectionManager>>,
    /// The name of this instance.
    id: u64,
    /// The last known number of instances, this one included.
    instances: Mutex<InstanceCount>,
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

    /// Creates the state like [`SharedState::new`], for simulated data, which has no budgets to share.
    ///
    /// # Errors
    /// See [`SharedState::new`].
    pub fn without_budgets(url: &str, report: impl Fn(&str) + Send + Sync + 'static) -> Result<SharedState, String> {
        SharedState::connect(url, LOCK, false, report)
    }

    /// Creates the state like [`SharedState::new`], or without budgets to share. Its locks expire after `lock_time`
    /// without renewal.
    ///
    /// # Errors
    /// See [`SharedState::new`].
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
            manager: Mutex::default(),
            id: fastrand::u64(..),
            instances: Mutex::default(),
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

    /// The last known number of instances.
    fn instance_count(&self) -> MutexGuard<'_, InstanceCount> {
        self.0.instances.lock()
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

    /// The last known number of instances, this one included; 1 if they have never been counted.
    pub(in crate::service) fn instances(&self) -> u32 {
        self.instance_count().last().unwrap_or(1)
    }

    /// Sends a heartbeat, and counts the instances. Each gets its share of the budgets if Redis fails.
    pub(super) async fn send_heartbeat(&self) {
        let id = if self.0.has_budgets { self.id().to_string() } else { String::new() };
        let heartbeat = move |mut redis: ConnectionManager| async move {
            let script = Script::new(HEARTBEAT);
            let mut call = script.key(format!("{PREFIX}:instances"));
            call.key(format!("{PREFIX}:heartbeat")).arg(id).invoke_async(&mut redis).await
        };
        let counted = self.send(heartbeat, true).await;
        self.instance_count().add(counted);
    }

    /// Removes this instance from those that share the budgets. The others learn of it by their next heartbeats.
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

    /// Runs a command like [`SharedState::run`], but also while Redis refuses writes. Only a command that `writes` can
    /// show that it accepts them again.
    async fn send<T, F>(&self, command: impl FnOnce(ConnectionManager) -> F + Send + 'static, writes: bool) -> Option<T>
    where
        T: Send + 'static,
        F: Future<Output = RedisResult<T>> + Send + 'static,
    {
        let until = *self.0.paused_until.lock();
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
            runtime.spawn(send_heartbeats(Arc::downgrade(&self.0)));
        }
        Some(runtime)
    }

    /// The connection. Its commands have a separate timeout.
    pub(super) fn connection(&self) -> RedisResult<ConnectionManager> {
        let mut current = self.0.manager.lock();
        if let Some(manager) = current.as_ref() {
            return Ok(manager.clone());
        }
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(TIMEOUT))
            .set_response_timeout(Some(TIMEOUT))
            // A second attempt would outlast the timeout, which would hide why the first one failed.
            .set_number_of_retries(0);
        let manager = ConnectionManager::new_lazy_with_config(self.0.client.clone(), config)?;
        Ok(current.insert(manager).clone())
    }

    fn failure(&self) -> MutexGuard<'_, Option<Reason>> {
        self.0.failure.lock()
    }

    fn failed(&self, reason: Reason) {
        if matches!(reason, Reason::Unusable(_)) {
            // It would not log in again, but the password or the user may be corrected.
            *self.0.manager.lock() = None;
        }
        *self.0.paused_until.lock() = Some(Instant::now() + PAUSE);
        let is_new = {
            let mut failure = self.failure();
            let is_new = failure.is_none_or(|before| reason.supersedes(before));
            if is_new {
                *failure = Some(reason);
            }
            is_new
        };
        if is_new {
            let share = match self.instance_count().last() {
                _ if !self.0.has_budgets => String::new(),
                None => String::from(" and full budgets, other instances unknown"),
                Some(1) => String::from(" and full budgets"),
                Some(instances) => format!(" and 1/{instances} of each budget"),
            };
            (self.0.report)(&format!("{reason} · using the local cache{share}"));
        }
    }
}

/// Sends heartbeats until the instance leaves or its connection is closed.
async fn send_heartbeats(state: Weak<Inner>) {
    while let Some(state) = state.upgrade().map(SharedState) {
        if state.0.has_left.load(Ordering::Relaxed) {
            return;
        }
        state.send_heartbeat().await;
        let pause = state.lock_time() / HEARTBEATS_PER_LOCK;
        drop(state);
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

impl fmt::Debug for SharedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedState").field("is_down", &self.is_down()).finish_non_exhaustive()
    }
}
