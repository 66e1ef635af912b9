//! What a coin costs and trades at a time.

use super::super::noise::{Walk, hash, reach, significant};
use super::catalogue::Coin;

/// Seconds between the turns of the price's octaves: from one that moves with every tick to most of a year. No period
/// is a multiple of another, or of a chart's step.
const PRICE_PERIODS: [i64; 11] = [23, 97, 389, 1_553, 6_211, 24_851, 99_401, 397_591, 1_590_371, 6_361_487, 21_445_901];

/// The same for the volume, which is a sum over a day and turns slowly.
const VOLUME_PERIODS: [i64; 5] = [1_801, 7_207, 28_813, 115_249, 922_013];

/// How far the whole market moves in a day, as a share: less than most coins by themselves, so that some rise while
/// others fall.
const MARKET_DAILY: f64 = 0.006;
/// How far a wrapped bitcoin strays from bitcoin.
const PEG_DAILY: f64 = 0.000_4;
/// How far a volume moves in a day.
const VOLUME_DAILY: f64 = 0.16;

/// Digits of a price. Everything that names a price names it in these, so that equal prices are equal numbers.
const DIGITS: i32 = 7;

/// The market's common move, the logarithm of a factor.
pub(super) struct Mood(Walk<11>);

impl Mood {
    /// Of this world.
    pub(super) fn new(seed: u64) -> Mood {
        Mood(Walk::new(hash(seed, 0x300d), &PRICE_PERIODS, MARKET_DAILY))
    }

    /// At a time, seconds since the epoch.
    pub(super) fn at(&mut self, secs: i64) -> f64 {
        self.0.at(secs)
    }
}

/// The price of one coin over time, US dollars.
pub(super) struct Price {
    anchor: f64,
    beta: f64,
    walk: Walk<11>,
    /// How a wrapped bitcoin strays from bitcoin.
    stray: Option<Walk<11>>,
}

impl Price {
    /// Of this coin. `bitcoin` is what the wrapped ones follow.
    pub(super) fn new(seed: u64, coin: &Coin, bitcoin: &Coin) -> Price {
        let key = |coin: &Coin| hash(seed, u64::from(coin.id) << 8);
        let moved = if coin.wraps_bitcoin { bitcoin } else { coin };
        Price {
            anchor: coin.price,
            beta: moved.beta,
            walk: Walk::new(key(moved), &PRICE_PERIODS, moved.daily),
            stray: coin.wraps_bitcoin.then(|| Walk::new(key(coin), &PRICE_PERIODS, PEG_DAILY)),
        }
    }

    /// At a time, in the market's mood of that time.
    pub(super) fn at(&mut self, secs: i64, mood: f64) -> f64 {
        let stray = self.stray.as_mut().map_or(0.0, |walk| walk.at(secs));
        significant(self.anchor * (self.walk.at(secs) + self.beta * mood + stray).exp(), DIGITS)
    }

    /// Logarithms of how far it can ever move by itself, and with the market.
    pub(super) fn reach(coin: &Coin, bitcoin: &Coin) -> Reach {
        let moved = if coin.wraps_bitcoin { bitcoin } else { coin };
        let stray = if coin.wraps_bitcoin { reach(&PRICE_PERIODS, PEG_DAILY) } else { 0.0 };
        Reach {
            own: reach(&PRICE_PERIODS, moved.daily) + stray,
            market: moved.beta,
            of_market: reach(&PRICE_PERIODS, MARKET_DAILY),
        }
    }
}

/// How far a price can move, in logarithms.
pub(super) struct Reach {
    /// By itself.
    pub(super) own: f64,
    /// Its share of the market's moves.
    pub(super) market: f64,
    /// How far the market can move.
    pub(super) of_market: f64,
}

/// The volume of 24 h of one coin over time, US dollars.
pub(super) struct Volume {
    anchor: f64,
    walk: Walk<5>,
}

impl Volume {
    /// Of this coin.
    pub(super) fn new(seed: u64, coin: &Coin) -> Volume {
        let key = hash(seed, (u64::from(coin.id) << 8) | 1);
        Volume { anchor: coin.volume, walk: Walk::new(key, &VOLUME_PERIODS, VOLUME_DAILY) }
    }

    /// At a time.
    pub(super) fn at(&mut self, secs: i64) -> f64 {
        significant(self.anchor * self.walk.at(secs).exp(), DIGITS)
    }
}
