//! The parts of the screen with key bindings of their own, and the sections of the configuration that group them.

/// A part of the screen with its own key bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Context {
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

impl Context {
    /// All places.
    pub const ALL: [Context; 18] = [
        Context::List,
        Context::Token,
        Context::Wallet,
        Context::Indexer,
        Context::Status,
        Context::Help,
        Context::Compare,
        Context::Post,
        Context::Image,
        Context::Links,
        Context::Sources,
        Context::Columns,
        Context::Alerts,
        Context::Confirm,
        Context::Choice,
        Context::Line,
        Context::Palette,
        Context::Menu,
    ];

    /// Whether printable keys are text, or letters of a menu.
    pub fn takes_text(self) -> bool {
        matches!(self, Context::Choice | Context::Line | Context::Palette | Context::Menu)
    }
}

/// The screens: the places without dialogs and text fields.
pub const SCREENS: &[Context] = &[Context::List, Context::Token, Context::Wallet, Context::Indexer, Context::Status];

/// The dialogs without text fields.
pub const DIALOGS: &[Context] = &[
    Context::Help,
    Context::Compare,
    Context::Post,
    Context::Image,
    Context::Links,
    Context::Sources,
    Context::Columns,
    Context::Alerts,
    Context::Confirm,
    Context::Menu,
];

/// A section of the configuration and of the help.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name in the configuration: `list` of `[keys.list]`.
    pub name: &'static str,
    /// Its title in the help.
    pub title: &'static str,
    /// Its contexts.
    pub contexts: &'static [Context],
}

/// The sections. Keys that are the same on all screens have the title [`GENERAL`].
pub const SECTIONS: &[Section] = &[
    Section { name: "list", title: "Lists", contexts: &[Context::List] },
    Section { name: "token", title: "Coin", contexts: &[Context::Token] },
    Section { name: "wallet", title: "Wallet", contexts: &[Context::Wallet] },
    Section { name: "indexer", title: "Indexer", contexts: &[Context::Indexer] },
    Section { name: "status", title: "Status", contexts: &[Context::Status] },
    Section { name: "dialog", title: "Dialogs", contexts: DIALOGS },
    Section { name: INPUT, title: "While typing", contexts: &[Context::Choice, Context::Line, Context::Palette] },
];

/// The titles of single dialogs in the help, for the keys that work in no other dialog.
pub(super) const DIALOG_TITLES: &[(Context, &str)] = &[
    (Context::Help, "Help"),
    (Context::Compare, "Comparison"),
    (Context::Post, "Post"),
    (Context::Links, "Links"),
    (Context::Image, "Image"),
    (Context::Sources, "Providers"),
    (Context::Columns, "Columns"),
    (Context::Alerts, "Alerts"),
    (Context::Confirm, "Confirmation"),
];

/// The section for text fields, to which `[keys]` does not apply.
pub const INPUT: &str = "input";

/// The title of the keys that are the same on all screens.
pub const GENERAL: &str = "All screens";
