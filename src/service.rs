//! The HTTP service: the whole interface on a loopback port, backed by a simulated market and indexer, or by real
//! providers.
//!
//! It runs embedded in the program ([`start`], on a separate thread, so that requests never block the UI) or
//! stand-alone ([`serve`], used by `satscope serve`). Nothing is bound, spawned or computed before one of the two is
//! called.
//!
//! ```text
//! http             router: both groups, compression, JSON errors for unknown paths and methods
//! routes/          market and indexer handlers
//! providers        one trait per group: the data sources; a file for each real provider
//! gateway/         real providers: order, cache, rate limits, fallback, coin ids
//! like             SQL LIKE patterns of the indexer group's filters
//! json/            JSON shapes of the responses, built from the model
//! bodies           encoded responses with live data, cached
//! caching          Cache-Control, ETag, 304
//! errors           JSON error bodies
//! fault_injection  delays, errors and 429 responses for testing clients
//! openapi          the document at /openapi.json
//! demo/            the simulated data: pure functions of (seed, time), no stored state
//! ```

mod bodies;
mod caching;
pub mod demo;
mod errors;
mod fault_injection;
pub mod gateway;
mod http;
mod json;
mod like;
mod openapi;
mod options;
mod params;
pub mod providers;
mod routes;
mod server;

pub use crate::client::{PROVIDER, SIMULATED};
pub use fault_injection::FaultInjection;
pub use options::{Options, TimeSource};
pub use server::{Error, Running, serve, start};
