//! The parts of the screen with key bindings of their own, and the sections of the configuration that group them.

/// A part of the screen with its own key bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The lists of coins.
    List,
    /// A token's view.
    Token,
    /// The wallet tab.
    Wallet,
    /// The indexer tab.
    Indexer,
    /// The status tab.
    Status,
    /// The help.
    Help,
    /// The comparison of coins.
    Compare,
    /// A post's full text.
    Post,
    /// An image.
    Image,
    /// Links to choose from.
    Links,
    /// The providers of live data.
    Sources,
    /// The columns of the lists.
    Columns,
    /// The list of alerts.
    Alerts,
    /// A question that the user confirms.
    Confirm,
    /// A text field with a list to choose from: currencies, the coin of a lot.
    Choice,
    /// A text field on a screen: the search, the filter.
    Line,
    /// The palette.
    Palette,
    /// A menu above the footer: a letter chooses an item, Esc closes it.
    Menu,
}

impl Place {
    /// All places.
    pub const ALL: [Place; 18] = [
        Place::List,
        Place::Token,
        Place::Wallet,
        Place::Indexer,
        Place::Status,
        Place::Help,
        Place::Compare,
        Place::Post,
        Place::Image,
        Place::Links,
        Place::Sources,
        Place::Columns,
        Place::Alerts,
        Place::Confirm,
        Place::Choice,
        Place::Line,
        Place::Palette,
        Place::Menu,
    ];

    /// Whether printable keys are text, or letters of a menu.
    pub fn takes_text(self) -> bool {
        matches!(self, Place::Choice | Place::Line | Place::Palette | Place::Menu)
    }
}

/// The screens: the places without dialogs and text fields.
pub const SCREENS: &[Place] = &[Place::List, Place::Token, Place::Wallet, Place::Indexer, Place::Status];

/// The dialogs without text fields.
pub const DIALOGS: &[Place] = &[
    Place::Help,
    Place::Compare,
    Place::Post,
    Place::Image,
    Place::Links,
    Place::Sources,
    Place::Columns,
    Place::Alerts,
    Place::Confirm,
    Place::Menu,
];

/// A section of the configuration and of the help.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name in the configuration: `list` of `[keys.list]`.
    pub name: &'static str,
    /// Its title in the help.
    pub title: &'static str,
    /// Its places.
    pub places: &'static [Place],
}

/// The sections. Keys that are the same on all screens have the title [`GENERAL`].
pub const SECTIONS: &[Section] = &[
    Section { name: "list", title: "Lists", places: &[Place::List] },
    Section { name: "token", title: "Coin", places: &[Place::Token] },
    Section { name: "wallet", title: "Wallet", places: &[Place::Wallet] },
    Section { name: "indexer", title: "Indexer", places: &[Place::Indexer] },
    Section { name: "status", title: "Status", places: &[Place::Status] },
    Section { name: "dialog", title: "Dialogs", places: DIALOGS },
    Section { name: INPUT, title: "While typing", places: &[Place::Choice, Place::Line, Place::Palette] },
];

/// The titles of single dialogs in the help, for the keys that work in no other dialog.
pub(super) const DIALOG_TITLES: &[(Place, &str)] = &[
    (Place::Help, "Help"),
    (Place::Compare, "Comparison"),
    (Place::Post, "Post"),
    (Place::Links, "Links"),
    (Place::Image, "Image"),
    (Place::Sources, "Providers"),
    (Place::Columns, "Columns"),
    (Place::Alerts, "Alerts"),
    (Place::Confirm, "Confirmation"),
];

/// The section for text fields, to which `[keys]` does not apply.
pub const INPUT: &str = "input";

/// The title of the keys that are the same on all screens.
pub const GENERAL: &str = "All screens";
