//! The parts of a lot: its amount, money, day and note.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::error::{EntryError, FIRST_DAY};
use crate::model::{Amount, Currency, Decimal, SharedSign, Text, address, text};
use crate::portfolio::{date, number};
use crate::user_data::note::MAX_NOTE_CHARS;

/// Parses the amount of a lot.
///
/// # Errors
/// It is not a number above zero with at most 18 decimals, or it is too large.
pub fn amount(text: &str) -> Result<Amount, EntryError> {
    checked_amount(&number::parse(text)?)
}

/// Returns a number as the amount of a lot.
///
/// # Errors
/// It is not above zero, it has more than 18 decimals, or it is too large.
pub fn checked_amount(decimal: &Decimal) -> Result<Amount, EntryError> {
    let number = decimal.to_string();
    if decimal.is_negative() {
        return Err(EntryError::NegativeAmount(number));
    }
    let amount = number.parse::<Amount>().ok().filter(|amount| *amount > Amount::ZERO);
    let is_large = *decimal > Decimal::from(Amount::MAX);
    amount.ok_or(if is_large { EntryError::TooLarge(number) } else { EntryError::Amount(number) })
}

/// Parses a price or fee.
///
/// # Errors
/// It is not a number, it is negative, or it has the sign of several currencies.
pub fn money(text: &str) -> Result<Decimal, EntryError> {
    let number = number::parse(text).map_err(|error| match SharedSign::of(text) {
        Some(shared) => EntryError::from(shared),
        None => EntryError::from(error),
    })?;
    if number.is_negative() { Err(EntryError::Negative(text.to_owned())) } else { Ok(number) }
}

/// Returns the day of a lot.
///
/// # Errors
/// It is after `today`, or before Bitcoin's first block.
pub fn checked_day(date: Date, today: Date) -> Result<Date, EntryError> {
    match date {
        date if date > today => Err(EntryError::Future(date)),
        date if date < FIRST_DAY => Err(EntryError::Early(date)),
        date => Ok(date),
    }
}

/// Parses a day: one that [`date::parse`] reads, `today` or `yesterday`; otherwise `None`.
///
/// # Errors
/// The date is ambiguous.
pub fn date(word: &str, today: Date) -> Result<Option<Date>, EntryError> {
    match word.to_ascii_lowercase().as_str() {
        "today" => Ok(Some(today)),
        "yesterday" => Ok(today.checked_sub(1.day()).ok()),
        word => Ok(date::parse(word)?),
    }
}

/// A note or a label without control characters; `None` if it is empty. `what` names it in an error.
///
/// # Errors
/// It has more than [`MAX_NOTE_CHARS`] characters.
pub fn note_text(what: &'static str, typed: &str) -> Result<Option<Text>, EntryError> {
    let (short, left) = cut_note(typed);
    match (left, short) {
        (0, short) => Ok(short),
        (left, _) => Err(EntryError::LongText(what, MAX_NOTE_CHARS + left)),
    }
}

/// The label of an address; `None` if it is empty. The label that the address has now, `current`, is always valid.
///
/// # Errors
/// It is too long, or it would be read as another part of a lot, or as another address.
pub fn label_text(typed: &str, current: Option<&Text>) -> Result<Option<Text>, EntryError> {
    let Some(label) = note_text("label", typed)? else { return Ok(None) };
    if current == Some(&label) {
        return Ok(Some(label));
    }
    let part = if address::is_similar(&label) {
        "an address"
    } else if Currency::parse_known(&label).is_some() {
        "a currency code"
    } else if !matches!(date(&label, Date::MAX), Ok(None)) {
        "a date"
    } else if label.eq_ignore_ascii_case("fee") {
        "the word fee"
    } else {
        return Ok(Some(label));
    };
    Err(EntryError::ReservedLabel(label.into(), part))
}

/// A note of another program, cut to [`MAX_NOTE_CHARS`] characters, and the number of those cut off.
pub fn cut_note(note: &str) -> (Option<Text>, usize) {
    let clean = text::clean(note);
    let mut chars = clean.trim().chars();
    let short: String = chars.by_ref().take(MAX_NOTE_CHARS).collect();
    ((!short.is_empty()).then(|| Text::from(short)), chars.count())
}
