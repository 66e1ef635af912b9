//! satscope: a terminal dashboard for token markets, BRC-20 and satoshi ordinals, kept open all day.
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
//! - [`model`]: what the rest speaks: coins, posts, market pairs, charts, BRC-20 tokens, sats, inscriptions.
//! - [`client`]: typed requests, one HTTP client with limits, tolerant decoding into the model.
//! - [`fetch`]: the task that keeps fresh what is on the screen; [`network`] is the thread that it runs on, [`clock`]
//!   where its time comes from.
//! - [`app`]: the state, how it changes, what it wants to see. No I/O, no clock.
//! - [`view`]: paints the state, in the styles of [`theme`], the characters of [`glyphs`] and the number forms of
//!   [mod@format].
//! - [`keymap`]: one table is the keys, the help, the footer's hints and a section of the README.
//! - [`runtime`]: the loop; [`terminal`]: taking the terminal, painting frames, giving it back.
//! - [`service`]: the interface from the other side, with a simulated market.
//! - [`cli`]: the command line and its printers; [`config`]: file, environment and flags to settings; [`log`];
//!   [`store`]: what the user keeps, in the state directory; [`snapshot`]: what was last seen, in the cache directory.
//!
//! # The screen
//!
//! Six tabs: three lists of coins by tag ([`app::screen::ListScreen`]), the wallet with the watched coins
//! ([`app::screen::WalletScreen`]), the indexer ([`app::screen::IndexerScreen`]) and the status of everything asked for
//! ([`app::screen::StatusScreen`]). A token's view ([`app::screen::TokenScreen`]) opens above a tab; one
//! [`app::Overlay`] can lie on top of all.

#[cfg(not(unix))]
compile_error!("satscope needs a Unix: its loop lives by the terminal's signals");

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
