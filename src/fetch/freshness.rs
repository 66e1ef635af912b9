//! How long a response is fresh before it is fetched again.

use std::time::Duration;

use crate::client::Request;
use crate::model::interval;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long responses of each operation are fresh if the server doesn't say, and limits for what it says.
///
/// The interface specifies `/coins`, `/content`, `/exchanges` and `/chart`; the others are our choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// `/coins` and `/coins/stats`: coins and the tokens of a category.
    pub coins: Duration,
    /// `/content`: posts.
    pub posts: Duration,
    /// `/exchanges`: market pairs.
    pub market_pairs: Duration,
    /// `/chart`: charts.
    pub chart: Duration,
    /// `/market/data`: series are fresh for their interval, but at least this long.
    pub min_market_data: Duration,
    /// BRC-20, inscriptions and statistics: most change with a block, but transfers appear in between.
    pub indexer: Duration,
    /// A sat's ordinal information, which never changes.
    pub sat: Duration,
    /// Minimum for all of them.
    pub min: Duration,
    /// Maximum.
    pub max: Duration,
}

/// The state of the providers changes with each request to them.
const SOURCES: Duration = Duration::from_secs(10);

impl Default for Freshness {
    fn default() -> Self {
        Freshness {
            coins: 5 * MINUTE,
            posts: 3 * HOUR,
            market_pairs: DAY,
            chart: 5 * MINUTE,
            min_market_data: 5 * MINUTE,
            indexer: MINUTE,
            sat: DAY,
            min: Duration::from_secs(2),
            max: DAY,
        }
    }
}

impl Freshness {
    /// How long a response with this `max-age` is fresh.
    ///
    /// A `max-age` of 0 and `no-cache` require revalidation before a response is used again. A screen uses it all the
    /// time, which would cause endless requests; so they count as no `max-age`, and the next request is conditional.
    pub fn for_response(&self, request: &Request, max_age: Option<Duration>) -> Duration {
        match max_age {
            Some(stated) if !stated.is_zero() => self.within_limits(stated),
            _ => self.unstated(request),
        }
    }

    /// How long a response without a `max-age` is fresh, and the maximum wait after a failure that no retry can fix (see
    /// [`super::Backoff::max_final_wait`]).
    pub fn unstated(&self, request: &Request) -> Duration {
        let span = match request {
            Request::Coins { .. } | Request::CoinsById { .. } | Request::CategoryStats { .. } => self.coins,
            Request::CoinNames | Request::HistoricalRates { .. } => DAY,
            Request::Posts { .. } => self.posts,
            Request::MarketPairs { .. } => self.market_pairs,
            Request::Chart { .. } => self.chart,
            Request::MarketData { interval, .. } => {
                interval::length(interval).unwrap_or_default().max(self.min_market_data)
            }
            Request::Sources => SOURCES,
            // Neither ever changes.
            Request::Sat { .. } | Request::InscriptionContent { .. } | Request::InscriptionImage { .. } => self.sat,
            _ => self.indexer,
        };
        self.within_limits(span)
    }

    fn within_limits(&self, span: Duration) -> Duration {
        span.max(self.min).min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::InscriptionRef;
    use crate::model::{Currency, Period, PostOrder, SatNumber, Tag, Text};

    fn series(interval: &str) -> Request {
        let symbols = vec![Text::from("ORDI")];
        Request::MarketData { symbols, convert: Currency::usd(), count: 10, interval: Text::from(interval) }
    }

    #[test]
    fn operations_have_the_freshness_of_the_interface() {
        let (symbol, slug, convert) = (Text::from("ORDI"), Text::from("ordi"), Currency::usd());
        let number = SatNumber::new(5).expect("a sat");
        let table = [
            (Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: convert.clone() }, 300),
            (Request::Posts { symbol: symbol.clone(), slug: None, order: PostOrder::Top }, 10_800),
            (Request::Posts { symbol: symbol.clone(), slug: None, order: PostOrder::Latest }, 10_800),
            (Request::MarketPairs { symbol: symbol.clone(), slug: None, convert: convert.clone() }, 86_400),
            (Request::Chart { slug, period: Period::Day, convert: convert.clone() }, 300),
            (Request::CategoryStats { tag: Tag::Brc20, convert }, 300),
            (Request::Brc20Token { ticker: symbol }, 60),
            (Request::Sat { number }, 86_400),
            (Request::SatInscriptions { number, offset: 0, limit: 20 }, 60),
            (Request::Inscription { inscription: InscriptionRef::Number(-1) }, 60),
            (Request::InscriptionStats { from_block: None, to_block: None }, 60),
        ];
        for (request, secs) in table {
            assert_eq!(Freshness::default().for_response(&request, None).as_secs(), secs, "{request:?}");
        }
    }

    #[test]
    fn series_is_fresh_for_its_interval_within_limits() {
        let table = [
            ("1m", 300),
            ("5m", 300),
            ("15m", 900),
            ("1h", 3_600),
            ("hourly", 3_600),
            ("1d", 86_400),
            ("daily", 86_400),
            ("1w", 86_400),
            ("365d", 86_400),
            ("1M", 86_400),
            ("4294967295w", 86_400),
            ("", 300),
            ("m", 300),
            ("-5m", 300),
            ("5 µ", 300),
            ("99999999999999999999h", 300),
        ];
        for (interval, secs) in table {
            assert_eq!(Freshness::default().for_response(&series(interval), None).as_secs(), secs, "{interval:?}");
        }
    }

    #[test]
    fn max_age_applies_within_limits_and_zero_is_ignored() {
        let request = Request::Brc20Token { ticker: Text::from("ordi") };
        let table =
            [(Some(0), 60), (None, 60), (Some(1), 2), (Some(2), 2), (Some(600), 600), (Some(10_000_000), 86_400)];
        for (max_age, secs) in table {
            let length = Freshness::default().for_response(&request, max_age.map(Duration::from_secs));
            assert_eq!(length.as_secs(), secs, "{max_age:?}");
        }
    }

    #[test]
    fn freshness_is_never_zero() {
        let freshness = Freshness { coins: Duration::ZERO, indexer: Duration::MAX, ..Freshness::default() };
        let coins = Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: Currency::usd() };
        assert_eq!(freshness.for_response(&coins, None).as_secs(), 2);
        let token = Request::Brc20Token { ticker: Text::from("ordi") };
        assert_eq!(freshness.for_response(&token, None).as_secs(), 86_400);
    }
}
