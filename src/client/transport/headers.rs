//! Response headers: caching, rate limits, content type, provider.

use std::time::{Duration, SystemTime};

use reqwest::header::{AGE, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, DATE, ETAG, HeaderMap, RETRY_AFTER};

use crate::client::decode::MAX_PROVIDER;
use crate::client::header::{
    DATA_TIME, NOT_REFRESHED, NOTICE, NOTICE_CODE, PREFIX, PROVIDER, RATE_PROVIDER, RATE_TIME, REFRESH_ERROR, SIMULATED,
};
use crate::client::notice::{Notice, NoticeCode};
use crate::client::request::Warning;
use crate::model::{RateOrigin, Text, UtcTime, text};

/// Freshness lifetime: `max-age` minus `Age`; 0 for `no-cache` and `no-store` (RFC 9111). Seconds, not 0, if it is over
/// in a response of our own service.
pub(super) fn max_age(headers: &HeaderMap) -> Option<Duration> {
    let directives = || {
        let lines = headers.get_all(CACHE_CONTROL).into_iter().filter_map(|line| line.to_str().ok());
        lines.flat_map(|line| line.split(',')).map(str::trim)
    };
    let named = |name: &str| directives().any(|directive| directive.eq_ignore_ascii_case(name));
    if named("no-cache") || named("no-store") {
        return Some(Duration::ZERO);
    }
    let age = age(headers);
    directives()
        .filter_map(|directive| directive.split_once('='))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("max-age"))
        .and_then(|(_, value)| seconds(value.trim().trim_matches('"')))
        .map(|fresh| match fresh.saturating_sub(age) {
            Duration::ZERO if !fresh.is_zero() && is_own(headers) => REFRESHING,
            rest => rest,
        })
}

/// Our own service refreshes data that is no longer fresh, so new data arrives within seconds.
const REFRESHING: Duration = Duration::from_secs(5);

/// The wait from `Retry-After` (seconds, a date or a Unix time) or `RateLimit-Reset` (seconds). Anything else is ignored.
pub(super) fn retry_after(headers: &HeaderMap, now: UtcTime) -> Option<Duration> {
    let requested = value(headers, RETRY_AFTER.as_str());
    // Compares with the server's clock, if known, so that a clock difference doesn't matter.
    let now = || value(headers, DATE.as_str()).and_then(date).unwrap_or(now);
    let by_date = || Some(date(requested?)?.since(now()));
    let wait = |text: &str| seconds_rounded_up(text).filter(|wait| *wait < EPOCH_LIKE);
    requested
        .and_then(wait)
        .or_else(by_date)
        .or_else(|| value(headers, "ratelimit-reset").and_then(wait))
        .or_else(|| wait_of_large_number(requested?, now()))
}

/// Some services send a Unix time instead of a number of seconds.
const EPOCH_LIKE: Duration = Duration::from_secs(1_000_000_000);

/// The longest wait that a Unix time or a larger number can ask for.
const MAX_WAIT: Duration = Duration::from_hours(366 * 24);

/// The wait until a Unix time (in seconds or milliseconds), at most [`MAX_WAIT`]. Larger numbers give [`MAX_WAIT`].
fn wait_of_large_number(digits: &str, now: UtcTime) -> Option<Duration> {
    seconds(digits)?;
    let until = match digits.parse::<i64>() {
        Ok(secs @ ..100_000_000_000) => UtcTime::from_secs(secs),
        Ok(millis @ ..100_000_000_000_000) => UtcTime::from_millis(millis),
        _ => return Some(MAX_WAIT),
    };
    Some(until.since(now).min(MAX_WAIT))
}

/// The time by the server's clock: `Date`. Unknown in a response from a cache: some send its first `Date`, others the
/// current one.
pub(super) fn server_time(headers: &HeaderMap) -> Option<UtcTime> {
    let age = value(headers, AGE.as_str()).and_then(seconds).unwrap_or_default();
    value(headers, DATE.as_str()).and_then(date).filter(|_| age <= MAX_DATE_AGE)
}

/// Maximum `Age` of a response whose `Date` is the server's time.
const MAX_DATE_AGE: Duration = Duration::from_mins(1);

/// Whether the data is simulated.
pub(super) fn is_simulated(headers: &HeaderMap) -> bool {
    value(headers, SIMULATED).is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// Whether the response is one of our own service.
pub(super) fn is_own(headers: &HeaderMap) -> bool {
    headers.keys().any(|name| name.as_str().starts_with(PREFIX))
}

/// The provider of the data.
pub(super) fn provider(headers: &HeaderMap) -> Option<Text> {
    name(headers, PROVIDER)
}

/// The origin of the exchange rate of converted amounts.
pub(super) fn rate(headers: &HeaderMap) -> Option<RateOrigin> {
    Some(RateOrigin { provider: name(headers, RATE_PROVIDER)?, at: value(headers, RATE_TIME).and_then(date)? })
}

fn name(headers: &HeaderMap, header: &str) -> Option<Text> {
    let name = value(headers, header).map(|name| text::cut(text::clean(name), MAX_PROVIDER))?;
    (!name.is_empty()).then(|| Text::from(name))
}

/// The notice of the service about the data.
pub(super) fn notice(headers: &HeaderMap) -> Option<Notice> {
    let code = value(headers, NOTICE_CODE).and_then(NoticeCode::parse);
    sentence(headers, NOTICE).map(|sentence| Notice::new(sentence, code))
}

/// Why the service has no newer data.
pub(super) fn refresh_error(headers: &HeaderMap) -> Option<Warning> {
    sentence(headers, REFRESH_ERROR)
}

/// Why a manual refresh did not bring newer data.
pub(super) fn not_refreshed(headers: &HeaderMap) -> Option<Warning> {
    sentence(headers, NOT_REFRESHED)
}

fn sentence(headers: &HeaderMap, name: &str) -> Option<Warning> {
    let sentence = percent_encoding::percent_decode_str(value(headers, name)?).decode_utf8_lossy();
    Some(text::cut(text::clean(&sentence), MAX_NOTICE).into_owned())
}

/// Longest notice, in characters.
const MAX_NOTICE: usize = 300;

/// The age of the response: `Age`, or the time since the data was fetched if that is longer, since a cache such as
/// nginx returns an old response with its first `Age` and the current `Date`.
pub(super) fn age(headers: &HeaderMap) -> Duration {
    let time = |name: &str| value(headers, name).and_then(date);
    let since_fetched = time(DATE.as_str()).zip(time(DATA_TIME)).map(|(now, fetched)| now.since(fetched));
    let age = value(headers, AGE.as_str()).and_then(seconds).unwrap_or_default();
    age.max(since_fetched.unwrap_or_default())
}

/// The entity tag, if valid.
pub(super) fn etag(headers: &HeaderMap) -> Option<String> {
    value(headers, ETAG.as_str()).filter(|tag| !tag.is_empty()).map(str::to_owned)
}

/// `Content-Type`, as sent.
pub(super) fn content_type(headers: &HeaderMap) -> Option<String> {
    value(headers, CONTENT_TYPE.as_str()).map(str::to_owned)
}

/// The content encoding, cleaned and cut; `None` if there is none.
pub(super) fn content_encoding(headers: &HeaderMap) -> Option<String> {
    let encoding = value(headers, CONTENT_ENCODING.as_str())?;
    let is_plain = encoding.is_empty() || encoding.eq_ignore_ascii_case("identity");
    (!is_plain).then(|| text::cut(text::clean(encoding), 60).into_owned())
}

fn value<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Parses seconds, saturating on overflow.
fn seconds(text: &str) -> Option<Duration> {
    let is_number = !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| Duration::from_secs(text.parse().unwrap_or(u64::MAX)))
}

/// Parses seconds, with a fraction rounded up.
fn seconds_rounded_up(text: &str) -> Option<Duration> {
    let Some((whole, fraction)) = text.split_once('.') else { return seconds(text) };
    seconds(fraction)?;
    let more = fraction.bytes().any(|digit| digit != b'0');
    Some(seconds(whole)?.saturating_add(Duration::from_secs(u64::from(more))))
}

/// Parses a date in any of the three formats of RFC 9110, section 5.6.7.
fn date(text: &str) -> Option<UtcTime> {
    let since_1970 = httpdate::parse_http_date(text).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(UtcTime::from_secs(i64::try_from(since_1970.as_secs()).ok()?))
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        let pair =
            |(name, value): &(&str, &str)| (name.parse::<HeaderName>().unwrap(), value.parse::<HeaderValue>().unwrap());
        lines.iter().map(pair).collect()
    }

    const FETCHED: (&str, &str) = ("x-satscope-data-time", "Thu, 19 Nov 2026 08:00:00 GMT");

    #[test]
    fn freshness_is_read_from_cache_control() {
        for (lines, expected) in [
            (&[("cache-control", "public, max-age=60")][..], Some(60)),
            (&[("cache-control", "MAX-AGE=\"60\"")], Some(60)),
            (&[("cache-control", "public"), ("cache-control", "max-age=7")], Some(7)),
            (&[("cache-control", "max-age=60"), ("age", "15")], Some(45)),
            (&[("cache-control", "max-age=60"), ("age", "150")], Some(0)),
            (
                &[("cache-control", "max-age=60"), ("age", "3"), FETCHED, ("date", "Thu, 19 Nov 2026 08:00:40 GMT")],
                Some(20),
            ),
            (
                &[("cache-control", "max-age=60"), ("age", "3"), FETCHED, ("date", "Thu, 19 Nov 2026 08:59:00 GMT")],
                Some(5),
            ),
            // The data is being refreshed.
            (&[("cache-control", "max-age=300"), ("age", "300"), FETCHED], Some(5)),
            (&[("cache-control", "max-age=0"), FETCHED], Some(0)),
            (
                &[("cache-control", "max-age=60"), ("age", "3"), FETCHED, ("date", "Thu, 19 Nov 2026 07:59:00 GMT")],
                Some(57),
            ),
            (&[("cache-control", "max-age=60"), ("age", "3"), FETCHED], Some(57)),
            (&[("cache-control", "public, no-cache, must-revalidate")], Some(0)),
            (&[("cache-control", "max-age=60, no-store")], Some(0)),
            (&[("cache-control", "max-age=soon")], None),
            (&[("cache-control", "s-maxage=60")], None),
            (&[], None),
        ] {
            assert_eq!(max_age(&headers(lines)), expected.map(Duration::from_secs), "{lines:?}");
        }
    }

    #[test]
    fn server_time_is_the_date_of_a_response_that_is_not_from_a_cache() {
        let date = ("date", "Thu, 19 Nov 2026 08:00:40 GMT");
        let time = UtcTime::parse_rfc3339("2026-11-19T08:00:40Z");
        for (lines, expected) in [
            (&[date][..], time),
            (&[date, ("age", "60")], time),
            (&[date, ("age", "3600")], None),
            (&[("age", "3")], None),
        ] {
            assert_eq!(server_time(&headers(lines)), expected, "{lines:?}");
        }
    }

    #[test]
    fn retry_after_is_parsed() {
        let now = UtcTime::parse_rfc3339("2026-11-19T08:00:00Z").unwrap();
        for (lines, expected) in [
            (&[("retry-after", "7")][..], Some(7)),
            (&[("retry-after", "Thu, 19 Nov 2026 08:01:30 GMT")], Some(90)),
            (&[("retry-after", "Thursday, 19-Nov-26 08:01:30 GMT")], Some(90)),
            (&[("retry-after", "Thu Nov 19 08:01:30 2026")], Some(90)),
            (&[("retry-after", "Sun Nov  1 08:01:30 2026")], Some(0)),
            (&[("retry-after", "Thu, 19 Nov 2026 07:00:00 GMT")], Some(0)),
            (&[("retry-after", "Thu, 31 Dec 2099 23:59:59 GMT")], Some(2_307_369_599)),
            (&[("retry-after", "Thu, 99 Nov 2026 07:00:00 GMT")], None),
            (&[("retry-after", "999999999")], Some(999_999_999)),
            (&[("retry-after", "86400")], Some(86_400)),
            (&[("retry-after", "2.5")], Some(3)),
            (&[("retry-after", "2.0")], Some(2)),
            (&[("retry-after", "0.01")], Some(1)),
            (&[("retry-after", "2.")], None),
            (&[("retry-after", "1.2.3")], None),
            (&[("retry-after", "1795075260")], Some(60)),
            (&[("retry-after", "1795075260000")], Some(60)),
            (&[("retry-after", "1795075260"), ("date", "Thu, 19 Nov 2026 08:00:30 GMT")], Some(30)),
            (&[("retry-after", "1795075200")], Some(0)),
            (&[("retry-after", "99999999999")], Some(31_622_400)),
            (&[("retry-after", "18446744073709551615")], Some(31_622_400)),
            (&[("retry-after", "99999999999999999999")], Some(31_622_400)),
            (&[("retry-after", "99999999999999999999"), ("ratelimit-reset", "12")], Some(12)),
            (&[("retry-after", "Thu, 19 Nov 2026 08:01:30 GMT"), ("date", "Thu, 19 Nov 2026 08:01:00 GMT")], Some(30)),
            (&[("retry-after", "later"), ("ratelimit-reset", "12")], Some(12)),
            (&[("ratelimit-reset", "1795075200")], None),
            (&[("retry-after", "-5")], None),
            (&[], None),
        ] {
            assert_eq!(retry_after(&headers(lines), now), expected.map(Duration::from_secs), "{lines:?}");
        }
    }
}
