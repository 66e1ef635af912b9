//! The choice between live and simulated data in the dashboard.

/// What the user has done about the offer of live data, in this run or an earlier one.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveChoice {
    /// Whether live data was chosen instead of simulated data; `None` if the configuration decides.
    pub live: Option<bool>,
    /// Whether the line with the offer is hidden.
    pub hides_offer: bool,
}

impl LiveChoice {
    /// Whether the user has neither chosen nor hidden the offer.
    pub fn is_open(self) -> bool {
        self.live.is_none() && !self.hides_offer
    }

    /// Restores what was done in an earlier run. What was done in this run is kept.
    pub(in crate::app) fn restore(&mut self, earlier: LiveChoice) {
        self.live = self.live.or(earlier.live);
        self.hides_offer |= earlier.hides_offer;
    }
}
