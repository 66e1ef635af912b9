//! The network thread: the embedded service where it is needed, the client, and the fetch task. The loop that paints
//! never waits for any of it.

use std::io;
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc;

use crate::client::Client;
use crate::clock::Clock;
use crate::config::Settings;
use crate::fetch::{self, Event, Inbox};
use crate::service;

/// Starts the thread. It ends when the other end of the inbox is dropped, or when it cannot begin its work; then
/// joining it gives one sentence, and no more events come.
///
/// # Errors
/// The system gives no thread.
pub fn start(
    settings: Settings,
    inbox: Inbox,
    events: mpsc::Sender<Event>,
) -> io::Result<JoinHandle<Result<(), String>>> {
    thread::Builder::new().name(String::from("network")).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(2)
            .build()
            .map_err(|error| format!("the system gives no event queue ({error})"))?;
        let done = runtime.block_on(work(settings, inbox, events));
        // A decoder that is still busy with an answer that nobody waits for must not delay the end.
        runtime.shutdown_background();
        done
    })
}

async fn work(settings: Settings, inbox: Inbox, events: mpsc::Sender<Event>) -> Result<(), String> {
    let embedded = match settings.needs_service() {
        true => Some(service::start(service::Options::default()).map_err(|error| error.to_string())?),
        false => None,
    };
    let url = embedded.as_ref().map(service::Running::url).unwrap_or_default();
    let client = Client::new(settings.client_config(&url)).map_err(|error| error.to_string())?;
    let tuning = fetch::Settings { freshness: settings.fetch_freshness(), ..fetch::Settings::default() };
    fetch::run(client, Clock::System, tuning, events, inbox).await;
    Ok(())
}
