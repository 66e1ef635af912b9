//! The two groups of the interface and our own extensions: parameters in, answers out.

pub(super) mod extensions;
pub(super) mod indexer;
pub(super) mod market;
