//! Limits that keep one client from harming others.

use std::num::NonZeroU32;
use std::time::Duration;

/// Limits on a client's use of the service. The defaults are for the embedded service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time to send the headers of a request, from their first byte.
    pub header_timeout: Duration,
    /// Time between two requests of a connection; `None` is unlimited, since the embedded service has only the
    /// dashboard as its client.
    pub idle_timeout: Option<Duration>,
    /// How long an idle connection may still send a request when the service stops: one already sent would be lost.
    pub last_request_timeout: Duration,
    /// Maximum time without progress on a response. After that, the client must have read at least
    /// [`Limits::MIN_RATE`] on average.
    pub stall_timeout: Duration,
    /// Maximum connections; one client gets at most half of them. Further ones are closed at once.
    pub max_connections: usize,
    /// Maximum bytes of large responses in memory, cached ones included. One client gets at most half of them. Further
    /// responses fail with 503.
    pub max_unread_bytes: usize,
    /// Maximum streams of live prices, at most half of them for one client. Further ones fail with 503.
    pub max_streams: usize,
    /// Requests per minute and client address; `None` is unlimited.
    pub requests_per_minute: Option<NonZeroU32>,
}

impl Limits {
    /// Minimum speed of a client that reads a response, in bytes per second.
    pub const MIN_RATE: u64 = 8 << 10;

    /// Limits of a service with many clients.
    pub fn standalone() -> Limits {
        Limits {
            idle_timeout: Some(Duration::from_mins(2)),
            last_request_timeout: Duration::from_millis(500),
            max_streams: 4_096,
            ..Limits::default()
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            header_timeout: Duration::from_secs(10),
            idle_timeout: None,
            last_request_timeout: Duration::ZERO,
            stall_timeout: Duration::from_secs(30),
            max_connections: usize::MAX,
            max_unread_bytes: 256 << 20,
            max_streams: 64,
            requests_per_minute: None,
        }
    }
}
