//! Market pairs. Prices scatter around the coin's price; volumes add up to the coin's volume.

use std::sync::OnceLock;

use super::Market;
use super::catalogue::{Coin, words};
use super::money::Money;
use crate::service::demo::noise::{Octave, hash, index, pick, signed, significant, unit};

/// Quote assets, most common first.
const QUOTES: [&str; 12] = ["USDT", "USD", "USDC", "BTC", "EUR", "ETH", "FDUSD", "KRW", "TRY", "BRL", "BNB", "JPY"];
/// Replacement if the coin itself is the quote asset.
const SPARE_QUOTE: &str = "GBP";
/// Strides that visit all exchanges, because they are coprime to their number, 60.
const STRIDES: [usize; 6] = [1, 7, 11, 13, 17, 19];

/// A market pair. Prices are in the requested currency.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Id.
    pub(crate) id: u64,
    /// Name of the exchange.
    pub(crate) exchange: String,
    /// Quote asset.
    pub(crate) quote: &'static str,
    /// Whether it is a derivative.
    pub(crate) derivative: bool,
    /// Whether the price is an outlier.
    pub(crate) outlier: bool,
    /// Price.
    pub(crate) price: f64,
    /// 24-hour volume.
    pub(crate) volume: f64,
    /// Percentage of the coin's volume.
    pub(crate) share: f64,
    /// +2 % depth; unknown for derivatives.
    pub(crate) depth_up: Option<f64>,
    /// −2 % depth.
    pub(crate) depth_down: Option<f64>,
    /// Time of the last trade in seconds since the epoch.
    pub(crate) updated: i64,
}

/// Number of pairs of a coin: 3 to 200, by its average volume.
pub(crate) fn pair_count(coin: &Coin) -> usize {
    let size = ((coin.volume.log10() - 3.0) / 7.6).clamp(0.0, 1.0);
    ((size * size * 210.0) as usize).clamp(3, 200)
}

/// All exchanges, busiest first.
pub(super) fn exchanges() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    NAMES.get_or_init(|| words("exchange"))
}

impl Market {
    /// Pairs of a coin, largest volume first.
    pub(crate) fn pairs(&self, coin: &Coin, money: Money, now: i64) -> Vec<Pair> {
        let Some(total) = self.line(coin, money, &[now]).pop() else { return Vec::new() };
        let key = hash(self.seed, (u64::from(coin.id) << 8) | 3);
        let names = exchanges();
        let (start, stride) = (index(key, names.len()), pick(hash(key, 1), &STRIDES));
        let count = pair_count(coin);
        let mut drafts: Vec<(Pair, f64)> = (0..count)
            .map(|number| {
                let place = (start + number * stride) % names.len().max(1);
                let round = number / names.len().max(1);
                let draft = Draft { coin, key: hash(key, 16 + number as u64), place, round, first: number < 3 };
                draft.pair(names.get(place).copied().unwrap_or_default(), total.price, now)
            })
            .collect();
        let weights: f64 = drafts.iter().map(|(_, weight)| weight).sum();
        for (pair, weight) in &mut drafts {
            let share = *weight / weights;
            pair.volume = significant(total.volume * share, 9);
            pair.share = significant(share * 100.0, 5);
            let depth = |salt| significant(pair.volume * (0.002 + 0.01 * unit(hash(pair.id, salt))), 6);
            (pair.depth_up, pair.depth_down) =
                if pair.derivative { (None, None) } else { (Some(depth(1)), Some(depth(2))) };
        }
        drafts.sort_by(|(a, _), (b, _)| b.volume.total_cmp(&a.volume));
        drafts.into_iter().map(|(pair, _)| pair).collect()
    }
}

/// A pair without its share of the volume.
struct Draft<'a> {
    coin: &'a Coin,
    key: u64,
    /// Index of the exchange; the first ones trade the most.
    place: usize,
    /// Number of pairs that the exchange already has.
    round: usize,
    /// Whether it is one of the coin's first pairs, which are never outliers.
    first: bool,
}

impl Draft<'_> {
    fn pair(&self, exchange: &str, price: f64, now: i64) -> (Pair, f64) {
        let draw = |salt: u64| hash(self.key, salt);
        // Each exchange has its own order of quote assets.
        let habit = pick(hash(self.place as u64, 77), &[0, 0, 0, 1, 2]);
        let quote =
            pick_at(&QUOTES, habit + self.round).filter(|quote| *quote != self.coin.symbol).unwrap_or(SPARE_QUOTE);
        let outlier = !self.first && unit(draw(1)) < 0.04;
        let derivative = !self.first && !outlier && self.coin.volume > 3e6 && unit(draw(2)) < 0.08;
        let spread = 0.000_2 + 0.003 * unit(draw(3)) * (self.place as f64 / 60.0);
        let moving = 1.0 + spread * Octave::new(draw(4), 61).at(now);
        let odd = if outlier { 1.0 + (0.04 + 0.1 * unit(draw(5))) * signed(draw(6)).signum() } else { 1.0 };
        let weight = (1.0 / (self.place as f64 + 3.0)) / (1.0 + 2.0 * self.round as f64)
            * (1.2 * signed(draw(7)) + 0.3 * Octave::new(draw(8), 7_213).at(now)).exp()
            * if outlier { 0.01 } else { 1.0 };
        let pair = Pair {
            id: self.key % 9_000_000 + 1_000_000,
            exchange: exchange.replace('-', " "),
            quote,
            derivative,
            outlier,
            price: significant(price * moving * odd, 7),
            volume: 0.0,
            share: 0.0,
            depth_up: None,
            depth_down: None,
            updated: now - index(draw(9), 55) as i64,
        };
        (pair, weight)
    }
}

fn pick_at<'a>(items: &[&'a str], place: usize) -> Option<&'a str> {
    items.get(place % items.len().max(1)).copied()
}
