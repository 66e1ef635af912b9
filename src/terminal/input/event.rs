//! Events of the input.

use crossterm::event::KeyEvent;

/// User input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A pressed key.
    Key(KeyEvent),
    /// Pasted text (bracketed paste).
    Paste(String),
    /// A press of the left mouse button; zero-based column and row.
    Click(u16, u16),
    /// One notch of the wheel up; zero-based column and row.
    WheelUp(u16, u16),
    /// One notch of the wheel down; zero-based column and row.
    WheelDown(u16, u16),
}
