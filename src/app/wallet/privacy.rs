//! The notice before the first address is sent to a public provider.

use crate::app::state::State;
use crate::client::Request;
use crate::model::ProviderName;
use crate::user_data::Notice;

impl State {
    /// The public providers that an address would be sent to; empty if there are none, or if the user has confirmed the
    /// notice.
    pub fn unconfirmed_address_receivers(&self) -> Vec<ProviderName> {
        let mut names = Vec::new();
        for name in Notice::ALL.into_iter().flat_map(|notice| self.unconfirmed(notice)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The enabled providers that a notice is about, unless the user has confirmed it.
    fn unconfirmed(&self, notice: Notice) -> Vec<ProviderName> {
        let receivers = match notice {
            Notice::AddressLookup => &self.preferences.address_receivers,
            Notice::BalanceLookup => &self.preferences.balance_receivers,
        };
        if receivers.is_empty() || self.user.current().notices.contains(&notice) {
            return Vec::new();
        }
        receivers.iter().copied().filter(|name| self.is_source_enabled(*name)).collect()
    }

    /// Whether a request may be sent: one with an address only after the user has confirmed it. A provider may have been
    /// enabled while an address was on the screen.
    pub fn may_send(&self, request: &Request) -> bool {
        let notice = request.address_operation().map(Notice::about);
        notice.is_none_or(|notice| self.unconfirmed(notice).is_empty())
    }
}
