//! Decodes responses, large ones on a thread for blocking work, so that network tasks don't wait for them; one at a time,
//! to limit peak memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::client::config::ClientConfig;
use crate::client::decode;
use crate::client::error::ErrorKind;
use crate::client::request::Request;

/// Maximum size of a body that is decoded in place. Larger ones are decoded on a separate thread.
const DECODE_INLINE: usize = 64 * 1024;

/// One response is decoded at a time.
static TURN: Semaphore = Semaphore::const_new(1);

/// Decodes a body. A panic of the decoder is caught.
///
/// # Errors
/// As [`decode::decode_as`].
pub(super) async fn decode(
    request: &Request,
    body: Vec<u8>,
    content_type: Option<String>,
    config: &ClientConfig,
) -> Result<decode::Decoded, ErrorKind> {
    // A small file may be a large image.
    let large = body.len() > DECODE_INLINE || matches!(request, Request::InscriptionImage { .. });
    let (request, limits, text) = (request.clone(), config.limits.clone(), config.text);
    let work = move || {
        catch_unwind(AssertUnwindSafe(|| decode::decode_as(text, &request, &body, content_type.as_deref(), &limits)))
            .unwrap_or_else(|_| Err(ErrorKind::Internal(String::from("the decoder panicked"))))
    };
    if !large {
        return work();
    }
    run(work).await?
}

/// Runs `work` on another thread, unless the caller is dropped while it waits for its turn.
///
/// # Errors
/// `work` panics, or the runtime shuts down.
async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorKind> {
    let failed = || ErrorKind::Internal(String::from("the decoder failed"));
    let turn = TURN.acquire().await.map_err(|_| failed())?;
    let done = spawn_blocking(move || {
        // Even if the caller is dropped, the next response has to wait for this one.
        let _turn = turn;
        work()
    });
    done.await.map_err(|_| failed())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc::channel;

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
        // Each waits for its turn as soon as it is first polled.
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
