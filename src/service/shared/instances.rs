//! Counts the instances that share a Redis, by their heartbeats.

use std::sync::atomic::Ordering;

use redis::Script;
use redis::aio::ConnectionManager;
use tokio::time::sleep;

use super::SharedState;
use super::state::{PREFIX, WeakState};

/// Heartbeats of an instance in the lifetime of a lock: every 2 s. Redis may fail at any time, and then the last count
/// decides how much of the budgets each instance uses.
const HEARTBEATS_PER_LOCK: u32 = 3;

/// Consecutive heartbeats with a lower count before that count is used, 6 s after the first of them. After Redis has lost
/// its data, the other instances are missing until their next heartbeats, and each may skip one after a failure.
pub(super) const LOWER_COUNTS: u32 = HEARTBEATS_PER_LOCK + 1;

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

/// The number of instances. A lower count is used late, so that they don't exceed the budgets together.
#[derive(Debug, Default)]
pub(super) struct InstanceCount {
    last: Option<u32>,
    /// Consecutive heartbeats with a lower count.
    lower_counts: u32,
}

impl InstanceCount {
    /// The number of instances, this one included; `None` if they have never been counted.
    pub(super) fn last(&self) -> Option<u32> {
        self.last
    }

    /// Adds the number of a heartbeat; `None` if it failed.
    fn add(&mut self, counted: Option<u32>) {
        let is_lower = counted < self.last;
        self.lower_counts = if counted.is_some() && is_lower { self.lower_counts + 1 } else { 0 };
        if counted.is_some() && (!is_lower || self.lower_counts >= LOWER_COUNTS) {
            *self = InstanceCount { last: counted, lower_counts: 0 };
        }
    }
}

impl SharedState {
    /// Instances that were seen last, this one included; 1 if they have never been counted.
    pub(in crate::service) fn instances(&self) -> u32 {
        self.instance_count().last().unwrap_or(1)
    }

    /// Sends a heartbeat, and counts the instances. Each gets its share of the budgets if Redis fails.
    pub(super) async fn send_heartbeat(&self) {
        let id = if self.has_budgets() { self.id().to_string() } else { String::new() };
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
        self.has_left().store(true, Ordering::Relaxed);
        let id = self.id();
        let leave = move |mut redis: ConnectionManager| async move {
            Script::new(LEAVE).key(format!("{PREFIX}:instances")).arg(id).invoke_async(&mut redis).await
        };
        // If it fails, the others forget this one after two minutes.
        let _: Option<u64> = self.run(leave).await;
    }
}

/// Sends heartbeats until the instance leaves or its connection is closed.
pub(super) async fn send_heartbeats(state: WeakState) {
    while let Some(state) = state.upgrade() {
        if state.has_left().load(Ordering::Relaxed) {
            return;
        }
        state.send_heartbeat().await;
        let pause = state.lock_time() / HEARTBEATS_PER_LOCK;
        drop(state);
        sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_count_is_used_after_consecutive_heartbeats() {
        let mut instances = InstanceCount::default();
        let mut after = |counted| {
            instances.add(counted);
            instances.last()
        };
        assert_eq!(after(None), None);
        assert_eq!(after(Some(2)), Some(2));
        assert_eq!(after(Some(5)), Some(5), "a higher count at once");
        for _ in 1..LOWER_COUNTS {
            assert_eq!(after(Some(3)), Some(5));
        }
        // Not in a row.
        assert_eq!(after(None), Some(5));
        for _ in 1..LOWER_COUNTS {
            assert_eq!(after(Some(3)), Some(5));
        }
        assert_eq!(after(Some(5)), Some(5));
        for _ in 1..LOWER_COUNTS {
            assert_eq!(after(Some(4)), Some(5));
        }
        assert_eq!(after(Some(3)), Some(3), "the last one");
    }
}
