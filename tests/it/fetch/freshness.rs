//! Refreshes, and conditional requests.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use satscope::client::{ErrorKind, Request};
use satscope::clock::Clock;
use satscope::fetch;
use satscope::model::{Currency, Tag};

use super::{BASE, Observed, Rig};
use crate::support::fake::{Coins, Fake, LATENCY, PLAIN, Script};
use crate::support::token;

#[tokio::test(start_paused = true)]
async fn fresh_response_is_not_requested_again_and_stale_one_is() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    assert_eq!(rig.next().await, Observed::Started(token("a"), 0));
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    assert_eq!(rig.next().await, Observed::Started(token("a"), 60_100), "a minute after it came");
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    rig.demand(&[]);
    assert_eq!(rig.within(Duration::from_secs(86_400)).await, None, "it is no longer demanded");
}

#[tokio::test(start_paused = true)]
async fn max_age_decides_when_response_is_stale() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Respond { max_age: Some(600), etag: None }, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.settle().await;
    assert_eq!(rig.next().await, Observed::Started(token("a"), 600_100));
}

#[tokio::test(start_paused = true)]
async fn return_within_freshness_sends_no_request() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Respond { max_age: None, etag: Some("e1") }, Script::Confirm]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.settle().await;
    rig.demand(&[token("b")]);
    rig.settle().await;
    rig.demand(&[token("a")]);
    assert_eq!(rig.within(Duration::from_secs(30)).await, None);
    assert_eq!(rig.next().await, Observed::Started(token("a"), 60_100));
    assert_eq!(rig.next().await, Observed::Confirmed(token("a")));
    assert_eq!(
        rig.next().await,
        Observed::Started(token("a"), 120_200),
        "a confirmation is fresh as long as a response"
    );
    assert_eq!(rig.next().await, Observed::Confirmed(token("a")), "and keeps the ETag");
    let etag = Some(String::from("e1"));
    assert_eq!(fake.etags(&token("a")), [None, etag.clone(), etag]);
}

#[tokio::test(start_paused = true)]
async fn response_without_etag_ends_conditional_requests() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Respond { max_age: None, etag: Some("e1") }, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    while fake.requests().len() < 3 {
        rig.next().await;
    }
    assert_eq!(fake.etags(&token("a")), [None, Some(String::from("e1")), None]);
}

#[tokio::test(start_paused = true)]
async fn evicted_response_is_requested_unconditionally() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Respond { max_age: None, etag: Some("e1") }]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.settle().await;
    rig.kept.clear();
    rig.demand(&[token("a"), token("b")]);
    rig.settle().await;
    assert_eq!(rig.within(Duration::from_secs(5)).await, None);
    assert_eq!(fake.etags(&token("a")).len(), 1, "no check while it stays in the demand");
    rig.demand(&[]);
    rig.demand(&[]);
    tokio::time::sleep(LATENCY).await;
    rig.demand(&[token("a")]);
    assert!(matches!(rig.next().await, Observed::Started(request, at) if request == token("a") && at < 60_000));
    rig.settle().await;
    assert_eq!(fake.etags(&token("a")), [None, None]);
}

#[tokio::test(start_paused = true)]
async fn confirmation_of_evicted_response_requests_again() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Respond { max_age: None, etag: Some("e1") }, Script::Confirm, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.settle().await;
    assert_eq!(rig.next().await, Observed::Started(token("a"), 60_100));
    rig.kept.clear();
    assert_eq!(rig.next().await, Observed::Cancelled(token("a")));
    assert_eq!(rig.next().await, Observed::Started(token("a"), 60_200));
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    assert_eq!(fake.etags(&token("a")), [None, Some(String::from("e1")), None]);
}

#[tokio::test(start_paused = true)]
async fn response_evicted_during_refresh_is_requested_at_once() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Respond { max_age: None, etag: Some("e1") }, Script::Confirm, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.settle().await;
    rig.refresh(&token("a"));
    assert_eq!(rig.next().await, Observed::Started(token("a"), 300));
    rig.kept.clear();
    assert_eq!(rig.next().await, Observed::Cancelled(token("a")));
    assert_eq!(rig.next().await, Observed::Started(token("a"), 400), "its old response would have held for a minute");
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
}

#[tokio::test(start_paused = true)]
async fn unrequested_304_is_an_error() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Confirm]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.next().await;
    assert_eq!(rig.next().await, Observed::Failed(token("a"), Some(60_100)));
    assert!(matches!(rig.errors[0].kind, ErrorKind::Status { status: 304, .. }));
}

/// A clock that a test sets.
fn manual() -> (&'static AtomicI64, Clock) {
    let millis: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(BASE.millis())));
    (millis, Clock::Manual(millis))
}

#[tokio::test(start_paused = true)]
async fn demand_after_system_sleep_refreshes() {
    let (millis, clock) = manual();
    let fake = Fake::default();
    let mut rig = Rig::with(&fake, clock, 64, Rig::settings());
    rig.demand(&[token("a")]);
    rig.settle().await;
    millis.fetch_add(3_600_000, Ordering::Relaxed); // asleep: the runtime's clock stood still
    rig.demand(&[token("a")]);
    assert_eq!(rig.within(Duration::from_millis(1)).await, Some(Observed::Started(token("a"), 3_600_000)));
}

#[tokio::test(start_paused = true)]
async fn clock_set_back_does_not_stop_refreshes() {
    let (millis, clock) = manual();
    let fake = Fake::default();
    let mut rig = Rig::with(&fake, clock, 64, Rig::settings());
    rig.demand(&[token("a")]);
    rig.settle().await;
    millis.fetch_sub(1_000, Ordering::Relaxed);
    rig.demand(&[token("a")]);
    assert_eq!(rig.within(Duration::from_secs(1)).await, None, "a correction changes nothing");
    millis.fetch_sub(86_400_000, Ordering::Relaxed);
    rig.demand(&[token("a")]);
    assert!(matches!(rig.within(Duration::from_secs(1)).await, Some(Observed::Started(..))));
}

#[tokio::test(start_paused = true)]
async fn only_recent_requests_are_remembered() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let all: Vec<Request> = (0..=fetch::MAX_REMEMBERED).map(|n| token(&format!("{n:04}"))).collect();
    for request in &all {
        fake.script(request, [Script::Respond { max_age: Some(86_400), etag: None }]);
    }
    for request in &all {
        rig.demand(std::slice::from_ref(request));
        assert!(matches!(rig.next().await, Observed::Started(..)));
        assert!(matches!(rig.next().await, Observed::Arrived(..)));
    }
    rig.demand(&all[1..2]);
    assert_eq!(rig.within(Duration::from_secs(1)).await, None, "among the last");
    rig.demand(&all[..1]);
    assert!(matches!(rig.within(Duration::from_secs(1)).await, Some(Observed::Started(..))), "forgotten");
}

#[tokio::test(start_paused = true)]
async fn pages_of_another_provider_are_requested_again() {
    let page = |start| Request::Coins { tag: Tag::All, start, limit: 200, convert: Currency::usd() };
    let of = |names| Script::Coins(Coins { provider: Some(names), ..Coins::new(200, 200) });
    // The first page changes its provider, too, or it does not: it is not requested in a loop.
    for then in ["coingecko, coinpaprika", "coinmarketcap"] {
        let fake = Fake::default();
        fake.script(&page(1), [of("coinmarketcap"), of(then)]);
        fake.script(&page(201), [of("coingecko")]);
        let mut rig = Rig::new(&fake);
        rig.demand(&[page(1)]);
        rig.settle().await;
        rig.demand(&[page(1), page(201)]);
        assert_eq!(rig.settle().await.last(), Some(&Observed::Arrived(page(201))));
        assert_eq!(rig.next().await, Observed::Started(page(1), 10_000), "{then}");
        assert_eq!(rig.next().await, Observed::Arrived(page(1)));
        assert_eq!(rig.within(Duration::from_hours(1)).await, None, "{then}");
    }
}

#[tokio::test(start_paused = true)]
async fn pages_in_flight_during_a_provider_switch_are_not_requested_again() {
    let page = |start| Request::Coins { tag: Tag::All, start, limit: 200, convert: Currency::usd() };
    let of = |names| Script::Coins(Coins { provider: Some(names), ..Coins::new(200, 200) });
    let (fake, pages) = (Fake::default(), [page(1), page(201)]);
    for page in &pages {
        fake.script(page, [of("coinmarketcap"), of("coingecko")]);
    }
    let mut rig = Rig::new(&fake);
    rig.demand(&pages);
    rig.settle().await;
    rig.handle.refresh(pages.to_vec());
    assert_eq!(rig.settle().await.iter().filter(|event| matches!(event, Observed::Arrived(_))).count(), 2);
    assert_eq!(fake.peak(pages[0].group()), 2, "both were in flight");
    assert_eq!(rig.within(Duration::from_hours(1)).await, None);
}

#[tokio::test(start_paused = true)]
async fn refresh_without_newer_data_is_repeated_less_and_less_often() {
    let fake = Fake::default();
    let list = token("a");
    let fresh = Script::Respond { max_age: Some(3_600), etag: None };
    let unrefreshed = || Script::NotRefreshed(3_600);
    fake.script(&list, [fresh.clone(), unrefreshed(), unrefreshed(), unrefreshed(), fresh]);
    let mut rig = Rig::new(&fake);
    rig.demand(std::slice::from_ref(&list));
    rig.settle().await;
    rig.refresh(&list);
    let started = |seen: Vec<Observed>| -> Vec<u64> {
        let at = |event| if let Observed::Started(_, at) = event { Some(at / 1_000) } else { None };
        seen.into_iter().filter_map(at).collect()
    };
    let times = started(rig.all_within(Duration::from_mins(10)).await);
    assert_eq!(times, [0, 10, 30, 70], "after the last one, the data is fresh for an hour");
    assert_eq!(fake.refreshes(), 4, "each bypasses the cache of the service");
}

/// Starts a refresh of token `a`, which is on the screen and fresh. The service will have no newer data.
async fn refreshed_without_newer_data(fake: &Fake) -> Rig {
    let fresh = Script::Respond { max_age: Some(3_600), etag: None };
    fake.script(&token("a"), [fresh, Script::NotRefreshed(3_600)]);
    let mut rig = Rig::new(fake);
    rig.demand(&[token("a")]);
    rig.settle().await;
    rig.refresh(&token("a"));
    rig
}

#[tokio::test(start_paused = true)]
async fn refresh_without_newer_data_is_not_repeated_off_the_screen() {
    let fake = Fake::default();
    let mut rig = refreshed_without_newer_data(&fake).await;
    rig.settle().await;
    rig.demand(&[token("b")]);
    rig.all_within(Duration::from_mins(1)).await;
    rig.demand(&[token("a")]);
    rig.settle().await;
    assert_eq!(fake.refreshes(), 1);
}

#[tokio::test(start_paused = true)]
async fn refresh_that_is_answered_off_the_screen_is_not_repeated_in_the_background() {
    let fake = Fake::default();
    let mut rig = refreshed_without_newer_data(&fake).await;
    assert!(matches!(rig.next().await, Observed::Started(..)));
    // An alert still needs it, so it is not cancelled.
    rig.want_both(&[token("b")], &[token("a")], Duration::from_mins(1));
    rig.all_within(Duration::from_mins(10)).await;
    assert_eq!(fake.refreshes(), 1);
}
