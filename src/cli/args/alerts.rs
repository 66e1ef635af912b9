//! `satscope alerts`.

use clap::Subcommand;

use super::value::{alert_id, seconds};

pub(super) const HELP: &str = "\
Rules:
  ordi > 10                 price, in the display currency; a coin's slug, or a symbol that only one coin has
  ordi < 8.5 eur            price in another currency
  sats 24h < -8%            change over 24 hours; also vol, cap and rank
  rats holders >= 50k       holders or minted share of a BRC-20 token
  nova minted every 1%      each step
  bc1q… receives            BRC-20 tokens that an address receives or sends
  bc1q… ordi > 1000         a balance
  fees < 3                  fee rate of the next block in sat/vB
  wallet 24h < -5%          change of the wallet's value; checked by the dashboard only

A rule fires when its limit is passed, and again after the value has come back by a tenth of the distance that it had \
at first. Set that value with rearm (ordi > 10 rearm 9.5), or fire once with once.";

/// `satscope alerts …`
#[derive(Debug, Subcommand)]
pub enum AlertsCommand {
    /// List alerts with current values
    List,
    /// Add an alert
    #[command(after_help = HELP)]
    Add {
        /// Rule, such as 'ordi > 10'
        #[arg(required = true, value_name = "RULE", allow_hyphen_values = true)]
        rule: Vec<String>,
        /// Fire once, then turn the alert off
        #[arg(long)]
        once: bool,
    },
    /// Remove alerts
    Remove {
        /// Alert IDs
        #[arg(required = true, value_name = "ID", value_parser = alert_id)]
        ids: Vec<i64>,
    },
    /// Turn alerts on
    On {
        /// Alert IDs
        #[arg(required = true, value_name = "ID", value_parser = alert_id)]
        ids: Vec<i64>,
    },
    /// Turn alerts off
    Off {
        /// Alert IDs
        #[arg(required = true, value_name = "ID", value_parser = alert_id)]
        ids: Vec<i64>,
    },
    /// Replace the rule of an alert
    #[command(after_help = HELP)]
    Edit {
        /// Alert ID
        #[arg(value_name = "ID", value_parser = alert_id)]
        id: i64,
        /// Rule, such as 'ordi > 10'
        #[arg(required = true, value_name = "RULE", allow_hyphen_values = true)]
        rule: Vec<String>,
    },
    /// Check the alerts without a screen, and print each that fires
    Watch {
        /// Stop after this time
        #[arg(long = "for", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
        duration: Option<f64>,
    },
}
