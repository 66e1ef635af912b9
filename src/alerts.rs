//! Alerts: parses rules, evaluates values, and finds missed firings. Nothing here reads a clock or does I/O: the
//! dashboard and `satscope alerts watch` get the values and keep the states.
//!
//! - [mod@parse]: a rule as a line of text.
//! - [mod@needs]: the requests for the values of rules, grouped.
//! - [`values`]: finds the value of a rule among the responses.
//! - [`evaluate`]: whether a value fires an alert; [mod@check]: evaluates all alerts.
//! - [mod@moves]: which balances rose or fell.
//! - [mod@source]: the source of a response, and when another one takes over.
//! - [`examples`]: examples of rules.
//! - [`kinds`]: the kinds of data that a process has, and the alerts that they can check.
//! - [`labels`]: labels of addresses in rules and messages.
//! - [`missed`]: evaluates the time without checks by price history.
//! - [`text`]: messages for the user.
//! - [`wallet`]: the change of the wallet's value.

pub mod check;
pub mod evaluate;
pub mod examples;
pub mod kinds;
pub mod labels;
pub mod missed;
pub mod moves;
pub mod needs;
pub mod parse;
pub mod source;
pub mod text;
pub mod values;
pub mod wallet;

pub use check::{Tracked, check};
pub use evaluate::{Evaluator, Fired, Reading};
pub use needs::{Needs, needs};
pub use parse::{Draft, RuleError, has_relative_limit, parse, parse_relative, parse_with};
pub use values::Values;

#[cfg(test)]
mod tests;
