//! Large answers are decoded on one thread of their own, so that neither the network nor hanging lookups of host names
//! wait for them, nor they for those; one at a time, so that the peak of memory is that of one.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::client::ErrorKind;

type Job = Box<dyn FnOnce() + Send>;

/// The way to the thread, which begins with the first large answer and waits for more.
static DECODER: Mutex<Option<Sender<Job>>> = Mutex::new(None);

/// Does `work` there, after what was handed over before. It must not panic.
///
/// # Errors
/// The system gives no thread.
pub(super) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorKind> {
    let (reply, done) = oneshot::channel();
    hand_over(Box::new(move || {
        // Nobody waits any more: the request was given up.
        let _ = reply.send(work());
    }))?;
    done.await.map_err(|_| ErrorKind::Internal(String::from("the decoder died")))
}

fn hand_over(job: Job) -> Result<(), ErrorKind> {
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
    begun.map_err(|error| ErrorKind::Internal(format!("the system gives no thread: {error}")))?;
    // The thread has just begun, so it takes the job.
    let _ = jobs.send(unsent);
    *decoder = Some(jobs);
    Ok(())
}
