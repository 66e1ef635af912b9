//! Reads filters.
//!
//! `not` binds tighter than `and` (or `&&`), and `and` tighter than `or` (or `||`). Between two conditions, `and` may be
//! left out. A condition is a comparison (`24h > 5`, `cap < 1b`), a tag (`tag defi`), or one of `gainers`, `losers`,
//! `brc-20` and `watched`.

use super::condition::{Comparison, Field, Filter};
use crate::format::words::join_words;
use crate::model::Currency;

/// Maximum depth of parentheses and `not`.
const MAX_DEPTH: usize = 32;

/// Why a string is not a filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct FilterError {
    /// Where, in characters from 0.
    pub column: usize,
    /// Why, in one sentence.
    reason: String,
    /// What can follow, if only the end is missing: `a number such as 10m`.
    pub missing: Option<String>,
}

/// Reads a filter of a list in a currency.
///
/// # Errors
/// The first place that can't be read, or that has the sign of another currency.
pub fn parse(text: &str, convert: &Currency) -> Result<Filter, FilterError> {
    Parser::new(text, convert).whole()
}

/// Reads a filter like [`parse`]. Returns it with its text, where each `and` that was left out is written.
///
/// # Errors
/// Like those of [`parse`].
pub fn parse_spelled_out(text: &str, convert: &Currency) -> Result<(Filter, String), FilterError> {
    let mut parser = Parser::new(text, convert);
    let filter = parser.whole()?;
    let mut spelled = String::with_capacity(text.len());
    for (column, char) in text.chars().enumerate() {
        if parser.implied.contains(&column) {
            spelled.push_str(if spelled.ends_with(char::is_whitespace) { "and " } else { " and " });
        }
        spelled.push(char);
    }
    Ok((filter, spelled))
}

/// A word or sign, with its column.
struct Word<'a> {
    text: &'a str,
    column: usize,
}

/// The words and signs of a string.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut rest = text.char_indices().enumerate().peekable();
    while let Some((column, (start, c))) = rest.next() {
        if c.is_whitespace() {
            continue;
        }
        let mut end = start + c.len_utf8();
        let joins = |next: char| match c {
            '<' | '>' | '=' | '!' => next == '=',
            '&' | '|' => next == c,
            '(' | ')' => false,
            _ => !next.is_whitespace() && !matches!(next, '<' | '>' | '=' | '!' | '&' | '|' | '(' | ')'),
        };
        while let Some((_, (at, next))) = rest.next_if(|(_, (_, next))| joins(*next)) {
            end = at + next.len_utf8();
        }
        found.push(Word { text: text.get(start..end).unwrap_or_default(), column });
    }
    found
}

struct Parser<'a> {
    words: Vec<Word<'a>>,
    at: usize,
    end: usize,
    depth: usize,
    /// The columns of the conditions without an `and` before them.
    implied: Vec<usize>,
    /// The currency of the list.
    convert: &'a Currency,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, convert: &'a Currency) -> Parser<'a> {
        let end = text.trim_end().chars().count();
        Parser { words: words(text), at: 0, end, depth: 0, implied: Vec::new(), convert }
    }

    /// Reads all words.
    fn whole(&mut self) -> Result<Filter, FilterError> {
        let filter = self.any_of()?;
        match self.peek() {
            None => Ok(filter),
            Some(_) => Err(self.error("`and` or `or`")),
        }
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).map(|word| word.text)
    }

    /// Skips a word, if it is next.
    fn skip(&mut self, word: &str) -> bool {
        let is_next = self.peek().is_some_and(|next| next.eq_ignore_ascii_case(word));
        self.at += usize::from(is_next);
        is_next
    }

    fn error(&self, expected: &'static str) -> FilterError {
        let (column, found, missing) = match self.words.get(self.at) {
            Some(word) => (word.column, format!("`{}`", word.text), None),
            None => (self.end, String::from("end of input"), Some(expected.to_owned())),
        };
        let reason = format!("expected {expected} at character {}, found {found}", column + 1);
        FilterError { column, reason, missing }
    }

    /// The error for a missing number, with an example, or a hint on decimal commas.
    fn number_error(&self, field: Field) -> FilterError {
        let error = self.error("a number");
        let Some((word, number)) = self.peek().and_then(|word| Some((word, without_decimal_comma(word)?))) else {
            let missing = error.missing.map(|expected| format!("{expected} such as {}", field.example()));
            return FilterError { missing, ..error };
        };
        FilterError { reason: format!("`{word}` is not a number (use {number})"), ..error }
    }

    fn any_of(&mut self) -> Result<Filter, FilterError> {
        let mut filter = self.all_of()?;
        while self.skip("or") || self.skip("||") {
            filter = Filter::Or(Box::new(filter), Box::new(self.all_of()?));
        }
        Ok(filter)
    }

    fn all_of(&mut self) -> Result<Filter, FilterError> {
        let mut filter = self.condition()?;
        while self.skip("and") || self.skip("&&") || self.skip_implied_and() {
            filter = Filter::And(Box::new(filter), Box::new(self.condition()?));
        }
        Ok(filter)
    }

    /// Notes that an `and` is left out, if the next word begins a condition.
    fn skip_implied_and(&mut self) -> bool {
        let is_next = self.is_at_condition();
        self.implied.extend(self.words.get(self.at).filter(|_| is_next).map(|word| word.column));
        is_next
    }

    /// Whether the next word begins a condition.
    fn is_at_condition(&self) -> bool {
        const FIRST: [&str; 8] = ["not", "(", "gainers", "losers", "brc-20", "brc20", "watched", "tag"];
        let is_first = |word: &str| FIRST.iter().any(|first| first.eq_ignore_ascii_case(word));
        self.peek().is_some_and(is_first) || self.field().is_some()
    }

    /// The field named by the next words, and how many words its name has.
    fn field(&self) -> Option<(Field, usize)> {
        Field::read(self.words.get(self.at..)?.iter().map(|word| word.text))
    }

    fn condition(&mut self) -> Result<Filter, FilterError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let column = self.words.get(self.at).map_or(self.end, |word| word.column);
            let reason = format!("too many nested parentheses (character {})", column + 1);
            return Err(FilterError { column, reason, missing: None });
        }
        let filter = self.single();
        self.depth -= 1;
        filter
    }

    fn single(&mut self) -> Result<Filter, FilterError> {
        if self.skip("not") {
            return Ok(Filter::Not(Box::new(self.condition()?)));
        }
        if self.skip("(") {
            let inner = self.any_of()?;
            return if self.skip(")") { Ok(inner) } else { Err(self.error("`)`")) };
        }
        if self.skip("gainers") {
            return Ok(Filter::Gainers);
        }
        if self.skip("losers") {
            return Ok(Filter::Losers);
        }
        if self.skip("brc-20") || self.skip("brc20") {
            return Ok(Filter::Brc20);
        }
        if self.skip("watched") {
            return Ok(Filter::Watched);
        }
        if self.skip("tag") {
            self.skip("=");
            let name = self.peek().filter(|word| word.chars().all(|c| c.is_alphanumeric() || c == '-'));
            let Some(name) = name else { return Err(self.error("the name of a tag")) };
            self.at += 1;
            return Ok(Filter::Tag(name.to_lowercase()));
        }
        let (field, count) = self.field().ok_or_else(|| self.error("a column such as 24h, volume or cap"))?;
        self.at += count;
        let comparison = self.peek().and_then(comparison).ok_or_else(|| self.error("a comparison such as > or <"))?;
        self.at += 1;
        let (number, sign, words) = self.number().ok_or_else(|| self.number_error(field))?;
        if let Some(sign) = sign {
            self.check_sign(sign, field)?;
        }
        self.at += words;
        Ok(Filter::Compare(field, comparison, number))
    }

    /// Reads the next word as a number, which a word for its magnitude may follow: `1 b`. Returns it with its currency
    /// sign, and how many words it has.
    fn number(&self) -> Option<(f64, Option<&'static str>, usize)> {
        const MAGNITUDES: [&str; 7] = ["k", "m", "mn", "b", "bn", "t", "tn"];
        let word = self.peek()?;
        let (plain, sign) = number(word)?;
        let next = self.words.get(self.at + 1).map(|next| next.text);
        let magnitude = next.filter(|next| MAGNITUDES.iter().any(|name| name.eq_ignore_ascii_case(next)));
        let large = magnitude.and_then(|magnitude| number(&format!("{word}{magnitude}")));
        Some(large.map_or((plain, sign, 1), |(large, sign)| (large, sign, 2)))
    }

    /// Checks that the next word, an amount with a currency sign, is in the currency of the list.
    fn check_sign(&self, sign: &str, field: Field) -> Result<(), FilterError> {
        let Some(Word { text, column }) = self.words.get(self.at) else { return Ok(()) };
        let error = |reason| Err(FilterError { column: *column, reason, missing: None });
        if !field.is_money() {
            let money = join_words(&Field::money_names(), "and");
            return error(format!("a currency is valid only for {money}"));
        }
        if self.convert.sign() != Some(sign) {
            return error(format!("`{text}` is not in {}, the currency of the list", self.convert));
        }
        Ok(())
    }
}

fn comparison(word: &str) -> Option<Comparison> {
    Some(match word {
        "<" => Comparison::Less,
        "<=" => Comparison::AtMost,
        ">" => Comparison::Greater,
        ">=" => Comparison::AtLeast,
        "=" | "==" => Comparison::Equal,
        "!=" => Comparison::Differs,
        _ => return None,
    })
}

/// Reads a number, which may end with `%`, or with `k`, `m` (`mn`), `b` (`bn`) or `t` (`tn`), and the currency sign at
/// its start or end.
fn number(word: &str) -> Option<(f64, Option<&'static str>)> {
    let (sign, digits) = match word.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (-1.0, rest),
        None => (1.0, word.strip_prefix('+').unwrap_or(word)),
    };
    let (digits, currency) =
        Currency::split_sign(digits).map_or((digits, None), |(number, currency)| (number, Some(currency)));
    let digits = digits.strip_suffix('%').unwrap_or(digits);
    let is_long = |before: &&str| before.ends_with(['m', 'b', 't', 'M', 'B', 'T']);
    let digits = digits.strip_suffix(['n', 'N']).filter(is_long).unwrap_or(digits);
    let last = digits.chars().next_back()?;
    let factor = match last.to_ascii_lowercase() {
        'k' => 1e3,
        'm' => 1e6,
        'b' => 1e9,
        't' => 1e12,
        _ => 1.0,
    };
    let digits = if factor > 1.0 { digits.get(..digits.len() - last.len_utf8())? } else { digits };
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let is_plain =
        mantissa.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b',') && exponent.parse::<i16>().is_ok();
    let value: f64 = digits.replace(',', "").parse().ok().filter(|_| is_plain && separates_thousands(mantissa))?;
    Some(sign * value * factor).filter(|value| value.is_finite()).map(|value| (value, currency))
}

/// A number with a decimal comma, written with a point: `1.000,5` as `1000.5`.
fn without_decimal_comma(word: &str) -> Option<String> {
    let (whole, fraction) = word.split_once(',')?;
    let text = format!("{}.{fraction}", whole.replace('.', ""));
    number(&text).map(|_| text)
}

/// Whether every comma separates thousands: a decimal comma would be read as a number many times larger.
fn separates_thousands(digits: &str) -> bool {
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut groups = whole.split(',');
    let first = groups.next().map_or(0, str::len);
    !fraction.contains(',')
        && (!whole.contains(',') || (1..=3).contains(&first))
        && groups.all(|group| group.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Filter, FilterError> {
        super::parse(text, &Currency::usd())
    }

    #[test]
    fn filters_are_read() {
        let day = |limit| Filter::Compare(Field::Change24h, Comparison::Greater, limit);
        let cap = Filter::Compare(Field::Cap, Comparison::Less, 1e9);
        let and = |a: &Filter, b: &Filter| Filter::And(Box::new(a.clone()), Box::new(b.clone()));
        for (text, filter) in [
            ("24h > 5", day(5.0)),
            ("24h>-5.5%", day(-5.5)),
            ("24h > 5 and cap < 1b", and(&day(5.0), &cap)),
            ("24H > 5 AND cap < $1,000m", and(&day(5.0), &cap)),
            ("(24h > 5) and (cap<1b)", and(&day(5.0), &cap)),
            ("24h > 5 cap < 1b", and(&day(5.0), &cap)),
            ("24h > 5 (cap < 1b)", and(&day(5.0), &cap)),
            ("24h > 1,234,567.5", day(1_234_567.5)),
            ("24h > 5 cap < 1,000m$", and(&day(5.0), &cap)),
            ("24h > 1.5e3", day(1_500.0)),
            ("24h > 5E-1", day(0.5)),
            ("24h > 5 && cap < 1bn", and(&day(5.0), &cap)),
            ("cap < 1 b", cap.clone()),
            ("cap < $1,000 M and 24h > 5", and(&cap, &day(5.0))),
            ("24h>5&&cap<1,000Mn", and(&day(5.0), &cap)),
            ("losers || gainers", Filter::Or(Box::new(Filter::Losers), Box::new(Filter::Gainers))),
            ("gainers", Filter::Gainers),
            ("not brc-20", Filter::Not(Box::new(Filter::Brc20))),
            ("cap < 1b Watched", and(&cap, &Filter::Watched)),
            (
                "gainers or losers and cap < 1b",
                Filter::Or(Box::new(Filter::Gainers), Box::new(and(&Filter::Losers, &cap))),
            ),
            ("tag DeFi", Filter::Tag(String::from("defi"))),
        ] {
            assert_eq!(parse(text), Ok(filter), "{text}");
        }
    }

    #[test]
    fn amounts_may_have_the_sign_of_the_currency() {
        for (code, text) in [("EUR", "price > €5"), ("JPY", "price > ¥5"), ("CNY", "price > 5¥"), ("CHF", "price > 5")]
        {
            let filter = super::parse(text, &Currency::parse(code).unwrap());
            assert_eq!(filter, Ok(Filter::Compare(Field::Price, Comparison::Greater, 5.0)), "{code} {text}");
        }
    }

    #[test]
    fn parse_errors_have_a_position() {
        for (text, error) in [
            ("", "expected a column such as 24h, volume or cap at character 1, found end of input"),
            ("24h", "expected a comparison such as > or < at character 4, found end of input"),
            ("24h > ", "expected a number at character 6, found end of input"),
            ("24h > 5%%", "expected a number at character 7, found `5%%`"),
            ("24h > five", "expected a number at character 7, found `five`"),
            ("24h > 1e999", "expected a number at character 7, found `1e999`"),
            ("24h > e5", "expected a number at character 7, found `e5`"),
            ("24h > 5n", "expected a number at character 7, found `5n`"),
            ("24h > 5 & cap < 1b", "expected `and` or `or` at character 9, found `&`"),
            ("price > 1,5", "`1,5` is not a number (use 1.5)"),
            ("price > 1.000,5", "`1.000,5` is not a number (use 1000.5)"),
            ("price > €1,5", "`€1,5` is not a number (use €1.5)"),
            ("price > €5", "`€5` is not in USD, the currency of the list"),
            ("cap < €5 b", "`€5` is not in USD, the currency of the list"),
            ("gainers and cap < 5m¥", "`5m¥` is not in USD, the currency of the list"),
            ("24h > $5", "a currency is valid only for price, volume and cap"),
            ("cap < 1b b", "expected `and` or `or` at character 10, found `b`"),
            ("24h > 5 beauty < 1", "expected `and` or `or` at character 9, found `beauty`"),
            ("(24h > 5", "expected `)` at character 9, found end of input"),
            ("beauty > 5", "expected a column such as 24h, volume or cap at character 1, found `beauty`"),
            ("tag", "expected the name of a tag at character 4, found end of input"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), error, "{text}");
        }
        for (text, missing) in [
            ("volume > ", Some("a number such as 10m")),
            ("24h > ", Some("a number such as 5")),
            ("cap", Some("a comparison such as > or <")),
            ("cap > five", None),
        ] {
            assert_eq!(parse(text).unwrap_err().missing.as_deref(), missing, "{text}");
        }
        let error = parse(&"(".repeat(100_000)).unwrap_err().to_string();
        assert!(error.starts_with("too many nested parentheses (character "), "{error}");
        assert!(parse(&"not ".repeat(1_000)).is_err());
    }
}
