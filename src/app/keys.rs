//! Where the keys go, and what their meanings are to the state.

use crate::keymap::{Meaning, Place, Tab};

use super::message::Message;
use super::overlay::Overlay;
use super::state::State;

impl State {
    /// Where the keys go now.
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

    /// The screen below whatever lies on top.
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

impl From<Meaning> for Message {
    fn from(meaning: Meaning) -> Message {
        match meaning {
            Meaning::Command(command) => Message::Command(command),
            Meaning::Edit(request) => Message::Edit(request),
        }
    }
}
