//! The dialogs that can cover a screen.

mod alerts;
pub mod layout;
pub mod reader;

use tui_input::Input;

use super::screen::list::CoinColumn;
use crate::app::coins::filter::TagCompletion;
use crate::app::find::palette::Palette;
use crate::app::wallet::typed_lot::TypedLot;
use crate::keymap::Context;
use crate::model::{Currency, Link, Tag, Text};
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{AlertId, Change, Edit, Lot, LotId, Note, UserData, WalletAddress};

pub use alerts::{AlertsDialog, ListedAlerts};

/// An open dialog. Only the top one is open.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys of the screen or dialog below.
    Help {
        /// First line shown.
        scroll: usize,
        /// Where these keys work.
        place: Context,
        /// The dialog below, which appears again.
        below: Option<Box<Overlay>>,
    },
    /// The comparison of coins.
    Compare,
    /// A post's full text.
    Post {
        /// The post.
        id: Text,
        /// First line shown.
        scroll: usize,
    },
    /// An image.
    Image {
        /// Id of the inscription.
        id: Text,
        /// The title, which names the inscription.
        title: String,
    },
    /// Links to choose from, each with its real target.
    Links {
        /// The title, which names their source.
        title: String,
        /// The links.
        links: Vec<Link>,
        /// The selected one.
        selected: usize,
        /// The post whose links they are, which appears again.
        below: Option<Box<Overlay>>,
    },
    /// The providers of live data and their state.
    Sources {
        /// Name of the selected one; `None` for the first.
        selected: Option<Text>,
        /// The operation whose providers are shown in order; `None` for all providers.
        operation: Option<Text>,
        /// Whether the user has changed the providers since the dialog was opened.
        changed: bool,
    },
    /// The currency: common ones, and a text field for any other code.
    Currency {
        /// What is typed.
        input: Input,
        /// Index of the selected one of [`currencies`].
        selected: usize,
    },
    /// The notice before the first address is sent to a public provider.
    AddressNotice {
        /// The address, which is looked up if the user confirms; `None` for the wallet's addresses.
        address: Option<Text>,
    },
    /// An address to add to the wallet with its label, or the label of one to edit.
    Address {
        /// What is typed.
        input: Input,
        /// The address whose label is edited, as it was when the dialog opened; `None` for a new one.
        edited: Option<WalletAddress>,
    },
    /// The text of a note in a chart.
    Note {
        /// What is typed.
        input: Input,
        /// The note before editing; a new one has no text.
        before: Note,
        /// All notes at the cursor, oldest first; the edited one is one of them.
        here: Vec<Note>,
    },
    /// A lot to add or edit: a text field, and the coins that match its text.
    Lot {
        /// What is typed.
        input: Input,
        /// Index of the selected coin.
        selected: usize,
        /// The edited lot, with the edits that could not be saved before the dialog opened; `None` for a new one.
        edited: Option<Box<Edit<Lot>>>,
        /// Whether another process has removed the edited lot, so that it is added again.
        is_removed: bool,
        /// What the line means, as of the last update.
        read: Option<Box<TypedLot>>,
    },
    /// The columns of a list.
    Columns {
        /// The list.
        tag: Tag,
        /// All columns that can be chosen, in their order, and whether each is shown.
        rows: Vec<(CoinColumn, bool)>,
        /// Index of the selected one.
        selected: usize,
    },
    /// The filter of a list: a text field and its parsed text.
    Filter {
        /// What is typed.
        input: Input,
        /// The list.
        tag: Tag,
        /// The strings that complete it with a tag, found when it was last typed.
        suggestions: Vec<TagCompletion>,
    },
    /// The palette, and the dialog below it, which appears again when it is closed.
    Palette(Box<Palette>, Option<Box<Overlay>>),
    /// The alerts.
    Alerts(Box<AlertsDialog>),
}

impl Overlay {
    /// Replaces temporary IDs of lots and alerts with those that the store has assigned.
    pub(super) fn assign_ids(&mut self, ids: &AssignedIds) {
        match self {
            Overlay::Lot { edited: Some(edit), .. } => {
                [&mut edit.before, &mut edit.after].into_iter().for_each(|lot| lot.id = ids.lot(lot.id));
            }
            Overlay::Alerts(dialog) => dialog.assign_ids(ids),
            other => other.below().into_iter().for_each(|below| below.assign_ids(ids)),
        }
    }

    /// Merges an unsaved edit into the open line if the line edits the same lot or alert.
    pub(super) fn include_unsaved(&mut self, unsaved: &Change) {
        match (self, unsaved) {
            (Overlay::Lot { edited: Some(open), .. }, Change::EditLot(edit)) if open.after.id == edit.after.id => {
                open.before = edit.before.clone();
            }
            (Overlay::Alerts(dialog), Change::EditAlert(edit)) => {
                let open = dialog.opened.as_mut().filter(|open| open.after.id == edit.after.id);
                open.into_iter().for_each(|open| open.before = edit.before.clone());
            }
            (other, edit) => other.below().into_iter().for_each(|below| below.include_unsaved(edit)),
        }
    }

    /// Switches the line from adding to editing if the removed lot or alert exists again. Returns whether it does.
    pub(super) fn edit_if_restored(&mut self, data: &UserData) -> bool {
        match self {
            Overlay::Lot { edited: Some(edit), is_removed, .. } => {
                let id = edit.after.id;
                // A temporary ID may belong to another lot.
                let is_back = *is_removed && id > LotId::default() && data.lots.iter().any(|lot| lot.id == id);
                *is_removed &= !is_back;
                is_back
            }
            Overlay::Alerts(dialog) if dialog.edited.is_none() => {
                let id = dialog.opened.as_ref().map(|edit| edit.after.id).filter(|id| *id > AlertId::default());
                dialog.edited = id.filter(|id| data.alerts.iter().any(|alert| alert.id == *id));
                dialog.edited.is_some()
            }
            other => other.below().is_some_and(|below| below.edit_if_restored(data)),
        }
    }

    /// The Alerts dialog: this one, or the one below.
    pub(super) fn alerts(&mut self) -> Option<&mut AlertsDialog> {
        match self {
            Overlay::Alerts(dialog) => Some(dialog),
            other => other.below()?.alerts(),
        }
    }

    /// The dialog below, which appears again.
    fn below(&mut self) -> Option<&mut Overlay> {
        match self {
            Overlay::Help { below, .. } | Overlay::Links { below, .. } | Overlay::Palette(_, below) => {
                below.as_deref_mut()
            }
            _ => None,
        }
    }
}

/// The currencies that match the typed text by code or name: common ones, and the text itself if it is a currency code.
/// `sats` means SAT, although it is also the symbol of a token.
pub fn currencies(typed: &str) -> Vec<Currency> {
    let typed = typed.trim();
    let code = typed.to_ascii_uppercase();
    let is_sats = code == "SATS";
    let has_code = |currency: &Currency| currency.as_str().starts_with(&code) || (is_sats && currency.is_sats());
    let mut list: Vec<Currency> = Currency::common().filter(has_code).collect();
    if typed.len() >= MIN_NAME {
        let name = typed.to_lowercase();
        list.extend(Currency::common().filter(|currency| !has_code(currency) && currency.is_named(&name)));
    }
    let own = Currency::parse(&code).filter(|own| own.as_str().len() >= 3 && !is_sats && !list.contains(own));
    // A word of a name means that currency, not an unknown code.
    list.extend(own.filter(|own| list.is_empty() || own.exists()));
    list
}

/// Minimum bytes of a currency's name.
const MIN_NAME: usize = 2;
