//! satscope: a terminal dashboard for Bitcoin-ecosystem tokens, BRC-20 and ordinals.
//!
//! # The parts
//!
//! ```text
//!   terminal ──keys──▶ keymap ──Command──▶ app::update ──Effect──▶ runtime (quit, suspend, copy, open, save)
//!                                             ▲    │
//!   network  ◀── fetch ◀── app::demand(&State)│    └──State──▶ view ──▶ terminal::Painter
//!                  └───────── Event ──────────┘
//!                  ▼
//!               client ──HTTP──▶ any service with satscope's HTTP interface, or the embedded one: service
//! ```
//!
//! - [`model`]: coins, posts, market pairs, charts, BRC-20 tokens, sats, inscriptions.
//! - [`client`]: typed requests, one HTTP client with limits, tolerant decoding into the model.
//! - [`fetch`]: sends the requests that the app demands and keeps their data fresh; [`network`]: its thread; [`clock`]:
//!   its source of time.
//! - [`app`]: the state, its updates, and the requests that the screen needs (`demand`). No I/O, no clock.
//! - [`view`]: draws the state, with the styles of [`theme`], the characters of [`glyphs`] and the number formats of
//!   [mod@format].
//! - [`keymap`]: commands and their keys, for input, help, footer and README.
//! - [`runtime`]: the event loop and its effects; [`terminal`]: input, output of frames, setup and restoration.
//! - [`service`]: the embedded HTTP service. Its [`service::demo`] simulates a market and an indexer; its
//!   [`service::gateway`] chooses among the real [`service::providers`], within their limits.
//! - [`cli`]: the command line and its output; [`config`]: settings from file, environment and flags; [`log`].
//! - `allocator`: settings of the C library's allocator.
//! - [`alerts`]: parses and evaluates the rules of alerts.
//! - [`portfolio`]: cost, profit and value of the wallet's lots.
//! - [`user_data`]: user data (watchlist, lots, alerts, session); [`store`]: saves it in a SQLite database;
//!   [`snapshot`]: the last responses, in the cache directory.
//!
//! `tests/it/purity.rs` tests which part may use which.
//!
//! # The screen
//!
//! Six tabs: three lists of coins by tag ([`app::screen::ListScreen`]), the wallet with the watched coins
//! ([`app::screen::WalletScreen`]), the indexer ([`app::screen::IndexerScreen`]) and the status of all requests
//! ([`app::screen::StatusScreen`]). A token view ([`app::screen::TokenScreen`]) covers its tab, and a dialog
//! ([`app::Overlay`]) covers everything.

#[cfg(not(unix))]
compile_error!("satscope needs Unix: its event loop uses signals");

pub mod alerts;
mod allocator;
pub mod app;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod fetch;
pub mod format;
pub mod glyphs;
pub mod keymap;
pub mod log;
pub mod model;
pub mod network;
pub mod portfolio;
pub mod runtime;
pub mod service;
pub mod snapshot;
pub mod store;
pub mod terminal;
pub mod theme;
pub mod user_data;
pub mod view;
