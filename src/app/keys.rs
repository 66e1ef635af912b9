//! The active context of the key map.

use crate::keymap::{Context, Keymap};

use super::state::State;

impl State {
    /// The key map.
    pub fn keys(&self) -> &Keymap {
        &self.preferences.keys
    }

    /// The context whose key bindings apply now.
    pub fn context(&self) -> Context {
        if self.menu.is_some() {
            return Context::Menu;
        }
        match self.open_dialog() {
            Some(dialog) => dialog.context(self),
            None if self.open_screen().is_typing(self) => Context::Line,
            None => self.screen_context(),
        }
    }
}
