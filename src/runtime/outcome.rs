//! How the dashboard ends: its errors, and why it quit.

use std::io;

use crate::network;

/// Why the dashboard failed, as one sentence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The terminal can't be set up, read or written.
    #[error("can't use the terminal ({0})")]
    Terminal(io::Error),
    /// The system denies a resource: an event queue, a timer, a thread.
    #[error("{what} ({source}); check ulimit -a")]
    System {
        /// What failed.
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The network thread failed to start.
    #[error(transparent)]
    Network(network::Error),
    /// Changes by the user are lost, in one sentence.
    #[error("{0}")]
    NotSaved(String),
    /// A bug: a thread panicked, or a task ended early.
    #[error("internal error ({0}); please report it")]
    Internal(String),
}

impl Error {
    pub(super) fn system(what: &'static str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::System { what, source }
    }
}

/// How the dashboard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The user quit.
    Quit,
    /// A signal with this number.
    Signal(u8),
}
