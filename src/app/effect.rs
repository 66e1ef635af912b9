//! Side effects that `update` requests from the runtime.

use crate::client::Request;
use crate::model::ProviderName;
use crate::user_data::{Change, SessionEntries, SourceChoices};

/// A side effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Quit the program.
    Quit,
    /// Suspend the program (SIGSTOP) until SIGCONT.
    Suspend,
    /// Redraw the whole screen.
    Redraw,
    /// Fetch these resources now, even if they are fresh.
    Refresh(Vec<Request>),
    /// Fetch these resources now, since the service uses other sources; all other responses are no longer fresh.
    Reload(Vec<Request>),
    /// Copy this text to the clipboard.
    Copy(String),
    /// Ring the terminal's bell.
    Bell,
    /// Notify the user, even if the terminal is not visible.
    Notify {
        /// A short title.
        title: String,
        /// One sentence.
        text: String,
    },
    /// Open this http or https link in the user's browser.
    OpenLink(String),
    /// Save a change to the user data. The store confirms its number with a [`super::Message::Saved`].
    Save(u64, Change),
    /// Save the session without confirmation. It is saved again on exit, and only that reports a failure.
    SaveSession(SessionEntries),
    /// Apply the user's choice of providers. No restart is needed.
    ApplySources(SourceChoices),
    /// Send one request to a provider. [`super::Message::SourceTested`] has the outcome.
    TestSource(ProviderName),
    /// Switch the embedded service to live or simulated data, and start with nothing fetched.
    SwitchSource {
        /// Live data.
        live: bool,
    },
    /// Enable or disable mouse capture.
    CaptureMouse(bool),
}
