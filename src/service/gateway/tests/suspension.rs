//! A machine that was suspended: its wall clock has jumped ahead of the monotonic one.

use futures_util::{FutureExt as _, StreamExt as _};

use super::block_stream::{block, with_socket};
use super::streams::fake::FakeExchange;
use super::streams::{BTC, binance, listen, settings};
use super::*;
use crate::service::backend::extensions::ExtensionProvider as _;

const GECKO: ProviderName = ProviderName::CoinGecko;
const MEMPOOL: ProviderName = ProviderName::Mempool;

const MINUTE: Duration = Duration::from_mins(1);

/// Only CoinGecko serves tagged lists.
fn only_gecko() -> World {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Tagged, vec![GECKO]);
    World::with(settings)
}

fn hours(count: u64) -> Duration {
    Duration::from_hours(count)
}

#[tokio::test(start_paused = true)]
async fn age_follows_the_wall_clock_and_old_values_are_refreshed() {
    let world = World::new();
    world.coins(Tag::Brc20).await.unwrap();
    world.advance(MINUTE).await;
    world.machine.suspend(hours(8));
    let old = world.coins(Tag::Brc20).await.unwrap();
    assert!(old.age >= hours(8) && old.fresh_for <= Duration::from_secs(15), "{:?} {:?}", old.age, old.fresh_for);
    world.advance(Duration::from_secs(10)).await;
    assert_eq!(world.request_count(GECKO), 2);
    assert!(world.coins(Tag::Brc20).await.unwrap().age < MINUTE);
}

#[tokio::test(start_paused = true)]
async fn manual_refresh_replaces_values_from_before_suspension() {
    let world = World::new();
    world.coins(Tag::Brc20).await.unwrap();
    world.machine.suspend(hours(1));
    let new = manually(world.coins(Tag::Brc20)).await.unwrap();
    assert_eq!((world.request_count(GECKO), new.not_refreshed), (2, None));
    assert!(new.age < MINUTE, "{:?}", new.age);
}

#[tokio::test(start_paused = true)]
async fn clock_set_back_does_not_reduce_ages() {
    let world = World::new();
    world.machine.suspend(hours(8));
    world.coins(Tag::Brc20).await.unwrap();
    world.machine.suspended.store(0, SeqCst);
    world.advance(minutes(9)).await;
    let age = world.coins(Tag::Brc20).await.unwrap().age;
    assert!(age >= minutes(9) && age < minutes(10), "{age:?}");
}

#[tokio::test(start_paused = true)]
async fn pause_ends_at_its_time_of_the_wall_clock() {
    let world = only_gecko();
    world.respond_with(GECKO, Response::of(429, &[("retry-after", "7200")], ""));
    world.coins(Tag::Brc20).await.unwrap_err();
    world.respond_with(GECKO, None);
    world.machine.suspend(hours(1));
    world.coins(Tag::Brc20).await.unwrap_err();
    let sources = world.gateway.sources().await;
    let source = sources.into_iter().find(|source| source.name == GECKO.as_str()).unwrap();
    let rest = source.next_try_at.unwrap().since(world.machine.time().now());
    assert!(rest > minutes(59) && rest <= hours(1), "{rest:?}");
    assert_eq!(world.request_count(GECKO), 1);
    world.machine.suspend(hours(1));
    world.coins(Tag::Brc20).await.unwrap();
    assert_eq!(world.request_count(GECKO), 2);
}

/// The first pause ends by the wall clock. Its later end by the monotonic clock doesn't count.
#[tokio::test(start_paused = true)]
async fn ended_pause_does_not_hide_a_new_one() {
    let world = only_gecko();
    world.respond_with(GECKO, Response::of(429, &[("retry-after", "7200")], ""));
    world.coins(Tag::Brc20).await.unwrap_err();
    world.machine.suspend(hours(2));
    world.respond_with(GECKO, Response::of(429, &[("retry-after", "60")], ""));
    world.coins(Tag::Brc20).await.unwrap_err();
    world.coins(Tag::Brc20).await.unwrap_err();
    assert_eq!(world.request_count(GECKO), 2);
    world.respond_with(GECKO, None);
    world.advance(Duration::from_secs(61)).await;
    world.coins(Tag::Brc20).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn missing_item_is_requested_again() {
    let world = World::new();
    world.respond_with(GECKO, Response::of(404, &[], r#"{"error":"coin not found"}"#));
    world.chart("first").await.unwrap_err();
    world.chart("first").await.unwrap_err();
    assert_eq!(world.request_count(GECKO), 1);
    world.respond_with(GECKO, None);
    world.machine.suspend(hours(1));
    world.chart("first").await.unwrap();
}

/// The socket was alive before.
#[tokio::test(start_paused = true)]
async fn block_announced_before_suspension_is_not_the_newest() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.subscribed(&fake).await;
    let polls = world.height_polls();
    world.advance(MINUTE).await;
    assert!(world.gateway.announced_tip().is_some());
    world.machine.suspend(minutes(5));
    assert!(world.gateway.announced_tip().is_none());
    world.respond(MEMPOOL, |path| {
        Ok(match path {
            "/blocks/tip/height" => Response::of(200, &[], "101"),
            path => default_response(MEMPOOL, path),
        })
    });
    world.height().await;
    world.advance(Duration::from_secs(5)).await;
    assert_eq!((world.height().await, world.height_polls()), (101, polls + 1));
    // The socket is replaced, since it has missed a block.
    fake.wait_for_connection().await;
    fake.send(&block(102, 'a'));
    world.until_height(102).await;
}

#[tokio::test(start_paused = true)]
async fn live_price_from_before_suspension_is_not_the_latest() {
    let (exchange, machine) = (FakeExchange::start().await, Machine::new());
    let gateway = Gateway::new(settings(Some(&exchange), None), machine.time());
    let mut stream = listen(&gateway, &[BTC]).await;
    exchange.wait_for_connection().await;
    exchange.send(&binance("BTCUSDT", "60000"));
    stream.next().await.unwrap();
    let id = CoinId(Text::from(BTC));
    assert_eq!(gateway.0.ticker.price(&id), Some(60_000.0));
    machine.suspend(hours(8));
    assert_eq!(gateway.0.ticker.price(&id), None);
    let mut other = listen(&gateway, &[BTC]).await;
    assert!(other.next().now_or_never().is_none());
    exchange.send(&binance("BTCUSDT", "61000"));
    assert_eq!(other.next().await.unwrap().prices[0].price, 61_000.0);
}
