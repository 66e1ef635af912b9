//! Tables of field names, one per resource.

use std::collections::HashMap;
use std::marker::PhantomData;

use super::escape::unescape;
use super::field_name::folded;
use super::tape::Value;

/// The fields of a resource, each with its names, best first. Declared with [`names!`].
pub(super) trait Names: Copy + 'static {
    /// Every field with its names.
    const ALL: &'static [(Self, &'static [&'static str])];

    /// Index of the field in [`Names::ALL`].
    fn index(self) -> usize;

    /// The names of the field, best first.
    fn names(self) -> &'static [&'static str] {
        Self::ALL.get(self.index()).map(|(_, names)| *names).unwrap_or_default()
    }
}

/// Declares a resource's fields with their names: `Price = ["price", "current_price"],`. Case, `_` and `-` are ignored.
/// If an object has several names of a field, the first in this list wins, unless it is `null`.
macro_rules! names {
    ($(#[$attribute:meta])* $vis:vis enum $Name:ident { $($(#[$about:meta])* $Field:ident = [$($name:literal),+ $(,)?],)+ }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug)]
        $vis enum $Name { $($(#[$about])* $Field),+ }

        impl $crate::client::decode::names::Names for $Name {
            const ALL: &'static [(Self, &'static [&'static str])] = &[$(($Name::$Field, &[$($name),+])),+];

            fn index(self) -> usize {
                self as usize
            }
        }
    };
}
pub(super) use names;

/// Finds the fields of a resource in its objects. Remembers the keys of the last object: items of a list usually have
/// the same keys in the same order, so that most keys take a single comparison.
#[derive(Debug)]
pub(super) struct Lookup<N> {
    /// All normalised names.
    slots: HashMap<Vec<u8>, Slot>,
    seen: Vec<(String, Option<Slot>)>,
    found: Vec<Option<(Slot, u32)>>,
    fields: PhantomData<N>,
}

/// A field, the rank of the name (0 is best), and whether the name implies dollars.
#[derive(Clone, Copy, Debug)]
struct Slot {
    field: u16,
    rank: u8,
    in_dollars: bool,
}

/// Maximum remembered keys.
const SEEN: usize = 128;

impl<N: Names> Lookup<N> {
    /// Creates a lookup for this resource.
    pub(super) fn new() -> Lookup<N> {
        let mut slots = HashMap::new();
        for (field, names) in N::ALL {
            for (rank, name) in names.iter().enumerate() {
                let in_dollars = name.split('_').any(|word| word == "usd");
                let slot = Slot { field: field.index() as u16, rank: rank as u8, in_dollars };
                let first = *slots.entry(folded(name).collect()).or_insert(slot);
                debug_assert!(first.field == slot.field, "{name} is a name of two fields");
            }
        }
        Lookup { slots, seen: Vec::new(), found: vec![None; N::ALL.len()], fields: PhantomData }
    }

    /// Finds the fields of an object; other values have none.
    pub(super) fn read<'s, 'a>(&'s mut self, object: Value<'a>) -> Found<'s, 'a, N> {
        self.found.fill(None);
        for (at, (key, value)) in object.fields().enumerate() {
            let slot = match self.seen.get(at) {
                Some((name, slot)) if name == key.raw() => *slot,
                _ => self.remember(at, key.raw()),
            };
            let Some(slot) = slot else { continue };
            if let Some(best) = self.found.get_mut(usize::from(slot.field))
                && !value.is_null()
                && best.is_none_or(|(known, _)| slot.rank <= known.rank)
            {
                *best = Some((slot, value.index()));
            }
        }
        Found { found: &self.found, object, fields: PhantomData }
    }

    fn remember(&mut self, at: usize, key: &str) -> Option<Slot> {
        let name: Vec<u8> = if key.contains('\\') { folded(&unescape(key)).collect() } else { folded(key).collect() };
        let slot = self.slots.get(&name).copied();
        if let Some(seen) = self.seen.get_mut(at) {
            seen.0.clear();
            seen.0.push_str(key);
            seen.1 = slot;
        } else if at < SEEN {
            self.seen.push((key.to_owned(), slot));
        }
        slot
    }
}

/// The fields of one object.
#[derive(Debug)]
pub(super) struct Found<'s, 'a, N> {
    found: &'s [Option<(Slot, u32)>],
    object: Value<'a>,
    fields: PhantomData<N>,
}

impl<'a, N: Names> Found<'_, 'a, N> {
    /// A field's value; `None` if absent or `null`.
    #[inline]
    pub(super) fn get(&self, field: N) -> Option<Value<'a>> {
        let (_, index) = self.found.get(field.index()).copied().flatten()?;
        Some(self.object.at(index))
    }

    /// Whether the matched name implies dollars, such as `volume_usd`.
    #[inline]
    pub(super) fn is_in_dollars(&self, field: N) -> bool {
        self.found.get(field.index()).copied().flatten().is_some_and(|(slot, _)| slot.in_dollars)
    }

    /// Whether the matched name is the field's first.
    pub(super) fn is_first_name(&self, field: N) -> bool {
        self.found.get(field.index()).copied().flatten().is_some_and(|(slot, _)| slot.rank == 0)
    }

    /// The matched name, as the resource spells it.
    pub(super) fn name(&self, field: N) -> Option<&'static str> {
        let (slot, _) = self.found.get(field.index()).copied().flatten()?;
        field.names().get(usize::from(slot.rank)).copied()
    }

    /// The object.
    pub(super) fn object(&self) -> Value<'a> {
        self.object
    }

    /// Whether no field was found.
    pub(super) fn is_empty(&self) -> bool {
        self.found.iter().all(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tape::{Document, Tape};
    use super::*;

    names! {
        enum Field {
            Price = ["price", "current_price"],
            Tags = ["tag-names", "tags"],
        }
    }

    #[test]
    fn first_name_with_value_wins_in_any_spelling() {
        let document = Document::parse(
            r#"[{"currentPrice":1,"price":2,"TAGS":3},{"currentPrice":4,"price":null,"tag_names":5},{"Current-Price":6},{}]"#,
            8,
        )
        .unwrap();
        let mut lookup = Lookup::<Field>::new();
        let mut tape = Tape::default();
        let read: Vec<_> = document
            .root()
            .items()
            .map(|item| {
                let found = lookup.read(tape.expand(item).unwrap());
                let raw = |field| found.get(field).map(|value| value.raw().to_owned());
                (raw(Field::Price), raw(Field::Tags))
            })
            .collect();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read, [(some("2"), some("3")), (some("4"), some("5")), (some("6"), None), (None, None)]);
    }

    #[test]
    fn remembered_keys_are_bounded() {
        let fields = |count: usize| (0..count).map(|at| format!("\"k{at}\":1")).collect::<Vec<_>>().join(",");
        let text = format!(r#"[{{{},"price":2}},{{"price":3}}]"#, fields(SEEN + 9));
        let document = Document::parse(&text, 8).unwrap();
        let mut lookup = Lookup::<Field>::new();
        let mut tape = Tape::default();
        let prices: Vec<_> = document
            .root()
            .items()
            .map(|item| lookup.read(tape.expand(item).unwrap()).get(Field::Price).map(|price| price.raw().to_owned()))
            .collect();
        assert_eq!((prices, lookup.seen.len()), (vec![Some("2".to_owned()), Some("3".to_owned())], SEEN));
    }
}
