//! The embedded service of a command. All of its connections use the same one, so that data loaded for one of them is
//! not requested from a provider again.

use parking_lot::Mutex;

use super::failure::Failure;
use crate::config::{self, Settings};
use crate::model::{Coin, Text};
use crate::service::gateway::Gateway;
use crate::service::{self, Running, TimeSource};

/// The service, once a connection has needed it.
static RUNNING: Mutex<Option<Embedded>> = Mutex::new(None);

struct Embedded {
    service: Running,
    /// The gateway of the service, if it has live data.
    gateway: Option<Gateway>,
}

/// The URL of the service, which is started if it isn't running. The settings of a command don't change.
///
/// # Errors
/// It can't be started.
pub(super) fn url(settings: &Settings) -> Result<String, Failure> {
    let mut running = RUNNING.lock();
    if let Some(Embedded { service, .. }) = &*running {
        return Ok(service.url());
    }
    let gateway = settings.source.live.then(|| settings.gateway(TimeSource::system(), &settings.store()));
    let service = service::start(config::service_options(gateway.as_ref()))?;
    Ok(running.insert(Embedded { service, gateway }).service.url())
}

/// The coin of a slug that the running service knows without a request, see [`Gateway::known_coin`]. `None` if its data
/// is simulated.
pub(super) fn known_coin(slug: &Text) -> Option<Coin> {
    RUNNING.lock().as_ref()?.gateway.as_ref()?.known_coin(slug)
}

/// Stops the service when it is dropped, at the end of the command.
pub(super) struct StopAtEnd;

impl Drop for StopAtEnd {
    fn drop(&mut self) {
        let service = RUNNING.lock().take();
        drop(service);
    }
}
