//! Live prices: which streams are opened and closed, and how often the app hears of prices.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use satscope::client::{Error, ErrorKind};
use satscope::clock::Clock;
use satscope::fetch::{Demand, Event, LiveCoins, PriceSource, PriceState, PriceStream, run_prices};
use satscope::model::{CoinId, Currency, LivePrice, PriceUpdate, Text};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, timeout};

use super::BASE;

/// What happens to an opened stream.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plan {
    /// A price every this many milliseconds.
    Prices(u64),
    Ends,
    NotListed,
    Fails(u16),
    /// Too many requests: the pause in seconds requested by the service.
    Limited(u64),
    /// Something that is not a stream.
    Page,
    /// Two updates without prices, since the exchange fails, and then prices.
    ExchangeFails,
}

/// Why the exchange fails.
const REFUSED: &str = "Binance: WebSocket server error (503)";

/// The ids of an opened stream, and when.
type Opened = (Vec<String>, Instant);

#[derive(Clone, Default)]
struct FakeSource {
    plans: Arc<Mutex<VecDeque<Plan>>>,
    opened: Arc<Mutex<Vec<Opened>>>,
    open: Arc<Mutex<usize>>,
}

struct FakeStream {
    plan: Plan,
    price: f64,
    open: Arc<Mutex<usize>>,
}

impl Drop for FakeStream {
    fn drop(&mut self) {
        *self.open.lock() -= 1;
    }
}

fn status(status: u16) -> ErrorKind {
    ErrorKind::Status { status, message: None, retry_after: None }
}

fn error(kind: ErrorKind) -> Error {
    Error { what: String::from("live prices"), origin: String::from("http://fake"), kind }
}

impl PriceSource for FakeSource {
    type Stream = FakeStream;

    async fn open(&self, coins: &LiveCoins) -> Result<Option<FakeStream>, Error> {
        let ids = coins.ids.iter().map(|id| id.0.to_string()).collect();
        self.opened.lock().push((ids, Instant::now()));
        let plan = self.plans.lock().pop_front().unwrap_or(Plan::Prices(1_000));
        match plan {
            Plan::NotListed => Ok(None),
            Plan::Fails(code) => Err(error(status(code))),
            Plan::Limited(secs) => {
                let retry_after = Some(Duration::from_secs(secs));
                Err(error(ErrorKind::RateLimited { message: None, retry_after }))
            }
            Plan::Page => Err(error(ErrorKind::Unrecognised(String::from("not an event stream")))),
            plan => {
                *self.open.lock() += 1;
                Ok(Some(FakeStream { plan, price: 1.0, open: Arc::clone(&self.open) }))
            }
        }
    }
}

impl PriceStream for FakeStream {
    async fn next(&mut self) -> Option<Result<PriceUpdate, Error>> {
        let gap = match self.plan {
            Plan::Prices(gap) => gap,
            Plan::ExchangeFails => 1_000,
            _ => return None,
        };
        sleep(Duration::from_millis(gap)).await;
        self.price += 1.0;
        if self.plan == Plan::ExchangeFails && self.price <= 3.0 {
            let failure = Some(Text::const_new(REFUSED));
            return Some(Ok(PriceUpdate { provider: Text::const_new("binance"), prices: Vec::new(), failure }));
        }
        let price = |id: &str| LivePrice {
            id: CoinId(Text::from(id)),
            price: self.price,
            age: 0.0,
            low_24h: None,
            high_24h: None,
        };
        let prices = vec![price("a"), price("stranger")];
        Some(Ok(PriceUpdate { provider: Text::const_new("binance"), prices, failure: None }))
    }
}

struct Rig {
    demand: watch::Sender<Demand>,
    events: mpsc::Receiver<Event>,
    source: FakeSource,
}

impl Rig {
    fn new(plans: &[Plan]) -> Rig {
        let source = FakeSource { plans: Arc::new(Mutex::new(plans.to_vec().into())), ..FakeSource::default() };
        let (demand, demanded) = watch::channel(Demand::default());
        let (sender, events) = mpsc::channel(64);
        tokio::spawn(run_prices(source.clone(), Clock::runtime(BASE), demanded, sender));
        Rig { demand, events, source }
    }

    fn want(&self, ids: &[&str]) {
        let ids: Vec<CoinId> = ids.iter().map(|id| CoinId(Text::from(*id))).collect();
        let live = (!ids.is_empty()).then(|| LiveCoins { ids, convert: Currency::usd() });
        self.demand.send_modify(|demand| demand.live = live);
    }

    fn change_sources(&self) {
        self.demand.send_modify(|demand| demand.source_changes += 1);
    }

    async fn next(&mut self) -> Event {
        timeout(Duration::from_hours(2), self.events.recv()).await.expect("an event").expect("the task is running")
    }

    async fn next_price(&mut self) -> f64 {
        loop {
            if let Event::Prices { ticks, .. } = self.next().await {
                assert_eq!(ticks.len(), 1, "only demanded coins");
                return ticks[&CoinId(Text::const_new("a"))].price;
            }
        }
    }

    fn opened(&self) -> usize {
        self.source.opened.lock().len()
    }

    fn open(&self) -> usize {
        *self.source.open.lock()
    }
}

#[tokio::test(start_paused = true)]
async fn stream_is_open_only_while_coins_are_demanded() {
    let mut rig = Rig::new(&[]);
    sleep(Duration::from_hours(1)).await;
    assert_eq!(rig.opened(), 0, "nothing is demanded");
    rig.want(&["a", "b"]);
    assert!(matches!(rig.next().await, Event::PriceState(PriceState::Open)));
    rig.next_price().await;
    assert_eq!((rig.opened(), rig.open()), (1, 1));
    rig.want(&[]);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(rig.open(), 0);
    sleep(Duration::from_hours(1)).await;
    assert_eq!(rig.opened(), 1);
}

#[tokio::test(start_paused = true)]
async fn other_coins_need_a_new_stream_and_scrolling_opens_one() {
    let mut rig = Rig::new(&[]);
    for first in 0..20 {
        rig.want(&["a", &first.to_string()]);
        sleep(Duration::from_millis(50)).await;
    }
    rig.next_price().await;
    let opened = rig.source.opened.lock().clone();
    assert_eq!(opened.len(), 1, "{opened:?}");
    assert_eq!(opened[0].0, ["a", "19"]);
    // A demand with the same coins changes nothing.
    rig.demand.send_modify(|demand| demand.has_rows.push(true));
    sleep(Duration::from_secs(5)).await;
    assert_eq!((rig.opened(), rig.open()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn failing_exchange_is_reported_once_until_there_are_prices() {
    let mut rig = Rig::new(&[Plan::ExchangeFails]);
    rig.want(&["a"]);
    for expected in [PriceState::Open, PriceState::Lost(REFUSED.to_owned()), PriceState::Open] {
        assert!(matches!(rig.next().await, Event::PriceState(state) if state == expected), "{expected:?}");
    }
    rig.next_price().await;
    assert_eq!((rig.opened(), rig.open()), (1, 1), "the same stream");
}

#[tokio::test(start_paused = true)]
async fn app_gets_at_most_two_events_a_second() {
    let mut rig = Rig::new(&[Plan::Prices(1)]);
    rig.want(&["a"]);
    rig.next_price().await;
    let began = Instant::now();
    let mut last = 0.0;
    for _ in 0..20 {
        let price = rig.next_price().await;
        assert!(price > last, "the latest price of each coin");
        last = price;
    }
    assert!(began.elapsed() >= Duration::from_millis(9_500), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn lost_stream_is_opened_again_with_backoff() {
    let mut rig = Rig::new(&[Plan::Fails(500), Plan::Ends, Plan::Fails(503), Plan::Fails(502), Plan::Prices(1_000)]);
    rig.want(&["a"]);
    rig.next_price().await;
    let times: Vec<Instant> = rig.source.opened.lock().iter().map(|(_, at)| *at).collect();
    let gaps: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(gaps.len(), 4);
    assert!(gaps[0] >= Duration::from_secs(1) && gaps.windows(2).all(|pair| pair[0] < pair[1]), "{gaps:?}");
}

#[tokio::test(start_paused = true)]
async fn service_without_live_prices_gets_one_request_until_its_providers_change() {
    for plan in [405, 410, 501].map(Plan::Fails) {
        let mut rig = Rig::new(&[plan, plan]);
        rig.want(&["a"]);
        for requests in 1..=2 {
            assert!(matches!(rig.next().await, Event::PriceState(PriceState::Unsupported(_))));
            rig.want(&["a", "b"]);
            sleep(Duration::from_secs(1)).await;
            rig.want(&["a"]);
            sleep(Duration::from_hours(24)).await;
            assert_eq!(rig.opened(), requests);
            rig.change_sources();
        }
        rig.next_price().await;
        assert_eq!(rig.opened(), 3);
    }
}

#[tokio::test(start_paused = true)]
async fn captive_portal_response_is_retried_slowly() {
    for plan in [Plan::Fails(403), Plan::Fails(404), Plan::Page] {
        let mut rig = Rig::new(&[plan; 4]);
        rig.want(&["a"]);
        rig.next_price().await;
        let times: Vec<Instant> = rig.source.opened.lock().iter().map(|(_, at)| *at).collect();
        let gaps: Vec<Duration> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.len() == 4 && gaps[0] >= Duration::from_mins(3), "{gaps:?}");
        assert!(gaps.windows(2).all(|pair| pair[0] < pair[1]), "{gaps:?}");
        // A foreign service without live prices gets few requests.
        let rig = Rig::new(&[plan; 100]);
        rig.want(&["a"]);
        sleep(Duration::from_hours(24)).await;
        assert!(rig.opened() <= 24, "{} requests a day", rig.opened());
    }
}

#[tokio::test(start_paused = true)]
async fn change_of_providers_ends_a_pause() {
    let mut rig = Rig::new(&[Plan::Page, Plan::Limited(3_600), Plan::NotListed]);
    rig.want(&["a"]);
    for _ in 0..2 {
        assert!(matches!(rig.next().await, Event::PriceState(PriceState::Lost(_))));
        rig.change_sources();
    }
    assert!(matches!(rig.next().await, Event::PriceState(PriceState::NotListed)));
    rig.change_sources();
    rig.next_price().await;
    let opened = rig.source.opened.lock().clone();
    assert!(opened[3].1 - opened[0].1 <= Duration::from_secs(2), "{opened:?}");
    // An open stream goes on.
    rig.change_sources();
    rig.next_price().await;
    assert_eq!((rig.opened(), rig.open()), (4, 1));
}

#[tokio::test(start_paused = true)]
async fn ended_stream_is_lost_if_it_is_not_opened_again_soon() {
    let mut rig = Rig::new(&[Plan::Ends; 20]);
    rig.want(&["a"]);
    let mut states = Vec::new();
    for _ in 0..12 {
        let Event::PriceState(state) = rig.next().await else { panic!("no prices in this test") };
        states.push(state);
    }
    assert_eq!(states[..2], [PriceState::Open, PriceState::Open], "a short pause changes nothing");
    assert!(states.iter().any(|state| matches!(state, PriceState::Lost(_))), "{states:?}");
}

#[tokio::test(start_paused = true)]
async fn unknown_currency_is_not_final() {
    let mut rig = Rig::new(&[Plan::Fails(400)]);
    rig.want(&["a"]);
    assert!(matches!(rig.next().await, Event::PriceState(PriceState::Lost(_))));
    rig.next_price().await;
    assert_eq!(rig.opened(), 2);
}

#[tokio::test(start_paused = true)]
async fn scrolling_does_not_end_the_pause_that_a_service_asks_for() {
    for (pause, expected) in [(30, 30), (600, 600), (u64::MAX, 86_400)] {
        let mut rig = Rig::new(&[Plan::Limited(pause)]);
        rig.want(&["a"]);
        assert!(matches!(rig.next().await, Event::PriceState(PriceState::Lost(_))));
        for first in 0..10 {
            rig.want(&["a", &first.to_string()]);
            sleep(Duration::from_secs(1)).await;
            // No coins are demanded on another tab.
            rig.want(&[]);
            sleep(Duration::from_secs(1)).await;
        }
        rig.want(&["a"]);
        assert_eq!(rig.opened(), 1);
        let opened = timeout(Duration::from_hours(25), rig.events.recv()).await.expect("the pause ends");
        assert!(matches!(opened, Some(Event::PriceState(PriceState::Open))));
        let opened = rig.source.opened.lock().clone();
        let gap = opened[1].1 - opened[0].1;
        assert!(gap.as_secs().abs_diff(expected) <= 1, "{gap:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn unlisted_coins_are_requested_every_few_minutes() {
    let mut rig = Rig::new(&[Plan::NotListed; 5]);
    rig.want(&["a"]);
    assert!(matches!(rig.next().await, Event::PriceState(PriceState::NotListed)));
    sleep(Duration::from_mins(10)).await;
    assert_eq!(rig.opened(), 1);
    sleep(Duration::from_mins(50)).await;
    assert!((3..=5).contains(&rig.opened()), "{}", rig.opened());
    // The exchange lists it now.
    rig.next_price().await;
    let mut rig = Rig::new(&[Plan::NotListed]);
    rig.want(&["x"]);
    assert!(matches!(rig.next().await, Event::PriceState(PriceState::NotListed)));
    rig.want(&["a"]);
    rig.next_price().await;
    assert_eq!(rig.opened(), 2, "other coins don't wait");
}
