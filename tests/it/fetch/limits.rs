//! Servers that limit the rate of requests.

use std::time::Duration;

use satscope::client::{ErrorKind, Request};

use super::{Rig, Told};
use crate::support::fake::{Fake, PLAIN, Script};
use crate::support::{posts, token};

fn limited(secs: Option<u64>) -> Script {
    Script::Fail(ErrorKind::RateLimited { message: None, retry_after: secs.map(Duration::from_secs) })
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
