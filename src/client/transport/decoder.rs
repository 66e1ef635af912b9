//! Decodes large responses on a dedicated thread, so that network tasks don't wait for them; one at a time, to limit
//! peak memory.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::client::error::ErrorKind;

type Job = Box<dyn FnOnce() + Send>;

/// The queue of the thread, which starts with the first large response.
static DECODER: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// Runs `work` on the thread, unless the caller is dropped while it is queued. `work` must not panic.
///
/// # Errors
/// The thread can't be started.
pub(super) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorKind> {
    let (reply, done) = oneshot::channel();
    enqueue(Box::new(move || {
        // The response of a cancelled request must not delay others.
        if !reply.is_closed() {
            let _ = reply.send(work());
        }
    }))?;
    done.await.map_err(|_| ErrorKind::Internal(String::from("the decoder panicked")))
}

fn enqueue(job: Job) -> Result<(), ErrorKind> {
    let mut decoder = DECODER.lock().unwrap_or_else(PoisonError::into_inner);
    let unsent = match decoder.as_ref() {
        Some(jobs) => match jobs.send(job) {
            Ok(()) => return Ok(()),
            Err(unsent) => unsent.0,
        },
        None => job,
    };
    let (jobs, waiting) = channel::<Job>();
    let begun = thread::Builder::new().name(String::from("decoder")).spawn(move || {
        for job in waiting {
            job();
        }
    });
    begun.map_err(|error| ErrorKind::Internal(format!("can't start a thread: {error}")))?;
    // The thread has just started, so it takes the job.
    let _ = jobs.send(unsent);
    *decoder = Some(jobs);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    #[tokio::test]
    async fn cancelled_responses_are_not_decoded() {
        let (go, gate) = channel::<()>();
        let decoded = Arc::new(AtomicUsize::new(0));
        let count = |decoded: &Arc<AtomicUsize>| {
            let decoded = Arc::clone(decoded);
            move || decoded.fetch_add(1, SeqCst)
        };
        let mut busy = Box::pin(run(move || gate.recv()));
        let mut cancelled = Box::pin(run(count(&decoded)));
        let mut wanted = Box::pin(run(count(&decoded)));
        // Each is queued on its first poll.
        let waits = futures_util::future::poll_fn(|cx| {
            let pending = busy.as_mut().poll(cx).is_pending() & cancelled.as_mut().poll(cx).is_pending();
            std::task::Poll::Ready(pending & wanted.as_mut().poll(cx).is_pending())
        });
        assert!(waits.await);
        drop(cancelled);
        go.send(()).unwrap();
        assert!(busy.await.unwrap().is_ok());
        assert_eq!(wanted.await.unwrap(), 0, "the first one that is decoded");
        assert_eq!(decoded.load(SeqCst), 1);
    }
}
