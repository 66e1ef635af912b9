//! Where a coin trades: pairs whose prices scatter around the list's and whose volumes sum to it.

use std::sync::OnceLock;

use super::Market;
use super::catalogue::{Coin, words};
use super::money::Money;
use crate::service::demo::noise::{Octave, hash, index, pick, signed, significant, unit};

/// What a coin is quoted in, the most common first.
const QUOTES: [&str; 12] = ["USDT", "USD", "USDC", "BTC", "EUR", "ETH", "FDUSD", "KRW", "TRY", "BRL", "BNB", "JPY"];
/// Where the coin itself would be the quote.
const SPARE_QUOTE: &str = "GBP";
/// Steps through the exchanges that meet all of them: they share no factor with the number of exchanges, 60.
const STRIDES: [usize; 6] = [1, 7, 11, 13, 17, 19];

/// One market pair. Money is in the currency that was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    /// Identity.
    pub(crate) id: u64,
    /// Name of the exchange.
    pub(crate) exchange: String,
    /// What the coin is quoted in.
    pub(crate) quote: &'static str,
    /// Not spot.
    pub(crate) derivative: bool,
    /// The price is far from all others.
    pub(crate) outlier: bool,
    /// Price.
    pub(crate) price: f64,
    /// Traded in 24 h.
    pub(crate) volume: f64,
    /// Share of the coin's volume, percent.
    pub(crate) share: f64,
    /// Money that moves the price up by 2 %; unknown for derivatives.
    pub(crate) depth_up: Option<f64>,
    /// Money that moves the price down by 2 %.
    pub(crate) depth_down: Option<f64>,
    /// Seconds since the epoch of its last trade.
    pub(crate) updated: i64,
}

/// How many pairs a coin has: 3 to 200, by its usual volume.
pub(crate) fn pair_count(coin: &Coin) -> usize {
    let size = ((coin.volume.log10() - 3.0) / 7.6).clamp(0.0, 1.0);
    ((size * size * 210.0) as usize).clamp(3, 200)
}

/// All exchanges, the busiest first.
pub(super) fn exchanges() -> &'static [&'static str] {
    static NAMES: OnceLock<Vec<&str>> = OnceLock::new();
    NAMES.get_or_init(|| words("exchange"))
}

impl Market {
    /// The pairs of a coin, the most traded first.
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

/// A pair before the volumes are shared out.
struct Draft<'a> {
    coin: &'a Coin,
    key: u64,
    /// Place of the exchange: the first ones trade most.
    place: usize,
    /// How many pairs the exchange has already.
    round: usize,
    /// One of the coin's first pairs, which are never odd.
    first: bool,
}

impl Draft<'_> {
    fn pair(&self, exchange: &str, price: f64, now: i64) -> (Pair, f64) {
        let draw = |salt: u64| hash(self.key, salt);
        // Which quotes an exchange offers first is its own habit, the same for all coins.
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
