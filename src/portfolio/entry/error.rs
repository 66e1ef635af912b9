//! Why a line is not a lot.

use jiff::civil::Date;

use crate::model::SharedSign;
use crate::model::address::AddressError;
use crate::portfolio::date::AmbiguousDate;
use crate::portfolio::number::NumberError;
use crate::user_data::address::LabelError;
use crate::user_data::note::MAX_NOTE_CHARS;

/// The day of Bitcoin's first block.
pub const FIRST_DAY: Date = Date::constant(2009, 1, 3);

/// Why a line is not a lot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// The amount is missing.
    #[error("expected an amount and a coin, such as 500 ordi @ 14.10 eur 2025-03-02")]
    NoAmount,
    /// A word before the amount, with one after it.
    #[error("{0} is not one of buy, sell, receive, send")]
    Kind(String),
    /// A coin without an amount before it.
    #[error("expected an amount before {0}, such as 500 {0}")]
    NoAmountBefore(String),
    /// Only an address.
    #[error("expected an amount and a coin, not an address")]
    OnlyAddress,
    /// The coin is missing.
    #[error("expected a coin after the amount, such as ordi")]
    NoCoin,
    /// An amount whose thousands are separated by a space, so that the last ones would be the coin.
    #[error("unexpected `{0}` (no spaces in numbers: {1})")]
    Spaced(String, String),
    /// There is no price after `@`.
    #[error("expected a price after {0}, such as {0} 14.10")]
    NoPrice(&'static str),
    /// `market` in place of a price.
    #[error("type the price that was paid, such as @ 14.10, instead of market")]
    Market,
    /// Money in place of the amount.
    #[error("expected an amount of the coin, not {0} (to give what it cost: 5 ordi @@ {0})")]
    MoneyAmount(String),
    /// There is no fee after `fee`.
    #[error("expected a fee after \"fee\", such as fee 2.50")]
    NoFee,
    /// A number can't be read.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// The sign of several currencies.
    #[error(transparent)]
    SharedSign(#[from] SharedSign),
    /// The amount is negative.
    #[error("an amount can't be negative: {0} (to reduce a holding, use sell or send)")]
    NegativeAmount(String),
    /// The amount is zero, or has more than 18 decimals.
    #[error("invalid amount {0} (must be above 0, with at most 18 decimals)")]
    Amount(String),
    /// The amount is too large to be stored.
    #[error("amount too large: {0} (must be below 340 quintillion)")]
    TooLarge(String),
    /// A price or fee is negative.
    #[error("a price or fee can't be negative: {0}")]
    Negative(String),
    /// The date is ambiguous.
    #[error(transparent)]
    Date(#[from] AmbiguousDate),
    /// A day that no calendar has.
    #[error("{0} is not a valid date")]
    NoDay(String),
    /// The day is later than today.
    #[error("{0} is in the future")]
    Future(Date),
    /// The day is before Bitcoin's first block.
    #[error("{0} is before the first block ({FIRST_DAY})")]
    Early(Date),
    /// A number without the `@` of a price before it.
    #[error("expected @ before the price, such as @ {0}")]
    NoAt(String),
    /// A part that a lot has once.
    #[error("{0} given twice")]
    Twice(&'static str),
    /// An invalid address.
    #[error("{}", .1.of(.0))]
    Address(String, AddressError),
    /// Several addresses have the label.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A label that reads as another part of a lot.
    #[error("label can't be {1}: {0}")]
    ReservedLabel(String, &'static str),
    /// A note or a label, and its number of characters.
    #[error("{0} too long: {1} characters (at most {MAX_NOTE_CHARS})")]
    LongText(&'static str, usize),
    /// A word has no meaning here.
    #[error("unexpected `{0}` (expected a currency, date, address or quoted note)")]
    Unknown(String),
    /// The token SATS instead of the currency SAT.
    #[error("unexpected `{0}` (the currency is SAT; SATS is a token)")]
    Sats(String),
}
