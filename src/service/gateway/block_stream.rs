//! The state of the socket that announces new blocks.

use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::service::operation::{Key, Operation};
use crate::service::time_source::Moment;

/// The socket is closed if the newest block was not needed for this long.
pub(super) const LINGER: Duration = Duration::from_mins(3);

/// A silent socket gets a ping after this time.
pub(super) const PING_AFTER: Duration = Duration::from_secs(30);

/// A socket that stays silent this long after a ping is dead.
pub(super) const PONG_TIMEOUT: Duration = Duration::from_secs(10);

/// The state of the socket.
#[derive(Default)]
pub(super) struct BlockStream {
    state: Mutex<State>,
    /// Wakes the task when a poll found a block that the socket has not announced.
    pub(super) missed: Notify,
    /// Wakes the task when the user has changed the providers of blocks.
    pub(super) reordered: Notify,
}

#[derive(Default)]
pub(super) struct State {
    /// Whether a task keeps a socket open.
    pub(super) has_task: bool,
    /// When the newest block was last needed.
    pub(super) wanted_at: Option<Instant>,
    /// When the socket last delivered anything; `None` until it has announced a block.
    pub(super) heard_at: Option<Moment>,
    /// The height of its newest block.
    pub(super) height: u64,
    /// When a socket may be opened again after the server has refused one permanently.
    pub(super) refused_until: Option<Instant>,
}

impl BlockStream {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Whether the newest block of the socket is the newest one.
    pub(super) fn is_live(&self, now: Moment) -> bool {
        self.lock().heard_at.is_some_and(|at| now.since(at) <= PING_AFTER + PONG_TIMEOUT)
    }

    /// Records that a poll found a block of this height.
    pub(super) fn polled(&self, height: u64) {
        let state = self.lock();
        if state.heard_at.is_some() && height > state.height {
            self.missed.notify_one();
        }
    }

    /// Allows a retry of a socket that the server has refused: the user has tested or reordered the providers.
    pub(super) fn allow_sockets(&self) {
        self.lock().refused_until = None;
    }

    pub(super) fn is_unused(&self) -> bool {
        self.unused_at().is_none_or(|at| at <= Instant::now())
    }

    /// When the socket is no longer needed.
    pub(super) fn unused_at(&self) -> Option<Instant> {
        self.lock().wanted_at.map(|at| at + LINGER)
    }

    /// Records that the socket has delivered something.
    pub(super) fn record_activity(&self, now: Moment) {
        let mut state = self.lock();
        state.heard_at = state.heard_at.map(|_| now);
    }
}

/// The cache key of the newest block.
pub(super) fn tip_key() -> Key {
    Key::new(Operation::Block, "tip")
}
