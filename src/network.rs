//! The network thread: client, fetch task and, if needed, the embedded service. It never blocks the event loop.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};

use crate::client::{self, Client, Group};
use crate::clock::Clock;
use crate::config::{self, Settings};
use crate::fetch::{self, Event, Inbox};
use crate::model::ProviderName;
use crate::service;
use crate::service::gateway::Gateway;
use crate::store::SharedDatabase;
use crate::user_data::SourceChoices;

/// Maximum threads for blocking work. The system's host name lookup can't be cancelled and may hang for half a minute,
/// so there are enough threads for new lookups while the cancelled lookups of a few screens hang. A waiting thread
/// takes about 20 KiB.
const BLOCKING_THREADS: usize = 8 * fetch::MAX_PER_HOST;

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

/// A command about the providers of live data. Ignored if the embedded service has none.
#[derive(Debug)]
pub enum SourceCommand {
    /// Apply the user's choice of providers.
    Apply(SourceChoices),
    /// Close the exchange's socket at once, and report when it is closed; the program is about to be suspended.
    Suspend(oneshot::Sender<()>),
    /// The program continues.
    Resume,
    /// Send one request to a provider, and return its latency or why it doesn't work.
    Test(ProviderName, oneshot::Sender<Result<Duration, String>>),
}

/// Starts the network thread; the embedded service counts its requests in `store`. It ends when the other end of
/// `inbox` is dropped, or with an [`Error`] when it fails to start.
///
/// # Errors
/// The thread can't be started.
pub fn start(
    settings: Settings,
    store: SharedDatabase,
    inbox: Inbox,
    commands: mpsc::UnboundedReceiver<SourceCommand>,
    events: mpsc::Sender<Event>,
) -> io::Result<JoinHandle<Result<(), Error>>> {
    thread::Builder::new().name(String::from("network")).spawn(move || {
        let runtime = build_runtime().map_err(Error::Runtime)?;
        let result = runtime.block_on(run(settings, store, inbox, commands, events));
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
    commands: mpsc::UnboundedReceiver<SourceCommand>,
    events: mpsc::Sender<Event>,
) -> Result<(), Error> {
    let gateway = settings.live_gateway(&store).filter(|_| settings.needs_service());
    let embedded =
        if settings.needs_service() { Some(service::start(config::service_options(gateway.as_ref()))?) } else { None };
    let url = embedded.as_ref().map(service::Running::url).unwrap_or_default();
    let client = Client::new(settings.client_config(&url))?;
    let may_have_prices = settings.is_live(Group::Market) || settings.url(Group::Market).is_some();
    let prices = fetch::run_prices(client.clone(), Clock::System, inbox.demand(), events.clone());
    let requests = fetch::run(client, Clock::System, settings.fetch_settings(), events, inbox);
    let sources = async {
        if let (Some(gateway), Some(embedded)) = (&gateway, &embedded) {
            run_commands(commands, settings.clone(), gateway, embedded).await;
        }
        std::future::pending().await
    };
    let prices = async {
        if may_have_prices {
            prices.await;
        }
        // The service has no live prices.
        std::future::pending().await
    };
    tokio::select! {
        biased;
        // First, so that a refresh after a choice uses it.
        () = sources => {}
        () = prices => {}
        () = requests => {}
    }
    Ok(())
}

/// Runs commands until their sender is dropped.
async fn run_commands(
    mut commands: mpsc::UnboundedReceiver<SourceCommand>,
    mut settings: Settings,
    gateway: &Gateway,
    embedded: &service::Running,
) {
    while let Some(command) = commands.recv().await {
        match command {
            SourceCommand::Apply(choices) => {
                settings.sources = choices;
                gateway.set_order(&settings.live_settings());
            }
            SourceCommand::Suspend(reply) => {
                gateway.suspend_streams().await;
                // The receiver is gone if it took too long.
                let _ = reply.send(());
            }
            SourceCommand::Resume => gateway.resume_streams(),
            SourceCommand::Test(name, reply) => {
                let gateway = gateway.clone();
                embedded.spawn(async move {
                    // The receiver is gone while quitting.
                    let _ = reply.send(gateway.test_source(name).await);
                });
            }
        }
    }
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
            let line = std::sync::Arc::new(parking_lot::Mutex::new(line));
            for _ in 0..3 * fetch::MAX_PER_HOST {
                let line = std::sync::Arc::clone(&line);
                tokio::task::spawn_blocking(move || line.lock().recv());
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
