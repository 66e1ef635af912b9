//! Coin lists of a faulty service after a good one.

use std::time::Duration;

use satscope::client::{ErrorKind, Request};
use satscope::fetch::IMPLAUSIBLE_SPAN;
use satscope::model::{Currency, Tag};

use super::{Observed, Rig};
use crate::support::fake::{Coins, Fake, Script};

const GOOD: Script = Script::Coins(Coins::new(200, 200));

/// Faulty lists after [`GOOD`], and why they are implausible.
fn faulty_lists() -> [(Coins, ErrorKind); 2] {
    [(Coins::new(200, 0), ErrorKind::NoPrices), (Coins::new(40, 40), ErrorKind::TooFewCoins { found: 40, known: 200 })]
}

fn list() -> Request {
    Request::Coins { tag: Tag::All, start: 1, limit: 200, convert: Currency::usd() }
}

/// A task whose source sends these lists, the last one repeatedly. The first one has arrived, and a manual refresh
/// requests the next one.
async fn after_first(scripts: impl IntoIterator<Item = Script>) -> Rig {
    let fake = Fake::default();
    fake.script(&list(), scripts);
    let mut rig = Rig::new(&fake);
    rig.demand(&[list()]);
    assert_eq!(outcome(&mut rig).await, Observed::Arrived(list()));
    rig.refresh(&list());
    rig
}

/// The next response.
async fn outcome(rig: &mut Rig) -> Observed {
    assert!(matches!(rig.next().await, Observed::Started(..)));
    rig.next().await
}

#[tokio::test(start_paused = true)]
async fn faulty_list_after_a_good_one_is_a_failure() {
    for (faulty, reason) in faulty_lists() {
        let mut rig = after_first([GOOD, Script::Coins(faulty), GOOD]).await;
        let Observed::Failed(_, Some(next_try)) = outcome(&mut rig).await else {
            panic!("a failure with its next try")
        };
        assert!(next_try - rig.last() <= 1_000, "as soon as after any other failure");
        assert_eq!(rig.errors[0].kind, reason);
        assert_eq!(outcome(&mut rig).await, Observed::Arrived(list()));
    }
}

#[tokio::test(start_paused = true)]
async fn faulty_list_is_accepted_after_three_over_two_minutes() {
    for (faulty, reason) in faulty_lists() {
        let mut rig = after_first([GOOD, Script::Coins(faulty)]).await;
        let (mut count, mut first) = (1, None);
        loop {
            match outcome(&mut rig).await {
                Observed::Failed(..) => {
                    count += 1;
                    first.get_or_insert(rig.last());
                }
                Observed::Arrived(_) => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(rig.errors.iter().all(|error| error.kind == reason), "{:?}", rig.errors);
        let span = Duration::from_millis(rig.last() - first.unwrap());
        assert!(count >= 3 && span + Duration::from_secs(1) >= IMPLAUSIBLE_SPAN, "{count} responses over {span:?}");
        assert!(span < 3 * IMPLAUSIBLE_SPAN, "{span:?}");
        // It may still be a fault, so it doesn't stay fresh for its max-age of a day.
        let accepted = rig.last();
        assert!(matches!(rig.next().await, Observed::Started(_, at) if at - accepted <= 300_200));
        assert_eq!(rig.next().await, Observed::Arrived(list()), "now it is the known list");
    }
}

#[tokio::test(start_paused = true)]
async fn own_service_replaces_any_list() {
    for (faulty, _) in faulty_lists() {
        let own = |coins: Coins| Script::Coins(Coins { is_own: true, ..coins });
        let mut rig = after_first([own(Coins::new(200, 200)), own(faulty)]).await;
        assert_eq!(outcome(&mut rig).await, Observed::Arrived(list()));
    }
}

#[tokio::test(start_paused = true)]
async fn list_that_the_app_has_dropped_is_replaced_by_any() {
    for (faulty, _) in faulty_lists() {
        let mut rig = after_first([GOOD, Script::Coins(faulty)]).await;
        rig.kept.clear();
        assert_eq!(outcome(&mut rig).await, Observed::Arrived(list()));
    }
}

#[tokio::test(start_paused = true)]
async fn list_as_faulty_as_the_first_one_is_accepted() {
    for (faulty, _) in faulty_lists() {
        let mut rig = after_first([Script::Coins(faulty)]).await;
        assert_eq!(outcome(&mut rig).await, Observed::Arrived(list()));
    }
}
