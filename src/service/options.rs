//! What the service is told at its start.

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use super::Misbehaviour;
use crate::model::UtcTime;

/// How the service runs. The default is what the embedded one uses: any free loopback port, the computer's clock.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Which of the possible worlds is simulated: the same seed and time give the same answers, byte for byte.
    pub seed: u64,
    /// Where the time comes from.
    pub time: TimeSource,
    /// How long every answer says that it holds, whole seconds; `None`: as long as the interface says.
    pub max_age: Option<Duration>,
    /// What goes wrong on purpose.
    pub misbehaviour: Misbehaviour,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            seed: 21_000_000,
            time: TimeSource::system(),
            max_age: None,
            misbehaviour: Misbehaviour::default(),
        }
    }
}

/// A source of the current time that can be shared between threads: the computer's clock, or what a test says.
#[derive(Clone)]
pub struct TimeSource(Arc<dyn Fn() -> UtcTime + Send + Sync>);

impl TimeSource {
    /// The computer's clock.
    pub fn system() -> TimeSource {
        TimeSource::from_fn(UtcTime::now)
    }

    /// Always `time`.
    pub fn fixed(time: UtcTime) -> TimeSource {
        TimeSource::from_fn(move || time)
    }

    /// Whatever `now` answers.
    pub fn from_fn(now: impl Fn() -> UtcTime + Send + Sync + 'static) -> TimeSource {
        TimeSource(Arc::new(now))
    }

    /// The current time.
    pub fn now(&self) -> UtcTime {
        (self.0)()
    }
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TimeSource({})", self.now())
    }
}
