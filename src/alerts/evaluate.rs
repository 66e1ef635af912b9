//! Decides whether a value fires an alert, and updates the alert's state.
//!
//! - An alert fires when it is armed and a value crosses the limit. It is armed again by a value on the other side of
//!   its re-arm value, so that a price at the edge fires once.
//! - The first value never fires: an alert whose limit is already passed waits until it is armed.
//! - A value from a different source than the previous one never fires alone, since sources differ: only later values of
//!   that source do, if they pass the limit or go further beyond it by the re-arm band. [`check`](mod@super::check)
//!   decides which sources are compared.
//! - A value far from the previous one fires only if a later one confirms it after some time.
//! - A missing value changes nothing.

use std::time::Duration;

use crate::model::{Amount, Decimal, UtcTime};
use crate::user_data::alert::{Alert, AlertState, Comparison, Condition, OutlierLimit, Unit, Value, ValueSource};

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading<'a> {
    /// The value.
    pub value: Value,
    /// When it was current.
    pub at: UtcTime,
    /// The source of the value.
    pub source: ValueSource<&'a str>,
    /// When the provider last updated the value, if it reports that.
    pub updated_at: Option<UtcTime>,
}

/// What made an alert fire.
#[derive(Clone, Debug, PartialEq)]
pub enum Fired {
    /// A value passed the limit.
    Limit(Value),
    /// A value crossed a multiple of the step.
    Step {
        /// The value.
        value: Value,
        /// The multiple that it crossed last.
        passed: Decimal,
    },
}

/// A rule with its limits prepared for comparison, so that comparing a value allocates nothing.
#[derive(Clone, Debug)]
pub struct Evaluator {
    kind: Kind,
    /// What the values are.
    unit: Unit,
    outlier_limit: Option<OutlierLimit>,
    /// When the provider last updated the outlier that awaits confirmation. Not saved.
    outlier_updated_at: Option<UtcTime>,
}

#[derive(Clone, Debug)]
enum Kind {
    Limit {
        comparison: Comparison,
        limit: Bound,
        rearm: Option<Bound>,
    },
    Every {
        step: Step,
    },
    /// Evaluated by [`super::moves::moves`].
    Transfer,
}

/// Minimum time between an outlier and the value that confirms it: an earlier response may come from the same cache.
const CONFIRM_AFTER: Duration = Duration::from_secs(30);

/// Minimum time between an outlier among live prices and the value that confirms it: each live price is a later trade.
const CONFIRM_LIVE_AFTER: Duration = Duration::from_secs(2);

/// Tolerance of multiples of a step, in steps, for values that are floats.
const STEP_TOLERANCE: f64 = 1e-9;

/// The re-arm band is the distance between the limit and the first value, divided by this.
const BAND_PARTS: u32 = 10;

/// The minimum re-arm band is the limit divided by this.
const MIN_BAND_PARTS: u32 = 200;

/// The minimum re-arm band of fee rates, which change by several percent within minutes, is the limit divided by this.
const MIN_FEE_BAND_PARTS: u32 = 10;

/// The minimum re-arm band of changes, in hundredths of a point.
const MIN_CHANGE_BAND: u32 = 25;

impl Evaluator {
    /// The evaluator of an alert.
    pub fn new(alert: &Alert) -> Evaluator {
        let kind = match &alert.rule.condition {
            Condition::Limit(comparison, limit) => {
                let rearm = alert.state.rearm_of(&alert.rule);
                Kind::Limit { comparison: *comparison, limit: Bound::new(limit), rearm: rearm.map(Bound::new) }
            }
            Condition::Every(step) => Kind::Every { step: Step::new(step) },
            Condition::Transfer => Kind::Transfer,
        };
        let measure = &alert.rule.measure;
        Evaluator { kind, unit: measure.unit(), outlier_limit: measure.outlier_limit(), outlier_updated_at: None }
    }

    /// The evaluator of an alert that needs no confirmation of outliers.
    pub(super) fn without_outliers(alert: &Alert) -> Evaluator {
        Evaluator { outlier_limit: None, ..Evaluator::new(alert) }
    }

    /// Evaluates a value and records it in the state. A value that is not newer than the last one is ignored.
    pub fn evaluate(&mut self, state: &mut AlertState, reading: &Reading<'_>) -> Option<Fired> {
        let Reading { value, at, source, updated_at } = *reading;
        if !value.to_f64().is_finite() || state.checked_at.is_some_and(|checked| at <= checked) {
            return None;
        }
        let is_same_source = state.has_source(source);
        if is_same_source && self.is_far(state.last, value) {
            let patience = if source.is_live() { CONFIRM_LIVE_AFTER } else { CONFIRM_AFTER };
            // The outlier was the last check.
            let is_early = state.checked_at.is_some_and(|checked| at.since(checked) < patience);
            // A cache may send the same value for longer, with a new date.
            let is_repeated = updated_at.is_some() && updated_at == self.outlier_updated_at;
            if state.outlier.is_some_and(|outlier| is_early || (is_repeated && outlier == value)) {
                return None;
            }
            if !is_confirmed(state, value) {
                (state.checked_at, state.outlier) = (Some(at), Some(value));
                self.outlier_updated_at = updated_at;
                return None;
            }
        }
        (state.checked_at, state.outlier) = (Some(at), None);
        let is_new_source = !is_same_source && state.source.is_some();
        if !is_same_source {
            state.source = Some(source.into_owned());
        }
        state.last = Some(value);
        let unit = self.unit;
        let fired = match &mut self.kind {
            Kind::Limit { comparison, limit, rearm } => {
                let is_beyond = limit.is_beyond(*comparison, value);
                let rearm = rearm.get_or_insert_with(|| {
                    let level = rearm_level(*comparison, &limit.exact, value, is_beyond, unit);
                    state.rearm = Some(level.clone());
                    Bound::new(&level)
                });
                evaluate_limit(state, *comparison, limit, rearm, value, is_new_source)
            }
            Kind::Every { step } => evaluate_step(state, step, value, is_new_source),
            Kind::Transfer => None,
        };
        if fired.is_some() {
            state.fired = state.fired.saturating_add(1);
            state.fired_at = Some(at);
        }
        fired
    }

    /// Whether a value is beyond the limit, if the rule has one.
    pub(super) fn is_beyond(&self, value: Value) -> bool {
        match &self.kind {
            Kind::Limit { comparison, limit, .. } => limit.is_beyond(*comparison, value),
            Kind::Every { .. } | Kind::Transfer => false,
        }
    }

    /// Whether it is a rule about steps.
    pub(super) fn has_steps(&self) -> bool {
        matches!(self.kind, Kind::Every { .. })
    }

    /// The [`AlertState::steps`] after a value; `None` if the rule isn't about steps.
    pub(super) fn steps_after(&self, before: Option<i64>, value: Value) -> Option<i64> {
        match &self.kind {
            Kind::Every { step } => step.after(before, value),
            Kind::Limit { .. } | Kind::Transfer => None,
        }
    }

    /// The multiple that another source crossed last, in steps, if a value is next to it: then crossing it is nothing
    /// new. `None` if the rule isn't about steps.
    pub(super) fn steps_near(&self, crossed: Option<i64>, value: Value) -> Option<i64> {
        match &self.kind {
            Kind::Every { step } => step.near(crossed, value),
            Kind::Limit { .. } | Kind::Transfer => None,
        }
    }

    /// Whether a value is far from the last one.
    pub(super) fn is_far(&self, last: Option<Value>, value: Value) -> bool {
        let Some((limit, last)) = self.outlier_limit.zip(last) else { return false };
        let (value, last) = (value.to_f64(), last.to_f64());
        match limit {
            OutlierLimit::Points(points) => (value - last).abs() > points,
            OutlierLimit::Ratio(ratio) => !is_within(value, last, ratio),
        }
    }
}

/// Whether the previous outlier confirms a value: both are far from the last value, on the same side.
fn is_confirmed(state: &AlertState, value: Value) -> bool {
    let Some((outlier, last)) = state.outlier.zip(state.last) else { return false };
    (outlier.to_f64() > last.to_f64()) == (value.to_f64() > last.to_f64())
}

/// Whether the ratio of two values is at most `ratio`. A value of zero is far from any other.
fn is_within(a: f64, b: f64, ratio: f64) -> bool {
    a == b || (a > 0.0 && b > 0.0 && (1.0 / ratio..=ratio).contains(&(a / b)))
}

fn evaluate_limit(
    state: &mut AlertState,
    comparison: Comparison,
    limit: &Bound,
    rearm: &Bound,
    value: Value,
    is_new_source: bool,
) -> Option<Fired> {
    let is_beyond = limit.is_beyond(comparison, value);
    match state.armed {
        None => {
            state.armed = Some(!is_beyond);
            None
        }
        Some(true) if !is_beyond => {
            state.baseline = None;
            None
        }
        Some(true) if is_new_source => {
            state.baseline = Some(value);
            None
        }
        Some(true) => {
            if state.baseline.is_some_and(|baseline| !is_further(comparison, limit, rearm, baseline, value)) {
                return None;
            }
            (state.armed, state.baseline) = (Some(false), None);
            Some(Fired::Limit(value))
        }
        Some(false) => {
            let back = if comparison.is_upward() { Comparison::AtMost } else { Comparison::AtLeast };
            if !is_beyond && rearm.is_beyond(back, value) {
                state.armed = Some(true);
            }
            None
        }
    }
}

/// Whether a value is further beyond the limit than `from` by at least the re-arm band.
fn is_further(comparison: Comparison, limit: &Bound, rearm: &Bound, from: Value, value: Value) -> bool {
    let is_upward = comparison.is_upward();
    if let (Value::Amount(from), Value::Amount(value)) = (from, value) {
        let distance = |from: Decimal, to: &Decimal| if is_upward { -from + to } else { from - to };
        return distance(from.into(), &value.into()) >= distance(rearm.exact.clone(), &limit.exact);
    }
    let (from, value, band) = (from.to_f64(), value.to_f64(), (limit.float - rearm.float).abs());
    if is_upward { value >= from + band } else { value <= from - band }
}

fn evaluate_step(state: &mut AlertState, step: &Step, value: Value, is_new_source: bool) -> Option<Fired> {
    let before = if is_new_source { step.near(state.steps, value) } else { state.steps };
    let new = step.after(before, value)?;
    state.steps = Some(new);
    before.filter(|passed| new != *passed).map(|_| Fired::Step { value, passed: step.exact.times(new) })
}

/// A step prepared for comparison.
#[derive(Clone, Debug)]
struct Step {
    exact: Decimal,
    float: f64,
}

impl Step {
    fn new(step: &Decimal) -> Step {
        Step { exact: step.clone(), float: step.to_f64() }
    }

    /// The multiples next to a value, in steps: the last one not above it, and the first one not below it. A float next
    /// to a multiple counts as that multiple; an amount is exact. `None` if their numbers don't fit.
    fn around(&self, value: Value) -> Option<(i64, i64)> {
        match value {
            Value::Number(number) => {
                let steps = number / self.float;
                Some(((steps + STEP_TOLERANCE).floor() as i64, (steps - STEP_TOLERANCE).ceil() as i64))
            }
            Value::Amount(amount) => Decimal::from(amount).multiples_around(&self.exact),
        }
    }

    /// The multiple `crossed` by another source, in steps, if a value is less than a step away from it.
    fn near(&self, crossed: Option<i64>, value: Value) -> Option<i64> {
        let (below, above) = self.around(value)?;
        crossed.filter(|crossed| (below..=above).contains(crossed))
    }

    /// The multiple that was crossed last, in steps, after a value. `before` is the multiple at the previous value;
    /// without one, the result is the multiple below the value.
    fn after(&self, before: Option<i64>, value: Value) -> Option<i64> {
        let (below, above) = self.around(value)?;
        Some(before.map_or(below, |passed| if below > passed { below } else { above.min(passed) }))
    }
}

/// The re-arm value for a limit: back from the limit by a tenth of its distance to the first value, but by at least
/// 0.5% of the limit (10% for fee rates, 0.25 percentage points for changes). If the first value is already beyond the
/// limit, the distance is that minimum: the next crossing should fire, however far away the value is now. The
/// re-arm value of a count is a whole number.
fn rearm_level(comparison: Comparison, limit: &Decimal, first: Value, is_beyond: bool, unit: Unit) -> Decimal {
    let absolute = |number: Decimal| if number.is_negative() { -number } else { number };
    let part = |number: Decimal, parts: u32| absolute(number).divided_by(&Decimal::from(parts)).unwrap_or_default();
    let band = if is_beyond { Decimal::default() } else { part(limit.clone() - &first.to_decimal(), BAND_PARTS) };
    let min_parts = if unit == Unit::FeeRate { MIN_FEE_BAND_PARTS } else { MIN_BAND_PARTS };
    let mut band = band.max(part(limit.clone(), min_parts));
    if unit == Unit::Change {
        band = band.max(part(Decimal::from(MIN_CHANGE_BAND), 100));
    }
    let mut level = if comparison.is_upward() { limit.clone() - &band } else { limit.clone() + &band };
    if matches!(unit, Unit::Count(_)) {
        level = whole(comparison, limit, level);
    }
    // A number with too many digits can't be read back. One that large needs no decimals.
    if level.is_readable() { level } else { level.rounded(0) }
}

/// Rounds the re-arm value of a count away from the limit, to a whole number. A value too large to round is unchanged.
fn whole(comparison: Comparison, limit: &Decimal, level: Decimal) -> Decimal {
    let one = Decimal::from(1);
    let Some((below, above)) = level.multiples_around(&one) else { return level };
    let level = one.times(if comparison.is_upward() { below } else { above });
    // No rank is below 1.
    if comparison == Comparison::Above && *limit >= one { level.max(one) } else { level }
}

/// A limit in the forms that values are compared with.
#[derive(Clone, Debug)]
struct Bound {
    exact: Decimal,
    float: f64,
    /// The smallest amount that is not below it; `None` if there is none.
    amount: Option<Amount>,
    /// Whether `amount` is equal to it.
    is_exact: bool,
}

impl Bound {
    fn new(limit: &Decimal) -> Bound {
        let below = limit.floor_amount();
        let is_exact = below.is_some_and(|below| Decimal::from(below) == *limit);
        let amount = match below {
            _ if limit.is_negative() => Some(Amount::ZERO),
            Some(below) if !is_exact => below.checked_add(Amount::from_atoms(1)),
            below => below,
        };
        Bound { exact: limit.clone(), float: limit.to_f64(), amount, is_exact }
    }

    fn is_beyond(&self, comparison: Comparison, value: Value) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let order = match value {
            Value::Number(number) => number.partial_cmp(&self.float),
            Value::Amount(amount) => Some(match self.amount {
                None => Less,
                Some(bound) if self.is_exact => amount.cmp(&bound),
                Some(bound) if amount < bound => Less,
                Some(_) => Greater,
            }),
        };
        match comparison {
            Comparison::Above => order == Some(Greater),
            Comparison::AtLeast => matches!(order, Some(Greater | Equal)),
            Comparison::Below => order == Some(Less),
            Comparison::AtMost => matches!(order, Some(Less | Equal)),
        }
    }
}

#[cfg(test)]
mod tests;
