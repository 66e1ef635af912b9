//! The wallet's addresses.

use crate::model::{Text, UtcTime};

/// An address whose balances count in the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletAddress {
    /// The address on Bitcoin's main network, checked before it is stored.
    pub address: Text,
    /// The user's name for it.
    pub label: Option<Text>,
    /// When it was added. Its balance before then is unknown.
    pub added_at: UtcTime,
}
