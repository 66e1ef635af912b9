//! Lists of several pages, all of which come from one provider.

use super::*;
use crate::model::{InscriptionRef, SatNumber};
use crate::service::backend::indexer::{
    ActivityQuery, BlockRef, IndexerProvider as _, InscriptionsQuery, PageQuery, TokensQuery,
};

const HIRO: ProviderName = ProviderName::Hiro;
const SERVICE: ProviderName = ProviderName::Service;

/// Two indexers with the same interface.
fn two_indexers() -> World {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for operation in [Operation::Brc20, Operation::Inscriptions] {
        settings.order.insert(operation, vec![HIRO, SERVICE]);
    }
    settings.providers.entry(HIRO).or_default().base_url = Some(String::from("http://hiro.test"));
    settings.providers.entry(SERVICE).or_default().base_url = Some(String::from("http://service.test"));
    World::with(settings)
}

/// A page of a list of 150 rows.
fn page(path: &str) -> Response {
    let (offset, limit) = (number(path, "offset"), number(path, "limit"));
    let row = |n: usize| {
        let place = format!(
            r#""address":"bc1qto","block_height":20,"block_hash":"{n:064x}","tx_id":"{n:064x}","output":"{n:064x}:0",
            "timestamp":1793000000000"#
        );
        match path {
            _ if path.contains("/brc-20/tokens") => {
                format!(r#"{{"ticker":"t{n:03}","max_supply":"10","minted_supply":"5"}}"#)
            }
            _ if path.contains("/brc-20/activity") => {
                format!(
                    r#"{{"operation":"mint","ticker":"t","inscription_id":"{n:064x}i0","mint":{{"amount":"1"}},{place}}}"#
                )
            }
            _ if path.contains("/inscriptions/transfers") => {
                format!(r#"{{"id":"{n:064x}i0","number":{n},"from":{{{place}}},"to":{{{place}}}}}"#)
            }
            _ if path.contains("/transfers") => format!("{{{place}}}"),
            _ => format!(r#"{{"id":"{n:064x}i0","number":{n}}}"#),
        }
    };
    let rows: Vec<String> = (offset..150).take(limit).map(row).collect();
    json(format!(r#"{{"limit":{limit},"offset":{offset},"total":150,"results":[{}]}}"#, rows.join(",")))
}

/// The first page of a list, and this status for the others.
fn first_page_only(path: &str, status: u16) -> Response {
    if number(path, "offset") == 0 { page(path) } else { Response::of(status, &[], "") }
}

/// A page of a list, and status 400 for the one at this offset.
fn all_pages_but(path: &str, lacking: usize) -> Response {
    if number(path, "offset") == lacking { Response::of(400, &[], "") } else { page(path) }
}

/// Number of rows of a page and its providers, or an error.
type Outcome = Result<(usize, Option<String>), String>;

fn outcome<T>(found: ProviderResult<Page<T>>) -> Outcome {
    match found {
        Ok(response) => Ok((response.data.items.len(), response.provider_names())),
        Err(error) => Err(error.to_string()),
    }
}

/// The kinds of lists.
const LISTS: std::ops::Range<usize> = 0..6;

impl World {
    async fn page_of(&self, list: usize, offset: u64) -> Outcome {
        let (gateway, page) = (&self.gateway, PageQuery { offset, limit: 60 });
        let inscription = InscriptionRef::Id(format!("{:064x}i0", 7).into());
        match list {
            0 => outcome(gateway.activity(&ActivityQuery::default(), page).await),
            1 => outcome(gateway.sat_inscriptions(SatNumber::new(5).unwrap(), page).await),
            2 => outcome(gateway.inscriptions(&InscriptionsQuery::default(), page).await),
            3 => outcome(gateway.locations(&inscription, page).await),
            4 => outcome(gateway.transfers(&BlockRef::Height(20), page).await),
            _ => outcome(gateway.tokens(&TokensQuery::default(), page).await),
        }
    }
}

fn of(name: ProviderName) -> Outcome {
    Ok((60, Some(name.as_str().to_owned())))
}

#[tokio::test(start_paused = true)]
async fn later_pages_of_every_list_come_from_the_provider_of_the_first() {
    for list in LISTS {
        let world = two_indexers();
        world.respond(HIRO, |path| Ok(first_page_only(path, 500)));
        world.respond(SERVICE, |path| Ok(page(path)));
        assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
        let error = world.page_of(list, 60).await.unwrap_err();
        assert_eq!(error, "Hiro-compatible indexer: server error (500)", "{list}");
        assert_eq!(world.request_count(SERVICE), 0, "{list}");
        // Also if the first page comes from the second provider, although the preferred one works again.
        let world = two_indexers();
        world.respond_with(HIRO, Response::of(500, &[], ""));
        world.respond(SERVICE, |path| Ok(page(path)));
        assert_eq!(world.page_of(list, 0).await, of(SERVICE), "{list}");
        world.respond(HIRO, |path| Ok(page(path)));
        world.advance(Duration::from_secs(30)).await;
        assert_eq!(world.page_of(list, 60).await, of(SERVICE), "{list}");
    }
}

#[tokio::test(start_paused = true)]
async fn list_whose_provider_lacks_a_later_page_is_loaded_from_the_next_one() {
    for status in [400, 404] {
        for list in LISTS {
            let world = two_indexers();
            world.respond(HIRO, move |path| Ok(first_page_only(path, status)));
            world.respond(SERVICE, |path| Ok(page(path)));
            assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
            for offset in [60, 0, 60] {
                assert_eq!(world.page_of(list, offset).await, of(SERVICE), "{list} {offset}");
            }
            // The next provider has the rest only for a while.
            world.respond_with(SERVICE, Response::of(500, &[], ""));
            world.advance(minutes(61)).await;
            assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn providers_that_lack_different_pages_do_not_replace_each_other_in_turn() {
    for list in LISTS {
        let world = two_indexers();
        world.respond(HIRO, |path| Ok(all_pages_but(path, 60)));
        world.respond(SERVICE, |path| Ok(all_pages_but(path, 120)));
        assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
        for _ in 0..3 {
            assert_eq!(world.page_of(list, 60).await, of(SERVICE), "{list}");
            assert!(world.page_of(list, 120).await.is_err(), "{list}");
            world.advance(Duration::from_secs(30)).await;
        }
        assert_eq!(world.page_of(list, 0).await, of(SERVICE), "{list}");
    }
}

#[tokio::test(start_paused = true)]
async fn list_is_not_loaded_from_a_provider_that_lacks_its_first_page() {
    for list in LISTS {
        let world = two_indexers();
        world.respond(HIRO, |path| Ok(first_page_only(path, 400)));
        world.respond(SERVICE, |path| Ok(all_pages_but(path, 0)));
        for _ in 0..2 {
            assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
            assert!(world.page_of(list, 60).await.is_err(), "{list}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn list_is_not_loaded_from_a_provider_that_has_only_an_old_first_page() {
    for list in LISTS {
        let world = two_indexers();
        world.respond(HIRO, |path| Ok(first_page_only(path, 400)));
        world.respond(SERVICE, |path| Ok(page(path)));
        assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
        assert_eq!(world.page_of(list, 60).await, of(SERVICE), "{list}");
        world.respond(SERVICE, |path| Ok(all_pages_but(path, 0)));
        world.advance(minutes(61)).await;
        for round in 0..3 {
            assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list} {round}");
            assert!(world.page_of(list, 60).await.is_err(), "{list} {round}");
            world.advance(Duration::from_secs(30)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn part_of_a_list_has_the_rows_of_one_provider() {
    let world = two_indexers();
    world.respond(HIRO, |path| Ok(first_page_only(path, 400)));
    world.respond(SERVICE, |path| Ok(page(path)));
    let page = PageQuery { offset: 0, limit: 120 };
    let response = world.gateway.tokens(&TokensQuery::default(), page).await.unwrap();
    let tickers: Vec<String> = response.data.items.iter().map(|token| token.ticker.to_string()).collect();
    assert_eq!(tickers, (0..120).map(|n| format!("t{n:03}")).collect::<Vec<_>>());
    assert_eq!((response.provider_names().as_deref(), response.notice), (Some("service"), None));
}

#[tokio::test(start_paused = true)]
async fn list_without_later_pages_anywhere_keeps_its_provider() {
    for list in LISTS {
        let world = two_indexers();
        world.respond(HIRO, |path| Ok(first_page_only(path, 400)));
        world.respond(SERVICE, |path| Ok(first_page_only(path, 400)));
        assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
        let error = world.page_of(list, 60).await.unwrap_err();
        assert_eq!(error, "Hiro-compatible indexer: request failed (400)", "{list}");
        assert_eq!(world.page_of(list, 0).await, of(HIRO), "{list}");
    }
}
