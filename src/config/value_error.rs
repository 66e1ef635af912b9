//! Why a value of the configuration is invalid.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use crate::log::InvalidFilter;
use crate::model::ProviderName;
use crate::portfolio::UnknownCostMethod;
use crate::service::operation::Operation;

/// Why a value is invalid. Displays as a clause, and never contains a value that may be secret.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum ValueError {
    /// A value of another type.
    #[error("expected {expected}, found {found}")]
    Type {
        /// The expected type, such as `a string`.
        expected: Cow<'static, str>,
        /// The type found.
        found: &'static str,
    },
    /// A string in another format.
    #[error("expected {0}")]
    Format(&'static str),
    /// A string that is not of a known kind, such as a period.
    #[error("not {0}")]
    Unrecognised(&'static str),
    /// Not the code of a known currency.
    #[error("{0:?} is not a currency code (examples: USD, EUR, BTC)")]
    Currency(String),
    /// An empty symbol.
    #[error("a symbol must not be empty")]
    EmptySymbol,
    /// A string that is not a symbol.
    #[error("each symbol must be a separate string without commas, such as [\"BTC\", \"ORDI\"]")]
    Symbol,
    /// A number that is too small or too large.
    #[error("{value} is not between {} and {}", range.start(), range.end())]
    Range {
        /// The number.
        value: i64,
        /// The numbers allowed.
        range: RangeInclusive<i64>,
    },
    /// A time that is too short or too long.
    #[error("{value} is not between {} and {} seconds", range.start(), range.end())]
    Seconds {
        /// The number of seconds.
        value: f64,
        /// The numbers allowed.
        range: RangeInclusive<f64>,
    },
    /// Not one of the allowed words.
    #[error("not one of {0}")]
    Choice(String),
    /// An unknown name.
    #[error("unknown {what} {name:?}{hint}")]
    Unknown {
        /// What the name should refer to.
        what: &'static str,
        /// The name, shortened.
        name: String,
        /// A similar name, or where all names are listed.
        hint: String,
    },
    /// A provider without this operation.
    #[error("{provider} doesn't serve {operation}")]
    NotServed {
        /// The provider.
        provider: ProviderName,
        /// The operation.
        operation: Operation,
    },
    /// An unknown key in `[coins.SLUG]`, with a hint.
    #[error("unknown key{0}")]
    CoinKey(String),
    /// Not the slug of a coin.
    #[error("{0:?} is not a slug such as \"sats-ordinals\"")]
    Slug(String),
    /// The IDs of this provider are numbers.
    #[error("{0} IDs are numbers, such as \"25028\"")]
    CoinId(&'static str),
    /// An environment variable that is not set.
    #[error("environment variable {name:?} is not set; set it or remove the {user}")]
    Variable {
        /// The variable.
        name: String,
        /// What refers to it.
        user: &'static str,
    },
    /// A URL that can't be used.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// A path that can't be used.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A header that can't be set.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A list of columns that can't be shown.
    #[error("{0}")]
    Columns(String),
    /// An unknown time zone, with a similar one or examples.
    #[error("unknown time zone{0}")]
    TimeZone(String),
    /// An unknown cost basis method.
    #[error(transparent)]
    Cost(#[from] UnknownCostMethod),
    /// An invalid filter of the log.
    #[error("invalid log filter ({0})")]
    LogFilter(#[from] InvalidFilter),
}

impl ValueError {
    /// A value of a type other than `expected`; both with an article.
    pub(super) fn of_type(expected: impl Into<Cow<'static, str>>, found: &'static str) -> ValueError {
        ValueError::Type { expected: expected.into(), found }
    }
}

/// Why a URL can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum UrlError {
    #[error("not a complete URL; expected http://host:port or https://host/path")]
    Relative,
    #[error("the URL is longer than 2048 bytes")]
    TooLong,
    #[error("not a URL ({0})")]
    Syntax(url::ParseError),
    #[error("unsupported scheme {0}; use http or https")]
    Scheme(String),
    #[error("a URL can't contain a user name or password; use a header or an API key")]
    Credentials,
    #[error("query and fragment not allowed; use a header or an API key")]
    Query,
    #[error("the URL has no host; expected http://host:port or https://host/path")]
    NoHost,
    #[error("expected a WebSocket URL such as wss://host/path")]
    NoWebSocket,
}

/// Why a path can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PathError {
    #[error("a path must start with /")]
    Relative,
    #[error("a path can't contain spaces or #")]
    Character,
    #[error("a path can't contain invisible characters (use %XX instead)")]
    Invisible,
    #[error("the path must contain {0} exactly once")]
    Placeholder(String),
    #[error("unknown placeholder; {}", .expected.as_ref().map_or_else(
        || String::from("no placeholder allowed"),
        |expected| format!("expected {expected}"),
    ))]
    UnknownPlaceholder { expected: Option<String> },
}

/// Why a header can't be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum HeaderError {
    #[error("not a valid header name")]
    Name,
    #[error("this header is set automatically; remove it")]
    Reserved,
    #[error("the value contains an invalid character")]
    Value,
}
