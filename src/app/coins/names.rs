//! The names of all coins, which the palette searches: whether they are known, and which coins share a symbol.

use crate::app::extension::Extension;
use crate::app::responses::{Failure, Remote};
use crate::app::state::State;
use crate::client::Request;
use crate::model::{CoinName, IndexedName, Tag};

/// The palette's message while the names are loading.
pub const LOADING: &str = "Loading names…";

/// The palette's message while the names are loading, once Enter was pressed.
pub const LOADING_TO_RUN: &str = "Opening the first match…";

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
        let names = self.responses.get(&Request::CoinNames);
        if self.lacks(Extension::Names) || names.value.is_some() {
            return NamesState::Settled;
        }
        match names.entry.and_then(|entry| entry.failure.as_ref()) {
            Some(failure) => NamesState::Failed(failure),
            None => NamesState::Loading,
        }
    }

    /// Why the page of a list that is loaded next failed, and whether it is requested again now.
    pub fn page_failure(&self, tag: Tag) -> Option<(&Failure, bool)> {
        let list = self.list(tag);
        let page = self.responses.get(&list.page_request(list.loading_start()?, &self.convert));
        Some((page.failure()?, page.is_loading()))
    }

    /// The request for the page of a list that is loaded next, if its newest response is not shown because it comes
    /// from a provider other than the list's.
    pub fn rejected_page(&self, tag: Tag) -> Option<Request> {
        let list = self.list(tag);
        let start = list.loading_start().filter(|start| list.rejected_provider(*start).is_some())?;
        Some(list.page_request(start, &self.convert))
    }

    /// Whether the page of a list that is loaded next is on its way: it has neither failed nor come from another provider.
    pub(in crate::app) fn receives_pages(&self, tag: Tag) -> bool {
        self.page_failure(tag).is_none() && self.rejected_page(tag).is_none()
    }

    /// Whether the names of all coins are needed to find shared symbols: not if the list has all coins, or if the
    /// service has no names.
    pub(in crate::app) fn needs_names(&self) -> bool {
        !self.lacks(Extension::Names) && !self.list(Tag::All).is_complete()
    }

    /// Whether the names of all coins are requested to find shared symbols. If they are lacking, only a retry does so.
    pub(in crate::app) fn requests_names(&self) -> bool {
        self.may_request(Extension::Names) && !self.list(Tag::All).is_complete()
    }

    /// The names of all coins if they are needed to find shared symbols, but not loaded.
    pub fn missing_names(&self) -> Option<Remote<'_, Vec<IndexedName>>> {
        let names = self.responses.coin_names(&Request::CoinNames);
        Some(names).filter(|names| self.needs_names() && names.value.is_none())
    }

    /// The coins with this symbol among the names of all coins.
    pub(in crate::app) fn names_with_symbol<'a>(&'a self, symbol: &'a str) -> impl Iterator<Item = &'a CoinName> {
        let names = self.responses.coin_names(&Request::CoinNames).value.into_iter().flatten();
        names.map(|name| &name.coin).filter(move |coin| coin.symbol.eq_ignore_ascii_case(symbol))
    }

    /// Whether a known coin or the name of a coin has this symbol.
    pub fn has_symbol(&self, symbol: &str) -> bool {
        self.known_coins().any(|coin| coin.symbol.eq_ignore_ascii_case(symbol))
            || self.names_with_symbol(symbol).next().is_some()
    }
}
