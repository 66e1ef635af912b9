//! The app with a clock and an input, and its test data.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use satscope::app::{Effect, Message, Preferences, State, demand, next_deadline, update};
use satscope::client::{Error, ErrorKind, Request, ResponseData};
use satscope::fetch::{Event, FetchId, Receipt};
use satscope::glyphs::Glyphs;
use satscope::model::{Brc20Token, Coin, CoinId, Currency, MarketSeries, Page, Point, Tag, Text, UtcTime, VolumeSpan};
use satscope::theme::Theme;
use satscope::user_data::Change;
use satscope::user_data::alert::{Checker, DataKind};
use satscope::user_data::assigned_ids::AssignedIds;
use satscope::view::{self, Appearance, ViewState};

use crate::support::screen::text;

pub(super) const START: UtcTime = UtcTime::from_secs(1_795_075_200);

pub(super) struct App {
    pub(super) state: State,
    pub(super) now: UtcTime,
    pub(super) fetches: u64,
}

impl App {
    pub(super) fn new() -> App {
        App::with(Preferences::default())
    }

    pub(super) fn with(preferences: Preferences) -> App {
        let mut app = App { state: State::new(preferences, (160, 45), START), now: START, fetches: 0 };
        app.send(Message::Tick);
        app
    }

    pub(super) fn send(&mut self, message: Message) -> Vec<Effect> {
        update(&mut self.state, message, self.now)
    }

    /// This process checks the alerts on all kinds of data, or another one does.
    pub(super) fn checks_alerts(&mut self, itself: bool) {
        let checker = if itself { Checker::ThisProcess } else { Checker::OtherProcess };
        for kind in DataKind::ALL {
            self.send(Message::AlertLease { kind, checker });
        }
    }

    /// The store has assigned an ID to the lot or alert of this change.
    pub(super) fn assign_id(&mut self, change: &Change, id: i64) {
        let mut ids = AssignedIds::default();
        ids.add(change, id);
        self.send(Message::IdsAssigned(ids));
    }

    pub(super) fn key(&mut self, code: KeyCode) -> Vec<Effect> {
        self.send(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    pub(super) fn keys(&mut self, text: &str) -> Vec<Effect> {
        text.chars().flat_map(|c| self.key(KeyCode::Char(c))).collect()
    }

    pub(super) fn wait(&mut self, span: Duration) {
        self.now = self.now.plus(span);
        self.send(Message::Tick);
    }

    /// Waits like the runtime, which wakes up only at deadlines.
    pub(super) fn wait_for_deadlines(&mut self, span: Duration) {
        let end = self.now.plus(span);
        while next_deadline(&self.state) <= end {
            self.now = next_deadline(&self.state);
            self.send(Message::Tick);
        }
        self.now = end;
    }

    pub(super) fn wanted(&self) -> Vec<String> {
        demand(&self.state).visible.iter().map(Request::describe).collect()
    }

    pub(super) fn start(&mut self, request: &Request) -> FetchId {
        self.fetches += 1;
        let fetch_id = FetchId(self.fetches);
        self.send(Message::Fetch(Event::Started { request: request.clone(), fetch_id, at: self.now }));
        fetch_id
    }

    pub(super) fn arrive(&mut self, request: &Request, fetch_id: FetchId, response: ResponseData) {
        self.arrive_of(1, request, fetch_id, response);
    }

    /// A response with a body of this many bytes, or a confirmation without a body.
    pub(super) fn arrive_of(
        &mut self,
        bytes: u64,
        request: &Request,
        fetch_id: FetchId,
        response: impl Into<Option<ResponseData>>,
    ) {
        let receipt = Receipt { bytes, ..self.receipt() };
        let (request, response) = (request.clone(), response.into().map(Arc::new));
        self.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
    }

    /// A response with this many rows in its body, some of them skipped or unreadable.
    pub(super) fn answer_of_rows(&mut self, rows: usize, request: &Request, response: ResponseData) {
        let fetch_id = self.start(request);
        let warnings = Arc::from([String::from("$.data[7]: found 7, expected a coin with a name or symbol")]);
        let receipt = Receipt { warnings, rows, ..self.receipt() };
        let (request, response) = (request.clone(), Some(Arc::new(response)));
        self.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
    }

    /// Metadata of a response.
    pub(super) fn receipt(&self) -> Receipt {
        Receipt {
            url: String::from("http://127.0.0.1/"),
            status: 200,
            bytes: 1,
            latency: Duration::from_millis(5),
            fetched_at: self.now,
            fresh_until: self.now.plus(Duration::from_mins(5)),
            ..Receipt::default()
        }
    }

    pub(super) fn answer(&mut self, request: &Request, response: ResponseData) {
        let fetch_id = self.start(request);
        self.arrive(request, fetch_id, response);
    }

    /// A response with other metadata.
    pub(super) fn answer_as(&mut self, request: &Request, response: ResponseData, change: impl Fn(Receipt) -> Receipt) {
        let fetch_id = self.start(request);
        let receipt = change(self.receipt());
        let (request, response) = (request.clone(), Some(Arc::new(response)));
        self.send(Message::Fetch(Event::Arrived { request, fetch_id, response, receipt }));
    }

    pub(super) fn fail(&mut self, request: &Request) {
        self.fail_with(request, ErrorKind::Refused);
    }

    pub(super) fn fail_with(&mut self, request: &Request, kind: ErrorKind) -> Vec<Effect> {
        let fetch_id = self.start(request);
        let error = Error { what: request.describe(), origin: String::from("http://x"), kind };
        let (error, at) = (Arc::new(error), self.now);
        let next_try = Some(self.now.plus(Duration::from_secs(2)));
        self.send(Message::Fetch(Event::Failed { request: request.clone(), fetch_id, error, at, next_try }))
    }

    /// The text of a frame of this size.
    pub(super) fn screen(&mut self, size: (u16, u16)) -> String {
        self.send(Message::Resize(size.0, size.1));
        let mut buf = Buffer::empty(Rect::new(0, 0, size.0, size.1));
        view::draw(&mut buf, &self.state, &Appearance::new(Theme::ansi(), Glyphs::Unicode), &mut ViewState::default());
        text(&buf)
    }

    /// The text of a frame that follows those in `view_state`. The terminal keeps its size.
    pub(super) fn screen_after(&self, size: (u16, u16), view_state: &mut ViewState) -> String {
        let mut buf = Buffer::empty(Rect::new(0, 0, size.0, size.1));
        view::draw(&mut buf, &self.state, &Appearance::new(Theme::ansi(), Glyphs::Unicode), view_state);
        text(&buf)
    }

    pub(super) fn selected(&self) -> &str {
        self.state.list(Tag::All).selected().map_or("", |coin| coin.slug.as_deref().unwrap_or(""))
    }

    pub(super) fn slugs(&self) -> Vec<&str> {
        let list = self.state.list(Tag::All);
        (0..list.len()).filter_map(|row| list.get(row)?.slug.as_deref()).collect()
    }
}

pub(super) fn coin(rank: u32, slug: &str, symbol: &str, price: Option<f64>) -> Coin {
    let mut coin = Coin::new(CoinId(Text::from(format!("id-{slug}"))), slug.into(), symbol.into());
    coin.rank = Some(rank);
    coin.slug = Some(slug.into());
    coin.price = price;
    coin.sparkline_7d = vec![1.0, 2.0];
    coin
}

pub(super) fn page(coins: Vec<Coin>, total: Option<u64>) -> ResponseData {
    ResponseData::Coins(Page { items: coins, total })
}

pub(super) fn many(from: u32, count: u32) -> Vec<Coin> {
    (from..from + count).map(|n| coin(n, &format!("coin-{n}"), &format!("C{n}"), Some(f64::from(n)))).collect()
}

pub(super) fn all(start: u32) -> Request {
    Request::Coins { tag: Tag::All, start, limit: 200, convert: Currency::usd() }
}

pub(super) fn three() -> Vec<Coin> {
    vec![coin(1, "bitcoin", "BTC", Some(60_000.0)), coin(2, "ordi", "ORDI", Some(8.0)), coin(3, "void", "VOID", None)]
}

pub(super) fn series(symbol: &str, slug: &str) -> MarketSeries {
    let point =
        |n: i64| Point { time: UtcTime::from_secs(n), price: (n as f64).into(), volume: None, market_cap: None };
    MarketSeries {
        id: Some(Text::from(format!("id-{slug}"))),
        name: Some(slug.into()),
        symbol: symbol.into(),
        slug: Some(slug.into()),
        convert: Currency::usd(),
        interval: Some("1h".into()),
        points: (0..5).map(point).collect(),
        volume_span: VolumeSpan::Day,
        candles: None,
    }
}

pub(super) fn token(ticker: &str) -> Brc20Token {
    Brc20Token::new(ticker.into())
}

pub(super) fn indexer_with(tickers: &[&str]) -> App {
    let mut app = App::new();
    app.keys("5");
    let request = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
    let items = tickers.iter().map(|ticker| token(ticker)).collect();
    app.answer(&request, ResponseData::Brc20Tokens(Page { items, total: Some(tickers.len() as u64) }));
    app
}
