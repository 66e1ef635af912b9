//! satscope: a terminal dashboard for token markets, BRC-20 and satoshi ordinals.

pub mod client;
pub mod clock;
pub mod fetch;
pub mod model;
