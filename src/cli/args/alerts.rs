//! `satscope alerts`.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::sync::LazyLock;
use std::time::Duration;

use clap::Subcommand;

use super::value::{alert_id, alert_ids, duration};
use crate::alerts::examples::{ADDRESS_EXAMPLES, EXAMPLES};

const RULES: &str = "\
A coin is named by its slug or its unique symbol. `ordi +5%` sets the limit to 5% above the current price, `ordi -10%` \
to 10% below it. An alert fires when its value crosses the limit. After firing, it \
re-arms when the value moves back past the limit by 10% of its distance when the alert was added. This margin is \
at least 0.5% of the limit (10% for fees), 0.25 percentage points for changes and 1 for counts. A rule that is already \
true when you add it waits until the value moves back past the limit by that minimum. `rearm 9.5` sets the re-arm value instead; `once` turns the \
alert off after it fires.";

/// Examples of rules, and how they work. Formatted once: every start defines the three commands that show it.
pub(super) static HELP: LazyLock<String> = LazyLock::new(|| {
    let mut help = String::from("Rules:\n");
    for (example, meaning) in EXAMPLES.iter().chain(&ADDRESS_EXAMPLES) {
        // Writing to a string never fails.
        let _ = writeln!(help, "  {example:<20}   {meaning}");
    }
    format!("{help}\n{RULES}")
});

const WATCH_HELP: &str = "\
Coins, fees and the wallet are checked every minute, BRC-20 tokens and addresses every five minutes, but never more \
often than the service updates them (coins without a max-age: every five minutes).

With --for, values that are at least ten seconds old are checked again at the end. The exit status is 1 if an alert couldn't be checked.";

/// `satscope alerts …`
#[derive(Debug, Subcommand)]
pub enum AlertsCommand {
    /// List alerts with current values
    List,
    /// Add an alert
    #[command(after_help = HELP.as_str())]
    Add {
        /// Rule such as 'ordi > 10'
        #[arg(required = true, value_name = "RULE", allow_negative_numbers = true)]
        rule: Vec<String>,
        /// Fire once, then turn the alert off
        #[arg(long)]
        once: bool,
    },
    /// Remove alerts
    Remove {
        /// Alert IDs, or ranges such as 3-8
        #[arg(required = true, value_name = "ID", value_parser = alert_ids)]
        ids: Vec<RangeInclusive<i64>>,
    },
    /// Turn alerts on
    On {
        /// Alert IDs, or ranges such as 3-8
        #[arg(required = true, value_name = "ID", value_parser = alert_ids)]
        ids: Vec<RangeInclusive<i64>>,
    },
    /// Turn alerts off
    Off {
        /// Alert IDs, or ranges such as 3-8
        #[arg(required = true, value_name = "ID", value_parser = alert_ids)]
        ids: Vec<RangeInclusive<i64>>,
    },
    /// Replace an alert's rule and turn it on
    #[command(after_help = HELP.as_str())]
    Edit {
        /// Alert ID
        #[arg(value_name = "ID", value_parser = alert_id)]
        id: i64,
        /// Rule such as 'ordi > 10'
        #[arg(required = true, value_name = "RULE", allow_negative_numbers = true)]
        rule: Vec<String>,
    },
    /// Watch alerts and print each one that fires
    #[command(after_help = WATCH_HELP)]
    Watch {
        /// Stop after this time: seconds, or with a unit such as 30m, 1h or 7d
        #[arg(long = "for", value_name = "TIME", allow_negative_numbers = true, value_parser = duration)]
        duration: Option<Duration>,
    },
}
