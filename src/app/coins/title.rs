//! The coin in the window title.

use std::time::Duration;

use crate::client::{Request, ResponseData};
use crate::fetch::BackgroundNeed;
use crate::model::{Coin, CoinId, IndexedName, Tag, Text};

use crate::app::extension::Extension;
use crate::app::state::State;

/// Maximum age of the price in the title.
const MAX_AGE: Duration = Duration::from_mins(5);

impl State {
    /// Finds the coin with the configured slug, or the only one with the symbol: among the names of all coins, or in the
    /// lists if the service has no names. Called when names or coins arrive. Returns a message for the user, once.
    pub(in crate::app) fn resolve_title(&mut self) -> Option<String> {
        let name = self.preferences.title.clone().filter(|_| self.title.id.is_none())?;
        let named = |text: &str| text.eq_ignore_ascii_case(&name);
        let mut with_symbol: Vec<CoinId> = Vec::new();
        let mut by_slug = None;
        let mut add = |id: &str, slug: &str, symbol: &str| {
            if named(slug) {
                by_slug = Some(CoinId(Text::from(id)));
            }
            if named(symbol) && with_symbol.iter().all(|known| known.0 != id) {
                with_symbol.push(CoinId(Text::from(id)));
            }
        };
        let names = match self.responses.response(&Request::CoinNames).map(AsRef::as_ref) {
            Some(ResponseData::CoinNames(names)) => Some(names),
            _ => None,
        };
        match names {
            Some(names) => names.iter().for_each(|IndexedName { coin, .. }| add(&coin.id, &coin.slug, &coin.symbol)),
            None => {
                self.known_coins().for_each(|coin| add(&coin.id.0, coin.slug.as_deref().unwrap_or(""), &coin.symbol))
            }
        }
        let count = with_symbol.len();
        let lacks_names = self.lacks(Extension::Names);
        // As long as names are missing, another coin may have the symbol.
        let only = with_symbol.pop().filter(|_| count == 1 && (names.is_some() || lacks_names));
        let is_final = names.is_some() || lacks_names && count > 1;
        self.title.id = by_slug.or(only);
        if !is_final || !self.title.take_problem() {
            return None;
        }
        Some(match count {
            0 => format!("Window title: unknown coin {name}"),
            _ => format!("Window title: {count} coins use {name} (use the slug)"),
        })
    }

    /// The coin in the window title, in the current currency if possible. `None` if none is configured or it is unknown.
    pub fn title_coin(&self) -> Option<&Coin> {
        let id = self.title.id.as_ref()?;
        let fetched = self.responses.coin_by_id(id).filter(|coin| coin.convert == self.convert);
        fetched.or_else(|| self.coin(id))
    }

    /// The live price of [`State::title_coin`].
    pub fn title_live_price(&self, coin: &Coin) -> Option<f64> {
        self.held_live_price(coin).map(|live| live.price)
    }

    /// The title's requests on every screen: its coin, or the list to find it in.
    pub(in crate::app) fn title_need(&self) -> Option<BackgroundNeed> {
        self.preferences.title.as_ref()?;
        let request = match &self.title.id {
            Some(id) => self.by_id(vec![id.clone()]),
            None if self.may_request(Extension::Names) => Some(Request::CoinNames),
            None => Some(self.list(Tag::All).first_request(&self.convert)),
        };
        request.map(|request| BackgroundNeed::new(request, MAX_AGE))
    }

    /// The request that the price in the title comes from.
    pub fn title_request(&self) -> Option<Request> {
        self.title_need().map(|need| need.request)
    }
}
