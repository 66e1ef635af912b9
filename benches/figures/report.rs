//! The lines of the report: each figure with its floor, measured in the same run, their ratio and the goal.

use std::fmt;
use std::time::Duration;

/// What a figure must not exceed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// So many times the floor.
    Times(f64),
    /// So much, whatever the floor.
    AtMost(Amount),
    /// Stated for comparison only.
    None,
}

/// A figure with its unit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    /// Time.
    Time(Duration),
    /// Instructions.
    Instructions(u64),
    /// Memory.
    Bytes(u64),
    /// Anything counted.
    Count(u64),
    /// Instructions for each byte.
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

/// Prints a heading over the figures of a part.
pub(crate) fn heading(title: &str) {
    println!("\n{title:<58} {:>11} {:>11} {:>7}  goal", "measured", "floor", "ratio");
}

/// Prints a figure.
pub(crate) fn line(what: &str, measured: Amount, floor: Option<Amount>, goal: Goal) {
    let ratio = floor.map(|floor| measured.number() / floor.number().max(f64::MIN_POSITIVE));
    let (holds, goal) = match goal {
        Goal::Times(most) => (ratio.is_some_and(|ratio| ratio <= most), format!("≤ {most} ×")),
        Goal::AtMost(most) => (measured.number() <= most.number(), format!("≤ {most}")),
        Goal::None => (true, String::new()),
    };
    let floor = floor.map_or(String::from("–"), |floor| floor.to_string());
    let ratio = ratio.map_or(String::from("–"), |ratio| format!("{ratio:.3}"));
    let verdict = if holds { "" } else { "   MISSED" };
    println!("  {what:<56} {measured:>11} {floor:>11} {ratio:>7}  {goal}{verdict}");
}

/// Prints why figures are missing.
pub(crate) fn missing(why: &str) {
    println!("  {why}");
}
