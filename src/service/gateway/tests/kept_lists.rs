//! Whole lists that are kept while a refresh loads only a part.

use std::sync::atomic::AtomicBool;

use super::lists::cmc_list;
use super::partial_lists::{outcome, whole_list};
use super::short_pages::{category, tickers as tokens};
use super::*;

const CMC: ProviderName = ProviderName::CoinMarketCap;
const UNISAT: ProviderName = ProviderName::UniSat;

impl World {
    /// Refreshes the list of all coins after this time.
    async fn refresh_all(&self, after: Duration) -> ProviderResponse<Page<Coin>> {
        self.advance(after).await;
        self.all_coins(200).await;
        self.advance(Duration::from_secs(10)).await;
        self.all_coins(200).await
    }
}

#[tokio::test(start_paused = true)]
async fn coins_by_id_are_newer_than_a_kept_list() {
    let world = whole_list(LiveSettings::default());
    world.all_coins(200).await;
    world.respond(CMC, |path| {
        Ok(match path {
            _ if path.contains("/quotes/latest?id=5&") => json(cmc_list(5..=5, "2.5")),
            _ if path.contains("/quotes/latest") => Response::of(500, &[], ""),
            _ if number(path, "start") == 1 => json(cmc_list(1..=100, "1.5").replace("915", "180")),
            _ => Response::of(500, &[], ""),
        })
    });
    assert_eq!(outcome(&world.refresh_all(minutes(11)).await), (180, false));
    let coin = async |id: &str| {
        let response = world.gateway.coins_by_id(&[CoinId(id.into())], &Currency::usd()).await.unwrap();
        (response.data.items[0].price, response.refresh_error, response.not_refreshed)
    };
    assert_eq!(coin("5").await, (Some(2.5), None, None));
    // An old price is better than none.
    let (price, refresh_error, not_refreshed) = coin("6").await;
    assert_eq!((price, refresh_error.is_some(), not_refreshed), (Some(1.5), true, None));
}

#[tokio::test(start_paused = true)]
async fn kept_list_is_refreshed_after_half_an_hour() {
    let world = whole_list(LiveSettings::default());
    world.all_coins(200).await;
    world.fail_after_a_part();
    assert_eq!(outcome(&world.refresh_all(minutes(11)).await), (180, false));
    let kept = world.refresh_all(minutes(18)).await;
    assert_eq!(outcome(&kept), (180, false));
    assert!(kept.age + kept.fresh_for <= minutes(30), "{:?} {:?}", kept.age, kept.fresh_for);
    assert_eq!(outcome(&world.refresh_all(minutes(1)).await), (100, true));
}

#[tokio::test(start_paused = true)]
async fn last_part_that_fails_for_a_few_refreshes_is_requested_again() {
    let (world, is_failing) = category_with_flag(Err(400));
    is_failing.store(true, SeqCst);
    assert_eq!(world.first_coins(250).await.0, 62);
    for _ in 0..2 {
        world.refresh(minutes(11)).await;
    }
    // A day later, it fails once more.
    world.refresh(Duration::from_hours(24)).await;
    is_failing.store(false, SeqCst);
    world.refresh(minutes(11)).await;
    assert_eq!(world.first_coins(250).await, (75, Some(75), None));
}

/// CoinMarketCap's BRC-20 category of 75 coins. While the flag is set, all after the first 62 are missing.
fn category_with_flag(failure: Result<Vec<usize>, u16>) -> (World, Arc<AtomicBool>) {
    let is_failing = Arc::new(AtomicBool::new(false));
    let fails = Arc::clone(&is_failing);
    let world = category(75, move |start, limit| match start {
        63.. if fails.load(SeqCst) => failure.clone(),
        _ => Ok((start..=75).take(limit.min(62)).collect()),
    });
    (world, is_failing)
}

#[tokio::test(start_paused = true)]
async fn whole_list_stays_while_its_last_part_may_be_missing() {
    for (failure, reason) in [
        (Ok(Vec::new()), "CoinMarketCap: incomplete response"),
        (Err(400), "CoinMarketCap: request failed (400)"),
        (Err(404), "CoinMarketCap: not found (404)"),
    ] {
        let (world, is_failing) = category_with_flag(failure);
        assert_eq!(world.first_coins(250).await.0, 75);
        is_failing.store(true, SeqCst);
        world.refresh(minutes(11)).await;
        let query = |offset| CoinsQuery { tag: Tag::Brc20, offset, limit: 250, convert: Currency::usd() };
        for (offset, count) in [(0, 75), (70, 5)] {
            let kept = world.gateway.coins(query(offset)).await.unwrap();
            assert_eq!((kept.data.items.len(), kept.data.total), (count, Some(75)));
            assert_eq!((kept.refresh_error.as_deref(), kept.notice), (Some(reason), None));
        }
        is_failing.store(false, SeqCst);
        world.refresh(minutes(11)).await;
        let whole = world.gateway.coins(query(0)).await.unwrap();
        assert_eq!((whole.data.items.len(), whole.refresh_error), (75, None));
    }
}

#[tokio::test(start_paused = true)]
async fn list_that_has_become_shorter_gets_its_new_end() {
    for failure in [Ok(Vec::new()), Err(400)] {
        let (world, is_failing) = category_with_flag(failure);
        assert_eq!(world.first_coins(250).await.0, 75);
        is_failing.store(true, SeqCst);
        for count in [75, 75, 62, 62] {
            world.refresh(minutes(11)).await;
            assert_eq!(world.first_coins(250).await.0, count);
        }
        let before = world.parts();
        world.refresh(minutes(11)).await;
        assert_eq!(world.first_coins(250).await, (62, Some(62), None));
        assert_eq!(world.parts(), before + 1, "the end is known");
    }
}

#[tokio::test(start_paused = true)]
async fn list_that_has_lost_a_few_coins_is_replaced_at_once() {
    let count = Arc::new(AtomicUsize::new(62));
    let rows = Arc::clone(&count);
    let world = category(75, move |start, _| Ok((start..=rows.load(SeqCst)).collect()));
    assert_eq!(world.first_coins(250).await, (62, Some(62), None));
    count.store(61, SeqCst);
    world.refresh(minutes(11)).await;
    assert_eq!(world.first_coins(250).await, (61, Some(61), None));
}

#[tokio::test(start_paused = true)]
async fn whole_list_of_an_indexer_stays_while_its_last_part_is_missing() {
    let world = World::new();
    let rows = |end: usize| {
        move |path: &str| Ok(tokens((number(path, "start")..end).take(number(path, "limit").min(50)), 150))
    };
    world.respond(UNISAT, rows(150));
    assert_eq!(world.first_tokens(60).await.data.items.len(), 60);
    world.respond(UNISAT, rows(50));
    world.chain(101, u64::MAX);
    world.advance(minutes(2)).await;
    world.first_tokens(60).await;
    world.advance(Duration::from_secs(10)).await;
    let kept = world.first_tokens(60).await;
    assert_eq!((kept.data.items.len(), kept.refresh_error.as_deref()), (60, Some("UniSat: incomplete response")));
}
