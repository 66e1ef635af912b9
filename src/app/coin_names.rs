//! Whether the names of all coins are known, which the palette searches.

use crate::app::state::State;
use crate::app::store::Failure;
use crate::client::Request;

/// The palette's message while the names are loading.
pub const LOADING: &str = "Loading names…";

/// The names of all coins, as a resource of the palette.
#[derive(Clone, Copy, Debug)]
pub enum NamesState<'a> {
    /// They are known, or the service doesn't offer them.
    Settled,
    /// The first response has not arrived.
    Loading,
    /// They can't be loaded, so that coins are missing.
    Failed(&'a Failure),
}

impl State {
    /// The state of the names of all coins.
    pub fn names_state(&self) -> NamesState<'_> {
        let names = self.store.get(&Request::CoinNames);
        if self.lacks_names || names.value.is_some() {
            return NamesState::Settled;
        }
        match names.entry.and_then(|entry| entry.failure.as_ref()) {
            Some(failure) => NamesState::Failed(failure),
            None => NamesState::Loading,
        }
    }
}
