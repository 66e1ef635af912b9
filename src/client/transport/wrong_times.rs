//! Removes times that can't be right: data dated in the future would look new until that date.

use std::slice;
use std::time::Duration;

use super::future_points::MAX_AHEAD;
use crate::client::request::Warning;
use crate::client::response_data::ResponseData;
use crate::format::words::counted;
use crate::model::{Inscription, UtcTime};

/// The first block of Bitcoin; no coin, inscription or post about one is older.
const GENESIS: UtcTime = UtcTime::from_secs(1_231_006_505);

/// How far times other than of posts may be ahead: some services send local times without a zone, and blocks may be two
/// hours ahead.
const MAX_ZONE_AHEAD: Duration = Duration::from_hours(24);

/// Removes times that are later than `now` or before Bitcoin. Returns warnings.
pub(super) fn remove(response: &mut ResponseData, now: UtcTime) -> Vec<Warning> {
    let latest = now.plus(MAX_ZONE_AHEAD);
    let (what, [future, early]) = match response {
        ResponseData::Posts(page) => {
            ("post", clear(&mut page.items, now.plus(MAX_AHEAD), |post| [&mut post.posted_at]))
        }
        ResponseData::Coins(page) => ("coin", clear(&mut page.items, latest, |coin| [&mut coin.updated_at])),
        ResponseData::MarketPairs(page) => {
            ("market pair", clear(&mut page.items, latest, |pair| [&mut pair.updated_at]))
        }
        ResponseData::Brc20Tokens(page) => ("token", clear(&mut page.items, latest, |token| [&mut token.deployed_at])),
        ResponseData::Brc20Token(token) => {
            ("token", clear(slice::from_mut(&mut **token), latest, |token| [&mut token.deployed_at]))
        }
        ResponseData::Activity(page) => ("event", clear(&mut page.items, latest, |event| [&mut event.time])),
        ResponseData::Inscriptions(page) => ("inscription", clear(&mut page.items, latest, times)),
        ResponseData::Inscription(inscription) => {
            ("inscription", clear(slice::from_mut(&mut **inscription), latest, times))
        }
        ResponseData::InscriptionStats(page) => ("block", clear(&mut page.items, latest, |block| [&mut block.time])),
        _ => return Vec::new(),
    };
    let of_future = format!("ignored dates in the future ({})", counted(future, what));
    let of_early = format!("ignored dates before 2009 ({})", counted(early, what));
    let warnings = [(future, of_future), (early, of_early)];
    warnings.into_iter().filter(|(count, _)| *count > 0).map(|(_, warning)| warning).collect()
}

fn times(inscription: &mut Inscription) -> [&mut Option<UtcTime>; 2] {
    [&mut inscription.genesis_time, &mut inscription.time]
}

/// Clears the times of items that are after `latest` or before Bitcoin. Returns the numbers of items with either.
fn clear<T, const N: usize>(
    items: &mut [T],
    latest: UtcTime,
    times: impl Fn(&mut T) -> [&mut Option<UtcTime>; N],
) -> [usize; 2] {
    let (mut future, mut early) = (0, 0);
    for item in items {
        let (mut is_future, mut is_early) = (false, false);
        for time in times(item) {
            is_future |= time.take_if(|at| *at > latest).is_some();
            is_early |= time.take_if(|at| *at < GENESIS).is_some();
        }
        future += usize::from(is_future);
        early += usize::from(is_early);
    }
    [future, early]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Page, Post, Text};

    #[test]
    fn dates_of_posts_in_the_future_or_before_bitcoin_are_unknown() {
        let now = UtcTime::from_secs(1_795_075_200);
        let post = |at| Post {
            id: Text::const_new("1"),
            author: None,
            network: None,
            text: String::new(),
            likes: None,
            comments: None,
            reposts: None,
            posted_at: at,
            url: None,
            symbols: Vec::new(),
            language: None,
            sensitive: None,
        };
        let minutes = |minutes: u64| Some(now.plus(Duration::from_mins(minutes)));
        let kept = |times: &[Option<UtcTime>]| {
            let items = times.iter().copied().map(post).collect();
            let mut response = ResponseData::Posts(Page { items, total: None });
            let warnings = remove(&mut response, now);
            let ResponseData::Posts(page) = response else { panic!("{response:?}") };
            (page.items.into_iter().map(|post| post.posted_at).collect::<Vec<_>>(), warnings)
        };
        let plausible = [None, minutes(0), minutes(10), Some(GENESIS)];
        assert_eq!(kept(&plausible), (plausible.to_vec(), vec![]));
        let second = GENESIS.minus(Duration::from_secs(1));
        assert_eq!(
            kept(&[minutes(11), minutes(1), Some(UtcTime::from_secs(i64::MAX)), Some(second)]),
            (
                vec![None, minutes(1), None, None],
                vec![
                    String::from("ignored dates in the future (2 posts)"),
                    String::from("ignored dates before 2009 (1 post)")
                ]
            )
        );
    }
}
