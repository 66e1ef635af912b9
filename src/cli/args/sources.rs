//! `satscope sources …`.

use clap::Subcommand;

use super::value::{operation, provider};
use crate::model::ProviderName;
use crate::service::operation::Operation;

/// The end of its help.
pub(super) const HELP: &str = "\
Examples:
  satscope sources                             state, request budget and operations
  satscope sources test coingecko              one test request
  satscope sources disable defillama           don't use a provider
  satscope sources order coins coingecko       prefer CoinGecko for coin lists

Choices are saved with the user data, override the configuration file and take effect in a running dashboard.
Listing sends no requests, so it shows no latencies; `test` and `--probe` measure them.";

/// `satscope sources …`
#[derive(Debug, Subcommand)]
pub enum SourcesCommand {
    /// List the providers and their state
    List,
    /// Enable providers
    Enable {
        /// Provider names
        #[arg(required = true, value_name = "NAME", value_parser = provider())]
        names: Vec<ProviderName>,
    },
    /// Disable providers
    Disable {
        /// Provider names
        #[arg(required = true, value_name = "NAME", value_parser = provider())]
        names: Vec<ProviderName>,
    },
    /// Set the order of an operation's providers
    Order {
        /// Operation
        #[arg(value_parser = operation())]
        operation: Operation,
        /// Preferred providers, best first; the others follow
        #[arg(required = true, value_name = "NAME", value_parser = provider())]
        names: Vec<ProviderName>,
    },
    /// Send one test request to each provider
    Test {
        /// Provider names [default: all in use]
        #[arg(value_name = "NAME", value_parser = provider())]
        names: Vec<ProviderName>,
    },
    /// Discard your choices and use the configured providers
    Reset,
}
