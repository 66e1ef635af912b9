//! The runtime: feeds input and fetch events to the state, paints frames and runs effects. There is no periodic tick;
//! it sleeps until an event or the next deadline of the state.

mod clipboard;
mod clock_monitor;
mod effects;
mod event_loop;
mod failures;
mod input;
mod last_alerts;
mod multiplexer;
mod notification;
mod outcome;
mod signals;
mod snapshot_writer;
mod timer;

use std::thread::JoinHandle;

use tokio::sync::mpsc;

use crate::allocator;
use crate::app::{self, Message, Preferences, State};
use crate::clock::Clock;
use crate::config::{self, Settings};
use crate::fetch;
use crate::model::UtcTime;
use crate::network::{self, SourceCommand};
use crate::snapshot::Snapshot;
use crate::store::{self, SharedDatabase, Writer};
use crate::terminal::{self, FinalWriter, Output, Painter};
use crate::theme::{ThemeChoice, color_term};
use crate::view::Appearance;
use crate::view::images::{Images, Protocol as ImageProtocol};

pub(crate) use clock_monitor::ClockMonitor;
pub(crate) use multiplexer::Multiplexer;
pub(crate) use notification::{COMMAND_TIMEOUT, Notifier, Protocol};
pub use outcome::{End, Error};

use clipboard::Clipboard;
use effects::EffectRunner;
use event_loop::{FramePainter, Loop, Source, Stop};
use failures::Failures;
use signals::{EarlySignals, Signals};
use snapshot_writer::SnapshotWriter;
use timer::Timer;

/// Error message for signal handlers.
const SIGNALS_ERROR: &str = "can't install signal handlers";

/// Runs the dashboard until the user quits or a signal ends it. The terminal is always restored; after that, `report`
/// is called with each failure that came too late for the screen, such as a change that could not be saved, with the text
/// of each alert that fired too late for it, and with what the program waits for before it ends.
///
/// # Errors
/// See [`Error`].
pub fn run(mut settings: Settings, report: impl Fn(&str)) -> Result<End, Error> {
    allocator::use_single_arena();
    // If this fails, the writer thread tries again after the first frame and reports the error.
    let user = settings.dirs.state.as_deref().and_then(|directory| {
        store::read(directory).inspect_err(|error| tracing::info!(%error, "user data not read at the start")).ok()
    });
    let size = terminal::size().map_err(Error::Terminal)?;
    if let Some(user) = &user {
        settings.apply_session(&user.session);
        settings.sources = user.sources.clone();
    }
    let mut state = State::new(preferences(&settings), size, UtcTime::now());
    if let Some(user) = user {
        let _ = app::update(&mut state, Message::Loaded(Box::new(user)), UtcTime::now());
    }
    let snapshot = Snapshot::new(&settings);
    let first = snapshot.first(state.now);
    let _ = app::update(&mut state, Message::Restored(first), UtcTime::now());
    let early = EarlySignals::register().map_err(Error::system(SIGNALS_ERROR))?;
    let ended = run_on_screen(settings, state, snapshot, &early, report);
    // When the terminal closes, the loop may fail before it receives the SIGHUP.
    ended.or_else(|error| match error {
        // The user must learn of it, even if a signal ended the wait for a save.
        Error::NotSaved(_) => Err(error),
        _ => early.received().map(End::Signal).ok_or(error),
    })
}

/// The initial preferences on this terminal.
fn preferences(settings: &Settings) -> Preferences {
    let mut preferences = settings.preferences();
    // While GNU Screen reports the mouse, it holds back a lone Esc until the next key and then sends both at once.
    preferences.mouse &= std::env::var_os("STY").is_none_or(|value| value.is_empty());
    preferences.clipboard = clipboard() != Clipboard::None;
    preferences
}

/// How text is copied on this terminal.
fn clipboard() -> Clipboard {
    Clipboard::detect(|name| std::env::var(name).ok())
}

/// Takes the terminal, runs the event loop, and restores the terminal.
fn run_on_screen(
    mut settings: Settings,
    state: State,
    snapshot: Snapshot,
    early: &EarlySignals,
    report: impl Fn(&str),
) -> Result<End, Error> {
    let mut out = Output::new().map_err(Error::system("can't start the output thread"))?;
    let final_writer = out.final_writer();
    terminal::restore_on_panic(final_writer.clone());
    terminal::enter(&mut out, state.mouse).map_err(Error::Terminal)?;
    let restore = RestoreOnDrop(final_writer.clone());
    let mut screen = FramePainter::new(Painter::new(out, state.size), appearance(&settings));
    // Paint the first frame before any slow setup: sockets, certificates, the runtime.
    screen.paint(&state).map_err(Error::Terminal)?;

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::system("can't start the async runtime"))?;
    let (signals, timer) = {
        let _context = runtime.enter();
        let signals = Signals::listen().map_err(Error::system(SIGNALS_ERROR))?;
        (signals, Timer::new().map_err(Error::system(event_loop::TIMER_ERROR))?)
    };
    // It is written by another thread. On a busy machine, the setup below would delay it.
    runtime.block_on(screen.written()).map_err(Error::Terminal)?;
    if let Some(number) = early.received() {
        return Ok(End::Signal(number));
    }
    let database = settings.store();
    let store = Writer::start(database.clone(), UtcTime::now());
    let Connection { mut network, handle, sources, fetch_events } = connect(&settings, &database)?;
    let effect_runner = EffectRunner::new();
    let mut snapshot_writer = SnapshotWriter::new(snapshot, &state);
    snapshot_writer.read_rest();
    let clock = ClockMonitor::new(Clock::System);
    let variable = |name: &str| std::env::var(name).ok();
    let (protocol, multiplexer) = (Protocol::detect(variable), Multiplexer::detect(variable));
    let (alerts, zone) = (settings.alerts.clone(), settings.display.time_zone.zone());
    let mut dashboard = Loop {
        state,
        screen,
        final_writer,
        handle,
        sources,
        fetch_events,
        input_events: 0,
        clipboard: clipboard(),
        notifier: Notifier::new(protocol, multiplexer, alerts, zone),
        signals,
        effect_runner,
        store,
        snapshot_writer,
        timer,
        clock,
    };
    dashboard.notice_early_resize().map_err(Error::Terminal)?;
    let ended = run_loop(&runtime, &mut dashboard, &mut network, &mut settings, &database);
    drop(restore);
    let Failures { sentences, alerts, lost } = runtime.block_on(dashboard.finish(&report));
    alerts.iter().for_each(|alert| report(alert));
    let report = |failure: &str| {
        tracing::warn!(failure, "failed at exit");
        report(failure);
    };
    sentences.iter().for_each(|failure| report(failure));
    runtime.shutdown_background();
    conclude(ended, lost, network, report)
}

/// Runs the event loop until the program ends, and restarts it whenever the user switches the source; `None` if the
/// network thread ended.
fn run_loop(
    runtime: &tokio::runtime::Runtime,
    dashboard: &mut Loop<Output>,
    network: &mut JoinHandle<Result<(), network::Error>>,
    settings: &mut Settings,
    database: &SharedDatabase,
) -> Result<Option<End>, Error> {
    let mut input = input::listen().map_err(Error::system("can't start the input thread"))?;
    loop {
        match runtime.block_on(dashboard.run(&mut input))? {
            Some(Stop::Switch { live }) => {
                settings.choose_live(live);
                settings.sources = dashboard.state.user.current().sources.clone();
                let Connection { network: new_network, handle, sources, fetch_events } = connect(settings, database)?;
                *network = new_network;
                let snapshot = Snapshot::new(settings);
                let preferences = preferences(settings);
                dashboard.replace_source(Source { preferences, handle, sources, fetch_events, snapshot });
            }
            Some(Stop::End(end)) => return Ok(Some(end)),
            None => return Ok(None),
        }
    }
}

/// How the dashboard ended: as the event loop did, unless changes are `lost` or a thread panicked.
fn conclude(
    ended: Result<Option<End>, Error>,
    lost: Option<Error>,
    network: JoinHandle<Result<(), network::Error>>,
    report: impl Fn(&str),
) -> Result<End, Error> {
    // A panic message is more useful than its consequences.
    let internal = |otherwise: &str| Error::Internal(terminal::first_panic().unwrap_or_else(|| otherwise.to_owned()));
    // Quitting fails with it; other ends have their own exit status.
    let lost = match (&ended, lost) {
        (Ok(Some(End::Quit)), Some(lost)) if terminal::first_panic().is_none() => return Err(lost),
        (_, lost) => lost,
    };
    lost.iter().for_each(|lost| report(&lost.to_string()));
    match ended? {
        Some(End::Quit) if terminal::first_panic().is_some() => Err(internal("")),
        Some(end) => Ok(end),
        None => Err(match network.join() {
            Ok(Err(error)) => Error::Network(error),
            Ok(Ok(())) => internal("the fetch task ended"),
            Err(_) => internal("the network thread panicked"),
        }),
    }
}

/// A network thread, its handles and its events.
struct Connection {
    network: JoinHandle<Result<(), network::Error>>,
    handle: fetch::Handle,
    sources: mpsc::UnboundedSender<SourceCommand>,
    fetch_events: mpsc::Receiver<fetch::Event>,
}

/// Starts the network thread.
fn connect(settings: &Settings, database: &SharedDatabase) -> Result<Connection, Error> {
    let (handle, inbox) = fetch::channel();
    let (events, fetch_events) = mpsc::channel(64);
    let (sources, commands) = mpsc::unbounded_channel();
    let network = network::start(settings.clone(), database.clone(), inbox, commands, events);
    let network = network.map_err(Error::system("can't start the network thread"))?;
    Ok(Connection { network, handle, sources, fetch_events })
}

/// Returns the theme, glyphs and images from the settings, the environment and the terminal's device.
fn appearance(settings: &Settings) -> Appearance {
    let variable = |name: &str| std::env::var(name).ok();
    let glyphs = settings.display.glyphs();
    let variables = ["NO_COLOR", "TERM", "COLORFGBG"].map(variable);
    let [no_color, term, colours] = variables.each_ref().map(Option::as_deref);
    let color_term = color_term(variable);
    let choose = |choice: ThemeChoice| choice.theme(no_color, term, color_term.as_deref(), colours);
    let theme = choose(settings.display.theme);
    let configured = match settings.display.images {
        config::Images::Auto | config::Images::Off => None,
        config::Images::HalfBlocks => Some(ImageProtocol::HalfBlocks),
        config::Images::Kitty => Some(ImageProtocol::Kitty),
        config::Images::Sixel => Some(ImageProtocol::Sixel),
        config::Images::Iterm2 => Some(ImageProtocol::Iterm2),
    };
    let images = Images::detect(variable, &choose(ThemeChoice::default()), configured, terminal::cell_size());
    Appearance { theme, glyphs, images }
}

/// Restores the terminal when dropped.
struct RestoreOnDrop(FinalWriter);

impl Drop for RestoreOnDrop {
    fn drop(&mut self) {
        terminal::leave(&self.0);
    }
}
