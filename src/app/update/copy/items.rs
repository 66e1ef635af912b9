//! Fills the menu of what can be copied.

use std::borrow::Cow;
use std::fmt::Display;

use crate::app::menu::{Menu, MenuAction};

/// Adds what can be copied to a menu.
pub(super) struct Items<'a>(&'a mut Menu);

impl<'a> Items<'a> {
    /// The items of this menu.
    pub(super) fn new(menu: &'a mut Menu) -> Items<'a> {
        Items(menu)
    }

    /// A text. What is empty is left out, and so is what has the key of an earlier item.
    pub(super) fn add(&mut self, key: char, label: &'static str, text: impl Display) {
        self.push(key, label.into(), text);
    }

    /// A text, if there is one.
    pub(super) fn maybe(&mut self, key: char, label: &'static str, text: Option<impl Display>) {
        text.into_iter().for_each(|text| self.add(key, label, text));
    }

    /// The row as text: what is known of its cells, tabs between them.
    pub(super) fn row(&mut self, cells: &[Option<String>]) {
        let known: Vec<&str> = cells.iter().flatten().map(String::as_str).collect();
        self.add('r', "row", known.join("\t"));
    }

    pub(super) fn label(&mut self, key: char, label: String, text: impl Display) {
        self.push(key, label.into(), text);
    }

    fn push(&mut self, key: char, label: Cow<'static, str>, text: impl Display) {
        let text = text.to_string();
        if !text.is_empty() {
            self.0.add(key, label, MenuAction::Copy(text));
        }
    }
}
