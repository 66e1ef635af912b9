//! JSON formats of the responses, converted from the model.

pub(super) mod extensions;
pub(super) mod indexer;
pub(super) mod market;
