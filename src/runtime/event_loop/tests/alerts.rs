//! How alerts are announced: not in quiet hours, but also right before the end.

use super::*;
use crate::config::QuietHours;

/// 06:58 on a day, in milliseconds since 1970.
const START: i64 = 1_795_046_400_000 + (6 * 60 + 58) * 60_000;

struct Night {
    rig: Rig,
    millis: &'static AtomicI64,
    fetches: u64,
}

impl Night {
    /// The dashboard with the alert that coin 0 rises by 5 %, from a price of 10.
    async fn with_alert(directory: &std::path::Path, alerts: Alerts) -> Night {
        let mut rig = rig();
        let millis: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(START)));
        rig.dashboard.clock = ClockMonitor::new(Clock::Manual(millis));
        rig.dashboard.store = Writer::start(SharedDatabase::new(Some(directory.to_owned())), UtcTime::now());
        rig.dashboard.notifier = Notifier::new(Protocol::Osc9, Multiplexer::None, alerts, Zone::UTC);
        rig.dashboard.dispatch(Message::Tick).unwrap();
        let mut night = Night { rig, millis, fetches: 0 };
        night.prices(0, 10.0).await;
        for key in [b'!', b'\r', b'q'] {
            night.rig.keys.send(vec![key]).await.unwrap();
        }
        night.until("the alert", |state| state.alerts.checks_any() && state.overlay.is_none()).await;
        night.prices(0, 10.0).await;
        night
    }

    async fn until(&mut self, what: &str, is_done: impl Fn(&State) -> bool) {
        let patience = Duration::from_secs(30);
        while !is_done(&self.rig.dashboard.state) {
            let step = self.rig.dashboard.step(&mut self.rig.input);
            let Ok(step) = tokio::time::timeout(patience, step).await else {
                let State { overlay, alerts, .. } = &self.rig.dashboard.state;
                panic!("waits for {what}: {overlay:?} {alerts:?}");
            };
            step.unwrap();
        }
    }

    /// The events of a response with prices of this minute after the start.
    fn events(&mut self, minute: i64, price: f64) -> [fetch::Event; 2] {
        self.millis.store(START + minute * 60_000, Ordering::Relaxed);
        let now = self.rig.dashboard.clock.now();
        self.fetches += 1;
        let receipt = Receipt { fetched_at: now, fresh_until: now.plus(Duration::from_mins(5)), ..Receipt::default() };
        let (request, fetch_id) = (all(), FetchId(self.fetches));
        let started = fetch::Event::Started { request: request.clone(), fetch_id, at: now };
        [started, fetch::Event::Arrived { request, fetch_id, response: Some(coins(3, price)), receipt }]
    }

    /// Prices of this minute after the start arrive.
    async fn prices(&mut self, minute: i64, price: f64) {
        for event in self.events(minute, price) {
            self.rig.events.send(event).await.unwrap();
        }
        let now = self.rig.dashboard.clock.now();
        let is_checked = |state: &State| {
            let mut seen = state.alerts.tracked.iter().map(|tracked| tracked.alert.state.checked_at);
            state.responses.get(&all()).updated_at() == Some(now) && seen.all(|at| at == Some(now))
        };
        self.until("the check", is_checked).await;
        // A firing is announced as soon as it is saved.
        self.until("the save", |state| state.user.is_empty()).await;
    }

    /// Everything written since the last call.
    fn written(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.rig.frames.1.lock())).unwrap()
    }
}

#[tokio::test]
async fn alert_in_quiet_hours_is_shown_and_rings_neither_then_nor_later() {
    let directory = tempfile::tempdir().unwrap();
    let marker = directory.path().join("marker");
    let command = vec![String::from("mkdir"), marker.to_str().unwrap().to_owned()];
    let alerts = Alerts { command, quiet: QuietHours::parse("22:00-07:00") };
    let is_loud = |written: &str| written.contains('\x07') || written.contains("\x1b]9;");

    let mut night = Night::with_alert(directory.path(), alerts).await;
    night.prices(1, 10.8).await;
    assert_eq!(night.rig.dashboard.state.alerts.unseen, 1);
    assert!(!is_loud(&night.written()));
    night.rig.dashboard.screen.paint(&night.rig.dashboard.state).unwrap();
    let frame = night.written();
    assert!(frame.contains("◔") && frame.contains("10.5)"), "the header and the message: {frame}");
    // After seven, the old firing stays silent.
    night.prices(3, 10.9).await;
    night.rig.dashboard.dispatch(Message::Tick).unwrap();
    assert!(!is_loud(&night.written()) && !marker.exists());
    assert_eq!(night.rig.dashboard.state.alerts.unseen, 1, "still in the header");
    // A new one rings.
    night.prices(4, 9.8).await;
    night.prices(5, 10.8).await;
    let written = night.written();
    assert!(written.contains('\x07') && written.contains("\x1b]9;coin-0 is 10.80 USD (limit > 10.5)"), "{written:?}");
    while !marker.exists() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn firing_that_is_saved_at_the_end_is_announced() {
    let directory = tempfile::tempdir().unwrap();
    let marker = directory.path().join("marker");
    let command = vec![String::from("mkdir"), marker.to_str().unwrap().to_owned()];
    let mut night = Night::with_alert(directory.path(), Alerts { command, quiet: None }).await;
    for event in night.events(1, 10.8) {
        night.rig.dashboard.dispatch(Message::Fetch(event)).unwrap();
    }
    let Failures { sentences, alerts, lost } = night.rig.dashboard.finish(|_| {}).await;
    assert!(alerts.len() == 1 && alerts[0].contains("coin-0 is 10.80 USD (limit > 10.5)"), "{alerts:?}");
    assert!(sentences.is_empty() && lost.is_none(), "{sentences:?}");
    while !marker.exists() {
        std::thread::yield_now();
    }
    let events = crate::store::Database::open(directory.path()).unwrap().load().unwrap().alert_events;
    assert_eq!(events.len(), 1);
}
