//! The data that the panels of the token view are painted from.

use crate::app::State;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::PanelLayout;
use crate::model::Coin;
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
    /// The look.
    pub(super) appearance: &'a Appearance,
    /// The failures that are explained already.
    pub(super) explained: ExplainedFailures,
}

impl PanelContext<'_> {
    /// Whether a panel has the focus.
    pub(super) fn is_focused(&self, panel: Panel) -> bool {
        self.token.focus == panel
    }

    /// Whether the focused panel fills the screen.
    pub(super) fn is_alone(&self) -> bool {
        self.token.panel_layout(self.state.size) == PanelLayout::Single
    }
}
