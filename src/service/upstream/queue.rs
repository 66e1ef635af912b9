//! The order of requests to a provider: those that somebody waits for go before background work.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::service::call::is_background;

/// Requests that wait for their turn. Equally urgent ones are served in order.
#[derive(Debug)]
pub(super) struct Queue {
    turn: Arc<Semaphore>,
    /// How many wait that aren't background work.
    urgent: watch::Sender<usize>,
    background: AtomicUsize,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue { turn: Arc::new(Semaphore::new(1)), urgent: watch::Sender::new(0), background: AtomicUsize::new(0) }
    }
}

impl Queue {
    /// Waits for the turn, which lasts until the permit is dropped, and prepares the request. Background work that is
    /// being prepared gives its turn to a request that somebody waits for, and is prepared again later.
    pub(super) async fn turn<T, F>(&self, prepare: impl Fn() -> F) -> (Option<OwnedSemaphorePermit>, T)
    where
        F: Future<Output = T>,
    {
        let is_background = is_background();
        let _place = Place::new(self, is_background);
        let mut urgent = self.urgent.subscribe();
        loop {
            if is_background {
                // The sender lives as long as the queue.
                let _ = urgent.wait_for(|count| *count == 0).await;
            }
            // The semaphore is never closed.
            let permit = Arc::clone(&self.turn).acquire_owned().await.ok();
            let urgent_arrives = async {
                match is_background {
                    true => drop(urgent.wait_for(|count| *count > 0).await),
                    false => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = urgent_arrives => {}
                prepared = prepare() => return (permit, prepared),
            }
        }
    }

    /// How many requests would be served before one that is made now.
    pub(super) fn length(&self) -> usize {
        let background = if is_background() { self.background.load(Ordering::Relaxed) } else { 0 };
        background + *self.urgent.borrow()
    }
}

/// A place in the queue.
struct Place<'a> {
    queue: &'a Queue,
    is_background: bool,
}

impl Place<'_> {
    fn new(queue: &Queue, is_background: bool) -> Place<'_> {
        match is_background {
            true => {
                queue.background.fetch_add(1, Ordering::Relaxed);
            }
            false => queue.urgent.send_modify(|count| *count += 1),
        }
        Place { queue, is_background }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        match self.is_background {
            true => {
                self.queue.background.fetch_sub(1, Ordering::Relaxed);
            }
            false => self.queue.urgent.send_modify(|count| *count = count.saturating_sub(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::Mutex;
    use tokio::time::{Instant, sleep};

    use super::*;
    use crate::service::call::in_background;

    #[tokio::test(start_paused = true)]
    async fn background_work_gives_its_turn_to_requests_that_somebody_waits_for() {
        let (queue, order, began) = (Queue::default(), Mutex::new(Vec::new()), Instant::now());
        // Each request is prepared for 6 seconds.
        let request = async |name: &'static str, at: u64| {
            sleep(Duration::from_secs(at)).await;
            let (permit, ()) = queue.turn(|| sleep(Duration::from_secs(6))).await;
            order.lock().await.push((name, began.elapsed().as_secs()));
            drop(permit);
        };
        tokio::join!(
            in_background(request("lookup", 0)),
            in_background(request("refresh", 1)),
            request("list", 2),
            request("chart", 3)
        );
        let order = order.into_inner();
        assert_eq!(order, [("list", 8), ("chart", 14), ("refresh", 20), ("lookup", 26)]);
        assert_eq!(queue.length(), 0);
    }
}
