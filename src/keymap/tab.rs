//! The tabs.

use crate::model::Tag;

/// The tabs, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tab {
    /// A list of coins.
    List(Tag),
    /// The watched coins.
    Wallet,
    /// BRC-20 and sats.
    Indexer,
    /// Requests and errors.
    Status,
}

impl Tab {
    /// All tabs, in their order.
    pub const ALL: [Tab; 6] = [
        Tab::List(Tag::All),
        Tab::List(Tag::Brc20),
        Tab::List(Tag::BitcoinEcosystem),
        Tab::Wallet,
        Tab::Indexer,
        Tab::Status,
    ];

    /// The title in the header.
    pub fn title(self) -> &'static str {
        match self {
            Tab::List(tag) => tag.title(),
            Tab::Wallet => "Wallet",
            Tab::Indexer => "Indexer",
            Tab::Status => "Status",
        }
    }

    /// A shorter title for narrow terminals.
    pub fn short_title(self) -> &'static str {
        match self {
            Tab::List(Tag::BitcoinEcosystem) => "Ecosystem",
            _ => self.title(),
        }
    }

    /// The name in the saved session.
    pub fn name(self) -> &'static str {
        match self {
            Tab::List(tag) => tag.as_str(),
            Tab::Wallet => "wallet",
            Tab::Indexer => "indexer",
            Tab::Status => "status",
        }
    }
}
