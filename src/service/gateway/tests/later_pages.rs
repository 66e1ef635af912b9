//! Later pages of lists that fail.

use super::lists::cmc_list;
use super::short_pages::tickers as tokens;
use super::*;

const CMC: ProviderName = ProviderName::CoinMarketCap;
const UNISAT: ProviderName = ProviderName::UniSat;

#[tokio::test(start_paused = true)]
async fn list_without_its_second_page_is_not_requested_every_few_seconds() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        Ok(match number(path, "start") {
            0 => tokens(0..60, 500),
            _ => Response::of(400, &[], ""),
        })
    });
    let answer = world.first_tokens(120).await;
    assert_eq!(answer.notice.as_deref(), Some("Only 60 of 120 rows loaded: no more rows were found"));
    assert!(answer.fresh_for > Duration::from_secs(30), "{:?}", answer.fresh_for);
    world.respond(CMC, |path| {
        Ok(match number(path, "start") {
            1 => json(cmc_list(1..=250, "1.5")),
            _ => Response::of(404, &[], ""),
        })
    });
    let answer = world.all_coins(500).await;
    assert_eq!((answer.data.items.len(), answer.notice.is_some()), (250, true));
    assert!(answer.fresh_for > minutes(4), "{:?}", answer.fresh_for);
}
