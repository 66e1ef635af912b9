//! What a text in the look-up line can mean: an address, a ticker, a block, a sat in any notation, an inscription.

use crate::format::Count;
use crate::model::InscriptionRef;
use crate::model::text::ungrouped;
use crate::model::{SatNumber, Text};

/// Something that the indexer can be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A BRC-20 token: details, holders, activity.
    Token(Text),
    /// An address: its balances.
    Address(Text),
    /// A sat: what it is, and its inscriptions.
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
    /// In a few words.
    pub fn describe(&self) -> String {
        match self {
            Subject::Token(ticker) => format!("token {ticker}"),
            Subject::Address(address) => format!("address {address}"),
            Subject::Sat(number) => format!("sat {}", Count(number.get())),
            Subject::Block(height) => format!("block {}", Count(*height)),
            Subject::TokenInBlock(ticker, height) => format!("activity of {ticker} in block {}", Count(*height)),
            Subject::Inscription(InscriptionRef::Id(id)) => format!("inscription {id}"),
            Subject::Inscription(InscriptionRef::Number(number)) => {
                let sign = if *number < 0 { "-" } else { "" };
                format!("inscription #{sign}{}", Count(number.unsigned_abs()))
            }
            Subject::Stats => String::from("inscriptions per block"),
        }
    }
}

/// No block has this height for some decades; a larger number is no block.
pub const FAR_BLOCK: u64 = 5_000_000;

/// What `text` can mean where `token` is shown: as [`interpret`], and for a block also that token's activity in it.
pub fn meanings(text: &str, token: Option<&Text>) -> Vec<Subject> {
    let mut meanings = interpret(text);
    let block = meanings.iter().position(|meaning| matches!(meaning, Subject::Block(_)));
    if let (Some(token), Some(at)) = (token, block)
        && let Some(&Subject::Block(height)) = meanings.get(at)
    {
        meanings.insert(at + 1, Subject::TokenInBlock(token.clone(), height));
    }
    meanings
}

/// What `text` can mean, the likeliest first; empty where it can mean nothing. A word before it settles it: `token`,
/// `address`, `sat`, `block`, `inscription`. Whatever this program itself shows of a subject is read, too: `#348020`,
/// `5,000,000,000`, `ordi in block 840,000`.
pub fn interpret(text: &str) -> Vec<Subject> {
    let text = text.trim();
    if text.is_empty() {
        return Vec::new();
    }
    if let Some((word, rest)) = text.split_once(' ') {
        let rest = rest.trim();
        let settled = match word.to_ascii_lowercase().as_str() {
            "token" | "ticker" | "brc20" | "brc-20" => ticker(rest),
            "address" | "addr" => Some(Subject::Address(rest.into())),
            "sat" => rest.parse().ok().map(Subject::Sat),
            "block" | "height" => height(rest),
            "inscription" => {
                let name = rest.strip_prefix("number").map_or(rest, str::trim_start);
                InscriptionRef::parse(name).map(Subject::Inscription)
            }
            "inscriptions" if rest == "per block" => Some(Subject::Stats),
            _ => in_block(text),
        };
        if let Some(subject) = settled {
            return vec![subject];
        }
    }
    let mut meanings = Vec::new();
    if is_address(text) {
        meanings.push(Subject::Address(text.into()));
    }
    meanings.extend(inscription_id(text));
    let block = height(text).filter(|s| matches!(s, Subject::Block(h) if *h <= FAR_BLOCK));
    let sat = text.parse::<SatNumber>().ok().map(Subject::Sat);
    let token = ticker(text);
    let is_number = ungrouped(text).bytes().all(|b| b.is_ascii_digit());
    let has_notation = text.contains(['.', '%', '°', '\u{2032}']);
    if is_number || has_notation {
        meanings.extend(block);
        meanings.extend(sat);
        meanings.extend(number(text).filter(|_| is_number));
        meanings.extend(token);
    } else {
        meanings.extend(number(text));
        meanings.extend(token);
        meanings.extend(sat);
    }
    meanings
}

/// A BRC-20 ticker has 4 to 6 bytes (4: the first rule; 5: self-mint; 6: BRC2.0).
fn ticker(text: &str) -> Option<Subject> {
    (4..=6).contains(&text.len()).then(|| Subject::Token(text.to_lowercase().into()))
}

/// A token's activity in a block, as [`Subject::describe`] and the way through the look-ups say it.
fn in_block(text: &str) -> Option<Subject> {
    let (token, block) = text.strip_prefix("activity of ").unwrap_or(text).split_once(" in block ")?;
    match (ticker(token), height(block)) {
        (Some(Subject::Token(ticker)), Some(Subject::Block(height))) => Some(Subject::TokenInBlock(ticker, height)),
        _ => None,
    }
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

fn is_address(text: &str) -> bool {
    text.parse::<bitcoin::Address<bitcoin::address::NetworkUnchecked>>().is_ok()
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
    fn what_the_program_shows_is_read() {
        let in_block = Subject::TokenInBlock("ordi".into(), 840_000);
        for (text, meanings) in [
            ("#348020", vec![inscription(348_020)]),
            ("#-5", vec![inscription(-5)]),
            ("inscription #348020", vec![inscription(348_020)]),
            ("Inscription #348,020", vec![inscription(348_020)]),
            ("5,000,000,000", vec![sat(5_000_000_000), inscription(5_000_000_000)]),
            ("sat 5,000,000,000", vec![sat(5_000_000_000)]),
            ("840,000.7", vec!["840000.7".parse().map(Subject::Sat).unwrap()]),
            ("block 840,000", vec![Subject::Block(840_000)]),
            ("840,000", vec![Subject::Block(840_000), sat(840_000), inscription(840_000)]),
            ("ordi in block 840,000", vec![in_block]),
        ] {
            assert_eq!(interpret(text), meanings, "{text}");
        }
    }

    #[test]
    fn each_subjects_description_means_the_subject() {
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
            let said = subject.describe();
            assert_eq!(interpret(&said), [subject], "{said}");
        }
    }

    #[test]
    fn odd_tickers_stay_reachable() {
        for (text, likeliest) in [("#1234", inscription(1_234)), ("1,000", Subject::Block(1_000))] {
            let meanings = interpret(text);
            assert_eq!(meanings.first(), Some(&likeliest), "{text}");
            assert_eq!(meanings.last(), Some(&Subject::Token(text.into())), "{text}");
        }
        for text in ["#ordi", "1,00", "12,34", ",000"] {
            assert_eq!(interpret(text), [Subject::Token(text.into())]);
        }
        for text in ["1,0000,000", "1234,000", "#", "#,"] {
            assert!(interpret(text).is_empty(), "{text}");
        }
    }
}
