//! The list of coins without terminal and network: the state, the view's memo, and responses delivered as by the fetch
//! task. The tests count its costs, the benchmarks measure them.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use satscope::app::{Command, Message, Preferences, State, update};
use satscope::client::{Request, ResponseData};
use satscope::fetch::{Event, FetchId, Receipt};
use satscope::glyphs::Glyphs;
use satscope::model::{Coin, CoinId, Currency, Page, Tag, Text, UtcTime};
use satscope::terminal::Painter;
use satscope::theme::Theme;
use satscope::view::{self, Appearance, ViewState};

/// Terminal size of all figures.
pub(crate) const SIZE: (u16, u16) = (200, 50);

/// Friday, 20 November 2026, 14:03:00 UTC.
const START: UtcTime = UtcTime::from_secs(1_795_183_380);

/// The list of all coins on a screen of [`SIZE`], loaded.
pub(crate) struct World {
    /// The state of the program.
    pub(crate) state: State,
    appearance: Appearance,
    view_state: ViewState,
    coins: u32,
    fetches: u64,
}

impl World {
    /// A world with this many coins, all on one page.
    pub(crate) fn new(coins: u32) -> World {
        let preferences = Preferences { page_size: coins, ..Preferences::default() };
        let mut world = World {
            state: State::new(preferences, SIZE, START),
            appearance: Appearance::new(Theme::ansi(), Glyphs::Unicode),
            view_state: ViewState::default(),
            coins,
            fetches: 0,
        };
        world.send(Message::Tick);
        world.answer(page(coins, |_, _| {}));
        world
    }

    /// Applies a message.
    pub(crate) fn send(&mut self, message: Message) {
        let _ = update(&mut self.state, message, START);
    }

    /// Presses a key and returns its effects.
    pub(crate) fn command(&mut self, command: Command) {
        self.send(Message::Command(command));
    }

    /// Delivers a new page of coins, each changed by `change`.
    pub(crate) fn refresh(&mut self, change: impl Fn(u32, &mut Coin)) {
        self.answer(page(self.coins, change));
    }

    /// Delivers the page of coins.
    pub(crate) fn answer(&mut self, response: ResponseData) {
        self.answer_to(request(self.coins), response);
    }

    /// Delivers the response to a request.
    pub(crate) fn answer_to(&mut self, request: Request, response: ResponseData) {
        self.fetches += 1;
        let fetch_id = FetchId(self.fetches);
        self.send(Message::Fetch(Event::Started { request: request.clone(), fetch_id, at: START }));
        let receipt = Receipt {
            url: String::from("http://127.0.0.1/coins"),
            status: 200,
            bytes: 12_345,
            latency: Duration::from_millis(12),
            fetched_at: START,
            fresh_until: START.plus(Duration::from_mins(5)),
            ..Receipt::default()
        };
        self.send(Message::Fetch(Event::Arrived { request, fetch_id, response: Some(Arc::new(response)), receipt }));
    }

    /// Paints a frame and returns whether anything had changed.
    pub(crate) fn paint<W: Write>(&mut self, painter: &mut Painter<W>) -> bool {
        let World { state, appearance, view_state, .. } = self;
        painter.frame(|buf| view::draw(buf, state, appearance, view_state)).expect("the counter takes everything")
    }
}

/// The request that the screen makes for its page.
pub(crate) fn request(coins: u32) -> Request {
    Request::Coins { tag: Tag::All, start: 1, limit: coins, convert: Currency::usd() }
}

/// A response with this many coins, each changed by `change`.
pub(crate) fn page(coins: u32, change: impl Fn(u32, &mut Coin)) -> ResponseData {
    let items = (0..coins).map(|index| {
        let mut coin = coin(index);
        change(index, &mut coin);
        coin
    });
    ResponseData::Coins(Page { items: items.collect(), total: Some(u64::from(coins)) })
}

/// A coin with all fields of a row.
fn coin(index: u32) -> Coin {
    let place = f64::from(index + 1);
    let price = 61_234.1 / (1.0 + f64::from(index * 7_919 % 100_003) / 9.7);
    let change = f64::from(index * 31 % 230) / 10.0 - 11.0;
    let number = index + 1;
    let mut coin = Coin::new(
        CoinId(format!("{number}").into()),
        format!("Coin number {number}").into(),
        format!("C{number}").into(),
    );
    coin.slug = Some(Text::from(format!("coin-number-{number}")));
    coin.rank = Some(number);
    coin.price = price.into();
    coin.change_1h_pct = (change / 9.0).into();
    coin.change_24h_pct = change.into();
    coin.change_7d_pct = (-change * 1.5).into();
    coin.high_24h = (price * 1.08).into();
    coin.low_24h = (price * 0.96).into();
    coin.volume_24h = (23.1e9 / place).into();
    coin.market_cap = (1.21e12 / place).into();
    coin.circulating_supply = (21e6).into();
    coin.sparkline_7d = (0..42).map(|i| price * (1.0 + ((f64::from(i) + place) / 5.0).sin() / 20.0)).collect();
    coin
}

/// Output of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Bytes.
    pub(crate) bytes: usize,
    /// Calls of `write`.
    pub(crate) writes: usize,
    /// Calls of `flush`.
    pub(crate) flushes: usize,
}

/// A terminal that counts.
#[derive(Debug, Default)]
pub(crate) struct Counter(pub(crate) Arc<parking_lot::Mutex<Sent>>);

impl Counter {
    /// Output since the last call.
    pub(crate) fn take(&self) -> Sent {
        std::mem::take(&mut *self.0.lock())
    }
}

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut sent = self.0.lock();
        sent.bytes += bytes.len();
        sent.writes += 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().flushes += 1;
        Ok(())
    }
}

/// A painter over a counting terminal, buffered as in the program, and the counter.
pub(crate) fn painter() -> (Painter<io::BufWriter<Counter>>, Counter) {
    let counter = Counter::default();
    let shared = Counter(Arc::clone(&counter.0));
    (Painter::new(io::BufWriter::with_capacity(64 * 1024, shared), SIZE), counter)
}
