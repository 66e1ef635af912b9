//! Changes over a period, as the lists of coins have them.

use crate::model::{Coin, Currency, Period, Point};
use crate::user_data::Watched;

use crate::app::state::State;

impl State {
    /// The change of a coin over the period of a chart in percent, as the newest copy of the coin has it: over a day and
    /// seven days, if the points cover them. The change between points differs slightly, since their times differ.
    pub fn listed_change(&self, coin: &Watched, period: Period, points: &[Point], convert: &Currency) -> Option<f64> {
        self.change_of_listed(self.listed_coin(coin, convert)?, period, points)
    }

    /// The change like [`State::listed_change`], with the newest copy at hand.
    pub fn change_of_listed(&self, listed: &Coin, period: Period, points: &[Point]) -> Option<f64> {
        if !period.is_covered_by(points, self.now) {
            return None;
        }
        match period {
            Period::Day => listed.change_24h_pct,
            Period::Week => listed.change_7d_pct,
            Period::Month | Period::Quarter | Period::Year | Period::AllTime => None,
        }
    }
}
