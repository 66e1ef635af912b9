//! Which place of the key map is active.

use crate::keymap::{Context, Keymap};

use super::overlay::Overlay;
use super::state::State;

impl State {
    /// The key map.
    pub fn keys(&self) -> &Keymap {
        &self.preferences.keys
    }

    /// The place whose key bindings apply now.
    pub fn context(&self) -> Context {
        if self.menu.is_some() {
            return Context::Menu;
        }
        match &self.overlay {
            Some(Overlay::Help { .. }) => Context::Help,
            Some(Overlay::Post { .. }) => Context::Post,
            Some(Overlay::Image { .. }) => Context::Image,
            Some(Overlay::Compare) => Context::Compare,
            Some(Overlay::Links { .. }) => Context::Links,
            Some(Overlay::Sources { .. }) => Context::Sources,
            Some(Overlay::Columns { .. }) => Context::Columns,
            Some(Overlay::AddressNotice { .. }) => Context::Confirm,
            Some(Overlay::Alerts(dialog)) if dialog.line.is_none() => Context::Alerts,
            Some(
                Overlay::Alerts(_)
                | Overlay::Currency { .. }
                | Overlay::Filter { .. }
                | Overlay::Lot { .. }
                | Overlay::Address { .. }
                | Overlay::Note { .. },
            ) => Context::Choice,
            Some(Overlay::Palette(..)) => Context::Palette,
            None if self.open_screen().is_typing(self) => Context::Line,
            None => self.screen(),
        }
    }
}
