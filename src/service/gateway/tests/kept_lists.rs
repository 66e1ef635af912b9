//! Whole lists that are kept while a refresh loads only a part.

use std::sync::atomic::AtomicBool;

use super::lists::cmc_list;
use super::partial_lists::{outcome, whole_list};
use super::short_pages::category;
use super::*;

const CMC: ProviderName = ProviderName::CoinMarketCap;

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
        let answer = world.gateway.coins_by_id(&[CoinId(id.into())], &Currency::usd()).await.unwrap();
        (answer.data.items[0].price, answer.refresh_error, answer.not_refreshed)
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
    let is_failing = Arc::new(AtomicBool::new(true));
    let fails = Arc::clone(&is_failing);
    let world = category(75, move |start, limit| match start {
        63.. if fails.load(SeqCst) => Err(400),
        _ => Ok((start..=75).take(limit.min(62)).collect()),
    });
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
