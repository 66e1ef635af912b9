//! The JSON of the service's answers: one place for the shapes, made from the model.

pub(super) mod indexer;
pub(super) mod market;
