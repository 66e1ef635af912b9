//! satscope: a terminal dashboard for token markets, BRC-20 and satoshi ordinals.
//!
//! # The parts
//!
//! ```text
//!   terminal ──keys──▶ keymap ──Command──▶ app::update ──Effect──▶ runtime (quit, suspend, copy, open, save)
//!                                             ▲    │
//!   network  ◀── fetch ◀── app::demand(&State)│    └──State──▶ view ──▶ terminal::Painter
//!                  └───────── Event ──────────┘
//!                  ▼
//!               client ──HTTP──▶ any service that speaks the interface, or our own: service
//! ```
//!
//! - [`model`]: coins, posts, market pairs, charts, BRC-20 tokens, sats, inscriptions.
//! - [`client`]: typed requests, one HTTP client with limits, tolerant decoding into the model.
//! - [`fetch`]: the task that keeps what the app demands fresh; [`network`]: the thread it runs on; [`clock`]: its source
//!   of time.
//! - [`app`]: the state, how it changes, and what it demands. No I/O, no clock.
//! - [`view`]: paints the state, with the styles of [`theme`], the characters of [`glyphs`] and the number formats of
//!   [mod@format].
//! - [`keymap`]: one table for the keys, the help, the footer's hints and a section of the README.
//! - [`runtime`]: the event loop; [`terminal`]: sets the terminal up, paints frames, restores it.
//! - [`service`]: serves the interface, with a simulated market or with data of public providers.
//! - [`cli`]: the command line and its printers; [`config`]: file, environment and flags to settings; [`log`];
//!   [`store`]: user data in the state directory; [`snapshot`]: the last responses in the cache directory.
//!
//! Which part may use which is tested in `tests/it/purity.rs`.
//!
//! # The screen
//!
//! Six tabs: three lists of coins by tag ([`app::screen::ListScreen`]), the wallet with the watched coins
//! ([`app::screen::WalletScreen`]), the indexer ([`app::screen::IndexerScreen`]) and the status of every request
//! ([`app::screen::StatusScreen`]). A token's view ([`app::screen::TokenScreen`]) opens above a tab, and one
//! [`app::Overlay`] above everything.

#[cfg(not(unix))]
compile_error!("satscope needs Unix: its event loop uses signals");

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
pub mod runtime;
pub mod service;
pub mod snapshot;
pub mod store;
pub mod terminal;
pub mod theme;
pub mod view;
