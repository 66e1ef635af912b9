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

/// The coin of the open view.
#[derive(Clone, Copy, Debug)]
pub enum OpenCoin<'a> {
    /// The coin as it is known now.
    Known(&'a Coin),
    /// The last copy of the coin, which its list doesn't have any more.
    Last(&'a LastCoin),
}

impl<'a> OpenCoin<'a> {
    /// The coin.
    pub fn coin(self) -> &'a Coin {
        match self {
            OpenCoin::Known(coin) => coin,
            OpenCoin::Last(last) => &last.coin,
        }
    }

    /// The last copy of the coin, if it is no longer known.
    pub fn last(self) -> Option<&'a LastCoin> {
        match self {
            OpenCoin::Known(_) => None,
            OpenCoin::Last(last) => Some(last),
        }
    }
}
