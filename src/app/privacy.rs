//! The notice before the first address is sent to a public provider.

use super::state::State;
use crate::client::Request;
use crate::model::ProviderName;
use crate::user_data::Notice;

impl State {
    /// The public providers that an address would be sent to; empty if there are none, or if the user has confirmed the
    /// notice.
    pub fn unconfirmed_address_receivers(&self) -> Vec<ProviderName> {
        let mut names = self.unconfirmed(&self.preferences.address_receivers, Notice::AddressLookup);
        for name in self.unconfirmed(&self.preferences.balance_receivers, Notice::BalanceLookup) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The enabled ones of these providers, unless the user has confirmed the notice.
    fn unconfirmed(&self, receivers: &[ProviderName], notice: Notice) -> Vec<ProviderName> {
        if receivers.is_empty() || self.user.current().notices.contains(&notice) {
            return Vec::new();
        }
        receivers.iter().copied().filter(|name| self.is_source_enabled(*name)).collect()
    }

    /// Whether a request may be sent: one with an address only after the user has confirmed it. A provider may have been
    /// enabled while an address was on the screen.
    pub fn may_send(&self, request: &Request) -> bool {
        let (receivers, notice) = match request {
            Request::Brc20Balances { .. } | Request::Inscriptions { address: Some(_), .. } => {
                (&self.preferences.address_receivers, Notice::AddressLookup)
            }
            Request::BitcoinBalance { .. } => (&self.preferences.balance_receivers, Notice::BalanceLookup),
            _ => return true,
        };
        self.unconfirmed(receivers, notice).is_empty()
    }
}
