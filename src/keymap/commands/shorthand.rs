//! Short forms of keys, contexts and entries for the table of commands.

use crossterm::event::{KeyCode, KeyModifiers};

use super::super::context::Context::{
    self, Alerts, Columns, Compare, Help, Indexer, Links, List, Post, Sources, Status, Token, Wallet,
};
use super::super::key::{Key, Sequence};

pub(super) const fn key(c: char) -> Sequence {
    Sequence::one(Key::plain(KeyCode::Char(c)))
}

pub(super) const fn code(code: KeyCode) -> Sequence {
    Sequence::one(Key::plain(code))
}

pub(super) const fn control(c: char) -> Sequence {
    Sequence::one(Key::control(c))
}

pub(super) const fn with(modifiers: KeyModifiers, code: KeyCode) -> Sequence {
    Sequence::one(Key::with(code, modifiers))
}

pub(super) const fn alt(c: char) -> Sequence {
    with(ALT, KeyCode::Char(c))
}

pub(super) const ALT: KeyModifiers = KeyModifiers::ALT;
pub(super) const CONTROL: KeyModifiers = KeyModifiers::CONTROL;
pub(super) const SHIFT: KeyModifiers = KeyModifiers::SHIFT;
pub(super) const ENTER: &[Sequence] = &[code(KeyCode::Enter)];
pub(super) const ESC: &[Sequence] = &[code(KeyCode::Esc)];

/// An editing command, for text fields.
macro_rules! edit {
    ($name:literal, $request:ident, $keys:expr, $help:literal) => {
        entry($name, Command::Edit(InputRequest::$request), &[], &[at(TYPING, "", $help).by($keys)])
    };
}
pub(super) use edit;

/// A command of all screens.
macro_rules! tab {
    ($name:literal, $tab:expr, $key:literal, $help:literal) => {
        entry($name, Command::Go($tab), &[key($key)], &[at(SCREENS, "", $help)])
    };
}
pub(super) use tab;

/// Contexts with text to read.
pub(super) const READING: &[Context] =
    &[List, Token, Wallet, Indexer, Status, Help, Compare, Post, Links, Sources, Columns, Alerts];

/// Contexts with text to read, without the lists.
pub(super) const READING_ELSEWHERE: &[Context] =
    &[Token, Wallet, Indexer, Status, Help, Compare, Post, Links, Sources, Columns, Alerts];

/// Contexts with text that scrolls by pages.
pub(super) const PAGING: &[Context] =
    &[List, Token, Wallet, Indexer, Status, Help, Post, Links, Sources, Columns, Alerts];
