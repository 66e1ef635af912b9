//! What a token view takes over from the last one.

use super::{MarketSort, TokenScreen};
use crate::app::panel::Panel;

/// The choices in the last token view, for the next one.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokenChoices {
    /// The panel that was zoomed when the view was closed.
    pub zoomed: Option<Panel>,
    /// The sort order of the markets.
    pub market_sort: MarketSort,
}

impl TokenChoices {
    /// The choices in an open view.
    pub(in crate::app) fn of(token: &TokenScreen) -> TokenChoices {
        TokenChoices { zoomed: token.zoom.then_some(token.focus), market_sort: token.market_sort }
    }

    /// Applies them to a view that opens.
    pub(in crate::app) fn apply_to(self, token: &mut TokenScreen) {
        if let Some(panel) = self.zoomed {
            token.zoom = true;
            token.focus = panel;
        }
        token.market_sort = self.market_sort;
    }
}
