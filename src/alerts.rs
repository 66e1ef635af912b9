//! Alerts: parses rules, judges values, and finds what was missed. Nothing here reads a clock or does I/O: the dashboard
//! and `satscope alerts watch` get the values and keep the states.
//!
//! - [`parse`]: a rule as a line of text.
//! - [`judge`]: whether a value fires an alert.

pub mod judge;
pub mod parse;

pub use judge::{Fired, Judge, Reading};
pub use parse::{Draft, RuleError, parse};
