//! Short lists of short texts, each list in one piece of memory: a coin's tags, links and contracts.
//!
//! Thousands of coins are kept all day, and their lists are read only when one of them is opened. As lists of owned
//! texts they would take three times as much, in a dozen allocations a coin.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Text;

/// Ends an entry (ASCII's own record separator; text that passed [`super::text::clean`] has no control characters).
const RECORD: u8 = 0x1e;

/// Stands before an entry's second text (ASCII's unit separator).
const UNIT: u8 = 0x1f;

/// What a [`Packed`] list can hold: an entry of one text, or of two.
pub trait Entry: Sized {
    /// The entry's texts.
    fn texts(&self) -> (&str, Option<&str>);

    /// The entry of these texts.
    fn from_texts(first: &str, second: Option<&str>) -> Self;
}

impl Entry for Text {
    fn texts(&self) -> (&str, Option<&str>) {
        (self, None)
    }

    fn from_texts(first: &str, _: Option<&str>) -> Text {
        Text::from(first)
    }
}

/// A list that is made once and read seldom.
pub struct Packed<T> {
    text: Box<str>,
    entries: PhantomData<fn() -> T>,
}

impl<T: Entry> Packed<T> {
    /// The list of these entries. A control character in one of them becomes a space.
    pub fn new(entries: &[T]) -> Packed<T> {
        let texts = || entries.iter().map(Entry::texts);
        let length = texts().map(|(first, second)| first.len() + second.map_or(0, |text| text.len() + 1) + 1).sum();
        let mut text = String::with_capacity(length);
        for (first, second) in texts() {
            push(&mut text, first);
            if let Some(second) = second {
                text.push(char::from(UNIT));
                push(&mut text, second);
            }
            text.push(char::from(RECORD));
        }
        Packed { text: text.into_boxed_str(), entries: PhantomData }
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The entries, each made anew.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        self.text.split_terminator(char::from(RECORD)).map(|entry| match entry.split_once(char::from(UNIT)) {
            Some((first, second)) => T::from_texts(first, Some(second)),
            None => T::from_texts(entry, None),
        })
    }

    /// The entries as a list of their own.
    pub fn to_vec(&self) -> Vec<T> {
        self.iter().collect()
    }
}

fn push(to: &mut String, text: &str) {
    if memchr::memchr2(RECORD, UNIT, text.as_bytes()).is_none() {
        to.push_str(text);
    } else {
        to.push_str(&text.replace([char::from(RECORD), char::from(UNIT)], " "));
    }
}

impl<T: Entry> FromIterator<T> for Packed<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Packed<T> {
        Packed::new(&entries.into_iter().collect::<Vec<T>>())
    }
}

impl<T> Default for Packed<T> {
    fn default() -> Packed<T> {
        Packed { text: Box::default(), entries: PhantomData }
    }
}

impl<T> Clone for Packed<T> {
    fn clone(&self) -> Packed<T> {
        Packed { text: self.text.clone(), entries: PhantomData }
    }
}

impl<T> PartialEq for Packed<T> {
    fn eq(&self, other: &Packed<T>) -> bool {
        self.text == other.text
    }
}

impl<T: Entry + fmt::Debug> fmt::Debug for Packed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Entry + Serialize> Serialize for Packed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_vec().serialize(serializer)
    }
}

impl<'de, T: Entry + Deserialize<'de>> Deserialize<'de> for Packed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Packed<T>, D::Error> {
        Vec::deserialize(deserializer).map(|entries| Packed::new(&entries))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{Contract, Link};

    proptest! {
        #[test]
        fn what_was_packed_comes_back(
            tags in prop::collection::vec("[^\u{1e}\u{1f}]{0,40}", 0..6),
            pairs in prop::collection::vec(("[^\u{1e}\u{1f}]{0,9}", prop::option::of("[^\u{1e}\u{1f}]{0,60}")), 0..6),
        ) {
            let tags: Vec<Text> = tags.into_iter().map(Text::from).collect();
            prop_assert_eq!(Packed::new(&tags).to_vec(), tags);
            let contracts: Vec<Contract> = pairs
                .iter()
                .map(|(address, platform)| Contract { platform: platform.as_ref().map(Text::from), address: address.into() })
                .collect();
            prop_assert_eq!(Packed::new(&contracts).to_vec(), contracts);
            let links: Vec<Link> = pairs
                .into_iter()
                .map(|(kind, url)| Link { kind: kind.into(), url: url.unwrap_or_default() })
                .collect();
            let packed = Packed::new(&links);
            prop_assert_eq!(packed.is_empty(), links.is_empty());
            prop_assert_eq!(packed.to_vec(), links);
        }
    }

    #[test]
    fn lists_are_equal_by_their_entries() {
        let packed = |texts: &[&str]| texts.iter().map(|text| Text::from(*text)).collect::<Packed<Text>>();
        assert_eq!(packed(&["a", "b"]), packed(&["a", "b"]));
        assert_ne!(packed(&["a", "b"]), packed(&["ab"]));
        assert_ne!(packed(&["a"]), packed(&[]));
    }

    #[test]
    fn what_parts_the_entries_cannot_be_smuggled_in() {
        let tags = Packed::new(&[Text::from("a\u{1e}b\u{1f}c"), Text::from("d")]);
        assert_eq!(tags.to_vec(), ["a b c", "d"]);
    }
}
