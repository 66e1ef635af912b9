//! Price histories of pairs.

use crate::client::decode::identity;
use crate::client::decode::pair_name;
use crate::client::decode::read::Context;
use crate::model::{Currency, MarketSeries, Text};

/// Keeps one of several pairs of a coin: the one in the requested currency, or else in dollars, or else the first.
/// Returns the number of others.
pub(super) fn keep_one_pair(
    series: &mut Vec<MarketSeries>,
    symbols: &[Text],
    requested: &Currency,
    context: &mut Context<'_>,
) -> usize {
    let rank = |one: &MarketSeries| match &one.convert {
        convert if convert == requested => 0,
        convert => u8::from(*convert != Currency::usd()) + 1,
    };
    let before = series.len();
    for symbol in symbols {
        let is_pair = |one: &MarketSeries| {
            pair_name::split(&one.symbol).is_some_and(|(base, _)| identity::is_series_of(base, symbol))
        };
        let pairs = series.iter().enumerate().filter(|(_, one)| is_pair(one));
        let Some((best, _)) = pairs.min_by_key(|(_, one)| rank(one)) else { continue };
        let mut places = 0..;
        series.retain(|one| places.next() == Some(best) || !is_pair(one));
    }
    let skipped = before - series.len();
    if skipped > 0 {
        context.warn(|| format!("skipped {skipped} series in other currencies"));
    }
    skipped
}
