//! The widths of the columns of the markets panel.

use std::fmt::Write as _;

use compact_str::format_compact;

use super::kind::kind;
use crate::format::{ComparedPrice, FullMoney};
use crate::model::MarketPair;
use crate::view::widgets::text;

/// The column widths that a token's markets need; they rarely change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Widths {
    /// The name of an exchange.
    pub(super) exchange: u16,
    /// The pair, with its kind unless it is a spot market.
    pub(super) pair: u16,
    /// The part of a price before the decimal point.
    pub(super) whole: u16,
    /// The decimal point of a price and the part after it.
    pub(super) fraction: u16,
    /// Whether there are outliers.
    pub(super) outliers: bool,
    /// Whether any market has a depth.
    pub(super) has_depth: bool,
    /// Set if the panel has the whole screen: amounts are not shortened.
    pub(super) full: Option<FullWidths>,
}

/// The column widths of amounts that are not shortened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct FullWidths {
    pub(super) volume: u16,
    pub(super) depth: u16,
    /// Whether any market has a time of its last update.
    pub(super) has_time: bool,
    /// Maximum share of the volume in percent.
    pub(super) share: f64,
}

impl FullWidths {
    fn of(pairs: &[MarketPair]) -> FullWidths {
        let sum = |sum: Option<f64>| text::width(&format_compact!("{}", FullMoney(sum)));
        pairs.iter().fold(FullWidths::default(), |widest, pair| FullWidths {
            volume: widest.volume.max(sum(pair.volume_24h)),
            depth: widest.depth.max(sum(pair.depth_minus_2pct)).max(sum(pair.depth_plus_2pct)),
            has_time: widest.has_time || pair.updated_at.is_some(),
            share: pair.volume_share_pct.map_or(widest.share, |share| share.max(widest.share)),
        })
    }
}

impl Widths {
    pub(super) fn of(pairs: &[MarketPair], is_full: bool) -> Widths {
        let mut text = String::new();
        let full = is_full.then(|| FullWidths::of(pairs));
        pairs.iter().fold(Widths { full, ..Widths::default() }, |widest, pair| {
            text.clear();
            let _ = write!(text, "{}", ComparedPrice(&pair.convert, pair.price));
            let whole = text.find('.').and_then(|at| text.get(..at)).map_or(text::width(&text), text::width);
            let fraction = text::width(&text) - whole;
            let marked = text::width(&pair.pair) + kind(pair).map_or(0, |kind| 1 + text::width(kind));
            Widths {
                exchange: widest.exchange.max(pair.exchange.as_deref().map_or(0, text::width)),
                pair: widest.pair.max(marked),
                whole: widest.whole.max(whole),
                fraction: widest.fraction.max(fraction),
                outliers: widest.outliers || pair.outlier == Some(true),
                has_depth: widest.has_depth || pair.depth_minus_2pct.or(pair.depth_plus_2pct).is_some(),
                full,
            }
        })
    }
}
