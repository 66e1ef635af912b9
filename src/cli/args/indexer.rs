//! `satscope brc20 …`, `satscope sat …`, and the pages of the indexer's lists.

use clap::{Args, Subcommand};

use super::value::{count, height, name, offset, word};
use crate::model::Text;

/// The end of the help of `satscope sat`.
pub(super) const SAT_HELP: &str = "\
Examples:
  satscope sat 1953876022992384            by number
  satscope sat 752860.20444193             by decimal (block.offset)
  satscope sat ahehcbywzae                 by name
  satscope sat inscriptions 5000000000     inscriptions on it

Everything except the inscription is computed locally. If the indexer fails, the computed values are still printed, with inscription_id null and the error in the warnings, and the exit status is 1.";

/// `satscope brc20 …`
#[derive(Debug, Subcommand)]
pub enum Brc20 {
    /// All tokens
    Tokens {
        /// Filter by ticker prefix
        #[arg(long, value_name = "PREFIX", value_parser = name)]
        ticker: Option<Text>,
        /// Page of the list.
        #[command(flatten)]
        page: PageArgs,
    },
    /// One token: supply, limits, holders
    Token {
        /// Ticker; put -- before one that starts with a hyphen
        #[arg(value_parser = name)]
        ticker: Text,
    },
    /// Holders of a token
    Holders {
        /// Ticker
        #[arg(value_parser = name)]
        ticker: Text,
        /// Page of the list.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Balances of an address
    Balances {
        /// Bitcoin address, or the label of a saved one
        #[arg(value_parser = word)]
        address: Text,
        /// Page of the list.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Deploys, mints and transfers, newest first
    Activity {
        /// Ticker [default: all]
        #[arg(value_parser = name)]
        ticker: Option<Text>,
        /// Same as TICKER
        #[arg(long = "ticker", value_name = "TICKER", value_parser = name)]
        ticker_option: Option<Text>,
        /// Filter by block height
        #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = height)]
        block_height: Option<u64>,
        /// Page of the list.
        #[command(flatten)]
        page: PageArgs,
    },
}

/// `satscope sat inscriptions …`
#[derive(Debug, Subcommand)]
pub enum SatCommand {
    /// All inscriptions on a sat
    Inscriptions {
        /// Number, decimal, degree, percentile or name
        #[arg(allow_negative_numbers = true)]
        sat: String,
        /// Page of the list.
        #[command(flatten)]
        page: PageArgs,
    },
}

/// Page of an indexer list.
#[derive(Args, Clone, Copy, Debug)]
pub struct PageArgs {
    /// Rows to skip
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = offset)]
    pub offset: u64,
    /// Maximum rows
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = count)]
    pub limit: u32,
}
