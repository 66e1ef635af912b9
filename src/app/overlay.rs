//! The dialogs that can cover a screen.

pub mod layout;
pub mod reader;

use tui_input::Input;

use super::filter::TagCompletion;
use super::palette::Palette;
use super::past_alerts::PastKey;
use super::screen::list::CoinColumn;
use super::typed_alert::TypedAlert;
use super::typed_lot::TypedLot;
use crate::alerts::Tracked;
use crate::keymap::Context;
use crate::model::{Currency, Link, Tag, Text};
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{Alert, AlertId, Change, Edit, Lot, LotId, Note, UserData, WalletAddress};

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
        /// The address, which is looked up if the user confirms; `None` for those of the wallet.
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
            Overlay::Alerts(dialog) => {
                let opened = dialog.opened.iter_mut().flat_map(|edit| [&mut edit.before.id, &mut edit.after.id]);
                let open = dialog.edited.iter_mut().chain(&mut dialog.selected).chain(opened);
                let open = open.chain(dialog.past.iter_mut().map(PastKey::alert_mut));
                open.for_each(|id| *id = ids.alert(*id));
            }
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

/// The Alerts dialog: the list, or a line with a new or edited rule.
#[derive(Clone, Debug)]
pub struct AlertsDialog {
    /// The typed text; `None` while the list has the focus.
    pub line: Option<Input>,
    /// Index of the coin that the line is about.
    pub chosen: usize,
    /// Rules about the row on which the dialog was opened.
    pub suggestions: Vec<String>,
    /// The selected alert.
    pub selected: Option<AlertId>,
    /// The selected row below the alerts instead of an alert.
    pub past: Option<PastKey>,
    /// The alert that is edited; `None` for a new one.
    pub edited: Option<AlertId>,
    /// The edited alert, with the edits that could not be saved before the line opened, even if another process has
    /// removed it since.
    pub opened: Option<Edit<Alert>>,
    /// What the line means, as of the last update.
    pub typed: Option<TypedAlert>,
}

impl AlertsDialog {
    /// The dialog with a line, or with the list and its selected alert.
    pub fn new(line: Option<Input>, suggestions: Vec<String>, selected: Option<AlertId>) -> AlertsDialog {
        let (chosen, past, edited, opened, typed) = (0, None, None, None, None);
        AlertsDialog { line, chosen, suggestions, selected, past, edited, opened, typed }
    }

    /// Follows the selected and the edited alert, to which the store may have given another ID. If the selected one
    /// is gone, the first one is selected.
    pub(super) fn follow(&mut self, before: &[Tracked], now: &[Tracked]) {
        let with = |all: &[Tracked], id| all.iter().find(|own| own.alert.id == id).map(|own| own.alert.rule.clone());
        let find = |id: AlertId| match with(now, id) {
            Some(_) => Some(id),
            None => {
                let rule = with(before, id)?;
                now.iter().rev().find(|own| own.alert.rule == rule).map(|own| own.alert.id)
            }
        };
        self.edited = self.edited.and_then(|id| find(id).or(Some(id)));
        self.selected = self.selected.and_then(find).or_else(|| now.first().map(|own| own.alert.id));
    }

    /// Opens the line with text: that of the alert `edited`, if given.
    pub fn type_line(&mut self, text: String, edited: Option<Alert>) {
        (self.line, self.chosen) = (Some(Input::new(text)), 0);
        (self.edited, self.opened) = (edited.as_ref().map(|alert| alert.id), edited.map(Edit::unchanged));
        self.suggestions.clear();
    }
}

/// The currencies that match the typed text: common ones, and the text itself if it is a currency code. `sats` means
/// SAT, although it is also the symbol of a token.
pub fn currencies(typed: &str) -> Vec<Currency> {
    let wanted = typed.trim().to_ascii_uppercase();
    let mut list: Vec<Currency> = crate::model::currency::COMMON
        .iter()
        .filter(|code| code.starts_with(&wanted) || (wanted == "SATS" && **code == "SAT"))
        .filter_map(|code| Currency::parse(code))
        .collect();
    if let Some(own) = Currency::parse(&wanted)
        && own.as_str().len() >= 3
        && !list.contains(&own)
    {
        list.push(own);
    }
    list
}
