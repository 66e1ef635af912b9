//! One thing as `--format table` shows it: a line a field, what it is called and what it is. No text is cut; numbers and
//! times have the forms of lists.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::cells::{self, wide};
use super::columns::{Column, Kind};
use crate::format::ABSENT;

/// Between what a field is called and what it is.
const GAP: usize = 3;

/// The fields as lines, their names dim where there is `colour`.
pub(super) fn render(lines: &[Column], row: &Map<String, Value>, colour: bool) -> String {
    let width = lines.iter().map(|line| wide(line.title)).max().unwrap_or(0);
    let (dim, normal) = if colour { ("\x1b[2m", "\x1b[22m") } else { ("", "") };
    let mut out = String::new();
    for line in lines {
        let mut title = line.title;
        for value in values(row.get(line.field).unwrap_or(&Value::Null), line.kind) {
            let space = width + GAP - wide(title);
            let _ = writeln!(out, "{dim}{title}{normal}{:space$}{value}", "");
            title = "";
        }
    }
    out
}

/// What a field is, in one line or several.
fn values(value: &Value, kind: Kind) -> Vec<String> {
    match (value, kind) {
        (Value::Null, _) => vec![ABSENT.to_owned()],
        (Value::Array(items), Kind::List) if items.is_empty() => vec![ABSENT.to_owned()],
        (Value::Array(items), Kind::List) => items.iter().map(item).collect(),
        (Value::Bool(false), Kind::Flag) => vec![String::from("no")],
        (value, Kind::Time) => vec![cells::cell(value, kind) + " UTC"],
        (value, kind) => vec![cells::cell(value, kind)],
    }
}

/// One of several; where an indexer disagrees with ordinal theory, in a sentence.
fn item(value: &Value) -> String {
    let part = |name: &str| value.get(name).and_then(Value::as_str);
    match (part("field"), part("indexer"), part("computed")) {
        (Some(field), Some(indexer), Some(computed)) => {
            cells::one_line(&format!("{field}: indexer {indexer}, ordinal theory {computed}"))
        }
        _ => cells::cell(value, Kind::List),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::columns;
    use super::*;

    #[test]
    fn a_card_has_the_names_and_the_number_forms_of_a_table() {
        let token = json!({"ticker": "ordi", "max_supply": "21000000", "minted_supply": "20999999.000000000000000001",
            "self_mint": false, "tx_count": 412_233, "deployed_at": "2023-03-08T04:16:31.000Z"});
        let card = render(columns::TOKEN, token.as_object().unwrap(), false);
        for line in [
            "Ticker               ordi",
            "Minted               20,999,999.000000000000000001",
            "Max supply           21,000,000",
            "Transactions         412,233",
            "Self-mint            no",
            "Deployed             2023-03-08 04:16 UTC",
            "Holders              —",
        ] {
            assert!(card.lines().any(|shown| shown == line), "{line}\n{card}");
        }
    }

    #[test]
    fn several_values_stand_below_each_other() {
        let sat = json!({"number": 5, "charms": ["coin", "uncommon"],
            "disagreements": [{"field": "rarity", "indexer": "rare", "computed": "common"}]});
        let card = render(columns::SAT, sat.as_object().unwrap(), true);
        assert!(
            card.contains("\x1b[2mCharms\x1b[22m            coin\n\x1b[2m\x1b[22m                  uncommon\n"),
            "{card:?}"
        );
        assert!(card.contains("rarity: indexer rare, ordinal theory common\n"), "{card}");
    }
}
