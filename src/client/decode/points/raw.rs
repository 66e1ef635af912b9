//! Points before the currency of their series is known.

use crate::model::UtcTime;

/// Price, volume and market cap.
pub(super) type Figures = [Option<f64>; 3];

/// A point with values in the stated (or unstated) currency, and in the requested currency if the service has both.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub(super) time: UtcTime,
    pub(super) figures: Figures,
    pub(super) converted: Option<Figures>,
    /// Number of the currency in `Reader::stated`; 0 if none is stated.
    pub(super) currency: u8,
    /// Number of the coin in `Reader::coins`; 0 if the row doesn't name one.
    pub(super) coin: u8,
    /// Whether a row of a candle has its columns in a known order.
    pub(super) candle: Option<Fit>,
    /// Whether the volume covers one candle, not 24 hours.
    pub(super) has_candle_volume: bool,
    /// The unit of the volume.
    pub(super) volume_unit: VolumeUnit,
    /// Whether its volume is in a column without a name, so that it may be anything.
    pub(super) is_unnamed: bool,
}

impl Raw {
    /// A point with values in an unstated currency.
    pub(super) fn new(time: UtcTime, figures: Figures) -> Raw {
        Raw {
            time,
            figures,
            converted: None,
            currency: 0,
            coin: 0,
            candle: None,
            has_candle_volume: false,
            volume_unit: VolumeUnit::Money,
            is_unnamed: false,
        }
    }
}

/// The unit of a volume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum VolumeUnit {
    /// In the currency of the price.
    #[default]
    Money,
    /// In money or in coins: the `volume` of a candle without a stated currency.
    Unstated,
    /// Probably in coins: the `volume` of a candle from an exchange, which names its pair or writes numbers as strings.
    OfExchange,
}

/// How the prices of a row fit the orders whose fourth price is the close.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// In any order.
    Any,
    /// Only in these orders.
    Yes,
    /// Also in another order.
    Unclear,
    No,
}
