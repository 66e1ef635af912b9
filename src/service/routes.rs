//! The two groups of the interface: parameters in, answers out.

pub(super) mod indexer;
pub(super) mod market;
