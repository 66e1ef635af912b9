//! The order of requests to a provider: awaited requests go before background work, which still gets a turn
//! now and then. Among equally urgent ones, clients take turns.

use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{Mutex, watch};
use tokio::time::sleep;

use super::turns::{Turn, Turns};
use crate::service::call::{is_background, until_urgent};

/// How long the first background request yields to others.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Requests that wait for their turn.
#[derive(Debug)]
pub(super) struct Queue {
    turns: Turns,
    /// Number of waiting requests that aren't background work.
    urgent: watch::Sender<usize>,
    background: AtomicUsize,
    /// Held by the background request that yields to others for [`LONGEST_WAIT`] only.
    first: Mutex<()>,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            turns: Turns::default(),
            urgent: watch::Sender::new(0),
            background: AtomicUsize::new(0),
            first: Mutex::default(),
        }
    }
}

impl Queue {
    /// Waits for a turn, which lasts until it is dropped, and prepares the request. Background work that is
    /// being prepared yields to an awaited request, and is prepared again later. It counts as awaited itself as soon as
    /// a request joins it, or after [`LONGEST_WAIT`].
    pub(super) async fn acquire<T, F>(&self, prepare: impl Fn() -> F) -> (Turn, T)
    where
        F: Future<Output = T>,
    {
        let mut place = Place::new(self, is_background());
        let mut urgent = self.urgent.subscribe();
        let mut is_due = pin!(self.is_due().fuse());
        loop {
            if place.is_background {
                // The sender lives as long as the queue.
                tokio::select! {
                    biased;
                    () = &mut is_due => place.promote(),
                    _ = urgent.wait_for(|count| *count == 0) => {}
                }
            }
            let turn = self.turns.take().await;
            let gives_way = async {
                if place.is_background {
                    tokio::select! {
                        biased;
                        () = &mut is_due => place.promote(),
                        _ = urgent.wait_for(|count| *count > 0) => return,
                    }
                }
                std::future::pending().await
            };
            tokio::select! {
                biased;
                () = gives_way => {}
                prepared = prepare() => return (turn, prepared),
            }
        }
    }

    /// Completes when a background request counts as awaited.
    async fn is_due(&self) {
        let has_waited = async {
            let _first = self.first.lock().await;
            sleep(LONGEST_WAIT).await;
        };
        tokio::select! {
            biased;
            () = until_urgent() => {}
            () = has_waited => {}
        }
    }

    /// Number of requests that would be served before a new one.
    pub(super) fn length(&self) -> usize {
        let urgent = *self.urgent.borrow();
        if is_background() { urgent + self.background.load(Ordering::Relaxed) } else { urgent.min(self.turns.length()) }
    }
}

/// A place in the queue.
struct Place<'a> {
    queue: &'a Queue,
    is_background: bool,
}

impl Place<'_> {
    fn new(queue: &Queue, is_background: bool) -> Place<'_> {
        if is_background {
            queue.background.fetch_add(1, Ordering::Relaxed);
        } else {
            queue.urgent.send_modify(|count| *count += 1);
        }
        Place { queue, is_background }
    }

    /// Counts as awaited from now on.
    fn promote(&mut self) {
        *self = Place::new(self.queue, false);
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if self.is_background {
            self.queue.background.fetch_sub(1, Ordering::Relaxed);
        } else {
            self.queue.urgent.send_modify(|count| *count = count.saturating_sub(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::*;
    use crate::service::call::{Call, in_background};

    /// A queue, and the seconds after the start at which its requests were sent.
    struct SentLog {
        queue: Queue,
        began: Instant,
        sent: Mutex<Vec<(&'static str, u64)>>,
    }

    impl SentLog {
        fn new() -> SentLog {
            SentLog { queue: Queue::default(), began: Instant::now(), sent: Mutex::default() }
        }

        /// Makes a request `at` seconds after it is called. It is prepared for 6 seconds.
        async fn request(&self, name: &'static str, at: u64) {
            sleep(Duration::from_secs(at)).await;
            let (permit, ()) = self.queue.acquire(|| sleep(Duration::from_secs(6))).await;
            self.sent.lock().await.push((name, self.began.elapsed().as_secs()));
            drop(permit);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn background_requests_yield_to_awaited_requests() {
        let log = SentLog::new();
        let request = |name, at| log.request(name, at);
        tokio::join!(
            in_background(request("lookup", 0)),
            in_background(request("refresh", 1)),
            request("list", 2),
            request("chart", 3)
        );
        assert_eq!(log.sent.into_inner(), [("list", 8), ("chart", 14), ("refresh", 20), ("lookup", 26)]);
        assert_eq!(log.queue.length(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn background_requests_are_not_starved() {
        let (queue, began) = (Queue::default(), Instant::now());
        let request = async || queue.acquire(|| sleep(Duration::from_secs(6))).await;
        let lists = async {
            // Somebody always waits.
            let one = async {
                while began.elapsed() < Duration::from_mins(2) {
                    request().await;
                }
            };
            tokio::join!(one, async {
                while began.elapsed() < Duration::from_mins(2) {
                    request().await;
                }
            });
        };
        let sent = async || {
            in_background(request()).await;
            began.elapsed().as_secs()
        };
        let ((), first, second) = tokio::join!(lists, sent(), sent());
        assert_eq!((first, second), (48, 72));
    }

    #[tokio::test(start_paused = true)]
    async fn awaited_background_request_goes_in_order() {
        let log = SentLog::new();
        let request = |name, at| log.request(name, at);
        let refresh = Call::new();
        let _refreshing = in_background(async { refresh.join() }).await;
        let joined = async {
            sleep(Duration::from_secs(3)).await;
            refresh.join()
        };
        let refreshed = refresh.clone().run(request("refresh", 1));
        tokio::join!(request("list", 0), refreshed, request("chart", 2), joined, request("token", 7));
        assert_eq!(log.sent.into_inner(), [("list", 6), ("chart", 12), ("refresh", 18), ("token", 24)]);
    }
}
