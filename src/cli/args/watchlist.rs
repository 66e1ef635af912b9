//! `satscope watchlist …`.

use clap::Subcommand;

use super::value::word;
use crate::model::Text;

/// `satscope watchlist …`
#[derive(Debug, Subcommand)]
pub enum WatchlistCommand {
    /// List watched coins with prices
    List,
    /// Add coins
    Add {
        /// Coin slugs, such as bitcoin
        #[arg(required = true, value_name = "SLUG", value_parser = word)]
        slugs: Vec<Text>,
    },
    /// Remove coins
    Remove {
        /// Coin slugs (or symbols of entries without a slug)
        #[arg(required = true, value_name = "SLUG", value_parser = word)]
        slugs: Vec<Text>,
    },
}
