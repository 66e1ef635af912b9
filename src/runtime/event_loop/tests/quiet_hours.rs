//! Quiet hours: an alert that fires during them is only shown.

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

    /// Prices of this minute after the start arrive.
    async fn prices(&mut self, minute: i64, price: f64) {
        self.millis.store(START + minute * 60_000, Ordering::Relaxed);
        let now = self.rig.dashboard.clock.now();
        self.fetches += 1;
        let receipt = Receipt { fetched_at: now, fresh_until: now.plus(Duration::from_mins(5)), ..Receipt::default() };
        let (request, fetch_id) = (all(), FetchId(self.fetches));
        let started = fetch::Event::Started { request: request.clone(), fetch_id, at: now };
        let arrived = fetch::Event::Arrived { request, fetch_id, answer: Some(coins(3, price)), receipt };
        for event in [started, arrived] {
            self.rig.events.send(event).await.unwrap();
        }
        let is_checked = |state: &State| {
            let mut seen = state.alerts.tracked.iter().map(|tracked| tracked.alert.state.checked_at);
            state.store.get(&all()).updated_at() == Some(now) && seen.all(|at| at == Some(now))
        };
        self.until("the check", is_checked).await;
        // A firing is announced as soon as it is saved.
        self.until("the save", |state| state.user.is_empty()).await;
    }

    /// Everything written since the last call.
    fn written(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.rig.frames.1.lock().unwrap())).unwrap()
    }
}

#[tokio::test]
async fn alert_in_quiet_hours_is_shown_and_rings_neither_then_nor_later() {
    let directory = tempfile::tempdir().unwrap();
    let mut rig = rig();
    let millis: &'static AtomicI64 = Box::leak(Box::new(AtomicI64::new(START)));
    rig.dashboard.clock = ClockMonitor::new(Clock::Manual(millis));
    rig.dashboard.store = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    let marker = directory.path().join("marker");
    let command = vec![String::from("mkdir"), marker.to_str().unwrap().to_owned()];
    let alerts = Alerts { command, quiet: QuietHours::parse("22:00-07:00") };
    rig.dashboard.notifier = Notifier::new(Protocol::Osc9, alerts, Zone::UTC);
    rig.dashboard.dispatch(Message::Tick).unwrap();
    let mut night = Night { rig, millis, fetches: 0 };
    let is_loud = |written: &str| written.contains('\x07') || written.contains("\x1b]9;");

    night.prices(0, 10.0).await;
    // On the first coin, 5 % above its price.
    for key in [b'!', b'\r', b'q'] {
        night.rig.keys.send(vec![key]).await.unwrap();
    }
    night.until("the alert", |state| state.alerts.checks_any() && state.overlay.is_none()).await;
    night.prices(0, 10.0).await;
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
    assert!(written.contains('\x07') && written.contains("\x1b]9;coin-0 is 10.80 USD (limit 10.5)"), "{written:?}");
    while !marker.exists() {
        tokio::task::yield_now().await;
    }
}
