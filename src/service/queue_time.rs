//! How long requests wait in the queues of their providers. A provider that is slow is abandoned for another one; one
//! that is only busy with other requests is not.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::time::{Instant, timeout_at};

tokio::task_local! {
    static QUEUE_TIME: Arc<QueueTime>;
}

/// Minimum time between two checks of a timeout while a request is queued.
const CHECK: Duration = Duration::from_millis(50);

/// The time that the requests of some work have been queued. Requests that are queued at the same time count once.
#[derive(Debug, Default)]
pub(in crate::service) struct QueueTime(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    queued: usize,
    since: Option<Instant>,
    before: Duration,
    /// The queue times of the work that waits for this one.
    waiting: Vec<Arc<QueueTime>>,
}

/// Guard of a queued request. Dropping it ends the time in the queue.
#[derive(Debug)]
pub(in crate::service) struct Queued(Option<Arc<QueueTime>>);

/// Guard of work that waits for other work. The queue time of the latter counts for it until this is dropped.
#[derive(Debug)]
pub(in crate::service) struct Waiting {
    of: Arc<QueueTime>,
    waiting: Arc<QueueTime>,
}

impl QueueTime {
    /// The queue time of the current work.
    pub(in crate::service) fn current() -> Option<Arc<QueueTime>> {
        QUEUE_TIME.try_with(Arc::clone).ok()
    }

    /// Runs a part of the work.
    pub(in crate::service) async fn run<F: Future>(self: Arc<Self>, work: F) -> F::Output {
        QUEUE_TIME.scope(self, work).await
    }

    /// Records that the current work waits for this one, whichever of them began first.
    pub(in crate::service) fn wait(self: &Arc<Self>) -> Option<Waiting> {
        let waiting = QueueTime::current()?;
        let mut state = self.state();
        state.waiting.push(Arc::clone(&waiting));
        if state.queued > 0 {
            waiting.enter();
        }
        Some(Waiting { of: Arc::clone(self), waiting })
    }

    /// How long requests have been queued so far.
    pub(in crate::service) fn total(&self) -> Duration {
        let state = self.state();
        state.before + state.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn enter(&self) {
        let mut state = self.state();
        state.queued += 1;
        if state.queued == 1 {
            state.since = Some(Instant::now());
            state.waiting.iter().for_each(|waiting| waiting.enter());
        }
    }

    fn leave(&self) {
        let mut state = self.state();
        state.queued = state.queued.saturating_sub(1);
        if state.queued == 0
            && let Some(since) = state.since.take()
        {
            state.before += since.elapsed();
            state.waiting.iter().for_each(|waiting| waiting.leave());
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        self.0.iter().for_each(|of| of.leave());
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut state = self.of.state();
        let place = state.waiting.iter().position(|waiting| Arc::ptr_eq(waiting, &self.waiting));
        if place.map(|place| state.waiting.swap_remove(place)).is_some() && state.queued > 0 {
            self.waiting.leave();
        }
    }
}

/// Records that a request of the current work is queued.
pub(in crate::service) fn note_queued() -> Queued {
    let current = QueueTime::current();
    current.iter().for_each(|of| of.enter());
    Queued(current)
}

/// Runs work for at most `limit`, not counting the time that its requests are queued, and not beyond `latest`. `None`
/// if it takes longer.
pub(in crate::service) async fn timeout_unless_queued<F: Future>(
    limit: Duration,
    latest: Instant,
    work: F,
) -> Option<F::Output> {
    let time = Arc::new(QueueTime::default());
    let _waiting = time.wait();
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
    async fn work_that_joins_queued_work_is_not_slow() {
        let joined = Arc::new(QueueTime::default());
        let (done, finished) = tokio::sync::watch::channel(());
        let work = async {
            let queued = note_queued();
            sleep(10 * SECOND).await;
            drop(queued);
            sleep(3 * SECOND).await;
            drop(done);
        };
        let join = async |at: u32, limit: Duration| {
            sleep(at * SECOND).await;
            let (began, mut finished) = (Instant::now(), finished.clone());
            let wait = async {
                let _waiting = joined.wait();
                let _ = finished.changed().await;
            };
            timeout_unless_queued(limit, began + 100 * SECOND, wait).await
        };
        let (first, second, impatient, ()) =
            tokio::join!(join(0, 4 * SECOND), join(5, 4 * SECOND), join(5, 2 * SECOND), Arc::clone(&joined).run(work));
        assert_eq!((first, second, impatient), (Some(()), Some(()), None));
        assert!(joined.state().waiting.is_empty());
    }

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
                let part = Arc::new(QueueTime::default());
                let _waiting = part.wait();
                part.run(both).await;
            };
            timeout_unless_queued(4 * SECOND, began + 100 * SECOND, inner).await
        });
        assert_eq!(nested.await, Some(Some(())));
        let began = Instant::now();
        let late = timeout_unless_queued(4 * SECOND, began + 7 * SECOND, request(10 * SECOND, SECOND)).await;
        assert_eq!((late, began.elapsed().as_secs()), (None, 7));
    }
}
