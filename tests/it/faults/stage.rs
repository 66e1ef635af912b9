//! The program without its terminal: the real state and view over the real fetch task and client, with a clock that the
//! test sets. The request of a [`RequestCase`] can be sent to a broken server instead of the good one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering::SeqCst};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::style::Modifier;
use satscope::app::Panel;
use satscope::app::Tab;
use satscope::app::responses::Failure;
use satscope::app::{ClickTarget, Message, demand};
use satscope::client::{Client, ClientConfig, Error, Group, Limits, Reply, Request, ResponseData, Validator};
use satscope::clock::Clock;
use satscope::fetch::{Event, Handle, REFRESH_SPACING, Settings, Source};
use satscope::model::UtcTime;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::request_cases::{self, RequestCase};
use super::responses;
use crate::client::server::{Server, Step, response};
use crate::support::screen::{self, START, Screen};

/// Longer than any step takes on a busy machine.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A working client, and a broken one for one request.
struct Switch {
    good: Client,
    bad: Client,
    is: fn(&Request) -> bool,
    broken: Arc<AtomicBool>,
}

impl Source for Switch {
    async fn get(&self, request: &Request, validator: Option<&Validator>) -> Result<Reply, Error> {
        let client = if (self.is)(request) && self.broken.load(SeqCst) { &self.bad } else { &self.good };
        client.get(request, validator).await
    }

    fn origin(&self, group: Group) -> String {
        self.good.origin(group).to_owned()
    }
}

/// The program at 80 columns and 24 rows.
pub(crate) struct Stage<'a> {
    case: &'a RequestCase,
    pub(crate) screen: Screen,
    handle: Handle,
    events: mpsc::Receiver<Event>,
    clock: &'static AtomicI64,
    broken: Arc<AtomicBool>,
    version: Arc<AtomicU32>,
    refreshed: Option<UtcTime>,
    /// Outcomes of the case's request, in order.
    pub(crate) observed: Vec<Observed>,
    _server: Server,
}

/// Outcome of a request.
#[derive(Clone, Debug)]
pub(crate) enum Observed {
    /// A response: number of items, and whether it had warnings.
    Arrived {
        items: usize,
        warned: bool,
    },
    Failed(Arc<Error>),
}

fn client(url: &str, limits: Limits) -> Client {
    Client::new(ClientConfig { limits, ..ClientConfig::at(url) }).unwrap()
}

impl<'a> Stage<'a> {
    /// A start with the case's request sent to `bad` while it is broken; it starts broken.
    pub(crate) async fn open(case: &'a RequestCase, bad: &str, limits: Limits) -> Stage<'a> {
        let version = Arc::new(AtomicU32::new(1));
        let of = Arc::clone(&version);
        let server = Server::start(move |head, _| {
            let target = head.split(' ').nth(1).unwrap_or_default();
            let body = responses::body(target, of.load(SeqCst));
            vec![Step::Send(response("200 OK", "Content-Type: application/json\r\n", body.as_bytes()))]
        })
        .await;
        let long = Limits { first_byte: TEST_TIMEOUT, total: TEST_TIMEOUT, ..Limits::default() };
        let broken = Arc::new(AtomicBool::new(true));
        let source = Switch {
            good: client(&server.url, long),
            bad: client(bad, limits),
            is: case.is,
            broken: Arc::clone(&broken),
        };
        let clock: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(START.millis())));
        let settings = Settings { seed: Some(7), ..Settings::default() };
        let (sender, events) = mpsc::channel(64);
        let (handle, _) = crate::support::spawn_fetch(source, Clock::Manual(clock), settings, sender);
        let screen = Screen::new(80, 24);
        let mut stage = Stage {
            case,
            screen,
            handle,
            events,
            clock,
            broken,
            version,
            refreshed: None,
            observed: Vec::new(),
            _server: server,
        };
        stage.send_demand();
        for keys in case.keys {
            stage.until("all but the broken", Stage::is_settled).await;
            stage.screen.keys(keys);
            stage.send_demand();
        }
        stage
    }

    fn now(&self) -> UtcTime {
        UtcTime::from_millis(self.clock.load(SeqCst))
    }

    /// Passes the demand to the fetch task, and makes it check the clock.
    fn send_demand(&self) {
        self.handle.demand.send_replace(demand(&self.screen.state));
    }

    /// From now on, another version of the data or the broken server responds to the case's request.
    pub(crate) fn switch(&self, broken: bool, version: u32) {
        self.version.store(version, SeqCst);
        self.broken.store(broken, SeqCst);
    }

    /// Advances the clock.
    pub(crate) fn wait(&mut self, time: Duration) {
        let now = self.now().plus(time);
        self.clock.store(now.millis(), SeqCst);
        self.screen.send_at(Message::Tick, now);
        self.send_demand();
    }

    /// The user refreshes the screen.
    pub(crate) async fn refresh(&mut self) {
        let next = self.refreshed.map(|at| at.plus(REFRESH_SPACING).since(self.now()));
        self.wait(next.unwrap_or_default().max(Duration::from_secs(2)));
        self.refreshed = Some(self.now());
        self.handle.refresh(demand(&self.screen.state).visible);
    }

    /// Waits until the case's request is due, or refreshes manually. Returns the waiting time.
    pub(crate) async fn again(&mut self) -> Duration {
        let before = self.now();
        match self.failure() {
            Some(Failure { next_try: Some(next), .. }) => self.wait(next.since(self.now())),
            _ => self.refresh().await,
        }
        self.now().since(before)
    }

    /// Takes events until a condition holds.
    pub(crate) async fn until(&mut self, what: &str, condition: impl Fn(&Stage<'a>) -> bool) {
        while !condition(self) {
            let Ok(event) = timeout(TEST_TIMEOUT, self.events.recv()).await else {
                panic!("no {what}: {:?}\n{}", self.observed, self.screen.text());
            };
            let event = event.expect("the task is running");
            match &event {
                Event::Arrived { request, response, receipt, .. } if (self.case.is)(request) => {
                    let items = response.as_deref().map_or(0, items);
                    // A sat that differs from ordinal theory is shown with both values.
                    let doubted =
                        matches!(response.as_deref(), Some(ResponseData::Sat(sat)) if !sat.disagreements.is_empty());
                    self.observed.push(Observed::Arrived { items, warned: !receipt.warnings.is_empty() || doubted });
                }
                Event::Failed { request, error, .. } if (self.case.is)(request) => {
                    self.observed.push(Observed::Failed(Arc::clone(error)));
                }
                _ => {}
            }
            let now = self.now();
            self.screen.send_at(Message::Fetch(event), now);
            // As in the program: only changes.
            let wanted = demand(&self.screen.state);
            self.handle.demand.send_if_modified(|sent| std::mem::replace(sent, wanted.clone()) != wanted);
        }
    }

    /// The next outcome of the case's request.
    pub(crate) async fn outcome(&mut self) -> Observed {
        let before = self.observed.len();
        self.until("outcome", |stage| stage.observed.len() > before).await;
        self.observed[before].clone()
    }

    /// Whether all demanded requests except the broken one have arrived or failed.
    fn is_settled(&self) -> bool {
        let wanted = demand(&self.screen.state).visible;
        wanted.iter().filter(|request| !(self.case.is)(request)).all(|request| {
            let remote = self.screen.state.responses.get(request);
            !remote.is_loading() && (remote.value.is_some() || remote.failure().is_some())
        })
    }

    /// Whether all demanded data has arrived without problems.
    pub(crate) fn is_well(&self) -> bool {
        demand(&self.screen.state).visible.iter().all(|request| {
            let remote = self.screen.state.responses.get(request);
            !remote.is_loading() && remote.value.is_some() && remote.failure().is_none()
        })
    }

    /// The failure of the case's request, if any.
    pub(crate) fn failure(&self) -> Option<Failure> {
        let request = request_cases::wanted(self.case, &self.screen.state)?;
        self.screen.state.responses.get(&request).failure().cloned()
    }

    /// The text of the case's panel without white space, since it may wrap anywhere.
    pub(crate) fn panel(&mut self) -> String {
        let buf = self.screen.paint();
        squeezed(&screen::text(&self.cut(&buf)))
    }

    /// Whether the panel contains `shown`, all of it dim.
    pub(crate) fn is_dim(&mut self, shown: &str) -> bool {
        let buf = self.screen.paint();
        let part = self.cut(&buf);
        let dim = |cell: &ratatui::buffer::Cell| cell.modifier.contains(Modifier::DIM);
        (part.area.top()..part.area.bottom()).any(|y| {
            let row: Vec<_> = (part.area.left()..part.area.right()).map(|x| &part[(x, y)]).collect();
            let line: String = row.iter().map(|cell| cell.symbol().chars().next().unwrap_or(' ')).collect();
            line.find(shown).is_some_and(|at| {
                let at = line[..at].chars().count();
                row[at..at + shown.chars().count()].iter().all(|cell| dim(cell))
            })
        })
    }

    /// Text that the panel shows for a version.
    pub(crate) fn shows(&self, version: u32) -> String {
        (self.case.shows)(version)
    }

    /// The whole screen's text.
    pub(crate) fn text(&mut self) -> String {
        self.screen.text()
    }

    /// The text of the status tab, without opening it, and whether the case's request is needed there.
    pub(crate) fn status(&mut self) -> (String, bool) {
        let request = request_cases::wanted(self.case, &self.screen.state);
        let (tab, token) = (self.screen.state.tab, self.screen.state.token.take());
        self.screen.state.tab = Tab::Status;
        let text = self.screen.text();
        let needed = demand(&self.screen.state);
        let is_needed = request.is_some_and(|request| {
            needed.visible.contains(&request) || needed.background.iter().any(|need| need.request == request)
        });
        self.screen.state.tab = tab;
        self.screen.state.token = token;
        (text, is_needed)
    }

    /// The area of the case's panel.
    fn cut(&self, buf: &Buffer) -> Buffer {
        let Some(panel) = self.case.panel else { return buf.clone() };
        let mine = |x: u16, y: u16| match self.screen.view_state.hit(x, y) {
            Some(ClickTarget::Panel(hit) | ClickTarget::Row(Some(hit), _) | ClickTarget::Heading(Some(hit), _)) => {
                hit == panel
            }
            Some(ClickTarget::Period(_) | ClickTarget::ChartColumn(..) | ClickTarget::Candle(_)) => {
                panel == Panel::Chart
            }
            Some(ClickTarget::PostOrder(_)) => panel == Panel::Posts,
            _ => false,
        };
        let cells: Vec<(u16, u16)> = buf.area.positions().map(|at| (at.x, at.y)).filter(|&(x, y)| mine(x, y)).collect();
        assert!(!cells.is_empty(), "{panel:?} is not on the screen:\n{}", screen::text(buf));
        let (left, right) = (cells.iter().map(|c| c.0).min().unwrap(), cells.iter().map(|c| c.0).max().unwrap());
        let (top, bottom) = (cells.iter().map(|c| c.1).min().unwrap(), cells.iter().map(|c| c.1).max().unwrap());
        let mut part = Buffer::empty(ratatui::layout::Rect::new(left, top, right - left + 1, bottom - top + 1));
        for at in part.area.positions() {
            part[at] = buf[at].clone();
        }
        part
    }
}

/// Without white space.
pub(crate) fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Number of items in a response.
fn items(response: &ResponseData) -> usize {
    use ResponseData::*;
    match response {
        Coins(page) => page.items.len(),
        Posts(page) => page.items.len(),
        MarketPairs(page) => page.items.len(),
        Chart(chart) => chart.points.len(),
        Market(series) => series.len(),
        Brc20Tokens(page) => page.items.len(),
        Holders(page) => page.items.len(),
        Balances(page) => page.items.len(),
        Activity(page) => page.items.len(),
        Inscriptions(page) => page.items.len(),
        InscriptionStats(page) => page.items.len(),
        Sources(sources) => sources.len(),
        CoinNames(names) => names.len(),
        HistoricalRates(rates) => rates.len(),
        Brc20Token(_)
        | Sat(_)
        | Inscription(_)
        | InscriptionContent(_)
        | ChainState(_)
        | BitcoinBalance(_)
        | Picture(_) => 1,
    }
}
