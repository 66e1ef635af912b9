//! Events of blocks, and the newest ones.

use super::*;
use crate::model::Activity;
use crate::service::backend::indexer::{ActivityQuery, IndexerProvider as _, PageQuery, TokensQuery};

const UNISAT: ProviderName = ProviderName::UniSat;

impl World {
    async fn events(&self, height: Option<u64>, offset: u64) -> ProviderResponse<Page<Activity>> {
        let query = ActivityQuery { block_height: height, ..ActivityQuery::default() };
        self.gateway.activity(&query, PageQuery { offset, limit: 60 }).await.unwrap()
    }
}

/// UniSat's mints of a block.
fn mints(height: u64, rows: std::ops::Range<usize>, total: usize) -> Response {
    let row = |n: usize| {
        format!(
            r#"{{"type":"inscribe-mint","valid":true,"ticker":"ordi","from":"bc1qfrom","to":"bc1qto","amount":"1",
            "inscriptionId":"{n:064x}i0","height":{height},"blocktime":1793000000,"txid":"{n:064x}"}}"#
        )
    };
    let (rows, newest): (Vec<String>, _) = (rows.map(row).collect(), height.max(100));
    json(format!(
        r#"{{"code":0,"msg":"OK","data":{{"height":{newest},"start":0,"total":{total},"detail":[{}]}}}}"#,
        rows.join(",")
    ))
}

fn height_in(path: &str) -> u64 {
    path.split("history-by-height/").nth(1).and_then(|rest| rest.split('?').next()).unwrap().parse().unwrap()
}

#[tokio::test(start_paused = true)]
async fn pages_of_an_old_block_need_no_further_requests_after_those_of_newer_blocks() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        let start = number(path, "start");
        Ok(mints(height_in(path), start..(start + 500).min(700), 700))
    });
    for height in 80..95 {
        world.events(Some(height), 0).await;
    }
    assert_eq!(world.events(Some(20), 0).await.data.total, Some(700));
    let before = world.request_count(UNISAT);
    for offset in [60, 120, 180] {
        assert_eq!(world.events(Some(20), offset).await.data.items.len(), 60);
    }
    assert_eq!(world.request_count(UNISAT), before, "{:?}", world.paths(UNISAT));
}

#[tokio::test(start_paused = true)]
async fn newest_events_warn_about_a_failed_block() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        Ok(match path {
            _ if path.ends_with("/bestheight") => json(r#"{"code":0,"msg":"OK","data":{"height":100,"total":0}}"#),
            _ if height_in(path) == 100 => mints(100, 0..5, 5),
            _ => Response::of(500, &[], ""),
        })
    });
    let response = world.events(None, 0).await;
    assert_eq!((response.data.items.len(), response.data.total), (5, None));
    assert_eq!(response.notice.as_deref(), Some("Events before block 100 not loaded: server error (500)"));
    assert!(response.fresh_for <= Duration::from_secs(30), "{:?}", response.fresh_for);
}

#[tokio::test(start_paused = true)]
async fn new_events_are_listed_although_older_ones_fail_to_load() {
    let world = World::new();
    let blocks = |newest: u64| {
        move |path: &str| {
            Ok(match path {
                _ if path.ends_with("/bestheight") => {
                    json(format!(r#"{{"code":0,"msg":"OK","data":{{"height":{newest},"total":0}}}}"#))
                }
                _ if height_in(path) == 102 => mints(102, 0..5, 5),
                _ if height_in(path) == 100 => mints(100, 0..60, 60),
                _ => Response::of(500, &[], ""),
            })
        }
    };
    world.respond(UNISAT, blocks(100));
    assert_eq!(world.events(None, 0).await.data.items.len(), 60);
    world.respond(UNISAT, blocks(102));
    world.chain(102, u64::MAX);
    world.advance(minutes(2)).await;
    world.events(None, 0).await;
    world.advance(Duration::from_secs(30)).await;
    let response = world.events(None, 0).await;
    let heights: Vec<_> = response.data.items.iter().filter_map(|event| event.block_height).collect();
    assert_eq!((heights, response.refresh_error), (vec![102; 5], None));
    assert_eq!(response.notice.as_deref(), Some("Events before block 102 not loaded: server error (500)"));
}

#[tokio::test(start_paused = true)]
async fn newest_events_of_few_blocks_say_that_there_are_older_ones() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        Ok(match path {
            _ if path.ends_with("/bestheight") => json(r#"{"code":0,"msg":"OK","data":{"height":100,"total":0}}"#),
            _ => mints(height_in(path), 0..2, 2),
        })
    });
    let response = world.events(None, 0).await;
    assert_eq!((response.data.items.len(), response.data.total), (12, None));
    let notice = "Only events in the newest 6 blocks; choose a block height, or set indexer_url";
    assert_eq!(response.notice.as_deref(), Some(notice));
}

#[tokio::test(start_paused = true)]
async fn block_without_events_is_an_empty_list() {
    let world = World::new();
    world.respond(UNISAT, |path| {
        Ok(match path {
            _ if path.ends_with("/bestheight") => json(r#"{"code":0,"msg":"OK","data":{"height":100,"total":0}}"#),
            _ if height_in(path) == 100 => {
                json(r#"{"code":0,"msg":"OK","data":{"height":100,"total":0,"start":0,"detail":null}}"#)
            }
            _ => mints(height_in(path), 0..2, 2),
        })
    });
    let response = world.events(Some(100), 0).await;
    assert_eq!((response.data.items.len(), response.data.total, response.notice), (0, Some(0), None));
    assert_eq!(world.events(None, 0).await.data.items.len(), 10, "those of the five blocks before");
}

#[tokio::test(start_paused = true)]
async fn unreadable_events_do_not_pause_the_other_lists() {
    let world = World::new();
    let events = || async {
        let query = ActivityQuery { block_height: Some(99), ..ActivityQuery::default() };
        world.gateway.activity(&query, PageQuery { offset: 0, limit: 60 }).await
    };
    world.respond(UNISAT, |path| {
        Ok(match path {
            _ if path.contains("/history") => json(r#"{"code":0,"msg":"OK","data":{"height":100,"detail":{}}}"#),
            _ => default_response(UNISAT, path),
        })
    });
    let error = events().await.unwrap_err().to_string();
    assert!(error.contains("expected a list of events"), "{error}");
    let tokens = world.gateway.tokens(&TokensQuery::default(), PageQuery { offset: 0, limit: 60 }).await.unwrap();
    assert_eq!((tokens.data.items.len(), tokens.refresh_error), (1, None));
    let before = world.request_count(UNISAT);
    events().await.unwrap_err();
    assert_eq!(world.request_count(UNISAT), before, "not requested again within a minute");
}
