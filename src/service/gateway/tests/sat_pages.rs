//! Sats with many inscriptions over ordinals.com, which gets at most one request a second.

use super::*;
use crate::model::{Inscription, SatNumber};
use crate::service::backend::indexer::{IndexerProvider as _, PageQuery};

const ORDINALS: ProviderName = ProviderName::Ordinals;

impl World {
    /// A sat with this many inscriptions.
    fn with_sat(count: usize) -> World {
        let mut settings = LiveSettings::default();
        settings.order.insert(Operation::Inscriptions, vec![ORDINALS]);
        let world = World::with(settings);
        world.respond(ORDINALS, move |path| {
            let id = |at: usize| format!("{at:064x}i0");
            let parts: Vec<&str> = path.split('/').collect();
            let body = match parts.as_slice() {
                [_, "r", "sat", _, "at", at] => {
                    let from_end: usize = at.trim_start_matches('-').parse().unwrap();
                    let found = count.checked_sub(from_end).map(|at| format!(r#""{}""#, id(at)));
                    format!(r#"{{"id":{}}}"#, found.unwrap_or_else(|| String::from("null")))
                }
                [_, "r", "sat", _, page @ ..] => {
                    let first = page.first().map_or(0, |page| page.parse::<usize>().unwrap()) * 100;
                    let end = count.min(first + 100);
                    let ids: Vec<String> = (first..end).map(|at| format!(r#""{}""#, id(at))).collect();
                    format!(r#"{{"ids":[{}],"more":{}}}"#, ids.join(","), end < count)
                }
                _ => format!(r#"{{"id":"{}","number":7,"sat":5}}"#, parts[3]),
            };
            Ok(Response::of(200, &[("content-type", "application/json")], body))
        });
        world
    }

    async fn on_sat(&self, offset: u64, limit: usize) -> ProviderResponse<Page<Inscription>> {
        let number = SatNumber::new(5).unwrap();
        self.gateway.sat_inscriptions(number, PageQuery { offset, limit }).await.unwrap()
    }
}

/// The positions of the inscriptions, from the oldest.
fn positions(page: &Page<Inscription>) -> Vec<u64> {
    page.items.iter().map(|found| u64::from_str_radix(found.id.trim_end_matches("i0"), 16).unwrap()).collect()
}

#[tokio::test(start_paused = true)]
async fn newest_inscriptions_of_a_sat_with_very_many_arrive_in_time() {
    let world = World::with_sat(12_345);
    let began = Instant::now();
    let response = world.on_sat(0, 5).await;
    assert!(began.elapsed() < Duration::from_secs(13), "{:?}", began.elapsed());
    assert_eq!((positions(&response.data), response.data.total), ((12_340..12_345).rev().collect(), None));
    assert_eq!(response.notice, None);
    world.advance(minutes(1)).await;
    assert!(world.request_count(ORDINALS) <= 12, "{:?}", world.paths(ORDINALS));
}

#[tokio::test(start_paused = true)]
async fn search_for_the_last_page_of_a_sat_continues_with_each_request() {
    let world = World::with_sat(12_345);
    for attempt in 0.. {
        let began = Instant::now();
        let response = world.on_sat(0, 20 + attempt).await;
        assert!(began.elapsed() < Duration::from_secs(13), "{:?}", began.elapsed());
        let newest: Vec<u64> = (0..12_345).rev().take(response.data.items.len()).collect();
        assert_eq!(positions(&response.data), newest);
        if response.data.total.is_some() {
            assert_eq!((response.data.items.len(), response.data.total), (20 + attempt, Some(12_345)));
            assert!(attempt > 0, "not in one request");
            break;
        }
        let loaded = response.data.items.len();
        let limit = 20 + attempt;
        let notice = format!("Only {loaded} of {limit} inscriptions loaded in time: the sat has very many");
        assert_eq!(response.notice, Some(notice));
        assert!(attempt < 6, "{:?}", world.paths(ORDINALS));
        world.advance(minutes(1)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn list_of_a_sat_with_several_pages_is_whole() {
    for (count, limit) in [(230, 20), (100, 5), (450, 60)] {
        let response = World::with_sat(count).on_sat(0, limit).await;
        let newest: Vec<u64> = (0..count as u64).rev().take(limit).collect();
        assert_eq!((positions(&response.data), response.data.total), (newest, Some(count as u64)));
    }
}

#[tokio::test(start_paused = true)]
async fn sat_whose_pages_are_all_the_first_one_is_an_error() {
    let world = World::with_sat(0);
    let ids: Vec<String> = (0..100).map(|at| format!(r#""{at:064x}i0""#)).collect();
    let page = format!(r#"{{"ids":[{}],"more":true}}"#, ids.join(","));
    world.respond_with(ORDINALS, Response::of(200, &[("content-type", "application/json")], page));
    let number = SatNumber::new(5).unwrap();
    let error = world.gateway.sat_inscriptions(number, PageQuery { offset: 0, limit: 5 }).await.unwrap_err();
    let reason = "unknown response format: each page of the sat's inscriptions is the first one";
    assert!(error.to_string().contains(reason), "{error}");
    assert_eq!(world.request_count(ORDINALS), 2);
}

#[tokio::test(start_paused = true)]
async fn partial_page_of_a_sat_is_completed_without_a_new_block() {
    let world = World::with_sat(12_345);
    let began = Instant::now();
    let first = world.on_sat(0, 60).await;
    assert!(began.elapsed() < Duration::from_secs(13), "{:?}", began.elapsed());
    assert!(first.data.items.len() < 60 && first.data.total.is_none());
    assert!(first.fresh_for <= Duration::from_secs(30), "{:?}", first.fresh_for);
    for _ in 0..4 {
        world.advance(Duration::from_secs(20)).await;
        world.on_sat(0, 60).await;
    }
    let page = world.on_sat(0, 60).await;
    let newest: Vec<u64> = (0..12_345).rev().take(60).collect();
    let paths = world.paths(ORDINALS);
    assert_eq!((positions(&page.data), page.data.total), (newest, Some(12_345)), "{paths:?}");
    assert_eq!(page.notice, None);
    // The search and the details take a request each.
    world.advance(minutes(5)).await;
    assert!(world.request_count(ORDINALS) < 120, "{:?}", world.paths(ORDINALS));
}

/// Rejects all requests for details after the first ones.
fn limit_details(world: &World, allowed: usize) {
    let (plain, sent) = (world.overrides[&ORDINALS].lock().clone().unwrap(), AtomicUsize::new(0));
    world.respond(ORDINALS, move |path| {
        let is_limited = path.starts_with("/r/inscription/") && sent.fetch_add(1, SeqCst) >= allowed;
        if is_limited { Ok(Response::of(429, &[("retry-after", "600")], "slow down")) } else { plain(path) }
    });
}

#[tokio::test(start_paused = true)]
async fn rate_limit_of_details_pauses_the_provider() {
    for (allowed, expected) in [
        (0, "No inscription details loaded: rate-limited (429)"),
        (3, "Only 3 of 20 inscription details loaded: rate-limited (429)"),
    ] {
        let world = World::with_sat(30);
        limit_details(&world, allowed);
        let response = world.on_sat(0, 20).await;
        assert_eq!((response.data.items.len(), response.data.total), (20, Some(30)));
        assert!(response.data.items.iter().all(|found| found.sat == SatNumber::new(5)), "the sat is known");
        let notice = response.notice.unwrap_or_default();
        assert!(notice.starts_with(expected), "{notice}");
        let before = world.request_count(ORDINALS);
        world.advance(minutes(2)).await;
        let response = world.on_sat(0, 20).await;
        assert!(response.refresh_error.is_some_and(|reason| reason.contains("rate-limited (429)")));
        assert_eq!(world.request_count(ORDINALS), before, "nothing is sent before `Retry-After`");
    }
}

#[tokio::test(start_paused = true)]
async fn rate_limit_of_background_details_pauses_the_provider() {
    let world = World::with_sat(30);
    limit_details(&world, 12);
    let response = world.on_sat(0, 20).await;
    assert_eq!((response.data.items.len(), response.notice), (20, None));
    world.advance(minutes(1)).await;
    let before = world.request_count(ORDINALS);
    let detailed = |page: &Page<Inscription>| page.items.iter().filter(|found| found.number.is_some()).count();
    for _ in 0..2 {
        let response = world.on_sat(0, 20).await;
        world.advance(minutes(1)).await;
        assert!(detailed(&response.data) <= 12);
    }
    let response = world.on_sat(0, 20).await;
    assert!(response.refresh_error.is_some_and(|reason| reason.contains("equest limit reached")));
    assert_eq!(world.request_count(ORDINALS), before, "nothing is sent before `Retry-After`");
}
