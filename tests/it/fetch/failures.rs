//! Retries after failures.

use std::time::Duration;

use satscope::client::{ErrorKind, Request};

use super::{Observed, Rig};
use crate::support::fake::{Fake, PLAIN, Script};
use crate::support::{posts, token};

#[tokio::test(start_paused = true)]
async fn retry_delay_doubles_and_success_resets_it() {
    let fake = Fake::default();
    let fail = || Script::Fail(ErrorKind::Refused);
    let fails = (0..9).map(|_| fail());
    fake.script(&token("a"), fails.chain([PLAIN, fail()]));
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    let (mut due, mut longest) = (0, 0);
    for bound in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000] {
        assert_eq!(rig.next().await, Observed::Started(token("a"), due), "exactly when it was announced");
        let Observed::Failed(_, Some(next_try)) = rig.next().await else { panic!("a failure with its next try") };
        let wait = next_try - due - 100;
        assert!((200..=bound).contains(&wait), "{wait} of {bound}");
        longest = wait.max(longest);
        due = next_try;
    }
    assert!(longest > 4_000, "the random part of all waits is short");
    assert_eq!(rig.next().await, Observed::Started(token("a"), due));
    assert_eq!(rig.next().await, Observed::Arrived(token("a")));
    let Observed::Started(_, at) = rig.next().await else { panic!("stale after a minute") };
    let Observed::Failed(_, Some(next_try)) = rig.next().await else { panic!("a failure") };
    assert!(next_try - at - 100 <= 1_000, "the backoff starts again");
}

#[tokio::test(start_paused = true)]
async fn failure_does_not_delay_other_requests() {
    let fake = Fake::default();
    fake.script(&token("bad"), [Script::Fail(ErrorKind::Refused)]);
    fake.script(&token("slow"), [Script::Hang]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("bad"), token("slow"), token("good")]);
    let seen = rig.settle().await;
    assert!(seen.contains(&Observed::Arrived(token("good"))), "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn requests_are_sent_at_once_after_an_outage() {
    let fake = Fake::default();
    let wanted: Vec<Request> = (0..7).map(|n| token(&format!("t{n}"))).collect();
    wanted.iter().for_each(|request| fake.script(request, [Script::Fail(ErrorKind::Refused)]));
    let mut rig = Rig::new(&fake);
    rig.demand(&wanted);
    let mut seen = rig.all_within(Duration::from_secs(26)).await;
    seen.extend(rig.settle().await);
    let next_try = |request: &Request| {
        seen.iter().rev().find_map(|event| match event {
            Observed::Failed(failed, next_try) if failed == request => *next_try,
            _ => None,
        })
    };
    let waits: Vec<u64> = wanted.iter().filter_map(next_try).collect();
    let (first, last) = (*waits.iter().min().unwrap(), *waits.iter().max().unwrap());
    assert!(waits.len() == 7 && last - first > 1_000, "different waits: {waits:?}");
    wanted.iter().for_each(|request| fake.script(request, [PLAIN]));
    let mut seen = Vec::new();
    while !matches!(seen.last(), Some(Observed::Arrived(_))) {
        seen.push(rig.next().await);
    }
    seen.extend(rig.settle().await);
    for request in wanted {
        assert!(seen.contains(&Observed::Arrived(request)), "{seen:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn server_error_keeps_its_wait_when_the_host_responds() {
    let fake = Fake::default();
    let error = ErrorKind::Status { status: 500, message: None, retry_after: None };
    fake.script(&token("down"), [Script::Fail(ErrorKind::TimeoutFirstByte(Duration::from_secs(20)))]);
    fake.script(&token("error"), [Script::Fail(error)]);
    let mut rig = Rig::new(&fake);
    let wanted = [token("down"), token("error"), token("ok")];
    rig.demand(&wanted[..2]);
    let mut seen = rig.all_within(Duration::from_mins(10)).await;
    seen.extend(rig.settle().await);
    let announced = |name: &str| {
        let last = seen.iter().rev().find_map(|event| match event {
            Observed::Failed(request, next_try) if *request == token(name) => *next_try,
            _ => None,
        });
        last.unwrap()
    };
    let (down, error) = (announced("down"), announced("error"));
    rig.demand(&wanted);
    assert!(matches!(rig.next().await, Observed::Started(request, _) if request == token("ok")));
    let sent = rig.last();
    assert!(sent + 100 < down && sent + 100 < error, "both wait: {sent} {down} {error}");
    assert_eq!(rig.next().await, Observed::Arrived(token("ok")));
    assert_eq!(rig.next().await, Observed::Started(token("down"), sent + 100));
    let mut seen = Vec::new();
    while !matches!(seen.last(), Some(Observed::Started(request, _)) if *request == token("error")) {
        seen.push(rig.next().await);
    }
    assert_eq!(seen.last(), Some(&Observed::Started(token("error"), error)));
}

#[tokio::test(start_paused = true)]
async fn request_that_keeps_failing_ends_its_wait_early_only_once() {
    let fake = Fake::default();
    fake.script(&token("bad"), [Script::Fail(ErrorKind::Refused)]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("bad"), token("good")]);
    let mut seen = Vec::new();
    for _ in 0..20 {
        seen.extend(rig.all_within(Duration::from_secs(15)).await);
        rig.refresh(&token("good"));
    }
    let (mut early, mut announced) = (0, 0);
    for event in &seen {
        match event {
            Observed::Started(request, at) if *request == token("bad") => early += usize::from(*at < announced),
            Observed::Failed(request, Some(next_try)) if *request == token("bad") => announced = *next_try,
            _ => {}
        }
    }
    assert_eq!(early, 1, "{seen:?}");
}

#[tokio::test(start_paused = true)]
async fn failure_is_remembered_while_out_of_demand() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Fail(ErrorKind::NotFound { message: None })]);
    let mut rig = Rig::new(&fake);
    for _ in 0..20 {
        rig.demand(&[token("a")]);
        rig.settle().await;
        rig.demand(&[]);
        rig.settle().await;
    }
    assert_eq!(fake.requests().len(), 1, "a key held down between two screens causes no further requests");
}

#[tokio::test(start_paused = true)]
async fn permanent_failure_retries_after_five_minutes_or_on_refresh() {
    let fake = Fake::default();
    let table = [ErrorKind::NotFound { message: None }, ErrorKind::TooLarge(5), ErrorKind::TooDeep(64)];
    for (place, kind) in table.into_iter().enumerate() {
        let request = posts(&format!("P{place}"));
        fake.script(&request, [Script::Fail(kind), PLAIN]);
        let mut rig = Rig::new(&fake);
        rig.demand(std::slice::from_ref(&request));
        rig.next().await;
        let five_minutes = 300_000;
        assert_eq!(rig.next().await, Observed::Failed(request.clone(), Some(rig.last() + five_minutes)));
        if place == 0 {
            assert!(matches!(rig.next().await, Observed::Started(_, at) if at >= five_minutes));
        } else {
            tokio::time::sleep(Duration::from_secs(2)).await;
            rig.refresh(&request);
            assert!(matches!(rig.next().await, Observed::Started(..)));
        }
        assert_eq!(rig.next().await, Observed::Arrived(request));
    }
}

#[tokio::test(start_paused = true)]
async fn request_that_no_provider_serves_waits_for_other_sources() {
    let fake = Fake::default();
    let kind = ErrorKind::Explained {
        status: 501,
        message: String::from("Enable UniSat"),
        retry_after: None,
        must_wait: false,
    };
    for request in [token("shown"), token("hidden")] {
        fake.script(&request, [Script::Fail(kind.clone()), PLAIN]);
    }
    let mut rig = Rig::new(&fake);
    for request in [token("hidden"), token("shown")] {
        rig.demand(std::slice::from_ref(&request));
        rig.next().await;
        assert_eq!(rig.next().await, Observed::Failed(request, None));
    }
    assert_eq!(rig.within(Duration::from_hours(24)).await, None);
    rig.handle.reload(vec![token("shown")]);
    rig.next().await;
    assert_eq!(rig.next().await, Observed::Arrived(token("shown")));
    rig.demand(&[token("hidden")]);
    rig.next().await;
    assert_eq!(rig.next().await, Observed::Arrived(token("hidden")));
}

#[tokio::test(start_paused = true)]
async fn permanent_failure_retries_within_freshness() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Fail(ErrorKind::NotFound { message: None })]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    rig.next().await;
    assert_eq!(rig.next().await, Observed::Failed(token("a"), Some(rig.last() + 60_000)));
}

#[tokio::test(start_paused = true)]
async fn invalid_request_has_no_retry() {
    for kind in [ErrorKind::BadUrl, ErrorKind::BadHeader, ErrorKind::InvalidRequest] {
        let fake = Fake::default();
        fake.script(&token("a"), [Script::Fail(kind(String::from("invalid"))), PLAIN]);
        let mut rig = Rig::new(&fake);
        rig.demand(&[token("a")]);
        rig.next().await;
        assert_eq!(rig.next().await, Observed::Failed(token("a"), None));
        assert_eq!(rig.within(Duration::from_secs(10 * 86_400)).await, None);
        rig.refresh(&token("a"));
        assert!(matches!(rig.next().await, Observed::Started(..)));
    }
}

#[tokio::test(start_paused = true)]
async fn panic_in_client_fails_that_request() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Panic]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a"), token("b")]);
    let seen = rig.settle().await;
    assert!(seen.contains(&Observed::Failed(token("a"), Some(60_100))), "{seen:?}");
    assert!(seen.contains(&Observed::Arrived(token("b"))));
    assert!(matches!(rig.errors[0].kind, ErrorKind::Internal(_)));
}
