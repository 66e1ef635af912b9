//! `satscope serve`.

use std::net::SocketAddr;
use std::num::NonZeroU32;

use clap::Args;

use super::value::{delay, limit, listen, max_age, share, unsigned, variable};

/// The end of its help.
pub(super) const HELP: &str = "\
Prints its address, then runs until SIGINT, SIGTERM or SIGHUP. Port 0 picks a free port. Fault injection is for testing clients.";

/// `satscope serve`
#[derive(Args, Debug)]
pub struct Serve {
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787", value_parser = listen)]
    pub listen: SocketAddr,
    /// Redis or Valkey server shared by all instances, such as redis://localhost:6379 [env: SATSCOPE_SHARED]
    #[arg(long, value_name = "URL")]
    pub shared: Option<String>,
    /// Environment variable with the token that clients must send
    #[arg(long, value_name = "NAME", value_parser = variable)]
    pub token_env: Option<String>,
    /// Allow access from other machines without a token
    #[arg(long, conflicts_with = "token_env")]
    pub no_token: bool,
    /// Maximum requests per minute per client [default: unlimited]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = limit)]
    pub requests_per_minute: Option<NonZeroU32>,
    /// Override max-age of responses, in seconds [default: per operation]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = max_age)]
    pub max_age: Option<u64>,
    /// Random seed of the simulated data
    #[arg(long, value_name = "N", help_heading = "Simulation", allow_negative_numbers = true, value_parser = unsigned)]
    pub seed: Option<u64>,
    /// Response delay in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, help_heading = "Fault injection", allow_negative_numbers = true, value_parser = delay)]
    pub delay_ms: u64,
    /// Fraction of responses that fail with 500, from 0 to 1
    #[arg(long, value_name = "RATE", default_value_t = 0.0, help_heading = "Fault injection", allow_negative_numbers = true, value_parser = share)]
    pub error_rate: f64,
    /// Fail every Nth request with 429 [default: never]
    #[arg(long, value_name = "N", help_heading = "Fault injection", allow_negative_numbers = true, value_parser = limit)]
    pub rate_limit_every: Option<NonZeroU32>,
}
