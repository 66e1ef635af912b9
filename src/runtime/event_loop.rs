//! The loop itself: waits, takes in all that has come, paints once.

use std::io::{self, Write};

use crossterm::event::Event;
use tokio::sync::mpsc;

use super::alarm::Alarm;
use super::effects::{self, Outside};
use super::input;
use super::keeper::Keeper;
use super::signals::{self, Signal, Signals};
use super::stars::Stars;
use super::timepiece::Timepiece;
use super::{End, Error};
use crate::app::{self, Effect, Message, State, demand, next_deadline};
use crate::fetch::{self, Demand, Handle};
use crate::terminal::{self, Painter};
use crate::view::{self, Look, Memo};

/// Messages taken in before the next frame, so that a flood of them cannot keep the screen from being painted.
const BATCH: usize = 256;

/// What is said where the timer fails.
pub(super) const TIMER: &str = "the system gives no timer";

/// The painter with what it paints by.
pub(super) struct Screen<W: Write> {
    painter: Painter<W>,
    look: Look,
    memo: Memo,
}

impl<W: Write> Screen<W> {
    pub(super) fn new(painter: Painter<W>, look: Look) -> Screen<W> {
        Screen { painter, look, memo: Memo::default() }
    }

    pub(super) fn paint(&mut self, state: &State) -> io::Result<()> {
        let Screen { painter, look, memo } = self;
        painter.frame(|buf| view::draw(buf, state, look, memo))?;
        Ok(())
    }
}

/// The loop with all that it moves between. `W` is where the frames go.
pub(super) struct Loop<W: Write> {
    pub(super) state: State,
    pub(super) screen: Screen<W>,
    /// What the fetch task is told, and what it tells.
    pub(super) handle: Handle,
    pub(super) news: mpsc::Receiver<fetch::Event>,
    pub(super) signals: Signals,
    pub(super) outside: Outside,
    pub(super) stars: Stars,
    pub(super) keeper: Keeper,
    pub(super) alarm: Alarm,
    pub(super) time: Timepiece,
}

/// What to do after a message.
enum Next {
    Go,
    End(End),
    Suspend,
}

impl<W: Write> Loop<W> {
    /// Runs until the user leaves, a signal ends it, or the terminal is gone. `None`: the network thread is gone.
    pub(super) async fn run(&mut self, input: &mut mpsc::Receiver<Event>) -> Result<Option<End>, Error> {
        self.send_demand(true);
        loop {
            match self.turn(input).await? {
                Some(Next::Go) => {}
                Some(Next::End(end)) => return Ok(Some(end)),
                None => return Ok(None),
                Some(Next::Suspend) => self.suspend().map_err(Error::Terminal)?,
            }
            self.screen.paint(&self.state).map_err(Error::Terminal)?;
        }
    }

    /// Writes what is not written yet; the network's work ends meanwhile. What failed so late that no frame shows it
    /// comes back, each in one sentence.
    pub(super) fn finish(self) -> Vec<String> {
        drop(self.handle);
        let late = self.stars.finish();
        self.keeper.finish(&self.state);
        self.outside.failures().into_iter().chain(late).collect()
    }

    /// Waits for something, takes in all that has come, and tells the fetch task what is wanted now.
    async fn turn(&mut self, input: &mut mpsc::Receiver<Event>) -> Result<Option<Next>, Error> {
        let sleep = next_deadline(&self.state).since(self.time.now());
        let next = tokio::select! {
            biased;
            signal = self.signals.next() => self.signalled(signal),
            events = input::drain(input) => match events {
                Some(events) => self.input(events),
                None => Err(io::Error::other("it can no longer be read")),
            },
            event = self.news.recv() => match event {
                Some(event) => self.fetched(event),
                None => return Ok(None),
            },
            message = self.outside.next() => self.tell(message),
            rang = self.alarm.after(sleep) => {
                rang.map_err(Error::system(TIMER))?;
                self.stars.look();
                self.tell(Message::Tick)
            }
        };
        let next = next.map_err(Error::Terminal)?;
        // What is due then is looked at anew.
        let jumped = self.time.jumped();
        if jumped {
            // The next deadline is reckoned from the state's time, which what woke the loop may have left as it was.
            self.tell(Message::Tick).map_err(Error::Terminal)?;
        }
        self.send_demand(jumped);
        Ok(Some(next))
    }

    fn signalled(&mut self, signal: Signal) -> io::Result<Next> {
        match signal {
            Signal::End(number) => return Ok(Next::End(End::Signal(number))),
            Signal::Stop => return Ok(Next::Suspend),
            Signal::Resized => self.resized()?,
            Signal::Continued => self.resume()?,
        }
        Ok(Next::Go)
    }

    fn input(&mut self, events: Vec<Event>) -> io::Result<Next> {
        for event in events {
            let Some(message) = input::translate(event, &self.state, &self.screen.memo) else { continue };
            match self.tell(message)? {
                Next::Go => {}
                // What was typed after it is meant for the shell.
                other => return Ok(other),
            }
        }
        Ok(Next::Go)
    }

    fn fetched(&mut self, first: fetch::Event) -> io::Result<Next> {
        let mut next = Some(first);
        let mut taken = 0;
        while let Some(event) = next {
            if matches!(event, fetch::Event::Arrived { .. }) {
                self.keeper.changed();
            }
            self.tell(Message::Fetch(event))?;
            taken += 1;
            next = if taken < BATCH { self.news.try_recv().ok() } else { None };
        }
        self.keeper.write_if_due(&self.state);
        Ok(Next::Go)
    }

    fn tell(&mut self, message: Message) -> io::Result<Next> {
        let mut next = Next::Go;
        for effect in app::update(&mut self.state, message, self.time.now()) {
            match effect {
                Effect::Quit => next = Next::End(End::Quit),
                Effect::Suspend => next = Next::Suspend,
                Effect::Redraw => self.screen.painter.restart(self.state.size),
                Effect::Refresh(requests) => {
                    // A full channel: the task is behind with earlier wishes, and will look at everything again anyway.
                    let _ = self.handle.refresh.try_send(requests);
                }
                Effect::CaptureMouse(on) => terminal::capture_mouse(self.screen.painter.out(), on)?,
                Effect::Copy(text) => {
                    effects::copy(self.screen.painter.out(), &text)?;
                    self.outside.say(Message::Notice(effects::copied(&text)));
                }
                Effect::OpenLink(url) => self.outside.open(url),
                Effect::Watch(coin, watched) => self.stars.note(coin, watched),
            }
        }
        Ok(next)
    }

    /// Tells the fetch task what is wanted, if that has changed or the clock jumped.
    fn send_demand(&mut self, anyway: bool) {
        let wanted: Demand = demand(&self.state);
        self.handle.demand.send_if_modified(|sent| {
            let changed = *sent != wanted;
            if changed {
                *sent = wanted;
            }
            changed || anyway
        });
    }

    fn suspend(&mut self) -> io::Result<()> {
        terminal::leave(self.screen.painter.out());
        signals::stop_self();
        self.resume()
    }

    /// Takes the terminal again after the program was stopped; its size may be another, and so may the time.
    fn resume(&mut self) -> io::Result<()> {
        terminal::enter(self.screen.painter.out(), self.state.mouse)?;
        self.resized()?;
        self.send_demand(true);
        Ok(())
    }

    /// Looks at the terminal's size and paints everything anew: who changes a size may leave anything on the screen.
    fn resized(&mut self) -> io::Result<()> {
        let (columns, rows) = terminal::size()?;
        self.screen.painter.restart((columns, rows));
        self.tell(Message::Resize(columns, rows))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
