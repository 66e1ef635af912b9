//! Binds, runs and stops the service.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use super::http;
use super::options::Options;

/// How long requests in progress may take to finish after the service is asked to stop.
const GRACE: Duration = Duration::from_millis(250);

/// Why the service failed to start or stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is in use.
    #[error("{0} is in use by another program; choose another port, or 0 for any free port")]
    AddressInUse(SocketAddr),
    /// The address is not one of this machine's, or the port is reserved.
    #[error("can't listen on {address} ({cause}); choose another address")]
    Bind {
        /// The requested address.
        address: SocketAddr,
        /// The system's error.
        cause: io::Error,
    },
    /// The system clock is before 1970, which hyper can't write into the `Date` header.
    #[error("can't start the service: the clock is before 1970; set the clock, then try again")]
    Clock,
    /// The thread or its async runtime could not be started.
    #[error("can't start the service ({0})")]
    Start(io::Error),
    /// The service failed while running.
    #[error("the service stopped ({0})")]
    Stopped(io::Error),
}

/// A service running on a separate thread. Dropping it stops the service: it accepts no new connections, and requests
/// in progress have 250 ms to finish.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    requests: Arc<AtomicU64>,
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
        self.requests.load(Ordering::Relaxed)
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
    let requests = Arc::new(AtomicU64::new(0));
    let (stop, stopped) = oneshot::channel::<()>();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Error::Start)?;
    let (counter, handle) = (Arc::clone(&requests), runtime.handle().clone());
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
    Ok(Running { address, requests, stop: Some(stop), runtime: handle, thread: Some(thread) })
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
    let listener = TcpListener::bind(address).map_err(|cause| match cause.kind() {
        io::ErrorKind::AddrInUse => Error::AddressInUse(address),
        _ => Error::Bind { address, cause },
    })?;
    listener.set_nonblocking(true).map_err(Error::Start)?;
    Ok(listener)
}

fn check_clock(now: SystemTime) -> Result<(), Error> {
    if now < SystemTime::UNIX_EPOCH { Err(Error::Clock) } else { Ok(()) }
}

async fn run(
    listener: TcpListener,
    options: Options,
    requests: Arc<AtomicU64>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Error> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(Error::Start)?;
    let (stopping, mut is_stopping) = watch::channel(false);
    let router = http::router(&options, requests, is_stopping.clone());
    let graceful = axum::serve(listener, router).with_graceful_shutdown(async move {
        shutdown.await;
        stopping.send_replace(true);
    });
    let overdue = async {
        let has_stopped = is_stopping.wait_for(|stopping| *stopping).await.is_ok();
        match has_stopped {
            true => tokio::time::sleep(GRACE).await,
            false => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = graceful => ended.map_err(Error::Stopped),
        () = overdue => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_before_1970_is_an_error() {
        let error = check_clock(SystemTime::UNIX_EPOCH - Duration::from_secs(1)).unwrap_err();
        assert!(error.to_string().contains("the clock is before 1970"), "{error}");
        assert!(check_clock(SystemTime::UNIX_EPOCH).is_ok());
    }
}
