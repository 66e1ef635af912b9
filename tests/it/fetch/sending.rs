//! Which requests are sent, in which order, and when they are cancelled.

use std::time::Duration;

use satscope::client::{ErrorKind, Group, Request};
use satscope::clock::Clock;
use satscope::fetch::{self, SkipReason};
use tokio::time::timeout;

use super::{BASE, Observed, Rig};
use crate::support::fake::{Fake, LATENCY, Script};
use crate::support::{posts, token};

#[tokio::test(start_paused = true)]
async fn demanded_requests_are_sent_once_in_order() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("b"), token("a"), token("b"), posts("C")]);
    assert_eq!(rig.next().await, Observed::Started(token("b"), 0));
    assert_eq!(rig.next().await, Observed::Started(token("a"), 0));
    assert_eq!(rig.next().await, Observed::Started(posts("C"), 0));
    assert_eq!(rig.settle().await.len(), 3);
    assert_eq!(fake.requests(), [token("b"), token("a"), posts("C")]);
}

#[tokio::test(start_paused = true)]
async fn six_requests_run_at_once_most_urgent_first() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let (tokens, news): (Vec<Request>, Vec<Request>) =
        (0..10).map(|n| (token(&format!("t{n}")), posts(&format!("P{n}")))).unzip();
    rig.demand(&[tokens.clone(), news.clone()].concat());
    rig.settle().await;
    assert_eq!((fake.peak(Group::Indexer), fake.peak(Group::Market)), (6, 6), "each host has its own limit");
    assert_eq!(fake.requests(), [&tokens[..6], &news[..6], &tokens[6..], &news[6..]].concat());

    let shared = Fake::on_one_host();
    let mut rig = Rig::new(&shared);
    rig.demand(&[tokens.clone(), news.clone()].concat());
    rig.settle().await;
    assert_eq!((shared.peak(Group::Indexer), shared.requests().len()), (6, 20));
    assert_eq!(shared.requests(), [tokens, news].concat(), "both groups share the room of one host");
}

#[tokio::test(start_paused = true)]
async fn new_urgent_request_precedes_queued_ones() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let mut wanted: Vec<Request> = (0..9).map(|n| token(&format!("t{n}"))).collect();
    rig.demand(&wanted);
    rig.next().await;
    wanted.insert(0, token("new"));
    rig.demand(&wanted);
    rig.settle().await;
    assert_eq!(fake.requests()[6], token("new"));
    assert_eq!(fake.requests().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn request_out_of_demand_is_cancelled_silently() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Hang]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a"), token("b")]);
    rig.next().await;
    rig.next().await;
    tokio::time::sleep(LATENCY / 2).await;
    assert_eq!(fake.in_flight(), 2);
    rig.demand(&[token("c")]);
    assert_eq!(rig.next().await, Observed::Cancelled(token("a")));
    assert_eq!(rig.next().await, Observed::Cancelled(token("b")));
    assert_eq!(rig.next().await, Observed::Started(token("c"), 50));
    tokio::task::yield_now().await;
    assert_eq!(fake.in_flight(), 1, "their futures are dropped");
    assert_eq!(rig.settle().await, [Observed::Arrived(token("c"))]);
    rig.demand(&[token("b")]);
    assert!(matches!(rig.next().await, Observed::Started(..)), "it was never answered, so it is due");
    assert_eq!(rig.next().await, Observed::Arrived(token("b")));
}

#[tokio::test(start_paused = true)]
async fn cancelled_request_makes_room() {
    let fake = Fake::default();
    let slow: Vec<Request> = (0..6).map(|n| token(&format!("slow{n}"))).collect();
    slow.iter().for_each(|request| fake.script(request, [Script::Hang]));
    let mut rig = Rig::new(&fake);
    rig.demand(&slow);
    rig.settle().await;
    rig.demand(&[token("quick")]);
    assert_eq!(rig.settle().await.last(), Some(&Observed::Arrived(token("quick"))));
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_is_sent_at_most_every_ten_seconds() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Respond { max_age: None, etag: Some("e1") }, Script::Confirm]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    assert_eq!(rig.next().await, Observed::Started(token("a"), 0));
    rig.refresh(&token("a")); // in flight: not sent twice
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    rig.refresh(&token("a"));
    assert_eq!(rig.next().await, Observed::Started(token("a"), 100), "although the response is fresh");
    assert_eq!(rig.next().await, Observed::Confirmed(token("a")), "conditionally");
    for _ in 0..30 {
        rig.refresh(&token("a")); // a held key
        assert_eq!(
            rig.next().await,
            Observed::Skipped(0, 1, SkipReason::Recent, 10_100),
            "the app is told why and until when"
        );
    }
    rig.refresh(&token("nobody wants this"));
    assert_eq!(rig.within(Duration::from_secs(9)).await, None);
    assert_eq!(fake.requests().len(), 2);
    tokio::time::sleep(Duration::from_secs(1)).await;
    rig.refresh(&token("a"));
    assert_eq!(rig.next().await, Observed::Started(token("a"), 10_200));
}

#[tokio::test(start_paused = true)]
async fn skipped_refresh_says_that_the_last_one_failed() {
    let fake = Fake::default();
    let missing = || Script::Fail(ErrorKind::Status { status: 404, message: None, retry_after: None });
    fake.script(&token("a"), [missing(), missing()]);
    let mut rig = Rig::new(&fake);
    let wanted = [token("a"), token("b")];
    rig.demand(&wanted);
    rig.settle().await;
    rig.handle.refresh(wanted.to_vec());
    rig.settle().await;
    rig.handle.refresh(wanted.to_vec());
    let skipped = rig.next().await;
    assert!(matches!(skipped, Observed::Skipped(0, 2, SkipReason::RecentlyFailed, _)), "{skipped:?}");
}

#[tokio::test(start_paused = true)]
async fn responses_of_earlier_sources_are_replaced_right_after_a_manual_refresh() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a"), token("hidden")]);
    rig.settle().await;
    rig.demand(&[token("a")]);
    rig.refresh(&token("a"));
    assert!(matches!(rig.next().await, Observed::Started(request, _) if request == token("a")));
    rig.handle.reload(vec![token("a")]); // in flight, perhaps from the source that was used before
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    assert!(matches!(rig.next().await, Observed::Started(request, _) if request == token("a")));
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    rig.handle.reload(vec![token("a")]); // refreshed just now
    assert!(matches!(rig.next().await, Observed::Started(request, _) if request == token("a")));
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    assert_eq!(rig.within(Duration::from_secs(5)).await, None, "once");
    rig.demand(&[token("hidden")]);
    assert!(
        matches!(rig.next().await, Observed::Started(request, _) if request == token("hidden")),
        "when it is shown again"
    );
}

#[tokio::test(start_paused = true)]
async fn refresh_is_sent_in_every_waiting_state() {
    for kind in [ErrorKind::Refused, ErrorKind::NotFound { message: None }, ErrorKind::BadUrl(String::new())] {
        let fake = Fake::default();
        fake.script(&token("a"), [Script::Fail(kind)]);
        let mut rig = Rig::new(&fake);
        rig.demand(&[token("a")]);
        for count in 1..5 {
            assert!(matches!(rig.next().await, Observed::Started(..)));
            assert!(matches!(rig.next().await, Observed::Failed(..)));
            assert_eq!(fake.requests().len(), count);
            rig.demand(&[]);
            tokio::time::sleep(fetch::REFRESH_SPACING).await;
            rig.demand(&[token("a")]);
            rig.refresh(&token("a"));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn many_queued_refreshes_are_all_sent() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let wanted: Vec<Request> = (0..40).map(|n| token(&format!("t{n}"))).collect();
    rig.demand(&wanted);
    rig.settle().await;
    // The task runs only when the test waits.
    wanted.iter().for_each(|request| rig.refresh(request));
    rig.settle().await;
    let refreshed = fake.requests().split_off(wanted.len());
    assert!(wanted.iter().all(|request| refreshed.contains(request)), "{refreshed:?}");
    assert_eq!(refreshed.len(), wanted.len());
}

#[tokio::test(start_paused = true)]
async fn slow_event_reader_loses_nothing_and_blocks_nothing() {
    let fake = Fake::default();
    let mut rig = Rig::with(&fake, Clock::runtime(BASE), 1, Rig::settings());
    let wanted: Vec<Request> = (0..40).map(|n| token(&format!("t{n}"))).collect();
    rig.demand(&wanted);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(fake.requests().len() < 10, "nothing more is sent while the reader is behind");
    rig.demand(&wanted[..39]);
    let seen = rig.settle().await;
    let count = |wanted: fn(&Observed) -> bool| seen.iter().filter(|seen| wanted(seen)).count();
    assert_eq!(count(|seen| matches!(seen, Observed::Started(..))), 39);
    assert_eq!(count(|seen| matches!(seen, Observed::Arrived(..))), 39);
}

#[tokio::test(start_paused = true)]
async fn fetch_task_ends_with_its_handle_without_reader() {
    let fake = Fake::default();
    let rig = Rig::with(&fake, Clock::runtime(BASE), 1, Rig::settings());
    rig.demand(&(0..12).map(|n| token(&format!("t{n}"))).collect::<Vec<_>>());
    tokio::time::sleep(LATENCY / 2).await;
    drop(rig.handle);
    timeout(Duration::from_secs(1), rig.task).await.expect("it ends").unwrap();
    tokio::task::yield_now().await;
    assert_eq!(fake.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn fetch_task_ends_with_its_reader() {
    let rig = Rig::new(&Fake::default());
    drop(rig.events);
    timeout(Duration::from_secs(1), rig.task).await.expect("it ends").unwrap();
}

#[tokio::test(start_paused = true)]
async fn large_demand_is_kept_fresh() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let wanted: Vec<Request> = (0..2 * fetch::MAX_REMEMBERED).map(|n| posts(&format!("{n:04}"))).collect();
    rig.demand(&wanted);
    rig.settle().await;
    rig.demand(&wanted);
    rig.settle().await;
    assert_eq!(fake.requests().len(), wanted.len());
}

#[tokio::test(start_paused = true)]
async fn queued_refresh_is_dropped_when_out_of_demand() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.next().await;
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    let busy: Vec<Request> = (0..fetch::MAX_PER_HOST).map(|n| token(&format!("busy{n}"))).collect();
    busy.iter().for_each(|request| fake.script(request, [Script::Hang]));
    rig.demand(&[busy, vec![token("a")]].concat());
    while rig.within(LATENCY).await.is_some() {}
    rig.refresh(&token("a")); // waits for room
    assert_eq!(rig.within(LATENCY).await, None);
    rig.demand(&[]);
    while rig.within(LATENCY).await.is_some() {}
    assert_eq!(rig.within(LATENCY).await, None);
    rig.demand(&[token("a")]);
    assert_eq!(rig.within(Duration::from_secs(50)).await, None);
}

#[tokio::test(start_paused = true)]
async fn queued_refresh_survives_new_demand() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.settle().await;
    rig.demand(&[token("a"), token("b")]);
    assert!(matches!(rig.next().await, Observed::Started(request, _) if request == token("b")));
    rig.refresh(&token("a"));
    rig.demand(&[token("a"), token("b"), token("c")]);
    let seen = rig.settle().await;
    for wanted in ["a", "b", "c"] {
        assert!(seen.contains(&Observed::Arrived(token(wanted))), "{seen:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn refresh_of_running_or_undemanded_request_is_ignored() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    assert_eq!(rig.next().await, Observed::Started(token("a"), 0));
    rig.refresh(&token("a"));
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    assert_eq!(rig.within(Duration::from_secs(5)).await, None, "what was under way is new enough");
    rig.demand(&[]);
    assert_eq!(rig.within(LATENCY).await, None);
    rig.refresh(&token("a"));
    assert_eq!(rig.within(LATENCY).await, None);
    rig.demand(&[token("a")]);
    assert_eq!(rig.within(Duration::from_secs(5)).await, None);
}
