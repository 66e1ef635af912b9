//! A lot as one line of text: `500 ordi @ 14.10 eur 2025-03-02`.

mod error;
mod parts;

pub use error::{EntryError, FIRST_DAY};
pub use parts::{amount, checked_amount, checked_day, cut_note, date, label_text, money, note_text};

use std::borrow::Cow;

use jiff::civil::Date;

use super::number::NumberError;
use super::{date, number};
use crate::model::address::{self, AddressError};
use crate::model::{Amount, Currency, Decimal, SharedSign, Text};
use crate::user_data::address::{LabelError, labelled};
use crate::user_data::{LotKind, LotPrice, WalletAddress};

/// A typed lot. The coin is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What happened, if it was typed; buying is the default.
    pub kind: Option<LotKind>,
    /// The amount, not zero.
    pub amount: Amount,
    /// Slug or symbol of the coin, as typed.
    pub coin: Text,
    /// The price.
    pub price: Option<LotPrice>,
    /// The currency of price and fee, if it was typed.
    pub currency: Option<Currency>,
    /// The fee.
    pub fee: Option<Decimal>,
    /// The day, if it was typed.
    pub date: Option<Date>,
    /// The note.
    pub note: Option<Text>,
    /// The address that holds the amount, in its canonical form.
    pub address: Option<Text>,
}

/// Parses a line: `[buy|sell|receive|send] AMOUNT COIN [@ PRICE | @@ TOTAL] [CURRENCY] [fee FEE] [DATE] [ADDRESS]
/// ["NOTE"]`. The parts after the coin may be in any order. `at` is the same as `@`, and a price or fee may contain its
/// currency: `€14.10`, `14.10eur`. A date is one that [`date::parse`] reads, `today` or `yesterday`. An address may be
/// given by its label in `addresses`, unless the label also reads as a currency, a date or `fee`.
///
/// # Errors
/// The line is invalid, or its day is after `today`.
pub fn parse(line: &str, today: Date, addresses: &[WalletAddress]) -> Result<Entry, EntryError> {
    let (line, note) = split_note(line);
    let note = note_text("note", note)?;
    let line = spaced(&line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut words = Words(&words);
    let kind = words.0.first().and_then(|word| LotKind::parse(&word.to_ascii_lowercase()));
    if kind.is_some() {
        words.next();
    }
    let start = Start::read(&mut words, kind)?;
    let mut entry = Entry {
        kind,
        amount: start.amount,
        coin: start.coin.clone(),
        price: None,
        currency: None,
        fee: None,
        date: None,
        note,
        address: None,
    };
    let first_part = words.0.len();
    while let Some((word, place)) = words.next().map(|word| (word, words.0)) {
        match word {
            "@" => {
                let unit = words.sum(&mut entry.currency)?.ok_or(EntryError::NoPrice("@"))?;
                once("price", &mut entry.price, LotPrice::Unit(unit))?;
            }
            "@@" => {
                let total = words.sum(&mut entry.currency)?.ok_or(EntryError::NoPrice("@@"))?;
                once("price", &mut entry.price, LotPrice::Total(total))?;
            }
            _ if word.eq_ignore_ascii_case("at") && is_sum(words.0.first()) => {
                let unit = words.sum(&mut entry.currency)?.ok_or(EntryError::NoPrice("@"))?;
                once("price", &mut entry.price, LotPrice::Unit(unit))?;
            }
            _ if word.eq_ignore_ascii_case("fee") => {
                let fee = words.sum(&mut entry.currency)?.ok_or(EntryError::NoFee)?;
                once("fee", &mut entry.fee, fee)?;
            }
            _ if address::is_similar(word) || address::is_extended_key(word) => {
                let invalid = |reason| EntryError::Address(word.to_owned(), reason);
                once("address", &mut entry.address, address::parse(word).map_err(invalid)?.text)?;
            }
            _ => match (date(word, today)?, currency(word)) {
                (Some(date), _) => once("date", &mut entry.date, checked_day(date, today)?)?,
                (None, Some(currency)) => once_or_same(&mut entry.currency, currency)?,
                (None, None) => match label(word, place, addresses)? {
                    Some((address, rest)) => {
                        once("address", &mut entry.address, address.clone())?;
                        words = Words(rest);
                    }
                    None => {
                        let is_first = place.len() + 1 == first_part;
                        return Err(start.unknown_part(word, entry.price.is_some(), is_first));
                    }
                },
            },
        }
    }
    check_points(&line, [])?;
    Ok(entry)
}

/// Checks that no point in a line, or in other numbers of the same lot, may separate thousands.
///
/// # Errors
/// A number like `1.500` is beside one with a decimal comma.
pub fn check_points<'a>(line: &str, others: impl IntoIterator<Item = &'a str>) -> Result<(), EntryError> {
    let (line, _) = split_note(line);
    let mut texts: Vec<&str> = vec![&line];
    others.into_iter().for_each(|other| texts.push(other));
    number::ambiguous_point(texts).map_or(Ok(()), |(_, error)| Err(error.into()))
}

/// The amount and the coin at the start of a line.
struct Start {
    amount: Amount,
    coin: Text,
    /// The amount as typed, with the coin if both are one word.
    expression: String,
    /// Whether amount and coin may be a mistyped number: `0x10`.
    is_number_like: bool,
}

impl Start {
    /// Reads amount and coin after the kind, if it was typed.
    fn read(words: &mut Words<'_, '_>, kind: Option<LotKind>) -> Result<Start, EntryError> {
        let amount = match words.next() {
            None => return Err(EntryError::NoAmount),
            Some(word) if address::is_similar(word) => return Err(EntryError::OnlyAddress),
            Some(word) if address::is_extended_key(word) => {
                return Err(EntryError::Address(word.to_owned(), AddressError::ExtendedKey));
            }
            Some(word) if word.chars().all(char::is_alphabetic) => return Err(no_amount(word, words.0, kind)),
            Some(word) if is_money(word) => return Err(EntryError::MoneyAmount(word.to_owned())),
            Some(word) => word,
        };
        let expression = words.expression(amount);
        let joined = with_coin(&expression);
        let is_number_like = joined.is_some_and(|(_, coin)| is_number_end(coin));
        let (amount, coin) = match joined {
            Some((amount, coin)) => {
                let amount = self::amount(amount);
                (amount.map_err(|error| if is_number_like { not_a_number(&expression) } else { error })?, Some(coin))
            }
            None => (self::amount(&expression)?, words.next().filter(|word| !word.starts_with('@'))),
        };
        let coin = Text::from(coin.ok_or(EntryError::NoCoin)?);
        Ok(Start { amount, coin, expression, is_number_like })
    }

    /// Why a word is no part of a lot. `is_first`: it is the first one after the coin.
    fn unknown_part(&self, word: &str, has_price: bool, is_first: bool) -> EntryError {
        if !has_price && !word.contains('-') && number::parse(word).is_ok() {
            EntryError::NoAt(word.to_owned())
        } else if date::is_similar(word) {
            EntryError::NoDay(word.to_owned())
        } else if word.eq_ignore_ascii_case("sats") {
            EntryError::Sats(word.to_owned())
        } else if self.is_number_like && is_first {
            not_a_number(&self.expression)
        } else if self.coin.bytes().all(|byte| byte.is_ascii_digit()) {
            EntryError::Spaced(word.to_owned(), format!("{}{}", self.expression, self.coin))
        } else {
            let unknown = || EntryError::Unknown(word.to_owned());
            SharedSign::of(word).map_or_else(unknown, EntryError::from)
        }
    }
}

/// Why a line has no amount. It starts with `word`, and `others` follow.
fn no_amount(word: &str, others: &[&str], kind: Option<LotKind>) -> EntryError {
    // After a coin and an amount, these are a part of the line, not a coin.
    let is_part = |word: &str| {
        matches!(word.to_ascii_lowercase().as_str(), "at" | "fee" | "today" | "yesterday")
            || Currency::parse_known(word).is_some_and(|currency| !currency.is_coin())
    };
    let is_kind = |coin: &&str| kind.is_none() && coin.starts_with(char::is_alphabetic) && !is_part(coin);
    match others {
        [amount, coin, ..] if number::parse(amount).is_ok() && is_kind(coin) => EntryError::Kind(word.to_owned()),
        _ => EntryError::NoAmountBefore(word.to_owned()),
    }
}

/// Whether a word is a number with the sign of a currency: `$100`.
fn is_money(word: &str) -> bool {
    Currency::split_sign(word).is_some_and(|(number, _)| number::parse(number).is_ok())
}

fn not_a_number(expression: &str) -> EntryError {
    NumberError::Invalid(expression.to_owned()).into()
}

/// The unread words of a line.
struct Words<'a, 'b>(&'b [&'a str]);

impl<'a> Words<'a, '_> {
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// The expression that starts with a word. Spaces may surround its operators.
    fn expression(&mut self, first: &str) -> String {
        let mut expression = first.to_owned();
        while let [operator @ ("*" | "/" | "+" | "-"), operand, ..] = self.0 {
            expression = format!("{expression}{operator}{operand}");
            self.0 = self.0.get(2..).unwrap_or_default();
        }
        expression
    }

    /// The price or fee that starts with the next word; `None` if there is none.
    fn sum(&mut self, currency: &mut Option<Currency>) -> Result<Option<Decimal>, EntryError> {
        let Some(first) = self.next() else { return Ok(None) };
        if first.eq_ignore_ascii_case("market") {
            return Err(EntryError::Market);
        }
        sum(&self.expression(first), currency).map(Some)
    }
}

/// Sets a part of a lot.
fn once<T>(name: &'static str, part: &mut Option<T>, value: T) -> Result<(), EntryError> {
    if part.is_some() {
        return Err(EntryError::Twice(name));
    }
    *part = Some(value);
    Ok(())
}

/// Sets the currency of a lot, which may be named again.
fn once_or_same(known: &mut Option<Currency>, currency: Currency) -> Result<(), EntryError> {
    match known {
        Some(other) if *other != currency => Err(EntryError::Twice("currency")),
        _ => {
            *known = Some(currency);
            Ok(())
        }
    }
}

/// An amount with its coin in one word: `500ordi`. A suffix of the number, as in `1.5k`, is not a coin.
fn with_coin(word: &str) -> Option<(&str, &str)> {
    let (amount, coin) = word.split_at(word.find(|char: char| char.is_ascii_alphabetic())?);
    // An exponent may be too large.
    let is_exponent = coin.strip_prefix(['e', 'E']).is_some_and(|digits| digits.parse::<i32>().is_ok());
    (!is_exponent && number::parse(word).is_err() && number::parse(amount).is_ok()).then_some((amount, coin))
}

/// Whether a coin right after an amount may be the end of a mistyped number: `0x10`, `5x10`, `1e3k`.
fn is_number_end(coin: &str) -> bool {
    let Some((letter, rest)) = coin.split_at_checked(1) else { return false };
    let suffix = rest.trim_start_matches(|char: char| char.is_ascii_digit());
    let has_digits = suffix.len() < rest.len();
    match letter {
        "x" | "X" => has_digits && suffix.is_empty(),
        "e" | "E" => has_digits && number::parse(&format!("1{suffix}")).is_ok(),
        _ => false,
    }
}

/// A price or fee, which may contain its currency: `€14.10`, `14.10eur`.
fn sum(word: &str, currency: &mut Option<Currency>) -> Result<Decimal, EntryError> {
    let (number, code) = with_currency(word);
    if let Some(code) = code {
        once_or_same(currency, code)?;
    }
    money(number)
}

/// Whether a word is a price or fee.
fn is_sum(word: Option<&&str>) -> bool {
    word.is_some_and(|word| money(with_currency(word).0).is_ok())
}

/// The number of a price or fee, and its currency if the word contains one.
fn with_currency(word: &str) -> (&str, Option<Currency>) {
    if let Some((number, sign)) = Currency::split_sign(word)
        && let Some(code) = Currency::of_sign(sign)
    {
        return (number, Some(code));
    }
    let start = word.rfind(|char: char| !char.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let codes = (start..word.len()).filter_map(|at| word.split_at_checked(at));
    let mut known = codes.filter_map(|(number, code)| Some((number, currency(code)?)));
    known.find(|(number, _)| number::parse(number).is_ok()).map_or((word, None), |(number, code)| (number, Some(code)))
}

/// The address whose label starts with a word, the longest label first, and the words after it.
fn label<'a, 'b, 'c>(
    word: &str,
    rest: &'b [&'a str],
    addresses: &'c [WalletAddress],
) -> Result<Option<(&'c Text, &'b [&'a str])>, LabelError> {
    for count in (0..=rest.len()).rev() {
        let Some((others, rest)) = rest.split_at_checked(count) else { continue };
        let label = [&[word][..], others].concat().join(" ");
        if let Some(found) = labelled(&label, addresses)? {
            return Ok(Some((&found.address, rest)));
        }
    }
    Ok(None)
}

/// The shortest text that [`parse`] reads as an address: its label, or the address itself.
pub fn address_text<'a>(address: &'a Text, addresses: &'a [WalletAddress]) -> &'a Text {
    let label = addresses.iter().find(|known| known.address == *address).and_then(|known| known.label.as_ref());
    let reads_back = |label: &&Text| {
        let line = format!("1 x {label}");
        parse(&line, Date::MAX, addresses).is_ok_and(|entry| entry.address.as_ref() == Some(address))
    };
    label.filter(reads_back).unwrap_or(address)
}

/// Splits off the text between the first and the last quote. While it is typed, it may lack the last one.
fn split_note(line: &str) -> (Cow<'_, str>, &str) {
    let Some((before, note)) = line.split_once('"') else { return (Cow::Borrowed(line), "") };
    match note.rsplit_once('"') {
        Some((note, after)) => (Cow::Owned(format!("{before} {after}")), note),
        None => (Cow::Borrowed(before), note),
    }
}

/// The line with spaces around `@` and `@@`.
fn spaced(line: &str) -> String {
    line.replace("@@", " \u{1} ").replace('@', " @ ").replace('\u{1}', "@@")
}

/// A known currency code, since any mistyped word may look like one.
fn currency(word: &str) -> Option<Currency> {
    Currency::parse_known(word)
}

#[cfg(test)]
mod tests;
