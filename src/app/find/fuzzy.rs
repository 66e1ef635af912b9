//! How well a string matches the typed one, and which of its letters match.

use std::str::Chars;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// Minimum letters of a query in which a typo is forgiven: a shorter one would match nearly everything.
const MIN_TYPO_LETTERS: usize = 4;

/// How well a string matches, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Quality {
    /// It is the query.
    Exact,
    /// It begins with the query.
    Prefix,
    /// One of its words begins with the query.
    Word,
    /// The query is inside a word.
    Inside,
    /// It begins with the query except for one typo: a letter too many, missing, wrong, or swapped with the next one.
    Typo,
    /// From the start of a word, it contains the query's letters in order, with others between.
    Scattered,
}

/// The quality of a lower-case text for a trimmed lower-case query; `None` if it doesn't match.
pub fn quality(query: &str, text: &str) -> Option<Quality> {
    if let Some(rest) = text.strip_prefix(query) {
        return Some(if rest.is_empty() { Quality::Exact } else { Quality::Prefix });
    }
    if memchr::memmem::find(text.as_bytes(), query.as_bytes()).is_some() {
        let begins = words(text).any(|word| word.starts_with(query));
        return Some(if begins { Quality::Word } else { Quality::Inside });
    }
    fuzzy_quality(query, text)
}

/// The quality of a text that doesn't contain the query; `None` if it doesn't match.
pub fn fuzzy_quality(query: &str, text: &str) -> Option<Quality> {
    if query.chars().nth(MIN_TYPO_LETTERS - 1).is_some() && words(text).any(|word| is_near(query, word)) {
        return Some(Quality::Typo);
    }
    if !is_scattered(query, text) {
        return None;
    }
    let first = query.chars().next()?;
    let begins = |word: &str| word.starts_with(first) && is_scattered(query, word);
    words(text).any(begins).then_some(Quality::Scattered)
}

/// A bit for each letter and digit of a string in lower case, and one for all others.
pub fn letters(text: &str) -> u64 {
    text.bytes().fold(0, |all, byte| all | letter(byte))
}

fn letter(byte: u8) -> u64 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'0'..=b'9' => 1 << (26 + byte - b'0'),
        b' ' | b'\n' => 0,
        _ => OTHER,
    }
}

/// The bit for all other letters.
const OTHER: u64 = 1 << 36;

/// The letters that a string needs to match a query.
#[derive(Clone, Copy, Debug)]
pub struct NeededLetters {
    all: u64,
    repeated: u64,
    /// Whether a typo is forgiven.
    allows_typo: bool,
}

impl NeededLetters {
    /// The needed letters of a lower-case query.
    pub fn new(query: &str) -> NeededLetters {
        let (mut all, mut repeated) = (0, 0);
        for bit in query.bytes().map(letter) {
            repeated |= all & bit & !OTHER;
            all |= bit;
        }
        NeededLetters { all, repeated, allows_typo: query.chars().nth(MIN_TYPO_LETTERS - 1).is_some() }
    }

    /// Whether a string with these [`letters`] has all of them.
    pub fn are_in(self, letters: u64) -> bool {
        self.all & !letters == 0
    }

    /// Whether a string with these [`letters`] may match.
    pub fn may_match(self, letters: u64) -> bool {
        if self.allows_typo { self.may_match_later(letters) } else { self.are_in(letters) }
    }

    /// Whether it may match after more letters are typed: with a typo, it lacks at most one letter, once.
    pub fn may_match_later(self, letters: u64) -> bool {
        let lacking = self.all & !letters;
        lacking.count_ones() <= 1 && lacking & self.repeated == 0
    }
}

/// Whether a string can still match after more letters are typed: whether [`quality`] finds a match, also a typo of a
/// short query.
pub fn may_match(query: &str, text: &str) -> bool {
    is_scattered(query, text) || words(text).any(|word| is_near(query, word))
}

/// The quality of a string that has to match each word of a query somewhere, in any order; scattered letters don't
/// count.
pub fn words_quality(query: &str, text: &str) -> Option<Quality> {
    let literal = |query: &str| quality(query, text).filter(|quality| *quality <= Quality::Typo);
    literal(query).or_else(|| {
        let each: Option<Vec<Quality>> = query.split_whitespace().map(literal).collect();
        each?.into_iter().max().map(|worst| worst.max(Quality::Word))
    })
}

/// A string from the start of each of its words to its end.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.char_indices().filter_map(move |(at, c)| {
        let is_letter = if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() };
        let begins = is_letter && !inside;
        inside = is_letter;
        if begins { text.get(at..) } else { None }
    })
}

/// Whether a string begins with the query except for at most one typo.
fn is_near(query: &str, text: &str) -> bool {
    // Most words already differ in their first letters.
    if let ([a, b, ..], [c, d, ..]) = (query.as_bytes(), text.as_bytes())
        && a != c
        && b != d
        && b != c
        && a != d
        && (a | b | c | d).is_ascii()
    {
        return false;
    }
    let (mut left, mut right) = (query.chars(), text.chars());
    loop {
        let (before, rest) = (left.clone(), right.clone());
        let (Some(typed), found) = (left.next(), right.next()) else { return true };
        let Some(found) = found else { return left.next().is_none() };
        if typed == found {
            continue;
        }
        let wrong = begins(left.clone(), right.clone());
        let too_many = || begins(left.clone(), rest.clone());
        let missing = || begins(before.clone(), right.clone());
        let swapped = || {
            let (mut after, mut next) = (left.clone(), right.clone());
            let last = after.next();
            last.is_none() || (last == Some(found) && next.next() == Some(typed) && begins(after, next))
        };
        return wrong || too_many() || missing() || swapped();
    }
}

/// Whether a string begins with the rest of the query.
fn begins(mut query: Chars<'_>, mut text: Chars<'_>) -> bool {
    query.all(|c| text.next() == Some(c))
}

/// Whether the letters of the query occur in the text in this order.
fn is_scattered(query: &str, text: &str) -> bool {
    if query.is_ascii() {
        let mut rest = text.as_bytes();
        return query.bytes().all(|wanted| match memchr::memchr(wanted, rest) {
            Some(at) => {
                rest = rest.get(at + 1..).unwrap_or_default();
                true
            }
            None => false,
        });
    }
    let mut rest = text.chars();
    query.chars().all(|wanted| rest.any(|c| c == wanted))
}

/// Scores scattered letters: the closer together and the more at starts of words, the higher.
pub struct Scorer {
    matcher: Matcher,
    pattern: Pattern,
    buffer: Vec<char>,
}

impl Scorer {
    /// A scorer for a query.
    pub fn new(query: &str) -> Scorer {
        let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
        Scorer { matcher: Matcher::new(Config::DEFAULT), pattern, buffer: Vec::new() }
    }

    /// The score of a string; 0 if it doesn't match.
    pub fn score(&mut self, text: &str) -> u32 {
        self.pattern.score(Utf32Str::new(text, &mut self.buffer), &mut self.matcher).unwrap_or(0)
    }
}

/// The indices of the characters of a string that match the words of a query, in order.
pub fn matched(query: &str, text: &str) -> Vec<usize> {
    let lower = |text: &str| -> Vec<char> { text.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect() };
    let (query, text) = (query.trim(), lower(text));
    let whole = lower(query);
    let mut found = Vec::new();
    if !query.contains(' ') || text.windows(whole.len()).any(|part| part == whole) {
        found = matched_part(&whole, &text);
    } else {
        query.split_whitespace().for_each(|word| found.extend(matched_part(&lower(word), &text)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The matched characters of a query without blanks: the first occurrence, at the start of a word if possible; or its
/// letters up to a typo; or scattered ones.
fn matched_part(query: &[char], text: &[char]) -> Vec<usize> {
    if query.is_empty() {
        return Vec::new();
    }
    let begins_word = |at: usize| at == 0 || !text.get(at - 1).is_some_and(|c| c.is_alphanumeric());
    let all = || text.windows(query.len()).enumerate().filter(|(_, part)| *part == query).map(|(at, _)| at);
    if let Some(at) = all().find(|at| begins_word(*at)).or_else(|| all().next()) {
        return (at..at + query.len()).collect();
    }
    let (typed, whole): (String, String) = (query.iter().collect(), text.iter().collect());
    if query.len() >= MIN_TYPO_LETTERS && words(&whole).any(|word| is_near(&typed, word)) {
        let near =
            |at: &usize| begins_word(*at) && text.get(*at..).is_some_and(|t| is_near(&typed, &String::from_iter(t)));
        let start = (0..text.len()).find(near).unwrap_or(0);
        return (start..text.len().min(start + query.len()))
            .filter(|at| text.get(*at).is_some_and(|c| query.contains(c)))
            .collect();
    }
    let mut at = 0;
    let mut found = Vec::with_capacity(query.len());
    for wanted in query {
        let Some(next) = text.iter().skip(at).position(|c| c == wanted) else { return Vec::new() };
        found.push(at + next);
        at += next + 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_goes_from_exact_to_scattered() {
        for (query, text, expected) in [
            ("ordi", "ordi", Some(Quality::Exact)),
            ("ord", "ordi", Some(Quality::Prefix)),
            ("cash", "bitcoin cash", Some(Quality::Word)),
            ("ord", "(ordinals)", Some(Quality::Word)),
            ("coin", "bitcoin", Some(Quality::Inside)),
            ("btc", "bitcoin", Some(Quality::Scattered)),
            ("tcn", "bitcoin", None),
            ("xyz", "bitcoin", None),
        ] {
            assert_eq!(quality(query, text), expected, "{query} in {text}");
        }
    }

    #[test]
    fn one_typo_is_forgiven() {
        for typo in ["bitcion", "bitxoin", "bittcoin", "bitoin", "itcoin", "bticoin", "bitcoinx", "bitc0"] {
            let found = quality(typo, "bitcoin").filter(|q| *q <= Quality::Scattered);
            assert!(found.is_some(), "{typo}");
        }
        assert_eq!(quality("bitcion", "wrapped bitcoin"), Some(Quality::Typo), "also in a later word");
        for other in ["bitxxin", "butciin", "zxcvb"] {
            assert_eq!(quality(other, "bitcoin"), None, "{other}");
        }
        assert_eq!(quality("bxt", "bitcoin"), None, "not in a short query");
    }

    #[test]
    fn words_may_be_in_any_order() {
        assert_eq!(words_quality("24h sort", "sort by 24h change"), Some(Quality::Word));
        assert_eq!(words_quality("sort 7d", "sort by 24h change"), None);
        assert_eq!(words_quality("help", "help"), Some(Quality::Exact));
    }

    #[test]
    fn matched_letters_are_found() {
        assert_eq!(matched("ord", "ORDI"), [0, 1, 2]);
        assert_eq!(matched("cash", "Bitcoin Cash"), [8, 9, 10, 11]);
        assert_eq!(matched("btc", "Bitcoin"), [0, 2, 3]);
        assert_eq!(matched("bitcion", "Bitcoin"), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(matched("sort 24h", "sort by 24h change"), [0, 1, 2, 3, 8, 9, 10]);
        assert!(matched("zz", "Bitcoin").is_empty() && matched("", "Bitcoin").is_empty());
    }
}
