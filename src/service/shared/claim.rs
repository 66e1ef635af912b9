//! Responses and their locks: of all instances, one computes a response, and the others wait for it.

use std::time::Duration;

use redis::{AsyncCommands as _, Script, SetExpiry, SetOptions};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use super::state::{PREFIX, SharedState};

/// Lifetime of a lock whose holder has died. Longer than requests to providers take.
const LOCK: Duration = Duration::from_secs(15);

/// Interval at which a waiting instance looks for the response.
const POLL: Duration = Duration::from_millis(20);

/// Larger responses are not shared.
const MAX_BYTES: usize = 8 << 20;

/// Removes a lock, unless it has expired and is now another's.
const UNLOCK: &str = "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

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
    /// How long the data were fresh then, in milliseconds.
    pub(in crate::service) fresh_for: u64,
}

/// Who computes a response.
pub(in crate::service) enum Claim {
    /// Nobody: here it is.
    Found(StoredResponse),
    /// This instance, which holds the lock.
    Mine(Lock),
    /// This instance, for itself: there is no Redis, or the others took too long.
    Alone,
}

/// The lock of a response. It is released when this is dropped.
pub(in crate::service) struct Lock {
    shared: SharedState,
    name: String,
    token: u64,
}

impl SharedState {
    /// Finds a response, or the right to compute it.
    pub(in crate::service) async fn claim(&self, path: &str) -> Claim {
        let (response, name) = (format!("{PREFIX}:response:{path}"), format!("{PREFIX}:lock:{path}"));
        let token = fastrand::u64(..);
        let patience = Instant::now() + LOCK;
        while Instant::now() < patience {
            let found: Option<Option<Vec<u8>>> = self
                .run(|mut redis| {
                    let response = response.clone();
                    async move { redis.get(response).await }
                })
                .await;
            match found {
                Some(Some(bytes)) => match postcard::from_bytes(&bytes) {
                    Ok(stored) => return Claim::Found(stored),
                    Err(error) => {
                        tracing::warn!(%error, "can't read a shared response");
                        return Claim::Alone;
                    }
                },
                Some(None) => {}
                None => return Claim::Alone,
            }
            let options = SetOptions::default()
                .conditional_set(redis::ExistenceCheck::NX)
                .with_expiration(SetExpiry::PX(LOCK.as_millis() as u64));
            let locked: Option<Option<String>> = self
                .run(|mut redis| {
                    let name = name.clone();
                    async move { redis.set_options(name, token, options).await }
                })
                .await;
            match locked {
                Some(Some(_)) => return Claim::Mine(Lock { shared: self.clone(), name, token }),
                Some(None) => sleep(POLL).await,
                None => return Claim::Alone,
            }
        }
        Claim::Alone
    }

    /// Shares a response for as long as it is fresh.
    pub(in crate::service) async fn publish(&self, path: &str, stored: &StoredResponse) {
        let Ok(bytes) = postcard::to_allocvec(stored) else { return };
        if bytes.len() > MAX_BYTES || stored.fresh_for == 0 {
            return;
        }
        let (name, fresh_for) = (format!("{PREFIX}:response:{path}"), stored.fresh_for);
        // If it fails, the others compute their own.
        let _: Option<()> = self.run(|mut redis| async move { redis.pset_ex(name, bytes, fresh_for).await }).await;
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let (shared, name, token) = (self.shared.clone(), std::mem::take(&mut self.name), self.token);
        let unlock = async move {
            let _: Option<u64> = shared
                .run(|mut redis| async move { Script::new(UNLOCK).key(name).arg(token).invoke_async(&mut redis).await })
                .await;
        };
        // Without a runtime it expires.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(unlock);
        }
    }
}
