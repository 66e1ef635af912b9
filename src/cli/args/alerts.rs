//! `satscope alerts`.

use std::time::Duration;

use clap::Subcommand;

use super::value::{alert_id, duration};

pub(super) const HELP: &str = "\
Rules:
  ordi > 10              price in the display currency (slug or unique symbol)
  ordi < 8.5 eur         price in another currency
  sats 24h < -8%         24-hour change (also vol, cap, rank)
  rats holders >= 50k    holders of a BRC-20 token (also minted)
  nova minted every 1%   each time another 1% is minted
  bc1q… receives         BRC-20 tokens or bitcoin received (also sends)
  cold receives          the same, by the label of a saved address
  bc1q… ordi > 1000      BRC-20 balance of an address
  bc1q… btc > 1          bitcoin balance of an address
  fees < 3               fee rate of the next block in sat/vB
  wallet 24h < -5%       24-hour change of the wallet

An alert fires when its value passes the limit. After firing, it re-arms when the value moves back by 10% of the \
distance between the limit and the value when the alert was added. `rearm 9.5` sets the re-arm value instead; `once` \
turns the alert off after it fires.";

const WATCH_HELP: &str = "\
Coins, fees and the wallet are checked every minute, BRC-20 tokens and addresses every five minutes, but never more \
often than the service updates them (coins without a max-age: every five minutes).

With --for, the exit status is 1 if an alert couldn't be checked.";

/// `satscope alerts …`
#[derive(Debug, Subcommand)]
pub enum AlertsCommand {
    /// List alerts with current values
    List,
    /// Add an alert
    #[command(after_help = HELP)]
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
