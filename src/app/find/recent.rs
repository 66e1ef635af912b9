//! The places that were open, for the palette.

use crate::app::coins::named_coin::NamedCoin;
use crate::app::find::lookup::{Subject, interpret};
use crate::model::{InscriptionRef, SatNumber, Text, text};
use crate::user_data::Watched;

/// Maximum recent places.
pub const MAX_RECENT: usize = 12;

/// A place that was open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recent {
    /// A coin.
    Coin(NamedCoin),
    /// A lookup of the indexer.
    Subject(Subject),
}

/// Separates the kind of a place and its parts. Names don't contain it, since control characters are removed from
/// responses.
const SEPARATOR: char = '\t';

impl Recent {
    /// Encodes the place as one line for the store; `None` for an address, since looked-up addresses must not be
    /// written to disk.
    pub fn encode(&self) -> Option<String> {
        Some(match self {
            Recent::Coin(NamedCoin { coin, name, .. }) => {
                let part = |part: &Option<Text>| part.clone().unwrap_or_default();
                let parts = [coin.symbol.clone(), part(&coin.slug), part(&coin.id), name.clone()];
                format!("coin{SEPARATOR}{}", parts.join(&String::from(SEPARATOR)))
            }
            Recent::Subject(subject) => encode_subject(subject)?,
        })
    }

    /// Reads the output of [`Recent::encode`], also of earlier versions; `None` for anything else.
    pub fn decode(line: &str) -> Option<Recent> {
        let mut parts = line.split(SEPARATOR);
        let kind = parts.next()?;
        let mut part = || parts.next().map(|part| Text::from(text::clean(part)));
        let known = |part: Text| Some(part).filter(|part| !part.is_empty());
        Some(Recent::Subject(match kind {
            "coin" => {
                let (symbol, slug, id, name) = (part()?, part()?, part()?, part()?);
                let coin = Watched { symbol, slug: known(slug), id: known(id) };
                return Some(Recent::Coin(NamedCoin { coin, name, rank: None }));
            }
            "token" => Subject::Token(known(part()?)?),
            "sat" => Subject::Sat(SatNumber::new(part()?.parse().ok()?)?),
            "block" => Subject::Block(part()?.parse().ok()?),
            "token-in-block" => {
                let height = part()?.parse().ok()?;
                Subject::TokenInBlock(known(part()?)?, height)
            }
            "inscription" => Subject::Inscription(InscriptionRef::parse(&part()?)?),
            "stats" => Subject::Stats,
            _ => return decode_description(line).map(Recent::Subject),
        }))
    }

    /// Whether both are the same place. A coin's name and rank may differ.
    pub fn is_same(&self, other: &Recent) -> bool {
        match (self, other) {
            (Recent::Coin(a), Recent::Coin(b)) => a.coin.has_same_id(&b.coin) || a.coin == b.coin,
            (a, b) => a == b,
        }
    }
}

/// Encodes a subject; `None` for an address.
fn encode_subject(subject: &Subject) -> Option<String> {
    Some(match subject {
        Subject::Address(_) => return None,
        Subject::Token(ticker) => format!("token{SEPARATOR}{ticker}"),
        Subject::Sat(number) => format!("sat{SEPARATOR}{}", number.get()),
        Subject::Block(height) => format!("block{SEPARATOR}{height}"),
        Subject::TokenInBlock(ticker, height) => format!("token-in-block{SEPARATOR}{height}{SEPARATOR}{ticker}"),
        Subject::Inscription(InscriptionRef::Id(id)) => format!("inscription{SEPARATOR}{id}"),
        Subject::Inscription(InscriptionRef::Number(number)) => format!("inscription{SEPARATOR}{number}"),
        Subject::Stats => String::from("stats"),
    })
}

/// Reads a subject of an earlier version, which saved its description.
fn decode_description(line: &str) -> Option<Subject> {
    let line = text::clean(line);
    let subject = interpret(&line).into_iter().next();
    // Numbers of inscriptions had no separators.
    let plain = |words: &str| words.replace(',', "");
    subject.filter(|subject| plain(&subject.describe()) == plain(&line) && !matches!(subject, Subject::Address(_)))
}

/// Puts a place at the front of the recent ones.
pub fn visit(recent: &mut Vec<Recent>, place: Recent) {
    recent.retain(|other| !other.is_same(&place));
    recent.insert(0, place);
    recent.truncate(MAX_RECENT);
}

/// Replaces a coin with a bare symbol by the coin that it turned out to be, which may be a recent place too.
pub(in crate::app) fn resolve(recent: &mut Vec<Recent>, bare: &Watched, resolved: &NamedCoin) {
    for place in recent.iter_mut() {
        if matches!(place, Recent::Coin(named) if named.coin == *bare) {
            *place = Recent::Coin(resolved.clone());
        }
    }
    let resolved = Recent::Coin(resolved.clone());
    let mut is_kept = false;
    recent.retain(|place| !place.is_same(&resolved) || !std::mem::replace(&mut is_kept, true));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_not_written_to_the_disk() {
        assert_eq!(
            Recent::Subject(Subject::Address("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4".into())).encode(),
            None
        );
    }

    #[test]
    fn places_round_trip_through_their_encoding() {
        let coin = |slug: Option<&str>, id: Option<&str>| {
            let coin = Watched { symbol: "ORDI".into(), slug: slug.map(Text::from), id: id.map(Text::from) };
            Recent::Coin(NamedCoin { coin, name: "Ordi, the coin".into(), rank: None })
        };
        let mut places = vec![coin(Some("ordi"), Some("25028")), coin(None, None)];
        let described = [
            "token ordi",
            "sat 5,000,000,000",
            "block 840,000",
            "activity of ordi in block 840,000",
            "inscription b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0",
            "inscription #-12",
            "inscriptions per block",
        ];
        for words in described {
            let Some(subject) = interpret(words).into_iter().next() else { panic!("{words}") };
            places.push(Recent::Subject(subject));
        }
        for place in places {
            let line = place.encode();
            assert_eq!(line.as_deref().and_then(Recent::decode), Some(place.clone()), "{line:?}");
            if let Recent::Subject(subject) = &place {
                assert_eq!(Recent::decode(&subject.describe()), Some(place.clone()), "an earlier version");
            }
        }
        let inscription = Recent::Subject(Subject::Inscription(InscriptionRef::Number(348_020)));
        assert_eq!(Recent::decode("inscription #348020"), Some(inscription), "an earlier version");
        for other in ["", "coin", "coin\tORDI", "token", "token\t", "block\tten", "place of a newer version", "840,000"]
        {
            assert_eq!(Recent::decode(other), None, "{other}");
        }
    }

    #[test]
    fn saved_places_do_not_depend_on_their_description() {
        for (words, line) in [
            ("token ordi", "token\tordi"),
            ("sat 5,000,000,000", "sat\t5000000000"),
            ("block 840,000", "block\t840000"),
            ("activity of ordi in block 840,000", "token-in-block\t840000\tordi"),
            ("inscription #-12", "inscription\t-12"),
            ("inscriptions per block", "stats"),
        ] {
            let subject = interpret(words).into_iter().next();
            assert_eq!(subject.as_ref().and_then(encode_subject).as_deref(), Some(line), "{words}");
        }
    }
}
