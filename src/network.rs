//! The network thread: the embedded service where it is needed, the client, and the fetch task. The loop that paints
//! never waits for any of it.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use crate::client::{self, Client};
use crate::clock::Clock;
use crate::config::Settings;
use crate::fetch::{self, Event, Inbox};
use crate::service;

/// Threads for what cannot be done without waiting: the system's lookup of host names, which nobody can cancel and
/// which may hang for half a minute. So many that the hanging lookups of a few screens, all of whose requests were
/// given up, leave room for more. A thread that waits takes some 20 KiB.
const BLOCKING: usize = 8 * fetch::PER_HOST;

/// A thread that has nothing to do ends after this.
const IDLE: Duration = Duration::from_secs(2);

/// Why the thread could not begin its work; one sentence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The system gives no event queue.
    #[error("the system gives no event queue ({0})")]
    Queue(io::Error),
    /// The embedded service did not start.
    #[error(transparent)]
    Service(#[from] service::Error),
    /// The configuration makes no client.
    #[error(transparent)]
    Client(#[from] client::Error),
}

/// Starts the thread. It ends when the other end of the inbox is dropped, or when it cannot begin its work; then
/// joining it tells why, and no more events come.
///
/// # Errors
/// The system gives no thread.
pub fn start(
    settings: Settings,
    inbox: Inbox,
    events: mpsc::Sender<Event>,
) -> io::Result<JoinHandle<Result<(), Error>>> {
    thread::Builder::new().name(String::from("network")).spawn(move || {
        let runtime = runtime().map_err(Error::Queue)?;
        let done = runtime.block_on(work(settings, inbox, events));
        // A decoder that is still busy with an answer that nobody waits for must not delay the end.
        runtime.shutdown_background();
        done
    })
}

fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING)
        .thread_keep_alive(IDLE)
        .build()
}

async fn work(settings: Settings, inbox: Inbox, events: mpsc::Sender<Event>) -> Result<(), Error> {
    let embedded = match settings.needs_service() {
        true => Some(service::start(service::Options::default())?),
        false => None,
    };
    let url = embedded.as_ref().map(service::Running::url).unwrap_or_default();
    let client = Client::new(settings.client_config(&url))?;
    let tuning = fetch::Settings { freshness: settings.fetch_freshness(), ..fetch::Settings::default() };
    fetch::run(client, Clock::System, tuning, events, inbox).await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::{ClientConfig, Request};
    use crate::model::{Currency, Tag};

    #[test]
    fn large_answers_are_decoded_while_every_lookup_hangs() {
        let service = service::start(service::Options::default()).expect("a service");
        let runtime = runtime().expect("a runtime");
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
        let reply = reply.expect("decoded in time").expect("an answer");
        assert!(reply.bytes > 64 * 1024, "{} bytes are decoded without a thread", reply.bytes);
    }
}
