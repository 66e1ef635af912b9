//! The loop: keys and news in, frames and effects out. Nothing ticks; it sleeps until something happens or a deadline
//! that the state names has come.

mod effects;
mod input;
mod keeper;
mod signals;

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use crossterm::event::Event;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::app::{self, Effect, Message, State, demand, next_deadline};
use crate::config::{Ascii, Settings};
use crate::fetch::{self, Demand, Handle};
use crate::model::UtcTime;
use crate::network;
use crate::snapshot::Snapshot;
use crate::terminal::{self, Painter};
use crate::theme::Theme;
use crate::view::{self, Glyphs, Look, Memo};
use crate::watchlist::Watchlist;

use effects::Outside;
use input::Input;
use keeper::Keeper;
use signals::{Signal, Signals};

/// A whole frame fits, so that it leaves in one write.
const FRAME_BYTES: usize = 64 * 1024;

/// Messages taken in before the next frame, so that a flood of them cannot keep the screen from being painted.
const BATCH: usize = 256;

/// A clock that is this far from where it should be was set, or the machine slept.
const JUMP: Duration = Duration::from_secs(5);

/// Why the dashboard could not go on; one sentence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The terminal cannot be set up or written to.
    #[error("the terminal cannot be used ({0})")]
    Terminal(#[from] io::Error),
    /// The network thread could not begin, or died.
    #[error("{0}")]
    Network(String),
}

/// How the dashboard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The user left.
    Quit,
    /// A signal of this number asked it to end.
    Signal(u8),
}

/// Runs the dashboard until the user leaves or a signal ends it. The terminal is given back whatever happens.
///
/// # Errors
/// See [`Error`].
pub fn run(settings: Settings) -> Result<End, Error> {
    let watchlist = Watchlist::new(settings.dirs.state.clone());
    let (changes, complaint) = match watchlist.load() {
        Ok(changes) => (changes, None),
        Err(error) => (Default::default(), Some(error.to_string())),
    };
    let size = crossterm::terminal::size()?;
    let preferences = settings.preferences();
    let mut state = State::new(preferences, size, UtcTime::now());
    state.watched = changes.over(&state.preferences.watched);
    let look = look(&settings);
    let snapshot = Snapshot::new(&settings);
    let last_seen = snapshot.first(state.now);

    terminal::give_back_on_panic();
    let mut out = BufWriter::with_capacity(FRAME_BYTES, io::stdout());
    terminal::enter(&mut out, state.mouse)?;
    let given_back = GiveBack;
    let mut screen = Screen { painter: Painter::new(out, size), look, memo: Memo::default() };
    // The first frame comes before anything that costs time: no socket, no certificate, no runtime.
    let _ = app::update(&mut state, Message::Restored(last_seen), UtcTime::now());
    if let Some(sentence) = complaint {
        let _ = app::update(&mut state, Message::EffectFailed(sentence), UtcTime::now());
    }
    screen.paint(&state)?;

    let (handle, inbox) = fetch::channel();
    let (events, news) = mpsc::channel(BATCH);
    let network = network::start(settings, inbox, events)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let signals = {
        let _context = runtime.enter();
        Signals::listen()?
    };
    let (outside, keeper) = (Outside::new(watchlist, state.preferences.watched.clone()), Keeper::new(snapshot));
    keeper.read_rest(outside.sender());
    let mut dashboard = Loop { state, screen, handle, news, signals, outside, keeper };
    let keys = input::listen()?;
    let ended = runtime.block_on(dashboard.run(keys));
    drop(given_back);
    let Loop { state, keeper, handle, .. } = dashboard;
    // The network's work ends while the last is written.
    drop(handle);
    keeper.finish(&state);
    runtime.shutdown_background();
    match ended {
        Ok(Some(end)) => Ok(end),
        Ok(None) => Err(Error::Network(match network.join() {
            Ok(Err(sentence)) => sentence,
            Ok(Ok(())) => String::from("internal error (the fetch task ended); please report it"),
            Err(_) => String::from("internal error (the network thread died); please report it with --log FILE"),
        })),
        Err(error) => Err(Error::Terminal(error)),
    }
}

fn look(settings: &Settings) -> Look {
    let variable = |name: &str| std::env::var(name).ok();
    let glyphs = match settings.display.ascii {
        Ascii::Always => Glyphs::Ascii,
        Ascii::Never => Glyphs::Unicode,
        Ascii::Auto => {
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|v| !v.is_empty());
            Glyphs::detect(variable("TERM").as_deref(), locale.as_deref())
        }
    };
    let theme = Theme::detect(variable("NO_COLOR").as_deref(), variable("TERM").as_deref());
    Look { theme, glyphs }
}

/// Gives the terminal back when it goes out of scope.
struct GiveBack;

impl Drop for GiveBack {
    fn drop(&mut self) {
        terminal::leave(&mut io::stdout());
    }
}

/// The painter with what it paints by.
struct Screen<W: Write> {
    painter: Painter<W>,
    look: Look,
    memo: Memo,
}

impl<W: Write> Screen<W> {
    fn paint(&mut self, state: &State) -> io::Result<()> {
        let Screen { painter, look, memo } = self;
        painter.frame(|buf| view::draw(buf, state, look, memo))?;
        Ok(())
    }
}

/// The loop; `W` takes the frames.
struct Loop<W: Write> {
    state: State,
    screen: Screen<W>,
    handle: Handle,
    news: mpsc::Receiver<fetch::Event>,
    signals: Signals,
    outside: Outside,
    keeper: Keeper,
}

/// What to do after a message.
enum Next {
    Go,
    End(End),
    Suspend,
}

impl<W: Write> Loop<W> {
    /// Goes on until something ends it; `None`: the network thread is gone.
    async fn run(&mut self, mut input: Input) -> io::Result<Option<End>> {
        self.send_demand(true);
        loop {
            match self.turn(&mut input).await? {
                Some(Next::Go) => {}
                Some(Next::End(end)) => return Ok(Some(end)),
                None => return Ok(None),
                Some(Next::Suspend) => self.suspend()?,
            }
            self.screen.paint(&self.state)?;
        }
    }

    /// Waits for something, takes in all that has come, and tells the fetch task what is wanted now.
    async fn turn(&mut self, input: &mut Input) -> io::Result<Option<Next>> {
        let deadline = next_deadline(&self.state);
        let sleep = deadline.since(UtcTime::now());
        let due = Instant::now() + sleep;
        let mut jumped = false;
        let next = tokio::select! {
            biased;
            signal = self.signals.next() => match signal {
                Signal::End(number) => Next::End(End::Signal(number)),
                Signal::Stop => Next::Suspend,
                Signal::Continued => {
                    self.resume()?;
                    Next::Go
                }
            },
            events = input::drain(input) => match events {
                Some(events) => self.input(events)?,
                None => Next::End(End::Signal(signals::HUP)),
            },
            event = self.news.recv() => match event {
                Some(event) => self.fetched(event)?,
                None => return Ok(None),
            },
            message = self.outside.next() => self.tell(message)?,
            () = tokio::time::sleep_until(due) => {
                let now = UtcTime::now();
                jumped = now.since(deadline) > JUMP || deadline.since(now) > JUMP;
                self.outside.look();
                self.tell(Message::Tick)?
            }
        };
        self.send_demand(jumped);
        Ok(Some(next))
    }

    fn input(&mut self, events: Vec<Event>) -> io::Result<Next> {
        for event in events {
            let Some(message) = input::translate(event, &self.state, &self.screen.memo) else { continue };
            if let Message::Resize(columns, rows) = message {
                self.screen.painter.restart((columns, rows));
            }
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
        for effect in app::update(&mut self.state, message, UtcTime::now()) {
            match effect {
                Effect::Quit => next = Next::End(End::Quit),
                Effect::Suspend => next = Next::Suspend,
                Effect::Redraw => self.screen.painter.restart(self.state.size),
                Effect::Refresh(requests) => {
                    // A full channel holds wishes for the same requests already.
                    let _ = self.handle.refresh.try_send(requests);
                }
                Effect::CaptureMouse(on) => terminal::capture_mouse(self.screen.painter.out(), on)?,
                Effect::Copy(text) => {
                    effects::copy(self.screen.painter.out(), &text)?;
                    self.outside.say(Message::Notice(format!("copied {} characters", text.chars().count())));
                }
                Effect::OpenLink(url) => self.outside.open(url),
                Effect::Watch(coin, watched) => self.outside.watch(coin, watched),
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
        let (columns, rows) = crossterm::terminal::size()?;
        self.screen.painter.restart((columns, rows));
        self.tell(Message::Resize(columns, rows))?;
        self.send_demand(true);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
