//! Values and their locks: of all instances, one computes a value, and the others wait for it.

use std::io::{self, BufWriter, Read as _, Write};
use std::time::Duration;

use redis::aio::ConnectionManager;
use redis::{AsyncCommands as _, RedisResult, Script, SetExpiry, SetOptions};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize, Serializer};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

use super::state::{PREFIX, SharedState};

/// Shortest and longest interval at which a waiting instance looks for the value: a tenth of the time that it has waited,
/// so that many values of a slow provider don't keep Redis busy.
const POLL: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// How long an instance waits for one that is alive: the longest time that a request to a provider may wait
/// in the queue and then take.
const MAX_WAIT: Duration = Duration::from_secs(45);

/// Interval at which a lock is released again if Redis fails meanwhile.
const RELEASE_RETRY: Duration = Duration::from_millis(100);

/// Larger values are not shared.
const MAX_BYTES: usize = 8 << 20;

/// The fastest level, which already gives most of the saving.
const ZSTD_LEVEL: i32 = 1;

/// Removes a lock, unless it has expired and is now another's.
const UNLOCK: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

/// Extends a lock, unless it has expired.
const RENEW: &str =
    "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0";

/// A response of any instance.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::service) struct StoredResponse {
    /// Names and values.
    pub(in crate::service) headers: Vec<(String, Vec<u8>)>,
    /// The body, not compressed.
    pub(in crate::service) body: Vec<u8>,
    /// Age of the data when it was stored, in milliseconds; `None` for simulated data.
    pub(in crate::service) age: Option<u64>,
    /// When it was stored, in milliseconds since 1970.
    pub(in crate::service) stored_at: i64,
    /// How long the data was fresh then, in milliseconds.
    pub(in crate::service) fresh_for: u64,
}

/// A [`StoredResponse`] to be stored, in the same format.
#[derive(Debug, Serialize)]
pub(in crate::service) struct StoredResponseRef<'a> {
    /// Names and values.
    pub(in crate::service) headers: Vec<(&'a str, &'a [u8])>,
    /// The body, not compressed.
    #[serde(serialize_with = "write_bytes")]
    pub(in crate::service) body: &'a [u8],
    /// Age of the data now, in milliseconds; `None` for simulated data.
    pub(in crate::service) age: Option<u64>,
    /// The time, in milliseconds since 1970.
    pub(in crate::service) stored_at: i64,
    /// How long the data is fresh, in milliseconds.
    pub(in crate::service) fresh_for: u64,
}

/// Writes all bytes at once, not one after another.
fn write_bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

/// The outcome of a claim.
pub(in crate::service) enum Claim<T> {
    /// The value, which is already stored.
    Found(T),
    /// This instance computes it and holds the lock.
    Mine(Lock),
    /// This instance computes it without a lock: Redis is unavailable, or the others took too long.
    Alone,
}

/// A value as Redis has it.
enum SharedValue<T> {
    /// The value.
    Present(T),
    /// There is none.
    Absent,
}

/// An attempt to take a lock.
pub(super) enum LockAttempt {
    /// This instance holds it now.
    Taken(Lock),
    /// Another instance holds it.
    Held,
}

/// The lock of a value. It is renewed while this lives and released when this is dropped.
pub(in crate::service) struct Lock {
    _taken: Taken,
    renewal: JoinHandle<()>,
}

/// A lock that may be taken. It is released when this is dropped.
struct Taken {
    shared: SharedState,
    /// Empty if another instance holds it.
    name: String,
    token: u64,
}

impl SharedState {
    /// Finds a value that `is_accepted`, or the right to compute it.
    pub(in crate::service) async fn claim<T: DeserializeOwned>(
        &self,
        name: &str,
        is_accepted: impl Fn(&T) -> bool,
    ) -> Claim<T> {
        let mut lock = None;
        let began = Instant::now();
        while began.elapsed() < MAX_WAIT {
            let Some(found) = self.find(name).await else { return Claim::Alone };
            if let SharedValue::Present(value) = found
                && is_accepted(&value)
            {
                return Claim::Found(value);
            }
            // Checked once more after locking, since the previous holder may have stored it before unlocking.
            if let Some(lock) = lock {
                return Claim::Mine(lock);
            }
            match self.lock(name).await {
                Some(LockAttempt::Taken(taken)) => lock = Some(taken),
                Some(LockAttempt::Held) => sleep((began.elapsed() / 10).clamp(POLL.0, POLL.1)).await,
                None => return Claim::Alone,
            }
        }
        Claim::Alone
    }

    /// Reads a value; `None` without Redis, or if the value is unreadable.
    async fn find<T: DeserializeOwned>(&self, name: &str) -> Option<SharedValue<T>> {
        let name = format!("{PREFIX}:{name}");
        let found: Option<Vec<u8>> = self.run(move |mut redis| async move { redis.get(name).await }).await?;
        let Some(bytes) = found else { return Some(SharedValue::Absent) };
        let value = decode(&bytes);
        if value.is_none() {
            tracing::warn!("can't read a shared value");
        }
        value.map(SharedValue::Present)
    }

    /// Takes the lock, unless another instance holds it; `None` without Redis.
    pub(super) async fn lock(&self, name: &str) -> Option<LockAttempt> {
        let (name, token) = (format!("{PREFIX}:lock:{name}"), fastrand::u64(..));
        let expiry = SetExpiry::PX(millis(self.lock_time()));
        let options = SetOptions::default().conditional_set(redis::ExistenceCheck::NX).with_expiration(expiry);
        let shared = self.clone();
        // Redis's thread locks and unlocks it, so that nothing stays locked if this stops waiting. After a
        // timeout or a lost connection, Redis may still take the lock.
        let lock = move |mut redis: ConnectionManager| async move {
            let mut taken = Taken { shared, name, token };
            let locked: Option<String> = redis.set_options(&taken.name, token, options).await?;
            if locked.is_none() {
                taken.name.clear();
                return Ok(LockAttempt::Held);
            }
            let renewal = tokio::spawn(taken.shared.clone().renew(taken.name.clone(), token));
            Ok(LockAttempt::Taken(Lock { _taken: taken, renewal }))
        };
        self.run(lock).await
    }

    /// Releases a lock, even after a failure of Redis: the others would wait for it until it expires.
    async fn release_lock(self, name: String, token: u64) {
        let expiry = Instant::now() + self.lock_time();
        while Instant::now() < expiry {
            if let Ok(mut redis) = self.connection() {
                let released: RedisResult<u64> =
                    Script::new(UNLOCK).key(&name).arg(token).invoke_async(&mut redis).await;
                if released.is_ok() {
                    return;
                }
            }
            sleep(RELEASE_RETRY).await;
        }
    }

    /// Extends a lock as long as this runs.
    async fn renew(self, name: String, token: u64) {
        let time = self.lock_time();
        loop {
            sleep(time / 3).await;
            let name = name.clone();
            // If it fails, the next one may arrive before it expires.
            let _: Option<u64> = self
                .run(move |mut redis| async move {
                    Script::new(RENEW).key(name).arg(token).arg(millis(time)).invoke_async(&mut redis).await
                })
                .await;
        }
    }

    /// Stores a value for a time.
    pub(in crate::service) async fn publish<T: Serialize>(&self, name: &str, value: &T, ttl: Duration) {
        let (ttl, name) = (millis(ttl), format!("{PREFIX}:{name}"));
        // Many large values at once would take much memory, and longer than Redis's timeout. The semaphore is never closed.
        let _turn = self.publishing().acquire().await;
        let Some(bytes) = encode(value).filter(|_| ttl > 0) else { return };
        // If it fails, the others compute their own.
        let _: Option<()> = self.run(move |mut redis| async move { redis.pset_ex(name, bytes, ttl).await }).await;
    }
}

/// A value as it is stored, unless it is too large.
fn encode<T: Serialize>(value: &T) -> Option<Vec<u8>> {
    let compressed = zstd::Encoder::new(Vec::new(), ZSTD_LEVEL).ok()?;
    let bounded = Bounded { compressed, left: MAX_BYTES };
    // Compressed while it is written, so that there is no copy of a large body.
    let written = postcard::to_io(value, BufWriter::new(bounded)).ok()?;
    written.into_inner().ok()?.compressed.finish().ok()
}

/// Compresses at most this many bytes.
struct Bounded {
    compressed: zstd::Encoder<'static, Vec<u8>>,
    left: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.left = self.left.checked_sub(bytes.len()).ok_or(io::ErrorKind::FileTooLarge)?;
        self.compressed.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        // The end is written by `finish`; a flush before would only make it larger.
        Ok(())
    }
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut plain = Vec::new();
    zstd::Decoder::new(bytes).ok()?.take(MAX_BYTES as u64).read_to_end(&mut plain).ok()?;
    postcard::from_bytes(&plain).ok()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
impl Lock {
    /// Abandons the lock like a killed process.
    pub(super) fn kill(self) {
        self.renewal.abort();
        std::mem::forget(self);
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.renewal.abort();
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let name = std::mem::take(&mut self.name);
        // Without a thread it expires.
        if let Some(runtime) = self.shared.runtime().filter(|_| !name.is_empty()) {
            runtime.spawn(self.shared.clone().release_lock(name, self.token));
        }
    }
}
