//! satscope: a terminal dashboard for token markets, BRC-20 and satoshi ordinals.

pub mod app;
pub mod cli;
pub mod client;
pub mod clock;
pub mod config;
pub mod fetch;
pub mod format;
pub mod keymap;
pub mod log;
pub mod model;
pub mod network;
pub mod runtime;
pub mod service;
pub mod terminal;
pub mod theme;
pub mod view;
pub mod watchlist;
