//! The HTTP service: satscope's HTTP interface on a loopback port, backed by a simulated market and indexer, or by real
//! providers.
//!
//! It runs embedded in the program ([`start`], on a separate thread, so that requests never block the UI) or
//! standalone ([`serve`], used by `satscope serve`). Nothing is bound, spawned or computed before one of the two is
//! called.
//!
//! ```text
//! access           the check of the bearer token
//! metrics          Prometheus metrics at /metrics
//! connection       one client's connection: timeouts, buffers only while busy
//! counters         counters of the running service
//! request_handler  before the router: limits per client, cached responses, the threads that compute the others
//! limits           limits of a client's use
//! http             router: both groups, compression, JSON errors for unknown paths and methods
//! routes/          market and indexer handlers
//! backend/         one trait per group: simulated data or the gateway
//! gateway/         real providers: order, cache, fallback, coin ids
//! providers/       a file for each real provider
//! upstream/        the connection to a provider's server: key, rate limits, error classes
//! operation        the kinds of upstream data, and their names in the configuration
//! provider_response  a provider's data with its age, or why there are none
//! call             the callers waiting for an upstream request
//! like             SQL LIKE patterns of the indexer group's filters
//! json/            JSON shapes of the responses, built from the model
//! response_cache   encoded responses with live data, cached
//! caching          Cache-Control, ETag, 304
//! shared           state shared by instances through Redis: responses, locks, budgets
//! fair_share       divides a bounded resource among clients
//! unread_responses bounds the memory of responses that clients have not read yet
//! errors           JSON error bodies
//! fault_injection  delays, errors and 429 responses for testing clients
//! openapi          the document at /openapi.json
//! demo/            the simulated data: pure functions of (seed, time), no stored state
//! ```
//!
//! Submodules never import from this file; it only re-exports the public API.

mod accel;
mod access;
pub mod backend;
mod caching;
mod call;
mod client_turns;
mod connection;
mod counters;
pub mod data_version;
pub mod demo;
mod encoding;
mod errors;
mod fair_share;
mod fault_injection;
pub mod gateway;
mod http;
mod json;
mod like;
mod limits;
mod metrics;
mod openapi;
pub mod operation;
mod options;
mod params;
pub mod provider_response;
pub mod providers;
mod queue_time;
mod request_handler;
mod response_cache;
mod routes;
pub mod series_limits;
mod server;
mod shared;
mod time_source;
mod unread_responses;
pub mod upstream;

pub use backend::Providers;
pub use fault_injection::FaultInjection;
pub use limits::Limits;
pub use options::Options;
pub use server::{Error, Running, serve, start};
pub use shared::SharedState;
pub use time_source::TimeSource;
