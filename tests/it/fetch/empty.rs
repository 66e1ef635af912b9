//! Empty responses after one with rows.

use std::time::Duration;

use satscope::client::{ErrorKind, Request};
use satscope::fetch::{Demand, IMPLAUSIBLE_SPAN};

use super::{Observed, Rig};
use crate::support::fake::{Fake, PLAIN, Script};
use crate::support::{posts, token};

/// The next response to the only demanded request.
async fn outcome(rig: &mut Rig) -> Observed {
    assert!(matches!(rig.next().await, Observed::Started(..)));
    rig.next().await
}

#[tokio::test(start_paused = true)]
async fn empty_response_after_rows_is_a_failure() {
    let fake = Fake::default();
    fake.script(&token("a"), [PLAIN, Script::Empty, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    assert_eq!(outcome(&mut rig).await, Observed::Arrived(token("a")));
    let Observed::Failed(_, Some(next_try)) = outcome(&mut rig).await else { panic!("a failure with its next try") };
    assert!(next_try - rig.last() <= 1_000, "as soon as after any other failure");
    assert_eq!(rig.errors[0].kind, ErrorKind::NoRows);
    assert_eq!(outcome(&mut rig).await, Observed::Arrived(token("a")));
}

#[test]
fn total_of_zero_balances_is_not_an_empty_response() {
    use satscope::client::ResponseData;
    use satscope::model::Page;
    let balances = |total| ResponseData::Balances(Page { items: Vec::new(), total });
    assert!(balances(None).is_empty() && balances(Some(3)).is_empty());
    assert!(!balances(Some(0)).is_empty(), "the indexer states that the address is empty");
}

#[tokio::test(start_paused = true)]
async fn empty_address_has_no_rows_to_lose() {
    let address = Request::Brc20Balances { address: "a".into(), offset: 0, limit: 500 };
    let fake = Fake::default();
    fake.script(&address, [Script::NoBalances(Some(0)), Script::NoBalances(None)]);
    let mut rig = Rig::new(&fake);
    rig.demand(std::slice::from_ref(&address));
    for _ in 0..2 {
        assert_eq!(outcome(&mut rig).await, Observed::Arrived(address.clone()));
    }
}

#[tokio::test(start_paused = true)]
async fn empty_response_is_accepted_after_three_over_two_minutes() {
    let fake = Fake::default();
    fake.script(&token("a"), [PLAIN, Script::Empty]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    assert_eq!(outcome(&mut rig).await, Observed::Arrived(token("a")));
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
    let span = Duration::from_millis(rig.last() - first.unwrap());
    assert!(count >= 3 && span + Duration::from_secs(1) >= IMPLAUSIBLE_SPAN, "{count} responses over {span:?}");
    assert!(span < 3 * IMPLAUSIBLE_SPAN, "{span:?}");
    // An empty response never stays fresh for long, regardless of its max-age.
    let believed = rig.last();
    assert!(matches!(rig.next().await, Observed::Started(_, at) if at - believed <= 300_200));
    assert_eq!(rig.next().await, Observed::Arrived(token("a")), "no rows are known any more");
}

#[tokio::test(start_paused = true)]
async fn rows_reset_count_of_empty_responses() {
    let fake = Fake::default();
    let twice = [Script::Empty, Script::Empty, PLAIN];
    fake.script(&token("a"), std::iter::once(PLAIN).chain((0..20).flat_map(|_| twice.clone())));
    let mut rig = Rig::new(&fake);
    rig.demand(&[token("a")]);
    for _ in 0..20 {
        assert_eq!(outcome(&mut rig).await, Observed::Arrived(token("a")));
        for _ in 0..2 {
            assert!(matches!(outcome(&mut rig).await, Observed::Failed(..)));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn first_empty_response_is_accepted_and_refreshed_within_five_minutes() {
    let fake = Fake::default();
    fake.script(&posts("A"), [Script::Empty, PLAIN]);
    let mut rig = Rig::new(&fake);
    rig.demand(&[posts("A")]);
    assert_eq!(outcome(&mut rig).await, Observed::Arrived(posts("A")));
    assert_eq!(rig.next().await, Observed::Started(posts("A"), 300_100));
}

#[tokio::test(start_paused = true)]
async fn cached_rows_count_as_known() {
    let fake = Fake::default();
    fake.script(&posts("A"), [Script::Empty, PLAIN]);
    let mut rig = Rig::new(&fake);
    let wanted: Vec<Request> = vec![posts("A"), posts("B")];
    rig.handle.demand.send_replace(Demand { visible: wanted, has_rows: vec![true, false], ..Demand::default() });
    let seen = rig.settle().await;
    assert!(matches!(seen[2..], [Observed::Failed(..), Observed::Arrived(_)]), "{seen:?}");
    assert_eq!(outcome(&mut rig).await, Observed::Arrived(posts("A")));
}
