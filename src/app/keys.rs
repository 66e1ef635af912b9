//! Which place of the key map is active.

use crate::keymap::{Keymap, Place};

use super::overlay::Overlay;
use super::state::State;

impl State {
    /// The key map.
    pub fn keys(&self) -> &Keymap {
        &self.preferences.keys
    }

    /// The place whose key bindings apply now.
    pub fn place(&self) -> Place {
        if self.menu.is_some() {
            return Place::Menu;
        }
        match &self.overlay {
            Some(Overlay::Help { .. }) => Place::Help,
            Some(Overlay::Post { .. }) => Place::Post,
            Some(Overlay::Image { .. }) => Place::Image,
            Some(Overlay::Compare) => Place::Compare,
            Some(Overlay::Links { .. }) => Place::Links,
            Some(Overlay::Sources { .. }) => Place::Sources,
            Some(Overlay::Columns { .. }) => Place::Columns,
            Some(Overlay::AddressNotice { .. }) => Place::Confirm,
            Some(Overlay::Alerts(dialog)) if dialog.line.is_none() => Place::Alerts,
            Some(
                Overlay::Alerts(_)
                | Overlay::Currency { .. }
                | Overlay::Filter { .. }
                | Overlay::Lot { .. }
                | Overlay::Address { .. }
                | Overlay::Note { .. },
            ) => Place::Choice,
            Some(Overlay::Palette(..)) => Place::Palette,
            None if self.open_screen().is_typing(self) => Place::Line,
            None => self.screen(),
        }
    }
}
