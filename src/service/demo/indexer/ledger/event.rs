//! An event of a BRC-20 token, and its effect on balances.

use crate::service::demo::indexer::addresses::AddressId;
use crate::service::demo::indexer::random::Random;

/// Type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service::demo::indexer) enum Action {
    /// The token was deployed.
    Deploy,
    /// `from` minted the amount.
    Mint,
    /// `from` inscribed the amount for a transfer.
    Transfer,
    /// The transfer inscription went to `to`.
    Send,
}

/// One event of a token.
#[derive(Clone, Copy, Debug)]
pub(in crate::service::demo::indexer) struct Event {
    /// Amount in 10^-18; 0 for a deploy.
    pub(in crate::service::demo::indexer) amount: u128,
    /// Block height in the history, or offset from the start of the week in the cycle.
    pub(in crate::service::demo::indexer) when: u32,
    /// Index of the inscription within the history, or within its week. A `Send` has the index of its `Transfer`.
    pub(in crate::service::demo::indexer) inscription: u32,
    /// Index of the token.
    pub(in crate::service::demo::indexer) token: u8,
    /// Type.
    pub(in crate::service::demo::indexer) action: Action,
    /// Sender, minter or deployer.
    pub(in crate::service::demo::indexer) from: AddressId,
    /// Receiver; `from` if there is none.
    pub(in crate::service::demo::indexer) to: AddressId,
}

/// The balance of an address in one token, in 10^-18.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service::demo::indexer) struct Holding {
    /// Holder.
    pub(in crate::service::demo::indexer) address: AddressId,
    /// Available balance.
    pub(in crate::service::demo::indexer) available: u128,
    /// Transferable balance.
    pub(in crate::service::demo::indexer) transferable: u128,
}

impl Holding {
    /// Overall balance.
    pub(in crate::service::demo::indexer) fn overall(&self) -> u128 {
        self.available.saturating_add(self.transferable)
    }
}

/// Applies an event to the holdings, which stay sorted by address.
pub(super) fn apply(holdings: &mut Vec<Holding>, event: &Event) {
    match event.action {
        Action::Deploy => {}
        Action::Mint => with(holdings, event.to, |to| to.available += event.amount),
        Action::Transfer => with(holdings, event.from, |from| {
            from.available = from.available.saturating_sub(event.amount);
            from.transferable += event.amount;
        }),
        Action::Send => {
            with(holdings, event.from, |from| from.transferable = from.transferable.saturating_sub(event.amount));
            with(holdings, event.to, |to| to.available += event.amount);
        }
    }
}

fn with(holdings: &mut Vec<Holding>, address: AddressId, change: impl FnOnce(&mut Holding)) {
    let place = holdings.binary_search_by_key(&address, |holding| holding.address).unwrap_or_else(|place| {
        holdings.insert(place, Holding { address, available: 0, transferable: 0 });
        place
    });
    if let Some(holding) = holdings.get_mut(place) {
        change(holding);
    }
}

/// Rounds an amount down to three significant digits and a multiple of `smallest`.
pub(super) fn round_down(amount: u128, smallest: u128) -> u128 {
    let unit = 10u128.pow(amount.checked_ilog10().unwrap_or(0).saturating_sub(2)).max(smallest).max(1);
    amount - amount % unit
}

/// A random, rounded amount between two shares (in thousandths) of `amount`.
pub(super) fn share(random: &mut Random, amount: u128, permille: (u64, u64), smallest: u128) -> u128 {
    let part = u128::from(random.between(permille.0, permille.1));
    round_down(amount / 1000 * part + amount % 1000 * part / 1000, smallest)
}
