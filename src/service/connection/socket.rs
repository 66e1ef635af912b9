//! A client's socket: times out on clients that don't read, and knows when it is idle.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep_until};

use crate::service::limits::Limits;

/// Maximum bytes written before the other connections of the thread get their turn. Copying them to the system takes
/// about 20 µs; writing a large response at once would delay the others accordingly. Compressed, 100 coins fit.
const MAX_WRITTEN_IN_TURN: usize = 64 << 10;

/// hyper writes a head and the start of a body.
const MAX_SLICES: usize = 4;

/// The activity of a connection, used only by its own task.
#[derive(Debug, Default)]
pub(super) struct Activity {
    /// A response is being computed, or is not yet in hyper's buffer.
    in_flight: AtomicBool,
    /// Bytes were read since the last request started: perhaps a part of the next one.
    has_partial_request: AtomicBool,
    /// Bytes were written since the last flush, so there may be more of them.
    is_writing: AtomicBool,
    /// The last read found nothing.
    waits_for_client: AtomicBool,
    /// A response was started since the task got its turn.
    has_responded: AtomicBool,
    /// Bytes written since the task got its turn.
    written: AtomicUsize,
}

impl Activity {
    /// Whether the connection waits for a request, and none of it has arrived.
    pub(super) fn is_idle(&self) -> bool {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        is(&self.waits_for_client) && !is(&self.in_flight) && !is(&self.has_partial_request) && !is(&self.is_writing)
    }
}

impl Activity {
    /// The runtime polls the connection's task.
    pub(super) fn begin_turn(&self) {
        set(&self.has_responded, false);
        self.written.store(0, Ordering::Relaxed);
    }

    /// Bytes that may still be written in this turn.
    fn writable(&self) -> usize {
        MAX_WRITTEN_IN_TURN.saturating_sub(self.written.load(Ordering::Relaxed))
    }

    /// Records that a response is started. Returns whether another one was in the same turn.
    pub(super) fn has_responded_in_turn(&self) -> bool {
        self.has_responded.swap(true, Ordering::Relaxed)
    }
}

fn set(flag: &AtomicBool, value: bool) {
    flag.store(value, Ordering::Relaxed);
}

/// A request without a complete response. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct InFlight(Arc<Activity>);

impl InFlight {
    pub(super) fn start(activity: &Arc<Activity>) -> InFlight {
        set(&activity.in_flight, true);
        set(&activity.has_partial_request, false);
        InFlight(Arc::clone(activity))
    }

    /// Keeps the request in flight until the body is dropped.
    pub(super) fn with(self, body: Body) -> Tracked {
        Tracked { body, _in_flight: self }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        set(&self.0.in_flight, false);
    }
}

/// The body of a response.
#[derive(Debug)]
pub(super) struct Tracked {
    body: Body,
    _in_flight: InFlight,
}

impl HttpBody for Tracked {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The socket.
#[derive(Debug)]
pub(super) struct Socket {
    stream: TcpStream,
    /// Bytes that were read earlier; they come first.
    unread: Bytes,
    activity: Arc<Activity>,
    /// How long the client may read nothing.
    stall_timeout: Duration,
    stall: Option<SlowResponse>,
}

/// A response that the client reads more slowly than it is written.
#[derive(Debug)]
struct SlowResponse {
    since: Instant,
    /// Bytes that it has read since.
    read: u64,
    timer: Pin<Box<Sleep>>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, unread: Bytes, activity: Arc<Activity>, stall_timeout: Duration) -> Socket {
        Socket { stream, unread, activity, stall_timeout, stall: None }
    }

    pub(super) fn into_stream(self) -> TcpStream {
        self.stream
    }

    /// Fails with a timeout if the client reads too slowly.
    fn written(&mut self, context: &mut Context<'_>, result: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        set(&self.activity.is_writing, true);
        match result {
            Poll::Ready(written) => {
                if let Ok(bytes) = written {
                    self.activity.written.fetch_add(bytes, Ordering::Relaxed);
                }
                if let (Some(stall), Ok(bytes)) = (&mut self.stall, &written) {
                    stall.read += *bytes as u64;
                }
                Poll::Ready(written)
            }
            Poll::Pending => {
                let stall_timeout = self.stall_timeout;
                let stall = self.stall.get_or_insert_with(|| {
                    let since = Instant::now();
                    SlowResponse { since, read: 0, timer: Box::pin(sleep_until(since + stall_timeout)) }
                });
                let deadline = stall.since + stall_timeout + Duration::from_secs(stall.read / Limits::MIN_RATE);
                if stall.timer.deadline() < deadline {
                    stall.timer.as_mut().reset(deadline);
                }
                ready!(stall.timer.as_mut().poll(context));
                // A reset makes the system discard its buffers for this client. If that fails, they time out.
                let _ = SockRef::from(&self.stream).set_linger(Some(Duration::ZERO));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")))
            }
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.unread.is_empty() {
            let length = self.unread.len().min(buffer.remaining());
            buffer.put_slice(&self.unread.split_to(length));
            set(&self.activity.has_partial_request, true);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        set(&self.activity.waits_for_client, result.is_pending());
        if buffer.filled().len() > before {
            set(&self.activity.has_partial_request, true);
        }
        result
    }
}

impl AsyncWrite for Socket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut rest = self.activity.writable();
        if rest == 0 {
            // The task continues after those that are ready.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let mut parts = [IoSlice::new(&[]); MAX_SLICES];
        for (part, slice) in parts.iter_mut().zip(slices) {
            let length = slice.len().min(rest);
            *part = IoSlice::new(&slice[..length]);
            rest -= length;
        }
        let parts = &parts[..slices.len().min(MAX_SLICES)];
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// hyper flushes when its buffer is empty, so the client has read everything that did not fit into the system's.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        if result.is_ready() {
            self.stall = None;
            set(&self.activity.is_writing, false);
        }
        result
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn large_response_is_written_in_many_turns() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let activity = Arc::new(Activity::default());
        let (stream, time) = (accepted.unwrap().0, Duration::from_mins(1));
        let mut socket = Socket::new(stream, Bytes::new(), Arc::clone(&activity), time);
        let body = vec![7; 10 * MAX_WRITTEN_IN_TURN];
        let mut turns = 0;
        let writing = async {
            let mut write = std::pin::pin!(socket.write_all(&body));
            poll_fn(|context| {
                activity.begin_turn();
                turns += 1;
                let result = write.as_mut().poll(context);
                assert!(activity.written.load(Ordering::Relaxed) <= MAX_WRITTEN_IN_TURN);
                result
            })
            .await
        };
        let mut received = vec![0; body.len()];
        let mut client = client.unwrap();
        let (written, read) = tokio::join!(writing, client.read_exact(&mut received));
        written.unwrap();
        read.unwrap();
        assert_eq!(received, body);
        assert!(turns >= 10, "{turns}");
    }
}
