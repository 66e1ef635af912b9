//! A selection in a list that is kept by identity, so that a refresh that re-sorts never moves it to another item.

/// The selected item: its key, and where it last stood (where to go if it vanishes).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cursor<K> {
    key: Option<K>,
    index: usize,
}

impl<K> Default for Cursor<K> {
    fn default() -> Self {
        Cursor { key: None, index: 0 }
    }
}

impl<K: PartialEq + Clone> Cursor<K> {
    /// Selects an item of a list that is still to come.
    pub fn at(key: K) -> Cursor<K> {
        Cursor { key: Some(key), index: 0 }
    }

    /// The selected item's key; `None` while the list is empty.
    pub fn key(&self) -> Option<&K> {
        self.key.as_ref()
    }

    /// Its place in the list, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Selects the item at `index`, or the last one before it.
    pub fn select(&mut self, index: usize, len: usize, key_at: impl Fn(usize) -> Option<K>) {
        if len == 0 {
            *self = Cursor::default();
            return;
        }
        self.index = index.min(len - 1);
        self.key = key_at(self.index);
    }

    /// Moves by `rows` (negative: up), stopping at the ends.
    pub fn step(&mut self, rows: isize, len: usize, key_at: impl Fn(usize) -> Option<K>) {
        self.select(self.index.saturating_add_signed(rows), len, key_at);
    }

    /// After the list changed: finds the item again; where it is gone, takes the one that stands in its place.
    pub fn settle(&mut self, len: usize, key_at: impl Fn(usize) -> Option<K>) {
        // An empty list may be on its way back (a reload, another page), so the key is kept for it.
        if !self.seek(len, &key_at) && len > 0 {
            self.select(self.index, len, key_at);
        }
    }

    /// After a part of the list changed: finds the item again, and stays with it where it is not there. `false` then.
    pub fn seek(&mut self, len: usize, key_at: impl Fn(usize) -> Option<K>) -> bool {
        let Some(key) = &self.key else {
            self.select(self.index, len, key_at);
            return true;
        };
        let here = |index: usize| key_at(index).as_ref() == Some(key);
        if here(self.index) {
            return true;
        }
        let found = (0..len).find(|&index| here(index));
        self.index = found.unwrap_or(self.index);
        found.is_some()
    }

    /// Forgets the selection: the first item is next.
    pub fn reset(&mut self) {
        *self = Cursor::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at<'a>(items: &'a [&'a str]) -> impl Fn(usize) -> Option<&'a str> {
        move |i| items.get(i).copied()
    }

    #[test]
    fn follows_its_item_through_a_new_order() {
        let mut cursor = Cursor::default();
        cursor.select(2, 3, at(&["a", "b", "c"]));
        cursor.settle(4, at(&["c", "x", "b", "a"]));
        assert_eq!((cursor.key(), cursor.index()), (Some(&"c"), 0));
    }

    #[test]
    fn takes_the_neighbour_of_a_vanished_item() {
        let mut cursor = Cursor::default();
        cursor.select(2, 3, at(&["a", "b", "c"]));
        cursor.settle(2, at(&["a", "b"]));
        assert_eq!((cursor.key(), cursor.index()), (Some(&"b"), 1));
    }

    #[test]
    fn survives_an_empty_moment() {
        let mut cursor = Cursor::default();
        cursor.select(1, 2, at(&["a", "b"]));
        cursor.settle(0, at(&[]));
        cursor.settle(3, at(&["x", "a", "b"]));
        assert_eq!((cursor.key(), cursor.index()), (Some(&"b"), 2));
    }

    #[test]
    fn stops_at_both_ends() {
        let mut cursor = Cursor::default();
        cursor.step(-5, 3, at(&["a", "b", "c"]));
        assert_eq!(cursor.index(), 0);
        cursor.step(isize::MAX, 3, at(&["a", "b", "c"]));
        assert_eq!(cursor.key(), Some(&"c"));
    }
}
