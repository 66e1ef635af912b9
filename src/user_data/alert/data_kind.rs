//! The kinds of data that alerts are checked with.

/// The requests that an alert's value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataScope {
    /// Market data: coins and fees.
    Market,
    /// The indexer: BRC-20 tokens and addresses.
    Indexer,
    /// The wallet: market data, and also the indexer if it has addresses.
    Wallet,
}

/// The kind of data that an alert is checked with. For each kind, one process checks the alerts at a time, since
/// another one may have real prices and a simulated indexer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataKind {
    /// The requests that the data comes from.
    pub scope: DataScope,
    /// Whether they are simulated.
    pub simulated: bool,
}

impl DataKind {
    /// All kinds.
    pub const ALL: [DataKind; 6] = [
        DataKind::real(DataScope::Market),
        DataKind::real(DataScope::Indexer),
        DataKind::real(DataScope::Wallet),
        DataKind::simulated(DataScope::Market),
        DataKind::simulated(DataScope::Indexer),
        DataKind::simulated(DataScope::Wallet),
    ];

    /// Real data.
    pub const fn real(scope: DataScope) -> DataKind {
        DataKind { scope, simulated: false }
    }

    /// Simulated data.
    pub const fn simulated(scope: DataScope) -> DataKind {
        DataKind { scope, simulated: true }
    }

    /// The kinds with which a process can check alerts, given whether its market and indexer data is simulated.
    /// `has_addresses` is whether the wallet has addresses: then its value needs both.
    pub fn of_process(market_simulated: bool, indexer_simulated: bool, has_addresses: bool) -> PerKind<bool> {
        PerKind::from_fn(|DataKind { scope, simulated }| match scope {
            DataScope::Market => simulated == market_simulated,
            DataScope::Indexer => simulated == indexer_simulated,
            DataScope::Wallet => simulated == market_simulated && (!has_addresses || simulated == indexer_simulated),
        })
    }
}

/// A value for each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerKind<T>([T; DataKind::ALL.len()]);

impl<T> PerKind<T> {
    /// The value of each kind, computed by `value`.
    pub fn from_fn(value: impl FnMut(DataKind) -> T) -> PerKind<T> {
        PerKind(DataKind::ALL.map(value))
    }

    /// The value of a kind.
    pub fn get(&self, kind: DataKind) -> &T {
        let [market, indexer, wallet, demo_market, demo_indexer, demo_wallet] = &self.0;
        match (kind.scope, kind.simulated) {
            (DataScope::Market, false) => market,
            (DataScope::Indexer, false) => indexer,
            (DataScope::Wallet, false) => wallet,
            (DataScope::Market, true) => demo_market,
            (DataScope::Indexer, true) => demo_indexer,
            (DataScope::Wallet, true) => demo_wallet,
        }
    }

    /// The value of a kind, mutably.
    pub fn get_mut(&mut self, kind: DataKind) -> &mut T {
        let [market, indexer, wallet, demo_market, demo_indexer, demo_wallet] = &mut self.0;
        match (kind.scope, kind.simulated) {
            (DataScope::Market, false) => market,
            (DataScope::Indexer, false) => indexer,
            (DataScope::Wallet, false) => wallet,
            (DataScope::Market, true) => demo_market,
            (DataScope::Indexer, true) => demo_indexer,
            (DataScope::Wallet, true) => demo_wallet,
        }
    }

    /// The values of all kinds.
    pub fn all(&self) -> &[T] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_of_a_kind_is_found() {
        let mut kinds = PerKind::from_fn(|kind| kind);
        for kind in DataKind::ALL {
            assert_eq!((*kinds.get(kind), *kinds.get_mut(kind)), (kind, kind));
        }
    }

    #[test]
    fn wallet_with_addresses_needs_both_groups() {
        let has = |indexer, addresses, simulated| {
            *DataKind::of_process(false, indexer, addresses).get(DataKind { scope: DataScope::Wallet, simulated })
        };
        assert!(has(true, false, false) && has(false, true, false));
        assert!(!has(true, true, false) && !has(true, true, true), "partly simulated");
    }
}
