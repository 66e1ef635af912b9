//! Short forms of keys, contexts and entries for the table of commands.

use crossterm::event::{KeyCode, KeyModifiers};

use super::super::context::Context::{self, Alerts, Columns, Compare, Help, Links, List, Post, Sources};
use super::super::context::SCREENS;
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

/// Dialogs with text to read.
const READING_DIALOGS: &[Context] = &[Help, Compare, Post, Links, Sources, Columns, Alerts];

/// Contexts with text to read.
pub(super) const READING: &[Context] = &joined::<{ SCREENS.len() + READING_DIALOGS.len() }>(SCREENS, READING_DIALOGS);

/// Contexts with text to read, without the lists.
pub(super) const READING_ELSEWHERE: &[Context] = &without::<{ READING.len() - 1 }>(READING, List);

/// Contexts with text that scrolls by pages.
pub(super) const PAGING: &[Context] = &without::<{ READING.len() - 1 }>(READING, Compare);

/// Joins two lists of contexts.
const fn joined<const N: usize>(first: &[Context], second: &[Context]) -> [Context; N] {
    let mut all = [List; N];
    let mut index = 0;
    while index < N {
        all[index] = if index < first.len() { first[index] } else { second[index - first.len()] };
        index += 1;
    }
    all
}

/// The contexts without one of them. Doesn't compile if it is not among them.
const fn without<const N: usize>(contexts: &[Context], left_out: Context) -> [Context; N] {
    let mut others = [left_out; N];
    let (mut index, mut count) = (0, 0);
    while index < contexts.len() {
        if contexts[index] as u8 != left_out as u8 {
            others[count] = contexts[index];
            count += 1;
        }
        index += 1;
    }
    others
}
