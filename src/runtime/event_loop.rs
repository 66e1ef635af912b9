//! The event loop: waits, handles all pending events, paints once.

mod frame_painter;
mod suspend;

use std::io;

use tokio::sync::{mpsc, oneshot};

use super::clipboard::Clipboard;
use super::clock_monitor::ClockMonitor;
use super::effects::{self, EffectRunner};
use super::failures::Failures;
use super::input::{self, Input};
use super::last_alerts;
use super::notification::Notifier;
use super::outcome::{End, Error};
use super::signals::{Signal, Signals};
use super::snapshot_writer::SnapshotWriter;
use super::timer::Timer;
use crate::app::{self, Effect, Message, Preferences, State, demand, next_deadline};
use crate::fetch::{self, Demand, Handle};
use crate::network::SourceCommand;
use crate::snapshot::Snapshot;
use crate::store::{self, Writer};
use crate::terminal::{self, Event, FinalWriter, Sink};

pub(super) use frame_painter::FramePainter;

/// Maximum number of consecutive keys handled before other events, so that a held key doesn't delay these.
const INPUT_EVENTS: usize = 256;

/// Maximum messages handled per frame, so that a flood of messages doesn't block painting.
const BATCH: usize = 256;

/// Unwritten bytes above which copying to the clipboard fails.
const MAX_PENDING: usize = 256 * 1024;

/// Error message for the timer.
pub(super) const TIMER_ERROR: &str = "can't use a timer";

/// The event loop with its sources and targets. Frames are written to `W`.
pub(super) struct Loop<W: Sink> {
    pub(super) state: State,
    pub(super) screen: FramePainter<W>,
    /// Restores the terminal.
    pub(super) final_writer: FinalWriter,
    /// Sends demand and refreshes to the fetch task.
    pub(super) handle: Handle,
    /// Sends commands about the providers of live data to the embedded service.
    pub(super) sources: mpsc::UnboundedSender<SourceCommand>,
    pub(super) fetch_events: mpsc::Receiver<fetch::Event>,
    /// Number of keys since the last other event.
    pub(super) input_events: usize,
    /// How text is copied.
    pub(super) clipboard: Clipboard,
    /// How the user is notified of alerts.
    pub(super) notifier: Notifier,
    pub(super) signals: Signals,
    pub(super) effect_runner: EffectRunner,
    pub(super) store: Writer,
    pub(super) snapshot_writer: SnapshotWriter,
    pub(super) timer: Timer,
    pub(super) clock: ClockMonitor,
}

/// The loop's next step after an event.
enum Next {
    Continue,
    End(End),
    Switch { live: bool },
    Suspend,
    Resume,
}

/// Why the loop stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The program ends.
    End(End),
    /// The user chose live or simulated data; the loop can run again with another source.
    Switch {
        /// Live data.
        live: bool,
    },
}

/// The parts that depend on the source of the data.
pub(super) struct Source {
    pub(super) preferences: Preferences,
    pub(super) handle: Handle,
    pub(super) sources: mpsc::UnboundedSender<SourceCommand>,
    pub(super) fetch_events: mpsc::Receiver<fetch::Event>,
    pub(super) snapshot: Snapshot,
}

impl<W: Sink> Loop<W> {
    /// Runs until the user quits, chooses another source, or a signal ends it. Returns `None` if the network thread has
    /// ended.
    ///
    /// # Errors
    /// The terminal can't be read or written, or the timer fails.
    pub(super) async fn run(&mut self, input: &mut Input) -> Result<Option<Stop>, Error> {
        self.send_demand(true);
        loop {
            let end = match self.step(input).await? {
                Some(Next::Continue) => None,
                Some(Next::End(end)) => Some(end),
                Some(Next::Switch { live }) => return Ok(Some(Stop::Switch { live })),
                None => return Ok(None),
                Some(Next::Suspend) => self.suspend(input).await.map_err(Error::Terminal)?,
                Some(Next::Resume) => self.resume_in_foreground().await.map_err(Error::Terminal)?,
            };
            if let Some(end) = end {
                return Ok(Some(Stop::End(end)));
            }
            self.screen.paint(&self.state).map_err(Error::Terminal)?;
        }
    }

    /// Continues with another source, as [`app::switch_source`] does.
    pub(super) fn replace_source(&mut self, source: Source) {
        let Source { preferences, handle, sources, fetch_events, snapshot } = source;
        let now = self.clock.now();
        // Dropping the old handle ends the old network thread.
        (self.handle, self.sources, self.fetch_events) = (handle, sources, fetch_events);
        let first = snapshot.first(now);
        self.snapshot_writer.switch_to(snapshot, &self.state);
        self.snapshot_writer.read_rest();
        app::switch_source(&mut self.state, preferences, first, now);
    }

    /// Stops the fetch task and writes unsaved data. Announces the alerts that have fired last. Returns what could not be
    /// saved or shown. If saving takes a while, `waiting` is called with the reason, and another signal ends the wait.
    pub(super) async fn finish(mut self, waiting: impl FnOnce(&str)) -> Failures {
        drop(self.handle);
        // Don't replace a session that was never read.
        let session = self.state.session_saves.is_restored.then(|| self.state.session().entries());
        let stop = self.signals.interrupted();
        let finished = self.store.finish(session, !self.state.user.is_empty(), waiting, stop).await;
        finished.saved.iter().for_each(|number| self.state.user.confirm(*number));
        let last = app::last_announcements(&mut self.state, &finished.fired_elsewhere);
        let alerts = last_alerts::announce(last, &self.notifier, self.clock.now());
        let mut failures = Failures::new(&self.state, finished);
        self.snapshot_writer.finish(&self.state);
        failures.sentences.splice(0..0, self.effect_runner.failures());
        Failures { alerts, ..failures }
    }

    /// Waits for an event, handles it with all others that are pending, and sends the new demand to the fetch task.
    async fn step(&mut self, input: &mut Input) -> Result<Option<Next>, Error> {
        let sleep = next_deadline(&self.state).since(self.clock.now());
        let mut timer_fired = false;
        let next = tokio::select! {
            biased;
            signal = self.signals.next() => self.handle_signal(signal),
            events = input.next() => match events {
                Some(events) => {
                    self.input_events += events.len();
                    self.handle_input(events).and_then(|next| match next {
                        Next::Continue if self.input_events >= INPUT_EVENTS => self.handle_waiting_events(),
                        other => Ok(other),
                    })
                }
                None => Err(io::Error::other("input closed")),
            },
            event = self.fetch_events.recv() => match event {
                Some(event) => self.handle_fetch_events(event),
                None => return Ok(None),
            },
            message = self.effect_runner.next() => self.dispatch(message),
            event = self.store.next() => self.dispatch(from_store(event)),
            rest = self.snapshot_writer.next() => self.dispatch(rest),
            // The loop paints next.
            read = self.screen.painter.out().idle(), if self.screen.needs_paint => read.map(|()| Next::Continue),
            fired = self.timer.sleep(sleep) => {
                fired.map_err(Error::system(TIMER_ERROR))?;
                timer_fired = true;
                self.dispatch(Message::Tick)
            }
        };
        let next = next.map_err(Error::Terminal)?;
        self.store.set_alert_kinds(self.state.alert_kinds());
        self.store.woken(timer_fired, self.clock.now());
        // Deadlines depend on the state's time, which the event may not have updated.
        let jumped = self.clock.has_jumped();
        if jumped {
            self.dispatch(Message::Tick).map_err(Error::Terminal)?;
        }
        self.send_demand(jumped);
        Ok(Some(next))
    }

    fn handle_signal(&mut self, signal: Signal) -> io::Result<Next> {
        match signal {
            Signal::End(number) => return Ok(Next::End(End::Signal(number))),
            Signal::Stop => return Ok(Next::Suspend),
            Signal::Resized => self.resized()?,
            Signal::Continued => return Ok(Next::Resume),
        }
        Ok(Next::Continue)
    }

    fn handle_input(&mut self, events: Vec<Event>) -> io::Result<Next> {
        let limits = self.screen.view_state.scroll_limits();
        if limits != self.state.panel_scroll.limits() {
            self.dispatch(Message::ScrollLimits(limits.clone()))?;
        }
        for event in events {
            let Some(message) = input::translate(event, &self.screen.view_state, &self.state) else { continue };
            match self.dispatch(message)? {
                Next::Continue => {}
                // Later input is for the shell. Chunks still queued are dropped with `input`, or when it resumes.
                other => return Ok(other),
            }
        }
        Ok(Next::Continue)
    }

    /// Handles the waiting events: one result, one event of the store, the rest of the snapshot, and the fetch task's
    /// events.
    fn handle_waiting_events(&mut self) -> io::Result<Next> {
        self.input_events = 0;
        let result = self.effect_runner.try_next();
        let (of_store, rest) = (self.store.try_next().map(from_store), self.snapshot_writer.try_next());
        for message in result.into_iter().chain(of_store).chain(rest) {
            match self.dispatch(message)? {
                Next::Continue => {}
                other => return Ok(other),
            }
        }
        match self.fetch_events.try_recv() {
            Ok(event) => self.handle_fetch_events(event),
            // The channel is empty, or closed, which the next receive notices.
            Err(_) => Ok(Next::Continue),
        }
    }

    fn handle_fetch_events(&mut self, first: fetch::Event) -> io::Result<Next> {
        self.input_events = 0;
        let mut next = Some(first);
        let mut taken = 0;
        while let Some(event) = next {
            if matches!(event, fetch::Event::Arrived { .. }) {
                self.snapshot_writer.mark_changed();
            }
            taken += 1;
            next = if taken < BATCH { self.fetch_events.try_recv().ok() } else { None };
            self.state.expects_event = next.is_some();
            self.dispatch(Message::Fetch(event))?;
        }
        self.snapshot_writer.write_if_due(&self.state);
        Ok(Next::Continue)
    }

    fn dispatch(&mut self, message: Message) -> io::Result<Next> {
        let mut next = Next::Continue;
        for effect in app::update(&mut self.state, message, self.clock.now()) {
            match effect {
                Effect::Quit => next = Next::End(End::Quit),
                Effect::Suspend => next = Next::Suspend,
                Effect::SwitchSource { live } => next = Next::Switch { live },
                // Fails only when the network thread has ended, which the end of its events reports.
                Effect::ApplySources(choices) => drop(self.sources.send(SourceCommand::Apply(choices))),
                Effect::TestSource(name) => {
                    let (reply, outcome) = oneshot::channel();
                    let _ = self.sources.send(SourceCommand::Test(name, reply));
                    self.effect_runner.await_message(async move {
                        let outcome = outcome.await.unwrap_or_else(|_| Err(String::from("The service stopped")));
                        Message::SourceTested { name, outcome }
                    });
                }
                Effect::Redraw => self.screen.invalidate(self.state.size),
                Effect::Refresh(requests) => {
                    // Only demanded resources are refreshed, so send the demand first.
                    self.send_demand(false);
                    self.handle.refresh(requests);
                }
                Effect::Reload(requests) => {
                    self.send_demand(false);
                    self.handle.reload(requests);
                }
                Effect::CaptureMouse(on) => terminal::capture_mouse(self.screen.painter.out(), on)?,
                Effect::Copy(text) => {
                    let out = self.screen.painter.out();
                    if out.pending() < MAX_PENDING {
                        self.clipboard.copy(out, &text)?;
                    } else {
                        let error = String::from("Can't copy: terminal not responding");
                        self.effect_runner.send(Message::EffectFailed(error));
                    }
                }
                Effect::Bell | Effect::Notify { .. } if self.notifier.is_quiet(self.clock.now()) => {}
                Effect::Bell => effects::bell(self.screen.painter.out())?,
                Effect::Notify { title, text } => {
                    let out = self.screen.painter.out();
                    if out.pending() < MAX_PENDING {
                        self.notifier.send(out, &title, &text)?;
                    }
                    if let Some(command) = self.notifier.command(&title, &text) {
                        self.effect_runner.run_alert_command(command);
                    }
                }
                Effect::OpenLink(url) => self.effect_runner.open(url),
                Effect::Save(number, change) => self.store.save(number, change),
                Effect::SaveSession(session) => self.store.save_session(session),
            }
        }
        Ok(next)
    }

    /// Sends the demand to the fetch task if it has changed, or always if `force`.
    fn send_demand(&mut self, force: bool) {
        let wanted: Demand = demand(&self.state);
        self.handle.demand.send_if_modified(|sent| {
            let changed = *sent != wanted;
            if changed {
                *sent = wanted;
            }
            changed || force
        });
    }

    /// Redraws the screen if the terminal was resized before the signals were listened to.
    pub(super) fn notice_early_resize(&mut self) -> io::Result<()> {
        if terminal::size()? != self.state.size {
            self.resized()?;
            self.screen.paint(&self.state)?;
        }
        Ok(())
    }

    /// Reads the terminal's size and redraws the whole screen, since its content is undefined after a resize.
    fn resized(&mut self) -> io::Result<()> {
        let (columns, rows) = terminal::size()?;
        self.screen.invalidate((columns, rows));
        if let Some(cell) = terminal::cell_size() {
            self.screen.appearance.images.cell = cell;
        }
        self.dispatch(Message::Resize(columns, rows))?;
        Ok(())
    }
}

/// The message for an event of the store.
fn from_store(event: store::Event) -> Message {
    match event {
        store::Event::Loaded(data) => Message::Loaded(data),
        store::Event::IdsAssigned(ids) => Message::IdsAssigned(ids),
        store::Event::Saved(number, result) => Message::Saved(number, result),
        store::Event::FiredElsewhere(number) => Message::FiredElsewhere(number),
        store::Event::AlertLease { kind, checker } => Message::AlertLease { kind, checker },
        store::Event::Failed(notice) => Message::StoreFailed(notice),
        store::Event::Unread(database) => Message::StoreUnread(database),
        store::Event::Notice(notice) => Message::StoreNotice(notice),
        store::Event::NotUndone(sentence) => Message::EffectFailed(sentence),
        store::Event::NotEdited(number, sentence) => Message::NotEdited(number, sentence),
    }
}

#[cfg(test)]
mod tests;
