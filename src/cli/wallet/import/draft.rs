//! Lots of a file whose coins are not looked up yet.

use jiff::civil::Date;

use super::row_error::RowError;
use super::time::LotTime;
use crate::model::{Amount, Currency, Decimal, Text, text};
use crate::portfolio::entry::{self, EntryError};
use crate::portfolio::number;
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
    /// Koinly's transaction history, or its universal template.
    Koinly,
    /// Koinly's template for deposits and withdrawals.
    KoinlySimple,
    /// Koinly's template for trades.
    KoinlyTrades,
    /// Coinbase's transaction history.
    Coinbase,
    /// `cointop holdings --format csv`.
    Cointop,
    /// cointop's `config.toml`.
    CointopConfig,
    /// `ticker print --format csv`.
    Ticker,
}

impl Format {
    pub(super) fn title(self) -> &'static str {
        match self {
            Format::Own | Format::Json => "satscope",
            Format::CoinTracking => "CoinTracking",
            Format::Koinly | Format::KoinlySimple | Format::KoinlyTrades => "Koinly",
            Format::Coinbase => "Coinbase",
            Format::Cointop | Format::CointopConfig => "cointop",
            Format::Ticker => "ticker",
        }
    }

    /// The unit of the numbers in messages.
    pub(super) fn unit(self) -> &'static str {
        if matches!(self, Format::Json | Format::CointopConfig) { "lot" } else { "line" }
    }

    /// A note for the user on omissions and assumptions of an import in this format.
    pub(super) fn note(self) -> Option<&'static str> {
        match self {
            Format::Own | Format::Json | Format::Koinly | Format::KoinlySimple | Format::KoinlyTrades => None,
            Format::CoinTracking => Some(
                "CoinTracking's amounts include fees in the same currency, so those are not added again; withdrawals \
                 and deposits that don't match are imported as sent and received, without cost",
            ),
            Format::Coinbase => Some(
                "Coinbase doesn't say which transfers are between your own wallets: they are imported as received, \
                 without cost, or as sent",
            ),
            Format::Cointop => Some(
                "cointop exports no dates: lots are dated today, without cost if cost_price is empty (don't use \
                 --human-readable: it rounds amounts)",
            ),
            Format::CointopConfig => {
                Some("cointop's configuration has no dates: lots are dated today, and have no cost without a price")
            }
            Format::Ticker => Some(
                "ticker rounds amounts and exports no dates: lots are dated today; a cost of 0 is read as unknown; \
                 other costs are in the currency of the symbol, or in the currency in .ticker.yaml if ticker is older \
                 than version 5 or currency-disable-unit-cost-conversion is set (to change it: satscope wallet edit \
                 ID --currency CODE)",
            ),
        }
    }
}

/// A lot of a file. Its coin is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// The line of the file; in JSON and TOML, the number of the lot.
    pub(super) line: u64,
    pub(super) kind: LotKind,
    pub(super) coin: CoinName,
    pub(super) amount: Amount,
    pub(super) price: Option<LotPrice>,
    pub(super) fee: Option<Decimal>,
    pub(super) currency: Option<Currency>,
    pub(super) date: Option<Date>,
    pub(super) time: LotTime,
    /// As in the file, so of any length.
    pub(super) note: Option<Text>,
    pub(super) address: Option<Text>,
    /// Whether it may be one side of a transfer between two wallets of the user.
    pub(super) transfer: Option<TransferSide>,
}

/// Marks a withdrawal or deposit that may be one side of a transfer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TransferSide {
    /// The part of a withdrawal that doesn't arrive.
    pub(super) fee: Option<Decimal>,
    /// Whether its type is a known word for a withdrawal or deposit, not an unknown one, such as in another language.
    pub(super) has_known_type: bool,
    /// The transaction hash that both sides must share, if the program exports it.
    pub(super) hash: Option<Text>,
}

impl Draft {
    /// A lot of a coin without a price and a date.
    pub(super) fn new(line: u64, kind: LotKind, coin: Option<&str>, number: Option<&str>) -> Result<Draft, RowError> {
        let number = number.ok_or(RowError::NoAmount)?;
        let coin = coin.filter(|coin| !coin.is_empty()).ok_or(RowError::NoCoin)?;
        let (coin, amount) = (CoinName::Named(clean(coin)), amount(number)?);
        let (price, fee, currency, date, time, note, address, transfer) = Default::default();
        Ok(Draft { line, kind, coin, amount, price, fee, currency, date, time, note, address, transfer })
    }
}

/// The text of a file.
pub(super) fn clean(cell: &str) -> Text {
    Text::from(text::clean(cell))
}

/// An amount of a file. Files have plain numbers: an expression such as `3/4` is a date or a mistake.
pub(super) fn amount(text: &str) -> Result<Amount, RowError> {
    let number = number::parse_plain(text).map_err(EntryError::from)?;
    Ok(entry::checked_amount(&number)?)
}

/// A price or fee of a file.
pub(super) fn money(text: &str) -> Result<Decimal, RowError> {
    let number = number::parse_plain(text).map_err(EntryError::from)?;
    if number.is_negative() { Err(EntryError::Negative(text.to_owned()).into()) } else { Ok(number) }
}

/// Whether a cell is the number zero.
pub(super) fn is_zero(text: &str) -> bool {
    number::parse_plain(text).is_ok_and(|number| number.is_zero())
}

/// What a line becomes.
#[derive(Debug)]
pub(super) enum Line {
    /// One or several lots.
    Lots(Vec<Draft>),
    /// Nothing.
    Skipped(SkipReason),
}

impl Line {
    pub(super) fn lot(draft: Draft) -> Line {
        Line::Lots(vec![draft])
    }
}

/// A line without lots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skipped {
    pub(super) line: u64,
    pub(super) reason: SkipReason,
}

/// Why a line has no lots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SkipReason {
    /// It only moves money, such as a deposit of euros.
    NoCoin,
    /// It moves a coin between two wallets of the user.
    OwnTransfer,
    /// It was deleted in Koinly.
    Deleted,
    /// The amount of the line is zero.
    NoHoldings,
}

impl SkipReason {
    pub(super) fn text(self) -> &'static str {
        match self {
            SkipReason::NoCoin => "no coin",
            SkipReason::OwnTransfer => "between your own wallets",
            SkipReason::Deleted => "deleted in Koinly",
            SkipReason::NoHoldings => "no holdings",
        }
    }
}

/// A line that can't be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: u64,
    pub(super) reason: RowError,
    /// A coin that the line adds to the wallet, as far as it can be read. Later sales may need its cost.
    pub(super) bought: Option<CoinName>,
}

impl Problem {
    /// An invalid line with an unknown coin.
    pub(super) fn new(line: u64, reason: RowError) -> Problem {
        Problem { line, reason, bought: None }
    }
}

/// A coin in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
