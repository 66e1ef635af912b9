//! The loop: keys and news in, frames and effects out. Nothing ticks; it sleeps until something happens or a deadline
//! that the state names has come.

mod alarm;
mod effects;
mod event_loop;
mod input;
mod keeper;
mod signals;
mod stars;
mod timepiece;

use std::io::{self, BufWriter};

use tokio::sync::mpsc;

use crate::app::{self, Message, State};
use crate::clock::Clock;
use crate::config::Settings;
use crate::fetch;
use crate::model::UtcTime;
use crate::network;
use crate::snapshot::Snapshot;
use crate::terminal::{self, Painter};
use crate::theme::Theme;
use crate::view::Look;
use crate::watchlist::Watchlist;

use alarm::Alarm;
use effects::Outside;
use event_loop::{Loop, Screen};
use keeper::Keeper;
use signals::{Early, Signals};
use stars::Stars;
use timepiece::Timepiece;

/// A whole frame fits, so that it leaves in one write.
const FRAME_BYTES: usize = 64 * 1024;

/// What is said where signals cannot be listened to.
const SIGNALS: &str = "the system tells of no signals";

/// Why the dashboard could not go on; one sentence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The terminal cannot be set up or written to.
    #[error("the terminal cannot be used ({0})")]
    Terminal(io::Error),
    /// The system denies something else that the dashboard needs: a queue, a timer, a thread.
    #[error("{what} ({source}); end other programs or raise the limits (see ulimit -a), then try again")]
    System {
        /// What failed.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// The network thread could not begin its work.
    #[error(transparent)]
    Network(network::Error),
    /// Our own fault: a part that should last as long as the dashboard does not.
    #[error("internal error ({0}); please report it with --log FILE")]
    Internal(&'static str),
}

impl Error {
    fn system(what: &'static str) -> impl FnOnce(io::Error) -> Error {
        move |source| Error::System { what, source }
    }
}

/// How the dashboard ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The user left.
    Quit,
    /// A signal of this number asked it to end.
    Signal(u8),
}

/// Runs the dashboard until the user leaves or a signal ends it. The terminal is given back whatever happens; then
/// `complain` gets what failed too late for the screen, such as a coin whose watching is not remembered, in sentences.
///
/// # Errors
/// See [`Error`].
pub fn run(settings: Settings, complain: impl Fn(&str)) -> Result<End, Error> {
    let watchlist = Watchlist::new(settings.dirs.state.clone());
    let (changes, complaint) = match watchlist.load() {
        Ok(changes) => (changes, None),
        Err(error) => (Default::default(), Some(error.to_string())),
    };
    let size = terminal::size().map_err(Error::Terminal)?;
    let mut preferences = settings.preferences();
    // GNU Screen, while it reports the mouse, holds a lone Esc back until the next key, and then gives both as one.
    preferences.mouse &= std::env::var_os("STY").is_none();
    let mut state = State::new(preferences, size, UtcTime::now());
    state.watched = changes.over(&state.preferences.watched);
    let snapshot = Snapshot::new(&settings);
    let last_seen = snapshot.first(state.now);
    let _ = app::update(&mut state, Message::Restored(last_seen), UtcTime::now());
    if let Some(sentence) = complaint {
        let _ = app::update(&mut state, Message::EffectFailed(sentence), UtcTime::now());
    }
    let early = Early::note().map_err(Error::system(SIGNALS))?;
    let ended = on_screen(settings, state, watchlist, snapshot, &early, complain);
    // Where the terminal is taken away, that it cannot be used may be noticed before the signal that says so is heard.
    ended.or_else(|error| early.noted().map(End::Signal).ok_or(error))
}

/// Takes the terminal, runs the loop, and gives the terminal back.
fn on_screen(
    settings: Settings,
    state: State,
    watchlist: Watchlist,
    snapshot: Snapshot,
    early: &Early,
    complain: impl Fn(&str),
) -> Result<End, Error> {
    terminal::give_back_on_panic();
    let mut out = BufWriter::with_capacity(FRAME_BYTES, io::stdout());
    terminal::enter(&mut out, state.mouse).map_err(Error::Terminal)?;
    let given_back = GiveBack;
    let mut screen = Screen::new(Painter::new(out, state.size), look(&settings));
    // The first frame comes before anything that costs time: no socket, no certificate, no runtime.
    screen.paint(&state).map_err(Error::Terminal)?;

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::system("the system gives no event queue"))?;
    let (signals, alarm) = {
        let _context = runtime.enter();
        let signals = Signals::listen().map_err(Error::system(SIGNALS))?;
        (signals, Alarm::new().map_err(Error::system(event_loop::TIMER))?)
    };
    if let Some(number) = early.noted() {
        return Ok(End::Signal(number));
    }
    let (handle, inbox) = fetch::channel();
    let (events, news) = mpsc::channel(64);
    let network =
        network::start(settings, inbox, events).map_err(Error::system("the system gives no thread for the network"))?;
    let outside = Outside::new();
    let stars = Stars::new(watchlist, state.preferences.watched.clone(), outside.sender());
    let keeper = Keeper::new(snapshot);
    keeper.read_rest(outside.sender());
    let time = Timepiece::new(Clock::System);
    let mut dashboard = Loop { state, screen, handle, news, signals, outside, stars, keeper, alarm, time };
    let ended = input::listen()
        .map_err(Error::system("the system gives no thread to read the terminal"))
        .and_then(|mut input| runtime.block_on(dashboard.run(&mut input)));
    drop(given_back);
    for sentence in dashboard.finish() {
        tracing::warn!(sentence, "at the end");
        complain(&sentence);
    }
    runtime.shutdown_background();
    match ended? {
        Some(end) => Ok(end),
        None => Err(match network.join() {
            Ok(Err(error)) => Error::Network(error),
            Ok(Ok(())) => Error::Internal("the fetch task ended"),
            Err(_) => Error::Internal("the network thread died"),
        }),
    }
}

fn look(settings: &Settings) -> Look {
    let variable = |name: &str| std::env::var(name).ok();
    let glyphs = settings.display.glyphs();
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
