//! A selection that follows its item, so that a refresh that re-sorts the list never selects another one.

use super::step::Step;
use crate::model::{Identity, Text};

/// The selected item: its identity and its last known row. An item without an identity is selected by its row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    key: Option<Text>,
    index: usize,
    /// The item that was selected until it disappeared. It is selected again if it returns.
    missing: Option<Missing>,
}

/// An item that disappeared while it was selected.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Missing {
    key: Text,
    /// Whether the next item took its row; if it was the last one, the previous item is selected instead.
    is_next_selected: bool,
}

impl Cursor {
    /// Selects the item with this identity as soon as the list has it.
    pub fn on(key: Text) -> Cursor {
        Cursor { key: Some(key), ..Cursor::default() }
    }

    /// The selected item's identity; `None` while the list is empty.
    pub fn key(&self) -> Option<&Text> {
        self.key.as_ref()
    }

    /// Follows the selected item to a new identity.
    pub fn follow(&mut self, key: Text) {
        self.key = Some(key);
    }

    /// The row in the list, counted from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether this item is selected.
    pub fn is_on(&self, item: &impl Identity) -> bool {
        self.key.is_some() && item.identity().as_deref() == self.key.as_deref()
    }

    /// The rows to step so that the selection moves by `by` rows from the item that the user selected, even if that has
    /// disappeared and a neighbour is selected.
    pub fn rows_from_chosen(&self, by: isize) -> isize {
        match &self.missing {
            Some(missing) if missing.is_next_selected && by > 0 => by - 1,
            Some(missing) if !missing.is_next_selected && by < 0 => by + 1,
            _ => by,
        }
    }

    /// Stops waiting for an item that disappeared: the user acts on the selection.
    pub fn forget_missing(&mut self) {
        self.missing = None;
    }

    /// Selects the item at `index`, or the last one if there are fewer.
    pub fn select<'a, T: Identity + 'a>(&mut self, index: usize, len: usize, item_at: impl Fn(usize) -> Option<&'a T>) {
        if len == 0 {
            *self = Cursor::default();
            return;
        }
        self.place(index, len, item_at);
        self.missing = None;
    }

    /// Moves to the item at `index`, or the last one if there are fewer.
    fn place<'a, T: Identity + 'a>(&mut self, index: usize, len: usize, item_at: impl Fn(usize) -> Option<&'a T>) {
        self.index = index.min(len.saturating_sub(1));
        self.key = item_at(self.index).and_then(T::key);
    }

    /// Moves the selection, and stops at the ends.
    pub fn step<'a, T: Identity + 'a>(&mut self, step: Step, len: usize, item_at: impl Fn(usize) -> Option<&'a T>) {
        self.select(step.target(self.index, len.saturating_sub(1)), len, item_at);
    }

    /// Finds the selected item again after the list changed, or selects the item that took its row until it returns.
    pub fn reselect<'a, T: Identity + 'a>(&mut self, len: usize, item_at: impl Fn(usize) -> Option<&'a T>) {
        // The list may be empty only for a moment (a reload, another page), so keep the identity.
        if !self.seek(len, &item_at) && len > 0 {
            // If the neighbour of a missing item disappears too, the item that the user selected counts.
            let key = self.missing.take().map(|missing| missing.key).or_else(|| self.key.take());
            self.missing = key.map(|key| Missing { key, is_next_selected: self.index < len });
            self.place(self.index, len, item_at);
        }
    }

    /// Finds the selected item again after a part of the list changed. If it is missing, keeps waiting for it and
    /// returns `false`.
    pub fn seek<'a, T: Identity + 'a>(&mut self, len: usize, item_at: impl Fn(usize) -> Option<&'a T>) -> bool {
        let has = |index: usize, key: &Text| {
            item_at(index).is_some_and(|item| item.identity().as_deref() == Some(key.as_str()))
        };
        let returned = self.missing.as_ref().and_then(|missing| (0..len).find(|&index| has(index, &missing.key)));
        if let Some(index) = returned {
            self.select(index, len, item_at);
            return true;
        }
        let Some(key) = &self.key else {
            self.place(self.index, len, item_at);
            return true;
        };
        if has(self.index, key) {
            return true;
        }
        let found = (0..len).find(|&index| has(index, key));
        self.index = found.unwrap_or(self.index);
        found.is_some()
    }

    /// Clears the selection; the first item is selected next.
    pub fn reset(&mut self) {
        *self = Cursor::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;

    /// An item; `-` has no identity.
    impl Identity for &str {
        fn identity(&self) -> Option<Cow<'_, str>> {
            (*self != "-").then_some(Cow::Borrowed(*self))
        }
    }

    fn at<'a>(items: &'a [&'a str]) -> impl Fn(usize) -> Option<&'a &'a str> {
        move |i| items.get(i)
    }

    fn place(cursor: &Cursor) -> (Option<&str>, usize) {
        (cursor.key().map(Text::as_str), cursor.index())
    }

    #[test]
    fn selection_follows_its_item_when_the_order_changes() {
        let mut cursor = Cursor::default();
        cursor.select(2, 3, at(&["a", "b", "c"]));
        cursor.reselect(4, at(&["c", "x", "b", "a"]));
        assert_eq!(place(&cursor), (Some("c"), 0));
    }

    #[test]
    fn selection_moves_to_a_neighbour_when_its_item_disappears() {
        let mut cursor = Cursor::default();
        cursor.select(2, 3, at(&["a", "b", "c"]));
        cursor.reselect(2, at(&["a", "b"]));
        assert_eq!(place(&cursor), (Some("b"), 1));
    }

    #[test]
    fn item_that_returns_is_selected_again() {
        let mut cursor = Cursor::default();
        cursor.select(1, 4, at(&["a", "b", "c", "d"]));
        cursor.reselect(3, at(&["a", "c", "d"]));
        assert_eq!(place(&cursor), (Some("c"), 1));
        cursor.reselect(2, at(&["a", "d"]));
        assert_eq!(place(&cursor), (Some("d"), 1), "its neighbour disappears too");
        cursor.reselect(4, at(&["b", "a", "c", "d"]));
        assert_eq!(place(&cursor), (Some("b"), 0));
        cursor.select(3, 4, at(&["b", "a", "c", "d"]));
        cursor.reselect(4, at(&["d", "b", "a", "c"]));
        assert_eq!(place(&cursor), (Some("d"), 0), "it is not missing any more");
    }

    #[test]
    fn selection_that_the_user_moved_stays_when_the_missing_item_returns() {
        let moves: [fn(&mut Cursor); 4] = [
            |cursor| cursor.step(Step::By(1), 2, at(&["a", "c"])),
            |cursor| cursor.step(Step::By(0), 2, at(&["a", "c"])),
            |cursor| cursor.select(1, 2, at(&["a", "c"])),
            Cursor::forget_missing,
        ];
        for (index, act) in moves.iter().enumerate() {
            let mut cursor = Cursor::default();
            cursor.select(1, 3, at(&["a", "b", "c"]));
            cursor.reselect(2, at(&["a", "c"]));
            act(&mut cursor);
            cursor.reselect(3, at(&["a", "b", "c"]));
            assert_eq!(place(&cursor), (Some("c"), 2), "{index}");
        }
    }

    #[test]
    fn rows_are_counted_from_the_item_that_disappeared() {
        for (index, left, next, previous) in [(0, ["b", "c"], 0, -1), (1, ["a", "c"], 0, -1), (2, ["a", "b"], 1, 0)] {
            let mut cursor = Cursor::default();
            cursor.select(index, 3, at(&["a", "b", "c"]));
            assert_eq!((cursor.rows_from_chosen(1), cursor.rows_from_chosen(-1)), (1, -1));
            cursor.reselect(2, at(&left));
            assert_eq!((cursor.rows_from_chosen(1), cursor.rows_from_chosen(-1)), (next, previous), "{index}");
            cursor.forget_missing();
            assert_eq!((cursor.rows_from_chosen(1), cursor.rows_from_chosen(-1)), (1, -1));
        }
    }

    #[test]
    fn item_that_returns_is_selected_again_after_one_without_an_identity() {
        let mut cursor = Cursor::default();
        cursor.select(1, 3, at(&["a", "b", "-"]));
        cursor.reselect(2, at(&["a", "-"]));
        assert_eq!(place(&cursor), (None, 1));
        cursor.reselect(2, at(&["a", "-"]));
        assert_eq!(place(&cursor), (None, 1));
        cursor.reselect(3, at(&["a", "b", "-"]));
        assert_eq!(place(&cursor), (Some("b"), 1));
    }

    #[test]
    fn selection_survives_an_empty_list() {
        let mut cursor = Cursor::default();
        cursor.select(1, 2, at(&["a", "b"]));
        cursor.reselect(0, at(&[]));
        cursor.reselect(3, at(&["x", "a", "b"]));
        assert_eq!(place(&cursor), (Some("b"), 2));
    }

    #[test]
    fn item_without_an_identity_is_selected_by_its_row() {
        let mut cursor = Cursor::default();
        cursor.select(2, 4, at(&["a", "-", "-", "b"]));
        cursor.reselect(4, at(&["-", "a", "-", "b"]));
        assert_eq!(place(&cursor), (None, 2));
        assert!(!cursor.is_on(&"-"));
    }

    #[test]
    fn selection_stops_at_both_ends() {
        let mut cursor = Cursor::default();
        cursor.step(Step::By(-5), 3, at(&["a", "b", "c"]));
        assert_eq!(cursor.index(), 0);
        for end in [Step::By(isize::MAX), Step::Last] {
            cursor.step(end, 3, at(&["a", "b", "c"]));
            assert_eq!(place(&cursor), (Some("c"), 2));
        }
        cursor.step(Step::First, 3, at(&["a", "b", "c"]));
        assert_eq!(place(&cursor), (Some("a"), 0));
    }
}
