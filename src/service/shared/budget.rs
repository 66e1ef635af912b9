//! The providers' budgets: the next slot, the requests of the last minute and of this month.

use redis::Script;
use redis::aio::ConnectionManager;

use super::state::{PREFIX, SharedState};

/// How long Redis keeps a month's usage after a change, in seconds: longer than the month.
const MONTH_TTL: u32 = 40 * 24 * 60 * 60;

/// Reserves a slot. Keys: slot, minute, month, pause. Arguments: now, gap and patience in milliseconds, maximum per
/// minute (0: none), cost, known usage, the ID of the slot, and [`MONTH_TTL`]. Returns the wait, the month's usage, and
/// whether the slot was taken. The known usage counts only if Redis has none; if Redis has a lower one, some was
/// refunded. The set `minute` has the times of the requests, so that no period of a minute has more than the maximum.
const RESERVE: &str = "
local now, gap, patience = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local per_minute, cost = tonumber(ARGV[4]), tonumber(ARGV[5])
local at = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(redis.call('GET', KEYS[4]) or '0'))
local stored = redis.call('GET', KEYS[3])
local used = tonumber(stored or ARGV[6])
if not stored and used > 0 then redis.call('SET', KEYS[3], ARGV[6], 'EX', ARGV[8]) end
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
redis.call('EXPIRE', KEYS[3], ARGV[8])
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

/// The month of an account, whose requests count together.
#[derive(Clone, Copy, Debug)]
pub(in crate::service) struct AccountMonth<'a> {
    /// The provider.
    pub(in crate::service) provider: &'a str,
    /// A checksum of the server's URL and key.
    pub(in crate::service) account: u32,
    /// The month: `2026-11`.
    pub(in crate::service) month: &'a str,
}

/// A request's share of a provider's budget.
#[derive(Clone, Copy, Debug)]
pub(in crate::service) struct Budget<'a> {
    /// The account and the current month.
    pub(in crate::service) month: AccountMonth<'a>,
    /// A checksum of the server's settings.
    pub(in crate::service) server: u32,
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
        let Budget { month, server, now, gap, patience, per_minute, cost, known, id } = budget;
        let provider = month.provider;
        let keys = [slot_key(provider), minute_key(provider), month.key(), pause_key(provider, server)];
        let reserve = move |mut redis: ConnectionManager| async move {
            let script = Script::new(RESERVE);
            let mut call = script.key(&keys);
            call.arg(now).arg(gap).arg(patience).arg(per_minute.unwrap_or(0));
            call.arg(cost).arg(known).arg(id).arg(MONTH_TTL);
            call.invoke_async(&mut redis).await
        };
        let (wait, used, is_taken): (u64, u64, u64) = self.run(reserve).await?;
        Some(SharedSlot { wait, used, is_taken: is_taken == 1 })
    }

    /// Releases the slot with this ID, of a request that is not sent. The times of the reservation, the slot and the
    /// gap after it are in milliseconds.
    pub(in crate::service) async fn release(
        &self,
        month: AccountMonth<'_>,
        (now, at, gap): (i64, i64, i64),
        cost: u64,
        id: u64,
    ) {
        let keys = [slot_key(month.provider), minute_key(month.provider), month.key()];
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
    pub(in crate::service) async fn refund(&self, month: AccountMonth<'_>, cost: u64) -> bool {
        let name = month.key();
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

    /// The month's usage; `None` without Redis.
    pub(in crate::service) async fn used(&self, month: AccountMonth<'_>) -> Option<u64> {
        let name = month.key();
        let read = move |mut redis: ConnectionManager| async move {
            redis::cmd("GET").arg(name).query_async(&mut redis).await
        };
        let used: Option<u64> = self.run(read).await?;
        Some(used.unwrap_or(0))
    }

    /// Sets the month's usage to the provider's own count.
    pub(in crate::service) async fn set_used(&self, month: AccountMonth<'_>, used: u64) {
        let name = month.key();
        let set = move |mut redis: ConnectionManager| async move {
            redis::cmd("SET").arg(name).arg(used).arg("EX").arg(MONTH_TTL).query_async(&mut redis).await
        };
        // If it fails, the other instances learn it from the provider.
        let _: Option<()> = self.run(set).await;
    }
}

impl AccountMonth<'_> {
    /// The key of the cost of its requests.
    fn key(&self) -> String {
        let AccountMonth { provider, account, month } = self;
        format!("{PREFIX}:budget:{provider}:month:{account:08x}:{month}")
    }
}

/// The key of the time of the next slot.
fn slot_key(provider: &str) -> String {
    format!("{PREFIX}:budget:{provider}:slot")
}

/// The key of the time before which a server gets no requests.
fn pause_key(provider: &str, server: u32) -> String {
    format!("{PREFIX}:budget:{provider}:pause:{server:08x}")
}

/// The key of the requests of the last minute.
fn minute_key(provider: &str) -> String {
    format!("{PREFIX}:budget:{provider}:minute")
}
