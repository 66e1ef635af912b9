//! Lists and maps of a limited length: a small item takes much more memory than its text.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Maximum items. The longest real lists have less than a tenth of it.
const MAX: usize = 500_000;

/// A list of a limited length.
#[derive(Debug)]
pub(in crate::service::providers) struct Bounded<T>(pub(in crate::service::providers) Vec<T>);

/// A map of a limited length.
#[derive(Debug)]
pub(in crate::service::providers) struct BoundedMap<T>(pub(in crate::service::providers) BTreeMap<String, T>);

impl<T> Default for Bounded<T> {
    fn default() -> Self {
        Bounded(Vec::new())
    }
}

impl<T> Deref for Bounded<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

struct Items<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Bounded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Items(PhantomData)).map(Bounded)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BoundedMap<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Entries(PhantomData)).map(BoundedMap)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element()? {
            if all.len() == MAX {
                return Err(too_many());
            }
            all.push(item);
        }
        Ok(all)
    }
}

struct Entries<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
    type Value = BTreeMap<String, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<BTreeMap<String, T>, A::Error> {
        let mut all = BTreeMap::new();
        while let Some((key, value)) = entries.next_entry()? {
            if all.len() == MAX {
                return Err(too_many());
            }
            all.insert(key, value);
        }
        Ok(all)
    }
}

fn too_many<E: Error>() -> E {
    E::custom(format_args!("more than {MAX} items"))
}

/// The number of rows of a JSON list, unreadable ones included; `None` if it isn't a list.
pub(in crate::service::providers) fn count_rows(list: &[u8]) -> Option<usize> {
    // Takes no memory.
    serde_json::from_slice::<Vec<IgnoredAny>>(list).ok().map(|rows| rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_is_limited() {
        let list = |len: usize| format!("[{}0]", "0,".repeat(len - 1));
        assert_eq!(serde_json::from_str::<Bounded<u8>>(&list(MAX)).unwrap().len(), MAX);
        let error = serde_json::from_str::<Bounded<u8>>(&list(MAX + 1)).unwrap_err();
        assert!(error.to_string().starts_with("more than 500000 items"), "{error}");
        assert_eq!(count_rows(list(MAX + 1).as_bytes()), Some(MAX + 1));
        let BoundedMap(map) = serde_json::from_str::<BoundedMap<u8>>(r#"{"a":1,"b":2}"#).unwrap();
        assert_eq!(map.len(), 2);
        assert!(serde_json::from_str::<BoundedMap<u8>>("[]").is_err());
    }

    #[test]
    fn unreadable_rows_are_counted() {
        assert_eq!(count_rows(br#"[1e400, {"a":[1]}, null]"#), Some(3));
        assert_eq!((count_rows(b"{}"), count_rows(b"[1"), count_rows(b"")), (None, None, None));
    }
}
