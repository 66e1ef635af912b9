//! Background requests: after the visible ones, within their budget, at their own intervals.

use std::time::Duration;

use satscope::client::{ErrorKind, Group, Request};
use satscope::clock::Clock;
use satscope::fetch::{BackgroundNeed, Demand, MAX_PER_HOST, Settings};
use satscope::model::UtcTime;

use super::{BASE, Observed, Rig};
use crate::support::fake::{Fake, LATENCY, PLAIN, Script};
use crate::support::{posts, token};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

fn tokens(count: usize) -> Vec<Request> {
    (0..count).map(|n| token(&format!("t{n}"))).collect()
}

fn rig(fake: &Fake, per_minute: u32) -> Rig {
    let settings = Settings { background_per_minute: per_minute, ..Rig::settings() };
    Rig::with(fake, Clock::runtime(BASE), 64, settings)
}

impl Rig {
    pub(super) fn want_both(&self, visible: &[Request], background: &[Request], every: Duration) {
        let background = background.iter().map(|request| BackgroundNeed::new(request.clone(), every)).collect();
        self.handle.demand.send_replace(Demand { visible: visible.to_vec(), background, ..Demand::default() });
    }

    /// Requests sent within a span, with their time in seconds since the start.
    async fn sent_within(&mut self, span: Duration) -> Vec<(Request, u64)> {
        let mut sent = Vec::new();
        for event in self.all_within(span).await {
            if let Observed::Started(request, at) = event {
                sent.push((request, at / 1_000));
            }
        }
        sent
    }
}

#[tokio::test(start_paused = true)]
async fn background_requests_are_sent_after_the_visible_ones() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 600);
    let (visible, background) = (tokens(20), [token("later"), posts("LATER"), token("last")]);
    rig.want_both(&visible, &background, HOUR);
    rig.settle().await;
    let sent = fake.requests();
    let place = |request: &Request| sent.iter().position(|other| other == request).unwrap();
    for (n, request) in visible.iter().enumerate() {
        let expected = n + usize::from(n >= MAX_PER_HOST);
        assert_eq!(place(request), expected, "the other host is idle, so its background request is sent at once");
    }
    assert_eq!(place(&posts("LATER")), MAX_PER_HOST);
    assert!(place(&token("later")) > place(&visible[19]) && place(&token("last")) > place(&token("later")));
    assert_eq!(sent.len(), 23);
}

#[tokio::test(start_paused = true)]
async fn background_refresh_is_sent_although_its_response_is_fresh() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 600);
    let request = token("ordi");
    let every = 10 * SECOND;
    let send = |rig: &Rig, is_refresh| {
        let need = BackgroundNeed { is_refresh, ..BackgroundNeed::new(request.clone(), every) };
        rig.handle.demand.send_replace(Demand { background: vec![need], ..Demand::default() });
    };
    send(&rig, false);
    // The response is fresh for a minute.
    assert_eq!(rig.sent_within(30 * SECOND).await.len(), 1);
    send(&rig, true);
    assert_eq!(rig.sent_within(5 * SECOND).await.len(), 1);
    assert_eq!(rig.sent_within(8 * SECOND).await.len(), 1, "not before its interval has passed");
    assert_eq!(fake.requests().len(), 3);
}

#[tokio::test(start_paused = true)]
async fn background_requests_do_not_delay_visible_ones() {
    let fake = Fake::default();
    let background = tokens(10);
    background.iter().for_each(|request| fake.script(request, [Script::Hang]));
    let mut rig = rig(&fake, 600);
    rig.want_both(&[], &background, HOUR);
    rig.settle().await;
    assert_eq!(fake.in_flight(), 1, "one at a time for a host");
    let visible: Vec<Request> = (0..MAX_PER_HOST).map(|n| token(&format!("visible{n}"))).collect();
    visible.iter().for_each(|request| fake.script(request, [Script::Hang]));
    rig.want_both(&visible, &background, HOUR);
    rig.settle().await;
    assert_eq!(fake.peak(Group::Indexer), MAX_PER_HOST + 1);
    assert_eq!(fake.requests().split_off(1), visible);
}

#[tokio::test(start_paused = true)]
async fn requests_that_leave_the_screen_give_way_to_visible_ones() {
    let fake = Fake::default();
    let earlier = tokens(MAX_PER_HOST);
    let visible: Vec<Request> = (0..MAX_PER_HOST).map(|n| token(&format!("visible{n}"))).collect();
    earlier.iter().chain(&visible).for_each(|request| fake.script(request, [Script::Hang]));
    let mut rig = rig(&fake, 600);
    rig.want_both(&earlier, &[], HOUR);
    rig.settle().await;
    rig.want_both(&visible, &earlier, HOUR);
    let seen = rig.all_within(SECOND).await;
    assert_eq!(fake.requests(), [&earlier[..], &visible[..]].concat(), "visible requests don't wait");
    assert_eq!((fake.in_flight(), fake.peak(Group::Indexer)), (MAX_PER_HOST + 1, MAX_PER_HOST + 1));
    let cancelled: Vec<Observed> = earlier[1..].iter().rev().cloned().map(Observed::Cancelled).collect();
    assert_eq!(seen.into_iter().filter(|event| matches!(event, Observed::Cancelled(_))).collect::<Vec<_>>(), cancelled);
    // They are sent again once there is room.
    rig.want_both(&[], &earlier[1..], HOUR);
    earlier.iter().for_each(|request| fake.script(request, [PLAIN]));
    rig.settle().await;
    assert_eq!(fake.requests()[2 * MAX_PER_HOST..], earlier[1..]);
}

#[tokio::test(start_paused = true)]
async fn budget_limits_background_requests_and_reports_waiting_ones() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 3);
    let background = tokens(8);
    rig.want_both(&[], &background, 10 * MINUTE);
    let seen = rig.all_within(SECOND).await;
    assert_eq!(fake.requests(), background[..3]);
    assert_eq!(rig.background(&seen), (5, Some(60_000)), "{seen:?}");
    let sent = rig.sent_within(MINUTE * 9).await;
    let expected = [(3, 60), (4, 60), (5, 60), (6, 120), (7, 120)];
    assert_eq!(sent, expected.map(|(n, at)| (background[n].clone(), at)), "then all are fresh");
    // Visible requests are not charged.
    rig.want_both(&tokens(20)[8..], &background, 10 * MINUTE);
    rig.settle().await;
    assert_eq!(fake.requests().len(), 20);
    let sent = rig.sent_within(MINUTE).await;
    assert_eq!(sent.iter().filter(|(request, _)| background.contains(request)).count(), 3);
}

#[tokio::test(start_paused = true)]
async fn background_request_that_waited_longest_is_next() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 1);
    let background = tokens(3);
    rig.want_both(&[], &background, 2 * SECOND);
    let sent = rig.sent_within(9 * MINUTE + SECOND).await;
    let expected: Vec<_> = (0..10).map(|n| (background[n % 3].clone(), n as u64 * 60)).collect();
    assert_eq!(sent, expected, "none is starved by the first");
}

#[tokio::test(start_paused = true)]
async fn low_priority_requests_take_half_of_the_budget_after_all_others() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 5);
    let requests = tokens(10);
    let low = |n: usize| BackgroundNeed { is_low_priority: true, ..BackgroundNeed::new(requests[n].clone(), HOUR) };
    let mut background: Vec<BackgroundNeed> = (0..8).map(low).collect();
    background.extend(requests[8..].iter().map(|request| BackgroundNeed::new(request.clone(), 119 * SECOND)));
    rig.handle.demand.send_replace(Demand { background, ..Demand::default() });
    let sent = rig.sent_within(2 * MINUTE + SECOND).await;
    let expected = [
        (8, 0),
        (9, 0),
        (0, 0), // three in a minute are more than half
        (1, 60),
        (2, 60),
        (3, 60),
        (8, 119),
        (9, 119),
        (4, 120),
    ];
    assert_eq!(sent, expected.map(|(n, at)| (requests[n].clone(), at)));
}

#[tokio::test(start_paused = true)]
async fn zero_budget_sends_no_background_requests() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 0);
    rig.want_both(&[token("a")], &[token("a"), token("b")], MINUTE);
    let seen = rig.all_within(48 * HOUR).await;
    assert!(fake.requests().iter().all(|request| *request == token("a")));
    assert_eq!(rig.background(&seen), (1, None));
}

#[tokio::test(start_paused = true)]
async fn visible_background_request_is_not_charged_and_counts_for_both() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 1);
    let (a, b) = (token("a"), token("b"));
    rig.want_both(std::slice::from_ref(&a), &[a.clone(), b.clone()], HOUR);
    let sent = rig.sent_within(SECOND).await;
    assert_eq!(sent, [(a.clone(), 0), (b.clone(), 0)], "the budget of one is left for b");
    // While visible, it is refreshed when no longer fresh; in the background only an hour after that.
    assert_eq!(rig.sent_within(MINUTE).await, [(a.clone(), 60)]);
    rig.want_both(&[], &[a.clone(), b.clone()], HOUR);
    let sent = rig.sent_within(HOUR + 2 * MINUTE).await;
    assert_eq!(sent, [(b, 3_600), (a, 3_660)]);
}

#[tokio::test(start_paused = true)]
async fn request_in_flight_in_the_background_is_not_sent_again_when_it_becomes_visible() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 10);
    let (a, b) = (token("a"), token("b"));
    rig.want_both(&[], std::slice::from_ref(&a), HOUR);
    assert!(matches!(rig.next().await, Observed::Started(..)));
    rig.want_both(std::slice::from_ref(&a), &[], HOUR);
    assert_eq!(rig.settle().await, [Observed::Arrived(a.clone())]);
    // And vice versa.
    rig.want_both(std::slice::from_ref(&b), &[], HOUR);
    assert!(matches!(rig.next().await, Observed::Started(..)));
    rig.want_both(&[], std::slice::from_ref(&b), HOUR);
    assert_eq!(rig.settle().await, [Observed::Arrived(b.clone())]);
    assert_eq!(fake.requests(), [a, b]);
}

#[tokio::test(start_paused = true)]
async fn background_request_that_is_no_longer_needed_is_cancelled() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Hang]);
    let mut rig = rig(&fake, 10);
    rig.want_both(&[], &[token("a")], HOUR);
    rig.next().await;
    rig.want_both(&[], &[], HOUR);
    assert_eq!(rig.next().await, Observed::Cancelled(token("a")));
    assert_eq!(rig.all_within(48 * HOUR).await, [], "nothing wakes the task");
    assert_eq!(fake.in_flight(), 0);
}

#[tokio::test(start_paused = true)]
async fn failed_background_request_is_retried_slowly_but_at_once_when_it_becomes_visible() {
    let fake = Fake::default();
    fake.script(&token("a"), [Script::Fail(ErrorKind::Refused)]);
    let mut rig = rig(&fake, 10);
    rig.want_both(&[], &[token("a")], HOUR);
    let sent: Vec<u64> = rig.sent_within(2 * HOUR).await.into_iter().map(|(_, at)| at / 60).collect();
    assert_eq!(sent, [0, 1, 3, 7, 15, 31, 63], "minutes apart, doubling up to the interval");

    let fake = Fake::default();
    let failures = std::iter::repeat_n(Script::Fail(ErrorKind::Refused), 3);
    fake.script(&token("a"), failures.chain([PLAIN]));
    let mut rig = self::rig(&fake, 10);
    let need = BackgroundNeed { retries_soon: true, ..BackgroundNeed::new(token("a"), HOUR) };
    rig.handle.demand.send_replace(Demand { background: vec![need], ..Demand::default() });
    assert_eq!(rig.sent_within(MINUTE / 2).await.len(), 4, "one that retries soon waits seconds");

    let fake = Fake::default();
    let (message, retry_after) = (String::from("Server error (502)"), Some(4 * SECOND));
    let error = ErrorKind::Explained { status: 502, message, retry_after, must_wait: false };
    fake.script(&token("a"), [Script::Fail(error), PLAIN]);
    let mut rig = self::rig(&fake, 10);
    let need = BackgroundNeed { retries_soon: true, ..BackgroundNeed::new(token("a"), MINUTE) };
    rig.handle.demand.send_replace(Demand { background: vec![need], ..Demand::default() });
    assert_eq!(rig.sent_within(10 * SECOND).await, [(token("a"), 0), (token("a"), 4)], "when the service asks for it");

    let fake = Fake::default();
    fake.script(&token("a"), [Script::Fail(ErrorKind::Refused), PLAIN]);
    let mut rig = self::rig(&fake, 10);
    rig.want_both(&[], &[token("a")], HOUR);
    assert!(matches!(rig.next().await, Observed::Started(..)));
    assert_eq!(rig.next().await, Observed::Failed(token("a"), Some(60_100)));
    rig.want_both(&[token("a")], &[], HOUR);
    let sent = rig.sent_within(2 * SECOND).await;
    assert_eq!(sent.len(), 1, "a visible one is retried within a second");
}

#[tokio::test(start_paused = true)]
async fn background_requests_wait_during_rate_limit() {
    let fake = Fake::default();
    let limit = ErrorKind::RateLimited { message: None, retry_after: Some(MINUTE) };
    fake.script(&token("visible"), [Script::Fail(limit), PLAIN]);
    let mut rig = rig(&fake, 10);
    rig.want_both(&[token("visible")], &[], HOUR);
    rig.settle().await;
    rig.want_both(&[token("visible")], &[token("a"), posts("B")], HOUR);
    assert_eq!(rig.sent_within(MINUTE / 2).await, [(posts("B"), 0)], "the other host is not limited");
    let sent = rig.sent_within(MINUTE).await;
    assert_eq!(sent, [(token("visible"), 60), (token("a"), 60)], "the visible one is first");
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_is_for_visible_requests_only() {
    let fake = Fake::default();
    let mut rig = rig(&fake, 10);
    rig.want_both(&[token("a")], &[token("a"), token("b")], HOUR);
    rig.settle().await;
    rig.handle.refresh(vec![token("a"), token("b")]);
    assert_eq!(rig.sent_within(SECOND).await, [(token("a"), 0)]);
    // A refresh that becomes a background request before it is sent is dropped.
    let busy: Vec<Request> = (0..MAX_PER_HOST).map(|n| token(&format!("busy{n}"))).collect();
    busy.iter().for_each(|request| fake.script(request, [Script::Hang]));
    let visible = [busy, vec![token("b")]].concat();
    rig.want_both(&visible, &[token("b")], HOUR);
    rig.settle().await;
    rig.refresh(&token("b"));
    rig.all_within(LATENCY / 4).await;
    rig.want_both(&[], &[token("b")], HOUR);
    rig.all_within(LATENCY / 4).await;
    rig.want_both(&[token("b")], &[token("b")], HOUR);
    rig.settle().await;
    assert_eq!(fake.requests().iter().filter(|request| **request == token("b")).count(), 1);
}

#[tokio::test(start_paused = true)]
async fn clock_set_back_does_not_stop_background_requests() {
    let millis: &'static std::sync::atomic::AtomicI64 = Box::leak(Box::default());
    let set = |at: UtcTime| millis.store(at.millis(), std::sync::atomic::Ordering::SeqCst);
    set(BASE);
    let fake = Fake::default();
    let settings = Settings { background_per_minute: 1, ..Rig::settings() };
    let mut rig = Rig::with(&fake, Clock::Manual(millis), 64, settings);
    rig.want_both(&[], &tokens(2), MINUTE);
    rig.settle().await;
    assert_eq!(fake.requests().len(), 1);
    set(BASE.minus(HOUR));
    rig.want_both(&[], &tokens(2), MINUTE);
    rig.settle().await;
    assert_eq!(fake.requests().len(), 2);
}
