//! Parses a sat in any notation.

use std::str::FromStr;

use bitcoin::constants::{DIFFCHANGE_INTERVAL, SUBSIDY_HALVING_INTERVAL};
use ordinals::{CYCLE_EPOCHS, Height};

use super::number::SatNumber;
use crate::model::text::ungrouped;

/// Number of epochs with a subsidy.
const EPOCHS: u64 = 33;

/// Number of blocks with a subsidy.
const BLOCKS: u64 = EPOCHS * SUBSIDY_HALVING_INTERVAL as u64;

/// Maximum letters of a name.
const NAME: usize = 11;

/// Why a string is not a sat, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SatParseError {
    /// Not a known notation.
    #[error("expected a number, block.offset, a degree such as 0°1′1″0‴, a percentile such as 91.2%, or a name")]
    Unknown,
    /// A number of 2099999997690000 or more.
    #[error("sats are numbered from 0 to 2099999997689999")]
    NumberRange,
    /// A name after `nvtdijuwxlp`, the first sat's.
    #[error("names range from a (the last sat) to nvtdijuwxlp (the first)")]
    NameRange,
    /// A block without a subsidy.
    #[error("block {0} mines no sats; the last block with a subsidy is 6929999")]
    Block(u64),
    /// An offset beyond the block's subsidy.
    #[error("offset {offset} is too large: block {height} mines only {subsidy} sats")]
    Offset {
        /// The block.
        height: u64,
        /// The block's subsidy.
        subsidy: u64,
        /// The requested offset.
        offset: u64,
    },
    /// A degree that no block has.
    #[error("invalid degree: {0}")]
    Degree(&'static str),
    /// A percentile outside 0 to 100.
    #[error("a percentile must be from 0% to 100%")]
    Percentile,
}

impl FromStr for SatNumber {
    type Err = SatParseError;

    /// Parses a number (also with thousands separators), `height.offset`, a degree (also with ASCII marks, as in
    /// `0°1'1"0'''` or `0o1'1"0'`), a percentile, or a name in any case. A percentile is the sat that prints as exactly
    /// this percentile, or else the nearest one.
    fn from_str(text: &str) -> Result<SatNumber, SatParseError> {
        let text = text.trim();
        if let Some(percent) = text.strip_suffix('%') {
            // With a sign, it is a change.
            return if percent.starts_with('+') { Err(SatParseError::Unknown) } else { percentile(percent.trim_end()) };
        }
        // The degree sign is an `o` in ASCII.
        let is_cycle = |(cycle, _): &(&str, &str)| !cycle.is_empty() && cycle.bytes().all(|byte| byte.is_ascii_digit());
        if let Some((cycle, rest)) = text.split_once(['°', 'º']).or_else(|| text.split_once('o').filter(is_cycle)) {
            return degree(cycle, rest);
        }
        if let Some((height, offset)) = text.split_once('.') {
            return decimal(number(height)?, number(offset)?);
        }
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return name(text);
        }
        SatNumber::new(number(text)?).ok_or(SatParseError::NumberRange)
    }
}

/// Parses digits, with or without thousands separators. Numbers of more than 64 bits are beyond every range and count as
/// the largest one.
fn number(text: &str) -> Result<u64, SatParseError> {
    let text = ungrouped(text);
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SatParseError::Unknown);
    }
    Ok(text.parse().unwrap_or(u64::MAX))
}

/// Parses a name: base 26 with the digits a (1) to z (26), counted down from the last sat.
fn name(text: &str) -> Result<SatNumber, SatParseError> {
    if text.len() > NAME {
        return Err(SatParseError::NameRange);
    }
    let digit = |byte: u8| u64::from(byte.to_ascii_lowercase() - b'a') + 1;
    let from_end = text.bytes().fold(0, |sum, byte| sum * 26 + digit(byte));
    SatNumber::SUPPLY.checked_sub(from_end).and_then(SatNumber::new).ok_or(SatParseError::NameRange)
}

fn decimal(height: u64, offset: u64) -> Result<SatNumber, SatParseError> {
    let block = match u32::try_from(height) {
        Ok(block) if height < BLOCKS => Height(block),
        _ => return Err(SatParseError::Block(height)),
    };
    let subsidy = block.subsidy();
    if offset >= subsidy {
        return Err(SatParseError::Offset { height, subsidy, offset });
    }
    SatNumber::new(block.starting_sat().n() + offset).ok_or(SatParseError::NumberRange)
}

/// Parses `cycle°block of the epoch′block of the period″sat of the block‴`; the last part is 0 if omitted.
fn degree(cycle: &str, rest: &str) -> Result<SatNumber, SatParseError> {
    let cycle = number(cycle.trim())?;
    let (minute, rest) = part(rest, 1)?;
    let (second, rest) = part(rest, 2)?;
    // In ASCII, the last mark is a single prime.
    let third = || part(rest, 3).or_else(|_| part(rest, 1));
    let (third, rest) = if rest.trim().is_empty() { (0, "") } else { third()? };
    if !rest.is_empty() {
        return Err(SatParseError::Unknown);
    }
    let (halving, adjustment) = (u64::from(SUBSIDY_HALVING_INTERVAL), u64::from(DIFFCHANGE_INTERVAL));
    if minute >= halving {
        return Err(SatParseError::Degree("the part before ′ must be below 210000"));
    }
    if second >= adjustment {
        return Err(SatParseError::Degree("the part before ″ must be below 2016"));
    }
    let epochs = u64::from(CYCLE_EPOCHS);
    let first = cycle.checked_mul(epochs).filter(|first| *first < EPOCHS);
    let first = first.ok_or(SatParseError::Degree("the last cycle is 5"))?;
    // Within a cycle, each combination of the two occurs only once.
    let height = (first..first + epochs)
        .map(|epoch| epoch * halving + minute)
        .find(|height| height % adjustment == second)
        .ok_or(SatParseError::Degree("the parts before ′ and ″ don't match"))?;
    decimal(height, third)
}

/// Parses a number followed by `primes` primes, in any of their characters.
fn part(text: &str, primes: u32) -> Result<(u64, &str), SatParseError> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, mut rest) = text.split_at(end);
    let mut seen = 0;
    while let Some(mark) = rest.chars().next() {
        seen += match mark {
            '′' | '\'' | '’' | '´' | 'ʹ' => 1,
            '″' | '"' | '”' | 'ʺ' => 2,
            '‴' => 3,
            _ => break,
        };
        rest = rest.get(mark.len_utf8()..).unwrap_or_default();
    }
    if seen == primes { Ok((number(digits)?, rest)) } else { Err(SatParseError::Unknown) }
}

fn percentile(text: &str) -> Result<SatNumber, SatParseError> {
    let percent = plain_float(text).filter(|percent| (0.0..=100.0).contains(percent));
    let percent = percent.ok_or(SatParseError::Percentile)?;
    let last = SatNumber::SUPPLY - 1;
    // The value is in range, so the conversion only rounds.
    let guess = ((percent / 100.0 * last as f64).round() as u64).min(last);
    // The value is rounded twice, so the sat that prints like this may be a neighbour.
    let prints_same = |n: &u64| plain_float(ordinals::Sat(*n).percentile().trim_end_matches('%')) == Some(percent);
    let neighbours = guess.saturating_sub(2)..=(guess + 2).min(last);
    let exact = if prints_same(&guess) { Some(guess) } else { neighbours.into_iter().find(prints_same) };
    SatNumber::new(exact.unwrap_or(guess)).ok_or(SatParseError::Percentile)
}

/// Parses a float with digits or with an exponent (JavaScript prints `4.7e-14`), but not `inf` or `nan`.
fn plain_float(text: &str) -> Option<f64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'-' | b'+'));
    if digits { text.parse().ok() } else { None }
}

/// Whether an indexer's value of a field is equivalent to the computed one.
pub(super) fn same(field: &str, indexer: &str, computed: &str) -> bool {
    let indexer = indexer.trim();
    if indexer == computed {
        return true;
    }
    match field {
        "percentile" => {
            let float = |text: &str| plain_float(text.trim_end_matches('%').trim_end());
            match (float(indexer), float(computed)) {
                // A few units in the last place, at most half a sat.
                (Some(a), Some(b)) => (a - b).abs() <= 2e-14,
                _ => false,
            }
        }
        "degree" => {
            let sat = |text: &str| text.parse::<SatNumber>().ok();
            sat(indexer).is_some() && sat(indexer) == sat(computed)
        }
        "rarity" | "name" => indexer.eq_ignore_ascii_case(computed),
        // Numbers, including the form `3.0`.
        "decimal" => false,
        _ => plain_float(indexer).is_some_and(|a| plain_float(computed) == Some(a)),
    }
}
