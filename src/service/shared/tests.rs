//! Against a real `redis-server`, if it is installed.

mod failures;

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::{AccountMonth, Budget, Claim, SharedSlot, SharedState, StoredResponse, StoredResponseRef};
use crate::model::{ProviderName, UtcTime};
use crate::service::upstream::settings::Account;
use crate::service::upstream::usage::{UsageTracker, WantedSlot};

const NOW: i64 = 1_795_075_200_000;

struct Redis {
    child: Child,
    url: String,
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server; `None` if it is not installed.
#[expect(clippy::print_stderr, reason = "says that a test is skipped")]
async fn redis() -> Option<Redis> {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut command = Command::new("redis-server");
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    let Ok(child) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
        eprintln!("skipped: redis-server is not installed");
        return None;
    };
    let redis = Redis { child, url: format!("redis://127.0.0.1:{port}") };
    let listening = async {
        while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), listening).await.unwrap();
    Some(redis)
}

/// November of an account.
fn november(provider: &str, account: u32) -> AccountMonth<'_> {
    AccountMonth { provider, account, month: "2026-11" }
}

fn budget(provider: &str, known: u64) -> Budget<'_> {
    Budget {
        month: november(provider, 1),
        server: 1,
        now: NOW,
        gap: 1_000,
        patience: 2_000,
        per_minute: None,
        cost: 2,
        known,
        id: fastrand::u64(..),
    }
}

/// The claim of a response.
async fn claim(state: &SharedState, name: &str) -> Claim<StoredResponse> {
    state.claim(name, |_| true).await
}

#[tokio::test]
async fn instances_share_slots_and_counts() {
    let Some(redis) = redis().await else { return };
    let connect = || SharedState::new(&redis.url, |_| {}).unwrap();
    let (one, two) = (connect(), connect());
    let slot = |wait, used, is_taken| Some(SharedSlot { wait, used, is_taken });
    assert_eq!(one.reserve(budget("a", 0)).await, slot(0, 2, true));
    assert_eq!(two.reserve(budget("a", 0)).await, slot(1_000, 4, true));
    assert_eq!(one.reserve(budget("a", 0)).await, slot(2_000, 6, true));
    assert_eq!(two.reserve(budget("a", 0)).await, slot(3_000, 6, false), "longer than its patience");
    assert_eq!(two.reserve(budget("b", 0)).await, slot(0, 2, true), "another provider");
    assert_eq!(one.used(november("a", 1)).await, Some(6));
    assert_eq!(one.used(AccountMonth { month: "2026-12", ..november("a", 1) }).await, Some(0));
    one.set_used(november("a", 1), 500).await;
    assert_eq!(two.used(november("a", 1)).await, Some(500));
    let other_key = Budget { month: november("a", 2), ..budget("a", 0) };
    assert_eq!(one.reserve(Budget { now: NOW + 60_000, ..other_key }).await, slot(0, 2, true), "another key");
    assert_eq!((one.used(november("a", 2)).await, one.used(november("a", 1)).await), (Some(2), Some(500)));
    assert!(one.refund(november("a", 1), 100).await);
    assert_eq!(two.used(november("a", 1)).await, Some(400));
    let after = Budget { now: NOW + 120_000, ..budget("a", 500) };
    assert_eq!(two.reserve(after).await, slot(0, 402, true), "the other instance doesn't undo it");
    // A Redis that has lost its data learns the count again.
    assert_eq!(one.reserve(budget("c", 100)).await, slot(0, 102, true));
}

#[tokio::test]
async fn no_minute_has_more_requests_than_the_limit() {
    let Some(redis) = redis().await else { return };
    let connect = || SharedState::new(&redis.url, |_| {}).unwrap();
    let (one, two) = (connect(), connect());
    let slot = |wait, used, is_taken| Some(SharedSlot { wait, used, is_taken });
    let at = |offset: i64| Budget { per_minute: Some(2), gap: 0, now: NOW + offset, ..budget("d", 0) };
    // The clock's minute ends at 60,000.
    assert_eq!(one.reserve(at(40_000)).await, slot(0, 2, true));
    assert_eq!(two.reserve(at(50_000)).await, slot(0, 4, true));
    assert_eq!(one.reserve(at(61_000)).await, slot(39_000, 4, false), "longer than its patience");
    assert_eq!(one.last_minute("d", NOW + 61_000).await, Some(2));
    assert_eq!(one.reserve(at(99_000)).await, slot(1_000, 6, true));
    assert_eq!(two.reserve(at(99_000)).await, slot(11_000, 6, false));
    assert_eq!(two.last_minute("d", NOW + 101_000).await, Some(2));
    // A slot that isn't used leaves room for another.
    let unused = Budget { id: 7, ..at(110_000) };
    assert_eq!(one.reserve(unused).await, slot(0, 8, true));
    one.release(november("d", 1), (NOW + 110_000, NOW + 110_000, 0), 2, 7).await;
    assert_eq!(two.reserve(at(110_500)).await, slot(0, 8, true));
    assert_eq!(one.reserve(at(111_000)).await, slot(49_000, 8, false));
}

#[tokio::test]
async fn one_instance_computes_and_the_other_waits_for_it() {
    let Some(redis) = redis().await else { return };
    let connect = || SharedState::new(&redis.url, |_| {}).unwrap();
    let (one, two) = (connect(), connect());
    let Claim::Mine(lock) = claim(&one, "/coins").await else { panic!("the first one computes it") };
    let waiting = tokio::spawn(async move { claim(&two, "/coins").await });
    let stored = StoredResponse {
        headers: vec![(String::from("etag"), b"\"1\"".to_vec())],
        body: b"[]".to_vec(),
        age: Some(5),
        stored_at: NOW,
        fresh_for: 60_000,
    };
    one.publish("/coins", &stored, Duration::from_mins(1)).await;
    drop(lock);
    let Ok(Claim::Found(found)) = waiting.await else { panic!("the second one gets it") };
    assert_eq!(format!("{found:?}"), format!("{stored:?}"));
    // A failed computation leaves nothing but its lock, which is released.
    let Claim::Mine(lock) = claim(&one, "/fails").await else { panic!("not computed yet") };
    drop(lock);
    assert!(matches!(claim(&connect(), "/fails").await, Claim::Mine(_)));
}

#[tokio::test]
async fn borrowed_response_is_stored_like_an_owned_one() {
    let Some(redis) = redis().await else { return };
    let state = SharedState::new(&redis.url, |_| {}).unwrap();
    let store = async |body: &[u8]| {
        let stored = StoredResponseRef {
            headers: vec![("etag", b"\"1\"")],
            body,
            age: Some(5),
            stored_at: NOW,
            fresh_for: 60_000,
        };
        state.publish("/coins", &Some(stored), Duration::from_mins(1)).await;
    };
    store(&[7; 300_000]).await;
    // Too large, so the first one remains.
    store(&vec![8; 9 << 20]).await;
    let Claim::Found(Some(found)) = state.claim("/coins", |_: &Option<StoredResponse>| true).await else { panic!() };
    assert_eq!((found.body, found.age, found.stored_at, found.fresh_for), (vec![7; 300_000], Some(5), NOW, 60_000));
    assert_eq!(found.headers, [(String::from("etag"), b"\"1\"".to_vec())]);
}

#[tokio::test]
async fn instances_count_each_other_without_upstream_requests() {
    let Some(redis) = redis().await else { return };
    let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
    // With the usual interval of heartbeats.
    let one = SharedState::new(&redis.url, move |line| report.send(line.to_owned()).unwrap()).unwrap();
    let counted = async |state: &SharedState, count: u32| {
        let counted = async {
            while state.instances() != count || state.is_down() {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(20), counted).await.expect("it is counted");
    };
    counted(&one, 1).await;
    let two = SharedState::new(&redis.url, |_| {}).unwrap();
    counted(&one, 2).await;
    counted(&two, 2).await;
    drop(redis);
    // No request is needed to notice it.
    let line = timeout(Duration::from_secs(20), reported.recv()).await.expect("a heartbeat fails").unwrap();
    assert!(line.ends_with(" · using the local cache and 1/2 of each budget"), "{line}");
    assert_eq!((one.is_down(), one.instances()), (true, 2));
}

#[tokio::test]
async fn simulated_instance_does_not_share_budgets() {
    let Some(redis) = redis().await else { return };
    let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
    let simulated =
        SharedState::without_budgets(&redis.url, move |line| report.send(line.to_owned()).unwrap()).unwrap();
    // Its heartbeat was before this one, or counts only the other.
    drop(claim(&simulated, "/coins").await);
    let live = SharedState::new(&redis.url, |_| {}).unwrap();
    let instances = || async {
        let name = format!("{}:instances", super::state::PREFIX);
        let count =
            move |mut redis| async move { redis::cmd("ZRANGE").arg(name).arg(0).arg(-1).query_async(&mut redis).await };
        live.run(count).await.unwrap_or_default()
    };
    let counted = async {
        loop {
            let instances: Vec<u64> = instances().await;
            if instances.contains(&live.id()) {
                return instances;
            }
        }
    };
    let counted = timeout(Duration::from_secs(20), counted).await.expect("the live one is counted");
    assert_eq!(counted, [live.id()]);
    drop(redis);
    drop(claim(&simulated, "/coins").await);
    let line = reported.recv().await.unwrap();
    assert!(line.ends_with(") · using the local cache"), "{line}");
}

#[tokio::test]
async fn lock_lives_as_long_as_its_holder() {
    let Some(redis) = redis().await else { return };
    let connect = || SharedState::connect(&redis.url, Duration::from_millis(300), true, |_| {}).unwrap();
    let (holder, other) = (connect(), connect());
    let Claim::Mine(lock) = claim(&holder, "/coins").await else { panic!("it is free") };
    let mut waiting = Box::pin(claim(&other, "/coins"));
    // More than a lifetime of a lock that isn't renewed.
    let (mut renewals, mut left) = (0, 0);
    while renewals < 5 {
        let lock = format!("{}:lock:/coins", super::state::PREFIX);
        let now: Option<i64> =
            other.run(move |mut redis| async move { redis::cmd("PTTL").arg(lock).query_async(&mut redis).await }).await;
        let now = now.unwrap();
        assert!(now > 0, "it doesn't expire");
        renewals += usize::from(now > left);
        left = now;
        assert!((&mut waiting).now_or_never().is_none(), "its holder lives");
    }
    lock.kill();
    let taken = timeout(Duration::from_secs(20), waiting).await.expect("the lock expires");
    assert!(matches!(taken, Claim::Mine(_)));
}

#[tokio::test]
async fn value_that_is_not_accepted_is_computed_again() {
    let Some(redis) = redis().await else { return };
    let state = SharedState::new(&redis.url, |_| {}).unwrap();
    state.publish("/coins", &5_u32, Duration::from_mins(1)).await;
    assert!(matches!(state.claim("/coins", |value: &u32| *value == 5).await, Claim::Found(5)));
    assert!(matches!(state.claim("/coins", |value: &u32| *value > 5).await, Claim::Mine(_)));
    // A value in another format, as from another version.
    state.publish("/names", &String::from("satscope"), Duration::from_mins(1)).await;
    assert!(matches!(state.claim("/names", |_: &StoredResponse| true).await, Claim::Alone));
}

#[tokio::test]
async fn pause_counts_for_all_instances() {
    let Some(redis) = redis().await else { return };
    let connect = || SharedState::new(&redis.url, |_| {}).unwrap();
    let (one, two) = (connect(), connect());
    one.pause("a", 1, NOW + 60_000, NOW).await;
    one.pause("a", 1, NOW + 5_000, NOW).await;
    let slot = SharedSlot { wait: 60_000, used: 0, is_taken: false };
    assert_eq!(two.reserve(budget("a", 0)).await, Some(slot));
    assert!(two.reserve(budget("b", 0)).await.is_some_and(|slot| slot.is_taken), "another provider");
    let other_key = Budget { server: 2, ..budget("a", 0) };
    assert!(two.reserve(other_key).await.is_some_and(|slot| slot.is_taken), "another key");
}

#[test]
fn redis_url_must_have_the_redis_scheme() {
    for url in ["", "localhost", "http://localhost", "redis://user:secret@[::1"] {
        let problem = SharedState::new(url, |_| {}).unwrap_err();
        assert_eq!(problem, "not a URL such as redis://localhost:6379", "{url}");
    }
    let problem = SharedState::new("rediss://localhost/#insecure", |_| {}).unwrap_err();
    assert_eq!(problem, "#insecure is not supported: the system must trust the certificate of Redis");
    assert!(SharedState::new("rediss://localhost", |_| {}).is_ok());
}

#[tokio::test]
async fn lock_of_a_dead_instance_expires() {
    let Some(redis) = redis().await else { return };
    let state = SharedState::new(&redis.url, |_| {}).unwrap();
    let lock = format!("{}:lock:/coins", super::state::PREFIX);
    let set: Option<()> = state
        .run(move |mut redis| async move {
            redis::cmd("SET").arg(lock).arg(1).arg("PX").arg(100).query_async(&mut redis).await
        })
        .await;
    assert!(set.is_some());
    assert!(matches!(claim(&state, "/coins").await, Claim::Mine(_)));
}

/// Stops the server's process, or continues it.
fn signal(redis: &Redis, name: &str) {
    let status = Command::new("kill").args([name, &redis.child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[tokio::test]
async fn lock_is_released_although_redis_failed_meanwhile() {
    let Some(redis) = redis().await else { return };
    // Waiting for the lock to expire would exceed the time limit.
    let connect = || SharedState::connect(&redis.url, Duration::from_mins(10), true, |_| {}).unwrap();
    let claimed_by_another = async |name| {
        let claimed = timeout(Duration::from_secs(20), async { claim(&connect(), name).await });
        assert!(matches!(claimed.await.expect("it is released"), Claim::Mine(_)), "{name}");
    };
    let holder = connect();
    let Claim::Mine(lock) = claim(&holder, "held").await else { panic!("nobody holds it") };
    signal(&redis, "-STOP");
    assert!(holder.lock("wanted").await.is_none(), "it hangs");
    drop(lock);
    signal(&redis, "-CONT");
    claimed_by_another("held").await;
    // Redis read the command to lock it after the hang.
    claimed_by_another("wanted").await;
}

#[tokio::test]
async fn slot_of_a_cancelled_request_is_free_again() {
    let Some(redis) = redis().await else { return };
    let shared = SharedState::new(&redis.url, |_| {}).unwrap();
    let tracker = UsageTracker::default().with_shared(Some(shared.clone()));
    let (gap, max_wait) = (Duration::from_secs(1), Duration::from_secs(30));
    let now = UtcTime::from_millis(NOW);
    let wanted = WantedSlot { server: 0, gap, max_wait, per_minute: Some(100), cost: 2 };
    let account = Account { provider: ProviderName::CoinGecko, id: 7 };
    let reserve = || tracker.reserve_shared(account, now, wanted);
    // The count of this month shows when a slot was taken and released.
    let until_used = async |used: u64| {
        let is_reached = async {
            loop {
                let month = format!("{}:budget:coingecko:month:00000007:2026-11", super::state::PREFIX);
                let get = move |mut redis| async move { redis::cmd("GET").arg(month).query_async(&mut redis).await };
                if shared.run(get).await == Some(Some(used)) {
                    return;
                }
            }
        };
        timeout(Duration::from_secs(20), is_reached).await.expect("it is released");
    };
    assert!(reserve().now_or_never().is_none(), "cancelled while Redis is queried");
    until_used(0).await;
    let sent = reserve().await.unwrap();
    assert_eq!((sent.wait, sent.used), (Duration::ZERO, 2));
    sent.keep();
    let other = UsageTracker::default().with_shared(Some(SharedState::new(&redis.url, |_| {}).unwrap()));
    assert_eq!(other.last_minute(ProviderName::CoinGecko, now).await, Some(1), "the other instances know it");
    for _ in 0..2 {
        let cancelled = reserve().await.unwrap();
        assert_eq!((cancelled.wait, cancelled.used), (gap, 4));
        drop(cancelled);
        until_used(2).await;
    }
}

#[tokio::test]
async fn instance_that_leaves_is_no_longer_counted() {
    let Some(redis) = redis().await else { return };
    let connect = || SharedState::connect(&redis.url, Duration::from_millis(20), true, |_| {}).unwrap();
    let (one, two) = (connect(), connect());
    let until_count = async |count: u32| {
        let counted = async {
            while one.instances() != count {
                tokio::task::yield_now().await;
            }
        };
        timeout(Duration::from_secs(20), counted).await.expect("it is counted");
    };
    until_count(2).await;
    two.leave().await;
    until_count(1).await;
}
