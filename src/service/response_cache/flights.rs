//! Requests that are being computed, so that equal ones wait for the first instead of repeating its work.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// The running requests by path and query. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights(Arc<Mutex<HashMap<String, watch::Receiver<()>>>>);

/// A running request. Others stop waiting for it when this is dropped.
#[derive(Debug)]
pub(super) struct Flight {
    flights: Flights,
    path: String,
    _done: watch::Sender<()>,
}

impl Flights {
    /// Starts a request, or waits for an equal one, once: if that has left nothing in the cache, each computes its own
    /// answer, and nobody waits twice.
    pub(super) async fn join(&self, path: &str) -> Option<Flight> {
        let running = {
            let mut running = self.running();
            match running.get(path) {
                Some(done) => done.clone(),
                None => {
                    let (sender, receiver) = watch::channel(());
                    running.insert(path.to_owned(), receiver);
                    return Some(Flight { flights: self.clone(), path: path.to_owned(), _done: sender });
                }
            }
        };
        let mut done = running;
        // The sender sends nothing: the error says that it was dropped.
        let _ = done.changed().await;
        None
    }

    fn running(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.flights.running().remove(&self.path);
    }
}
