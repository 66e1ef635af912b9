//! The integration tests, in one binary: keys and screens, real HTTP on loopback, bytes.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails loudly")]

mod app;
mod cli;
mod client;
mod config;
mod corpus;
mod counts;
mod currency;
mod deadlines;
mod decode;
mod faults;
mod fetch;
mod flows;
mod hostile;
mod indexer_decode;
mod live;
mod outage;
mod panels;
mod provider;
mod pty;
mod purity;
mod readme;
mod sat;
mod screens;
mod service_indexer;
mod service_market;
mod simulated;
mod snapshot;
mod soak;
mod stale_pages;
mod store;
mod support;
mod terminal;
mod time_zone;
mod widgets;
mod wire;
