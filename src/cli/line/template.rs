//! The format of `satscope line`: text with values in braces.

use serde::{Deserialize, Serialize};

use crate::model::Text;

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text.
    Text(String),
    /// A value.
    Value {
        /// The text between the braces.
        name: String,
        /// What it is about.
        subject: Subject,
        /// Which of its fields.
        field: Field,
    },
}

/// What a value is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    /// The coin with this slug or symbol.
    Coin(Text),
    /// The whole wallet.
    Wallet,
}

/// A field of a coin or of the wallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Field {
    /// Symbol, price and change; or value and change.
    All,
    /// The price or value.
    Price,
    /// The change over 24 hours.
    Change,
    /// The symbol or currency.
    Symbol,
}

impl Field {
    /// All fields.
    pub(super) const EVERY: [Field; 4] = [Field::All, Field::Price, Field::Change, Field::Symbol];
}

/// What the values of a format are about. A subject may be repeated.
pub(super) fn subjects(parts: &[Part]) -> impl Iterator<Item = &Subject> {
    parts.iter().filter_map(|part| if let Part::Value { subject, .. } = part { Some(subject) } else { None })
}

/// Parses a format such as `{ordi} · {wallet.24h}`.
///
/// # Errors
/// A brace is not closed, or a field is unknown.
pub(super) fn parse(format: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('{') {
        if !before.is_empty() {
            parts.push(Part::Text(before.to_owned()));
        }
        let (name, after) = after.split_once('}').ok_or_else(|| format!("missing }} after {{{after}"))?;
        let (subject, field) = name.rsplit_once('.').unwrap_or((name, ""));
        let field = match field {
            "" => Field::All,
            "price" | "value" => Field::Price,
            "24h" => Field::Change,
            "symbol" => Field::Symbol,
            _ => {
                return Err(format!("unknown value {{{name}}} (examples: {{ordi}}, {{ordi.price}}, {{wallet}})"));
            }
        };
        let subject = match subject.trim() {
            "" => return Err(String::from("expected a slug such as ordi, or wallet, between { and }")),
            "wallet" => Subject::Wallet,
            slug => Subject::Coin(Text::from(slug)),
        };
        parts.push(Part::Value { name: name.to_owned(), subject, field });
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_text_and_values() {
        let value = |name: &str, subject, field| Part::Value { name: name.to_owned(), subject, field };
        let ordi = || Subject::Coin("ordi".into());
        let parts = parse("a {ordi} {ordi.24h}{wallet.value} }").unwrap();
        let text = |words: &str| Part::Text(words.to_owned());
        let expected = [
            text("a "),
            value("ordi", ordi(), Field::All),
            text(" "),
            value("ordi.24h", ordi(), Field::Change),
            value("wallet.value", Subject::Wallet, Field::Price),
            text(" }"),
        ];
        assert_eq!(parts, expected);
        assert_eq!(parse(""), Ok(Vec::new()));
        for (format, reason) in
            [("{ordi", "missing }"), ("{}", "expected a slug"), ("{ordi.cap}", "unknown value {ordi.cap}")]
        {
            assert!(parse(format).unwrap_err().contains(reason), "{format}");
        }
    }
}
