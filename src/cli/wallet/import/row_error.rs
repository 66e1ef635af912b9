//! Why a line can't be imported.

use super::super::super::address::InvalidAddress;
use crate::format::words::counted;
use crate::model::Decimal;
use crate::portfolio::entry::EntryError;

/// Why a line can't be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum RowError {
    #[error("not UTF-8 text")]
    NotText,
    #[error("{}, but {}", counted(*cells, "cell"), counted(*columns, "column"))]
    Cells { cells: usize, columns: usize },
    /// A value in JSON that is not a string.
    #[error("{0} is not a string")]
    NotString(String),
    #[error("unclosed quote")]
    OpenQuote,
    #[error("no amount")]
    NoAmount,
    #[error("no slug or symbol")]
    NoCoin,
    #[error("no date")]
    NoDate,
    #[error("unknown transaction type {0}")]
    Type(String),
    #[error("the note of a conversion must begin with Converted AMOUNT COIN to AMOUNT COIN")]
    Conversion,
    #[error("{0} is not a pair such as BTC-USD")]
    Pair(String),
    #[error("{0} is not one of buy, sell")]
    Side(String),
    /// An invalid amount, price, fee or day.
    #[error(transparent)]
    Entry(#[from] EntryError),
    #[error(transparent)]
    Address(#[from] InvalidAddress),
    #[error("{0} is not one of buy, sell, receive, send")]
    Kind(String),
    #[error("{0} is not a date such as 2025-03-02")]
    Date(String),
    #[error("{code} is not a currency code {hint}", code = .0, hint = currency_hint(.0))]
    Currency(String),
    /// A price and a total, with the names of their columns, and the amount at the price.
    #[error("{price} and {total} don't match (expected a total of {expected})")]
    Total { price: String, total: String, expected: Decimal },
    #[error("the price has no currency")]
    NoPriceCurrency,
    #[error("the fee has no currency")]
    NoFeeCurrency,
    #[error("the fee is in {0}, but the price is not")]
    FeeCurrency(String),
    #[error("no coin has the slug or symbol {0}")]
    UnknownCoin(String),
    /// CoinTracking adds a number to a symbol that several coins have.
    #[error("no coin has the slug or symbol {0}, which may be CoinTracking's own code (use the slug instead)")]
    UnknownCode(String),
    /// The slug of a coin with another symbol.
    #[error("{slug} is the slug of {found}, not of {symbol}")]
    OtherSymbol { slug: String, found: String, symbol: String },
    /// A slug that differs from the slug of the coin with this id and symbol.
    #[error("{symbol} with coin_id {id} has the slug {found}, not {slug}")]
    OtherSlug { symbol: String, id: String, found: String, slug: String },
    /// Several coins have the symbol.
    #[error("{symbol} is ambiguous: {slugs} (use the slug)")]
    AmbiguousCoin {
        symbol: String,
        /// Some of their slugs, as in a sentence.
        slugs: String,
    },
}

/// A hint for an invalid currency code.
fn currency_hint(code: &str) -> &'static str {
    if code.eq_ignore_ascii_case("SATS") { "(the currency is SAT; SATS is a token)" } else { "such as EUR" }
}
