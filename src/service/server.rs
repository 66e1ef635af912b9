//! Binding, running, stopping.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::sync::oneshot;

use super::http;
use super::options::Options;
use super::shared::Shared;

/// How long requests under way may take to end after the service was told to stop.
const GRACE: Duration = Duration::from_millis(250);

/// Why the service did not start or ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another program listens there.
    #[error("{0} is in use by another program; choose another port, or port 0 for any free one")]
    AddressInUse(SocketAddr),
    /// The address is not one of this machine's, or the port is reserved.
    #[error("cannot listen on {address}: {cause}; choose another address")]
    Bind {
        /// What was asked for.
        address: SocketAddr,
        /// What the system says.
        cause: io::Error,
    },
    /// The system gave no thread or no event queue.
    #[error("cannot start the service: {0}")]
    Start(io::Error),
    /// It stopped while it ran.
    #[error("the service stopped: {0}")]
    Stopped(io::Error),
}

/// A service that runs on a thread of its own. Dropping it stops the service: no new connections, and what is under
/// way has a quarter of a second to end.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    requests: Arc<AtomicU64>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// Where it listens; the port is a real one even if 0 was asked for.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The base URL of both groups, without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Requests answered so far, the misbehaved ones among them.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // An error means that the service has already ended.
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            // A panic there was already reported by the panic hook.
            let _ = thread.join();
        }
    }
}

/// Starts the service on a thread of its own and returns at once: the port is already bound.
///
/// # Errors
/// The address cannot be bound, or there is no thread to be had.
pub fn start(options: Options) -> Result<Running, Error> {
    let listener = bind(options.listen)?;
    let address = listener.local_addr().map_err(Error::Start)?;
    let requests = Arc::new(AtomicU64::new(0));
    let (stop, stopped) = oneshot::channel::<()>();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Start)?;
    let counter = Arc::clone(&requests);
    let thread = std::thread::Builder::new()
        .name(String::from("service"))
        .spawn(move || {
            let shutdown = async {
                // A dropped sender means the same as a message.
                let _ = stopped.await;
            };
            if let Err(error) = runtime.block_on(run(listener, options, counter, shutdown)) {
                tracing::error!(%error, "the embedded service ended");
            }
        })
        .map_err(Error::Start)?;
    Ok(Running { address, requests, stop: Some(stop), thread: Some(thread) })
}

/// Runs the service until `shutdown` is done. `announce` is told the address as soon as it is bound.
///
/// # Errors
/// The address cannot be bound.
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
    let listener = TcpListener::bind(address).map_err(|cause| match cause.kind() {
        io::ErrorKind::AddrInUse => Error::AddressInUse(address),
        _ => Error::Bind { address, cause },
    })?;
    listener.set_nonblocking(true).map_err(Error::Start)?;
    Ok(listener)
}

async fn run(
    listener: TcpListener,
    options: Options,
    requests: Arc<AtomicU64>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(Error::Start)?;
    let router = http::router(&options, Shared::new(&options), requests);
    let (asked, was_asked) = oneshot::channel::<()>();
    let graceful = axum::serve(listener, router).with_graceful_shutdown(async move {
        shutdown.await;
        // Nobody listens any more if the server has already ended.
        let _ = asked.send(());
    });
    let overdue = async {
        match was_asked.await {
            Ok(()) => tokio::time::sleep(GRACE).await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = graceful => ended.map_err(Error::Stopped),
        () = overdue => Ok(()),
    }
}
