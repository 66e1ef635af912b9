//! Signals: those that end the program, those that stop and continue it, and the one that tells of another size.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

/// The numbers of the signals that end the program.
const HUP: u8 = 1;
const INT: u8 = 2;
const TERM: u8 = 15;

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

/// The signals that end the program, as long as no loop listens to them: the terminal is taken and the first frame is
/// painted before there is a runtime. Noting a number costs two system calls a signal; a runtime's way, a pair of
/// sockets.
pub(super) struct Early(Arc<AtomicUsize>);

impl Early {
    /// Begins to note them; from then on none of them ends the program by itself.
    pub(super) fn note() -> io::Result<Early> {
        let noted = Arc::new(AtomicUsize::new(0));
        for signal in [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::terminate()] {
            let number = signal.as_raw_value();
            signal_hook::flag::register_usize(number, Arc::clone(&noted), number.unsigned_abs() as usize)?;
        }
        Ok(Early(noted))
    }

    /// The last one that came, by its number. To be asked once [`Signals`] listens, which tells of those that come
    /// later, and where the loop failed before it heard.
    pub(super) fn noted(&self) -> Option<u8> {
        u8::try_from(self.0.load(Ordering::SeqCst)).ok().filter(|number| *number > 0)
    }
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

    /// Waits for one; of several that came, the ones that end come first. A terminal that is taken away sends one that
    /// ends and one that continues, and whoever then goes on finds no terminal.
    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            biased;
            _ = self.hangup.recv() => Signal::End(HUP),
            _ = self.interrupt.recv() => Signal::End(INT),
            _ = self.terminate.recv() => Signal::End(TERM),
            _ = self.stop.recv() => Signal::Stop,
            _ = self.go_on.recv() => Signal::Continued,
            _ = self.size.recv() => Signal::Resized,
        }
    }
}

/// Stops this process, and a wrapper that runs it, until continued. The signal that cannot be caught, for the one that
/// terminals send is caught by us.
pub(super) fn stop_self() {
    // Without the right to signal itself the process just goes on.
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
}
