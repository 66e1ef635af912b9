//! The names of all coins, as our own service sends them.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::client::error::ErrorKind;
use crate::client::request::Warning;
use crate::model::{CoinNameRef, CoinNames, Text};

/// Reads the names one by one, without a copy of the whole list. Those that can't be read are skipped with a warning.
///
/// # Errors
/// The body is not a list.
pub(super) fn decode(body: &str) -> Result<(CoinNames, Option<Warning>), ErrorKind> {
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

struct Names;

impl<'de> Visitor<'de> for Names {
    type Value = (CoinNames, usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of coins")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let (mut names, mut unreadable) = (CoinNames::default(), 0);
        while let Some(item) = items.next_element::<&'de RawValue>()? {
            let read = serde_json::from_str::<Name>(item.get()).is_ok_and(|Name { id, symbol, name, slug, rank }| {
                let (name, slug) = (name.as_ref().unwrap_or(&symbol), slug.as_ref().unwrap_or(&id));
                names.push(CoinNameRef { id: &id, slug, symbol: &symbol, name, rank })
            });
            unreadable += usize::from(!read);
        }
        while items.next_element::<IgnoredAny>()?.is_some() {}
        names.shrink();
        Ok((names, unreadable))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_name_is_skipped_with_a_warning() {
        let body = r#"[{"id":"1","name":"Bitcoin","symbol":"BTC","slug":"bitcoin","rank":1},{"id":7,"symbol":"X"},
            {"id":"y"},5,{"id":"z","symbol":"Z\u001b","name":null,"slug":null,"rank":null}]"#;
        let (names, warning) = decode(body).unwrap();
        assert_eq!((names.len(), warning.as_deref()), (3, Some("skipped 2 coins without id or symbol")));
        let bitcoin = CoinNameRef { id: "1", slug: "bitcoin", symbol: "BTC", name: "Bitcoin", rank: Some(1) };
        assert_eq!(names.get(0), Some(bitcoin));
        assert_eq!(names.get(1), Some(CoinNameRef { id: "7", slug: "7", symbol: "X", name: "X", rank: None }));
        assert_eq!(names.get(2).map(|coin| coin.symbol), Some("Z"));
    }

    #[test]
    fn other_documents_are_rejected() {
        assert!(matches!(decode("{}"), Err(ErrorKind::Unrecognised(_))));
        assert!(matches!(decode("<html>"), Err(ErrorKind::NotJson(_))));
        assert!(matches!(decode("[{"), Err(ErrorKind::Incomplete)));
    }
}
