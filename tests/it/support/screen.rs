//! The whole program without its outside: keys go through the key table into the state, answers are handed in as the
//! fetch task would, and what is painted is read as text and style runs.
//!
//! ```ignore
//! let mut screen = Screen::new(80, 24);
//! screen.serve(fixture::answer);     // answers everything that is on the screen, as often as something new is
//! screen.keys("jj<enter>");
//! insta::assert_snapshot!(screen.picture());
//! ```

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use satscope::app::{Effect, Message, Preferences, State, demand, update};
use satscope::client::{Answer, Error, ErrorKind, Request};
use satscope::fetch::{Event, Receipt, Ticket};
use satscope::keymap;
use satscope::model::UtcTime;
use satscope::theme::Theme;
use satscope::view::{self, Glyphs, Look, Memo};

/// When every test begins: Friday, 20 November 2026, 14:03:00 UTC.
pub(crate) const START: UtcTime = UtcTime::from_secs(1_795_183_380);

/// How long answers hold.
pub(crate) const FRESH: Duration = Duration::from_mins(5);

/// The program without its outside.
pub(crate) struct Screen {
    /// What it knows.
    pub(crate) state: State,
    /// What the view remembers.
    pub(crate) memo: Memo,
    /// How it looks.
    pub(crate) look: Look,
    /// What it asked the outside to do, in order.
    pub(crate) effects: Vec<Effect>,
    /// The terminal's cursor in the last picture.
    pub(crate) cursor: Option<(u16, u16)>,
    now: UtcTime,
    tickets: u64,
}

impl Screen {
    /// A start on a terminal of that size, nothing fetched, nothing asked yet.
    pub(crate) fn new(columns: u16, rows: u16) -> Screen {
        Screen::with(Preferences { page_size: 100, ..Preferences::default() }, columns, rows)
    }

    /// [`Screen::new`] with a configuration.
    pub(crate) fn with(preferences: Preferences, columns: u16, rows: u16) -> Screen {
        let mut screen = Screen {
            state: State::new(preferences, (columns, rows), START),
            memo: Memo::default(),
            look: Look { theme: Theme::ansi(), glyphs: Glyphs::Unicode },
            effects: Vec::new(),
            cursor: None,
            now: START,
            tickets: 0,
        };
        screen.tell(Message::Resize(columns, rows));
        screen
    }

    /// One message, now.
    pub(crate) fn tell(&mut self, message: Message) {
        let effects = update(&mut self.state, message, self.now);
        self.effects.extend(effects);
    }

    /// One message at a time of the caller's clock.
    pub(crate) fn tell_at(&mut self, message: Message, now: UtcTime) {
        self.now = now;
        self.tell(message);
    }

    /// Keys as they are typed; special ones in angle brackets: `<enter> <esc> <tab> <backtab> <up> <down> <left>
    /// <right> <home> <end> <pgup> <pgdn> <space> <bs> <f1> <c-x>`. Keys that mean nothing are swallowed, as in the
    /// program.
    pub(crate) fn keys(&mut self, keys: &str) {
        let mut rest = keys;
        while let Some(first) = rest.chars().next() {
            let special = rest.strip_prefix('<').and_then(|tail| tail.split_once('>'));
            let (key, tail) = match special.and_then(|(name, tail)| Some((special_key(name)?, tail))) {
                Some(found) => found,
                None => (KeyEvent::from(KeyCode::Char(first)), &rest[first.len_utf8()..]),
            };
            self.key(key);
            rest = tail;
        }
    }

    /// One key.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        if let Some(message) = keymap::translate(key, &self.state) {
            self.tell(message);
        }
    }

    /// A click on what the last picture has in a cell. Panics where nothing can be hit.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        let target = self.memo.hit(column, row);
        self.tell(Message::Click(target.unwrap_or_else(|| panic!("nothing to hit at {column},{row}"))));
    }

    /// Another size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.tell(Message::Resize(columns, rows));
    }

    /// Time passes and the program looks at the clock.
    pub(crate) fn wait(&mut self, time: Duration) {
        self.now = self.now.plus(time);
        self.tell(Message::Tick);
    }

    /// What the screen needs.
    pub(crate) fn wanted(&self) -> Vec<Request> {
        demand(&self.state).requests
    }

    /// The fetch task sends a request; it stays under way until it is answered or fails.
    pub(crate) fn start(&mut self, request: &Request) -> Ticket {
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        self.tell(Message::Fetch(Event::Started { request: request.clone(), ticket, at: self.now }));
        ticket
    }

    /// Sends everything that the screen needs.
    pub(crate) fn start_all(&mut self) {
        for request in self.wanted() {
            self.start(&request);
        }
    }

    /// The answer to a request comes, sent now.
    pub(crate) fn answer(&mut self, request: &Request, answer: Answer) {
        self.answer_with(request, answer, &[]);
    }

    /// [`Screen::answer`], with what could not be read of it.
    pub(crate) fn answer_with(&mut self, request: &Request, answer: Answer, warnings: &[String]) {
        let ticket = self.start(request);
        let receipt = Receipt {
            url: String::from("http://127.0.0.1/…"),
            status: 200,
            bytes: 12_345,
            latency: Duration::from_millis(120),
            fetched_at: self.now,
            fresh_until: self.now.plus(FRESH),
            warnings: Arc::from(warnings),
        };
        let answer = Some(Arc::new(answer));
        self.tell(Message::Fetch(Event::Arrived { request: request.clone(), ticket, answer, receipt }));
    }

    /// Answers everything that the screen needs and has not, until nothing new is needed. Requests for which `service`
    /// has no answer stay as they are.
    pub(crate) fn serve(&mut self, service: impl Fn(&Request) -> Option<Answer>) {
        for _ in 0..20 {
            let missing: Vec<_> =
                self.wanted().into_iter().filter(|request| self.state.store.answer(request).is_none()).collect();
            let answers: Vec<_> =
                missing.into_iter().filter_map(|request| Some((service(&request)?, request))).collect();
            if answers.is_empty() {
                return;
            }
            for (answer, request) in answers {
                self.answer(&request, answer);
            }
        }
        panic!("the screen never has enough: {:?}", self.wanted());
    }

    /// Everything that the screen needs fails, and is tried again in 30 seconds.
    pub(crate) fn fail_all(&mut self, kind: &ErrorKind) {
        for request in self.wanted() {
            self.fail(&request, kind.clone());
        }
    }

    /// A request fails, and is tried again in 30 seconds.
    pub(crate) fn fail(&mut self, request: &Request, kind: ErrorKind) {
        let ticket = self.start(request);
        let error = Error { what: request.describe(), place: String::from("http://coins.example"), kind };
        self.tell(Message::Fetch(Event::Failed {
            request: request.clone(),
            ticket,
            error: Arc::new(error),
            at: self.now,
            next_try: Some(self.now.plus(Duration::from_secs(30))),
        }));
    }

    /// Paints a frame of the state's size.
    pub(crate) fn paint(&mut self) -> Buffer {
        let (columns, rows) = self.state.size;
        let mut buf = Buffer::empty(Rect::new(0, 0, columns, rows));
        self.cursor = view::draw(&mut buf, &self.state, &self.look, &mut self.memo);
        buf
    }

    /// The text of a frame.
    pub(crate) fn text(&mut self) -> String {
        text(&self.paint())
    }

    /// The text of a frame and, below it, how it is styled: for each row the columns that are not plain text, rows of
    /// equal styles together. `4-9: 0-2 dim, 5 bold cyan on blue`.
    pub(crate) fn picture(&mut self) -> String {
        let buf = self.paint();
        let mut picture = text(&buf);
        if let Some((column, row)) = self.cursor {
            let _ = writeln!(picture, "cursor at {column},{row}");
        }
        picture.push_str(&styles(&buf));
        picture
    }
}

fn special_key(name: &str) -> Option<KeyEvent> {
    if let Some(letter) = name.strip_prefix("c-").and_then(|rest| rest.chars().next()) {
        return Some(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL));
    }
    Some(KeyEvent::from(match name {
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pgup" => KeyCode::PageUp,
        "pgdn" => KeyCode::PageDown,
        "space" => KeyCode::Char(' '),
        "bs" => KeyCode::Backspace,
        "f1" => KeyCode::F(1),
        _ => return None,
    }))
}

/// The text of a frame, one line a row, without the space at its end.
pub(crate) fn text(buf: &Buffer) -> String {
    let mut lines = String::new();
    for y in buf.area.top()..buf.area.bottom() {
        let mut line = String::new();
        let mut skip = 0;
        for x in buf.area.left()..buf.area.right() {
            let symbol = buf[(x, y)].symbol();
            if skip == 0 {
                line.push_str(symbol);
            }
            // The cell behind a wide character belongs to it.
            skip = if skip > 0 { skip - 1 } else { unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1) };
        }
        lines.push_str(line.trim_end());
        lines.push('\n');
    }
    lines
}

/// How a frame is styled, in runs.
pub(crate) fn styles(buf: &Buffer) -> String {
    let mut groups: Vec<(u16, u16, String)> = Vec::new();
    for y in buf.area.top()..buf.area.bottom() {
        let runs = runs(buf, y);
        match groups.last_mut() {
            Some((_, last, same)) if *same == runs => *last = y,
            _ => groups.push((y, y, runs)),
        }
    }
    let mut out = String::new();
    for (first, last, runs) in groups.into_iter().filter(|(_, _, runs)| !runs.is_empty()) {
        let rows = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let _ = writeln!(out, "{rows}: {runs}");
    }
    out
}

fn runs(buf: &Buffer, y: u16) -> String {
    let mut runs: Vec<(u16, u16, String)> = Vec::new();
    for x in buf.area.left()..buf.area.right() {
        let cell = &buf[(x, y)];
        let style = style(cell);
        // What a blank's letters would look like is not seen, so it goes on as what stands before it, where that is so.
        let invisible = cell.symbol() == " " && cell.bg == Color::Reset && !cell.modifier.intersects(SEEN_ON_BLANKS);
        match runs.last_mut() {
            Some((_, last, same)) if *same == style && *last + 1 == x => *last = x,
            _ if style.is_empty() || invisible => {}
            _ => runs.push((x, x, style)),
        }
    }
    let name = |(first, last, style): &(u16, u16, String)| {
        if first == last { format!("{first} {style}") } else { format!("{first}-{last} {style}") }
    };
    runs.iter().map(name).collect::<Vec<_>>().join(", ")
}

const SEEN_ON_BLANKS: Modifier = Modifier::UNDERLINED.union(Modifier::REVERSED);

fn style(cell: &Cell) -> String {
    let mut words: Vec<String> = Vec::new();
    for (modifier, name) in [
        (Modifier::BOLD, "bold"),
        (Modifier::DIM, "dim"),
        (Modifier::ITALIC, "italic"),
        (Modifier::UNDERLINED, "underlined"),
        (Modifier::REVERSED, "reversed"),
    ] {
        if cell.modifier.contains(modifier) {
            words.push(name.to_owned());
        }
    }
    if cell.fg != Color::Reset {
        words.push(cell.fg.to_string().to_lowercase());
    }
    if cell.bg != Color::Reset {
        words.push(format!("on {}", cell.bg.to_string().to_lowercase()));
    }
    words.join(" ")
}

/// Answers of our own composition.
pub(crate) mod fixture {
    use satscope::client::{Answer, Request};
    use satscope::model::{
        Chart, Coin, CoinId, Currency, Link, MarketPair, MarketSeries, Page, Point, Post, Tag, Text,
    };

    use super::START;
    use std::time::Duration;

    /// How many coins the service has.
    pub(crate) const COINS: u32 = 250;

    /// What a service in good health answers; `None` for what the indexer is asked.
    pub(crate) fn answer(request: &Request) -> Option<Answer> {
        Some(match request {
            Request::Coins { tag, start, limit, convert } => {
                let first = start.saturating_sub(1);
                let items = (first..COINS.min(first + limit)).map(|index| coin(*tag, index, convert)).collect();
                Answer::Coins(Page { items, total: Some(u64::from(COINS)) })
            }
            Request::MarketData { symbols, convert, count, interval } => Answer::Market(
                symbols.iter().filter(|s| *s != "GONE").flat_map(|s| series(s, convert, *count, interval)).collect(),
            ),
            Request::Posts { symbol, .. } => Answer::Posts(Page { items: posts(symbol), total: None }),
            Request::MarketPairs { symbol, convert, .. } => {
                Answer::MarketPairs(Page { items: pairs(symbol, convert), total: None })
            }
            Request::Chart { slug, period, convert } => {
                let step = Duration::from_secs(u64::from(period.days()) * 86_400 / 100);
                Answer::Chart(Chart {
                    slug: slug.clone(),
                    period: *period,
                    convert: convert.clone(),
                    points: points(100, step, 8.4),
                })
            }
            _ => return None,
        })
    }

    /// The named coins, then as many others as are needed.
    const NAMES: [(&str, &str, f64, f64, f64); 8] = [
        ("Bitcoin", "BTC", 61_234.10, -1.4, 1.21e12),
        ("Ethereum", "ETH", 2_431.55, 0.8, 292.6e9),
        ("ORDI", "ORDI", 8.41, -3.8, 176.7e6),
        ("Sats (Ordinals)", "SATS", 0.000_000_073_4, 12.4, 154.1e6),
        ("rats (Ordinals)", "RATS", 0.000_041_2, -8.1, 41.2e6),
        ("Ordinal Rats", "RATS", 0.001_234, 104.2, 1.2e6),
        ("A coin whose name is longer than any column", "LONGSYMBOL", 0.8412, 0.0, 987_654.0),
        ("比特币 现金", "比特", 123_456_789.0, -0.04, 12_345.0),
    ];

    /// The coin at a place of a list.
    pub(crate) fn coin(tag: Tag, index: u32, convert: &Currency) -> Coin {
        let (name, symbol, price, change, cap) = match NAMES.get(index as usize) {
            Some(&(name, symbol, price, change, cap)) => (Text::from(name), Text::from(symbol), price, change, cap),
            None => {
                let place = f64::from(index);
                let change = f64::from(index % 23) - 11.0;
                (format!("Coin {index}").into(), format!("C{index}").into(), 500.0 / place, change, 9e5 / place)
            }
        };
        let id = CoinId(format!("{}-{}", tag.as_str(), index + 1).into());
        let mut coin = Coin::new(id, name.clone(), symbol);
        coin.slug = Some(name.to_lowercase().replace(' ', "-").into());
        coin.rank = Some(index + 1);
        coin.convert = convert.clone();
        coin.price = Some(price);
        coin.change_1h_pct = Some(change / 10.0);
        coin.change_24h_pct = Some(change);
        coin.change_7d_pct = Some(-change * 1.5);
        coin.high_24h = Some(price * 1.08);
        coin.low_24h = Some(price * 0.96);
        coin.volume_24h = Some(cap / 20.0);
        coin.market_cap = Some(cap);
        coin.circulating_supply = Some(21e6);
        coin.sparkline_7d =
            (0..84).map(|i| price * (1.0 + (f64::from(i) / 7.0 + f64::from(index)).sin() / 20.0)).collect();
        coin.links = [
            Link { kind: Text::from("website"), url: format!("https://coin{index}.example/") },
            Link { kind: Text::from("twitter"), url: format!("https://x.example/coin{index}") },
        ]
        .into_iter()
        .collect();
        if index == 7 {
            // Of some coins little is known.
            coin = Coin { price: coin.price, rank: None, ..Coin::new(coin.id, coin.name, coin.symbol) };
        }
        coin
    }

    fn points(count: u32, step: Duration, price: f64) -> Vec<Point> {
        (0..count)
            .map(|i| Point {
                time: START.minus(step * (count - 1 - i)),
                price: (i % 40 != 17).then(|| price * (1.0 + (f64::from(i) / 9.0).sin() / 12.0)),
                volume: Some(1e6 + f64::from(i)),
                market_cap: None,
            })
            .collect()
    }

    /// The series of a symbol; RATS is shared by two coins.
    pub(crate) fn series(symbol: &str, convert: &Currency, count: u32, interval: &str) -> Vec<MarketSeries> {
        let of = |name: &str, slug: &str, price: f64| MarketSeries {
            id: None,
            name: Some(name.into()),
            symbol: symbol.into(),
            slug: Some(slug.into()),
            convert: convert.clone(),
            interval: interval.into(),
            points: points(count, Duration::from_hours(1), price),
        };
        match symbol {
            "BTC" => vec![of("Bitcoin", "bitcoin", 61_234.10)],
            "ORDI" => vec![of("ORDI", "ordi", 8.41)],
            "SATS" => vec![of("Sats (Ordinals)", "sats-ordinals", 0.000_000_073_4)],
            "RATS" => {
                vec![of("rats (Ordinals)", "rats-ordinals", 0.000_041_2), of("Ordinal Rats", "ordinal-rats", 0.0012)]
            }
            other => vec![of(other, &other.to_lowercase(), 1.0)],
        }
    }

    /// Three posts: a plain one, a long one with links, and one of which little is known.
    pub(crate) fn posts(symbol: &str) -> Vec<Post> {
        let post = |id: &str, author: Option<&str>, text: String| Post {
            id: id.into(),
            author: author.map(Text::from),
            text,
            likes: None,
            comments: None,
            reposts: None,
            posted_at: None,
            url: None,
            symbols: vec![symbol.into()],
            language: None,
        };
        let long = format!(
            "What {symbol} did this week, and why it matters.\n\n{}\n\nSources: https://news.example/{symbol}/week?ref=1, \
             http://192.0.2.7/x and https://xn--80ak6aa92e.example/login",
            "Fees came down, and so inscribing did not stop; the holders of old did not sell. ".repeat(6)
        );
        vec![
            Post {
                likes: Some(37),
                comments: Some(4),
                reposts: Some(1),
                posted_at: Some(START.minus(Duration::from_hours(2))),
                url: Some(format!("https://posts.example/{symbol}/1")),
                ..post("1", Some("satmaxi"), format!("${symbol} holding the range while fees cool"))
            },
            Post {
                likes: Some(1_204),
                comments: Some(88),
                posted_at: Some(START.minus(Duration::from_hours(26))),
                url: Some(format!("https://posts.example/{symbol}/2")),
                ..post("2", Some("链上观察"), long)
            },
            post("3", None, String::from("gm")),
        ]
    }

    /// A few markets.
    pub(crate) fn pairs(symbol: &str, convert: &Currency) -> Vec<MarketPair> {
        let pair = |exchange: &str, quote: &str, volume: f64, outlier| MarketPair {
            exchange: exchange.into(),
            pair: format!("{symbol}/{quote}").into(),
            base: Some(symbol.into()),
            quote: Some(quote.into()),
            category: Some("spot".into()),
            price: Some(8.4107),
            volume_24h: Some(volume),
            volume_share_pct: Some(volume / 61.2e4),
            depth_plus_2pct: Some(81_000.0),
            depth_minus_2pct: Some(79_000.0),
            outlier,
            updated_at: Some(START),
            convert: convert.clone(),
        };
        vec![
            pair("Alpha", "USDT", 12.2e6, Some(false)),
            pair("Beta", "USDT", 8.9e6, None),
            pair("Gamma", "BTC", 0.4e6, Some(true)),
        ]
    }
}
