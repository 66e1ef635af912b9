//! The notices that are shown once.

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

    /// Its name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Notice::AddressLookup => "address-lookup",
            Notice::BalanceLookup => "balance-lookup",
        }
    }
}
