//! The whole program without I/O: keys go through the key table into the state, responses are delivered as by the fetch
//! task, and frames are read as text and style runs.
//!
//! ```ignore
//! let mut screen = Screen::new(80, 24);
//! screen.serve(fixture::response);     // responds to all demand of the screen until there is no more
//! screen.keys("jj<enter>");
//! insta::assert_snapshot!(screen.picture());
//! ```

pub(crate) mod fixture;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};
use satscope::app::{Effect, Message, Preferences, State, demand, update};
use satscope::client::{Error, ErrorKind, Request, ResponseData};
use satscope::fetch::{Event, FetchId, Receipt};
use satscope::glyphs::Glyphs;
use satscope::model::UtcTime;
use satscope::theme::Theme;
use satscope::view::{self, Appearance, ViewState};

/// Start time of every test: Friday, 20 November 2026, 14:03:00 UTC.
pub(crate) const START: UtcTime = UtcTime::from_secs(1_795_183_380);

/// Freshness of responses.
pub(crate) const FRESH: Duration = Duration::from_mins(5);

/// The program without I/O.
pub(crate) struct Screen {
    /// The state.
    pub(crate) state: State,
    /// The view's memo.
    pub(crate) view_state: ViewState,
    /// The theme.
    pub(crate) appearance: Appearance,
    /// The effects so far, in order.
    pub(crate) effects: Vec<Effect>,
    /// The terminal's cursor in the last frame.
    pub(crate) cursor: Option<(u16, u16)>,
    now: UtcTime,
    fetches: u64,
}

impl Screen {
    /// A new dashboard on a terminal of that size, before any request.
    pub(crate) fn new(columns: u16, rows: u16) -> Screen {
        // The hint for images is not in every build.
        let preferences = Preferences { page_size: 100, images: false, ..Preferences::default() };
        Screen::with(preferences, columns, rows)
    }

    /// [`Screen::new`] with a configuration.
    pub(crate) fn with(preferences: Preferences, columns: u16, rows: u16) -> Screen {
        let mut screen = Screen {
            state: State::new(preferences, (columns, rows), START),
            view_state: ViewState::default(),
            appearance: Appearance::new(Theme::ansi(), Glyphs::Unicode),
            effects: Vec::new(),
            cursor: None,
            now: START,
            fetches: 0,
        };
        screen.send(Message::Resize(columns, rows));
        screen
    }

    /// Applies a message now.
    pub(crate) fn send(&mut self, message: Message) {
        let effects = update(&mut self.state, message, self.now);
        self.effects.extend(effects);
        // As if the store saved at once.
        self.state.toast.iter_mut().for_each(|toast| toast.waits_for = None);
    }

    /// Applies a message at the given time.
    pub(crate) fn send_at(&mut self, message: Message, now: UtcTime) {
        self.now = now;
        self.send(message);
    }

    /// Keys as they are typed; special ones in angle brackets: `<enter> <esc> <tab> <backtab> <up> <down> <left>
    /// <right> <home> <end> <pgup> <pgdn> <space> <bs> <f1> <c-x>`. Unbound keys are ignored, as in the
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

    /// Presses a key on the last frame.
    pub(crate) fn key(&mut self, key: KeyEvent) {
        let limits = self.view_state.scroll_limits();
        if limits != self.state.panel_scroll.limits() {
            self.send(Message::ScrollLimits(limits.clone()));
        }
        self.send(Message::Key(key));
    }

    /// Clicks a cell of the last frame. Panics if nothing there is clickable.
    pub(crate) fn click(&mut self, column: u16, row: u16) {
        let click = self.view_state.click(column, row).unwrap_or_else(|| panic!("nothing to hit at {column},{row}"));
        if let Some(target) = self.state.clicked(click) {
            self.send(Message::Click(target));
        }
    }

    /// Resizes the terminal.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.send(Message::Resize(columns, rows));
    }

    /// Advances the clock.
    pub(crate) fn wait(&mut self, time: Duration) {
        self.now = self.now.plus(time);
        self.send(Message::Tick);
    }

    /// The requests that the screen demands.
    pub(crate) fn wanted(&self) -> Vec<Request> {
        demand(&self.state).visible
    }

    /// Starts a request; it stays in flight until it is answered or fails.
    pub(crate) fn start(&mut self, request: &Request) -> FetchId {
        self.fetches += 1;
        let fetch_id = FetchId(self.fetches);
        self.send(Message::Fetch(Event::Started { request: request.clone(), fetch_id, at: self.now }));
        fetch_id
    }

    /// Starts all demanded requests.
    pub(crate) fn start_all(&mut self) {
        for request in self.wanted() {
            self.start(&request);
        }
    }

    /// Starts a request and delivers its response.
    pub(crate) fn answer(&mut self, request: &Request, response: ResponseData) {
        self.answer_with(request, response, &[]);
    }

    /// [`Screen::answer`] with warnings.
    pub(crate) fn answer_with(&mut self, request: &Request, response: ResponseData, warnings: &[String]) {
        self.answer_as(request, response, |receipt| Receipt { warnings: Arc::from(warnings), ..receipt });
    }

    /// [`Screen::answer`], with another receipt.
    pub(crate) fn answer_as(&mut self, request: &Request, response: ResponseData, change: impl Fn(Receipt) -> Receipt) {
        let fetch_id = self.start(request);
        let receipt = change(Receipt {
            url: String::from("http://127.0.0.1/…"),
            status: 200,
            bytes: 12_345,
            latency: Duration::from_millis(120),
            fetched_at: self.now,
            fresh_until: self.now.plus(FRESH),
            ..Receipt::default()
        });
        let response = Some(Arc::new(response));
        self.send(Message::Fetch(Event::Arrived { request: request.clone(), fetch_id, response, receipt }));
    }

    /// Responds to all demanded requests without data until there are no new ones. Requests without a response of
    /// `service` stay as they are.
    pub(crate) fn serve(&mut self, service: impl Fn(&Request) -> Option<ResponseData>) {
        for _ in 0..20 {
            let missing: Vec<_> =
                self.wanted().into_iter().filter(|request| self.state.responses.response(request).is_none()).collect();
            let responses: Vec<_> =
                missing.into_iter().filter_map(|request| Some((service(&request)?, request))).collect();
            if responses.is_empty() {
                return;
            }
            for (response, request) in responses {
                self.answer(&request, response);
            }
        }
        panic!("the screen never has enough: {:?}", self.wanted());
    }

    /// Fails all demanded requests, with a retry in 30 seconds.
    pub(crate) fn fail_all(&mut self, kind: &ErrorKind) {
        for request in self.wanted() {
            self.fail(&request, kind.clone());
        }
    }

    /// Fails a request, with a retry in 30 seconds.
    pub(crate) fn fail(&mut self, request: &Request, kind: ErrorKind) {
        let fetch_id = self.start(request);
        let error = Error { what: request.describe(), origin: String::from("http://coins.example"), kind };
        self.send(Message::Fetch(Event::Failed {
            request: request.clone(),
            fetch_id,
            error: Arc::new(error),
            at: self.now,
            next_try: Some(self.now.plus(Duration::from_secs(30))),
        }));
    }

    /// Paints a frame of the state's size.
    pub(crate) fn paint(&mut self) -> Buffer {
        let (columns, rows) = self.state.size;
        let mut buf = Buffer::empty(Rect::new(0, 0, columns, rows));
        self.cursor = view::draw(&mut buf, &self.state, &self.appearance, &mut self.view_state);
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
    if let Some(rest) = name.strip_prefix("s-") {
        return special_key(rest).map(|key| KeyEvent { modifiers: KeyModifiers::SHIFT, ..key });
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

/// The text of a frame, one line per row, without trailing spaces.
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

/// The styles of a frame, in runs.
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
        // The foreground style of a blank is invisible, so a blank continues the style before it if possible.
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
