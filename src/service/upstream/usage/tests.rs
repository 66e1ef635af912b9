use futures_util::FutureExt as _;
use rusqlite::Connection;
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::*;
use crate::store::FILE;

const ACCOUNT: Account = Account { provider: ProviderName::CoinGecko, id: 1 };

fn wanted(max_wait: Duration) -> WantedSlot {
    WantedSlot { server: 0, gap: Duration::ZERO, max_wait, per_minute: None, cost: 1 }
}

async fn reserve(tracker: &UsageTracker, now: UtcTime) -> u64 {
    let reservation = tracker.reserve(ACCOUNT, now, wanted(Duration::from_secs(30))).await;
    let used = reservation.used;
    reservation.keep();
    used
}

#[tokio::test]
async fn requests_during_a_lock_are_counted_with_the_next_one() {
    let directory = tempfile::tempdir().unwrap();
    let tracker = || UsageTracker::new(SharedDatabase::new(Some(directory.path().to_owned())));
    let (one, other, now) = (tracker(), tracker(), UtcTime::from_millis(1_795_248_000_000));
    assert_eq!(reserve(&one, now).await, 1);
    let locked = Connection::open(directory.path().join(FILE)).unwrap();
    locked.execute_batch("BEGIN EXCLUSIVE").unwrap();
    assert_eq!((reserve(&one, now).await, reserve(&one, now).await), (2, 3));
    assert_eq!(one.used(ACCOUNT, now), 3);
    one.load(ACCOUNT, now).await;
    assert_eq!(one.used(ACCOUNT, now), 3, "the store's count is that of before");
    locked.execute_batch("ROLLBACK").unwrap();
    assert_eq!(reserve(&one, now).await, 4);
    assert_eq!(reserve(&other, now).await, 5, "the other instance counts them, too");
}

#[tokio::test]
async fn usage_is_unknown_if_the_store_fails_but_not_without_one() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join(FILE)).unwrap();
    let now = UtcTime::from_millis(1_795_248_000_000);
    for (place, expected) in [(Some(directory.path().to_owned()), None), (None, Some(0))] {
        let tracker = UsageTracker::new(SharedDatabase::new(place));
        assert_eq!(tracker.load(ACCOUNT, now).await, expected.is_some());
        assert_eq!(tracker.last_minute(ProviderName::CoinGecko, now).await, expected);
    }
}

#[tokio::test]
async fn cancelled_request_without_redis_is_not_counted_but_those_before_are() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    let tracker = UsageTracker::default().with_shared(Some(SharedState::new(&url, |_| {}).unwrap()));
    let now = UtcTime::from_millis(1_795_248_000_000);
    tracker.with_local(ACCOUNT, "2026-11", |local| local.unshared = 40);
    let reserve = tracker.reserve_shared(ACCOUNT, now, wanted(Duration::ZERO));
    assert!(reserve.now_or_never().is_none(), "Redis is busy");
    // It fails after the request was cancelled.
    drop(listener);
    let is_counted = async {
        let is_down = || tracker.shared().is_some_and(SharedState::is_down);
        while !is_down() || tracker.with_local(ACCOUNT, "2026-11", |local| local.unshared) != 40 {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(20), is_counted).await.unwrap();
}

#[tokio::test]
async fn refunded_cost_no_longer_counts() {
    let directory = tempfile::tempdir().unwrap();
    let now = UtcTime::from_millis(1_795_248_000_000);
    for store in [SharedDatabase::default(), SharedDatabase::new(Some(directory.path().to_owned()))] {
        let tracker = UsageTracker::new(store);
        assert_eq!((reserve(&tracker, now).await, reserve(&tracker, now).await), (1, 2));
        tracker.refund(ACCOUNT, now, 1).await;
        assert_eq!(tracker.used(ACCOUNT, now), 1);
        assert_eq!(reserve(&tracker, now).await, 2);
        tracker.refund(ACCOUNT, now, 9).await;
        assert_eq!(reserve(&tracker, now).await, 1);
    }
}

#[tokio::test]
async fn count_of_the_provider_during_a_lock_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let tracker = || UsageTracker::new(SharedDatabase::new(Some(directory.path().to_owned())));
    let (one, other, now) = (tracker(), tracker(), UtcTime::from_millis(1_795_248_000_000));
    reserve(&one, now).await;
    let locked = Connection::open(directory.path().join(FILE)).unwrap();
    locked.execute_batch("BEGIN EXCLUSIVE").unwrap();
    one.set_used(ACCOUNT, now, 10_000).await;
    locked.execute_batch("ROLLBACK").unwrap();
    assert_eq!(reserve(&one, now).await, 10_001);
    assert_eq!(reserve(&other, now).await, 10_002);
    one.set_used(ACCOUNT, now, 500).await;
    assert_eq!((reserve(&one, now).await, reserve(&other, now).await), (501, 502));
}
