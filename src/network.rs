//! The network thread: client, fetch task and, if needed, the embedded service. It never blocks the event loop.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use crate::client::{self, Client, Group};
use crate::clock::Clock;
use crate::config::Settings;
use crate::fetch::{self, Event, Inbox};
use crate::service;
use crate::store::SharedDatabase;

/// Maximum threads for blocking work. The system's host name lookup can't be cancelled and may hang for half a minute,
/// so there are enough threads for new lookups while those of a few screens' cancelled requests hang. A waiting thread
/// takes about 20 KiB.
const BLOCKING_THREADS: usize = 8 * fetch::PER_HOST;

/// How long an idle thread is kept.
const KEEP_ALIVE: Duration = Duration::from_secs(2);

/// Why the network thread failed to start, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The async runtime can't be started.
    #[error("can't start the async runtime ({0})")]
    Runtime(io::Error),
    /// The embedded service failed to start.
    #[error(transparent)]
    Service(#[from] service::Error),
    /// The client can't be configured.
    #[error(transparent)]
    Client(#[from] client::Error),
}

/// Starts the network thread; the embedded service counts its requests in `store`. It ends when the other end of `inbox` is dropped, or with an [`Error`] when it
/// fails to start.
///
/// # Errors
/// The thread can't be started.
pub fn start(
    settings: Settings,
    store: SharedDatabase,
    inbox: Inbox,
    events: mpsc::Sender<Event>,
) -> io::Result<JoinHandle<Result<(), Error>>> {
    thread::Builder::new().name(String::from("network")).spawn(move || {
        let runtime = build_runtime().map_err(Error::Runtime)?;
        let result = runtime.block_on(run(settings, store, inbox, events));
        // Don't wait for decoders of responses that are no longer needed.
        runtime.shutdown_background();
        result
    })
}

fn build_runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS)
        .thread_keep_alive(KEEP_ALIVE)
        .build()
}

async fn run(
    settings: Settings,
    store: SharedDatabase,
    inbox: Inbox,
    events: mpsc::Sender<Event>,
) -> Result<(), Error> {
    let embedded = match settings.needs_service() {
        true => Some(service::start(settings.service_options(&store))?),
        false => None,
    };
    let url = embedded.as_ref().map(service::Running::url).unwrap_or_default();
    let client = Client::new(settings.client_config(&url))?;
    let may_have_prices = settings.is_live(Group::Market) || settings.url(Group::Market).is_some();
    let prices = fetch::run_prices(client.clone(), Clock::System, inbox.demand(), events.clone());
    let requests = fetch::run(client, Clock::System, settings.fetch_settings(), events, inbox);
    tokio::pin!(prices);
    tokio::pin!(requests);
    tokio::select! {
        () = &mut requests => {}
        // The service has no live prices.
        () = &mut prices, if may_have_prices => requests.await,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{ClientConfig, Request};
    use crate::model::{Currency, Tag};

    #[test]
    fn large_response_is_decoded_while_lookups_hang() {
        let service = service::start(service::Options::default()).expect("a service");
        let runtime = build_runtime().expect("a runtime");
        let reply = runtime.block_on(async {
            let (hang_up, line) = std::sync::mpsc::channel::<()>();
            let line = std::sync::Arc::new(std::sync::Mutex::new(line));
            for _ in 0..3 * fetch::PER_HOST {
                let line = std::sync::Arc::clone(&line);
                tokio::task::spawn_blocking(move || line.lock().expect("a line").recv());
            }
            let client = Client::new(ClientConfig::at(&service.url())).expect("a client");
            let request = Request::Coins { tag: Tag::All, start: 1, limit: 500, convert: Currency::usd() };
            let reply = tokio::time::timeout(Duration::from_secs(60), client.get(&request, None)).await;
            drop(hang_up);
            reply
        });
        runtime.shutdown_background();
        let reply = reply.expect("decoded in time").expect("a response");
        assert!(reply.bytes > 64 * 1024, "{} bytes are decoded without a thread", reply.bytes);
    }
}
