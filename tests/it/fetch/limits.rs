//! Rate limits.

use std::time::Duration;

use satscope::client::{ErrorKind, Request};
use satscope::fetch::{REFRESH_SPACING, SkipReason};

use super::{Observed, Rig};
use crate::support::fake::{Fake, LATENCY, PLAIN, Script};
use crate::support::{posts, token};

fn rate_limit(secs: Option<u64>) -> ErrorKind {
    ErrorKind::RateLimited { message: None, retry_after: secs.map(Duration::from_secs) }
}

fn limited(secs: Option<u64>) -> Script {
    Script::Fail(rate_limit(secs))
}

#[tokio::test(start_paused = true)]
async fn rate_limited_host_is_paused_until_retry_after() {
    let fake = Fake::default();
    for (script, delay) in [(limited(Some(30)), 30), (limited(Some(90_000)), 3_600)] {
        fake.script(&token("a"), [script, PLAIN]);
        let mut rig = Rig::new(&fake);
        rig.demand(&[token("a")]);
        rig.next().await;
        let until = 100 + delay * 1_000;
        assert_eq!(rig.next().await, Observed::Failed(token("a"), Some(until)));
        rig.demand(&[token("a"), token("b"), posts("C")]);
        assert_eq!(rig.next().await, Observed::Started(token("b"), 100), "reported although it must wait");
        assert_eq!(rig.next().await, Observed::Failed(token("b"), Some(until)));
        assert_eq!(rig.next().await, Observed::Started(posts("C"), 100), "the other host is not limited");
        assert_eq!(rig.next().await, Observed::Arrived(posts("C")));
        rig.demand(&[token("a"), token("b")]);
        assert_eq!(rig.next().await, Observed::Started(token("a"), until));
        assert_eq!(rig.next().await, Observed::Started(token("b"), until));
    }
}

#[tokio::test(start_paused = true)]
async fn retry_after_of_503_delays_only_its_resource() {
    for (retry_after, delay) in [(30, 30), (3_600, 3_600), (90_000, 3_600)] {
        let fake = Fake::default();
        let retry_after = Some(Duration::from_secs(retry_after));
        let overloaded = ErrorKind::Status { status: 503, message: None, retry_after };
        fake.script(&token("a"), [Script::Fail(overloaded), PLAIN]);
        let mut rig = Rig::new(&fake);
        rig.demand(&[token("a")]);
        rig.next().await;
        assert_eq!(rig.next().await, Observed::Failed(token("a"), Some(100 + delay * 1_000)));
        rig.demand(&[token("a"), token("b")]);
        assert_eq!(rig.next().await, Observed::Started(token("b"), 100));
        assert_eq!(rig.next().await, Observed::Arrived(token("b")));
        rig.refresh(&token("a"));
        assert_eq!(rig.next().await, Observed::Started(token("a"), 200), "a refresh does not wait");
        assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    }
}

#[tokio::test(start_paused = true)]
async fn refresh_bypasses_rate_limit_once_in_ten_seconds() {
    let fake = Fake::default();
    let wanted = [token("a"), token("b"), token("c")];
    fake.script(&wanted[0], [limited(Some(3_600)), limited(Some(3_600)), PLAIN]);
    fake.script(&wanted[1], [limited(Some(3_600)), PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.demand(&wanted[..1]);
    rig.settle().await;
    rig.demand(&wanted);
    rig.settle().await;
    let sent = fake.requests().len();
    assert_eq!(sent, 1, "no request to a rate-limited host");

    // One of three resources is sent; the screen is informed about the others.
    rig.handle.refresh(wanted.to_vec());
    let Observed::Skipped(1, 2, SkipReason::RateLimited, until) = rig.next().await else { panic!("two are skipped") };
    assert_eq!(rig.next().await, Observed::Started(wanted[0].clone(), until - 10_000));
    rig.settle().await;
    for _ in 0..30 {
        rig.handle.refresh(wanted.to_vec());
        assert_eq!(rig.next().await, Observed::Skipped(0, 3, SkipReason::RateLimited, until));
    }
    assert_eq!(fake.requests().len(), sent + 1);

    // Next time another one is sent, so that each gets its turn. It is rate-limited again.
    tokio::time::sleep(Duration::from_secs(10)).await;
    rig.handle.refresh(wanted.to_vec());
    rig.settle().await;
    assert_eq!(fake.requests()[sent + 1..], wanted[1..2]);

    // The host responds: the rate limit is over, and all requests continue at once.
    tokio::time::sleep(Duration::from_secs(10)).await;
    rig.handle.refresh(wanted.to_vec());
    let seen = rig.settle().await;
    assert_eq!(fake.requests()[sent + 2], wanted[2]);
    for request in wanted {
        assert!(seen.contains(&Observed::Arrived(request)), "{seen:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn refresh_during_new_rate_limit_waits_with_other_requests() {
    let fake = Fake::default();
    let wanted: Vec<Request> = (0..8).map(|n| token(&format!("t{n}"))).collect();
    let mut rig = Rig::new(&fake);
    rig.demand(&wanted);
    rig.settle().await;
    rig.settle().await;
    wanted.iter().for_each(|request| fake.script(request, [limited(Some(60)), PLAIN]));
    rig.handle.refresh(wanted.clone());
    let seen = rig.settle().await;
    assert_eq!(fake.requests().len(), 8 + 6, "those without room are not sent when the others are refused");
    let held: Vec<_> = seen.iter().filter(|event| matches!(event, Observed::Skipped(..))).collect();
    let [Observed::Skipped(0, 2, SkipReason::RateLimited, until)] = held[..] else {
        panic!("the screen is not seen: {seen:?}")
    };

    // One of the two was never refreshed, so it is next.
    tokio::time::sleep(Duration::from_millis(until - rig.last())).await;
    rig.handle.refresh(wanted.clone());
    rig.settle().await;
    assert_eq!(fake.requests()[8 + 6..], wanted[6..7]);
}

#[tokio::test(start_paused = true)]
async fn queued_refresh_bypasses_later_rate_limit() {
    let fake = Fake::default();
    let wanted: Vec<Request> = (0..8).map(|n| token(&format!("t{n}"))).collect();
    let mut rig = Rig::new(&fake);
    rig.demand(&wanted);
    rig.settle().await;
    rig.settle().await;
    // The server rejects so late that another refresh is allowed by then.
    wanted[..6]
        .iter()
        .for_each(|request| fake.script(request, [Script::FailAfter(REFRESH_SPACING, rate_limit(Some(60)))]));
    rig.handle.refresh(wanted.clone());
    tokio::time::sleep(REFRESH_SPACING + 2 * LATENCY).await;
    let seen = rig.settle().await;
    assert_eq!(fake.requests()[8 + 6..], wanted[6..7], "one more is sent");
    assert!(seen.iter().any(|event| matches!(event, Observed::Skipped(0, 1, SkipReason::RateLimited, _))), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn rate_limit_without_retry_after_pauses_longer_each_time() {
    let fake = Fake::default();
    let wanted: Vec<Request> = (0..5).map(|n| token(&format!("t{n}"))).collect();
    for request in &wanted {
        fake.script(request, (0..6).map(|_| limited(None)).chain([PLAIN]));
    }
    let mut rig = Rig::new(&fake);
    rig.demand(&wanted);
    let mut due = 0;
    for bound in [10_000, 20_000, 40_000, 80_000, 120_000, 120_000] {
        let mut tries = Vec::new();
        for _ in 0..10 {
            match rig.next().await {
                Observed::Started(_, at) => assert_eq!(at, due),
                Observed::Failed(_, next_try) => tries.push(next_try.unwrap()),
                other => panic!("{other:?}"),
            }
        }
        tries.dedup();
        let [next_try] = tries[..] else { panic!("five refusals at once are one: {tries:?}") };
        let wait = next_try - due - 100;
        assert!((bound / 2..=bound).contains(&wait), "{wait} of {bound}");
        due = next_try;
    }
    assert_eq!(rig.next().await, Observed::Started(wanted[0].clone(), due));
}

#[tokio::test(start_paused = true)]
async fn response_clears_earlier_rate_limits() {
    let fake = Fake::default();
    let limits = [limited(None), limited(None), PLAIN, limited(None)];
    fake.script(&token("a"), limits);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    let mut last = None;
    while fake.requests().len() < 4 || last.is_none() {
        if let Observed::Failed(_, Some(next_try)) = rig.next().await {
            last = (fake.requests().len() == 4).then_some(next_try - rig.last());
        }
    }
    assert!(last.is_some_and(|wait| wait <= 10_000), "{last:?}");
}
