//! The notices that are shown once.

use crate::model::source::Operation;

/// A notice that is shown once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notice {
    /// Addresses that are looked up are sent to a provider.
    AddressLookup,
    /// Addresses are also sent to a provider of bitcoin balances.
    BalanceLookup,
}

impl Notice {
    /// All notices.
    pub const ALL: [Notice; 2] = [Notice::AddressLookup, Notice::BalanceLookup];

    /// The notice about addresses that are sent with requests of an operation.
    pub fn about(operation: Operation) -> Notice {
        match operation {
            Operation::BitcoinBalance => Notice::BalanceLookup,
            _ => Notice::AddressLookup,
        }
    }

    /// The name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Notice::AddressLookup => "address-lookup",
            Notice::BalanceLookup => "balance-lookup",
        }
    }
}
