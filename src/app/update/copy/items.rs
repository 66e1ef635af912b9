//! Fills the copy menu.

use std::borrow::Cow;
use std::fmt::Display;

use crate::app::menu::{Menu, MenuAction};

/// Adds text to the copy menu.
pub(crate) struct Items<'a>(&'a mut Menu);

impl<'a> Items<'a> {
    /// Adds to this menu.
    pub(in crate::app::update) fn new(menu: &'a mut Menu) -> Items<'a> {
        Items(menu)
    }

    /// Adds text, unless it is empty or an earlier item has the key.
    pub(in crate::app::update) fn add(&mut self, key: char, label: &'static str, text: impl Display) {
        self.push(key, label.into(), text, "");
    }

    /// Adds text, if there is any.
    pub(in crate::app::update) fn maybe(&mut self, key: char, label: &'static str, text: Option<impl Display>) {
        text.into_iter().for_each(|text| self.add(key, label, text));
    }

    /// Adds a price, if there is any, with a note for the message after copying it, which may be empty.
    pub(in crate::app::update) fn price(&mut self, price: Option<f64>, note: &str) {
        price.into_iter().for_each(|price| self.push('p', "price".into(), price, note));
    }

    /// Adds the row as text: its known cells, separated by tabs.
    pub(in crate::app::update) fn row(&mut self, cells: &[Option<String>]) {
        self.row_with_note(cells, "");
    }

    /// [`Items::row`], with a note for the message after copying it, which may be empty.
    pub(in crate::app::update) fn row_with_note(&mut self, cells: &[Option<String>], note: &str) {
        let known: Vec<&str> = cells.iter().flatten().map(String::as_str).collect();
        self.push('r', "row".into(), known.join("\t"), note);
    }

    pub(in crate::app::update) fn add_labelled(&mut self, key: char, label: String, text: impl Display) {
        self.push(key, label.into(), text, "");
    }

    fn push(&mut self, key: char, label: Cow<'static, str>, text: impl Display, note: &str) {
        let text = text.to_string();
        if !text.is_empty() {
            self.0.add(key, label, MenuAction::Copy { text, note: note.to_owned() });
        }
    }
}
