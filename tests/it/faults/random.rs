//! Random responses in random order: every visible panel has demand, and once the service recovers, so does the screen.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use proptest::collection::vec;
use proptest::prelude::*;
use satscope::app::Panel;
use satscope::app::{ClickTarget, Message, Tab, demand};
use satscope::client::endpoint::path_and_query;
use satscope::client::{
    ClientConfig, Error, ErrorKind, Group, Limits, Reply, Request, ResponseData, Validator, decode,
};
use satscope::clock::Clock;
use satscope::fetch::{Event, Handle, Settings, Source};
use satscope::model::UtcTime;
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout_at};

use super::responses;
use crate::support::screen::{START, Screen};

/// Response of a service to a request.
#[derive(Clone, Debug)]
enum FaultMode {
    Correct,
    Body(&'static str),
    Fails(ErrorKind),
    /// Whether the service has recovered.
    Late(u64, bool),
}

/// A service with a list of behaviours, one per request, that then recovers.
#[derive(Clone)]
struct Service(Arc<Mutex<VecDeque<FaultMode>>>);

impl Source for Service {
    async fn get(&self, request: &Request, _: Option<&Validator>) -> Result<Reply, Error> {
        let mode = self.0.lock().pop_front().unwrap_or(FaultMode::Correct);
        let target = path_and_query(&ClientConfig::at("http://localhost"), request).unwrap();
        let fail = |kind| Err(Error { what: request.describe(), origin: self.origin(request.group()), kind });
        sleep(Duration::from_millis(50)).await;
        let body = match mode {
            FaultMode::Correct => responses::body(&target, 3),
            FaultMode::Body(body) => body.to_owned(),
            FaultMode::Fails(kind) => return fail(kind),
            FaultMode::Late(secs, is_correct) => {
                sleep(Duration::from_secs(secs)).await;
                if is_correct {
                    responses::body(&target, 3)
                } else {
                    return fail(ErrorKind::TimeoutTotal(Duration::from_secs(secs)));
                }
            }
        };
        let (response, warnings) = match decode::decode(request, body.as_bytes(), None, &Limits::default()) {
            Ok(read) => read,
            Err(kind) => return fail(kind),
        };
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
            url: target,
            status: 200,
            bytes: body.len() as u64,
            latency: Duration::from_millis(50),
            fetched_at: UtcTime::from_millis(0),
            validator: None,
            max_age: None,
            warnings,
            rows: 0,
            has_more: false,
            warns_of_more_rows: false,
            has_several_coins: false,
        })
    }

    fn origin(&self, group: Group) -> String {
        format!("http://{group:?}")
    }
}

/// An action of the user.
#[derive(Clone, Debug)]
enum Step {
    Keys(&'static str),
    Resize(u16, u16),
    Wait(u64),
}

struct Program {
    screen: Screen,
    handle: Handle,
    events: mpsc::Receiver<Event>,
    clock: Clock,
    service: Service,
}

impl Program {
    fn new(service: Service) -> Program {
        let clock = Clock::runtime(START);
        let (sender, events) = mpsc::channel(64);
        let settings = Settings { seed: Some(7), ..Settings::default() };
        let (handle, _) = crate::support::spawn_fetch(service.clone(), clock, settings, sender);
        Program { screen: Screen::new(120, 35), handle, events, clock, service }
    }

    /// Updates the demand as the program does after every message.
    fn apply(&mut self, message: Option<Message>) {
        let now = self.clock.now();
        self.screen.send_at(message.unwrap_or(Message::Tick), now);
        let wanted = demand(&self.screen.state);
        self.handle.demand.send_if_modified(|sent| std::mem::replace(sent, wanted.clone()) != wanted);
        // Without faults, the screen doesn't change.
        if self.is_moody() {
            check_demand(&mut self.screen);
        }
    }

    fn is_moody(&self) -> bool {
        !self.service.0.lock().is_empty()
    }

    fn keys(&mut self, keys: &str) {
        let before = self.screen.effects.len();
        self.screen.keys(keys);
        self.apply(None);
        check_demand(&mut self.screen);
        for effect in self.screen.effects.split_off(before) {
            if let satscope::app::Effect::Refresh(requests) = effect {
                self.handle.refresh(requests);
            }
        }
    }

    async fn wait(&mut self, span: Duration) {
        let end = Instant::now() + span;
        while let Ok(event) = timeout_at(end, self.events.recv()).await {
            self.apply(Some(Message::Fetch(event.expect("the task is running"))));
        }
        self.apply(None);
    }

    /// Whether all demanded data has arrived without failures, and with rows; the server knows no coin by its ID.
    fn is_well(&self) -> bool {
        demand(&self.screen.state).visible.iter().all(|request| {
            let remote = self.screen.state.responses.get(request);
            let has_rows =
                |response: &ResponseData| !response.is_empty() || matches!(request, Request::CoinsById { .. });
            remote.value.is_some_and(has_rows) && remote.failure().is_none()
        })
    }
}

/// Every visible panel with fetched data has demand.
pub(super) fn check_demand(screen: &mut Screen) {
    let text = screen.text();
    let state = &screen.state;
    let wanted = demand(state).visible;
    let has = |what: &str, is: &dyn Fn(&Request) -> bool| {
        assert!(wanted.iter().any(is), "no demand for {what}: {wanted:?}\n{text}");
    };
    match (state.tab, state.token.is_some()) {
        (_, true) => {}
        (Tab::List(tag), _) => {
            has("the first page", &|r| matches!(r, Request::Coins { tag: own, start: 1, .. } if *own == tag))
        }
        (Tab::Wallet, _) if state.watched.is_empty() => {}
        (Tab::Wallet, _) => has("the wallet", &|r| matches!(r, Request::MarketData { count: 169, .. })),
        (Tab::Status, _) => has("the list", &|r| matches!(r, Request::Coins { start: 1, .. })),
        (Tab::Indexer, _) => {}
    }
    let rests = state.indexer.debounce_until.is_none();
    let (columns, rows) = state.size;
    let mut panels: Vec<Panel> = Vec::new();
    // Panels are larger than this.
    for (x, y) in (0..rows).step_by(2).flat_map(|y| (0..columns).step_by(9).map(move |x| (x, y))) {
        if let Some(ClickTarget::Panel(panel)) = screen.view_state.hit(x, y)
            && !panels.contains(&panel)
        {
            panels.push(panel);
        }
    }
    if state.overlay.is_some() {
        return;
    }
    for panel in panels {
        match panel {
            // Without a slug there is no chart, which the panel reports.
            Panel::Chart if state.token.as_ref().is_some_and(|token| token.slug.is_none()) => {}
            Panel::Chart => has("the chart", &|r| matches!(r, Request::Chart { .. })),
            Panel::Posts => has("posts", &|r| matches!(r, Request::Posts { .. })),
            Panel::Markets => has("markets", &|r| matches!(r, Request::MarketPairs { .. })),
            Panel::Tokens => has("tokens", &|r| matches!(r, Request::Brc20Tokens { offset: 0, .. })),
            _ if !rests || state.indexer.subject().is_none() => {}
            Panel::Details => has("details", &|r| matches!(r, Request::Brc20Token { .. })),
            Panel::Holders => has("holders", &|r| matches!(r, Request::Brc20Holders { offset: 0, .. })),
            Panel::Activity => has("activity", &|r| matches!(r, Request::Brc20Activity { offset: 0, .. })),
            Panel::Balances => has("balances", &|r| matches!(r, Request::Brc20Balances { offset: 0, .. })),
            Panel::Facts => has("facts", &|r| {
                use Request::{Inscription, InscriptionStats, Sat};
                matches!(r, Sat { .. } | Inscription { .. } | InscriptionStats { .. })
            }),
            Panel::Inscriptions => has("inscriptions", &|r| {
                use Request::{Inscriptions, SatInscriptions};
                matches!(r, Inscriptions { offset: 0, .. } | SatInscriptions { offset: 0, .. })
            }),
            // Without lots, there are no holdings.
            Panel::About | Panel::Holdings => {}
        }
    }
}

fn mode() -> impl Strategy<Value = FaultMode> {
    let retry_after = || prop::option::of((0..120u64).prop_map(Duration::from_secs));
    prop_oneof![
        4 => Just(FaultMode::Correct),
        2 => Just(FaultMode::Body("[]")),
        2 => Just(FaultMode::Body(r#"{"data":[]}"#)),
        2 => Just(FaultMode::Body(r#"{"results":[],"total":0}"#)),
        2 => Just(FaultMode::Body(r#"{"status":{"error_code":0},"data":null}"#)),
        1 => Just(FaultMode::Body("null")),
        1 => Just(FaultMode::Body("{}")),
        1 => Just(FaultMode::Body(r#"{"status":{"error_code":500,"error_message":"no"}}"#)),
        1 => Just(FaultMode::Fails(ErrorKind::Refused)),
        1 => Just(FaultMode::Fails(ErrorKind::NotFound { message: None })),
        1 => retry_after()
            .prop_map(|retry_after| FaultMode::Fails(ErrorKind::RateLimited { message: None, retry_after })),
        1 => retry_after()
            .prop_map(|retry_after| FaultMode::Fails(ErrorKind::Status { status: 503, message: None, retry_after })),
        2 => (0..90u64, any::<bool>()).prop_map(|(secs, is_correct)| FaultMode::Late(secs, is_correct)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let keys = [
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "r",
        "<enter>",
        "<esc>",
        "<esc><esc><esc>",
        "<end>",
        "<home>",
        "j",
        "k",
        "<tab>",
        "z",
        "s",
        "/o<enter>",
        "/zz",
        "f",
        "t",
        "+",
        ":sat 7<enter>",
        ":address bc1qto<enter>",
        "b",
        "?",
    ];
    prop_oneof![
        6 => prop::sample::select(keys.to_vec()).prop_map(Step::Keys),
        1 => prop::sample::select(vec![(160, 45), (80, 24), (40, 12)]).prop_map(|(x, y)| Step::Resize(x, y)),
        3 => (0..5u64).prop_map(Step::Wait),
        3 => (0..400u64).prop_map(Step::Wait),
    ]
}

async fn run(modes: Vec<FaultMode>, steps: Vec<Step>) {
    let mut program = Program::new(Service(Arc::new(Mutex::new(modes.into()))));
    program.apply(None);
    for step in steps {
        match step {
            Step::Keys(keys) => program.keys(keys),
            Step::Resize(columns, rows) => program.apply(Some(Message::Resize(columns, rows))),
            Step::Wait(secs) => program.wait(Duration::from_secs(secs)).await,
        }
    }
    // The service has recovered; every screen recovers within minutes.
    program.service.0.lock().clear();
    for keys in ["", "<esc><esc><esc><esc>1", "2", "3", "4", "5", "1<home><enter>"] {
        program.keys(keys);
        for _ in 0..15 {
            program.wait(Duration::from_mins(1)).await;
            if program.is_well() {
                break;
            }
        }
        assert!(program.is_well(), "after {keys:?}:\n{}", program.screen.text());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn visible_panels_always_have_demand_and_recover(
        modes in vec(mode(), 0..80),
        steps in vec(step(), 0..40),
    ) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(run(modes, steps));
    }
}
