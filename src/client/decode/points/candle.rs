//! Checks the order of the columns in candles without field names.
//!
//! Exchanges write `[time, open, high, low, close, …]` (Binance, OKX, Kraken), `[time, low, high, open, close, volume]`
//! (Coinbase), `[time, open, close, high, low, …]` (KuCoin, Bitfinex) and others. In the first two, the fourth price is
//! the close. All prices of a candle are between its low and its high, which reveals any other order in nearly every row.

use super::raw::{Figures, Fit, Raw, VolumeUnit};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::format::words::counted;
use crate::model::VolumeSpan;

/// Maximum ratio of the high to the low of Coinbase's candles. A volume in place of the high is usually much larger.
const MAX_RATIO: f64 = 10.0;

/// Checks four cells of a row. `may_begin_low` allows Coinbase's order.
pub(super) fn fit(cells: [Option<Value<'_>>; 4], may_begin_low: bool) -> Fit {
    let number = |cell: Option<Value<'_>>| -> Option<f64> {
        let cell = cell?;
        match cell.number() {
            Some(number) => number.parse().ok(),
            None => cell.str()?.replace(',', "").parse().ok(),
        }
    };
    // A gap.
    if cells[3].is_none() {
        return Fit::Any;
    }
    let [Some(first), Some(high), Some(third), Some(close)] = cells.map(number) else { return Fit::No };
    let lowest = first.min(third).min(close);
    if !(high >= first && high >= third && high >= close) {
        return Fit::No;
    }
    if third == lowest {
        return if high == lowest { Fit::Any } else { Fit::Yes };
    }
    if !may_begin_low || first != lowest || high > lowest * MAX_RATIO {
        return Fit::No;
    }
    // In the order of Bitfinex, the third price is the high and the fourth is the low.
    if third == high && close == lowest { Fit::Unclear } else { Fit::Yes }
}

/// Removes the values of candles whose columns are in another order, with a warning; false if that is most of them.
pub(super) fn check(context: &mut Context<'_>, raws: &mut [Raw]) -> bool {
    if raws.iter().all(|raw| raw.candle.is_none()) {
        return true;
    }
    let count = |fit| raws.iter().filter(|raw| raw.candle == Some(fit)).count();
    let (fitting, wrong) = (count(Fit::Yes), count(Fit::No));
    let is_known = wrong <= fitting;
    let mut skipped = 0;
    for raw in raws {
        let keeps = match raw.candle {
            None => true,
            Some(Fit::Any | Fit::Yes) => is_known,
            Some(Fit::Unclear) => is_known && fitting > 0,
            Some(Fit::No) => false,
        };
        if !keeps {
            raw.figures = Figures::default();
            skipped += 1;
        }
    }
    if skipped > 0 {
        context.warn(|| format!("skipped {} with inconsistent prices", counted(skipped, "candle")));
    }
    is_known
}

/// Removes the volumes of candles that may be in coins; returns whether there were any. In the format of the interface
/// (`is_own`), only those of an exchange may be.
pub(super) fn remove_volumes_in_coins(raws: &mut [Raw], is_own: bool) -> bool {
    let may_be_in_coins = |raw: &&mut Raw| match raw.volume_unit {
        VolumeUnit::Money => false,
        VolumeUnit::Unstated => !is_own,
        VolumeUnit::OfExchange => true,
    };
    let removed = raws.iter_mut().filter(may_be_in_coins).filter_map(|raw| raw.figures[1].take());
    removed.count() > 0
}

/// Returns the span of the volumes. If any point has a candle volume, removes 24-hour volumes with a warning.
pub(super) fn unify_volume_spans(context: &mut Context<'_>, raws: &mut [Raw]) -> VolumeSpan {
    if !raws.iter().any(|raw| raw.has_candle_volume && raw.figures[1].is_some()) {
        return VolumeSpan::Day;
    }
    let mut removed = 0;
    for raw in raws.iter_mut().filter(|raw| !raw.has_candle_volume) {
        removed += usize::from(raw.figures[1].take().is_some());
    }
    if removed > 0 {
        context.warn(|| format!("ignored 24-hour volumes mixed with candle volumes ({})", counted(removed, "point")));
    }
    VolumeSpan::Candle
}
