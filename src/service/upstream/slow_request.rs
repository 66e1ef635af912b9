//! Sends other requests to a server while one is slow, within the gaps and limits of the budget.

use std::pin::pin;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::timeout;

use super::budget::Permit;

/// A request without a response for this long is slow. Until then, others wait, even for the newest block.
const SLOW: Duration = Duration::from_secs(1);

/// Held by the slow request: there is only one at a time, so that the server gets at most two requests at once.
#[derive(Debug, Default)]
pub(super) struct SlowRequest(Mutex<()>);

impl SlowRequest {
    /// Waits for a response. Once it is slow, the next request is sent.
    pub(super) async fn response<T>(&self, response: impl Future<Output = T>, permit: Permit) -> T {
        let mut response = pin!(response);
        if let Ok(response) = timeout(SLOW, &mut response).await {
            return response;
        }
        let _slow = tokio::select! {
            biased;
            response = &mut response => return response,
            slow = self.0.lock() => slow,
        };
        drop(permit);
        response.await
    }
}
