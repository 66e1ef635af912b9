//! Parts of several responses.

use serde::{Serialize, Serializer};

use crate::model::UtcTime;

/// A time in milliseconds since the epoch.
pub(super) struct Millis(pub(super) UtcTime);

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0.millis())
    }
}

/// A number written as a string.
pub(super) struct Digits(pub(super) u64);

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}
