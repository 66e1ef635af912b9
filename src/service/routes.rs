//! Routes of both groups and our own extensions: parse parameters, call the provider, serialise the response.

pub(super) mod extensions;
pub(super) mod indexer;
pub(super) mod market;
