//! JSON to model: total, tolerant, one file a resource.
