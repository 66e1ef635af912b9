//! `satscope watchlist …`.

use clap::Subcommand;

use super::value::name;
use crate::model::Text;

/// `satscope watchlist …`
#[derive(Debug, Subcommand)]
pub enum WatchlistCommand {
    /// List watched coins with prices
    List,
    /// Add coins
    Add {
        /// Slugs or unique symbols, such as bitcoin or ETH
        #[arg(required = true, value_name = "COIN", value_parser = name)]
        slugs: Vec<Text>,
    },
    /// Remove coins
    Remove {
        /// Slugs, or symbols unique in the watchlist
        #[arg(required = true, value_name = "COIN", value_parser = name)]
        slugs: Vec<Text>,
    },
}
