//! Judges all alerts with the values of several answers.

use super::judge::{Judge, moves};
use super::text;
use super::values::Values;
use crate::model::UtcTime;
use crate::user_data::alert::{Alert, AlertEvent, Condition, Measure, Target};

/// An alert with its judge.
#[derive(Clone, Debug)]
pub struct Tracked {
    /// The alert.
    pub alert: Alert,
    judge: Judge,
}

impl Tracked {
    /// Tracks an alert.
    pub fn new(alert: Alert) -> Tracked {
        Tracked { judge: Judge::new(&alert), alert }
    }

    /// Judges the value of this alert, and returns its firing. An alert that fires only once is turned off.
    pub fn check(&mut self, values: &Values<'_>) -> Option<AlertEvent> {
        let Tracked { alert, judge } = self;
        if !alert.on {
            return None;
        }
        if let (Target::Address(address), Condition::Happens) = (&alert.rule.target, &alert.rule.condition) {
            let balances = values.balances(address)?;
            let receives = alert.rule.measure == Measure::Receives;
            let (list, at) = (&balances.list, balances.at);
            let moves = moves(&mut alert.state, receives, list, balances.is_complete, at, balances.source);
            return (!moves.is_empty()).then(|| fire(alert, at, text::moved(&alert.rule, &moves)));
        }
        let reading = values.reading(&alert.rule, &alert.state)?;
        let fired = judge.judge(&mut alert.state, &reading)?;
        let text = text::fired(&alert.rule, &fired);
        Some(fire(alert, reading.at, text))
    }
}

/// The firing of an alert.
fn fire(alert: &mut Alert, at: UtcTime, text: String) -> AlertEvent {
    alert.on &= !alert.once;
    AlertEvent {
        alert: alert.id,
        number: alert.state.fired,
        at,
        after: None,
        title: text::title(&alert.rule).into(),
        text: text.into(),
        missed: false,
        seen: false,
    }
}

/// Judges all alerts and appends their firings. Allocates nothing for an alert that doesn't fire.
pub fn check(tracked: &mut [Tracked], values: &Values<'_>, events: &mut Vec<AlertEvent>) {
    for alert in tracked {
        events.extend(alert.check(values));
    }
}
