//! BRC-20 data is fetched again with a block, not by time.

use super::*;
use crate::model::Brc20Token;
use crate::service::backend::indexer::{IndexerProvider as _, PageQuery, TokensQuery};

const UNISAT: ProviderName = ProviderName::UniSat;
const MEMPOOL: ProviderName = ProviderName::Mempool;

impl World {
    /// The chain has this height, and its blocks at `fork` and above have changed.
    pub(super) fn chain(&self, height: u64, fork: u64) {
        self.respond(MEMPOOL, move |path| {
            let chain = match path.rsplit('/').next().and_then(|height| height.parse::<u64>().ok()) {
                Some(height) if height >= fork => 'b',
                _ => 'a',
            };
            Ok(match path {
                "/blocks/tip/height" => Response::of(200, &[], height.to_string()),
                path if path.starts_with("/block-height/") => Response::of(200, &[], hash_of(path, chain)),
                path => default_response(MEMPOOL, path),
            })
        });
    }

    /// The indexer has read the chain up to this height.
    fn indexed(&self, height: u64) {
        self.respond(UNISAT, move |_| Ok(Response::of(200, &[], token_list(height))));
    }

    async fn tokens(&self) -> ProviderResult<Page<Brc20Token>> {
        self.gateway.tokens(&TokensQuery::default(), PageQuery { offset: 0, limit: 20 }).await
    }

    /// A panel that is refreshed every minute.
    async fn watch(&self, count: u64) {
        for _ in 0..count {
            self.tokens().await.unwrap();
            self.advance(minutes(1)).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn brc20_is_fetched_again_only_with_a_new_block() {
    let world = World::new();
    world.watch(30).await;
    assert_eq!(world.request_count(UNISAT), 1, "no block in half an hour");
    world.chain(101, u64::MAX);
    world.indexed(101);
    world.watch(3).await;
    assert_eq!(world.request_count(UNISAT), 2);
    let response = world.tokens().await.unwrap();
    assert!(response.age < minutes(4), "{response:?}");
    assert!(response.fresh_for <= minutes(1), "the next block may come at any time");
}

#[tokio::test(start_paused = true)]
async fn height_does_not_take_the_turn_of_the_first_request() {
    let world = World::new();
    world.tokens().await.unwrap();
    assert_eq!(world.request_times(MEMPOOL)[0], Duration::ZERO);
    assert_eq!(world.request_times(UNISAT), [Duration::from_millis(200)]);
}

#[tokio::test(start_paused = true)]
async fn brc20_is_checked_hourly_where_the_height_never_changes() {
    let world = World::new();
    world.watch(130).await;
    assert_eq!(world.request_count(UNISAT), 3);
}

#[tokio::test(start_paused = true)]
async fn indexer_behind_the_chain_is_retried_soon_and_then_less_often() {
    let world = World::new();
    world.chain(101, u64::MAX);
    world.watch(4).await;
    let early = world.request_count(UNISAT);
    assert!((2..=3).contains(&early), "{early}");
    world.watch(60).await;
    let stalled = world.request_count(UNISAT) - early;
    assert!((8..=12).contains(&stalled), "{stalled}");
    world.indexed(101);
    world.watch(10).await;
    let all = world.request_count(UNISAT);
    world.watch(10).await;
    assert_eq!(world.request_count(UNISAT), all, "it has caught up");
}

#[tokio::test(start_paused = true)]
async fn reorganisation_invalidates_cached_responses() {
    for (height, why) in [(100, "another block of the same height"), (101, "a longer chain")] {
        let world = World::new();
        world.watch(2).await;
        world.respond(UNISAT, |_| Ok(Response::of(500, &[], "")));
        world.chain(height, 99);
        world.advance(minutes(6)).await;
        assert!(world.tokens().await.is_err(), "{why}: the old response is no longer true");
        world.indexed(height);
        world.advance(minutes(6)).await;
        world.tokens().await.unwrap();
        let before = world.request_count(UNISAT);
        world.watch(20).await;
        assert_eq!(world.request_count(UNISAT), before, "{why}: one reorganisation counts once");
    }
}

#[tokio::test(start_paused = true)]
async fn new_block_or_lagging_server_is_not_a_reorganisation() {
    for height in [102, 99] {
        let world = World::new();
        world.watch(2).await;
        world.respond(UNISAT, |_| Ok(Response::of(500, &[], "")));
        world.chain(height, u64::MAX);
        world.advance(minutes(6)).await;
        assert!(world.tokens().await.is_ok(), "{height}: the old response serves while the indexer fails");
    }
}

#[tokio::test(start_paused = true)]
async fn height_far_ahead_counts_only_if_a_second_response_confirms_it() {
    let world = World::new();
    let height_with = async |height: u64| {
        world.chain(height, u64::MAX);
        world.advance(minutes(2)).await;
        world.gateway.chain_state().await.unwrap().data.height
    };
    for (sent, expected) in [(100, 100), (9_231_060, 100), (101, 101), (500, 101), (9_231_060, 101), (101, 101)] {
        assert_eq!(height_with(sent).await, expected, "{sent}");
    }
    assert_eq!((height_with(500).await, height_with(501).await), (101, 501));
    // Many blocks while nothing was fetched.
    world.advance(minutes(60 * 24)).await;
    assert_eq!(height_with(650).await, 650);
}

#[tokio::test(start_paused = true)]
async fn wrong_first_height_is_replaced_by_the_next_one() {
    let world = World::new();
    world.chain(9_231_060, u64::MAX);
    world.watch(1).await;
    world.chain(100, u64::MAX);
    world.watch(3).await;
    assert_eq!(world.gateway.chain_state().await.unwrap().data.height, 100);
    let before = world.request_count(UNISAT);
    world.chain(101, u64::MAX);
    world.indexed(101);
    world.watch(3).await;
    assert_eq!(world.request_count(UNISAT), before + 1, "a new block");
}

#[tokio::test(start_paused = true)]
async fn slow_block_provider_delays_responses_by_at_most_two_seconds() {
    let world = World::new();
    world.watch(1).await;
    world.advance(minutes(2)).await;
    world.respond(MEMPOOL, |_| Ok(Response::of(500, &[], "")));
    for _ in 0..20 {
        let before = Instant::now();
        world.tokens().await.unwrap();
        assert!(before.elapsed() <= Duration::from_secs(2), "{:?}", before.elapsed());
        world.advance(minutes(1)).await;
    }
    assert!(
        (2..=4).contains(&world.request_count(UNISAT)),
        "by time without a height: {}",
        world.request_count(UNISAT)
    );
}

#[tokio::test(start_paused = true)]
async fn brc20_is_fetched_every_ten_minutes_without_block_provider() {
    let mut settings = LiveSettings::default();
    settings.order.insert(Operation::Block, Vec::new());
    let world = World::with(settings);
    world.watch(60).await;
    assert!((5..=7).contains(&world.request_count(UNISAT)), "{}", world.request_count(UNISAT));
    assert_eq!(world.request_count(MEMPOOL), 0);
}

#[tokio::test(start_paused = true)]
async fn hour_of_blocks_stays_within_the_budget() {
    let world = World::new();
    for ten_minutes in 0..6 {
        world.chain(100 + ten_minutes, u64::MAX);
        world.indexed(100 + ten_minutes);
        world.watch(10).await;
    }
    assert!(world.request_count(UNISAT) <= 7, "{}", world.request_count(UNISAT));
    // A height a minute; with each block its hash and the last one's, and the fees.
    assert!(world.request_count(MEMPOOL) <= 60 + 6 * 3 + 12, "{}", world.request_count(MEMPOOL));
}

#[tokio::test(start_paused = true)]
async fn bitcoin_balance_is_fetched_again_with_a_block_and_every_two_minutes() {
    const COLD: &str = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";
    let world = World::new();
    let chain = |height: u64, confirmed: u64| {
        world.respond(MEMPOOL, move |path| {
            let stats = |sum: u64| format!(r#"{{"funded_txo_sum":{sum},"spent_txo_sum":0}}"#);
            Ok(match path {
                "/blocks/tip/height" => Response::of(200, &[], height.to_string()),
                path if path.starts_with("/block-height/") => Response::of(200, &[], hash_of(path, 'a')),
                path if path.starts_with("/address/") => {
                    let (chain, mempool) = (stats(confirmed), stats(5));
                    let body = format!(r#"{{"address":"{COLD}","chain_stats":{chain},"mempool_stats":{mempool}}}"#);
                    Response::of(200, &[], body)
                }
                path => default_response(MEMPOOL, path),
            })
        });
    };
    let confirmed = async || world.gateway.balance_of(COLD).await.unwrap().data.confirmed;
    let is_balance = |path: &str| path.contains("/address/");
    let upstream = || world.log.lock().iter().filter(|(_, path, _)| is_balance(path)).count();
    chain(100, 7);
    assert_eq!((confirmed().await, confirmed().await, upstream()), (7, 7, 1));
    chain(101, 12);
    world.advance(Duration::from_secs(70)).await;
    confirmed().await;
    world.advance(Duration::from_secs(5)).await;
    assert_eq!((confirmed().await, upstream()), (12, 2), "a new block");
    world.advance(minutes(1)).await;
    confirmed().await;
    assert_eq!(upstream(), 2, "no new block");
    world.advance(minutes(2)).await;
    confirmed().await;
    world.advance(Duration::from_secs(5)).await;
    assert_eq!(upstream(), 3, "transactions appear between blocks");
}

/// UniSat's response about an unknown ticker.
const UNKNOWN: &str = r#"{"code":-1,"msg":"get brc20 status failed","data":null}"#;

#[tokio::test(start_paused = true)]
async fn unknown_token_is_looked_up_again_with_the_next_block() {
    let world = World::new();
    world.respond(UNISAT, |_| Ok(Response::of(200, &[], UNKNOWN)));
    for _ in 0..3 {
        let response = world.gateway.token("ordi").await;
        assert!(matches!(response, Err(ProviderError::NotFound(_))), "{response:?}");
        world.advance(minutes(1)).await;
    }
    assert_eq!(world.request_count(UNISAT), 1, "no new block");
    world.chain(101, u64::MAX);
    let token = r#"{"code":0,"msg":"ok","data":{"ticker":"ordi","max":"21000000","minted":"1","deployHeight":101}}"#;
    world.respond(UNISAT, move |_| Ok(Response::of(200, &[], token)));
    world.advance(minutes(1)).await;
    assert_eq!(world.gateway.token("ordi").await.unwrap().data.block_height, Some(101));
}

#[tokio::test(start_paused = true)]
async fn stale_list_with_a_cached_miss_is_refreshed_with_the_next_block() {
    let world = World::new();
    world.watch(1).await;
    world.chain(101, u64::MAX);
    world.respond(UNISAT, |_| Ok(Response::of(400, &[], "")));
    world.watch(3).await;
    let reason = world.tokens().await.unwrap().refresh_error.unwrap_or_default();
    assert!(reason.starts_with("No newer data"), "{reason}");
    world.chain(102, u64::MAX);
    world.indexed(102);
    world.watch(3).await;
    let response = world.tokens().await.unwrap();
    assert!(response.refresh_error.is_none() && response.age < minutes(4), "{response:?}");
}
