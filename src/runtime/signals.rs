//! Signals: those that end the program, those that stop and continue it, and the one that tells of another size.

use std::io;

use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

/// The number of the signal that says that the terminal is gone.
pub(super) const HUP: u8 = 1;

/// What a signal asks for.
pub(super) enum Signal {
    /// End; the signal's number.
    End(u8),
    /// Stop until continued.
    Stop,
    /// The terminal may have another size.
    Resized,
    /// It was stopped without being asked, and goes on: the terminal may be in any state.
    Continued,
}

/// The signals that the loop listens to.
pub(super) struct Signals {
    hangup: Stream,
    interrupt: Stream,
    terminate: Stream,
    stop: Stream,
    go_on: Stream,
    size: Stream,
}

impl Signals {
    /// Begins to listen.
    pub(super) fn listen() -> io::Result<Signals> {
        Ok(Signals {
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            stop: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            go_on: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            size: signal(SignalKind::window_change())?,
        })
    }

    /// Waits for one.
    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.hangup.recv() => Signal::End(HUP),
            _ = self.interrupt.recv() => Signal::End(2),
            _ = self.terminate.recv() => Signal::End(15),
            _ = self.stop.recv() => Signal::Stop,
            _ = self.go_on.recv() => Signal::Continued,
            _ = self.size.recv() => Signal::Resized,
        }
    }
}

/// Stops this process, and a wrapper that runs it, until continued. The signal that cannot be caught, for the one that terminals send is
/// caught by us.
pub(super) fn stop_self() {
    // Without the right to signal itself the process just goes on.
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
}
