//! The coin in the window title.

use std::time::Duration;

use crate::client::Request;
use crate::fetch::BackgroundNeed;
use crate::model::{Coin, Tag, Text};

use super::state::State;

/// How old the price in the title gets.
const EVERY: Duration = Duration::from_mins(5);

impl State {
    /// The coin in the window title: that with the chosen slug, or the only one with the symbol. One in the current
    /// currency if there is any. `None` without a choice, and while the coin is unknown.
    pub fn title_coin(&self) -> Option<&Coin> {
        let name = self.preferences.title.as_ref()?;
        let named = |text: &Text| text.eq_ignore_ascii_case(name);
        let by_slug = || self.known_coins().filter(|coin| coin.slug.as_ref().is_some_and(named));
        let with_symbol = || self.known_coins().filter(|coin| named(&coin.symbol));
        let first = by_slug().next().or_else(|| {
            let only = with_symbol().next()?;
            with_symbol().all(|coin| coin.id == only.id).then_some(only)
        })?;
        let is_current = |coin: &&Coin| coin.id == first.id && coin.convert == self.convert;
        self.known_coins().find(is_current).or(Some(first))
    }

    /// What the title needs on every screen: its coin, or a list to find it in.
    pub(super) fn title_need(&self) -> Option<BackgroundNeed> {
        self.preferences.title.as_ref()?;
        let request = self.title_coin().map_or_else(
            || Some(self.list(Tag::All).first_request(&self.convert)),
            |coin| self.by_id(vec![coin.id.clone()]),
        );
        request.map(|request| BackgroundNeed { request, every: EVERY })
    }

    /// The request that the price in the title comes from.
    pub fn title_request(&self) -> Option<Request> {
        self.title_need().map(|need| need.request)
    }
}
