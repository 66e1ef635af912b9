//! Divides a bounded resource among clients: together they get at most all of it, one of them at most half.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

/// A bounded resource. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct FairShare {
    total: usize,
    used: Arc<Mutex<Used>>,
}

#[derive(Debug, Default)]
struct Used {
    total: usize,
    /// Only clients with reservations.
    by_client: HashMap<IpAddr, usize>,
}

/// A client's reservation, released when dropped.
#[derive(Debug)]
pub(super) struct FairShareGuard {
    share: FairShare,
    client: IpAddr,
    amount: usize,
}

impl FairShare {
    /// A resource of this amount.
    pub(super) fn new(total: usize) -> FairShare {
        FairShare { total, used: Arc::default() }
    }

    /// Reserves `amount` for a client at this address; `None` if the client or all clients together would use too much.
    pub(super) fn take(&self, client: IpAddr, amount: usize) -> Option<FairShareGuard> {
        let client = network(client);
        let mut used = self.used();
        let total = used.total.checked_add(amount).filter(|total| *total <= self.total)?;
        let own = used.by_client.get(&client).copied().unwrap_or_default().checked_add(amount)?;
        if own > self.total.div_ceil(2) {
            return None;
        }
        used.total = total;
        used.by_client.insert(client, own);
        Some(FairShareGuard { share: self.clone(), client, amount })
    }

    /// The amounts in use: of a client at this address, and of all clients.
    pub(super) fn used_by(&self, client: IpAddr) -> (usize, usize) {
        let used = self.used();
        (used.by_client.get(&network(client)).copied().unwrap_or_default(), used.total)
    }

    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock()
    }
}

impl Drop for FairShareGuard {
    fn drop(&mut self) {
        let mut used = self.share.used();
        used.total = used.total.saturating_sub(self.amount);
        if let Some(own) = used.by_client.get_mut(&self.client) {
            *own = own.saturating_sub(self.amount);
            if *own == 0 {
                used.by_client.remove(&self.client);
            }
        }
    }
}

/// The key of a client: an IPv4 address, or a /64 network, since a host may use all addresses in its own.
pub(super) fn network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & !u128::from(u64::MAX)).into()),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_gets_at_most_half() {
        let shares = FairShare::new(10);
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let first = shares.take(address("2001:db8::1"), 3).unwrap();
        assert!(shares.take(address("2001:db8::2"), 3).is_none(), "the same /64 network");
        let second = shares.take(address("2001:db8::2"), 2).unwrap();
        let other = shares.take(address("10.0.0.1"), 5).unwrap();
        assert!(shares.take(address("10.0.0.2"), 1).is_none(), "nothing is left");
        assert_eq!(["2001:db8::3", "10.0.0.2"].map(|client| shares.used_by(address(client))), [(5, 10), (0, 10)]);
        drop(other);
        assert!(shares.take(address("10.0.0.2"), usize::MAX).is_none());
        assert!(shares.take(address("10.0.0.2"), 5).is_some());
        drop((first, second));
        let used = shares.used();
        assert_eq!((used.total, used.by_client.len()), (0, 0));
    }
}
