//! The data that the panels of the indexer tab are painted from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::coins::token_prices::TokenPrices;
use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::screen::IndexerScreen;
use crate::app::{Remote, State};
use crate::client::Group;
use crate::model::Coin;
use crate::view::appearance::Appearance;
use crate::view::chrome::health::Missing;
use crate::view::chrome::health::explained::ExplainedFailures;

/// The data that the panels are painted from.
pub(super) struct PanelContext<'a> {
    /// The state.
    pub(super) state: &'a State,
    /// The indexer tab.
    pub(super) screen: &'a IndexerScreen,
    /// The look.
    pub(super) appearance: &'a Appearance,
    /// The prices of the tokens.
    pub(super) prices: TokenPrices<'a>,
    /// Whether the amounts of the subject are hidden, since it is an address of the wallet.
    pub(super) hides_amounts: bool,
    /// The failures that are explained already.
    pub(super) explained: ExplainedFailures,
}

impl PanelContext<'_> {
    /// Paints why there is no content. A failure of several panels is explained once, in the first of them.
    pub(super) fn missing<T>(&self, buf: &mut Buffer, area: Rect, remote: Remote<'_, T>, what: &str) {
        let missing = Missing::new(remote, what, self.state, &self.appearance.theme).of(Group::Indexer);
        self.explained.missing(buf, area, &missing);
    }

    /// The title of a panel about a token, with the ticker if the details panel is not visible.
    pub(super) fn named(&self, name: &str) -> String {
        match self.screen.subject() {
            Some(Subject::Token(ticker)) if !self.screen.shows(Panel::Details, self.state.size) => {
                format!("{name} of {ticker}")
            }
            _ => name.to_owned(),
        }
    }

    /// The coin of the token that the right side shows.
    pub(super) fn token_coin(&self) -> Option<&Coin> {
        self.state.shown_token_coin(|ticker, inscription| self.prices.coin(ticker, inscription))
    }

    /// Whether a panel has the focus.
    pub(super) fn is_focused(&self, panel: Panel) -> bool {
        self.screen.focus == panel
    }
}
