//! Parts of several responses.

use serde::{Serialize, Serializer};

use crate::model::{CoinId, Currency};

/// A map with the requested currency.
pub(super) struct ByCurrency<'a, T>(pub(super) &'a Currency, pub(super) T);

impl<T: Serialize> Serialize for ByCurrency<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(self.0.as_str(), &self.1)])
    }
}

/// An id: a number if possible, otherwise a string.
pub(super) struct Id<'a>(pub(super) &'a str);

impl Serialize for Id<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<u32>() {
            Ok(number) if number.to_string() == self.0 => serializer.serialize_u32(number),
            _ => serializer.serialize_str(self.0),
        }
    }
}

impl<'a> From<&'a CoinId> for Id<'a> {
    fn from(id: &'a CoinId) -> Id<'a> {
        Id(&id.0)
    }
}
