//! Provider timestamps in the future: the provider's clock is ahead, or the local one is behind. Shown as
//! they are, such data would look new until then.

use std::time::Duration;

use crate::client::ResponseData;
use crate::format::Span;
use crate::format::words::counted;
use crate::model::{Post, UtcTime};

/// Clocks differ by less than this.
const MAX_AHEAD: Duration = Duration::from_mins(5);

/// Replaces times that are too far ahead: with the newest of the others, or else with the time at which the response
/// arrived. Returns a sentence about them for the user; `None` if there are none.
pub(super) fn replace_future_times(data: &mut ResponseData, arrived: UtcTime) -> Option<String> {
    let furthest = match data {
        ResponseData::Coins(page) => replace(page.items.iter_mut().map(|coin| &mut coin.updated_at), arrived),
        ResponseData::MarketPairs(page) => replace(page.items.iter_mut().map(|pair| &mut pair.updated_at), arrived),
        ResponseData::Posts(page) => return remove_future_dates(&mut page.items, arrived),
        _ => None,
    };
    let ahead = furthest?.since(arrived);
    Some(format!("Provider timestamps are up to {} ahead of this computer's clock", Span(ahead)))
}

/// Removes the dates of posts that are too far ahead: their authors may have set them, so the time of the response
/// would be wrong. Returns a sentence about them for the user; `None` if there are none.
pub(super) fn remove_future_dates(posts: &mut [Post], arrived: UtcTime) -> Option<String> {
    let latest = arrived.plus(MAX_AHEAD);
    let future = posts.iter_mut().filter_map(|post| post.posted_at.take_if(|at| *at > latest)).count();
    // Same wording as the client.
    (future > 0).then(|| format!("Ignored dates in the future ({})", counted(future, "post")))
}

/// Replaces the times that are too far ahead. Returns the latest of them.
fn replace<'a>(times: impl Iterator<Item = &'a mut Option<UtcTime>>, arrived: UtcTime) -> Option<UtcTime> {
    let latest = arrived.plus(MAX_AHEAD);
    let (future, others): (Vec<_>, Vec<_>) =
        times.filter(|time| time.is_some()).partition(|time| time.is_some_and(|time| time > latest));
    // Compared with the time of arrival, the others would look old.
    let newest = others.into_iter().filter_map(|time| *time).max().map_or(arrived, |newest| newest.min(arrived));
    future.into_iter().filter_map(|time| time.replace(newest)).max()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Coin, CoinId, Page, Text};

    #[test]
    fn times_far_ahead_are_replaced_and_reported() {
        let now = UtcTime::from_secs(1_795_248_000);
        let coin = |ahead: Option<i64>| {
            let coin = Coin::new(CoinId(Text::from("a")), Text::from("A"), Text::from("A"));
            Coin { updated_at: ahead.map(|hours| UtcTime::from_secs(now.secs() + hours * 3_600)), ..coin }
        };
        let replaced = |ahead: &[Option<i64>]| {
            let items = ahead.iter().map(|ahead| coin(*ahead)).collect();
            let mut data = ResponseData::Coins(Page { items, total: None });
            let warning = replace_future_times(&mut data, now);
            let ResponseData::Coins(page) = data else { panic!("coins") };
            let same =
                page.items.iter().map(|coin| Some((coin.updated_at?.secs() - now.secs()) / 3_600)).collect::<Vec<_>>();
            (same, warning)
        };
        assert_eq!(replaced(&[None, Some(0)]), (vec![None, Some(0)], None));
        let warning = "Provider timestamps are up to 5 h ahead of this computer's clock";
        assert_eq!(replaced(&[Some(3), None, Some(5)]), (vec![Some(0), None, Some(0)], Some(String::from(warning))));
        // The others of an old list don't look older than the one with a wrong time.
        let expected = (vec![Some(-2), Some(-3), Some(-2)], Some(String::from(warning)));
        assert_eq!(replaced(&[Some(-2), Some(-3), Some(5)]), expected);
    }
}
