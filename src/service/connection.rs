//! Serves one connection. An idle connection holds no buffers: hyper's are released as soon as the client has sent
//! nothing for a moment, and allocated again for its next request.

mod head;
mod socket;

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::Response;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};

use self::socket::{Activity, InFlight, Socket};
use super::request_handler::RequestHandler;

/// How long a connection keeps its buffers after a response, if few connections are busy.
const BUFFER_LINGER: Duration = Duration::from_secs(1);

/// If more connections than this are busy, an idle one releases its buffers at once.
const MAX_BUSY_WITH_IDLE_BUFFERS: usize = 256;

/// A longer part of a request is not kept for an idle connection if many are busy.
const MAX_KEPT: usize = 4 << 10;

/// How long a stopping service waits for the first request of a connection that it has just accepted.
const FIRST_REQUEST_TIMEOUT: Duration = Duration::from_millis(500);

/// How long closing a connection may take.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves the requests of a connection until the client closes it, breaks a limit, or `stopping` becomes true.
pub(super) async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    handler: Arc<RequestHandler>,
    mut stopping: watch::Receiver<bool>,
) {
    let mut unread = Bytes::new();
    let mut stream = stream;
    let mut is_first = true;
    loop {
        if !wait_for_request(&stream, &mut unread, peer, &handler, &mut stopping, is_first).await {
            return;
        }
        is_first = false;
        // Boxed, so that an idle connection doesn't keep the memory for a busy one.
        let serving = Box::pin(serve_until_idle(stream, unread, peer, &handler, &mut stopping));
        let turns = handler.connection_turns();
        match Box::pin(turns.run_while_busy(peer.ip(), || has_many_busy(&handler), serving)).await {
            Some((idle, rest)) => (stream, unread) = (idle, rest),
            None => return,
        }
    }
}

/// Waits for the client's next request. Returns false if the connection should be closed instead.
async fn wait_for_request(
    stream: &TcpStream,
    unread: &mut Bytes,
    peer: SocketAddr,
    handler: &RequestHandler,
    stopping: &mut watch::Receiver<bool>,
    is_first: bool,
) -> bool {
    if unread.len() > MAX_KEPT && !head::is_ready(unread) {
        return !has_many_busy(handler);
    }
    let limits = handler.limits();
    let request = async {
        if unread.is_empty() {
            // Right after it was accepted, a connection seems readable although nothing has arrived.
            let mut first = [0];
            let begins = stream.peek(&mut first);
            let begins = match limits.idle_timeout {
                Some(idle) => timeout(idle, begins).await.unwrap_or(Ok(0)),
                None => begins.await,
            };
            if !begins.is_ok_and(|bytes| bytes > 0) {
                return false;
            }
        }
        let head = head::wait_for_head(stream, unread, peer.ip(), handler.unfinished_heads());
        timeout(limits.header_timeout, head).await.is_ok_and(|arrived| arrived.is_ok())
    };
    let stopped = async {
        // An error means that the service has ended.
        let _ = stopping.wait_for(|stopping| *stopping).await;
        let wait = if is_first { FIRST_REQUEST_TIMEOUT } else { limits.last_request_timeout };
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    };
    tokio::select! {
        biased;
        arrived = request => arrived,
        () = stopped => false,
    }
}

fn has_many_busy(handler: &RequestHandler) -> bool {
    handler.counters().busy.now() > MAX_BUSY_WITH_IDLE_BUFFERS
}

/// Serves requests until the client sends nothing more for a moment. Returns the socket and the bytes read from it but
/// not used, or `None` if the connection is closed.
async fn serve_until_idle(
    stream: TcpStream,
    unread: Bytes,
    peer: SocketAddr,
    handler: &Arc<RequestHandler>,
    stopping: &mut watch::Receiver<bool>,
) -> Option<(TcpStream, Bytes)> {
    let busy = handler.counters().busy_connection();
    let activity = Arc::new(Activity::default());
    let socket = Socket::new(stream, unread, Arc::clone(&activity), handler.limits().stall_timeout);
    let (seen, shared) = (Arc::clone(&activity), Arc::clone(handler));
    let service = service_fn(move |request| {
        let in_flight = InFlight::start(&seen);
        let handler = Arc::clone(&shared);
        let activity = Arc::clone(&seen);
        let respond = async move {
            while activity.has_responded_in_turn() {
                // Pipelining: other connections of this thread get a turn.
                tokio::task::yield_now().await;
            }
            let response = handler.respond(request, peer.ip()).await;
            Ok::<_, Infallible>(response.map(|body| in_flight.with(body)))
        };
        Box::pin(respond) as Pin<Box<dyn Future<Output = Result<Response<socket::Tracked>, Infallible>> + Send>>
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(handler.limits().header_timeout)
        .max_buf_size(head::MAX_HEADERS)
        .serve_connection(TokioIo::new(socket), service);
    let mut linger = None;
    let mut idle_since = None;
    let mut stopped = Box::pin(async {
        // An error means that the service has ended.
        let _ = stopping.wait_for(|stopping| *stopping).await;
    });
    let mut is_stopping = false;
    let is_closed = poll_fn(|context| {
        activity.begin_turn();
        is_stopping = is_stopping || stopped.as_mut().poll(context).is_ready();
        if let Poll::Ready(result) = connection.poll_without_shutdown(context) {
            if let Err(error) = result {
                tracing::debug!(%error, "a connection failed");
            }
            return Poll::Ready(true);
        }
        if !activity.is_idle() {
            idle_since = None;
            return Poll::Pending;
        }
        if is_stopping {
            // The next request may be on its way. Its response says that the connection is closed.
            return Poll::Ready(false);
        }
        if has_many_busy(handler) {
            return Poll::Ready(false);
        }
        let release_at = *idle_since.get_or_insert_with(Instant::now) + BUFFER_LINGER;
        let timer = linger.get_or_insert_with(|| Box::pin(sleep_until(release_at)));
        // The timer runs on while requests arrive, so that they don't restart it.
        while timer.as_mut().poll(context).is_ready() {
            if timer.deadline() >= release_at {
                return Poll::Ready(false);
            }
            timer.as_mut().reset(release_at);
        }
        Poll::Pending
    })
    .await;
    drop(busy);
    let parts = connection.into_parts();
    let mut socket = parts.io.into_inner();
    if is_closed {
        // Either the client has also closed it, or it has a moment to read the end of the response.
        let _ = timeout(CLOSE_TIMEOUT, socket.shutdown()).await;
        return None;
    }
    Some((socket.into_stream(), shrunk(&parts.read_buf)))
}

/// Copies the bytes into a buffer of their size: even empty, hyper's buffer keeps its capacity.
fn shrunk(buffer: &Bytes) -> Bytes {
    Bytes::copy_from_slice(buffer)
}

#[cfg(test)]
mod tests {
    use axum::body::Bytes;

    use super::*;
    use crate::service::http;
    use crate::service::options::Options;

    #[tokio::test]
    async fn idle_connection_holds_no_buffer() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (client, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
        let (_client, (stream, peer)) = (client.unwrap(), accepted.unwrap());
        let ((_drain, draining), (_stop, stopping)) = (watch::channel(false), watch::channel(false));
        let handler = http::handler(&Options::default(), Arc::default(), None, draining, stopping.clone());
        let serving = serve(stream, peer, Arc::new(handler), stopping);
        assert!(size_of_val(&serving) <= 1 << 10, "{}", size_of_val(&serving));
    }

    #[test]
    fn idle_connection_frees_its_capacity() {
        let capacity = |bytes: Bytes| bytes.try_into_mut().unwrap().capacity();
        let buffer = |text: &[u8]| {
            let mut buffer = Vec::with_capacity(8192);
            buffer.extend_from_slice(text);
            Bytes::from(buffer)
        };
        assert_eq!(capacity(buffer(b"")), 8192);
        assert_eq!(shrunk(&buffer(b"")), b"".as_slice());
        assert!(shrunk(&buffer(b"")).try_into_mut().is_err(), "it has no allocation");
        assert_eq!(capacity(shrunk(&buffer(b"GET /"))), 5);
    }
}
