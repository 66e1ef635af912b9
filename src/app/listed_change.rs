//! Changes over a period, as the lists of coins have them.

use crate::model::{Currency, Period};
use crate::user_data::Watched;

use super::state::State;

impl State {
    /// The change of a coin over a period in percent, as the lists of coins have it: over a day and seven days. The change
    /// of a series differs a little, since its points are at other times.
    pub fn listed_change(&self, coin: &Watched, period: Period, convert: &Currency) -> Option<f64> {
        let listed = self.held_coin(coin).filter(|_| !coin.is_bare()).filter(|listed| listed.convert == *convert)?;
        match period {
            Period::Day => listed.change_24h_pct,
            Period::Week => listed.change_7d_pct,
            Period::Month | Period::Quarter | Period::Year => None,
        }
    }
}
