//! The last values of a coin whose view stays open after its list no longer has it.

use crate::model::{Coin, UtcTime};

/// The last copy of the open coin.
#[derive(Clone, Debug)]
pub struct LastCoin {
    /// The coin.
    pub coin: Coin,
    /// When it was up to date, if that is known.
    pub at: Option<UtcTime>,
    /// The provider of its list, if the service names one.
    pub provider: Option<String>,
}
