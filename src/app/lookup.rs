//! What a text in the look-up line can mean: an address, a ticker, a block, a sat in any notation, an inscription.

use crate::client::InscriptionRef;
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
            Subject::Sat(number) => format!("sat {number}"),
            Subject::Block(height) => format!("block {height}"),
            Subject::TokenInBlock(ticker, height) => format!("activity of {ticker} in block {height}"),
            Subject::Inscription(InscriptionRef::Id(id)) => format!("inscription {id}"),
            Subject::Inscription(InscriptionRef::Number(number)) => format!("inscription number {number}"),
            Subject::Stats => String::from("inscriptions per block"),
        }
    }
}

/// No block has this height for some decades; a larger number is no block.
const FAR_BLOCK: u64 = 5_000_000;

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
/// `address`, `sat`, `block`, `inscription`.
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
            "inscription" => InscriptionRef::parse(rest).map(Subject::Inscription),
            _ => None,
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
    let is_number = text.bytes().all(|b| b.is_ascii_digit());
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

fn height(text: &str) -> Option<Subject> {
    text.parse().ok().map(Subject::Block)
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
