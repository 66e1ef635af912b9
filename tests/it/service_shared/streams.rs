//! Live price streams behind nginx: they arrive at once, are limited for each address, and move to the other instance.

use futures_util::StreamExt as _;
use futures_util::stream::{self, FuturesUnordered};
use reqwest::Response;
use satscope::model::{CoinId, Currency};
use satscope::service::backend::extensions::PriceStream;
use satscope::service::provider_response::ProviderError;

use super::*;
use crate::support::{own_address, start_again};

/// Streams of an address in `docs/nginx.conf`.
const MAX_STREAMS: usize = 20;

/// Live prices that don't change.
struct Constant;

#[async_trait]
impl ExtensionProvider for Constant {
    async fn prices(&self, _: &[CoinId], _: &Currency) -> Result<Option<PriceStream>, ProviderError> {
        Ok(Some(stream::pending().boxed()))
    }

    async fn sources(&self) -> Vec<Source> {
        Vec::new()
    }
}

fn options(listen: SocketAddr) -> Options {
    let demo = Providers::demo(1, TimeSource::system());
    let providers = Some(Providers { extensions: Arc::new(Constant), ..demo });
    Options { listen, providers, worker_threads: 2, ..Options::default().standalone() }
}

/// Opens a stream and reads its first event, which a proxy must not keep.
async fn open(client: &reqwest::Client, url: &str) -> Response {
    let mut response = loop {
        let response = client.get(format!("{url}/x/stream?ids=1")).send().await.unwrap();
        // The other worker of nginx may not know yet that a stream has ended.
        if response.status() != 429 {
            break response;
        }
    };
    assert_eq!(response.status(), 200);
    let first = response.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"retry: "), "{first:?}");
    response
}

/// Waits for the end of a stream.
async fn end(mut response: Response) {
    while response.chunk().await.expect("a clean end").is_some() {}
}

#[tokio::test]
async fn streams_behind_nginx_are_limited_and_move_to_the_other_instance() {
    let instances = [5, 6].map(|test| start_again(|| options(own_address(test))));
    let Some((_nginx, url)) = nginx([instances[0].address(), instances[1].address()]).await else { return };
    let client = client();
    let streams = join_all((0..MAX_STREAMS).map(|_| open(&client, &url))).await;
    let refused = client.get(format!("{url}/x/stream?ids=1")).send().await.unwrap();
    assert_eq!(refused.status(), 429);

    let [first, second] = instances;
    let moving = first.connections();
    assert!(moving > 0 && second.connections() > 0, "both have streams");
    let mut ends: FuturesUnordered<_> = streams.into_iter().map(end).collect();
    let stopped = tokio::task::spawn_blocking(move || drop(first));
    for _ in 0..moving {
        ends.next().await.unwrap();
    }
    stopped.await.unwrap();
    let _moved = join_all((0..moving).map(|_| open(&client, &url))).await;
    assert_eq!(second.connections(), MAX_STREAMS);
}
