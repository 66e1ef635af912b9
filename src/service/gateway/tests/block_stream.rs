//! Blocks from a fake socket on loopback.

use super::streams::fake::FakeExchange;
use super::*;
use crate::service::backend::extensions::ExtensionProvider as _;
use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};
use crate::service::gateway::block_stream::PING_AFTER;

const UNISAT: ProviderName = ProviderName::UniSat;
const MEMPOOL: ProviderName = ProviderName::Mempool;

const HOUR: Duration = Duration::from_hours(1);

pub(super) fn with_socket(fake: &FakeExchange) -> World {
    let mut settings = LiveSettings::default();
    settings.providers.entry(MEMPOOL).or_default().stream_url = Some(format!("{}/api/v1/ws", fake.url));
    World::with(settings)
}

/// A block of a chain (by its letter), as mempool.space announces it.
pub(super) fn block(height: u64, chain: char) -> String {
    let id = hash_of(&format!("/block-height/{height}"), chain);
    format!(r#"{{"block":{{"id":"{id}","height":{height},"timestamp":1795075190,"extras":{{}}}},"da":{{}}}}"#)
}

/// The response to the subscription.
fn last_blocks(height: u64) -> String {
    let id = |height: u64| hash_of(&format!("/block-height/{height}"), 'a');
    format!(
        r#"{{"mempoolInfo":{{"size":7}},"blocks":[{{"id":"{}","height":{}}},{{"id":"{}","height":{height}}}],"fees":{{}}}}"#,
        id(height - 1),
        height - 1,
        id(height)
    )
}

impl World {
    pub(super) async fn height(&self) -> u64 {
        self.gateway.chain_state().await.unwrap().data.height
    }

    async fn list_tokens(&self) -> ProviderResult<Page<crate::model::Brc20Token>> {
        self.gateway.tokens(&TokensQuery::default(), PageQuery { offset: 0, limit: 20 }).await
    }

    /// Opens the socket and subscribes.
    pub(super) async fn subscribed(&self, fake: &FakeExchange) {
        self.height().await;
        assert_eq!(fake.next().await, "open /api/v1/ws");
        assert_eq!(fake.next().await, r#"{"action":"init"}"#);
        assert_eq!(fake.next().await, r#"{"action":"want","data":["blocks"]}"#);
        fake.send(&last_blocks(100));
        self.until_live().await;
    }

    async fn until_live(&self) {
        while self.gateway.announced_tip().is_none() {
            self.read_sockets().await;
            self.advance(Duration::from_millis(100)).await;
        }
    }

    /// Lets messages arrive before the paused clock moves on: it stands still while a task is ready.
    async fn read_sockets(&self) {
        for _ in 0..2_000 {
            tokio::task::yield_now().await;
        }
    }

    pub(super) async fn until_height(&self, height: u64) {
        while self.height().await != height {
            self.read_sockets().await;
            self.advance(Duration::from_millis(100)).await;
        }
    }

    pub(super) fn height_polls(&self) -> usize {
        self.log.lock().iter().filter(|(name, path, _)| *name == MEMPOOL && path.ends_with("height")).count()
    }
}

#[tokio::test(start_paused = true)]
async fn announced_block_is_noticed_within_seconds_and_without_polls() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.list_tokens().await.unwrap();
    world.subscribed(&fake).await;
    let polls = world.height_polls();
    for _ in 0..8 {
        world.advance(minutes(1)).await;
        assert_eq!(world.height().await, 100);
    }
    assert_eq!(world.height_polls(), polls, "no polls while the socket is alive");
    world.respond(UNISAT, move |_| Ok(Response::of(200, &[], token_list(101))));
    let before = Instant::now();
    fake.send(&block(101, 'a'));
    world.until_height(101).await;
    // The clock moves on while the message is on its way, but not as far as the next poll.
    assert!(before.elapsed() < Duration::from_secs(30), "{:?}", before.elapsed());
    assert_eq!(world.height_polls(), polls, "the socket told it");
    let response = world.list_tokens().await.unwrap();
    assert!(response.fresh_for <= Duration::from_secs(15), "{:?}: refreshed in the background", response.fresh_for);
    world.advance(Duration::from_secs(1)).await;
    let response = world.list_tokens().await.unwrap();
    assert!(response.age < Duration::from_secs(2), "{:?}", response.age);
    assert!(response.fresh_for <= Duration::from_secs(10), "the next block may come at any time");
    assert_eq!(world.request_count(UNISAT), 2);
    assert_eq!(fake.connections(), 1);
}

#[tokio::test(start_paused = true)]
async fn first_height_is_checked_again_as_soon_as_the_socket_may_announce_a_block() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    let response = world.gateway.chain_state().await.unwrap();
    assert!(response.fresh_for <= Duration::from_secs(10), "{:?}", response.fresh_for);
    let tokens = world.list_tokens().await.unwrap();
    assert!(tokens.fresh_for <= Duration::from_secs(10), "{:?}", tokens.fresh_for);
    let without_socket = World::new().gateway.chain_state().await.unwrap().fresh_for;
    assert!(without_socket > Duration::from_secs(50), "{without_socket:?}");
}

#[tokio::test(start_paused = true)]
async fn announced_reorganisation_invalidates_cached_responses() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.list_tokens().await.unwrap();
    world.subscribed(&fake).await;
    world.list_tokens().await.unwrap();
    world.respond(UNISAT, |_| Ok(Response::of(500, &[], "")));
    fake.send(&block(100, 'b'));
    while world.gateway.0.blocks.seen().reorgs == 0 {
        world.advance(Duration::from_millis(100)).await;
    }
    assert!(world.list_tokens().await.is_err(), "the old response is no longer true");
}

#[tokio::test(start_paused = true)]
async fn dead_block_socket_is_replaced_and_the_height_polled_meanwhile() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.subscribed(&fake).await;
    let polls = world.height_polls();
    fake.refuse(503);
    fake.stop_reading();
    for _ in 0..10 {
        world.advance(minutes(1)).await;
        assert_eq!(world.height().await, 100);
    }
    assert!((8..=10).contains(&(world.height_polls() - polls)), "{}", world.height_polls() - polls);
    let refused = fake.refused();
    assert!((3..=10).contains(&refused), "{refused} attempts in ten minutes");
    fake.accept();
    while fake.connections() < 2 {
        world.advance(Duration::from_secs(10)).await;
        world.height().await;
    }
    fake.send(&last_blocks(102));
    world.until_height(102).await;
}

#[tokio::test(start_paused = true)]
async fn refused_block_socket_polls_height_and_retries_hourly() {
    for status in [403, 451] {
        let fake = FakeExchange::start().await;
        let world = with_socket(&fake);
        fake.refuse(status);
        for height in 91..=100 {
            world.chain(height, u64::MAX);
            world.height().await;
            world.advance(Duration::from_secs(70)).await;
            assert_eq!(world.height().await, height, "{status}");
        }
        assert_eq!(fake.refused(), 1, "{status}");
        world.advance(HOUR).await;
        world.height().await;
        world.advance(minutes(1)).await;
        assert_eq!(fake.refused(), 2, "{status}");
        world.height().await;
        world.advance(Duration::from_secs(5)).await;
        let fresh_for = world.gateway.chain_state().await.unwrap().fresh_for;
        assert!(fresh_for > Duration::from_secs(30), "{fresh_for:?}: no socket may announce a block");
        fake.accept();
        world.gateway.test_source(MEMPOOL).await.unwrap();
        world.subscribed(&fake).await;
    }
}

#[tokio::test(start_paused = true)]
async fn refused_block_socket_is_shown_in_sources() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    fake.refuse(451);
    world.height().await;
    world.advance(minutes(1)).await;
    let sources = world.gateway.sources().await;
    let source = sources.iter().find(|source| source.name == MEMPOOL.as_str()).unwrap();
    assert_eq!(source.state, crate::model::SourceState::Ready);
    assert_eq!(
        source.missing.as_deref(),
        Some("Polling for new blocks; block stream unavailable: WebSocket request failed (451)")
    );
}

#[tokio::test(start_paused = true)]
async fn silent_socket_that_misses_a_block_is_replaced() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.subscribed(&fake).await;
    world.respond(MEMPOOL, |path| {
        Ok(match path {
            "/blocks/tip/height" => Response::of(200, &[], "101"),
            path => default_response(MEMPOOL, path),
        })
    });
    for _ in 0..13 {
        world.advance(minutes(1)).await;
        world.height().await;
    }
    assert_eq!(world.height().await, 101, "polled after ten minutes without a block");
    assert!(fake.connections() >= 2);
}

#[tokio::test(start_paused = true)]
async fn unused_block_socket_is_closed_and_opened_again_on_demand() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.subscribed(&fake).await;
    world.advance(minutes(4)).await;
    assert_eq!(fake.next().await, "closed");
    world.advance(HOUR).await;
    assert_eq!(fake.connections(), 1);
    world.subscribed(&fake).await;
    assert_eq!(fake.connections(), 2);
}

#[tokio::test(start_paused = true)]
async fn socket_of_a_disabled_provider_is_closed_at_once() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.subscribed(&fake).await;
    let mut without = LiveSettings::default();
    without.providers.entry(MEMPOOL).or_default().enabled = Some(false);
    let before = Instant::now();
    world.gateway.set_order(&without);
    assert_eq!(fake.next().await, "closed");
    assert!(before.elapsed() < PING_AFTER, "{:?}", before.elapsed());
}

#[tokio::test(start_paused = true)]
async fn no_block_socket_to_a_server_without_a_stream_url_or_out_of_use() {
    let fake = FakeExchange::start().await;
    let mut without = LiveSettings::default();
    without.order.insert(Operation::Block, Vec::new());
    without.providers.entry(MEMPOOL).or_default().stream_url = Some(fake.url.clone());
    for world in [World::new(), World::with(without)] {
        for _ in 0..3 {
            let _ = world.gateway.chain_state().await;
            world.advance(minutes(1)).await;
        }
    }
    assert_eq!(fake.connections() + fake.refused(), 0);
    let mut own = LiveSettings::default();
    assert!(own.provider(MEMPOOL).stream_url.is_some());
    own.providers.entry(MEMPOOL).or_default().base_url = Some(String::from("http://127.0.0.1:3006/api"));
    assert_eq!(own.provider(MEMPOOL).stream_url, None, "the public server must not be mixed with the user's own");
}

#[tokio::test(start_paused = true)]
async fn hostile_announcements_change_nothing() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.subscribed(&fake).await;
    for text in [
        "",
        "null",
        "[]",
        "{}",
        r#"{"block":7}"#,
        r#"{"block":{"height":101}}"#,
        r#"{"block":{"id":"<script>","height":101}}"#,
        r#"{"blocks":[]}"#,
        &block(50_000_001, 'a'),
        &block(99, 'b'),
    ] {
        fake.send(text);
    }
    fake.send_bytes(&[0xff, 0xfe]);
    fake.send(&block(103, 'a'));
    world.until_height(103).await;
    assert_eq!(world.gateway.0.blocks.seen().reorgs, 0);
    assert_eq!(fake.connections(), 1);
}

#[tokio::test(start_paused = true)]
async fn dashboards_that_ask_for_the_chain_each_minute_cost_only_fee_rates() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    world.subscribed(&fake).await;
    // The height may be polled until the socket is live.
    let (polls, before) = (world.height_polls(), world.request_count(MEMPOOL));
    for _ in 0..8 {
        world.advance(minutes(1)).await;
        world.height().await;
    }
    assert_eq!(world.height_polls(), polls, "the socket announces blocks");
    let fees = world.request_count(MEMPOOL) - before;
    assert!(fees <= 2, "fee rates are fetched every five minutes: {fees}");
}

#[tokio::test(start_paused = true)]
async fn pause_that_was_set_during_a_request_outlasts_its_success() {
    let fake = FakeExchange::start().await;
    let world = with_socket(&fake);
    fake.refuse(429);
    // The socket is refused while the poll waits for its response.
    world.set_latency(MEMPOOL, Duration::from_secs(20));
    let began = Instant::now();
    let _ = world.gateway.chain_state().await;
    while fake.refused() == 0 {
        world.read_sockets().await;
        world.advance(Duration::from_millis(100)).await;
    }
    world.read_sockets().await;
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let provider = world.gateway.provider(MEMPOOL).unwrap();
    assert!(!world.gateway.is_available(provider, Operation::Block));
    world.advance(Duration::from_secs(20)).await;
    assert_eq!(world.height().await, 100, "the poll has succeeded");
    assert!(!world.gateway.is_available(provider, Operation::Block));
    world.set_latency(MEMPOOL, Duration::from_millis(200));
    fake.accept();
    world.advance(minutes(5)).await;
    world.height().await;
    world.advance(Duration::from_secs(5)).await;
    assert!(world.gateway.is_available(provider, Operation::Block));
}
