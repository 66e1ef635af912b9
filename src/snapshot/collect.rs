//! What of the state is worth keeping.

use std::sync::Arc;
use std::time::Duration;

use crate::app::State;
use crate::app::screen::ListScreen;
use crate::app::store::Kept;
use crate::client::{Answer, Request};
use crate::model::{Coin, Page, Tag, UtcTime};

/// Coins of the first page, beyond which a page is cut: more than any screen has rows.
const ROWS: usize = 250;

/// Points of a trend in the first page: its picture, for the moment until the rest is read.
const TREND: usize = 24;

/// Answers older than this say nothing any more.
const OLDEST: Duration = Duration::from_hours(7 * 24);

/// The most answers that are kept; fewer than [`crate::fetch::KEPT_BY_APP`], so that all that is restored has room.
pub(super) const MOST: usize = 200;

/// What a run has seen, for the next one. Cheap to make: answers are shared, not copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// What the first frame needs, abridged to that.
    pub(super) first: Option<Kept>,
    /// Everything, what was wanted last first.
    pub(super) all: Vec<Kept>,
}

impl Seen {
    /// Gathers it from the state.
    pub fn of(state: &State) -> Seen {
        let kept = |(request, entry): (&Request, &crate::app::store::Entry)| {
            Some(Kept {
                request: request.clone(),
                answer: entry.answer.clone()?,
                receipt: entry.receipt.clone()?,
                abridged: entry.abridged,
            })
        };
        let worth = |kept: &Kept| !kept.abridged && is_recent(kept, state.now);
        let all: Vec<Kept> = state.store.all().into_iter().filter_map(kept).filter(worth).take(MOST).collect();
        // The next run begins with the first list in the configured currency, whatever this one shows now.
        let list = state.list(Tag::All);
        let request = list.first_request(&state.preferences.convert);
        let whole = all.iter().find(|kept| kept.request == request);
        let first = whole.and_then(|whole| match &*whole.answer {
            Answer::Coins(page) => {
                Some(Kept { answer: Arc::new(Answer::Coins(abridge(page, list))), abridged: true, ..whole.clone() })
            }
            _ => None,
        });
        Seen { first, all }
    }

    /// Whether an answer of another run is news.
    pub(super) fn lacks(&self, other: &Kept, now: UtcTime) -> bool {
        let own = self.all.iter().find(|own| own.request == other.request);
        is_recent(other, now) && own.is_none_or(|own| own.receipt.fetched_at < other.receipt.fetched_at)
    }

    /// The same with what another run has seen later, or beside it.
    pub(super) fn joined(mut self, others: Vec<Kept>, now: UtcTime) -> Seen {
        for other in others {
            if !self.lacks(&other, now) {
                continue;
            }
            if let Some(own) = self.all.iter_mut().find(|own| own.request == other.request) {
                *own = other;
            } else if self.all.len() < MOST {
                self.all.push(other);
            }
        }
        self
    }
}

fn is_recent(kept: &Kept, now: UtcTime) -> bool {
    now.since(kept.receipt.fetched_at) <= OLDEST
}

/// A page with what its rows show, and no more.
fn abridge(page: &Page<Coin>, list: &ListScreen) -> Page<Coin> {
    let items = page.items.iter().take(ROWS).map(|coin| Coin {
        slug: coin.slug.clone(),
        rank: coin.rank,
        convert: coin.convert.clone(),
        price: coin.price,
        change_1h_pct: coin.change_1h_pct,
        change_24h_pct: coin.change_24h_pct,
        change_7d_pct: coin.change_7d_pct,
        high_24h: coin.high_24h,
        low_24h: coin.low_24h,
        volume_24h: coin.volume_24h,
        market_cap: coin.market_cap,
        sparkline_7d: shortened(list.trend(coin)),
        updated_at: coin.updated_at,
        ..Coin::new(coin.id.clone(), coin.name.clone(), coin.symbol.clone())
    });
    Page { items: items.collect(), total: page.total }
}

/// A series as the means of at most [`TREND`] equal stretches, in the digits that a picture needs.
fn shortened(series: &[f64]) -> Vec<f64> {
    let single = |value: f64| {
        let single = value as f32;
        if single.is_normal() { f64::from(single) } else { value }
    };
    if series.len() <= TREND {
        return series.iter().copied().map(single).collect();
    }
    let stretch = |index: usize| {
        let part = series.get(index * series.len() / TREND..(index + 1) * series.len() / TREND).unwrap_or_default();
        single(part.iter().map(|value| value / part.len() as f64).sum())
    };
    (0..TREND).map(stretch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_trend_has_the_form_of_the_long_one() {
        let long: Vec<f64> = (0..168).map(|hour| f64::from(hour) / 7.0).collect();
        let short = shortened(&long);
        assert_eq!(short.len(), TREND);
        assert!(short.is_sorted());
        assert!((short[0] - 3.0 / 7.0).abs() < 1e-6, "{}", short[0]);
        assert_eq!(shortened(&[1.0, 2.0]), [1.0, 2.0]);
        assert!(shortened(&[f64::MAX; 100]).iter().all(|value| !value.is_nan()));
    }
}
