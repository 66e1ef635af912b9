//! How long requests wait in the queues of their providers. A provider that is slow is abandoned for another one; one that
//! is only busy with other requests is not.

use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

tokio::task_local! {
    static QUEUE_TIME: Arc<QueueTime>;
}

/// Minimum time between two checks of a timeout while a request is queued.
const CHECK: Duration = Duration::from_millis(50);

/// The time that the requests of some work have been queued. Requests that are queued at the same time count once.
#[derive(Debug, Default)]
pub(in crate::service) struct QueueTime {
    state: Mutex<State>,
    /// The queue time of the enclosing work.
    parent: Option<Arc<QueueTime>>,
}

#[derive(Debug, Default)]
struct State {
    queued: usize,
    since: Option<Instant>,
    before: Duration,
}

/// Guard of a queued request. Dropping it ends the time in the queue.
#[derive(Debug)]
pub(in crate::service) struct Queued(Option<Arc<QueueTime>>);

impl QueueTime {
    /// That of the current work.
    pub(in crate::service) fn current() -> Option<Arc<QueueTime>> {
        QUEUE_TIME.try_with(Arc::clone).ok()
    }

    /// Runs a part of the work in another task.
    pub(in crate::service) async fn run<F: Future>(of: Option<Arc<QueueTime>>, work: F) -> F::Output {
        match of {
            Some(of) => QUEUE_TIME.scope(of, work).await,
            None => work.await,
        }
    }

    fn total(&self) -> Duration {
        let state = self.state();
        state.before + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn enter(&self) {
        let mut state = self.state();
        state.queued += 1;
        state.since.get_or_insert_with(Instant::now);
    }

    fn leave(&self) {
        let mut state = self.state();
        state.queued = state.queued.saturating_sub(1);
        if state.queued == 0
            && let Some(since) = state.since.take()
        {
            state.before += since.elapsed();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// This one and those of the work that it is a part of.
    fn all(&self) -> impl Iterator<Item = &QueueTime> {
        std::iter::successors(Some(self), |part| part.parent.as_deref())
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.iter().flat_map(|of| of.all()).for_each(QueueTime::leave);
    }
}

/// Records that a request of the current work is queued.
pub(in crate::service) fn note_queued() -> Queued {
    let current = QueueTime::current();
    current.iter().flat_map(|of| of.all()).for_each(QueueTime::enter);
    Queued(current)
}

/// Runs work for at most `limit`, not counting the time that its requests are queued, and not beyond `latest`. `None` if it
/// takes longer.
pub(in crate::service) async fn timeout_unless_queued<F: Future>(
    limit: Duration,
    latest: Instant,
    work: F,
) -> Option<F::Output> {
    let time = Arc::new(QueueTime { state: Mutex::default(), parent: QueueTime::current() });
    let began = Instant::now();
    let mut work = pin!(QUEUE_TIME.scope(Arc::clone(&time), work));
    let mut deadline = latest.min(began + limit);
    loop {
        if let Ok(done) = timeout_at(deadline, &mut work).await {
            return Some(done);
        }
        let end = latest.min(began + limit + time.total());
        let now = Instant::now();
        if end <= now {
            return None;
        }
        deadline = end.max(now + CHECK);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn time_in_queues_does_not_count() {
        let request = async |queue: Duration, work: Duration| {
            let queued = note_queued();
            sleep(queue).await;
            drop(queued);
            sleep(work).await;
        };
        let began = Instant::now();
        let run = |queue, work| timeout_unless_queued(4 * SECOND, began + 100 * SECOND, request(queue, work));
        assert_eq!(run(10 * SECOND, 3 * SECOND).await, Some(()));
        assert_eq!(run(10 * SECOND, 5 * SECOND).await, None);
        // Inner work counts, in another task, too, and simultaneous requests count once.
        let nested = timeout_unless_queued(4 * SECOND, began + 100 * SECOND, async {
            let inner = async {
                let both = async {
                    let ((), ()) = tokio::join!(request(6 * SECOND, SECOND), request(8 * SECOND, SECOND));
                };
                QueueTime::run(QueueTime::current(), both).await;
            };
            timeout_unless_queued(4 * SECOND, began + 100 * SECOND, inner).await
        });
        assert_eq!(nested.await, Some(Some(())));
        let began = Instant::now();
        let late = timeout_unless_queued(4 * SECOND, began + 7 * SECOND, request(10 * SECOND, SECOND)).await;
        assert_eq!((late, began.elapsed().as_secs()), (None, 7));
    }
}
