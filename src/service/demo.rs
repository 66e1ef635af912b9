//! The simulated world: pure functions of a seed and the time, no stored state.

pub(crate) mod indexer;
pub(crate) mod market;
pub(crate) mod noise;
pub mod tokens;
