//! The report: each figure with its baseline, their ratio and the goal.

use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The number of figures that missed their goal.
static MISSED: AtomicUsize = AtomicUsize::new(0);

/// The maximum of a figure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// A multiple of the baseline.
    Times(f64),
    /// An absolute amount.
    AtMost(Amount),
    /// No goal; printed for comparison.
    None,
}

/// A figure with its unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    /// Duration.
    Time(Duration),
    /// Instructions.
    Instructions(u64),
    /// Memory in bytes.
    Bytes(u64),
    /// Any count.
    Count(u64),
    /// Instructions per byte.
    PerByte(f64),
}

impl Amount {
    fn number(self) -> f64 {
        match self {
            Amount::Time(time) => time.as_secs_f64(),
            Amount::Instructions(count) | Amount::Bytes(count) | Amount::Count(count) => count as f64,
            Amount::PerByte(number) => number,
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Amount::Time(time) if time.as_secs_f64() < 1e-3 => format!("{:.1} µs", time.as_secs_f64() * 1e6),
            Amount::Time(time) => format!("{:.2} ms", time.as_secs_f64() * 1e3),
            Amount::Instructions(count) => format!("{:.2} M", count as f64 / 1e6),
            Amount::Bytes(count) => format!("{:.2} MiB", count as f64 / f64::from(1 << 20)),
            Amount::Count(count) => count.to_string(),
            Amount::PerByte(number) => format!("{number:.1} /B"),
        };
        f.pad(&text)
    }
}

/// Prints the heading of a part.
pub(crate) fn heading(title: &str) {
    println!("\n{title:<58} {:>11} {:>11} {:>7}  goal", "measured", "baseline", "ratio");
}

/// Prints a figure.
pub(crate) fn line(what: &str, measured: Amount, baseline: Option<Amount>, goal: Goal) {
    let ratio = baseline.map(|baseline| measured.number() / baseline.number().max(f64::MIN_POSITIVE));
    let (is_met, goal) = match goal {
        Goal::Times(most) => (ratio.is_some_and(|ratio| ratio <= most), format!("≤ {most} ×")),
        Goal::AtMost(most) => (measured.number() <= most.number(), format!("≤ {most}")),
        Goal::None => (true, String::new()),
    };
    let baseline = baseline.map_or(String::from("–"), |baseline| baseline.to_string());
    let ratio = ratio.map_or(String::from("–"), |ratio| format!("{ratio:.3}"));
    MISSED.fetch_add(usize::from(!is_met), Ordering::Relaxed);
    let verdict = if is_met { "" } else { "   MISSED" };
    println!("  {what:<56} {measured:>11} {baseline:>11} {ratio:>7}  {goal}{verdict}");
}

/// The number of figures so far that missed their goal.
pub(crate) fn missed() -> usize {
    MISSED.load(Ordering::Relaxed)
}

/// Prints the error of a measurement that has no figure, which counts as a missed goal.
pub(crate) fn failed(what: &str, error: &str) {
    MISSED.fetch_add(1, Ordering::Relaxed);
    println!("  {what:<56} FAILED: {error}");
}

/// Prints why figures are missing.
pub(crate) fn missing(why: &str) {
    println!("  {why}");
}
