//! Which place of the key map is active.

use crate::keymap::{Keymap, Place, Tab};

use super::overlay::Overlay;
use super::state::State;

impl State {
    /// The key map.
    pub fn keys(&self) -> &Keymap {
        &self.preferences.keys
    }

    /// The place whose key bindings apply now.
    pub fn place(&self) -> Place {
        if self.menu.is_some() {
            return Place::Menu;
        }
        match &self.overlay {
            Some(Overlay::Help { .. }) => Place::Help,
            Some(Overlay::Post { .. }) => Place::Post,
            Some(Overlay::Links { .. }) => Place::Links,
            Some(Overlay::Currency { .. } | Overlay::Lookup { .. }) => Place::Choice,
            None if self.is_line_edited() => Place::Line,
            None => self.screen(),
        }
    }

    /// The place of the screen itself, below any menu or dialog.
    pub fn screen(&self) -> Place {
        match (&self.token, self.tab) {
            (Some(_), _) => Place::Token,
            (None, Tab::List(_)) => Place::List,
            (None, Tab::Wallet) => Place::Wallet,
            (None, Tab::Indexer) => Place::Indexer,
            (None, Tab::Status) => Place::Status,
        }
    }

    fn is_line_edited(&self) -> bool {
        match (&self.token, self.tab) {
            (None, Tab::List(tag)) => self.list(tag).searching,
            (None, Tab::Indexer) => self.indexer.filtering,
            _ => false,
        }
    }
}
