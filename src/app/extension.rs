//! Extensions of the interface that not every service has, and when they are requested again from one that lacks them.

use crate::client::Request;
use crate::model::UtcTime;

/// An extension that is not requested from a service without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    /// The newest block.
    Chain,
    /// The names of all coins.
    Names,
    /// Exchange rates of past days.
    Rates,
    /// Bitcoin balances.
    BitcoinBalances,
}

impl Extension {
    /// All of them.
    pub(super) const ALL: [Extension; 4] =
        [Extension::Chain, Extension::Names, Extension::Rates, Extension::BitcoinBalances];

    /// The extension that a request belongs to.
    pub(super) fn of(request: &Request) -> Option<Extension> {
        match request {
            Request::ChainState => Some(Extension::Chain),
            Request::CoinNames => Some(Extension::Names),
            Request::HistoricalRates { .. } => Some(Extension::Rates),
            Request::BitcoinBalance { .. } => Some(Extension::BitcoinBalances),
            _ => None,
        }
    }
}

/// When an extension is requested again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Retry {
    /// Whether it had a response with rows from the current providers.
    pub(super) has_response: bool,
    /// Whether the service lacks it, as far as known. A retry changes that only when it succeeds.
    pub(super) is_lacking: bool,
    /// Whether it is not requested, because it is lacking and its retry isn't due.
    pub(super) is_paused: bool,
    /// How often it was lacking since its last response.
    pub(super) failures: u32,
    /// The time of the next request; `None` if the service will not have it, or if it may be requested now.
    pub(super) at: Option<UtcTime>,
}

/// The retries of all extensions.
#[derive(Debug, Default)]
pub(super) struct ExtensionRetries([Retry; Extension::ALL.len()]);

impl ExtensionRetries {
    /// The retry of an extension.
    pub(super) fn of(&self, extension: Extension) -> Retry {
        let [chain, names, rates, bitcoin] = &self.0;
        *match extension {
            Extension::Chain => chain,
            Extension::Names => names,
            Extension::Rates => rates,
            Extension::BitcoinBalances => bitcoin,
        }
    }

    /// The retry of an extension, mutable.
    pub(super) fn of_mut(&mut self, extension: Extension) -> &mut Retry {
        let [chain, names, rates, bitcoin] = &mut self.0;
        match extension {
            Extension::Chain => chain,
            Extension::Names => names,
            Extension::Rates => rates,
            Extension::BitcoinBalances => bitcoin,
        }
    }
}
