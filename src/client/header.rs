//! Response headers of our own service.

/// Start of the names of all of them.
pub const PREFIX: &str = "x-satscope-";

/// Header of every response of our own service with simulated data; its value is `true`.
pub const SIMULATED: &str = "x-satscope-simulated";

/// Header of our own service with the provider of the data.
pub const PROVIDER: &str = "x-satscope-provider";

/// Header of our own service with the time at which the data was fetched, an HTTP date. Unlike `Age`, which some
/// caches return as they have received it, it stays correct however long a response is cached.
pub const DATA_TIME: &str = "x-satscope-data-time";

/// Header of our own service on an error whose message is a sentence for the user; its value is `true`.
pub const EXPLAINED: &str = "x-satscope-explained";

/// Header of our own service on an error for which a manual refresh doesn't help until the time of `Retry-After`, or
/// without that until the user changes something: no provider would be queried. Its value is `true`.
pub const MUST_WAIT: &str = "x-satscope-must-wait";

/// Header of our own service with a notice about the data, percent-encoded.
pub const NOTICE: &str = "x-satscope-notice";

/// Header of our own service with the subject of the notice for programs: a [`NoticeCode`](super::NoticeCode).
pub const NOTICE_CODE: &str = "x-satscope-notice-code";

/// In the error of our own service about a currency, before the currency and the providers that have no rate of it.
pub const NO_RATE: &str = "no exchange rate for";

/// Header of our own service on stale data: why there is no newer data, percent-encoded.
pub const REFRESH_ERROR: &str = "x-satscope-refresh-error";

/// Header of our own service on data that a manual refresh could not replace, though it hasn't become too old: why,
/// percent-encoded.
pub const NOT_REFRESHED: &str = "x-satscope-not-refreshed";

/// Header of our own service with the provider of the exchange rate of converted amounts.
pub const RATE_PROVIDER: &str = "x-satscope-rate-provider";

/// Header of our own service with the time of that exchange rate, an HTTP date.
pub const RATE_TIME: &str = "x-satscope-rate-time";
