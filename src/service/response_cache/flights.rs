//! Requests that are being computed, so that identical ones wait for the first instead of repeating its work.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

/// The running requests by path and query. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights(Arc<Mutex<HashMap<String, watch::Receiver<bool>>>>);

/// A running request. Others stop waiting for it when this is dropped: if it was finished, they look for its response,
/// otherwise the next one takes over.
#[derive(Debug)]
pub(super) struct Flight {
    flights: Flights,
    path: String,
    done: watch::Sender<bool>,
}

impl Flights {
    /// Starts a request, or waits for an identical one. If that finishes without leaving anything in the cache, each
    /// computes its own response. If it is cancelled, as when its client disconnects, one of the waiting requests
    /// starts it again.
    pub(super) async fn join(&self, path: &str) -> Option<Flight> {
        loop {
            let mut done = {
                let mut running = self.running();
                match running.get(path) {
                    Some(done) => done.clone(),
                    None => {
                        let (sender, receiver) = watch::channel(false);
                        running.insert(path.to_owned(), receiver);
                        return Some(Flight { flights: self.clone(), path: path.to_owned(), done: sender });
                    }
                }
            };
            // An error means that it was dropped unfinished.
            if done.wait_for(|done| *done).await.is_ok() {
                return None;
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<bool>>> {
        self.0.lock()
    }
}

impl Flight {
    /// Ends the request: its response is in the cache, or can't be cached.
    pub(super) fn finish(self) {
        self.done.send_replace(true);
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.flights.running().remove(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn cancelled_request_is_started_again_by_one_that_waits() {
        let flights = Flights::default();
        let first = flights.join("/chart").await.unwrap();
        let (mut second, mut third) = (Box::pin(flights.join("/chart")), Box::pin(flights.join("/chart")));
        assert!((&mut second).now_or_never().is_none() && (&mut third).now_or_never().is_none());
        drop(first);
        let flight = second.await.unwrap();
        assert!((&mut third).now_or_never().is_none());
        flight.finish();
        assert!(third.await.is_none());
        assert!(flights.join("/chart").await.is_some());
    }
}
