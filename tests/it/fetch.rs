//! The fetch task's rules, with a scripted source and the runtime's paused clock: what is asked when, and what is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use satscope::client::{Answer, ErrorKind, Group, Request};
use satscope::clock::Clock;
use satscope::fetch::{self, Demand, Event, Freshness, Handle, Settings};
use satscope::model::UtcTime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::fake::{Fake, LATENCY, PLAIN, Script};
use crate::support::{posts, token};

const BASE: UtcTime = UtcTime::from_secs(1_795_075_200);

/// A running task, and an app that keeps every answer that it is given.
struct Rig {
    handle: Handle,
    events: mpsc::Receiver<Event>,
    task: JoinHandle<()>,
    kept: Vec<Arc<Answer>>,
    errors: Vec<Arc<satscope::client::Error>>,
    last: UtcTime,
}

/// An event in short: what, which, and when in milliseconds since the start, where it says so.
#[derive(Clone, Debug, PartialEq)]
enum Told {
    Started(Request, u64),
    Arrived(Request),
    Confirmed(Request),
    Failed(Request, Option<u64>),
    Cancelled(Request),
}

fn since_start(at: UtcTime) -> u64 {
    u64::try_from(at.millis() - BASE.millis()).unwrap_or_default()
}

impl Rig {
    fn new(fake: &Fake) -> Rig {
        Rig::with(fake, Clock::runtime(BASE), 64)
    }

    fn with(fake: &Fake, clock: Clock, room: usize) -> Rig {
        let (sender, events) = mpsc::channel(room);
        let settings = Settings { freshness: Freshness::default(), seed: Some(1), ..Settings::default() };
        let (handle, task) = fetch::spawn_with(fake.clone(), clock, settings, sender);
        Rig { handle, events, task, kept: Vec::new(), errors: Vec::new(), last: BASE }
    }

    fn want(&self, requests: &[Request]) {
        self.handle.demand.send_replace(Demand { requests: requests.to_vec() });
    }

    async fn refresh(&self, request: &Request) {
        self.handle.refresh.send(vec![request.clone()]).await.unwrap();
    }

    /// When the last start or failure was, in milliseconds since the start.
    fn last(&self) -> u64 {
        since_start(self.last)
    }

    /// The next event, whenever it comes (within two days).
    async fn next(&mut self) -> Told {
        self.within(Duration::from_secs(2 * 86_400)).await.expect("an event")
    }

    /// The next event if it comes within this time.
    async fn within(&mut self, span: Duration) -> Option<Told> {
        let event = timeout(span, self.events.recv()).await.ok()?.expect("the task lives");
        if let Event::Started { at, .. } | Event::Failed { at, .. } = &event {
            self.last = *at;
        }
        Some(match event {
            Event::Started { request, at, .. } => Told::Started(request, since_start(at)),
            Event::Arrived { request, answer: Some(answer), .. } => {
                self.kept.push(answer);
                Told::Arrived(request)
            }
            Event::Arrived { request, answer: None, .. } => Told::Confirmed(request),
            Event::Failed { request, error, next_try, .. } => {
                self.errors.push(error);
                Told::Failed(request, next_try.map(since_start))
            }
            Event::Cancelled { request, .. } => Told::Cancelled(request),
        })
    }

    /// Passes over events until all requests are done for now; returns them.
    async fn settle(&mut self) -> Vec<Told> {
        let mut told = Vec::new();
        while let Some(next) = self.within(2 * LATENCY).await {
            told.push(next);
        }
        told
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_wanted_is_asked_in_order_and_once() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.want(&[token("b"), token("a"), token("b"), posts("C")]);
    assert_eq!(rig.next().await, Told::Started(token("b"), 0));
    assert_eq!(rig.next().await, Told::Started(token("a"), 0));
    assert_eq!(rig.next().await, Told::Started(posts("C"), 0));
    assert_eq!(rig.settle().await.len(), 3);
    assert_eq!(fake.asked(), [token("b"), token("a"), posts("C")]);
}

#[tokio::test(start_paused = true)]
async fn six_at_a_time_and_the_most_urgent_first() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let (tokens, news): (Vec<Request>, Vec<Request>) =
        (0..10).map(|n| (token(&format!("t{n}")), posts(&format!("P{n}")))).unzip();
    rig.want(&[tokens.clone(), news.clone()].concat());
    rig.settle().await;
    assert_eq!((fake.peak(Group::Indexer), fake.peak(Group::Market)), (6, 6), "each host has room of its own");
    assert_eq!(fake.asked(), [&tokens[..6], &news[..6], &tokens[6..], &news[6..]].concat());

    let shared = Fake::on_one_host();
    let mut rig = Rig::new(&shared);
    rig.want(&[tokens.clone(), news.clone()].concat());
    rig.settle().await;
    assert_eq!((shared.peak(Group::Indexer), shared.asked().len()), (6, 20));
    assert_eq!(shared.asked(), [tokens, news].concat(), "both groups share the room of one host");
}

#[tokio::test(start_paused = true)]
async fn what_becomes_urgent_goes_before_what_waits() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let mut wanted: Vec<Request> = (0..9).map(|n| token(&format!("t{n}"))).collect();
    rig.want(&wanted);
    rig.next().await;
    wanted.insert(0, token("new"));
    rig.want(&wanted);
    rig.settle().await;
    assert_eq!(fake.asked()[6], token("new"));
    assert_eq!(fake.asked().len(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_fresh_answer_is_not_asked_for_again_and_a_stale_one_is() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    assert_eq!(rig.next().await, Told::Started(token("a"), 0));
    assert_eq!(rig.next().await, Told::Arrived(token("a")));
    assert_eq!(rig.next().await, Told::Started(token("a"), 60_100), "a minute after it came");
    assert_eq!(rig.next().await, Told::Arrived(token("a")));
    rig.want(&[]);
    assert_eq!(rig.within(Duration::from_secs(86_400)).await, None, "nobody wants it any more");
}

#[tokio::test(start_paused = true)]
async fn the_servers_max_age_decides_when_it_is_stale() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Answer { max_age: Some(600), etag: None }, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    rig.settle().await;
    assert_eq!(rig.next().await, Told::Started(token("a"), 600_100));
}

#[tokio::test(start_paused = true)]
async fn coming_back_within_freshness_costs_nothing() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Answer { max_age: None, etag: Some("e1") }, Script::Confirm]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    rig.settle().await;
    rig.want(&[token("b")]);
    rig.settle().await;
    rig.want(&[token("a")]);
    assert_eq!(rig.within(Duration::from_secs(30)).await, None);
    assert_eq!(rig.next().await, Told::Started(token("a"), 60_100));
    assert_eq!(rig.next().await, Told::Confirmed(token("a")));
    assert_eq!(rig.next().await, Told::Started(token("a"), 120_200), "a confirmation holds as long as an answer");
    assert_eq!(rig.next().await, Told::Confirmed(token("a")), "and keeps the ETag");
    let kept = Some(String::from("e1"));
    assert_eq!(fake.etags(&token("a")), [None, kept.clone(), kept]);
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_an_etag_ends_conditional_requests() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Answer { max_age: None, etag: Some("e1") }, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    while fake.asked().len() < 3 {
        rig.next().await;
    }
    assert_eq!(fake.etags(&token("a")), [None, Some(String::from("e1")), None]);
}

#[tokio::test(start_paused = true)]
async fn what_the_app_dropped_is_fetched_anew_without_a_condition() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Answer { max_age: None, etag: Some("e1") }]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    rig.settle().await;
    rig.kept.clear();
    rig.want(&[token("a"), token("b")]);
    rig.settle().await;
    assert_eq!(fake.etags(&token("a")).len(), 1, "while it stays in the demand it is not asked whether it is there");
    rig.want(&[]);
    rig.want(&[]);
    tokio::time::sleep(LATENCY).await;
    rig.want(&[token("a")]);
    assert!(matches!(rig.next().await, Told::Started(request, at) if request == token("a") && at < 60_000));
    rig.settle().await;
    assert_eq!(fake.etags(&token("a")), [None, None]);
}

#[tokio::test(start_paused = true)]
async fn a_confirmation_of_what_is_gone_is_no_answer() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Answer { max_age: None, etag: Some("e1") }, Script::Confirm, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    rig.settle().await;
    assert_eq!(rig.next().await, Told::Started(token("a"), 60_100));
    rig.kept.clear();
    assert_eq!(rig.next().await, Told::Cancelled(token("a")));
    assert_eq!(rig.next().await, Told::Started(token("a"), 60_200));
    assert_eq!(rig.next().await, Told::Arrived(token("a")));
    assert_eq!(fake.etags(&token("a")), [None, Some(String::from("e1")), None]);
}

#[tokio::test(start_paused = true)]
async fn a_confirmation_that_nobody_asked_for_is_an_error() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Confirm]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    rig.next().await;
    assert_eq!(rig.next().await, Told::Failed(token("a"), Some(60_100)));
    assert!(matches!(rig.errors[0].kind, ErrorKind::Status { status: 304, .. }));
}

#[tokio::test(start_paused = true)]
async fn what_leaves_the_demand_is_given_up_at_once_and_never_heard_of_again() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Hang]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a"), token("b")]);
    rig.next().await;
    rig.next().await;
    tokio::time::sleep(LATENCY / 2).await;
    assert_eq!(fake.under_way(), 2);
    rig.want(&[token("c")]);
    assert_eq!(rig.next().await, Told::Cancelled(token("a")));
    assert_eq!(rig.next().await, Told::Cancelled(token("b")));
    assert_eq!(rig.next().await, Told::Started(token("c"), 50));
    tokio::task::yield_now().await;
    assert_eq!(fake.under_way(), 1, "their futures are dropped");
    assert_eq!(rig.settle().await, [Told::Arrived(token("c"))]);
    rig.want(&[token("b")]);
    assert!(matches!(rig.next().await, Told::Started(..)), "it was never answered, so it is due");
    assert_eq!(rig.next().await, Told::Arrived(token("b")));
}

#[tokio::test(start_paused = true)]
async fn what_is_given_up_makes_room() {
    let fake = Fake::default();
    let slow: Vec<Request> = (0..6).map(|n| token(&format!("slow{n}"))).collect();
    slow.iter().for_each(|request| fake.script(request, [Script::Hang]));
    let mut rig = Rig::new(&fake);
    rig.want(&slow);
    rig.settle().await;
    rig.want(&[token("quick")]);
    assert_eq!(rig.settle().await.last(), Some(&Told::Arrived(token("quick"))));
}

#[tokio::test(start_paused = true)]
async fn failures_are_tried_again_within_doubling_bounds_and_success_resets_them() {
    let fake = Fake::default();
    let fail = || Script::Fail(ErrorKind::Refused);
    let fails = (0..9).map(|_| fail());
    fake.script(&token("a"), fails.chain([PLAIN, fail()]));
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    let mut due = 0;
    for bound in [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000] {
        assert_eq!(rig.next().await, Told::Started(token("a"), due), "exactly when it was announced");
        let Told::Failed(_, Some(next_try)) = rig.next().await else { panic!("a failure with its next try") };
        let wait = next_try - due - 100;
        assert!((200..=bound).contains(&wait), "{wait} of {bound}");
        due = next_try;
    }
    assert_eq!(rig.next().await, Told::Started(token("a"), due));
    assert_eq!(rig.next().await, Told::Arrived(token("a")));
    let Told::Started(_, at) = rig.next().await else { panic!("stale after a minute") };
    let Told::Failed(_, Some(next_try)) = rig.next().await else { panic!("a failure") };
    assert!(next_try - at - 100 <= 1_000, "the bounds begin anew");
}

#[tokio::test(start_paused = true)]
async fn one_failure_delays_nothing_else() {
    let fake = Fake::default();
    fake.script(&token("bad"), [Script::Fail(ErrorKind::Refused)]);
    fake.script(&token("slow"), [Script::Hang]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("bad"), token("slow"), token("good")]);
    let told = rig.settle().await;
    assert!(told.contains(&Told::Arrived(token("good"))), "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_failure_is_remembered_when_it_leaves_and_comes_back() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Fail(ErrorKind::NotFound { message: None })]);
    let mut rig = Rig::new(&fake);
    for _ in 0..20 {
        rig.want(&[token("a")]);
        rig.settle().await;
        rig.want(&[]);
        rig.settle().await;
    }
    assert_eq!(fake.asked().len(), 1, "a held key between two screens hammers no server");
}

#[tokio::test(start_paused = true)]
async fn what_no_retry_can_mend_waits_for_its_freshness_or_the_user() {
    let fake = Fake::default();
    let table = [ErrorKind::NotFound { message: None }, ErrorKind::TooLarge(5), ErrorKind::TooDeep(64)];
    for (place, kind) in table.into_iter().enumerate() {
        let request = posts(&format!("P{place}"));
        fake.script(&request, [Script::Fail(kind), PLAIN]);
        let mut rig = Rig::new(&fake);
        rig.want(std::slice::from_ref(&request));
        rig.next().await;
        let three_hours = 10_800_000;
        assert_eq!(rig.next().await, Told::Failed(request.clone(), Some(rig.last() + three_hours)));
        if place == 0 {
            assert!(matches!(rig.next().await, Told::Started(_, at) if at >= three_hours));
        } else {
            tokio::time::sleep(Duration::from_secs(2)).await;
            rig.refresh(&request).await;
            assert!(matches!(rig.next().await, Told::Started(..)));
        }
        assert_eq!(rig.next().await, Told::Arrived(request));
    }
}

#[tokio::test(start_paused = true)]
async fn what_only_a_change_can_mend_has_no_next_try() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Fail(ErrorKind::BadUrl(String::from("no host"))), PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    rig.next().await;
    assert_eq!(rig.next().await, Told::Failed(token("a"), None));
    assert_eq!(rig.within(Duration::from_secs(10 * 86_400)).await, None);
    rig.refresh(&token("a")).await;
    assert!(matches!(rig.next().await, Told::Started(..)));
}

#[tokio::test(start_paused = true)]
async fn a_panic_at_the_source_is_a_failure_of_that_request() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Panic]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a"), token("b")]);
    let told = rig.settle().await;
    assert!(told.contains(&Told::Failed(token("a"), Some(60_100))), "{told:?}");
    assert!(told.contains(&Told::Arrived(token("b"))));
    assert!(matches!(rig.errors[0].kind, ErrorKind::Internal(_)));
}

fn limited(secs: Option<u64>) -> Script {
    Script::Fail(ErrorKind::RateLimited { retry_after: secs.map(Duration::from_secs) })
}

#[tokio::test(start_paused = true)]
async fn a_host_that_names_a_time_is_left_alone_until_then() {
    let fake = Fake::default();
    let overloaded =
        |secs| ErrorKind::Status { status: 503, message: None, retry_after: Some(Duration::from_secs(secs)) };
    for (script, held) in [(limited(Some(30)), 30), (Script::Fail(overloaded(7)), 7), (limited(Some(90_000)), 3_600)] {
        fake.script(&token("a"), [script, PLAIN]);
        let mut rig = Rig::new(&fake);
        rig.want(&[token("a")]);
        rig.next().await;
        let until = 100 + held * 1_000;
        assert_eq!(rig.next().await, Told::Failed(token("a"), Some(until)));
        rig.want(&[token("a"), token("b"), posts("C")]);
        assert_eq!(rig.next().await, Told::Started(token("b"), 100), "it is told why it must wait");
        assert_eq!(rig.next().await, Told::Failed(token("b"), Some(until)));
        assert_eq!(rig.next().await, Told::Started(posts("C"), 100), "the other host is asked");
        assert_eq!(rig.next().await, Told::Arrived(posts("C")));
        rig.refresh(&token("b")).await;
        rig.refresh(&posts("C")).await;
        let spaced = 100 + 1_000;
        assert_eq!(rig.next().await, Told::Started(posts("C"), spaced), "a refresh does not break the limit");
        assert_eq!(rig.next().await, Told::Arrived(posts("C")));
        rig.want(&[token("a"), token("b")]);
        assert_eq!(rig.next().await, Told::Started(token("a"), until));
        assert_eq!(rig.next().await, Told::Started(token("b"), until));
    }
}

#[tokio::test(start_paused = true)]
async fn a_limit_without_a_time_holds_the_host_longer_every_time() {
    let fake = Fake::default();
    let wanted: Vec<Request> = (0..5).map(|n| token(&format!("t{n}"))).collect();
    for request in &wanted {
        fake.script(request, (0..6).map(|_| limited(None)).chain([PLAIN]));
    }
    let mut rig = Rig::new(&fake);
    rig.want(&wanted);
    let mut due = 0;
    for bound in [10_000, 20_000, 40_000, 80_000, 120_000, 120_000] {
        let mut tries = Vec::new();
        for _ in 0..10 {
            match rig.next().await {
                Told::Started(_, at) => assert_eq!(at, due),
                Told::Failed(_, next_try) => tries.push(next_try.unwrap()),
                other => panic!("{other:?}"),
            }
        }
        tries.dedup();
        let [next_try] = tries[..] else { panic!("five refusals at once are one: {tries:?}") };
        let wait = next_try - due - 100;
        assert!((bound / 2..=bound).contains(&wait), "{wait} of {bound}");
        due = next_try;
    }
    assert_eq!(rig.next().await, Told::Started(wanted[0].clone(), due));
}

#[tokio::test(start_paused = true)]
async fn an_answer_forgets_earlier_limits() {
    let fake = Fake::default();
    let limits = [limited(None), limited(None), PLAIN, limited(None)];
    fake.script(&token("a"), limits);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    let mut last = None;
    while fake.asked().len() < 4 || last.is_none() {
        if let Told::Failed(_, Some(next_try)) = rig.next().await {
            last = (fake.asked().len() == 4).then_some(next_try - rig.last());
        }
    }
    assert!(last.is_some_and(|wait| wait <= 10_000), "{last:?}");
}

#[tokio::test(start_paused = true)]
async fn the_user_gets_newer_answers_but_hammers_nobody() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Answer { max_age: None, etag: Some("e1") }, Script::Confirm]);
    let mut rig = Rig::new(&fake);
    rig.want(&[token("a")]);
    assert_eq!(rig.next().await, Told::Started(token("a"), 0));
    rig.refresh(&token("a")).await; // it is under way: not doubled
    assert_eq!(rig.next().await, Told::Arrived(token("a")));
    for _ in 0..30 {
        rig.refresh(&token("a")).await; // a held key
    }
    rig.refresh(&token("nobody wants this")).await;
    assert_eq!(rig.next().await, Told::Started(token("a"), 1_000), "a second after the one before");
    assert_eq!(rig.next().await, Told::Confirmed(token("a")), "conditionally");
    assert_eq!(rig.within(Duration::from_secs(50)).await, None, "thirty presses are one wish");
    assert_eq!(fake.asked().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_slow_reader_loses_nothing_and_blocks_nothing() {
    let fake = Fake::default();
    let mut rig = Rig::with(&fake, Clock::runtime(BASE), 1);
    let wanted: Vec<Request> = (0..40).map(|n| token(&format!("t{n}"))).collect();
    rig.want(&wanted);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(fake.asked().len() < 10, "nothing more is sent while the reader is behind");
    rig.want(&wanted[..39]);
    let told = rig.settle().await;
    let count = |wanted: fn(&Told) -> bool| told.iter().filter(|told| wanted(told)).count();
    assert_eq!(count(|told| matches!(told, Told::Started(..))), 39);
    assert_eq!(count(|told| matches!(told, Told::Arrived(..))), 39);
}

#[tokio::test(start_paused = true)]
async fn the_task_ends_with_its_handle_even_when_nobody_reads() {
    let fake = Fake::default();
    let rig = Rig::with(&fake, Clock::runtime(BASE), 1);
    rig.want(&(0..12).map(|n| token(&format!("t{n}"))).collect::<Vec<_>>());
    tokio::time::sleep(LATENCY / 2).await;
    drop(rig.handle);
    timeout(Duration::from_secs(1), rig.task).await.expect("it ends").unwrap();
    tokio::task::yield_now().await;
    assert_eq!(fake.under_way(), 0);
}

#[tokio::test(start_paused = true)]
async fn the_task_ends_with_its_reader() {
    let rig = Rig::new(&Fake::default());
    drop(rig.events);
    timeout(Duration::from_secs(1), rig.task).await.expect("it ends").unwrap();
}

/// A clock that a test sets.
fn manual() -> (&'static AtomicI64, Clock) {
    let millis: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(BASE.millis())));
    (millis, Clock::Manual(millis))
}

#[tokio::test(start_paused = true)]
async fn after_a_machines_sleep_the_same_demand_brings_fresh_answers() {
    let (millis, clock) = manual();
    let fake = Fake::default();
    let mut rig = Rig::with(&fake, clock, 64);
    rig.want(&[token("a")]);
    rig.settle().await;
    millis.fetch_add(3_600_000, Ordering::Relaxed); // asleep: the runtime's clock stood still
    rig.want(&[token("a")]);
    assert_eq!(rig.within(Duration::from_millis(1)).await, Some(Told::Started(token("a"), 3_600_000)));
}

#[tokio::test(start_paused = true)]
async fn a_clock_set_back_does_not_stop_the_refreshes() {
    let (millis, clock) = manual();
    let fake = Fake::default();
    let mut rig = Rig::with(&fake, clock, 64);
    rig.want(&[token("a")]);
    rig.settle().await;
    millis.fetch_sub(1_000, Ordering::Relaxed);
    rig.want(&[token("a")]);
    assert_eq!(rig.within(Duration::from_secs(1)).await, None, "a correction changes nothing");
    millis.fetch_sub(86_400_000, Ordering::Relaxed);
    rig.want(&[token("a")]);
    assert!(matches!(rig.within(Duration::from_secs(1)).await, Some(Told::Started(..))));
}

#[tokio::test(start_paused = true)]
async fn only_the_last_requests_are_remembered() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let all: Vec<Request> = (0..=fetch::REMEMBERED).map(|n| token(&format!("{n:04}"))).collect();
    for request in &all {
        fake.script(request, [Script::Answer { max_age: Some(86_400), etag: None }]);
    }
    for request in &all {
        rig.want(std::slice::from_ref(request));
        assert!(matches!(rig.next().await, Told::Started(..)));
        assert!(matches!(rig.next().await, Told::Arrived(..)));
    }
    rig.want(&all[1..2]);
    assert_eq!(rig.within(Duration::from_secs(1)).await, None, "among the last");
    rig.want(&all[..1]);
    assert!(matches!(rig.within(Duration::from_secs(1)).await, Some(Told::Started(..))), "forgotten");
}

#[tokio::test(start_paused = true)]
async fn a_large_demand_is_kept_fresh_as_a_whole() {
    let fake = Fake::default();
    let mut rig = Rig::new(&fake);
    let wanted: Vec<Request> = (0..2 * fetch::REMEMBERED).map(|n| posts(&format!("{n:04}"))).collect();
    rig.want(&wanted);
    rig.settle().await;
    rig.want(&wanted);
    rig.settle().await;
    assert_eq!(fake.asked().len(), wanted.len());
}
