//! A simulated week of the program, the same day seven times: state, fetch task and frames are driven as by the event
//! loop. The clock is paused while anything runs.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use allocation_counter::measure;
use satscope::app::{Command, Message, Preferences, State, Tab, demand, next_deadline, update};
use satscope::client::{Error, ErrorKind, Group, Reply, Request, ResponseData, Validator};
use satscope::clock::Clock;
use satscope::fetch::{self, Event, Handle, Settings, Source};
use satscope::glyphs::Glyphs;
use satscope::model::{Chart, Page, Point, Tag, UtcTime, VolumeSpan};
use satscope::terminal::Painter;
use satscope::theme::Theme;
use satscope::view::{self, Appearance, ViewState};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{Receiver, channel};
use tokio::time::{Instant, sleep_until};

use crate::world;

/// A small terminal, since a week has many frames.
const SIZE: (u16, u16) = (40, 12);

/// Midnight before Friday, 20 November 2026.
const MIDNIGHT: UtcTime = UtcTime::from_secs(1_795_132_800);

const HOUR: Duration = Duration::from_hours(1);

/// A service on the runtime's clock. Its prices change with every response, and it is down from 3 to 4 in the morning.
struct Service {
    clock: Clock,
    sent: Arc<AtomicU64>,
}

impl Service {
    fn response(&self, request: &Request) -> Option<ResponseData> {
        let number = self.sent.load(Ordering::Relaxed);
        match request {
            Request::Coins { limit, .. } => Some(world::page((*limit).min(20), |index, coin| {
                coin.price = Some((number + u64::from(index)) as f64 / 7.0);
                coin.sparkline_7d.clear();
            })),
            Request::Chart { slug, period, convert } => {
                let time = |index| MIDNIGHT.plus(Duration::from_mins(index));
                let point = |index| Point { time: time(index), price: 7.0.into(), volume: None, market_cap: None };
                let points = (0..50).map(point).collect();
                Some(ResponseData::Chart(Chart {
                    slug: slug.clone(),
                    period: *period,
                    convert: convert.clone(),
                    points,
                    volume_span: VolumeSpan::Day,
                    candles: None,
                }))
            }
            Request::Posts { .. } => Some(ResponseData::Posts(Page::default())),
            Request::MarketPairs { .. } => Some(ResponseData::MarketPairs(Page::default())),
            Request::MarketData { .. } => Some(ResponseData::Market(Vec::new())),
            Request::Brc20Tokens { .. } => Some(ResponseData::Brc20Tokens(Page::default())),
            _ => None,
        }
    }
}

impl Source for Service {
    async fn get(&self, request: &Request, _: Option<&Validator>) -> Result<Reply, Error> {
        self.sent.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(100)).await;
        let error = |kind| Err(Error { what: request.describe(), origin: self.origin(request.group()), kind });
        let now = self.clock.now();
        if now.since(MIDNIGHT).as_secs() / HOUR.as_secs() % 24 == 3 {
            return error(ErrorKind::Refused);
        }
        let Some(response) = self.response(request) else { return error(ErrorKind::NotFound { message: None }) };
        Ok(Reply {
            is_own: false,
            simulated: false,
            notice: None,
            refresh_error: None,
            not_refreshed: None,
            provider: None,
            rate: None,
            age: Duration::ZERO,
            response: Some(response),
            url: String::from("http://127.0.0.1/"),
            status: 200,
            bytes: 12_345,
            latency: Duration::from_millis(100),
            fetched_at: now,
            validator: None,
            max_age: None,
            warnings: Vec::new(),
            rows: 0,
            has_more: false,
            warns_of_more_rows: false,
            has_several_coins: false,
        })
    }

    fn origin(&self, _: Group) -> String {
        String::from("http://127.0.0.1")
    }
}

/// The program without its terminal.
struct Life {
    runtime: Runtime,
    clock: Clock,
    state: State,
    painter: Painter<io::Sink>,
    appearance: Appearance,
    view_state: ViewState,
    handle: Handle,
    news: Receiver<Event>,
    sent: Arc<AtomicU64>,
    frames: u64,
}

impl Life {
    fn begin() -> Life {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        let (sent, (handle, inbox), (events, news)) = (Arc::default(), fetch::channel(), channel(64));
        let clock = runtime.block_on(async { Clock::runtime(MIDNIGHT) });
        let service = Service { clock, sent: Arc::clone(&sent) };
        let settings = Settings { seed: Some(7), ..Settings::default() };
        runtime.spawn(fetch::run(service, clock, settings, events, inbox));
        Life {
            runtime,
            clock,
            state: State::new(Preferences { page_size: 20, ..Preferences::default() }, SIZE, MIDNIGHT),
            painter: Painter::new(io::sink(), SIZE),
            appearance: Appearance::new(Theme::ansi(), Glyphs::Unicode),
            view_state: ViewState::default(),
            handle,
            news,
            sent,
            frames: 0,
        }
    }

    fn send(&mut self, message: Message) {
        let _ = update(&mut self.state, message, self.clock.now());
        let wanted = demand(&self.state);
        self.handle.demand.send_if_modified(|sent| {
            let changed = *sent != wanted;
            *sent = wanted;
            changed
        });
    }

    fn paint(&mut self) {
        let Life { state, appearance, view_state, painter, .. } = self;
        let painted = painter.frame(|buf| view::draw(buf, state, appearance, view_state)).unwrap();
        self.frames += u64::from(painted);
    }

    /// Runs until that time.
    async fn live(&mut self, until: UtcTime) {
        while self.clock.now() < until {
            let now = self.clock.now();
            let due = Instant::now() + next_deadline(&self.state).min(until).since(now);
            let message = tokio::select! {
                event = self.news.recv() => Message::Fetch(event.unwrap()),
                () = sleep_until(due) => Message::Tick,
            };
            self.send(message);
            while let Ok(event) = self.news.try_recv() {
                self.send(Message::Fetch(event));
            }
            self.paint();
        }
    }

    /// A day: an hour on each tab and on coins, the rest on the list. It ends in the same state as it started.
    fn day(&mut self, number: u32) {
        let runtime = std::mem::replace(&mut self.runtime, Builder::new_current_thread().build().unwrap());
        let midnight = MIDNIGHT.plus(24 * HOUR * number);
        for hour in 1..=24 {
            let commands = match hour {
                2 | 8 => &[Command::Go(Tab::List(Tag::Brc20)), Command::First, Command::Open][..],
                3 => &[Command::Go(Tab::Status)],
                4 => &[Command::Go(Tab::List(Tag::All))],
                9 => &[Command::NextPeriod, Command::TogglePostOrder, Command::NextPanel, Command::Zoom],
                10 => &[Command::PreviousPeriod, Command::TogglePostOrder, Command::PreviousPanel, Command::Zoom],
                11 => &[Command::Go(Tab::Wallet)],
                12 => &[Command::Go(Tab::Indexer)],
                13 => &[
                    Command::Go(Tab::List(Tag::All)),
                    Command::Last,
                    Command::ToggleWatch,
                    Command::ToggleWatch,
                    Command::Help,
                ],
                14 => &[Command::Help, Command::First],
                _ => &[Command::Down, Command::Up],
            };
            commands.iter().for_each(|command| self.send(Message::Command(*command)));
            if (number, hour) == (0, 15) {
                // Fills the list of changes that can be undone.
                (0..10).for_each(|_| self.send(Message::Command(Command::ToggleWatch)));
            }
            runtime.block_on(self.live(midnight.plus(HOUR * hour)));
        }
        self.runtime = runtime;
    }
}

#[test]
fn week_of_refreshes_does_not_leak_memory() {
    let mut life = Life::begin();
    // The first days may grow reused buffers and fill bounded caches.
    let kept = [0, 1, 2, 3, 4, 5, 6].map(|number| measure(|| life.day(number)).bytes_current);
    let sent = life.sent.load(Ordering::Relaxed);
    println!("{sent} requests, {} frames, kept after each day: {kept:?}", life.frames);
    assert!(sent > 7 * 24 * 12, "{sent} requests: all day long, every five minutes at least");
    assert_eq!(kept[3..], [0; 4], "{kept:?}");
}
