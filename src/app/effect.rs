//! What `update` asks the runtime to do.

use crate::client::Request;

use super::user_data::Change;

/// A deed outside of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Leave the program.
    Quit,
    /// Give the terminal back and stop until continued.
    Suspend,
    /// Paint everything anew.
    Redraw,
    /// Fetch these now although they are fresh.
    Refresh(Vec<Request>),
    /// Put this on the clipboard.
    Copy(String),
    /// Open this http or https link in the user's browser.
    OpenLink(String),
    /// Save a change to the user data. The store confirms its number with a [`super::Message::Saved`].
    Save(u64, Change),
    /// Take the mouse or give it back.
    CaptureMouse(bool),
}
