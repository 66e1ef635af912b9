//! Lots of a file whose coins are not looked up yet.

use jiff::civil::{Date, Time};

use super::row_error::RowError;
use crate::model::{Amount, Currency, Decimal, Text};
use crate::user_data::{LotKind, LotPrice, Watched};

/// Who wrote a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// `satscope wallet export`, or `satscope wallet --format csv`.
    Own,
    /// `satscope wallet export --format json`.
    Json,
    /// CoinTracking's trade list.
    CoinTracking,
    /// Koinly's universal file, or its transaction history.
    Koinly,
    /// `cointop holdings --format csv`.
    Cointop,
    /// `ticker print --format csv`.
    Ticker,
}

impl Format {
    pub(super) fn title(self) -> &'static str {
        match self {
            Format::Own | Format::Json => "satscope",
            Format::CoinTracking => "CoinTracking",
            Format::Koinly => "Koinly",
            Format::Cointop => "cointop",
            Format::Ticker => "ticker",
        }
    }

    /// The unit of the numbers in messages.
    pub(super) fn unit(self) -> &'static str {
        if self == Format::Json { "lot" } else { "line" }
    }

    /// A note for the user on omissions and assumptions of an import in this format.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Format::Own | Format::Json | Format::Koinly => None,
            Format::CoinTracking => Some("CoinTracking's amounts include fees, so fees are not added again"),
            Format::Cointop => Some("cointop has no dates or costs: recorded as received today, cost unknown"),
            Format::Ticker => Some("ticker has no dates and rounds numbers: bought today, in the display currency"),
        }
    }
}

/// A lot of a file. Its coin is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// The line of the file; in JSON, the number of the lot.
    pub(super) line: u64,
    pub(super) kind: LotKind,
    pub(super) coin: CoinName,
    pub(super) amount: Amount,
    pub(super) price: Option<LotPrice>,
    pub(super) fee: Option<Decimal>,
    pub(super) currency: Option<Currency>,
    pub(super) date: Option<Date>,
    /// The time of day, used only for the order.
    pub(super) time: Option<Time>,
    pub(super) note: Option<Text>,
    pub(super) address: Option<Text>,
}

/// A line that can't be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: u64,
    pub(super) reason: RowError,
}

/// A coin in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CoinName {
    /// A symbol with a slug, an id or both.
    Exact(Watched),
    /// A slug or symbol.
    Named(Text),
}

impl CoinName {
    /// Whether it is complete without a list of coins.
    pub(super) fn has_id(&self) -> bool {
        matches!(self, CoinName::Exact(Watched { id: Some(_), .. }))
    }
}
