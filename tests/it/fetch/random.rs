//! Properties of the fetch task with random demands and server behaviour.

use std::collections::HashMap;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use satscope::client::{ErrorKind, Group, Request};
use satscope::fetch::{Event, FetchId, MAX_PER_HOST};
use tokio::runtime::Builder;
use tokio::time::timeout;

use super::Rig;
use crate::support::fake::{Fake, PLAIN, Script};
use crate::support::{posts, token};

/// Interval of background requests.
const EVERY: Duration = Duration::from_secs(90);

/// An input of the task.
#[derive(Clone, Debug)]
enum Step {
    /// Visible requests, and background ones.
    Want(Vec<u8>, Vec<u8>),
    Refresh(u8),
    Wait(u64),
    /// The app evicts its values.
    Forget,
}

fn request(number: u8) -> Request {
    if number.is_multiple_of(2) { token(&format!("t{number}")) } else { posts(&format!("P{number}")) }
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (vec(0..20u8, 0..20), vec(0..20u8, 0..8)).prop_map(|(visible, background)| Step::Want(visible, background)),
        2 => (0..20u8).prop_map(Step::Refresh),
        3 => (0..200u64).prop_map(Step::Wait),
        2 => (0..400_000u64).prop_map(Step::Wait),
        1 => Just(Step::Forget),
    ]
}

fn script() -> impl Strategy<Value = Script> {
    let wait = || prop::option::of((0..100u64).prop_map(Duration::from_secs));
    prop_oneof![
        3 => prop::option::of(0..4_000u64).prop_map(|max_age| Script::Respond { max_age, etag: None }),
        3 => prop::option::of(0..4_000u64).prop_map(|max_age| Script::Respond { max_age, etag: Some("e") }),
        2 => Just(Script::Empty),
        2 => Just(Script::Confirm),
        1 => Just(Script::Fail(ErrorKind::Refused)),
        1 => Just(Script::Fail(ErrorKind::NotFound { message: None })),
        1 => wait().prop_map(|retry_after| Script::Fail(ErrorKind::RateLimited { message: None, retry_after })),
        1 => Just(Script::Hang),
    ]
}

/// The app's view of the events; asserts that they follow the protocol.
#[derive(Default)]
struct Watcher {
    open: HashMap<Request, FetchId>,
    last: Option<FetchId>,
    arrived: HashMap<Request, usize>,
}

impl Watcher {
    fn take(&mut self, event: &Event) {
        match event {
            Event::Started { request, fetch_id, .. } => {
                assert!(self.last < Some(*fetch_id), "ids grow");
                self.last = Some(*fetch_id);
                assert_eq!(self.open.insert(request.clone(), *fetch_id), None, "one fetch of a request at a time");
            }
            Event::Arrived { request, fetch_id, receipt, .. } => {
                assert_eq!(self.open.remove(request), Some(*fetch_id));
                assert!(receipt.fresh_until > receipt.fetched_at);
                *self.arrived.entry(request.clone()).or_default() += 1;
            }
            Event::Failed { request, fetch_id, at, next_try, .. } => {
                assert_eq!(self.open.remove(request), Some(*fetch_id));
                assert!(next_try.is_none_or(|next| next > *at), "never again at once");
            }
            Event::RefreshSkipped { skipped, .. } => assert!(*skipped > 0),
            Event::Background { waiting, until } => assert!(*waiting > 0 || until.is_none()),
            Event::Cancelled { request, fetch_id } => assert_eq!(self.open.remove(request), Some(*fetch_id)),
            Event::Prices { .. } | Event::PriceState(_) => panic!("no live prices in these tests"),
        }
    }

    /// Takes all events that come within a span.
    async fn watch(&mut self, rig: &mut Rig, span: Duration) {
        let all = async {
            while let Some(event) = rig.events.recv().await {
                self.take(&event);
                if let Event::Arrived { response: Some(response), .. } = event {
                    rig.kept.push(response);
                }
            }
        };
        assert!(timeout(span, all).await.is_err(), "the task is running");
    }
}

async fn run(steps: Vec<Step>, scripts: Vec<Vec<Script>>) {
    let fake = Fake::default();
    for (number, scripts) in scripts.into_iter().enumerate() {
        fake.script(&request(number as u8), scripts);
    }
    let (mut rig, mut watcher) = (Rig::new(&fake), Watcher::default());
    for step in steps {
        match step {
            Step::Want(visible, background) => {
                let requests = |numbers: Vec<u8>| numbers.into_iter().map(request).collect::<Vec<_>>();
                rig.want_both(&requests(visible), &requests(background), EVERY);
            }
            Step::Refresh(number) => rig.refresh(&request(number)),
            Step::Wait(millis) => watcher.watch(&mut rig, Duration::from_millis(millis)).await,
            Step::Forget => rig.kept.clear(),
        }
    }
    watcher.watch(&mut rig, Duration::from_millis(1)).await;
    assert_eq!(fake.in_flight(), watcher.open.len(), "what was given up is dropped");
    assert!(fake.peak(Group::Market) <= MAX_PER_HOST + 1 && fake.peak(Group::Indexer) <= MAX_PER_HOST + 1);

    // Once the servers work again, all demanded data arrives.
    rig.demand(&[]);
    watcher.watch(&mut rig, Duration::from_millis(1)).await;
    assert_eq!((fake.in_flight(), watcher.open.len()), (0, 0));
    (0..20).for_each(|number| fake.script(&request(number), [PLAIN]));
    rig.demand(&(0..20).map(request).collect::<Vec<_>>());
    watcher.arrived.clear();
    // A 404 is retried after five minutes.
    for _ in 0..8 * 60 {
        if watcher.arrived.len() < 20 {
            watcher.watch(&mut rig, Duration::from_secs(30)).await;
        }
    }
    assert_eq!(watcher.arrived.len(), 20, "{:?}", watcher.arrived);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_started_request_ends_once_and_recovers(
        steps in vec(step(), 0..40),
        scripts in vec(vec(script(), 1..6), 20),
    ) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(run(steps, scripts));
    }
}
