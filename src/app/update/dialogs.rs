//! Which dialog is open, and the commands that are the same in all dialogs.

use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::Command;

use super::address::AddressDialog;
use super::address_notice::AddressNoticeDialog;
use super::alerts_dialog::AlertsListDialog;
use super::columns::ColumnsDialog;
use super::compare::CompareDialog;
use super::currency::CurrencyDialog;
use super::dialog::Dialog;
use super::filter::FilterDialog;
use super::help::HelpDialog;
use super::image::ImageDialog;
use super::links::LinksDialog;
use super::lot::LotDialog;
use super::note::NoteDialog;
use super::palette::PaletteDialog;
use super::post::PostDialog;
use super::refresh;
use super::sources::SourcesDialog;

/// Rows of a page.
const PAGE: isize = 10;

impl State {
    /// The open dialog.
    pub(crate) fn open_dialog(&self) -> Option<&'static dyn Dialog> {
        Some(match self.overlay.as_ref()? {
            Overlay::Help { .. } => &HelpDialog,
            Overlay::Compare => &CompareDialog,
            Overlay::Post { .. } => &PostDialog,
            Overlay::Image { .. } => &ImageDialog,
            Overlay::Links { .. } => &LinksDialog,
            Overlay::Sources { .. } => &SourcesDialog,
            Overlay::Currency { .. } => &CurrencyDialog,
            Overlay::AddressNotice { .. } => &AddressNoticeDialog,
            Overlay::Address { .. } => &AddressDialog,
            Overlay::Note { .. } => &NoteDialog,
            Overlay::Lot { .. } => &LotDialog,
            Overlay::Columns { .. } => &ColumnsDialog,
            Overlay::Filter { .. } => &FilterDialog,
            Overlay::Palette(..) => &PaletteDialog,
            Overlay::Alerts(_) => &AlertsListDialog,
        })
    }
}

/// Runs a command of the open dialog.
pub(super) fn run(state: &mut State, dialog: &dyn Dialog, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Up => dialog.step(state, Step::By(-1)),
        Command::Down => dialog.step(state, Step::By(1)),
        Command::PageUp => dialog.step(state, Step::By(-PAGE)),
        Command::PageDown => dialog.step(state, Step::By(PAGE)),
        Command::First => dialog.step(state, Step::First),
        Command::Last => dialog.step(state, Step::Last),
        Command::Refresh => refresh::run(state, effects),
        Command::Back => dialog.back(state, effects),
        Command::Close => dialog.close(state, effects),
        _ => dialog.run(state, command, effects),
    }
}
