//! Trends (prices over seven days) of coins whose list has none, from separate requests.

use std::collections::HashMap;
use std::sync::Arc;

use crate::client::{Request, ResponseData};
use crate::model::coin::line_of;
use crate::model::{Coin, CoinId, Currency, Tag, Text};

/// Points of a separately requested trend: 42 steps of four hours are seven days.
pub const TREND_POINTS: u32 = 42;

/// Interval of a separately requested trend.
pub const TREND_INTERVAL: &str = "4h";

/// Minimum rows per request.
const MIN_CHUNK: usize = 16;

/// Returns the chunks (first row and length) that contain all rows that a screen of `rows` rows can show around the
/// cursor, the cursor's chunk first. Their boundaries don't depend on the cursor, so a step rarely needs a new request.
pub(super) fn chunks(cursor: usize, rows: usize, len: usize) -> impl Iterator<Item = (usize, usize)> {
    let size = rows.max(MIN_CHUNK);
    let own = cursor / size;
    let reach = rows.saturating_sub(1);
    let (first, last) = (cursor.saturating_sub(reach) / size, cursor.saturating_add(reach) / size);
    let others = (first..=last).filter(move |&chunk| chunk != own);
    std::iter::once(own).chain(others).map(move |chunk| (chunk * size, size)).filter(move |&(from, _)| from < len)
}

/// The request for the trends of coins of a list; `None` if all of them have one.
pub(super) fn request<'a>(tag: Tag, coins: impl Iterator<Item = &'a Coin>, convert: &Currency) -> Option<Request> {
    let mut bare = coins.filter(|coin| coin.sparkline_7d.is_empty()).peekable();
    bare.peek()?;
    if tag == Tag::Brc20 {
        return Some(Request::CategoryStats { tag, convert: convert.clone() });
    }
    let mut symbols: Vec<Text> = bare.map(|coin| coin.symbol.clone()).filter(|symbol| !symbol.contains(',')).collect();
    symbols.sort_unstable();
    symbols.dedup();
    (!symbols.is_empty()).then(|| Request::MarketData {
        symbols,
        convert: convert.clone(),
        count: TREND_POINTS,
        interval: Text::const_new(TREND_INTERVAL),
    })
}

/// Whether a request is for trends of a tag's coins.
pub(super) fn is_trend(tag: Tag, request: &Request, convert: &Currency) -> bool {
    match request {
        Request::CategoryStats { tag: other, convert: currency } => *other == tag && currency == convert,
        Request::MarketData { convert: currency, count, interval, .. } => {
            currency == convert && *count == TREND_POINTS && interval == TREND_INTERVAL
        }
        _ => false,
    }
}

/// The known trends by coin.
#[derive(Debug, Default)]
pub(super) struct Trends(HashMap<CoinId, Arc<[f64]>>);

impl Trends {
    /// A coin's trend; empty if unknown.
    pub(super) fn get(&self, id: &CoinId) -> &[f64] {
        self.0.get(id).map_or(&[], |trend| trend)
    }

    /// Adds the trends of responses; later responses replace earlier ones.
    pub(super) fn add<'a>(
        &mut self,
        responses: impl Iterator<Item = &'a ResponseData>,
        coins: impl Iterator<Item = &'a Coin>,
    ) {
        // Index the series, since there are far fewer of them than coins.
        let (mut by_id, mut by_slug) = (HashMap::new(), HashMap::new());
        for response in responses {
            match response {
                ResponseData::Coins(page) => {
                    for coin in page.items.iter().filter(|coin| !coin.sparkline_7d.is_empty()) {
                        self.0.insert(coin.id.clone(), Arc::from(coin.sparkline_7d.as_slice()));
                    }
                }
                ResponseData::Market(all) => {
                    for series in all {
                        match (&series.id, &series.slug) {
                            (Some(id), _) => by_id.insert(id.as_str(), series),
                            (None, Some(slug)) => by_slug.insert(slug.as_str(), series),
                            (None, None) => None,
                        };
                    }
                }
                _ => {}
            }
        }
        if by_id.is_empty() && by_slug.is_empty() {
            return;
        }
        for coin in coins.filter(|coin| coin.sparkline_7d.is_empty()) {
            let of_slug = || by_slug.get(coin.slug.as_ref()?.as_str());
            if let Some(series) = by_id.get(coin.id.0.as_str()).or_else(of_slug) {
                self.0.insert(coin.id.clone(), line_of(&series.points).into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_contain_all_visible_rows() {
        for (cursor, rows) in [(0, 41), (40, 41), (41, 41), (700, 41), (5, 3), (17, 1), (0, 0)] {
            let chunks: Vec<_> = chunks(cursor, rows, 1_000).collect();
            for row in cursor.saturating_sub(rows.max(1) - 1)..cursor + rows.max(1) {
                assert!(chunks.iter().any(|&(from, len)| (from..from + len).contains(&row)), "{cursor} {rows} {row}");
            }
            let (from, len) = chunks[0];
            assert!(chunks.len() <= 3 && (from..from + len).contains(&cursor), "{cursor} first: {chunks:?}");
        }
        assert_eq!(chunks(0, 41, 1_000).collect::<Vec<_>>(), [(0, 41)]);
        assert_eq!(chunks(3, 41, 20).collect::<Vec<_>>(), [(0, 41)]);
        assert_eq!(chunks(40, 41, 41).collect::<Vec<_>>(), [(0, 41)], "no chunk beyond the last row");
    }

    fn coin(id: &str, trend: &[f64]) -> Coin {
        let mut coin = Coin::new(CoinId(id.into()), id.into(), id.into());
        coin.sparkline_7d = trend.to_vec();
        coin
    }

    #[test]
    fn trends_of_invalid_symbols_are_not_requested() {
        let comma = coin("a,b", &[]);
        assert_eq!(request(Tag::All, [&comma].into_iter(), &Currency::usd()), None);
        assert!(request(Tag::All, [&comma, &coin("c", &[])].into_iter(), &Currency::usd()).is_some());
    }

    #[test]
    fn category_response_adds_trends_and_removes_none() {
        let mut trends = Trends::default();
        let page = |coins: Vec<Coin>| ResponseData::Coins(crate::model::Page { items: coins, total: None });
        let responses =
            [page(vec![coin("a", &[1.0, 2.0]), coin("b", &[])]), page(vec![coin("a", &[]), coin("b", &[3.0])])];
        trends.add(responses.iter(), std::iter::empty());
        assert_eq!(trends.get(&CoinId("a".into())), [1.0, 2.0]);
        assert_eq!(trends.get(&CoinId("b".into())), [3.0]);
    }

    #[test]
    fn trend_request_matches_only_its_tag_and_currency() {
        let (usd, eur) = (Currency::usd(), Currency::parse("EUR").unwrap());
        let stats = |tag, convert: &Currency| Request::CategoryStats { tag, convert: convert.clone() };
        let market = |count, interval: &'static str| Request::MarketData {
            symbols: vec!["A".into()],
            convert: usd.clone(),
            count,
            interval: interval.into(),
        };
        for (request, own) in [
            (stats(Tag::Brc20, &usd), true),
            (stats(Tag::Brc20, &eur), false),
            (stats(Tag::All, &usd), false),
            (market(TREND_POINTS, TREND_INTERVAL), true),
            (market(TREND_POINTS, "1h"), false),
            (market(120, TREND_INTERVAL), false),
        ] {
            assert_eq!(is_trend(Tag::Brc20, &request, &usd), own, "{request:?}");
        }
    }
}
