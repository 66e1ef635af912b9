//! The notice before the first address is sent to a public provider.

use super::state::State;
use crate::client::Request;
use crate::model::ProviderName;
use crate::user_data::Notice;

impl State {
    /// The providers that an address would be sent to, if the user hasn't confirmed yet that addresses are sent; empty
    /// if none is sent to a public provider.
    pub fn unconfirmed_address_receivers(&self) -> Vec<ProviderName> {
        let all = &self.preferences.address_receivers;
        if all.is_empty() || self.user.current().notices.contains(&Notice::AddressLookup) {
            return Vec::new();
        }
        all.iter().copied().filter(|name| self.is_source_enabled(*name)).collect()
    }
    /// Whether a request may be sent: one with an address only after the user has confirmed it. A provider may have been
    /// enabled while an address was on the screen.
    pub fn may_send(&self, request: &Request) -> bool {
        let has_address =
            matches!(request, Request::Brc20Balances { .. } | Request::Inscriptions { address: Some(_), .. });
        !has_address || self.unconfirmed_address_receivers().is_empty()
    }
}
