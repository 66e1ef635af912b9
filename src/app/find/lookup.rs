//! Interprets the text of the lookup dialog: an address, a ticker, a block, a sat in any notation, an inscription.

mod problem;

pub use problem::problem;

use crate::format::{Count, with_separators};
use crate::model::InscriptionRef;
use crate::model::address::without_scheme;
use crate::model::text::ungrouped;
use crate::model::{SatNumber, Text};

/// Something to look up in the indexer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A BRC-20 token: details, holders, activity.
    Token(Text),
    /// An address: its balances and inscriptions.
    Address(Text),
    /// A sat: its ordinal information and its inscriptions.
    Sat(SatNumber),
    /// A block: its BRC-20 activity.
    Block(u64),
    /// A BRC-20 token's activity in one block.
    TokenInBlock(Text, u64),
    /// An inscription.
    Inscription(InscriptionRef),
    /// Inscriptions per block.
    Stats,
}

impl Subject {
    /// A short description, which [`interpret`] understands.
    pub fn describe(&self) -> String {
        match self {
            Subject::Token(ticker) => format!("token {ticker}"),
            Subject::Address(address) => format!("address {address}"),
            Subject::Sat(number) => format!("sat {}", Count(number.get())),
            Subject::Block(height) => format!("block {}", Count(*height)),
            Subject::TokenInBlock(ticker, height) => format!("activity of {ticker} in block {}", Count(*height)),
            Subject::Inscription(InscriptionRef::Id(id)) => format!("inscription {id}"),
            Subject::Inscription(InscriptionRef::Number(number)) => {
                format!("inscription #{}", with_separators(&number.to_string()))
            }
            Subject::Stats => String::from("inscriptions per block"),
        }
    }
}

/// Largest number read as a block height, not reached for decades.
pub const MAX_BLOCK: u64 = 5_000_000;

/// The meanings of a text like [`interpret`], with the shown token's activity as another meaning of a block.
pub fn candidates(text: &str, token: Option<&Text>) -> Vec<Subject> {
    let mut candidates = interpret(text);
    let block = candidates.iter().position(|subject| matches!(subject, Subject::Block(_)));
    if let (Some(token), Some(at)) = (token, block)
        && let Some(&Subject::Block(height)) = candidates.get(at)
    {
        candidates.insert(at + 1, Subject::TokenInBlock(token.clone(), height));
    }
    candidates
}

/// Returns the subjects that `text` can mean, likeliest first; none if it is not recognised. A prefix disambiguates:
/// `token`, `address`, `sat`, `block`, `inscription`. Understands all forms that the screen shows: `#348020`,
/// `5,000,000,000`, `ordi in block 840,000`.
pub fn interpret(text: &str) -> Vec<Subject> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    if let Some((word, rest)) = text.split_once(' ')
        && let Some(subject) = settled(word, rest.trim()).or_else(|| in_block(text))
    {
        return vec![subject];
    }
    // The word may also be the last one.
    if let Some((rest, word)) = text.rsplit_once(' ').filter(|(rest, _)| !rest.contains(' '))
        && let Some(subject) = settled(word, rest).filter(|subject| !matches!(subject, Subject::Address(_)))
    {
        return vec![subject];
    }
    let mut candidates = Vec::new();
    candidates.extend(address(text).map(Subject::Address));
    candidates.extend(inscription_id(text));
    let block = height(text).filter(|s| matches!(s, Subject::Block(h) if *h <= MAX_BLOCK));
    let sat = text.parse::<SatNumber>().ok().map(Subject::Sat);
    let token = ticker(text).filter(|_| sat.is_some() || !is_percentage(text));
    let is_number = ungrouped(text).bytes().all(|b| b.is_ascii_digit());
    let has_notation = text.contains(['.', '%', '°', '\u{2032}']);
    if is_number || has_notation {
        candidates.extend(block);
        candidates.extend(sat);
        candidates.extend(number(text).filter(|_| is_number));
        candidates.extend(token);
    } else {
        candidates.extend(number(text));
        candidates.extend(token);
        candidates.extend(sat);
    }
    candidates
}

/// The subject that a word disambiguates; `None` if it isn't one of these.
fn settled(word: &str, rest: &str) -> Option<Subject> {
    match word.to_ascii_lowercase().as_str() {
        "token" | "ticker" | "brc20" | "brc-20" => ticker(rest),
        "address" | "addr" => match address(rest) {
            None if problem::is_invalid_address(rest) => None,
            valid => Some(Subject::Address(valid.unwrap_or_else(|| rest.into()))),
        },
        "sat" => rest.parse().ok().map(Subject::Sat),
        "block" | "height" => height(rest),
        "inscription" => {
            let name = rest.strip_prefix("number").map_or(rest, str::trim_start);
            InscriptionRef::parse(name).map(Subject::Inscription)
        }
        "inscriptions" if rest == "per block" => Some(Subject::Stats),
        _ => None,
    }
}

/// A BRC-20 ticker has 4 bytes (the original rule), 5 (self-mint) or 6 (BRC2.0).
fn ticker(text: &str) -> Option<Subject> {
    (4..=6).contains(&text.len()).then(|| Subject::Token(text.to_lowercase().into()))
}

/// A token's activity in a block, in the words of [`Subject::describe`] and of the breadcrumbs.
fn in_block(text: &str) -> Option<Subject> {
    let (token, block) = text.strip_prefix("activity of ").unwrap_or(text).split_once(" in block ")?;
    match (ticker(token), height(block)) {
        (Some(Subject::Token(ticker)), Some(Subject::Block(height))) => Some(Subject::TokenInBlock(ticker, height)),
        _ => None,
    }
}

/// Whether the text has only digits, a point and percent signs: without a prefix, a percentile rather than a ticker.
fn is_percentage(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_digit())
        && text.ends_with('%')
        && text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'%'))
}

fn height(text: &str) -> Option<Subject> {
    ungrouped(text).parse().ok().map(Subject::Block)
}

fn number(text: &str) -> Option<Subject> {
    InscriptionRef::parse(text).filter(|name| matches!(name, InscriptionRef::Number(_))).map(Subject::Inscription)
}

fn inscription_id(text: &str) -> Option<Subject> {
    InscriptionRef::parse(text).filter(|name| matches!(name, InscriptionRef::Id(_))).map(Subject::Inscription)
}

/// An address of any network, also of a payment URI, in its canonical form: bech32 in lowercase.
fn address(text: &str) -> Option<Text> {
    let address = without_scheme(text).parse::<bitcoin::Address<bitcoin::address::NetworkUnchecked>>().ok()?;
    Some(Text::from(address.assume_checked().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sat(number: u64) -> Subject {
        Subject::Sat(SatNumber::new(number).unwrap())
    }

    fn inscription(number: i64) -> Subject {
        Subject::Inscription(InscriptionRef::Number(number))
    }

    #[test]
    fn lookup_reads_every_form_that_the_screen_shows() {
        let in_block = Subject::TokenInBlock("ordi".into(), 840_000);
        let address = Subject::Address("bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8".into());
        for (text, candidates) in [
            ("bitcoin:BC1QD2MZS0P9RHJRP9494U0EDTLLEULFQT4X268CG8?amount=0.1", vec![address.clone()]),
            ("address bitcoin:bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", vec![address]),
            ("#348020", vec![inscription(348_020)]),
            ("#-5", vec![inscription(-5)]),
            ("inscription #348020", vec![inscription(348_020)]),
            ("Inscription #348,020", vec![inscription(348_020)]),
            ("5,000,000,000", vec![sat(5_000_000_000), inscription(5_000_000_000)]),
            ("sat 5,000,000,000", vec![sat(5_000_000_000)]),
            ("840,000.7", vec!["840000.7".parse().map(Subject::Sat).unwrap()]),
            ("block 840,000", vec![Subject::Block(840_000)]),
            ("840000 block", vec![Subject::Block(840_000)]),
            ("7 sat", vec![sat(7)]),
            ("ordi token", vec![Subject::Token("ordi".into())]),
            ("840,000", vec![Subject::Block(840_000), sat(840_000), inscription(840_000)]),
            ("ordi in block 840,000", vec![in_block]),
        ] {
            assert_eq!(interpret(text), candidates, "{text}");
        }
    }

    #[test]
    fn signed_percentage_is_not_a_percentile() {
        assert!(interpret("+5%").is_empty());
        assert_eq!(interpret("5%"), ["5%".parse().map(Subject::Sat).unwrap()]);
    }

    #[test]
    fn mistyped_percentile_is_not_a_ticker() {
        for text in ["50%%", "101%", "0.5.%", "12.3%%"] {
            assert!(interpret(text).is_empty(), "{text}");
            assert_eq!(interpret(&format!("token {text}")), [Subject::Token(text.into())], "{text}");
        }
        assert_eq!(interpret("%%%%"), [Subject::Token("%%%%".into())]);
    }

    #[test]
    fn description_of_a_subject_is_interpreted_as_that_subject() {
        let id = format!("{}i0", "b61b0172".repeat(8));
        for subject in [
            Subject::Token("ordi".into()),
            Subject::Sat(SatNumber::new(5).unwrap()),
            Subject::Block(840_000),
            Subject::TokenInBlock("ordi".into(), 840_000),
            inscription(-5),
            inscription(-1_234_567),
            inscription(69_999_995),
            Subject::Inscription(InscriptionRef::Id(id.into())),
            Subject::Stats,
        ] {
            let description = subject.describe();
            assert_eq!(interpret(&description), [subject], "{description}");
        }
    }

    #[test]
    fn tickers_that_look_like_numbers_are_still_offered() {
        for (text, likeliest) in [("#1234", inscription(1_234)), ("1,000", Subject::Block(1_000))] {
            let candidates = interpret(text);
            assert_eq!(candidates.first(), Some(&likeliest), "{text}");
            assert_eq!(candidates.last(), Some(&Subject::Token(text.into())), "{text}");
        }
        for text in ["#ordi", "1,00", "12,34", ",000"] {
            assert_eq!(interpret(text), [Subject::Token(text.into())]);
        }
        for text in ["1,0000,000", "1234,000", "#", "#,"] {
            assert!(interpret(text).is_empty(), "{text}");
        }
    }
}
