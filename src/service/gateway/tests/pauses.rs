//! Pauses of earlier processes, as seen by a new one.

use super::*;
use crate::model::{Source, SourceState};
use crate::service::backend::extensions::ExtensionProvider as _;
use crate::store::{Database, SharedDatabase};

const GECKO: ProviderName = ProviderName::CoinGecko;

/// A process with this state directory, in which only CoinGecko serves tagged lists and charts.
fn process(state: &tempfile::TempDir, change: impl FnOnce(&mut LiveSettings)) -> World {
    let store = SharedDatabase::new(Some(state.path().to_owned()));
    let mut settings = LiveSettings { store, start_gap: Duration::ZERO, ..LiveSettings::default() };
    for operation in [Operation::Tagged, Operation::Chart] {
        settings.order.insert(operation, vec![GECKO]);
    }
    change(&mut settings);
    World::with(settings)
}

/// A command with this state directory, like [`process`].
fn command(state: &tempfile::TempDir) -> World {
    process(state, |settings| settings.is_command = true)
}

fn reason<T: std::fmt::Debug>(result: ProviderResult<T>) -> String {
    result.unwrap_err().to_string()
}

async fn source(world: &World) -> Source {
    let sources = world.gateway.sources().await;
    sources.into_iter().find(|source| source.name == GECKO.as_str()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn next_process_knows_the_pause_and_its_reason() {
    let forbidden = r#"{"status":{"error_code":10005,"error_message":"Pro plan only"}}"#;
    let html = Response::of(403, &[("content-type", "text/html")], "<!DOCTYPE html><title>1020</title>");
    for (response, state) in [
        (Response::of(429, &[("retry-after", "90")], r#"{"error":"slow down"}"#), SourceState::Waiting),
        (Response::of(451, &[], ""), SourceState::Waiting),
        (html, SourceState::Waiting),
        // Others may be allowed.
        (Response::of(401, &[], forbidden), SourceState::Ready),
        (Response::of(401, &[], ""), SourceState::Off),
        (Response::of(200, &[], r#"{"coins":7}"#), SourceState::Waiting),
        (Response::of(503, &[], ""), SourceState::Waiting),
        (Response::of(410, &[], ""), SourceState::Off),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let first = process(&directory, |_| {});
        first.respond_with(GECKO, response);
        let why = reason(first.coins(Tag::Brc20).await);
        let next = command(&directory);
        let listed = source(&next).await;
        assert_eq!((listed.state, listed.next_try_at.is_some()), (state, state == SourceState::Waiting), "{why}");
        let missing = listed.missing.unwrap();
        let missing = missing.strip_prefix("BRC-20 and ecosystem lists off: ").unwrap_or(&missing);
        assert!(why.to_lowercase().ends_with(missing.to_lowercase().as_str()), "{why} / {missing}");
        assert_eq!(reason(next.coins(Tag::Brc20).await), why);
        assert_eq!(next.request_count(GECKO), 0, "{why}");
    }
}

#[tokio::test(start_paused = true)]
async fn provider_that_is_gone_is_off_until_a_restart_or_a_test() {
    let is_off = async |world: &World| {
        let listed = source(world).await;
        listed.state == SourceState::Off && listed.missing.is_some_and(|missing| missing.contains("(410)"))
    };
    let fails = async || {
        let directory = tempfile::tempdir().unwrap();
        let first = process(&directory, |_| {});
        first.respond_with(GECKO, Response::of(410, &[], ""));
        assert!(first.coins(Tag::Brc20).await.is_err());
        let command = command(&directory);
        assert!(command.chart("first").await.is_err());
        assert!(is_off(&first).await && is_off(&command).await);
        assert_eq!((first.request_count(GECKO), command.request_count(GECKO)), (1, 0));
        directory
    };
    // The dashboard or the service starts.
    let directory = fails().await;
    let restarted = process(&directory, |_| {});
    assert_eq!(source(&restarted).await.state, SourceState::Ready);
    restarted.respond_with(GECKO, Response::of(410, &[], ""));
    assert!(restarted.coins(Tag::Brc20).await.is_err());
    assert!(is_off(&restarted).await && is_off(&command(&directory)).await);
    process(&directory, |_| {}).coins(Tag::Brc20).await.unwrap();
    command(&directory).coins(Tag::Brc20).await.unwrap();
    // The user tests it.
    let directory = fails().await;
    let tested = command(&directory);
    tested.gateway.test_source(GECKO).await.unwrap();
    tested.coins(Tag::Brc20).await.unwrap();
    assert_eq!(source(&command(&directory)).await.state, SourceState::Ready);
    // Its URL changes.
    let directory = fails().await;
    let moved = process(&directory, |settings| {
        settings.is_command = true;
        settings.providers.entry(GECKO).or_default().base_url = Some(String::from("https://new.example"));
    });
    moved.coins(Tag::Brc20).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn next_process_retries_with_another_key_or_network() {
    let directory = tempfile::tempdir().unwrap();
    let first = process(&directory, |_| {});
    first.respond_with(GECKO, Response::of(451, &[], ""));
    assert!(first.coins(Tag::Brc20).await.is_err());
    let with_key = |key: &str| {
        let key = Some(Secret(key.to_owned()));
        process(&directory, |settings| settings.providers.entry(GECKO).or_default().api_key = key)
    };
    let limited = Response::of(429, &[("retry-after", "3600")], "{}");
    let refused = Response::of(401, &[], "{}");
    for (key, response) in [("first", Response::of(403, &[], "{}")), ("second", limited), ("wrong", refused)] {
        let old = with_key(key);
        old.coins(Tag::Brc20).await.unwrap();
        old.respond_with(GECKO, response);
        assert!(old.chart("first").await.is_err());
        assert!(with_key(key).chart("first").await.is_err());
    }
    with_key("third").chart("first").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn another_key_has_its_own_count_of_the_month() {
    let directory = tempfile::tempdir().unwrap();
    let with_key = |key: &str, per_month: u64| {
        process(&directory, |settings| {
            let gecko = settings.providers.entry(GECKO).or_default();
            (gecko.api_key, gecko.per_month) = (Some(Secret(key.to_owned())), Some(per_month));
        })
    };
    let used = async |world: &World| source(world).await.budget.unwrap().used;
    let old = with_key("old", 2);
    for slug in ["first", "second"] {
        manually(old.chart(slug)).await.unwrap();
    }
    assert!(reason(manually(old.chart("third")).await).contains("limit of 2 requests reached"));
    let new = with_key("new", 2);
    assert_eq!(used(&new).await, Some(0));
    manually(new.chart("third")).await.unwrap();
    assert_eq!((used(&new).await, used(&with_key("old", 2)).await), (Some(1), Some(2)));
    assert_eq!(used(&with_key("old", 1_000)).await, Some(2), "another limit doesn't change the count");
}

#[tokio::test(start_paused = true)]
async fn key_that_unisat_refuses_is_paused_for_an_hour_and_another_one_is_not() {
    use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};

    let directory = tempfile::tempdir().unwrap();
    let with_key = |key: &str| {
        let key = Some(Secret(key.to_owned()));
        process(&directory, |settings| {
            settings.order.insert(Operation::Brc20, vec![ProviderName::UniSat]);
            settings.providers.entry(ProviderName::UniSat).or_default().api_key = key;
        })
    };
    let tokens = async |world: &World| {
        let query = TokensQuery::default();
        world.gateway.tokens(&query, PageQuery { offset: 0, limit: 20 }).await.map(|_| ())
    };
    let wrong = with_key("of another network");
    let body = r#"{"code":-2003,"msg":"quota unavailable","data":null}"#;
    wrong.respond_with(ProviderName::UniSat, Response::of(403, &[], body));
    let ProviderError::Unavailable { reason, retry_after, .. } = tokens(&wrong).await.unwrap_err() else { panic!() };
    assert!(reason.contains("UniSat: error -2003: quota unavailable"), "{reason}");
    assert!(retry_after.is_some_and(|wait| wait <= Duration::from_hours(1)), "{retry_after:?}");
    assert!(tokens(&with_key("of another network")).await.is_err());
    let right = with_key("right");
    tokens(&right).await.unwrap();
    let sources = right.gateway.sources().await;
    let budget = sources.into_iter().find(|source| source.name == "unisat").unwrap().budget.unwrap();
    assert_eq!((budget.used, budget.limit), (Some(1), 60_000));
    // The first key is tried again: the server may have refused it by mistake.
    wrong.respond_with(ProviderName::UniSat, None);
    wrong.advance(Duration::from_hours(1)).await;
    tokens(&wrong).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn success_ends_the_pause_for_later_processes() {
    let directory = tempfile::tempdir().unwrap();
    let first = process(&directory, |_| {});
    first.respond_with(GECKO, Response::of(451, &[], ""));
    assert!(first.coins(Tag::Brc20).await.is_err());
    let second = process(&directory, |_| {});
    assert_eq!(source(&second).await.state, SourceState::Waiting);
    second.gateway.test_source(GECKO).await.unwrap();
    assert_eq!(source(&process(&directory, |_| {})).await.state, SourceState::Ready);
}

#[tokio::test(start_paused = true)]
async fn requests_of_other_processes_count_for_the_minute() {
    let directory = tempfile::tempdir().unwrap();
    let limited = |settings: &mut LiveSettings| {
        let gecko = settings.providers.entry(GECKO).or_default();
        (gecko.per_minute, gecko.min_gap) = (Some(2), Some(Duration::ZERO));
    };
    let [first, second, third] = [(), (), ()].map(|()| process(&directory, limited));
    first.chart("first").await.unwrap();
    second.chart("second").await.unwrap();
    assert_eq!(source(&first).await.budget.unwrap().used, Some(2));
    assert_eq!(source(&third).await.budget.unwrap().used, Some(2));
    assert_eq!(reason(third.chart("third").await), "CoinGecko: request limit reached");
    assert_eq!(third.request_count(GECKO), 0);
    // That isn't a response of the provider.
    for world in [&third, &process(&directory, limited)] {
        assert_eq!(source(world).await.state, SourceState::Ready);
    }
    third.advance(minutes(1)).await;
    third.chart("third").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn forbidden_operation_is_tried_again_after_a_day() {
    let directory = tempfile::tempdir().unwrap();
    let first = process(&directory, |_| {});
    first.respond_with(GECKO, Response::of(403, &[], "{}"));
    assert!(first.coins(Tag::Brc20).await.is_err());
    let next = process(&directory, |_| {});
    let reason = "BRC-20 and ecosystem lists off: access denied (403)";
    assert_eq!(source(&next).await.missing.as_deref(), Some(reason));
    assert!(next.coins(Tag::Brc20).await.is_err());
    next.advance(Duration::from_hours(24) + Duration::from_secs(1)).await;
    next.coins(Tag::Brc20).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn success_resets_the_backoff_of_later_processes() {
    let directory = tempfile::tempdir().unwrap();
    let fails = || {
        let world = process(&directory, |_| {});
        world.respond_with(GECKO, Response::of(503, &[], ""));
        world
    };
    let wait = async |world: &World| {
        assert!(world.chart("first").await.is_err());
        source(world).await.next_try_at.unwrap().since(START.plus(world.began.elapsed())).as_secs()
    };
    assert_eq!(wait(&fails()).await, 5);
    let works = process(&directory, |_| {});
    works.advance(Duration::from_secs(6)).await;
    works.chart("first").await.unwrap();
    assert_eq!(wait(&fails()).await, 5);
}

#[tokio::test(start_paused = true)]
async fn pauses_are_restored_as_soon_as_the_store_is_free() {
    let directory = tempfile::tempdir().unwrap();
    let first = process(&directory, |_| {});
    first.respond_with(GECKO, Response::of(451, &[], ""));
    assert!(first.coins(Tag::Brc20).await.is_err());
    let store = SharedDatabase::new(Some(directory.path().to_owned()));
    let next = process(&directory, |settings| settings.store = store.clone());
    let (hold, is_held) = std::sync::mpsc::channel();
    let (release, is_released) = std::sync::mpsc::channel::<()>();
    let holder = std::thread::spawn(move || {
        let hold = |_: &mut Database| {
            hold.send(()).unwrap();
            let _ = is_released.recv();
            Ok(())
        };
        store.with(hold).unwrap();
    });
    is_held.recv().unwrap();
    next.coins(Tag::Brc20).await.unwrap();
    drop(release);
    holder.join().unwrap();
    assert_eq!(source(&next).await.state, SourceState::Waiting);
    assert!(next.chart("first").await.is_err());
    assert_eq!(next.request_count(GECKO), 1);
}

#[tokio::test(start_paused = true)]
async fn success_keeps_the_pause_that_another_process_has_just_saved() {
    let directory = tempfile::tempdir().unwrap();
    let first = process(&directory, |_| {});
    first.respond_with(GECKO, Response::of(503, &[], ""));
    assert!(first.chart("first").await.is_err());
    let second = process(&directory, |_| {});
    first.advance(Duration::from_secs(10)).await;
    second.respond_with(GECKO, Response::of(451, &[], ""));
    assert!(second.chart("first").await.is_err());
    // The first process doesn't know it.
    first.respond_with(GECKO, None);
    first.chart("first").await.unwrap();
    let next = process(&directory, |_| {});
    assert_eq!(source(&next).await.state, SourceState::Waiting);
    assert!(next.chart("first").await.is_err());
    assert_eq!(next.request_count(GECKO), 0);
    // A success of the second one ends it.
    second.gateway.test_source(GECKO).await.unwrap_err();
    second.respond_with(GECKO, None);
    second.advance(Duration::from_secs(10)).await;
    second.gateway.test_source(GECKO).await.unwrap();
    assert_eq!(source(&process(&directory, |_| {})).await.state, SourceState::Ready);
}
