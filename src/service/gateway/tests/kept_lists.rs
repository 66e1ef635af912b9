//! Whole lists that are kept while a refresh loads only a part.

use super::lists::cmc_list;
use super::partial_lists::{outcome, whole_list};
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
