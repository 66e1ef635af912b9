//! Binds, runs and stops the service.

use std::future::poll_fn;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use futures_util::FutureExt as _;
use socket2::{Domain, Protocol, Socket, Type};
use tokio::net::TcpStream;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};
use tokio::time::{Instant, timeout};

use super::counters::Counters;
use super::fair_share::FairShare;
use super::options::Options;
use super::{connection, http};

/// Connections that wait to be accepted. The system may allow fewer.
const BACKLOG: i32 = 4096;

/// Connections that are accepted but not yet polled. More would delay the requests of those that are open: accepting
/// one and the first part of its response take about 50 µs.
const MAX_UNPOLLED: usize = 4;

/// Bytes of a response that the system takes beyond what it has sent. By default it takes up to 4 MB for each client
/// that reads slowly, whose copying delays others.
#[cfg(target_os = "linux")]
const MAX_UNSENT: u32 = 128 << 10;

/// How long a stopping service keeps sending 503 to the requests that it cancelled.
const FINAL_RESPONSE_TIMEOUT: Duration = Duration::from_millis(500);

/// Pause after a failure of the listener, such as too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Pause between two warnings with the same cause.
const WARNING_PAUSE: Duration = Duration::from_mins(1);

/// Nice value added to the threads that compute responses.
#[cfg(target_os = "linux")]
const NICE: i32 = 5;

/// Why the service failed to start or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is in use.
    #[error("{0} is in use by another program; choose another port, or 0 for any free port")]
    AddressInUse(SocketAddr),
    /// The address is not one of this machine's, or the port is reserved.
    #[error("can't listen on {address}: {cause}; choose another address or port")]
    Bind {
        /// The requested address.
        address: SocketAddr,
        /// The system's error.
        cause: io::Error,
    },
    /// The system clock is before 1970, which hyper can't write into the `Date` header.
    #[error("can't start the service: the clock is before 1970 (check the system clock)")]
    Clock,
    /// The thread or its async runtime could not be started.
    #[error("can't start the service ({0})")]
    Start(io::Error),
    /// The service failed while running.
    #[error("the service stopped ({0})")]
    Stopped(io::Error),
}

/// A service running on a separate thread. Dropping it stops the service: it accepts no new connections, and requests
/// in progress have [`Options::grace`] to finish.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    counters: Arc<Counters>,
    stop: Option<oneshot::Sender<()>>,
    runtime: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// The address the service listens on, with the actual port if port 0 was requested.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL of both groups, without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Runs work on the service's thread.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(work);
    }

    /// The number of requests received so far, including those with injected faults.
    pub fn requests(&self) -> u64 {
        self.counters.requests.load(Ordering::Relaxed)
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        self.counters.connections.now()
    }

    /// The number of connections with a request or its buffers.
    pub fn busy_connections(&self) -> usize {
        self.counters.busy.now()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // An error means that the service has already stopped.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            // The panic hook has already reported a panic of that thread.
            let _ = thread.join();
        }
    }
}

/// Binds the address, starts the service on a separate thread, and returns.
///
/// # Errors
/// The address can't be bound, or the thread can't be started.
pub fn start(options: Options) -> Result<Running, Error> {
    let listener = bind(options.listen)?;
    let address = listener.local_addr().map_err(Error::Start)?;
    let counters = Arc::<Counters>::default();
    let (stop, stopped) = oneshot::channel::<()>();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Start)?;
    let (counter, handle) = (Arc::clone(&counters), runtime.handle().clone());
    let thread = std::thread::Builder::new()
        .name(String::from("service"))
        .spawn(move || {
            let shutdown = async {
                // A dropped sender also means stop.
                let _ = stopped.await;
            };
            if let Err(error) = runtime.block_on(run(listener, options, counter, shutdown)) {
                tracing::error!(%error, "the embedded service ended");
            }
        })
        .map_err(Error::Start)?;
    Ok(Running { address, counters, stop: Some(stop), runtime: handle, thread: Some(thread) })
}

/// Runs the service until `shutdown` completes. Calls `announce` with the bound address first.
///
/// # Errors
/// The address can't be bound, or the service fails while running.
pub async fn serve(
    options: Options,
    announce: impl FnOnce(SocketAddr),
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    let listener = bind(options.listen)?;
    announce(listener.local_addr().map_err(Error::Start)?);
    run(listener, options, Arc::default(), shutdown).await
}

fn bind(address: SocketAddr) -> Result<TcpListener, Error> {
    check_clock(SystemTime::now())?;
    let listener = listen(address).map_err(|cause| match cause.kind() {
        io::ErrorKind::AddrInUse => Error::AddressInUse(address),
        _ => Error::Bind { address, cause },
    })?;
    listener.set_nonblocking(true).map_err(Error::Start)?;
    Ok(listener)
}

/// Listens like the standard library, but with a longer backlog.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    // Accepted connections inherit it. Without it, they only take more memory.
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_notsent_lowat(MAX_UNSENT);
    Ok(socket.into())
}

fn check_clock(now: SystemTime) -> Result<(), Error> {
    if now < SystemTime::UNIX_EPOCH { Err(Error::Clock) } else { Ok(()) }
}

async fn run(
    listener: TcpListener,
    options: Options,
    counters: Arc<Counters>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(Error::Start)?;
    let workers = WorkerThreads::start(options.worker_threads).map_err(Error::Start)?;
    let (draining, is_draining) = watch::channel(false);
    let (stopping, is_stopping) = watch::channel(false);
    let handler = Arc::new(http::handler(&options, counters, workers.handle(), is_draining, is_stopping.clone()));
    let shares = FairShare::new(options.limits.max_connections);
    let mut refused_at = None;
    let (connection, mut all_closed) = mpsc::channel::<()>(1);
    let mut open = |(stream, peer): (TcpStream, SocketAddr), permit: Option<OwnedSemaphorePermit>| {
        let Some(share) = shares.take(peer.ip(), 1) else {
            if is_due(&mut refused_at) {
                let (of_client, all) = shares.used_by(peer.ip());
                tracing::warn!(client = %peer.ip(), of_client, all, "closed a connection: too many are open");
            }
            return;
        };
        let (handler, is_stopping, connection) = (Arc::clone(&handler), is_stopping.clone(), connection.clone());
        let open = handler.counters().open_connection();
        tokio::spawn(async move {
            let mut serving = pin!(connection::serve(stream, peer, handler, is_stopping));
            let first_poll = poll_fn(|context| Poll::Ready(serving.as_mut().poll(context))).await;
            drop(permit);
            if first_poll.is_pending() {
                serving.await;
            }
            drop((share, open, connection));
        });
    };
    let drained = async {
        shutdown.await;
        draining.send_replace(true);
        if handler.counters().health_checks.load(Ordering::Relaxed) > 0 {
            tokio::time::sleep(options.drain).await;
        }
    };
    let mut failed_at = None;
    let new = Arc::new(Semaphore::new(MAX_UNPOLLED));
    let accepting = async {
        loop {
            // The semaphore is never closed.
            let permit = Arc::clone(&new).acquire_owned().await.ok();
            open(accept(&listener, &mut failed_at).await, permit);
        }
    };
    tokio::select! {
        () = accepting => {}
        () = drained => {}
    }
    // Clients that have already connected get their responses.
    while let Some(Ok(connected)) = listener.accept().now_or_never() {
        open(connected, None);
    }
    drop(listener);
    stopping.send_replace(true);
    drop(connection);
    // Nothing is sent: the channel closes with the last connection.
    let is_late = timeout(options.grace, all_closed.recv()).await.is_err();
    if is_late && workers.0.is_some() {
        // Requests that take longer get 503.
        drop(workers);
        let _ = timeout(FINAL_RESPONSE_TIMEOUT, all_closed.recv()).await;
    }
    if let Some(shared) = &options.shared {
        shared.leave().await;
    }
    Ok(())
}

/// Accepts the next connection, despite errors of others.
async fn accept(listener: &tokio::net::TcpListener, failed_at: &mut Option<Instant>) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Without it, responses are only slower.
                let _ = stream.set_nodelay(true);
                return (stream, peer);
            }
            Err(error) if is_connection_error(&error) => {}
            Err(error) => {
                if is_due(failed_at) {
                    tracing::warn!(%error, "can't accept connections");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Whether the last warning was long ago. If so, the next one is sent now.
fn is_due(warned_at: &mut Option<Instant>) -> bool {
    let is_due = warned_at.is_none_or(|at| at.elapsed() >= WARNING_PAUSE);
    if is_due {
        *warned_at = Some(Instant::now());
    }
    is_due
}

/// Whether only the new connection failed, not the listener.
fn is_connection_error(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The threads that compute responses, if any.
struct WorkerThreads(Option<Runtime>);

impl WorkerThreads {
    fn start(threads: usize) -> io::Result<WorkerThreads> {
        if threads == 0 {
            return Ok(WorkerThreads(None));
        }
        let mut builder = tokio::runtime::Builder::new_multi_thread();
        // While as many requests compute as there are turns, one more thread lets the others queue by client.
        builder.worker_threads(threads + 1).thread_name("worker").enable_all().on_thread_start(lower_thread_priority);
        builder.build().map(|runtime| WorkerThreads(Some(runtime)))
    }

    fn handle(&self) -> Option<Handle> {
        self.0.as_ref().map(|runtime| runtime.handle().clone())
    }
}

impl Drop for WorkerThreads {
    fn drop(&mut self) {
        // A runtime can't wait for its threads here.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Lowers the priority of this thread, so that cached responses don't wait for computed ones.
fn lower_thread_priority() {
    // On other systems, it would lower the priority of the process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "can't lower the priority of a thread");
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use parking_lot::Mutex;

    use super::*;
    use crate::service::client_turns::ClientTurns;

    #[test]
    fn clock_before_1970_is_an_error() {
        let error = check_clock(SystemTime::UNIX_EPOCH - Duration::from_secs(1)).unwrap_err();
        assert!(error.to_string().contains("the clock is before 1970"), "{error}");
        assert!(check_clock(SystemTime::UNIX_EPOCH).is_ok());
    }

    #[test]
    fn requests_queue_by_client_while_another_one_is_computed() {
        let threads = WorkerThreads::start(1).unwrap();
        let runtime = threads.handle().unwrap();
        let (turns, served) = (ClientTurns::new(1), Arc::new(Mutex::new(Vec::new())));
        let (begun, has_begun) = std::sync::mpsc::channel();
        let (finish, may_finish) = std::sync::mpsc::channel::<()>();
        let [busy, other] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        runtime.spawn(turns.run(busy, async move {
            begun.send(()).unwrap();
            // An error means that the test has failed.
            let _ = may_finish.recv();
        }));
        has_begun.recv().unwrap();
        let clients = [vec![busy; 20], vec![other]].concat();
        let requests: Vec<_> = clients
            .iter()
            .map(|client| {
                let (client, served) = (*client, Arc::clone(&served));
                runtime.spawn(turns.run(client, async move { served.lock().push(client) }))
            })
            .collect();
        while turns.waiting() < requests.len() {
            std::thread::yield_now();
        }
        finish.send(()).unwrap();
        for request in requests {
            runtime.block_on(request).unwrap();
        }
        assert_eq!(served.lock()[..3], [busy, other, busy]);
    }
}
