//! The tabs.

use super::context::Context;
use crate::model::Tag;

/// Defines [`Tab`] and [`Tab::ALL`] from one table, so that no tab can be missing: the lists of coins, in the order of
/// [`Tag::ALL`], and a row for each other tab with its name in the saved session and its title. Its
/// [`Context`] has the same name.
macro_rules! tabs {
    ($($(#[$doc:meta])* $Tab:ident = $name:literal, $title:literal;)*) => {
        /// The tabs, in their order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Tab {
            /// A list of coins.
            List(Tag),
            $($(#[$doc])* $Tab,)*
        }

        impl Tab {
            /// The tabs besides the lists.
            const OTHERS: &[Tab] = &[$(Tab::$Tab),*];

            /// The tab's context in the key map.
            pub fn context(self) -> Context {
                match self {
                    Tab::List(_) => Context::List,
                    $(Tab::$Tab => Context::$Tab,)*
                }
            }

            /// The title in the header.
            pub fn title(self) -> &'static str {
                match self {
                    Tab::List(tag) => tag.title(),
                    $(Tab::$Tab => $title,)*
                }
            }

            /// The name in the saved session.
            pub fn name(self) -> &'static str {
                match self {
                    Tab::List(tag) => tag.as_str(),
                    $(Tab::$Tab => $name,)*
                }
            }
        }
    };
}

tabs! {
    /// The holdings and the watched coins.
    Wallet = "wallet", "Wallet";
    /// BRC-20 and sats.
    Indexer = "indexer", "Indexer";
    /// Requests and errors.
    Status = "status", "Status";
}

impl Tab {
    /// All tabs, in their order.
    pub const ALL: [Tab; Tag::ALL.len() + Tab::OTHERS.len()] = {
        let mut all = [Tab::List(Tag::All); Tag::ALL.len() + Tab::OTHERS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] =
                if index < Tag::ALL.len() { Tab::List(Tag::ALL[index]) } else { Tab::OTHERS[index - Tag::ALL.len()] };
            index += 1;
        }
        all
    };

    /// A shorter title for narrow terminals.
    pub fn short_title(self) -> &'static str {
        match self {
            Tab::List(Tag::BitcoinEcosystem) => "Ecosystem",
            _ => self.title(),
        }
    }
}
