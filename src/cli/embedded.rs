//! The embedded service of a command. All of its connections use the same one, so that data loaded for one of them is
//! not requested from a provider again.

use parking_lot::Mutex;

use super::failure::Failure;
use crate::config::Settings;
use crate::service::{self, Running};

/// The service, once a connection has needed it.
static RUNNING: Mutex<Option<Running>> = Mutex::new(None);

/// The URL of the service, which is started if it isn't running. The settings of a command don't change.
///
/// # Errors
/// It can't be started.
pub(super) fn url(settings: &Settings) -> Result<String, Failure> {
    let mut running = RUNNING.lock();
    if let Some(service) = &*running {
        return Ok(service.url());
    }
    let service = service::start(settings.service_options(&settings.store()))?;
    Ok(running.insert(service).url())
}

/// Stops the service when it is dropped, at the end of the command.
pub(super) struct StopAtEnd;

impl Drop for StopAtEnd {
    fn drop(&mut self) {
        let service = RUNNING.lock().take();
        drop(service);
    }
}
