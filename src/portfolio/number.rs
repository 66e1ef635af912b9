//! Typed numbers, with separators, suffixes and sums.

use super::date;
use crate::model::Decimal;

/// Why a string is not a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// A comma or a point that may separate either thousands or decimals.
    #[error("ambiguous number {text} (expected {whole} or {fraction})")]
    Ambiguous {
        /// The text.
        text: String,
        /// As thousands.
        whole: String,
        /// As decimals.
        fraction: String,
    },
    /// Anything else.
    #[error("not a number: {} (examples: 500, 0.25, 1.5k, 2*0.25)", or_empty(.0))]
    Invalid(String),
    /// Anything else where no expression is allowed.
    #[error("not a number: {} (examples: 500, 0.25, 1.5k)", or_empty(.0))]
    NotPlain(String),
    /// A date, which would read as a difference or a quotient.
    #[error("{0} looks like a date, not a number")]
    Date(String),
    /// A division by zero.
    #[error("{0} divides by zero")]
    ByZero(String),
}

/// Parses a number or an expression with `+ - * /` and parentheses. Quotients are rounded half to even at 18 decimals.
///
/// Commas and apostrophes may separate thousands. A comma may separate decimals, and points thousands, where no other
/// reading is possible. `k`, `m`, `b` and `t` stand for thousands, millions, billions and trillions. An exponent, as in
/// `8.8e-8`, is between -30 and 30. A date is never a number: `2026-11-20`, `01/02/2024`.
///
/// # Errors
/// The text is not such a number, or is ambiguous.
pub fn parse(text: &str) -> Result<Decimal, NumberError> {
    if text.len() > MAX_LENGTH {
        return Err(NumberError::Invalid(shortened(text)));
    }
    if date::is_similar(text) {
        return Err(NumberError::Date(text.to_owned()));
    }
    let mut parser = Parser { text, rest: text, depth: 0 };
    let number = parser.sum()?;
    if parser.rest.is_empty() && number.is_readable() { Ok(number) } else { Err(parser.invalid()) }
}

/// Parses one number as in [`parse`], with a minus sign or, as in accounting, in parentheses if it is negative.
///
/// # Errors
/// The text is not such a number, or is ambiguous.
pub fn parse_plain(text: &str) -> Result<Decimal, NumberError> {
    let invalid = || NumberError::NotPlain(shortened(text));
    if text.len() > MAX_LENGTH {
        return Err(invalid());
    }
    let (digits, is_negative) = match without_sign(text) {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let mut parser = Parser { text: digits, rest: digits, depth: 0 };
    let number = match parser.number() {
        Ok(number) if parser.rest.is_empty() && number.is_readable() => number,
        Err(error @ NumberError::Ambiguous { .. }) => return Err(error),
        _ => return Err(invalid()),
    };
    Ok(if is_negative { -number } else { number })
}

/// A number without its minus sign or its parentheses; `None` if it has neither.
pub fn without_sign(text: &str) -> Option<&str> {
    let in_parentheses = || text.strip_prefix('(')?.strip_suffix(')').map(str::trim);
    text.strip_prefix(['-', '\u{2212}']).map(str::trim_start).or_else(in_parentheses)
}

/// The string, or quotation marks for an empty one, which would be invisible in a message.
fn or_empty(text: &str) -> &str {
    if text.trim().is_empty() { "\"\"" } else { text }
}

/// The string, shortened for a message.
fn shortened(text: &str) -> String {
    if text.len() > MAX_LENGTH { text.chars().take(20).chain(['…']).collect() } else { text.to_owned() }
}

/// Maximum length of an expression in bytes.
const MAX_LENGTH: usize = 200;

/// Maximum depth of parentheses and signs.
const MAX_DEPTH: usize = 16;

/// A recursive descent parser.
struct Parser<'a> {
    text: &'a str,
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn invalid(&self) -> NumberError {
        NumberError::Invalid(self.text.to_owned())
    }

    fn eat(&mut self, wanted: char) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Result<Decimal, NumberError> {
        let mut sum = self.product()?;
        loop {
            if self.eat('+') {
                sum = sum + &self.product()?;
            } else if self.eat('-') {
                sum = sum - &self.product()?;
            } else {
                return Ok(sum);
            }
        }
    }

    fn product(&mut self) -> Result<Decimal, NumberError> {
        let mut product = self.factor()?;
        loop {
            if self.eat('*') {
                product = &product * &self.factor()?;
            } else if self.eat('/') {
                let divisor = self.factor()?;
                let quotient = product.divided_by(&divisor);
                product = quotient.ok_or_else(|| NumberError::ByZero(self.text.to_owned()))?;
            } else {
                return Ok(product);
            }
        }
    }

    fn factor(&mut self) -> Result<Decimal, NumberError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.invalid());
        }
        let number = if self.eat('(') {
            let inner = self.sum()?;
            if !self.eat(')') {
                return Err(self.invalid());
            }
            inner
        } else if self.eat('-') {
            -self.factor()?
        } else {
            self.number()?
        };
        self.depth -= 1;
        Ok(number)
    }

    fn number(&mut self) -> Result<Decimal, NumberError> {
        let end = self.rest.find(|char| !is_part(char)).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        let digits = plain(digits)?;
        if let Some((exponent, rest)) = exponent(rest) {
            self.rest = rest;
            return Decimal::from_json_digits(&format!("{digits}e{exponent}")).ok_or_else(|| self.invalid());
        }
        let number: Decimal = digits.parse().map_err(|_| self.invalid())?;
        let mut factor = Decimal::from(1);
        for (suffix, thousands) in [('k', 1), ('m', 2), ('b', 3), ('t', 4)] {
            if self.eat(suffix) || self.eat(suffix.to_ascii_uppercase()) {
                factor = (0..thousands).fold(factor, |factor, _| &factor * &Decimal::from(1_000));
                // `mn`, `bn` and `tn`.
                let _ = thousands > 1 && (self.eat('n') || self.eat('N'));
                break;
            }
        }
        Ok(&number * &factor)
    }
}

/// The exponent at the start of a string, as in `e-8`, and the rest.
fn exponent(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(['e', 'E'])?;
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    if end == 0 { None } else { text.split_at_checked(text.len() - digits.len() + end) }
}

/// Whether a character may be a part of a number.
fn is_part(char: char) -> bool {
    char.is_ascii_digit() || matches!(char, '.' | ',' | '\'' | '_')
}

/// The first number of several strings whose point may separate thousands, such as `1.500`, if another has a decimal
/// comma: the index of its text, and the error with both readings.
pub fn ambiguous_point<'a>(texts: impl IntoIterator<Item = &'a str> + Clone) -> Option<(usize, NumberError)> {
    let numbers = |text: &'a str| text.split(|char| !is_part(char));
    let has_decimal_comma = |number: &str| {
        number.matches(',').count() == 1 && number.rfind('.') < number.find(',') && plain(number).is_ok()
    };
    if !texts.clone().into_iter().flat_map(numbers).any(has_decimal_comma) {
        return None;
    }
    let may_be_thousands = |number: &&str| number.matches('.').count() == 1 && are_thousands(number, '.');
    texts.into_iter().enumerate().find_map(|(index, text)| {
        let text = numbers(text).find(may_be_thousands)?;
        let (whole, fraction) = (text.replace('.', ""), unambiguous_fraction(text));
        Some((index, NumberError::Ambiguous { text: text.to_owned(), whole, fraction }))
    })
}

/// Rewrites a number with three decimals so that its point can't be a thousands separator: `80` for
/// `80.000`, `1.5` for `1.500`, `1.2340` for `1.234`.
pub fn unambiguous_fraction(text: &str) -> String {
    match text.trim_end_matches('0').trim_end_matches('.') {
        shorter if shorter.len() < text.len() => shorter.to_owned(),
        _ => format!("{text}0"),
    }
}

/// Whether a number consists of groups of three digits after a first group of one to three.
fn are_thousands(whole: &str, separator: char) -> bool {
    let mut groups = whole.split(separator);
    let first = groups.next().unwrap_or_default();
    let are_digits = whole.bytes().all(|byte| byte.is_ascii_digit() || char::from(byte) == separator);
    let is_first = (1..=3).contains(&first.len()) && !first.starts_with('0');
    are_digits && is_first && groups.all(|group| group.len() == 3)
}

/// The digits without thousands separators, and with a point before the decimals.
fn plain(digits: &str) -> Result<String, NumberError> {
    let invalid = || NumberError::Invalid(digits.to_owned());
    let bare: String = digits.chars().filter(|char| !matches!(char, '\'' | '_')).collect();
    let (commas, points) = (bare.matches(',').count(), bare.matches('.').count());
    match (commas, points) {
        (0, 0 | 1) => Ok(with_zero(&bare)),
        // 1,234.5: the last separator is the decimal one.
        (_, 1) if bare.rfind(',') < bare.rfind('.') => {
            let whole = bare.split('.').next().unwrap_or_default();
            if are_thousands(whole, ',') { Ok(bare.replace(',', "")) } else { Err(invalid()) }
        }
        // 1.234.567: a number has no two decimal points.
        (0, _) if are_thousands(&bare, '.') => Ok(bare.replace('.', "")),
        // 1.234,5
        (1, _) if points > 0 && bare.rfind('.') < bare.rfind(',') => {
            let whole = bare.split(',').next().unwrap_or_default();
            if are_thousands(whole, '.') { Ok(bare.replace('.', "").replace(',', ".")) } else { Err(invalid()) }
        }
        (1, 0) if are_thousands(&bare, ',') => Err(NumberError::Ambiguous {
            text: bare.clone(),
            whole: bare.replace(',', ""),
            fraction: unambiguous_fraction(&bare.replace(',', ".")),
        }),
        (1, 0) => Ok(with_zero(&bare.replace(',', "."))),
        (_, 0) if are_thousands(&bare, ',') => Ok(bare.replace(',', "")),
        _ => Err(invalid()),
    }
}

/// `.5` as `0.5`.
fn with_zero(digits: &str) -> String {
    if digits.starts_with('.') { format!("0{digits}") } else { digits.to_owned() }
}

#[cfg(test)]
mod tests;
