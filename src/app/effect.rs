//! What `update` asks the runtime to do.

use crate::client::Request;

use super::watch::Watched;

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
    /// Remember that a coin is watched (`true`) or is not any more.
    Watch(Watched, bool),
    /// Take the mouse or give it back.
    CaptureMouse(bool),
}
