//! Addresses, fee rates and block hashes that fail while the server works.

use super::*;
use crate::model::BitcoinBalance;

const MEMPOOL: ProviderName = ProviderName::Mempool;

impl World {
    /// The server works at this height, and fails for paths that contain one of these texts.
    fn fails_for(&self, height: u64, status: u16, failing: &'static [&'static str]) {
        self.respond(MEMPOOL, move |path| {
            Ok(match path {
                path if failing.iter().any(|text| path.contains(text)) => Response::of(status, &[], ""),
                "/blocks/tip/height" => Response::of(200, &[], height.to_string()),
                path => match path.strip_prefix("/address/") {
                    Some(address) => {
                        let stats = r#"{"funded_txo_sum":7,"spent_txo_sum":0}"#;
                        json(format!(r#"{{"address":"{address}","chain_stats":{stats},"mempool_stats":{stats}}}"#))
                    }
                    None => default_response(MEMPOOL, path),
                },
            })
        });
    }

    async fn balance(&self, address: &str) -> ProviderResult<BitcoinBalance> {
        self.gateway.balance_of(address).await
    }

    /// Number of requests for the balance of an address.
    fn balance_requests(&self, address: &str) -> usize {
        self.paths(MEMPOOL).iter().filter(|path| **path == format!("/address/{address}")).count()
    }
}

fn reason<T: std::fmt::Debug>(response: ProviderResult<T>) -> String {
    match response {
        Err(ProviderError::Unavailable { reason, retry_after: Some(_), .. }) => reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn failing_address_is_retried_with_backoff_and_does_not_delay_others() {
    let world = World::new();
    world.fails_for(100, 504, &["bad"]);
    for _ in 0..120 {
        assert_eq!(reason(world.balance("bad").await), "mempool.space: server error (504)");
        world.balance("good").await.unwrap();
        world.gateway.chain_state().await.unwrap();
        world.advance(Duration::from_secs(5)).await;
    }
    let requests = world.balance_requests("bad");
    assert!((5..=7).contains(&requests), "{requests} requests in ten minutes");
    world.fails_for(100, 504, &[]);
    world.advance(minutes(5)).await;
    world.balance("bad").await.unwrap();
    world.fails_for(100, 504, &["bad"]);
    world.advance(minutes(3)).await;
    let response = world.balance("bad").await.unwrap();
    assert_eq!(response.data.confirmed, 7, "the old balance");
}

#[tokio::test(start_paused = true)]
async fn forbidden_address_does_not_turn_balances_off() {
    for status in [403, 405] {
        let world = World::new();
        world.fails_for(100, status, &["bad"]);
        let failure = reason(world.balance("bad").await);
        assert!(failure.contains(&format!("({status})")), "{failure}");
        world.balance("good").await.unwrap();
        assert_eq!(reason(world.balance("bad").await), failure);
        assert_eq!(world.balance_requests("bad"), 1, "{status}: not again at once");
        world.advance(minutes(5)).await;
        world.fails_for(100, status, &[]);
        world.balance("bad").await.unwrap();
    }
}

#[tokio::test(start_paused = true)]
async fn server_that_forbids_all_addresses_is_queried_again_soon() {
    let world = World::new();
    world.fails_for(100, 405, &["/address/"]);
    for address in ["a", "b", "c", "d"] {
        reason(world.balance(address).await);
    }
    assert_eq!(world.balance_requests("d"), 0, "balances are paused");
    world.advance(minutes(5)).await;
    reason(world.balance("d").await);
    assert_eq!(world.balance_requests("d"), 1);
    world.advance(Duration::from_secs(11)).await;
    reason(world.balance("e").await);
    // The pause now lasts 20 s, but a manual refresh ends it.
    world.fails_for(100, 405, &[]);
    world.advance(Duration::from_secs(11)).await;
    reason(world.balance("f").await);
    manually(world.balance("f")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn several_failing_addresses_pause_balances_but_not_the_height() {
    let world = World::new();
    world.fails_for(100, 500, &["/address/"]);
    for (address, expected) in [
        ("a", "mempool.space: server error (500)"),
        ("b", "mempool.space: server error (500)"),
        ("c", "mempool.space: server error (500)"),
        ("d", "mempool.space: several requests failed: server error (500)"),
        ("e", "mempool.space: several requests failed: server error (500)"),
    ] {
        assert_eq!(reason(world.balance(address).await), expected, "{address}");
    }
    assert_eq!((world.balance_requests("d"), world.balance_requests("e")), (0, 0), "balances are paused");
    for height in 101..105 {
        world.fails_for(height, 500, &["/address/"]);
        world.advance(minutes(2)).await;
        let chain = world.gateway.chain_state().await.unwrap();
        assert_eq!((chain.data.height, chain.data.fees.is_some()), (height, true));
    }
    world.fails_for(105, 500, &[]);
    world.balance("e").await.unwrap();
    world.balance("f").await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn server_that_is_down_is_not_requested_for_each_address() {
    let world = World::new();
    world.fails_for(100, 502, &["/"]);
    for address in ["a", "b", "c", "d"] {
        reason(world.balance(address).await);
    }
    assert_eq!(world.paths(MEMPOOL), ["/blocks/tip/height"]);
    // The height is known.
    let world = World::new();
    world.gateway.chain_state().await.unwrap();
    world.respond(MEMPOOL, |_| Err(ErrorKind::Refused));
    for address in ["b", "c", "d"] {
        reason(world.balance(address).await);
    }
    assert_eq!((world.balance_requests("b"), world.balance_requests("c"), world.balance_requests("d")), (1, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn failing_fee_rates_affect_neither_height_nor_balances() {
    for status in [503, 403, 200] {
        let world = World::new();
        for height in 100..104 {
            world.fails_for(height, status, &["/fees/"]);
            let chain = world.gateway.chain_state().await.unwrap();
            assert_eq!((chain.data.height, chain.data.fees), (height, None), "{status}");
            world.balance("a").await.unwrap();
            world.balance(&height.to_string()).await.unwrap();
            world.advance(minutes(2)).await;
        }
        world.fails_for(104, status, &[]);
        world.advance(minutes(4)).await;
        assert!(world.gateway.chain_state().await.unwrap().data.fees.is_some(), "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn height_is_refreshed_without_the_hash() {
    for status in [404, 500, 200] {
        let world = World::new();
        world.fails_for(100, status, &["/block-height/"]);
        for _ in 0..3 {
            let chain = world.gateway.chain_state().await.unwrap();
            assert_eq!((chain.data.height, chain.data.hash, chain.refresh_error), (100, None, None), "{status}");
            world.advance(minutes(2)).await;
        }
        world.fails_for(100, status, &[]);
        assert!(world.gateway.chain_state().await.unwrap().data.hash.is_some(), "{status}");
    }
}
