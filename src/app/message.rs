//! What the state can be told.

use crossterm::event::KeyEvent;

use crate::fetch::Event;
use crate::keymap::{Command, Tab};

use super::state::Panel;
use super::store::Kept;
use super::user_data::UserData;

/// Something that happened. It comes with the time at which it did.
#[derive(Clone, Debug)]
pub enum Message {
    /// A pressed key.
    Key(KeyEvent),
    /// The user wants something.
    Command(Command),
    /// Pasted text.
    Paste(String),
    /// A click on something.
    Click(Target),
    /// The wheel was turned over the screen: rows, negative up.
    Wheel(isize),
    /// The terminal's size in cells: columns, rows.
    Resize(u16, u16),
    /// Something happened to a request.
    Fetch(Event),
    /// What an earlier run had seen last.
    Restored(Vec<Kept>),
    /// A deadline that the state named has come, or time should be looked at again.
    Tick,
    /// The user data as read from the store: at the start, and after another process changed them.
    Loaded(Box<UserData>),
    /// The store saved the change of this number; an error is one sentence.
    Saved(u64, Result<(), String>),
    /// No browser could be started for this link.
    LinkNotOpened(String),
    /// An effect could not be carried out; one sentence.
    EffectFailed(String),
    /// An effect was carried out and the user should know; a few words.
    Notice(String),
}

/// What the mouse can hit. The view knows where it painted which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A tab's title.
    Tab(Tab),
    /// A row of the list on the screen, or of a panel, counted from 0 in the whole list.
    Row(Option<Panel>, usize),
    /// The heading of a column, counted as the screen's table counts them.
    Heading(Option<Panel>, usize),
    /// A panel.
    Panel(Panel),
    /// A period of the chart.
    Period(crate::model::Period),
    /// A column of the chart: its place among the chart's columns and how many there are.
    ChartColumn(u16, u16),
    /// An item of the open menu.
    MenuItem(usize),
    /// A row of the overlay.
    Choice(usize),
}
