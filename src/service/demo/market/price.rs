//! Price and volume of a coin at a time.

use std::ops::RangeInclusive;

use super::super::noise::{Walk, hash, reach, significant};
use super::catalogue::Coin;

/// Periods of the price's octaves in seconds, from a few ticks to most of a year. No period is a multiple of another
/// one or of a chart's step.
const PRICE_PERIODS: [i64; 11] = [23, 97, 389, 1_553, 6_211, 24_851, 99_401, 397_591, 1_590_371, 6_361_487, 21_445_901];

/// Periods of the volume's octaves. The volume is a sum over a day and changes slowly.
const VOLUME_PERIODS: [i64; 5] = [1_801, 7_207, 28_813, 115_249, 922_013];

/// Daily volatility of the whole market as a share, less than most coins', so that some rise while others fall.
const MARKET_DAILY: f64 = 0.006;
/// Daily deviation of wrapped bitcoin from bitcoin.
const PEG_DAILY: f64 = 0.000_4;
/// Daily volatility of the volume.
const VOLUME_DAILY: f64 = 0.16;

/// Significant digits of all prices, so that equal prices are equal numbers.
const DIGITS: i32 = 7;

/// The common trend of the market, as the logarithm of a factor.
pub(super) struct MarketTrend(Walk<11>);

impl MarketTrend {
    /// Creates the trend of a world.
    pub(super) fn new(seed: u64) -> MarketTrend {
        MarketTrend(Walk::new(hash(seed, 0x300d), &PRICE_PERIODS, MARKET_DAILY))
    }

    /// The trend at a time in seconds since the epoch.
    pub(super) fn at(&mut self, secs: i64) -> f64 {
        self.0.at(secs)
    }
}

/// The price of a coin over time in US dollars.
pub(super) struct Price {
    anchor: f64,
    beta: f64,
    walk: Walk<11>,
    /// Deviation of wrapped bitcoin from bitcoin.
    stray: Option<Walk<11>>,
    stray_reach: f64,
}

impl Price {
    /// Creates the price of a coin. Wrapped bitcoin follows `bitcoin`.
    pub(super) fn new(seed: u64, coin: &Coin, bitcoin: &Coin) -> Price {
        let key = |coin: &Coin| hash(seed, u64::from(coin.id) << 8);
        let moved = if coin.wraps_bitcoin { bitcoin } else { coin };
        Price {
            anchor: coin.price,
            beta: moved.beta,
            walk: Walk::new(key(moved), &PRICE_PERIODS, moved.daily),
            stray: coin.wraps_bitcoin.then(|| Walk::new(key(coin), &PRICE_PERIODS, PEG_DAILY)),
            stray_reach: if coin.wraps_bitcoin { reach(&PRICE_PERIODS, PEG_DAILY) } else { 0.0 },
        }
    }

    /// The price at a time, given the market trend.
    pub(super) fn at(&mut self, secs: i64, trend: f64) -> f64 {
        let stray = self.stray.as_mut().map_or(0.0, |walk| walk.at(secs));
        significant(self.anchor * (self.walk.at(secs) + self.beta * trend + stray).exp(), DIGITS)
    }

    /// The logarithm of a price relative to the average one.
    pub(super) fn logarithm(&self, price: f64) -> f64 {
        (price / self.anchor).ln()
    }

    /// The logarithm of the price at a time, likewise, plus `base`, unless it is certainly within `range`.
    pub(super) fn outside(&mut self, range: &RangeInclusive<f64>, secs: i64, trend: f64, base: f64) -> Option<f64> {
        let value = self.walk.outside(range, secs, self.beta * trend + base, self.stray_reach)?;
        Some(value + self.stray.as_mut().map_or(0.0, |walk| walk.at(secs)))
    }
}

/// The 24-hour volume of a coin over time in US dollars.
pub(super) struct Volume {
    anchor: f64,
    walk: Walk<5>,
}

impl Volume {
    /// Creates the volume of a coin.
    pub(super) fn new(seed: u64, coin: &Coin) -> Volume {
        let key = hash(seed, (u64::from(coin.id) << 8) | 1);
        Volume { anchor: coin.volume, walk: Walk::new(key, &VOLUME_PERIODS, VOLUME_DAILY) }
    }

    /// The volume at a time.
    pub(super) fn at(&mut self, secs: i64) -> f64 {
        significant(self.anchor * self.walk.at(secs).exp(), DIGITS)
    }
}
