//! Changes over a period, as the lists of coins have them.

use crate::model::{CoinId, Currency, Period, Point};
use crate::user_data::Watched;

use super::state::State;

impl State {
    /// The change of a coin over the period of a chart in percent, as the newest copy of the coin has it: over a day and
    /// seven days, if the points cover them. The change between points differs slightly, since their times differ.
    pub fn listed_change(&self, coin: &Watched, period: Period, points: &[Point], convert: &Currency) -> Option<f64> {
        if coin.has_only_symbol() || !period.is_covered_by(points, self.now) {
            return None;
        }
        let by_id = coin.id.as_ref().and_then(|id| self.coin(&CoinId(id.clone())));
        let listed = by_id.or_else(|| self.held_coin(coin)).filter(|listed| listed.convert == *convert)?;
        match period {
            Period::Day => listed.change_24h_pct,
            Period::Week => listed.change_7d_pct,
            Period::Month | Period::Quarter | Period::Year => None,
        }
    }
}
