//! The parts of the screen with key bindings of their own, and the sections of the configuration that group them.

/// Defines [`Context`] and all lists of contexts from one table, so that none of them can miss a context:
///
/// - each screen, with the name of its section in the configuration and the title in the help
/// - the dialogs without text fields, with their titles in the help, for the keys that work in no other dialog
/// - the contexts in which text is typed
macro_rules! contexts {
    (
        screens: { $($(#[$screen_doc:meta])* $screen:ident = ($name:literal, $title:literal),)* }
        dialogs: { $($(#[$dialog_doc:meta])* $dialog:ident $(= $dialog_title:literal)?,)* }
        typing: { $($(#[$typing_doc:meta])* $typing:ident,)* }
    ) => {
        /// A part of the screen with its own key bindings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Context {
            $($(#[$screen_doc])* $screen,)*
            $($(#[$dialog_doc])* $dialog,)*
            $($(#[$typing_doc])* $typing,)*
        }

        impl Context {
            /// All contexts.
            pub const ALL: [Context; SCREENS.len() + DIALOGS.len() + TYPING.len()] =
                [$(Context::$screen,)* $(Context::$dialog,)* $(Context::$typing,)*];
        }

        /// The screens: the contexts without dialogs and text fields.
        pub const SCREENS: &[Context] = &[$(Context::$screen),*];

        /// The dialogs without text fields.
        pub const DIALOGS: &[Context] = &[$(Context::$dialog),*];

        /// The contexts in which text is typed.
        pub(super) const TYPING: &[Context] = &[$(Context::$typing),*];

        /// The contexts in which no text is typed.
        pub(super) const NOT_TYPING: &[Context] = &[$(Context::$screen,)* $(Context::$dialog,)*];

        /// The sections. Keys that are the same on all screens have the title [`GENERAL`].
        pub const SECTIONS: &[Section] = &[
            $(Section { name: $name, title: $title, contexts: &[Context::$screen] },)*
            Section { name: "dialog", title: "Dialogs", contexts: DIALOGS },
            Section { name: INPUT, title: "While typing", contexts: TYPING },
        ];

        /// The titles of single dialogs in the help, for the keys that work in no other dialog.
        pub(super) const DIALOG_TITLES: &[(Context, &str)] = &[$($((Context::$dialog, $dialog_title),)?)*];
    };
}

contexts! {
    screens: {
        /// The lists of coins.
        List = ("list", "Lists"),
        /// A token's view.
        Token = ("token", "Coin"),
        /// The wallet tab.
        Wallet = ("wallet", "Wallet"),
        /// The indexer tab.
        Indexer = ("indexer", "Indexer"),
        /// The status tab.
        Status = ("status", "Status"),
    }
    dialogs: {
        /// The help.
        Help = "Help",
        /// The comparison of coins.
        Compare = "Comparison",
        /// A post's full text.
        Post = "Post",
        /// Links to choose from.
        Links = "Links",
        /// An image.
        Image = "Image",
        /// The providers of live data.
        Sources = "Providers",
        /// The columns of the lists.
        Columns = "Columns",
        /// The list of alerts.
        Alerts = "Alerts",
        /// A question that the user confirms.
        Confirm = "Confirmation",
        /// A menu above the footer: a letter chooses an item, Esc closes it.
        Menu,
    }
    typing: {
        /// A text field with a list to choose from: currencies, the coin of a lot.
        Choice,
        /// A text field on a screen: the search, the filter.
        Line,
        /// The palette.
        Palette,
    }
}

impl Context {
    /// Whether printable keys are text, or letters of a menu.
    pub fn takes_text(self) -> bool {
        self == Context::Menu || TYPING.contains(&self)
    }
}

/// A section of the configuration and of the help.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// The name in the configuration: `list` of `[keys.list]`.
    pub name: &'static str,
    /// The title in the help.
    pub title: &'static str,
    /// The contexts of this section.
    pub contexts: &'static [Context],
}

/// The section for text fields, to which `[keys]` does not apply.
pub const INPUT: &str = "input";

/// The title of the keys that are the same on all screens.
pub const GENERAL: &str = "All screens";
