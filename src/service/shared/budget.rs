//! The providers' budgets: the next slot, the requests of the last minute and of this month.

use redis::Script;
use redis::aio::ConnectionManager;

use super::state::{PREFIX, SharedState};

/// Reserves a slot. Keys: slot, minute, month, pause. Arguments: now, gap and patience in milliseconds, maximum per
/// minute (0: none), cost, known usage, and the ID of the slot. Returns the wait, the month's usage, and whether the
/// slot was taken. The known usage counts only if Redis has none; if Redis has a lower one, some was refunded. The
/// set `minute` has the times of the requests, so that no period of a minute has more than the maximum.
const RESERVE: &str = "
local now, gap, patience = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local per_minute, cost = tonumber(ARGV[4]), tonumber(ARGV[5])
local at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(redis.call('GET', KEYS[4]) or '0'))
local stored = redis.call('GET', KEYS[3])
local used = tonumber(stored or ARGV[6])
if not stored and used > 0 then redis.call('SET', KEYS[3], ARGV[6], 'EX', 3456000) end
if per_minute > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 60000)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '(' .. string.format('%.0f', now + 120000), '+inf')
  local first = redis.call('ZREVRANGE', KEYS[2], per_minute - 1, per_minute - 1, 'WITHSCORES')[2]
  if first then at = math.max(at, tonumber(first) + 60000) end
end
if at - now > patience then return {at - now, used, 0} end
redis.call('SET', KEYS[1], string.format('%.0f', at + gap), 'PX', math.max(1, at + gap - now))
if per_minute > 0 then
  redis.call('ZADD', KEYS[2], string.format('%.0f', at), ARGV[7])
  redis.call('PEXPIRE', KEYS[2], at - now + 60000)
end
used = redis.call('INCRBY', KEYS[3], cost)
redis.call('EXPIRE', KEYS[3], 3456000)
return {at - now, used, 1}
";

/// Allows no slot before a time, or before the end of the pause if that is later. Keys: pause. Arguments: the time and
/// how far away it is, in milliseconds.
const PAUSE: &str = "
if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1
";

/// Releases a slot. Keys: slot, minute, month. Arguments: the slot, the slot after it, how far away it was, the cost,
/// and the slot's ID.
const RELEASE: &str = "
if redis.call('GET', KEYS[1]) == ARGV[2] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
end
redis.call('ZREM', KEYS[2], ARGV[5])
local used = tonumber(redis.call('GET', KEYS[3]) or '0')
if used > 0 then redis.call('DECRBY', KEYS[3], math.min(used, tonumber(ARGV[4]))) end
return 1
";

/// Reduces the cost of a month. Keys: month. Arguments: the cost.
const REFUND: &str = "
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
if used > 0 then redis.call('DECRBY', KEYS[1], math.min(used, tonumber(ARGV[1]))) end
return 1
";

/// A request's share of a provider's budget.
#[derive(Clone, Copy, Debug)]
pub(in crate::service) struct Budget<'a> {
    /// The provider.
    pub(in crate::service) provider: &'a str,
    /// A checksum of the server's settings.
    pub(in crate::service) server: u32,
    /// A checksum of its URL and key: whose requests count for the month.
    pub(in crate::service) account: u32,
    /// The current month.
    pub(in crate::service) month: &'a str,
    /// The time in milliseconds since 1970.
    pub(in crate::service) now: i64,
    /// Minimum gap between requests in milliseconds.
    pub(in crate::service) gap: i64,
    /// Longest wait in milliseconds.
    pub(in crate::service) patience: i64,
    /// Maximum requests per minute.
    pub(in crate::service) per_minute: Option<u32>,
    /// Cost against the monthly limit.
    pub(in crate::service) cost: u64,
    /// The month's usage known to this instance, in case Redis has lost it.
    pub(in crate::service) known: u64,
    /// The slot's ID, which is needed to release it.
    pub(in crate::service) id: u64,
}

/// A slot among the requests of all instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) struct SharedSlot {
    /// Milliseconds until the request may be sent.
    pub(in crate::service) wait: u64,
    /// Cost of the month's requests so far.
    pub(in crate::service) used: u64,
    /// Whether it was taken and counted.
    pub(in crate::service) is_taken: bool,
}

impl SharedState {
    /// Reserves a slot for a request; `None` without Redis.
    pub(in crate::service) async fn reserve(&self, budget: Budget<'_>) -> Option<SharedSlot> {
        let Budget { provider, server, account, month, now, gap, patience, per_minute, cost, known, id } = budget;
        let keys = [
            format!("{PREFIX}:budget:{provider}:slot"),
            minute_key(provider),
            month_key(provider, account, month),
            pause_key(provider, server),
        ];
        let reserve = move |mut redis: ConnectionManager| async move {
            let script = Script::new(RESERVE);
            let mut call = script.key(&keys);
            call.arg(now).arg(gap).arg(patience).arg(per_minute.unwrap_or(0)).arg(cost).arg(known).arg(id);
            call.invoke_async(&mut redis).await
        };
        let (wait, used, is_taken): (u64, u64, u64) = self.run(reserve).await?;
        Some(SharedSlot { wait, used, is_taken: is_taken == 1 })
    }

    /// Releases the slot with this ID, of a request that is not sent. The times of the reservation, the slot and the
    /// gap after it are in milliseconds.
    pub(in crate::service) async fn release(
        &self,
        provider: &str,
        account: u32,
        month: &str,
        (now, at, gap): (i64, i64, i64),
        cost: u64,
        id: u64,
    ) {
        let keys =
            [format!("{PREFIX}:budget:{provider}:slot"), minute_key(provider), month_key(provider, account, month)];
        let release = move |mut redis: ConnectionManager| async move {
            let script = Script::new(RELEASE);
            let mut call = script.key(&keys);
            call.arg(at).arg(at.saturating_add(gap)).arg(at.saturating_sub(now).max(1)).arg(cost).arg(id);
            call.invoke_async(&mut redis).await
        };
        // If it fails, the budget is a little smaller.
        let _: Option<u64> = self.run(release).await;
    }

    /// Reduces the month's usage by a cost. Returns whether Redis did.
    pub(in crate::service) async fn refund(&self, provider: &str, account: u32, month: &str, cost: u64) -> bool {
        let name = month_key(provider, account, month);
        let refund = move |mut redis: ConnectionManager| async move {
            Script::new(REFUND).key(name).arg(cost).invoke_async(&mut redis).await
        };
        let done: Option<u64> = self.run(refund).await;
        done.is_some()
    }

    /// Pauses a server of a provider for all instances until a time, in milliseconds since 1970.
    pub(in crate::service) async fn pause(&self, provider: &str, server: u32, until: i64, now: i64) {
        let name = pause_key(provider, server);
        let pause = move |mut redis: ConnectionManager| async move {
            let script = Script::new(PAUSE);
            script.key(name).arg(until).arg(until.saturating_sub(now).max(1)).invoke_async(&mut redis).await
        };
        // If it fails, the other instances learn it from the provider.
        let _: Option<u64> = self.run(pause).await;
    }

    /// Requests of the last minute to a provider with a limit per minute; `None` without Redis.
    pub(in crate::service) async fn last_minute(&self, provider: &str, now: i64) -> Option<u64> {
        let name = minute_key(provider);
        let count = move |mut redis: ConnectionManager| async move {
            let after = format!("({}", now.saturating_sub(60_000));
            redis::cmd("ZCOUNT").arg(name).arg(after).arg(now).query_async(&mut redis).await
        };
        self.run(count).await
    }

    /// The month's usage, read, or set to the provider's own; `None` without Redis.
    pub(in crate::service) async fn month(
        &self,
        provider: &str,
        account: u32,
        month: &str,
        set: Option<u64>,
    ) -> Option<u64> {
        let name = month_key(provider, account, month);
        match set {
            Some(used) => {
                let mut command = redis::cmd("SET");
                command.arg(name).arg(used).arg("EX").arg(3_456_000);
                let () = self
                    .run(|mut redis: ConnectionManager| async move { command.query_async(&mut redis).await })
                    .await?;
                Some(used)
            }
            None => {
                let mut command = redis::cmd("GET");
                command.arg(name);
                let used: Option<u64> =
                    self.run(move |mut redis| async move { command.query_async(&mut redis).await }).await?;
                Some(used.unwrap_or(0))
            }
        }
    }
}

/// The key of the time before which a server gets no requests.
fn pause_key(provider: &str, server: u32) -> String {
    format!("{PREFIX}:budget:{provider}:pause:{server:08x}")
}

/// The key of the cost of a month's requests to a server with a key.
fn month_key(provider: &str, account: u32, month: &str) -> String {
    format!("{PREFIX}:budget:{provider}:month:{account:08x}:{month}")
}

/// The key of the requests of the last minute.
fn minute_key(provider: &str) -> String {
    format!("{PREFIX}:budget:{provider}:minute")
}
