//! Signals that end, stop and continue the program, and the one for a resized terminal.

use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use rustix::process::{getpgrp, getppid, getsid};
use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

const HUP: u8 = 1;
const INT: u8 = 2;
const QUIT: u8 = 3;
const TERM: u8 = 15;

/// What a signal requests.
pub(super) enum Signal {
    /// End the program; contains the signal's number.
    End(u8),
    /// Stop until SIGCONT.
    Stop,
    /// The terminal may have another size.
    Resized,
    /// The program continues after SIGSTOP; the terminal may be in any state.
    Continued,
}

/// Records signals that end the program until the event loop listens for them: the terminal is set up and the first
/// frame is painted before there is a runtime. It takes two system calls per signal, where the runtime needs a socket
/// pair.
pub(super) struct EarlySignals(Arc<AtomicUsize>);

impl EarlySignals {
    /// Starts to record signals, which no longer end the program by themselves.
    pub(super) fn register() -> io::Result<EarlySignals> {
        let received = Arc::new(AtomicUsize::new(0));
        for signal in [SignalKind::hangup(), SignalKind::interrupt(), SignalKind::quit(), SignalKind::terminate()] {
            let number = signal.as_raw_value();
            signal_hook::flag::register_usize(number, Arc::clone(&received), number.unsigned_abs() as usize)?;
        }
        Ok(EarlySignals(received))
    }

    /// Returns the number of the last signal received. Check it once [`Signals`] listens, which receives later
    /// signals, and when the loop has failed, since the signal may explain why.
    pub(super) fn received(&self) -> Option<u8> {
        u8::try_from(self.0.load(Ordering::SeqCst)).ok().filter(|number| *number > 0)
    }
}

/// Streams of the signals that the event loop handles.
pub(super) struct Signals {
    hangup: Stream,
    interrupt: Stream,
    quit: Stream,
    terminate: Stream,
    stop: Stream,
    continued: Stream,
    resized: Stream,
}

impl Signals {
    /// Starts to listen.
    ///
    /// # Errors
    /// The handlers can't be installed.
    pub(super) fn listen() -> io::Result<Signals> {
        Ok(Signals {
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            quit: signal(SignalKind::quit())?,
            terminate: signal(SignalKind::terminate())?,
            stop: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            continued: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
            resized: signal(SignalKind::window_change())?,
        })
    }

    /// Waits for the next signal; signals that end the program take precedence. A terminal that closes sends SIGHUP and
    /// SIGCONT, and the terminal can't be used after that.
    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            biased;
            _ = self.hangup.recv() => Signal::End(HUP),
            _ = self.interrupt.recv() => Signal::End(INT),
            _ = self.quit.recv() => Signal::End(QUIT),
            _ = self.terminate.recv() => Signal::End(TERM),
            _ = self.stop.recv() => Signal::Stop,
            _ = self.continued.recv() => Signal::Continued,
            _ = self.resized.recv() => Signal::Resized,
        }
    }

    /// Waits for the next signal that ends the program; returns its number.
    pub(super) async fn end(&mut self) -> u8 {
        tokio::select! {
            biased;
            _ = self.hangup.recv() => HUP,
            _ = self.interrupt.recv() => INT,
            _ = self.quit.recv() => QUIT,
            _ = self.terminate.recv() => TERM,
        }
    }

    /// Waits for a SIGINT, SIGQUIT or SIGTERM that arrives after the first poll: an earlier one may be a repetition of
    /// the signal that ended the loop. A terminal that closes may send SIGHUP twice.
    pub(super) async fn interrupted(&mut self) {
        poll_fn(|context| {
            for stream in [&mut self.interrupt, &mut self.quit, &mut self.terminate] {
                let _ = stream.poll_recv(context);
            }
            Poll::Ready(())
        })
        .await;
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.quit.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Stops the process group, which includes any wrapper process, until SIGCONT. Sends SIGSTOP, because SIGTSTP is
/// caught.
pub(super) fn stop_self() {
    // Without permission to signal itself, the process keeps running.
    let _ = rustix::process::kill_current_process_group(rustix::process::Signal::STOP);
}

/// Whether the process group is orphaned (POSIX, 3.264), so that no shell would resume it. The system then ignores
/// SIGTSTP but not the SIGSTOP of [`stop_self`].
pub(super) fn is_orphaned() -> bool {
    let session = getsid(None).ok();
    let group = getpgrp();
    // A program started directly by a terminal or ssh is a session leader, and its parent is in another session.
    let leads_session = session == Some(group);
    let Some(parent) = getppid() else { return true };
    leads_session || getsid(Some(parent)).ok() != session
}
