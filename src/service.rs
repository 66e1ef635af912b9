//! Our own service: the whole interface over HTTP on a loopback port, backed by a simulated market and indexer.
//!
//! It runs inside the program ([`start`], on a thread of its own, so that no request stalls the screen) or alone
//! ([`serve`], what `satscope serve` does). Nothing is bound, spawned or computed before one of the two is called.
//!
//! ```text
//! http      the router: both groups, compression, JSON for unknown paths and methods
//! routes/   market and indexer: parameters in, answers out
//! caching   Cache-Control, ETag, 304
//! errors    what a failure looks like in JSON
//! misbehave delays, errors and 429 on purpose, for tests
//! openapi   the document at /openapi.json
//! demo/     the simulated world: pure functions of (seed, time), no stored state
//! ```

mod caching;
pub mod demo;
mod errors;
mod http;
mod misbehave;
mod openapi;
mod options;
mod params;
mod routes;
mod server;
mod shared;

pub use misbehave::Misbehaviour;
pub use options::{Options, TimeSource};
pub use server::{Error, Running, serve, start};
