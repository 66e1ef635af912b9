//! Waiting for a service that limits the rate of requests.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::reply::Reply;
use crate::client::config::ClientConfig;
use crate::client::error::ErrorKind;

/// Minimum first wait, doubled for each further one, so that `Retry-After: 0` doesn't lead to a burst of requests.
const MIN_WAIT: Duration = Duration::from_millis(100);

/// Sends a request with `send`, and again after the wait that a rate-limited response asks for, if the wait ends within
/// the timeout of a request since the first attempt. `is_waiting` is set meanwhile.
pub(super) async fn send_patiently<F: Future<Output = Result<Reply, ErrorKind>>>(
    config: &ClientConfig,
    is_waiting: &AtomicBool,
    send: impl Fn() -> F,
) -> Result<Reply, ErrorKind> {
    let (began, mut min_wait) = (Instant::now(), MIN_WAIT);
    loop {
        let outcome = send().await;
        let wait = match &outcome {
            Err(ErrorKind::RateLimited { retry_after: Some(wait), .. }) if config.waits_if_limited => *wait,
            _ => return outcome,
        };
        let wait = wait.max(min_wait);
        min_wait = min_wait.saturating_mul(2);
        if began.elapsed().saturating_add(wait) > config.limits.total {
            return outcome;
        }
        is_waiting.store(true, Ordering::Relaxed);
        sleep(wait).await;
        is_waiting.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// Sends a request that is always rate-limited, with a response after `latency` that asks for a wait. Returns the
    /// number of requests and the time until it fails.
    async fn send(latency: Duration, wait: Duration) -> (u32, Duration) {
        let mut config = ClientConfig { waits_if_limited: true, ..ClientConfig::at("http://127.0.0.1:1") };
        config.limits.total = Duration::from_secs(10);
        let (sent, is_waiting, began) = (AtomicU32::new(0), AtomicBool::new(false), Instant::now());
        let outcome = send_patiently(&config, &is_waiting, || async {
            sent.fetch_add(1, Ordering::Relaxed);
            sleep(latency).await;
            Err(ErrorKind::RateLimited { message: None, retry_after: Some(wait) })
        })
        .await;
        assert!(matches!(outcome, Err(ErrorKind::RateLimited { .. })) && !is_waiting.load(Ordering::Relaxed));
        (sent.into_inner(), began.elapsed())
    }

    #[tokio::test(start_paused = true)]
    async fn rate_limited_request_is_repeated_until_the_timeout() {
        // After 0, 0.1, 0.3, 0.7, 1.5, 3.1 and 6.3 s.
        let (requests, time) = send(Duration::ZERO, Duration::ZERO).await;
        assert!(requests == 7 && time < Duration::from_secs(7), "{requests} requests in {time:?}");
        // The third attempt ends after 9 s.
        let (requests, time) = send(Duration::from_secs(1), Duration::from_secs(3)).await;
        assert!(requests == 3 && time < Duration::from_millis(9_500), "{requests} requests in {time:?}");
    }
}
