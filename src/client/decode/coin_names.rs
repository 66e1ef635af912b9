//! The names of all coins, as our own service sends them.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::client::error::ErrorKind;
use crate::client::request::Warning;
use crate::model::{CoinName, IndexedName, Text, text};

/// Maximum coins; the largest providers have about 20,000.
const MAX_COINS: usize = 50_000;

/// Maximum bytes of an id or slug, and characters of a symbol or name.
const MAX_LENGTH: usize = 96;

/// Maximum slugs of a coin at providers.
const MAX_ALIASES: usize = 8;

/// Reads the names one by one, without a copy of the whole list. Those that can't be read are skipped with a warning.
///
/// # Errors
/// The body is not a list.
pub(super) fn decode(body: &str) -> Result<(Vec<IndexedName>, Option<Warning>), ErrorKind> {
    let mut reader = serde_json::Deserializer::from_str(body);
    let read = reader.deserialize_seq(Names).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => ErrorKind::Incomplete,
        serde_json::error::Category::Data => ErrorKind::Unrecognised(String::from("not a list of names")),
        _ => ErrorKind::NotJson(String::from("other data")),
    })?;
    let (names, unreadable) = read;
    let warning = (unreadable > 0).then(|| format!("skipped {unreadable} coins without id or symbol"));
    Ok((names, warning))
}

#[derive(Deserialize)]
struct Name {
    #[serde(deserialize_with = "id")]
    id: Text,
    symbol: Text,
    #[serde(default)]
    name: Option<Text>,
    #[serde(default)]
    slug: Option<Text>,
    #[serde(default)]
    rank: Option<u32>,
    #[serde(default, deserialize_with = "aliases")]
    aliases: Vec<Text>,
}

/// Reads a list of slugs; none if it is something else.
fn aliases<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Text>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Aliases {
        Slugs(Vec<Text>),
        Other(IgnoredAny),
    }
    Ok(match Aliases::deserialize(from)? {
        Aliases::Slugs(slugs) => slugs,
        Aliases::Other(_) => Vec::new(),
    })
}

/// Reads an id, which may be a number.
fn id<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Text, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Id {
        Number(u64),
        Text(Text),
    }
    Ok(match Id::deserialize(from)? {
        Id::Number(number) => compact_str::format_compact!("{number}"),
        Id::Text(text) => text,
    })
}

/// A coin with cleaned text; `None` if it has no id or symbol.
fn cleaned(Name { id, symbol, name, slug, rank, aliases }: Name) -> Option<IndexedName> {
    let slug = slug.unwrap_or_else(|| id.clone());
    // A truncated id or slug would be a different one.
    if id.len().max(slug.len()) > MAX_LENGTH {
        return None;
    }
    let cleaned = |part: &str| Text::from(text::cut(text::clean(part), MAX_LENGTH));
    let name = cleaned(name.as_ref().unwrap_or(&symbol));
    let (id, symbol, slug) = (cleaned(&id), cleaned(&symbol), cleaned(&slug));
    let rank = rank.filter(|rank| *rank > 0);
    let is_usable = |alias: &Text| !alias.is_empty() && alias.len() <= MAX_LENGTH && *alias != slug;
    let aliases = aliases.iter().map(|alias| cleaned(alias)).filter(is_usable).take(MAX_ALIASES).collect();
    let is_named = !id.is_empty() && !symbol.is_empty();
    is_named.then(|| IndexedName { aliases, ..IndexedName::from(CoinName { id, name, symbol, slug, rank }) })
}

struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = (Vec<IndexedName>, usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of coins")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let (mut names, mut unreadable) = (Vec::new(), 0);
        while let Some(item) = items.next_element::<&'de RawValue>()? {
            match serde_json::from_str::<Name>(item.get()).ok().and_then(cleaned) {
                Some(name) if names.len() < MAX_COINS => names.push(name),
                _ => unreadable += 1,
            }
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        names.shrink_to_fit();
        Ok((names, unreadable))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin(id: &str, slug: &str, symbol: &str, name: &str, rank: Option<u32>) -> IndexedName {
        let (id, slug, symbol, name) = (id.into(), slug.into(), symbol.into(), name.into());
        IndexedName::from(CoinName { id, slug, symbol, name, rank })
    }

    #[test]
    fn unreadable_name_is_skipped_with_a_warning() {
        let body = r#"[{"id":"1","name":"Bitcoin","symbol":"BTC","slug":"bitcoin","rank":1},{"id":7,"symbol":"X"},
            {"id":"y"},5,{"id":"z","symbol":"Z\u001b","name":null,"slug":null,"rank":0},{"id":"","symbol":"X"},
            {"id":"x","symbol":"\u202e"}]"#;
        let (names, warning) = decode(body).unwrap();
        assert_eq!(warning.as_deref(), Some("skipped 4 coins without id or symbol"));
        let expected = [
            coin("1", "bitcoin", "BTC", "Bitcoin", Some(1)),
            coin("7", "7", "X", "X", None),
            coin("z", "z", "Z", "Z", None),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn names_have_one_line_and_long_ids_are_skipped() {
        let long = "x".repeat(MAX_LENGTH + 1);
        let body = serde_json::json!([
            {"id": "a\nb", "slug": "a\nb", "symbol": "A\n", "name": "\u{1b}[31mA"},
            {"id": long, "symbol": "X"},
            {"id": "y", "slug": long, "symbol": "Y"},
            {"id": "ära", "symbol": "ÄRA", "name": long},
        ]);
        let (names, warning) = decode(&body.to_string()).unwrap();
        assert_eq!(warning.as_deref(), Some("skipped 2 coins without id or symbol"));
        let short = format!("{}…", "x".repeat(MAX_LENGTH - 1));
        assert_eq!(names, [coin("a b", "a b", "A", "[31mA", None), coin("ära", "ära", "ÄRA", &short, None)]);
    }

    #[test]
    fn slugs_at_providers_are_aliases() {
        let body = r#"[{"id":"52","symbol":"XRP","slug":"xrp","aliases":["ripple","xrp","xrp-xrp\u001b",""]},
            {"id":"1","symbol":"BTC","aliases":"btc"},{"id":"2","symbol":"X","aliases":[7]}]"#;
        let (names, warning) = decode(body).unwrap();
        let aliases: Vec<Vec<&str>> =
            names.iter().map(|name| name.aliases.iter().map(Text::as_str).collect()).collect();
        assert_eq!((aliases, warning), (vec![vec!["ripple", "xrp-xrp"], vec![], vec![]], None));
        assert!(names[0].has_alias("Ripple") && !names[0].has_alias("xrp"));
    }

    #[test]
    fn other_documents_are_rejected() {
        assert!(matches!(decode("{}"), Err(ErrorKind::Unrecognised(_))));
        assert!(matches!(decode("<html>"), Err(ErrorKind::NotJson(_))));
        assert!(matches!(decode("[{"), Err(ErrorKind::Incomplete)));
    }
}
