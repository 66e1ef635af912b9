//! The notice before the first address is sent to a public provider.

use crate::app::effect::Effect;
use crate::app::find::lookup::Subject;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::{Command, Context};
use crate::model::Text;
use crate::user_data::{Change, Notice};

use super::dialog::Dialog;
use super::indexer;
use super::user::save;

/// The notice, which the user confirms.
pub(super) struct AddressNoticeDialog;

impl Dialog for AddressNoticeDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Confirm
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if command == Command::Open
            && let Some(Overlay::AddressNotice { address }) = state.overlay.take()
        {
            confirm(state, address, effects);
        }
    }

    fn step(&self, _state: &mut State, _step: Step) {}
}

/// Looks up the address of the notice, and remembers that the user has confirmed it. The addresses of the wallet are
/// then looked up too.
fn confirm(state: &mut State, address: Option<Text>, effects: &mut Vec<Effect>) {
    save(state, Change::Shown(Notice::AddressLookup), effects);
    if !state.preferences.balance_receivers.is_empty() {
        save(state, Change::Shown(Notice::BalanceLookup), effects);
    }
    if let Some(address) = address {
        indexer::show(state, Subject::Address(address));
    }
}

/// Looks up the address that waits for a confirmation, if the loaded user data shows that none is needed: it arrives
/// after the first frame, and the user may have confirmed in another instance.
pub(super) fn look_up_confirmed(state: &mut State) {
    if state.unconfirmed_address_receivers().is_empty()
        && let Some(Overlay::AddressNotice { address }) = &state.overlay
    {
        let subject = address.clone().map(Subject::Address);
        state.overlay = None;
        if let Some(subject) = subject {
            indexer::show(state, subject);
        }
    }
}
