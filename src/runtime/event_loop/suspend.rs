//! Suspends the program, and takes the terminal again.

use std::io;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Loop;
use crate::app::Message;
use crate::network::SourceCommand;
use crate::runtime::input::Input;
use crate::runtime::outcome::End;
use crate::runtime::signals;
use crate::terminal::{self, Sink};

/// How long a program that continues in the background waits for a signal that ends it.
const SIGNAL_DELAY: Duration = Duration::from_millis(100);

/// How long suspending waits for the socket with live prices to close.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(300);

impl<W: Sink> Loop<W> {
    /// Stops until the shell continues the program. Returns why the program ends, if a signal has ended it meanwhile.
    pub(super) async fn suspend(&mut self, input: &mut Input) -> io::Result<Option<End>> {
        if signals::is_orphaned() {
            self.dispatch(Message::EffectFailed(String::from("Can't suspend: no shell to return to")))?;
            return Ok(None);
        }
        // What is typed from now on is for the shell.
        input.pause();
        terminal::leave(&self.final_writer);
        self.close_streams().await;
        signals::stop_self();
        let ended = self.resume_in_foreground().await?;
        // A program that was ended while it was stopped doesn't have the terminal.
        if ended.is_none() {
            input.resume();
        }
        Ok(ended)
    }

    /// Takes the terminal again. In the background, the program stops until it is in the foreground or a signal ends it:
    /// the system would stop it anyway if it took the terminal (SIGTTOU), but then no signal but SIGKILL could end it.
    pub(super) async fn resume_in_foreground(&mut self) -> io::Result<Option<End>> {
        while !terminal::is_foreground() && !signals::is_orphaned() {
            // `kill %1` sends SIGTERM and then SIGCONT, and another thread may handle the first.
            if let Ok(number) = timeout(SIGNAL_DELAY, self.signals.end()).await {
                return Ok(Some(End::Signal(number)));
            }
            // The shell may have moved it to the foreground meanwhile.
            if !terminal::is_foreground() {
                signals::stop_self();
            }
        }
        self.resume().map(|()| None)
    }

    /// Closes the socket with live prices, whose pings a stopped program can't answer.
    async fn close_streams(&mut self) {
        // The stream of the service; resuming demands it again.
        self.handle.demand.send_if_modified(|sent| sent.live.take().is_some());
        if self.state.preferences.live == Some(true) {
            let (reply, closed) = oneshot::channel();
            let _ = self.sources.send(SourceCommand::Suspend(reply));
            let _ = timeout(CLOSE_TIMEOUT, closed).await;
        }
    }

    /// Takes the terminal again after the program was stopped; its size and the time may have changed. Reopens the
    /// sockets that suspending has closed.
    fn resume(&mut self) -> io::Result<()> {
        let _ = self.sources.send(SourceCommand::Resume);
        terminal::enter(self.screen.painter.out(), self.state.mouse)?;
        self.screen.title = None;
        self.resized()?;
        self.send_demand(true);
        Ok(())
    }
}
