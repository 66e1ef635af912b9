//! The data that the panels of the token view are painted from.

use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::{LastCoin, PanelLayout};
use crate::app::{Remote, State};
use crate::client::ResponseData;
use crate::model::{Coin, Currency, Tag};
use crate::view::appearance::Appearance;
use crate::view::chrome::health::explained::ExplainedFailures;

/// Minimum width of a panel that fills the screen to have two columns.
pub(super) const TWO_COLUMNS: u16 = 110;

/// The data that the panels are painted from.
pub(super) struct PanelContext<'a> {
    /// The state.
    pub(super) state: &'a State,
    /// The token view.
    pub(super) token: &'a TokenScreen,
    /// The coin, or its last copy if its list doesn't have it any more.
    pub(super) coin: Option<&'a Coin>,
    /// The last copy, if the coin is no longer in its list.
    pub(super) last_copy: Option<&'a LastCoin>,
    /// Where the coin comes from: a list, and the start of its page.
    pub(super) source: Option<(Tag, u32)>,
    /// The response that the coin comes from; see [`State::page_of`].
    pub(super) page: Option<Remote<'a, ResponseData>>,
    /// The look.
    pub(super) appearance: &'a Appearance,
    /// The failures that are explained already.
    pub(super) explained: ExplainedFailures,
}

impl<'a> PanelContext<'a> {
    /// The newest copy of the coin in the lists, or fetched by its id, if it is in this currency.
    pub(super) fn listed_coin(&self, convert: &Currency) -> Option<&'a Coin> {
        let listed = match (self.coin, self.last_copy) {
            (_, Some(_)) => None,
            (None, None) if self.token.has_only_symbol() => None,
            // The lists may have it with another id.
            (None, None) => self.state.held_coin(&self.token.named_coin().coin),
            (known, None) => known,
        };
        listed.filter(|listed| listed.convert == *convert)
    }

    /// Whether a panel has the focus.
    pub(super) fn is_focused(&self, panel: Panel) -> bool {
        self.token.focus == panel
    }

    /// Whether the focused panel fills the screen.
    pub(super) fn is_alone(&self) -> bool {
        self.token.panel_layout(self.state.size) == PanelLayout::Single
    }
}
