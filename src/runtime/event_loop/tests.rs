use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use super::super::multiplexer::Multiplexer;
use super::super::notification::Protocol;
use super::*;
use crate::app::Preferences;
use crate::client::{Request, ResponseData};
use crate::clock::Clock;
use crate::config::Alerts;
use crate::config::Settings;
use crate::fetch::{FetchId, Inbox, Receipt};
use crate::glyphs::Glyphs;
use crate::model::Zone;
use crate::model::{Coin, CoinId, Currency, Page, Tag, Text, UtcTime};
use crate::snapshot::Snapshot;
use crate::store::SharedDatabase;
use crate::terminal::{Output, Painter};
use crate::theme::Theme;
use crate::view::Appearance;

mod alerts;

/// Counts frames by their flushes, and keeps the written bytes.
#[derive(Clone, Default)]
struct Frames(Arc<AtomicUsize>, Arc<Mutex<Vec<u8>>>);

impl Write for Frames {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.lock().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(())
    }
}

impl Sink for Frames {
    fn is_idle(&mut self) -> io::Result<bool> {
        Ok(true)
    }

    async fn idle(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn pending(&self) -> usize {
        0
    }
}

struct Rig {
    dashboard: Loop<Frames>,
    frames: Frames,
    keys: mpsc::Sender<Vec<u8>>,
    input: Input,
    events: mpsc::Sender<fetch::Event>,
    inbox: Inbox,
}

fn rig() -> Rig {
    let frames = Frames::default();
    let state = State::new(Preferences::default(), (120, 40), UtcTime::now());
    let appearance = Appearance::new(Theme::ansi(), Glyphs::Unicode);
    let screen = FramePainter::new(Painter::new(frames.clone(), state.size), appearance);
    let (handle, inbox) = fetch::channel();
    let (events, fetch_events) = mpsc::channel(64);
    let (keys, chunks) = mpsc::channel(1024);
    let input = Input::new(chunks);
    let final_writer = Output::new().unwrap().final_writer();
    let effect_runner = EffectRunner::new();
    let store = Writer::start(SharedDatabase::default(), UtcTime::now());
    let snapshot_writer = SnapshotWriter::new(Snapshot::new(&Settings::default()), &state);
    let signals = Signals::listen().unwrap();
    let timer = Timer::new().unwrap();
    let clock = ClockMonitor::new(Clock::System);
    let dashboard = Loop {
        state,
        screen,
        final_writer,
        handle,
        sources: mpsc::unbounded_channel().0,
        fetch_events,
        input_events: 0,
        clipboard: Clipboard::Terminal,
        notifier: Notifier::new(Protocol::Osc9, Multiplexer::None, Alerts::default(), Zone::UTC),
        signals,
        effect_runner,
        store,
        snapshot_writer,
        timer,
        clock,
    };
    Rig { dashboard, frames, keys, input, events, inbox }
}

fn key(c: u8) -> Vec<u8> {
    vec![c]
}

fn all() -> Request {
    Request::Coins { tag: Tag::All, start: 1, limit: 200, convert: Currency::usd() }
}

fn coins(count: usize, price: f64) -> Arc<ResponseData> {
    let coin = |number: usize| {
        let name = Text::from(format!("coin-{number}"));
        let mut coin = Coin::new(CoinId(name.clone()), name.clone(), name);
        coin.price = (price + number as f64).into();
        coin
    };
    Arc::new(ResponseData::Coins(Page { items: (0..count).map(coin).collect(), total: Some(count as u64) }))
}

fn arrived(fetch_id: u64, price: f64) -> [fetch::Event; 2] {
    let now = UtcTime::now();
    let receipt = Receipt {
        url: String::from("http://127.0.0.1/"),
        status: 200,
        bytes: 1,
        latency: Duration::ZERO,
        fetched_at: now,
        fresh_until: now.plus(Duration::from_mins(5)),
        ..Receipt::default()
    };
    let (request, fetch_id) = (all(), FetchId(fetch_id));
    [
        fetch::Event::Started { request: request.clone(), fetch_id, at: now },
        fetch::Event::Arrived { request, fetch_id, response: Some(coins(100, price)), receipt },
    ]
}

#[tokio::test]
async fn two_hundred_keys_at_once_cause_at_most_three_frames() {
    let Rig { mut dashboard, frames, keys, mut input, events, inbox } = rig();
    for event in arrived(1, 1.0) {
        events.send(event).await.unwrap();
    }
    for _ in 0..200 {
        keys.send(key(b'j')).await.unwrap();
    }
    let run = async {
        let ended = dashboard.run(&mut input).await.unwrap();
        (ended, frames.0.load(Ordering::SeqCst))
    };
    let quit = async {
        // Wait until the keys are read.
        while keys.capacity() < keys.max_capacity() {
            tokio::task::yield_now().await;
        }
        keys.send(key(b'q')).await.unwrap();
    };
    let ((ended, frames), ()) = tokio::join!(run, quit);
    assert_eq!(ended, Some(Stop::End(End::Quit)));
    assert!(frames <= 3, "{frames} frames");
    drop(inbox);
}

#[tokio::test]
async fn flood_of_responses_causes_at_most_one_frame_per_32_messages() {
    const RESPONSES: u64 = 10_000;
    let Rig { mut dashboard, frames, keys, mut input, events, inbox } = rig();
    let flood = async {
        for fetch_id in 1..=RESPONSES {
            for event in arrived(fetch_id, fetch_id as f64) {
                events.send(event).await.unwrap();
            }
        }
        keys.send(key(b'q')).await.unwrap();
    };
    let (ended, ()) = tokio::join!(dashboard.run(&mut input), flood);
    assert_eq!(ended.unwrap(), Some(Stop::End(End::Quit)));
    let frames = frames.0.load(Ordering::SeqCst) as u64;
    assert!(frames <= 2 * RESPONSES / 32, "{frames} frames for {} messages", 2 * RESPONSES);
    drop(inbox);
}

#[tokio::test]
async fn held_key_does_not_delay_responses() {
    let Rig { mut dashboard, keys, mut input, events, .. } = rig();
    for event in arrived(1, 1.0) {
        events.send(event).await.unwrap();
    }
    for _ in 0..2 * INPUT_EVENTS {
        keys.send(key(b'j')).await.unwrap();
        dashboard.step(&mut input).await.unwrap();
    }
    assert!(dashboard.state.responses.response(&all()).is_some());
}

#[tokio::test]
async fn held_key_does_not_delay_user_data_and_results() {
    let directory = tempfile::tempdir().unwrap();
    let Rig { mut dashboard, keys, mut input, events, inbox, .. } = rig();
    dashboard.store = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    dashboard.effect_runner.send(Message::EffectFailed(String::from("Can't copy")));
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while !dashboard.state.session_saves.is_restored {
        assert!(std::time::Instant::now() < deadline, "the user data never arrives");
        keys.send(key(b'j')).await.unwrap();
        dashboard.step(&mut input).await.unwrap();
    }
    assert!(dashboard.effect_runner.try_next().is_none());
    drop((events, inbox));
}

#[tokio::test]
async fn clock_jump_updates_the_state_after_any_event() {
    let Rig { mut dashboard, keys, mut input, events, inbox, .. } = rig();
    let millis: &'static AtomicI64 = Box::leak(Box::default());
    dashboard.clock = ClockMonitor::new(Clock::Manual(millis));
    for hours in [500_000, 499_999, 500_001] {
        millis.store(hours * 3_600_000, Ordering::Relaxed);
        // A focus report, which the decoder drops, so that no message reaches the state.
        keys.send(b"\x1b[I".to_vec()).await.unwrap();
        assert!(matches!(dashboard.step(&mut input).await.unwrap(), Some(Next::Continue)));
        assert_eq!(dashboard.state.now, dashboard.clock.now());
    }
    drop((events, inbox));
}

#[tokio::test]
async fn click_after_keys_in_one_write_selects_the_painted_coin() {
    let Rig { mut dashboard, keys, mut input, events, inbox, .. } = rig();
    dashboard.dispatch(Message::Tick).unwrap();
    for event in arrived(1, 1.0) {
        dashboard.dispatch(Message::Fetch(event)).unwrap();
    }
    dashboard.screen.paint(&dashboard.state).unwrap();
    let target = Some(app::ClickTarget::Row(None, 3));
    let row = (1..=40).find(|row| dashboard.screen.view_state.hit(20, row - 1) == target).unwrap();
    // Sorted by price, the last coin is the first one.
    keys.send(format!("sp\x1b[<0;21;{row}M").into_bytes()).await.unwrap();
    dashboard.step(&mut input).await.unwrap();
    let list = dashboard.state.list(Tag::All);
    assert_eq!(list.get(0).map(|coin| coin.id.0.as_str()), Some("coin-99"));
    assert_eq!(list.selected().map(|coin| coin.id.0.as_str()), Some("coin-3"));
    drop((events, inbox));
}

#[tokio::test]
async fn closed_terminal_is_an_error() {
    let Rig { mut dashboard, keys, mut input, events, inbox, .. } = rig();
    drop(keys);
    let error = dashboard.run(&mut input).await.unwrap_err();
    assert!(error.to_string().contains("input closed"), "{error}");
    drop((events, inbox));
}

#[tokio::test]
async fn ended_network_thread_ends_the_loop() {
    let Rig { mut dashboard, keys, mut input, events, inbox, .. } = rig();
    drop(events);
    assert_eq!(dashboard.run(&mut input).await.unwrap(), None);
    drop((keys, inbox));
}

/// Continues with another source, whose snapshot is this one.
fn switch(dashboard: &mut Loop<Frames>, snapshot: Snapshot) {
    let (handle, _) = fetch::channel();
    let (_, fetch_events) = mpsc::channel(64);
    let sources = mpsc::unbounded_channel().0;
    dashboard.replace_source(Source { preferences: Preferences::default(), handle, sources, fetch_events, snapshot });
}

/// Settings with a cache directory and this source.
fn cached(directory: &std::path::Path, live: bool) -> Settings {
    let mut settings = Settings::default();
    settings.dirs.cache = Some(directory.to_owned());
    settings.source.cache = true;
    settings.source.live = live;
    settings
}

#[tokio::test]
async fn switched_source_writes_the_old_snapshot_and_drops_what_is_read_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let [demo, live] = [false, true].map(|live| Snapshot::new(&cached(directory.path(), live)));
    let Rig { mut dashboard, keys, input, events, inbox, .. } = rig();
    dashboard.snapshot_writer = SnapshotWriter::new(demo.clone(), &dashboard.state);
    dashboard.dispatch(Message::Tick).unwrap();
    for event in arrived(1, 1.0) {
        dashboard.dispatch(Message::Fetch(event)).unwrap();
    }
    dashboard.snapshot_writer.mark_changed();
    dashboard.snapshot_writer.read_rest();
    switch(&mut dashboard, live);
    // The last write, of either source.
    let next = SnapshotWriter::new(demo.clone(), &dashboard.state);
    std::mem::replace(&mut dashboard.snapshot_writer, next).finish(&dashboard.state);
    assert!(!demo.rest(UtcTime::now()).is_empty());
    // It is read again only now.
    assert!(dashboard.state.responses.response(&all()).is_none());
    dashboard.snapshot_writer.read_rest();
    let rest = dashboard.snapshot_writer.next().await;
    dashboard.dispatch(rest).unwrap();
    assert!(dashboard.state.responses.response(&all()).is_some());
    drop((keys, input, events, inbox));
}

#[tokio::test]
async fn undo_survives_a_switch_of_the_source() {
    let Rig { mut dashboard, keys, input, events, inbox, .. } = rig();
    dashboard.dispatch(Message::Tick).unwrap();
    for event in arrived(1, 1.0) {
        dashboard.dispatch(Message::Fetch(event)).unwrap();
    }
    let is_watched = |dashboard: &Loop<Frames>| {
        dashboard.state.user.current().watchlist.added.iter().any(|coin| coin.symbol == "coin-0")
    };
    dashboard.dispatch(Message::Command(app::Command::ToggleWatch)).unwrap();
    assert!(is_watched(&dashboard));
    switch(&mut dashboard, Snapshot::new(&Settings::default()));
    assert!(is_watched(&dashboard));
    dashboard.dispatch(Message::Command(app::Command::Undo)).unwrap();
    assert!(!is_watched(&dashboard));
    drop((keys, input, events, inbox));
}

#[tokio::test]
async fn marks_pause_and_filter_of_posts_survive_a_switch_of_the_source() {
    let Rig { mut dashboard, keys, input, events, inbox, .. } = rig();
    dashboard.dispatch(Message::Tick).unwrap();
    for event in arrived(1, 1.0) {
        dashboard.dispatch(Message::Fetch(event)).unwrap();
    }
    dashboard.dispatch(Message::Command(app::Command::Mark)).unwrap();
    dashboard.dispatch(Message::Command(app::Command::Pause)).unwrap();
    dashboard.state.posts.filter.network = Some("Bluesky".into());
    switch(&mut dashboard, Snapshot::new(&Settings::default()));
    let State { comparison, paused, posts, .. } = &dashboard.state;
    assert_eq!((comparison.coins().len(), paused.is_some()), (1, true));
    assert_eq!(posts.filter.network.as_deref(), Some("Bluesky"));
    drop((keys, input, events, inbox));
}

#[tokio::test]
async fn changed_session_is_written_while_the_program_runs() {
    let directory = tempfile::tempdir().unwrap();
    let Rig { mut dashboard, keys, input, events, inbox, .. } = rig();
    dashboard.store = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    let millis: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(UtcTime::now().millis())));
    dashboard.clock = ClockMonitor::new(Clock::Manual(millis));
    dashboard.dispatch(Message::Loaded(Box::default())).unwrap();
    dashboard.dispatch(Message::Command(app::Command::Go(app::Tab::Wallet))).unwrap();
    millis.fetch_add(10_000, Ordering::Relaxed);
    dashboard.dispatch(Message::Tick).unwrap();
    // As if the program were killed: the last session is not written.
    let store = std::mem::replace(&mut dashboard.store, Writer::start(SharedDatabase::default(), UtcTime::now()));
    store.finish(None, false, |_| {}, std::future::pending()).await;
    let session = crate::store::read(directory.path()).unwrap().session;
    assert_eq!(session.get("tab").map(String::as_str), Some("wallet"));
    drop((keys, input, events, inbox));
}
