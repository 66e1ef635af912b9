//! How far the tables of panels are scrolled sideways.

use std::collections::HashMap;

use super::panel::Panel;

/// The last scroll position of each table in a frame: the first one at which its last column is visible.
pub type ScrollLimits = HashMap<Panel, usize>;

/// Scroll positions in columns; 0 is the first. Only the view knows how many columns fit: it reports the limits of each
/// frame before the next input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PanelScroll {
    positions: HashMap<Panel, usize>,
    limits: ScrollLimits,
}

impl PanelScroll {
    /// The position of a panel's table.
    pub fn position(&self, panel: Panel) -> usize {
        self.positions.get(&panel).copied().unwrap_or(0)
    }

    /// The limits of the last frame.
    pub fn limits(&self) -> &ScrollLimits {
        &self.limits
    }

    /// Sets the limits of a frame. Positions are kept, so that the columns are the same after the screen was narrow for
    /// a moment.
    pub(super) fn set_limits(&mut self, limits: ScrollLimits) {
        self.limits = limits;
    }

    /// Scrolls back to the first column.
    pub(super) fn reset(&mut self, panel: Panel) {
        self.positions.remove(&panel);
    }

    /// Scrolls by columns, to the left if `by` is negative. Returns whether the position changed.
    pub(super) fn scroll(&mut self, panel: Panel, by: isize) -> bool {
        let limit = self.limits.get(&panel).copied().unwrap_or(panel.columns().saturating_sub(1));
        // On a wider screen, the last position is an earlier one.
        let now = self.position(panel).min(limit);
        let then = now.saturating_add_signed(by).min(limit);
        self.positions.insert(panel, then);
        then != now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_stay_between_the_ends() {
        let mut scroll = PanelScroll::default();
        assert!(!scroll.scroll(Panel::Holders, -1));
        while scroll.scroll(Panel::Holders, 1) {}
        assert_eq!(scroll.position(Panel::Holders), Panel::Holders.columns() - 1);
        assert!(scroll.scroll(Panel::Holders, -1));
        assert_eq!(scroll.position(Panel::Tokens), 0, "each panel has its own");
        assert!(!scroll.scroll(Panel::About, 1), "it has no table");
    }

    #[test]
    fn positions_stay_within_the_limits_of_the_frame() {
        let mut scroll = PanelScroll::default();
        while scroll.scroll(Panel::Holders, 1) {}
        scroll.set_limits(ScrollLimits::from([(Panel::Holders, 1), (Panel::Tokens, 0)]));
        assert!(scroll.scroll(Panel::Holders, -1), "from the limit");
        assert_eq!(scroll.position(Panel::Holders), 0);
        assert!(scroll.scroll(Panel::Holders, 1) && !scroll.scroll(Panel::Holders, 1));
        assert!(!scroll.scroll(Panel::Tokens, 1), "all columns are visible");
    }
}
