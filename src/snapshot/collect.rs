//! Selects the responses that go into the snapshot.

use std::sync::Arc;
use std::time::Duration;

use crate::app::responses::CachedResponse;
use crate::app::screen::ListScreen;
use crate::app::screen::list::{Sort, SortColumn};
use crate::app::{State, Tab};
use crate::client::{Request, ResponseData};
use crate::fetch::Receipt;
use crate::model::coin::GAP;
use crate::model::{Coin, CoinId, Page, Tag, UtcTime};

/// Rows of the list for the first frame, more than any screen has.
const FIRST_ROWS: usize = 200;

/// Maximum points of a sparkline in the first frame, shown until the rest is read.
const MAX_TREND_POINTS: usize = 24;

/// Maximum age of responses.
const MAX_AGE: Duration = Duration::from_hours(7 * 24);

/// Maximum number of responses; less than [`crate::fetch::MAX_APP_RESPONSES`], so that the app has room for all.
pub(super) const MAX_RESPONSES: usize = 200;

/// The responses to write. Cheap to create: responses are shared, not copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The responses for the first frame, abridged.
    pub(super) first: Vec<CachedResponse>,
    /// All responses, most recently used first.
    pub(super) all: Vec<CachedResponse>,
}

impl Contents {
    /// Collects the responses from the state.
    pub fn from_state(state: &State) -> Contents {
        let kept = |(request, entry): (&Request, &crate::app::responses::Entry)| {
            Some(CachedResponse {
                request: request.clone(),
                response: entry.response.clone()?,
                receipt: entry.receipt.clone()?,
                abridged: entry.abridged,
            })
        };
        let keep = |kept: &CachedResponse| !kept.abridged && is_worth_keeping(kept, state.now);
        let all: Vec<CachedResponse> =
            state.responses.all().into_iter().filter_map(kept).filter(keep).take(MAX_RESPONSES).collect();
        let list = first_list(state);
        let pages = list.first_frame(FIRST_ROWS).into_iter();
        let part = |(start, coins): (u32, Vec<&Coin>)| {
            let whole = list.cached_response(&list.page_request(start, &state.convert)).filter(keep)?;
            let ResponseData::Coins(page) = &*whole.response else { return None };
            let rows = whole.receipt.rows.max(page.items.len());
            let items = coins.into_iter().map(|coin| abridge(coin, list)).collect();
            let response = Arc::new(ResponseData::Coins(Page { items, total: page.total }));
            Some(CachedResponse { response, receipt: Receipt { rows, ..whole.receipt }, abridged: true, ..whole })
        };
        let first: Option<Vec<CachedResponse>> = pages.map(part).collect();
        Contents { first: first.unwrap_or_default(), all }
    }

    /// Whether `other` should be added: it is newer than the response to the same request, if any.
    pub(super) fn lacks(&self, other: &CachedResponse, now: UtcTime) -> bool {
        let own = self.all.iter().find(|own| own.request == other.request);
        is_worth_keeping(other, now) && own.is_none_or(|own| own.receipt.fetched_at < other.receipt.fetched_at)
    }

    /// Adds newer responses of another instance.
    pub(super) fn merge(mut self, others: Vec<CachedResponse>, now: UtcTime) -> Contents {
        for other in others {
            if !self.lacks(&other, now) {
                continue;
            }
            if let Some(own) = self.all.iter_mut().find(|own| own.request == other.request) {
                *own = other;
            } else if self.all.len() < MAX_RESPONSES {
                self.all.push(other);
            }
        }
        self
    }
}

/// What the first frame of the next run depends on, besides the responses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstFrame {
    tag: Tag,
    sort: Sort,
    selected: Option<CoinId>,
}

impl FirstFrame {
    /// What the first frame of `state` depends on.
    pub fn of(state: &State) -> FirstFrame {
        let list = first_list(state);
        FirstFrame { tag: list.tag, sort: list.sort, selected: list.saved_coin() }
    }
}

/// The list of the first frame: the next run starts with the current tab.
fn first_list(state: &State) -> &ListScreen {
    state.list(if let Tab::List(tag) = state.tab { tag } else { Tag::All })
}

/// Whether a response is recent, not empty, and still of use in the next run. An empty one would replace one with rows.
fn is_worth_keeping(kept: &CachedResponse, now: UtcTime) -> bool {
    let is_never_kept = matches!(
        kept.request,
        Request::Sources | Request::CoinNames | Request::HistoricalRates { .. } | Request::InscriptionImage { .. }
    );
    !is_never_kept && !kept.response.is_empty() && now.since(kept.receipt.fetched_at) <= MAX_AGE
}

/// Returns a coin without the fields that no column of the list shows.
fn abridge(coin: &Coin, list: &ListScreen) -> Coin {
    let downsample = if list.sort.column == SortColumn::Trend { downsample_between_ends } else { downsample };
    Coin {
        sparkline_7d: downsample(list.trend(coin)),
        // Only the token view and filters use these.
        tags: Arc::default(),
        links: Vec::new(),
        contracts: Vec::new(),
        all_time_low: None,
        total_supply: None,
        max_supply: None,
        ..coin.clone()
    }
}

/// Reduces a series to the means of at most [`MAX_TREND_POINTS`] equal intervals. An interval without prices is a gap.
fn downsample(series: &[f64]) -> Vec<f64> {
    if series.len() <= MAX_TREND_POINTS {
        return series.to_vec();
    }
    let mean = |index: usize| {
        let part = series
            .get(index * series.len() / MAX_TREND_POINTS..(index + 1) * series.len() / MAX_TREND_POINTS)
            .unwrap_or_default();
        let count = part.iter().filter(|value| **value != GAP).count();
        let priced = part.iter().filter(|value| **value != GAP);
        if count == 0 { GAP } else { priced.map(|value| value / count as f64).sum() }
    };
    (0..MAX_TREND_POINTS).map(mean).collect()
}

/// Downsamples like [`downsample`], but keeps the first and the last price: a list is sorted by the change between
/// them.
fn downsample_between_ends(series: &[f64]) -> Vec<f64> {
    let mut short = downsample(series);
    let is_price = |value: &&f64| **value != GAP;
    if let (Some(first), Some(last)) = (series.iter().find(is_price), series.iter().rfind(is_price)) {
        let mut prices = short.iter_mut().filter(|value| **value != GAP);
        let ends = (prices.next(), prices.next_back());
        ends.0.into_iter().for_each(|end| *end = *first);
        ends.1.into_iter().for_each(|end| *end = *last);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn downsampled_trend_keeps_its_shape() {
        let long: Vec<f64> = (0..168).map(|hour| f64::from(hour) / 7.0).collect();
        let short = downsample(&long);
        assert_eq!(short.len(), MAX_TREND_POINTS);
        assert!(short.is_sorted());
        assert!((short[0] - 3.0 / 7.0).abs() < 1e-6, "{}", short[0]);
        let sorted = downsample_between_ends(&long);
        assert_eq!((sorted[0], sorted.last(), &sorted[1..23]), (long[0], long.last(), &short[1..23]));
        assert_eq!(downsample(&[1.0, 2.0]), [1.0, 2.0]);
        let gaps: Vec<f64> = (0..168).map(|hour| if hour < 100 || hour % 2 == 0 { GAP } else { 7.0 }).collect();
        let short = downsample(&gaps);
        assert_eq!((short[0], short[MAX_TREND_POINTS - 1]), (GAP, 7.0));
        assert!(downsample(&[f64::MAX; 100]).iter().all(|value| !value.is_nan()));
    }
}
